"""Other ids for players, given out so that every lot falls as it fell.

A lot depends on the id, so that a place which a lot decided would else be another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from topcut.history.model import Round, Table
from topcut.lots import lot
from topcut.rulebook.model import Book
from topcut.stages.scored import seed_of_lots


def whole_rounds(rounds: Sequence[Round]) -> int:
    """How many rounds from the first on are wholly reported."""
    whole = 0
    while whole < len(rounds) and all(table.reported for table in rounds[whole].tables):
        whole += 1
    return whole


def other_ids(
    old: Iterable[str], new: Iterable[str], rounds: Sequence[Round], seed: str | None, book: Book
) -> dict[str, str]:
    """Each of the old ids with a new one. Where Swiss rounds are played they go by the lots of the standings
    after the last whole round; rank seeds are drawn from ids in their order, which is kept else."""
    before, after = sorted(old), sorted(new)
    if any(a_round.stage == "swiss" for a_round in rounds):
        whole = rounds[: whole_rounds(rounds)]
        lots = seed_of_lots([seed], whole)
        counted = sum(a_round.stage == "swiss" for a_round in whole)
        label = f"standings/{counted}" if book.standings.ends_in == "lot" else "cut"
        before.sort(key=lambda player_id: lot(lots, label, player_id))
        after.sort(key=lambda player_id: lot(lots, label, player_id))
    return dict(zip(before, after, strict=True))


def renamed(table: Table, ids: Mapping[str, str]) -> Table:
    """The table with other ids."""

    def each(players: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if players is None else tuple(ids[player_id] for player_id in players)

    counts = table.tie_counts
    return replace(
        table,
        players=each(table.players),
        winner=ids[table.winner] if table.winner in table.players else table.winner,
        winners=each(table.winners),
        eliminated=each(table.eliminated),
        tie_counts=None
        if counts is None
        else tuple({ids[player_id]: n for player_id, n in c.items()} for c in counts),
        win_given_to=None if table.win_given_to is None else ids[table.win_given_to],
    )
