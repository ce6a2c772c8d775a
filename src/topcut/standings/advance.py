"""Who goes on to the next stage, and why: a cut on the standings.

The book says what it takes (`Enter`): a place among the best so many, a record, or either of them;
from everybody, or the same number from each flight. Where players share the last place a lot decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from topcut.lots import lot
from topcut.rulebook.layout import Enter
from topcut.rulebook.planning.stages import points_asked, record_asked
from topcut.rulebook.planning.words import counted
from topcut.standings.answer import key_labels, record, shown
from topcut.standings.rank import Standings, keys

NEAR = 3
"""How many on each side of the line are near it."""


@dataclass(frozen=True)
class Verdict:
    """One player at the cut."""

    player: int
    on: bool
    why: str
    near: bool
    """Whether they are close to the line."""


@dataclass(frozen=True)
class Advancing:
    """A cut: everybody who was in the running from the top, with a reason each."""

    verdicts: list[Verdict]
    line: str
    """What it took, in words."""

    @property
    def on(self) -> list[int]:
        """Those who go on, by their standing."""
        return [verdict.player for verdict in self.verdicts if verdict.on]


def ordered(standings: Standings, players: Iterable[int]) -> list[int]:
    """Players by their standing; where places are shared a lot tells them apart."""
    names = standings.history.players
    return sorted(players, key=lambda p: (standings.rank(p), lot(standings.seed, "cut", names[p].id)))


def going_on(
    standings: Standings, enter: Enter, cut: int | None, players: Sequence[int], rounds: int | None = None
) -> Advancing:
    """Who of these players goes on; `cut` is the size of the event's cut, `rounds` how many count (all)."""
    here = ordered(standings, players)
    top = _top(standings, enter, cut, here)
    rounds = standings.history.rounds if rounds is None else rounds
    asked = record_asked(standings.book, enter, rounds)
    if not asked:
        assert top is not None  # checked with the book
        return _best(standings, here, top)
    with_record = {player for player in here if _has_record(standings, enter, player, rounds)}
    best = set(here[:top]) if top is not None else set[int]()
    on = with_record | best
    if enter.either == "larger":  # PK-55, PK-A19
        on = with_record if len(with_record) > len(best) else best
    return _by_record(standings, here, on, with_record, asked, top)


def going_on_from_each(
    standings: Standings, each: int, groups: Mapping[str, tuple[Standings, Sequence[int]]]
) -> Advancing:
    """The best so many of each flight go on; all of them together by their standing (PK-48).

    `groups`: each flight's name, its own standings and its players.
    """
    found = {}
    for name, (own, players) in groups.items():
        for verdict in _best(own, ordered(own, players), each).verdicts:
            found[verdict.player] = replace(verdict, why=f"{name}: {verdict.why}")
    line = f"the best {each} of each of {counted(len(groups), 'flight')}"
    return Advancing([found[player] for player in ordered(standings, found)], line)


def _top(standings: Standings, enter: Enter, cut: int | None, here: list[int]) -> int | None:
    """How many of the best go on, those level with the last of them included where the book says so."""
    top = cut if enter.top == "cut" else enter.top
    if top is None or enter.level_up_to is None or top >= len(here):
        return top
    points = keys(standings.book)[0]
    line = standings.value(points, here[top - 1])
    level = sum((standings.value(points, player) or 0) >= (line or 0) for player in here)
    return level if level <= enter.level_up_to else top


def _best(standings: Standings, here: list[int], number: int) -> Advancing:
    verdicts = [
        Verdict(player, at < number, _by_place(standings, here, at, number), _near(at, number))
        for at, player in enumerate(here)
    ]
    return Advancing(verdicts, f"the best {number} of {len(here)}")


def _near(at: int, number: int) -> bool:
    return abs(at + 0.5 - number) < NEAR


def _by_place(standings: Standings, here: list[int], at: int, number: int) -> str:
    """Why the player at this position is in or out; near the line, which key decided."""
    place = f"place {at + 1}"
    if number >= len(here) or not _near(at, number):
        return place
    inside = at < number
    mine, other = here[at], here[number if inside else number - 1]
    against = "the first outside" if inside else "the last inside"
    if standings.rank(mine) == standings.rank(other):
        return f"{place}, level with {against}: a lot decided"
    for key, label in key_labels(standings):
        have, has = standings.value(key, mine), standings.value(key, other)
        if have is not None and has is not None and have != has:
            return f"{place}; {label} {shown(standings, key, have)}, {against} {shown(standings, key, has)}"
    return place


def _by_record(
    standings: Standings,
    here: list[int],
    on: set[int],
    with_record: set[int],
    asked: str,
    top: int | None,
) -> Advancing:
    points = keys(standings.book)[0]
    best = "" if top is None else f"the best {top}"
    last = max((at for at, player in enumerate(here) if player in on), default=-1)
    verdicts = []
    for at, player in enumerate(here):
        have = f"{standings.value(points, player)} points"
        if player in on and player in with_record:
            why = f"{have}: {asked}"
        elif player in on:
            why = f"place {at + 1}, among {best}; {have}"
        else:
            why = f"place {at + 1}, {have}: {' or '.join(w for w in (asked, best) if w)} go on"
        verdicts.append(Verdict(player, player in on, why, _near(at, last + 1)))
    line = f"{asked} ({counted(len(with_record), 'player')})" + (f", or {best}" if best else "")
    return Advancing(verdicts, line)


def _has_record(standings: Standings, enter: Enter, player: int, rounds: int) -> bool:
    """PK-A18: enough points, or few enough losses."""
    if enter.losses is not None and enter.counted != "points":
        own = record(standings, player)
        return own["losses"] <= enter.losses and (enter.counted == "losses" or not own["draws"])
    asked = points_asked(standings.book, enter, rounds)
    have = standings.value(keys(standings.book)[0], player)
    return asked is not None and have is not None and have >= asked
