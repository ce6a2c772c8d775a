"""Who may sit with whom next, worked out a second time: every seating of a few players is looked at.

The engine is compared with this. From an event file it takes the ranks that `topcut.standings` gives (they
are tested elsewhere) and shares nothing else with the engine. A seating is a list of tables from the top, a
table the set of its players; who sits with whom, whatever table it is at, is a set of tables.

What a seating costs (AL-16) is a tuple, compared part by part: repeated pairs of the newest round, of the
one before, and so on to the oldest; the squared distances between seats and places; tables of players who
share a label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

from tests.pairing.random_swiss_events import active, pairable
from topcut.standings import rank
from topcut.standings.document import build_rows

Table = frozenset[str]
Tables = frozenset[Table]
"""Who sits with whom."""
Seating = tuple[Table, ...]
"""From the top."""
Cost = tuple[int, ...]

PREFERRED = {"allegiance-2005": 3, "commander-4": 4}
BOOKS = tuple(PREFERRED)


@dataclass(frozen=True)
class Field:
    """All that the seating of the next round depends on."""

    order: tuple[str, ...]
    """In the order of the standings; who shares a place, by id."""
    places: Mapping[str, tuple[int, int]]
    """The first and the last of the places that each player shares, from 0."""
    met: tuple[frozenset[Table], ...]
    """The pairs that met in each round, the newest first."""
    labels: Mapping[str, frozenset[str]]
    sizes: tuple[int, ...]
    """Of the tables from the top."""

    @cached_property
    def position(self) -> dict[str, int]:
        return {player: at for at, player in enumerate(self.order)}

    @cached_property
    def starts(self) -> list[int]:
        """The first seat of each table."""
        return [sum(self.sizes[:number]) for number in range(len(self.sizes))]

    def repeats(self, table: Table) -> tuple[int, ...]:
        """The pairs at a table that met in each round, the newest first."""
        pairs = [frozenset(pair) for pair in combinations(table, 2)]
        return tuple(sum(pair in met for pair in pairs) for met in self.met)

    def displacement(self, number: int, table: Table) -> int:
        """The squared distances of these players as the table of this number, from 0."""
        total = 0
        for seat, player in enumerate(
            sorted(table, key=self.position.__getitem__), start=self.starts[number]
        ):
            first, last = self.places[player]
            total += min((seat - place) ** 2 for place in range(first, last + 1))
        return total

    def shares(self, table: Table) -> int:
        """1 if two of these players share a label."""
        none: frozenset[str] = frozenset()
        pairs = combinations(table, 2)
        return int(any(self.labels.get(a, none) & self.labels.get(b, none) for a, b in pairs))

    def table_cost(self, number: int, table: Table) -> Cost:
        return (*self.repeats(table), self.displacement(number, table), self.shares(table))

    def cost(self, seating: Sequence[Table]) -> Cost:
        """What a seating costs, tables given from the top."""
        assert tuple(map(len, seating)) == self.sizes, f"{list(map(len, seating))} are not {self.sizes}"
        assert frozenset().union(*seating) == set(self.order), "not everybody is seated"
        return _sum(self.table_cost(number, table) for number, table in enumerate(seating))

    @property
    def nothing(self) -> Cost:
        return (0,) * (len(self.met) + 2)


def _sum(costs: Iterator[Cost]) -> Cost:
    return tuple(map(sum, zip(*costs, strict=True)))


@dataclass(frozen=True)
class Verdict:
    """The least cost, and every seating that has it."""

    cost: Cost
    seatings: tuple[Seating, ...]

    @property
    def tables(self) -> frozenset[Tables]:
        """Every choice of who sits with whom that has a best order."""
        return frozenset(frozenset(seating) for seating in self.seatings)


def judged(field: Field) -> Verdict:
    """By looking at every seating; a beginning that costs more than a whole one already seen is given up."""
    best: list[tuple[Cost, Seating]] = []
    known: dict[tuple[int, Table], Cost] = {}

    def fill(number: int, left: tuple[str, ...], so_far: Cost, tables: Seating) -> None:
        if best and so_far > best[0][0]:
            return
        if number == len(field.sizes):
            if best and so_far < best[0][0]:
                best.clear()
            best.append((so_far, tables))
            return
        for seated in combinations(left, field.sizes[number]):
            table = frozenset(seated)
            if (number, table) not in known:
                known[number, table] = field.table_cost(number, table)
            cost = tuple(map(sum, zip(so_far, known[number, table], strict=True)))
            fill(number + 1, tuple(p for p in left if p not in table), cost, (*tables, table))

    fill(0, field.order, field.nothing, ())
    return Verdict(best[0][0], tuple(tables for _, tables in best))


def every_seating(field: Field) -> Iterator[Seating]:
    """All of them, best or not."""

    def fill(number: int, left: frozenset[str]) -> Iterator[Seating]:
        if number == len(field.sizes):
            yield ()
            return
        for seated in combinations(sorted(left), field.sizes[number]):
            for rest in fill(number + 1, left - set(seated)):
                yield (frozenset(seated), *rest)

    return fill(0, frozenset(field.order))


def number_of_seatings(sizes: Sequence[int]) -> int:
    """n! / (s1! s2! ...), one factor after the other."""
    found, seated = 1, 0
    for size in sizes:
        seated += size
        found *= prod(range(seated - size + 1, seated + 1)) // prod(range(1, size + 1))
    return found


def sizes_for(preferred: int, players: int) -> tuple[int, ...] | None:
    """As few tables of the other size as possible, at the bottom (AL-3, AL-A4); None if there is no way."""
    other = 7 - preferred
    for others in range(players + 1):
        rest = players - other * others
        if rest >= 0 and rest % preferred == 0:
            return (preferred,) * (rest // preferred) + (other,) * others
    return None


def field_of(file: Mapping[str, Any]) -> Field:
    """The next round of an event file."""
    event = pairable(dict(file))
    here = set(active(dict(file)))
    ranks = {
        row["id"]: row["rank"] for row in build_rows(rank(event.history, event.book, "")) if row["id"] in here
    }
    order = tuple(sorted(here, key=lambda player_id: (ranks[player_id], player_id)))
    places = {}
    for player_id in order:
        shared = [at for at, other in enumerate(order) if ranks[other] == ranks[player_id]]
        places[player_id] = (shared[0], shared[-1])
    met = [
        frozenset(
            frozenset(pair)
            for table in played["tables"]
            for pair in combinations([player_id for player_id in table["players"] if player_id in here], 2)
        )
        for played in file["rounds"]
    ]
    sizes = sizes_for(PREFERRED[file["rules"]], len(here))
    assert sizes is not None
    labels = {player["id"]: frozenset(player.get("apart", ())) for player in file["players"]}
    return Field(order, places, tuple(reversed(met)), labels, sizes)


def seating_of(answer: Mapping[str, Any]) -> Seating:
    """The tables of an answer, from the top."""
    return tuple(frozenset(table["players"]) for table in answer["tables"])


def cost_in(answer: Mapping[str, Any]) -> Cost:
    """The cost of an answer as the judge writes it."""
    cost = answer["cost"]
    by_round: dict[str, int] = cost.get("rematches_by_round", {})
    newest_first = [by_round[key] for key in sorted(by_round, key=int, reverse=True)]
    assert cost["rematches"] == sum(newest_first)
    return (*newest_first, cost["displacement"], cost["apart"])
