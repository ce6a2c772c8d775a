"""Final places: the bracket first, then everybody whom a cut left out, with the reason for each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from topcut.history.divisions import division_of
from topcut.rulebook.planning.words import counted, percent
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


def final_places(course: Course, bracket: Bracket) -> list[Final]:
    """The places of a bracket's part that are decided, from the top."""
    course = course.with_seed(bracket.seed)
    history = course.history
    inside = [(place.place, place.player, place.why) for place in bracket.places(history)]
    outside = _outside(course, bracket)
    divisions = {player.id: division_of(player, course.book) for player in history.players}
    mixed = len({divisions[history.players[i].id] for i in bracket.part.members}) > 1
    finals = []
    for place, id, why in inside + outside:
        better = [other for p, other, _ in inside if p < place]
        if place > len(bracket.play.players):
            better = bracket.play.players + [other for p, other, _ in outside if p < place]
        own = divisions[id] if mixed else None
        known = own is not None and len(better) == place - 1
        among = 1 + sum(divisions[other] == own for other in better) if known else None
        finals.append(Final(place, id, history.players[history.index[id]].shown_name, why, own, among))
    return finals


def _outside(course: Course, bracket: Bracket) -> list[tuple[int, str, str]]:
    """Those whom a cut left out keep their place from then on (PK-39), stage by stage."""
    part = bracket.part
    inside = {course.history.index[id] for id in bracket.play.players}
    found: list[tuple[int, str, str]] = []
    start = 1 + len(inside)
    for k in reversed(range(len(part.swiss))):
        at = part.swiss[k]
        rounds = course.history.rounds if at.end is None else min(at.end, course.history.rounds)
        standings = course.standings(part, rounds)
        field = set(course.field(part, k)) - inside
        group = [i for i in standings.order.tolist() if i in field]
        for i in group:
            place = start + sum(standings.rank(other) < standings.rank(i) for other in group)
            why = f"{standing_words(standings, i)}; outside the cut ({bracket.stage.rule('kind')})"
            found.append((place, course.history.players[i].id, why))
        inside |= field
        start += len(group)
    return found


def standing_words(standings: Standings, player: int) -> str:
    """Why a player stands where they do: points, and the key by which the next better one is ahead."""
    points = plain(standings.value(keys(standings.book)[0], player))
    said = f"{points} points after {counted(standings.history.rounds, 'round')}"
    order = standings.order.tolist()
    at = order.index(player)
    key = standings.decided_by(at - 1) if at else None
    if key in (None, keys(standings.book)[0]):
        return said
    above = standings.history.players[order[at - 1]].shown_name
    return f"{said}, behind {above} by {dict(key_labels(standings))[key]}"


def shares(course: Course) -> list[Share]:
    """What share of each division makes the cut (PK-38)."""
    if course.book.divisions is None:
        return []
    cuts = [bracket for bracket in course.brackets if bracket.entered is not None]
    seated = {id for bracket in cuts for id in bracket.play.players}
    players = [course.history.players[i] for bracket in cuts for i in bracket.part.members]
    found = []
    for division in course.book.divisions.list:
        own = [player for player in players if division_of(player, course.book) == division.name]
        if own:
            found.append(Share(division.name, sum(player.id in seated for player in own), len(own)))
    return found


def uneven(course: Course, found: list[Share]) -> str:
    """What to say of shares that are too far apart; empty where they are not, or no rule asks for it."""
    rule = course.book.cut
    if rule is None or rule.shares_within is None or len(found) < 2:
        return ""
    rates = [share.share for share in found]
    if max(rates) - min(rates) <= rule.shares_within:
        return ""
    each = ", ".join(f"{s.division} {s.inside} of {s.players} ({percent(s.share)})" for s in found)
    return f"unlike shares make the cut: {each} ({rule.rule('shares_within')})"
