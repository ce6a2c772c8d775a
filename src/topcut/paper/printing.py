"""Which sheets are there? Each by its name, from an event to a PDF."""

from __future__ import annotations

from collections.abc import Callable

from topcut.paper.bracket import bracket
from topcut.paper.cards import cards
from topcut.paper.chart_sheet import chart_sheet
from topcut.paper.choice import Choice
from topcut.paper.lists import seats, sign_in
from topcut.paper.occasion import Occasion
from topcut.paper.page import Page
from topcut.paper.pairings import pairings
from topcut.paper.press import Printed, printed
from topcut.paper.slips import slips
from topcut.paper.standings import standings

KINDS: dict[str, Callable[[Occasion, Choice], Page]] = {
    "pairings": pairings,
    "slips": slips,
    "standings": standings,
    "sheet": chart_sheet,
    "card": cards,
    "bracket": bracket,
    "sign-in": sign_in,
    "seats": seats,
}

USES: dict[str, set[str]] = {
    "pairings": {"round", "by", "tables", "changed"},
    "slips": {"round", "tables", "changed", "per_page", "link", "address"},
    "standings": {"after", "division"},
    "sheet": {"after"},
    "card": {"after", "player", "division"},
    "bracket": {"division"},
    "sign-in": set(),
    "seats": set(),
}
"""What can be chosen for each of them, beside the paper and the moment."""


def sheet(kind: str, occasion: Occasion, choice: Choice) -> Printed:
    """A sheet of an event as a PDF."""
    page = KINDS[kind](occasion, choice)
    return printed(page.sheet, page.data, page.names)
