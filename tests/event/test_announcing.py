"""What is announced before an event, and what the desk is reminded of while it runs (PK-1, PK-57, PK-61)."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from tests.event.event_runner import Running
from topcut.cli.new import parse_options
from topcut.errors import Impossible
from topcut.event import commands as c
from topcut.event.correction_window import describe_next_closing, find_next_closing
from topcut.event.describe.swiss_end import find_made_cuts
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.draw import find_progress
from topcut.event.next_steps import find_obstacle
from topcut.event.refusals import NotNow, RecordClosed

PK = "pokemon-2017"


def test_the_rules_ask_for_an_announcement_a_reminder_and_slips() -> None:
    """PK-1, PK-57, PK-61."""
    event = Running(PK, 8, level="premier")
    event.do(c.Pair())
    assert [
        notable.says for notable in find_draft_warnings(event.state) if notable.kind == "announcement"
    ] == ["Rounds, cut and prizes are not announced yet (PK-1)."]
    said = event.do(c.Publish())
    assert said.warnings == [], "it was said before"
    assert said.says == ["This event uses result slips (PK-57)."]
    event.do(c.Start())
    event.report()
    event.do(c.End(), c.Pair())
    assert event.do(c.Publish()).says[0] == (
        "Ask all players to check their results now (PK-61). Publishing round 3 closes round 1 (PK-60)."
    )


def test_what_is_announced_is_not_asked_for_again() -> None:
    """PK-1."""
    event = Running(PK, 8)
    event.do(c.Announce(prizes="the top 4"), c.Pair())
    assert "announcement" not in {notable.kind for notable in find_draft_warnings(event.state)}


def test_the_last_reminder_comes_while_it_is_of_use() -> None:
    """PK-60, PK-61, PK-A27: the first elimination round closes what the last Swiss rounds left open."""
    event = Running(PK, 8, rounds=3, cut=2, format="swiss+elimination")
    event.play("", "")
    event.up()
    event.report()
    assert event.do(c.End()).says == [
        "The Swiss rounds are over. Ask all players to check their results now (PK-61)."
        " Publishing the first elimination round closes all Swiss records (PK-A27)."
    ]
    event.do(c.Pair())
    assert [notable.says for notable in find_draft_warnings(event.state) if notable.kind == "record"] == [
        "Publishing the first elimination round closes all Swiss records (PK-A27)."
    ]
    event.do(c.Correct(round=3, table=4, result=event.result("0-2"), then="again"))
    assert event.do(c.Publish()).says == ["Rounds 2 and 3 can no longer be corrected (PK-A27)."]
    with pytest.raises(RecordClosed):
        event.do(c.Correct(round=3, table=4, result=event.result("2-0")))


def test_the_last_reminder_where_no_bracket_follows() -> None:
    event = Running(PK, 8, rounds=2, format="swiss")
    event.play("", "")
    assert event.last.says == [
        "Ask all players to check their results now (PK-61). Finishing the event closes all records."
    ]


def test_each_reminder_names_the_rounds_that_the_next_step_closes() -> None:
    """PK-60, PK-61."""
    event = Running(PK, 16, rounds=4, cut=4, format="swiss+elimination")
    remind = "Ask all players to check their results now (PK-61). "
    told = []
    for _ in range(4):
        event.do(c.Pair())
        told.append(event.do(c.Publish()).says)
        event.do(c.Start())
        event.report()
        event.do(c.End())
    assert told == [
        [],
        [remind + "Publishing round 3 closes round 1 (PK-60)."],
        [
            "Round 1 can no longer be corrected (PK-60).",
            remind + "Publishing round 4 closes round 2 (PK-60).",
        ],
        [
            "Round 2 can no longer be corrected (PK-60).",
            remind + "Publishing the first elimination round closes all Swiss records (PK-A27).",
        ],
    ]


@pytest.mark.parametrize(
    ("reading", "says"),
    [
        ("a", "Pairing round 3 closes round 1 (PK-60)."),
        ("b", "Publishing round 3 closes round 1 (PK-60)."),
        ("c", "Starting round 3 closes round 1 (PK-60)."),
    ],
)
def test_what_closes_a_record_is_named_as_the_rule_is_read(reading: str, says: str) -> None:
    """PK-A27."""
    event = Running(PK, 8, {"PK-A27": reading}, rounds=4, format="swiss")
    event.play("", "")
    closing = find_next_closing(event.state, find_progress(event.state))
    assert closing is not None
    assert describe_next_closing(closing) == says


@pytest.mark.parametrize(
    ("rules", "players", "options", "says"),
    [
        ("allegiance-2005", 8, {}, "The number of rounds is missing. Set rounds=N in the options."),
        (PK, 0, {"rounds": 4}, "The cut is missing. Add the players, or set cut=N in the options."),
        (
            PK,
            0,
            {},
            "The number of rounds and the cut are missing. Add the players, or set rounds=N and cut=N",
        ),
        ("draft-sheet", 0, {}, "The number of rounds is missing. Add the players, or set rounds=N in"),
    ],
)
def test_nothing_is_announced_that_has_no_value(
    rules: str, players: int, options: dict[str, Any], says: str
) -> None:
    """PK-1."""
    event = Running(rules, players, **options)
    before = event.log.version
    with pytest.raises(NotNow) as refused:
        event.do(c.Announce(prizes="a cup"))
    assert str(refused.value).startswith(says)
    assert event.log.version == before


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        (
            {"junior": 8, "masters": 20},
            [
                "junior: 3 rounds.",
                "masters: 5 rounds, then a top 4.",
                "Divisions are separated: each plays by itself.",
                "There is no match for third place.",
            ],
        ),
        (
            {"junior": 2, "masters": 20},
            [
                "5 rounds, then a top 4.",
                "Divisions are modified: junior and masters play in one pool.",
                "There is no match for third place.",
            ],
        ),
        ({"masters": 20}, ["5 rounds, then a top 4.", "There is no match for third place."]),
    ],
)
def test_it_is_announced_how_divisions_play(sizes: dict[str, int], says: list[str]) -> None:
    """PK-1, PK-12, PK-13."""
    event = Running(PK)
    event.do(*(c.Register(name=f"{d} {n}", division=d) for d, size in sizes.items() for n in range(size)))
    assert event.do(c.Announce(prizes="a cup")).says == [*says, "Prizes: a cup."]


def test_what_is_announced_stays_however_many_players_come_late() -> None:
    event = Running(PK, 8, third_place=True)
    announced = event.do(c.Announce(prizes="the top 4")).says
    assert announced == ["3 rounds.", "Prizes: the top 4."]
    event.play("")
    event.do(c.Register(name="Ninth"))  # with nine the table would have four rounds and a cut
    event.play("", "")
    with pytest.raises(Impossible, match="All 3 planned Swiss rounds are played"):
        event.do(c.Pair())


# Divisions that play by themselves


def divided(options: dict[str, Any] | None = None, **sizes: int) -> Running:
    event = Running(PK, **(options or {}))
    for division, players in sizes.items():
        event.do(*(c.Register(name=f"{division} {n}", division=division) for n in range(players)))
    return event


@pytest.mark.parametrize("announced", [True, False])
def test_a_late_player_brings_no_cut_to_a_division_without_one(announced: bool) -> None:
    """PK-1: what was announced, or begun, stays. Nine juniors would have a top 4."""
    event = divided(junior=8, masters=9)
    if announced:
        assert event.do(c.Announce(prizes="the top 4")).says[:2] == [
            "junior: 3 rounds.",
            "masters: 4 rounds, then a top 4.",
        ]
    event.play("")
    event.do(c.Register(name="Late Junior", division="junior"))
    own = event.state.options.by_division or {}
    assert (own["junior"].cut, own["masters"].cut) == (0, 4)
    event.play("", "", "")
    (bracket,) = find_progress(event.state).brackets
    assert bracket.part.name == "masters"


def test_flights_are_for_the_divisions_that_may_have_them() -> None:
    """PK-42: different divisions may use different numbers of flights."""
    event = divided({"flights": 2}, junior=8, senior=9, masters=71)
    assert event.do(c.Announce(prizes="the top 4")).says[:3] == [
        "junior: 3 rounds.",
        "senior: 4 rounds, then a top 4.",
        "masters: 6 rounds in 2 flights, then a top 8.",
    ]
    event.up()
    flights = {(e.player.division, e.player.flight) for e in event.state.active()}
    assert flights == {("junior", None), ("senior", None), ("masters", 1), ("masters", 2)}


def test_a_late_player_does_not_begin_flights() -> None:
    """PK-42, PK-45: 63 seniors start in one field; the 64th does not split it."""
    event = divided({"flights": 2}, senior=63, masters=64)
    event.play("")
    event.do(c.Register(name="Late Senior", division="senior"))
    event.do(c.Pair())
    assert {e.player.flight for e in event.state.active() if e.player.division == "senior"} == {None}


@pytest.mark.parametrize(
    ("options", "change"),
    [
        ({"flights": 2}, "flights="),
        ({"by_division": {"junior": {"flights": 2}}}, "by_division="),
        (
            {"by_division": {"junior": {"flights": 2, "rounds": 3}}},
            """'by_division={"junior":{"rounds":3}}'""",
        ),
    ],
)
def test_flights_that_no_division_may_have_are_refused_with_the_way_out(
    options: dict[str, Any], change: str
) -> None:
    """PK-42: nothing is announced that is refused when the round is paired."""
    event = divided(options, junior=8, masters=9)
    for command in (c.Announce(prizes="none"), c.Pair()):
        with pytest.raises(Impossible) as refused:
            event.do(command)
        assert refused.value.rule == "PK-42"
        assert "junior: 8 players are too few for flights" in str(refused.value)
        assert f"`topcut event options {change}`" in str(refused.value)
    obstacle = find_obstacle(event.state)
    assert obstacle is not None
    (way,) = obstacle.changes
    assert way.change == change
    _, _, _, word = shlex.split(way.command)
    event.do(c.ChangeOptions(options=parse_options((word,), event.state.options)))
    event.do(c.Announce(prizes="none"), c.Pair())


@pytest.mark.parametrize("announced", [True, False])
def test_after_the_last_planned_round_one_more_can_be_played(announced: bool) -> None:
    event = Running("fab-gem", 8, format="swiss", rounds=1)
    if announced:
        event.do(c.Announce(prizes="none"))
    event.play("")
    obstacle = find_obstacle(event.state)
    assert obstacle is not None
    assert [way.kind for way in obstacle.ways] == ["options", "finish"]
    _, _, _, word, *reason = shlex.split(obstacle.changes[0].command)
    assert (word, bool(reason)) == ("rounds=2", announced)
    options = parse_options((word,), event.state.options)
    event.do(c.ChangeOptions(options=options, reason=" ".join(reason[1:])))
    event.play("")
    assert event.round.number == 2


def test_who_could_make_the_cut_is_counted_without_those_who_had_left() -> None:
    event = Running(PK, 9, rounds=2, cut=4, format="swiss+elimination")
    event.play("")
    event.do(c.Drop(player=event.round.tables[0].players[0]))
    event.play("")
    (made,) = find_made_cuts(find_progress(event.state))
    assert (len(made.players), made.of) == (4, 8)
