"""Percentages that stay as they were when a player left."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.builders import ids_in_order, played, standings, value
from topcut.standings.explain import explain_standing


def test_tom_keeps_the_percentages_of_a_player_who_dropped() -> None:
    """B drops after round 2, when A had won 2 of 2 and D none of 2; A loses later, D wins twice.

    B's own values stay 5/8 and 1/2; in A's oowp B counts with (2/3 + 1/2) / 2.
    """
    rounds = ("A beats B, C beats D", "A beats C, B beats D", "D beats A, C bye", "D beats C, A bye")
    found = standings(played("pokemon-tom", *rounds, dropped={"B": 2}))
    assert [value(found, key, "B") for key in ("owp", "oowp")] == ["5/8", "1/2"]
    assert value(found, "oowp", "A") == str((Fraction(7, 12) + Fraction(5, 9) + Fraction(11, 24)) / 3)
    assert value(standings(played("pokemon-tom", *rounds)), "owp", "B") == "7/12"


def test_no_key_puts_a_player_lower_for_having_dropped() -> None:
    """A and B have a win and a loss each; A met C, who won once, and B met D, who never did."""
    rounds = ("A beats C, B beats D, X ties Y", "X beats A, Y beats B, C beats D")
    found = standings(played("pokemon-tom", *rounds, dropped={"A": 2}))
    assert [player_id for player_id in ids_in_order(found) if player_id in "AB"] == ["A", "B"]
    assert [value(found, "owp", player_id) for player_id in "AB"] == ["5/8", "1/2"]


@pytest.mark.parametrize(
    ("left", "last", "said"),
    [
        ("dropped", 2, "after round 2, when P dropped"),
        ("disqualified", 1, "after round 1, when P was disqualified"),
        ("dropped", 0, "before round 1, when P dropped"),
    ],
)
def test_a_page_says_when_percentages_froze(left: str, last: int, said: str) -> None:
    """P leaves; round 3 is played without them."""
    rounds = ["P beats Q", "P beats R", "Q beats R"]
    if last < 2:
        rounds[last:2] = ["Q ties S"] * (2 - last)
    about: dict[str, Any] = {left: {"P": last}}
    found = standings(played("pokemon-tom", *rounds, players="P", **about))
    assert explain_standing(found, found.history.index["P"]).count(f"  frozen {said}:") == 2
    assert not any(
        "frozen" in line
        for line in explain_standing(found, found.history.index["Q"])
        if "(own value" not in line
    )
