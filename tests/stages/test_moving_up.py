"""Who takes the place of a qualifier who left before the stage began, and what is said of it (PK-A22)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import ids_in_order, played, standings
from tests.command_line import topcut, write
from tests.stages.played_events import progress
from tests.stages.stage_oracle import of, rank_order
from tests.stages.test_judged_cuts import divided
from topcut.formats.event_file import Event
from topcut.rulebook.loader import build_book, read_book
from topcut.stages.final_places import find_final_places
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round
from topcut.standings import rank
from topcut.standings.advance import apply_cut_to_flights

PK = "pokemon-2017"
ROUNDS = (
    "Ada 2-0 Fay, Bea 2-0 Gus, Cleo 2-0 Hal, Dan 2-0 Ivy, Eve 2-0 Jan",
    "Ada 2-0 Eve, Bea 2-0 Dan, Cleo 2-0 Ivy, Jan 2-0 Fay, Hal 2-0 Gus",
    "Ada 2-0 Cleo, Bea 2-0 Hal, Dan 2-0 Jan, Eve 2-0 Gus, Ivy 2-0 Fay",
    "Ada 2-0 Dan, Bea 2-0 Eve, Cleo 2-0 Jan, Hal 2-0 Fay, Ivy 2-0 Gus",
)
"""Ada and Bea have won everything, Cleo three times, Dan, Eve, Hal and Ivy twice, Jan once."""


def cup(rules: str = "mtr", **about: Any) -> Event:
    """Ten players after four rounds, before a top 4."""
    options = {"format": "swiss+elimination", "rounds": 4, "cut": 4}
    return played(rules, *ROUNDS, options=options, seed="cup", **about)


def seated(now: Progress) -> list[set[str]]:
    """The tables of the next round."""
    players = now.history.players
    return [{players[i].id for i in table.players} for table in pair_next_round(now, "next").tables]


def test_the_next_in_line_takes_the_place() -> None:
    """By rank seeds Ada meets the fourth and Bea Cleo; without Bea all move up by one."""
    *_, fourth, fifth = ids_in_order(standings(cup()))[:5]
    assert seated(progress(cup())) == [{"Ada", fourth}, {"Bea", "Cleo"}]
    now = progress(cup(dropped={"Bea": 4}))
    assert seated(now) == [{"Ada", fifth}, {"Cleo", fourth}]
    assert pair_next_round(now, "next").warnings == [f"Bea left; {fifth}, 5th, takes the place. (MTR-A2)"]


def test_whoever_dropped_before_the_last_round_was_no_qualifier() -> None:
    """Nobody moves up for them: they were not in the running."""
    rounds = [*ROUNDS[:3], "Bea 2-0 Dan, Hal 2-0 Eve, Cleo 2-0 Jan, Ivy 2-0 Fay"]
    options = {"format": "swiss+elimination", "rounds": 4, "cut": 4}
    event = played("mtr", *rounds, options=options, dropped={"Ada": 3, "Gus": 3})
    (bracket,) = progress(event).brackets
    assert bracket.entered is not None
    assert (bracket.entered.moved_up, bracket.warnings) == ((), [])


def test_several_leave() -> None:
    order = ids_in_order(standings(cup()))
    (bracket,) = progress(cup(dropped={order[0]: 4, order[3]: 4})).brackets
    assert bracket.play.players == [order[1], order[2], order[4], order[5]]
    assert bracket.warnings == [
        f"{order[0]} left; {order[4]}, 5th, takes the place. (MTR-A2)",
        f"{order[3]} left; {order[5]}, 6th, takes the place. (MTR-A2)",
    ]


def test_the_next_in_line_may_have_left_too() -> None:
    order = ids_in_order(standings(cup()))
    (bracket,) = progress(cup(dropped={order[1]: 4, order[4]: 4})).brackets
    assert bracket.play.players == [order[0], order[2], order[3], order[5]]
    assert bracket.warnings == [f"{order[1]} left; {order[5]}, 6th, takes the place. (MTR-A2)"]


def test_nobody_is_left_in_line() -> None:
    """Five players, a top 4, two of them leave: three play, and the best has a bye."""
    rounds = ("A 2-0 B, C 2-0 D, E bye", "A 2-0 C, B 2-0 E, D bye")
    options = {"format": "swiss+elimination", "rounds": 2, "cut": 4}
    (full,) = progress(played("mtr", *rounds, options=options)).brackets
    assert full.entered is not None
    order = ["ABCDE"[verdict.player] for verdict in full.entered.verdicts]
    now = progress(played("mtr", *rounds, options=options, dropped={order[1]: 2, order[2]: 2}))
    assert seated(now) == [{order[3], order[4]}, {order[0]}]
    assert now.brackets[0].warnings == [
        f"{order[1]} left; {order[4]}, 5th, takes the place. (MTR-A2)",
        f"{order[2]} left, and no player is next in line.",
        "Only 3 players are left for a top 4.",
    ]


@pytest.mark.parametrize("rules", ["dci-1999", PK])
def test_a_disqualified_qualifier_is_named_as_such(rules: str) -> None:
    (bracket,) = progress(cup(rules, disqualified={"Bea": 4})).brackets
    (moved,) = bracket.entered.moved_up if bracket.entered else ()
    assert moved.says.startswith("Bea was disqualified; ")
    assert moved.says.endswith(", 5th, takes the place.")
    assert "Bea" not in bracket.play.players


def test_rulesets_that_say_nothing_leave_the_seat_empty() -> None:
    (bracket,) = progress(cup("dci-1999", dropped={"Bea": 4})).brackets
    assert "Bea" in bracket.play.players
    assert bracket.warnings == ["Bea, rank seed 2, left before the bracket, and no player moves up."]


def test_who_left_is_placed_behind_the_bracket() -> None:
    now = progress(cup(dropped={"Bea": 4}))
    (bracket,) = now.brackets
    place = next(final for final in find_final_places(now, bracket) if final.id == "Bea")
    assert place.place == 5
    assert "left before the play-off" in place.why


def test_the_next_of_the_same_flight_moves_up() -> None:
    """Flight 1: A, B, C in this order, flight 2: E, F, G. B leaves, so that C goes on, and not F."""
    event = played("mtr", "A 2-0 C, B 2-1 X, E 2-0 G, F 2-1 Y", "A 2-0 B, C 2-0 X, E 2-0 F, G 2-0 Y")
    found = rank(event.history, event.book)
    index = event.history.index
    groups = {
        "Flight 1": (found, [index[player_id] for player_id in "ABCX"]),
        "Flight 2": (found, [index[player_id] for player_id in "EFGY"]),
    }
    first, second = (
        [player_id for player_id in ids_in_order(found) if player_id in part] for part in ("ABCX", "EFGY")
    )
    gone = first[1]
    enter = next(stage.enter for stage in event.book.stages if stage.enter)
    cut = apply_cut_to_flights(found, enter, 2, groups, {index[gone]})
    on = {event.history.players[i].id for i in cut.on}
    assert on == {first[0], first[2], second[0], second[1]}
    assert [moved.says for moved in cut.moved_up] == [
        f"Flight 1: {gone} left; {first[2]}, 3rd, takes the place. (MTR-A2)"
    ]


def test_the_next_of_the_same_division_moves_up() -> None:
    desk = divided({"senior": 8, "masters": 12}, 5, cut=4)
    before = {b["division"]: rank_order(b) for b in desk.ask("bracket")["divisions"]}
    of(desk.file, before["senior"][0])["dropped"] = 2
    order = [row["id"] for row in desk.ask("standings")["standings"] if row["division"] == "senior"]
    here = [player_id for player_id in order if player_id != before["senior"][0]]
    after = {b["division"]: rank_order(b) for b in desk.ask("bracket")["divisions"]}
    assert after == {"senior": here[:4], "masters": before["masters"]}


def test_the_next_moves_up_into_the_second_day() -> None:
    """The best four of eight go on after one round; A leaves."""
    source = read_book(PK)
    source.tree["plan"]["tables"]["tcg-two-day"]["rows"] = [{"rounds": 2, "second_day": 2, "cut": 2}]
    enter = source.tree["stages"][1]["enter"]
    enter |= {"top": 4}
    del enter["losses"]
    rounds = ("A beats B, C beats D, E beats F, G beats H", "A beats C, E beats G, B beats D, F beats H")
    found: dict[str, list[str]] = {}
    for letter in "ab":
        event = played(PK, *rounds, options={"table": "tcg-two-day"}, seed="days", dropped={"A": 2})
        book = build_book(source, {"PK-A22": letter})
        now = Progress(event.history, book, event.file.options, event.file.rounds, ["days"])
        pairing = pair_next_round(now, "next")
        found[letter] = sorted(now.history.players[i].id for table in pairing.tables for i in table.players)
        moved = [warning for warning in pairing.warnings if "takes the place" in warning]
        assert len(moved) == (letter == "b")
    assert len(found["a"]) == 3
    assert len(found["b"]) == 4
    assert set(found["a"]) < set(found["b"])


class TestCommands:
    """What people read."""

    @pytest.mark.parametrize("rules", ["mtr", PK, "pokemon-tom"])
    def test_cut_says_who_moved_up_and_why(self, rules: str, tmp_path: Path) -> None:
        file = write(cup(rules, dropped={"Bea": 4}), tmp_path / "cup.json")
        answer = topcut("cut", str(file))
        assert answer.code == 0, answer.err
        (said,) = [line for line in answer.out.splitlines() if line.startswith("Bea left; ")]
        moved = said.removeprefix("Bea left; ").partition(",")[0]
        reading = "MTR-A2" if rules == "mtr" else "PK-A22"
        assert said == f"Bea left; {moved}, 5th, takes the place. ({reading})"
        (cut,) = json.loads(topcut("cut", str(file), "--json").out)["cuts"]
        rows = {row["id"]: row for row in cut["players"]}
        assert (rows["Bea"]["in"], rows[moved]["in"]) == (False, True)
        assert rows["Bea"]["why"] == f"place 2, but left; {moved} takes the place"
        assert rows[moved]["why"].endswith("; takes the place of Bea")
        assert cut["moved_up"] == [{"left": "Bea", "id": moved, "text": said}]

    @pytest.mark.parametrize("command", ["bracket", "pair"])
    def test_the_bracket_is_full_and_says_so(self, command: str, tmp_path: Path) -> None:
        file = write(cup(PK, dropped={"Bea": 4}), tmp_path / "cup.json")
        answer = topcut(command, str(file), "--seed", "cup")
        assert answer.code == 0, answer.err
        assert "Bea left; " in answer.err
        assert "5th, takes the place" in answer.err
        assert "bye" not in answer.out

    def test_the_other_reading_leaves_the_seat_empty(self, tmp_path: Path) -> None:
        file = write(cup(PK, dropped={"Bea": 4}), tmp_path / "cup.json")
        answer = topcut("pair", str(file), "--seed", "cup", "--reading", "PK-A22=a")
        assert "Bea, rank seed 2, left before the bracket, and no player moves up." in answer.err
        assert "Bea has left" in answer.out
