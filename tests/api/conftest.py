"""One server that tests share, each with an event of its own; another for each that wants one alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.api.server_thread import Cup, Served, entries
from tests.web.conftest import browser

__all__ = ["alone", "browser", "cup", "shared"]
_numbers = count(1)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("shared") / "api.db") as one:
        yield one


@pytest.fixture
def cup(shared: Served) -> Cup:
    """An event of four players that has not begun."""
    event = f"cup-{next(_numbers)}"
    shared.make(event, "mtr", entries("Ada", "Bo", "Cy", "Di"))
    return Cup(shared, event)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Served]:
    """A server that nobody else uses."""
    with Served(tmp_path / "api.db") as one:
        yield one
