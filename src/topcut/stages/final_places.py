"""Find final places as far as they are decided, and why: the bracket first, then players whom a cut left out.

A player who goes out of a bracket ends below everybody who goes out later. Players who go out in the same
round are a group; they are ordered by rank seed, by the final place of who beat them, or not at all.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from topcut.history.divisions import division_of
from topcut.rulebook.layout import Placement, cite_numbers
from topcut.rulebook.planning.plan import note_unlike_shares
from topcut.stages.brackets.bracket import Bracket
from topcut.stages.brackets.graph import LoserOf, Node, WinnerOf
from topcut.stages.brackets.play import BracketPlay, TableEnd
from topcut.stages.progress import Progress
from topcut.standings import Standings
from topcut.standings.document import count_points, list_key_labels
from topcut.standings.rank import list_keys
from topcut.text.messages import Message, count, join_messages, say


@dataclass(frozen=True)
class BracketPlace:
    """A player's final place in a bracket, from 1."""

    place: int
    player: str
    why: Message


@dataclass(frozen=True)
class FinalPlace:
    """A place in the whole event that nothing can change any more."""

    place: int
    id: str
    name: str
    why: Message
    division: str | None
    division_place: int | None
    """The place inside the division, once all better places are known."""


@dataclass(frozen=True)
class DivisionShare:
    """How many of a division make the cut."""

    division: str
    inside: int
    players: int

    @property
    def share(self) -> Fraction:
        return Fraction(self.inside, self.players)


def find_final_places(progress: Progress, bracket: Bracket) -> list[FinalPlace]:
    """Return the places of a bracket's part that are decided, from the top."""
    progress = progress.with_seeds([bracket.seed])
    history = progress.history
    divisions = {player.id: division_of(player, progress.book) for player in history.players}
    mixed = len({divisions[history.players[i].id] for i in bracket.part.members}) > 1
    finals: list[FinalPlace] = []
    rule = cite_numbers(bracket.stage, "placement")
    inside = find_places(bracket.play, bracket.stage.placement, rule, history.name_of)
    outside = _list_outside(progress, bracket)
    for decided, above in ((inside, []), (outside, bracket.play.players)):
        ahead = Counter(divisions[player_id] for player_id in above)
        for place, same_place in groupby(decided, key=lambda one: one.place):
            level = list(same_place)
            known = mixed and ahead.total() == place - 1
            for one in level:
                own = divisions[one.player] if mixed else None
                among = ahead[own] + 1 if known and own is not None else None
                name = history.name_of(one.player)
                finals.append(FinalPlace(place, one.player, name, one.why, own, among))
            ahead.update(divisions[one.player] for one in level)
    return finals


def _list_outside(progress: Progress, bracket: Bracket) -> list[BracketPlace]:
    """Return players whom a cut left out: they keep their place from then on (PK-39), stage by stage."""
    part = bracket.part
    inside = {progress.history.index[player_id] for player_id in bracket.play.players}
    left = {moved.left for moved in bracket.entered.moved_up} if bracket.entered else set[int]()
    found: list[BracketPlace] = []
    start, rule = 1 + len(inside), bracket.stage.rule("kind")
    for k in reversed(range(len(part.swiss))):
        at = part.swiss[k]
        rounds = progress.history.rounds if at.end is None else min(at.end, progress.history.rounds)
        standings = progress.standings(part, rounds)
        field = set(progress.find_players(part, k)) - inside
        group = [(at, i) for at, i in enumerate(standings.order.tolist()) if i in field]
        first: dict[int, int] = {}
        for place, (position, i) in enumerate(group, start=start):
            where = say("outside the cut ({rule})", rule=rule)
            if i in left:
                where = say("left before the {stage} ({rule})", stage=bracket.stage.name, rule=rule)
            why = join_messages("; ", (summarize_standing(standings, position), where))
            shared = first.setdefault(standings.rank(i), place)
            found.append(BracketPlace(shared, progress.history.players[i].id, why))
        inside |= field
        start += len(group)
    return found


def summarize_standing(standings: Standings, position: int) -> Message:
    """Say why the player at a position is there: points, and the key by which the one before is ahead."""
    player = int(standings.order[position])
    points, rounds = count_points(standings, player), standings.history.rounds
    key = standings.decided_by(position - 1) if position else None
    if key in (None, list_keys(standings.book)[0]):
        return count("{n} point after round {round}", "{n} points after round {round}", points, round=rounds)
    return count(
        "{n} point after round {round}, behind {player} by {tiebreaker}",
        "{n} points after round {round}, behind {player} by {tiebreaker}",
        points,
        round=rounds,
        player=standings.history.players[int(standings.order[position - 1])].shown_name,
        tiebreaker=dict(list_key_labels(standings))[key],
    )


def count_division_shares(progress: Progress) -> list[DivisionShare]:
    """Return what share of each division makes the cut (PK-38)."""
    if progress.book.divisions is None:
        return []
    cuts = [bracket for bracket in progress.brackets if bracket.entered is not None]
    seated = {player_id for bracket in cuts for player_id in bracket.play.players}
    players = [progress.history.players[i] for bracket in cuts for i in bracket.part.members]
    sizes = Counter(division_of(player, progress.book) for player in players)
    inside = Counter(division_of(player, progress.book) for player in players if player.id in seated)
    names = [division.name for division in progress.book.divisions.list if sizes[division.name]]
    return [DivisionShare(name, inside[name], sizes[name]) for name in names]


def warn_of_uneven_shares(progress: Progress) -> str:
    """Return a warning if shares are too far apart, else an empty text."""
    shares = count_division_shares(progress)
    return note_unlike_shares(progress.book, [(_describe_share(one), one.share) for one in shares])


def _describe_share(one: DivisionShare) -> Message:
    return say(
        "{division} {inside} of {players}", division=one.division, inside=one.inside, players=one.players
    )


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
        places = {player: place.place for player, place in found.items()}
        conquerors = {"who beat them": places, "record of who beat them": ended}.get(placement)
        unknown = {out.by for out in members if out.by is not None} - set(conquerors or ())
        if len(members) > 1 and conquerors is not None and unknown:
            continue  # the order inside the group is not decided yet
        keys = {out.player: _sort_key(play, out, placement, conquerors) for out in members}
        for out in members:
            place = start + sum(key < keys[out.player] for key in keys.values())
            why = _explain(out, start, len(members), placement, rule, name)
            found[out.player] = BracketPlace(place, out.player, why)
    return sorted(found.values(), key=lambda place: (place.place, play.rank_seeds[place.player]))


def _sort_key(
    play: BracketPlay, out: _Out, placement: Placement, conquerors: dict[str, int] | None
) -> tuple[int, int]:
    """Return the order inside a group; a player whom nobody beat comes last, by rank seed."""
    seed = play.rank_seeds[out.player]
    if out.ended.how == "drawn":
        return 0, 0  # they agreed to share
    if conquerors is None:
        return 0, seed if placement == "rank seed" else 0  # PK-40
    if out.by is None:
        return len(play.players) + 1, seed
    return conquerors.get(out.by, 0), 0  # PK-34, PK-A23


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
) -> Message:
    if out.won:
        return _explain_won(out.table.name)
    how = _explain_lost(out, name)
    if number == 1:
        return how
    if out.ended.how == "drawn":
        return join_messages("; ", (how, _explain_order("shared", start, start + number - 1)))
    order = _explain_order(placement, start, start + number - 1)
    return join_messages("; ", (how, say("{order} ({rule})", order=order, rule=rule) if rule else order))


def _explain_won(table: str) -> Message:
    match table:
        case "F":
            return say("won the final")
        case "F2":
            return say("won the second final")
        case "P3":
            return say("won the match for third place")
    return say("won {table}", table=table)


def _explain_lost(out: _Out, name: Callable[[str], str]) -> Message:
    table, walk_over = out.table.name, out.ended.how == "walk-over"
    if out.ended.how == "drawn":
        return say("drew the final") if table == "F" else say("drew {table}", table=table)
    if out.by is None:
        if walk_over:
            return say("lost {table} without play, as did the opponent", table=table)
        return say("lost {table}, as did the opponent", table=table)
    if walk_over:
        return say("lost {table} to {opponent} without play", table=table, opponent=name(out.by))
    match table:
        case "F":
            return say("lost the final to {opponent}", opponent=name(out.by))
        case "F2":
            return say("lost the second final to {opponent}", opponent=name(out.by))
        case "P3":
            return say("lost the match for third place to {opponent}", opponent=name(out.by))
    return say("lost {table} to {opponent}", table=table, opponent=name(out.by))


def _explain_order(placement: Placement, first: int, last: int) -> Message:
    """Say how players who went out in the same round share these places."""
    match placement:
        case "rank seed":
            return say("places {first} to {last} by rank seed", first=first, last=last)
        case "who beat them":
            return say(
                "places {first} to {last} by the place of the player who beat them", first=first, last=last
            )
        case "record of who beat them":
            return say(
                "places {first} to {last} by how far the player who beat them went", first=first, last=last
            )
        case "shared":
            return say("places {first} to {last} shared", first=first, last=last)
