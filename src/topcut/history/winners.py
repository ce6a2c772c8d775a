"""Can these players have won a table at which everybody has a score, and was a tie broken as the rules say?

The counts that break a tie are on record and are no part of any score (AL-11).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from topcut.errors import BadInput
from topcut.history.model import Table
from topcut.rulebook.model import Match
from topcut.rulebook.planning.words import both, either

MOST_COUNT = 10**9
Name = Callable[[str], str]


def quoted(player_id: str) -> str:
    """A player as a file has them."""
    return f'"{player_id}"'


def check_winners(table: Table, scores: Mapping[str, int], match: Match, place: str, name: Name) -> None:
    """Refuse winners who cannot have won with these scores; nobody winning is always possible (AL-9).

    `scores` are those that count: 0 for whoever was eliminated (AL-8).
    """
    top = max(scores.values())
    eliminated = table.eliminated or ()
    level = [player_id for player_id, score in scores.items() if score == top and player_id not in eliminated]
    tied = len(level) > 1
    winners = table.winners or ()
    for i, player_id in enumerate(winners):  # each of several must have the most (AL-7, AL-A10)
        if scores[player_id] < top:
            best = next(other for other, score in scores.items() if score == top)
            problem = f"{name(player_id)} won with {scores[player_id]}, but {name(best)} has {top}"
            raise BadInput(f"{problem}: expected the most at the table", place=f"{place}.winners[{i}]")
    target = match.target
    low = target is not None and top < target and not (tied and match.tie_below_target)  # AL-7, AL-A11
    if winners and low:
        tie = ", or a tie at the top" if match.tie_below_target else ""
        problem = f"{name(winners[0])} won with {top}: expected at least the target of {target}{tie}"
        raise BadInput(problem, place=f"{place}.winners[0]")
    counts, given_to = table.tie_counts or (), table.win_given_to
    if counts or given_to is not None:
        key = "tie_counts" if counts else "win_given_to"
        if not tied:
            raise BadInput(
                "nobody is level at the top: expected a tie that is broken", place=f"{place}.{key}"
            )
        if low:
            problem = f"{both(map(name, level))} are level below the target of {target}: expected no winner"
            raise BadInput(problem, place=f"{place}.{key}")
        _check_tie(table, level, match, place, name)


def _check_tie(table: Table, level: list[str], match: Match, place: str, name: Name) -> None:
    """AL-10: counted in steps among those still level; then all of them win, or the one given the win."""
    left = _left(table.tie_counts or (), level, match, place, name)
    reason = "who had the most in the last count"
    if len(left) > 1:
        reason = "who are level in all counts (or one of them, in win_given_to too)"
    if (given_to := table.win_given_to) is not None:
        if len(left) == 1:
            problem = f"{name(left[0])} alone had the most in the last count: expected no win to be given"
            raise BadInput(problem, place=f"{place}.win_given_to")
        if given_to not in left:
            problem = f"{name(given_to)} is not among those still level: expected {either(map(name, left))}"
            raise BadInput(problem, place=f"{place}.win_given_to")
        left, reason = [given_to], "to whom the win was given"
    if set(table.winners or ()) != set(left):
        raise BadInput(f"expected {both(map(name, left))}, {reason}", place=f"{place}.winners")


def _left(
    counts: tuple[dict[str, int], ...], level: list[str], match: Match, place: str, name: Name
) -> list[str]:
    """Those still level after these counts, each of which the rules call for."""
    called_for = match.tie_counts
    if len(counts) > len(called_for):
        most = f"at most these: {', '.join(called_for)}" if called_for else "none in this ruleset"
        raise BadInput(f"too many counts: expected {most}", place=f"{place}.tie_counts")
    left = level
    for i, count in enumerate(counts):
        at = f"{place}.tie_counts[{i}]"
        if len(left) == 1:
            problem = f"{name(left[0])} alone had the most in the count before: expected no further one"
            raise BadInput(problem, place=at)
        if set(count) != set(left):
            those = both(map(name, left))
            raise BadInput(f"expected a number for each of those still level: {those}", place=at)
        if min(count.values()) < 0 or max(count.values()) > MOST_COUNT:
            raise BadInput(f"expected numbers from 0 to {MOST_COUNT:,}", place=at)
        left = [player_id for player_id in left if count[player_id] == max(count.values())]
    if counts and len(left) > 1 and len(counts) < len(called_for):
        following = called_for[len(counts)]
        problem = f"{both(map(name, left))} are still level: expected the next count, {following}"
        raise BadInput(problem, place=f"{place}.tie_counts")
    return left
