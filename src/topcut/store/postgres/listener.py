"""Listen for what other programs write to the same PostgreSQL database, and wake the followers of it.

The connection that listens may break at any time, and misses what happens meanwhile: so after every new
connection all followers are woken.
"""

import asyncio
from contextlib import suppress

from topcut.store.followers import Followers
from topcut.store.postgres.server import FAILURES, Connection, PostgresServer

CHANNEL = "topcut"
"""Every append notifies it with the key of the event."""

_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0
"""Seconds between two attempts to connect."""
_PULSE = 15.0
"""Seconds of silence after which the server is asked whether it is still there."""
_ANSWER_WITHIN = 5.0


async def listen(server: PostgresServer, followers: Followers) -> None:
    """Wake followers until the task is cancelled."""
    pause = _FIRST_PAUSE
    while True:
        with suppress(*FAILURES):
            connection = await server.connect()
            try:
                gone = asyncio.Event()
                connection.add_termination_listener(lambda _connection, gone=gone: gone.set())
                await connection.add_listener(
                    CHANNEL, lambda _connection, _process, _channel, key: followers.wake([int(key)])
                )
                followers.wake(followers.keys)
                pause = _FIRST_PAUSE
                await _wait_until(gone, connection)
            finally:
                connection.terminate()
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


async def _wait_until(gone: asyncio.Event, connection: Connection) -> None:
    while not gone.is_set():
        try:
            await asyncio.wait_for(gone.wait(), _PULSE)
        except TimeoutError:
            await connection.execute("SELECT 1", timeout=_ANSWER_WITHIN)
