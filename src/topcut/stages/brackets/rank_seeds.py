"""Find rank seeds: each player's starting place in a bracket or a round robin.

They come from the standings, from the players' own `seed`, or from a lot. Once a first round is recorded
it says what they were, whatever a later seed would draw.
"""

from collections.abc import Sequence
from itertools import pairwise

from topcut.errors import BadInput, Impossible
from topcut.history import History, Round, Table
from topcut.history.parts import Part
from topcut.lots import Stream
from topcut.rulebook.planning.cut import find_bracket_size, order_rank_seeds


def list_starters(history: History, part: Part) -> list[int]:
    """Return who takes part from the first round on; nobody enters later."""
    late = [player.shown_name for player in history.players if player.entered > 1]
    if late:
        who = late[0]
        rule = part.book.late_entry.no_later if part.book.late_entry and part.bracket else ""
        raise Impossible(
            f"{who} cannot enter late: everybody's tables are fixed from the first round", rule=rule
        )
    return [i for i in part.members if history.last[i] >= 1]


def draw_rank_seeds(history: History, part: Part, seed: str) -> tuple[list[str], bool]:
    """Return the ids in the order of their rank seeds, and whether a lot was drawn for it (PK-30)."""
    here = sorted(list_starters(history, part), key=lambda i: history.players[i].id)
    given = {i: history.players[i].seed for i in here}
    without = [i for i, number in given.items() if number is None]
    if without and len(without) < len(here):
        who = history.players[without[0]].shown_name
        raise BadInput(f"{who} has no seed: expected one for every player or for none", place="players")
    if not without:
        order = sorted(here, key=lambda i: given[i] or 0)
        for one, other in pairwise(order):
            if given[one] == given[other]:
                both = f"{history.players[one].shown_name} and {history.players[other].shown_name}"
                raise BadInput(f"{both} have the same seed, {given[one]}", place="players")
        return [history.players[i].id for i in order], False
    label = "rank seeds" + (f"/{part.name}" if part.name else "")
    return [history.players[here[at]].id for at in Stream(seed, label).order(len(here)).tolist()], True


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


def first_bracket_round(rounds: Sequence[Round]) -> Round | None:
    """Return the first elimination round, if there is one."""
    return next((a_round for a_round in rounds if a_round.in_bracket), None)
