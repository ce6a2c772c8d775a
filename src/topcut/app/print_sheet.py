"""Print a sheet of an event as a PDF for a person who may have it."""

import asyncio
from typing import cast

from topcut.app.access.identity import Identity
from topcut.app.access.player_links import slip_address
from topcut.app.page_cache import Page
from topcut.app.services import NotHere, Services
from topcut.errors import BadInput
from topcut.event.rights import Right
from topcut.printing import registry, typesetting
from topcut.printing.page import Paper, PrintOptions
from topcut.printing.printed_event import Number, build_printed_event

PAPERS: dict[str, str] = {"a4": "A4", "us-letter": "Letter"}
LONGEST = 2_000
"""Letters of a list of tables, at most."""
ALSO_NEEDS: dict[str, Right] = {"slips": "enter", "sign-in": "people"}
"""Further rights for some sheets: codes on slips report results, and sign-in sheets show legal names."""


def read_paper(asked: str, remembered: str = "a4") -> Paper:
    """Return the paper that is asked for, else the one that was used last."""
    if asked and asked not in PAPERS:
        raise BadInput(f'expected a4 or us-letter, not "{asked[:20]}"', place="paper")
    found = asked or remembered
    return cast(Paper, found) if found in PAPERS else "a4"


async def print_sheet(
    services: Services, who: Identity, event: str, kind: str, choice: PrintOptions, base: str
) -> Page:
    """Return a sheet as a PDF; `base` is the beginning of the links on it."""
    name = kind.removesuffix(".pdf")
    if name not in registry.SHEET_BUILDERS:
        raise NotHere("there is no such sheet")
    if name in ALSO_NEEDS:
        who.needs(ALSO_NEEDS[name])
    if len(choice.tables) > LONGEST:
        raise BadInput(f"expected at most {LONGEST} letters", place="tables")
    live = await services.events.event(event)
    secret = await services.access.secret("players")
    state, people = live.state, who.may("people")

    def link(number: int, table: Number) -> str:
        return base + slip_address(secret, event, state.get_round(number), table)

    def print_it() -> bytes:
        pdf = registry.print_sheet(name, build_printed_event(state, link, people), choice).pdf
        typesetting.free_memory()
        return pdf

    async with services.print_lock:
        return Page(await asyncio.to_thread(print_it), "application/pdf")
