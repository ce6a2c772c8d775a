"""What staff do: commands from forms and buttons, as the command line gives them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from topcut.desk.access import utc
from topcut.desk.bidi import isolated
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who
from topcut.errors import BadInput, in_words
from topcut.event.commands import AnyCommand, Swap
from topcut.event.compare import differences
from topcut.event.deciding import Context, Decision
from topcut.event.find import find_player
from topcut.event.journal import Journal
from topcut.event.sensible import ID
from topcut.event.state import State
from topcut.event.undoing import again, redoable, undoable, without
from topcut.store.turn import Once, Told

LONGEST = 400
"""Letters of a text, at most."""


class Asked(Struct, forbid_unknown_fields=True):
    commands: list[dict[str, Any]]


def context(by: str, via: str = "desk") -> Context:
    return Context(at=utc(), by=by, entropy=secrets.token_hex(32), via=via)


def read(documents: Sequence[dict[str, Any]]) -> list[AnyCommand]:
    """Commands as a page sends them."""
    check_texts(documents)
    try:
        return msgspec.convert(documents, list[AnyCommand])
    except msgspec.ValidationError as error:
        raise BadInput(in_words(str(error))) from None


def check_texts(value: Any) -> None:
    """Refuse texts that nobody would want to read, and ids that no address can hold."""
    if isinstance(value, str) and len(value) > LONGEST:
        raise BadInput(f"“{value[:20]}…” is too long: expected at most {LONGEST} letters")
    if isinstance(value, dict):
        player_id = value.get("id")
        if isinstance(player_id, str) and not ID.fullmatch(player_id):
            raise BadInput("expected an id of letters, digits, points and hyphens")
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_texts(part)


def answer(live: Live, decisions: Sequence[Decision]) -> dict[str, Any]:
    """What a page is told of commands that are done."""
    return {
        "version": live.version,
        "says": [isolated(line) for decision in decisions for line in decision.says],
        "warnings": [isolated(line) for decision in decisions for line in decision.warnings],
    }


async def give(
    live: Live,
    who: Who,
    commands: Sequence[AnyCommand],
    *,
    expected: int | None = None,
    once: Once | None = None,
    told: Told | None = None,
) -> list[Decision]:
    """Decide commands of somebody who may give them, all or none."""

    def allowed(command: AnyCommand, journal: Journal) -> None:
        who.check([command], journal)

    by = context(who.name, who.via)
    return await live.do(commands, by, expected=expected, once=once, allowed=allowed, told=told)


async def acted(
    house: House, request: AnyRequest, event: str, commands: Callable[[State], Sequence[AnyCommand]]
) -> dict[str, Any]:
    """Decide commands of whoever sends them; what their page is told."""
    live = await house.floor.event(event)
    return answer(live, await give(live, who_of(request), commands(live.state)))


@post("/desk/{event:str}/do", right="desk", status_code=200, raises=[NotFoundException])
async def do(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Asked]
) -> dict[str, Any]:
    """Decide commands; all of them are done, or none."""
    return await acted(house, request, event, lambda _: read(data.commands))


class Places(Struct, forbid_unknown_fields=True):
    first: str
    second: str
    reason: str = ""


@post("/desk/{event:str}/swap", right="seating", status_code=200, raises=[NotFoundException])
async def swap(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Places]
) -> dict[str, Any]:
    """Two players, by name or id, change places."""

    def found(state: State) -> list[AnyCommand]:
        check_texts([data.reason])
        legal = who_of(request).may("people")
        first, second = (find_player(state, text, legal) for text in (data.first, data.second))
        return [Swap(first=first, second=second, reason=data.reason)]

    return await acted(house, request, event, found)


class Back(Struct, forbid_unknown_fields=True):
    step: int | None = None
    redo: bool = False


@post("/desk/{event:str}/undo", right="desk", status_code=200, raises=[NotFoundException])
async def look_back(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Back]
) -> dict[str, Any]:
    """What would change if a step were taken back, or counted again; nothing is done."""
    return await looked_back(house, who_of(request), event, data)


async def looked_back(house: House, who: Who, event: str, data: Back) -> dict[str, Any]:
    live = await house.floor.event(event)
    journal = live.running.journal
    steps = redoable(journal, data.step) if data.redo else undoable(journal, data.step)
    after = await asyncio.to_thread(again if data.redo else without, journal, steps)
    says = house.logbook(live, who).step(journal, steps[0])
    return {
        "steps": steps,
        "says": isolated(says),
        "changes": [isolated(line) for line in differences(journal.state, after)],
    }


ROUTES = [do, swap, look_back]
