"""Is there always a next round? Almost everybody meets everybody in small events, and nobody gets stuck."""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.pairing.random_swiss_events import PLAIN, Habits, unfolding
from tests.tiers import SOAK, effort

FIRST_SEED = os.urandom(8).hex() if SOAK else "always alike"
SIZES = range(6, 13)
EVENTS = {size: effort(8, 40 if size < 11 else 20, 300) for size in SIZES}
DRAWS_TOO = Habits(draw=0.2)


def dead_ends(size: int, look_ahead: bool = True, rules: str = "mtr") -> list[str]:
    """The seeds of those events, each one round short of everybody against everybody, that got stuck."""
    stuck = []
    for number in range(EVENTS[size]):
        seed = f"{FIRST_SEED}/{size}/{number}"
        habits = DRAWS_TOO if number % 2 else PLAIN
        rounds = unfolding(Random(seed), rules, size, planned=size - 1, habits=habits, look_ahead=look_ahead)
        answers = [stage.answer for stage in rounds]
        assert len(answers) == size - 1
        costs = [answer["cost"] for answer in answers if answer is not None]
        if any(cost["rematches"] or cost["second_byes"] for cost in costs):
            stuck.append(seed)
    return stuck


@pytest.mark.parametrize("size", SIZES)
def test_nobody_meets_twice_and_nobody_has_two_byes(size: int) -> None:
    assert dead_ends(size) == []


@pytest.mark.large
@pytest.mark.parametrize("size", [6, 8, 12])
def test_without_looking_ahead_some_events_get_stuck(size: int) -> None:
    """So the test above would see it."""
    assert dead_ends(size, look_ahead=False)
