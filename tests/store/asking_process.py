"""A program that asks for one thing after the other, each once, and prints what it was told.

python -m tests.store.asking_process URL EVENT FIRST COUNT PAUSE BEGIN

`asks NUMBER`, then `done NUMBER VERSION` or `repeated NUMBER VERSION`; an answer is on its way for PAUSE
seconds. While a round is played it reports the table of that number, else it enters a player of that name.
Several that begin at the same time, in seconds since 1970, ask for each number at the same time.
"""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import UTC, datetime, timedelta

from tests.store.command_process import context
from tests.store.store_helpers import opened
from topcut.event.commands import Register, Report
from topcut.event.facts import Result
from topcut.store import Repeated
from topcut.store.queue import Once, Request
from topcut.store.session import EventSession

SPACE = "asked"
APART = 0.005
"""Seconds from one number to the next, if there is time to wait."""
WON = Result(games=(2, 0, 0))


async def ask(running: EventSession, number: int) -> str:
    """What was done, and the version it led to."""
    until = datetime.now(UTC) + timedelta(days=1)
    once = Once(SPACE, f"{running.event} {number}", until, lambda log, decisions: b"%d" % log.version)
    played = running.state.round is not None
    command = Report(table=number, result=WON) if played else Register(name=str(number))
    try:
        await running.execute(Request([command], context(f"{number}"), once=once))
    except Repeated as repeated:
        return f"repeated {number} {repeated.value.decode()}"
    return f"done {number} {running.log.version}"


async def main(url: str, event: str, first: int, count: int, pause: float, begin: float) -> None:
    """Asks for so many things, from the first on."""
    async with opened(url) as store:
        running = await EventSession.open(store, event)
        for number in range(first, first + count):
            await asyncio.sleep(begin + APART * (number - first) - time.time())
            print("asks", number, flush=True)
            answer = await ask(running, number)
            await asyncio.sleep(pause)
            print(answer, flush=True)


if __name__ == "__main__":
    url, event, first, count, *seconds = sys.argv[1:]
    asyncio.run(main(url, event, int(first), int(count), *map(float, seconds)))
