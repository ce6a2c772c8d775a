"""Events of every kind that a site can be asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import topcut
from tests.builders import a_round, played
from tests.stages.played_events import finished, started
from topcut.formats.event_file import Event, build_event, decode_event_file, read_event

EXAMPLES = Path(topcut.__file__).parent / "examples"


def example(name: str) -> Event:
    return read_event(str(EXAMPLES / f"{name}.json"))


def cumulative() -> Event:
    return played("fab-gem", "A beats B, C beats D, E bye", "A beats C, E ties B, D bye", dropped={"D": 2})


def unfinished() -> Event:
    """The second round is open at one of its tables."""
    return played("mtr", "A 2-0 B, C 2-1 D, E bye", "A 2-1 C, B - E, D loss", options={"rounds": 3, "cut": 4})


def divided() -> Event:
    """Two divisions in one pool, and one player of none."""
    return played(
        "pokemon-2017",
        "A beats B, C beats D, E ties F",
        "A beats C, B beats E, D beats F",
        options={"divisions": "modified", "rounds": 3},
        division={"A": "masters", "B": "masters", "C": "senior", "D": "senior", "E": "junior", "F": "junior"},
    )


def flights() -> Event:
    return played(
        "pokemon-2017",
        "A beats B, C beats D",
        "A beats B, D ties C",
        flight={"A": 1, "B": 1, "C": 2, "D": 2},
    )


def two_brackets() -> Event:
    """Two divisions that play apart, to the end."""
    event = started(
        "pokemon-2017", 26, division=lambda i: "senior" if i % 2 else "masters", divisions="separate"
    )
    plain = finished(event, Random("two"))
    return build_event(decode_event_file(json.dumps(plain).encode()))


def robin() -> Event:
    return played(
        "mtr",
        "A 2-0 D, B 2-1 C",
        "A 2-0 C, D 1-2 B",
        options={"format": "round-robin"},
    )


def double() -> Event:
    return played(
        "fab-gem",
        a_round("A beats D, B beats C", stage="elimination"),
        options={"format": "double-elimination"},
    )


def empty() -> Event:
    return played("mtr", players="A B C")


def nobody() -> Event:
    return played("dci-1999")


ALL: dict[str, Callable[[], Event]] = {
    "autumn-cup": lambda: example("autumn-cup"),
    "city-cup": lambda: example("city-cup"),
    "city-cup-final": lambda: example("city-cup-final"),
    "draft-pod": lambda: example("draft-pod"),
    "league-night": lambda: example("league-night"),
    "three-at-a-table": lambda: example("three-at-a-table"),
    "cumulative": cumulative,
    "unfinished": unfinished,
    "divided": divided,
    "flights": flights,
    "two-brackets": two_brackets,
    "robin": robin,
    "double": double,
    "empty": empty,
    "nobody": nobody,
}
