"""Build the tables of a bracket: single elimination, or double elimination with a lower side.

A bracket is a graph of tables whose two seats are filled by rank seeds, by winners or by losers. A seat that
nobody will ever fill is empty: the player opposite has a bye.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Literal

from topcut.rulebook.planning.plan import order_rank_seeds
from topcut.text.messages import Message, say

THIRD_PLACE, FINAL, SECOND_FINAL = say("Third place"), say("Final"), say("Second final")
UPPER, LOWER = say("Upper bracket"), say("Lower bracket")
"""The two sides of a double elimination."""


@dataclass(frozen=True)
class RankSeed:
    """The player with this rank seed, from 1; nobody if there are fewer players."""

    number: int


@dataclass(frozen=True)
class WinnerOf:
    table: str


@dataclass(frozen=True)
class LoserOf:
    table: str


Source = RankSeed | WinnerOf | LoserOf


@dataclass(frozen=True)
class Node:
    """One table of a bracket."""

    name: str
    seats: tuple[Source, Source]
    winner_ends: int | None = None
    """The group in which the winner ends, if it is their last table: 0 ends first, 1 second and so on."""
    loser_ends: int | None = None
    tree: str = ""
    """The title of the picture in which it is drawn; empty for a bracket with one picture."""
    only_if_second_won: str = ""
    """A table that is played only if the second seat of this other one won it."""


@dataclass(frozen=True)
class Graph:
    """A whole bracket, round by round; every seat is filled from earlier rounds."""

    kind: Literal["elimination", "double-elimination"]
    players: int
    rounds: tuple[tuple[Node, ...], ...]
    second_chance: bool = False
    """Whether a player who has lost once can still win the bracket."""

    @cached_property
    def nodes(self) -> dict[str, Node]:
        return {node.name: node for tables in self.rounds for node in tables}

    @cached_property
    def after(self) -> dict[str, list[str]]:
        """The tables that wait for each table: their seats, or whether they are played at all."""
        found: dict[str, list[str]] = {name: [] for name in self.nodes}
        for name, node in self.nodes.items():
            waits = {seat.table for seat in node.seats if not isinstance(seat, RankSeed)}
            for other in waits | ({node.only_if_second_won} - {""}):
                found[other].append(name)
        return found

    @cached_property
    def round_of(self) -> dict[str, int]:
        """The round of each table, from 0."""
        return {node.name: r for r, tables in enumerate(self.rounds) for node in tables}

    def title_round(self, names: Sequence[str]) -> Message:
        """Return what people call the round that has these tables."""
        if "F2" in names:
            return SECOND_FINAL
        if "F" in names:
            return FINAL
        if self.second_chance:
            rounds = {name[0]: int(name[1:].partition("-")[0]) for name in names}
            return _title_sides(rounds.get("W"), rounds.get("L"))
        match len(names):
            case 2:
                return say("Semi-finals")
            case 4:
                return say("Quarter-finals")
        return say("Round of {players}", players=2 * len(names))


def _title_sides(upper: int | None, lower: int | None) -> Message:
    """Return what people call a round on one side of a double elimination, or on both."""
    if upper is None:
        return say("Lower bracket, round {round}", round=lower or 0)
    if lower is None:
        return say("Upper bracket, round {round}", round=upper)
    return say("Upper bracket, round {upper}; lower bracket, round {lower}", upper=upper, lower=lower)


def count_rounds(players: int) -> int:
    """Return the rounds until one player is left, byes included."""
    return max(1, (players - 1).bit_length())


@cache
def build_single(players: int, third_place: bool = False) -> Graph:
    """Build a single elimination bracket: out after one loss (PK-30, PK-31)."""
    sources: list[Source] = [RankSeed(seed) for seed in order_rank_seeds(1 << count_rounds(players))]
    rounds = []
    third: tuple[Node, ...] = ()
    for left in range(count_rounds(players), 0, -1):
        pairs = enumerate(zip(sources[::2], sources[1::2], strict=True), start=1)
        last, plays_on = left == 1, third_place and left == 2 and players > 3
        ends = (0 if last else None, None if plays_on else 2 * left - 1)
        tables = tuple(Node(_name_table(left, number), pair, *ends) for number, pair in pairs)
        sources = [WinnerOf(table.name) for table in tables]
        if plays_on:  # PK-35
            losers = LoserOf(tables[0].name), LoserOf(tables[1].name)
            third = (Node("P3", losers, 2, 3, THIRD_PLACE),)
        rounds.append((*tables, *third) if last else tables)
    return Graph("elimination", players, tuple(rounds))


def _name_table(left: int, number: int) -> str:
    """Return QF1, SF2, F or, with more rounds left, a name such as R16-3."""
    if left == 1:
        return "F"
    short = {2: "SF", 3: "QF"}.get(left)
    return f"{short}{number}" if short else f"R{1 << left}-{number}"


@cache
def build_double(players: int, reset: bool = True) -> Graph:
    """Build a double elimination bracket: out after two losses.

    Winners of the upper side stay there; losers go to the lower side, which they enter opposite players they
    are least likely to have met. `reset`: if the winner of the lower side wins the final, which is their
    opponent's first loss, it is played once more.
    """
    count = count_rounds(players)
    upper: list[Source] = [RankSeed(seed) for seed in order_rank_seeds(1 << count)]
    lower: list[Source] = []
    rounds: list[tuple[Node, ...]] = []
    known: dict[str, Node] = {}
    ends = 2 * count - 1  # the group of players who go out in the first round of the lower side

    def seat(
        name: str, pairs: Iterable[tuple[Source, Source]], loser_ends: int | None = None
    ) -> tuple[tuple[Node, ...], list[Source]]:
        """Return the tables of one round on one side, and their winners."""
        tree = UPPER if loser_ends is None else LOWER
        tables = tuple(
            Node(f"{name}-{number}", pair, None, loser_ends, tree)
            for number, pair in enumerate(pairs, start=1)
        )
        known.update({table.name: table for table in tables})
        return tables, [WinnerOf(table.name) for table in tables]

    for r in range(1, count + 1):
        tables, upper = seat(f"W{r}", zip(upper[::2], upper[1::2], strict=True))
        losers: list[Source] = [LoserOf(table.name) for table in tables]
        if r == 1:
            rounds.append(tables)
            lower = losers
            continue
        among, lower = seat(f"L{2 * r - 3}", zip(lower[::2], lower[1::2], strict=True), ends)
        best = min(
            _order_losers(losers),
            key=lambda order: sum(_rematch_chance(*pair, known) for pair in zip(order, lower, strict=True)),
        )
        against, lower = seat(f"L{2 * r - 2}", zip(best, lower, strict=True), ends - 1)
        rounds += [(*tables, *among), against]
        ends -= 2
    rounds.append((Node("F", (upper[0], lower[0]), 0, 1, FINAL),))
    if reset:
        rounds.append((Node("F2", (LoserOf("F"), WinnerOf("F")), 0, 1, SECOND_FINAL, "F"),))
    return Graph("double-elimination", players, tuple(rounds), second_chance=True)


def _order_losers(sources: Sequence[Source]) -> list[list[Source]]:
    """Return the ways in which losers can cross over to the lower side."""
    half = len(sources) // 2
    return [
        [*reversed(sources)],
        [*sources[half:], *sources[:half]],
        [*reversed(sources[:half]), *reversed(sources[half:])],
        [*sources],
    ]


def _rematch_chance(falling: Source, here: Source, known: dict[str, Node]) -> Fraction:
    """Return the chance, at even odds, that the loser of an upper table meets a player they beat again."""
    sent, coming = _tables_won(falling, known), _tables_lost(here, known)
    return sum((chance * coming.get(table, 0) for table, chance in sent.items()), Fraction(0))


def _tables_won(source: Source, known: dict[str, Node]) -> dict[str, Fraction]:
    """Return the upper tables that a player from this table has won before, each with its chance."""
    found = {}
    seats = () if isinstance(source, RankSeed) else known[source.table].seats
    for seat in seats:
        if isinstance(seat, WinnerOf):
            found[seat.table] = Fraction(1, 2)
            found |= {table: chance / 2 for table, chance in _tables_won(seat, known).items()}
    return found


def _tables_lost(source: Source, known: dict[str, Node]) -> dict[str, Fraction]:
    """Return the upper tables that a player from the lower side has lost, each with its chance."""
    if isinstance(source, LoserOf):
        return {source.table: Fraction(1)}
    seats = known[source.table].seats if isinstance(source, WinnerOf) else ()
    return {table: chance / 2 for seat in seats for table, chance in _tables_lost(seat, known).items()}
