"""Seating tables of three and four: Topcut beside CP-SAT, on the same objective and the same fields.

Each field is an event that Topcut itself has seated for four rounds, three at a table, fours at the
bottom, with random scores from 0 to 27 and a win for the highest from 20 up. Large fields come a second
time with scores a thousand times as fine: then hardly anybody shares a place, and every move counts. The
objective is AL-16: repeated pairs from the newest round to the oldest, then squared distances from the
standings.

CP-SAT's model: a Boolean for each player and seat, exactly one true in each row and column; at each table
players stand in order of the standings; a Boolean for each pair that has met, true if both sit at one
table; one weighted sum, in which a repeated pair outweighs all distances, and one of a newer round all
pairs of older rounds. It uses all cores. Above 16 players it is not asked; the cost is put beside Topcut's
own lower bound (from prices, see pairing/multiplayer/lower_bound.py) instead.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from bench.clock import best, report
from topcut.lots import Stream
from topcut.pairing.multiplayer.seating_draw import Seating, SeatingDraw
from topcut.pairing.multiplayer.seating_field import SeatingField
from topcut.rulebook.planning.tables import count_tables

ROUNDS = 4
FIELDS = 5
"""Events of each size, for small ones."""


def field(size: int, number: int = 0, fine: int = 1) -> SeatingField:
    """The seating to be found after so many rounds; `fine`: steps of a score."""
    draw = np.random.default_rng([size, number])
    counts = count_tables(size, 3, 4)
    assert counts is not None
    sizes = (3,) * counts[0] + (4,) * counts[1]
    wins, scores = np.zeros(size, np.int64), np.zeros(size, np.int64)
    met: list[Any] = []
    for played in range(ROUNDS):
        seating = _standing(wins * 10**9 + scores, met, sizes)
        row = np.full((3, size), size)
        for table in SeatingDraw(seating).draw(Stream(f"{size}/{number}", f"bench/{played}")).tables:
            here = seating.players[np.array(table)]
            for turn in range(1, len(here)):
                row[turn - 1, here] = np.roll(here, -turn)
            score = draw.integers(0, 28 * fine, len(here))
            scores[here] += score
            wins[here[score.argmax()]] += int(score.max() >= 20 * fine)
        met.append(row)
    return _standing(wins * 10**9 + scores, met, sizes)


def _standing(points: Any, met: list[Any], sizes: tuple[int, ...]) -> SeatingField:
    size = len(points)
    order = np.argsort(-points, kind="stable")
    fallen = -points[order]
    place = np.append(np.argsort(order), size).astype(np.int32)
    rows = np.concatenate([np.empty((0, size), np.int64), *met]).astype(np.int64)
    back = np.repeat(np.arange(len(met))[::-1], [len(row) for row in met])
    first, last = np.searchsorted(fallen, fallen), np.searchsorted(fallen, fallen, side="right") - 1
    return SeatingField(order, first, last, place[rows][:, order], back, sizes)


class Model:
    """CP-SAT's model of a seating."""

    def __init__(self, seating: SeatingField) -> None:
        from ortools.sat.python import cp_model

        self.solver = cp_model.CpSolver()
        self.model = model = cp_model.CpModel()
        n, sizes = seating.size, seating.sizes
        away = seating.measure_distances(range(n), range(n))
        at = [[model.new_bool_var("") for _ in range(n)] for _ in range(n)]
        for player in range(n):
            model.add_exactly_one(at[player])
            model.add_exactly_one(row[player] for row in at)
        tables = [range(start, start + size) for start, size in zip(seating.starts, sizes, strict=True)]
        for seats in tables:
            who = [sum(player * at[player][seat] for player in range(n)) for seat in seats]
            for left, right in pairwise(who):
                model.add(left < right)
        terms = [int(away[player, seat]) * at[player][seat] for player in range(n) for seat in range(n)]
        self.weight = n**3
        weight = self.weight
        for rounds in reversed(seating.find_repeats(range(n))):
            for a, b in np.argwhere(np.triu(rounds)).tolist():
                again = model.new_bool_var("")
                for seats in tables:
                    model.add(again >= sum(at[a][s] + at[b][s] for s in seats) - 1)
                terms.append(weight * again)
            weight *= sum(size * (size - 1) // 2 for size in sizes) + 1
        model.minimize(sum(terms))

    def solve(self) -> int:
        """The least displacement among the seatings with the fewest repeats."""
        self.solver.solve(self.model)
        return int(self.solver.objective_value) % self.weight


def _beside_cp_sat(size: int) -> None:
    fields = [field(size, number) for number in range(FIELDS)]
    try:
        models = [Model(seating) for seating in fields]
    except ImportError:
        report(f"{size} players: ortools is not installed, so CP-SAT is left out", [])
        return
    found: dict[str, list[int]] = {}

    def ours() -> None:
        found["ours"] = [SeatingDraw(f).draw(Stream("", "bench")).cost.displacement for f in fields]

    def theirs() -> None:
        found["theirs"] = [model.solve() for model in models]

    times = best(3, ours=ours, theirs=theirs)
    same = "the same optimum" if found["ours"] == found["theirs"] else f"DIFFERENT OPTIMA {found}"
    ratio = times["theirs"] / times["ours"]
    report(
        f"{size} players, {ROUNDS} rounds of history, {FIELDS} events",
        [
            ("Topcut, optimum proved", times["ours"] / FIELDS, "an event"),
            ("CP-SAT, optimum proved", times["theirs"] / FIELDS, f"{ratio:.1f} x Topcut; {same}"),
        ],
    )


def _large(size: int, fine: int) -> None:
    seating = field(size, fine=fine)
    found: dict[str, Seating] = {}

    def ours() -> None:
        found["ours"] = SeatingDraw(seating).draw(Stream("", "bench"))

    times = best(3, ours=ours, floor=lambda: np.random.default_rng(1).permutation(size))
    seated = found["ours"]
    cost, bound = seated.cost.displacement, seated.bound.displacement
    over = f"{cost / bound:.2f} x the bound" if bound else "the bound is 0"
    proved = "proved optimal" if seated.optimal else over
    repeats = sum(seated.cost.repeats)
    rows = [
        ("permutation, the floor", times["floor"], ""),
        ("Topcut", times["ours"], f"{repeats} repeats, displacement {cost}, bound {bound}: {proved}"),
    ]
    shared = "hardly any places shared" if fine > 1 else "places shared"
    report(f"{size:,} players, {ROUNDS} rounds of history, {shared}", rows)


def main() -> None:
    for size in (9, 12, 14, 16):
        _beside_cp_sat(size)
    for fine in (1, 1_000):
        for size in (30, 100, 1_000, 10_000):
            _large(size, fine)
