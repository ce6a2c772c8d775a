"""Count the rematches, pair-downs, cross-division matches and byes of a round."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from topcut.errors import Impossible
from topcut.history import History
from topcut.history.divisions import division_of
from topcut.history.model import Table
from topcut.stages.progress import Progress
from topcut.stages.stage_types import prepare_swiss_round
from topcut.text.messages import Message, say


@dataclass(frozen=True)
class PairingCounts:
    """How many tables of each kind a round has."""

    rematches: int = 0
    pair_downs: int = 0
    cross_division: int = 0
    byes: int = 0


def count_pairings(progress: Progress, tables: Sequence[Table]) -> PairingCounts:
    """Count the tables of a round; `progress`: the event as it was before the round."""
    history, index = progress.history, progress.history.index
    byes = sum(len(table.players) == 1 and not table.loss for table in tables)
    if not progress.draws_next:  # a schedule or a bracket says who meets
        return PairingCounts(byes=byes)
    seated = [[index[player] for player in table.players] for table in tables]
    points = find_points(progress)
    several = any(part.mixed for part in progress.running)
    divisions = [division_of(player, progress.book) for player in history.players] if several else []
    return PairingCounts(
        rematches=sum(any(True for _ in find_rematches(history, seats)) for seats in seated),
        pair_downs=sum(points is not None and is_pair_down(points, seats) for seats in seated),
        cross_division=sum(several and len({divisions[seat] for seat in seats}) > 1 for seats in seated),
        byes=byes,
    )


def find_rematches(history: History, seats: Sequence[int]) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Yield players of a table who have sat together before, and the rounds in which exactly these did."""
    rounds: dict[tuple[int, ...], list[int]] = {}
    meetings = {seat: set(history.met(seat)) for seat in seats}
    for r in sorted({r for met in meetings.values() for r, _ in met}):
        left = list(seats)
        while left:  # all who sat at one table met each other there
            first = left[0]
            group = tuple(seat for seat in left if seat == first or (r, seat) in meetings[first])
            left = [seat for seat in left if seat not in group]
            if len(group) > 1:
                rounds.setdefault(group, []).append(r + 1)
    yield from rounds.items()


def find_points(progress: Progress) -> Callable[[int], Fraction] | None:
    """Return a function to a player's points before the round; None where the round is not paired by them."""
    try:
        draw = prepare_swiss_round(progress) if progress.running else None
    except Impossible:
        return None
    return None if draw is None else lambda seat: Fraction(int(draw.points[seat]), draw.unit)


def is_pair_down(points: Callable[[int], Fraction], seats: Sequence[int]) -> bool:
    """Return whether two players with different points sit at a table."""
    return len(seats) == 2 and points(seats[0]) != points(seats[1])


def compare_counts(now: PairingCounts, then: PairingCounts, byes: bool = True) -> list[Message]:
    """Return in words the counts that are not 0 before and after a change; `byes`: also the byes.

    >>> compare_counts(PairingCounts(pair_downs=5, byes=1), PairingCounts(pair_downs=2, byes=1))
    ['Pair-downs: 2 (was 5).', 'Byes: 1.']
    """
    found = []
    if now.rematches or then.rematches:
        found.append(
            say("Rematches: {number}.", number=then.rematches)
            if now.rematches == then.rematches
            else say("Rematches: {number} (was {before}).", number=then.rematches, before=now.rematches)
        )
    if now.pair_downs or then.pair_downs:
        found.append(
            say("Pair-downs: {number}.", number=then.pair_downs)
            if now.pair_downs == then.pair_downs
            else say("Pair-downs: {number} (was {before}).", number=then.pair_downs, before=now.pair_downs)
        )
    if now.cross_division or then.cross_division:
        new, old = then.cross_division, now.cross_division
        found.append(
            say("Cross-division matches: {number}.", number=new)
            if new == old
            else say("Cross-division matches: {number} (was {before}).", number=new, before=old)
        )
    if byes and (now.byes or then.byes):
        found.append(
            say("Byes: {number}.", number=then.byes)
            if now.byes == then.byes
            else say("Byes: {number} (was {before}).", number=then.byes, before=now.byes)
        )
    return found
