"""Find rank seeds: each player's starting place in a bracket or a round robin.

They come from the standings, from the players' own `seed`, or from a lot. Once a first round is recorded
it says what they were, whatever a later seed would draw.
"""

from itertools import pairwise

from topcut.errors import BadInput, Impossible
from topcut.history import History, Round, Table
from topcut.history.parts import Part
from topcut.lots import Stream
from topcut.rulebook.planning.cut import find_bracket_size, order_rank_seeds


def draw_rank_seeds(history: History, part: Part, seed: str) -> tuple[list[str], bool]:
    """Return the ids in the order of their rank seeds, and whether a lot was drawn for it (PK-30)."""
    late = [player.shown_name for player in history.players if player.entered > 1]
    if late:
        problem = f"{late[0]} cannot enter late: everybody's tables are fixed from the first round"
        rule = part.book.late_entry.no_later if part.book.late_entry and part.bracket else ""
        raise Impossible(problem, rule=rule)
    here = sorted((history.players[i] for i in part.members if history.last[i] >= 1), key=lambda p: p.id)
    without = [player.shown_name for player in here if player.seed is None]
    if without and len(without) < len(here):
        problem = f"{without[0]} has no seed: expected one for every player or for none"
        raise BadInput(problem, place="players")
    if not without:
        order = sorted(here, key=lambda player: player.seed or 0)
        for one, other in pairwise(order):
            if one.seed == other.seed:
                both = f"{one.shown_name} and {other.shown_name}"
                raise BadInput(f"{both} have the same seed, {one.seed}", place="players")
        return [player.id for player in order], False
    label = "rank seeds" + (f"/{part.name}" if part.name else "")
    return [here[at].id for at in Stream(seed, label).order(len(here)).tolist()], True


def read_rank_seeds(first: Round, ids: set[str]) -> list[str] | None:
    """Return the rank seeds in the order of a recorded first round; None if it is no such round.

    Tables are in bracket order, the better rank seed first, and byes by themselves in bracket order.
    """
    here = [table for table in first.tables if set(table.players) <= ids]
    seated = sum(len(table.players) for table in here)
    order = order_rank_seeds(find_bracket_size(max(seated, 2)))
    tables = iter([table for table in here if len(table.players) == 2])
    byes = iter([table for table in here if len(table.players) == 1])
    found: dict[int, str] = {}
    for one, other in zip(order[::2], order[1::2], strict=True):
        pair = [seed for seed in (one, other) if seed <= seated]
        table: Table | None = next(tables if len(pair) == 2 else byes, None)
        if table is None:
            return None
        found |= dict(zip(pair, table.players, strict=True))
    if next(tables, None) or next(byes, None) or sorted(found) != list(range(1, seated + 1)):
        return None
    return [found[seed] for seed in sorted(found)]
