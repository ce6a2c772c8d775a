"""Any table of scores is sound by the plainest reading of AL-7 to AL-11, or refused in one line."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.history.test_multiplayer import AL, PLACE, result
from topcut.errors import BadInput
from topcut.history import Table
from topcut.rulebook import Book


def a_table(random: Random) -> tuple[Table, Book]:
    """A table and the book that it is held against: now sound, now not."""
    ids = "abcd"[: random.choice([3, 4])]
    choices = random.choice([[20], [20, 19], [20, 19, 21, 0, -1]])
    scores = {player_id: random.choice(choices) for player_id in ids}
    eliminated = [player_id for player_id in ids if random.random() > 0.85]
    scores.update({player_id: random.choice([0, 30]) for player_id in eliminated})
    final = {player_id: 0 if player_id in eliminated else scores[player_id] for player_id in ids}
    left = level = [
        player_id
        for player_id in ids
        if final[player_id] == max(final.values()) and player_id not in eliminated
    ]
    counts: list[dict[str, int]] = []
    for _ in range(random.choice([0, 0, 1, 2, 2, 3])):
        of = left if random.random() > 0.05 else random.sample(ids, random.randint(0, len(ids)))
        tokens = random.choice([[4], [4, 3], [4, 3, 5, -1]])
        counts.append({player_id: random.choice(tokens) for player_id in of})
        left = [
            player_id
            for player_id in left
            if counts[-1].get(player_id) == max(counts[-1].values(), default=0)
        ]
    winners = random.choice([left, left, left[:1], level[:1], [], random.sample(ids, random.randint(0, 2))])
    given_to = random.choice([None, None, None, *winners[:1], random.choice(ids)])
    table = Table(
        players=tuple(ids),
        scores=tuple(scores.values()),
        winners=tuple(winners),
        eliminated=tuple(eliminated),
        tie_counts=tuple(counts) if counts or random.random() > 0.5 else None,
        win_given_to=given_to,
    )
    match = replace(AL.match, target=random.choice([20, None, 21]), tie_below_target=random.random() > 0.7)
    return table, replace(AL, match=match)


def sound(table: Table, target: int | None, tie_below: bool) -> bool:
    """Whether AL-7 to AL-11 allow it, in the plainest words."""
    out = set(table.eliminated or ())
    scores = {
        player_id: 0 if player_id in out else s
        for player_id, s in zip(table.players, table.scores or (), strict=True)
    }
    winners, best = set(table.winners or ()), max(scores.values())
    left = {player_id for player_id in scores if player_id not in out and scores[player_id] == best}
    reached = target is None or best >= target or (tie_below and len(left) >= 2)
    if not winners <= left or (winners and not reached):
        return False
    counts, given_to = table.tie_counts or (), table.win_given_to
    if len(counts) > 2:
        return False
    for count in counts:
        if not reached or len(left) < 2 or set(count) != left or min(count.values()) < 0:
            return False
        left = {player_id for player_id in left if count[player_id] == max(count.values())}
    if given_to is not None:
        return (
            reached
            and len(left) >= 2
            and given_to in left
            and winners == {given_to}
            and len(counts) in (0, 2)
        )
    return not counts or (winners == left and (len(left) == 1 or len(counts) == 2))


def judged(random: Random) -> tuple[str, Table]:
    """What became of a table, once it is sure that it should have."""
    table, book = a_table(random)
    if not sound(table, book.match.target, book.match.tie_below_target):
        with pytest.raises(BadInput) as refused:
            result(table, book)
        assert str(refused.value).startswith(f"{PLACE}.")
        assert str(refused.value).isprintable()
        return f"refused: {refused.value.place.removeprefix(PLACE)}", table
    out, winners = table.eliminated or (), table.winners or ()
    for player_id, written, found in zip(table.players, table.scores or (), result(table, book), strict=True):
        outcome = "WIN" if player_id in winners else "LOSS" if winners else "DRAW"
        assert found == (outcome, 0 if player_id in out else written)
    return "accepted", table


@given(st.randoms(use_true_random=False))
def test_any_table_is_sound_or_refused_in_one_line(random: Random) -> None:
    judged(random)


def test_many_tables_hold_what_is_rare() -> None:
    happened: Counter[str] = Counter()
    for number in range(3000):
        verdict, table = judged(Random(number))
        happened[verdict] += 1
        if verdict == "accepted":
            happened["counts"] += bool(table.tie_counts)
            happened["two counts"] += len(table.tie_counts or ()) == 2
            happened["given"] += table.win_given_to is not None
            happened["given after counts"] += table.win_given_to is not None and bool(table.tie_counts)
            happened["two winners"] += len(table.winners or ()) > 1
    wanted = ["counts", "two counts", "given", "given after counts", "two winners", "accepted"]
    wanted += [
        f"refused: .{key}" for key in ("winners", "winners[0]", "tie_counts", "tie_counts[0]", "win_given_to")
    ]
    assert [what for what in wanted if happened[what] < 10] == [], happened
