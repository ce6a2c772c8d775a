"""The way that many players are seated, on fields so small that every seating can be looked at.

What it says is held against the judge: what a seating costs, what none costs less than, and what is best.
With players and tables far fewer than it is made for, its short sight is made shorter too, so that it has to
reckon with tables that it does not look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np
import pytest

from tests.pairing.multiplayer.large_seating_oracle import as_price, proved_by
from tests.pairing.multiplayer.random_table_events import a_field, as_engine
from tests.pairing.multiplayer.seating_oracle import BOOKS, Cost, Field, Verdict, judged, sizes_for
from tests.tiers import SOAK
from topcut.lots import Stream
from topcut.pairing.multiplayer import lower_bound, seating_draw
from topcut.pairing.multiplayer.lower_bound import PriceBound
from topcut.pairing.multiplayer.seating_draw import (
    Seating,
    bound_repeats,
    draw_large_seating,
    search_best_seatings,
)
from topcut.pairing.multiplayer.seating_field import SeatingCost

pytestmark = pytest.mark.large  # many fields, each compared with every seating

FIELDS = 2000 if SOAK else 150
SIGHTS = [None, (1, 2, 3), (0, 1)]
"""How many seats away players are looked at: as far as ever, or hardly."""

Judged = tuple[Random, Field, Verdict]


@cache
def judged_fields(rules: str) -> list[tuple[Field, Verdict]]:
    """Fields of seven players and more, with what the judge says."""
    found = []
    for number in range(FIELDS):
        random = Random(f"many/{rules}/{number}")
        field = a_field(random, rules, random.choice([7, 8, 9, 9, 10, 10, 11]))
        found.append((field, judged(field)))
    return found


def fields(rules: str, name: str) -> Iterator[Judged]:
    for number, (field, best) in enumerate(judged_fields(rules)):
        yield Random(f"{name}/{number}"), field, best


def fresh(rules: str, name: str) -> Iterator[Judged]:
    """Those in which nobody need meet again."""
    return (found for found in fields(rules, name) if not any(found[2].cost[:-2]))


def as_judged(field: Field, cost: SeatingCost) -> Cost:
    """The engine knows no rounds in which nobody met who is still here, if they are the oldest."""
    older = (0,) * (len(field.met) - len(cost.repeats))
    return (*cost.repeats, *older, cost.displacement, cost.apart)


def see(sight: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if sight is not None:
        monkeypatch.setattr(lower_bound, "REACHES", sight)


def seated(random: Random, field: Field) -> Seating:
    return draw_large_seating(as_engine(field), Stream(f"{random.random()}", "many"))


def kind_of(found: Seating) -> str:
    return f"{found.certificate['kind']}{', compared' * ('compared' in found.certificate)}"


def assert_true(field: Field, found: Seating, best: Verdict) -> None:
    """The cost is right, the bound is no higher than the least cost, and what is called optimal is."""
    cost, bound = as_judged(field, found.cost), as_judged(field, found.bound)
    assert field.cost([frozenset(field.order[p] for p in table) for table in found.tables]) == cost
    assert best.cost <= cost
    assert bound <= best.cost
    if found.optimal:
        assert cost == best.cost


@pytest.mark.parametrize("rules", BOOKS)
def test_it_never_says_what_is_not_so(rules: str) -> None:
    seen: Counter[str] = Counter()
    for random, field, best in fields(rules, "so"):
        found = seated(random, field)
        assert_true(field, found, best)
        seen[kind_of(found)] += 1
        seen["labels"] += any(field.labels.values()) and found.optimal
        seen["places shared"] += any(a < b for a, b in field.places.values()) and found.optimal
        seen["four at a table"] += 4 in field.sizes and found.optimal
    assert min(seen[kind] for kind in ("zero", "prices, compared", "degrees")) > 10, seen
    assert min(seen.values()) > 10, seen


@pytest.mark.parametrize("sight", SIGHTS[1:])
@pytest.mark.parametrize("rules", BOOKS)
def test_nor_if_it_hardly_sees_the_next_table(
    rules: str, sight: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    see(sight, monkeypatch)
    seen: Counter[str] = Counter()
    for random, field, best in fresh(rules, f"seen/{sight}"):
        found = seated(random, field)
        assert_true(field, found, best)
        seen[kind_of(found)] += 1
    assert seen["prices, compared"] > 5, seen
    assert seen["prices"] > 2, seen


@pytest.mark.parametrize("proofs", [True, False])
@pytest.mark.parametrize("rules", BOOKS)
def test_nor_if_its_first_seating_is_bad(rules: str, proofs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With windows of a single table only the search at random makes it better; then it is the best there is.

    Also if nothing is ever proved, so that it goes on searching.
    """
    monkeypatch.setattr(seating_draw, "WINDOW", 3)
    if not proofs:
        monkeypatch.setattr(lower_bound, "CANDIDATES", 0)
        monkeypatch.setattr(lower_bound, "LOOKED_AT", 0)
    for random, field, best in fields(rules, f"windows/{proofs}"):
        found = seated(random, field)
        assert_true(field, found, best)
        assert as_judged(field, found.cost) == best.cost


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("rules", BOOKS)
def test_a_bound_holds_whatever_seating_is_known(
    rules: str, sight: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if that is far from the best, and whichever players get prices."""
    see(sight, monkeypatch)
    tried, above = 0, 0
    for random, field, best in fresh(rules, f"bound/{sight}"):
        least = as_price(field, best.cost)
        known = least + random.choice([0, 1, 2, 5, 10])
        around = sorted(random.sample(range(len(field.sizes)), random.randint(1, len(field.sizes))))
        found = PriceBound(as_engine(field), known, around)
        assert found.bound <= least, (field, known, around)
        while found.possible:
            found.improve_prices()
            assert found.bound <= least, (field, known, around)
            if search_best_seatings(found) is not None or not found.widen_reach():
                break
        assert found.bound <= least, (field, known, around)
        tried += 1
        above += found.bound > 0
    assert tried > 30
    assert above > 10


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("rules", BOOKS)
def test_prices_prove_what_is_said_of_them(
    rules: str, sight: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Added up over all tables there are, near and far, they come to at least the value that is claimed."""
    see(sight, monkeypatch)
    tried = 0
    for _, field, best in fresh(rules, f"prices/{sight}"):
        least = as_price(field, best.cost)
        found = PriceBound(as_engine(field), least, [*range(len(field.sizes))])
        if not found.possible or not least:
            continue
        found.improve_prices()
        named = {field.order[p]: int(found.prices[p]) for p in np.flatnonzero(found.prices[:-1]).tolist()}
        proved = proved_by(field, named)
        assert found.value <= proved <= 64 * least
        tried += found.value > 0
    assert tried > 10


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("rules", BOOKS)
def test_any_prices_prove_at_least_what_is_said_of_them(
    rules: str, sight: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also prices that make somebody from the other end of the room the cheapest at a table."""
    see(sight, monkeypatch)
    tried = 0
    for random, field, best in fresh(rules, f"any/{sight}"):
        around = sorted(random.sample(range(len(field.sizes)), random.randint(1, len(field.sizes))))
        found = PriceBound(as_engine(field), as_price(field, best.cost), around)
        if found.possible:
            for most in (100, 5_000):
                some = [random.randint(-most, most) for _ in found.priced]
                found.prices[found.priced] = some
                named = dict(zip((field.order[p] for p in found.priced.tolist()), some, strict=True))
                assert found._evaluate()[0] <= proved_by(field, named)
            tried += 1
    assert tried > 20


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("rules", BOOKS)
def test_comparing_finds_all_of_the_best_seatings(
    rules: str, sight: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    see(sight, monkeypatch)
    tried = 0
    for random, field, best in fresh(rules, f"compare/{sight}"):
        known = as_price(field, best.cost) + random.choice([0, 0, 2, 6])
        around = sorted(random.sample(range(len(field.sizes)), random.randint(1, len(field.sizes))))
        found = PriceBound(as_engine(field), known, around)
        compared = None
        while found.possible:
            found.improve_prices()
            compared = search_best_seatings(found)
            if compared is not None or not found.widen_reach():
                break
        if compared is not None:
            assert compared.count == len(best.seatings)
            tables, _ = compared.draw(Stream(f"{random.random()}", ""))
            assert frozenset(frozenset(field.order[p] for p in table) for table in tables) in best.tables
            tried += 1
    assert tried > 20


@pytest.mark.parametrize("work", [0, 300])
@pytest.mark.parametrize("rules", BOOKS)
def test_a_bound_holds_where_comparing_was_given_up(
    rules: str, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating_draw, "WORK", work)
    seen: Counter[str] = Counter()
    for random, field, best in fresh(rules, f"work/{work}"):
        found = seated(random, field)
        assert_true(field, found, best)
        seen[kind_of(found)] += 1
    assert seen["prices"] > 2, seen


@pytest.mark.parametrize("rules", BOOKS)
def test_repeated_pairs_that_are_called_unavoidable_are(rules: str) -> None:
    tried = 0
    for _, field, best in fields(rules, "degrees"):
        bound = as_judged(field, SeatingCost(bound_repeats(as_engine(field)), 0, 0))
        assert bound <= best.cost
        tried += any(bound)
    assert tried > 3


@pytest.mark.parametrize("size", [6, 7, 9, 10])
def test_three_who_have_met_everybody_meet_each_other_again(size: int) -> None:
    """And nobody else needs to, so that three is all that can be said; it counts where they met."""
    order = tuple(f"p{number}" for number in range(size))
    met = frozenset(frozenset((a, b)) for a in order[:3] for b in order if a != b)
    sizes = sizes_for(3, size)
    assert sizes is not None
    places = {player_id: (place, place) for place, player_id in enumerate(order)}
    nobody: frozenset[frozenset[str]] = frozenset()
    for ages in ((met,), (nobody, met), (met, nobody)):
        field = Field(order, places, ages, {}, sizes)
        expected = tuple(3 * bool(age) for age in ages)
        assert judged(field).cost[:-2] == expected
        assert as_judged(field, SeatingCost(bound_repeats(as_engine(field)), 0, 0))[:-2] == expected
