"""Does everything that an answer proves hold? What `proofs` does not know is worked out here, from the rules.

- `unavoidable`: the graph of tables without a rematch and a second bye falls apart, once some players are
  taken out of it, into more odd parts than were taken out (Tutte): so it has no perfect matching.
- `windows`: some neighbouring score groups are a matching of their own, whose seats are the players, exits
  up, exits down and the bye. Taking an exit costs the squared gap to the nearest group outside, and
  (x + y)² ≥ x² + y², so the bounds of all windows and of the odd edges that touch none add up to a bound of
  the whole. A window stands for any number of exits only if two fewer of each kind are as good: the least
  cost is M-convex in how many are used (Murota), and if it is no better with up to two more, with no number.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from tests.pairing.certificate_checks import BYE, WEIGHED, largest, verify
from tests.pairing.pairing_oracle import Field, Table, table_cost
from topcut.pairing.engine.matching import Matching, match_cheapest

Certificate = Mapping[str, Any]
NEVER = -1


def assert_proved(field: Field, answer: Mapping[str, Any]) -> None:
    """Raises an AssertionError that says what is wrong with an answer, if anything is."""
    assert answer["optimal"] is True
    certificate = dict(answer["certificate"])
    unavoidable = certificate.pop("unavoidable", None)
    needed = bool(answer["cost"]["rematches"] or answer["cost"]["second_byes"])
    assert (unavoidable is not None) == needed == bool(answer["warnings"])
    if unavoidable is not None:
        assert_unavoidable(field, unavoidable)
    if certificate["kind"] == "windows":
        verify(field, {**answer, "optimal": False})
        assert_windows(field, answer, certificate)
        return
    if certificate["kind"] == "matching":
        certificate["weights"] = complete(field, certificate["weights"])
    verify(field, {**answer, "certificate": certificate})


def complete(field: Field, weights: Mapping[str, int]) -> dict[str, int]:
    """The weights with one for each part of the cost that is nought at every table."""
    seats = [frozenset(table) for table in combinations(field.points, 2)]
    seats += [frozenset((player,)) for player in field.points] * (len(field.points) % 2)
    costs = [table_cost(field, table) for table in seats]
    found: dict[str, int] = {}
    after, most = 0, largest(field)
    for key in reversed(WEIGHED):
        if key not in weights:
            assert not any(cost[key] for cost in costs), f"no weight for {key}"
        found[key] = weights.get(key, after + 1)
        after += found[key] * most[key]
    return found


# A rematch or a second bye that cannot be avoided


def assert_unavoidable(field: Field, unavoidable: Certificate) -> None:
    """Taking `removed` away leaves more odd parts than it has members."""
    everyone = {*field.points} | ({BYE} if len(field.points) % 2 else set())
    removed, parts = set(unavoidable["removed"]), [set(part) for part in unavoidable["components"]]
    assert removed <= everyone
    assert len(removed) == len(unavoidable["removed"])
    assert len(parts) > len(removed), "as many parts as can be served"
    seen: set[str] = set()
    for part in parts:
        assert part <= everyone - removed
        assert len(part) % 2 == 1, f"an even part: {part}"
        assert not part & seen
        seen |= part
        outside = everyone - removed - part
        for one in part:
            for other in outside:
                assert not fresh(field, frozenset((one, other)) - {BYE}), f"{one} could meet {other}"


def fresh(field: Field, table: Table) -> bool:
    """Whether a table is allowed, no rematch and no second bye."""
    cost = table_cost(field, table)
    return field.allows(table) and not cost["rematches"] and not cost["second_byes"]


# Windows


def assert_windows(field: Field, answer: Mapping[str, Any], certificate: Certificate) -> None:
    """The bounds of all windows and of the odd edges outside are what the answer costs."""
    assert set(certificate) == {"kind", "bound", "windows", "players"}
    cost = answer["cost"]
    order = sorted(field.points, key=lambda player: (-field.points[player], player))
    assert certificate["players"] == order + [BYE] * (len(order) % 2)
    for key in ("rematches", "second_byes", "cross_division"):
        assert cost[key] == 0, f"windows do not prove {key} needed"
    entitled = {player for player in order if fresh(field, frozenset((player,)))} if len(order) % 2 else set()
    lowest = min((field.points[player] for player in entitled), default=0)
    assert cost["bye_points"] == lowest
    eligible = {player for player in entitled if field.points[player] == lowest}
    edges = odd_edges(field, order, lowest if eligible else None)
    gap_squared = apart = 0
    touched: set[int] = set()
    ends = [-1, *(window["last"] for window in certificate["windows"])]
    for before, window in zip(ends, certificate["windows"], strict=False):
        low, high = window["first"], window["last"] + 1
        groups_between = {field.points[player] for player in order[before + 1 : low]}
        assert groups_between or low == 0, "windows touch"
        for edge in (low, high):
            assert edge in edges or edge in (0, len(order)), "a score group is cut in two"
        seats = Seats(field, order, low, high, window, eligible, edges)
        assert_bound(seats, window)
        assert_more_exits_are_no_help(seats, window)
        gap, shared = divmod(window["bound"], window["weights"]["score_gap_squared"])
        gap_squared += gap
        apart += shared
        touched |= {at for at in edges if low <= at <= high}
    outside = sum(squared for at, (squared, odd) in edges.items() if odd and at not in touched)
    assert gap_squared + outside == cost["score_gap_squared"] == certificate["bound"]
    assert apart == cost["apart"]


def odd_edges(field: Field, order: list[str], bye: int | None) -> dict[int, tuple[int, bool]]:
    """Where score groups meet: (squared gap, whether parity makes a table cross it)."""
    found = {}
    for at, (upper, lower) in enumerate(pairwise(field.points[player] for player in order), start=1):
        if upper > lower:
            found[at] = ((upper - lower) ** 2, (at - (bye is not None and upper <= bye)) % 2 == 1)
    return found


class Seats:
    """The seats of a window in order: players, exits up, exits down, the bye."""

    def __init__(
        self,
        field: Field,
        order: list[str],
        low: int,
        high: int,
        window: Certificate,
        eligible: set[str],
        edges: dict[int, tuple[int, bool]],
    ) -> None:
        self.field = field
        self.players = order[low:high]
        self.eligible = eligible
        self.above = field.points[order[low - 1]] if low else None
        self.below = field.points[order[high]] if high < len(order) else None
        self.kinds = ["player"] * len(self.players)
        for kind, at, number in (("up", low, window["doors_up"]), ("down", high, window["doors_down"])):
            assert number == 0 or at in edges, "an exit to nowhere"
            assert at not in edges or number % 2 == edges[at][1], "parity asks for another number of exits"
            self.kinds += [kind] * number
        self.bye = bool(eligible & set(self.players))
        assert window["bye"] == self.bye
        self.kinds += ["bye"] * self.bye
        self.weight: int = window["weights"]["score_gap_squared"]
        assert set(window["weights"]) == {"score_gap_squared", "apart"}
        assert window["weights"]["apart"] == 1
        assert self.weight > len(self.players) // 2, "labels could outweigh points"

    def cost(self, one: int, other: int) -> int:
        """Of a table of two seats, the first of them before the other."""
        kinds = self.kinds[one], self.kinds[other]
        match kinds:
            case "player", "player":
                table = frozenset((self.players[one], self.players[other]))
                cost = table_cost(self.field, table)
                if cost["rematches"] or not self.field.allows(table):
                    return NEVER
                return cost["score_gap_squared"] * self.weight + cost["apart"]
            case "player", "bye":
                return 0 if self.players[one] in self.eligible else NEVER
            case _, "bye":
                return NEVER
            case "up", "down":
                assert self.above is not None
                assert self.below is not None
                return (self.above - self.below) ** 2 * self.weight
            case "player", kind:
                outside = self.above if kind == "up" else self.below
                assert outside is not None
                return (self.field.points[self.players[one]] - outside) ** 2 * self.weight
        return 0  # two exits of one kind: nobody takes them


def assert_bound(seats: Seats, window: Certificate) -> None:
    """In halves no table costs less than the dual values between its seats; all of them make the bound."""
    potentials, odd_sets = window["potentials"], window["odd_sets"]
    assert len(potentials) == len(seats.kinds)
    for odd_set in odd_sets:
        members = odd_set["members"]
        assert odd_set["weight"] > 0
        assert len(members) == len(set(members))
        assert len(members) % 2 == 1
        assert set(members) <= set(range(len(potentials)))
    inside = [
        {n for n, odd_set in enumerate(odd_sets) if at in odd_set["members"]} for at in range(len(potentials))
    ]
    for one, other in combinations(range(len(potentials)), 2):
        cost = seats.cost(one, other)
        between = sum(odd_sets[number]["weight"] for number in inside[one] ^ inside[other])
        assert cost == NEVER or potentials[one] + potentials[other] + between <= 2 * cost
    total = sum(potentials) + sum(odd_set["weight"] for odd_set in odd_sets)
    assert total == 2 * window["bound"], f"the dual values come to {total} halves"


def assert_more_exits_are_no_help(seats: Seats, window: Certificate) -> None:
    """The bound is reached with two exits fewer of each kind too, unless there is one for everybody."""
    kept = [at for at, kind in enumerate(seats.kinds) if kind in ("player", "bye")]
    for kind in ("up", "down"):
        exits = [at for at, other in enumerate(seats.kinds) if other == kind]
        for_everybody = len(exits) >= len(seats.players) + len(exits) % 2
        assert not exits or for_everybody or len(exits) >= 2
        kept += exits if for_everybody else exits[2:]
    kept.sort()
    costs = [[seats.cost(*sorted((one, other))) if one != other else NEVER for other in kept] for one in kept]
    found = match_cheapest(np.array(costs, object).reshape(len(kept), len(kept)))
    assert isinstance(found, Matching), "all exits are used: more may be cheaper"
    fewer = sum(costs[one][other] for one, other in enumerate(found.mate)) // 2
    assert fewer == window["bound"], "all exits are used: more may be cheaper"
