"""DS: the one-page sheet for a draft of eight players, rule by rule."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from tests.pairing.certificate_checks import enumerate_uniform
from tests.proves import proves
from tests.sources.outside import (
    assert_drawn,
    decided_by,
    desk_standings,
    drawn,
    event,
    finish,
    in_order,
    pair,
    parameter,
    plan,
    printed,
    ranks,
    refused,
    running,
    seated,
    shown,
    start,
    table_of,
    tables,
    unplanned,
    value,
    with_table,
)

DS = "draft-sheet"
FIRST = "1 beats 5, 2 beats 6, 3 beats 7, 4 beats 8"
SECOND = "1 beats 3, 2 beats 4, 5 beats 7, 6 beats 8"
A_DRAWN = FIRST.replace("1 beats 5", "1 ties 5")


def pod(*rounds: str, players: int = 8, **about: Any) -> dict[str, Any]:
    """Players 1 to 8 in the seats of these numbers."""
    seats = {str(seat): seat for seat in range(1, players + 1)}
    return event(DS, *rounds, players=" ".join(seats), seat=seats, **about)


def the_sheet() -> dict[str, Any]:
    """DS-T2: seats 1 Derek, 2 Ana, 3 Mariano, 4 Carl, 5 Bernie, 6 Finn, 7 Zed, 8 Hugo."""
    return event(
        DS,
        "Derek 2-1 Bernie, Ana 2-0 Finn, Mariano 2-0 Zed, Carl 2-1 Hugo",
        "Derek 2-1 Mariano, Ana 2-0 Carl, Bernie 2-1 Zed, Finn 2-1 Hugo",
        "Ana 2-1 Derek, Mariano 2-0 Carl, Bernie 2-0 Finn, Hugo 2-0 Zed",
    )


# Structure and chart


@proves("DS-1")
def test_eight_players_three_rounds_best_of_three_in_fifty_minutes() -> None:
    assert plan(DS, 8)["rounds"] == 3
    assert parameter(DS, "match.best_of") == 3
    assert parameter(DS, "match.round_minutes.default") == 50
    assert "DS-1: All 3 planned Swiss rounds are played" in refused("pair", file=the_sheet())
    assert "the chart is for 6 to 8 players, not 9; for other numbers choose a ruleset" in unplanned(DS, 9)


@proves("DS-1", "DS-10")
def test_the_clock_of_a_round_starts_with_fifty_minutes(tmp_path: Path) -> None:
    shop = running(tmp_path, DS, 8)
    start(shop)
    assert "Round 1 starts (50 minutes)." in shop("log").out


@proves("DS-2")
def test_seats_are_drawn_and_every_seat_is_as_likely() -> None:
    file = event(DS, players="a b c d e f g h")
    answer = pair(file)
    assert sorted(answer["seats"].values()) == [1, 2, 3, 4, 5, 6, 7, 8]
    by_seat = {seat: player for player, seat in answer["seats"].items()}
    assert seated(answer) == {frozenset(by_seat[seat] for seat in (n, n + 4)) for n in (1, 2, 3, 4)}
    counts = Counter(pair(file, str(seed))["seats"]["a"] for seed in range(200))
    assert enumerate_uniform(counts, {*range(1, 9)}, 200) > 0.001


@proves("DS-3")
def test_round_1_is_by_seats() -> None:
    answer = pair(pod())
    assert [(*table["players"], table["why"]) for table in answer["tables"]] == [
        ("1", "5", ["table A of the chart"]),
        ("2", "6", ["table B of the chart"]),
        ("3", "7", ["table C of the chart"]),
        ("4", "8", ["table D of the chart"]),
    ]


@proves("DS-4", "DS-6")
def test_round_2_winners_meet_winners_and_losers_losers() -> None:
    for results in product(*map(permutations, ("15", "26", "37", "48"))):
        (a, x), (b, y), (c, z), (d, w) = results
        assert seated(pair(pod(", ".join(map(" beats ".join, results))))) == tables(
            f"{a}{c} {b}{d} {x}{z} {y}{w}"
        )


@proves("DS-5", "DS-6", "DS-7")
def test_round_3_crosses_the_halves_so_that_no_players_meet_again() -> None:
    met = tables("15 26 37 48") | tables("13 24 57 68")
    for results in product(*map(permutations, ("13", "24", "57", "68"))):
        (e, i), (f, j), (g, k), (h, m) = results
        third = seated(pair(pod(FIRST, ", ".join(map(" beats ".join, results)))))
        assert third == tables(f"{e}{f} {i}{j} {g}{h} {k}{m}")
        assert not third & met


@proves("DS-7", "DS-12")
def test_drawn_places_make_no_rematch_either() -> None:
    for text in ("1 ties 5", "2 ties 6", "3 ties 7", "4 ties 8"):
        one, _, other = text.split()
        for found in drawn(pod(FIRST.replace(f"{one} beats {other}", text))):
            assert not found & tables("15 26 37 48")


@pytest.mark.large
@proves("DS-8")
def test_the_printed_sheet_has_every_field_of_the_original(tmp_path: Path) -> None:
    text = printed("sheet", the_sheet(), tmp_path)
    assert "rank name round 1 round 2 round 3 matches games points deck first pick" in text
    assert "round 1 A seat 1 Derek 2 seat 5 Bernie 1 B seat 2 Ana 2 seat 6 Finn 0" in text
    assert "2 Derek 2–1 2–1 1–2 2–1 5–4 6" in text


# Results of matches


@proves("DS-9")
@pytest.mark.parametrize(
    ("games", "first", "second"), [("2-0", 3, 0), ("2-1", 3, 0), ("1-0", 3, 0), ("1-1", 1, 1), ("0-0", 1, 1)]
)
def test_more_games_win_the_match_and_equal_games_draw_it(games: str, first: int, second: int) -> None:
    file = event(DS, f"A {games} B")
    assert (value(file, "points", "A"), value(file, "points", "B")) == (str(first), str(second))


@proves("DS-9")
def test_nobody_wins_three_games_of_three(tmp_path: Path) -> None:
    shop = running(tmp_path, DS, 8)
    start(shop)
    assert "3-0 isn't possible in best of 3" in shop("report", "1", "3-0", code=2).err


@pytest.mark.large
@proves("DS-10")
def test_the_sheet_says_what_happens_when_time_is_up(tmp_path: Path) -> None:
    assert "best of 3, 50 minutes, then 5 extra turns" in printed("sheet", pod(), tmp_path)


@proves("DS-10")
def test_players_may_not_agree_on_a_draw(tmp_path: Path) -> None:
    agreed = with_table(event(DS, "A 1-1 B"), 1, 1, intentional=True)
    assert "rounds[0].tables[0].intentional: intentional draws are not allowed here" in refused(
        "standings", file=agreed
    )
    shop = running(tmp_path, DS, 8)
    start(shop)
    assert "DS-10" in shop("report", "1", "id", code=2).err


@proves("DS-11", "DS-T4")
@pytest.mark.parametrize(
    ("result", "points_per_game"),
    [
        ("A 1-1-1 B", "4/3"),  # the third game begun and not finished: 3 + 1 points of 3 games
        ("A 1-1 B", "3/2"),  # the third game never begun: 3 points of 2 games
        ("A 2-0 B", "3"),
        ("A bye", "0"),  # 0 of 0
    ],
)
def test_a_game_counts_if_it_was_begun(result: str, points_per_game: str) -> None:
    assert value(event(DS, result), "gp", "A") == points_per_game


# Draws and the chart


@proves("DS-12")
def test_after_one_draw_a_fair_lot_gives_the_two_places() -> None:
    assert_drawn(pod(A_DRAWN), "13 24 57 68", "53 24 17 68", times=400)
    assert_drawn(pod(FIRST, SECOND.replace("6 beats 8", "6 ties 8")), "12 34 56 78", "12 34 58 76", times=400)
    reasons = [why for table in pair(pod(A_DRAWN))["tables"] for why in table["why"] if "at random" in why]
    assert len(reasons) == 2


@proves("DS-13", "DS-T6", "DS-A10")
def test_the_two_who_drew_in_round_1_change_places_if_their_records_are_equal() -> None:
    assert_drawn(pod(A_DRAWN, SECOND), "52 34 16 78", times=20)
    both_lost = "3 beats 1, 2 beats 4, 7 beats 5, 6 beats 8"
    assert_drawn(pod(A_DRAWN, both_lost), "32 54 76 18", times=20)
    (why,) = [
        table["why"] for table in pair(pod(A_DRAWN, SECOND))["tables"] if table["players"] == ["5", "2"]
    ]
    assert "5 changed places with 1: they drew in round 1 and have the same record" in why


@proves("DS-13", "DS-T7")
def test_with_different_records_they_keep_their_places() -> None:
    assert_drawn(pod(A_DRAWN, "1 beats 3, 2 beats 4, 7 beats 5, 6 beats 8"), "12 34 76 58", times=20)


@proves("DS-A10")
def test_a_bye_is_a_win_when_records_are_compared() -> None:
    """3 left: 1 has a bye in round 2, 5 wins, and both have a win and a draw."""
    file = pod(A_DRAWN, "1 bye, 2 beats 4, 5 beats 7, 6 beats 8", dropped={"3": 1})
    assert_drawn(file, "52 4 16 78", times=20)


@proves("DS-14", "DS-15", "DS-A3", "DS-T8")
def test_two_draws_in_round_1_pair_the_whole_pod_by_record() -> None:
    """3 and 4 have three points, 7 and 8 none; 1 and 5, 2 and 6 have one and do not meet again."""
    file = pod("1 ties 5, 2 ties 6, 3 beats 7, 4 beats 8")
    assert_drawn(file, "34 78 12 56", "34 78 16 25")
    assert pair(file)["cost"] | {"score_gap_squared": 0, "rematches": 0} == pair(file)["cost"]


@proves("DS-14", "DS-A2")
def test_draws_in_two_rounds_are_multiple_draws_or_are_counted_round_by_round() -> None:
    file = pod(A_DRAWN, SECOND.replace("6 beats 8", "6 ties 8"))
    assert pair(file)["certificate"]["kind"] != "chart"
    assert pair(file, DS_A2="a")["certificate"]["kind"] == "chart"
    twice = pod("1 ties 5, 2 ties 6, 3 beats 7, 4 beats 8")
    assert pair(twice, DS_A2="a")["certificate"]["kind"] != "chart"


@proves("DS-15", "DS-A3")
def test_by_record_the_halves_of_the_chart_do_not_matter() -> None:
    """Two draws, one in each round: nobody meets again, within the halves of the chart or across them."""
    file = pod(A_DRAWN, "1 beats 3, 2 ties 4, 5 beats 7, 6 beats 8")
    for found in drawn(file):
        assert not found & (tables("15 26 37 48") | tables("13 24 57 68"))
    assert pair(file)["optimal"]


# Points, byes and the four keys


@proves("DS-16")
def test_a_win_is_three_points_a_draw_one_a_loss_none() -> None:
    file = event(DS, "A beats B, C ties D")
    assert [value(file, "points", player) for player in "ABCD"] == ["3", "0", "1", "1"]


@proves("DS-16", "DS-T3")
def test_without_draws_the_points_are_always_the_same() -> None:
    for first in product(*map(permutations, ("15", "26", "37", "48"))):
        one = ", ".join(map(" beats ".join, first))
        two = ", ".join(map(" beats ".join, (table["players"] for table in pair(pod(one))["tables"])))
        three = ", ".join(map(" beats ".join, (table["players"] for table in pair(pod(one, two))["tables"])))
        points = [int(row[1]) for row in table_of(pod(one, two, three), "points")]
        assert points == [9, 6, 6, 6, 3, 3, 3, 0]


@proves("DS-17", "DS-T4", "DS-T5")
def test_a_bye_is_a_win_without_an_opponent_and_without_games() -> None:
    """X met A with 9 points and B with none, who counts as 3: (9 + 3) / 2."""
    file = event(
        DS,
        "A beats X, D beats B, C bye",
        "X beats B, A beats C, D bye",
        "X bye, A beats D, C beats B",
    )
    assert (value(file, "points", "A"), value(file, "points", "B")) == ("9", "0")
    assert value(file, "points", "X") == "6"
    assert value(file, "omp", "X") == "6"
    with_games = event(DS, "A bye, B 2-1 C", "A 2-1 B, C bye")
    assert value(with_games, "gp", "A") == "2"  # six points of three games; the bye adds none


@proves("DS-18", "DS-A6")
def test_an_empty_place_of_the_chart_is_a_bye() -> None:
    answer = pair(pod(FIRST, dropped={"1": 1, "6": 1}))
    assert seated(answer) == tables("3 24 57 8")
    assert {table["players"][0] for table in answer["tables"] if table.get("bye")} == {"3", "8"}
    assert seated(pair(pod(FIRST, dropped={"1": 1, "3": 1}))) == tables("24 57 68"), (
        "two empty places: nobody plays"
    )


@proves("DS-18", "DS-17", "DS-A6")
@pytest.mark.parametrize(
    ("players", "first", "second", "third"),
    [(7, "15 26 37 4", "13 42 57 6", "14 32 65 7"), (6, "15 26 3 4", "13 42 5 6", "14 32 56")],
)
def test_seven_and_six_play_by_the_chart_with_empty_seats(
    players: int, first: str, second: str, third: str
) -> None:
    """The lower number of each table wins, and 4 beats 2; nobody has two byes."""
    rounds: list[str] = []
    for expected in (first, second, third):
        answer = pair(pod(*rounds, players=players))
        assert seated(answer) == tables(expected)
        texts = [text if len(text) == 1 else " beats ".join(text) for text in expected.split()]
        rounds.append(", ".join(f"{text} bye" if len(text) == 1 else text for text in texts))
    had = [text for turn in rounds for text in turn.split(", ") if text.endswith("bye")]
    assert len(had) == len(set(had)) == {7: 3, 6: 4}[players]


@proves("DS-A6")
def test_other_numbers_need_another_ruleset() -> None:
    assert "seat 8 stays empty" in " ".join(plan(DS, 7)["notes"])
    assert "for other numbers choose a ruleset" in unplanned(DS, 5)
    assert "not 7" in unplanned(DS, 7, DS_A6="b")


@proves("DS-19", "DS-20", "DS-21", "DS-T1")
def test_the_three_players_printed_on_the_sheet() -> None:
    """Mariano's opponents have 0, 6 and 3 points; 0 counts as 3: 12 / 3. Values are points, not percent."""
    six_points = [row for row in table_of(the_sheet(), "points", "omp", "gp") if row[1] == "6"]
    assert six_points == [
        ("Derek", "6", "7", "5/3"),
        ("Mariano", "6", "4", "15/7"),
        ("Bernie", "6", "4", "15/8"),
    ]


@proves("DS-16", "DS-19", "DS-20", "DS-T2")
def test_a_whole_event_around_them() -> None:
    """Zed's own points per game stay below the minimum; as an opponent (of Hugo) they count as one."""
    assert table_of(the_sheet(), "points", "omp", "gp", "ogp") == [
        ("Ana", "9", "4", "18/7", "11/9"),
        ("Derek", "6", "7", "5/3", "123/56"),
        ("Mariano", "6", "4", "15/7", "11/9"),
        ("Bernie", "6", "4", "15/8", "11/9"),
        ("Carl", "3", "6", "6/7", "29/14"),
        ("Finn", "3", "6", "6/7", "111/56"),
        ("Hugo", "3", "3", "3/2", "1"),
        ("Zed", "0", "5", "3/7", "103/56"),
    ]
    assert decided_by(the_sheet()) == ["points", "omp", "gp", "points", "ogp", "omp", "points", None]


@proves("DS-19", "DS-21", "DS-A7")
def test_the_minimum_of_an_opponent_is_a_third() -> None:
    """B has no points and won no game."""
    file = event(DS, "A 2-0 B")
    assert (value(file, "omp", "A"), value(file, "ogp", "A")) == ("3", "1")
    assert value(file, "gp", "B") == "0", "one's own value has no minimum"
    assert value(file, "ogp", "A", DS_A7="b") == "99/100"
    assert value(file, "ogp", "A", DS_A7="c") == "33/100"


@proves("DS-20", "DS-A1", "DS-A9")
def test_values_are_shown_as_points_or_percent_rounded_or_cut_off() -> None:
    """15 points of 7 games: 2.142857…, or 71.428… percent of three a game."""
    assert shown(the_sheet(), "gp", "Mariano") == "2.143"
    assert shown(the_sheet(), "gp", "Mariano", DS_A9="b") == "2.142"
    assert shown(the_sheet(), "omp", "Derek") == "7.000"
    assert shown(the_sheet(), "omp", "Derek", DS_A1="b").startswith("77.77")
    assert in_order(the_sheet(), DS_A1="b", DS_A9="b") == in_order(the_sheet())


@proves("DS-22", "DS-A5")
def test_players_equal_in_all_four_share_the_place_or_draw_lots() -> None:
    file = event(DS, "A 2-0 B, C 2-0 D")
    assert ranks(file) == {"A": 1, "C": 1, "B": 3, "D": 3}
    assert decided_by(file) == [None, "points", None, None]
    assert sorted(ranks(file, DS_A5="b").values()) == [1, 2, 3, 4]


@proves("DS-A4")
def test_the_points_of_an_opponent_who_left_are_taken_as_they_are() -> None:
    """B won once and left: 3 points, or 3 of the 3 there were to have."""
    file = event(DS, "B beats X, A beats Y", "A beats B, X beats Y", "A beats X, Y bye", dropped={"B": 2})
    assert value(file, "omp", "A") == "3"  # Y 3, B 3, X 3
    assert value(file, "omp", "A", DS_A4="b") == "7/18"  # (1/3 + 1/2 + 1/3) / 3


@proves("DS-A8")
def test_the_bye_of_an_opponent_counts_in_their_points() -> None:
    """B had a bye, beat C and lost to A: 6 points."""
    file = event(DS, "B bye, A beats D", "B beats C, A bye", "A beats B, C beats D")
    assert value(file, "points", "B") == "6"
    assert value(file, "omp", "A") == "9/2"  # (3 + 6) / 2
    assert value(file, "omp", "A", DS_A8="b") == "3"


@proves("DS-1", "DS-16")
def test_a_whole_draft_at_the_desk(tmp_path: Path) -> None:
    shop = running(tmp_path, DS, 8)
    for _ in range(3):
        start(shop)
        finish(shop)
    assert "topcut event finish" in shop.json("event", "show")["next"]
    assert [row["points"] for row in desk_standings(shop)] == [9, 6, 6, 6, 3, 3, 3, 0]
