"""Who goes on: every predicate a book can have, what is said of it, and what an audit makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.builders import played
from tests.command_line import changed, document, topcut, write
from tests.stages.played_events import answered, finished, places, progress_of, started, written
from topcut.formats.event_file import Event
from topcut.rulebook import Book
from topcut.rulebook.loader import build_book, read_book
from topcut.rulebook.planning.plan import Wishes, plan_event
from topcut.stages.audit import audit_rounds
from topcut.stages.brackets.graph import build_double
from topcut.stages.brackets.play import BracketPlay
from topcut.stages.final_places import find_places as places_of
from topcut.stages.progress import Progress

PK = "pokemon-2017"
ROUND_ONE = "A beats B, C beats D, E beats F, G beats H, I ties J, K bye"
"""Five have 3 points, two have 1, four have none."""


def by(**enter: Any) -> Book:
    """One round by the book, then a bracket for whom the predicate lets in."""
    source = read_book("mtr")
    del source.tree["stages"][1]["enter"]["top"]
    source.tree["stages"][1]["enter"] |= enter
    return build_book(source, {})


def cut(book: Book, *rounds: str, **about: Any) -> list[str]:
    """Who goes on into the bracket, sorted."""
    event = played("mtr", *rounds, **about)
    now = Progress(event.history, book, event.file.options, event.file.rounds, ["lots"])
    (bracket,) = now.brackets
    return sorted(bracket.play.players)


OPTIONS = {"format": "swiss+elimination", "rounds": 1}


def test_points_at_least() -> None:
    assert cut(by(points=3), ROUND_ONE, options=OPTIONS) == [*"ACEGK"]
    assert cut(by(points=1), ROUND_ONE, options=OPTIONS) == [*"ACEGIJK"]


def test_so_many_of_the_best() -> None:
    found = cut(by(top=4), ROUND_ONE, options=OPTIONS)
    assert len(found) == 4
    assert set(found) < set("ACEGK")


@pytest.mark.parametrize(("limit", "expected"), [(8, [*"ACEGK"]), (5, [*"ACEGK"]), (4, None)])
def test_whoever_is_level_with_the_last_goes_on_too_up_to_a_limit(
    limit: int, expected: list[str] | None
) -> None:
    found = cut(by(top=4, level_up_to=limit), ROUND_ONE, options=OPTIONS)
    assert found == expected if expected else len(found) == 4


def test_points_or_the_best_whichever_are_more() -> None:
    assert cut(by(points=3, top=2), ROUND_ONE, options=OPTIONS) == [*"ACEGK"]
    assert cut(by(points=3, top=7), ROUND_ONE, options=OPTIONS) == [*"ACEGIJK"]


def test_a_field_that_is_no_power_of_two_has_byes_where_the_book_allows_it() -> None:
    event = played("mtr", ROUND_ONE, options=OPTIONS)
    now = Progress(event.history, by(points=3), event.file.options, event.file.rounds, ["lots"])
    first = now.brackets[0].next(now.history)
    assert sorted(len(table.players) for table in first) == [1, 1, 1, 2]


# What is said


def senior_or_masters(number: int) -> str:
    return "senior" if number <= 8 else "masters"


def test_pk_38_the_share_of_each_division_is_shown_with_a_warning(tmp_path: Path) -> None:
    ages = started(PK, 40, division=senior_or_masters, by_division={"senior": {"cut": 4, "rounds": 3}})
    file = finished(ages, Random("shares"))
    answer = topcut("cut", str(write(file, tmp_path / "ages.json")))
    assert answer.out.splitlines()[-2:] == ["senior: 4 of 8 (50%)", "masters: 8 of 32 (25%)"]
    assert answer.err.startswith("topcut: warning: unequal shares in the cut: senior 4 of 8 (50%), masters")
    shown = json.loads(topcut("bracket", str(tmp_path / "ages.json"), "--json").out)
    assert shown["divisions"][0]["shares"][0] == {
        "division": "senior",
        "in": 4,
        "players": 8,
        "share": "1/2",
    }


def test_near_the_line_everybody_has_the_key_that_decided(tmp_path: Path) -> None:
    event = played("dci-1999", "A 2-0 B, C 2-1 D, E 2-0 F, G 2-1 H", options={"cut": 2, "rounds": 1})
    answer = json.loads(topcut("cut", str(write(event, tmp_path / "cut.json")), "--json").out)
    (found,) = answer["cuts"]
    assert found["line"] == "the best 2 of 8"
    reasons = {row["id"]: row["why"] for row in found["players"]}
    assert {
        player_id for player_id in reasons if next(r for r in found["players"] if r["id"] == player_id)["in"]
    } == {"A", "E"}
    assert reasons["A"].endswith("; Game-win % 100.00% (first player outside: 66.67%)")


def test_no_cut_comes_next_is_said(tmp_path: Path) -> None:
    event = played("mtr", "A beats B, C beats D", options={"rounds": 3})
    answer = topcut("cut", str(write(event, tmp_path / "cut.json")))
    assert (answer.code, answer.err.split(": ")[-1]) == (3, "no cut comes after round 1\n")


def test_stages_of_a_book_of_ones_own_are_all_in_the_plan(tmp_path: Path) -> None:
    house = """
    id = "house"
    base = "fab-gem"
    [[stages]]
    source = "us"
    name = "draft"
    formats = ["swiss+elimination"]
    kind = "swiss"
    rounds = 3
    pods = true
    [[stages]]
    source = "us"
    name = "afternoon"
    formats = ["swiss+elimination"]
    kind = "swiss"
    rounds = 4
    [stages.enter]
    source = "us"
    points = 2
    [[stages]]
    source = "us"
    name = "final"
    formats = ["swiss+elimination"]
    kind = "double-elimination"
    placement = "shared"
    reset = false
    [stages.enter]
    source = "us"
    top = 4
    [plan]
    formats = ["swiss+elimination"]
    """
    path = tmp_path / "house.toml"
    path.write_text(house, encoding="utf-8")
    answer = topcut("plan", "--rules", str(path), "--players", "24")
    assert answer.out.splitlines()[1:4] == [
        "draft: 3 rounds of Swiss in pods",
        "afternoon: 4 rounds of Swiss, for 2 points or more",
        "final: 2 rounds of double elimination, for the best 4",
    ]


# What check makes of a wrong cut


def at_the_cut() -> Event:
    rounds = ["A beats B, C beats D, E beats F, G beats H", "A beats C, E beats G, B beats D, F beats H"]
    return played(PK, *rounds, options={"rounds": 2, "cut": 4})


def test_check_names_tables_that_are_not_due(tmp_path: Path) -> None:
    event = at_the_cut()
    plain = document(event)
    tables = [{"players": [*ids], "winner": ids[0]} for ids in ("AH", "BE")]
    plain["rounds"].append({"stage": "elimination", "tables": tables})
    answer = topcut("check", str(write(plain, tmp_path / "b.json")))
    assert answer.code == 1
    problem = "round 3, illegal: these players meet: B against E; expected: C against E (PK-39)"
    assert problem in answer.out.splitlines()


def test_check_names_who_plays_on_against_the_cut() -> None:
    """Two days: somebody who had not made the second plays in its first round."""
    source = read_book(PK)
    source.tree["plan"]["tables"]["tcg-two-day"]["rows"] = [{"rounds": 2, "second_day": 2, "cut": 2}]
    source.tree["stages"][1]["enter"] |= {"top": 4, "losses": 0}
    book = build_book(source, {})
    file = started(PK, 8, table="tcg-two-day")
    for _ in range(3):
        file = written(file, answered(file, book), Random("days"))
    assert all(verdict.ok for verdict in audit_rounds(progress_of(file, book)))
    out = next(player["id"] for player in file["players"] if player.get("cut"))
    inside = file["rounds"][2]["tables"][0]["players"][0]
    swapped = json.loads(json.dumps(file).replace(f'"{inside}"', '"?"').replace(f'"{out}"', f'"{inside}"'))
    swapped = json.loads(json.dumps(swapped).replace('"?"', f'"{out}"'))
    swapped["rounds"][:2] = file["rounds"][:2]
    swapped["players"] = [
        {**player, "cut": 2}
        if player["id"] == inside
        else {k: v for k, v in player.items() if k != "cut"}
        if player["id"] == out
        else player
        for player in file["players"]
    ]
    problems = [
        problem for verdict in audit_rounds(progress_of(swapped, book)) for problem in verdict.problems
    ]
    (problem,) = problems
    names = {player["id"]: player["name"] for player in file["players"]}
    assert problem.text == (
        f"{names[out]} plays on, but missed the cut; {names[inside]} made the cut, but was left out"
    )
    assert (problem.players, problem.rule, problem.severity) == ([out, inside], "PK-55", "illegal")


# Other things a book can say


def test_double_elimination_without_a_second_final() -> None:
    play = BracketPlay(build_double(4, reset=False), list("1234"))
    results = {"W1-1": "1", "W1-2": "2", "W2-1": "1", "L1-1": "3", "L2-1": "3", "F": "3"}
    for table, winner in results.items():
        play.report(table, winner)
    assert play.over
    assert [place.player for place in places_of(play, "who beat them")] == [*"3124"]
    again = BracketPlay(build_double(4), list("1234"))
    for table, winner in (
        ("W1-1", "1"),
        ("W1-2", "2"),
        ("W2-1", "1"),
        ("L1-1", "3"),
        ("L2-1", "3"),
        ("F", "3"),
    ):
        again.report(table, winner)
    assert again.ready() == ["F2"]


def test_places_are_shared_where_the_book_says_so() -> None:
    source = read_book(PK)
    source.tree["stages"][2]["placement"] = "shared"
    file = finished(started(PK, 24), Random("shared"), build_book(source, {}))
    found = sorted(places(progress_of(file, build_book(source, {}))).values())
    assert found[:9] == [1, 2, 3, 3, 5, 5, 5, 5, 9]


def test_pk_a20_standings_of_a_day_that_begins_anew(tmp_path: Path) -> None:
    """Only those who play on are ranked, by what they did since."""
    file = finished(started(PK, 230, table="tcg-two-day"), Random("anew"), draws=0.0)
    path = str(write(changed(file, {"rounds": file["rounds"][:10]}), tmp_path / "days.json"))
    usual = json.loads(topcut("standings", path, "--json").out)["standings"]
    anew = json.loads(topcut("standings", path, "--reading", "PK-A20=b", "--json").out)["standings"]
    assert len(usual) == 230
    assert len(anew) == 32
    assert {row["points"] for row in anew} == {0, 3}


def test_a_division_that_is_through_is_not_idle() -> None:
    """Ten juniors play four rounds, forty masters six: the juniors' percentages stay as they were."""
    ages = started(PK, 50, division=lambda i: "junior" if i <= 10 else "masters")
    file = finished(ages, Random("through"))
    after: list[dict[str, Any]] = []
    for rounds in (4, 6):
        now = progress_of(changed(file, {"rounds": file["rounds"][:rounds]}))
        juniors = next(part for part in now.parts if part.name == "junior")
        found = now.standings(juniors, rounds)
        after.append({now.history.players[i].id: found.value("owp", i) for i in juniors.members})
    assert after[0] == after[1]


def test_the_plan_of_a_bracket_by_record_has_no_size() -> None:
    found = plan_event(by(points=3), 16, Wishes(format="swiss+elimination"))
    assert (found.cut, found.bracket) == (None, None)
    assert [stage.enter for stage in found.stages] == ["", "3 points or more"]
    assert found.stages[1].rounds is None
