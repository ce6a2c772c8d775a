"""Pairing a round: Topcut beside swisspair, py4swiss and numpy's permutation, on the same fields.

Each field is an event that Topcut itself has paired round by round, with coin-flip results and no draws;
then one with draws, which make many small score groups. Everything is drawn from a fixed generator. Peers
are given objects that were prepared beforehand; only the pairing itself is timed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
import swisspair
from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf, TrfParser

from bench.clock import best, report
from topcut.lots import Stream
from topcut.pairing.engine.costs import compute_cost
from topcut.pairing.engine.field import Field, Ints, Tables
from topcut.pairing.engine.swiss import FieldDraw

DRAWN = 0.05
"""The share of drawn tables in the fields that have any."""
PEERS_TO = {"swisspair": 16_384, "py4swiss": 256}


@dataclass
class Played:
    """An event of `size` players, after some rounds."""

    size: int
    points: Ints
    met: list[Ints]
    white: Ints
    """How often each had white less how often black; only the Dutch system asks."""
    colours: list[Ints]
    gains: list[Ints]

    @classmethod
    def start(cls, size: int) -> Played:
        zeros = np.zeros(size, np.int64)
        return cls(size, zeros.copy(), [], zeros.copy(), [], [])

    def field(self) -> Field:
        order = np.lexsort((np.arange(self.size), -self.points))
        place = np.empty(self.size + 1, np.int32)
        place[order] = np.arange(self.size)
        place[self.size] = self.size
        met = np.array([place[row[order]] for row in self.met], np.int32).reshape(-1, self.size)
        nothing = np.zeros(self.size, np.int64)
        return Field(order, self.points[order], met, nothing, nothing)

    def play(self, field: Field, tables: Tables, draw: np.random.Generator, share: float = 0.0) -> None:
        first, second = field.players[tables].T
        met = np.full(self.size, self.size, np.int64)
        met[first], met[second] = second, first
        self.met.append(met)
        lot = draw.random(len(first))
        won = lot >= (1 + share) / 2
        lost = (lot >= share) & ~won
        drawn = lot < share
        gain = np.zeros(self.size, np.int64)
        for who, result in ((first, won), (second, lost)):
            gain[who[result]] = 3
            gain[who[drawn]] = 1
        self.points += gain
        self.gains.append(gain)
        colour = np.where(self.white[first] <= self.white[second], 1, -1)
        row = np.zeros(self.size, np.int64)
        row[first], row[second] = colour, -colour
        self.white += row
        self.colours.append(row)


def after(size: int, rounds: int, share: float = 0.0) -> Played:
    """The event after so many rounds."""
    event, draw = Played.start(size), np.random.default_rng(size)
    for r in range(rounds):
        field = event.field()
        event.play(field, FieldDraw(field).draw(Stream("bench", str(r))).tables, draw, share)
    return event


def main() -> None:
    for size in (64, 256, 1_024, 4_096, 16_384):
        _beside_peers(size)
    _beside_peers(1_024, DRAWN)
    _many()


def _beside_peers(size: int, share: float = 0.0) -> None:
    event = after(size, 8, share)
    field = event.field()
    draws = iter(range(10**9))
    generator = np.random.default_rng(1)

    def ours() -> object:
        return FieldDraw(field).draw(Stream("bench", f"again {next(draws)}"))

    things: dict[str, Callable[[], object]] = {
        "floor": lambda: generator.permutation(size),
        "ours": ours,
    }
    if size <= PEERS_TO["swisspair"]:
        players = _for_swisspair(field)
        things["swisspair"] = lambda: swisspair.create_matches(players)
    times = best(9 if size <= 1_024 else 5, **things)
    if size <= PEERS_TO["py4swiss"]:
        trf = _for_py4swiss(event)
        times |= best(2, py4swiss=lambda: DutchEngine.generate_pairings(trf))
    paired = FieldDraw(field).draw(Stream("bench", "checked"))
    assert compute_cost(field, paired.tables)["rematches"] == 0
    mine = times["ours"]
    rows = [("numpy permutation (the floor)", times["floor"], "")]
    rows.append(
        (f"Topcut, {paired.uniform}ly uniform, proved", mine, f"{mine / times['floor']:.0f} x the floor")
    )
    rows += [(peer, times[peer], f"{times[peer] / mine:,.0f} x ours") for peer in PEERS_TO if peer in times]
    report(f"pairing round 9, {size:,} players{', with draws' if share else ''}", rows)


def _for_swisspair(field: Field) -> list[swisspair.Player]:
    return [
        swisspair.Player(
            id=str(p),
            points=int(field.points[p]),
            rank=p + 1,
            cannot_be_paired_against_ids={str(o) for o in field.met[:, p] if o < field.size},
        )
        for p in range(field.size)
    ]


def _for_py4swiss(event: Played) -> ParsedTrf:
    """The event as a tournament report file, which is what py4swiss reads; 1, ½ and 0 points."""
    lines = ["012 bench", "XXR 20"]
    for player in range(event.size):
        results, tenths = "", 0
        for r, row in enumerate(event.met):
            gained = int(event.gains[r][player])
            letter = {3: "1", 1: "=", 0: "0"}[gained]
            tenths += {3: 10, 1: 5, 0: 0}[gained]
            colour = "w" if event.colours[r][player] > 0 else "b"
            results += f"  {row[player] + 1:>4} {colour} {letter}"
        who = f"{player + 1:>4}      {f'Player {player + 1}':<33} {2500 - player:>4} {'':>26}"
        lines.append(f"001 {who} {tenths / 10:>4.1f} {player + 1:>4}{results}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        file.write_text("\n".join(lines) + "\n")
        return TrfParser.parse(file)


def _many() -> None:
    """A million players, rounds 1 to 20, beside permutation; and how time grows to there."""
    totals = {size: _all_rounds(size) for size in (100_000, 1_000_000)}
    growth = log(sum(totals[1_000_000]) / sum(totals[100_000]), 10)
    print(f"\ngrowth from 100,000 to 1,000,000 players, all rounds together, as a power of n: {growth:.2f}")


def _all_rounds(size: int) -> list[float]:
    event, draw = Played.start(size), np.random.default_rng(size)
    generator = np.random.default_rng(1)
    times, ratios = [], []
    for r in range(20):
        field = event.field()

        def ours(field: Field = field, r: int = r) -> object:
            return FieldDraw(field).draw(Stream("bench", str(r)))

        taken = best(3, floor=lambda: generator.permutation(size), ours=ours)
        paired = FieldDraw(field).draw(Stream("bench", str(r)))
        assert paired.uniform == "exact"
        times.append(taken["ours"])
        ratios.append(taken["ours"] / taken["floor"])
        event.play(field, paired.tables, draw)
    print(f"\npairing {size:,} players, exactly uniform, as a multiple of numpy's permutation")
    print("  rounds 1 to 20: " + " ".join(f"{ratio:.1f}" for ratio in ratios))
    return times
