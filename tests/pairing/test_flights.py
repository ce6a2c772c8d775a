"""Flights: a large division is split by lot, and nobody plays outside their own part."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.builders import a_round, played
from tests.pairing.certificate_checks import enumerate_uniform
from tests.pairing.test_vectors import paired, seated
from topcut.errors import BadInput, Impossible
from topcut.formats.event_file import Event
from topcut.history import Round


def names(number: int, prefix: str = "p") -> list[str]:
    return [f"{prefix}{i:03}" for i in range(1, number + 1)]


def masters(number: int, *rounds: Round, flights: int = 2, **about: Any) -> Event:
    """An event of masters only, in so many flights."""
    ids = [*names(number), *about.get("entered", {})]
    division = dict.fromkeys(ids, "masters")
    options = {"flights": flights}
    return played("pokemon-2017", *rounds, players=" ".join(ids), division=division, options=options, **about)


def sizes(answer: dict[str, Any]) -> list[int]:
    """Players in each flight, from flight 1."""
    counts = Counter(answer["flights"].values())
    assert sorted(counts) == [*range(1, len(counts) + 1)]
    return [counts[flight] for flight in sorted(counts)]


def reported(answer: dict[str, Any], random: Random) -> Round:
    """The round of an answer with results by lot."""
    tables = [" beats ".join(random.sample(t["players"], len(t["players"]))) for t in answer["tables"]]
    return a_round(", ".join(t if " " in t else f"{t} bye" for t in tables), seed=answer["seed"])


def assert_inside(answer: dict[str, Any], flights: dict[str, int]) -> None:
    """PK-45: every table is inside one flight, and each flight has a bye only if it is odd."""
    for table in answer["tables"]:
        assert len({flights[player_id] for player_id in table["players"]}) == 1
    here = Counter(flights[player_id] for table in answer["tables"] for player_id in table["players"])
    byes = Counter(flights[table["players"][0]] for table in answer["tables"] if table.get("bye"))
    assert byes == {flight: 1 for flight, number in here.items() if number % 2}


# How flights are made


@pytest.mark.parametrize(
    ("players", "flights", "expected"),
    [
        (64, 2, [32, 32]),
        (129, 2, [65, 64]),
        (143, 2, [72, 71]),
        (143, 4, [36, 36, 36, 35]),
        (142, 4, [36, 36, 36, 34]),
        (141, 4, [36, 36, 35, 34]),
        (130, 4, [34, 32, 32, 32]),
    ],
)
def test_pk_t7_sizes_are_those_of_the_plan(players: int, flights: int, expected: list[int]) -> None:
    answer = paired(masters(players, flights=flights))
    assert sorted(answer["flights"]) == names(players)
    assert sizes(answer) == expected
    assert_inside(answer, answer["flights"])
    assert answer["optimal"]


@pytest.mark.parametrize(
    ("players", "flights", "problem"),
    [
        (143, 8, r"^PK-42: 143 players in 8 flights would leave a flight of 17"),
        (127, 4, r"^PK-42: 127 players in 4 flights would leave a flight of 31"),
        (63, 2, r"^PK-42: 63 players are too few for flights; a division needs at least 64"),
    ],
)
def test_pk_t7_refusals(players: int, flights: int, problem: str) -> None:
    with pytest.raises(Impossible, match=problem):
        paired(masters(players, flights=flights))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            {"flights": 2, "format": "swiss"},
            r"^PK-42: flights are for swiss\+elimination only, not for swiss",
        ),
        ({"flights": 2, "divisions": "modified"}, r"^PK-42: flights need separate divisions"),
    ],
)
def test_pk_42_flights_are_for_separated_divisions_before_a_cut(
    options: dict[str, Any], problem: str
) -> None:
    ids = names(80)
    ages = dict.fromkeys(ids[:10], "senior") | dict.fromkeys(ids[10:], "masters")
    event = played("pokemon-2017", players=" ".join(ids), division=ages, options=options)
    with pytest.raises(Impossible, match=problem):
        paired(event)


def test_pk_42_a_short_division_makes_flights_impossible() -> None:
    """PK-13: with five seniors all play in one pool."""
    ids = names(80)
    ages = dict.fromkeys(ids[:5], "senior") | dict.fromkeys(ids[5:], "masters")
    event = played("pokemon-2017", players=" ".join(ids), division=ages, options={"flights": 2})
    with pytest.raises(Impossible, match=r"^PK-42: flights need separate divisions"):
        paired(event)


def test_pk_43_there_are_2_4_8_or_16_flights() -> None:
    with pytest.raises(BadInput, match=r"^options\.flights: expected 2, 4, 8 or 16 flights, not 3"):
        masters(200, flights=3)


def test_a_flight_that_does_not_exist_is_one_clear_error() -> None:
    with pytest.raises(BadInput, match=r"^players\[0\]\.flight: "):
        paired(masters(64, flight={"p001": 9}))


def test_pk_44_a_lot_assigns_the_flights_whatever_the_order_of_the_file() -> None:
    ids = names(64)
    shuffled = Random("file").sample(ids, 64)
    one, other = (
        played("pokemon-2017", players=" ".join(x), options={"flights": 2}) for x in (ids, shuffled)
    )
    assert paired(one)["flights"] == paired(other)["flights"]
    assert seated(paired(one)) == seated(paired(other))
    with_first = Counter(
        player_id
        for flights in (paired(one, str(seed))["flights"] for seed in range(150))
        for player_id in ids[1:]
        if flights[player_id] == flights[ids[0]]
    )
    # Each of the 63 others is there in 31 of 63 draws.
    assert set(with_first) == set(ids[1:])
    assert min(with_first.values()) / 150 > 0.25
    assert max(with_first.values()) / 150 < 0.75


def test_each_player_is_as_likely_in_one_flight_as_in_the_other() -> None:
    event = masters(64)
    counts = Counter(paired(event, str(seed))["flights"]["p001"] for seed in range(200))
    assert enumerate_uniform(counts, {1, 2}, 200) > 0.001


# While the event lasts


def test_flights_copied_to_the_players_are_kept_and_nobody_leaves_theirs() -> None:
    """PK-45, PK-46: also when players drop and one flight shrinks."""
    random = Random("event")
    answer = paired(masters(66), "0")
    flights = answer["flights"]
    assert paired(masters(66, flight=flights), "0")["tables"] == answer["tables"]
    rounds: list[Round] = []
    gone: dict[str, int] = {}
    for turn in range(4):
        answer = paired(masters(66, *rounds, flight=flights, dropped=gone), str(turn))
        assert "flights" not in answer
        assert_inside(answer, flights)
        rounds.append(reported(answer, random))
        first = sorted(player_id for player_id in set(flights) - set(gone) if flights[player_id] == 1)
        gone |= dict.fromkeys(first[:5], turn + 1)
    met = Counter(frozenset(table.players) for r in rounds for table in r.tables if len(table.players) == 2)
    assert set(met.values()) == {1}


def test_flights_do_not_share_a_leader() -> None:
    """Two have won everything, one in each flight: they do not meet."""
    ids = names(64)
    flights = {player_id: 1 + at % 2 for at, player_id in enumerate(ids)}
    first = a_round(", ".join(f"{ids[i]} beats {ids[i + 2]}" for i in range(0, 64) if i % 4 < 2))
    answer = paired(masters(64, first, flight=flights))
    assert_inside(answer, flights)
    assert answer["certificate"]["kind"] == "pools"
    assert [part["pool"] for part in answer["certificate"]["pools"]] == ["flight 1", "flight 2"]


def test_flights_of_one_division_only() -> None:
    """PK-42: different divisions may use different numbers."""
    seniors, others = names(20, "s"), names(70, "m")
    ages = dict.fromkeys(seniors, "senior") | dict.fromkeys(others, "masters")
    event = played(
        "pokemon-2017",
        players=" ".join(seniors + others),
        division=ages,
        options={"by_division": {"masters": {"flights": 2}}},
    )
    answer = paired(event)
    assert sorted(answer["flights"]) == others
    assert sizes(answer) == [36, 34]
    assert_inside(answer, answer["flights"] | dict.fromkeys(seniors, 0))


@pytest.mark.parametrize("options", [{"flights": 2}, {"by_division": {"masters": {"flights": 2}}}])
def test_pk_43_flights_save_a_round(options: dict[str, Any]) -> None:
    """64 masters play six rounds, in two flights of 32 they play five."""
    ids = names(64)
    flights = {player_id: 1 + at % 2 for at, player_id in enumerate(ids)}
    rounds = [a_round("p001 beats p003")] * 5
    about: dict[str, Any] = {"players": " ".join(ids), "division": dict.fromkeys(ids, "masters")}
    assert paired(played("pokemon-2017", *rounds, **about))["round"] == 6
    event = played("pokemon-2017", *rounds, **about, flight=flights, options=options)
    with pytest.raises(Impossible, match=r"^PK-50: All 5 planned Swiss rounds are played"):
        paired(event)


# Late players


def late(
    flight_sizes: list[int], number: int, times: int, readings: dict[str, str] | None = None
) -> Counter[str]:
    """In which flights so many late players end, as text such as `12`, how often."""
    ids = names(sum(flight_sizes))
    numbers = [flight for flight, size in enumerate(flight_sizes, start=1) for _ in range(size)]
    flights = dict(zip(ids, numbers, strict=True))
    first = a_round(f"{ids[0]} beats {ids[1]}")
    entered = {f"late{i}": 2 for i in range(number)}
    event = masters(
        len(ids), first, flights=len(flight_sizes), flight=flights, entered=entered, readings=readings
    )
    found: Counter[str] = Counter()
    for seed in range(times):
        answer = paired(event, str(seed))
        assert sorted(answer["flights"]) == sorted(entered)
        assert_inside(answer, flights | answer["flights"])
        found["".join(str(answer["flights"][player_id]) for player_id in sorted(entered))] += 1
    return found


def test_pk_47_a_late_player_joins_the_flight_that_began_smaller() -> None:
    assert late([33, 32], 1, times=20) == {"2": 20}
    assert late([32, 33], 1, times=20) == {"1": 20}


def test_pk_47_where_all_began_equal_the_lot_decides() -> None:
    counts = late([32, 32], 1, times=100)
    assert enumerate_uniform(counts, {"1", "2"}, 100) > 0.001


def test_pk_a17_where_several_began_smaller_the_lot_decides_between_the_smallest() -> None:
    """Sizes are those at the beginning: the second may join the flight that the first has joined."""
    counts = late([34, 32, 32, 32], 1, times=120)
    assert enumerate_uniform(counts, {"2", "3", "4"}, 120) > 0.001
    assert set(late([34, 33, 33, 34], 2, times=30)) == {"22", "23", "32", "33"}


def test_late_players_do_not_depend_on_the_order_of_the_file() -> None:
    flights = {player_id: 1 + at % 2 for at, player_id in enumerate(names(64))}
    first = a_round("p001 beats p003")
    one, other = (
        masters(64, first, flight=flights, entered=dict.fromkeys(ids, 2)) for ids in (["x", "y"], ["y", "x"])
    )
    for seed in range(10):
        assert paired(one, str(seed))["flights"] == paired(other, str(seed))["flights"]
