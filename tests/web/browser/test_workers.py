"""Pages that are open while a process is killed or the database restarts: they go on by themselves."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, expect

from tests.server.worker_processes import Several
from tests.store.postgres_server import Server
from tests.store.postgres_server import server as a_server
from tests.timeouts import PATIENCE
from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Visitor


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with a_server() as running:
        yield running


@pytest.fixture(scope="module")
def site(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    """Two workers, and an event in its first round; each test has tables of its own."""
    with ThreadPoolExecutor() as pool:  # the browser has the event loop of this thread
        database = pool.submit(server.database).result()
    site = Several(tmp_path_factory.mktemp("browser"), database)
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup")
    site("add", *(f"Player {number}" for number in range(1, 21)))
    for step in ("pair", "publish", "start"):
        site("round", step)
    yield site
    site.stop()


@pytest.fixture(scope="module")
def guests(browser: Browser, site: Several) -> Iterator[list[Visitor]]:
    """Four in the hall, who look at the tables all the time."""
    came = [Visitor(browser, site) for _ in range(4)]
    for guest in came:
        guest.page.goto("/e/cup/pairings?by=table")
    yield came
    for guest in came:
        guest.leave()


@pytest.fixture(scope="module")
def mara(browser: Browser, site: Several) -> Iterator[Staff]:
    """Somebody at the desk, who comes in once."""
    visitor = Visitor(browser, site)
    staff = Staff(visitor, site.link)
    staff.desk = f"{site.address}/desk/cup"
    staff.at_round()
    yield staff
    visitor.leave()


def all_show(mara: Staff, guests: list[Visitor], table: int, result: str) -> None:
    """Every page has what is new, and none says that it is old."""
    for guest in guests:
        row = guest.page.locator("tbody tr").nth(table - 1)
        expect(row).to_contain_text(result)
        expect(guest.page.locator("#stale")).to_be_hidden()
    expect(mara.page.locator(f"[data-key=s{table}]")).to_be_attached()
    expect(mara.page.locator("#stale")).to_be_hidden()


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_pages_stay_true_whichever_worker_they_follow_and_when_it_is_killed(
    site: Several, mara: Staff, guests: list[Visitor]
) -> None:
    mara.line("1 2-1")
    all_show(mara, guests, 1, "2-1")
    for number, worker in enumerate(site.workers):
        os.kill(worker, signal.SIGKILL)
        until(lambda: worker not in site.workers and len(site.workers) == 2)  # noqa: B023
        site("report", str(2 * number + 2), "2-0")
        all_show(mara, guests, 2 * number + 2, "2-0")
        mara.line(f"{2 * number + 3} 2-1")
        all_show(mara, guests, 2 * number + 3, "2-1")


def test_pages_stay_true_when_the_database_restarts(
    server: Server, site: Several, mara: Staff, guests: list[Visitor]
) -> None:
    for table, how in ((6, signal.SIGINT), (8, signal.SIGKILL)):
        server.restart(how)
        mara.line(f"{table} 2-1")
        all_show(mara, guests, table, "2-1")
        site("report", str(table + 1), "2-0")
        all_show(mara, guests, table + 1, "2-0")


def test_a_page_says_that_the_database_is_away_and_nothing_typed_is_lost(
    server: Server, mara: Staff, guests: list[Visitor]
) -> None:
    mara.echo("10 2-1")
    server.stop()
    mara.page.keyboard.press("Enter")
    expect(mara.page.locator("main")).to_contain_text("The database doesn't answer")
    expect(mara.page.locator("#lines li")).to_contain_text("10 2-1")
    server.start()
    all_show(mara, guests, 10, "2-1")
