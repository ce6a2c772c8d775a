"""`topcut check` on rounds at tables of three and four: what was made worse by hand is found and named."""

from __future__ import annotations

import json
from itertools import permutations
from random import Random
from typing import Any

import pytest

from tests.builders import a_round, played
from tests.command_line import document, topcut
from tests.pairing.multiplayer.random_table_events import an_event, before, result, unfolding
from tests.pairing.multiplayer.random_table_events import played as any_result
from tests.pairing.multiplayer.seating_oracle import BOOKS, every_seating, field_of, judged, seating_of
from tests.pairing.random_swiss_events import File, answered
from topcut.formats.event_file import Event

FIRST = "8:13 5:21* 7:6, 2:24* 6:10 3:23, 1:15 4:18 9:0x"
"""AL-T3: the standings are 2 5 3 4 1 8 6 7 9."""


def checked(event: Event | File, code: int) -> list[dict[str, Any]]:
    """The verdicts on all rounds."""
    plain = document(event) if isinstance(event, Event) else event
    answer = topcut("check", "-", "--json", stdin=json.dumps(plain).encode())
    assert (answer.code, answer.err) == (code, "")
    rounds: list[dict[str, Any]] = json.loads(answer.out)["rounds"]
    return rounds


def wrong(event: Event | File) -> dict[str, Any]:
    """The verdict on the last round; those before it are in order."""
    *earlier, last = checked(event, code=1)
    assert all(verdict["legal"] and verdict["optimal"] and not verdict["problems"] for verdict in earlier)
    return last


def second(tables: str, **about: Any) -> Event:
    """A second round after the one of the source: `254 318 679`."""
    text = ", ".join(" ".join(f"{player_id}:0" for player_id in table) for table in tables.split())
    return played("allegiance-2005", FIRST, a_round(text), **about)


@pytest.mark.parametrize("tables", ["254 318 679", "679 318 254", "452 831 976"])
def test_the_published_round_is_in_order_however_it_is_written_down(tables: str) -> None:
    found = checked(second(tables), code=0)[-1]
    assert (found["legal"], found["optimal"], found["replayed"], found["problems"]) == (True, True, None, [])
    assert found["cost"] == found["best"]
    assert (found["cost"]["displacement"], found["cost"]["rematches_by_round"]) == (2, {"1": 0})


def test_a_repeated_pair_that_was_avoidable() -> None:
    """The standings cut into tables: 2 met 3 and 4 met 1."""
    found = wrong(second("253 418 679"))
    assert (found["legal"], found["optimal"]) == (True, False)
    assert (found["cost"]["rematches"], found["best"]["rematches"]) == (2, 0)
    assert found["cost"]["rematches_by_round"] == {"1": 2}
    (problem,) = found["problems"]
    assert problem["rule"] == "AL-14"
    assert sorted(problem["players"]) == list("1234")
    assert problem["text"].endswith("2 rematches from round 1 (fewest possible: 0)")


def test_a_repeated_pair_of_a_newer_round_than_need_be() -> None:
    """AL-15. Whoever sits down last time's tables again, where those of long ago were the best choice."""
    rounds = ("123 456 789", "147 258 369", "159 267 348", "168 249 357")
    texts = [
        ", ".join(" ".join(f"{player_id}:0" for player_id in table) for table in one.split())
        for one in rounds
    ]
    assert checked(played("allegiance-2005", *texts, texts[0]), code=0)[-1]["cost"]["rematches"] == 9
    found = wrong(played("allegiance-2005", *texts, texts[1]))
    assert found["cost"]["rematches_by_round"] == {"4": 0, "3": 0, "2": 9, "1": 0}
    assert found["best"]["rematches_by_round"] == {"4": 0, "3": 0, "2": 0, "1": 9}
    (problem,) = found["problems"]
    assert problem["text"].endswith("9 rematches from round 2 (fewest possible: 0)")
    assert sorted(problem["players"]) == list("123456789")


def test_players_who_moved_for_nothing() -> None:
    """1 and 4 change places as well: 6 instead of 2."""
    found = wrong(second("251 348 679"))
    assert (found["legal"], found["optimal"]) == (True, False)
    assert (found["cost"]["displacement"], found["best"]["displacement"]) == (6, 2)
    (problem,) = found["problems"]
    assert problem["rule"] == "AL-16"
    assert problem["text"].startswith("players sit 4 seats away from their places in the standings")
    assert problem["text"].endswith("(possible: 2)")


def test_players_to_be_kept_apart_at_one_table() -> None:
    family = {"a": ["x"], "b": ["x"]}
    found = wrong(played("allegiance-2005", "a:0 b:0 c:0, d:0 e:0 f:0", apart=family))
    assert (found["cost"]["apart"], found["best"]["apart"]) == (1, 0)
    assert (
        "1 table with players who should be kept apart (fewest possible: 0)" in found["problems"][0]["text"]
    )
    assert checked(played("allegiance-2005", "a:0 d:0 c:0, b:0 e:0 f:0", apart=family), code=0)


@pytest.mark.parametrize(
    ("rules", "tables", "rule", "text"),
    [
        (
            "allegiance-2005",
            "a:0 b:0 c:0 d:0, e:0 f:0 g:0 h:0, i:0 j:0 k:0 l:0",
            "AL-2",
            "wrong table sizes: 3 tables of 4 (expected: 4 tables of 3)",
        ),
        (
            "commander-4",
            "a beats b c, d beats e f, g beats h i, j beats k l",
            "",
            "wrong table sizes: 4 tables of 3 (expected: 3 tables of 4)",
        ),
    ],
)
def test_tables_of_the_wrong_sizes(rules: str, tables: str, rule: str, text: str) -> None:
    found = wrong(played(rules, tables))
    assert (found["legal"], found["optimal"]) == (False, False)
    (problem,) = found["problems"]
    assert (problem["rule"], problem["players"], problem["text"]) == (rule, [], text)


@pytest.mark.parametrize("tables", ["254 318", "254 3186"])
def test_somebody_at_no_table(tables: str) -> None:
    found = wrong(second(tables))
    assert (found["legal"], found["optimal"]) == (False, False)
    (problem,) = found["problems"]
    assert (problem["rule"], problem["text"]) == ("AL-1", "takes part, but has no table")
    assert sorted(problem["players"]) == sorted(set("679") - set(tables))


def test_somebody_who_had_left_is_not_missed() -> None:
    assert checked(second("254 3186", dropped={"7": 1, "9": 1}), code=0)


def test_five_at_a_time_are_too_few_for_two_tables_and_too_many_for_one() -> None:
    """One table of three is legal for three, not for the five who are here."""
    found = wrong(second("254", dropped=dict.fromkeys("3186", 1)))
    assert not found["legal"]
    assert sorted(found["problems"][0]["players"]) == list("79")


def test_for_people_each_problem_is_a_line_with_its_rule() -> None:
    answer = topcut("check", "-", stdin=json.dumps(document(second("253 418 679"))).encode())
    assert answer.code == 1
    *_, problem, _, verdict = answer.out.splitlines()
    assert problem == (
        "round 2, not optimal: 2 rematches from round 1 (fewest possible: 0): 2 and 3; 4 and 1 (AL-14)"
    )
    assert verdict == "problems were found"


# Seeds


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("size", [9, 20])
def test_a_seed_that_draws_other_tables(rules: str, size: int) -> None:
    file = before(rules, size)
    random = Random("seed")
    tables = [any_result(random, rules, table["players"]) for table in answered(file, "right")["tables"]]
    (right,) = checked({**file, "rounds": [{"seed": "right", "tables": tables}]}, code=0)
    (other,) = checked({**file, "rounds": [{"seed": "wrong", "tables": tables}]}, code=1)
    assert [right["replayed"], other["replayed"]] == [True, False]
    assert (other["legal"], other["optimal"]) == (True, True)
    (problem,) = other["problems"]
    assert (problem["rule"], problem["players"], problem["severity"]) == ("", [], "not replayed")
    assert problem["text"] == "the seed draws different tables from the recorded ones"


def test_the_best_round_does_not_replay_if_another_as_good_was_drawn() -> None:
    """Shared places leave a choice; somebody wrote down another one than the lot's."""
    *_, (file, answer) = unfolding(Random("choice"), before("commander-4", 9), 2)
    choices = judged(field_of(file)).tables - {frozenset(seating_of(answer))}
    assert choices
    random = Random("played")
    for tables in sorted(sorted(map(sorted, choice)) for choice in choices)[:3]:
        rows = [any_result(random, "commander-4", table) for table in tables]
        *_, last = checked({**file, "rounds": [*file["rounds"], {"seed": "round 2", "tables": rows}]}, code=1)
        assert (last["legal"], last["optimal"], last["replayed"]) == (True, True, False)


# Any round at all


@pytest.mark.parametrize("rules", BOOKS)
def test_rounds_of_any_kind_are_judged_as_the_judge_does(rules: str) -> None:
    """Random events whose last round is one of the best, or any; tables are written down in any order."""
    seen = {True: 0, False: 0}
    for number in range(40):
        random = Random(f"check/{rules}/{number}")
        file = an_event(random, rules, random.choice([6, 7, 8, 9]), random.randint(1, 3))
        field = field_of(file)
        best = judged(field)
        chosen = random.choice([*best.seatings, *[*every_seating(field)][:: 1 + len(field.order)]])
        cheapest = min(field.cost(order) for order in permutations(chosen) if fits(order, field.sizes))
        rows = [result(random, rules, sorted(table)) for table in random.sample(chosen, len(chosen))]
        answer = topcut("check", "-", "--json", stdin=written(file, rows))
        last = json.loads(answer.out)["rounds"][-1]
        assert (last["legal"], last["optimal"]) == (True, cheapest == best.cost), number
        assert last["cost"]["displacement"] == cheapest[-2], number
        assert last["best"]["displacement"] == best.cost[-2], number
        assert last["cost"]["rematches"] == sum(cheapest[:-2]), number
        assert last["best"]["rematches"] == sum(best.cost[:-2]), number
        seen[last["optimal"]] += 1
    assert min(seen.values()) >= 8


def fits(order: tuple[frozenset[str], ...], sizes: tuple[int, ...]) -> bool:
    return tuple(map(len, order)) == sizes


def written(file: File, rows: list[dict[str, Any]]) -> bytes:
    return json.dumps({**file, "rounds": [*file["rounds"], {"tables": rows}]}).encode()


@pytest.mark.parametrize("number", [184, 241, 682, 915])
def test_the_order_in_which_tables_are_written_down_changes_nothing(number: int) -> None:
    """Where places are shared, the best order of the tables need not be that of the sums of their places."""
    random = Random(f"order/{number}")
    rules = BOOKS[number % 2]
    file = an_event(random, rules, random.choice([9, 9, 10]), random.choice([2, 3, 4]), labels=False)
    for tables in judged(field_of(file)).tables:
        for order in permutations(sorted(map(sorted, tables))):
            rows = [{"players": table, "winner": table[0]} for table in order]
            answer = topcut("check", "-", "--json", stdin=written(file, rows))
            last = json.loads(answer.out)["rounds"][-1]
            assert (last["legal"], last["optimal"], last["problems"]) == (True, True, [])


def test_a_round_that_nobody_could_have_seated_is_a_problem_of_that_round() -> None:
    """Two were there when it was recorded; everybody else came later."""
    ids = [f"p{number}" for number in range(6)]
    file: File = {
        "topcut": 1,
        "name": "An event",
        "rules": "allegiance-2005",
        "players": [{"id": player_id, "entered": 1 if player_id in ids[:2] else 2} for player_id in ids],
        "rounds": [{"tables": []}],
    }
    (verdict,) = checked(file, code=1)
    (problem,) = verdict["problems"]
    assert (problem["rule"], problem["players"], problem["severity"]) == ("AL-1", [], "illegal")
    assert problem["text"] == "Only p0 and p1 are left, but a table needs 3 players."
