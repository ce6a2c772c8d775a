"""Choose what to print, and build what sheets have in common: the head of a page, the order of cut slips."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct

from topcut.errors import BadInput
from topcut.history.drafts import read_draft_number
from topcut.history.model import OUTCOME_WORDS, Outcome, Round, Table
from topcut.history.results import SeatResult
from topcut.printing.printed_event import PrintedEvent
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, find_round_minutes
from topcut.text.messages import Message, count, join_messages, say

Paper = Literal["a4", "us-letter"]
PER_PAGE = (4, 6, 8)
SHOWN = 40
"""Letters that a page repeats of a list of tables."""
_RANGE = re.compile(r"(\d{1,9})(?:\s*[-–]\s*(\d{1,9})?)?")

RESULT_WORDS = OUTCOME_WORDS | {Outcome.ASSIGNED: say("loss, no opponent")}
BATCH = 100
"""Tables that are printed together: cutting begins while the next ones come out."""


class PrintOptions(Struct, frozen=True, kw_only=True):
    """What to print of an event; each sheet uses what concerns it (`SHEET_OPTIONS`)."""

    round: int | None = None
    """None: the last."""
    after: int | None = None
    """Up to this round; None: standings to the last that is wholly reported, charts and cards to the end."""
    by: Literal["name", "table"] = "name"
    tables: str = ""
    """Only these, such as 5-20,31; empty: all."""
    changed: bool = False
    """Only tables that are not the ones first posted."""
    per_page: int = 4
    paper: Paper = "a4"
    languages: tuple[str, ...] = ()
    """Of all texts, beside each other; empty: those of the event."""
    division: str | None = None
    player: str | None = None

    def select_tables(self, event: PrintedEvent, number: int, a_round: Round) -> list[Table]:
        """Return the tables to print, in their order."""
        ranges = _parse_ranges(self.tables)
        found = [
            table
            for table in a_round.tables
            if (not self.changed or event.is_new(number, table))
            and (not ranges or _is_within(table.table, ranges))
        ]
        if not found:
            if not self.only:
                raise BadInput(say("round {number} has no table", number=number))
            only = join_messages(", ", self.only)
            raise BadInput(say("round {number} has no such table ({only})", number=number, only=only))
        return found

    @property
    def only(self) -> list[Message]:
        """What is printed, in words, if it is not everything."""
        new = [say("only new tables")] if self.changed else []
        some = self.tables if len(self.tables) <= SHOWN else f"{self.tables[:SHOWN]}…"
        return [*new, say("only tables {tables}", tables=some)] if self.tables else new


def _parse_ranges(text: str) -> list[tuple[int, int]]:
    """Return the first and last table of each range.

    >>> _parse_ranges("5-20, 31, 40-")
    [(5, 20), (31, 31), (40, 1000000000)]
    """
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        match = _RANGE.fullmatch(part)
        if match is None:
            problem = say('expected tables such as 14 or 5-20,31 or 40-, not "{given}"', given=part)
            raise BadInput(problem, place="tables")
        begin = int(match[1])
        end = int(match[2]) if match[2] else begin if part == match[1] else 10**9
        if end < begin:
            problem = say('expected the lower number first, not "{given}"', given=part)
            raise BadInput(problem, place="tables")
        found.append((begin, end))
    return found


def _is_within(table: int | str | None, ranges: list[tuple[int, int]]) -> bool:
    return isinstance(table, int) and any(first <= table <= last for first, last in ranges)


@dataclass(frozen=True)
class SheetPage:
    """A sheet that is ready to be typeset."""

    sheet: str
    """Its file in `sheets/`, without the ending."""
    data: dict[str, Any]
    names: list[tuple[str, str]]
    """The texts in it that people wrote, each with what it is."""


def build_page(
    sheet: str,
    event: PrintedEvent,
    choice: PrintOptions,
    title: str,
    data: dict[str, Any],
    lines: Iterable[str] = (),
    number: int | None = None,
) -> SheetPage:
    """Return a sheet with the head of every page; `lines` are at its right, `number` is its round."""
    head = {
        "event": event.name,
        "title": title,
        "rules": event.book.title,
        "at": event.at if number is None else event.posted.get(number, event.at),
        "about": list(lines),
        "paper": choice.paper,
    }
    return SheetPage(sheet, head | data, list_names(event))


def list_names(event: PrintedEvent) -> list[tuple[str, str]]:
    """Return the names of an event, each with the words by which it is reported if it cannot be printed."""
    players = [(say("player {id}", id=player.id), player.shown_name) for player in event.players]
    return [(say("the event"), event.name), *players]


def name_round(number: int, a_round: Round) -> Message:
    """Return a round as a title has it."""
    if a_round.in_bracket:
        return say("Round {number}, elimination", number=number)
    if (draft := read_draft_number(a_round.format)) is not None:
        return say("Round {number}, draft {draft}", number=number, draft=draft)
    return say("Round {number}", number=number)


def cut_stack(made: Sequence[Any], per_page: int) -> list[list[Any]]:
    """Return the pieces of each page so that the piles of cut pieces are in order; None in an empty place.

    Page i of a batch of P pages has piece j·P + i in place j: the sheets are cut as one pile, and the piles
    laid on each other are in the order of the pieces.

    >>> cut_stack("abcde", 2)
    [['a', 'd'], ['b', 'e'], ['c', None]]
    """
    pages: list[list[Any]] = []
    for begin in range(0, len(made), BATCH):
        pieces = made[begin : begin + BATCH]
        high = -(-len(pieces) // per_page)
        for i in range(high):
            at = range(i, per_page * high, high)
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


def describe_time(book: Book, options: Options, known: int | None = None) -> Message:
    """Return how long a round is, if that is known or the book says it, and what follows it."""
    minutes = find_round_minutes(book, options) if known is None else known
    length = "" if minutes is None else count("{n} minute", "{n} minutes", minutes)
    turns = book.match.extra_turns
    more = count("then {n} extra turn", "then {n} extra turns", turns) if turns else ""
    return join_messages(", ", [length, more])
