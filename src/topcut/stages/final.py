"""Final places: the bracket first, then everybody whom a cut left out, with the reason for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from topcut.history.divisions import division_of
from topcut.rulebook.planning.cut import unlike_shares
from topcut.rulebook.planning.words import counted
from topcut.stages.bracket import Bracket
from topcut.stages.course import Course
from topcut.standings import Standings
from topcut.standings.answer import key_labels, plain
from topcut.standings.rank import keys


@dataclass(frozen=True)
class Final:
    """A place that nothing can change any more."""

    place: int
    id: str
    name: str
    why: str
    division: str | None
    division_place: int | None
    """The place among those of the same division, once all better places are known."""


@dataclass(frozen=True)
class Share:
    """How many of a division make the cut."""

    division: str
    inside: int
    players: int

    @property
    def share(self) -> Fraction:
        return Fraction(self.inside, self.players)


_Decided = tuple[int, str, str]
"""Place, player id and why."""


def final_places(course: Course, bracket: Bracket) -> list[Final]:
    """The places of a bracket's part that are decided, from the top."""
    course = course.with_seed(bracket.seed)
    history = course.history
    inside = [(place.place, place.player, place.why) for place in bracket.places(history)]
    divisions = {player.id: division_of(player, course.book) for player in history.players}
    mixed = len({divisions[history.players[i].id] for i in bracket.part.members}) > 1
    finals: list[Final] = []
    for decided, above in ((inside, []), (_outside(course, bracket), bracket.play.players)):
        ahead = Counter(divisions[player_id] for player_id in above)
        for level in _same_place(decided):
            known = mixed and ahead.total() == level[0][0] - 1
            for place, player_id, why in level:
                own = divisions[player_id] if mixed else None
                among = ahead[own] + 1 if known and own is not None else None
                finals.append(Final(place, player_id, history.name_of(player_id), why, own, among))
            ahead.update(divisions[player_id] for _, player_id, _ in level)
    return finals


def _same_place(decided: list[_Decided]) -> Iterator[list[_Decided]]:
    for _, level in groupby(decided, key=lambda entry: entry[0]):
        yield list(level)


def _outside(course: Course, bracket: Bracket) -> list[_Decided]:
    """Those whom a cut left out keep their place from then on (PK-39), stage by stage."""
    part = bracket.part
    inside = {course.history.index[player_id] for player_id in bracket.play.players}
    left = {moved.left for moved in bracket.entered.moved_up} if bracket.entered else set[int]()
    found: list[_Decided] = []
    start = 1 + len(inside)
    for k in reversed(range(len(part.swiss))):
        at = part.swiss[k]
        rounds = course.history.rounds if at.end is None else min(at.end, course.history.rounds)
        standings = course.standings(part, rounds)
        field = set(course.field(part, k)) - inside
        group = [(at, i) for at, i in enumerate(standings.order.tolist()) if i in field]
        first: dict[int, int] = {}
        for place, (position, i) in enumerate(group, start=start):
            where = f"left before the {bracket.stage.name}" if i in left else "outside the cut"
            why = f"{standing_words(standings, position)}; {where} ({bracket.stage.rule('kind')})"
            shared = first.setdefault(standings.rank(i), place)
            found.append((shared, course.history.players[i].id, why))
        inside |= field
        start += len(group)
    return found


def standing_words(standings: Standings, position: int) -> str:
    """Why the player at a position stands there: points, and the key by which the one before is ahead."""
    player = int(standings.order[position])
    points = plain(standings.value(keys(standings.book)[0], player))
    said = f"{points} point{'' if points == 1 else 's'} after {counted(standings.history.rounds, 'round')}"
    key = standings.decided_by(position - 1) if position else None
    if key in (None, keys(standings.book)[0]):
        return said
    above = standings.history.players[int(standings.order[position - 1])].shown_name
    return f"{said}, behind {above} by {dict(key_labels(standings))[key]}"


def shares(course: Course) -> list[Share]:
    """What share of each division makes the cut (PK-38)."""
    if course.book.divisions is None:
        return []
    cuts = [bracket for bracket in course.brackets if bracket.entered is not None]
    seated = {player_id for bracket in cuts for player_id in bracket.play.players}
    players = [course.history.players[i] for bracket in cuts for i in bracket.part.members]
    found = []
    for division in course.book.divisions.list:
        own = [player for player in players if division_of(player, course.book) == division.name]
        if own:
            found.append(Share(division.name, sum(player.id in seated for player in own), len(own)))
    return found


def uneven(course: Course, found: list[Share]) -> str:
    """What to say of shares that are too far apart; empty where they are not."""
    named = [(f"{s.division} {s.inside} of {s.players}", s.share) for s in found]
    return unlike_shares(course.book, named)
