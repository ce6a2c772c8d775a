"""A browser for each module, a server for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.required_programs import program
from tests.timeouts import PAGE_PATIENCE
from tests.web.server_process import Site, Visitor


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium. A module that uses it must not use asyncio itself."""
    path = program("chromium", "on Debian: apt install chromium")
    expect.set_options(timeout=PAGE_PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    one = Site(tmp_path)
    yield one
    if one.process is not None and one.process.poll() is None:
        one.stop()


@pytest.fixture
def visitor(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Somebody new each time it is called."""
    came: list[Visitor] = []

    def new(**how: Any) -> Visitor:
        came.append(Visitor(browser, site, **how))
        return came[-1]

    yield new
    for one in came:
        one.leave()
