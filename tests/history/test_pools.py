"""Which divisions play together, where the organiser says so."""

from typing import Any

import pytest

from tests.builders import played
from topcut.errors import BadInput
from topcut.exchange.event_file import Event
from topcut.history.parts import parts
from topcut.stages.course import Course
from topcut.stages.next import next_round

SIZES = {"junior": 4, "senior": 8, "masters": 10}


def divided(**options: Any) -> Event:
    division = {f"{name[0]}{i}": name for name, size in SIZES.items() for i in range(size)}
    return played("pokemon-tom", players=" ".join(division), division=division, options=options)


def pools(event: Event) -> list[tuple[str, int]]:
    return [(part.name, len(part.members)) for part in parts(event.history, event.book, event.file.options)]


def test_pools_are_as_the_organiser_has_them() -> None:
    assert pools(divided(pools=[["junior", "senior"], ["masters"]])) == [
        ("junior and senior", 12),
        ("masters", 10),
    ]
    assert pools(divided(pools=[["junior"], ["senior", "masters"]])) == [
        ("junior", 4),
        ("senior and masters", 18),
    ]
    assert pools(divided(pools=[["junior"], ["senior"], ["masters"]])) == [
        ("junior", 4),
        ("senior", 8),
        ("masters", 10),
    ]


def test_without_them_the_rules_decide() -> None:
    assert pools(divided()) == [("", 22)]  # four juniors are too few, and all play together


def test_nobody_is_paired_outside_the_pool() -> None:
    event = divided(pools=[["junior", "senior"], ["masters"]])
    course = Course(event.history, event.book, event.file.options, event.file.rounds, ["a"])
    tables = [table.players for table in next_round(course, "a").tables]
    masters = {i for i, player in enumerate(event.history.players) if player.division == "masters"}
    assert len(tables) == 11
    assert {len(masters & set(table)) for table in tables} == {0, 2}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"pools": [["junior", "senior"]]}, "expected each of junior, senior, masters in one pool"),
        ({"pools": [["junior", "senior"], ["senior", "masters"]]}, "expected each of junior"),
        ({"pools": [["junior", "senior", "masters"], []]}, "expected each of junior"),
        ({"pools": [["junior", "senior", "master"]]}, "expected each of junior"),
        (
            {"pools": [["junior", "senior", "masters"]], "divisions": "off"},
            "divisions and pools: expected one",
        ),
    ],
)
def test_pools_that_cannot_be_are_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadInput, match=problem) as refused:
        divided(**options)
    assert refused.value.place == "options.pools"
