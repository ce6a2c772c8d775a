"""Tiers and pods: who meets whom inside a pod, how pods are made, and when two may meet again."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.builders import a_round, ids_in_order, played, standings
from tests.pairing.pairing_oracle import pairing_of
from tests.pairing.test_vectors import assert_drawn, bye, paired, seated
from topcut.errors import BadInput, Impossible
from topcut.formats.event_file import Event
from topcut.history import Round
from topcut.pairing.audit import check_round
from topcut.rulebook import load
from topcut.rulebook.model import Pods
from topcut.rulebook.planning.pool import compute_pod_sizes

DRAFT = {"mode": "draft", "rounds": 9}


def names(number: int) -> str:
    return " ".join(f"p{i:02}" for i in range(1, number + 1))


def pods_of(answer: dict[str, Any]) -> list[set[str]]:
    """The players of each pod that was drawn, from the first."""
    by_pod: dict[int, set[str]] = {}
    for player_id, pod in answer["pods"].items():
        by_pod.setdefault(pod, set()).add(player_id)
    return [by_pod[pod] for pod in sorted(by_pod)]


def reported(answer: dict[str, Any], random: Random, event_format: str | None = None) -> Round:
    """The round of an answer with results by lot."""
    tables = [" beats ".join(random.sample(t["players"], len(t["players"]))) for t in answer["tables"]]
    texts = [text if " " in text else f"{text} bye" for text in tables]
    return a_round(", ".join(texts), seed=answer["seed"], format=event_format)


def rule(letter: str) -> Pods:
    pairing = load("fab-gem", {"FB-A9": letter}).pairing
    assert pairing is not None
    assert pairing.pods is not None
    return pairing.pods


# Sizes


@pytest.mark.parametrize("players", range(4, 41))
def test_fb_a9_four_to_seven_left_over_are_a_pod_and_fewer_join_the_last(players: int) -> None:
    whole, left = divmod(players, 8)
    if players < 8:
        expected = [players]
    elif left < 4:
        expected = [8] * (whole - 1) + [8 + left]
    else:
        expected = [8] * whole + [left]
    assert compute_pod_sizes(players, rule("a")) == expected


@pytest.mark.parametrize("players", range(4, 41))
def test_fb_a9_or_all_pods_alike(players: int) -> None:
    """6 to 11 where that is possible, as near to eight as can be, and no two differ by more than one."""
    sizes = compute_pod_sizes(players, rule("b"))
    assert sum(sizes) == players
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) - min(sizes) <= 1
    if players >= 6:
        assert min(sizes) >= 6
        assert max(sizes) <= 11
    off = abs(players / len(sizes) - 8)
    others = [
        n for n in (len(sizes) - 1, len(sizes) + 1) if n and players // n >= 6 and -(-players // n) <= 11
    ]
    assert all(off <= abs(players / n - 8) for n in others)


@pytest.mark.parametrize("players", [4, 7, 8, 11, 12, 19, 20, 27])
def test_the_round_is_played_in_these_pods(players: int) -> None:
    answer = paired(played("fab-gem", players=names(players), options=DRAFT))
    assert [len(pod) for pod in pods_of(answer)] == compute_pod_sizes(players, rule("a"))
    for table in answer["tables"]:
        assert len({answer["pods"][player_id] for player_id in table["players"]}) == 1
    byes = Counter(answer["pods"][t["players"][0]] for t in answer["tables"] if t.get("bye"))
    assert byes == {n: 1 for n, pod in enumerate(pods_of(answer), start=1) if len(pod) % 2}


# By standing


def after_three_rounds(players: int = 20) -> list[Round]:
    """Three rounds of constructed play."""
    random = Random("constructed")
    rounds: list[Round] = []
    for turn in range(3):
        event = played("fab-gem", *rounds, players=names(players), options={"rounds": 9})
        rounds.append(reported(paired(event, str(turn)), random, event_format="constructed"))
    return rounds


def test_fb_11_pods_go_by_standing() -> None:
    event = played("fab-gem", *after_three_rounds(), players=names(20), options=DRAFT)
    order = ids_in_order(standings(event, seed="lots"))
    first, second, third = pods_of(paired(event))
    assert (first, second, third) == (set(order[:8]), set(order[8:16]), set(order[16:]))


def test_who_has_left_is_in_no_pod() -> None:
    event = played(
        "fab-gem", *after_three_rounds(), players=names(20), dropped={"p01": 3, "p02": 3}, options=DRAFT
    )
    pods = pods_of(paired(event))
    assert [len(pod) for pod in pods] == [8, 10]
    assert not any({"p01", "p02"} & pod for pod in pods)


def test_in_the_first_round_a_lot_makes_the_pods_whatever_the_order_of_the_file() -> None:
    one = played("fab-gem", players=names(16), options=DRAFT)
    other = played("fab-gem", players=" ".join(reversed(names(16).split())), options=DRAFT)
    assert paired(one)["pods"] == paired(other)["pods"]
    assert seated(paired(one)) == seated(paired(other))
    with_p01 = Counter(
        player_id
        for i in range(200)
        for player_id in pods_with("p01", paired(one, str(i)))
        if player_id != "p01"
    )
    assert set(with_p01) == set(names(16).split()) - {"p01"}
    assert min(with_p01.values()) > 200 * 7 / 15 * 0.7


def pods_with(player: str, answer: dict[str, Any]) -> set[str]:
    return next(pod for pod in pods_of(answer) if player in pod)


def test_fb_11_pods_stay_while_the_draft_lasts() -> None:
    """Results change the standings, but not the pods; everybody meets everybody of an even pod once."""
    random = Random("draft")
    answer = paired(played("fab-gem", players=names(12), options=DRAFT), "0")
    pods = answer["pods"]
    rounds = [reported(answer, random)]
    for turn in range(1, 3):
        event = played("fab-gem", *rounds, players=names(12), pod=pods, options=DRAFT)
        answer = paired(event, str(turn))
        assert "pods" not in answer
        assert all(
            len({pods[player_id] for player_id in table["players"]}) == 1 for table in answer["tables"]
        )
        rounds.append(reported(answer, random))
    met = Counter(frozenset(table.players) for r in rounds for table in r.tables)
    assert set(met.values()) == {1}
    small = {player_id for player_id, pod in pods.items() if pod == 2}
    assert len([table for table in met if table <= small]) == 6  # all of four players


def test_pods_copied_to_the_players_give_the_same_tables() -> None:
    about: dict[str, Any] = {"players": names(20), "options": DRAFT}
    rounds = after_three_rounds()
    answer = paired(played("fab-gem", *rounds, **about))
    again = paired(played("fab-gem", *rounds, **about, pod=answer["pods"]))
    assert again["tables"] == answer["tables"]


def test_who_comes_late_joins_the_smallest_pod() -> None:
    pods = {player_id: 1 + (at >= 8) for at, player_id in enumerate(names(15).split())}
    first = a_round(", ".join(f"{a} beats {b}" for a, b in PAIRS_OF_15), format="draft")
    event = played("fab-gem", first, players=names(16), pod=pods, entered={"p16": 2}, options=DRAFT)
    answer = paired(event)
    assert answer["pods"] == {"p16": 2}
    assert bye(answer) is None


PAIRS_OF_15 = [(f"p{i:02}", f"p{i + 1:02}") for i in (1, 3, 5, 7, 9, 11, 13)]


# Who meets whom inside a pod


def test_fb_a10_inside_a_pod_equal_points_meet() -> None:
    """Two pods of four: winners meet winners."""
    pods = dict.fromkeys("ABCD", 1) | dict.fromkeys("EFGH", 2)
    event = played("fab-gem", "A beats B, C beats D, E beats F, G beats H", pod=pods, options=DRAFT)
    assert_drawn(event, "AC BD EG FH", times=10)
    assert paired(event)["cost"]["score_gap_squared"] == 0


def test_fb_a10_an_odd_pod_has_its_own_bye() -> None:
    pods = dict.fromkeys("ABCDE", 1) | dict.fromkeys("FGHIJ", 2)
    event = played(
        "fab-gem", "A beats B, C beats D, E bye, F beats G, H beats I, J bye", pod=pods, options=DRAFT
    )
    for seed in range(20):
        alone = sorted(t["players"][0] for t in paired(event, str(seed))["tables"] if t.get("bye"))
        assert alone[0] in "BD"
        assert alone[1] in "GI"


GONE = " ".join(f"x{i:02}" for i in range(16))
"""Players who left; with them there were twenty, for whom five rounds are recommended."""


def one_pod(*rounds: str, before: tuple[str, ...] = (), late: str = "", **about: Any) -> Event:
    """A, B, C and D make a pod; before it they met in constructed play, and every table was a draw."""
    made = [a_round(text, format="constructed") for text in before]
    made += [a_round(text, format="draft") for text in rounds]
    return played(
        "fab-gem",
        *made,
        players=f"A B C D {late} {GONE}",
        pod=dict.fromkeys("ABCD", 1) if rounds else {},
        dropped=dict.fromkeys(GONE.split(), 0),
        entered={late: len(made) + 1},
        options=DRAFT,
        **about,
    )


AB, AC, AD = ("A ties B, C ties D", "A ties C, B ties D", "A ties D, B ties C")


def test_fb_a12_meetings_from_before_the_pod_are_avoided() -> None:
    event = one_pod(before=(AB, AC))
    assert_drawn(event, "AD BC", times=10)
    assert paired(event)["warnings"] == []


def test_fb_a12_but_not_forbidden() -> None:
    """Only the meeting in the pod cannot come again."""
    event = one_pod(AD, before=(AB, AC))
    assert_drawn(event, "AB CD", "AC BD", times=100)
    answer = paired(event)
    assert answer["cost"]["rematches"] == 2
    assert "2 rematches cannot be avoided" in answer["warnings"][0]
    assert_drawn(one_pod(AB, AC, before=(AD,)), "AD BC", times=10)


def test_a_new_pod_knows_no_meetings_of_its_own() -> None:
    event = one_pod(before=(AB, AC, AD))
    assert_drawn(event, "AB CD", "AC BD", "AD BC", times=100)


def test_inside_a_pod_nobody_meets_twice() -> None:
    with pytest.raises(Impossible, match=r"^FB-9: No pairing without a rematch is left for A, B, C, D\.$"):
        paired(one_pod(AB, AC, AD))


def test_who_joins_a_pod_does_not_make_it_a_new_one() -> None:
    """E comes in round 4: one of the others has the bye, one meets E, and two would meet again."""
    event = one_pod(AB, AC, AD, late="E")
    with pytest.raises(Impossible, match=r"^FB-9: "):
        paired(event)


def test_only_some_rulesets_have_pods() -> None:
    with pytest.raises(BadInput, match=r"^options\.mode: "):
        paired(played("mtr", players="A B C D", options={"mode": "draft"}))


# Byes and rematches in standard mode


def test_fb_a11_the_bye_never_goes_to_one_player_twice_running() -> None:
    """Each of three has had one; C stands lowest and had the last, so that it is B's turn."""
    rounds = ("B beats C, A bye", "A beats C, B bye", "A beats B, C bye")
    event = played("fab-gem", *rounds, players="A B C D", options={"rounds": 9}, dropped={"D": 0})
    assert {bye(paired(event, str(seed))) for seed in range(10)} == {"B"}


def test_fb_a11_unless_nobody_else_is_there() -> None:
    pods = {"A": 1, "B": 1, "C": 2, "D": 2}
    event = played("fab-gem", "A beats B, C beats D", pod=pods, options=DRAFT)
    with pytest.raises(Impossible, match="A, B"):  # they have met in their pod
        paired(event)
    later = played("fab-gem", "A bye, C bye", players="A C", pod=pods, options=DRAFT)
    assert seated(paired(later)) == pairing_of("A C")


def test_fb_9_up_to_the_recommended_rounds_nobody_meets_twice() -> None:
    """Of four to eight players three rounds are recommended."""
    stuck = ("A beats B, C beats D", "A beats C, B beats D", "A beats D")
    event = played("fab-gem", *stuck[:2], players="A B C D", options={"rounds": 5}, dropped={"D": 2})
    assert seated(paired(event)) == pairing_of("BC A")
    alone = played("fab-gem", *stuck[:2], options={"rounds": 5}, dropped={"B": 2, "D": 2})
    with pytest.raises(Impossible, match=r"^FB-9: No pairing without a rematch is left for A, C\.$"):
        paired(alone)


def test_fb_9_beyond_them_rematches_are_few_and_announced() -> None:
    rounds = (
        "A beats B, C beats D, E beats F",
        "A beats C, B beats E, D beats F",
        "A beats E, B beats D, C beats F",
    )
    event = played("fab-gem", *rounds, options={"rounds": 5}, dropped={"E": 3, "F": 3})
    answer = paired(event)
    assert seated(answer) == pairing_of("AD BC")
    assert answer["warnings"] == []
    later = played(
        "fab-gem", *rounds, "A beats D, B beats C", options={"rounds": 5}, dropped={"E": 3, "F": 3}
    )
    answer = paired(later)
    assert answer["cost"]["rematches"] == 2
    assert len(answer["warnings"]) == 1
    assert answer["warnings"][0].startswith("2 rematches cannot be avoided (")
    assert answer["warnings"][0].endswith(" (FB-9).")


def test_a_rematch_in_a_pod_is_not_legal_even_where_nothing_else_was_left() -> None:
    """FB-9, FB-A12: those outside the pod may meet again, those inside it never."""
    rounds = ("A beats B, C beats D", "A beats B")
    left = {"C": 1, "D": 1}
    event = played(
        "fab-gem", *rounds, options=DRAFT | {"rounds": 3}, pod=dict.fromkeys("ABCD", 1), dropped=left
    )
    file = event.file
    first, second = (
        check_round(event.history.after(r), event.book, file.options, file.rounds, r) for r in range(2)
    )
    assert (first.legal, second.legal) == (True, False)
    assert [(problem.rule, problem.text) for problem in second.problems] == [("FB-9", "rematch")]
