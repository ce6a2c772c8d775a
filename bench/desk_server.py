"""`python -m bench.desk_server DATABASE`: the desk as `topcut serve` starts it, and a bare page beside it."""

from __future__ import annotations

import asyncio
import sys

import uvloop
from litestar import MediaType, get

from topcut.server.app import make_app
from topcut.server.serve import Server, bind_socket
from topcut.store import open_store

BARE = "<!doctype html><title>Bare</title><h1>A page</h1>" + "<p>with a line of text in it</p>" * 8


@get("/bare", media_type=MediaType.HTML)
async def bare() -> str:
    """What the framework costs without us."""
    return BARE


async def serving(database: str) -> None:
    store = await open_store(database)
    try:
        app = make_app(store)
        app.register(bare)
        key = await app.state.services.access.make_link("bench")
        sock = bind_socket("127.0.0.1", 0)
        number = sock.getsockname()[1]
        await Server(app, sock, lambda: print(number, key, flush=True)).serve_here()
    finally:
        await store.close()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serving(sys.argv[1]))
