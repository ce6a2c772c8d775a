"""Does it start on Windows? Real processes, in which what Windows lacks is missing (`fake_windows.py`)."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli import fake_windows
from tests.command_line import Answer, assert_refused
from tests.timeouts import PATIENCE
from tests.web.server_process import Demo, Site
from tests.web.test_access import Client
from topcut.server.serve import MAC_FILES, bind_socket, get_reuse_option, raise_file_limit

pytestmark = pytest.mark.large  # programs that are started in another manner

ALL_MODULES = """
import pkgutil, sys, topcut
for module in sorted(found.name for found in pkgutil.walk_packages(topcut.__path__, "topcut.")):
    if not module.startswith("topcut.examples") and not module.endswith("__main__"):
        __import__(module)
        print(module)
"""
EVENT = '{"topcut": 1, "name": "Duel", "rules": "mtr", "players": [{"id": "Zoë 日本"}, {"id": "Bo"}]}'
Command = Callable[..., Answer]


@pytest.fixture
def like_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program that is started looks at `fake_windows.py` first."""
    folder = tmp_path / "windows"
    folder.mkdir()
    shutil.copy(fake_windows.__file__, folder / "sitecustomize.py")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    for name in ("TOPCUT_BY", "TOPCUT_DATABASE", "PYTHONIOENCODING", *fake_windows.NAMES):
        monkeypatch.delenv(name, raising=False)


def python(*arguments: str, folder: Path) -> Answer:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, timeout=PATIENCE, check=False
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def topcut(like_windows: None, tmp_path: Path) -> Command:
    """Run a command there."""
    return lambda *arguments: python("-m", "topcut", *arguments, folder=tmp_path)


@pytest.mark.usefixtures("like_windows")
@pytest.mark.parametrize("module", ["uvloop", "resource", "fcntl", "termios", "pwd", "grp"])
def test_what_windows_lacks_is_missing_in_these_tests(module: str, tmp_path: Path) -> None:
    assert "ModuleNotFoundError" in python("-c", f"import {module}", folder=tmp_path).err


@pytest.mark.usefixtures("like_windows")
def test_every_module_can_be_imported(tmp_path: Path) -> None:
    told = python("-c", ALL_MODULES, folder=tmp_path)
    assert told.code == 0, told.err
    assert {"topcut.cli.serve", "topcut.server.workers"} <= set(told.out.split())


def report(client: Client, event: str, tables: range) -> int:
    """Report the first of these tables that has no result yet; which it was."""
    token = client.csrf(event)
    for table in tables:
        command = {"do": "report", "table": table, "result": {"games": [2, 0, 0]}}
        status, _, _ = client.ask("POST", f"/desk/{event}/do", {"commands": [command]}, x_csrf=token)
        if status == 200:
            return table
    raise AssertionError("no table takes a result")


def looked_at(site: Site, client: Client) -> None:
    """A page, and its script as what it is: browsers refuse one that is said to be plain text."""
    script = site.get("/").partition('<script type="module" src="')[2].partition('"')[0]
    status, headers, _ = client.ask("GET", script)
    assert (status, headers["content-type"].partition(";")[0]) == (200, "text/javascript")


def test_serve_starts_takes_a_result_and_ends(topcut: Command, tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "site.db"))
    for arguments in (["new", "Cup", "--rules", "mtr"], ["add", "Ada", "Bo", "Zoë 日本", "Di"]):
        assert topcut(*arguments, *database).code == 0
    for step in ("pair", "publish", "start"):
        assert topcut("round", step, *database).code == 0
    site = Site(tmp_path)
    try:
        client = Client(site)
        looked_at(site, client)
        assert "Zoë 日本" in site.get("/e/cup/pairings")
        assert client.enter(site.link) == 200
        assert report(client, "cup", range(1, 3)) == 1
    finally:
        site.stop(signal.SIGINT)
    assert site.process is not None
    assert site.process.returncode == 0
    told = topcut("log", *database)
    assert "Zoë 日本" in told.out  # in UTF-8, whatever the code page
    assert "table 1" in told.out


@pytest.mark.usefixtures("like_windows")
def test_demo_starts_takes_a_result_and_ends(tmp_path: Path) -> None:
    site = Demo(tmp_path)
    try:
        client = Client(site)
        looked_at(site, client)
        assert "Round 4 is being played" in site.get("/e/autumn-open")
        assert client.enter(site.link) == 200
        assert report(client, "autumn-open", range(1, 100))
    finally:
        site.stop(signal.SIGINT)
    assert site.process is not None
    assert site.process.returncode == 0


def test_several_processes_are_refused_in_one_line(topcut: Command, tmp_path: Path) -> None:
    for database in ("postgresql:///topcut", "x.db"):
        answer = topcut("serve", "--workers", "2", "--database", database, "--port", "0")
        assert_refused(answer, "--workers: ", "on Windows", "leave out --workers")
    assert not (tmp_path / "x.db").exists()


def test_other_commands_work(topcut: Command, tmp_path: Path) -> None:
    assert "mtr" in topcut("rules").out
    assert topcut("new", "Cup", "--rules", "mtr").code == 0
    assert "Zoë 日本" in topcut("add", "Ada", "Zoë 日本").out
    for step in ("pair", "publish", "start"):
        assert topcut("round", step).code == 0
    assert topcut("report", "1", "2-0").code == 0
    assert topcut("round", "end").code == 0
    assert topcut("export", "-o", "cup.log").code == 0
    assert "Zoë 日本" in topcut("standings", "cup.log").out
    assert topcut("print", "standings", "cup.log", "-o", "standings.pdf").code == 0
    assert (tmp_path / "standings.pdf").read_bytes().startswith(b"%PDF")
    assert "/enter#" in topcut("link", "new", "Lena", "--event", "cup").out
    assert "unknown" in topcut("log").out  # nobody knows the login there


def test_a_pipe_gets_utf_8_where_the_system_has_another_code() -> None:
    environment = os.environ | {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    environment.pop("PYTHONIOENCODING", None)
    done = subprocess.run(
        [sys.executable, "-m", "topcut", "standings", "-"],
        input=EVENT.encode(),
        env=environment,
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    assert "Zoë 日本" in done.stdout.decode("utf-8")


def test_two_servers_never_share_a_port() -> None:
    """On Windows SO_REUSEADDR would let them."""
    assert get_reuse_option(SimpleNamespace(SO_EXCLUSIVEADDRUSE=-5, SO_REUSEADDR=4)) == -5
    assert get_reuse_option() == socket.SO_REUSEADDR
    with bind_socket("127.0.0.1", 0) as first:
        first.listen()
        with pytest.raises(OSError, match="in use"):
            bind_socket("127.0.0.1", first.getsockname()[1])


def test_a_limit_that_the_system_does_not_let_us_raise_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS names no limit and refuses more than it has."""
    most: list[int] = []

    def refuses(_: int, limits: tuple[int, int]) -> None:
        if limits[0] > allowed:
            raise ValueError("current limit exceeds maximum limit")
        most.append(limits[0])

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuses)
    allowed = MAC_FILES
    assert (raise_file_limit(), most) == (MAC_FILES, [MAC_FILES])
    allowed = 256
    assert raise_file_limit() == 256
