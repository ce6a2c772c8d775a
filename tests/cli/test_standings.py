"""`topcut standings`: the answer is the one of the contract."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.builders import a_round, played
from tests.command_line import assert_refused, changed, document, topcut, write
from topcut.formats.event_file import Event
from topcut.lots import draw_lot
from topcut.rulebook.loader import list_ids

CHAINS = {
    "draft-sheet": "omp gp ogp",
    "pokemon-2017": "late owp oowp head_to_head last_opponent lot",
    "pokemon-tom": "owp oowp head_to_head lot",
    "allegiance-2005": "score opponents_score",
    "commander-4": "opponents_wins opponents_points",
    "dci-1999": "omw gw ogw",
    "mtr": "omw gw ogw",
    "fab-gem": "ctb pml oml octb lot",
}
"""The keys after the points, in order."""


def an_event(rules: str) -> Event:
    if rules == "allegiance-2005":
        return played(rules, "a:20* b:7 c:9x, d:3 e:4 f:5 g:1", "a:1 d:2 e:3, b:9 c:9 f:9 g:22*")
    if rules == "commander-4":
        return played(rules, "a beats b c d, e ties f g", "e beats a f g, b both-lose c d")
    return played(rules, "A beats B, C 1-1 D, E bye", "A 2-1 C, E 2-0 B, D bye", dropped={"B": 2})


def answered(event: Event | dict[str, Any], *arguments: str) -> dict[str, Any]:
    """The JSON document for an event."""
    plain = document(event) if isinstance(event, Event) else event
    answer = topcut("standings", "-", "--json", *arguments, stdin=json.dumps(plain).encode())
    assert answer.code == 0, answer
    found: dict[str, Any] = json.loads(answer.out)
    return found


def order(event: Event | dict[str, Any], *arguments: str) -> list[str]:
    return [row["id"] for row in answered(event, *arguments)["standings"]]


def test_all_rulesets_are_tested() -> None:
    assert set(CHAINS) == set(list_ids())


@pytest.mark.parametrize("rules", CHAINS)
def test_the_document_has_the_keys_of_the_contract(rules: str) -> None:
    found = answered(an_event(rules))
    assert list(found) == ["rules", "after", "seed", "standings"]
    assert (found["rules"], found["after"], found["seed"]) == (rules, 2, "")
    keys = ["rank", "id", "name", "points", "dropped", "record", "tiebreaks", "decided_by"]
    for row in found["standings"]:
        assert list(row) == keys
        assert list(row["record"]) == ["wins", "losses", "draws", "byes"]
        assert [list(tiebreak) for tiebreak in row["tiebreaks"]] == [
            ["key", "label", "value", "shown"]
        ] * len(CHAINS[rules].split())


@pytest.mark.parametrize("rules", CHAINS)
def test_the_chain_is_the_same_in_every_row(rules: str) -> None:
    rows = answered(an_event(rules))["standings"]
    for row in rows:
        assert [tiebreak["key"] for tiebreak in row["tiebreaks"]] == CHAINS[rules].split()
        assert [tiebreak["label"] for tiebreak in row["tiebreaks"]] == [
            t["label"] for t in rows[0]["tiebreaks"]
        ]
    assert {row["decided_by"] for row in rows} <= {"points", *CHAINS[rules].split(), None}
    assert rows[-1]["decided_by"] is None


@pytest.mark.parametrize("rules", CHAINS)
def test_values_are_whole_numbers_or_fractions_in_lowest_terms(rules: str) -> None:
    for row in answered(an_event(rules))["standings"]:
        assert type(row["points"]) is int
        for tiebreak in row["tiebreaks"]:
            value = tiebreak["value"]
            if value is None:
                assert tiebreak["key"] in ("head_to_head", "last_opponent", "lot")
                continue
            assert re.fullmatch(r"\d+(/\d+)?", value)
            assert str(Fraction(value)) == value
            assert isinstance(tiebreak["shown"], str)
            if tiebreak["key"] in ("late", "dropped"):
                assert value in ("0", "1")


def test_a_row_in_full() -> None:
    """A beats B (3 of 6 points, 9 of 15 game points) 2-1 and draws with C (4 of 6, 6 of 6)."""
    rows = answered(played("dci-1999", "A 2-1 B, C 2-0 D", "C ties A, B 2-0 D", dropped={"A": 2}))[
        "standings"
    ]
    (ada,) = [row for row in rows if row["id"] == "A"]
    assert ada == {
        "rank": 1,
        "id": "A",
        "name": "A",
        "points": 4,
        "dropped": True,
        "record": {"wins": 1, "losses": 0, "draws": 1, "byes": 0},
        "tiebreaks": [
            {"key": "omw", "label": "Opponents' match-win %", "value": "7/12", "shown": "58.33%"},
            {"key": "gw", "label": "Game-win %", "value": "2/3", "shown": "66.67%"},
            {"key": "ogw", "label": "Opponents' game-win %", "value": "4/5", "shown": "80.00%"},
        ],
        "decided_by": "omw",
    }


def test_every_kind_of_round_in_the_record() -> None:
    event = played(
        "mtr",
        *("P beats a", "P bye", "P loss", "P both-lose b", "c beats P", "P ties d"),
        players="P Q",
        entered={"Q": 3},
    )
    records = {row["id"]: row["record"] for row in answered(event)["standings"]}
    assert records["P"] == {"wins": 1, "losses": 3, "draws": 1, "byes": 1}
    assert records["Q"] == {"wins": 0, "losses": 2, "draws": 0, "byes": 0}  # two rounds were missed


def test_a_shared_rank() -> None:
    rows = answered(played("allegiance-2005", "a:20* b:7 c:7 d:1"))["standings"]
    assert [(row["rank"], row["id"], row["decided_by"]) for row in rows] == [
        (1, "a", "points"),
        (2, "b", None),
        (2, "c", "score"),
        (4, "d", None),
    ]


def test_keys_that_look_at_ties_have_a_value_only_where_they_were_needed() -> None:
    """A alone; B, C and D equal but for the lot. Nobody's place needs head to head."""
    rows = answered(played("fab-gem", "A bye, B loss, C loss, D loss"))["standings"]
    assert rows[0]["id"] == "A"
    assert [row["tiebreaks"][-1]["value"] for row in rows] == [None, "1", "2", "3"]
    assert [row["decided_by"] for row in rows] == ["points", "lot", "lot", None]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]


def test_disqualified_players_stay_or_go_as_the_ruleset_says() -> None:
    for rules, left in (("mtr", ["A", "C", "D"]), ("dci-1999", ["A", "C", "B", "D"])):
        event = played(rules, "A 2-0 B, C 2-1 D", disqualified={"B": 1})
        assert order(event) == left
        assert [row["rank"] for row in answered(event)["standings"]] == list(range(1, len(left) + 1))


THREE_ROUNDS = document(
    played("mtr", "A 2-0 B, C 2-1 D", "C 2-0 A, D 2-0 B", "D 2-0 C, A 2-1 B", dropped={"B": 3}, seed="s")
)


@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_after_a_round_later_rounds_do_not_exist(after: int) -> None:
    earlier = dict(THREE_ROUNDS) | {"rounds": THREE_ROUNDS["rounds"][:after]}
    assert answered(THREE_ROUNDS, "--after", str(after)) == answered(earlier)
    assert answered(THREE_ROUNDS, "--after", str(after))["after"] == after


def test_a_player_has_dropped_only_from_then_on() -> None:
    dropped = [answered(THREE_ROUNDS, "--after", r)["standings"][-1]["dropped"] for r in ("1", "2", "3")]
    assert dropped == [False, False, True]


def test_a_round_that_is_not_there(tmp_path: Path) -> None:
    file = str(write(THREE_ROUNDS, tmp_path / "cup.json"))
    assert_refused(topcut("standings", file, "--after", "4"), f"{file}: --after: ", "no round 4")
    assert_refused(topcut("standings", file, "--after", "-1"), "--after")
    assert_refused(topcut("standings", file, "--after", "two"), "--after")


def test_elimination_rounds_do_not_change_the_keys_of_the_swiss_rounds() -> None:
    swiss = ["A 2-0 B, C 2-1 D", "A 2-0 C, B 2-1 D"]
    bracket = [a_round("D 2-0 A, C 2-0 B", stage="elimination"), a_round("C 2-0 D", stage="elimination")]
    assert (
        answered(played("mtr", *swiss, *bracket))["standings"] == answered(played("mtr", *swiss))["standings"]
    )


def test_the_heading_names_the_round_whose_results_count(tmp_path: Path) -> None:
    bracket = [a_round("D 2-0 A, C 2-0 B", stage="elimination"), a_round("C 2-0 D", stage="elimination")]
    event = played("mtr", "A 2-0 B, C 2-1 D", "A 2-0 C, B 2-1 D", *bracket)
    file = str(write(document(event), tmp_path / "cup.json"))
    assert ": standings after round 2 (" in topcut("standings", file).out.splitlines()[0]
    assert ": standings after round 1 (" in topcut("standings", file, "--after", "1").out.splitlines()[0]


def test_a_table_that_is_not_reported(tmp_path: Path) -> None:
    plain = document(played("mtr", "A 2-0 B, C 2-1 D", "A - C, B 2-0 D"))
    file = str(write(changed(plain, {"rounds[1].tables[0].table": 7}), tmp_path / "cup.json"))
    assert_refused(topcut("standings", file), f"{file}: rounds: ", "round 2 table 7 (A, C)")
    assert_refused(topcut("standings", file, "--after", "2"), "round 2 table 7")
    assert topcut("standings", file, "--after", "1").code == 0


def test_many_tables_that_are_not_reported_fit_into_one_line(tmp_path: Path) -> None:
    event = played("mtr", ", ".join(f"a{i} - b{i}" for i in range(500)))
    answer = topcut("standings", str(write(event, tmp_path / "cup.json")))
    assert_refused(answer, "round 1 table 1 (a0, b0)", "495 more")
    assert len(answer.err) < 400


EQUAL = document(played("fab-gem", "A beats B, C beats D", "A beats D, C beats B"))
"""A and C are equal in everything, and so are B and D: only a lot tells them apart."""


def drawn(seed: str) -> list[str]:
    """The order of the equal players under a seed."""
    return [
        player_id
        for pair in ("AC", "BD")
        for player_id in sorted(pair, key=lambda player_id: draw_lot(seed, "standings/2", player_id))
    ]


@pytest.mark.parametrize("seed", ["", "autumn", "x/1", "x/2", "x/3", "Zürich 🎲"])
def test_anyone_can_draw_the_lots_again(seed: str) -> None:
    assert order(EQUAL, "--seed", seed) == drawn(seed)
    turned_round = EQUAL | {"players": EQUAL["players"][::-1]}
    assert order(turned_round, "--seed", seed) == drawn(seed)


def test_all_seeds_together_draw_every_order() -> None:
    assert len({tuple(order(EQUAL, "--seed", str(seed))) for seed in range(20)}) == 4


def test_which_seed_counts() -> None:
    """`--seed`, else the file's, else the last round's, else the empty text."""
    plain = EQUAL
    for seed, changes in (
        ("", {}),
        ("", {"rounds[0].seed": "first"}),
        ("last", {"rounds[1].seed": "last"}),
        ("file", {"seed": "file"}),
    ):
        plain = changed(plain, changes)
        found = answered(plain)
        assert found["seed"] == seed
        assert order(plain) == drawn(seed)
    assert answered(plain, "--seed", "given")["seed"] == "given"
    assert order(plain, "--seed", "given") == drawn("given")
    assert answered(plain, "--seed", "")["seed"] == ""


def test_another_reading_of_an_unclear_rule(tmp_path: Path) -> None:
    event = played("fab-gem", "A beats B", "B beats A")
    value = {
        letter: answered(event, "--reading", f"FB-A1={letter}")["standings"][-1]["tiebreaks"][0]["value"]
        for letter in "ab"
    }
    assert value == {"a": "1", "b": "4/9"}  # B lost, then won
    file = str(write(event, tmp_path / "cup.json"))
    assert_refused(topcut("standings", file, "--reading", "FB-A1=z"), "FB-A1", '"z"')
    assert_refused(topcut("standings", file, "--reading", "FB-A1"), "--reading")


TWO_DIVISIONS = ["C beats D, A beats B", "B beats C, A ties D", "D beats B, A beats C"]
"""B and C are level; B won their table, but C's last opponent (A) stands higher than B's (D)."""


def of_divisions(more: int = 0, **options: str) -> dict[str, list[Any]]:
    """Id → division and rank in it, for the same results in two divisions (upper and lower case).

    Each has four players, and `more` who sit nowhere.
    """
    rounds = [f"{text}, {re.sub('[A-D]', lambda letter: letter[0].lower(), text)}" for text in TWO_DIVISIONS]
    others = [player_id for i in range(more) for player_id in (f"X{i}", f"x{i}")]
    division = {
        player_id: "masters" if player_id.isupper() else "senior" for player_id in [*"ABCDabcd", *others]
    }
    event = played(
        "pokemon-2017",
        *rounds,
        players=" ".join(others),
        division=division,
        options=options,
    )
    rows = answered(event)["standings"]
    return {row["id"]: [row.get("division"), row.get("division_rank")] for row in rows}


@pytest.mark.parametrize(("more", "options"), [(0, {"divisions": "separate"}), (2, {})])
def test_separate_divisions_are_ranked_as_events_of_their_own(more: int, options: dict[str, str]) -> None:
    """In each only B and C are tied, so head to head applies. Six players in each: separate by default."""
    found = of_divisions(more, **options)
    assert [found[player_id] for player_id in "ADBC"] == [["masters", place] for place in (1, 2, 3, 4)]
    assert [found[player_id] for player_id in "adbc"] == [["senior", place] for place in (1, 2, 3, 4)]


@pytest.mark.parametrize(("more", "options"), [(2, {"divisions": "modified"}), (1, {})])
def test_modified_divisions_are_ranked_in_the_order_of_all(more: int, options: dict[str, str]) -> None:
    """Four are tied, so head to head does not apply. Five players in each: modified by default."""
    found = of_divisions(more, **options)
    assert [found[player_id] for player_id in "ADCB"] == [["masters", place] for place in (1, 2, 3, 4)]
    assert [found[player_id] for player_id in "adcb"] == [["senior", place] for place in (1, 2, 3, 4)]


def test_divisions_that_are_off_are_not_shown() -> None:
    assert set(map(tuple, of_divisions(divisions="off").values())) == {(None, None)}


def test_the_birth_year_gives_the_division_unless_one_is_written_down() -> None:
    event = played(
        "pokemon-2017",
        players="A B C D E F",
        born={"A": 2007, "B": 2006, "C": 2003, "D": 2002, "E": 2010},
        division={"E": "masters"},
    )
    rows = {row["id"]: row["division"] for row in answered(event)["standings"]}
    assert rows == {"A": "junior", "B": "senior", "C": "senior", "D": "masters", "E": "masters", "F": None}


def test_flights_are_ranked_as_events_of_their_own() -> None:
    rounds = [f"{text}, {re.sub('[A-D]', lambda letter: letter[0].lower(), text)}" for text in TWO_DIVISIONS]
    flight = dict.fromkeys("ABCD", 1) | dict.fromkeys("abcd", 2)
    rows = {row["id"]: row for row in answered(played("pokemon-2017", *rounds, flight=flight))["standings"]}
    assert [(rows[player_id]["flight"], rows[player_id]["flight_rank"]) for player_id in "ADBC"] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (1, 4),
    ]
    assert [(rows[player_id]["flight"], rows[player_id]["flight_rank"]) for player_id in "adbc"] == [
        (2, 1),
        (2, 2),
        (2, 3),
        (2, 4),
    ]
    assert all("division" not in row for row in rows.values())


def test_flight_1_of_one_division_is_not_flight_1_of_another() -> None:
    division = {player_id: "masters" if player_id.isupper() else "senior" for player_id in "ABab"}
    event = played(
        "pokemon-2017", "A beats B, a beats b",
        division=division, flight=dict.fromkeys("ABab", 1), options={"divisions": "separate"},
    )  # fmt: skip
    rows = {row["id"]: row["flight_rank"] for row in answered(event)["standings"]}
    assert rows == {"A": 1, "B": 2, "a": 1, "b": 2}
