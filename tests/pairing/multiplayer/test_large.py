"""Seventeen players and more: what is called optimal is, and nobody meets again who need not.

Where it can be done in time, an exact search in another way says what the best costs. Everywhere a bound is
no more than the cost, and no exchange of a few players makes a seating better that is called optimal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

import pytest

from tests.pairing.multiplayer.large_seating_oracle import Exact, TooMuch
from tests.pairing.multiplayer.random_table_events import an_event, before, unfolding
from tests.pairing.multiplayer.seating_oracle import BOOKS, Field, Seating, cost_in, field_of, seating_of
from tests.pairing.random_swiss_events import Answer, File, answered
from tests.tiers import SOAK, effort

pytestmark = pytest.mark.large  # many players, for long

PATIENCE = 20_000 if SOAK else 2_500
"""Sets of players that the exact search keeps at most."""


def events(rules: str) -> Iterator[tuple[File, Answer]]:
    """Rounds of events from 17 to 60 players, half of them with clubs; first rounds have nothing to show."""
    for size in range(17, 61) if SOAK else (17, 18, 20, 23, 27, 31, 60):
        file = before(rules, size, apart=lambda i: [f"club {i % 6}"]) if size % 2 else before(rules, size)
        rounds = unfolding(Random(f"large/{rules}/{size}"), file, 4)
        next(rounds)
        yield from rounds


def bound_in(answer: Answer) -> tuple[int, int, int]:
    bound = answer["certificate"]["bound"]
    return bound["rematches"], bound["displacement"], bound["apart"]


@pytest.mark.parametrize("rules", BOOKS)
def test_what_is_said_is_so(rules: str) -> None:
    """Costs are right; bounds hold; the exact search finds nothing better than what is called optimal."""
    seen: Counter[str] = Counter()
    for file, answer in events(rules):
        field = field_of(file)
        seating, cost = seating_of(answer), cost_in(answer)
        assert field.cost(seating) == cost
        shown = (sum(cost[:-2]), *cost[-2:])
        bound = bound_in(answer)
        assert bound <= shown
        assert answer["optimal"] is (bound == shown)
        if answer["optimal"] and any(cost):
            assert better_by_an_exchange(field, seating) is None
        if any(cost[:-2]) or not any(cost):
            continue
        try:
            least = Exact(field, PATIENCE).least((cost[-2], cost[-1]))
        except TooMuch:
            seen["not looked at"] += 1
            continue
        assert least is not None
        assert (0, *least[0]) >= bound
        if answer["optimal"]:
            assert least[0] == cost[-2:]
            seen["proved, and so it is"] += 1
        else:
            seen["not proved"] += 1
    assert seen["proved, and so it is"] >= 8, seen


def better_by_an_exchange(field: Field, seating: Seating) -> Seating | None:
    """A cheaper seating in which two players change places, or three in a circle, who sit close by."""
    costs = [field.table_cost(number, table) for number, table in enumerate(seating)]
    at = {player: number for number, table in enumerate(seating) for player in table}
    near = [*zip(field.order, field.order[1:], strict=False)]
    near += [*zip(field.order, field.order[2:], strict=False)]
    circles = [*combinations(field.order, 2)] if len(field.order) <= 36 else near
    circles = [pair for pair in circles if at[pair[0]] != at[pair[1]]]
    three = zip(field.order, field.order[1:], field.order[2:], strict=False)
    for circle in [*circles, *(order for group in three for order in permutations(group))]:
        numbers = [at[player] for player in circle]
        if len(set(numbers)) < len(circle):
            continue
        changed = [*seating]
        for player, number in zip(circle, [*numbers[1:], numbers[0]], strict=True):
            changed[at[player]] -= {player}
            changed[number] |= {player}
        before = tuple(map(sum, zip(*(costs[number] for number in numbers), strict=True)))
        after = [field.table_cost(number, changed[number]) for number in numbers]
        if tuple(map(sum, zip(*after, strict=True))) < before:
            return tuple(changed)
    return None


def test_an_exchange_finds_what_is_worse_than_it_need_be() -> None:
    """Two neighbours in the standings change places, which costs 2 at least."""
    *_, (file, answer) = unfolding(Random("worse"), before("allegiance-2005", 24), 3)
    field, seating = field_of(file), [*seating_of(answer)]
    assert answer["optimal"]
    (a, *_), (b, *_) = (sorted(seating[number], key=field.position.__getitem__) for number in (0, 7))
    seating[0], seating[7] = seating[0] - {a} | {b}, seating[7] - {b} | {a}
    assert better_by_an_exchange(field, tuple(seating)) is not None


# Nobody meets again who need not (AL-14, AL-15)


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("size", [30, 31, 32, 45, 60, 100])
def test_nobody_meets_twice_in_five_rounds(rules: str, size: int) -> None:
    for _, answer in unfolding(Random(f"five/{size}"), before(rules, size), 5):
        assert answer["cost"]["rematches"] == 0
        assert not any("again" in warning for warning in answer["warnings"])


@pytest.mark.parametrize("size", range(17, 29) if SOAK else [20, 24])
@pytest.mark.parametrize("rules", BOOKS)
def test_pairs_repeat_only_where_they_must(rules: str, size: int) -> None:
    """Six rounds leave few seatings in which nobody meets again. Where a pair of some round repeats, there is
    none in which nobody meets again from that round or a newer one."""
    for number in range(20 if SOAK else 2):
        for file, answer in unfolding(Random(f"must/{size}/{number}"), before(rules, size), 6):
            repeats = cost_in(answer)[:-2]
            newest = next((back for back, pairs in enumerate(repeats) if pairs), None)
            if newest is not None:
                possible = Exact(field_of(file), newest=newest + 1).possible()
                assert not possible, f"round {len(file['rounds']) + 1}: {repeats}"


# Everything there is gets an answer


@pytest.mark.parametrize("rules", BOOKS)
def test_rounds_of_every_kind_are_seated(rules: str) -> None:
    """Rounds that nobody seated by any rule, with drops, late players, clubs and many shared places."""
    for number in range(effort(4, 20, 300)):
        random = Random(f"kind/{rules}/{number}")
        file = an_event(random, rules, random.randint(17, 50), random.randint(2, 4))
        field, answer = field_of(file), answered(file, f"{number}")
        assert field.cost(seating_of(answer)) == cost_in(answer)
        assert bound_in(answer) <= (answer["cost"]["rematches"], *cost_in(answer)[-2:])
