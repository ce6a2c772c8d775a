"""Who may follow: so many in all, so many by one key, and whoever has gone makes room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.server.byte_clients import Here, served, until
from topcut.app.limits import NoRoom, StreamLimits, TooManyStreams


async def beats() -> AsyncGenerator[bytes, None]:
    while True:
        yield b"beat"


async def begun(streams: StreamLimits, key: str = "") -> AsyncGenerator[bytes, None]:
    """A stream of which one message was read."""
    stream = streams.admit(beats(), key)
    assert await anext(stream) == b"beat"
    return stream


def test_one_key_has_so_many_and_others_have_theirs() -> None:
    async def story() -> None:
        streams = StreamLimits(in_all=10, by_one=2)
        first = await begun(streams, "a")
        await begun(streams, "a")
        assert not streams.has_room("a")
        with pytest.raises(TooManyStreams, match="2 pages are already open with the same link"):
            streams.admit(beats(), "a")
        await begun(streams, "b")
        await first.aclose()
        assert streams.has_room("a")
        assert streams.open == 2

    asyncio.run(story())


def test_there_is_room_for_so_many_in_all() -> None:
    async def story() -> None:
        streams = StreamLimits(in_all=3, by_one=2)
        running = [await begun(streams, key) for key in ("", "", "")]
        with pytest.raises(NoRoom, match="already updates 3 open pages"):
            streams.admit(beats(), "a")
        for stream in running:
            await stream.aclose()
        assert streams.open == 0
        assert streams.has_room("a")

    asyncio.run(story())


def test_whoever_was_let_in_with_others_and_begins_too_late_gets_nothing() -> None:
    async def story() -> None:
        streams = StreamLimits(by_one=2)
        let_in = [streams.admit(beats(), "a") for _ in range(3)]
        assert [await anext(stream, b"") for stream in let_in] == [b"beat", b"beat", b""]
        assert streams.open == 2

    asyncio.run(story())


def test_a_stream_that_never_begins_does_not_count() -> None:
    async def story() -> None:
        streams = StreamLimits(in_all=1)
        streams.admit(beats())
        assert streams.open == 0

    asyncio.run(story())


def test_what_is_refused_is_said_with_its_status(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        here.services.streams.in_all = 2
        for _ in range(2):
            (await here.client()).say(b"GET /e/cup/live HTTP/1.1\r\nhost: hall.test\r\n\r\n")
        await until(lambda: here.live.streams == 2)
        assert await (await here.client()).ask("/e/cup/live") == 503
        here.came[0].writer.close()
        await until(lambda: here.live.streams == 1)
        here.services.streams.by_one = 0
        assert await (await here.client()).ask("/e/cup/live") == 429

    served(tmp_path, story)
