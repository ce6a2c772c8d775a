"""The restore drill of docs/hosting.md: a copy that is taken while people work comes back whole."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.store.postgres_server import Server
from tests.web.server_process import Site
from tests.web.test_access import Client


def lines(site: Site) -> list[str]:
    return site("export", "--event", "cup").splitlines()


def drill(site: Site, copy: Site) -> None:
    """What came back is what was there, and it goes on."""
    there, before = lines(copy), lines(site)
    facts = [line for line in there if line.startswith('{"position":')]
    assert [line for line in before if line.startswith('{"position":')][: len(facts)] == facts
    assert len(facts) > 20
    assert copy.json("link", "list") == site.json("link", "list")
    assert copy.json("account", "list") == site.json("account", "list")


def begun(site: Site) -> Client:
    """An event in its first round, somebody at its desk, and results that keep coming in."""
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup", "--id", "cup")
    site("add", *[f"Player {number}" for number in range(40)], "--event", "cup")
    site("account", "add", "corner-shop", "Corner shop")
    site("link", "new", "Judge 3", "--role", "judge", "--event", "cup")
    for step in ("pair", "publish", "start"):
        site("round", step, "--event", "cup")
    client = Client(site)
    assert client.enter(site.link) == 200
    return client


def report(client: Client, table: int, token: str) -> int:
    command = {"do": "report", "table": table, "result": {"games": [2, 0, 0]}}
    return client.ask("POST", "/desk/cup/do", {"commands": [command]}, x_csrf=token)[0]


def while_reported(client: Client, first: int, last: int) -> threading.Thread:
    """Results come in meanwhile."""
    token = client.csrf()
    thread = threading.Thread(target=lambda: [report(client, table, token) for table in range(first, last)])
    thread.start()
    return thread


def goes_on(copy: Site, client: Client, table: int) -> None:
    """Whoever was at the desk is at the desk of the copy, with the same cookie."""
    other = Client(copy)
    other.cookie = client.cookie
    assert report(other, table, other.csrf()) == 200
    assert copy.json("round", "show", "--event", "cup")["tables"][table - 1]["games"] == [2, 0, 0]


@contextmanager
def served(folder: Path, database: str | None = None) -> Iterator[Site]:
    site = Site(folder, database=database)
    try:
        yield site
    finally:
        site.stop()


def test_a_dump_of_postgresql_comes_back_whole(tmp_path: Path, server: Server) -> None:
    url = server.database()
    with served(tmp_path, url) as site:
        client = begun(site)
        writing = while_reported(client, 1, 12)
        dump = server.dump(url)
        writing.join()
        with served(tmp_path, server.restore(dump)) as copy:
            drill(site, copy)
            goes_on(copy, client, 20)


def test_a_copy_of_a_sqlite_file_comes_back_whole(tmp_path: Path) -> None:
    copied = tmp_path / "copy.db"
    with served(tmp_path) as site:
        client = begun(site)
        writing = while_reported(client, 1, 12)
        with closing(sqlite3.connect(site.database)) as file, closing(sqlite3.connect(copied)) as other:
            file.backup(other)
        writing.join()
        with served(tmp_path, str(copied)) as copy:
            drill(site, copy)
            goes_on(copy, client, 20)
