"""Percentages that stay as they were when a player left."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.builders import ids_in_order, played, standings, value
from tests.proves import proves
from topcut.rulebook import load
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


TWO_DAYS = ("A beats B, C beats D", "A beats C, B beats D", "A beats C, E bye")
"""Two rounds, a cut that D misses and that B drops before, and a round of the second day."""


@proves("MTR-A3")
def test_two_day_events_keep_the_percentages_of_players_who_missed_the_second_day() -> None:
    """D met C (1 of 2 on day one, 1 of 3 in the end) and B (1 of 2).

    Over both days that is (1/3 + 1/2) / 2 = 5/12; at the end of day one it was (1/2 + 1/2) / 2 = 1/2.
    """
    event = played("mtr", *TWO_DAYS, cut={"D": 2, "B": 2})
    assert value(standings(event), "omw", "D") == "5/12"
    event = played("mtr", *TWO_DAYS, cut={"D": 2, "B": 2}, readings={"MTR-A3": "b"})
    assert value(standings(event), "omw", "D") == "1/2"


def test_a_drop_on_the_first_day_freezes_at_its_end() -> None:
    """B drops after round 1 of two; by then A (whom B met) had won both rounds of day one.

    A wins, wins and loses: 1 after round 1, 1 after round 2, 2/3 after round 3.
    C, who stays to the end, met A too: nothing of C's is frozen.
    """
    rounds = ("A beats B, C beats D", "A beats C, D bye", "C beats A")
    event = played("mtr", *rounds, dropped={"B": 1}, cut={"D": 2}, readings={"MTR-A3": "b"})
    found = standings(event)
    assert value(found, "omw", "B") == "1"
    assert value(found, "omw", "C") == str((Fraction(1, 2) + Fraction(2, 3) * 2) / 3)
    said = explain_standing(found, found.history.index["B"])
    assert any("frozen after round 2, when the next stage began without B:" in line for line in said)
    said = explain_standing(found, found.history.index["D"])
    assert any("frozen after round 2, when D missed the cut:" in line for line in said)
    frozen = played("mtr", *rounds, dropped={"B": 1}, readings={"MTR-A3": "b"})
    assert value(standings(frozen), "omw", "B") == "2/3"  # no cut: no stage ended


def test_a_drop_on_the_second_day_freezes_nothing() -> None:
    """A drops after round 3 of four; B, whom A met in round 1, wins round 4."""
    rounds = ("A beats B, C beats D", "A beats C, B beats D", "C beats A, B bye", "B beats C")
    event = played("mtr", *rounds, dropped={"A": 3}, cut={"D": 2}, readings={"MTR-A3": "b"})
    plain = played("mtr", *rounds, dropped={"A": 3}, cut={"D": 2})
    assert value(standings(event), "omw", "A") == value(standings(plain), "omw", "A")


@pytest.mark.parametrize(
    ("rules", "freeze"), [("mtr", "never"), ("pokemon-tom", "at the drop"), ("pokemon-2017", "never")]
)
def test_freezing_is_a_value_of_the_book(rules: str, freeze: str) -> None:
    assert load(rules).standings.opponents_freeze == freeze
    if rules == "mtr":
        assert load(rules, {"MTR-A3": "b"}).standings.opponents_freeze == "at the end of the stage"
