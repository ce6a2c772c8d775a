"""`topcut serve` and `topcut demo`: serve the desk and the hall to browsers."""

import asyncio
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import click

from topcut.app.access.access import A_DAY, Access
from topcut.cli.options import USUAL_DATABASE
from topcut.cli.output import measure_width, print_json, tell, warn
from topcut.cli.running_event import Target, get_login, takes_database
from topcut.errors import BadInput
from topcut.store import on_server, open_store
from topcut.text.messages import Message, render, say
from topcut.text.os_errors import describe_os_error

if TYPE_CHECKING:
    from topcut.app.services import Services

PORT = 8080
HERE = ("127.0.0.1", "::1", "localhost")
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Hosts that mean every address of this machine, and one of those by which it reaches itself."""
ADDRESS = re.compile(r"https?://([\w.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
"""The address of a server, behind which pages have their own paths."""
BackgroundTask = Callable[["Services"], Coroutine[Any, Any, None]]
"""Something that runs beside a server."""

port_option = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="P",
    help="The port (default: 8080, or the next free one).",
)


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The network address of the server; 0.0.0.0 lets phones in the hall connect.",
)
@port_option
@click.option("--address", metavar="URL", help="The address for links and QR codes.")
@click.option("--open/--no-open", "opens", default=False, help="Open a browser.")
@click.option(
    "--link/--no-link",
    default=None,
    help="Print a sign-in link for the organiser (default: yes, except into systemd's journal).",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="How many processes; more than one needs a database at postgresql://….",
)
@click.option("--hooks-anywhere", is_flag=True, help="Allow webhooks to addresses of this network too.")
@click.option(
    "--chores/--no-chores",
    default=True,
    show_default=True,
    help="Deliver webhooks and delete old names; one server per database is enough.",
)
@takes_database
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
    """Run the tournament desk and the public pages for browsers. Stop it with Ctrl+C.

    Topcut prints a sign-in link for the organiser, which works in one browser.
    """
    if workers > 1 and not _can_share_sockets():
        problem = say("there can be only one process on Windows: leave out --workers, or use Linux or macOS")
        raise BadInput(problem, place="--workers")
    if workers > 1 and not on_server(target.database):
        problem = say("several processes need a database on a server: add --database postgresql://…")
        raise BadInput(problem, place="--workers")
    serve(
        target,
        host,
        port,
        check_address(address),
        opens,
        link=not _prints_to_systemd() if link is None else link,
        workers=workers,
        allow_private=hooks_anywhere or (host in HERE and address is None),
        chores=chores,
    )


def serve(
    target: Target,
    host: str,
    port: int | None,
    address: str,
    opens: bool,
    beside: BackgroundTask | None = None,
    link: bool = True,
    workers: int = 1,
    allow_private: bool = True,
    chores: bool = True,
) -> None:
    """Serve until the process is stopped; run `beside` beside it, where there is one process.

    `link`: print a sign-in link; `allow_private`: webhooks may go to addresses of this machine and its
    network; `chores`: whether this server does what only one of a database may do.
    """
    from topcut.server.serve import bind_socket, get_loop_factory

    try:
        sock = bind_socket(host, PORT if port is None else port, others=port is None)
    except OSError as error:
        address, reason = f"{host}:{port or PORT}", describe_os_error(error)
        problem = say("cannot listen at {address}: {reason}", address=address, reason=reason)
        raise BadInput(problem, place="--port") from None
    number = sock.getsockname()[1]
    local = f"http://{_format_host(EVERYWHERE.get(host, host))}:{number}"
    hall = address or ("" if host in HERE else f"http://{_format_host(_find_network_address(host))}:{number}")

    async def announce(access: Access) -> Callable[[], None]:
        """Make the sign-in link; return what prints the addresses once the server is ready."""
        await access.put_address(hall or local)
        demo = beside is not None  # the examples are gone soon, and their link with them
        key = await access.make_link(target.by, once=not demo, lasts=None if demo else A_DAY) if link else ""
        desk = f"{address or local}/enter#{key}" if key else address or local
        notes = _describe_server(target.database, bool(key), demo, alone=not hall)
        return lambda: _print_addresses(desk, hall or local, notes, opens, target.as_json)

    async def serve_by_workers() -> None:
        from topcut.server.workers import Workers, WorkerTask

        store = await open_store(target.database)
        try:
            ready = await announce(Access(store))
        finally:
            await store.close()
        task = WorkerTask(database=target.database, hall=hall, chores=chores, allow_private=allow_private)
        await Workers(sock, workers, task, warn).run(ready)

    async def serve_here() -> None:
        from topcut.server.app import make_app
        from topcut.server.serve import Server

        store = await open_store(target.database)
        try:
            app = make_app(store, hall, allow_private=allow_private, chores=chores)
            server = Server(app, sock, await announce(app.state.services.access))
            task = asyncio.create_task(beside(app.state.services)) if beside else None
            await server.serve_here()
            if task:
                task.cancel()
        finally:
            await store.close()

    if workers > 1:
        with sock:
            asyncio.run(serve_by_workers())
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it means the same as Ctrl+C
    with sock, asyncio.Runner(loop_factory=get_loop_factory()) as runner, suppress(KeyboardInterrupt):
        runner.run(serve_here())


@click.command("demo")
@port_option
@click.option("--open/--no-open", "opens", default=True, help="Open a browser.")
@click.option("--json", "as_json", is_flag=True, help="Print the addresses as one JSON document.")
def demo_command(port: int | None, opens: bool, as_json: bool) -> None:
    """Run the desk and the public pages with example events, which are deleted when you stop it."""
    from topcut.app.demo import fill, go_on

    async def make_events(database: str) -> None:
        store = await open_store(database)
        try:
            await fill(store)
        finally:
            await store.close()

    with tempfile.TemporaryDirectory(prefix="topcut-demo-", ignore_cleanup_errors=True) as folder:
        target = Target(str(Path(folder) / "demo.db"), None, get_login(), as_json)
        tell(say("creating example events…"))
        asyncio.run(make_events(target.database))
        serve(target, "127.0.0.1", port, "", opens, beside=go_on)


def _describe_server(database: str, link: bool, demo: bool, alone: bool) -> tuple[str, list[Message]]:
    """Return a note on the address of the desk, and the lines below the addresses.

    `link`: whether the address signs the organiser in; `alone`: whether only this machine reaches the server.
    """
    if not link:
        command = _new_link_command(database)
        note = say("no sign-in link printed; this command makes one: {command}", command=command)
    elif demo:
        note = say("your sign-in link, until you stop the demo")
    else:
        note = say("your sign-in link; works in one browser; make links for staff at the desk, under Event")
    if demo:
        return note, [say("Stop with Ctrl+C. The example events are deleted then.")]
    lines = [
        say("Only this computer can open these pages; --host 0.0.0.0 lets phones in the hall open them too.")
    ]
    return note, [*(lines if alone else []), say("Stop with Ctrl+C. Everything that was confirmed is saved.")]


def _print_addresses(
    desk: str, hall: str, notes: tuple[str, list[Message]], opens: bool, as_json: bool
) -> None:
    """Print where the server is reached; `opens`: open a browser there."""
    if as_json:
        print_json({"desk": desk, "hall": hall})
    else:
        note, lines = notes
        addresses = {render(say("desk")): desk, render(say("public page")): hall}
        width = max(map(measure_width, addresses))
        first, second = (
            name + " " * (width - measure_width(name) + 3) + at for name, at in addresses.items()
        )
        print(f"{first}   ({note})", second, *map(render, lines), sep="\n")
    sys.stdout.flush()
    if opens:
        Thread(target=webbrowser.open, args=(desk,), daemon=True).start()  # some keep it waiting


def check_address(address: str | None) -> str:
    """Return the address in --address, to which pages are added; empty where none is given.

    >>> check_address("https://play.example/")
    'https://play.example'
    """
    if address is None:
        return ""
    base = address.removesuffix("/")
    if not ADDRESS.fullmatch(base):
        problem = say(
            'expected http:// or https:// and a name, such as https://play.example, not "{address}"',
            address=address,
        )
        raise BadInput(problem, place="--address")
    return base


def _new_link_command(database: str) -> str:
    """Return the command that makes a new sign-in link for the organiser.

    >>> _new_link_command("topcut.db")
    'topcut link new NAME --role organiser --all-events'
    >>> _new_link_command("postgresql://topcut:secret@db/topcut")
    'topcut link new NAME --role organiser --all-events --database URL'
    """
    command = "topcut link new NAME --role organiser --all-events"
    if database == USUAL_DATABASE:
        return command
    quoted = subprocess.list2cmdline([database]) if os.name == "nt" else shlex.quote(database)
    return f"{command} --database {'URL' if on_server(database) else quoted}"


def _format_host(host: str) -> str:
    """Return a host as addresses spell it."""
    return f"[{host}]" if ":" in host else host


def _find_network_address(host: str) -> str:
    """Return this machine's address in the hall's network; nothing is sent to find it."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _prints_to_systemd() -> bool:
    """Return whether standard output is the journal of systemd, which keeps and shows what is printed."""
    with suppress(OSError, ValueError):
        out = os.fstat(sys.stdout.fileno())
        return os.environ.get("JOURNAL_STREAM") == f"{out.st_dev}:{out.st_ino}"
    return False


def _can_share_sockets() -> bool:
    """Return whether a process can hand its socket to others: where there is fcntl, so not on Windows."""
    try:
        import fcntl  # noqa: F401
    except ImportError:
        return False
    return True
