"""The worked examples of the rules, number for number."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from tests.builders import ids_in_order, played, standings, value
from tests.one_player_events import as_an_opponent, own, record
from topcut.formats.event_file import Event
from topcut.rulebook.tiebreak_keys import Games, ValueKey
from topcut.standings.exact_values import ExactValues


def table_of(event: Event, *keys: str) -> list[tuple[str | None, ...]]:
    """(id, value of each key) from the top."""
    found = standings(event)
    return [(player_id, *(value(found, key, player_id) for key in keys)) for player_id in ids_in_order(found)]


def the_sheet() -> Event:
    """DS-T2: seats 1 Derek, 2 Ana, 3 Mariano, 4 Carl, 5 Bernie, 6 Finn, 7 Zed, 8 Hugo."""
    return played(
        "draft-sheet",
        "Derek 2-1 Bernie, Ana 2-0 Finn, Mariano 2-0 Zed, Carl 2-1 Hugo",
        "Derek 2-1 Mariano, Ana 2-0 Carl, Bernie 2-1 Zed, Finn 2-1 Hugo",
        "Ana 2-1 Derek, Mariano 2-0 Carl, Bernie 2-0 Finn, Hugo 2-0 Zed",
    )


def test_ds_t1_the_example_printed_on_the_sheet() -> None:
    six_points = [row for row in table_of(the_sheet(), "points", "omp", "gp") if row[1] == "6"]
    assert six_points == [
        ("Derek", "6", "7", "5/3"),
        ("Mariano", "6", "4", "15/7"),
        ("Bernie", "6", "4", "15/8"),
    ]


def test_ds_t2_a_whole_event_of_the_chart() -> None:
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


def test_ds_t2_only_the_fourth_key_separates_carl_and_finn() -> None:
    found = standings(the_sheet())
    decided = [found.decided_by(position) for position in range(8)]
    assert decided == ["points", "omp", "gp", "points", "ogp", "omp", "points", None]


def play(tables: list[str], one: str, other: str, one_wins: bool) -> tuple[str, str]:
    """Put a table on the list; winner and loser of it."""
    winner, loser = (one, other) if one_wins else (other, one)
    tables.append(f"{winner} beats {loser}")
    return winner, loser


def test_ds_t3_every_run_of_the_chart_without_draws_gives_the_same_points() -> None:
    """All 4096 runs: each is a pod of its own, and the pods never meet, so one event holds them all."""
    rounds: list[list[str]] = [[], [], []]
    for pod, first_wins in enumerate(product([True, False], repeat=12)):
        seats = [f"{pod}/{seat}" for seat in range(1, 9)]
        outcomes = iter(first_wins)

        a, b, c, d = (play(rounds[0], seats[i], seats[i + 4], next(outcomes)) for i in range(4))
        e, f, g, h = (
            play(rounds[1], one, other, next(outcomes))
            for one, other in ((a[0], c[0]), (b[0], d[0]), (a[1], c[1]), (b[1], d[1]))
        )
        for one, other in ((e[0], f[0]), (e[1], f[1]), (g[0], h[0]), (g[1], h[1])):
            play(rounds[2], one, other, next(outcomes))
    event = played("draft-sheet", *(", ".join(tables) for tables in rounds))
    found = standings(event)
    pods: dict[str, Counter[str | None]] = {}
    for player_id in found.history.index:
        pods.setdefault(player_id.split("/")[0], Counter())[value(found, "points", player_id)] += 1
    assert len(pods) == 4096
    assert all(points == {"9": 1, "6": 3, "3": 3, "0": 1} for points in pods.values())


@pytest.mark.parametrize(
    ("result", "points_per_game"),
    [
        ("A 1-1-1 B", "4/3"),  # the third game begun and not finished: 3 + 1 points of 3 games
        ("A 1-1 B", "3/2"),  # the third game never begun: 3 points of 2 games
        ("A 2-0 B", "3"),
        ("A bye", "0"),  # 0 of 0
    ],
)
def test_ds_t4_points_per_game(result: str, points_per_game: str) -> None:
    assert value(standings(played("draft-sheet", result)), "gp", "A") == points_per_game


def test_ds_t5_a_bye_is_no_opponent() -> None:
    """A has 9 points, B has 0 and counts as 3; the bye is left out: (9 + 3) / 2."""
    event = played(
        "draft-sheet",
        "A beats X, D beats B, C bye",
        "X beats B, A beats C, D bye",
        "X bye, A beats D, C beats B",
    )
    found = standings(event)
    assert (value(found, "points", "A"), value(found, "points", "B")) == ("9", "0")
    assert value(found, "omp", "X") == "6"


@pytest.mark.parametrize(
    ("results", "left", "win_rate"),
    [
        ("WWWLL", "", "3/5"),
        ("LLLLL", "", "1/4"),
        ("L", "dropped", "1/4"),
        ("W", "dropped", "3/4"),
        ("WWWWW", "", "1"),
        ("WWWL", "dropped", "3/4"),
        ("WWWWL", "dropped", "3/4"),
    ],
)
def test_pk_t1_win_percentage(results: str, left: str, win_rate: str) -> None:
    event = record("pokemon-2017", results, rounds=6 if left else 5, left=left)
    assert as_an_opponent(event, "owp") == win_rate


def test_pk_t2_a_bye_is_neither_a_win_nor_a_round() -> None:
    assert as_an_opponent(record("pokemon-2017", "WBL"), "owp") == "1/2"


def seven_players(**readings: str) -> Event:
    """PK-T3: G enters late, F drops after round 2."""
    return played(
        "pokemon-2017",
        "A beats B, C ties D, E beats F",
        "A beats E, C beats B, D beats F, G bye",
        "A beats C, D ties E, B beats G",
        entered={"G": 2},
        dropped={"F": 2},
        readings={reading_id.replace("_", "-"): letter for reading_id, letter in readings.items()},
    )


def test_pk_t3_a_whole_event() -> None:
    assert table_of(seven_players(), "points", "late", "owp", "oowp") == [
        ("A", "9", "0", "1/3", "29/54"),
        ("D", "5", "0", "11/36", "17/36"),
        ("C", "4", "0", "5/9", "7/18"),
        ("E", "4", "0", "19/36", "35/108"),
        ("B", "3", "0", "19/36", "11/27"),
        ("G", "3", "1", "1/3", "19/36"),
        ("F", "0", "0", "1/3", "5/12"),
    ]


def test_pk_t3_win_percentages() -> None:
    event = seven_players()
    exact = ExactValues(event.history, event.book)
    owp = next(key for key in event.book.chain if isinstance(key, ValueKey) and key.key == "owp")
    rates = {player_id: str(exact.count_own_value(owp, i)) for player_id, i in event.history.index.items()}
    assert rates == {"A": "1", "D": "1/3", "C": "1/3", "E": "1/3", "B": "1/3", "G": "1/4", "F": "1/4"}


def test_pk_t3_with_a_tie_as_half_a_win() -> None:
    assert table_of(seven_players(PK_A3="b"), "owp") == [
        ("A", "4/9"),
        ("D", "5/12"),
        ("C", "2/3"),
        ("E", "23/36"),
        ("B", "7/12"),
        ("G", "1/3"),
        ("F", "7/12"),
    ]


FIRST_GAMES = "8:13 5:21* 7:6, 2:24* 6:10 3:23, 1:15 4:18 9:17x"


def test_al_t3_standings_after_the_first_round() -> None:
    event = played("allegiance-2005", FIRST_GAMES)
    assert ids_in_order(standings(event)) == ["2", "5", "3", "4", "1", "8", "6", "7", "9"]
    assert value(standings(event), "score", "9") == "0"  # eliminated


def test_al_t5_final_standings() -> None:
    event = played("allegiance-2005", FIRST_GAMES, "2:20* 5:19 4:15, 3:27* 1:21 8:8, 6:19 7:3 9:19")
    assert table_of(event, "points", "score", "opponents_score") == [
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


def test_al_t6_the_table_as_it_was_printed() -> None:
    event = played("allegiance-2005", FIRST_GAMES, "2:20* 5:19 4:15, 3:27* 1:21 8:8, 6:25 7:3 9:19")
    assert ids_in_order(standings(event)) == ["2", "3", "5", "1", "6", "4", "8", "9", "7"]
    assert [value(standings(event), "score", player_id) for player_id in ("6", "4")] == ["35", "33"]


def test_dc_t1_the_sample_card() -> None:
    event = record("dci-1999", "WWLD")
    assert [value(standings(event, after=r), "points", "P") for r in (1, 2, 3, 4)] == ["3", "6", "6", "7"]


@pytest.mark.parametrize(
    ("result", "games", "first", "second"),
    [
        ("A 2-0 B", 2, 6, 0),
        ("A 2-1 B", 3, 6, 3),
        ("A 2-0-1 B", 3, 7, 1),
        ("A 1-1-1 B", 3, 4, 4),
        ("A 1-1 B", 2, 3, 3),
        ("A 1-0-1 B", 2, 4, 1),
    ],
)
def test_dc_t2_game_points(result: str, games: int, first: int, second: int) -> None:
    event = played("dci-1999", result)
    rate = event.book.measures["game_rate"]
    assert isinstance(rate, Games)
    by_player = [ExactValues(event.history, event.book).game_credits(rate, player) for player in (0, 1)]
    assert [sum(credit.earned for credit in of_one) for of_one in by_player] == [first, second]
    assert [len(of_one) for of_one in by_player] == [games, games]
    for player_id, points in (("A", first), ("B", second)):
        game_win_rate = max(Fraction(points, 3 * games), Fraction(1, 3))
        assert value(standings(event), "gw", player_id) == str(game_win_rate)


CUMULATIVE = [
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
]


@pytest.mark.parametrize(("results", "raw", "perfect", "ctb"), CUMULATIVE)
def test_fb_t1_cumulative_tiebreaker(results: str, raw: str, perfect: str, ctb: str) -> None:
    assert own(record("fab-gem", results, readings={"FB-A1": "a"}), "ctb") == raw
    assert own(record("fab-gem", "W" * len(results), readings={"FB-A1": "a"}), "ctb") == perfect
    assert own(record("fab-gem", results), "ctb") == ctb


def test_fb_t2_of_two_wins_in_three_rounds_the_later_loss_is_better() -> None:
    event = played(
        "fab-gem",
        "WWL beats a, WWD beats b, WLW beats c, d beats LWW",
        "WWL beats e, WWD beats f, g beats WLW, LWW beats h",
        "i beats WWL, WWD ties j, WLW beats k, LWW beats l",
    )
    found = standings(event)
    assert ids_in_order(found)[:4] == ["WWD", "WWL", "WLW", "LWW"]
    assert value(found, "ctb", "WWD") == value(found, "ctb", "WWL")
    assert [value(found, "pml", player_id) for player_id in ("WWD", "WWL")] == ["0", "1/3"]
    assert [found.decided_by(position) for position in range(3)] == ["pml", "ctb", "ctb"]


def five_players(**readings: str) -> Event:
    return played(
        "fab-gem",
        "P beats Q, R beats S, T bye",
        "P beats R, T ties Q, S bye",
        "P beats S, T beats R, Q bye",
        readings={reading_id.replace("_", "-"): letter for reading_id, letter in readings.items()},
    )


def test_fb_t3_a_whole_event() -> None:
    assert table_of(five_players(FB_A1="a"), "points", "ctb", "pml") == [
        ("P", "3", "57/16", "0"),
        ("T", "2", "37/16", "0"),
        ("R", "1", "21/16", "2/3"),
        ("S", "1", "5/4", "1"),
        ("Q", "1", "1", "1/2"),
    ]
    assert ids_in_order(standings(five_players())) == ["P", "T", "R", "S", "Q"]
    assert value(standings(five_players()), "oml", "P") == "13/18"


@pytest.mark.parametrize("rules", ["mtr", "dci-1999"])
def test_a_bye_is_two_games_and_a_round_lost_without_an_opponent_none(rules: str) -> None:
    """A has 6 of 9 game points and 3 of 6 match points; C, who came late, the same; B's bye is 2-0."""
    event = played(rules, "A 2-1 B", "A loss, B bye, C 2-1 D", entered={"C": 2, "D": 2})
    found = standings(event)
    assert [value(found, "gw", player_id) for player_id in "ABC"] == ["2/3", "3/5", "2/3"]
    assert [value(found, "omw", player_id) for player_id in "BD"] == ["1/2", "1/2"]
    assert [value(found, "ogw", player_id) for player_id in "ABD"] == ["3/5", "2/3", "2/3"]


def test_who_has_no_games_at_all_has_a_third() -> None:
    assert value(standings(played("mtr", "A loss, B bye")), "gw", "A") == "1/3"


@pytest.mark.parametrize(
    ("results", "left", "match_win_rate"),
    [
        ("WWWWWLLD", "", "2/3"),  # 16 of 24 points in 8 rounds
        ("WLLL", "dropped", "1/3"),  # 3 of 12 points, raised to the floor
        ("BWWLL", "dropped", "3/5"),  # 9 of 15 points, the bye among them
    ],
)
def test_mtr_match_win_percentage(results: str, left: str, match_win_rate: str) -> None:
    assert as_an_opponent(record("mtr", results, rounds=8, left=left), "omw") == match_win_rate
