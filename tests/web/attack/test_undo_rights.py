"""More than one may do: steps of others, records that are closed, tables of others, in one request or two."""

from __future__ import annotations

import asyncio

import pytest

from tests.web.app_in_process import World, posted, started
from topcut.app.access.identity import NotAllowed
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.event import commands as c
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.store.queue import Request
from topcut.store.session import EventSession

REPORT = {"do": "report", "table": 1, "result": {"games": [2, 0, 0]}}
UNDO = {"do": "undo"}


def test_what_others_did_is_not_taken_back_behind_a_step_of_ones_own(world: World) -> None:
    async def story() -> None:
        live = await world.event("behind")
        await started(live)
        judge = await world.token("judge", "behind")
        assert (await judge.do("behind", REPORT)).status == 200
        before = live.version
        for commands in ([UNDO, UNDO], [UNDO, {"do": "undo", "count": 2}], [REPORT, UNDO, UNDO]):
            refused = await judge.do("behind", *commands)
            assert refused.status in (403, 409), commands
            assert live.version == before
        assert (await judge.do("behind", UNDO)).status == 200  # their own

    world.run(story())


def test_what_somebody_may_take_back_is_asked_of_the_event_as_it_is_then(world: World) -> None:
    """Another process has written a step that this one has not seen when the request comes in."""

    async def story() -> None:
        live = await world.event("seen")
        await started(live)
        judge = await world.token("judge", "seen")
        assert (await judge.do("seen", REPORT)).status == 200
        elsewhere = await EventSession.open(world.store, "seen")
        await elsewhere.do(c.Pause(), new_context("Mara"))
        version = elsewhere.log.version
        body = {"commands": [UNDO]}
        refused = await judge.post("/api/v1/events/seen/commands", body, if_match=f'"{version}"')
        assert refused.status == 403
        assert (await EventSession.open(world.store, "seen")).log.version == version

    world.run(story())


def test_what_somebody_else_took_back_does_not_count_again_by_oneself(world: World) -> None:
    async def story() -> None:
        live = await world.event("again")
        await started(live)
        judge, scorekeeper = await world.token("judge", "again"), await world.token("scorekeeper", "again")
        await judge.do("again", REPORT)
        step = live.version
        assert (await scorekeeper.do("again", {"do": "undo", "step": step})).status == 200
        for redo in ({"do": "redo"}, {"do": "redo", "step": step}):
            refused = await judge.do("again", redo)
            assert (refused.status, refused.json["right"]) == (403, "undo")
        assert (await scorekeeper.do("again", {"do": "redo", "step": step})).status == 200
        await judge.do("again", {"do": "undo", "step": step})
        assert (await judge.do("again", {"do": "redo", "step": step})).status == 200

    world.run(story())


async def _three_rounds(live: LiveEvent) -> None:
    """After the third round is posted the first is closed (PK-60)."""
    for number in (1, 2):
        await started(live)
        assert live.state.round is not None
        games = Result(games=(2, 0, 0))
        tables = [table.table for table in live.state.round.missing if isinstance(table.table, int)]
        await live.do([c.Report(table=table, result=games) for table in tables], new_context("Mara"))
        await live.do([c.End()], new_context("Mara"))
        if number == 1:
            await live.do([c.Correct(table=1, result=Result(games=(2, 1, 0)), round=1)], new_context("Sam"))
    await posted(live)


def test_a_record_that_is_closed_is_closed_for_undoing_too(world: World) -> None:
    async def story() -> None:
        live = await world.event("closed", players=8, rounds=4)
        await _three_rounds(live)
        step = next(e.step for e in live.session.log.entries if e.by == "Sam")
        scorekeeper = await world.token("scorekeeper", "closed", "Sam")
        correct = {"do": "correct", "table": 1, "round": 1, "result": {"games": [2, 0, 0]}}
        assert (await scorekeeper.do("closed", correct)).json["type"].endswith("record-closed")
        refused = await scorekeeper.do("closed", {"do": "undo", "step": step})
        assert (refused.status, refused.json["right"]) == (403, "override")

    world.run(story())


@pytest.mark.parametrize("then", ["leave", "fewest", "again"])
def test_a_player_who_leaves_does_not_say_what_becomes_of_a_published_round(world: World, then: str) -> None:
    async def story() -> None:
        live = await world.event(f"leaves-{then}")
        await posted(live)
        before = live.state.rounds
        path = f"/api/v1/events{(await world.own(f'leaves-{then}', 'p1'))[2:]}/commands"
        drop = {"do": "drop", "player": "p1", "then": then}
        assert (await world.public.post(path, {"commands": [drop]})).status == 403
        assert live.state.rounds == before
        drop = {"do": "drop", "player": "p1"}
        asked = await world.public.post(path, {"commands": [drop]})
        assert asked.json["type"].endswith("needs-answer")

    world.run(story())


def test_a_step_that_somebody_may_not_take_stops_all_that_came_with_it(world: World) -> None:
    async def story() -> None:
        live = await world.event("stops")
        await started(live)
        before = live.version
        judge = await world.token("judge", "stops")
        refused = await judge.do("stops", REPORT, {"do": "pause"})
        assert (refused.status, live.version) == (403, before)

    world.run(story())


def test_a_command_is_refused_by_the_log_it_would_be_decided_on(world: World) -> None:
    async def story() -> None:
        live = await world.event("turns")
        seen: list[int] = []

        def refuse(_: c.AnyCommand, log: EventLog) -> None:
            seen.append(log.version)
            raise NotAllowed("players", "judge")

        given = [
            live.do([c.CheckIn()], new_context("Mara")),
            live.execute(Request([c.Pair()], new_context("X"), check_right=refuse)),
        ]
        done = await asyncio.gather(*given, return_exceptions=True)
        assert isinstance(done[1], NotAllowed)
        assert seen[-1] == live.version

    world.run(story())
