"""What is printed about: an event as it goes on paper, out of a file or from a desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from topcut.errors import BadInput
from topcut.event.draw import lots_seed
from topcut.event.state import State
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
    changed: Mapping[int, frozenset[Number]] = field(default_factory=dict)
    """The tables of each round that are not those first posted."""
    seated: Mapping[str, Number] = field(default_factory=dict)
    """Where all were seated before the first round: player to table."""
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
        return number, self.rounds[number - 1]

    def board(self, after: int) -> Board:
        """Who is ahead after so many rounds."""
        if after not in self.kept:
            played = self.rounds[:after]
            self.kept[after] = Board(self.players, played, self.book, self.options, self.seeds[after])
        return self.kept[after]

    @property
    def reported(self) -> int:
        """How many rounds from the first on are wholly reported."""
        wholly = 0
        while wholly < len(self.rounds) and all(table.reported for table in self.rounds[wholly].tables):
            wholly += 1
        return wholly

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
        return (table.table or table.players[0]) in self.changed.get(number, ())


def moment(at: datetime) -> str:
    """A moment as this machine's clock shows it."""
    return at.astimezone().strftime("%a %d %b %Y, %H:%M %Z")


def of_state(state: State, round: int | None = None, link: Link | None = None) -> Occasion:
    """A running event, as far as it is paired; it names the moment at which the round was published."""
    number = len(state.rounds) if round is None else round
    published = state.rounds[number - 1].published if 1 <= number <= len(state.rounds) else None
    at = moment(published or state.last)
    entrants = state.players.values()
    return Occasion(
        name=state.name,
        book=state.book,
        options=state.options,
        players=state.written_players(),
        rounds=state.written_rounds(),
        seeds=tuple(lots_seed(state.rounds[:after]) for after in range(len(state.rounds) + 1)),
        at=at,
        changed={a_round.number: a_round.changed for a_round in state.rounds},
        seated={e.player.id: e.seat for e in entrants if e.seat is not None},
        link=link,
    )
