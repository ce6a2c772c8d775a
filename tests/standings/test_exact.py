"""Is the order exact even where floats cannot tell two values apart, or tell equal values apart?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations, permutations
from math import gcd
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

from tests.builders import ids_in_order, played
from tests.builders import standings as standings_of
from tests.standings.random_results import Event, a_large_event, an_event, book, events, standings
from tests.standings.ruleset_oracles import ORACLES
from topcut.rulebook.model import Book
from topcut.rulebook.tiebreak_keys import Credit, Measure
from topcut.standings import Standings, columns, fast_values
from topcut.standings.columns import Column, Rounded, Scaled, combine_opponents, divide, limit_values
from topcut.standings.document import build_rows
from topcut.standings.exact_values import ExactValues

Limit = Fraction | None


@contextmanager
def limit(value: int) -> Iterator[None]:
    """Whole numbers from `value` on do not fit, so that columns are rounded early or at once."""
    with patch.object(columns, "LIMIT", value), patch.object(fast_values, "LIMIT", value):
        yield


def whole(values: Sequence[int]) -> NDArray[Any]:
    return np.array(values, np.int64 if all(abs(value) < 2**62 for value in values) else object)


def everyone(column: Column, size: int) -> list[int]:
    return [int(rank) for rank in column.ranks(np.arange(size), np.zeros(size, np.int64))]


def is_close(column: Column, exact: Sequence[Fraction]) -> None:
    """A column keeps its promise: exact, or within the error that it states."""
    if isinstance(column, Scaled):
        assert [column.exact(i) for i in range(len(exact))] == list(exact)
        return
    for value, wanted in zip(column.values.tolist(), exact, strict=True):
        assert abs(Fraction(value) - wanted) <= Fraction(column.error)


# Columns: close fractions


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[Fraction, Fraction]:
    """a/b > c/d with a·d − b·c = 1 and denominators so large that one float stands for both."""
    b = draw(st.integers(2**30, 2**31))
    a = draw(st.integers(b // 3, b - 1))
    assume(gcd(a, b) == 1)
    d = pow(a, -1, b) + b
    high, low = Fraction(a, b), Fraction(a * d // b, d)
    assert high - low == Fraction(1, b * d)
    assume(float(high) == float(low))
    return high, low


@given(neighbours())
def test_different_fractions_with_equal_floats_are_told_apart(pair: tuple[Fraction, Fraction]) -> None:
    high, low = pair
    values = [high, low, high]
    column = divide(
        whole([value.numerator for value in values]),
        whole([value.denominator for value in values]),
        values.__getitem__,
    )
    assert isinstance(column, Rounded)
    assert len(set(column.values.tolist())) == 1
    first, second, third = everyone(column, 3)
    assert first == third > second


def test_equal_fractions_with_different_floats_are_tied() -> None:
    """Two players meet the same six in another order, which adds up to another float."""
    values = [*(Fraction(tenth, 10) for tenth in range(1, 7)), Fraction(0), Fraction(0)]
    means = [Fraction(0)] * 6 + [Fraction(7, 20)] * 2
    measured = Rounded(np.array([float(value) for value in values]), 1e-15, values.__getitem__)
    meetings = np.array([0] * 6 + [6] * 2)
    differ = 0
    for order in permutations(range(6)):
        met = np.full((6, 8), 8, np.int32)
        met[:, 6], met[:, 7] = range(6), order
        column = combine_opponents(measured, met, meetings, True, Fraction(0), means.__getitem__)
        assert isinstance(column, Rounded)
        differ += column.values[6] != column.values[7]
        *_, first, second = everyone(column, 8)
        assert first == second
    assert differ


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(-4, 4), st.integers(0, 2)), max_size=12),
    st.integers(10**12, 10**30),
)
def test_ranks_are_those_of_the_exact_values(seats: list[tuple[int, int, int]], fine: int) -> None:
    """Tenths, moved by a hair; the floats are off by up to the error, which is more than that hair."""
    error = 2e-12
    exact = [Fraction(tenth, 10) + Fraction(hair, 8 * fine) for tenth, hair, _ in seats]
    off = [float(value) + error * (-0.9 if i % 2 else 0.9) for i, value in enumerate(exact)]
    groups = np.array([group for _, _, group in seats], np.int64)
    ranks = Rounded(np.array(off), error, exact.__getitem__).ranks(np.arange(len(seats)), groups)
    for i, j in combinations(range(len(seats)), 2):
        if groups[i] == groups[j]:
            assert np.sign(ranks[i] - ranks[j]) == (exact[i] > exact[j]) - (exact[i] < exact[j])


# Columns: the error that is proved


SIZES = st.one_of(st.integers(-20, 20), st.integers(-(2**61), 2**61), st.integers(-(2**200), 2**200))
FRACTIONS = st.builds(Fraction, st.integers(-(10**9), 10**9), st.integers(1, 10**9))
LIMITS = st.sampled_from([2**62, 2**50, 2**31, 1000, 1])


def clipped(value: Fraction, floor: Limit, cap: Limit, capped: bool) -> Fraction:
    value = value if floor is None else max(value, floor)
    return min(value, cap) if cap is not None and capped else value


def met_by(data: st.DataObject, size: int) -> NDArray[np.int32]:
    """Who met whom; `size` is nobody."""
    row = st.lists(st.integers(0, size), min_size=size, max_size=size)
    met = data.draw(st.lists(row, max_size=12), "opponents")
    return np.array(met, np.int32).reshape(len(met), size)


def over(values: Sequence[Fraction], met: NDArray[np.int32], mean: bool, empty: Fraction) -> list[Fraction]:
    found = []
    for player in range(len(values)):
        mine = [values[opponent] for opponent in met[:, player] if opponent < len(values)]
        found.append(sum(mine, Fraction(0)) / (len(mine) if mean else 1) if mine else empty)
    return found


def means_and_sums(data: st.DataObject, column: Column, exact: list[Fraction]) -> None:
    """A column over opponents, and over the opponents' opponents, is as close as it says."""
    met = met_by(data, len(exact))
    meetings = (met < len(exact)).sum(axis=0)
    for _ in range(2):
        mean, empty = data.draw(st.booleans(), "mean"), data.draw(FRACTIONS, "empty")
        exact = over(exact, met, mean, empty)
        column = combine_opponents(column, met, meetings, mean, empty, exact.__getitem__)
        is_close(column, exact)


@given(st.data(), LIMITS)
def test_every_step_stays_within_the_error_it_states(data: st.DataObject, most: int) -> None:
    parts = data.draw(st.lists(st.tuples(SIZES, SIZES.map(abs)), min_size=1, max_size=6), "above ÷ below")
    above, below = zip(*parts, strict=True)
    exact = [Fraction(a, b) if b else Fraction(0) for a, b in parts]
    floor, cap = sorted(data.draw(st.tuples(FRACTIONS, FRACTIONS), "floor and cap"))
    capped = [data.draw(st.booleans(), "capped") for _ in parts]
    with limit(most):
        column = divide(whole(above), whole(below), exact.__getitem__)
        is_close(column, exact)
        exact = [clipped(value, floor, None, False) for value in exact]
        column = limit_values(column, floor, None, None, exact.__getitem__)
        is_close(column, exact)
        exact = [clipped(value, None, cap, where) for value, where in zip(exact, capped, strict=True)]
        column = limit_values(column, None, cap, np.array(capped), exact.__getitem__)
        is_close(column, exact)
        means_and_sums(data, column, exact)


@pytest.mark.parametrize("error", [0.0, 2.0**-20, 1.0])
@given(st.data(), st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6), FRACTIONS)
def test_a_step_from_values_that_use_up_their_error_states_the_new_one(
    error: float, data: st.DataObject, floats: list[float], floor: Fraction
) -> None:
    exact = [Fraction(value) - Fraction(error) for value in floats]
    column = Rounded(np.array(floats), error, exact.__getitem__)
    above = [max(value, floor) for value in exact]
    is_close(limit_values(column, floor, None, None, above.__getitem__), above)
    means_and_sums(data, column, exact)


# Events


def house_rules(win: Fraction, draw: Fraction, of: str) -> Book:
    """Everybody has as many points as everybody else, so that what a win or a draw is worth decides."""
    under = book("dci-1999")
    same, nothing = Credit(Fraction(1)), Credit(Fraction(0), Fraction(1))
    points = replace(under.measures["points"], win=same, draw=same, loss=same, bye=same)
    rate = replace(
        under.measures["match_rate"],
        win=Credit(Fraction(win.numerator), Fraction(win.denominator)),
        draw=Credit(Fraction(draw.numerator), Fraction(draw.denominator)),
        loss=nothing,
    )
    first, second, *_ = under.chain
    by_rate = replace(second, key="rate", measure="rate", of=of, floor=None)
    return replace(under, measures={"points": points, "rate": rate}, chain=(first, by_rate))


@pytest.mark.parametrize("draws_are_better", [False, True])
@pytest.mark.parametrize(("of", "winner", "drawer"), [("self", "A", "C"), ("opponents", "B", "D")])
@given(pair=neighbours())
def test_a_hair_decides_a_place(
    of: str, winner: str, drawer: str, draws_are_better: bool, pair: tuple[Fraction, Fraction]
) -> None:
    win, draw = pair[::-1] if draws_are_better else pair
    event = played("dci-1999", "A beats B, C ties D").file
    ranked = standings(Event(event.players, event.rounds), house_rules(win, draw, of))
    at = ranked.history.index
    column = ranked.columns["rate"]
    assert isinstance(column, Rounded)
    assert column.values[at[winner]] == column.values[at[drawer]]
    assert ranked.value("rate", at[winner]) == win
    assert ranked.value("rate", at[drawer]) == draw
    expected = (3, 1) if draws_are_better else (1, 2)
    assert (ranked.rank(at[winner]), ranked.rank(at[drawer])) == expected
    assert ranked.rank(at["C"]) == ranked.rank(at["D"])


NUMBERS = st.one_of(
    st.integers(-3, 3).map(Fraction),
    st.builds(Fraction, st.integers(-(10**9) + 1, 10**9 - 1), st.integers(1, 10**9 - 1)),
)
CREDITS = st.builds(Credit, NUMBERS, NUMBERS.map(abs))
OUTCOMES = ("win", "draw", "loss", "double_loss", "bye", "assigned", "missed", "idle")


def a_measure(data: st.DataObject, kind: str) -> Measure:
    """A measure with any numbers that a book may hold."""
    under, other = book("dci-1999").measures, book("fab-gem").measures
    if kind in ("points", "match_rate"):
        return replace(under[kind], **{outcome: data.draw(CREDITS, outcome) for outcome in OUTCOMES})
    if kind == "game_rate":
        return replace(under[kind], **{game: data.draw(CREDITS, game) for game in ("won", "drawn", "lost")})
    totals = {name: data.draw(NUMBERS, name) for name in ("win", "draw", "loss", "bye")}
    return replace(
        other["cumulative"],
        **totals,
        weight=data.draw(NUMBERS.map(abs), "weight"),
        normalised=data.draw(st.booleans(), "normalised"),
        after_leaving=data.draw(st.sampled_from(["ages", "freezes"]), "after leaving"),
    )


@pytest.mark.parametrize("of", ["self", "opponents"])
@pytest.mark.parametrize("kind", ["points", "match_rate", "game_rate", "cumulative"])
@given(data=st.data(), most=st.sampled_from([2**62, 2**40, 1]))
def test_any_book_is_counted_as_closely_as_its_columns_say(
    kind: str, of: str, data: st.DataObject, most: int
) -> None:
    floor, cap = sorted(data.draw(st.tuples(NUMBERS, NUMBERS), "floor and cap"))
    limits = {"floor": floor, "cap": cap, "cap_if_dropped": data.draw(NUMBERS, "cap if dropped")}
    key = replace(
        book("dci-1999").chain[1],
        measure=kind,
        of=of,
        aggregate=data.draw(st.sampled_from(["mean", "sum"]), "aggregate"),
        empty=data.draw(NUMBERS, "empty"),
        **{limit: value if data.draw(st.booleans(), limit) else None for limit, value in limits.items()},
    )
    rules = replace(book("dci-1999"), measures={kind: a_measure(data, kind)}, chain=(key,))
    event = data.draw(events(), "event")
    with limit(most):
        counted_as_by_hand(event, rules)


def counted_as_by_hand(event: Event, rules: Book) -> None:
    """The only key of these rules keeps its promise, and the order is that of its exact values."""
    ranked = standings(event, rules)
    by_hand = ExactValues(ranked.history, rules)
    ((key, column),) = ranked.columns.items()
    exact = [by_hand.deciding_value(key, player) for player in range(ranked.history.size)]
    is_close(column, exact)
    assert [exact[player] for player in ranked.order] == sorted(exact, reverse=True)


PRIMES = [Fraction(1, prime) for prime in (999999937, 999999929, 999999893, 999999883)]
LARGE_NUMBERS: dict[str, tuple[str, dict[str, Any]]] = {
    "a large penalty": ("match_rate", {"loss": Credit(Fraction(-999999999), PRIMES[0])}),
    "a large bonus": ("match_rate", {"win": Credit(Fraction(999999999), PRIMES[0])}),
    "many points": ("points", {"win": Credit(Fraction(999999999)), "draw": Credit(PRIMES[1])}),
    "large games": ("game_rate", {"won": Credit(Fraction(1), Fraction(65536)), "lost": Credit(*PRIMES[:2])}),
    "small steps": ("cumulative", dict(zip(("win", "draw", "loss", "bye"), PRIMES, strict=True))),
    "large steps": ("cumulative", {"win": Fraction(999999999), "draw": PRIMES[0], "loss": PRIMES[1]}),
    "growing steps": ("cumulative", {"weight": Fraction(999999937, 999999929)}),
}


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("rounds", [0, 1, 12])
@pytest.mark.parametrize("large", LARGE_NUMBERS)
def test_large_numbers_in_a_book_never_overflow(large: str, rounds: int, normalised: bool) -> None:
    kind, numbers = LARGE_NUMBERS[large]
    measure = (book("dci-1999").measures | book("fab-gem").measures)[kind]
    if kind == "cumulative":
        measure = replace(measure, normalised=normalised)
    key = replace(book("dci-1999").chain[1], measure=kind, of="self", floor=None)
    rules = replace(book("dci-1999"), measures={kind: replace(measure, **numbers)}, chain=(key,))
    file = played("dci-1999", *["A 2-0 B, C 1-1 D, E bye"] * rounds, players="A B C D E").file
    counted_as_by_hand(Event(file.players, file.rounds), rules)


@pytest.mark.parametrize("rounds", range(27, 40))
def test_the_first_of_many_rounds_decides_a_cumulative_tiebreaker(rounds: int) -> None:
    """FB-7: one quarter of a point, halved twice in every round since, is more than nothing."""
    last = ["A bye, B bye"] * (rounds - 2)
    for better, worse in ("AB", "BA"):
        event = played("fab-gem", f"{worse} loss, {better} bye", f"{worse} bye, {better} loss", *last)
        ranked = standings_of(event)
        column = ranked.columns["ctb"]
        assert isinstance(column, Rounded)
        assert column.values[0] == column.values[1]
        assert ids_in_order(ranked) == [better, worse]
        assert ranked.decided_by(0) == "ctb"


@pytest.mark.parametrize("rules", sorted(set(ORACLES) - {"allegiance-2005", "commander-4"}))
def test_long_events_whose_fractions_outgrow_whole_numbers(rules: str) -> None:
    """Their common denominators need more than 62 bits, so this is how rounded columns really come about."""
    event = a_large_event(Random(rules), size=24, length=40)
    ranked = standings(event, book(rules))
    assert any(isinstance(column, Rounded) for column in ranked.columns.values())
    wanted = ORACLES[rules](event.players, event.rounds).standings()
    assert ids_in_order(ranked) == [place.id for place in wanted]
    for position, place in enumerate(wanted):
        player = ranked.history.index[place.id]
        assert {key: ranked.value(key, player) for key in place.values} == place.values
        assert (ranked.rank(player), ranked.decided_by(position)) == (place.rank, place.decided_by)


@pytest.mark.parametrize("rules", sorted(ORACLES))
@given(data=st.data(), most=st.sampled_from([1, 30, 1000, 10**6]))
def test_whole_numbers_and_floats_lead_to_the_same_standings(
    rules: str, data: st.DataObject, most: int
) -> None:
    both_ways(data.draw(events(book(rules).match.results), "event"), rules, most)


@pytest.mark.parametrize("rules", ["dci-1999", "draft-sheet", "mtr", "pokemon-2017", "pokemon-tom"])
def test_floats_that_differ_for_equal_values_change_nothing(rules: str) -> None:
    differ = 0
    for number in range(100):
        ranked = both_ways(an_event(Random(f"{rules}/{number}")), rules, most=1)
        for column in ranked.columns.values():
            if isinstance(column, Rounded):
                differ += differently_rounded(column.values.tolist(), column.exact)
    assert differ


def both_ways(event: Event, rules: str, most: int) -> Standings:
    in_whole_numbers = build_rows(standings(event, book(rules)))
    with limit(most):
        in_floats = standings(event, book(rules))
        assert build_rows(in_floats) == in_whole_numbers
    return in_floats


def differently_rounded(values: list[float], exact: Callable[[int], Fraction]) -> int:
    """How many pairs are equal, and their floats are not."""
    pairs = combinations(range(len(values)), 2)
    return sum(values[i] != values[j] and exact(i) == exact(j) for i, j in pairs)
