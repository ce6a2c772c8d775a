"""What is printed about: an event as it goes on paper, out of a file or from a desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import count
from typing import Any

from msgspec.structs import replace as struct_replace

from topcut.errors import BadInput
from topcut.event.draw import lots_seed
from topcut.event.state import RoundOf, State
from topcut.history.divisions import for_everybody
from topcut.history.model import Player, Round, Table
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options
from topcut.stages.board import Board

Number = int | str
Link = Callable[[int, Number], str]
"""The address that a slip carries, by round and table."""


@dataclass(frozen=True)
class Occasion:
    """An event as paper needs it. A round that nobody may see yet is in it too: slips are printed early."""

    name: str
    book: Book
    options: Options
    players: tuple[Player, ...]
    rounds: tuple[Round, ...]
    seeds: tuple[str | None, ...]
    """The seed of lots outside rounds, after 0, 1, 2, … rounds."""
    at: str = ""
    """The moment that the paper names, as people write it."""
    posted: Mapping[int, str] = field(default_factory=dict)
    """The moment at which each round was posted as it is now, where that is known."""
    minutes: Mapping[int, int] = field(default_factory=dict)
    """How long rounds are that have begun."""
    changed: Mapping[int, frozenset[Number]] = field(default_factory=dict)
    """The tables of each round that are not those first posted."""
    seated: Mapping[str, Number] = field(default_factory=dict)
    """Where all were seated before the first round: player to table."""
    legal: Mapping[str, str] = field(default_factory=dict)
    """The names with which players sign in who are shown by another."""
    link: Link | None = None
    kept: dict[int, Board] = field(default_factory=dict, repr=False)

    @cached_property
    def names(self) -> dict[str, str]:
        return {player.id: player.shown_name for player in self.players}

    @cached_property
    def by_id(self) -> dict[str, Player]:
        return {player.id: player for player in self.players}

    def round(self, number: int | None) -> tuple[int, Round]:
        """A round and its number; the last there is if none is given."""
        if not self.rounds:
            raise BadInput("no round is paired yet")
        number = len(self.rounds) if number is None else number
        if not 1 <= number <= len(self.rounds):
            raise BadInput(f"there is no round {number}: expected 1 to {len(self.rounds)}")
        return number, numbered(self.rounds[number - 1])

    def board(self, after: int) -> Board:
        """Who is ahead after so many rounds."""
        if after not in self.kept:
            played = self.rounds[:after]
            self.kept[after] = Board(self.players, played, self.book, self.options, self.seeds[after])
        return self.kept[after]

    def scores(self, number: int, a_round: Round) -> dict[str, tuple[Any, str]]:
        """Points and record of everybody before a round; nothing in brackets before which nobody had any."""
        board = self.board(number - 1)
        if a_round.stage == "elimination" and not board.scored:
            return {}
        return board.scores

    @property
    def reported(self) -> int:
        """How many rounds from the first on are wholly reported."""
        wholly = 0
        while wholly < len(self.rounds) and all(table.reported for table in self.rounds[wholly].tables):
            wholly += 1
        return wholly

    def until(self, number: int | None) -> tuple[Round, ...]:
        """The rounds up to one of them; all there are if none is given."""
        last = len(self.rounds) if number is None else number
        if not 0 <= last <= len(self.rounds):
            raise BadInput(f"there is no round {last}: expected 0 to {len(self.rounds)}")
        return self.rounds[:last]

    def after(self, number: int | None) -> int:
        """A round after which to count; the last that is wholly reported if none is given."""
        wholly = self.reported
        number = wholly if number is None else number
        if not 0 <= number <= wholly:
            raise BadInput(f"round {number} is not wholly reported: expected 0 to {wholly}")
        return number

    @property
    def points_word(self) -> str:
        """What the first thing that counts is called."""
        first = self.book.chain[0]
        return first.short or first.label

    def is_new(self, number: int, table: Table) -> bool:
        """Whether a table is not the one that was first posted."""
        name = table.players[0] if table.table is None else table.table
        return name in self.changed.get(number, ())


def numbered(a_round: Round) -> Round:
    """The round with numbers for its tables, where a file has none: nobody finds a table without."""
    playing = [table for table in a_round.tables if len(table.players) > 1]
    if any(table.table is not None for table in playing):
        return a_round
    number = count(1)
    tables = [
        struct_replace(table, table=next(number)) if len(table.players) > 1 else table
        for table in a_round.tables
    ]
    return struct_replace(a_round, tables=tuple(tables))


def moment(at: datetime) -> str:
    """A moment as this machine's clock shows it."""
    return at.astimezone().strftime("%a %d %b %Y, %H:%M %Z")


def of_state(state: State, link: Link | None = None, people: bool = True) -> Occasion:
    """A running event, as far as it is paired; `people`: with membership numbers and names that are not
    shown."""
    entrants = state.players.values()
    clocks = {a_round.number: a_round.clock.minutes for a_round in state.rounds if a_round.clock}
    return Occasion(
        name=state.name,
        book=state.book,
        options=state.options,
        players=tuple(p if people else for_everybody(p, state.book) for p in state.written_players()),
        rounds=state.written_rounds(),
        seeds=tuple(lots_seed(state.rounds[:after]) for after in range(len(state.rounds) + 1)),
        at=moment(state.last),
        posted={a_round.number: _posted(a_round) for a_round in state.rounds},
        minutes={number: minutes for number, minutes in clocks.items() if minutes is not None},
        changed={a_round.number: a_round.changed for a_round in state.rounds},
        seated={e.player.id: e.seat for e in entrants if e.seat is not None},
        legal={e.player.id: e.legal for e in entrants if e.display is not None and people},
        link=link,
    )


def _posted(a_round: RoundOf) -> str:
    at = a_round.renewed or a_round.published
    return "not published yet" if at is None else moment(at)
