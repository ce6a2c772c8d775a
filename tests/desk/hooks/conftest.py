"""Which databases deliver? Every test that asks for `url` runs once on each of both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.postgres import Server
from tests.store.postgres import server as a_server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server, one for each process that runs tests."""
    with a_server() as running:
        yield running


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """The path of a SQLite file that is not there yet."""
    return str(tmp_path / "topcut.db")


@pytest.fixture
def postgres(server: Server) -> str:
    """The address of an empty PostgreSQL database."""
    return server.database()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, of one kind and then of the other."""
    return str(request.getfixturevalue(request.param))
