"""Tables of four that report only who won, worked out by hand, with a page of `--explain`."""

from __future__ import annotations

from tests.builders import ids_in_order, played, standings, value
from tests.standings.test_explain_pages import lines, page
from topcut.formats.event_file import Event
from topcut.standings.document import build_rows


def four_at_a_table() -> Event:
    return played("commander-4", "a beats b c d, e ties f g", "e beats a f g, b both-lose c d")


def test_points_and_what_the_opponents_did() -> None:
    """Points: e 1 + 5, a 5, f and g 1. Won of played: a and e 1/2, all others 0, which counts as 1/6.

    e met f and g twice and a: (4 × 1/6 + 1/2) / 5 and (4 × 1 + 5) / 5. f met e and g twice, and a; b met c
    and d twice, and a. a met everybody once.
    """
    found = standings(four_at_a_table())
    table = [
        (
            player_id,
            *(value(found, key, player_id) for key in ("points", "opponents_wins", "opponents_points")),
        )
        for player_id in ids_in_order(found)
    ]
    assert table == [
        ("e", "6", "7/30", "9/5"),
        ("a", "5", "2/9", "4/3"),
        ("f", "1", "11/30", "19/5"),
        ("g", "1", "11/30", "19/5"),
        ("b", "0", "7/30", "1"),
        ("c", "0", "7/30", "1"),
        ("d", "0", "7/30", "1"),
    ]
    assert [row["rank"] for row in build_rows(found)] == [1, 2, 3, 3, 5, 5, 5]


def test_rounds_that_were_missed_are_not_held_against_anybody() -> None:
    """L enters in round 2 and wins: 1 of 1. M is given a loss without a table: 1 of 2.

    d met M and c: (1/2 + 1/6) / 2. b met a twice, c and L: (1/2 + 1/2 + 1/6 + 1) / 4.
    """
    event = played("commander-4", "a beats b c, M loss", "L beats a b, M beats c d", entered={"L": 2})
    found = standings(event)
    assert value(found, "opponents_wins", "d") == "1/3"
    assert value(found, "opponents_wins", "M") == "1/6"
    assert value(found, "opponents_wins", "b") == "13/24"


def test_a_player_who_met_nobody_has_the_floor() -> None:
    found = standings(played("commander-4", "a beats b c, d loss"))
    assert [value(found, key, "d") for key in ("opponents_wins", "opponents_points")] == ["1/6", "0"]


def test_a_page() -> None:
    assert page(standings(four_at_a_table()), "f") == lines("""
        f: rank 3 of 7 after round 2

          round 1: no winner with g, e
          round 2: did not win against g, e, a

        Points (points; the most points come first)
          1 + 0 = 1

        Opponents' win % (opponents_wins; the mean of all opponents, each meeting counted)
          round 1 g: 0 of 2 = 0, counts as 1/6 (minimum)
          round 1 e: 1 of 2 = 1/2
          round 2 g: 0 of 2 = 0, counts as 1/6 (minimum)
          round 2 e: 1 of 2 = 1/2
          round 2 a: 1 of 2 = 1/2
          (1/6 + 1/2 + 1/6 + 1/2 + 1/2) / 5 = 11/30 = 36.67%

        Opponents' points (opponents_points; the mean of all opponents, each meeting counted)
          round 1 g: 1 + 0 = 1
          round 1 e: 1 + 5 = 6
          round 2 g: 1 + 0 = 1
          round 2 e: 1 + 5 = 6
          round 2 a: 5 + 0 = 5
          (1 + 6 + 1 + 6 + 5) / 5 = 19/5 = 3.80

        Below a by Points: 1 against 5.
        Tied with g on every tiebreaker.
    """)
