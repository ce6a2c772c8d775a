"""Receipts lose the names they hold when these are forgotten or purged; what was done is not done again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from tests.store.command_process import context
from tests.store.store_helpers import EVENT, told
from tests.store.test_forget import bytes_of
from tests.store.test_forget_player import WHO, finished
from topcut.event import commands as c
from topcut.event.decide.context import Decision
from topcut.event.event_log import EventLog
from topcut.event.state import add_months
from topcut.store import Store, StoreError
from topcut.store.interface import Receipt, Repeated
from topcut.store.queue import DELETED, RECEIPTS, Once, Request, StoredAnswer
from topcut.store.session import EventSession

MORNING = datetime(2026, 1, 1, tzinfo=UTC)
UNTIL = MORNING + timedelta(days=2000)
ANSWER = {"version": 3, "facts": [{"position": 3}], "says": [f"Tell {WHO}: a loss."], "warnings": [WHO]}


def once(event: str = EVENT, key: str = "one") -> Once:
    def says(log: EventLog, decisions: Sequence[Decision]) -> bytes:
        return msgspec.json.encode(StoredAnswer("asked", ANSWER, event))

    return Once(RECEIPTS, key, UNTIL, says)


async def _with_receipts(store: Store) -> EventSession:
    """A finished event; a request about it has a receipt, one from before events were named in them has,
    one about another event has."""
    running = await finished(store)
    await running.execute(Request([c.EditPlayer(player="p2", name="Bob")], context("asked"), once=once()))
    old = msgspec.json.encode({"asked": "asked", "answer": ANSWER})
    elsewhere = msgspec.json.encode(StoredAnswer("asked", ANSWER, "elsewhere"))
    made = msgspec.json.encode(StoredAnswer("asked", EVENT, "events"))
    others = {"old": old, "elsewhere": elsewhere, "made": made}
    receipts = [Receipt(RECEIPTS, key, value, UNTIL) for key, value in others.items()]
    await store.append(EVENT, running.log.version, [], receipts=receipts)
    await store.put_value("session", "one", WHO.encode())
    return running


async def _kept(store: Store, key: str) -> StoredAnswer:
    value = await store.get_value(RECEIPTS, key, MORNING)
    assert value is not None
    return msgspec.json.decode(value, type=StoredAnswer)


FORGET: list[c.AnyCommand] = [c.Forget(player="p1"), c.Purge()]


@pytest.mark.parametrize("command", FORGET, ids=lambda command: type(command).__name__)
def test_a_receipt_says_that_it_was_done_and_nothing_of_whom(url: str, command: c.AnyCommand) -> None:
    async def story(store: Store) -> None:
        running = await _with_receipts(store)
        version = running.log.version
        later = context("forget")
        if isinstance(command, c.Purge):
            later = replace(later, at=add_months(later.at, 5))
        await running.do(command, later)
        for key in ("one", "old"):
            kept = await _kept(store, key)
            assert kept.asked == "asked"
            assert kept.answer == ANSWER | {"says": [DELETED], "warnings": []}
        assert (await _kept(store, "elsewhere")).answer == ANSWER
        assert (await _kept(store, "made")).answer == EVENT
        assert await store.get_value("session", "one", MORNING) == WHO.encode()
        with pytest.raises(Repeated) as repeated:
            await running.execute(
                Request([c.EditPlayer(player="p2", name="Rob")], context("again"), once=once())
            )
        assert WHO.encode() not in repeated.value.value
        assert running.log.version == version + 1

    told(url, story)


class PulledPlug:
    """A store that dies before it has written the receipts."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)

    async def rewrite_values(self, space: str, change: object) -> None:
        raise StoreError("cup.db", "is gone", "plug it in")


def test_a_crash_between_the_fact_and_the_receipts_is_healed_by_whoever_opens_it(url: str) -> None:
    async def story(store: Store) -> None:
        await _with_receipts(store)
        dying: Store = PulledPlug(store)  # type: ignore[assignment]
        running = await EventSession.open(dying, EVENT)
        with pytest.raises(StoreError, match="is gone"):
            await running.do(c.Forget(player="p1"), context("forget"))
        assert (await _kept(store, "one")).answer == ANSWER
        await EventSession.open(store, EVENT)
        assert (await _kept(store, "one")).answer["says"] == [DELETED]

    told(url, story)


def test_no_byte_of_them_is_left_in_the_file(sqlite: str) -> None:
    async def story(store: Store) -> None:
        running = await finished(store)
        for number in range(60):  # so that pages were split
            edit = c.EditPlayer(player="p2", name=f"Bo {number}")
            await running.execute(
                Request([edit], context(f"{number}"), once=once(key=f"{number * 7919 % 61:02}"))
            )
        assert bytes_of(sqlite).count(WHO.encode()) > 60
        await running.do(c.Forget(player="p1"), context("forget"))
        assert WHO.encode() not in bytes_of(sqlite)

    told(sqlite, story)
