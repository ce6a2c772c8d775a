"""A line that breaks while a change is under way: it is made once, and whoever made it knows."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.store.postgres_proxy import Line, proxy
from tests.store.postgres_server import Server
from tests.store.store_helpers import EVENT, insist, log_of, opened
from topcut.store import NoSuchEvent, Overtaken, Receipt, Repeated, Store

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ASKED = Receipt("asked", "key", b"done", NOW + timedelta(hours=1))
Story = Callable[[Store, Line], Awaitable[None]]


def told_over_a_line(server: Server, url: str, story: Story) -> None:
    """A story for a store that reaches its server over a line."""

    async def main() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with (
                proxy(Path(folder), server.folder) as line,
                opened(url.replace(str(server.folder), folder)) as store,
            ):
                await store.create(EVENT, [b"1"], {}, b"")
                await store.append(EVENT, 1, [b"2"])
                await story(store, line)
                assert line.lost == 1

    asyncio.run(main())


@pytest.mark.parametrize("lose", ["answer", "question"])
class TestOneLoss:
    def test_append(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            assert await store.append(EVENT, 2, [b"3", b"4"], {"key": b"value"}) == 4
            assert await store.append(EVENT, 4, [b"5"]) == 5
            assert await store.read_private(EVENT) == {"key": b"value"}

        told_over_a_line(server, postgres, story)
        assert log_of(postgres) == [b"1", b"2", b"3", b"4", b"5"]

    def test_append_of_one_who_is_late(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            with pytest.raises(Overtaken):
                await store.append(EVENT, 1, [b"late"])

        told_over_a_line(server, postgres, story)
        assert log_of(postgres) == [b"1", b"2"]

    def test_append_of_private_entries_only(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            assert await store.append(EVENT, 2, [], {"key": b"value"}) == 2
            assert await store.read_private(EVENT) == {"key": b"value"}

        told_over_a_line(server, postgres, story)

    def test_create(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            assert await store.create("other", [b"1", b"2"], {}, b"") == 2

        told_over_a_line(server, postgres, story)
        assert log_of(postgres, "other") == [b"1", b"2"]

    def test_append_with_a_receipt(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            assert await store.append(EVENT, 2, [b"3", b"4"], receipts=[ASKED]) == 4
            assert await store.get_value("asked", "key", NOW) == b"done"
            with pytest.raises(Repeated):
                await store.append(EVENT, 4, [b"5"], receipts=[ASKED])

        told_over_a_line(server, postgres, story)
        assert log_of(postgres) == [b"1", b"2", b"3", b"4"]

    def test_append_of_a_receipt_only(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            assert await store.append(EVENT, 2, [], {"key": b"value"}, receipts=[ASKED]) == 2
            assert await store.read_private(EVENT) == {"key": b"value"}
            assert await store.get_value("asked", "key", NOW) == b"done"

        told_over_a_line(server, postgres, story)

    def test_append_of_what_was_done(self, server: Server, postgres: str, lose: str) -> None:
        """Also by somebody who wrote the very same facts, which proves nothing."""

        async def story(store: Store, line: Line) -> None:
            theirs = Receipt("asked", "key", b"theirs", NOW)
            await store.append(EVENT, 2, [b"3"], receipts=[theirs])
            line.lose = lose
            with pytest.raises(Repeated) as repeated:
                await store.append(EVENT, 2, [b"3"], receipts=[ASKED])
            assert repeated.value.value == b"theirs"

        told_over_a_line(server, postgres, story)
        assert log_of(postgres) == [b"1", b"2", b"3"]

    def test_append_with_a_receipt_of_one_who_is_late(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            with pytest.raises(Overtaken):
                await store.append(EVENT, 1, [b"late"], receipts=[ASKED])
            assert await store.get_value("asked", "key", NOW) is None

        told_over_a_line(server, postgres, story)
        assert log_of(postgres) == [b"1", b"2"]

    def test_create_with_a_receipt(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            assert await store.create("other", [b"1"], {}, b"", [ASKED]) == 1
            assert await store.get_value("asked", "key", NOW) == b"done"
            with pytest.raises(Repeated):
                await store.create("another", [b"1"], {}, b"", [ASKED])

        told_over_a_line(server, postgres, story)
        assert log_of(postgres, "other") == [b"1"]

    def test_remove(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            await store.remove_event(EVENT)
            with pytest.raises(NoSuchEvent):
                await store.read(EVENT)

        told_over_a_line(server, postgres, story)

    def test_read(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            line.lose = lose
            assert await store.read(EVENT) == [b"1", b"2"]

        told_over_a_line(server, postgres, story)

    def test_keep_and_take(self, server: Server, postgres: str, lose: str) -> None:
        async def story(store: Store, line: Line) -> None:
            await store.put_value("link", "ann", b"Ann")
            line.lose = lose
            assert await store.take_value("link", "ann", NOW) == b"Ann"
            assert await store.take_value("link", "ann", NOW) is None

        told_over_a_line(server, postgres, story)


@pytest.mark.parametrize("until", [None, NOW])
def test_whoever_took_a_value_has_it_though_the_answer_was_lost(
    server: Server, postgres: str, until: datetime | None
) -> None:
    async def story(store: Store, line: Line) -> None:
        await store.put_value("link", "ann", b"Ann", until)
        line.lose = "commit"
        assert await store.take_value("link", "ann", NOW) == (b"Ann" if until is None else None)
        assert await store.take_value("link", "ann", NOW) is None

    told_over_a_line(server, postgres, story)


def test_what_another_took_after_a_question_was_lost_is_theirs(server: Server, postgres: str) -> None:
    """The value was read, the deletion was not made; then another is faster."""

    async def story(store: Store, line: Line) -> None:
        await store.put_value("link", "ann", b"Ann")
        async with opened(postgres) as other:
            line.lose = "answer"
            mine = asyncio.create_task(store.take_value("link", "ann", NOW))
            theirs = None
            while theirs is None and not mine.done():
                theirs = await other.take_value("link", "ann", NOW)
        assert [await mine, theirs].count(b"Ann") == 1

    told_over_a_line(server, postgres, story)


@pytest.mark.parametrize("receipt", [None, ASKED])
def test_somebody_was_faster_after_the_answer_was_lost(
    server: Server, postgres: str, receipt: Receipt | None
) -> None:
    """The change was made, then another: it counts as made, and is not made again on top."""

    async def story(store: Store, line: Line) -> None:
        line.lose = "answer"
        async with opened(postgres) as other:
            mine = asyncio.create_task(
                store.append(EVENT, 2, [b"mine"], receipts=[receipt] if receipt else [])
            )
            while await other.read_version(EVENT) < 3:
                await asyncio.sleep(0)
            await insist(other, [b"another's"], 3)
        assert await mine == 3

    told_over_a_line(server, postgres, story)
    assert log_of(postgres) == [b"1", b"2", b"mine", b"another's"]
