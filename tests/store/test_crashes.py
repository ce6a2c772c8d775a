"""What was acknowledged is there, once and in order, whoever writes meanwhile and whatever is killed."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import time
from itertools import groupby
from random import Random

import pytest

from tests.store.postgres_server import Server
from tests.store.store_helpers import EVENT, begun, insist, log_of, program, told
from tests.tiers import SOAK
from topcut.store import Store
from topcut.store.postgres.store import PostgresServer, PostgresStore

pytestmark = pytest.mark.large  # processes that are killed

KILLS = 1_000 if SOAK else 20
SERVER_KILLS = 50 if SOAK else 3


def acknowledged(output: str) -> dict[int, str]:
    """What a writer said: the fact at each position. A line that was cut off says nothing."""
    lines = output[: output.rfind("\n") + 1].splitlines()
    return {int(position): fact for position, _, fact in (line.partition(" ") for line in lines)}


def assert_kept(said: dict[int, str], log: list[bytes]) -> None:
    """Each acknowledged fact stands at its position."""
    for position, fact in said.items():
        assert log[position - 1].decode() == fact


def assert_whole(log: list[bytes]) -> None:
    """No fact is there twice, and appends of several facts are there whole, one after the other."""
    assert len(set(log)) == len(log)
    for _, group in groupby(log, key=lambda fact: fact.rsplit(b" ", 1)[0]):
        parts = [fact.rsplit(b" ", 1)[1].decode() for fact in group]
        width = parts[0].partition("/")[2]
        assert parts == [f"{part}/{width}" for part in range(1, int(width) + 1)]


def test_two_programs_write_to_one_event(url: str) -> None:
    begun(url)
    writers = [program("writer_process", url, name, "1000", "1", "1") for name in ("a", "b")]
    said = [acknowledged(writer.communicate()[0]) for writer in writers]
    log = log_of(url)
    assert [len(one) for one in said] == [1_000, 1_000]
    assert len(log) == 2_000
    assert_kept(said[0] | said[1], log)
    for name in ("a0", "b0"):
        mine = [fact for fact in log if fact.startswith(name.encode())]
        assert mine == [f"{name} {number} 1/1".encode() for number in range(1_000)]


def killed(writer: subprocess.Popen[str], after: float, started: bool) -> dict[int, str]:
    """What a program acknowledged until it was killed, so long after its start or after its first word."""
    assert writer.stdout is not None
    first = writer.stdout.readline() if started else ""
    time.sleep(after)
    writer.kill()
    rest, _ = writer.communicate()
    assert writer.returncode == -signal.SIGKILL
    return acknowledged(first + rest)


@pytest.mark.parametrize("part", range(4))
def test_a_program_is_killed_while_it_writes(url: str, part: int) -> None:
    """Every fourth time already while it starts, when it makes the tables. Parts, to run side by side."""
    random = Random(part)
    log: list[bytes] = []
    words = 0
    for number in range(KILLS // 4):
        early = number % 4 == 0
        writer = program("writer_process", url, f"w{number}.", "100000", "3", "3")
        said = killed(writer, random.uniform(0.1, 0.4) if early else random.uniform(0, 0.1), not early)
        words += len(said)
        before, log = log, told(url, all_of_it)
        assert log[: len(before)] == before
        assert_kept(said, log)
        assert_whole(log)
    assert words
    assert told(url, lambda store: insist(store, [b"the last 1/1"], 0)) == len(log) + 1


async def all_of_it(store: Store) -> list[bytes]:
    """The log, if the event was made before the program was killed."""
    return await store.read(EVENT) if await store.list_events() else []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGQUIT])
def test_the_server_is_killed(server: Server, postgres: str, how: signal.Signals) -> None:
    """Whoever writes meanwhile goes on afterwards, and nothing is there twice."""
    random = Random(how)

    async def write(store: Store, name: int, said: dict[int, str], over: asyncio.Event) -> None:
        version = number = 0
        while not over.is_set():
            number += 1
            texts = [f"{name} {number} {part}/2" for part in (1, 2)]
            version = await insist(store, [text.encode() for text in texts], version)
            said |= {version - 1: texts[0], version: texts[1]}

    async def story() -> None:
        patient = PostgresServer(postgres, patience=120)  # a slow disk makes a server slow to come back
        store = PostgresStore(patient, await patient.make_pool())
        await store.create(EVENT, [], {}, b"")
        said: dict[int, str] = {}
        over = asyncio.Event()
        writers = [asyncio.create_task(write(store, name, said, over)) for name in range(4)]
        for _ in range(SERVER_KILLS):
            await asyncio.sleep(random.uniform(0.05, 0.2))
            await asyncio.to_thread(server.restart, how)
        over.set()
        await asyncio.gather(*writers)
        log = await store.read(EVENT)
        assert len(said) == len(log)
        assert_kept(said, log)
        assert_whole(log)
        await store.close()

    asyncio.run(story())
