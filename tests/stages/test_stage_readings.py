"""Unclear rules about stages: each reading gives another answer, and it is the one worked out by hand."""

from __future__ import annotations

from typing import Any

from tests.builders import a_round, played
from tests.stages.played_events import places, progress
from tests.standings.test_readings import COVERED, IN_STAGES, all_readings, reading
from topcut.formats.event_file import Event
from topcut.rulebook.loader import build_book, read_book
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round

PK = "pokemon-2017"
DAY_ONE = (
    "A beats D, B beats E, C ties F, G beats H",
    "A beats E, B beats D, C ties G, F beats H",
    "A ties C, F beats B, D beats H, G beats E",
)
"""A, F and G have two wins and a tie, B two wins and a loss, C three ties, the others two losses or more."""


def two_days(*rounds: str, readings: dict[str, str], **enter: Any) -> Progress:
    """Eight players, three rounds on the first day; into the second go those with one loss at most."""
    source = read_book(PK)
    source.tree["plan"]["tables"]["tcg-two-day"]["rows"] = [{"rounds": 3, "second_day": 2, "cut": 2}]
    source.tree["stages"][1]["enter"] |= {"losses": 1}
    del source.tree["stages"][1]["enter"]["top"]
    source.tree["stages"][1]["enter"] |= enter
    event = played(PK, *DAY_ONE, *rounds, options={"table": "tcg-two-day"}, seed="days")
    book = build_book(source, readings)
    return Progress(event.history, book, event.file.options, event.file.rounds, ["days"])


def on(now: Progress) -> set[str]:
    """Who goes on into the second day."""
    return {now.history.players[i].id for i in now.decide_entry(now.parts[0], 1).on}


@reading("PK-A18", a=set("ABFG"), b=set("B"), c=set("ABCFG"))
def test_a_record_of_one_loss_or_better(readings: dict[str, str], expected: set[str]) -> None:
    """6 points; one loss and no tie; one loss however many ties."""
    assert on(two_days(readings=readings)) == expected


@reading("PK-A19", a=2, b=3)
def test_the_larger_group_or_both(readings: dict[str, str], expected: int) -> None:
    """Only B has no tie; the best two are others, whose ties do not keep them out."""
    found = on(two_days(readings=readings | {"PK-A18": "b"}, top=2))
    assert len(found) == expected
    assert ("B" in found) == (expected == 3)


@reading("PK-A20", a=("10", "A B F G"), b=("3", "A B F G"))
def test_points_of_the_first_day(readings: dict[str, str], expected: tuple[str, str]) -> None:
    """A has 7 points from the first day and wins the first round of the second."""
    points, players = expected
    now = two_days("A beats B, F beats G", readings=readings)
    found = now.standings(now.parts[0], 4)
    assert str(found.value("points", now.history.index["A"])) == points
    assert sorted(now.history.players[i].id for i in now.active(now.parts[0])) == players.split()


def test_pk_a20_meetings_of_the_first_day() -> None:
    """B and F have met on the first day: they meet again only where it does not count."""
    again: dict[str, bool] = {}
    for letter in "ab":
        now = two_days(readings={"PK-A20": letter})
        ids = [player.id for player in now.history.players]
        drawn = [pair_next_round(now, str(seed)).tables for seed in range(40)]
        again[letter] = any({ids[i] for i in table.players} == {"B", "F"} for r in drawn for table in r)
    assert again == {"a": False, "b": True}


def five(readings: dict[str, str], rules: str = PK) -> Event:
    """Ten players after four rounds; P2, second of them, has left. The cut is a top 4."""
    rounds = [
        "P1 beats P6, P2 beats P7, P3 beats P8, P4 beats P9, P5 beats P10",
        "P1 beats P5, P2 beats P4, P3 beats P9, P10 beats P6, P8 beats P7",
        "P1 beats P3, P2 beats P8, P4 beats P10, P5 beats P7, P9 beats P6",
        "P1 beats P4, P2 beats P5, P3 beats P10, P8 beats P6, P9 beats P7",
    ]
    return played(rules, *rounds, dropped={"P2": 4}, readings=readings, options={"rounds": 4, "cut": 4})


@reading("PK-A22", a=3, b=4)
def test_a_qualifier_who_leaves_before_the_bracket(readings: dict[str, str], expected: int) -> None:
    """Nobody moves up, and the third rank seed has a bye; or the fifth moves up, and there is none."""
    now = progress(five(readings))
    tables = pair_next_round(now, "final").tables
    seated = {now.history.players[i].id for table in tables for i in table.players}
    assert "P2" not in seated
    assert len(seated) == expected
    assert [len(table.players) for table in tables] == ([2, 1] if expected == 3 else [2, 2])


@reading("MTR-A2", a=3, b=4)
def test_a_qualifier_who_leaves_before_the_play_off(readings: dict[str, str], expected: int) -> None:
    """As above."""
    now = progress(five(readings, "mtr"))
    assert sum(len(table.players) for table in pair_next_round(now, "final").tables) == expected


@reading(
    "PK-A23",
    a={"6": 1, "5": 2, "2": 3, "1": 4, "3": 5, "4": 6, "7": 7, "8": 8},
    b={"6": 1, "5": 2, "2": 3, "1": 4, "3": 5, "4": 6, "7": 7, "8": 7},
)
def test_places_of_an_event_of_elimination_only(readings: dict[str, str], expected: dict[str, int]) -> None:
    """PK-T6: 7 and 8 lost to 2 and 1, who went equally far."""
    rounds = [
        a_round(text, stage="elimination")
        for text in ("1 beats 8, 5 beats 4, 2 beats 7, 6 beats 3", "5 beats 1, 6 beats 2", "6 beats 5")
    ]
    numbers = {str(i): i for i in range(1, 9)}
    event = played(PK, *rounds, readings=readings, options={"format": "elimination"}, rank_seed=numbers)
    assert places(progress(event)) == expected


@reading("PK-A31", a=[8], b=[4, 4])
def test_brackets_after_divisions_that_played_apart(readings: dict[str, str], expected: list[int]) -> None:
    """Eleven juniors and eleven masters: a top 4 each, or the top 8 that the table has for 22."""
    ids = [f"P{i}" for i in range(22)]
    pairs = [*zip(ids[:11:2], ids[1:11:2], strict=False), *zip(ids[11::2], ids[12::2], strict=False)]
    one = ", ".join(f"{a} beats {b}" for a, b in pairs) + f", {ids[10]} bye, {ids[21]} bye"
    ages = {player_id: "junior" if at < 11 else "masters" for at, player_id in enumerate(ids)}
    event = played(PK, one, division=ages, readings=readings, options={"rounds": 1}, players=" ".join(ids))
    assert [len(bracket.play.players) for bracket in progress(event).brackets] == expected


def test_every_letter_of_every_reading_about_stages_is_tested() -> None:
    for reading_id in IN_STAGES:
        (mark,) = COVERED[reading_id].pytestmark  # type: ignore[attr-defined]
        tested = {letter for case in mark.args[1] for letter in case.values[0].values()}
        assert tested == all_readings()[reading_id], reading_id
