"""`topcut serve`: the desk and the hall in a browser."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import webbrowser
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any

import click

from topcut.cli.address import EVERYWHERE, HERE, PORT, address_given, named, new_link_command, outward
from topcut.cli.output import print_json, warn
from topcut.cli.running import Target, database_options
from topcut.errors import BadInput
from topcut.store import on_server, open_store

if TYPE_CHECKING:
    from topcut.desk.access import Access
    from topcut.desk.house import House

Lively = Callable[["House"], Coroutine[Any, Any, None]]
"""Something that goes on in a house while it is open."""


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0: everybody in the hall.")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="P", help="Default: 8080, or the next free one."
)
@click.option("--address", metavar="URL", help="How the hall reaches it, for links and QR codes.")
@click.option("--open/--no-open", "opens", default=False, help="Open a browser on it.")
@click.option(
    "--link/--no-link",
    default=None,
    help="Print a sign-in link for the organiser (default: yes, but not into the journal of systemd).",
)
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
    link: bool | None,
    workers: int,
    hooks_anywhere: bool,
    chores: bool,
) -> None:
    """The tournament desk in a browser. Prints a sign-in link for the organiser, good for one browser."""
    if workers > 1 and not _shares_sockets():
        raise BadInput(
            "on Windows one process serves: leave --workers out, or run Topcut on Linux or macOS",
            place="--workers",
        )
    if workers > 1 and not on_server(target.database):
        raise BadInput(
            "several processes need a database on a server: give --database postgresql://…", place="--workers"
        )
    anywhere = hooks_anywhere or (host in HERE and address is None)
    serve(
        target.database,
        host,
        port,
        address_given(address),
        target.by,
        opens,
        target.as_json,
        link=not _in_journal() if link is None else link,
        workers=workers,
        anywhere=anywhere,
        chores=chores,
    )


def serve(
    database: str,
    host: str,
    port: int | None,
    address: str,
    by: str,
    opens: bool,
    as_json: bool,
    lively: Lively | None = None,
    link: bool = True,
    workers: int = 1,
    anywhere: bool = True,
    chores: bool = True,
) -> None:
    """Serve until it is stopped; `lively` goes on beside it, where there is one process.

    `link`: print a sign-in link; `anywhere`: webhooks may go to addresses of this machine and its network;
    `chores`: whether this server does what only one of a database may do.
    """
    from topcut.desk.serve import bound, loop_factory

    try:
        sock = bound(host, PORT if port is None else port, others=port is None)
    except OSError as error:
        raise BadInput(f"cannot listen at {host}:{port or PORT}: {error.strerror}", place="--port") from None
    number = sock.getsockname()[1]
    local = f"http://{named(EVERYWHERE.get(host, host))}:{number}"
    hall = address or ("" if host in HERE else f"http://{named(outward(host))}:{number}")

    async def opened(access: Access) -> Opened:
        from topcut.desk.access import A_DAY

        await access.serves_at(hall or local)
        once = lively is None  # the examples are gone soon, and their link with them
        key = await access.make_link(by, once=once, lasts=A_DAY if once else None) if link else ""
        return Opened(address or local, hall or local, key, once, not hall, database)

    async def several() -> None:
        from topcut.desk.access import Access
        from topcut.desk.workers import Workers

        store = await open_store(database)
        try:
            here = await opened(Access(store))
        finally:
            await store.close()
        await Workers(sock, workers, database, hall, anywhere, chores, warn).run(
            lambda: _say(here, opens, as_json)
        )

    async def serving() -> None:
        from topcut.desk.app import make_app
        from topcut.desk.serve import Server

        store = await open_store(database)
        try:
            app = make_app(store, hall, anywhere=anywhere, chores=chores)
            here = await opened(app.state.house.access)
            server = Server(app, sock, lambda: _say(here, opens, as_json))
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
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it means the same as Ctrl+C
    with sock, asyncio.Runner(loop_factory=loop_factory()) as runner, suppress(KeyboardInterrupt):
        runner.run(serving())


@dataclass(frozen=True)
class Opened:
    """What a server says of itself when it has started."""

    desk: str
    hall: str
    key: str
    """Of the sign-in link; empty: there is none."""
    once: bool
    """Whether the link signs in one browser alone, as for a real event; the examples' link does not."""
    alone: bool
    """Whether only this machine reaches it."""
    database: str

    @property
    def link(self) -> str:
        """Where the organiser begins."""
        return f"{self.desk}/enter#{self.key}" if self.key else self.desk

    @property
    def about_link(self) -> str:
        if not self.key:
            return f"no sign-in link is printed; this makes one: {new_link_command(self.database)}"
        if not self.once:
            return "your sign-in link, until you stop the demo"
        return "your sign-in link, for one browser; staff get links of their own at the desk, under Event"


def _say(here: Opened, opens: bool, as_json: bool) -> None:
    """Say where it is."""
    if as_json:
        print_json({"desk": here.link, "hall": here.hall})
    else:
        print(f"desk   {here.link}   ({here.about_link})")
        print(f"hall   {here.hall}")
        if not here.once:
            print("stop with Ctrl+C; these events are examples, and gone then")
        else:
            if here.alone:
                print("       only on this machine; --host 0.0.0.0 opens it to the hall's network")
            print("stop with Ctrl+C; what was acknowledged is on the disk")
    sys.stdout.flush()
    if opens:
        Thread(target=webbrowser.open, args=(here.link,), daemon=True).start()  # some keep it waiting


def _in_journal() -> bool:
    """Whether standard output is the journal of systemd, which keeps and shows what is printed."""
    with suppress(OSError, ValueError):
        out = os.fstat(sys.stdout.fileno())
        return os.environ.get("JOURNAL_STREAM") == f"{out.st_dev}:{out.st_ino}"
    return False


def _shares_sockets() -> bool:
    """Whether a process can hand its socket to others: wherever there is fcntl, so not on Windows."""
    try:
        import fcntl  # noqa: F401
    except ImportError:
        return False
    return True
