"""Where whole numbers end: values at 62 bits and beyond are right, and ordinary ones never get near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as changed
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from tests.builders import ids_in_order, played
from tests.standings.random_results import an_event, book
from tests.standings.random_results import standings as made_up_standings
from topcut.formats.event_file import Event
from topcut.history import build_history
from topcut.rulebook import Book
from topcut.rulebook.tiebreak_keys import Credit, Cumulative, Games, Measure, ValueKey
from topcut.standings import Standings, columns, fast_values, rank
from topcut.standings.columns import LIMIT, Column, Rounded, Scaled, combine_opponents, divide, limit_values
from topcut.standings.exact_values import ExactValues
from topcut.standings.rank import RankedGroups

Limit = Fraction | None
FOR_TWO = ["draft-sheet", "pokemon-2017", "pokemon-tom", "dci-1999", "mtr", "fab-gem"]


def exact_values(column: Column, exact: Sequence[Fraction]) -> list[Fraction]:
    """Each player's value; a rounded column must also be within the error that it states."""
    if isinstance(column, Rounded):
        for value, wanted in zip(column.values.tolist(), exact, strict=True):
            assert abs(Fraction(value) - wanted) <= Fraction(column.error)
    return [column.exact(player) for player in range(len(exact))]


def met(*rows: list[int]) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Who met whom, and how many each met; a number that is no player's is nobody."""
    opponents = np.array(rows, np.int32)
    return opponents, (opponents < opponents.shape[1]).sum(axis=0)


# Ordinary events need no fractions


@pytest.mark.parametrize("rules", [*FOR_TWO, "allegiance-2005", "commander-4"])
def test_columns_of_ordinary_events_are_whole_numbers(rules: str) -> None:
    for number in range(20):
        event = an_event(Random(f"ordinary/{number}"), book(rules).match.results)
        found = made_up_standings(event, book(rules))
        assert all(isinstance(column, Scaled) for column in found.columns.values())


def asked(error: float, groups: list[int]) -> set[int]:
    """Whose fractions a rounded column works out to rank these five."""
    values = [Fraction(1, part) for part in (2, 3, 3, 4, 5)]
    seen: set[int] = set()

    def exact(player: int) -> Fraction:
        seen.add(player)
        return values[player]

    column = Rounded(np.array([0.5, 0.3334, 0.3333, 0.25, 0.2]), error, exact)
    ranks = column.ranks(np.arange(5), np.array(groups))
    for one, other in permutations(range(5), 2):
        if groups[one] == groups[other]:
            assert (ranks[one] < ranks[other]) == (values[one] < values[other])
    return seen


def test_fractions_are_worked_out_only_where_floats_cannot_tell() -> None:
    assert asked(0.0001, [0, 0, 0, 0, 0]) == {1, 2}
    assert asked(0.0001, [0, 0, 1, 1, 1]) == set()
    assert asked(0.03, [0, 0, 0, 1, 1]) == {1, 2, 3, 4}


@pytest.mark.parametrize("size", [1, 10**6, 10**12])
def test_the_error_of_a_rounded_column_is_tiny(size: int) -> None:
    """Two thirds of the way through the digits of a float, whatever was done to the column."""
    values = [Fraction(size * number, 7) for number in range(8)]
    exact = values.__getitem__
    opponents, meetings = met([1, 2, 3, 4, 5, 6, 7, 0], [2, 3, 4, 5, 6, 7, 0, 1])
    with patch.object(columns, "LIMIT", 1):
        column = divide(np.array([size * number for number in range(8)]), 7, exact)
        limited = limit_values(column, Fraction(size, 3), Fraction(size), None, exact)
        mean = combine_opponents(limited, opponents, meetings, True, Fraction(0), exact)
    scaled = Scaled(np.array([size * number for number in range(8)]), 7).round(exact)
    for each in (column, limited, mean, scaled):
        assert isinstance(each, Rounded)
        assert 0 < each.error < size * 1e-10


def test_nobody_has_no_rank() -> None:
    nobody = np.empty(0, np.int64)
    ranks = Rounded(np.array([0.5]), 0.1, lambda _: Fraction(1, 2)).ranks(nobody, nobody)
    assert ranks.dtype == np.int64
    assert ranks.tolist() == []


# Quotients


@pytest.mark.parametrize(
    ("size", "above", "below"),
    [
        (0, [0], [1]),
        (3, [0, 1, 2], [3]),
        (100, [0, 1, 2, 3], [4, 3, 2, 1, 0]),
        (100, [-2, -1, 0], [3, 2, 1]),
        (70_000, range(256), [254, 0]),
        (100_000, range(301), [300, 0]),
        (100_000, [2**15, 2**16 - 1], [2**16 - 1, 0]),
    ],
)
def test_quotients_of_many_players(size: int, above: Sequence[int], below: Sequence[int]) -> None:
    """However few different ones there are."""
    everybody = np.arange(size)
    upper = np.array(above)[everybody % len(above)]
    lower = np.array(below)[everybody // len(above) % len(below)]
    small = np.int64 if min(above) < 0 else np.uint16
    column = divide(upper.astype(small), lower.astype(np.uint16), lambda _: Fraction(0))
    assert isinstance(column, Scaled)
    assert len(column.values) == size
    assert (column.values * lower == upper * column.denominator * (lower > 0)).all()
    assert (column.values[lower == 0] == 0).all()


@pytest.mark.parametrize("below", [[1, 1, 1], [1, 3, 0], [2**31 - 1, 2, 3], [2**61, 1, 2**61 - 1]])
@pytest.mark.parametrize("most", [2, 2**53 + 1, 2**60 + 1, 2**61 + 1, -(2**61), 2**62 - 1])
def test_quotients_of_large_numbers(most: int, below: list[int]) -> None:
    above = [most, most - 1, 5]
    wanted = [Fraction(a, b) if b else Fraction(0) for a, b in zip(above, below, strict=True)]
    column = divide(np.array(above), np.array(below), wanted.__getitem__)
    assert exact_values(column, wanted) == wanted


@pytest.mark.parametrize("where", [None, [True, True, False, False, True, False]])
@pytest.mark.parametrize("cap", [None, Fraction(2, 3), Fraction(2**60 + 1, 1024), Fraction(2**60)])
@pytest.mark.parametrize("floor", [None, Fraction(1, 3), Fraction(-1)])
@pytest.mark.parametrize("most", [1, LIMIT])
def test_floors_and_caps(most: int, floor: Limit, cap: Limit, where: list[bool] | None) -> None:
    values = [Fraction(number, 1024) for number in (0, 1023, 900, 10, 100, 2**61)]
    wanted = [value if floor is None else max(value, floor) for value in values]
    if cap is not None:
        wanted = [
            min(value, cap) if where is None or where[player] else value
            for player, value in enumerate(wanted)
        ]
    whole = Scaled(np.array([int(value * 1024) for value in values]), 1024)
    with patch.object(columns, "LIMIT", most):
        capped = None if where is None else np.array(where)
        column = limit_values(whole, floor, cap, capped, wanted.__getitem__)
        assert exact_values(column, wanted) == wanted


@pytest.mark.parametrize("limit", [Fraction(1, 3), 10**6 + Fraction(1, 3)])
def test_a_limit_is_itself_rounded(limit: Fraction) -> None:
    for floor, cap, value in ((limit, None, 0.0), (None, limit, 2.0**30)):
        column = Rounded(np.array([value]), 0.0, lambda _: limit)
        assert exact_values(limit_values(column, floor, cap, None, lambda _: limit), [limit]) == [limit]


# Sums and means over opponents


@pytest.mark.parametrize("mean", [False, True])
@pytest.mark.parametrize("most", [2**29, 2**30, 2**31, 2**53 + 1, 2**59 - 1, 2**60, 2**61 - 1, 2**62 - 1])
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_sums_of_large_numbers(rows: int, most: int, mean: bool) -> None:
    """Player 0 met 1, 2 and 3; 1 met 2 and 0; 2 met 0; 3 met nobody; in so many rounds as there are rows."""
    values = [most, most, most, most - 1]
    opponents, meetings = met(*[[1, 2, 0, 4], [2, 0, 4, 4], [3, 4, 4, 4]][:rows])
    wanted = []
    for others in ([1, 2, 3], [2, 0], [0]):
        total = sum(values[other] for other in others[:rows])
        wanted.append(Fraction(total, len(others[:rows]) if mean else 1))
    wanted.append(empty := Fraction(-1, 2))
    whole = Scaled(np.array(values), 1)
    column = combine_opponents(whole, opponents, meetings, mean, empty, wanted.__getitem__)
    assert exact_values(column, wanted) == wanted


def test_a_mean_of_values_that_use_up_their_error() -> None:
    """Each float is 1 more than the exact value, which is all that the error allows."""
    opponents, meetings = met([1, 0])
    wanted = [Fraction(-1)] * 2
    column = Rounded(np.zeros(2), 1.0, wanted.__getitem__)
    mean = combine_opponents(column, opponents, meetings, True, Fraction(0), wanted.__getitem__)
    assert exact_values(mean, wanted) == wanted


@pytest.mark.parametrize("empty", [Fraction(2**60), Fraction(-(2**61)), Fraction(2**62), Fraction(2**70, 3)])
@pytest.mark.parametrize("denominator", [1, 8])
def test_a_large_value_of_a_player_who_met_nobody(empty: Fraction, denominator: int) -> None:
    """Twos and threes are met, so that means are counted in sixths."""
    opponents, meetings = met([1, 0, 1, 4], [2, 2, 0, 4], [0, 4, 4, 4])
    values = [Fraction(number, denominator) for number in (1, 2, 3, 4)]
    wanted = [(values[1] + values[2] + values[0]) / 3, (values[0] + values[2]) / 2]
    wanted += [(values[1] + values[0]) / 2, empty]
    column = combine_opponents(
        Scaled(np.array([1, 2, 3, 4]), denominator), opponents, meetings, True, empty, wanted.__getitem__
    )
    assert exact_values(column, wanted) == wanted


@pytest.mark.parametrize("limits", [(2**62 - 1, 2**62 + 1), (2**61, 2**64)])
def test_limits_as_large_as_the_values(limits: tuple[int, int]) -> None:
    floor, cap = (Fraction(limit, 3) for limit in limits)
    values = [Fraction(0), Fraction(2**60), Fraction(2**62 - 1)]
    wanted = [min(max(value, floor), cap) for value in values]
    column = limit_values(
        Scaled(np.array([int(value) for value in values]), 1), floor, cap, None, wanted.__getitem__
    )
    assert exact_values(column, wanted) == wanted


# Measures


def by_hand(found: Standings) -> None:
    """Every column gives what the arithmetic in fractions gives; so does the order, if there is but one."""
    exact = ExactValues(found.history, found.book)
    for key, column in found.columns.items():
        wanted = [exact.deciding_value(key, player) for player in range(found.history.size)]
        assert exact_values(column, wanted) == wanted
        if len(found.columns) == 1:
            assert [wanted[player] for player in found.order] == sorted(wanted, reverse=True)


def with_measure(event: Event, measure: Measure) -> Standings:
    """The standings by one key alone."""
    link = replace(book("dci-1999").chain[1], measure="m", of="self", floor=None)
    rules = replace(book("dci-1999"), measures={"m": measure}, chain=(link,))
    return rank(build_history(event.file.players, event.file.rounds, rules), rules)


ROUNDS = ["A beats B, C ties D, E bye", "A beats C, B beats D, E loss", "D beats A, B ties C, E bye"]


def cumulative(**numbers: Any) -> Cumulative:
    measure = book("fab-gem").measures["cumulative"]
    assert isinstance(measure, Cumulative)
    return replace(measure, **numbers)


@pytest.mark.parametrize("weight", [Fraction(1, 4), Fraction(1), Fraction(10**7), Fraction(10**7, 3)])
@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 6, 9])
def test_cumulative_sums_of_any_weight(rounds: int, normalised: bool, weight: Fraction) -> None:
    """Also of weights above 1, which no book may have."""
    event = played("dci-1999", *(ROUNDS * 3)[:rounds], players="A B C D E")
    by_hand(with_measure(event, cumulative(weight=weight, normalised=normalised)))


@pytest.mark.parametrize("win", [2**53 + 1, 2**58 + 1, 2**61 - 1, 2**61, 2**62 - 1, 2**62 + 1, 2**70])
@pytest.mark.parametrize("normalised", [False, True])
def test_cumulative_sums_of_large_numbers(win: int, normalised: bool) -> None:
    event = played("dci-1999", "A beats B, C ties D, E bye")
    draw, bye = Fraction(win - 1), Fraction(win - 2)
    measure = cumulative(win=Fraction(win), draw=draw, bye=bye, weight=Fraction(1), normalised=normalised)
    by_hand(with_measure(event, measure))


@pytest.mark.parametrize("rounds", [9, 17, 18, 20, 40])
def test_cumulative_sums_of_small_numbers(rounds: int) -> None:
    """Nothing is worth more than a billionth, so that what it is divided by is the large number."""
    event = played("dci-1999", *["A beats B, C ties D, E bye"] * rounds)
    for win in (Fraction(1, 999999937), Fraction(0)):
        by_hand(with_measure(event, cumulative(win=win, bye=Fraction(0), normalised=False)))


def test_cumulative_sums_of_nobody() -> None:
    for win in (1, 2**70):
        found = with_measure(played("dci-1999"), cumulative(win=Fraction(win)))
        assert ids_in_order(found) == []


def test_a_bye_that_stands_for_a_drawn_game() -> None:
    """With a bye of 1-0-1 and a loss of 0-1-1: A has 4-1-1 in games, B 3-4, E 2-3-2."""
    measure = book("dci-1999").measures["game_rate"]
    assert isinstance(measure, Games)
    measure = replace(measure, bye=(1, 0, 1), assigned=(0, 1, 1))
    found = with_measure(played("dci-1999", "A 2-0 B, E bye", "A bye, B 2-1 E", "E loss, B 1-1 A"), measure)
    by_hand(found)
    assert [str(found.value("omw", player)) for player in range(3)] == ["13/18", "3/7", "8/21"]


@pytest.mark.parametrize("win", [2**15 - 1, 2**15, 2**16, 2**31, 2**60, 2**61, 2**62, 2**64])
@pytest.mark.parametrize("loss", [-1, 0, 1])
def test_points_of_any_size(loss: int, win: int) -> None:
    """A wins twice, B wins and loses, C loses twice."""
    points = book("dci-1999").measures["points"]
    nothing = Credit(Fraction(0))
    points = replace(
        points, win=Credit(Fraction(win)), draw=nothing, loss=Credit(Fraction(loss)), bye=nothing
    )
    found = with_measure(played("dci-1999", "A beats B", "B beats C", "A beats C"), points)
    by_hand(found)
    assert [found.value("omw", player) for player in range(3)] == [2 * win, win + loss, 2 * loss]
    assert isinstance(found.columns["omw"], Scaled) == (win < 2**61)


@pytest.mark.parametrize("factor", [1, 2, 3])
@pytest.mark.parametrize("largest", [5, 2**60, 2**61, 2**62 - 1, -(2**62) + 1, 2**63 - 1])
def test_products(largest: int, factor: int) -> None:
    values = np.array([0, 1, largest])
    for dtype in (np.int64, object):
        product = fast_values._times(values.astype(dtype), factor)
        assert [int(value) for value in product] == [0, factor, largest * factor]
        assert product.dtype == object or abs(largest) * factor < LIMIT or factor == 1


# Scores at shared tables


def scored(aggregate: str) -> tuple[Event, Book]:
    """AL-A5=b, as it is or as a mean over those at the tables."""
    made = played(
        "allegiance-2005",
        *("a:20* b:7 c:19x d:9, e:13 f:-4 g:21*", "a:11 b:12 e:5, c:15 d:8 f:6 g:15x"),
        players="a b c d e f g h",
        readings={"AL-A5": "b"},
    )
    *chain, last = made.book.chain
    assert isinstance(last, ValueKey)
    assert last.of == "tablemates"
    return made, replace(made.book, chain=(*chain, replace(last, aggregate=aggregate)))


TABLEMATES = {
    "a": "33/5",
    "b": "45/5",
    "c": "50/6",
    "d": "48/6",
    "e": "40/4",
    "f": "57/5",
    "g": "38/5",
    "h": "0",
}
"""a sat with b, c and d, who scored 7, 0 and 9, then with b and e, who scored 12 and 5; and so on."""


@pytest.mark.parametrize("most", [1, LIMIT])
@pytest.mark.parametrize("aggregate", ["sum", "mean"])
def test_what_others_scored_at_the_same_tables(aggregate: str, most: int) -> None:
    event, rules = scored(aggregate)
    with patch.object(columns, "LIMIT", most):
        found = rank(event.history, rules)
        by_hand(found)
        for player_id, quotient in TABLEMATES.items():
            wanted = Fraction(quotient) if aggregate == "mean" else Fraction(quotient.split("/")[0])
            assert found.value("opponents_score", event.history.index[player_id]) == wanted


def test_scores_of_more_digits_than_a_float_has() -> None:
    event, rules = scored("sum")
    assert event.history.scores is not None
    history = changed(event.history, scores=event.history.scores + 2**53)
    by_hand(rank(history, rules))


# Sorting


@pytest.mark.parametrize("most", [3, 2**31, 2**58, 2**60, 2**61, 2**62 - 1])
@pytest.mark.parametrize("low", [0, 1])
def test_groups_are_split_by_numbers_of_any_size(low: int, most: int) -> None:
    """Of three groups one, of a single player, is not asked; equal numbers stay tied."""
    by = {0: most, 1: -most * low, 2: most, 3: 0, 5: -most * low, 6: most - 1, 7: -most * low}
    order = RankedGroups(np.array([0, 0, 0, 0, 4, 5, 5, 5]))
    assert order.tied.tolist() == list(by)
    order.split(np.array(list(by.values())), key=7)
    ahead = [sum(by[other] < by[player] for other in (0, 1, 2, 3)) for player in (0, 1, 2, 3)]
    ahead += [4, *(5 + sum(by[other] < by[player] for other in (5, 6, 7)) for player in (5, 6, 7))]
    assert order.count_ahead().tolist() == ahead
    assert [ahead[player] for player in order.players] == sorted(ahead)
    decided = [7 if position in set(ahead) - {0, 4, 5} else -1 for position in range(9)]
    assert order.decided.tolist() == decided
