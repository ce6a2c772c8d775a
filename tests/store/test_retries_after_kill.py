"""Programs that are killed before they hear the answer ask again, and everything is done exactly once."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from random import Random

import pytest

from tests.store.asking_process import SPACE
from tests.store.command_process import create
from tests.store.store_helpers import EVENT, program, told
from tests.store.test_concurrent_session import playing, reports
from tests.tiers import SOAK
from topcut.event.facts import Registered
from topcut.store import Store
from topcut.store.session import EventSession

pytestmark = pytest.mark.large  # processes that are killed

KILLS = 1_000 if SOAK else 20
NEVER = "1000"
"""So many seconds until an answer comes."""
Told = dict[int, tuple[str, int]]
"""What a program was told of each number: done or repeated, and the version that it led to."""


def answers(output: str) -> Told:
    """A line that was cut off says nothing."""
    lines = [line.split() for line in output[: output.rfind("\n") + 1].splitlines()]
    return {int(line[1]): (line[0], int(line[2])) for line in lines if line[0] != "asks"}


def killed(url: str, event: str, first: int, random: Random) -> Told:
    """What a program was told that asks from there on, until it was killed about when an answer came."""
    asker = program("asking_process", url, event, str(first), "100000", "0.003", "0")
    assert asker.stdout is not None
    said = "".join(asker.stdout.readline() for _ in range(1 + 2 * random.randrange(8)))
    time.sleep(random.uniform(0, 0.01))
    asker.kill()
    return answers(said + asker.communicate()[0])


async def entered(store: Store, event: str) -> list[tuple[int, int]]:
    """The numbers that are in the log, each with its position."""
    running = await EventSession.open(store, event)
    return [
        (int(running.state.name_of(entry.fact.player)), entry.position)
        for entry in running.log.entries
        if isinstance(entry.fact, Registered)
    ]


@pytest.mark.parametrize("part", range(2))
def test_a_program_is_killed_while_it_waits_for_an_answer(url: str, part: int) -> None:
    """Ten times in one event, then in the next."""
    random = Random(part)
    for number in range(KILLS // 20):
        killed_ten_times(url, f"event-{number}", random)


def killed_ten_times(url: str, event: str, random: Random) -> None:
    """Whatever it was not told of it asks for again."""
    told(url, lambda store: create(store, event))
    heard: Told = {}
    for _ in range(10):
        heard |= killed(url, event, len(heard), random)
        log = told(url, lambda store: entered(store, event))
        assert [number for number, _ in log] == list(range(len(log)))
        assert len(heard) <= len(log) <= len(heard) + 1
        assert all(dict(log)[number] == version for number, (_, version) in heard.items())
    assert heard


def test_what_was_written_before_the_kill_is_not_written_again(url: str) -> None:
    """It is killed once its facts are there, and before it hears of them."""
    told(url, create)
    asker = program("asking_process", url, EVENT, "7", "1", NEVER, "0")

    async def until_written(store: Store) -> None:
        async for _ in store.follow(EVENT, 1):
            break

    told(url, until_written)
    asker.kill()
    assert asker.communicate()[0] == "asks 7\n"
    again, _ = program("asking_process", url, EVENT, "7", "2", "0", "0").communicate()
    assert answers(again) == {7: ("repeated", 2), 8: ("done", 3)}
    assert told(url, lambda store: entered(store, EVENT)) == [(7, 2), (8, 3)]


@pytest.mark.parametrize("tables", [0, 150])
def test_two_programs_ask_for_the_same(url: str, tables: int) -> None:
    """To enter players, which could be done twice; then to report tables, of which the second is refused."""

    async def begin(store: Store) -> int:
        running = await (playing(store, tables) if tables else create(store))
        return running.log.version

    before = told(url, begin)
    numbers = range(1, 151)
    soon = str(time.time() + 1.5)
    programs = [program("asking_process", url, EVENT, "1", str(len(numbers)), "0", soon) for _ in range(2)]
    one, other = (answers(asker.communicate()[0]) for asker in programs)
    assert set(one) == set(other) == set(numbers)
    for number in numbers:
        assert {one[number][0], other[number][0]} == {"done", "repeated"}
        assert one[number][1] == other[number][1]
    assert {version for _, version in one.values()} == {before + number for number in numbers}

    async def after(store: Store) -> None:
        running = await EventSession.open(store, EVENT)
        assert running.log.version == before + len(numbers)
        assert reports(running) == (dict.fromkeys(numbers, 1) if tables else {})
        assert len(await store.list_values(SPACE, datetime.now(UTC))) == len(numbers)

    told(url, after)
