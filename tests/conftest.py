"""Which tests run, how far do they search, and on which databases?

``./run test --quick`` leaves out the slow ones: all that use a browser, PostgreSQL or a server in a process
of its own, the folders and modules listed here, and whatever is marked `slow`. Tests search not far and
always alike; less far if they are to be quick (``--quick``, ``./run mutate``); far and never alike in
``./run soak``. A test that asks for ``url`` runs once on each of both databases.
"""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.store.postgres import Server
from tests.store.postgres import server as a_server

SLOW_FIXTURES = {"browser", "matrix", "postgres", "server", "site"}
SLOW_PLACES = [
    "api/test_schemathesis.py",
    "desk/attack",
    "desk/hooks/test_kills.py",
    "desk/test_access.py",
    "desk/test_hall_drafts.py",
    "desk/test_restore.py",
    "desk/test_service.py",
    "desk/test_sockets.py",
    "desk/test_workers.py",
    "event/test_machine.py",
    "exchange/test_hostile.py",
    "exchange/test_tdf_damaged.py",
    "exchange/test_tdf_log.py",
    "exchange/test_tdf_round_trip.py",
    "pairing/tables/test_check.py",
    "pairing/tables/test_house_books.py",
    "pairing/tables/test_judge.py",
    "pairing/tables/test_labels.py",
    "pairing/tables/test_large.py",
    "pairing/tables/test_many.py",
    "pairing/tables/test_optimal.py",
    "pairing/tables/test_uniform.py",
    "pairing/tables/test_whole_events.py",
    "pairing/tables/test_why.py",
    "pairing/test_dead_ends.py",
    "pairing/test_invariants.py",
    "pairing/test_optimal.py",
    "pairing/test_repair.py",
    "pairing/test_repair_rules.py",
    "pairing/test_switching.py",
    "pairing/test_uniform.py",
    "paper/test_bracket_paper.py",
    "paper/test_cards.py",
    "paper/test_chart_sheet.py",
    "paper/test_pairings_paper.py",
    "paper/test_press.py",
    "paper/test_standings_paper.py",
    "quality",
    "stages/test_hostile_stages.py",
    "stages/test_judged_brackets.py",
    "stages/test_judged_cuts.py",
    "stages/test_judged_places.py",
    "stages/test_whole_events.py",
    "standings/test_exact.py",
    "standings/test_oracle.py",
    "standings/test_properties.py",
    "store/test_asked_again.py",
    "store/test_crashes.py",
    "store/test_forget.py",
    "store/test_running.py",
]
"""In this folder: modules that search, wait or kill, and what does not depend on the Python that runs it."""
HERE = Path(__file__).parent

settings.register_profile("ci", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("soak", max_examples=5_000, deadline=None, print_blob=True)
settings.register_profile(
    "quick",
    max_examples=10,
    deadline=None,
    derandomize=True,
    phases=[
        Phase.explicit,
        Phase.generate,
    ],  # that it fails is enough; the whole suite looks for a small example
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out the slow tests, and search less far")


def pytest_configure(config: pytest.Config) -> None:
    quick = config.getoption("--quick") or os.environ.get("TOPCUT_MUTATE")
    settings.load_profile("soak" if os.environ.get("TOPCUT_SOAK") else "quick" if quick else "ci")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even read what is left out."""
    return True if config.getoption("--quick") and _is_listed(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is slow, and leave it out if it is to be quick."""
    for place in SLOW_PLACES:
        assert (HERE / place).exists(), f"tests/conftest.py: there is no {place}"
    for item in items:
        if _is_slow(item):
            item.add_marker("slow")
    if config.getoption("--quick"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


def _is_slow(item: pytest.Item) -> bool:
    used = set(item.fixturenames) if isinstance(item, pytest.Function) else set()
    if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
        used.add(str(item.callspec.params.get("url")))
    return bool(used & SLOW_FIXTURES) or _is_listed(item.path)


@cache
def _is_listed(path: Path) -> bool:
    return any(path.is_relative_to(HERE / place) for place in SLOW_PLACES)


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
