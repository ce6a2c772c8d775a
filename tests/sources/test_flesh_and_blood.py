"""FB: pairings and tiebreakers of Flesh and Blood as GEM computes them, rule by rule."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.builders import a_round
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
    ranks,
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
from topcut.history import Round

FB = "fab-gem"
ROUNDS = {"W": "P beats O{r}", "L": "O{r} beats P", "D": "P ties O{r}", "B": "P bye"}
FIVE = ("P beats Q, R beats S, T bye", "P beats R, T ties Q, S bye", "P beats S, T beats R, Q bye")
GONE = " ".join(f"x{n}" for n in range(16))
"""Players who left before round 1; with four others there were twenty, and five rounds are recommended."""
AB, AC, AD = "A ties B, C ties D", "A ties C, B ties D", "A ties D, B ties C"


def record(results: str, rounds: int = 0, **about: Any) -> dict[str, Any]:
    """P's results, such as `WBLD`, against somebody new each round; then others go on playing."""
    texts = [ROUNDS[letter].format(r=r) for r, letter in enumerate(results, start=1)]
    return event(FB, *texts, *["X ties Y"] * (rounds - len(results)), players="P", **about)


def names(number: int) -> str:
    return " ".join(f"p{n}" for n in range(1, number + 1))


def pods(answer: dict[str, Any]) -> list[int]:
    """The sizes of the pods that were drawn."""
    numbers = list(answer["pods"].values())
    return [numbers.count(pod) for pod in sorted(set(numbers))]


def one_pod(*rounds: str, before: tuple[str, ...] = (), **options: Any) -> dict[str, Any]:
    """A, B, C and D; `before` it they met in constructed play."""
    made: list[Round] = [a_round(text, format="constructed") for text in before]
    made += [a_round(text, format="draft") for text in rounds]
    pod = dict.fromkeys("ABCD", 1) if rounds else {}
    gone = dict.fromkeys(GONE.split(), 0)
    return event(
        FB, *made, players=f"A B C D {GONE}", pod=pod, dropped=gone, options={"mode": "draft", "rounds": 9}
    )


# Rounds, results and points


@proves("FB-1")
def test_every_round_every_player_has_a_match_or_a_bye(tmp_path: Path) -> None:
    shop = running(tmp_path, FB, "A B C D E")
    start(shop)
    assert sorted(len(table["players"]) for table in shop.json("round", "show")["tables"]) == [1, 2, 2]
    shop("report", "1", "2-0")
    shop("report", "2", "draw")
    shop("round", "end")
    assert sorted(row["points"] for row in desk_standings(shop)) == [0, 0, 0, 1, 1]


@proves("FB-2", "FB-3")
def test_a_win_and_a_bye_are_a_point_a_draw_and_a_loss_none() -> None:
    file = event(FB, "A beats B, C ties D, E bye")
    assert [value(file, "points", player) for player in "ABCDE"] == ["1", "0", "0", "0", "1"]
    assert value(file, "pml", "B") == "1"
    assert value(file, "pml", "C") == "0", "a draw is worth more than a loss in tiebreakers only"


# Tiebreakers


@proves("FB-4", "FB-5")
def test_five_values_in_this_order_then_a_lot() -> None:
    (row, *_) = standings(event(FB, *FIVE))
    assert [tiebreak["key"] for tiebreak in row["tiebreaks"]] == ["ctb", "pml", "oml", "octb", "lot"]


@proves("FB-5", "FB-A4", "FB-T2")
def test_the_lower_loss_percentage_is_better() -> None:
    """Equal points and CTB: a win, a win and a draw is above a win, a win and a loss."""
    file = event(
        FB,
        "WWL beats a, WWD beats b, WLW beats c, d beats LWW",
        "WWL beats e, WWD beats f, g beats WLW, LWW beats h",
        "i beats WWL, WWD ties j, WLW beats k, LWW beats l",
    )
    assert in_order(file)[:4] == ["WWD", "WWL", "WLW", "LWW"]
    assert value(file, "ctb", "WWD") == value(file, "ctb", "WWL") == "41/57"
    assert (value(file, "pml", "WWD"), value(file, "pml", "WWL")) == ("0", "1/3")
    assert decided_by(file)[:3] == ["pml", "ctb", "ctb"]


@proves("FB-4", "FB-5")
def test_opponents_with_fewer_losses_and_a_higher_ctb_are_better() -> None:
    """A and C have a win and a loss in the same order; A's opponents have lost less."""
    file = event(FB, "A beats B, C beats D", "E beats A, F beats C, B beats x, y beats D")
    assert (value(file, "oml", "A"), value(file, "oml", "C")) == ("1/4", "1/2")
    assert in_order(file).index("A") < in_order(file).index("C")
    assert value(file, "octb", "A") == "4/9"  # B 4/9 (a loss, a win), E 4/9


@proves("FB-4", "FB-5")
def test_what_is_still_tied_is_drawn_and_no_place_is_shared() -> None:
    file = event(FB, "A beats B, C beats D")
    assert sorted(ranks(file).values()) == [1, 2, 3, 4]
    assert {in_order(file, "--seed", str(seed))[0] for seed in range(12)} == {"A", "C"}
    assert decided_by(file) == ["lot", "points", "lot", None]


@proves("FB-6", "FB-A1", "FB-T1")
@pytest.mark.parametrize(
    ("results", "raw", "perfect", "ctb"),
    [
        ("W", "1", "1", "1"),
        ("WL", "5/4", "9/4", "5/9"),
        ("LW", "1", "9/4", "4/9"),
        ("WWW", "57/16", "57/16", "1"),
        ("WWL", "41/16", "57/16", "41/57"),
        ("WWD", "41/16", "57/16", "41/57"),
        ("BWL", "41/16", "57/16", "41/57"),
        ("WLW", "37/16", "57/16", "37/57"),
        ("WDW", "37/16", "57/16", "37/57"),
        ("LWW", "9/4", "57/16", "12/19"),
        ("WLL", "21/16", "57/16", "7/19"),
        ("LWL", "5/4", "57/16", "20/57"),
        ("LLW", "1", "57/16", "16/57"),
        ("LLL", "0", "57/16", "0"),
        ("WWWLL", "1017/256", "1593/256", "113/177"),
        ("WLWLW", "933/256", "1593/256", "311/531"),
        ("LLWWW", "57/16", "1593/256", "304/531"),
    ],
)
def test_the_cumulative_tiebreaker(results: str, raw: str, perfect: str, ctb: str) -> None:
    assert value(record(results), "ctb", "P") == ctb
    assert value(record(results), "ctb", "P", FB_A1="a") == raw
    assert value(record("W" * len(results)), "ctb", "P", FB_A1="a") == perfect


@proves("FB-7", "FB-8")
def test_of_equal_points_the_later_loss_is_ahead() -> None:
    """All records of five rounds: equal points are ordered by running totals from the last round back."""
    records = ["".join(letters) for letters in product("WL", repeat=5)]
    rounds = [
        ", ".join(f"{r} beats {r}{turn}" if r[turn] == "W" else f"{r}{turn} beats {r}" for r in records)
        for turn in range(5)
    ]
    order = [player for player in in_order(event(FB, *rounds)) if player in records]
    totals = {r: [r[: turn + 1].count("W") for turn in (4, 3, 2, 1, 0)] for r in records}
    assert order == sorted(records, key=totals.__getitem__, reverse=True)


@proves("FB-4", "FB-6", "FB-T3")
def test_a_whole_event_of_five() -> None:
    file = event(FB, *FIVE)
    assert table_of(file, "points", "ctb", "pml", FB_A1="a") == [
        ("P", "3", "57/16", "0"),
        ("T", "2", "37/16", "0"),
        ("R", "1", "21/16", "2/3"),
        ("S", "1", "5/4", "1"),
        ("Q", "1", "1", "1/2"),
    ]
    assert in_order(file) == list("PTRSQ")
    assert Fraction(value(file, "oml", "P")) == (Fraction(1, 2) + Fraction(2, 3) + 1) / 3 == Fraction(13, 18)


@proves("FB-A2")
def test_a_bye_counts_in_the_ctb() -> None:
    assert value(record("BL"), "ctb", "P") == "5/9"
    assert value(record("BL"), "ctb", "P", FB_A2="b") == "0"
    assert value(record("BL"), "points", "P", FB_A2="b") == "1"


@proves("FB-A3", "FB-A4")
def test_a_bye_is_no_match_played_and_a_draw_is_one() -> None:
    assert value(record("BL"), "pml", "P") == "1"
    assert value(record("BL"), "pml", "P", FB_A3="b") == "1/2"
    assert value(record("DL"), "pml", "P") == "1/2"


@proves("FB-A5")
def test_the_ctb_of_a_player_who_left_keeps_falling() -> None:
    file = record("W", rounds=2, dropped={"P": 1})
    assert value(file, "ctb", "P") == value(file, "octb", "O1") == "5/9"
    assert value(file, "ctb", "P", FB_A5="b") == value(file, "octb", "O1", FB_A5="b") == "1"


@proves("FB-A6")
def test_who_met_nobody_has_the_worst_values_of_opponents() -> None:
    assert (value(record("BB"), "oml", "P"), value(record("BB"), "octb", "P")) == ("1", "0")
    assert value(record("BB"), "oml", "P", FB_A6="b") == "0"


# Standard mode


@proves("FB-9", "FB-A7", "FB-T4")
def test_an_odd_tier_sends_one_random_player_down() -> None:
    """A, B and C have two points, D, E and F one, and none of them have met."""
    file = event(
        FB,
        "A beats U, B beats V, C beats W, D beats X, E beats Y, F beats Z",
        "A beats V, B beats W, C beats U, Y beats D, Z beats E, X beats F",
        dropped=dict.fromkeys("UVWXYZ", 2),
    )
    one_down = [
        f"{a}{d} {rest} {other}"
        for a, rest in (("A", "BC"), ("B", "AC"), ("C", "AB"))
        for d, other in (("D", "EF"), ("E", "DF"), ("F", "DE"))
    ]
    assert_drawn(file, *one_down, times=450)
    assert pair(file)["cost"]["score_gap_squared"] == 1


@proves("FB-9")
def test_equal_points_are_paired_at_random() -> None:
    file = event(FB, "A beats W, B beats X, C beats Y, D beats Z", dropped=dict.fromkeys("WXYZ", 1))
    assert_drawn(file, "AB CD", "AC BD", "AD BC", times=300)


@proves("FB-9", "FB-A8")
def test_rematches_are_forbidden_only_within_the_recommended_rounds() -> None:
    """Twenty entered, so that five rounds are recommended; or four, and three are."""
    gone = dict.fromkeys(GONE.split(), 0)
    within = event(FB, AB, AC, AD, players=f"A B C D {GONE}", dropped=gone, options={"rounds": 9})
    assert (
        refused("pair", file=within) == "topcut: FB-9: No pairing without a rematch is left for A, B, C, D."
    )
    beyond = event(FB, AB, AC, AD, options={"rounds": 9})
    assert set(drawn(beyond)) == {tables("AB CD"), tables("AC BD"), tables("AD BC")}
    assert "rematches" in warned("pair", "--seed", "x", file=beyond)


@proves("FB-A8")
@pytest.mark.parametrize(
    ("players", "chart", "doubling"),
    [(8, 3, 3), (32, 5, 5), (226, 8, 8), (227, 9, 8), (409, 9, 9), (410, 10, 9)],
)
def test_recommended_rounds_are_those_of_the_dci_chart(players: int, chart: int, doubling: int) -> None:
    assert plan(FB, players)["rounds"] == chart
    assert plan(FB, players, FB_A8="b")["rounds"] == doubling


@proves("FB-A11")
def test_the_bye_goes_to_the_lowest_tier_and_not_twice_in_a_row() -> None:
    assert byes(event(FB, "A beats B, C beats D, E bye")) == {"B", "D"}
    rounds = ("B beats C, A bye", "A beats C, B bye", "A beats B, C bye")
    each_had_one = event(FB, *rounds, players="A B C D", dropped={"D": 0}, options={"rounds": 9})
    assert byes(each_had_one) == {"B"}, "C has fewer points and had the last"
    assert byes(each_had_one, FB_A11="b") == {"C"}


# Draft mode


@proves("FB-10", "FB-12")
def test_pods_are_made_in_draft_mode_only() -> None:
    standard = pair(event(FB, players=names(16)))
    assert "pods" not in standard
    draft = pair(event(FB, players=names(16), options={"mode": "draft"}))
    assert pods(draft) == [8, 8]
    assert all(len({draft["pods"][player] for player in table["players"]}) == 1 for table in draft["tables"])


@proves("FB-11", "FB-10")
def test_pods_go_by_the_standing_after_constructed_rounds() -> None:
    """Twenty players, p1 to p20; after two rounds the first eight of the standings draft together."""
    wins = [f"p{n} beats p{n + 10}" for n in range(1, 11)]
    again = [f"p{n} beats p{n + 5}" for n in (1, 2, 3, 4, 5)] + [
        f"p{n} beats p{n + 5}" for n in (11, 12, 13, 14, 15)
    ]
    rounds = [a_round(", ".join(texts), format="constructed") for texts in (wins, again)]
    file = event(FB, *rounds, options={"mode": "draft", "rounds": 9})
    order = in_order(file, "--seed", "lots")
    answer = pair(file)
    assert {player for player, pod in answer["pods"].items() if pod == 1} == set(order[:8])
    assert {player for player, pod in answer["pods"].items() if pod == 3} == set(order[16:])


@proves("FB-11")
def test_pods_stay_together_while_the_draft_lasts() -> None:
    """The pods of the answer, copied to the players, are kept; winners of pod 2 never meet those of pod 1."""
    pod = dict.fromkeys("ABCD", 1) | dict.fromkeys("EFGH", 2)
    file = event(FB, "A beats B, C beats D, E beats F, G beats H", pod=pod, options={"mode": "draft"})
    assert "pods" not in pair(file)
    assert set(drawn(file)) == {tables("AC BD EG FH")}


@proves("FB-11")
def test_pods_of_a_running_event_are_drawn_before_the_first_round(tmp_path: Path) -> None:
    shop = running(tmp_path, FB, 16, "mode=draft")
    found = shop.json("event", "draw", "pods")["pods"]
    for _ in range(2):
        start(shop)
        for table in shop.json("round", "show")["tables"]:
            assert len({found[player] for player in table["players"]}) == 1
        finish(shop)


@proves("FB-10", "FB-11", "FB-12")
def test_a_draft_begins_and_ends_between_rounds_of_a_running_event(tmp_path: Path) -> None:
    """Two rounds among all, two in pods by the standings as they are shown, then among all again."""
    shop = running(tmp_path, FB, 20, "rounds=6", "format=swiss")
    play(shop, "", "")
    shown = [row["id"] for row in desk_standings(shop)]
    pod = shop.json("event", "draft", "--rounds", "2")["pods"]
    assert {n: {player for player in pod if pod[player] == n} for n in (1, 2, 3)} == {
        1: set(shown[:8]),
        2: set(shown[8:16]),
        3: set(shown[16:]),
    }
    for _ in range(2):
        start(shop)
        for table in shop.json("round", "show")["tables"]:
            assert len({pod[player] for player in table["players"]}) == 1
        finish(shop)
    start(shop)
    found = shop.json("round", "show")["tables"]
    assert any(len({pod[player] for player in table["players"]}) == 2 for table in found)


@proves("FB-10")
def test_a_draft_of_one_pod_and_nothing_else_is_remarked_upon(tmp_path: Path) -> None:
    shop = running(tmp_path, FB, 8, "rounds=3", "format=swiss")
    assert "Drafts are for events with several pods or formats (FB-10)" in shop("event", "draft").err
    shop("event", "draft", "--end")
    assert shop("event", "draft", "--rounds", "2").err == "", "the third round is of another format"


@proves("FB-10", "FB-11")
def test_several_drafts_follow_one_another_each_with_pods_of_its_own(tmp_path: Path) -> None:
    shop = running(tmp_path, FB, 16, "rounds=6", "format=swiss")
    first = shop.json("event", "draft")["pods"]
    play(shop, "", "")
    shown = [row["id"] for row in desk_standings(shop)]
    second = shop.json("event", "draft")["pods"]
    assert {player for player in second if second[player] == 1} == set(shown[:8])
    assert first != second


@proves("FB-A9")
@pytest.mark.parametrize(
    ("players", "sizes", "equal"),
    [(16, [8, 8], [8, 8]), (19, [8, 11], [10, 9]), (20, [8, 8, 4], [7, 7, 6]), (9, [9], [9])],
)
def test_pods_where_the_players_are_no_multiple_of_eight(
    players: int, sizes: list[int], equal: list[int]
) -> None:
    file = event(FB, players=names(players), options={"mode": "draft"})
    assert pods(pair(file)) == sizes
    assert pods(pair(file, FB_A9="b")) == equal


@proves("FB-A10")
def test_a_pod_is_paired_as_in_standard_mode_and_has_its_own_bye() -> None:
    pod = dict.fromkeys("ABCDE", 1) | dict.fromkeys("FGHIJ", 2)
    rounds = "A beats B, C beats D, E bye, F beats G, H beats I, J bye"
    for found in drawn(event(FB, rounds, pod=pod, options={"mode": "draft"})):
        alone = {one for table in found if len(table) == 1 for one in table}
        assert [len(alone & set(lowest)) for lowest in ("BD", "GI")] == [1, 1]


@proves("FB-A12")
def test_meetings_from_before_the_pod_are_avoided_and_those_in_it_forbidden() -> None:
    assert_drawn(one_pod(before=(AB, AC)), "AD BC", times=10)
    assert_drawn(one_pod(AD, before=(AB, AC)), "AB CD", "AC BD", times=100)
    assert "FB-9" in refused("pair", file=one_pod(AD, before=(AB, AC)), FB_A12="b")
    assert "FB-9" in refused("pair", file=one_pod(AB, AC, AD))


# Top cut


@proves("FB-12", "FB-A13")
def test_the_top_cut_is_seeded_by_standing() -> None:
    first = "A beats H, B beats G, C beats F, D beats E"
    file = event(
        FB,
        first,
        "A beats D, B beats C, E beats H, F beats G",
        options={"rounds": 2, "cut": 8, "format": "swiss+elimination"},
    )
    order = in_order(file, "--seed", "lots")
    answer = pair(file)
    assert answer["stage"] == "elimination"
    places = [tuple(order.index(player) + 1 for player in table["players"]) for table in answer["tables"]]
    assert places == [(1, 8), (4, 5), (2, 7), (3, 6)]


@proves("FB-A13")
def test_a_match_of_the_top_cut_has_a_winner(tmp_path: Path) -> None:
    shop = running(tmp_path, FB, 4, "format=elimination")
    start(shop)
    assert "elimination rounds have no draws" in shop("report", "1", "draw", code=2).err


@proves("FB-12")
def test_standard_mode_pairs_the_whole_field() -> None:
    assert len(seated(pair(event(FB, players=names(16))))) == 8
