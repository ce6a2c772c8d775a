"""Build what sheets have in common: the head of a page, words for results, the order of cut slips."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from topcut.history.model import OUTCOME_WORDS, Outcome, Round, Table
from topcut.history.results import SeatResult
from topcut.printing.options import PrintOptions
from topcut.printing.printed_event import PrintedEvent
from topcut.rulebook.model import MatchRules

RESULT_WORDS = OUTCOME_WORDS | {Outcome.ASSIGNED: "loss, no opponent"}
BATCH = 100
"""Tables that are printed together: cutting begins while the next ones come out."""


@dataclass(frozen=True)
class SheetPage:
    """A sheet that is ready to be typeset."""

    sheet: str
    """Its file in `sheets/`, without the ending."""
    data: dict[str, Any]
    names: list[tuple[str, str]]
    """The texts in it that people wrote, each with what it is."""


def build_head(
    event: PrintedEvent,
    choice: PrintOptions,
    title: str,
    lines: Iterable[str] = (),
    number: int | None = None,
) -> dict[str, Any]:
    """Return the head of every page; `lines` are at its right, `number` is its round."""
    return {
        "event": event.name,
        "title": title,
        "rules": event.book.title,
        "at": event.at if number is None else event.posted.get(number, event.at),
        "about": list(lines),
        "paper": choice.paper,
    }


def list_names(event: PrintedEvent) -> list[tuple[str, str]]:
    """Return the names of an event, each with the words by which it is reported if it cannot be printed."""
    players = [(f"player {player.id}", player.shown_name) for player in event.players]
    return [("the event", event.name), *players]


def name_round(number: int, a_round: Round) -> str:
    """Return a round as a title has it."""
    return f"Round {number}, elimination" if a_round.in_bracket else f"Round {number}"


def cut_stack(made: Sequence[Any], per_page: int, batch: int = BATCH) -> list[list[Any]]:
    """Return the pieces of each page so that the piles of cut pieces are in order; None in an empty place.

    Page i of a batch of P pages has piece j·P + i in place j: the sheets are cut as one pile, and the piles
    laid on each other are in the order of the pieces.

    >>> cut_stack("abcde", 2)
    [['a', 'd'], ['b', 'e'], ['c', None]]
    """
    pages: list[list[Any]] = []
    for begin in range(0, len(made), batch):
        pieces = made[begin : begin + batch]
        high = -(-len(pieces) // per_page)
        for i in range(high):
            at = [j * high + i for j in range(per_page)]
            pages.append([pieces[k] if k < len(pieces) else None for k in at])
    return pages


def format_result(table: Table, own: SeatResult) -> str:
    """Return a player's result in numbers, theirs first; empty where only the winner was reported.

    >>> format_result(Table(players=("a", "b"), games=(1, 2, 1)), SeatResult(Outcome.WIN, (2, 1, 1)))
    '2–1–1'
    """
    if table.games is not None:
        return format_games(*own.games)
    return "" if table.scores is None else str(own.score)


def format_games(won: int, lost: int, drawn: int) -> str:
    """Return games as they are written; drawn ones only if there are any (DS-11)."""
    return f"{won}–{lost}–{drawn}" if drawn else f"{won}–{lost}"


def describe_time(match: MatchRules, known: int | None = None) -> str:
    """Say how long a round is, if that is known or the book says it, and what follows it."""
    kinds = match.round_minutes
    minutes = sorted(set(kinds.values()))
    if known is not None or "default" in kinds:
        minutes = [kinds["default"] if known is None else known]
    said = [f"{' or '.join(map(str, minutes))} minutes"] if minutes else []
    turns = [f"then {match.extra_turns} extra turns"] if match.extra_turns else []
    return ", ".join([*said, *turns])
