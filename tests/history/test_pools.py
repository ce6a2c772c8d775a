"""Which divisions play together, where the organiser says so."""

from typing import Any

import pytest

from tests.builders import played
from topcut.errors import BadInput
from topcut.formats.event_file import Event
from topcut.history.parts import split_into_parts
from topcut.stages.final_places import find_final_places
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round

SIZES = {"junior": 4, "senior": 8, "masters": 10}


def divided(**options: Any) -> Event:
    division = {f"{name[0]}{i}": name for name, size in SIZES.items() for i in range(size)}
    return played("pokemon-tom", players=" ".join(division), division=division, options=options)


def pools(event: Event) -> list[tuple[str, int]]:
    return [
        (part.name, len(part.members))
        for part in split_into_parts(event.history, event.book, event.file.options)
    ]


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
    progress = Progress(event.history, event.book, event.file.options, event.file.rounds, ["a"])
    tables = [table.players for table in pair_next_round(progress, "a").tables]
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
            "expected `divisions` or `pools`, not both",
        ),
    ],
)
def test_pools_that_cannot_be_are_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadInput, match=problem) as refused:
        divided(**options)
    assert refused.value.place == "options.pools"


def two_rounds(**options: Any) -> Event:
    """Juniors j1 to j3 and seniors s1 to s5 in one pool, two Swiss rounds; masters play one round."""
    division = {
        player_id: {"j": "junior", "s": "senior", "m": "masters"}[player_id[0]]
        for player_id in ["j1", "j2", "j3", "s1", "s2", "s3", "s4", "s5", "m1", "m2", "m3", "m4"]
    }
    return played(
        "pokemon-tom",
        "j1 beats s1, s2 beats j2, s3 beats s4, j3 beats s5, m1 beats m2, m3 beats m4",
        "j1 beats s2, s3 beats j3, s1 beats j2, s5 beats s4",
        division=division,
        options={"format": "swiss+elimination", "pools": [["junior", "senior"], ["masters"]], **options},
    )


def test_divisions_of_one_pool_have_the_brackets_that_were_chosen_for_them() -> None:
    own = {"junior": {"rounds": 2, "cut": 2}, "senior": {"rounds": 2, "cut": 4}}
    event = two_rounds(by_division=own | {"masters": {"rounds": 1, "cut": 0}})
    progress = Progress(event.history, event.book, event.file.options, event.file.rounds, ["a"])
    assert [bracket.part.name for bracket in progress.brackets] == ["junior", "senior"]
    assert [len(bracket.play.players) for bracket in progress.brackets] == [2, 4]
    assert progress.brackets[0].play.players == ["j1", "j3"]
    assert progress.brackets[1].play.players[0] == "s3"
    assert not progress.running


def test_a_division_without_a_cut_in_its_pool_has_no_bracket() -> None:
    own = {"junior": {"rounds": 2, "cut": 0}, "senior": {"rounds": 2, "cut": 2}}
    event = two_rounds(by_division=own | {"masters": {"rounds": 1, "cut": 0}})
    progress = Progress(event.history, event.book, event.file.options, event.file.rounds, ["a"])
    (bracket,) = progress.brackets
    assert {player_id[0] for player_id in bracket.play.players} == {"s"}
    places = [(place.place, place.id) for place in find_final_places(progress, bracket)]
    assert [place for place, _ in places] == [3, 4, 5]
    assert {player_id[0] for _, player_id in places} == {"s"}


def test_a_cut_of_none_is_for_divisions_only() -> None:
    with pytest.raises(BadInput, match="expected a whole number from 1"):
        divided(cut=0)


def test_rounds_that_all_divisions_of_a_pool_play_are_those_of_the_pool() -> None:
    event = divided(
        pools=[["junior", "senior"], ["masters"]],
        by_division={"junior": {"rounds": 7}, "senior": {"rounds": 7}, "masters": {"rounds": 3}},
    )
    assert [part.rounds for part in split_into_parts(event.history, event.book, event.file.options)] == [7, 3]
