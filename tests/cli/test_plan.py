"""`topcut plan`: what it prints, and how it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import assert_refused, topcut


def answer_to(line: str) -> dict[str, Any]:
    """The JSON document for a command."""
    answer = topcut(*line.split(), "--json")
    assert (answer.code, answer.err) == (0, "")
    document: dict[str, Any] = json.loads(answer.out)
    return document


class TestJson:
    def test_the_promised_document(self) -> None:
        answer = answer_to("plan --rules pokemon-2017 --players 143 --flights 4 --cut 16")
        promised = {
            "players": 143,
            "rounds": 6,
            "cut": 16,
            "flights": [36, 36, 36, 35],
            "per_flight": 4,
            "tables": None,
            "day_two": None,
            "bracket": 16,
            "byes": 0,
            "notes": [],
        }
        more = {
            "format": "swiss+elimination",
            "table": "tcg-single-day",
            "elimination_rounds": 4,
            "total_rounds": 10,
            "flight_options": [],
            "stages": [
                {"name": "Swiss", "kind": "swiss", "rounds": 6, "players": 143, "enter": ""}
                | {"rank_seeds": None, "pods": False},
                {"name": "top cut", "kind": "elimination", "rounds": 4, "players": 16}
                | {"enter": "the best 4 of each flight", "rank_seeds": "standing", "pods": False},
            ],
        }
        assert answer == promised | more

    @pytest.mark.parametrize(
        ("line", "promised"),
        [
            ("pokemon-2017 --players 143 --flights 8", None),
            ("pokemon-2017 --players 600 --flights 16", {"cut": 32, "per_flight": 2}),
            ("pokemon-2017 --players 8", {"cut": None, "bracket": None, "flights": None, "per_flight": None}),
            ("allegiance-2005 --players 10", {"tables": {"3": 2, "4": 1}}),
            ("commander-4 --players 10", {"tables": {"4": 1, "3": 2}}),
            (
                "pokemon-2017 --players 300 --table tcg-two-day",
                {"day_two": {"rounds": 5, "points": 21, "top": 32}},
            ),
            ("pokemon-2017 --players 53 --format elimination", {"bracket": 64, "byes": 11, "rounds": 0}),
            ("pokemon-2017 --players 20 --one-less", {"rounds": 4}),
            ("pokemon-2017 --players 143 --max-rounds 7", {"rounds": 7, "flights": [72, 71]}),
            ("pokemon-tom --players 143", {"rounds": 8, "cut": 8}),
        ],
    )
    def test_promised_values(self, line: str, promised: dict[str, Any] | None) -> None:
        if promised is None:
            assert_refused(topcut("plan", "--rules", *line.split(), "--json"), "topcut: PK-42: ", code=3)
        else:
            answer = answer_to(f"plan --rules {line}")
            assert {key: answer[key] for key in promised} == promised

    def test_divisions(self) -> None:
        separate = answer_to("plan --rules pokemon-2017 --players 20,70,143 --flights 0,2,4")
        assert separate["mode"] == "separate"
        assert [d["players"] for d in separate["divisions"]] == [20, 70, 143]
        assert [d["flights"] for d in separate["divisions"]] == [None, [36, 34], [36, 36, 36, 35]]
        modified = answer_to("plan --rules pokemon-2017 --players 3,20,40")
        assert modified["mode"] == "modified"
        assert [d["rounds"] for d in modified["divisions"]] == [6, 6, 6]
        assert [pool["divisions"] for pool in modified["pools"]] == [["junior", "senior", "masters"]]

    def test_options_for_flights(self) -> None:
        answer = answer_to("plan --rules pokemon-2017 --players 64")
        assert answer["flight_options"] == [{"flights": 2, "sizes": [32, 32], "rounds": 5}]


class TestForPeople:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            (
                "pokemon-2017 --players 143 --flights 4 --cut 16",
                """
                143 players, 4 flights of 36, 36, 36 and 35
                6 rounds of Swiss, then the best 4 of each flight play a top 16, seeded by standing
                10 rounds in all, by the table tcg-single-day
                """,
            ),
            (
                "pokemon-2017 --players 300",
                """
                300 players
                9 rounds of Swiss, then the best 8 play a top 8, seeded by standing
                12 rounds in all, by the table tcg-single-day
                flights, if time is too short:
                  2 flights of 150: 8 rounds of Swiss
                  4 flights of 76, 76, 74 and 74: 7 rounds of Swiss
                  8 flights, 6 of 38 and 2 of 36: 6 rounds of Swiss
                """,
            ),
            (
                "pokemon-2017 --players 300 --table tcg-two-day --flights 0",
                """
                300 players
                day one: 9 rounds of Swiss
                day two: 5 rounds of Swiss, then the best 8 play a top 8, seeded by standing
                into day two: 21 points or more, or the best 32, whichever group is larger
                17 rounds in all, by the table tcg-two-day
                note: a record with 2 losses or better: 21 points or more (PK-A18)
                note: the larger of the two groups plays on day two (PK-A19)
                note: points and opponents of day one count on day two (PK-A20)
                """,
            ),
            (
                "pokemon-2017 --players 53 --format elimination",
                """
                53 players
                bracket of 64, 11 byes, 6 rounds, rank seeds drawn at random
                first round 12 v 53 … 32 v 33, 21 tables
                byes for rank seeds 1 to 11
                """,
            ),
            (
                "pokemon-2017 --players 3 --format elimination",
                """
                3 players
                bracket of 4, 1 bye, 2 rounds, rank seeds drawn at random
                first round 2 v 3, 1 table
                a bye for rank seed 1
                """,
            ),
            (
                "mtr --players 8 --format elimination",
                """
                8 players
                bracket of 8, no byes, 3 rounds, rank seeds drawn at random
                first round 1 v 8 … 4 v 5, 4 tables
                """,
            ),
            (
                "pokemon-2017 --players 7 --format round-robin",
                """
                7 players
                round robin of 7 rounds
                note: round-robin needs approval before the event (PK-2)
                note: each player has one bye
                """,
            ),
            (
                "allegiance-2005 --players 11",
                """
                11 players
                1 table of 3 and 2 tables of 4, each round
                Swiss; the number of rounds is open
                note: the organiser chooses the number of rounds and announces it (AL-A8)
                """,
            ),
            (
                "pokemon-2017 --players 3,10,40 --reading PK-A26=b",
                """
                3 divisions, modified
                junior and senior in one pool:
                  13 players
                  4 rounds of Swiss, then the best 4 play a top 4, seeded by standing
                  6 rounds in all, by the table tcg-single-day
                masters:
                  40 players
                  6 rounds of Swiss, then the best 8 play a top 8, seeded by standing
                  9 rounds in all, by the table tcg-single-day
                note: junior has 3 players, fewer than 6: junior and senior play in one pool (PK-13, PK-A26)
                note: rounds and cut of this pool are those for senior, 10 players (PK-50)
                note: divisions that play apart have a bracket each (PK-A31)
                note: unequal shares in the cut: junior and senior 4 of 13 (31%), masters 8 of 40 (20%) (PK-38)
                """,  # noqa: E501
            ),
        ],
    )
    def test_the_page(self, line: str, expected: str) -> None:
        lines = expected.strip("\n").splitlines()[:-1]
        page = "".join(text.removeprefix(" " * 16) + "\n" for text in lines)
        assert topcut("plan", "--rules", *line.split()) == (0, page, "")


class TestRefusals:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("pokemon-2017 --players 63 --flights 2", "PK-42: 63 players are too few for flights"),
            ("pokemon-2017 --players 143 --flights 5", "PK-43: there may be 2, 4, 8 or 16 flights"),
            ("pokemon-2017 --players 143 --cut 12", "PK-37: a cut of 12 is not a power of two"),
            ("pokemon-2017 --players 300 --flights 8 --cut 8", "PK-48: a top 8 cannot take the same number"),
            ("pokemon-2017 --players 20 --max-rounds 4", "PK-42: 20 players take 5 Swiss rounds"),
            ("pokemon-2017 --players 2", "PK-A14: 2 players cannot play"),
            ("allegiance-2005 --players 5", "AL-1: 5 players cannot be seated"),
            ("allegiance-2005 --players 9 --cut 4", "AL-14: allegiance-2005 plays swiss"),
            ("draft-sheet --players 5", "DS-1: the chart is for 6 to 8 players, not 5; for other numbers"),
            ("dci-1999 --players 20 --one-less", "DC-3: the rules do not offer"),
        ],
    )
    def test_by_the_rules(self, line: str, expected: str) -> None:
        assert_refused(topcut("plan", "--rules", *line.split()), f"topcut: {expected}", code=3)

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("--players 8", "Missing option '--rules'"),
            ("--rules mtr", "Missing option '--players'"),
            ("--rules mtr --players ten", "Invalid value for '--players': expected a number"),
            ("--rules mtr --players 8,", "Invalid value for '--players': expected a number"),
            ("--rules mtr --players 8.5", "Invalid value for '--players': expected a number"),
            ("--rules mtr --players -8", "Invalid value for '--players': expected a number"),
            ("--rules mtr --players ٨", "Invalid value for '--players': expected a number"),
            ("--rules mtr --players 0", "players: expected 1 to 10,000,000 players, not 0"),
            ("--rules mtr --players 10000001", "players: expected 1 to 10,000,000 players"),
            ("--rules mtr --players 8,8", "players: mtr has no divisions"),
            (
                "--rules mtr --players 9 --table x",
                'table: no round table "x": expected one of appendix-e, limited',
            ),
            ("--rules mtr --players 9 --format x", "Invalid value for '--format'"),
            ("--rules mtr --players 9 --reading x", "Invalid value for '--reading': expected a reading"),
            ("--rules mtr --players 9 --reading =b", "Invalid value for '--reading': expected a reading"),
            ("--rules mtr --players 9 --cut 1", "cut: expected 2 players or more, not 1"),
            ("--rules mtr --players 9 --cut 2,2", "--cut: expected 1 number, not 2"),
            ("--rules mtr --players 9 --flights 2", "flights: mtr has no flights"),
            ("--rules mtr --players 9 --max-rounds 0", "max_rounds: expected at least 1 round, not 0"),
            ("--rules mtr --players 9 --unknown", "There is no option --unknown."),
            ("--rules mtr --playrs 9", "There is no option --playrs. Did you mean '--players'?"),
            ("--rules mtr --round 9", "There is no option --round. (see: topcut plan --help)"),
            ("--rules chess --players 9", 'no ruleset "chess": expected one of allegiance-2005'),
            ("--rules no.toml --players 9", "no.toml: cannot read this book"),
            ("--rules dci-1999 --players 9 --reading DC-A6=z", '--reading: no reading "z" of DC-A6'),
            (
                "--rules pokemon-2017 --players 6,6,6 --flights 2,2",
                "--flights: expected 1 or 3 numbers, not 2",
            ),
            ("--rules pokemon-2017 --players 6,6,6,6", "players: there are 3 divisions"),
        ],
    )
    def test_of_what_makes_no_sense(self, line: str, expected: str) -> None:
        assert_refused(topcut("plan", *line.split()), f"topcut: {expected}")


def test_a_book_of_your_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "club.toml").write_text(
        'id = "club"\nbase = "mtr"\n[plan]\nminimum_players = 2\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert answer_to("plan --rules club.toml --players 2")["rounds"] == 3


def test_one_number_of_flights_is_for_the_divisions_that_may_have_them() -> None:
    """PK-42: different divisions may use different numbers."""
    planned = topcut("plan", "--rules", "pokemon-2017", "--players", "8,9,71", "--flights", "2", "--json")
    flights = [division["flights"] for division in json.loads(planned.out)["divisions"]]
    assert flights == [None, None, [36, 35]]
    given = topcut("plan", "--rules", "pokemon-2017", "--players", "8,9,71", "--flights", "2,0,2")
    assert given.err.startswith("topcut: PK-42: junior: 8 players are too few for flights")
