"""`topcut serve`: the desk and the hall in a browser."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Coroutine
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

import click

from topcut.cli.output import print_json, warn
from topcut.cli.running import Target, database_options
from topcut.errors import BadInput
from topcut.store import on_server, open_store

if TYPE_CHECKING:
    from topcut.desk.house import House

PORT = 8080
Lively = Callable[["House"], Coroutine[Any, Any, None]]
"""Something that goes on in a house while it is open."""
HERE = ("127.0.0.1", "::1", "localhost")


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0: everybody in the hall.")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="P", help="Default: 8080, or the next free one."
)
@click.option("--address", metavar="URL", help="How the hall reaches it, for links and QR codes.")
@click.option("--open/--no-open", "opens", default=False, help="Open a browser on it.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that serve; several need a database at postgresql://….",
)
@click.option("--hooks-anywhere", is_flag=True, help="Webhooks may go to addresses of this network too.")
@click.option(
    "--chores/--no-chores",
    default=True,
    show_default=True,
    help="Deliver to webhooks and delete names that are due; one server of a database is enough.",
)
@database_options
def command(
    target: Target,
    host: str,
    port: int | None,
    address: str | None,
    opens: bool,
    workers: int,
    hooks_anywhere: bool,
    chores: bool,
) -> None:
    """The tournament desk in a browser. Prints a link for the organiser, which can be used once."""
    if workers > 1 and not on_server(target.database):
        raise BadInput(
            "several processes need a database on a server: give --database postgresql://…", place="--workers"
        )
    anywhere = hooks_anywhere or (host in HERE and address is None)
    serve(
        target.database,
        host,
        port,
        address,
        target.by,
        opens,
        target.as_json,
        workers=workers,
        anywhere=anywhere,
        chores=chores,
    )


def serve(
    database: str,
    host: str,
    port: int | None,
    address: str | None,
    by: str,
    opens: bool,
    as_json: bool,
    lively: Lively | None = None,
    workers: int = 1,
    anywhere: bool = True,
    chores: bool = True,
) -> None:
    """Serve until somebody stops it; `lively` goes on beside it, where there is one process.

    `anywhere`: webhooks may go to addresses of this machine and its network; `chores`: whether this server
    does what only one of a database may do.
    """
    import uvloop

    from topcut.desk.serve import bound

    try:
        sock = bound(host, PORT if port is None else port, others=port is None)
    except OSError as error:
        raise BadInput(f"cannot listen at {host}:{port or PORT}: {error.strerror}", place="--port") from None
    number = sock.getsockname()[1]
    local = f"http://{_named(host) if host in HERE else '127.0.0.1'}:{number}"
    hall = address or ("" if host in HERE else f"http://{_named(_outward(host))}:{number}")

    async def several() -> None:
        from topcut.desk.access import A_DAY, Access
        from topcut.desk.workers import Workers

        store = await open_store(database)
        try:
            key = await Access(store).make_link(by, once=True, lasts=A_DAY)
        finally:
            await store.close()
        await Workers(sock, workers, database, hall, anywhere, chores, warn).run(
            lambda: _ready(local, hall, key, opens, as_json, example=False)
        )

    async def serving() -> None:
        from topcut.desk.access import A_DAY
        from topcut.desk.app import make_app
        from topcut.desk.serve import Server

        store = await open_store(database)
        try:
            app = make_app(store, hall, anywhere=anywhere, chores=chores)
            key = await app.state.house.access.make_link(by, once=True, lasts=A_DAY)
            server = Server(app, sock, lambda: _ready(local, hall, key, opens, as_json, lively is not None))
            beside = asyncio.create_task(lively(app.state.house)) if lively else None
            await server.serve_here()
            if beside:
                beside.cancel()
        finally:
            await store.close()

    if workers > 1:
        with sock:
            asyncio.run(several())
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever stops it means the same as Ctrl+C
    with sock, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, suppress(KeyboardInterrupt):
        runner.run(serving())


def _ready(local: str, hall: str, key: str, opens: bool, as_json: bool, example: bool) -> None:
    """Say where it is."""
    link = f"{local}/enter#{key}"
    if as_json:
        print_json({"desk": link, "hall": hall or local})
    else:
        print(f"desk   {link}   (for you, once; staff get links of their own at the desk)")
        print(f"hall   {hall or local}")
        if example:
            print("stop with Ctrl+C; these events are examples, and gone then")
        else:
            if not hall:
                print("       only on this machine; --host 0.0.0.0 opens it to the hall's network")
            print("stop with Ctrl+C; what was acknowledged is on the disk")
    sys.stdout.flush()
    if opens:
        Thread(target=webbrowser.open, args=(link,), daemon=True).start()  # some browsers keep it waiting


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _outward(host: str) -> str:
    """This machine's address in the hall's network; nothing is sent to find it."""
    if host not in ("0.0.0.0", "::"):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
