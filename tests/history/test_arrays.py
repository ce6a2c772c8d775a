"""The arrays of a history are what was written down."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import a_round, played
from topcut.formats.event_file import Event
from topcut.history import History, Outcome, Table, build_history
from topcut.history.builder import list_idle_players, list_missing_results
from topcut.history.model import Round
from topcut.rulebook.tiebreak_keys import OutcomeName

NOBODY = 6


def six_players() -> Event:
    """B drops after round 2, F enters in round 3 and then sits nowhere."""
    return played(
        "mtr",
        "A 2-1 B, C 1-1-1 D, E bye",
        "A 2-0 C, B loss, D both-lose E",
        "A ties D, C 1-0 E",
        players="A B C D E F",
        dropped={"B": 2},
        entered={"F": 3},
    )


def test_played_has_the_names_of_the_rulebook() -> None:
    assert [played.name.lower() for played in Outcome] == [*get_args(OutcomeName), "gone"]
    assert [int(played) for played in Outcome] == list(range(len(Outcome)))


def test_what_each_round_was_for_each_player() -> None:
    rounds = [[Outcome(p).name for p in row] for row in six_players().history.played]
    assert rounds == [
        ["WIN", "LOSS", "DRAW", "DRAW", "BYE", "MISSED"],
        ["WIN", "ASSIGNED", "LOSS", "DOUBLE_LOSS", "DOUBLE_LOSS", "MISSED"],
        ["DRAW", "GONE", "WIN", "DRAW", "LOSS", "IDLE"],
    ]


def test_who_met_whom() -> None:
    history = six_players().history
    assert history.opponents.tolist() == [
        [1, 0, 3, 2, NOBODY, NOBODY],
        [2, NOBODY, 0, 4, 3, NOBODY],
        [3, NOBODY, 4, 0, 2, NOBODY],
    ]
    assert history.meeting_round.tolist() == [0, 1, 2]
    assert history.meetings.tolist() == [3, 1, 3, 3, 2, 0]
    assert history.met(2) == [(0, 3), (1, 0), (2, 4)]


def test_games_are_seen_from_each_side() -> None:
    history = six_players().history
    assert history.games is not None
    won, lost, drawn = history.games.tolist()
    assert won == [[2, 1, 1, 1, 0, 0], [2, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]]
    assert lost == [[1, 2, 1, 1, 0, 0], [0, 0, 2, 0, 0, 0], [0, 0, 0, 0, 1, 0]]
    assert drawn == [[0, 0, 1, 1, 0, 0], [0] * 6, [0] * 6]
    assert history.game_totals.tolist() == [[4, 1, 2, 1, 0, 0], [1, 2, 3, 1, 1, 0], [0, 0, 1, 1, 0, 0]]
    assert history.scores is None


def test_counts_of_each_kind_of_round() -> None:
    history = six_players().history
    counts = {played.name: history.counts[played].tolist() for played in Outcome}
    assert counts == {
        "WIN": [2, 0, 1, 0, 0, 0],
        "DRAW": [1, 0, 1, 2, 0, 0],
        "LOSS": [0, 1, 1, 0, 1, 0],
        "DOUBLE_LOSS": [0, 0, 0, 1, 1, 0],
        "BYE": [0, 0, 0, 0, 1, 0],
        "ASSIGNED": [0, 1, 0, 0, 0, 0],
        "MISSED": [0, 0, 0, 0, 0, 2],
        "IDLE": [0, 0, 0, 0, 0, 1],
        "GONE": [0, 1, 0, 0, 0, 0],
    }


def test_who_sits_nowhere() -> None:
    assert [(number, player.id) for number, player in list_idle_players(six_players().history)] == [(3, "F")]


def test_a_loss_that_was_written_down_replaces_a_missed_round() -> None:
    history = played("pokemon-2017", "A beats B, C loss", "A beats C", entered={"C": 2}).history
    assert Outcome(history.played[0, 2]) is Outcome.ASSIGNED


def test_at_tables_of_three_and_four_everybody_meets_everybody() -> None:
    history = played("allegiance-2005", "a:20* b:7 c:9x, d:3 e:-4 f:5 g:6", "a:1 d:2 e:3").history
    names = [player.id for player in history.players]
    met = {
        names[i]: [{names[o] for s, o in history.met(i) if s == r} for r in (0, 1)]
        for i in range(history.size)
    }
    assert met == {
        "a": [{"b", "c"}, {"d", "e"}],
        "b": [{"a", "c"}, set()],
        "c": [{"a", "b"}, set()],
        "d": [{"e", "f", "g"}, {"a", "e"}],
        "e": [{"d", "f", "g"}, {"a", "d"}],
        "f": [{"d", "e", "g"}, set()],
        "g": [{"d", "e", "f"}, set()],
    }
    assert history.meetings.tolist() == [4, 2, 2, 5, 5, 3, 3]
    assert history.meeting_round.tolist() == [0, 0, 0, 1, 1]


def test_scores_are_those_of_the_table_and_nought_for_the_eliminated() -> None:
    history = played("allegiance-2005", "a:20* b:7 c:9x, d:3 e:-4 f:5 g:6", "a:1 d:2 e:3").history
    assert history.scores is not None
    assert history.scores.tolist() == [[20, 7, 0, 3, -4, 5, 6], [1, 0, 0, 2, 3, 0, 0]]
    assert [Outcome(p).name for p in history.played[0]] == ["WIN", "LOSS", "LOSS"] + ["DRAW"] * 4
    assert history.games is None


def test_two_winners_at_one_table_both_won() -> None:
    history = played("allegiance-2005", "a:20* b:20* c:9").history
    assert [Outcome(p).name for p in history.played[0]] == ["WIN", "WIN", "LOSS"]


def test_elimination_rounds_leave_no_trace() -> None:
    swiss = played("mtr", "A beats B, C beats D")
    bracket = played("mtr", "A beats B, C beats D", a_round("C 2-0 A", stage="elimination"))
    assert_same(swiss.history, bracket.history)


def test_a_table_that_is_not_reported_leaves_its_players_idle() -> None:
    history = played("mtr", "A - B, C beats D").history
    assert [Outcome(p).name for p in history.played[0]] == ["IDLE", "IDLE", "WIN", "LOSS"]
    assert history.meetings.tolist() == [0, 0, 1, 1]


def test_missing_results_are_named_by_round_and_table() -> None:
    rounds = [
        a_round("A beats B, C - D"),
        Round(tables=(Table(players=("A", "C"), table="feature"), Table(players=("B", "D"), loss=False))),
    ]
    assert list_missing_results(rounds, {"C": "Cleo"}) == [
        "round 1 table 2 (Cleo, D)",
        "round 2 table feature (A, Cleo)",
        "round 2 table 2 (B, D)",
    ]


def test_rounds_without_tables_and_events_without_players() -> None:
    assert played("mtr").history.played.shape == (0, 0)
    assert played("mtr", players="A B").history.played.shape == (0, 2)
    assert played("mtr", Round(tables=()), players="A B").history.counts[Outcome.IDLE].tolist() == [1, 1]


@pytest.mark.parametrize("rounds", [0, 1, 2, 3])
def test_after_a_round_is_what_was_known_then(rounds: int) -> None:
    event = six_players()
    assert_same(
        event.history.after(rounds), build_history(event.file.players, event.file.rounds[:rounds], event.book)
    )


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_after_a_round_with_larger_tables(rounds: int) -> None:
    event = played("allegiance-2005", "a:20* b:7 c:9x, d:3 e:-4 f:5 g:6", "a:1 d:2 e:3")
    assert_same(
        event.history.after(rounds), build_history(event.file.players, event.file.rounds[:rounds], event.book)
    )


@given(st.lists(st.permutations(range(7)), max_size=4), st.integers(0, 7))
def test_meetings_are_mutual(orders: list[list[int]], at_tables: int) -> None:
    """Whatever the tables of three and four: if you met me, I met you, in the same round and as often."""
    rounds = []
    for order in orders:
        ids = [f"p{i}:1" for i in order]
        rounds.append(" ".join(ids[:3]) + (", " + " ".join(ids[3:]) if at_tables > 3 else ""))
    history = played("allegiance-2005", *rounds, players=" ".join(f"p{i}" for i in range(7))).history
    met = sorted((r, me, you) for me in range(7) for r, you in history.met(me))
    assert met == sorted((r, you, me) for r, me, you in met)
    assert len(met) == len(set(met)) == int(history.meetings.sum())


def assert_same(one: History, other: History) -> None:
    for name in ("played", "opponents", "meeting_round", "games", "scores", "entered", "dropped", "cut"):
        first, second = getattr(one, name), getattr(other, name)
        assert (first is None) == (second is None), name
        assert first is None or np.array_equal(first, second), name
    assert one.players == other.players
    assert np.array_equal(one.counts, other.counts)
    assert np.array_equal(one.meetings, other.meetings)
    assert np.array_equal(one.game_totals, other.game_totals)
