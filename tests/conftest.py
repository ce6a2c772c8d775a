"""How far do the tests search? Not far and always alike; in ``./run soak`` far and never alike.

In ``./run mutate`` less far, since they run once for each mutant. And on which databases? A test that asks
for ``url`` runs once on each of both.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.store.postgres import Server
from tests.store.postgres import server as a_server

settings.register_profile("ci", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("soak", max_examples=5_000, deadline=None, print_blob=True)
settings.register_profile(
    "mutate",
    max_examples=10,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],  # that it fails is enough; nobody reads the example
)
settings.load_profile(
    next((name for name in ("soak", "mutate") if os.environ.get(f"TOPCUT_{name.upper()}")), "ci")
)


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
