"""Standings: the arithmetic and the ranking of a large event, beside numpy's argsort and duckdb.

The field: random opponents, one in seventeen players has one bye, best-of-three scores, a third of the
players leave after a random round. Everything is drawn from a fixed generator.
"""

from __future__ import annotations

from dataclasses import replace
from math import log

import duckdb
import numpy as np

from bench.clock import best, report
from topcut.history import History, Outcome, Player
from topcut.history.arrays import NEVER
from topcut.rulebook import load
from topcut.rulebook.tiebreak_keys import ValueKey
from topcut.standings import rank
from topcut.standings.fast_values import FastValues

ROUNDS = 10
SCORES = np.array([(2, 0, 0), (2, 1, 0), (1, 0, 0), (1, 1, 1), (1, 1, 0), (2, 0, 1)], np.uint8)


def field(size: int) -> History:
    """A played event of `size` players (an even number)."""
    draw = np.random.default_rng(size)
    played = np.full((ROUNDS, size), Outcome.GONE, np.uint8)
    opponents = np.full((ROUNDS, size), size, np.int32)
    games = np.zeros((3, ROUNDS, size), np.uint8)
    left = np.where(draw.random(size) < 1 / 3, draw.integers(1, ROUNDS, size), NEVER)
    for r in range(ROUNDS):
        there = draw.permutation(np.flatnonzero(left > r))
        byes, there = there[: len(there) % 2 + 2 * (size // 340)], there[len(there) % 2 + 2 * (size // 340) :]
        played[r, byes] = Outcome.BYE
        first, second = there[::2], there[1::2]
        scores = SCORES[draw.integers(0, len(SCORES), len(first))]
        opponents[r, first], opponents[r, second] = second, first
        games[:, r, first] = scores.T
        games[:, r, second] = scores[:, [1, 0, 2]].T
        won = scores[:, 0] > scores[:, 1]
        played[r, first] = np.where(won, Outcome.WIN, Outcome.DRAW)
        played[r, second] = np.where(won, Outcome.LOSS, Outcome.DRAW)
    return History(
        players=tuple(Player(id=f"p{i}") for i in range(size)),
        played=played,
        opponents=opponents,
        meeting_round=np.arange(ROUNDS, dtype=np.int32),
        games=games,
        scores=None,
        entered=np.ones(size, np.int64),
        dropped=left,
        cut=np.full(size, NEVER),
        disqualified=np.full(size, NEVER),
    )


def main() -> None:
    totals = {size: _measure(size, runs) for size, runs in ((1_000, 50), (100_000, 15), (1_000_000, 7))}
    (small, small_all), (large, large_all) = totals[100_000], totals[1_000_000]
    print("\ngrowth from 100,000 to 1,000,000 players, as a power of n")
    print(f"  arithmetic {log(large / small, 10):.2f}, with ranking {log(large_all / small_all, 10):.2f}")


def _measure(size: int, runs: int) -> tuple[float, float]:
    """Print the table for one size; seconds for the arithmetic, and for everything."""
    book = load("mtr")
    chain = [key for key in book.chain if isinstance(key, ValueKey)]
    history = field(size)
    floats = np.random.default_rng(1).random(size)
    database = _database(history)

    def floor() -> object:
        return np.argsort(floats)

    def arithmetic() -> object:
        values = FastValues(replace(history), book)  # a copy has computed nothing yet
        return [values.deciding_column(key) for key in chain]

    def everything() -> object:
        return rank(replace(history), book)

    def peer() -> object:
        return database.execute(SQL).fetchnumpy()

    times = best(runs, floor=floor, arithmetic=arithmetic, everything=everything)
    times |= best(max(runs // 5, 2), peer=peer)
    ours = times["arithmetic"]
    ranking = times["everything"] - ours
    shared = size - len(np.unique(rank(history, book).ahead))
    report(
        f"standings, {size:,} players x {ROUNDS} rounds, keys of {book.id}; {shared:,} share a rank",
        [
            ("numpy argsort of as many floats (the floor)", times["floor"], ""),
            ("all four keys, exact", ours, f"{ours / times['floor']:.1f} x the floor"),
            ("duckdb, the same four keys in floats", times["peer"], f"{times['peer'] / ours:.1f} x ours"),
            ("ranking on top, exact ties included", ranking, f"{ranking / ours:.2f} x the arithmetic"),
        ],
    )
    return ours, times["everything"]


def _database(history: History) -> duckdb.DuckDBPyConnection:
    """The same results as a table, one row a player and round they took part in."""
    r, player = np.nonzero(history.played != Outcome.GONE)
    games = history.games
    assert games is not None
    rows = {
        "player": player,
        "opponent": history.opponents[r, player],
        "outcome": history.played[r, player],
        "won": games[0, r, player],
        "lost": games[1, r, player],
        "drawn": games[2, r, player],
    }
    database = duckdb.connect()
    database.register("given", rows)
    database.execute("create table results as select * from given")
    return database


SQL = f"""
with points as (
  select *,
    case when outcome in ({Outcome.WIN}, {Outcome.BYE}) then 3
         when outcome = {Outcome.DRAW} then 1 else 0 end as got,
    case outcome when {Outcome.BYE} then 2 else won end as w, lost as l, drawn as d
  from results),
own as (
  select player, sum(got) as points, greatest(sum(got) / (3.0 * count(*)), 1/3.0) as mw,
    greatest(sum(3 * w + d) / (3.0 * sum(w + l + d)), 1/3.0) as gw
  from points group by player)
select own.player, any_value(own.points) as points, coalesce(avg(other.mw), 1/3.0) as omw,
  any_value(own.gw) as gw, coalesce(avg(other.gw), 1/3.0) as ogw
from own
join results on results.player = own.player
left join own as other on other.player = results.opponent
group by own.player
"""
