"""What an event offers to do next is possible, whatever the number of players."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from topcut.event.next_steps import find_next_steps


@pytest.mark.parametrize(
    ("players", "steps"),
    [
        (0, ["add"]),
        (3, ["add"]),
        (5, ["add"]),
        (6, ["pair", "add"]),
        (8, ["pair", "add"]),
        (9, ["drop"]),
    ],
)
def test_a_chart_is_offered_to_as_many_players_as_it_seats(players: int, steps: list[str]) -> None:
    """DS-3: eight seats, of which two may stay empty."""
    assert find_next_steps(Running("draft-sheet", players).state) == steps
