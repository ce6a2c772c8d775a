"""One world for each module: to make an application takes a while."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.app_in_process import World, database


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.opened(database(tmp_path_factory.mktemp("world"))) as one:
        yield one
