"""Is who sits with whom equally likely, however many orders of the tables are as good? Counted."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from random import Random

import pytest

from tests.builders import played
from tests.command_line import document
from tests.pairing.certificate_checks import enumerate_uniform
from tests.pairing.multiplayer.random_table_events import an_event, as_engine, before
from tests.pairing.multiplayer.seating_oracle import BOOKS, Field, Table, Tables, Verdict, field_of, judged
from tests.pairing.random_swiss_events import File, pairable
from tests.tiers import SOAK
from topcut.lots import Stream
from topcut.pairing.multiplayer import exact_seatings
from topcut.pairing.multiplayer.seating_draw import draw_large_seating
from topcut.pairing.round_draw import RoundDraw

pytestmark = pytest.mark.large  # thousands of draws, for statistics

DRAWS = 4000

# Nine or ten players: how many share each place, and who have met.
CASES = {
    "nobody level": ("111111111", "ab ac be bi cd cf dg ef eh fg gi hi"),
    "some level": ("22122", "ab ah ai bh bi cd ef eg fh fi gh gi"),
    "two by two, a table of four": ("22222", "ab ac ad bc bd ce cf de df ef gh gi gj hi hj"),
}
ORDERS = {
    "nobody level": {1: 3, 2: 2},
    "some level": {1: 4, 2: 4},
    "two by two, a table of four": {1: 8, 2: 4},
}
"""How many choices of who sits with whom have how many orders that are as good."""


def an_event_with(levels: str, met: str) -> File:
    """Players a, b, c … who stand in this order, level where a number says so, and have met as a text says.

    In the first round each of them sits with two others, whose scores make all sums of opponents' scores
    alike; then pairs meet in the company of others again. Those others leave at once.
    """
    places = [number for number, level in enumerate(levels) for _ in range(int(level))]
    ids = "abcdefghij"[: len(places)]
    scores = {player_id: 10 - place for player_id, place in zip(ids, places, strict=True)}
    pairs = met.split()
    sums = {
        player_id: sum(scores[pair.replace(player_id, "")] for pair in pairs if player_id in pair)
        for player_id in ids
    }
    rounds = [
        [
            f"{player_id}:{scores[player_id]} 1{player_id}x:{100 - sums[player_id]} 1{player_id}y:0"
            for player_id in ids
        ]
    ]
    while pairs:
        number, here = len(rounds) + 1, list[str]()
        for pair in pairs:
            if not set(pair) & set("".join(here)):
                here.append(pair)
        pairs = [pair for pair in pairs if pair not in here]
        alone = [player_id for player_id in ids if player_id not in "".join(here)]
        rounds.append([f"{pair[0]}:0 {pair[1]}:0 {number}{pair}:0" for pair in here])
        rounds[-1] += [f"{player_id}:0 {number}{player_id}x:0 {number}{player_id}y:0" for player_id in alone]
    texts = [", ".join(tables) for tables in rounds]
    others = {player_id: int(player_id[0]) for player_id in re.findall(r"\b\d\w+", " ".join(texts))}
    event = played("allegiance-2005", *texts, players=" ".join(ids), entered=others, dropped=others)
    return document(event)


@cache
def case(name: str) -> tuple[File, Field, Verdict]:
    file = an_event_with(*CASES[name])
    field = field_of(file)
    return file, field, judged(field)


def drawn(event: RoundDraw) -> Counter[Tables]:
    ids = [player.id for player in event.history.players]
    return Counter(
        frozenset(frozenset(ids[player] for player in table) for table in event.draw_tables(f"x/{i}"))
        for i in range(1, DRAWS + 1)
    )


@pytest.mark.parametrize("name", CASES)
def test_the_cases_are_what_they_should_be(name: str) -> None:
    _, field, best = case(name)
    levels, met = CASES[name]
    assert "".join(field.order) == "abcdefghij"[: sum(map(int, levels))]
    shared = Counter(first for first, _ in field.places.values())
    assert "".join(str(number) for _, number in sorted(shared.items())) == levels
    have_met = frozenset[Table]().union(*field.met)
    assert have_met == {frozenset(pair) for pair in met.split()}
    orders = Counter(frozenset(seating) for seating in best.seatings)
    assert Counter(orders.values()) == ORDERS[name]
    assert not any(best.cost[:-2])


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_who_sits_with_whom_is_equally_likely(
    name: str, listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a list of all best seatings, and where there are too many for a list."""
    if not listed:
        monkeypatch.setattr(exact_seatings, "LISTED", 0)
    file, _, best = case(name)
    assert enumerate_uniform(drawn(pairable(file)), best.tables, DRAWS) > 0.001


@pytest.mark.parametrize("name", CASES)
def test_drawing_among_seatings_instead_is_found_out(name: str) -> None:
    """Each order of the tables once more: what a sampler does that does not look at who sits together."""
    _, _, best = case(name)
    random = Random(name)
    counts = Counter(frozenset(random.choice(best.seatings)) for _ in range(DRAWS))
    assert enumerate_uniform(counts, best.tables, DRAWS) < 1e-6


@pytest.mark.parametrize("rules", BOOKS)
def test_every_choice_is_drawn_where_there_are_many(rules: str) -> None:
    """Shared places and labels leave dozens of choices; each event has other ones."""
    tried = 0
    for number in range(200):
        random = Random(f"uniform/{rules}/{number}")
        file = an_event(random, rules, random.choice([7, 8, 9, 10]), random.choice([1, 2]))
        best = judged(field_of(file))
        if not 10 <= len(best.tables) <= 200:
            continue
        assert enumerate_uniform(drawn(pairable(file)), best.tables, DRAWS) > 0.0005, number
        tried += 1
        if tried == 3:
            return
    raise AssertionError(f"only {tried} events to try")


def test_the_first_round_is_drawn_from_all_there_are() -> None:
    """Seven players: 35 ways to choose the table of three."""
    file = before("allegiance-2005", 7)
    best = judged(field_of(file))
    assert len(best.tables) == 35
    assert enumerate_uniform(drawn(pairable(file)), best.tables, DRAWS) > 0.001


@pytest.mark.parametrize("name", CASES if SOAK else ["some level", "nobody level"])
def test_the_way_for_many_is_as_fair_where_it_says_exact(name: str) -> None:
    _, field, best = case(name)
    seating = as_engine(field)
    draws = (300 if SOAK else 40) * len(best.tables)
    counts: Counter[Tables] = Counter()
    for i in range(draws):
        found = draw_large_seating(seating, Stream(f"x/{i}", "round"))
        assert found.uniform == "exact"
        counts[frozenset(frozenset(field.order[p] for p in table) for table in found.tables)] += 1
    assert enumerate_uniform(counts, best.tables, draws) > 0.001


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize(("size", "number"), [(9, 8), (20, 3)])
def test_an_answer_and_the_tables_alone_are_drawn_alike(rules: str, size: int, number: int) -> None:
    """An audit draws what single draws give."""
    for i in range(number):
        file = an_event(Random(f"alike/{i}"), rules, size, i % 3)
        event = pairable(file)
        paired = frozenset(frozenset(table.players) for table in event.pair(f"{i}").tables)
        assert event.draw_tables(f"{i}") == paired
