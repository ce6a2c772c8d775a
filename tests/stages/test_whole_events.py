"""226 players from registration to final places, by each way of playing an event."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.stages.played_events import Plain, answered, finished, places, progress_of, started, written
from topcut.rulebook import Book
from topcut.rulebook.loader import build_book, read_book
from topcut.stages.audit import audit_rounds
from topcut.stages.document import build_schedules

PK = "pokemon-2017"


def two_days() -> Book:
    """The book with a second day from 129 players on."""
    source = read_book(PK)
    for row in source.tree["plan"]["tables"]["tcg-two-day"]["rows"]:
        if row.get("to") == 226:
            row["second_day"] = 4
    return build_book(source, {})


def with_drafts() -> Book:
    """Three rounds in pods, three without, three in new pods, then a top 8: as data, and nothing else."""
    source = read_book("fab-gem")
    swiss = {"source": "house", "formats": ["swiss+elimination"], "kind": "swiss", "rounds": 3}
    source.tree["stages"][0]["formats"] = ["swiss"]
    source.tree["stages"][1:1] = [
        {**swiss, "name": "draft 1", "pods": True},
        {**swiss, "name": "constructed"},
        {**swiss, "name": "draft 2", "pods": True},
    ]
    return build_book(source, {})


def age(number: int) -> str:
    return "junior" if number <= 40 else "senior" if number <= 100 else "masters"


TOP_8 = ["elimination"] * 3
STAGES: dict[str, tuple[Plain, Book | None, list[str]]] = {
    "Swiss": (started(PK, 226, format="swiss"), None, ["swiss"] * 8),
    "elimination": (started(PK, 226, format="elimination", third_place=True), None, ["elimination"] * 8),
    "Swiss and elimination": (started(PK, 226), None, ["swiss"] * 8 + TOP_8),
    "two days": (started(PK, 226, table="tcg-two-day"), two_days(), ["swiss"] * 12 + TOP_8),
    "flights": (started(PK, 226, flights=4, cut=16), None, ["swiss"] * 6 + ["elimination"] * 4),
    "divisions": (started(PK, 226, division=age), None, ["swiss"] * 7 + TOP_8),
    "drafts": (started("fab-gem", 226, cut=8), with_drafts(), ["swiss"] * 9 + TOP_8),
    "pods": (
        started("fab-gem", 226, cut=8, mode="draft", rounds=7),
        None,
        ["swiss"] * 7 + ["elimination"] * 3,
    ),
}


@pytest.mark.parametrize(("file", "book", "stages"), STAGES.values(), ids=STAGES)
def test_from_registration_to_final_places(file: Plain, book: Book | None, stages: list[str]) -> None:
    played = finished(file, Random("whole"), book)
    assert [a_round["stage"] for a_round in played["rounds"]] == stages
    now = progress_of(played, book)
    assert [verdict.round for verdict in audit_rounds(now) if not verdict.ok] == []
    if "elimination" in stages:
        assert all(bracket.play.over for bracket in now.brackets)
        divisions: dict[Any, list[int]] = {}
        for player_id, place in places(now).items():
            divisions.setdefault(now.history.players[now.history.index[player_id]].division, []).append(place)
        for found in divisions.values():
            assert sorted(found) == list(range(1, len(found) + 1))
        assert sum(map(len, divisions.values())) == 226


def test_double_elimination() -> None:
    played = finished(started(PK, 226, format="double-elimination"), Random("whole"))
    now = progress_of(played)
    assert {a_round["stage"] for a_round in played["rounds"]} == {"elimination"}
    assert sorted(places(now).values()) == list(range(1, 227))
    assert all(verdict.ok for verdict in audit_rounds(now))


def test_a_round_robin_of_226_is_all_planned_before_it_begins() -> None:
    """225 rounds at once: everybody meets everybody, and the standings give 226 places."""
    file = started(PK, 226, format="round-robin")
    schedule = build_schedules(progress_of(file, seed="first"))[0]
    met = [frozenset(table["players"]) for tables in schedule["rounds"] for table in tables]
    assert len(met) == len(set(met)) == 226 * 225 // 2
    file["rounds"] = [
        {"tables": [{"players": t["players"], "winner": min(t["players"])} for t in tables]}
        for tables in schedule["rounds"]
    ]
    for player_id, number in schedule["rank_seeds"].items():
        next(player for player in file["players"] if player["id"] == player_id)["seed"] = number
    now = progress_of(file)
    assert len(build_schedules(now)[0]["places"]) == 226


def test_pods_are_made_anew_where_a_new_draft_begins() -> None:
    """Pods are drawn for rounds 1 and 7, kept within a draft, and nobody looks at them in between."""
    file, book = started("fab-gem", 32, cut=8), with_drafts()
    random = Random("pods")
    drawn = []
    while len(file["rounds"]) < 9:
        answer = answered(file, book)
        drawn.append("pods" in answer)
        pods = {p["id"]: p.get("pod") for p in file["players"]} | answer.get("pods", {})
        inside = [len({pods[player_id] for player_id in table["players"]}) == 1 for table in answer["tables"]]
        in_pods = len(file["rounds"]) not in (3, 4, 5)
        assert all(inside) == in_pods
        file = written(file, answer, random)
    assert drawn == [True, False, False, False, False, False, True, False, False]
