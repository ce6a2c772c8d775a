"""Is a score group drawn uniformly by each of the ways to draw it: listed, by whole orders, by switchings?

A group is written in letters: its players are `0` to `9` and `a`, `b`, …; the guests at its tables are `U`
and `D` (somebody from the groups above and below), `V` (a visitor who is known) and `Z` (the bye).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.pairing.certificate_checks import chi_square_tail, enumerate_uniform
from tests.pairing.pairing_oracle import Pairing, Table, pairings
from tests.tiers import SOAK
from topcut.lots import Stream
from topcut.pairing.engine.field import Bools, Field, Ints
from topcut.pairing.engine.sampling import GroupDraw, GroupStuck, GroupTables, ScoreGroup, SwitchingDraw

pytestmark = pytest.mark.large  # thousands of draws, for statistics

DRAWS = 30_000 if SOAK else 3000
LETTERS = "0123456789abcdefghijklmnop"
ABOVE = 3
"""Players with more points; the visitor is one of them, and three others have fewer points."""
VISITOR = 1


@dataclass(frozen=True)
class Case:
    """A score group, who met whom in earlier rounds, and who may have the bye."""

    players: str
    guests: str
    rounds: tuple[str, ...]
    entitled: str

    @property
    def seats(self) -> str:
        return self.players + self.guests

    @cached_property
    def met(self) -> frozenset[Table]:
        return frozenset(frozenset(table) for text in self.rounds for table in text.split())

    def allows(self, table: Table) -> bool:
        """Guests sit with players, nobody with whom they met, the bye with those who may have it."""
        if len(table) == 1 or table <= set(self.guests) or table in self.met:
            return False
        return "Z" not in table or not table.isdisjoint(self.entitled)

    @cached_property
    def expected(self) -> frozenset[Pairing]:
        return frozenset(pairings(self.seats, self.allows))

    # As the engine sees it

    @property
    def size(self) -> int:
        return ABOVE + len(self.players) + 3

    def position(self, letter: str) -> int:
        return VISITOR if letter == "V" else ABOVE + self.players.index(letter)

    @cached_property
    def field(self) -> Field:
        met = np.full((len(self.rounds), self.size), self.size, np.int32)
        for row, text in zip(met, self.rounds, strict=True):
            for a, b in (map(self.position, table) for table in text.split()):
                row[a], row[b] = b, a
        none = np.zeros(self.size, np.int64)
        points = np.array([2] * ABOVE + [1] * len(self.players) + [0] * 3, np.int64)
        return Field(players=np.arange(self.size), points=points, met=met, byes=none, division=none)

    @cached_property
    def group(self) -> ScoreGroup:
        visitors = (VISITOR,) if "V" in self.guests else ()
        up, down, bye = (letter in self.guests for letter in "UDZ")
        return ScoreGroup(ABOVE, ABOVE + len(self.players), up, down, visitors, bye)

    @cached_property
    def eligible(self) -> Bools:
        eligible = np.zeros(self.size, bool)
        eligible[[self.position(letter) for letter in self.entitled]] = True
        return eligible


def a_group(players: int, *rounds: str, guests: str = "", bye: str = "") -> Case:
    """`bye`: who may have it."""
    return Case(LETTERS[:players], guests + ("Z" if bye else ""), rounds, bye)


CASES = {
    "two rounds": a_group(12, "01 23 45 67 89 ab", "02 13 47"),
    "the bye for some": a_group(11, "92 35", bye="138a"),
    "a visitor": a_group(11, "V0 12 34 56 78 9a", guests="V"),
    "up and down": a_group(10, "01 23 45", guests="UD"),
    "up and the bye": a_group(10, "01 23 45 67", guests="U", bye="045679"),
}
"""Twelve seats each."""


@pytest.mark.parametrize("name", CASES)
def test_a_small_group_is_listed(name: str) -> None:
    case = CASES[name]
    source = GroupDraw(case.field, case.group, case.eligible)
    counts = Counter(read(case, source.draw(Stream(f"x/{i}", name))) for i in range(DRAWS))
    assert enumerate_uniform(counts, case.expected, DRAWS) > 0.001


def read(case: Case, seated: GroupTables) -> Pairing:
    """A draw in letters."""
    names = {case.position(letter): letter for letter in (*case.players, "V")}
    tables = [frozenset((names[a], names[b])) for a, b in seated.tables.tolist()]
    guests = {"U": seated.up, "D": seated.down, "Z": seated.bye}
    assert all((seat >= 0) == (guest in case.guests) for guest, seat in guests.items())
    return frozenset([*tables, *(frozenset((guest, names[at])) for guest, at in guests.items() if at >= 0)])


# By whole orders


def round_robin(players: str, rounds: int) -> tuple[str, ...]:
    """The first rounds of everybody against everybody."""
    found = []
    fixed, turning = players[0], players[1:]
    for _ in range(rounds):
        half = len(players) // 2
        order = fixed + turning
        found.append(" ".join(a + b for a, b in zip(order[:half], reversed(order[half:]), strict=True)))
        turning = turning[-1] + turning[:-1]
    return tuple(found)


MET_OFTEN = (
    "01 23 45 67 89",
    "02 13 46 57 8a V9",
    "05 14 27 38",
    "V1 03 26 49 7a",
    "06 17 28 35 4a",
    "V2 04 18 36 59",
    "V8 07 15 24 3a",
)
ORDERS = {
    "fourteen": a_group(14, *round_robin(LETTERS[:14], 9)),
    "guests": a_group(11, *MET_OFTEN, guests="UV", bye="036"),
    "hardly any": a_group(14, *round_robin(LETTERS[:14], 11)),
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_group_of_fourteen_is_drawn_by_whole_orders(name: str) -> None:
    """Where hardly any order is free of rematches, those that are left are counted and drawn."""
    case = ORDERS[name]
    draws = 10 * len(case.expected) + 500
    assert 1 < len(case.expected) < 2000
    source = GroupDraw(case.field, case.group, case.eligible)
    counts = Counter(read(case, source.draw(Stream(f"x/{i}", name))) for i in range(draws))
    assert enumerate_uniform(counts, case.expected, draws) > 0.001


def test_a_group_in_which_all_have_met_is_stuck() -> None:
    case = a_group(14, *round_robin(LETTERS[:14], 13))
    with pytest.raises(GroupStuck):
        GroupDraw(case.field, case.group, case.eligible).draw(Stream("", ""))


# By switchings


class FromBad(SwitchingDraw):
    """Only draws that begin with a bad table say anything about switchings: all of them do here."""

    def __init__(self, case: Case, seed: str) -> None:
        super().__init__(case.field, case.group, case.eligible[ABOVE : ABOVE + len(case.players)])
        self.starts = starts(case)
        self.random = Random(seed)

    def _draw_seating(self, stream: Stream) -> Ints:
        return self.random.choice(self.starts).copy()


class Careless(FromBad):
    """Leaves out the weighing of the ways that lead to a result."""

    def _accept(self, *_: Any) -> bool:
        return True


@cache
def starts(case: Case) -> list[Ints]:
    """Every seating with a bad table: players' tables first, then the guests in order."""

    def sits(table: Table) -> bool:
        return case.allows(table) or (table in case.met and table <= set(case.players))

    number = {letter: at for at, letter in enumerate(case.seats)}
    found = []
    for pairing in pairings(case.seats, sits):
        if pairing & case.met:
            tables = sorted(sorted(number[seat] for seat in table) for table in pairing)
            tables.sort(key=lambda table: max(table[1] - len(case.players), -1))
            found.append(np.array(tables, np.int64).ravel())
    return found


def results(source: FromBad, case: Case, number: int) -> Iterator[Pairing]:
    stream = Stream("switchings", "")
    while number:
        tables = source.attempt(stream)
        if tables is not None:
            number -= 1
            yield frozenset(frozenset(case.seats[seat] for seat in table) for table in tables.tolist())


def ways(case: Case, result: Pairing) -> int:
    """How many switchings of one bad table a–b and two good ones c–d, e–f end here: b–c, d–e, f–a."""
    partner = {seat: other for table in result for seat in table for other in table - {seat}}
    inside = [sorted(table) for table in case.met if table <= set(case.players)]
    number = 0
    for a, b in (ends for one, other in inside for ends in ((one, other), (other, one))):
        f, c = partner[a], partner[b]
        if "Z" in (c, f):
            continue  # such a switching is never made
        others = [d for d in partner if d not in (a, b, c, f)]
        number += sum(
            case.allows(frozenset((c, d))) and case.allows(frozenset((partner[d], f))) for d in others
        )
    return number


@cache
def classes(case: Case) -> dict[Pairing, int]:
    """The results by the number of ways that lead to them, from seatings with one bad table."""
    return {result: ways(case, result) for result in case.expected}


def by_ways(case: Case, drawn: Counter[Pairing]) -> float:
    """The p-value of a test that sees just what careless switchings do: some results have more ways."""
    of = classes(case)
    expected: Counter[int] = Counter(of.values())
    found: Counter[int] = Counter()
    for result, count in drawn.items():
        found[of[result]] += count
    share = sum(found.values()) / len(of)
    statistic = sum((found[key] - share * size) ** 2 / (share * size) for key, size in expected.items())
    return chi_square_tail(statistic, len(expected) - 1)


@pytest.mark.parametrize("name", CASES)
def test_switchings_lead_to_every_result_equally_often(name: str) -> None:
    case = CASES[name]
    counts = Counter(results(FromBad(case, name), case, DRAWS))
    assert by_ways(case, counts) > 0.001
    assert enumerate_uniform(counts, case.expected, DRAWS) > 0.001


@pytest.mark.parametrize("name", ["the bye for some", "up and the bye"])
def test_switchings_that_are_always_accepted_are_found_out(name: str) -> None:
    case = CASES[name]
    draws = 4 * DRAWS
    assert by_ways(case, Counter(results(Careless(case, name), case, draws))) < 1e-6


def test_a_random_seating_to_begin_with_is_fair() -> None:
    """So few seats that no switching is ever accepted: what comes is what began without a bad table."""
    for case in (a_group(6, "01 23", guests="U", bye="025"), a_group(7, "V0 12 34", guests="V")):
        draw = SwitchingDraw(case.field, case.group, case.eligible[ABOVE : ABOVE + len(case.players)])
        stream = Stream("begin", "")
        found = [draw.attempt(stream) for _ in range(20 * DRAWS if SOAK else 9000)]
        counts = Counter(
            frozenset(frozenset(case.seats[seat] for seat in table) for table in tables.tolist())
            for tables in found
            if tables is not None
        )
        assert enumerate_uniform(counts, case.expected, sum(counts.values())) > 0.001


def test_large_groups_are_drawn_by_switchings_and_nobody_is_anybodys_favourite() -> None:
    """64 players who met one each; ten may have the bye: these are alike, and so are the others."""
    size = 64
    met = np.full((1, size + 3), size + 3, np.int32)
    met[0, :size] = np.arange(size) ^ 1
    none = np.zeros(size + 3, np.int64)
    points = np.array([1] * size + [0] * 3, np.int64)
    field = Field(players=np.arange(size + 3), points=points, met=met, byes=none, division=none)
    draw = GroupDraw(field, ScoreGroup(0, size, down=True, bye=True), np.arange(size + 3) < 10)
    first: Counter[int] = Counter()
    down: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    draws = 20_000 if SOAK else 2500
    for i in range(draws):
        seated = draw.draw(Stream(f"x/{i}", "large"))
        down[seated.down] += 1
        byes[seated.bye] += 1
        partner = {a: b for row in seated.tables.tolist() for a, b in (row, row[::-1])}
        assert not any(partner[a] == a ^ 1 for a in partner)
        assert sorted([*partner, seated.down, seated.bye]) == list(range(size))
        first[partner.get(20, -1)] += 1
    for counts, alike in ((byes, range(10)), (down, range(10, size)), (first, {*range(10, size)} - {20, 21})):
        found = {at: count for at, count in counts.items() if at in alike}
        assert enumerate_uniform(found, set(alike), sum(found.values())) > 0.001
    assert set(byes) == set(range(10))
