"""Players who share a label are kept apart where that costs nothing else."""

from __future__ import annotations

import json
from random import Random

import pytest

from tests.builders import played
from tests.command_line import document, topcut
from tests.pairing.multiplayer.random_table_events import an_event, before, unfolding
from tests.pairing.multiplayer.seating_oracle import BOOKS, field_of, judged, seating_of
from tests.pairing.random_swiss_events import answered


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("size", [6, 9, 16, 17, 31, 60])
def test_a_couple_is_never_at_one_table_in_the_first_round(rules: str, size: int) -> None:
    couple = {"p001", "p004"}
    file = before(rules, size, apart=lambda i: ["couple"] if f"p{i:03}" in couple else [])
    for seed in range(4):
        answer = answered(file, f"{seed}")
        assert not any(couple <= table for table in seating_of(answer))
        assert (answer["cost"]["apart"], answer["optimal"], answer["warnings"]) == (0, True, [])


def test_without_the_label_they_often_are() -> None:
    file = before("allegiance-2005", 6)
    seatings = [seating_of(answered(file, f"{seed}")) for seed in range(30)]
    together = [any({"p001", "p004"} <= table for table in seating) for seating in seatings]
    assert 5 < sum(together) < 25


@pytest.mark.parametrize("rules", BOOKS)
def test_clubs_are_spread_as_far_as_they_can_be(rules: str) -> None:
    """Three clubs of four at three or four tables: at tables of four somebody has to share."""
    file = before(rules, 12, apart=lambda i: [f"club {i % 3}"])
    shared = 0 if rules == "allegiance-2005" else 3
    for seed in range(5):
        answer = answered(file, f"{seed}")
        assert answer["cost"]["apart"] == shared
        reasons = [reason for table in answer["tables"] for reason in table["why"]]
        assert sum(reason.startswith("could not be kept apart (club ") for reason in reasons) == shared


def test_one_shared_label_of_several_is_enough() -> None:
    labels = {0: ["x", "y"], 1: ["y", "z"], 2: ["z", "x"]}
    file = before("allegiance-2005", 9, apart=lambda i: labels.get(i, []))
    for seed in range(10):
        for table in seating_of(answered(file, f"{seed}")):
            assert len(table & {"p000", "p001", "p002"}) == 1


def test_standings_come_before_labels() -> None:
    """AL-T4: 3 and 1 sit together though they are a couple; 2 and 7 would not meet anyway."""
    first = "8:13 5:21* 7:6, 2:24* 6:10 3:23, 1:15 4:18 9:0x"
    couples = {"3": ["x"], "1": ["x"], "2": ["y"], "7": ["y"]}
    answer = answered(document(played("allegiance-2005", first, apart=couples)), "lots")
    assert [sorted(table["players"]) for table in answer["tables"]] == [list("245"), list("138"), list("679")]
    assert answer["cost"]["apart"] == 1
    assert "could not be kept apart (x)" in answer["tables"][1]["why"]


def test_level_players_change_places_for_a_label() -> None:
    """All are level: only who has met and who is a couple matters."""
    first = "a:0 b:0 c:0, d:0 e:0 f:0, g:0 h:0 i:0"
    labels = {"a": ["x"], "d": ["x"], "b": ["y"], "g": ["y"]}
    file = document(played("allegiance-2005", first, apart=labels))
    for seed in range(20):
        answer = answered(file, f"{seed}")
        assert (answer["cost"]["rematches"], answer["cost"]["apart"]) == (0, 0)
        assert not any({"a", "d"} <= table or {"b", "g"} <= table for table in seating_of(answer))


@pytest.mark.parametrize("rules", BOOKS)
def test_labels_never_cost_anything_else(rules: str) -> None:
    """The best of an event without its labels costs the same but for the labels."""
    helped = 0
    for number in range(40):
        random = Random(f"labels/{rules}/{number}")
        file = an_event(random, rules, random.choice([7, 8, 9]), random.randint(1, 2), labels=True)
        plain = {**file, "players": [{k: v for k, v in p.items() if k != "apart"} for p in file["players"]]}
        with_labels, without = answered(file, "x"), answered(plain, "x")
        assert with_labels["cost"]["rematches_by_round"] == without["cost"]["rematches_by_round"]
        assert with_labels["cost"]["displacement"] == without["cost"]["displacement"]
        field = field_of(file)
        shared = {field.cost(seating)[-1] for seating in judged(field_of(plain)).seatings}
        assert with_labels["cost"]["apart"] == min(shared)
        helped += len(shared) > 1
    assert helped > 5


@pytest.mark.parametrize(
    ("rules", "size"), [("allegiance-2005", 24), ("commander-4", 24), ("commander-4", 30)]
)
def test_a_couple_that_the_standings_bring_together_is_named(rules: str, size: int) -> None:
    file = before(rules, size, apart=lambda i: [f"couple {i // 2}"])
    for now, answer in unfolding(Random(f"couples/{size}"), file, 4):
        sharing = [table for table in answer["tables"] if field_of(now).shares(frozenset(table["players"]))]
        assert answer["cost"]["apart"] == len(sharing)
        for table in sharing:
            assert any(reason.startswith("could not be kept apart (couple ") for reason in table["why"])
        if answer["round"] == 1:
            assert sharing == []


def test_clubs_that_fill_every_table_are_said_to_be_as_few_as_were_found() -> None:
    """Twenty of each of three clubs at tables of four: nothing was proved, and it says so."""
    players = [{"id": f"p{number}", "apart": [f"club {number % 3}"]} for number in range(60)]
    file = {"topcut": 1, "name": "Clubs", "rules": "commander-4", "players": players, "rounds": []}
    answer = topcut("pair", "-", "--seed", "x", stdin=json.dumps(file).encode())
    assert answer.code == 0
    assert "best found: 15 tables despite “don't pair with”; proved minimum: " in answer.out
    assert "drawn at random" in answer.out
