"""Databases of older and newer schemas, and several programs that open one for the first time."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import apsw
import pytest

from tests.store.older_databases import begun_at
from tests.store.postgres_server import Server
from tests.store.store_helpers import EVENT, begun, log_of, program, told
from topcut.store import Store, StoreError
from topcut.store.postgres.store import PostgresServer
from topcut.store.schema import POSTGRES, SQLITE
from topcut.store.sqlite.store import SqliteFile


async def prepare(url: str, *steps: str) -> None:
    """Opens a database as a Topcut does whose schema has these steps beyond today's."""
    if "://" not in url:
        SqliteFile(url, (*SQLITE, *steps)).prepare()
        return
    pool = await PostgresServer(url, (*POSTGRES, *steps)).make_pool()
    await pool.close()


def table(url: str) -> str:
    """The name of the table of events."""
    return "topcut_event" if "://" in url else "event"


def test_an_older_database_is_migrated(url: str) -> None:
    begun(url, b"1", b"2")
    steps = [f"ALTER TABLE {table(url)} ADD COLUMN place text", f"UPDATE {table(url)} SET place = 'hall'"]
    asyncio.run(prepare(url, steps[0]))
    asyncio.run(prepare(url, *steps))
    asyncio.run(prepare(url, *steps))
    with pytest.raises(StoreError) as refused:
        log_of(url)
    newest = len(SQLITE) + 2
    expected = f"a newer Topcut made this database (schema {newest}, this one knows {len(SQLITE)})"
    assert refused.value.problem == expected
    assert refused.value.remedy == "update Topcut"


@pytest.mark.parametrize("schema", range(1, len(SQLITE)))
def test_every_earlier_database_has_what_it_had_and_gains_the_rest(url: str, schema: int) -> None:
    begun_at(url, schema, b"1", b"2")

    async def story(store: Store) -> None:
        assert await store.read(EVENT) == [b"1", b"2"]
        assert await store.read_private(EVENT) == {"key": b"value"}
        assert await store.append(EVENT, 2, [b"3"]) == 3
        await store.put_value("session", "ann", b"Ann")
        assert await store.get_value("session", "ann", datetime(2026, 5, 1, tzinfo=UTC)) == b"Ann"

    told(url, story)
    assert log_of(url) == [b"1", b"2", b"3"]


def test_both_databases_have_the_same_steps() -> None:
    assert len(SQLITE) == len(POSTGRES)


def test_sqlite_is_set_to_be_durable(sqlite: str) -> None:
    """Also if somebody changed the kind of its journal."""
    for _ in range(2):
        file = SqliteFile(sqlite)
        file.prepare()
        connection = file.connect()
        settings = [connection.pragma(name) for name in ("journal_mode", "synchronous", "secure_delete")]
        assert settings == ["wal", 2, 1]
        connection.pragma("journal_mode", "DELETE")
        connection.close()


def test_postgres_is_set_to_be_durable(postgres: str) -> None:
    async def story() -> object:
        pool = await PostgresServer(postgres).make_pool()
        setting = await pool.fetchval("SHOW synchronous_commit")
        await pool.close()
        return setting

    assert asyncio.run(story()) == "on"


def test_a_migrated_database_has_what_it_had(sqlite: str) -> None:
    begun(sqlite, b"1", b"2")
    asyncio.run(prepare(sqlite, "ALTER TABLE event ADD COLUMN place TEXT"))
    rows = apsw.Connection(sqlite).execute("SELECT id, version, place FROM event").fetchall()
    assert rows == [(EVENT, 2, None)]


def test_a_migrated_postgres_has_what_it_had(server: Server, postgres: str) -> None:
    begun(postgres, b"1", b"2")
    asyncio.run(prepare(postgres, "ALTER TABLE topcut_event ADD COLUMN place text"))
    assert server.ask("SELECT id, version, place FROM topcut_event", postgres) == [(EVENT, 2, None)]


def test_a_migration_that_fails_changes_nothing(url: str) -> None:
    begun(url, b"1", b"2")
    with pytest.raises(StoreError):
        asyncio.run(prepare(url, f"ALTER TABLE {table(url)} ADD COLUMN place text", "no SQL at all"))
    assert log_of(url) == [b"1", b"2"]
    asyncio.run(prepare(url, f"ALTER TABLE {table(url)} ADD COLUMN place text"))


def test_several_programs_open_a_new_database_at_once(url: str) -> None:
    names = "abcdef"
    writers = [program("writer_process", url, name, "5", "1", "1") for name in names]
    said = [writer.communicate()[0].splitlines() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * len(names)
    assert [len(lines) for lines in said] == [5] * len(names)
    assert len(set(log_of(url))) == 5 * len(names)


def test_several_migrate_at_once(url: str) -> None:
    begun(url, b"1")
    step = f"ALTER TABLE {table(url)} ADD COLUMN place text"

    async def story() -> None:
        if "://" in url:
            await asyncio.gather(*(prepare(url, step) for _ in range(5)))
        else:
            files = [SqliteFile(url, (*SQLITE, step)) for _ in range(5)]
            await asyncio.gather(*(asyncio.to_thread(file.prepare) for file in files))

    asyncio.run(story())
