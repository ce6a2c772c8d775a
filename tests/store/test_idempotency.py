"""What is asked twice is done once; what is meant for one version is done at no other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.store.command_process import context, create
from tests.store.store_helpers import EVENT, log_of, opened, told
from tests.store.test_concurrent_session import WON, playing, report, reports
from topcut.errors import TopcutError
from topcut.event import commands as c
from topcut.event.decide.context import Decision
from topcut.event.event_log import EventLog
from topcut.event.refusals import AlreadyReported, NotNow
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.store import Moved, Repeated, Store, StoreError
from topcut.store.queue import Once, Request
from topcut.store.session import EventSession

UNTIL = datetime.now(UTC) + timedelta(days=1)


def once(key: str = "key") -> Once:
    """A receipt that says at which version it was done, and in how many facts."""

    def says(log: EventLog, decisions: Sequence[Decision]) -> bytes:
        return b"%d %d" % (log.version, sum(len(decision.facts) for decision in decisions))

    return Once("asked", key, UNTIL, says)


async def again(asked: Awaitable[object]) -> bytes:
    """What the receipt says of something that was done before."""
    with pytest.raises(Repeated) as repeated:
        await asked
    return repeated.value.value


class Between:
    """A store in which something happens right before the next append."""

    def __init__(self, store: Store, before: Awaitable[object]) -> None:
        self._store = store
        self._before: Awaitable[object] | None = before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, *given: Any) -> int:
        before, self._before = self._before, None
        if before is not None:
            await before
        return await self._store.append(*given)


async def meanwhile(store: Store, before: Awaitable[object]) -> EventSession:
    """The event, opened by somebody to whom that happens between deciding and writing."""
    between: Any = Between(store, before)
    return await EventSession.open(between, EVENT)


class TestOnce:
    def test_the_second_time_it_is_said_what_was_done(self, url: str) -> None:
        async def story(store: Store) -> None:
            running = await create(store)
            both = [c.Register(name="Ada"), c.Register(name="Bo")]
            assert len(await running.execute(Request(both, context("1"), once=once()))) == 2
            assert await again(running.execute(Request(both, context("2"), once=once()))) == b"3 2"
            other = await EventSession.open(store, EVENT)
            assert await again(other.execute(Request([c.Pair()], context("3"), once=once()))) == b"3 2"
            await running.execute(Request([c.Register(name="Cy")], context("4"), once=once("another")))
            assert running.log.version == 4

        told(url, story)
        assert len(log_of(url)) == 4

    def test_what_is_refused_because_it_was_done_is_not_refused(self, url: str) -> None:
        """Here, elsewhere, and where it is known already that it was done elsewhere."""

        async def story(store: Store) -> None:
            running = await playing(store, 2)
            late, informed = await EventSession.open(store, EVENT), await EventSession.open(store, EVENT)
            asked: list[c.AnyCommand] = [c.Report(table=1, result=WON)]
            await running.execute(Request(asked, context("1"), once=once()))
            await informed.refresh()
            said = b"%d 1" % running.log.version
            for one in (running, late, informed):
                assert await again(one.execute(Request(asked, context("2"), once=once()))) == said
                assert reports(one) == {1: 1}
                with pytest.raises(AlreadyReported):
                    await one.execute(Request(asked, context("3"), once=once("another")))

        told(url, story)

    def test_others_do_the_same_between_deciding_and_writing(self, url: str) -> None:
        async def story(store: Store) -> None:
            running = await playing(store, 2)
            asked: list[c.AnyCommand] = [c.Report(table=1, result=WON)]
            same = running.execute(Request(asked, context("1"), once=once()))
            late = await meanwhile(store, same)
            said = b"%d 1" % (running.log.version + 1)
            assert await again(late.execute(Request(asked, context("2"), once=once()))) == said
            assert reports(late) == {1: 1}, "whoever is told that it is done sees it done"

        told(url, story)

    def test_others_do_something_else_between_deciding_and_writing(self, url: str) -> None:
        """The receipt is of what was written in the end."""

        async def story(store: Store) -> None:
            running = await playing(store, 2)
            late = await meanwhile(store, report(running, 1))
            await late.execute(Request([c.Report(table=2, result=WON)], context("2"), once=once()))
            said = b"%d 1" % late.log.version
            assert await store.get_value("asked", "key", UNTIL - timedelta(hours=1)) == said
            assert reports(late) == {1: 1, 2: 1}

        told(url, story)

    def test_the_last_step_is_taken_back_once(self, url: str) -> None:
        async def story(store: Store) -> None:
            running = await playing(store, 2)
            late = await EventSession.open(store, EVENT)
            await report(running, 1)
            await report(running, 2)
            await running.execute(Request([c.Undo()], context("1"), once=once()))
            said = b"%d 1" % running.log.version
            assert await again(running.execute(Request([c.Undo()], context("2"), once=once()))) == said
            assert await again(late.execute(Request([c.Undo()], context("3"), once=once()))) == said
            assert running.state.round is not None
            assert len(running.state.round.missing) == 1

        told(url, story)

    def test_what_is_refused_leaves_no_receipt(self, url: str) -> None:
        async def story(store: Store) -> None:
            running = await playing(store, 1)
            with pytest.raises(NotNow):
                await running.execute(Request([c.Publish()], context("1"), once=once()))
            await running.execute(Request([c.Report(table=1, result=WON)], context("2"), once=once()))

        told(url, story)

    def test_whoever_cannot_say_what_was_done_has_done_nothing(self, url: str) -> None:
        def mistaken(log: EventLog, decisions: Sequence[Decision]) -> bytes:
            raise ZeroDivisionError

        async def story(store: Store) -> None:
            running = await create(store)
            wrong = Once("asked", "key", UNTIL, mistaken)
            with pytest.raises(ZeroDivisionError):
                await running.execute(Request([c.Register(name="Ada")], context("1"), once=wrong))
            assert running.log.version == await store.read_version(EVENT) == 1
            await running.execute(Request([c.Register(name="Ada")], context("2"), once=once()))

        told(url, story)

    def test_an_event_is_made_once(self, url: str) -> None:
        """Also under another id, which is what somebody chooses who finds the first one taken."""
        command = c.Create(name="Cup", book=freeze_book(load("mtr")))

        async def story(store: Store) -> None:
            made, _ = await EventSession.create(store, "cup", command, context("1"), once=once())
            for event in ("cup", "cup-2"):
                asked = EventSession.create(store, event, command, context("2"), once=once())
                assert await again(asked) == b"1 1"
            with pytest.raises(StoreError, match="already"):
                await EventSession.create(store, "cup", command, context("3"), once=once("another"))
            lines, private = made.log.lines, made.log.private
            await EventSession.put(store, "copy", lines, private, once=once("put"))
            assert await again(EventSession.put(store, "copy-2", lines, private, once=once("put"))) == b"1 0"
            assert [listed.event for listed in await store.list_events()] == ["copy", "cup"]

        told(url, story)

    def test_many_ask_the_same_at_once(self, url: str) -> None:
        """Each table three times, by two who have the event open."""

        async def story() -> None:
            async with opened(url) as store, opened(url) as elsewhere:
                running = await playing(store, 20)
                both = (running, await EventSession.open(elsewhere, EVENT))
                asked = [
                    both[number % 2].execute(
                        Request(
                            [c.Report(table=table, result=WON)], context(f"{number}"), once=once(f"{table}")
                        )
                    )
                    for table in range(1, 21)
                    for number in range(3)
                ]
                done = await asyncio.gather(*asked, return_exceptions=True)
                assert [isinstance(answer, list) for answer in done].count(True) == 20
                assert [isinstance(answer, Repeated) for answer in done].count(True) == 40
                await running.refresh()
                assert reports(running) == dict.fromkeys(range(1, 21), 1)

        asyncio.run(story())


class TestExpected:
    def test_of_two_who_saw_the_same_version_one_is_done(self, url: str) -> None:
        async def story(store: Store) -> None:
            running = await playing(store, 4)
            other = await EventSession.open(store, EVENT)
            seen = running.log.version
            done = await asyncio.gather(
                *(
                    one.execute(Request([c.Report(table=table, result=WON)], context("1"), expected=seen))
                    for table, one in enumerate([running, running, other, other], 1)
                ),
                return_exceptions=True,
            )
            moved = [answer for answer in done if isinstance(answer, Moved)]
            assert len(moved) == 3
            assert {(one.event, one.expected, one.version) for one in moved} == {(EVENT, seen, seen + 1)}
            assert isinstance(moved[0], TopcutError)
            assert await store.read_version(EVENT) == seen + 1

        told(url, story)

    def test_somebody_is_faster_between_deciding_and_writing(self, url: str) -> None:
        async def story(store: Store) -> None:
            running = await playing(store, 2)
            late = await meanwhile(store, report(running, 1))
            asked: list[c.AnyCommand] = [c.Report(table=2, result=WON)]
            seen = late.log.version
            with pytest.raises(Moved, match=rf"is now at version {seen + 1}, not at {seen}"):
                await late.execute(Request(asked, context("2"), expected=seen, once=once()))
            assert reports(late) == {1: 1}
            assert await store.list_values("asked", UNTIL - timedelta(hours=1)) == {}
            await late.execute(Request(asked, context("2"), expected=seen + 1, once=once()))

        told(url, story)

    def test_what_makes_no_sense_is_refused_as_such_only_at_the_version_that_was_seen(self, url: str) -> None:
        async def story(store: Store) -> None:
            running = await playing(store, 2)
            late = await EventSession.open(store, EVENT)
            seen = running.log.version
            await report(running, 1)
            with pytest.raises(Moved):
                await late.execute(Request([c.End()], context("1"), expected=seen))
            with pytest.raises(NotNow):
                await late.execute(Request([c.Publish()], context("2"), expected=seen + 1))

        told(url, story)

    def test_a_version_that_was_seen_elsewhere_is_looked_for(self, url: str) -> None:
        async def story(store: Store) -> None:
            running = await playing(store, 3)
            late = await EventSession.open(store, EVENT)
            await report(running, 1)
            await report(running, 2)
            seen = running.log.version
            with pytest.raises(Moved, match=f"is now at version {seen}, not at {seen + 1}"):
                await late.execute(Request([c.Undo()], context("1"), expected=seen + 1))
            await report(running, 3)
            await late.execute(Request([c.Undo()], context("2"), expected=seen + 1))
            assert late.state.round is not None
            assert len(late.state.round.missing) == 1, "the last step they saw is taken back"

        told(url, story)

    def test_a_retry_is_no_surprise(self, url: str) -> None:
        """The event has moved by the very thing that is asked again."""

        async def story(store: Store) -> None:
            running = await playing(store, 2)
            late = await EventSession.open(store, EVENT)
            seen = running.log.version
            asked: list[c.AnyCommand] = [c.Report(table=1, result=WON)]
            await running.execute(Request(asked, context("1"), expected=seen, once=once()))
            for one in (running, late):
                repeated = one.execute(Request(asked, context("2"), expected=seen, once=once()))
                assert await again(repeated) == b"%d 1" % (seen + 1)

        told(url, story)
