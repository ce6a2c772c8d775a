"""Find the places of a bracket, as far as they are decided, and why.

A player who goes out ends below everybody who goes out later. Players who go out in the same round are a
group; they are ordered by rank seed, by the final place of who beat them, or not at all.
"""

from collections.abc import Callable
from dataclasses import dataclass

from topcut.rulebook.layout import Placement
from topcut.stages.brackets.graph import LoserOf, Node, WinnerOf
from topcut.stages.brackets.play import BracketPlay, TableEnd


@dataclass(frozen=True)
class BracketPlace:
    """A player's final place in a bracket, from 1."""

    place: int
    player: str
    why: str


@dataclass(frozen=True)
class _Out:
    """A player whose last table is over."""

    player: str
    table: Node
    ended: TableEnd

    @property
    def won(self) -> bool:
        return self.ended.winner == self.player

    @property
    def by(self) -> str | None:
        """Who beat them."""
        return self.ended.winner if isinstance(self.ended.winner, str) and not self.won else None


def find_places(
    play: BracketPlay, placement: Placement, rule: str = "", name: Callable[[str], str] = str
) -> list[BracketPlace]:
    """Return all places that nothing can change any more, from the top; `rule` orders a group."""
    groups = _find_groups(play)
    found: dict[str, BracketPlace] = {}
    ended: dict[str, int] = {out.player: number for number, outs in groups.items() for out in outs or ()}
    for number, members in sorted(groups.items(), key=lambda group: group[0]):
        start = _first_place(play, groups, number)
        if members is None or start is None:
            continue
        conquerors = {out.by for out in members if out.by is not None}
        known = {"who beat them": found.keys(), "record of who beat them": ended.keys()}.get(placement)
        if len(members) > 1 and known is not None and not conquerors <= known:
            continue  # the order inside the group is not decided yet
        keys = {out.player: _sort_key(play, out, placement, found, ended) for out in members}
        for out in members:
            place = start + sum(key < keys[out.player] for key in keys.values())
            why = _explain(out, start, len(members), placement, rule, name)
            found[out.player] = BracketPlace(place, out.player, why)
    return sorted(found.values(), key=lambda place: (place.place, play.rank_seeds[place.player]))


def _sort_key(
    play: BracketPlay, out: _Out, placement: Placement, found: dict[str, BracketPlace], ended: dict[str, int]
) -> tuple[int, int]:
    """Return the order inside a group; a player whom nobody beat comes last, by rank seed."""
    seed = play.rank_seeds[out.player]
    match placement:
        case "rank seed":  # PK-40
            return (0, seed)
        case "shared":
            return (0, 0)
        case _ if out.by is None:
            return (len(play.players) + 1, seed)
        case "who beat them":  # PK-34, PK-A23
            return (found[out.by].place, 0) if out.by in found else (0, 0)
        case "record of who beat them":
            return (ended.get(out.by, 0), 0)


def _find_groups(play: BracketPlay) -> dict[int, list[_Out] | None]:
    """Return the groups in which players end; None while it is open who belongs to one."""
    groups: dict[int, list[_Out] | None] = {}
    last: dict[str, _Out | None] = {}
    for name, node in play.graph.nodes.items():
        ended = play.ended(name)
        for group in (node.winner_ends, node.loser_ends):
            if group is not None:
                groups[group] = None if ended is None else groups.get(group, [])
        for player in play.seats(name):
            if isinstance(player, str):
                last[player] = None if ended is None else _Out(player, node, ended)
    for out in filter(None, last.values()):
        members = groups.get(_group_of(play, out.table, out.won))
        if members is not None:
            members.append(out)
    return groups


def _group_of(play: BracketPlay, node: Node, won: bool) -> int:
    """Return the group of a player whose last table this was, as if they had lost the next one."""
    ends = node.winner_ends if won else node.loser_ends
    if ends is not None:
        return ends
    source = WinnerOf(node.name) if won else LoserOf(node.name)
    following = (play.graph.nodes[name] for name in play.graph.after[node.name])
    return next(_group_of(play, table, False) for table in following if source in table.seats)


def _first_place(play: BracketPlay, groups: dict[int, list[_Out] | None], number: int) -> int | None:
    """Return the first place of a group, counted from the top or the bottom; None while neither is known."""
    above = [members for other, members in groups.items() if other < number]
    below = [members for other, members in groups.items() if other >= number]
    if all(members is not None for members in above):
        return 1 + sum(len(members or ()) for members in above)
    if all(members is not None for members in below):
        return len(play.players) + 1 - sum(len(members or ()) for members in below)
    return None


def _explain(
    out: _Out, start: int, number: int, placement: Placement, rule: str, name: Callable[[str], str]
) -> str:
    if out.won:
        return f"won {out.table.name}"
    how = f"lost {out.table.name}" + (", as both did" if out.by is None else f" to {name(out.by)}")
    if out.ended.how == "walk-over":
        how += " without play"
    if number == 1:
        return how
    told = {
        "rank seed": "by rank seed",
        "who beat them": "by the place of who beat them",
        "record of who beat them": "by how far those went who beat them",
        "shared": "shared",
    }[placement]
    return f"{how}; places {start} to {start + number - 1} {told}" + (f" ({rule})" if rule else "")
