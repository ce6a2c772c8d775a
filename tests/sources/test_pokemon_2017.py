"""PK: Play! Pokémon Tournament Operation Procedures of November 2017, §2 to §3.1: Swiss, rule by rule.

§3.2 to §4 are in test_pokemon_2017_cuts.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders import a_round
from tests.command_line import topcut
from tests.proves import proves
from tests.sources.outside import (
    assert_drawn,
    byes,
    decided_by,
    desk_standings,
    drawn,
    event,
    finish,
    in_order,
    pair,
    plan,
    play,
    refused,
    running,
    seated,
    standings,
    start,
    table_of,
    tables,
    value,
    warned,
)

PK = "pokemon-2017"
ROUNDS = {"W": "P beats O{r}", "L": "O{r} beats P", "D": "P ties O{r}", "B": "P bye"}
TWELVE = " ".join("abcdefghijkl")


def record(results: str, rounds: int = 0, **about: Any) -> dict[str, Any]:
    """P's results, such as `WBLD`, against somebody new each round; then others go on playing."""
    texts = [ROUNDS[letter].format(r=r) for r, letter in enumerate(results, start=1)]
    return event(PK, *texts, *["X ties Y"] * (rounds - len(results)), players="P", **about)


def win_rate(file: dict[str, Any], **readings: str) -> str:
    """P's win percentage: the value of an opponent who met nobody else."""
    only_met_p = next(one["id"] for one in file["players"] if one["id"].startswith("O"))
    return value(file, "owp", only_met_p, **readings)


def knockout(**about: Any) -> dict[str, Any]:
    """Elimination only, with the rank seeds 1 to 8."""
    seeds = {str(number): number for number in range(1, 9)}
    return event(PK, players=" ".join(seeds), rank_seed=seeds, options={"format": "elimination"}, **about)


def seven_players() -> dict[str, Any]:
    """PK-T3: G enters late, F drops after round 2."""
    return event(
        PK,
        "A beats B, C ties D, E beats F",
        "A beats E, C beats B, D beats F, G bye",
        "A beats C, D ties E, B beats G",
        entered={"G": 2},
        dropped={"F": 2},
    )


# §2 and §3: announcement, styles


@proves("PK-1")
def test_rounds_cut_and_prizes_are_announced_before_play(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 9)
    assert "Rounds, cut and prizes are not announced yet (PK-1)." in shop("round", "pair").out
    announced = running(tmp_path / "announced", PK, 9, "third_place=true")
    said = announced("event", "announce", "--prizes", "the top 4", "--detail", "Lunch after round 2.").out
    for detail in ("4 rounds", "top 4", "third place", "Prizes: the top 4.", "Lunch after round 2."):
        assert detail in said
    assert "PK-1" not in announced("round", "pair").out


@proves("PK-1")
def test_nothing_is_announced_that_is_not_known(tmp_path: Path) -> None:
    refusal = running(tmp_path, PK, 0)("event", "announce", "--prizes", "the top 4", code=2).err
    assert "The number of rounds and the cut are missing." in refusal


@proves("PK-2")
def test_swiss_elimination_and_both_are_sanctioned_and_others_need_approval(tmp_path: Path) -> None:
    for style in ("swiss", "elimination", "swiss+elimination"):
        assert "PK-2" not in str(plan(PK, 9, "--format", style)["notes"])
    assert (
        "round-robin needs approval before the event (PK-2)"
        in plan(PK, 8, "--format", "round-robin")["notes"]
    )
    database = str(tmp_path / "topcut.db")
    made = topcut(
        "new", "Cup", "--rules", PK, "--option", "format=double-elimination", "--database", database
    )
    assert "This format needs approval before the event: double elimination (PK-2)." in made.err


# §3.1: Swiss pairing


@proves("PK-3", "PK-5")
def test_a_win_is_three_points_a_tie_one_a_loss_none_a_bye_three() -> None:
    file = event(PK, "A beats B, C ties D, E bye")
    assert [value(file, "points", player) for player in "ABCDE"] == ["3", "0", "1", "1", "3"]


@proves("PK-4")
def test_round_1_is_random_and_the_player_left_over_has_the_bye() -> None:
    counts = drawn(event(PK, players="A B C D E"), 600)
    assert len(counts) == 15
    assert max(counts.values()) < 3 * min(counts.values())
    assert byes(event(PK, players="A B C D E"), 100) == set("ABCDE")


@proves("PK-6", "PK-A11")
def test_round_2_winners_meet_winners_and_one_of_an_odd_group_plays_down() -> None:
    """A, C and E won: two of them meet, and the third meets a loser whom they have not met."""
    file = event(PK, "A beats B, C beats D, E beats F")
    expected = ["AC ED BF", "AC EB DF", "AE CB DF", "AE CF BD", "CE AD BF", "CE AF BD"]
    assert_drawn(file, *expected, times=600)


@proves("PK-6", "PK-7", "PK-5")
def test_the_bye_goes_to_a_random_player_of_the_lowest_group() -> None:
    file = event(PK, "A beats B, C beats D, E bye")
    assert_drawn(file, "AC DE B", "AC BE D", "AE BC D", "CE AD B", times=400)


@proves("PK-7", "PK-A1")
def test_groups_are_of_equal_points() -> None:
    """A and B have four points by a win and a tie, C by a tie and a win, D three by a win and a loss."""
    rounds = ("A beats x, B beats y, C ties z, D beats w", "A ties y, B ties x, C beats w, z beats D")
    file = event(PK, *rounds, dropped=dict.fromkeys("xyzw", 2))
    assert_drawn(file, "AB CD", "AC BD", "BC AD", times=300)


@proves("PK-8", "PK-A10")
def test_nobody_has_a_second_bye() -> None:
    """C has no point and had the bye of no round; in the next event the lowest has had one, and B gets it."""
    assert byes(event(PK, "A beats C, B bye")) == {"C"}
    rounds = ("C bye, A beats B", "A bye, B beats C", "A beats C, B beats x")
    lowest_had_one = event(PK, *rounds, dropped={"x": 3}, options={"rounds": 5})
    assert byes(lowest_had_one) == {"B"}
    everybody = event(PK, "A bye, B beats C", "B bye, A beats C", "C bye, A beats B", options={"rounds": 5})
    line = "topcut: PK-8: One player needs a bye, but each player has already had one: A, B, C."
    assert refused("pair", file=everybody) == line


@proves("PK-8", "PK-A10")
def test_where_everybody_has_had_a_bye_the_organiser_decides(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 3, "rounds=5", "format=swiss")
    play(shop, "", "", "")
    refusal = shop("round", "pair", code=3).err
    assert "PK-8: One player needs a bye, but each player has already had one" in refusal
    assert "--allow second-bye" in refusal
    assert "topcut event finish" in refusal
    said = shop("round", "pair", "--allow", "second-bye", "--reason", "three are left").out
    assert "1 bye" in said


@proves("PK-9", "PK-A12")
def test_a_swiss_event_has_the_rounds_for_a_single_unbeaten_player() -> None:
    rounds = {
        players: plan(PK, players, "--format", "swiss")["rounds"] for players in (4, 8, 9, 16, 17, 32, 33)
    }
    assert rounds == {4: 2, 8: 3, 9: 4, 16: 4, 17: 5, 32: 5, 33: 6}
    assert plan(PK, 17, "--format", "swiss", PK_A12="a")["rounds"] is None


@proves("PK-10", "PK-A2")
def test_players_who_have_met_are_not_paired_again() -> None:
    file = event(PK, "A ties B, C ties D")
    assert set(drawn(file)) == {tables("AC BD"), tables("AD BC")}
    assert tables("AB CD") in drawn(file, PK_A2="a")
    unavoidable = event(PK, "A beats B", options={"rounds": 2})
    assert seated(pair(unavoidable)) == tables("AB")
    assert "A and B" in warned("pair", "--seed", "x", file=unavoidable)


# §3.1.1 and §3.1.2: divisions


@proves("PK-11")
def test_divisions_go_by_the_year_of_birth() -> None:
    file = event(PK, "a ties b, c ties d", born={"a": 2007, "b": 2006, "c": 2003, "d": 2002})
    assert {row["id"]: row["division"] for row in standings(file)} == {
        "a": "junior",
        "b": "senior",
        "c": "senior",
        "d": "masters",
    }


@proves("PK-12", "PK-13", "PK-A8")
def test_six_in_each_division_play_apart_and_five_in_one_bring_all_together() -> None:
    assert plan(PK, "6,6,6")["mode"] == "separate"
    modified = plan(PK, "6,6,5")
    assert modified["mode"] == "modified"
    note = "masters has 5 players, fewer than 6: junior, senior and masters play in one pool (PK-13"
    assert note in " ".join(modified["notes"])
    assert plan(PK, "6,6,1")["mode"] == "modified"
    assert plan(PK, "6,6,0")["mode"] == "separate", "a division without players is ignored"
    assert plan(PK, "6,6,0", PK_A8="a")["mode"] == "modified"


@proves("PK-12", "PK-13")
def test_divisions_that_play_apart_never_meet_and_are_reported_together() -> None:
    ages = dict.fromkeys("abcdef", "junior") | dict.fromkeys("ghijkl", "masters")
    apart = event(PK, players=TWELVE, division=ages)
    for found in drawn(apart, 20):
        assert all(table <= set("abcdef") or table <= set("ghijkl") for table in found)
    played = event(PK, "a beats b, c beats d, e beats f, g beats h, i beats j, k beats l", division=ages)
    assert [row["division_rank"] for row in standings(played) if row["division"] == "junior"] == [
        1,
        2,
        3,
        4,
        5,
        6,
    ]
    assert len(standings(played)) == 12


@proves("PK-1", "PK-13", "PK-11")
def test_it_is_said_and_announced_that_all_divisions_play_in_one_pool(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 0)
    shop("add", *"ABCD", "--division", "junior")
    shop("add", *"EFGHIJ", "--division", "masters")
    pool = "Divisions are modified: junior and masters play in one pool."
    assert pool in shop("event", "show").out
    assert "Fewer than 6 players: junior (4) (PK-13)." in shop("event", "show").out
    assert pool in shop("event", "announce", "--prizes", "the top 4").out
    assert "Z has no division (PK-11)." in shop("add", "Z").err


@proves("PK-13")
def test_in_one_pool_there_is_one_bye() -> None:
    """Six juniors and five masters: a bye for a master leaves no table across divisions."""
    ages = dict.fromkeys("abcdef", "junior") | dict.fromkeys("ghijk", "masters")
    assert byes(event(PK, players=TWELVE.replace(" l", ""), division=ages), 100) == set("ghijk")


@proves("PK-14", "PK-A25", "PK-T10")
def test_in_one_pool_the_division_comes_before_the_record() -> None:
    """Masters A and C have 9 and 3 points, seniors B and D too."""
    rounds = (
        "A beats e, B beats f, C beats g, D beats h",
        "A beats g, B beats h, e beats C, f beats D",
        "A beats i, B beats j, k beats C, l beats D",
    )
    ages = {"A": "masters", "C": "masters", "B": "senior", "D": "senior"}
    about: dict[str, Any] = {"division": ages, "dropped": dict.fromkeys("efghijkl", 3)}
    file = event(PK, *rounds, options={"divisions": "modified", "rounds": 5}, **about)
    assert_drawn(file, "AC BD", times=20)
    assert pair(file)["cost"]["score_gap_squared"] == 72


@proves("PK-14")
def test_same_division_and_same_record_come_first() -> None:
    file = event(
        PK,
        "A beats B, C beats D, E beats F, G beats H",
        division=dict.fromkeys("ACFH", "masters") | dict.fromkeys("EGBD", "senior"),
        options={"divisions": "modified"},
    )
    assert_drawn(file, "AC FH EG BD", times=20)


@proves("PK-15")
def test_the_best_placed_of_each_division_wins_it() -> None:
    ages = {"A": "masters", "B": "junior", "C": "masters", "D": "junior"}
    file = event(
        PK, "A beats B, C beats D", "A beats C, B beats D", division=ages, options={"divisions": "modified"}
    )
    assert [(row["id"], row["rank"], row["division_rank"]) for row in standings(file)] == [
        ("A", 1, 1),
        ("C", 2, 2),
        ("B", 3, 1),
        ("D", 4, 2),
    ]


@proves("PK-16")
def test_elimination_ignores_divisions() -> None:
    ages = {str(n): "junior" if n < 7 else "masters" for n in range(1, 9)}
    assert seated(pair(knockout(division=ages))) == tables("18 45 27 36")
    assert plan(PK, "6,6,6", "--format", "elimination")["pools"][0]["plan"]["bracket"] == 32


@proves("PK-A26")
def test_a_short_division_brings_all_together_or_joins_its_neighbour() -> None:
    assert len(plan(PK, "5,20,40")["pools"]) == 1
    assert [pool["divisions"] for pool in plan(PK, "5,20,40", PK_A26="b")["pools"]] == [
        ["junior", "senior"],
        ["masters"],
    ]


# §3.1.3: late players


@proves("PK-17", "PK-20", "PK-T11")
def test_a_late_player_takes_a_loss_for_each_round_that_has_started(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8)
    play(shop, "")
    start(shop)
    said = shop("add", "Late").out
    assert "Late (p9) enters from round 3." in said
    assert "entering late means 2 losses for rounds 1 to 2" in said
    assert "a place below players with the same record who were on time (PK-20)" in said


@proves("PK-17", "PK-20")
def test_missed_rounds_are_losses_and_late_players_rank_below() -> None:
    """G and B have three points, and G was late."""
    row = next(row for row in standings(seven_players()) if row["id"] == "G")
    assert row["record"] == {"wins": 0, "losses": 2, "draws": 0, "byes": 1}
    assert in_order(seven_players()).index("B") < in_order(seven_players()).index("G")
    assert value(seven_players(), "late", "G") == "1"


@proves("PK-18", "PK-T11")
@pytest.mark.parametrize(("choice", "enters"), [("leave", 3), ("fewest", 2), ("again", 2)])
def test_before_the_start_the_organiser_adds_now_or_waits(choice: str, enters: int, tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8)
    play(shop, "")
    shop("round", "pair")
    shop("round", "publish")
    asked = shop("add", "Late", code=2).err
    assert "Keep the pairings (leave): No table changes. Late plays from round 3." in asked
    shop("add", "Late", "--then", choice)
    assert f"enters from round {enters}" in shop("log").out


@proves("PK-19")
def test_the_organiser_may_refuse_entry(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8)
    said = shop("player", "refuse", "Eve", "--reason", "the hall is full").out
    assert said == "Eve is not allowed to enter. Reason: the hall is full.\n"
    assert len(shop.json("player", "list")["players"]) == 8


@proves("PK-21", "PK-A9")
def test_events_with_championship_points_take_nobody_once_round_2_has_started(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8, "level=championship")
    play(shop, "")
    shop("add", "In time")
    start(shop)
    assert (
        "PK-21: Late can't enter. Players could enter until round 2 started"
        in shop("add", "Late", code=3).err
    )
    until_its_end = running(tmp_path / "other", PK, 8, "level=championship", "PK-A9=a")
    play(until_its_end, "")
    start(until_its_end)
    until_its_end("add", "During round 2")
    finish(until_its_end)
    assert "until round 2 ended" in until_its_end("add", "Late", code=3).err


@proves("PK-21")
def test_casual_events_take_players_in_any_round(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8, "rounds=3", "format=swiss")
    play(shop, "", "")
    assert "enters from round 3" in shop("add", "Late").out
    start(shop)
    assert "The last planned round has started" in shop("add", "Later", code=3).err


@proves("PK-22")
def test_nobody_enters_an_elimination_that_has_started(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8, "format=elimination")
    shop("round", "pair")
    shop("round", "publish")
    asked = shop("add", "Ninth", code=2).err
    assert "(again)" in asked
    assert "(leave)" not in asked, "there is no later round to wait for"
    shop("add", "Ninth", "--then", "again")
    assert sum(len(table["players"]) for table in shop.json("round", "show")["tables"]) == 9
    shop("round", "publish")
    shop("round", "start")
    assert shop("add", "Tenth", code=3).err == "topcut: PK-22: Tenth can't enter. The bracket has started.\n"


@proves("PK-23")
def test_before_a_cut_players_enter_as_in_swiss_and_after_it_nobody_does(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 9, "rounds=2", "cut=4", "format=swiss+elimination")
    play(shop, "")
    assert "a loss for round 1" in shop("add", "Late").out
    play(shop, "")
    start(shop)
    assert "can't enter" in shop("add", "Later", code=3).err


# §3.1.4: standings


@proves("PK-24", "PK-25", "PK-26", "PK-T1")
@pytest.mark.parametrize(
    ("results", "dropped", "expected"),
    [
        ("WWWLL", False, "3/5"),
        ("LLLLL", False, "1/4"),
        ("L", True, "1/4"),
        ("W", True, "3/4"),
        ("WWWWW", False, "1"),
        ("WWWL", True, "3/4"),
        ("WWWWL", True, "3/4"),
    ],
)
def test_win_percentages(results: str, dropped: bool, expected: str) -> None:
    left = {"dropped": {"P": len(results)}} if dropped else {}
    assert win_rate(record(results, rounds=6 if dropped else 5, **left)) == expected


@proves("PK-5", "PK-27", "PK-A4", "PK-T2")
def test_a_bye_is_neither_a_win_nor_a_round_nor_an_opponent() -> None:
    file = record("WBL")
    assert [win_rate(file), win_rate(file, PK_A4="b"), win_rate(file, PK_A4="c")] == ["1/2", "1/3", "2/3"]
    assert value(file, "owp", "P") == "7/24", "O1 with 1/4 and O3 with 1/3; the bye is no opponent"


@proves("PK-28")
def test_a_missed_round_is_a_round_without_a_win() -> None:
    file = event(PK, "X ties Y", "P beats O2", entered={"P": 2, "O2": 2})
    assert value(file, "owp", "O2") == "1/2"


@proves("PK-29")
def test_elimination_rounds_count_in_no_percentage() -> None:
    swiss = ("A beats B, C beats D", "A beats C, B beats D")
    options = {"rounds": 2, "cut": 2, "format": "swiss+elimination"}
    before = event(PK, *swiss, options=options)
    after = event(PK, *swiss, a_round("B beats A", stage="elimination"), options=options)
    assert table_of(after, "points", "owp", "oowp") == table_of(before, "points", "owp", "oowp")


@proves("PK-17", "PK-24", "PK-25", "PK-26", "PK-28", "PK-62", "PK-A30", "PK-T3")
def test_a_whole_event_of_seven() -> None:
    assert table_of(seven_players(), "points", "late", "owp", "oowp") == [
        ("A", "9", "0", "1/3", "29/54"),
        ("D", "5", "0", "11/36", "17/36"),
        ("C", "4", "0", "5/9", "7/18"),
        ("E", "4", "0", "19/36", "35/108"),
        ("B", "3", "0", "19/36", "11/27"),
        ("G", "3", "1", "1/3", "19/36"),
        ("F", "0", "0", "1/3", "5/12"),
    ]
    half = table_of(seven_players(), "owp", PK_A3="b")
    assert [row[1] for row in half] == ["4/9", "5/12", "2/3", "23/36", "7/12", "1/3", "7/12"]


@proves("PK-A3")
def test_a_tie_in_a_win_percentage() -> None:
    file = record("WLD")
    assert [win_rate(file), win_rate(file, PK_A3="b"), win_rate(file, PK_A3="c")] == ["1/3", "1/2", "4/9"]


@proves("PK-A1")
def test_the_record_is_points_or_wins() -> None:
    """Four ties are 4 points and no win; a win and three losses are 3 points and one win."""
    rounds = ("D ties a, W beats b", "D ties c, d beats W", "D ties e, f beats W", "D ties g, h beats W")
    file = event(PK, *rounds)
    assert [one for one in in_order(file) if one in "DW"] == ["D", "W"]
    assert [one for one in in_order(file, PK_A1="c") if one in "DW"] == ["W", "D"]


@proves("PK-62", "PK-63", "PK-64")
def test_five_tiebreakers_in_this_order_then_a_lot() -> None:
    (row, *_) = standings(seven_players())
    keys = [tiebreak["key"] for tiebreak in row["tiebreaks"]]
    assert keys == ["late", "owp", "oowp", "head_to_head", "last_opponent", "lot"]


@proves("PK-63")
def test_of_two_tied_players_who_have_met_the_winner_is_ahead() -> None:
    """A and B, who met in round 1, have two wins each, C and D one; everybody met everybody."""
    file = event(PK, "A beats B, D beats C", "C beats A, B beats D", "A beats D, B beats C")
    assert value(file, "owp", "A") == value(file, "owp", "B") == "4/9"
    assert in_order(file) == list("ABDC")
    assert decided_by(file) == ["head_to_head", "points", "head_to_head", None]


@proves("PK-64", "PK-A6")
def test_if_they_drew_the_standing_of_their_last_opponents_decides() -> None:
    """A and B drew in round 1 and are level; A's last opponent is D, who is first, B's is C, who is last."""
    file = event(PK, "A ties B, D beats C", "A beats C, D beats B", "D beats A, B beats C")
    assert in_order(file) == list("DABC")
    assert decided_by(file) == ["points", "last_opponent", "points", None]


@proves("PK-63", "PK-A5")
def test_head_to_head_is_for_two_players_only() -> None:
    """B, D and E have two points and equal percentages; D took two points of the three, B and E one each."""
    file = event(PK, "B ties D, A ties E, C bye", "B ties C, D ties E, A bye")
    assert (in_order(file)[2], decided_by(file)[2]) == ("B", "last_opponent")
    assert (in_order(file, PK_A5="b")[2], decided_by(file, PK_A5="b")[2]) == ("D", "head_to_head")


@proves("PK-64", "PK-A7")
def test_last_opponents_are_compared_in_turn_then_a_lot_decides() -> None:
    """A and C tied and are level; so are their last opponents E and B, whose last opponents are A and D."""
    rounds = ("A ties C, E beats B, D bye", "D beats E, B beats C, A bye", "B beats D, E beats A, C bye")
    file = event(PK, *rounds)
    assert [value(file, "owp", player) for player in "ACEB"] == ["11/24", "11/24", "17/36", "17/36"]
    assert (in_order(file)[3:], decided_by(file)[3]) == (["C", "A"], "last_opponent")
    assert decided_by(file, PK_A7="b")[3] == "lot"


@proves("PK-A21")
def test_a_player_whom_a_cut_left_out_has_not_dropped() -> None:
    file = record("WWW", rounds=5, cut={"P": 3})
    assert (win_rate(file), win_rate(file, PK_A21="b")) == ("1", "3/4")


@proves("PK-A28")
def test_a_player_who_met_nobody_has_the_minimum() -> None:
    file = record("B", rounds=2, dropped={"P": 1})
    assert (value(file, "owp", "P"), value(file, "oowp", "P")) == ("1/4", "1/4")
    assert value(file, "owp", "P", PK_A28="b") == "0"


@proves("PK-A30", "PK-25")
def test_to_drop_during_a_match_is_to_lose_it(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8)
    start(shop)
    first, second = shop.json("round", "show")["tables"][0]["players"]
    assert "loses table 1 of round 1" in shop("drop", first).out
    finish(shop)
    rows = {row["id"]: row for row in desk_standings(shop)}
    assert (rows[first]["dropped"], rows[first]["record"]["losses"], rows[second]["points"]) == (True, 1, 3)
    shop("player", "restore", first)
    assert shop.json("event", "show")["active"] == 8
