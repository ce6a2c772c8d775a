"""What people and programs read: rows, values as they are printed, places inside divisions and flights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from tests.builders import ids_in_order, played, standings, value
from topcut.history import build_history
from topcut.lots import draw_lot
from topcut.rulebook import Book, load
from topcut.rulebook.labels import Label
from topcut.rulebook.planning.pool import DivisionMode
from topcut.rulebook.tiebreak_keys import Credit, Flag, HeadToHead, Key, NumberFormat
from topcut.standings import Standings, rank
from topcut.standings.document import build_rows, format_exact, format_number, list_key_labels, to_json_number
from topcut.standings.rank import list_keys

# Values


@pytest.mark.parametrize(
    ("exact", "form", "printed"),
    [
        ("5/2", NumberFormat(form="whole"), "5/2"),
        ("-7", NumberFormat(form="whole"), "-7"),
        ("1", NumberFormat(form="flag"), "yes"),
        ("0", NumberFormat(form="flag"), "no"),
        ("5/9", NumberFormat(form="percent"), "55.56%"),
        ("5/9", NumberFormat(form="percent", rounding="cut off"), "55.55%"),
        ("5/3", NumberFormat(form="percent", of=Fraction(3)), "55.56%"),
        ("1/3", NumberFormat(form="percent", digits=0), "33%"),
        ("0", NumberFormat(form="percent"), "0.00%"),
        ("1", NumberFormat(form="percent", digits=1), "100.0%"),
        ("-1/8", NumberFormat(form="percent", digits=1), "-12.5%"),
        ("15/7", NumberFormat(form="decimal", digits=3), "2.143"),
        ("15/7", NumberFormat(form="decimal", digits=3, rounding="cut off"), "2.142"),
        ("1/200", NumberFormat(form="decimal"), "0.01"),
        ("1/200", NumberFormat(form="decimal", rounding="cut off"), "0.00"),
        ("199/200", NumberFormat(form="decimal"), "1.00"),
        ("12345/10", NumberFormat(form="decimal", digits=1), "1234.5"),
        ("13/5", NumberFormat(form="decimal", digits=0), "3"),
        ("13/5", NumberFormat(form="decimal", digits=0, rounding="cut off"), "2"),
        ("0", NumberFormat(form="decimal", digits=0), "0"),
        ("-4/3", NumberFormat(form="decimal"), "-1.33"),
        ("-5/3", NumberFormat(form="decimal"), "-1.67"),
        ("-5/3", NumberFormat(form="decimal", rounding="cut off"), "-1.66"),
        ("-5/3", NumberFormat(form="decimal", digits=0), "-2"),
        ("-1/1000", NumberFormat(form="decimal"), "0.00"),
        ("-1/3", NumberFormat(form="decimal", digits=0), "0"),
    ],
)
def test_a_value_as_it_is_printed(exact: str, form: NumberFormat, printed: str) -> None:
    assert format_number(Fraction(exact), form) == printed


def test_exact_values() -> None:
    values = [None, Fraction(0), Fraction(-3), Fraction(6, 4)]
    assert [format_exact(value) for value in values] == [None, "0", "-3", "3/2"]
    assert [to_json_number(value) for value in values] == [None, 0, -3, "3/2"]


def test_keys_and_their_labels() -> None:
    found = standings(played("fab-gem", "A beats B, C loss, D loss"))
    assert list_keys(found.book) == ["points", "ctb", "pml", "oml", "octb", "lot"]
    assert list_key_labels(found) == [
        ("points", "Match points"),
        ("ctb", "Cumulative tiebreaker"),
        ("pml", "Match loss %"),
        ("oml", "Opponents' match loss %"),
        ("octb", "Opponents' cumulative tiebreaker"),
        ("lot", "Random draw"),
    ]
    assert list_keys(load("mtr")) == ["points", "omw", "gw", "ogw"]


def test_a_key_that_was_not_needed_prints_nothing() -> None:
    found = standings(played("fab-gem", "A beats B, C loss, D loss"))
    printed = {
        row["id"]: (row["tiebreaks"][0]["shown"], row["tiebreaks"][-1]["shown"]) for row in build_rows(found)
    }
    drawn = ids_in_order(found)[2:]
    assert printed == {
        "A": ("1.0000", ""),
        "B": ("0.0000", ""),
        drawn[0]: ("0.0000", "1"),
        drawn[1]: ("0.0000", "2"),
    }


# Rows


def of_house_rules(book: Book, *rounds: str, **about: Any) -> Standings:
    file = played(book.id, *rounds, **about).file
    return rank(build_history(file.players, file.rounds, book), book)


def with_chain(book: Book, *chain: Key) -> Book:
    return replace(book, chain=chain)


def half_points(readings: dict[str, str] | None = None) -> Book:
    """A win is 1 point, a draw half a point."""
    under = load("pokemon-2017", readings)
    win, draw = Credit(Fraction(1)), Credit(Fraction(1, 2))
    points = replace(under.measures["points"], win=win, draw=draw, bye=win)
    return replace(under, measures=under.measures | {"points": points})


def test_points_are_numbers_where_they_are_whole() -> None:
    found = of_house_rules(half_points(), "A beats B, C ties D", "A ties C, D beats B")
    assert {row["id"]: row["points"] for row in build_rows(found)} == {"A": "3/2", "B": 0, "C": 1, "D": "3/2"}


def test_who_was_disqualified_is_told_where_they_stay() -> None:
    event = played("dci-1999", "A 2-0 B, C 2-1 D", "A 2-0 C, B bye", disqualified={"B": 2, "D": 1})
    for after, gone in ((0, ""), (1, "D"), (2, "BD")):
        told = {row["id"]: row.get("disqualified") for row in build_rows(standings(event, after=after))}
        assert told == {player_id: True if player_id in gone else None for player_id in "ABCD"}


def places(found: Standings, kind: str, divisions: DivisionMode | None = None) -> dict[str, tuple[Any, int]]:
    return {row["id"]: (row[kind], row[f"{kind}_rank"]) for row in build_rows(found, divisions)}


def test_shared_places_inside_divisions() -> None:
    """G and H have a bye of 2-0; A, C and E are level, and so are B, D and F."""
    division = dict.fromkeys("GHACEB", "red") | dict.fromkeys("DF", "blue")
    found = standings(played("mtr", "A 2-1 B, C 2-1 D, E 2-1 F, G bye, H bye", division=division))
    assert [(row["id"], row["rank"]) for row in build_rows(found)] == [
        *(("G", 1), ("H", 1), ("A", 3), ("C", 3), ("E", 3), ("B", 6), ("D", 6), ("F", 6)),
    ]
    inside = places(found, "division")
    assert [inside[player_id] for player_id in "GHACEB"] == [("red", place) for place in (1, 1, 3, 3, 3, 6)]
    assert [inside[player_id] for player_id in "DF"] == [("blue", 1), ("blue", 1)]


def test_flights_of_divisions() -> None:
    """Played in one pool a flight holds players of all divisions; else each division has its own flights."""
    division = {player_id: "masters" if player_id.isupper() else "senior" for player_id in "ABCDabcd"}
    flight = {player_id: 1 if player_id in "ABab" else 2 for player_id in division}
    rounds = ["A beats B, C beats D, a beats b, c beats d", "A beats a, B beats b, C beats c, D beats d"]
    found = standings(played("pokemon-2017", *rounds, division=division, flight=flight))
    apart, together = places(found, "flight", "separate"), places(found, "flight", "modified")
    assert [apart[player_id] for player_id in "ABab"] == [(1, 1), (1, 2), (1, 1), (1, 2)]
    assert [apart[player_id] for player_id in "CDcd"] == [(2, 1), (2, 2), (2, 1), (2, 2)]
    assert {together[player_id] for player_id in "ABab"} == {(1, place) for place in (1, 2, 3, 4)}
    assert [together[player_id] for player_id in "Ab"] == [(1, 1), (1, 4)]
    assert [together[player_id] for player_id in "Cd"] == [(2, 1), (2, 4)]


def test_places_in_flights_without_those_who_were_taken_out() -> None:
    flight = dict.fromkeys("ABCD", 1) | dict.fromkeys("EFGH", 2)
    rounds = ["A 2-0 B, C 2-1 D, E 2-0 F, G 2-1 H"]
    found = standings(played("mtr", *rounds, flight=flight, disqualified={"A": 1, "H": 1}))
    inside = places(found, "flight")
    assert [inside[player_id] for player_id in "CBD"] == [(1, 1), (1, 2), (1, 3)]
    assert [inside[player_id] for player_id in "EGF"] == [(2, 1), (2, 2), (2, 3)]
    assert set(inside) == set("BCDEFG")


# Flags


def test_who_left_after_the_last_round_has_dropped() -> None:
    under = load("pokemon-2017")
    points, late, *_ = under.chain
    measures = under.measures | {"dropped": Flag(source=Label("the house"), of="dropped")}
    chain = (points, replace(late, key="dropped", measure="dropped"))
    rules = replace(under, measures=measures, chain=chain)
    about = {"dropped": {"A": 1}, "disqualified": {"B": 1}, "cut": {"C": 1}}
    found = of_house_rules(rules, "A beats B, C ties D", **about)
    assert [value(found, "dropped", player_id) for player_id in "ABCD"] == ["1", "1", "0", "0"]
    before = rank(found.history.after(0), rules)
    assert [value(before, "dropped", player_id) for player_id in "ABCD"] == ["0"] * 4


def test_how_many_opponents_entered_late() -> None:
    """A met B and C, of whom C was late; B and C met A alone."""
    under = load("pokemon-2017")
    points, late, *_ = under.chain
    rules = with_chain(under, points, replace(late, of="opponents"))
    found = of_house_rules(rules, "A beats B", "A beats C", entered={"C": 2})
    assert [value(found, "late", player_id) for player_id in "ABC"] == ["1/2", "0", "0"]


# Keys that look at ties


def test_head_to_head_counts_half_points() -> None:
    """B, D and E have two draws each; D drew with both others."""
    found = of_house_rules(
        half_points({"PK-A5": "b"}), "B ties D, A ties E, C bye", "B ties C, D ties E, A bye"
    )
    assert ids_in_order(found)[2] == "D"
    assert found.decided_by(2) == "head_to_head"
    assert value(found, "head_to_head", "D") == "1"


def test_an_empty_seat_is_nobody_to_have_beaten() -> None:
    """P won a table of three and Q one of four: a seat that is not there does not count for P."""
    under = load("allegiance-2005")
    wins, score, _ = under.chain
    met = HeadToHead(key="met", label=Label("Head to head"), source=Label("house"), among="any")
    found = of_house_rules(
        with_chain(under, wins, met, score),
        "P:25* x:1 y:1, Q:29* u:1 v:1 w:1, L:27* m:1 n:1",
        "L:27* x:0 y:0",
    )
    assert ids_in_order(found)[:3] == ["L", "Q", "P"]
    assert found.decided_by(1) == "score"


def test_lots_without_a_seed() -> None:
    event = played("fab-gem", "A loss, B loss, C loss, D loss")
    found = rank(event.history, event.book)
    assert found.seed == ""
    assert ids_in_order(found) == sorted("ABCD", key=lambda player_id: draw_lot("", "standings/1", player_id))


def test_the_last_opponent_alone() -> None:
    """Three ties are as good as a bye, but for an opponent."""
    rounds = ["A ties B, C bye", "A ties D", "A ties E"]
    for letter in "ab":
        found = standings(played("pokemon-2017", *rounds, readings={"PK-A7": letter}))
        assert ids_in_order(found)[:2] == ["A", "C"]
        assert found.decided_by(0) == "last_opponent"


def test_a_value_after_the_last_opponent() -> None:
    """A, B and C have 3 points. A last met B, who has 3; B and C last met D, who has none.

    B's opponents won half and none of their rounds (which counts as 1/4), C's none.
    """
    under = load("pokemon-2017")
    chain = {key.key: key for key in under.chain}
    rules = with_chain(under, *(chain[key] for key in ("points", "last_opponent", "owp")))
    found = of_house_rules(rules, "A beats B, C beats D", "B beats D, A loss, C loss")
    assert ids_in_order(found) == ["A", "B", "C", "D"]
    assert [found.decided_by(position) for position in range(4)] == ["last_opponent", "owp", "points", None]
    assert [value(found, "owp", player_id) for player_id in "BC"] == ["3/8", "1/4"]
