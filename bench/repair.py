"""The fewest tables changed in a posted round, beside drawing the whole round again.

A result of the round before is turned around, or a player leaves; the engine finds the best round with as few
new tables as can be. The floor is a fresh draw of the same round, which changes them all.
"""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from bench.clock import best, report
from topcut.formats.event_file import EventFile
from topcut.history import Player, Round, Table, build_history
from topcut.pairing.repair.repair_round import repair_round
from topcut.pairing.round_draw import RoundDraw
from topcut.rulebook import load
from topcut.rulebook.options import Options

SIZES = (100, 500, 2_000)
ROUNDS = 5


def played(size: int) -> EventFile:
    """An event after some rounds that Topcut has paired itself."""
    random = Random(size)
    book = load("dci-1999")
    players = tuple(Player(id=f"p{i}") for i in range(size))
    rounds: list[Round] = []
    options = Options(rounds=ROUNDS + 1)
    for number in range(ROUNDS):
        history = build_history(players, rounds, book)
        tables = []
        for table in RoundDraw(history, book, options, rounds).pair(str(number)).tables:
            ids = tuple(players[i].id for i in table.players)
            alone = len(ids) == 1
            tables.append(
                Table(players=ids, bye=True) if alone else Table(players=ids, winner=random.choice(ids))
            )
        rounds.append(Round(tables=tuple(tables)))
    return EventFile(
        topcut=1, name="x", rules="dci-1999", players=players, rounds=tuple(rounds), options=options
    )


def pairable(file: EventFile) -> RoundDraw:
    book = load(file.rules)
    return RoundDraw(build_history(file.players, file.rounds, book), book, file.options, file.rounds)


def turned(file: EventFile) -> EventFile:
    """The same with one result of the last round turned around."""
    first, *rest = file.rounds[-1].tables
    (other,) = (player_id for player_id in first.players if player_id != first.winner)
    wrong = Round(tables=(Table(players=first.players, winner=other), *rest))
    return replace(file, rounds=(*file.rounds[:-1], wrong))


def without(file: EventFile) -> EventFile:
    """The same without a player."""
    first, *rest = file.players
    return replace(file, players=(replace(first, dropped=ROUNDS), *rest))


def measured(name: str, changed: EventFile, posted: list[tuple[int, ...]]) -> tuple[str, float, str]:
    found = repair_round(pairable(changed), "posted", posted)
    times = best(
        3,
        ours=lambda: repair_round(pairable(changed), "posted", posted),
        floor=lambda: pairable(changed).pair("again"),
    )
    changed_tables = {frozenset(table.players) for table in found.tables} - set(map(frozenset, posted))
    new = f"{len(changed_tables)} of {len(found.tables)} tables new"
    return name, times["ours"], f"{new}; {times['ours'] / times['floor']:.1f} × a fresh draw"


def main() -> None:
    rows = []
    for size in SIZES:
        file = played(size)
        posted = [table.players for table in pairable(file).pair("posted").tables]
        rows.append(measured(f"{size:,} players, a result turned around", turned(file), posted))
        rows.append(measured(f"{size:,} players, a player gone", without(file), posted))
    report("The fewest tables", rows)
