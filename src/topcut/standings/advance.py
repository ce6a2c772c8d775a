"""Decide who goes on to the next stage, and why: a cut on the standings.

The book says what it takes (`Enter`): a place among the best, a record, or either of them; from everybody,
or the same number from each flight. Where players share the last place a lot decides.
The next in line take the places of players who left before the stage began, where the book says so.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from topcut.lots import draw_lot
from topcut.rulebook.layout import Enter
from topcut.rulebook.planning.stages import describe_record_needed, find_points_needed
from topcut.standings.document import count_record, format_value, list_key_labels
from topcut.standings.rank import Standings
from topcut.text.messages import ordinal
from topcut.text.phrases import plural

NEAR = 3
"""Players on each side of the line who are told what put them there."""


@dataclass(frozen=True)
class CutVerdict:
    """One player at the cut."""

    player: int
    on: bool
    why: str
    near: bool


@dataclass(frozen=True)
class Replacement:
    """A player who would have gone on and left, and who takes the place."""

    left: int
    player: int | None
    """None where nobody is left in line."""
    says: str


@dataclass(frozen=True)
class CutDecision:
    """A cut: all players who were in the running, from the top, with a reason each."""

    verdicts: list[CutVerdict]
    requirement: str
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
        return _decide_by_place(standings, everyone, top, gone)
    with_record = {player for player in everyone if _has_record(standings, enter, player, rounds)}

    def inside(line: list[int]) -> set[int]:
        record = with_record.intersection(line)
        best = set(line[:top]) if top is not None else set[int]()
        if enter.either == "larger":  # PK-55, PK-A19
            return record if len(record) > len(best) else best
        return record | best

    found = _decide_by_record(standings, here, inside(here), with_record.intersection(here), asked, top)
    without = _find_replacements(standings, everyone, inside(everyone), inside(here), gone)
    return replace(found, moved_up=tuple(moved for moved in without if moved.player is not None))


def apply_cut_to_flights(
    standings: Standings,
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
        flight = _decide_by_place(own, order_players(own, players), each, gone)
        for verdict in flight.verdicts:
            found[verdict.player] = replace(verdict, why=f"{name}: {verdict.why}")
        moved_up += [replace(moved, says=f"{name}: {moved.says}") for moved in flight.moved_up]
    line = f"the best {each} of each of {plural(len(groups), 'flight')}"
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
    standings: Standings, everyone: list[int], number: int, gone: Collection[int] = ()
) -> CutDecision:
    """Let the first `number` players go on who are not `gone`."""
    here = [player for player in everyone if player not in gone]
    moved_up = _find_replacements(standings, everyone, set(everyone[:number]), set(here[:number]), gone)
    says = {moved.left: moved.says for moved in moved_up}
    instead_of = {moved.player: standings.history.players[moved.left].shown_name for moved in moved_up}
    position = {player: at for at, player in enumerate(here)}
    verdicts = []
    for place, player in enumerate(everyone, start=1):
        why = f"place {place}"
        if player in gone:
            why += f"; {says.get(player, 'had left')}"
            verdicts.append(CutVerdict(player, False, why, near=player in says))
            continue
        at = position[player]
        why += _compare_with_line(standings, here, at, number)
        if player in instead_of:
            why += f"; takes the place of {instead_of[player]}"
        verdicts.append(CutVerdict(player, at < number, why, _is_near(at, number)))
    still_there = " who are still there" if len(here) < len(everyone) else ""
    return CutDecision(verdicts, f"the best {number} of {len(here)}{still_there}", moved_up)


def _find_replacements(
    standings: Standings, everyone: list[int], planned: set[int], on: set[int], gone: Collection[int]
) -> tuple[Replacement, ...]:
    """Match players who were planned and are gone with players who go on and were not planned."""
    leaving = [player for player in everyone if player in planned and player in gone]
    risen = [player for player in everyone if player in on and player not in planned]
    history = standings.history
    found = []
    for left, player in zip_longest(leaving, risen[: len(leaving)]):
        out = history.disqualified[left] <= history.rounds
        says = f"{history.players[left].shown_name} {'was disqualified' if out else 'left'}"
        if player is None:
            says += ", and nobody is next in line"
        else:
            name = history.players[player].shown_name
            says += f"; {name}, {ordinal(everyone.index(player) + 1)}, takes the place"
        found.append(Replacement(left, player, says))
    return tuple(found)


def _is_near(at: int, number: int) -> bool:
    return abs(at + 0.5 - number) < NEAR


def _compare_with_line(standings: Standings, here: list[int], at: int, number: int) -> str:
    """Return, near the line, which key put the player at a position inside or outside; else nothing."""
    if number >= len(here) or not _is_near(at, number):
        return ""
    inside = at < number
    mine, other = here[at], here[number if inside else number - 1]
    against = "the first outside" if inside else "the last inside"
    if standings.rank(mine) == standings.rank(other):
        return f", level with {against}: a lot decided"
    for key, label in list_key_labels(standings):
        have, has = standings.value(key, mine), standings.value(key, other)
        if have is not None and has is not None and have != has:
            mine_shown, other_shown = (format_value(standings, key, value) for value in (have, has))
            return f"; {label} {mine_shown}, {against} {other_shown}"
    return ""


def _decide_by_record(
    standings: Standings, here: list[int], on: set[int], with_record: set[int], asked: str, top: int | None
) -> CutDecision:
    best = "" if top is None else f"the best {top}"
    last = max((at for at, player in enumerate(here) if player in on), default=-1)
    verdicts = []
    for at, player in enumerate(here):
        have = f"{standings.points(player)} points"
        if player in on and player in with_record:
            why = f"{have}: {asked}"
        elif player in on:
            why = f"place {at + 1}, among {best}; {have}"
        else:
            why = f"place {at + 1}, {have}: {' or '.join(filter(None, (asked, best)))} go on"
        verdicts.append(CutVerdict(player, player in on, why, _is_near(at, last + 1)))
    line = f"{asked} ({plural(len(with_record), 'player')})" + (f", or {best}" if best else "")
    return CutDecision(verdicts, line)


def _has_record(standings: Standings, enter: Enter, player: int, rounds: int) -> bool:
    """Return whether a player has enough points, or few enough losses (PK-A18)."""
    if enter.losses is not None and enter.counted != "points":
        own = count_record(standings, player)
        return own["losses"] <= enter.losses and (enter.counted == "losses" or not own["draws"])
    asked = find_points_needed(standings.book, enter, rounds)
    have = standings.points(player)
    return asked is not None and have is not None and have >= asked
