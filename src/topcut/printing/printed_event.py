"""Collect what sheets need of an event, from a file or from a running event."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import count
from typing import Any

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event.draw import find_lots_seed
from topcut.event.state import RoundState, State
from topcut.history.divisions import hide_private_fields
from topcut.history.model import Player, Round, Table
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, find_time_zone
from topcut.stages.leaderboard import Leaderboard
from topcut.stages.player_ids import count_whole_rounds
from topcut.text.messages import Message, moment, say

Number = int | str
Link = Callable[[int, Number], str]
"""The address that a slip carries, by round and table."""


@dataclass(frozen=True)
class PrintedEvent:
    """An event as sheets need it, with the round that nobody may see yet: slips are printed early."""

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
    """How many minutes each round has that has begun."""
    changed: Mapping[int, frozenset[Number]] = field(default_factory=dict)
    """The tables of each round that are not the ones first posted."""
    seated: Mapping[str, Number] = field(default_factory=dict)
    """The table of each player before the first round."""
    legal: Mapping[str, str] = field(default_factory=dict)
    """The names with which players with a display name sign in."""
    link: Link | None = None
    boards: dict[int, Leaderboard] = field(default_factory=dict, repr=False)
    """The leaderboards computed so far, by their number of rounds."""

    @cached_property
    def names(self) -> dict[str, str]:
        return {player.id: player.shown_name for player in self.players}

    @cached_property
    def by_id(self) -> dict[str, Player]:
        return {player.id: player for player in self.players}

    def round(self, number: int | None) -> tuple[int, Round]:
        """Return a round and its number; the last there is if none is given."""
        if not self.rounds:
            raise BadInput(say("no round is paired yet"))
        number = len(self.rounds) if number is None else number
        if not 1 <= number <= len(self.rounds):
            there = len(self.rounds)
            raise BadInput(say("there is no round {number}: expected 1 to {last}", number=number, last=there))
        return number, number_tables(self.rounds[number - 1])

    def board(self, after: int) -> Leaderboard:
        """Return the leaderboard after a number of rounds."""
        if after not in self.boards:
            played = self.rounds[:after]
            self.boards[after] = Leaderboard(self.players, played, self.book, self.options, self.seeds[after])
        return self.boards[after]

    def scores(self, number: int, a_round: Round) -> dict[str, tuple[Any, str]]:
        """Return points and record by player before a round; empty in a bracket without rounds before it."""
        board = self.board(number - 1)
        return {} if a_round.in_bracket and not board.scored else board.scores

    @property
    def reported(self) -> int:
        """How many rounds from the first on are wholly reported."""
        return count_whole_rounds(self.rounds)

    def until(self, number: int | None) -> tuple[Round, ...]:
        """Return the rounds up to one of them; all there are if none is given."""
        last = len(self.rounds) if number is None else number
        if not 0 <= last <= len(self.rounds):
            there = len(self.rounds)
            raise BadInput(say("there is no round {number}: expected 0 to {last}", number=last, last=there))
        return self.rounds[:last]

    def after(self, number: int | None) -> int:
        """Return the number of rounds to count; up to the last wholly reported one if none is given."""
        self.until(number)
        wholly = self.reported
        number = wholly if number is None else number
        if not 0 <= number <= wholly:
            problem = say(
                "round {number} still has open tables: expected 0 to {last}", number=number, last=wholly
            )
            raise BadInput(problem)
        return number

    @property
    def points_word(self) -> str:
        """The label of the first key."""
        first = self.book.chain[0]
        return first.short or first.label

    def is_new(self, number: int, table: Table) -> bool:
        """Return whether a table is not the one that was first posted."""
        name = table.players[0] if table.table is None else table.table
        return name in self.changed.get(number, ())


def number_tables(a_round: Round) -> Round:
    """Return the round with numbers for its tables, where a file has none."""
    playing = [table for table in a_round.tables if len(table.players) > 1]
    if any(table.table is not None for table in playing):
        return a_round
    number = count(1)
    return replace(
        a_round,
        tables=tuple(replace(t, table=next(number)) if len(t.players) > 1 else t for t in a_round.tables),
    )


def stamp_moment(at: datetime, options: Options) -> Message:
    """Return a moment for paper, by the clocks of the venue; if they are not known, by this machine's."""
    zone = find_time_zone(options)
    return moment(at.astimezone(zone), "stamp")


def build_printed_event(state: State, link: Link | None = None, people: bool = True) -> PrintedEvent:
    """Collect a running event, as far as it is paired; `people`: with member numbers and legal names."""
    listed_players = state.players.values()
    clocks = [(a_round.number, a_round.clock) for a_round in state.rounds if a_round.clock]
    return PrintedEvent(
        name=state.name,
        book=state.book,
        options=state.options,
        players=tuple(p if people else hide_private_fields(p, state.book) for p in state.file_players()),
        rounds=state.file_rounds(),
        seeds=tuple(find_lots_seed(state.rounds[:after]) for after in range(len(state.rounds) + 1)),
        at=stamp_moment(state.last, state.options),
        posted={a_round.number: _published(a_round, state.options) for a_round in state.rounds},
        minutes={number: clock.minutes for number, clock in clocks if clock.minutes is not None},
        changed={a_round.number: a_round.changed for a_round in state.rounds},
        seated={e.player.id: e.seat for e in listed_players if e.seat is not None and not state.begun},
        legal={e.player.id: e.legal for e in listed_players if e.display is not None and people},
        link=link,
    )


def _published(a_round: RoundState, options: Options) -> Message:
    at = a_round.renewed or a_round.published
    return say("not published yet") if at is None else stamp_moment(at, options)
