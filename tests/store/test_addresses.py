"""Which database an address means, and what is said of one that cannot be opened."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from tests.store.postgres_server import Server
from tests.store.store_helpers import begun, log_of
from topcut.store import StoreError, hide_credentials, open_store


def refusal(url: str) -> str:
    """What is said instead of opening it: one line."""
    with pytest.raises(StoreError) as refused:
        asyncio.run(open_store(url))
    text = str(refused.value)
    assert "\n" not in text
    return text


def test_a_path_in_three_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begun("my cups?.db", b"1")
    assert log_of(str(tmp_path / "my cups?.db")) == [b"1"]
    assert log_of("sqlite:///my%20cups%3F.db") == [b"1"]
    assert log_of(f"sqlite:///{tmp_path}/my cups%3f.db") == [b"1"]
    assert [path.name for path in tmp_path.iterdir()] == ["my cups?.db"]


def test_both_names_of_postgres(postgres: str) -> None:
    begun(postgres.replace("postgresql://", "postgres://"), b"1")
    assert log_of(postgres) == [b"1"]


@pytest.mark.parametrize("url", ["mysql://ann:secret@host/cups", "http://host/", "sqlite://cups.db"])
def test_another_kind_of_database(url: str) -> None:
    scheme = url.partition("//")[0]
    assert refusal(url).startswith(f"{scheme}//: there is no such kind of database; give a path, ")


@pytest.mark.parametrize("url", ["", "sqlite:///"])
def test_no_path(url: str) -> None:
    assert refusal(url).endswith(": a path is missing; give the path of a file")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "no" / "topcut.db"
    assert refusal(str(path)) == f"{path}: there is no folder {path.parent}; create the folder first"


def test_a_folder(tmp_path: Path) -> None:
    assert refusal(str(tmp_path)) == f"{tmp_path}: is a folder; give the path of a file"


@pytest.mark.parametrize("content", [b"Not a database, but a text. " * 100, b"short"])
def test_a_file_that_is_not_a_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    assert refusal(str(path)) == f"{path}: is not a database; give another file"
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with apsw.Connection(str(path)) as other:
        other.execute("CREATE TABLE photo (name TEXT)")
    other.close()
    before = path.read_bytes()
    assert refusal(str(path)) == f"{path}: is a database of another program; give another file"
    assert path.read_bytes() == before


def test_a_damaged_file(sqlite: str) -> None:
    begun(sqlite, *[b"x" * 1000] * 50)
    path = Path(sqlite)
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(StoreError, match="the file is damaged; restore a backup of it"):
        log_of(sqlite)


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as held:  # bound and not listening: nobody else gets this port
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        said = refusal(f"postgresql://ann:secret@127.0.0.1:{port}/cups")
    assert said.startswith(f"postgresql://127.0.0.1:{port}/cups: the server does not answer (")
    assert "secret" not in said


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:secret@host:port/cups",
        "postgresql://ann:secret@[::1/cups",
        "postgresql://ann@localhost/cups?password=secret&sslmode=sometimes",
    ],
)
def test_an_address_that_is_none(url: str) -> None:
    said = refusal(url)
    assert said.endswith("give postgresql://user@host/database")
    assert "secret" not in said


def test_a_database_that_is_not_there(server: Server) -> None:
    said = refusal(server.url("missing"))
    assert said == "postgresql:///missing: there is no such database on the server; create it with createdb"


def test_a_user_that_is_not_there(server: Server) -> None:
    said = refusal(server.url("postgres").replace("postgres@", "stranger:secret@"))
    assert said == "postgresql:///postgres: the server refuses the login; check user and password"


def test_a_user_who_may_not_make_tables(server: Server, postgres: str) -> None:
    server.ask("DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN END $$")
    assert "the user may not do this" in refusal(postgres.replace("postgres@", "guest@"))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://ann:secret@host/cups", "postgresql://host/cups"),
        ("postgresql://ann:se@cr/et?x@host:1/cups?ssl=on", "postgresql://host:1/cups"),
        ("postgresql:///cups?host=/run&password=secret", "postgresql:///cups"),
        ("postgresql://host/cups?password=sec@ret&user=ann", "postgresql://host/cups"),
        ("postgresql://host/cups?sslpassword=sec@ret", "postgresql://host/cups"),
    ],
)
def test_an_address_is_shown_without_what_is_secret(url: str, expected: str) -> None:
    assert hide_credentials(url) == expected


def test_only_the_driver_that_is_needed_is_loaded(sqlite: str) -> None:
    code = """if True:
        import asyncio, sys
        from topcut.store import open_store
        print("apsw" in sys.modules, "asyncpg" in sys.modules)
        async def main():
            await (await open_store(sys.argv[1])).close()
        asyncio.run(main())
        print("apsw" in sys.modules, "asyncpg" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code, sqlite], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True", "False"]
