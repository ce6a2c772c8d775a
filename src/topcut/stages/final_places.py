"""Find final places: the bracket first, then everybody whom a cut left out, with the reason for each."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from topcut.history.divisions import division_of
from topcut.rulebook.planning.cut import note_unlike_shares
from topcut.stages.brackets.bracket import Bracket
from topcut.stages.brackets.places import BracketPlace
from topcut.stages.progress import Progress
from topcut.standings import Standings
from topcut.standings.document import list_key_labels, to_json_number
from topcut.standings.rank import list_keys
from topcut.text.phrases import plural


@dataclass(frozen=True)
class FinalPlace:
    """A place that nothing can change any more."""

    place: int
    id: str
    name: str
    why: str
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
    outside = _list_outside(progress, bracket)
    for decided, above in ((bracket.places(history), []), (outside, bracket.play.players)):
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
    start = 1 + len(inside)
    for k in reversed(range(len(part.swiss))):
        at = part.swiss[k]
        rounds = progress.history.rounds if at.end is None else min(at.end, progress.history.rounds)
        standings = progress.standings(part, rounds)
        field = set(progress.field(part, k)) - inside
        group = [(at, i) for at, i in enumerate(standings.order.tolist()) if i in field]
        first: dict[int, int] = {}
        for place, (position, i) in enumerate(group, start=start):
            where = f"left before the {bracket.stage.name}" if i in left else "outside the cut"
            why = f"{summarize_standing(standings, position)}; {where} ({bracket.stage.rule('kind')})"
            shared = first.setdefault(standings.rank(i), place)
            found.append(BracketPlace(shared, progress.history.players[i].id, why))
        inside |= field
        start += len(group)
    return found


def summarize_standing(standings: Standings, position: int) -> str:
    """Say why the player at a position is there: points, and the key by which the one before is ahead."""
    player = int(standings.order[position])
    points = to_json_number(standings.points(player))
    said = f"{points} point{'' if points == 1 else 's'} after {plural(standings.history.rounds, 'round')}"
    key = standings.decided_by(position - 1) if position else None
    if key in (None, list_keys(standings.book)[0]):
        return said
    above = standings.history.players[int(standings.order[position - 1])].shown_name
    return f"{said}, behind {above} by {dict(list_key_labels(standings))[key]}"


def count_division_shares(progress: Progress) -> list[DivisionShare]:
    """Return what share of each division makes the cut (PK-38)."""
    if progress.book.divisions is None:
        return []
    cuts = [bracket for bracket in progress.brackets if bracket.entered is not None]
    seated = {player_id for bracket in cuts for player_id in bracket.play.players}
    players = [progress.history.players[i] for bracket in cuts for i in bracket.part.members]
    found = []
    for division in progress.book.divisions.list:
        own = [player for player in players if division_of(player, progress.book) == division.name]
        if own:
            found.append(DivisionShare(division.name, sum(player.id in seated for player in own), len(own)))
    return found


def warn_of_uneven_shares(progress: Progress, found: list[DivisionShare]) -> str:
    """Return a warning if shares are too far apart, else an empty text."""
    named = [(f"{s.division} {s.inside} of {s.players}", s.share) for s in found]
    return note_unlike_shares(progress.book, named)
