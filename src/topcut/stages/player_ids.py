"""Give players other ids so that every lot falls as it fell: a lot depends on the id."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from topcut.history.model import Round, Table
from topcut.lots import draw_lot
from topcut.rulebook.model import Book
from topcut.stages.progress import choose_lot_seed


def count_whole_rounds(rounds: Sequence[Round]) -> int:
    """Return how many rounds from the first on are wholly reported."""
    whole = 0
    while whole < len(rounds) and all(table.reported for table in rounds[whole].tables):
        whole += 1
    return whole


def assign_ids(
    old: Iterable[str], new: Iterable[str], rounds: Sequence[Round], seed: str | None, book: Book
) -> dict[str, str]:
    """Return the new id of each old one.

    Where Swiss rounds are played, both are ordered by the lots of the standings after the last whole round;
    else by themselves, since rank seeds are drawn from ids in their order.
    """
    before, after = sorted(old), sorted(new)
    if any(a_round.is_scored for a_round in rounds):
        whole = rounds[: count_whole_rounds(rounds)]
        lots = choose_lot_seed([seed], whole)
        counted = sum(a_round.is_scored for a_round in whole)
        label = f"standings/{counted}" if book.standings.ends_in == "lot" else "cut"
        before.sort(key=lambda player_id: draw_lot(lots, label, player_id))
        after.sort(key=lambda player_id: draw_lot(lots, label, player_id))
    return dict(zip(before, after, strict=True))


def replace_ids(table: Table, ids: Mapping[str, str]) -> Table:
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
