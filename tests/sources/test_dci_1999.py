"""DC: Swiss pairing as the DCI published it in 1999, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.proves import proves
from tests.sources.outside import (
    Pairing,
    assert_drawn,
    byes,
    drawn,
    event,
    in_order,
    pair,
    parameter,
    plan,
    play,
    printed,
    ranks,
    running,
    seated,
    standings,
    start,
    table_of,
    tables,
    unplanned,
    value,
    warned,
)

DC = "dci-1999"
CHART = "17 5, 32 5, 33 6, 64 6, 65 7, 128 7, 129 8, 226 8, 227 9, 409 9, 410 10, 5000 10"
SAMPLE = ("Kai 2-0 Mike", "Kai 2-1 Charles, Mike bye", "Kai 0-2 Svetlana", "Kai 1-1-1 Reese, Mike - Charles")
NUMBERS = {"Kai": "739879", "Mike": "985467", "Charles": "362111", "Svetlana": "81456318", "Reese": "1127453"}
EIGHT = ("1 2-0 8, 2 2-1 7, 3 2-0 6, 4 2-1 5", "1 2-0 4, 2 2-0 3, 5 2-0 8, 6 2-1 7")


def the_card() -> dict[str, Any]:
    """The sample card: a win, a win, a loss, a draw."""
    late = {"Charles": 2, "Svetlana": 3, "Reese": 4}
    return event(DC, *SAMPLE, member=NUMBERS, entered=late, options={"rounds": 5})


def by_cards(*groups: str) -> set[Pairing]:
    """Every pairing that shuffled cards can give: from the top, a card left over goes into the next group."""
    return {frozenset(found) for found in _deal("", *groups)}


def _deal(down: str, *groups: str) -> Iterator[list[frozenset[str]]]:
    if not groups:
        yield [frozenset(down)] if down else []
        return
    for shuffled in permutations(groups[0]):
        pile = down + "".join(shuffled)
        pairs = [frozenset(pile[at : at + 2]) for at in range(0, len(pile) - 1, 2)]
        left = pile[-1] if len(pile) % 2 else ""
        yield from ([*pairs, *rest] for rest in _deal(left, *groups[1:]))


@proves("DC-1")
def test_everybody_plays_every_round_and_one_player_at_most_has_a_bye(tmp_path: Path) -> None:
    shop = running(tmp_path, DC, 7, "rounds=3", "format=swiss")
    for _ in range(3):
        start(shop)
        found = shop.json("round", "show")["tables"]
        assert sorted(len(table["players"]) for table in found) == [1, 2, 2, 2]
        for table in found[:-1]:
            shop("report", str(table["table"]), "2-0")
        shop("round", "end")


@proves("DC-1")
def test_the_best_records_meet() -> None:
    for found in drawn(event(DC, *EIGHT)):
        assert frozenset("12") in found


@proves("DC-2")
def test_matches_are_best_of_three_and_end_when_they_are_decided(tmp_path: Path) -> None:
    """A file may hold what was published otherwise; it is counted, with a warning."""
    assert parameter(DC, "match.best_of") == 3
    shop = running(tmp_path, DC, 8)
    start(shop)
    for games in ("3-0", "2-2"):
        assert f"{games} isn't possible in best of 3" in shop("report", "1", games, code=2).err
    assert "3-0 isn't possible in best of 3" in warned("standings", file=event(DC, "A 3-0 B"))


@proves("DC-2")
def test_rounds_of_premier_events_take_an_hour_or_seventy_minutes() -> None:
    assert parameter(DC, "match.round_minutes.premier") == 60
    assert parameter(DC, "match.round_minutes.premier-constructed") == 70


@proves("DC-2")
@pytest.mark.parametrize(
    ("options", "minutes"), [(["level=premier"], 60), (["level=premier", "deck=constructed"], 70)]
)
def test_the_clock_of_a_premier_event_starts_with_them(
    options: list[str], minutes: int, tmp_path: Path
) -> None:
    shop = running(tmp_path, DC, 8, *options)
    start(shop)
    assert f"Round 1 starts ({minutes} minutes)." in shop("log").out


@proves("DC-3", "DC-11", "DC-R1", "DC-T3")
@pytest.mark.parametrize("row", [row.split() for row in CHART.split(",")], ids=lambda row: row[0])
def test_the_chart_of_rounds_before_a_top_8(row: list[str]) -> None:
    players, rounds = map(int, row)
    found = plan(DC, players)
    assert (found["rounds"], found["cut"], found["notes"]) == (rounds, 8, [])


@proves("DC-A6", "DC-T3")
def test_below_the_chart_there_are_three_or_four_rounds_and_no_cut() -> None:
    rounds = {players: (plan(DC, players)["rounds"], plan(DC, players)["cut"]) for players in (4, 8, 9, 16)}
    assert rounds == {4: (3, None), 8: (3, None), 9: (4, None), 16: (4, None)}
    assert plan(DC, 16)["notes"] == ["the published chart begins at 17 players (DC-A6)"]
    assert "DC-A6" in unplanned(DC, 3)
    assert "at least 17 are needed" in unplanned(DC, 16, DC_A6="b")


@proves("DC-4")
def test_round_1_is_random_and_the_player_left_over_has_the_bye() -> None:
    cards = by_cards("ABCDE")
    assert len(cards) == 15
    counts = drawn(event(DC, players="A B C D E"), 600)
    assert set(counts) == cards
    assert max(counts.values()) < 3 * min(counts.values())


@proves("DC-4", "DC-A8", "DC-T2")
def test_a_bye_is_a_match_win_by_two_games_to_none() -> None:
    """A: 6 points of 2 games in the bye, 6 of 3 in the match; 12 of 15."""
    file = event(DC, "A bye, B 2-0 C", "A 2-1 B, C bye")
    assert value(file, "points", "A") == "6"
    assert value(file, "gw", "A") == "4/5"
    assert value(file, "gw", "A", DC_A8="b") == "2/3"
    assert value(file, "omw", "A") == "1/2", "a bye is no opponent"


@proves("DC-5", "DC-7", "DC-A3", "DC-A4", "DC-A5", "DC-T4")
def test_five_players_after_one_round() -> None:
    """A, C and E have three points, E by the bye; one of them meets B or D, and the other has the bye."""
    file = event(DC, "A beats B, C beats D, E bye")
    assert_drawn(file, "AC DE B", "AC BE D", "AE BC D", "CE AD B", times=400)
    assert pair(file)["cost"]["score_gap_squared"] == 9
    assert byes(file) == {"B", "D"}


@proves("DC-5", "DC-A3", "DC-12")
def test_an_odd_group_sends_a_random_player_to_the_group_below() -> None:
    """Three players at 6 points, three at 3, three at 0, none of whom have met, and nobody had a bye."""
    file = event(
        DC,
        "A beats x, B beats y, C beats z, D beats u, E beats v, F beats w, o beats G, p beats H, q beats I",
        "A beats u, B beats v, C beats w, x beats D, y beats E, z beats F, o beats I, p beats G, q beats H",
        dropped=dict.fromkeys("xyzuvwopq", 2),
    )
    counts = drawn(file, 2000)
    assert set(counts) == by_cards("ABC", "DEF", "GHI")
    assert byes(file) == set("GHI")


@proves("DC-6")
def test_tiebreakers_play_no_part_in_pairing() -> None:
    """All four have three points; their games differ, and every pairing without a rematch is as likely."""
    file = event(DC, "A 2-0 w, B 2-1 x, C 2-0 y, D 1-0 z", dropped=dict.fromkeys("wxyz", 1))
    assert_drawn(file, "AB CD", "AC BD", "AD BC", times=600)


@proves("DC-7", "DC-A5")
def test_the_bye_goes_to_a_random_player_of_the_lowest_group() -> None:
    """G and H have lost with different games; that does not matter."""
    file = event(DC, "A beats E, B beats F, C 2-1 G, D 2-0 H, I bye")
    assert byes(file, 100) == set("EFGH")


@proves("DC-8", "DC-T1")
def test_the_running_total_after_each_round() -> None:
    totals = [value(the_card(), "points", "Kai", "--after", str(after)) for after in (1, 2, 3)]
    assert totals == ["3", "6", "6"]
    whole = event(DC, *SAMPLE[:3], "Kai 1-1-1 Reese", entered={"Charles": 2, "Svetlana": 3, "Reese": 4})
    assert value(whole, "points", "Kai") == "7"


@pytest.mark.large
@proves("DC-8", "DC-9", "DC-A10", "DC-T1")
def test_the_score_card_notes_games_result_total_and_opponent(tmp_path: Path) -> None:
    """It has as many columns for games as a match can have."""
    card = printed("card", the_card(), tmp_path, "--player", "Kai")
    assert "round games match 1 2 3 W D L opponent's number and name points initials" in card
    assert "Match points: win 3, draw 1, loss 0" in card
    assert "Game points: won 3, drawn or unfinished 1, lost 0, not played 0" in card
    for line in ("W W – × 985467 Mike 3", "2–1 × 362111 Charles 6", "L L – × 81456318 Svetlana 6"):
        assert line in card


@proves("DC-9", "DC-A11", "DC-T2")
@pytest.mark.parametrize(
    ("games", "first", "second"),
    [
        ("2-0", "1", "1/3"),  # 6 of 6, and 0 of 6 raised to the minimum
        ("2-1", "2/3", "1/3"),  # 6 and 3 of 9
        ("2-0-1", "7/9", "1/3"),  # 7 of 9, and 1 of 9 raised
        ("1-1-1", "4/9", "4/9"),  # the third game begun: 4 of 9
        ("1-1", "1/2", "1/2"),  # the third game never begun: 3 of 6
        ("1-0-1", "2/3", "1/3"),  # 4 of 6, and 1 of 6 raised
    ],
)
def test_points_of_games(games: str, first: str, second: str) -> None:
    file = event(DC, f"A {games} B")
    assert (value(file, "gw", "A"), value(file, "gw", "B")) == (first, second)


@proves("DC-9")
def test_points_of_matches() -> None:
    file = event(DC, "A beats B, C ties D")
    assert [value(file, "points", player) for player in "ABCD"] == ["3", "0", "1", "1"]


@proves("DC-A11")
def test_an_unfinished_game_counts_as_played_or_only_adds_a_point() -> None:
    file = event(DC, "A 1-1-1 B")
    assert value(file, "gw", "A") == "4/9"
    assert value(file, "gw", "A", DC_A11="b") == "2/3"


@proves("DC-11", "DC-A9")
def test_the_best_eight_play_single_elimination_seeded_by_standing() -> None:
    file = event(DC, *EIGHT, options={"rounds": 2, "cut": 8})
    order = in_order(file)
    assert sorted(ranks(file).values()) == [1, 2, 3, 4, 5, 6, 7, 8]
    answer = pair(file)
    assert answer["stage"] == "elimination"
    places = [tuple(order.index(player) + 1 for player in table["players"]) for table in answer["tables"]]
    assert places == [(1, 8), (4, 5), (2, 7), (3, 6)]


@proves("DC-11")
def test_after_the_charted_rounds_a_bracket_ends_the_event(tmp_path: Path) -> None:
    shop = running(tmp_path, DC, 17)
    play(shop, "", "", "", "", "")
    start(shop)
    found = shop.json("round", "show")
    assert (found["stage"], len(found["tables"])) == ("elimination", 4)


@proves("DC-12", "DC-4", "DC-5")
@pytest.mark.parametrize(
    ("rounds", "groups"),
    [
        ((), ("ABCDEF",)),
        ((), ("ABCDE",)),
        (("A beats u, B beats v, C beats w, x beats D, y beats E",), ("ABC", "DE")),
    ],
)
def test_whatever_the_cards_can_give_is_drawn_and_nothing_else(
    rounds: tuple[str, ...], groups: tuple[str, ...]
) -> None:
    ids = " ".join("".join(groups))
    file = event(DC, *rounds, players=ids, dropped=dict.fromkeys("uvwxy", 1) if rounds else {})
    assert set(drawn(file, 600)) == by_cards(*groups)


@proves("DC-A1")
def test_rematches_are_avoided_or_allowed() -> None:
    file = event(DC, "A ties B, C ties D")
    assert set(drawn(file)) == {tables("AC BD"), tables("AD BC")}
    assert tables("AB CD") in drawn(file, DC_A1="a")
    unavoidable = event(DC, "A beats B", options={"rounds": 2})
    assert "A and B" in warned("pair", "--seed", "x", file=unavoidable)
    assert seated(pair(unavoidable)) == tables("AB")


@proves("DC-A2")
def test_a_second_bye_is_avoided_or_allowed() -> None:
    """A, B and C have three points, C by a bye."""
    file = event(DC, "A beats X, B beats Y, C bye", dropped={"X": 1, "Y": 1})
    assert byes(file) == {"A", "B"}
    assert byes(file, DC_A2="a") == {"A", "B", "C"}


@proves("DC-A7")
def test_ties_are_broken_by_the_usual_four_keys_with_a_third_as_the_minimum() -> None:
    file = event(DC, "A 2-1 B, C 2-0 D, E bye", "A 2-0 C, B 2-1 E, D bye")
    (first, *_) = standings(file)
    assert [tiebreak["key"] for tiebreak in first["tiebreaks"]] == ["omw", "gw", "ogw"]
    assert table_of(file, "points", "omw", "gw", "ogw") == [
        ("A", "6", "1/2", "4/5", "1/2"),
        ("B", "3", "3/4", "1/2", "7/10"),
        ("C", "3", "3/4", "1/2", "13/20"),
        ("E", "3", "1/2", "3/5", "1/2"),
        ("D", "3", "1/2", "1/2", "1/2"),
    ]


@proves("DC-10")
def test_points_of_the_event_are_all_that_standings_know() -> None:
    (row, *_) = standings(event(DC, "A 2-0 B"))
    assert {*row} == {"rank", "id", "name", "points", "dropped", "record", "tiebreaks", "decided_by"}
