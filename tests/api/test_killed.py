"""A server that is killed: whoever sends the same again gets the same answer, and everything is done once."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from tests.tiers import SOAK
from tests.timeouts import PATIENCE
from tests.web.server_process import Site
from topcut.client import Client
from topcut.event import commands as c
from topcut.event.facts import Result

EVENTS = 50 if SOAK else 1
KILLS = 10 if SOAK else 2
TABLES = 48
WON = Result(games=(2, 0, 0))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    one = Site(tmp_path_factory.mktemp("killed"))
    yield one
    one.stop()


def begun(site: Site, event: str, tables: int) -> str:
    """An event whose first round is being played; the key of a token."""
    site("new", event, "--rules", "mtr", "--id", event)
    site("add", *(f"Player {number}" for number in range(2 * tables)), "--event", event)
    for step in ("pair", "publish", "start"):
        site("round", step, "--event", event)
    made = site.json("link", "new", "Reporter", "--role", "scorekeeper", "--token", "--event", event)
    return str(made["key"])


def version_of(site: Site, event: str) -> int:
    return int(site.json("event", "show", "--event", event)["version"])


def wait_until(found: Callable[[], Any]) -> None:
    """Wait for a condition; a server that does not come in a minute does not come."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("number", range(EVENTS))
def test_a_round_is_reported_while_the_server_is_killed(site: Site, number: int) -> None:
    """Several report one table after the other; each acknowledged report is in the log, each table once."""
    random, event = Random(number), f"cup-{number}"
    token = begun(site, event, TABLES)
    answered: dict[int, int] = {}

    def report(tables: range) -> None:
        with Client(site.address, token, tries=60, pause=0.02) as desk:
            for table in tables:
                done = desk.event(event).give(c.Report(table=table, round=1, result=WON))
                answered[table] = done.version

    with ThreadPoolExecutor(3) as pool:
        reporting = [pool.submit(report, range(first, TABLES + 1, 3)) for first in (1, 2, 3)]
        for kill in range(KILLS):
            wait_until(lambda kill=kill: len(answered) > kill * TABLES // (KILLS + 1))  # type: ignore[misc]
            time.sleep(random.uniform(0, 0.02))
            site.stop(signal.SIGKILL)
            site.start()
        for one in reporting:
            one.result(120)
    with Client(site.address, token) as desk:
        log = list(desk.event(event).log())
        assert desk.event(event).round(1).missing == []
    reported = [(fact.fact["table"], fact.position) for fact in log if fact.fact["fact"] == "reported"]
    assert len(reported) == TABLES
    assert dict(reported) == answered, "what was answered is what happened, and when"


@contextmanager
def silent(site: Site, key: str) -> Iterator[tuple[Client, ThreadPoolExecutor]]:
    """A client of a server that does what it is asked to and never says so, and somebody to wait for it."""
    site.stop()
    site.program = "tests.api.server_without_answers"
    site.start()
    with Client(site.address, key, tries=60, pause=0.02) as desk, ThreadPoolExecutor(1) as pool:
        yield desk, pool


def replaced(site: Site) -> None:
    """The silent server is killed, and an ordinary one takes its place."""
    site.stop(signal.SIGKILL)
    site.program = "topcut"
    site.start()


def test_a_command_whose_answer_was_never_sent(site: Site) -> None:
    """The server is killed between what it writes down and what it says."""
    key = begun(site, "cup", 2)
    before = version_of(site, "cup")
    with silent(site, key) as (desk, pool):
        giving = pool.submit(desk.event("cup").give, c.Report(table=1, round=1, result=WON))
        wait_until(lambda: version_of(site, "cup") > before)
        assert not giving.done()
        replaced(site)
        done = giving.result(60)
        assert done.version == before + 1
        assert [fact.fact["table"] for fact in done.facts] == [1]
        assert len(list(desk.event("cup").log())) == before + 1


def test_an_event_whose_answer_was_never_sent(site: Site) -> None:
    made = site.json("link", "new", "League", "--role", "organiser", "--token", "--all-events")
    with silent(site, str(made["key"])) as (desk, pool):
        making = pool.submit(desk.make, "Autumn cup", "mtr")
        wait_until(lambda: "Autumn cup" in site("event", "list"))
        assert not making.done()
        replaced(site)
        assert making.result(60).id == "autumn-cup"
        assert [one.id for one in desk.events() if one.name == "Autumn cup"] == ["autumn-cup"]
