"""Decide who goes on to the next stage, and why: a cut on the standings.

The book says what it takes (`Enter`): a place among the best, a record, or either of them; from everybody,
or the same number from each flight. Where players share the last place a lot decides.
The next in line take the places of players who left before the stage began, where the book says so.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest

from topcut.lots import draw_lot
from topcut.rulebook.layout import Enter, cite_reading
from topcut.rulebook.planning.stages import describe_record_needed, find_points_needed
from topcut.standings.document import count_points, count_record, format_value, list_key_labels
from topcut.standings.rank import Standings
from topcut.text.messages import Message, count, join_messages, ordinal, say

NEAR = 3
"""Players on each side of the line who are told what put them there."""


@dataclass(frozen=True)
class CutVerdict:
    """One player at the cut."""

    player: int
    on: bool
    why: Message
    near: bool


@dataclass(frozen=True)
class Replacement:
    """A player who would have gone on and left, and who takes the place."""

    left: int
    player: int | None
    """None where nobody is left in line."""
    says: Message


@dataclass(frozen=True)
class CutDecision:
    """A cut: all players who were in the running, from the top, with a reason each."""

    verdicts: list[CutVerdict]
    requirement: Message
    """What it took, in words."""
    moved_up: tuple[Replacement, ...] = ()
    """The places of players who left, from the top."""

    @property
    def on(self) -> list[int]:
        """The players who go on, by their standing."""
        return [verdict.player for verdict in self.verdicts if verdict.on]


def order_players(standings: Standings, players: Iterable[int]) -> list[int]:
    """Order players by their standing, and by lot where places are shared."""
    names = standings.history.players
    return sorted(players, key=lambda p: (standings.rank(p), draw_lot(standings.seed, "cut", names[p].id)))


def apply_cut(
    standings: Standings,
    enter: Enter,
    cut: int | None,
    players: Sequence[int],
    rounds: int | None = None,
    gone: Collection[int] = (),
) -> CutDecision:
    """Decide who of these players goes on; `cut`: the size of the event's cut.

    `rounds`: how many count (all). `gone`: players who left before the stage began, and whose places the next
    in line take.
    """
    everyone = order_players(standings, players)
    here = [player for player in everyone if player not in gone]
    top = _count_top(standings, enter, cut, here)
    rounds = standings.history.rounds if rounds is None else rounds
    asked = describe_record_needed(standings.book, enter, rounds)
    if not asked:
        assert top is not None  # checked with the book
        return _decide_by_place(standings, enter, everyone, top, gone)
    with_record = {player for player in everyone if _has_record(standings, enter, player, rounds)}

    def inside(line: list[int]) -> set[int]:
        record = with_record.intersection(line)
        best = set(line[:top]) if top is not None else set[int]()
        if enter.either == "larger":  # PK-55, PK-A19
            return record if len(record) > len(best) else best
        return record | best

    record = with_record.intersection(here)
    found = _decide_by_record(standings, enter, here, inside(here), record, asked, top)
    without = _find_replacements(standings, enter, everyone, inside(everyone), inside(here), gone)
    return replace(found, moved_up=tuple(moved for moved in without if moved.player is not None))


def apply_cut_to_flights(
    standings: Standings,
    enter: Enter,
    each: int,
    groups: Mapping[str, tuple[Standings, Sequence[int]]],
    gone: Collection[int] = (),
) -> CutDecision:
    """Let the best of each flight go on, all of them together by their standing (PK-48).

    `groups`: each flight's name, its own standings and its players. `gone`: as above.
    """
    found: dict[int, CutVerdict] = {}
    moved_up: list[Replacement] = []
    for name, (own, players) in groups.items():
        flight = _decide_by_place(own, enter, order_players(own, players), each, gone)
        for verdict in flight.verdicts:
            found[verdict.player] = replace(verdict, why=join_messages(": ", (name, verdict.why)))
        moved_up += [
            replace(moved, says=join_messages(": ", (name, moved.says))) for moved in flight.moved_up
        ]
    line = count(
        "the best {each} of {n} flight", "the best {each} of each of {n} flights", len(groups), each=each
    )
    return CutDecision([found[player] for player in order_players(standings, found)], line, tuple(moved_up))


def _count_top(standings: Standings, enter: Enter, cut: int | None, here: list[int]) -> int | None:
    """Count the best who go on, including players level with the last where the book says so."""
    top = cut if enter.top == "cut" else enter.top
    if top is None or enter.level_up_to is None or top >= len(here):
        return top
    line = standings.points(here[top - 1]) or 0
    level = sum((standings.points(player) or 0) >= line for player in here)
    return level if level <= enter.level_up_to else top


def _decide_by_place(
    standings: Standings, enter: Enter, everyone: list[int], number: int, gone: Collection[int] = ()
) -> CutDecision:
    """Let the first `number` players go on who are not `gone`."""
    here = [player for player in everyone if player not in gone]
    moved_up = _find_replacements(
        standings, enter, everyone, set(everyone[:number]), set(here[:number]), gone
    )
    leaving = {moved.left: moved for moved in moved_up}
    instead_of = {moved.player: standings.history.players[moved.left].shown_name for moved in moved_up}
    position = {player: at for at, player in enumerate(here)}
    verdicts = []
    for place, player in enumerate(everyone, start=1):
        if player in gone:
            why = _explain_gone(standings, place, player, leaving.get(player))
            verdicts.append(CutVerdict(player, False, why, near=player in leaving))
            continue
        at = position[player]
        why = _explain_place(standings, place, here, at, number)
        if player in instead_of:
            why = join_messages("; ", (why, say("takes the place of {player}", player=instead_of[player])))
        verdicts.append(CutVerdict(player, at < number, why, _is_near(at, number)))
    line = say("the best {cut} of {players}", cut=number, players=len(here))
    if len(here) < len(everyone):
        line = say("the best {cut} of the {players} who have not left", cut=number, players=len(here))
    return CutDecision(verdicts, line, moved_up)


def _find_replacements(
    standings: Standings,
    enter: Enter,
    everyone: list[int],
    planned: set[int],
    on: set[int],
    gone: Collection[int],
) -> tuple[Replacement, ...]:
    """Match players who were planned and are gone with players who go on and were not planned."""
    leaving = [player for player in everyone if player in planned and player in gone]
    risen = [player for player in everyone if player in on and player not in planned]
    return tuple(
        Replacement(left, player, _announce_replacement(standings, enter, everyone, left, player))
        for left, player in zip_longest(leaving, risen[: len(leaving)])
    )


def _announce_replacement(
    standings: Standings, enter: Enter, everyone: list[int], left: int, player: int | None
) -> Message:
    history, name = standings.history, standings.history.players[left].shown_name
    out = history.disqualified[left] <= history.rounds
    if player is None:
        if out:
            return say("{player} was disqualified, and no player is next in line.", player=name)
        return say("{player} left, and no player is next in line.", player=name)
    other, place = history.players[player].shown_name, ordinal(everyone.index(player) + 1)
    if out:
        return say(
            "{player} was disqualified; {other}, {place}, takes the place.",
            player=name,
            other=other,
            place=place,
        )
    moved = say("{player} left; {other}, {place}, takes the place.", player=name, other=other, place=place)
    return cite_reading(moved, enter, "backfill")


def _explain_gone(standings: Standings, place: int, player: int, moved: Replacement | None) -> Message:
    """Say why a player who left does not go on, and who takes their place."""
    history = standings.history
    out = history.disqualified[player] <= history.rounds
    if moved is None:
        return say("place {place}, but had left", place=place)
    if moved.player is None:
        if out:
            return say("place {place}, but disqualified; no player is next in line", place=place)
        return say("place {place}, but left; no player is next in line", place=place)
    other = history.players[moved.player].shown_name
    if out:
        return say("place {place}, but disqualified; {other} takes the place", place=place, other=other)
    return say("place {place}, but left; {other} takes the place", place=place, other=other)


def _is_near(at: int, number: int) -> bool:
    return abs(at + 0.5 - number) < NEAR


def _explain_place(standings: Standings, place: int, here: list[int], at: int, number: int) -> Message:
    """Return the place, and near the line which key put the player at a position inside or outside."""
    if number >= len(here) or not _is_near(at, number):
        return say("place {place}", place=place)
    inside = at < number
    mine, other = here[at], here[number if inside else number - 1]
    if standings.rank(mine) == standings.rank(other):
        if inside:
            return say("place {place}, tied with the first player outside: drawn at random", place=place)
        return say("place {place}, tied with the last player inside: drawn at random", place=place)
    for key, label in list_key_labels(standings):
        have, has = standings.value(key, mine), standings.value(key, other)
        if have is not None and has is not None and have != has:
            values = {
                "tiebreaker": label,
                "value": format_value(standings, key, have),
                "other": format_value(standings, key, has),
            }
            if inside:
                return say(
                    "place {place}; {tiebreaker} {value} (first player outside: {other})",
                    place=place,
                    **values,
                )
            return say(
                "place {place}; {tiebreaker} {value} (last player inside: {other})", place=place, **values
            )
    return say("place {place}", place=place)


def _decide_by_record(
    standings: Standings,
    enter: Enter,
    here: list[int],
    on: set[int],
    with_record: set[int],
    asked: str,
    top: int | None,
) -> CutDecision:
    last = max((at for at, player in enumerate(here) if player in on), default=-1)
    verdicts = []
    for at, player in enumerate(here):
        points = count_points(standings, player)
        if player in on and player in with_record:
            why = count("{n} point: {record}", "{n} points: {record}", points, record=asked)
            if count_record(standings, player)["draws"]:  # PK-A18
                why = cite_reading(why, enter, "counted")
        elif player in on:
            why = count(
                "place {place}, among the best {top}; {n} point",
                "place {place}, among the best {top}; {n} points",
                points,
                place=at + 1,
                top=top or 0,
            )
        else:
            why = _explain_out(at + 1, points, asked, top)
        verdicts.append(CutVerdict(player, player in on, why, _is_near(at, last + 1)))
    inside = len(with_record)
    line = count("{record} ({n} player)", "{record} ({n} players)", inside, record=asked)
    if top is not None:
        line = count(
            "{record} ({n} player), or the best {top}",
            "{record} ({n} players), or the best {top}",
            inside,
            record=asked,
            top=top,
        )
        if inside != min(top, len(here)):  # PK-A19
            line = cite_reading(line, enter, "either")
    return CutDecision(verdicts, line)


def _explain_out(place: int, points: int | Fraction, asked: str, top: int | None) -> Message:
    """Say what a player who does not go on would have needed."""
    if top is None:
        return count(
            "place {place}, {n} point; needed: {record}",
            "place {place}, {n} points; needed: {record}",
            points,
            place=place,
            record=asked,
        )
    return count(
        "place {place}, {n} point; needed: {record}, or a place among the best {top}",
        "place {place}, {n} points; needed: {record}, or a place among the best {top}",
        points,
        place=place,
        record=asked,
        top=top,
    )


def _has_record(standings: Standings, enter: Enter, player: int, rounds: int) -> bool:
    """Return whether a player has enough points, or few enough losses (PK-A18)."""
    if enter.losses is not None and enter.counted != "points":
        own = count_record(standings, player)
        return own["losses"] <= enter.losses and (enter.counted == "losses" or not own["draws"])
    asked = find_points_needed(standings.book, enter, rounds)
    have = standings.points(player)
    return asked is not None and have is not None and have >= asked
