"""A bracket as a graph: tables whose two seats are filled by rank seeds, by winners or by losers.

One model serves single and double elimination and a round robin. A seat that nobody will ever fill is
empty: whoever sits opposite has a bye.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

from topcut.rulebook.planning.cut import fold

Kind = Literal["elimination", "double-elimination", "round-robin"]


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
    only_if_second_won: str = ""
    """A table that is played only if the second seat of this other one won it."""


@dataclass(frozen=True)
class Graph:
    """A whole bracket, round by round; every seat is filled from earlier rounds."""

    kind: Kind
    players: int
    rounds: tuple[tuple[Node, ...], ...]

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


def rounds_of(players: int) -> int:
    """Rounds until one is left, byes included."""
    return max(1, (players - 1).bit_length())


@cache
def single(players: int, third_place: bool = False) -> Graph:
    """Single elimination: whoever loses is out (PK-30, PK-31)."""
    sources: list[Source] = [RankSeed(seed) for seed in fold(1 << rounds_of(players))]
    rounds = []
    third: tuple[Node, ...] = ()
    for left in range(rounds_of(players), 0, -1):
        pairs = enumerate(zip(sources[::2], sources[1::2], strict=True), start=1)
        last, plays_on = left == 1, third_place and left == 2 and players > 3
        ends = (0 if last else None, None if plays_on else 2 * left - 1)
        tables = tuple(Node(_name(left, number), pair, *ends) for number, pair in pairs)
        sources = [WinnerOf(table.name) for table in tables]
        if plays_on:  # PK-35
            third = (Node("P3", (LoserOf(tables[0].name), LoserOf(tables[1].name)), 2, 3),)
        rounds.append((*tables, *third) if last else tables)
    return Graph("elimination", players, tuple(rounds))


def _name(left: int, number: int) -> str:
    """The name of a table when so many rounds are left: QF1, SF2, F, before them R16-3."""
    if left == 1:
        return "F"
    short = {2: "SF", 3: "QF"}.get(left)
    return f"{short}{number}" if short else f"R{1 << left}-{number}"
