"""Slow clients of every kind are cut off, those who are only slow go on, and nobody waits for the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.server.byte_clients import Client, Here, served, until
from topcut.server.connections import ConnectionLimits

GET = b"GET /enter HTTP/1.1\r\nhost: hall.test\r\n\r\n"
POST = b"POST /enter HTTP/1.1\r\nhost: hall.test\r\ncontent-type: application/json\r\n"
FOLLOW = b"GET /e/cup/live HTTP/1.1\r\nhost: hall.test\r\n\r\n"
ROOM = 4096
"""Bytes that wait for a client who does not read."""


def test_whoever_does_not_send_a_whole_head_is_cut_off(tmp_path: Path) -> None:
    """Be it of their first request or of a later one."""

    async def story(here: Here) -> None:
        other = await here.client()
        for before in (0, 1, 2):
            for said in (b"G", GET[:-2], b"\r\n"):
                slow = await here.client()
                for _ in range(before):
                    assert await slow.ask() == 200
                slow.say(said)
                assert await other.ask() == 200
                assert await here.later(14) == 2
                assert await here.later(16) == 1
                assert await slow.over() == b""
                assert await other.ask() == 200

    served(tmp_path, story)


def test_whoever_connects_and_says_nothing_is_cut_off(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        silent = [await here.client() for _ in range(20)]
        other = await here.client()
        assert await other.ask() == 200
        assert await here.later(14) == 21
        assert await here.later(16) == 1
        for one in silent:
            assert await one.over() == b""
        assert await other.ask() == 200

    served(tmp_path, story)


def test_a_head_that_comes_a_byte_at_a_time_wins_no_time(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        slow = await here.client()
        for byte in GET[:10]:
            slow.say(bytes([byte]))
            assert await here.later(14) == 1
        assert await here.later(16) == 0

    served(tmp_path, story)


def test_whoever_does_not_send_a_whole_body_is_cut_off(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        for said in (b"content-length: 20\r\n\r\n{", b"transfer-encoding: chunked\r\n\r\n1\r\n{\r\n"):
            slow = await here.client()
            slow.say(POST + said)
            assert await here.later(59) == 1
            assert await here.later(61) == 0
            assert await slow.over() == b""

    served(tmp_path, story)


def test_whoever_goes_on_sending_after_a_refusal_is_cut_off_too(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        long = await here.client()
        long.say(POST + b"content-length: 9000000\r\n\r\n")
        assert (await long.answer())[0] == 413
        long.say(b" " * 1000)
        assert await here.later(61) == 0

    served(tmp_path, story)


def test_a_connection_that_waits_for_the_next_click_stays(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        browser = await here.client()
        for _ in range(3):
            assert await browser.ask() == 200
            assert await here.later(1000) == 1

    served(tmp_path, story)


async def full(here: Here, reader: Client) -> None:
    """Ask for more than fits on the way, and read none of it."""
    for _ in range(3000):
        reader.say(GET)
        (connection,) = here.connections
        if connection.flow.write_paused and connection.flow.read_paused:
            return
        await asyncio.sleep(0)
    raise AssertionError("everything fits on the way")


async def at_last(here: Here, left: int) -> None:
    """Look every 21 seconds until so many are left. The first look only sees how much waits; then something
    is still taken, as long as it fits between the two systems."""
    assert await here.later(0) == left + 1
    for times in range(1, 100):
        if await here.later(21 * times) == left:
            return
    raise AssertionError("nobody was cut off")


def test_whoever_does_not_take_their_answer_is_cut_off(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def story(here: Here) -> None:
        await full(here, await here.client(ROOM))
        other = await here.client()
        assert await other.ask() == 200
        await at_last(here, 1)
        assert await other.ask() == 200
        await until(lambda: not here.server.server_state.tasks)

    served(tmp_path, story)
    assert capfd.readouterr().err == ""  # nobody has to be told


def test_whoever_takes_their_answers_slowly_goes_on(tmp_path: Path) -> None:
    """In between a quarter of a minute goes by, again and again."""

    async def story(here: Here) -> None:
        slow = await here.client(ROOM)
        await full(here, slow)
        slow.say(GET * 100)
        time = 0.0
        for _ in range(5):
            for _ in range(8):
                assert (await slow.answer())[0] == 200
            time += 15
            assert await here.later(time) == 1

    served(tmp_path, story)


@asynccontextmanager
async def following(here: Here) -> AsyncIterator[Client]:
    """Somebody who follows an event in which something happens all the time, and has stopped reading."""
    client = await here.client(ROOM)
    client.say(FOLLOW)
    await client.reader.readuntil(b"event: beat")

    async def talk() -> None:
        while True:
            here.live.wake()
            await asyncio.sleep(0.0005)

    talking = asyncio.create_task(talk())
    (connection,) = here.connections
    await until(lambda: connection.flow.write_paused)
    assert here.live.streams == here.services.streams.open == 1
    yield client
    talking.cancel()


def test_a_stream_that_nobody_reads_is_cut_off_and_forgotten(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def story(here: Here) -> None:
        async with following(here):
            await at_last(here, 0)
            await until(lambda: here.live.streams == here.services.streams.open == 0)
            await until(lambda: not here.server.server_state.tasks)

    served(tmp_path, story)
    assert capfd.readouterr().err == ""


def test_a_stream_that_is_read_slowly_goes_on(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        async with following(here) as slow:
            for times in range(1, 6):
                await slow.reader.readexactly(20_000)
                assert await here.later(15 * times) == 1
            assert here.live.streams == 1

    served(tmp_path, story)


def test_a_quiet_stream_stays(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        (await here.client()).say(FOLLOW)
        await until(lambda: here.live.streams == 1)
        assert await here.later(0) == 1
        assert await here.later(100_000) == 1

    served(tmp_path, story)


def test_a_stream_that_is_left_is_forgotten(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        readers = [await here.client() for _ in range(5)]
        for reader in readers:
            reader.say(FOLLOW)
        await until(lambda: here.live.streams == 5)
        for reader in readers[:3]:
            reader.writer.close()
        await until(lambda: here.live.streams == here.services.streams.open == 2)

    served(tmp_path, story)


def test_somebody_looks_again_and_again(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        assert await (await here.client()).over() == b""
        slow = await here.client()
        slow.say(POST + b"content-length: 20\r\n\r\n{")
        assert await slow.over() == b""
        async with following(here):
            await until(lambda: here.live.streams == 0)

    served(tmp_path, story, ConnectionLimits(head=0.5, body=0.5, taking=0.5, every=0.05))


def test_a_head_that_is_too_long_is_refused(tmp_path: Path) -> None:
    heads = [
        b"GET /" + b"x" * 80_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\na: " + b"x" * 80_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 12_000 + b"\r\n",
        b"GET / HTTP/1.1\r\na: " + b"x" * 80_000,
        b"GET / HTTP/1.1\r\n" + b"x" * 80_000,
    ]

    async def story(here: Here) -> None:
        for head in heads:
            for before in (0, 1):
                client = await here.client()
                for _ in range(before):
                    assert await client.ask() == 200
                client.say(head)
                assert (await client.answer())[0] == 431
                await client.over()
                await until(lambda: not here.connections)

    served(tmp_path, story)


def test_nothing_that_has_no_end_is_kept(tmp_path: Path) -> None:
    """A header, or what may stand behind a body; in pieces."""

    async def story(here: Here) -> None:
        for said in (GET[:-2] + b"x: ", POST + b"transfer-encoding: chunked\r\n\r\n1\r\n{\r\n0\r\nx: "):
            client = await here.client()
            client.say(said)
            for _ in range(100):
                client.say(b"x" * 1_000)
                await asyncio.sleep(0)
            await until(lambda: not here.connections)

    served(tmp_path, story)


def test_a_head_of_sixty_thousand_bytes_is_read(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        client = await here.client()
        for _ in range(3):
            client.say(GET[:-2] + b"cookie: " + b"x" * 60_000 + b"\r\n\r\n")
            assert (await client.answer())[0] == 200

    served(tmp_path, story)


def test_one_too_many_is_told_so_and_the_others_stay(tmp_path: Path) -> None:
    async def story(here: Here) -> None:
        three = [await here.client() for _ in range(3)]
        one_more = await here.client()
        assert await one_more.answer() == (503, b"Too many connections. Try again in a moment.")
        assert await one_more.over() == b""
        for client in three:
            assert await client.ask() == 200
        three[0].writer.close()
        await until(lambda: len(here.connections) == 2)
        assert await (await here.client()).ask() == 200

    served(tmp_path, story, ConnectionLimits(every=1e6, connections=3))


def test_the_end_waits_for_nobody_who_is_slow(tmp_path: Path) -> None:
    """`served` returns only when the server has come to its end."""

    async def story(here: Here) -> None:
        await full(here, await here.client(ROOM))
        (await here.client()).say(POST + b"content-length: 20\r\n\r\n{")
        (await here.client()).say(FOLLOW)
        await until(lambda: here.live.streams == 1)

    served(tmp_path, story, ConnectionLimits(every=1e6, ending=0.1))
