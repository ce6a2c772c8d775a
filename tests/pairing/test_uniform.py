"""Are all optimal pairings equally likely? Counted against full lists, beside samplers that are not fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import pytest

from tests.pairing.certificate_checks import enumerate_uniform
from tests.pairing.pairing_oracle import (
    KEYS,
    Field,
    Pairing,
    Table,
    an_event,
    field_of,
    judged,
    pairings,
    table_cost,
)
from tests.pairing.random_swiss_events import as_engine, crowded, pairable
from tests.pairing.window_certificate_checks import fresh
from tests.tiers import SOAK
from topcut.lots import Stream
from topcut.pairing.engine.sampling import CountedMatchings
from topcut.pairing.engine.swiss import LargeFieldDraw, MatchedPairings, match_field

pytestmark = pytest.mark.large  # thousands of draws, for statistics

DRAWS = 100_000
CONTROL_DRAWS = 50_000

CASES = {
    "B": ("A#B C#D E#F G#H", "B#C D#E F#G H#A"),
    "C": ("J#I B#D C#A G#H", "J#D F#I", "E#F J#H I#D"),
    "D": ("A>F B>G C>H D>I E>J", "F#J A#D B#H G#E I#C", "C#A I#G F#E"),
}
"""An 8-cycle; an irregular history; two groups of five, so that one is paired down."""


@cache
def case(name: str) -> tuple[Field, frozenset[Pairing]]:
    """A round of ten players or fewer, and all its optimal pairings."""
    field = field_of(an_event("mtr", *CASES[name], options={"rounds": len(CASES[name]) + 1}))
    verdict = judged(field)
    assert verdict is not None
    return field, verdict.pairings


@pytest.mark.parametrize(("name", "number"), [("B", 31), ("C", 302), ("D", 62)])
def test_every_optimal_pairing_is_equally_likely(name: str, number: int) -> None:
    file = an_event("mtr", *CASES[name], options={"rounds": len(CASES[name]) + 1})
    _, optimal = case(name)
    assert len(optimal) == number
    event = pairable(file)
    ids = [player.id for player in event.history.players]
    drawn = Counter(event.draw_tables(f"x/{i}") for i in range(DRAWS))
    counts = Counter(
        {frozenset(frozenset(ids[p] for p in table) for table in tables): n for tables, n in drawn.items()}
    )
    assert enumerate_uniform(counts, optimal, DRAWS) > 0.001


# Two samplers that reach the minimum and are not fair


@dataclass(frozen=True)
class Plain:
    """A round of an even number of players in numbers, for samplers in a hurry."""

    ids: list[str]
    points: list[int]
    costs: list[list[int]]
    """The squared gap of each table, or more than any for a rematch."""
    least: int

    def total(self, tables: Iterable[tuple[int, int]]) -> int:
        return sum(self.costs[a][b] for a, b in tables)

    def pairing(self, tables: Iterable[tuple[int, int]]) -> Pairing:
        return frozenset(frozenset((self.ids[a], self.ids[b])) for a, b in tables)

    def shuffled(self, random: Random) -> list[int]:
        """The players from the top, in random order within equal points."""
        lots = [random.random() for _ in self.ids]
        return sorted(range(len(self.ids)), key=lambda player: (-self.points[player], lots[player]))


REMATCH = 10_000


def plain(field: Field, optimal: frozenset[Pairing]) -> Plain:
    ids = sorted(field.points, key=lambda player_id: (-field.points[player_id], player_id))
    costs = [[0] * len(ids) for _ in ids]
    for a, b in combinations(range(len(ids)), 2):
        table = frozenset((ids[a], ids[b]))
        gap = table_cost(field, table)["score_gap_squared"]
        costs[a][b] = costs[b][a] = gap if fresh(field, table) else REMATCH + gap
    least = sum(table_cost(field, table)["score_gap_squared"] for table in next(iter(optimal)))
    return Plain(ids, [field.points[player_id] for player_id in ids], costs, least)


def backtracked(field: Plain, random: Random) -> Pairing:
    """From the top down each takes somebody at random, those with the same points first, and lets go again
    where that leads to nothing optimal."""

    def seat(waiting: list[int], left: int) -> list[tuple[int, int]] | None:
        if not waiting:
            return []
        first, *others = waiting
        lots = {other: random.random() for other in others}
        for other in sorted(others, key=lambda other: (field.costs[first][other], lots[other])):
            if field.costs[first][other] > left:
                break
            rest = seat([seat for seat in others if seat != other], left - field.costs[first][other])
            if rest is not None:
                return [(first, other), *rest]
        return None

    found = seat(field.shuffled(random), field.least)
    assert found is not None
    return field.pairing(found)


def repaired(field: Plain, random: Random) -> Pairing:
    """Neighbours in a random order meet; then tables change partners, two by two, until all is well."""
    order = field.shuffled(random)
    tables = [(order[at], order[at + 1]) for at in range(0, len(order), 2)]
    while (now := field.total(tables)) > field.least:
        bad = [at for at, (a, b) in enumerate(tables) if field.costs[a][b] >= REMATCH]
        one = random.choice(bad or range(len(tables)))
        other = random.randrange(len(tables))
        if one != other:
            (a, b), (c, d) = tables[one], tables[other]
            changed = [*tables]
            changed[one], changed[other] = ((a, d), (c, b)) if random.random() < 0.5 else ((a, c), (b, d))
            if field.total(changed) <= now:
                tables = changed
    return field.pairing(tables)


@pytest.mark.parametrize("sampler", [backtracked, repaired])
@pytest.mark.parametrize("name", CASES)
def test_samplers_that_are_not_fair_are_found_out(
    sampler: Callable[[Plain, Random], Pairing], name: str
) -> None:
    field, optimal = case(name)
    quick, random = plain(field, optimal), Random(f"{sampler.__name__}/{name}")
    counts = Counter(sampler(quick, random) for _ in range(CONTROL_DRAWS))
    assert set(counts) <= optimal
    assert enumerate_uniform(counts, optimal, CONTROL_DRAWS) < 1e-6


# Larger fields: whatever calls itself exact


def all_optimal(field: Field) -> frozenset[Pairing]:
    """Every cheapest pairing without a rematch and a second bye, by looking at all."""
    found: dict[tuple[int, ...], list[Pairing]] = {}
    for pairing in pairings(field.points, lambda table: fresh(field, table)):
        costs = [table_cost(field, table) for table in pairing]
        found.setdefault(tuple(sum(cost[key] for cost in costs) for key in KEYS), []).append(pairing)
    return frozenset(found[min(found)])


def few_pairings(seed: str) -> Field | None:
    """Thirteen or fourteen players of whom so many have met that all pairings can be looked at."""
    field = crowded(Random(seed), Random(seed).choice([13, 14]))
    unmet = sum(table not in field.met for table in map(frozenset, combinations(field.points, 2)))
    return field if unmet <= 55 else None


@pytest.mark.parametrize("kind", ["parity", "windows", "matching"])
def test_a_draw_that_calls_itself_exact_is(kind: str) -> None:
    """Groups by parity, also where they are joined by tables across; windows; one matching of everybody."""
    tried = 0
    for number in range(2000):
        field = few_pairings(f"{kind}/{number}")
        source = None if field is None else exact_source(field, kind)
        if field is None or source is None:
            continue
        optimal = all_optimal(field)
        if not 2 <= len(optimal) <= 200:
            continue
        draws = (200 if SOAK else 30) * len(optimal) + 200
        counts = Counter(drawn(field, source, f"x/{i}") for i in range(draws))
        assert enumerate_uniform(counts, optimal, draws) > 0.001, (number, len(optimal))
        tried += 1
        if tried == 5:
            return
    raise AssertionError(f"only {tried} fields to try")


def exact_source(field: Field, kind: str) -> LargeFieldDraw | MatchedPairings | None:
    """What draws a field by this kind of proof, if it calls itself exact."""
    engine = as_engine(field)
    if kind == "matching":
        solved = match_field(engine)
        assert isinstance(solved, MatchedPairings)
        needed = solved.cost["rematches"] or solved.cost["second_byes"]
        return None if needed or solved.uniform != "exact" else solved
    large = LargeFieldDraw(engine)
    first = large.draw(Stream("", ""))
    found = first and (first.certificate["kind"], first.uniform)
    return large if found == (kind, "exact") else None


def drawn(field: Field, source: LargeFieldDraw | MatchedPairings, seed: str) -> Pairing:
    found = source.draw(Stream(seed, "round"))
    assert found is not None
    tables = found if isinstance(found, np.ndarray) else found.tables
    order = sorted(field.points, key=lambda player_id: (-field.points[player_id], player_id))
    return frozenset(frozenset(order[seat] for seat in row if seat < len(order)) for row in tables.tolist())


# Counting


def sparse(random: Random, seats: int) -> dict[int, dict[int, int]]:
    """A graph with a few costs in which something can be matched."""
    costs: dict[int, dict[int, int]] = {seat: {} for seat in range(seats)}
    for a, b in combinations(range(seats), 2):
        if random.random() < 0.6:
            costs[a][b] = costs[b][a] = random.choice([0, 0, 0, 1])
    return costs


def cheapest_matchings(costs: dict[int, dict[int, int]]) -> tuple[int, frozenset[Pairing]] | None:
    """By looking at all; seats are named by their numbers."""
    numbers = {str(seat): seat for seat in costs}
    found: dict[int, set[Pairing]] = {}
    for pairing in pairings(numbers, lambda table: len(table) == 2 and linked(costs, numbers, table)):
        pairs = [sorted(numbers[seat] for seat in table) for table in pairing]
        found.setdefault(sum(costs[a][b] for a, b in pairs), set()).add(pairing)
    return (min(found), frozenset(found[min(found)])) if found else None


def linked(costs: dict[int, dict[int, int]], numbers: dict[str, int], table: Table) -> bool:
    a, b = (numbers[seat] for seat in table)
    return b in costs[a]


def test_counting_finds_how_many_there_are_and_draws_each_equally_often() -> None:
    tried = 0
    for number in range(400 if SOAK else 40):
        costs = sparse(Random(f"counted/{number}"), 4 + 2 * (number % 4))
        expected = cheapest_matchings(costs)
        counted = CountedMatchings(costs)
        if expected is None:
            assert counted.ways == 0
            continue
        assert (counted.cost, counted.ways) == (expected[0], len(expected[1]))
        draws = 40 * counted.ways
        counts = Counter(
            frozenset(frozenset(map(str, table)) for table in counted.draw(Stream(f"{number}/{i}", "")))
            for i in range(draws)
        )
        assert enumerate_uniform(counts, expected[1], draws) > 0.0005
        tried += counted.ways > 3
    assert tried > 5


def test_a_family_and_earlier_byes_leave_the_lots_fair() -> None:
    """Nobody has points; D and E have had the bye, and A and F are of one family."""
    file = an_event(
        "mtr", "A#B C#G F", "A#C B#G F", "D- E-", apart={"A": ["x"], "F": ["x"]}, options={"rounds": 4}
    )
    verdict = judged(field_of(file))
    assert verdict is not None
    event = pairable(file)
    ids = [player.id for player in event.history.players]
    counts = Counter(
        frozenset(frozenset(ids[p] for p in table) for table in event.draw_tables(f"x/{i}"))
        for i in range(3000)
    )
    assert len(verdict.pairings) > 5
    assert enumerate_uniform(counts, verdict.pairings, 3000) > 0.001
