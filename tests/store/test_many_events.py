"""To open one event of a thousand, the others are not read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw

from tests.store.postgres_server import Server
from tests.store.store_helpers import EVENT, told
from topcut.store import Store
from topcut.store.interface import FACTS_BY_KEY
from topcut.store.sqlite.store import SqliteFile, SqliteStore

FACT = b"x" * 300
ROUNDS = 20


class Watched(SqliteFile):
    """A file whose connections are kept in mind."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.connections: list[apsw.Connection] = []

    def connect(self, **pragmas: str) -> apsw.Connection:
        self.connections.append(super().connect(**pragmas))
        return self.connections[-1]

    def pages_read(self) -> int:
        """How often a page had to be fetched from the file."""
        kind = apsw.SQLITE_DBSTATUS_CACHE_MISS
        return sum(connection.status(kind)[0] for connection in self.connections)


def filled(url: str, events: list[str], turns: int = ROUNDS) -> None:
    """Events that were written to in turn, so that their facts came mixed."""
    facts = [FACT] * (ROUNDS // turns)

    async def story(store: Store) -> None:
        await asyncio.gather(*(store.create(event, facts, {"key": FACT}, b"") for event in events))
        for turn in range(1, turns):
            await asyncio.gather(*(store.append(event, turn * len(facts), facts) for event in events))

    told(url, story)


def pages_for_one_event(path: str) -> int:
    """The pages that are read to open an event, by a program that has just started."""

    async def story() -> int:
        file = Watched(path)
        file.prepare()
        store = SqliteStore(file)
        assert await store.read(EVENT) == [FACT] * ROUNDS
        assert await store.read_private(EVENT) == {"key": FACT}
        pages = file.pages_read()
        await store.close()
        return pages

    return asyncio.run(story())


def others(count: int) -> list[str]:
    """The ids of other events, with the one in the middle."""
    names = [f"event {number}" for number in range(count)]
    return [*names[: count // 2], EVENT, *names[count // 2 :]]


def test_sqlite_reads_the_pages_of_one_event(tmp_path: Path) -> None:
    alone, among = str(tmp_path / "alone.db"), str(tmp_path / "among.db")
    filled(alone, [EVENT])
    filled(among, others(999))
    assert Path(among).stat().st_size > 300 * Path(alone).stat().st_size / 4
    assert 0 < pages_for_one_event(among) <= pages_for_one_event(alone) + 15


def test_postgres_finds_an_event_by_the_key(server: Server, postgres: str) -> None:
    filled(postgres, others(999), turns=1)
    server.ask("ANALYZE", postgres)
    query = FACTS_BY_KEY.format(t="topcut_").replace("$1", "500").replace("$2", "0").replace("$3", "NULL")
    plan = "\n".join(line for (line,) in server.ask(f"EXPLAIN {query}", postgres))
    assert "topcut_fact_pkey" in plan
    assert "Seq Scan" not in plan


def test_the_list_reads_no_facts(tmp_path: Path) -> None:
    path = str(tmp_path / "among.db")
    filled(path, others(99))

    async def story() -> int:
        file = Watched(path)
        file.prepare()
        store = SqliteStore(file)
        assert len(await store.list_events()) == 100
        pages = file.pages_read()
        await store.close()
        return pages

    assert asyncio.run(story()) < Path(path).stat().st_size / 4096 / 10
