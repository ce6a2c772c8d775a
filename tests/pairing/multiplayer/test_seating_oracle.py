"""The judge and the exact search are right where people can follow them, and agree with each other."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.pairing.multiplayer.large_seating_oracle import Exact, as_price, proved_by
from tests.pairing.multiplayer.random_table_events import a_field, an_event
from tests.pairing.multiplayer.seating_oracle import (
    BOOKS,
    Field,
    Tables,
    every_seating,
    field_of,
    judged,
    number_of_seatings,
    sizes_for,
)


def tables(text: str) -> Tables:
    return frozenset(frozenset(table) for table in text.split())


LEVEL = Field(
    order=tuple("adbcef"),
    places={"a": (0, 1), "d": (0, 1), **dict.fromkeys("bcef", (2, 5))},
    met=(frozenset(frozenset(pair) for pair in ("ab", "ac", "bc", "de", "df", "ef")),),
    labels={},
    sizes=(3, 3),
)
"""`abc` and `def` have met; a and d share the first two places, the others the rest."""


def test_who_shares_places_shares_their_seats() -> None:
    """Two pairs must meet again; a and d at the first table move nobody, whoever sits with them."""
    found = judged(LEVEL)
    assert found.cost == (2, 0, 0)
    assert found.tables == {tables(text) for text in ("adb cef", "adc bef", "ade bcf", "adf bce")}


def test_distances_are_counted_from_the_nearest_of_the_places() -> None:
    """b has the second seat and should have the third; a has the fourth and should have the second."""
    assert LEVEL.cost([frozenset("dbf"), frozenset("ace")]) == (2, (2 - 1) ** 2 + (3 - 1) ** 2, 0)


def test_a_table_shares_a_label_once_however_many_share_it() -> None:
    family = {player_id: frozenset(["x"]) for player_id in "abe"}
    labelled = Field(LEVEL.order, LEVEL.places, LEVEL.met, family, LEVEL.sizes)
    assert [labelled.shares(frozenset(table)) for table in ("abe", "abc", "acd")] == [1, 1, 0]


def test_newer_rounds_weigh_more_than_any_number_of_older_ones() -> None:
    """All pairs met long ago but those of p0, and p0 met p1 and p2 just now."""
    order = tuple(f"p{i}" for i in range(6))
    old = frozenset(frozenset((a, b)) for a in order[1:] for b in order[1:] if a != b)
    new = frozenset([frozenset(order[:2]), frozenset((order[0], order[2]))])
    field = Field(order, {player_id: (i, i) for i, player_id in enumerate(order)}, (new, old), {}, (3, 3))
    found = judged(field)
    assert found.cost[:2] == (0, 4)
    assert all({"p0", "p1"} - table and {"p0", "p2"} - table for tables in found.tables for table in tables)


@pytest.mark.parametrize("rules", BOOKS)
def test_giving_up_beginnings_loses_nothing(rules: str) -> None:
    for number in range(12):
        random = Random(f"judge/{rules}/{number}")
        field = field_of(an_event(random, rules, random.choice([6, 7, 8, 9]), random.randint(1, 3)))
        everything = [*every_seating(field)]
        assert len(everything) == number_of_seatings(field.sizes)
        costs = Counter(field.cost(seating) for seating in everything)
        found = judged(field)
        assert (found.cost, len(found.seatings)) == (min(costs), costs[min(costs)])


@pytest.mark.parametrize("rules", BOOKS)
def test_the_exact_search_agrees_with_the_judge(rules: str) -> None:
    tried = Counter[bool]()
    for number in range(60):
        random = Random(f"exact/{rules}/{number}")
        field = a_field(random, rules, random.choice([7, 8, 9, 10, 11]))
        best = judged(field)
        fresh = not any(best.cost[:-2])
        tried[fresh] += 1
        assert Exact(field).possible() is fresh
        if fresh:
            limit = (best.cost[-2] + random.choice([0, 3, 10]), 9)
            assert Exact(field).least(limit) == (best.cost[-2:], len(best.seatings))
            assert Exact(field).least((best.cost[-2], best.cost[-1] - 1)) is None
            prices = {player_id: random.randint(-500, 500) for player_id in field.order}
            assert proved_by(field, prices) <= 64 * as_price(field, best.cost)
    assert min(tried[True], tried[False]) > 10


@pytest.mark.parametrize(
    ("preferred", "players", "sizes"),
    [
        (3, 11, (3, 4, 4)),
        (3, 12, (3, 3, 3, 3)),
        (3, 5, None),
        (4, 11, (4, 4, 3)),
        (4, 9, (3, 3, 3)),
        (4, 5, None),
    ],
)
def test_sizes_of_tables(preferred: int, players: int, sizes: tuple[int, ...] | None) -> None:
    assert sizes_for(preferred, players) == sizes
