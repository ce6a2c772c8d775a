"""Worked examples: who plays whom next, found by hand from the rules."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.builders import played
from tests.pairing.certificate_checks import enumerate_uniform
from tests.pairing.pairing_oracle import Pairing, pairing_of
from topcut.errors import Impossible
from topcut.formats.event_file import Event
from topcut.pairing.model import build_pairing_document
from topcut.pairing.round_draw import RoundDraw


def paired(event: Event, seed: str = "lots") -> dict[str, Any]:
    """The answer of `topcut pair` for a built event."""
    pairing = RoundDraw(event.history, event.book, event.file.options, event.file.rounds).pair(seed)
    return build_pairing_document(pairing, event.history)


def seated(answer: dict[str, Any]) -> Pairing:
    return frozenset(frozenset(table["players"]) for table in answer["tables"])


def drawn(event: Event, times: int = 200) -> Counter[Pairing]:
    """How often each pairing comes up."""
    pairable = RoundDraw(event.history, event.book, event.file.options, event.file.rounds)
    ids = [player.id for player in event.file.players]
    return Counter(
        frozenset(frozenset(ids[i] for i in table) for table in pairable.draw_tables(f"lots/{turn}"))
        for turn in range(times)
    )


def assert_drawn(event: Event, *texts: str, times: int = 200) -> None:
    """Only these pairings come up, all of them, and about equally often."""
    expected = {pairing_of(text) for text in texts}
    counts = drawn(event, times)
    assert set(counts) == expected
    assert enumerate_uniform(counts, expected, times) > 0.001


def bye(answer: dict[str, Any]) -> str | None:
    """Who has the bye."""
    alone: list[str] = [
        player_id for table in answer["tables"] if table.get("bye") for player_id in table["players"]
    ]
    assert len(alone) < 2
    return alone[0] if alone else None


# Odd groups


def test_dc_t4_five_players_after_one_round() -> None:
    """A, C and E have 3 points: two of them meet, the third meets B or D, the other of these has the bye."""
    event = played("dci-1999", "A beats B, C beats D, E bye")
    assert_drawn(event, "AC DE B", "AC BE D", "AE BC D", "CE AD B")
    assert paired(event)["cost"]["score_gap_squared"] == 9


SIX = ("A beats U, B beats V, C beats W, D beats X, E beats Y, F beats Z",)
LEFT = dict.fromkeys("UVWXYZ", 2)


def test_fb_t4_one_is_paired_down_from_an_odd_tier() -> None:
    """A, B and C have 2 points, D, E and F 1, and none of them have met; FB-A7: down, not up."""
    event = played(
        "fab-gem", *SIX, "A beats V, B beats W, C beats U, Y beats D, Z beats E, X beats F", dropped=LEFT
    )
    counts = drawn(event, 450)
    for tables in counts:
        assert sorted(len(table & set("ABC")) for table in tables) == [0, 1, 2]
    assert len(counts) == 9
    assert enumerate_uniform(counts, set(counts), 450) > 0.001
    assert paired(event)["cost"]["score_gap_squared"] == 1


def test_pk_6_nobody_is_paired_down_to_an_earlier_opponent() -> None:
    """A, B and C won, D, E and F lost to them: of nine ways to pair down, three are rematches."""
    event = played("pokemon-2017", "A beats D, B beats E, C beats F", options={"rounds": 3})
    counts = drawn(event, 300)
    wanted = {
        pairing_of(f"{w}{x} {down}{to} {y}{z}")
        for down, w, x in ("ABC", "BAC", "CAB")
        for to, y, z in ("DEF", "EDF", "FDE")
        if down + to not in ("AD", "BE", "CF")
    }
    assert set(counts) == wanted
    assert enumerate_uniform(counts, wanted, 300) > 0.001


def test_pk_4_the_first_round_is_random() -> None:
    """PK-4: all fifteen pairings of five players with a bye."""
    counts = drawn(played("pokemon-2017", players="A B C D E"), 600)
    assert len(counts) == 15
    assert enumerate_uniform(counts, set(counts), 600) > 0.001
    assert {
        player_id for tables in counts for table in tables if len(table) == 1 for player_id in table
    } == set("ABCDE")


def test_dc_6_tiebreaks_play_no_part() -> None:
    """A and B have beaten strong opponents, C and D weak ones; all have 6 points."""
    event = played(
        "dci-1999",
        "A beats U, B beats V, C beats W, D beats X",
        "A beats V, B beats U, C beats X, D beats W",
        "U beats W, V beats X",
        dropped=dict.fromkeys("UVWX", 3),
        options={"rounds": 5},
    )
    assert_drawn(event, "AB CD", "AC BD", "AD BC")


# Who has the bye


STRONG = ("A beats X, B beats Y, C beats Z, D bye", "A beats Y, B beats Z, C beats X, E bye")
OUT = dict.fromkeys("XYZ", 3)


@pytest.mark.parametrize("rules", ["pokemon-2017", "pokemon-tom", "dci-1999", "mtr", "fab-gem"])
def test_the_bye_goes_to_the_lowest_group_by_lot(rules: str) -> None:
    event = played(rules, *SIX, "A beats V, B beats W, U bye", dropped=LEFT | {"D": 1}, options={"rounds": 6})
    byes = Counter(
        player_id
        for tables, n in drawn(event).items()
        for t in tables
        if len(t) == 1
        for player_id in [*t] * n
    )
    assert set(byes) == set("CEF")
    assert enumerate_uniform(byes, set("CEF"), 200) > 0.001


@pytest.mark.parametrize("rules", ["pokemon-2017", "dci-1999", "mtr", "fab-gem"])
def test_nobody_has_a_second_bye_while_somebody_lower_or_higher_has_none(rules: str) -> None:
    """PK-A10: D and E, at the bottom, have had one; it goes up to B and C, and not to A."""
    event = played(rules, *STRONG, "A beats Z", dropped=OUT, options={"rounds": 6})
    assert_drawn(event, "AC DE B", "AB DE C")
    cost = paired(event)["cost"]
    assert (cost["second_byes"], cost["bye_points"]) == (0, 2 if rules == "fab-gem" else 6)


def test_pk_a10_and_from_there_to_the_top() -> None:
    event = played("pokemon-2017", "A beats B, C bye", "A beats C, B bye", options={"rounds": 4})
    assert seated(paired(event)) == pairing_of("BC A")


def test_pk_8_where_everybody_has_had_one_there_is_no_further_round() -> None:
    event = played(
        "pokemon-2017", "A beats B, C bye", "A beats C, B bye", "B beats C, A bye", options={"rounds": 4}
    )
    with pytest.raises(Impossible, match=r"^PK-8: .*bye.*: A, B, C\.$"):
        paired(event)


def test_dc_a2_elsewhere_there_is_a_second_bye_and_a_warning() -> None:
    rounds = ("A beats B, C bye", "A beats C, B bye", "B beats C, A bye")
    answer = paired(played("dci-1999", *rounds, options={"rounds": 4}))
    assert (answer["cost"]["second_byes"], bye(answer)) == (1, "C")
    (warning,) = [warning for warning in answer["warnings"] if "bye" in warning.partition(":")[0]]
    assert warning.startswith("A second bye cannot be avoided (C): ")
    assert warning.endswith(" (DC-A2).")


def test_a_second_bye_is_worse_than_a_rematch() -> None:
    """A and B have had byes, so that they meet again."""
    event = played("mtr", "A beats B", "A bye", "B bye", players="A B C", options={"rounds": 5})
    answer = paired(event)
    assert seated(answer) == pairing_of("AB C")
    assert (answer["cost"]["second_byes"], answer["cost"]["rematches"]) == (0, 1)


# Who takes part


@pytest.mark.parametrize("why", ["dropped", "cut", "disqualified"])
def test_who_has_left_is_not_paired(why: str) -> None:
    about: dict[str, Any] = {why: {"A": 1, "D": 2}}
    event = played("mtr", "A beats B, C beats D", players="A B C D E", **about)
    answer = paired(event)
    assert {player_id for table in answer["tables"] for player_id in table["players"]} == set("BCDE")


def test_a_late_player_begins_with_losses() -> None:
    """PK-17: E missed two rounds and stands with D at the bottom; F enters only in round 4."""
    event = played(
        "pokemon-2017",
        *("A beats B, C beats D", "A beats C, B beats D"),
        players="A B C D E F",
        entered={"E": 3, "F": 4},
        options={"rounds": 3},
    )
    answer = paired(event)
    assert {player_id for table in answer["tables"] for player_id in table["players"]} == set("ABCDE")
    assert {bye(paired(event, str(seed))) for seed in range(20)} == {"D", "E"}


def test_pk_a20_a_second_day_goes_on_with_those_who_were_not_cut() -> None:
    """230 players, nine rounds and five more: eight are left, with their points and opponents."""
    tables = ", ".join(f"w{i} beats l{i}" for i in range(115))
    stay = ("w0", "w1", "w2", "w3", "l0", "l1", "l2", "l3")
    cut = {f"{letter}{i}": 9 for letter in "wl" for i in range(115) if f"{letter}{i}" not in stay}
    event = played("pokemon-2017", *[tables] * 9, cut=cut, options={"table": "tcg-two-day"})
    answer = paired(event)
    assert answer["round"] == 10
    assert [sorted(player_id[0] for player_id in table["players"]) for table in answer["tables"]] == [
        ["w"] * 2
    ] * 2 + [["l"] * 2] * 2


def test_a_player_who_dropped_before_the_event_is_not_there() -> None:
    event = played("mtr", players="A B C", dropped={"B": 0})
    assert seated(paired(event)) == pairing_of("AC")


def test_a_round_needs_two_players() -> None:
    with pytest.raises(Impossible, match="Only A is left"):
        paired(played("mtr", "A beats B", dropped={"B": 1}))


# Kept apart


def test_a_family_is_kept_apart_where_that_costs_nothing() -> None:
    family = {"A": ["x"], "B": ["x"], "C": ["y"], "D": ["y", "z"]}
    assert_drawn(played("mtr", players="A B C D", apart=family), "AC BD", "AD BC")


def test_a_family_meets_rather_than_that_points_differ() -> None:
    event = played("mtr", "A beats C, B beats D", apart={"A": ["x"], "B": ["x"]})
    answer = paired(event)
    assert seated(answer) == pairing_of("AB CD")
    assert (answer["cost"]["score_gap_squared"], answer["cost"]["apart"]) == (0, 1)


def test_a_family_meets_rather_than_anybody_meets_twice() -> None:
    event = played("mtr", "A ties C, B ties D", "A ties D, B ties C", apart={"A": ["x"], "B": ["x"]})
    assert seated(paired(event)) == pairing_of("AB CD")


@pytest.mark.parametrize(("members", "tables"), [(4, 1), (5, 2), (6, 3)])
def test_the_majority_of_one_club_meets_as_seldom_as_possible(members: int, tables: int) -> None:
    """Of six players four leave two others: one table of the club; five leave one: two tables."""
    club = {player_id: ["club"] for player_id in "ABCDEF"[:members]}
    event = played("mtr", players="A B C D E F", apart=club)
    for seed in range(20):
        answer = paired(event, str(seed))
        assert answer["cost"]["apart"] == tables
        said = [t for t in answer["tables"] if any("kept apart (club)" in why for why in t["why"])]
        assert [set(t["players"]) <= set(club) for t in said] == [True] * tables


def test_the_bye_too_keeps_a_family_apart() -> None:
    """If C had it, the two of the family would meet."""
    counts = drawn(played("mtr", players="A B C", apart={"A": ["x"], "B": ["x"]}))
    assert set(counts) == {pairing_of("AC B"), pairing_of("BC A")}
