"""Who tells a program that another wrote to the same PostgreSQL database?

A connection of its own listens and rings bells. It may break at any time, and what happens meanwhile it
does not hear: so after every new connection all bells are rung, and whoever follows looks.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from topcut.store.follow import Bells
from topcut.store.postgres_server import FAILURES, Connection, PostgresServer

CHANNEL = "topcut"
"""Whoever appends says the key of the event here."""

_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0
_PULSE = 15.0
"""Seconds of silence after which the server is asked whether it is still there."""
_ANSWER_WITHIN = 5.0


async def listen(server: PostgresServer, bells: Bells) -> None:
    """Listens for ever."""
    pause = _FIRST_PAUSE
    while True:
        with suppress(*FAILURES):
            connection = await server.connect()
            try:
                gone = await _subscribed(connection, bells)
                bells.ring(bells.keys)
                pause = _FIRST_PAUSE
                await _until(gone, connection)
            finally:
                connection.terminate()
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


async def _subscribed(connection: Connection, bells: Bells) -> asyncio.Event:
    """Rings the bells from now on; set when the connection is gone."""
    gone = asyncio.Event()
    connection.add_termination_listener(lambda _connection: gone.set())
    await connection.add_listener(
        CHANNEL, lambda _connection, _process, _channel, key: bells.ring([int(key)])
    )
    return gone


async def _until(gone: asyncio.Event, connection: Connection) -> None:
    while not gone.is_set():
        try:
            await asyncio.wait_for(gone.wait(), _PULSE)
        except TimeoutError:
            await connection.execute("SELECT 1", timeout=_ANSWER_WITHIN)
