"""Is an answer of the engine legal, is its cost right, and does its certificate prove that nothing is better?

Nothing here solves anything: a certificate carries all that is needed, and is only added up.

- `parity`: where as many players stand above a gap in points as makes an odd number, some table crosses it.
- `matching`: potentials and odd sets such that no table costs less than the two potentials and the odd sets
  between its players. Every pairing then costs at least their total, and the answer costs just that.
- `exhaustive`: every pairing was compared; the oracle does so too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Set
from itertools import combinations, pairwise
from math import exp, lgamma, log, prod
from typing import Any, TypeVar

from tests.pairing.pairing_oracle import KEYS, LARGEST, Cost, Field, Pairing, Table, cost, judged, table_cost

QUICK = 10
"""Pools up to this size are judged by the oracle whatever the certificate says."""
WEIGHED = tuple(key for key in KEYS if key != "dead_end")
BYE = ""
"""The player whom one who has the bye meets, in a matching."""

Drawn = TypeVar("Drawn")


def verify(field: Field, answer: Mapping[str, Any]) -> None:
    """Raises an AssertionError that says what is wrong, if anything is."""
    pairing = _pairing(field, answer["tables"])
    for table in pairing:
        assert field.allows(table), f"hard rules forbid {_names(table)}"
    found = _cost(field, pairing)
    assert answer["cost"] == found, f"the cost is {found}, not {answer['cost']}"
    if not answer["optimal"]:
        return
    assert found["dead_end"] == 0, "a dead end is never the best choice"
    certificate = answer["certificate"] or {}
    kind = certificate.get("kind")
    assert kind in CERTIFICATES, f"no certificate is called {kind!r}"
    prove, names = CERTIFICATES[kind]
    assert set(certificate) == {"kind", *names}, f"{kind} has {sorted(certificate)}"
    prove(field, pairing, found, certificate)
    if len(field.points) <= (LARGEST if kind == "exhaustive" else QUICK):
        verdict = judged(field)
        assert verdict is not None
        assert verdict.cost == found, f"the least cost is {verdict.cost}, not {found}"


def _pairing(field: Field, tables: list[Mapping[str, Any]]) -> Pairing:
    """The tables of an answer, if everybody sits at one of them."""
    seated = Counter(player for table in tables for player in table["players"])
    assert set(seated) == set(field.points), f"not these: {sorted(set(seated) ^ set(field.points))}"
    assert max(seated.values(), default=1) == 1, f"seated twice: {[p for p in seated if seated[p] > 1]}"
    for table in tables:
        size = 1 if table.get("bye", False) else 2
        assert len(table["players"]) == size, f"{table['players']} with{'' if size == 1 else 'out'} a bye"
    byes = [table["players"] for table in tables if len(table["players"]) == 1]
    assert len(byes) <= 1, f"more than one bye: {byes}"
    return frozenset(frozenset(table["players"]) for table in tables)


def _cost(field: Field, pairing: Pairing) -> Cost:
    """The cost, worked out anew; in a larger pool there must be no dead end, for nobody looks for one."""
    if len(field.points) <= LARGEST:
        return cost(field, pairing)
    costs = [table_cost(field, table) for table in pairing]
    return {key: sum(cost[key] for cost in costs) for key in KEYS}


def _names(table: Table) -> str:
    return " and ".join(sorted(table))


def _whole(*numbers: object) -> None:
    assert all(type(number) is int for number in numbers), f"expected whole numbers: {numbers}"


# The certificates


def _parity(field: Field, pairing: Pairing, found: Cost, certificate: Mapping[str, Any]) -> None:
    """All that comes before the gap is at its own least, and so is the gap for this score of the bye."""
    bye = {player for table in pairing if len(table) == 1 for player in table}
    if bye:
        fewest = min(field.byes.get(player, 0) for player in field.points)
        entitled = [field.points[player] for player in field.points if field.byes.get(player, 0) == fewest]
        assert found["second_byes"] == fewest, "parity does not prove the second bye needed"
        assert found["bye_points"] == min(entitled), "parity does not prove the bye's points needed"
    for key in ("rematches", "cross_division", "apart"):
        assert found[key] == 0, f"parity does not prove {key} needed"
    sizes = Counter(points for player, points in field.points.items() if player not in bye)
    bound = above = 0
    for points, lower in pairwise(sorted(sizes, reverse=True)):
        above += sizes[points]
        bound += (points - lower) ** 2 * (above % 2)
    assert certificate["bound"] == bound, f"the bound is {bound}, not {certificate['bound']}"
    assert found["score_gap_squared"] == bound, f"the gap is {found['score_gap_squared']}, above {bound}"


def _exhaustive(field: Field, pairing: Pairing, found: Cost, certificate: Mapping[str, Any]) -> None:
    """The number of pairings is (n - 1)!!, one more seat than players if somebody has the bye."""
    seats = len(field.points) + len(field.points) % 2
    number = prod(range(seats - 1, 0, -2))
    assert certificate["pairings"] == number, f"{number} pairings, not {certificate['pairings']}"
    assert len(field.points) <= LARGEST, f"{number} pairings are too many to compare"


def _matching(field: Field, pairing: Pairing, found: Cost, certificate: Mapping[str, Any]) -> None:
    """Every pairing costs at least the total of the dual values, which all count halves."""
    players, weights = certificate["players"], certificate["weights"]
    potentials, odd_sets = certificate["potentials"], certificate["odd_sets"]
    _whole(certificate["bound"], *potentials, *weights.values())
    expected = [*field.points] + [BYE] * (len(field.points) % 2)
    assert sorted(players) == sorted(expected), "the certificate speaks of other players"
    assert len(potentials) == len(players), "expected a potential for every player"
    _lexicographic(field, weights)
    inside: list[set[int]] = [set() for _ in players]
    for number, odd_set in enumerate(odd_sets):
        assert set(odd_set) == {"members", "weight"}, f"an odd set has {sorted(odd_set)}"
        members = odd_set["members"]
        _whole(odd_set["weight"], *members)
        assert odd_set["weight"] > 0, f"expected a weight above nought: {odd_set}"
        assert len(set(members)) == len(members), f"somebody is in an odd set twice: {members}"
        assert len(members) % 2 == 1, f"an odd set is even: {members}"
        assert set(members) <= set(range(len(players))), f"nobody has these numbers: {members}"
        for member in members:
            inside[member].add(number)
    for one, other in combinations(range(len(players)), 2):
        table = frozenset((players[one], players[other])) - {BYE}
        if field.allows(table):
            between = sum(odd_sets[number]["weight"] for number in inside[one] ^ inside[other])
            least = potentials[one] + potentials[other] + between
            costs = 2 * _weighed(table_cost(field, table), weights)
            assert least <= costs, f"{_names(table)} could cost {costs} halves, below {least}"
    total = sum(potentials) + sum(odd_set["weight"] for odd_set in odd_sets)
    bound, costs = certificate["bound"], _weighed(found, weights)
    assert total == 2 * bound, f"the dual values come to {total} halves, the bound to {2 * bound}"
    assert costs == bound, f"the answer costs {costs}, above the bound {bound}"


def _weighed(found: Cost, weights: Mapping[str, int]) -> int:
    return sum(weights[key] * found[key] for key in WEIGHED)


def _lexicographic(field: Field, weights: Mapping[str, int]) -> None:
    """One more of anything outweighs the most that all that comes after it can differ by."""
    assert set(weights) == set(WEIGHED), f"expected weights for {WEIGHED}"
    most = largest(field)
    after = 0
    for key in reversed(WEIGHED):
        assert weights[key] > after, f"the weight of {key} is {weights[key]}, not above {after}"
        after += weights[key] * most[key]


def largest(field: Field) -> Cost:
    """The most by which each part of the cost can differ between two pairings that the rules allow."""
    points = sorted(field.points.values())
    tables = len(points) // 2
    alone = [frozenset((player,)) for player in field.points] if len(points) % 2 else []
    byes = [table_cost(field, table) for table in alone if field.allows(table)]
    pairs = [frozenset(pair) for pair in combinations(field.points, 2)]
    costs = [table_cost(field, table) for table in pairs if field.allows(table)]
    many = {key: min(tables, sum(cost[key] for cost in costs)) for key in ("rematches", "apart")}
    divisions = Counter(field.division.get(player) for player in field.points)
    parts = {key: [cost[key] for cost in byes] or [0] for key in ("second_byes", "bye_points")}
    return {
        **many,
        **{key: max(values) - min(values) for key, values in parts.items()},
        "cross_division": min(tables, len(points) - max(divisions.values(), default=0)),
        # The top meets the bottom, the second the last but one, and so on.
        "score_gap_squared": sum((points[-1 - i] - points[i]) ** 2 for i in range(tables)),
    }


Proof = Callable[[Field, Pairing, Cost, Mapping[str, Any]], None]
CERTIFICATES: dict[str, tuple[Proof, list[str]]] = {
    "parity": (_parity, ["bound"]),
    "exhaustive": (_exhaustive, ["pairings"]),
    "matching": (_matching, ["players", "weights", "potentials", "odd_sets", "bound"]),
}


# Fair lots


def enumerate_uniform(counts: Mapping[Drawn, int], expected: Set[Drawn], draws: int) -> float:
    """How likely lots that treat all expected outcomes alike spread as unevenly as these counts, or more.

    The p-value of Pearson's test; 0 if anything else came up.
    """
    assert sum(counts.values()) == draws, f"the counts do not add up to {draws}"
    if any(count for drawn, count in counts.items() if drawn not in expected):
        return 0.0
    mean = draws / len(expected)
    statistic = sum((counts.get(outcome, 0) - mean) ** 2 / mean for outcome in expected)
    return chi_square_tail(statistic, len(expected) - 1)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance that chi-square with so many degrees of freedom is at least the statistic."""
    if freedom == 0 or statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    scale = exp(a * log(x) - x - lgamma(a))
    return 1 - scale * _lower(a, x) if x < a + 1 else scale * _upper(a, x)


def _lower(a: float, x: float) -> float:
    """The lower incomplete gamma function without its scale, as a series."""
    term = total = 1 / a
    while term > total * 1e-16:
        a += 1
        term *= x / a
        total += term
    return total


def _upper(a: float, x: float) -> float:
    """The upper one, as a continued fraction: 1/(x+1-a + 1(a-1)/(x+3-a + 2(a-2)/(x+5-a + …)))."""
    value = 0.0
    for n in range(1000, 0, -1):
        value = n * (a - n) / (x + 2 * n + 1 - a + value)
    return 1 / (x + 1 - a + value)
