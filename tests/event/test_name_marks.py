"""Messages call players by their names: ids and names share nothing here."""

from __future__ import annotations

from typing import Any

import pytest

from tests.event.event_runner import Running
from topcut.errors import TopcutError
from topcut.event import commands as c
from topcut.event.describe.log_sentences import describe_log
from topcut.event.describe.results import describe_place
from topcut.event.facts import Result

NAMES = ("Ada", "Bo", "Cy", "Di")
IDS = ("zq7x", "zq8x", "zq9x", "zq10x")


def event(rules: str, people: int = 4, **options: Any) -> Running:
    found = Running(rules, **options)
    for player_id, name in zip(IDS[:people], NAMES, strict=False):
        found.do(c.Register(name=name, id=player_id))
    return found


def by_name(found: Running, text: str) -> str:
    """The text with the numbers of seats in the place of names, which a draw has mixed."""
    for at, player_id in enumerate(found.round.tables[0].players, start=1):
        text = text.replace(found.state.name_of(player_id), f"<{at}>")
    return text


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ({"scores": (19, 3, 2, 1), "winners": (0,)}, "<1> won with 19: expected at least the target of 20"),
        ({"scores": (23, 24, 2, 1), "winners": (0,)}, "<1> won with 23, but <2> has 24: expected the most"),
        ({"scores": (24, 3, 2, 1), "winners": (0, 0)}, "<1>: expected some of <1>, <2>, <3>, <4>, each once"),
        (
            {"scores": (24, 3, 2, 1), "winners": (0,), "eliminated": (0,)},
            "<1> was eliminated and cannot have",
        ),
        ({"scores": (20, 20, 2, 1), "winners": (0,), "win_given_to": 1}, "expected <2>, to whom the win was"),
        (
            {"scores": (20, 20, 2, 1), "winners": (0,), "win_given_to": 2},
            "<3> is not one of the players still tied",
        ),
        ({"scores": (20, 20, 2, 1), "winners": (0,), "tie_counts": {0: 1}}, "still tied: <1> and <2>"),
        (
            {"scores": (20, 20, 2, 1), "winners": (0,), "tie_counts": {0: 1, 1: 1}},
            "<1> and <2> are still tied",
        ),
        ({"winner": -1}, '"nobody" does not sit at this table: expected <1>, <2>, <3>, <4>, "draw" or'),
    ],
)
def test_a_result_that_cannot_be_is_refused_by_name(result: dict[str, object], says: str) -> None:
    found = event("allegiance-2005")
    sit = found.up().tables[0].players

    def seated(value: object) -> object:
        return sit[value] if isinstance(value, int) and value >= 0 else "nobody"

    given = dict(result)
    for key in ("winners", "eliminated"):
        if key in given:
            given[key] = tuple(map(seated, given[key]))  # type: ignore[call-overload]
    for key in ("win_given_to", "winner"):
        if key in given:
            given[key] = seated(given[key])
    if "tie_counts" in given:
        given["tie_counts"] = ({sit[at]: n for at, n in given["tie_counts"].items()},)  # type: ignore[attr-defined]
    with pytest.raises(TopcutError) as refused:
        found.do(c.Report(table=1, result=Result(**given)))  # type: ignore[arg-type]
    assert says in by_name(found, str(refused.value))


def test_a_bye_is_corrected_and_told_by_name() -> None:
    found = event("pokemon-2017", 3, format="swiss", rounds=2)
    found.up()
    alone = found.round.tables[-1].players[0]
    name = found.state.name_of(alone)
    for result, says in (
        (Result(bye=True), f"Round 1 already has this result: {name} has a bye."),
        (None, f"{name} has no opponent in round 1. Enter a bye or a loss."),
        (Result(games=(2, 0, 0)), f"{name}: expected 2 players at a table, not 1"),
    ):
        with pytest.raises(TopcutError) as refused:
            found.do(c.Correct(table=alone, result=result))
        assert str(refused.value) == says
    other = next(player_id for player_id in found.state.players if player_id != alone)
    with pytest.raises(TopcutError) as refused:
        found.do(c.Correct(table=other, result=Result(loss=True)))
    assert str(refused.value) == f"{found.state.name_of(other)} has no bye in round 1."
    found.do(c.Correct(table=alone, result=Result(loss=True), reason="late"))
    says = [line.says for line in describe_log(found.log)][-1]
    assert says == f"A result of round 1 is corrected: {name} has a bye → {name} takes a loss. Reason: late."
    assert describe_place(1, alone, found.state.name_of) == f"round 1 ({name})"


def test_a_repair_tells_who_sits_alone_by_name() -> None:
    found = event("pokemon-2017", format="swiss", rounds=3)
    found.up(started=False)
    gone = found.round.tables[0].players[0]
    found.do(c.Drop(player=gone, then="fewest"))
    alone = found.state.name_of(found.round.tables[-1].players[0])
    assert [line.says for line in describe_log(found.log)][-1].endswith(
        f" {alone} gets a bye. No other table changes."
    )


def test_what_builds_on_a_player_is_said_by_name() -> None:
    found = event("pokemon-2017", format="swiss", rounds=2)
    step = found.log.version
    found.do(c.CheckIn(players=("zq10x",)))
    with pytest.raises(TopcutError) as refused:
        found.do(c.Undo(step=step))
    assert "there is no player Di" in str(refused.value)
