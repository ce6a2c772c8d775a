"""Choose which tests run and how far they search, and give them databases.

The tiers:

- ``./run test``: the quick tests. Everything but the large ones; searches are short.
- ``./run test --all``: every test.
- ``./run test PATH…``: every test in PATH; only the quick ones with ``--quick``.
- ``./run soak``: every test; searches are long and never the same.

A test is large if it uses a browser, PostgreSQL or a server in a process of its own (`LARGE_FIXTURES`), if it
is in one of `LARGE_FOLDERS`, or if it or its module is marked `large`. What is marked `quick` never is.
A test that asks for ``url`` runs once on each database; on PostgreSQL it is large.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.store.postgres_server import Server
from tests.store.postgres_server import server as a_server
from tests.tiers import SOAK, Tier, is_brief, tier

LARGE_FIXTURES = {"browser", "postgres", "server", "site"}
LARGE_FOLDERS = ("printing", "server", "web/browser")
HERE = Path(__file__).parent
SAID: dict[Tier, str] = {
    "mutate": "the tests that mutations are tried on",
    "quick": "the quick tests, about 4 minutes on two cores; ./run test --all runs everything, about 18",
    "all": "all tests, about 18 minutes on two cores; ./run test runs the quick ones, about 4",
    "soak": "all tests with long searches, for hours; ./run test --all runs them once, about 18 minutes",
}

# On a busy machine it takes long to make up an example, and that is no failure.
settings.register_profile(
    "usual", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
USUAL = settings.get_profile("usual")
settings.register_profile("all", USUAL, max_examples=50, derandomize=True)
settings.register_profile("soak", USUAL, max_examples=5_000, print_blob=True)
settings.register_profile(
    "brief",
    USUAL,
    max_examples=10,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],  # that it fails is enough; all tests look for a small example
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="every test, not only the quick ones")
    parser.addoption("--quick", action="store_true", help="only the quick tests, also where some are named")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # workers of xdist have the environment of their parent
        os.environ["TOPCUT_TIER"] = _choose_tier(config)
    settings.load_profile("soak" if SOAK else "brief" if is_brief() else "all")


def _choose_tier(config: pytest.Config) -> Tier:
    if SOAK:
        return "soak"
    if os.environ.get("TOPCUT_MUTATE"):
        return "mutate"
    if config.getoption("--all"):
        return "all"
    return "quick" if config.getoption("--quick") or not _are_tests_named(config) else "all"


def _are_tests_named(config: pytest.Config) -> bool:
    return config.args_source is pytest.Config.ArgsSource.ARGS


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say what runs and how long it takes, where that is known."""
    screen = session.config.pluginmanager.get_plugin("terminalreporter")
    if screen is not None and not _are_tests_named(session.config):
        screen.write_line(f"topcut: {SAID[tier()]}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the large tests, and leave them out of the quick tier."""
    for item in items:
        if _is_large(item):
            item.add_marker("large")
    if tier() == "quick":
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("large")])
        items[:] = [item for item in items if not item.get_closest_marker("large")]


def _is_large(item: pytest.Item) -> bool:
    used = set(item.fixturenames) if isinstance(item, pytest.Function) else set()
    if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
        used.add(str(item.callspec.params.get("url")))
    if item.get_closest_marker("quick"):
        return False
    return bool(used & LARGE_FIXTURES) or any(item.path.is_relative_to(HERE / name) for name in LARGE_FOLDERS)


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
