"""While the database does not answer, nobody waits longer than the first."""

from __future__ import annotations

import asyncio

import pytest

from topcut.desk.queue import Queue
from topcut.store.model import Unreachable

AWAY = Unreachable("postgresql://db", "the server does not answer", "start it")


def test_whoever_waits_behind_one_who_was_not_answered_is_told_at_once() -> None:
    async def story() -> None:
        queue, turn = Queue(), asyncio.Lock()
        asked: list[int] = []

        async def ask(name: int) -> None:
            async with queue.place(), turn:
                asked.append(name)
                await asyncio.sleep(0.01)
                raise AWAY

        done = await asyncio.gather(*(ask(name) for name in range(20)), return_exceptions=True)
        assert done == [AWAY] * 20
        assert asked in ([0], [0, 1])  # the second may have had its turn, and is stopped there

    asyncio.run(story())


def test_whoever_comes_later_asks_anew() -> None:
    async def story() -> None:
        queue = Queue()
        with pytest.raises(Unreachable):
            async with queue.place():
                raise AWAY
        async with queue.place():
            await asyncio.sleep(0)

    asyncio.run(story())


def test_what_is_wrong_with_one_command_is_no_matter_of_the_others() -> None:
    async def story() -> None:
        queue, turn = Queue(), asyncio.Lock()

        async def ask(name: int) -> int:
            async with queue.place(), turn:
                await asyncio.sleep(0)
                if name == 0:
                    raise TimeoutError("something else")
                return name

        first, *others = await asyncio.gather(*(ask(name) for name in range(5)), return_exceptions=True)
        assert str(first) == "something else"
        assert others == [1, 2, 3, 4]

    asyncio.run(story())


def test_who_gives_up_leaves_the_queue() -> None:
    async def story() -> None:
        queue = Queue()

        async def wait() -> None:
            async with queue.place():
                await asyncio.sleep(60)

        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        with pytest.raises(Unreachable):
            async with queue.place():
                raise AWAY

    asyncio.run(story())
