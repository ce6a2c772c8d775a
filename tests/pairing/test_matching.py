"""Is the cheapest matching the cheapest, and does its proof hold for someone who knows no blossoms?"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from topcut.pairing.engine.matching import (
    NEVER,
    ROOM,
    Costs,
    Edge,
    Matching,
    Unmatchable,
    find_tight_edges,
    match_cheapest,
)

SMALL = 5000


def table(rows: list[list[Any]], kind: type = np.int64) -> Costs:
    size = len(rows)
    return np.array(rows, kind).reshape(size, size)


def graph(random: Random, size: int, highest: int, forbidden: float) -> list[list[int]]:
    """Random costs; what stands on the diagonal does not matter."""
    rows = [[random.choice([NEVER, 0, 7]) if u == v else 0 for v in range(size)] for u in range(size)]
    for u, v in combinations(range(size), 2):
        cost = NEVER if random.random() < forbidden else random.randint(0, highest)
        rows[u][v] = rows[v][u] = cost
    return rows


def score_groups(random: Random, size: int, rounds: int, win: int) -> list[list[int]]:
    """Players who never meet twice and should have the same points, after rounds paired at random."""
    points = [0] * size
    met = set()
    for _ in range(rounds):
        order = sorted(range(size), key=lambda player: (points[player] // win // 2, random.random()))
        for a, b in zip(order[::2], order[1::2], strict=True):
            met |= {(a, b), (b, a)}
            points[random.choice([a, b])] += win
    players = range(size)
    return [[NEVER if (a, b) in met else (points[a] - points[b]) ** 2 for b in players] for a in players]


def small_graphs() -> Iterator[list[list[int]]]:
    random = Random(20240611)
    for _ in range(SMALL):
        size = random.choice([2, 3, 4, 5, 6, 6, 7, 8, 8, 8, 9, 10])
        highest = random.choice([0, 2, 5, 5, 40, 10**6, 2**100])
        yield graph(random, size, highest, random.choice([0, 0.2, 0.4, 0.6, 0.8]))


def perfect_matchings(rows: list[list[int]], free: tuple[int, ...]) -> Iterator[list[Edge]]:
    if not free:
        yield []
        return
    first, *others = free
    for other in others:
        if rows[first][other] != NEVER:
            rest = tuple(v for v in others if v != other)
            yield from ([(first, other), *more] for more in perfect_matchings(rows, rest))


def all_cheapest(rows: list[list[int]]) -> tuple[int, set[Edge]] | None:
    """The least cost and the edges of all matchings that have it, by looking at every matching."""
    found: dict[int, set[Edge]] = {}
    for edges in perfect_matchings(rows, tuple(range(len(rows)))):
        found.setdefault(sum(rows[u][v] for u, v in edges), set()).update(edges)
    return min(found.items()) if found else None


def required(found: Matching, u: int, v: int) -> int:
    """What the proof says that an edge costs at least, in halves."""
    leaving = [
        odd_set.weight for odd_set in found.odd_sets if (u in odd_set.members) != (v in odd_set.members)
    ]
    return found.potentials[u] + found.potentials[v] + sum(leaving)


def assert_proven(rows: list[list[int]], found: Matching) -> None:
    size = len(rows)
    assert len(found.mate) == len(found.potentials) == size
    assert all(found.mate[v] == u != v and rows[u][v] != NEVER for u, v in enumerate(found.mate))
    assert found.cost == sum(rows[u][v] for u, v in enumerate(found.mate) if u < v)
    numbers = [found.cost, *found.mate, *found.potentials, *(odd_set.weight for odd_set in found.odd_sets)]
    assert {type(number) for number in numbers} == {int}

    for odd_set in found.odd_sets:
        members = odd_set.members
        assert odd_set.weight > 0
        assert len(members) >= 3
        assert len(members) % 2
        assert list(members) == sorted(set(members) & set(range(size)))
    for one, other in combinations([set(odd_set.members) for odd_set in found.odd_sets], 2):
        assert one < other or other < one or not one & other

    edges = [(u, v) for u, v in combinations(range(size), 2) if rows[u][v] != NEVER]
    assert all(required(found, u, v) <= 2 * rows[u][v] for u, v in edges)
    bound = sum(found.potentials) + sum(odd_set.weight for odd_set in found.odd_sets)
    assert bound == 2 * found.cost
    assert find_tight_edges(table(rows, object), found) == [
        (u, v) for u, v in edges if required(found, u, v) == 2 * rows[u][v]
    ]


def assert_impossible(rows: list[list[int]], found: Unmatchable) -> None:
    removed = set(found.removed)
    assert len(removed) == len(found.removed) < len(found.components)
    left = set(range(len(rows))) - removed
    components = set()
    while left:
        component, edge = set(), {min(left)}
        while edge:
            component |= edge
            left -= edge
            edge = {v for u in edge for v in left if rows[u][v] != NEVER}
        components.add(tuple(sorted(component)))
    assert set(found.components) <= components
    assert len(set(found.components)) == len(found.components)
    assert all(len(component) % 2 for component in found.components)


@pytest.mark.large
def test_every_small_graph_is_solved_as_by_looking_at_every_matching() -> None:
    seen: Counter[str] = Counter()
    for rows in small_graphs():
        expected = all_cheapest(rows)
        found = match_cheapest(table(rows, object))
        if expected is None:
            assert isinstance(found, Unmatchable)
            assert_impossible(rows, found)
            seen["unmatchable, odd" if len(rows) % 2 else "unmatchable, even"] += 1
            seen["unmatchable through others"] += bool(found.removed)
            seen["large components"] += any(len(component) > 1 for component in found.components)
        else:
            assert isinstance(found, Matching)
            assert_proven(rows, found)
            cost, edges = expected
            assert found.cost == cost
            assert edges <= set(find_tight_edges(table(rows, object), found))
            sets = [set(odd_set.members) for odd_set in found.odd_sets]
            seen["odd sets"] += bool(sets)
            seen["nested odd sets"] += any(one < other for one in sets for other in sets)
            seen["uneven potentials"] += any(potential % 2 for potential in found.potentials)
    rare = {what: count for what, count in seen.items() if count < 10}
    assert len(seen) == 7
    assert not rare


@pytest.mark.parametrize("seed", range(60))
def test_score_groups(seed: int) -> None:
    random = Random(seed)
    size = random.randrange(30, 62, 2)
    rows = score_groups(random, size, random.randrange(2, 16), random.choice([1, 2, 3]))
    found = match_cheapest(table(rows))
    assert isinstance(found, Matching)
    assert_proven(rows, found)


@pytest.mark.parametrize("seed", range(150))
def test_larger_graphs(seed: int) -> None:
    random = Random(seed)
    size = random.randrange(11, 51)
    rows = graph(
        random, size, random.choice([1, 3, 30, 1000, 2**70]), random.choice([0.2, 0.6, 0.8, 0.9, 0.94])
    )
    found = match_cheapest(table(rows, object))
    if isinstance(found, Matching):
        assert_proven(rows, found)
    else:
        assert_impossible(rows, found)


@pytest.mark.parametrize("seed", range(60))
def test_clusters_of_odd_size(seed: int) -> None:
    """Cheap within a cluster and dear outside, at several levels: blossoms in blossoms."""
    random = Random(seed)
    size = random.randrange(12, 46, 2)
    rows = graph(random, size, 6, random.choice([0, 0.3, 0.6]))
    for width, toll in [(3, 10), (9, 100), (15, 1000)]:
        for u, v in combinations(range(size), 2):
            if u // width != v // width and rows[u][v] != NEVER:
                rows[u][v] += toll
                rows[v][u] += toll
    found = match_cheapest(table(rows))
    if isinstance(found, Matching):
        assert_proven(rows, found)
    else:
        assert_impossible(rows, found)


@pytest.mark.parametrize("seed", range(80))
def test_the_scale_of_the_costs_changes_nothing_but_the_scale(seed: int) -> None:
    """The same in machine words, up to their limit, and in Python's whole numbers."""
    random = Random(seed)
    size = random.randrange(4, 25)
    highest = random.choice([3, 2**59 // (ROOM * (size + 1)) - 2])
    rows = graph(random, size, 3, random.choice([0, 0.3, 0.7]))
    if highest != 3:
        steps = [0, 1, highest // 3, highest // 2, highest - 1, highest]
        rows = [[cost if cost == NEVER else steps[(5 * cost + u * v) % 6] for v, cost in enumerate(row)]
                for u, row in enumerate(rows)]  # fmt: skip
    scale = 3**50
    found = match_cheapest(table(rows))
    vast = match_cheapest(
        table([[cost if cost == NEVER else cost * scale for cost in row] for row in rows], object)
    )
    if isinstance(found, Unmatchable):
        assert_impossible(rows, found)
        assert found == vast
    else:
        assert_proven(rows, found)
        assert isinstance(vast, Matching)
        assert vast.mate == found.mate
        assert vast.cost == found.cost * scale
        assert vast.potentials == tuple(potential * scale for potential in found.potentials)
        assert [odd_set.weight for odd_set in vast.odd_sets] == [
            odd_set.weight * scale for odd_set in found.odd_sets
        ]


def test_costs_too_large_for_sums_in_machine_words() -> None:
    high = 2**63 - 1
    rows = [
        [0, high, high - 1, high],
        [high, 0, high, high],
        [high - 1, high, 0, high],
        [high, high, high, 0],
    ]
    found = match_cheapest(table(rows))
    assert isinstance(found, Matching)
    assert_proven(rows, found)
    assert found.mate == (2, 3, 0, 1)
    assert find_tight_edges(table(rows), found) == find_tight_edges(table(rows, object), found)


def test_the_same_costs_give_the_same_matching_and_are_left_as_they_were() -> None:
    costs = table(graph(Random(5), 30, 4, 0.5))
    before = costs.copy()
    assert match_cheapest(costs) == match_cheapest(costs)
    assert (costs == before).all()


def test_nobody_is_matched_with_nobody() -> None:
    found = match_cheapest(np.zeros((0, 0), np.int64))
    assert found == Matching((), 0, (), ())
    assert find_tight_edges(np.zeros((0, 0), np.int64), found) == []


def test_one_alone_has_no_mate() -> None:
    assert match_cheapest(table([[0]])) == Unmatchable((), ((0,),))


def test_two_who_can_only_be_matched_with_the_same_one() -> None:
    rows = [[0, NEVER, 1, NEVER], [NEVER, 0, 1, NEVER], [1, 1, 0, 1], [NEVER, NEVER, 1, 0]]
    assert match_cheapest(table(rows)) == Unmatchable((2,), ((0,), (1,)))


def test_two_trios_with_one_dear_bridge_each_way() -> None:
    """Both trios have to let one go: the proof is that at least one edge leaves each."""
    rows = [[0 if u // 3 == v // 3 else 10 for v in range(6)] for u in range(6)]
    found = match_cheapest(table(rows))
    assert isinstance(found, Matching)
    assert_proven(rows, found)
    assert found.cost == 10
    assert found.odd_sets
