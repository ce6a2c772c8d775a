"""Running events in a database: of two commands at once one is first, and nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from random import Random

import pytest

from tests.store.command_process import context, create
from tests.store.store_helpers import EVENT, log_of, opened, program, told
from tests.tiers import SOAK
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.facts import Registered, Result
from topcut.event.refusals import AlreadyReported, NotNow
from topcut.event.state import add_months
from topcut.store import Store
from topcut.store.session import EventSession

KILLS = 1_000 if SOAK else 20
COMMANDS = 1_000 if SOAK else 300


async def entered(store: Store, players: int) -> EventSession:
    """An event with so many players."""
    running = await create(store)
    players_in = [c.Register(name=f"Player {n}") for n in range(1, players + 1)]
    await running.do_all(players_in, context("players"))
    return running


def names(running: EventSession) -> list[str]:
    return [e.player.name for e in running.state.players.values()]


def test_an_event_is_there_again_when_it_is_opened(url: str) -> None:
    async def before(store: Store) -> object:
        running = await entered(store, 8)
        await running.do(c.Pair(), context("pair"))
        return running.state

    state = told(url, before)

    async def after(store: Store) -> object:
        return (await EventSession.open(store, EVENT)).state

    assert told(url, after) == state


def test_several_commands_are_written_all_or_none(url: str) -> None:
    async def story(store: Store) -> None:
        running = await entered(store, 2)
        with pytest.raises(NotNow):
            await running.do_all([c.Register(name="Cy"), c.Publish()], context("x"))
        assert names(running) == names(await EventSession.open(store, EVENT)) == ["Player 1", "Player 2"]

    told(url, story)


def test_the_second_of_two_commands_is_decided_anew(url: str) -> None:
    async def story(store: Store) -> None:
        one = await entered(store, 4)
        await one.do_all([c.Pair(), c.Publish(), c.Start()], context("up"))
        other = await EventSession.open(store, EVENT)
        await one.do(c.Report(table=1, result=Result(games=(2, 0, 0))), context("one"))
        with pytest.raises(AlreadyReported):  # it did not know yet
            await other.do(c.Report(table=1, result=Result(games=(2, 1, 0))), context("other"))
        await other.do(c.Report(table=2, result=Result(games=(2, 1, 0))), context("other"))
        await one.do(c.End(), context("end"))
        assert (await EventSession.open(store, EVENT)).state == one.state

    told(url, story)


def test_to_take_back_the_last_step_never_takes_back_another(url: str) -> None:
    async def story(store: Store) -> None:
        one = await entered(store, 4)
        other = await EventSession.open(store, EVENT)
        await one.do(c.Register(name="Cy"), context("one"))
        with pytest.raises(NotNow, match=r"^Another user was faster"):
            await other.do(c.Undo(), context("other"))
        assert "Cy" in names(await EventSession.open(store, EVENT))

    told(url, story)


def test_nor_does_one_who_knows_of_no_step_at_all(url: str) -> None:
    async def story(store: Store) -> None:
        one = await create(store)
        other = await EventSession.open(store, EVENT)
        await one.do(c.Register(name="Cy"), context("one"))
        with pytest.raises(NotNow, match="Another user was faster"):
            await other.do(c.Undo(), context("other"))
        assert names(await EventSession.open(store, EVENT)) == ["Cy"]

    told(url, story)


def test_a_result_is_never_given_to_others_by_a_retry(url: str) -> None:
    async def story(store: Store) -> None:
        one = await entered(store, 4)
        await one.do_all([c.Pair(), c.Publish()], context("up"))
        other = await EventSession.open(store, EVENT)
        assert other.state.round is not None
        first, second = other.state.round.tables
        await one.do(c.Swap(first=first.players[0], second=second.players[0], reason="x"), context("one"))
        seen = c.Report(table=1, result=Result(games=(2, 0, 0)), players=first.players)
        with pytest.raises(NotNow, match="now sit at table 1 of round 1. Check it, then try again"):
            await other.do(seen, context("other"))

    told(url, story)


def test_a_clock_that_is_set_back_does_not_turn_the_log_around(url: str) -> None:
    async def story(store: Store) -> None:
        running = await entered(store, 2)
        past = context("x")
        past = type(past)(at=past.at - timedelta(days=1), by="Ada", entropy="x")
        await running.do(c.Undo(), context("undo"))
        await running.do(c.Register(name="Cy"), past)
        times = [entry.at for entry in running.log.entries]
        assert times == sorted(times)

    told(url, story)


def test_names_that_are_purged_are_gone_from_the_database(url: str) -> None:
    async def story(store: Store) -> None:
        running = await entered(store, 2)
        await running.do_all([c.Pair(), c.Publish(), c.Start()], context("up"))
        await running.do(c.Report(table=1, result=Result(games=(2, 0, 0))), context("r"))
        await running.do_all([c.End(), c.Finish(reason="x")], context("end"))
        later = context("purge")
        later = type(later)(at=add_months(later.at, 4), by="Ada", entropy="purge")
        await running.do(c.Purge(), later)
        assert set(await store.read_private(EVENT)) == {running.state.commitment}
        again = await EventSession.open(store, EVENT)
        assert names(again) == ["", ""]
        assert check_log(again.log.lines, again.log.private).ok

    told(url, story)


def test_people_left_by_a_crash_in_a_purge_are_deleted_when_the_event_is_opened(url: str) -> None:
    async def story(store: Store) -> None:
        running = await entered(store, 2)
        people = dict(await store.read_private(EVENT))
        await running.do_all([c.Pair(), c.Publish(), c.Start()], context("up"))
        await running.do(c.Report(table=1, result=Result(games=(2, 0, 0))), context("r"))
        await running.do_all([c.End(), c.Finish(reason="x")], context("end"))
        later = context("purge")
        later = type(later)(at=add_months(later.at, 4), by="Ada", entropy="purge")
        await running.do(c.Purge(), later)
        await store.append(EVENT, running.log.version, [], people)  # as if they had stayed
        await EventSession.open(store, EVENT)
        assert set(await store.read_private(EVENT)) == {running.state.commitment}

    told(url, story)


def acknowledged(output: str) -> list[tuple[int, str]]:
    """Position and name of everybody whose entry was acknowledged; a line that was cut off says nothing."""
    lines = output[: output.rfind("\n") + 1].splitlines()
    return [(int(line.split(" ", 1)[0]), line.split(" ", 1)[1]) for line in lines]


async def _open(store: Store) -> EventSession:
    return await EventSession.open(store, EVENT)


@pytest.mark.large
def test_two_programs_give_many_commands_each_to_one_event(url: str) -> None:
    told(url, create)
    programs = [program("command_process", url, name, str(COMMANDS), EVENT) for name in ("Ada", "Bo")]
    said = [acknowledged(running.communicate()[0]) for running in programs]
    assert [len(one) for one in said] == [COMMANDS, COMMANDS]
    running = told(url, _open)
    assert running.log.version == 1 + 2 * COMMANDS
    for position, name in said[0] + said[1]:
        entry = running.log.entries[position - 1]
        assert isinstance(entry.fact, Registered)
        assert running.state.name_of(entry.fact.player) == name
    for one in said:
        assert [position for position, _ in one] == sorted(position for position, _ in one)


@pytest.mark.large
@pytest.mark.parametrize("part", range(2))
def test_a_scorekeepers_laptop_dies_and_the_event_goes_on(url: str, part: int) -> None:
    """Ten times in one event, then in the next."""
    random = Random(part)
    for number in range(KILLS // 20):
        killed_ten_times(url, f"event-{number}", random)


def killed_ten_times(url: str, event: str, random: Random) -> None:
    told(url, lambda store: create(store, event))
    known: list[bytes] = log_of(url, event)
    for number in range(10):
        writer = program("command_process", url, f"Run {number}", "100000", event)
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(random.uniform(0, 0.1))
        writer.kill()
        rest, _ = writer.communicate()
        running = told(url, lambda store: EventSession.open(store, event))
        assert running.log.lines[: len(known)] == known
        there = {running.state.name_of(player_id) for player_id in running.state.players}
        assert {name for _, name in acknowledged(first + rest)} <= there
        known = running.log.lines

    async def goes_on(store: Store) -> int:
        running = await EventSession.open(store, event)
        await running.do(c.Pair(), context("after"))
        return len(running.state.rounds)

    assert told(url, goes_on) == 1


def test_whoever_follows_an_event_sees_what_others_write(url: str) -> None:
    async def story() -> int:
        async with opened(url) as store, opened(url) as elsewhere:
            running = await entered(store, 2)
            follower = await EventSession.open(elsewhere, EVENT)
            await running.do(c.Register(name="Cy"), context("cy"))
            async for facts in elsewhere.follow(EVENT, follower.log.version):
                await follower.refresh()
                assert follower.log.lines[-1] == facts[-1]
                break
            assert names(follower)[-1] == "Cy"
            return follower.log.version

    assert asyncio.run(story()) == 4
