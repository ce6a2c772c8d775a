"""List the sheets by name, and print one of them."""

from collections.abc import Callable

from topcut.printing.bracket import build_bracket
from topcut.printing.chart_sheet import build_chart
from topcut.printing.lists import build_pairings, build_pods, build_seats, build_sign_in, build_standings
from topcut.printing.page import PrintOptions, SheetPage
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.score_cards import build_cards
from topcut.printing.slips import build_slips
from topcut.printing.typesetting import PrintedSheet, typeset
from topcut.text.languages import find_language
from topcut.text.messages import language_in_use, using_language

SHEET_BUILDERS: dict[str, Callable[[PrintedEvent, PrintOptions], SheetPage]] = {
    "pairings": build_pairings,
    "slips": build_slips,
    "standings": build_standings,
    "sheet": build_chart,
    "card": build_cards,
    "bracket": build_bracket,
    "sign-in": build_sign_in,
    "seats": build_seats,
    "pods": build_pods,
}

SHEET_OPTIONS: dict[str, set[str]] = {
    "pairings": {"round", "by", "tables", "changed"},
    "slips": {"round", "tables", "changed", "per_page", "link", "address"},
    "standings": {"after", "division"},
    "sheet": {"after"},
    "card": {"after", "player", "division"},
    "bracket": {"division"},
    "sign-in": set(),
    "seats": set(),
    "pods": {"by"},
}
"""The options that each sheet uses, beside the paper and the moment."""


def print_sheet(kind: str, event: PrintedEvent, choice: PrintOptions) -> PrintedSheet:
    """Print a sheet of an event as a PDF, in the language of the event, else in the one in use."""
    wanted = choice.languages or event.options.languages or ()
    languages = [found for one in wanted if (found := find_language(one))]
    with using_language("+".join(languages) or language_in_use()):
        page = SHEET_BUILDERS[kind](event, choice)
        return typeset(page.sheet, page.data, page.names)
