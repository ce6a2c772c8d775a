"""AL: assigning players to games of three and four, rule by rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.proves import proves
from tests.sources.outside import (
    assert_drawn,
    desk_standings,
    drawn,
    event,
    finish,
    in_order,
    pair,
    parameter,
    plan,
    ranks,
    refused,
    running,
    shown,
    start,
    table_of,
    unplanned,
    value,
    with_table,
)

AL = "allegiance-2005"
FIRST = "8:13 5:21* 7:6, 2:24* 6:10 3:23, 1:15 4:18 9:17x"
SECOND = "2:20* 5:19 4:15, 3:27* 1:21 8:8, 6:19 7:3 9:19"
CHART = """6 2 0, 7 1 1, 8 0 2, 9 3 0, 10 2 1, 11 1 2, 12 4 0, 13 3 1, 14 2 2, 15 5 0, 16 4 1, 17 3 2, 18 6 0,
19 5 1, 20 4 2, 21 7 0, 22 6 1, 23 5 2, 24 8 0, 25 7 1, 26 6 2, 27 9 0, 28 8 1, 29 7 2, 30 10 0, 31 9 1,
32 8 2, 33 11 0, 34 10 1, 35 9 2, 36 12 0, 37 11 1, 38 10 2, 39 13 0, 100 32 1, 101 31 2"""
"""Players, tables of three, tables of four: as printed for 6 to 36, and by the same pattern beyond."""


def the_example(*rounds: str, **about: Any) -> dict[str, Any]:
    return event(AL, *rounds, **about)


def wins(file: dict[str, Any], players: str = "abc", **readings: str) -> str:
    """Wins of these players after one round."""
    return "".join(value(file, "points", player, **readings) for player in players)


# Table sizes


@proves("AL-1", "AL-2", "AL-3", "AL-4", "AL-T1")
@pytest.mark.parametrize("row", [row.split() for row in CHART.split(",")], ids=lambda row: row[0])
def test_the_chart_of_players_and_games(row: list[str]) -> None:
    players, threes, fours = map(int, row)
    assert plan(AL, players)["tables"] == {"3": threes, "4": fours}
    assert 3 * threes + 4 * fours == players, "there are no byes"
    assert fours <= 2


@proves("AL-1", "AL-A9", "AL-T1")
def test_fewer_than_six_are_not_recommended() -> None:
    assert unplanned(AL, 5) == "topcut: AL-1: 5 players cannot be seated at tables of 3 and 4"
    for players in (3, 4):
        assert "fewer than 6 players are not recommended (AL-1" in " ".join(plan(AL, players)["notes"])
        assert "expected at least 6 players" in unplanned(AL, players, AL_A9="b")


@proves("AL-4")
def test_nobody_ever_has_a_bye() -> None:
    assert parameter(AL, "match.byes") is False
    for players in (7, 8, 10, 11):
        answer = pair(event(AL, players="abcdefghijk"[:players].replace("", " ").strip()))
        assert {len(table["players"]) for table in answer["tables"]} <= {3, 4}
    assert "byes" in refused("standings", file=event(AL, "a bye"))


# Round 1


@proves("AL-5")
def test_round_1_is_drawn_and_every_assignment_is_as_likely() -> None:
    """Six players: ten ways to split them into two tables."""
    with_a = [f"a{x}{y}" for x in "bcdef" for y in "bcdef" if x < y]
    ways = [f"{one} {''.join(sorted(set('abcdef') - set(one)))}" for one in with_a]
    assert_drawn(event(AL, players="a b c d e f"), *ways, times=400)


@proves("AL-5", "AL-T2")
def test_the_games_of_the_example_are_one_of_the_assignments() -> None:
    """Which rolls of a die give them is tested in tests/pairing/multiplayer/test_vectors.py."""
    answer = pair(event(AL, players="1 2 3 4 5 6 7 8 9"))
    assert [len(table["players"]) for table in answer["tables"]] == [3, 3, 3]
    assert sorted(player for table in answer["tables"] for player in table["players"]) == list("123456789")


# Results


@proves("AL-6", "AL-7", "AL-8", "AL-9", "AL-T3")
def test_standings_after_the_first_round_of_the_example() -> None:
    """3 reached the target and did not win; 9 is eliminated; nobody won game C, and 1 and 4 keep theirs."""
    assert table_of(the_example(FIRST), "points", "score") == [
        ("2", "1", "24"),
        ("5", "1", "21"),
        ("3", "0", "23"),
        ("4", "0", "18"),
        ("1", "0", "15"),
        ("8", "0", "13"),
        ("6", "0", "10"),
        ("7", "0", "6"),
        ("9", "0", "0"),
    ]


@proves("AL-6", "AL-7")
def test_the_winner_has_the_most_and_has_reached_the_target() -> None:
    assert parameter(AL, "match.target") == 20
    assert '"b" won with 23, but "a" has 24: expected the most' in refused(
        "standings", file=event(AL, "a:24 b:23* c:1")
    )
    assert "expected at least the target of 20" in refused("standings", file=event(AL, "a:19* b:3 c:1"))
    to_thirty = event(AL, "a:29* b:3 c:1", options={"target": 30})
    assert "expected at least the target of 30" in refused("standings", file=to_thirty)


@proves("AL-8")
def test_a_player_who_was_eliminated_scores_nothing_whatever_they_had() -> None:
    file = event(AL, "a:20* b:25x c:5")
    assert (value(file, "score", "b"), value(file, "opponents_score", "a")) == ("0", "5")
    both = with_table(file, 1, 1, winners=["b"])
    assert '"b" was eliminated and cannot have won' in refused("standings", file=both)


@proves("AL-9")
def test_nobody_wins_and_all_keep_their_score_even_above_the_target(tmp_path: Path) -> None:
    file = event(AL, "a:24 b:10 c:23")
    assert wins(file) == "000"
    assert [value(file, "score", player) for player in "abc"] == ["24", "10", "23"]
    shop = running(tmp_path, AL, 6, "rounds=1")
    start(shop)
    shop("report", "1", "24", "10", "23", "none")
    shop("report", "2", "3", "2x", "1")
    assert [table["winners"] for table in shop.json("round", "show")["tables"]] == [[], []]


@proves("AL-10", "AL-11")
@pytest.mark.parametrize(
    ("winners", "counts", "won"),
    [
        (["a"], [{"a": 4, "b": 2}], "100"),
        (["b"], [{"a": 4, "b": 4}, {"a": 5, "b": 7}], "010"),
        (["a", "b"], [{"a": 4, "b": 4}, {"a": 7, "b": 7}], "110"),
    ],
)
def test_a_tie_at_the_target_is_broken_by_counting_in_two_steps(
    winners: list[str], counts: list[dict[str, int]], won: str
) -> None:
    file = with_table(event(AL, "a:20 b:20 c:5"), 1, 1, winners=winners, tie_counts=counts)
    assert wins(file) == won
    assert [value(file, "score", player) for player in "abc"] == ["20", "20", "5"], (
        "counts are not part of it"
    )


@proves("AL-10")
def test_the_winner_of_a_count_is_the_winner() -> None:
    file = with_table(event(AL, "a:20* b:20 c:5"), 1, 1, tie_counts=[{"a": 2, "b": 4}])
    assert 'expected "b", who had the most in the last count' in refused("standings", file=file)
    unfinished = with_table(event(AL, "a:20* b:20 c:5"), 1, 1, tie_counts=[{"a": 4, "b": 4}])
    assert '"a" and "b" are still tied: expected the next count' in refused("standings", file=unfinished)


@proves("AL-10", "AL-A10")
def test_a_full_tie_is_a_win_for_both_unless_one_gives_it_away(tmp_path: Path) -> None:
    level = with_table(event(AL, "a:20* b:20* c:5"), 1, 1, tie_counts=[{"a": 4, "b": 4}, {"a": 7, "b": 7}])
    assert wins(level) == "110"
    assert wins(with_table(level, 1, 1, winners=["a"], win_given_to="a")) == "100"
    shop = running(tmp_path, AL, 3, "rounds=1")
    start(shop)
    shop("report", "1", "20*", "20*", "5")
    (table,) = shop.json("round", "show")["tables"]
    assert table["winners"] == table["players"][:2]


@proves("AL-10", "AL-A11")
def test_a_tie_below_the_target_is_not_broken() -> None:
    """Game 2C of the example: 19 to 19, and no winner."""
    assert "expected at least the target of 20" in refused("standings", file=event(AL, "6:19* 7:3 9:19*"))
    assert wins(event(AL, "6:19 7:3 9:19"), "679") == "000"
    assert wins(event(AL, "6:19* 7:3 9:19*"), "679", AL_A11="b") == "101"


# Standings


@proves("AL-12", "AL-13", "AL-A1", "AL-A6", "AL-T5")
def test_final_standings_of_the_example() -> None:
    """With 19 for 6, as the game lists it; 50 points and one win are less than 44 and two; no bonus."""
    assert table_of(the_example(FIRST, SECOND), "points", "score", "opponents_score") == [
        ("2", "2", "44", "152"),
        ("3", "1", "50", "130"),
        ("5", "1", "40", "107"),
        ("1", "0", "36", "123"),
        ("4", "0", "33", "139"),
        ("6", "0", "29", "122"),
        ("8", "0", "21", "135"),
        ("9", "0", "19", "107"),
        ("7", "0", "9", "109"),
    ]


@proves("AL-A1", "AL-T6")
def test_final_standings_as_they_were_printed() -> None:
    file = the_example(FIRST, SECOND.replace("6:19", "6:25"))
    assert in_order(file) == list("235164897")
    assert [value(file, "score", player) for player in "64"] == ["35", "33"]


@proves("AL-12", "AL-A5")
def test_the_scores_of_all_opponents_are_added_up() -> None:
    """2 met 6 and 3 (29 and 50 in all, 10 and 23 there), then 5 and 4 (40 and 33; 19 and 15)."""
    file = the_example(FIRST, SECOND)
    assert value(file, "opponents_score", "2") == "152"
    assert value(file, "opponents_score", "2", AL_A5="b") == "67"
    assert value(file, "opponents_score", "2", AL_A5="c") == "38"
    assert shown(file, "opponents_score", "2", AL_A5="c") == "38.00"
    twice = event(AL, "a:20* b:9 c:5", "a:20* b:9 c:5")
    assert value(twice, "opponents_score", "a") == "56", "an opponent met twice counts twice"


@proves("AL-12", "AL-A7")
def test_players_equal_in_all_three_share_the_place_or_draw_lots() -> None:
    file = event(AL, "a:20* b:7 c:7")
    assert ranks(file) == {"a": 1, "b": 2, "c": 2}
    assert sorted(ranks(file, AL_A7="b").values()) == [1, 2, 3]


# Round 2 and later


@proves("AL-14", "AL-16", "AL-A3", "AL-T4")
def test_the_second_round_of_the_example() -> None:
    """3 and 4 change places, so that nobody meets again; nothing else is as good."""
    answer = pair(the_example(FIRST))
    assert [table["players"] for table in answer["tables"]] == [list("254"), list("318"), list("679")]
    assert answer["cost"]["rematches"] == 0
    assert answer["cost"]["displacement"] == 2
    assert (answer["certificate"]["seatings"], answer["certificate"]["optimal"]) == (1680, 1)
    places, moved = answer["tables"][0]["why"]
    assert places == "places 1, 2 and 4"
    assert moved.startswith("moved 4 1 seat up, so that 2 and 3 (round 1) do not meet again")
    assert len(drawn(the_example(FIRST))) == 1


@proves("AL-15", "AL-16")
def test_newer_meetings_weigh_more_than_older_ones() -> None:
    """Everybody has met everybody in four rounds: the tables of the first come again."""
    rounds = ("123 456 789", "147 258 369", "159 267 348", "168 249 357")
    texts = [
        ", ".join(" ".join(f"{player}:0" for player in table) for table in one.split()) for one in rounds
    ]
    answer = pair(event(AL, *texts))
    assert {frozenset(table["players"]) for table in answer["tables"]} == set(
        map(frozenset, rounds[0].split())
    )
    assert answer["cost"]["rematches_by_round"] == {"4": 0, "3": 0, "2": 0, "1": 9}
    assert answer["warnings"]


@proves("AL-16")
def test_of_seatings_as_good_one_is_drawn() -> None:
    """Nobody has met a player of the other tables: places 1 to 6 are shared in threes."""
    first = "a:20* 1:0 2:0, b:20* 3:0 4:0, c:20* 5:0 6:0, d:20* 7:0 8:0, e:20* 9:0 x:0, f:20* y:0 z:0"
    gone = dict.fromkeys("123456789xyz", 1)
    assert len(drawn(event(AL, first, dropped=gone), 200)) == 10


@proves("AL-14", "AL-A2")
def test_tables_are_filled_in_the_order_of_the_standings_or_of_points() -> None:
    """a, b and c have won with 20, 25 and 30; d, e and f have 28, 27 and 10 and no win. Nobody has met."""
    first = "a:20* 1:0 2:0, b:25* 3:0 4:0, c:30* 5:0 6:0, d:28 7:0 8:0, e:27 9:0 x:0, f:10 y:0 z:0"
    file = event(AL, first, dropped=dict.fromkeys("123456789xyz", 1))
    assert ["".join(sorted(table["players"])) for table in pair(file)["tables"]] == ["abc", "def"]
    by_points = ["".join(sorted(table["players"])) for table in pair(file, AL_A2="b")["tables"]]
    assert by_points == ["cde", "abf"]


@proves("AL-A4")
@pytest.mark.parametrize(
    ("letter", "sizes"), [("a", {(3, 3, 4)}), ("b", {(4, 3, 3)}), ("c", {(3, 3, 4), (3, 4, 3), (4, 3, 3)})]
)
def test_who_plays_at_tables_of_four(letter: str, sizes: set[tuple[int, ...]]) -> None:
    file = event(AL, players="a b c d e f g h i j")
    answers = [pair(file, str(seed), AL_A4=letter)["tables"] for seed in range(30)]
    assert {tuple(len(table["players"]) for table in found) for found in answers} == sizes


@proves("AL-A8")
def test_the_organiser_announces_the_number_of_rounds(tmp_path: Path) -> None:
    assert plan(AL, 9)["rounds"] is None
    assert "the organiser chooses the number of rounds and announces it (AL-A8)" in plan(AL, 9)["notes"]
    shop = running(tmp_path, AL, 6, "rounds=2")
    assert "2 rounds" in shop("event", "announce", "--prizes", "the winner").out
    assert "2 planned" in refused("pair", file=the_example(FIRST, SECOND, options={"rounds": 2}))


@proves("AL-A9", "AL-3")
def test_table_sizes_follow_drops_and_late_entries(tmp_path: Path) -> None:
    shop = running(tmp_path, AL, 9, "rounds=3")
    sizes = []
    for change in ((), ("drop", "P1"), ("add", "Late")):
        if change:
            shop(*change)
        start(shop)
        found = [len(table["players"]) for table in shop.json("round", "show")["tables"]]
        for number, players in enumerate(found, start=1):
            shop("report", str(number), "30*", *["3"] * (players - 1))
        finish(shop)
        sizes.append(found)
    assert sizes == [[3, 3, 3], [4, 4], [3, 3, 3]]


@proves("AL-A9")
def test_players_who_left_count_as_opponents_and_late_ones_begin_with_nothing() -> None:
    dropped = the_example(FIRST, dropped={"7": 1})
    assert sorted(len(table["players"]) for table in pair(dropped)["tables"]) == [4, 4]
    assert value(the_example(FIRST, dropped={"7": 1}), "opponents_score", "5") == "19", "8 has 13, 7 keeps 6"
    late_entry = the_example(FIRST, players="L", entered={"L": 2})
    assert (value(late_entry, "points", "L"), value(late_entry, "score", "L")) == ("0", "0")
    assert sorted(len(table["players"]) for table in pair(late_entry)["tables"]) == [3, 3, 4]


# At the desk


@proves("AL-10", "AL-11")
def test_a_tie_is_counted_step_by_step_when_it_is_reported(tmp_path: Path) -> None:
    shop = running(tmp_path, AL, "Ada Bo Cy", "rounds=1")
    start(shop)
    (table,) = shop.json("round", "show")["tables"]
    names = {player["id"]: player["name"] for player in shop.json("player", "list")["players"]}
    one, other, _ = (names[player] for player in table["players"])
    asked = shop("report", "1", "20", "20", "5", code=2).err
    assert f"{one} and {other} are tied with 20." in asked
    level = ("--count", f"{one} 4", "--count", f"{other} 4")
    assert "are still tied" in shop("report", "1", "20", "20", "5", *level, code=2).err
    shop("report", "1", "20", "20", "5", *level, "--count", f"{one} 5", "--count", f"{other} 7")
    (table,) = shop.json("round", "show")["tables"]
    assert (table["scores"], table["winners"]) == ([20, 20, 5], [table["players"][1]])


@proves("AL-1", "AL-A9", "AL-A12")
@pytest.mark.parametrize(("letter", "expected"), [("a", (1, "20")), ("b", (0, "0"))])
def test_five_who_are_left_play_on_if_one_sits_out(
    letter: str, expected: tuple[int, str], tmp_path: Path
) -> None:
    shop = running(tmp_path, AL, 5, "rounds=1", f"AL-A12={letter}")
    refusal = shop("round", "pair", code=3).err
    assert "AL-1: 5 players cannot be seated at tables of 3 and 4." in refusal
    assert "--allow sits-out" in refusal
    shop("round", "pair", "--allow", "sits-out", "--reason", "five are left")
    shop("round", "publish")
    shop("round", "start")
    table, alone = shop.json("round", "show")["tables"]
    assert len(table["players"]) == 4
    shop("report", "1", "24", "3", "2", "1")
    shop("round", "end")
    (row,) = [row for row in desk_standings(shop) if row["id"] == alone["players"][0]]
    assert (row["points"], row["tiebreaks"][0]["value"]) == expected
