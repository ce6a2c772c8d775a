"""Each kind of result of a table of three, given through the API (AL-6 to AL-11)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from tests.api.server_thread import Served, entries
from topcut.client import Client, Refused, RemoteEvent
from topcut.event import commands as c
from topcut.event.facts import Result

LEVEL = {"s1": 3, "s2": 3}
"""A count that leaves the tie."""


@pytest.fixture
def event(alone: Served) -> Iterator[RemoteEvent]:
    """Ada, Bo and Cy at table 1, in any order."""
    alone.make("factions", "allegiance-2005", entries("Ada", "Bo", "Cy"))
    with Client(alone.address, alone.token(), pause=0.01) as client:
        found = client.event("factions")
        found.give(c.Pair(), c.Publish(), c.Start())
        yield found


def seated(result: Result, event: RemoteEvent) -> Result:
    """Return a result in which s1, s2 and s3 are the players of the table, by their seats."""
    (table,) = event.round().tables
    plain = msgspec.json.encode(result).decode()
    for number, seat in enumerate(table.players, start=1):
        plain = plain.replace(f'"s{number}"', f'"{seat.id}"')
    return msgspec.json.decode(plain, type=Result)


RESULTS = {
    "the most wins": Result(scores=(24, 10, 23), winners=("s1",)),
    "nobody won": Result(scores=(24, 10, 23), winners=()),
    "nobody won a tie at the target": Result(scores=(20, 20, 10), winners=()),
    "eliminated": Result(scores=(24, 0, 23), winners=("s1",), eliminated=("s2",)),
    "several won": Result(scores=(20, 20, 10), winners=("s1", "s2")),
    "the first count": Result(scores=(20, 20, 10), winners=("s2",), tie_counts=({"s1": 1, "s2": 3},)),
    "the second count": Result(scores=(20, 20, 10), winners=("s1",), tie_counts=(LEVEL, {"s1": 7, "s2": 5})),
    "tied in all counts": Result(scores=(20, 20, 10), winners=("s1", "s2"), tie_counts=(LEVEL, LEVEL)),
    "given away": Result(scores=(20, 20, 10), winners=("s2",), tie_counts=(LEVEL, LEVEL), win_given_to="s2"),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_is_stored_as_it_was_given(event: RemoteEvent, kind: str) -> None:
    result = seated(RESULTS[kind], event)
    event.give(c.Report(table=1, result=result))
    (table,) = event.round().tables
    assert table.result == result
    event.give(c.End())
    rows = {row.id: row for row in event.standings().standings}
    assert {player_id: row.points for player_id, row in rows.items()} == {
        player_id: int(player_id in (result.winners or ())) for player_id in rows
    }
    assert result.scores is not None
    for seat, score in zip(table.players, result.scores, strict=True):
        (counted,) = [tie.value for tie in rows[seat.id].tiebreaks if tie.key == "score"]
        assert counted == str(score), "what was counted is no part of it (AL-11)"


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (Result(scores=(19, 10, 5), winners=("s1",)), "{0} won with 19: expected at least the target of 20"),
        (Result(scores=(23, 24, 5), winners=("s1",)), "{0} won with 23, but {1} has 24"),
        (
            Result(scores=(20, 20, 5), winners=("s1",), tie_counts=({"s1": 1, "s2": 3},)),
            "expected {1}, who had the most in the last count",
        ),
        (
            Result(scores=(20, 20, 5), winners=("s1",), tie_counts=(LEVEL,)),
            "{0} and {1} are still tied: expected the next count, all influence tokens",
        ),
        (
            Result(scores=(20, 20, 5), winners=("s3",), win_given_to="s3"),
            "{2} won with 5, but {0} has 20",
        ),
        (Result(winner="draw", intentional=True), "intentional draws are not allowed here"),
    ],
)
def test_a_result_that_cannot_be_is_refused_with_names(event: RemoteEvent, result: Result, says: str) -> None:
    with pytest.raises(Refused) as refused:
        event.give(c.Report(table=1, result=seated(result, event)))
    assert (refused.value.kind, refused.value.status) == ("bad-result", 422)
    (table,) = event.round().tables
    assert says.format(*(seat.name for seat in table.players)) in str(refused.value)
    assert event.round().missing == [1]
