"""A database that cannot be written: one clear line, nothing half-written, and all is well afterwards."""

from __future__ import annotations

import asyncio
import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from tests.store.older_databases import begun_at
from tests.store.postgres_server import Server
from tests.store.read_only_process import NOW
from tests.store.store_helpers import EVENT, begun, log_of, program, told
from tests.timeouts import PATIENCE
from topcut.store import Store, StoreError, open_store
from topcut.store.postgres.store import PostgresServer, PostgresStore
from topcut.store.schema import SQLITE
from topcut.store.sqlite.store import SqliteFile, SqliteStore


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """As on a disk that has no more room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_write_that_fails_half_way(sqlite: str) -> None:
    begun(sqlite, b"1")

    async def story(store: Store) -> None:
        with no_file_longer_than(100_000):
            with pytest.raises(StoreError, match=r"topcut\.db: writing failed .*; free some space"):
                await store.append(EVENT, 1, [b"x" * 60_000, b"x" * 60_000], {"key": b"value"})
            assert await store.append(EVENT, 1, [b"2"]) == 2
            assert await store.read(EVENT) == [b"1", b"2"]
        assert await store.read_private(EVENT) == {}
        assert await store.append(EVENT, 2, [b"x" * 60_000, b"x" * 60_000]) == 4

    told(sqlite, story)
    assert [len(fact) for fact in log_of(sqlite)] == [1, 1, 60_000, 60_000]


def test_no_room_for_a_new_file(sqlite: str) -> None:
    with no_file_longer_than(10_000), pytest.raises(StoreError, match="free some space"):
        begun(sqlite)
    begun(sqlite, b"1")
    assert log_of(sqlite) == [b"1"]


class Small(SqliteFile):
    """A file of twenty pages at most."""

    def connect(self, **pragmas: str) -> apsw.Connection:
        return super().connect(max_page_count="20", **pragmas)


def test_a_full_disk_refuses_only_what_does_not_fit(sqlite: str) -> None:
    async def story() -> None:
        file = Small(sqlite)
        file.prepare()
        store = SqliteStore(file)
        events = [f"event {number}" for number in range(10)]
        await asyncio.gather(*(store.create(event, [], {}, b"") for event in events))
        sizes = [100_000 if number == 4 else 10 for number in range(10)]
        done = await asyncio.gather(
            *(store.append(event, 0, [b"x" * size]) for event, size in zip(events, sizes, strict=True)),
            return_exceptions=True,
        )
        assert str(done.pop(4)) == f"{sqlite}: the disk is full; free some space and try again"
        assert done == [1] * 9
        assert await store.read(events[4]) == []
        await store.close()

    asyncio.run(story())


def test_another_program_that_keeps_writing(sqlite: str) -> None:
    begun(sqlite, b"1")

    async def story() -> None:
        file = SqliteFile(sqlite, patience=0.05)
        file.prepare()
        store = SqliteStore(file)
        other = apsw.Connection(sqlite)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program keeps writing to it"):
            await store.append(EVENT, 1, [b"2"])
        assert await store.read(EVENT) == [b"1"]
        other.close()
        assert await store.append(EVENT, 1, [b"2"]) == 2
        await store.close()

    asyncio.run(story())


@contextmanager
def not_writable(folder_too: bool, schema: int) -> Iterator[Path]:
    """The path of a file with an event in it, whose permissions allow only to read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "topcut.db"
        begun_at(str(path), schema, b"1", b"2")
        path.chmod(0o444)
        folder.chmod(0o555 if folder_too else 0o777)
        try:
            yield path
        finally:
            folder.chmod(0o755)


def output_of_nobody(path: Path) -> list[str]:
    """The lines of a program that may only read."""
    return program("read_only_process", str(path)).communicate()[0].splitlines()


def all_read_and_nothing_written(path: Path) -> list[str]:
    refused = f"{path}: is read-only; allow writing to the file and to its folder"
    return ["1 2", "1 2", "None {}", *[refused] * 7]


@pytest.mark.parametrize("schema", range(1, len(SQLITE) + 1))
@pytest.mark.parametrize("folder_too", [False, True])
def test_a_read_only_file_can_be_read(folder_too: bool, schema: int) -> None:
    """Also an older one, which cannot be brought up to date."""
    with not_writable(folder_too, schema) as path:
        before = path.read_bytes()
        assert output_of_nobody(path) == all_read_and_nothing_written(path)
        assert path.read_bytes() == before
        path.chmod(0o644)
        path.parent.chmod(0o755)
        assert told(str(path), lambda store: store.append(EVENT, 2, [b"3"])) == 3


def test_a_file_that_another_user_writes_can_be_read() -> None:
    """What is new is in the -wal file, which the reader may not write either."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)

        async def story(store: Store) -> list[str]:
            await store.create(EVENT, [b"1"], {}, b"")
            await store.append(EVENT, 1, [b"2"])
            for file in folder.iterdir():
                file.chmod(0o444)
            return await asyncio.to_thread(output_of_nobody, folder / "topcut.db")

        found = told(str(folder / "topcut.db"), story)
        assert found == all_read_and_nothing_written(folder / "topcut.db")


def test_a_read_only_file_whose_log_cannot_be_read() -> None:
    """A -wal file has facts, and the index of it, which a crash took along, cannot be made."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "topcut.db"

        async def copy_while_open(store: Store) -> None:
            await store.create(EVENT, [b"1"], {}, b"")
            for suffix in ("", "-wal"):
                content = Path(f"{path}{suffix}").read_bytes()
                (folder / f"copy.db{suffix}").write_bytes(content)
                (folder / f"copy.db{suffix}").chmod(0o444)

        told(str(path), copy_while_open)
        folder.chmod(0o555)
        assert output_of_nobody(folder / "copy.db") == [
            f"{folder / 'copy.db'}: the file cannot be opened; "
            "allow reading and writing of the file and of its folder"
        ]
        folder.chmod(0o755)


def test_a_read_only_postgres(server: Server, postgres: str) -> None:
    begun(postgres, b"1")
    told(postgres, lambda store: store.put_value("secret", "key", b"secret"))
    database = postgres.partition("?")[0].rpartition("/")[2]
    server.ask(f"ALTER DATABASE {database} SET default_transaction_read_only = on")

    async def story(store: Store) -> None:
        assert await store.read(EVENT) == [b"1"]
        assert await store.put_value_once("secret", "key", b"another") == b"secret"
        for change in (
            store.append(EVENT, 1, [b"2"]),
            store.create("new", [], {}, b""),
            store.delete_private(EVENT, ["key"]),
            store.remove_event(EVENT),
            store.put_value("secret", "key", b"another"),
            store.put_value_once("secret", "new", b"new"),
            store.take_value("secret", "key", NOW),
            store.delete_value("secret", "key"),
        ):
            with pytest.raises(StoreError, match=rf"^postgresql:///{database}: is read-only; allow writing"):
                await change

    told(postgres, story)
    server.ask(f"ALTER DATABASE {database} RESET default_transaction_read_only")
    assert told(postgres, lambda store: store.append(EVENT, 1, [b"2"])) == 2


def test_a_server_that_stays_away(server: Server, postgres: str) -> None:
    async def story() -> None:
        impatient = PostgresServer(postgres, patience=0.3)
        store = PostgresStore(impatient, await impatient.make_pool())
        await store.create(EVENT, [b"1"], {}, b"")
        stream = store.follow(EVENT, 0)
        assert await anext(stream) == [b"1"]
        following = asyncio.ensure_future(anext(stream))
        await asyncio.to_thread(server.stop)
        try:
            with pytest.raises(StoreError, match="the server does not answer") as refused:
                await store.append(EVENT, 1, [b"2"])
            assert "\n" not in str(refused.value)
        finally:
            await asyncio.to_thread(server.start)
        impatient.patience = 60
        assert await store.append(EVENT, 1, [b"2"]) == 2
        assert await asyncio.wait_for(following, PATIENCE) == [b"2"]
        await store.close()

    asyncio.run(story())


def test_a_new_file_is_nobody_elses_to_read(tmp_path: Path) -> None:
    """People's names are in it."""
    path = tmp_path / "cup.db"

    async def made() -> None:
        store = await open_store(str(path))
        await store.create("cup", [b"1"], {}, b"")
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
        assert set(modes.values()) == {0o600}, modes
        await store.close()

    asyncio.run(made())
