"""A limit refuses what is too much, nothing else, and says how long to wait; it forgets who has waited."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topcut.app.limits import EVERYBODY, SHARED, UNLIMITED, Limits, Rate, Rates

ROUNDING = 1e-5
"""Floats may be that wrong."""
RATES = st.builds(
    Rate,
    st.sampled_from([1 / 12, 0.5, 1.0, 3.0, 7.0, 50.0]),
    st.sampled_from([1.0, 2.0, 5.0, 20.0, 200.0]),
)
GAPS = st.one_of(st.just(0.0), st.floats(0, 0.1), st.floats(0, 5), st.floats(0, 1_000))
COSTS = st.sampled_from([0.0, 1.0, 1.0, 1.0, 2.0, 10.0])


class Bucket:
    """The plainest model: what is in it, filled up at each look."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.level = rate.burst
        self.at = 0.0

    def look(self, now: float) -> float:
        self.level = min(self.rate.burst, self.level + (now - self.at) * self.rate.rate)
        self.at = now
        return self.level


@given(RATES, st.lists(st.tuples(GAPS, COSTS), max_size=80), st.sampled_from([0.0, 1e6]))
def test_it_answers_as_a_bucket_does(rate: Rate, asked: list[tuple[float, float]], begin: float) -> None:
    limits, bucket, now = Limits(Rates(read=rate)), Bucket(rate), begin
    bucket.at = begin
    for gap, cost in asked:
        now += gap
        price = min(cost, rate.burst)
        wait = limits.take("ann", "read", now, cost)
        missing = price - bucket.look(now)
        if wait:
            assert missing > -ROUNDING * rate.rate, "never refused while there is enough"
            assert wait == pytest.approx(missing / rate.rate, abs=ROUNDING)
        else:
            assert missing <= ROUNDING * rate.rate, "never answered while there is not"
            bucket.level -= price


@given(RATES, st.lists(GAPS, min_size=1, max_size=200))
def test_in_no_while_more_than_a_burst_and_what_came_in(rate: Rate, gaps: list[float]) -> None:
    limits, now, answered = Limits(Rates(command=rate)), 0.0, []
    for gap in gaps:
        now += gap
        if limits.take("ann", "command", now) == 0:
            answered.append(now)
    for first in range(len(answered)):
        for last in range(first, len(answered)):
            span = answered[last] - answered[first]
            assert last - first + 1 <= rate.burst + rate.rate * (span + ROUNDING)


@given(RATES, st.integers(1, 50))
def test_whoever_waits_as_long_as_they_were_told_is_answered(rate: Rate, times: int) -> None:
    limits, now = Limits(Rates(print=rate)), 0.0
    for _ in range(times):
        while (wait := limits.take("ann", "print", now)) == 0:
            pass
        now += wait
        assert limits.take("ann", "print", now) == 0


def test_nobody_takes_from_another_and_no_action_from_another() -> None:
    one = Rate(1, 1)
    limits = Limits(Rates(read=one, command=one))
    assert limits.take("ann", "read", 0) == 0
    assert limits.take("ann", "read", 0) == 1
    assert limits.take("ben", "read", 0) == 0
    assert limits.take("ann", "command", 0) == 0
    assert limits.take("", "read", 0) == 0


def test_a_refusal_costs_nothing() -> None:
    limits = Limits(Rates(ask=Rate(1, 2)))
    assert [limits.take("ann", "ask", 0) for _ in range(2)] == [0, 0]
    assert [limits.take("ann", "ask", now) for now in (0.0, 0.25, 0.5)] == [1.0, 0.75, 0.5]
    assert limits.take("ann", "ask", 1.0) == 0


def test_what_costs_more_than_a_burst_waits_for_a_whole_one() -> None:
    limits = Limits(Rates(heavy=Rate(1, 20)))
    assert limits.take("ann", "heavy", 0, cost=1_000) == 0
    assert limits.take("ann", "heavy", 0, cost=1_000) == 20
    assert limits.take("ann", "heavy", 20, cost=1_000) == 0


def test_a_hall_that_shares_one_address_is_never_refused_a_page() -> None:
    limits = Limits()
    assert not any(limits.take(EVERYBODY, "read", 0.0) for _ in range(100_000))
    assert SHARED.read == UNLIMITED


def test_everybody_together_may_have_as_much_as_anybody_alone() -> None:
    alone = Rates()
    for field in fields(Rates):
        own, shared = getattr(alone, field.name), getattr(SHARED, field.name)
        assert shared.rate >= own.rate
        assert shared.burst >= own.burst


@given(st.integers(1, 40), st.lists(st.tuples(st.integers(0, 200), st.floats(0, 0.5)), max_size=300))
def test_only_so_many_are_kept(most: int, asked: list[tuple[int, float]]) -> None:
    limits, now = Limits(most=most), 0.0
    for who, gap in asked:
        now += gap
        limits.take(f"link {who}", "command", now)
        assert len(limits) <= most


def test_full_buckets_are_forgotten() -> None:
    limits = Limits()
    for who in range(5_000):
        limits.take(f"link {who}", "read", 0.0)
    assert len(limits) == 5_000
    for who in range(2_500):
        limits.take("another", "read", 10.0 + who)
    assert len(limits) == 1


def test_whoever_was_forgotten_had_nothing_to_wait_for() -> None:
    limits = Limits(Rates(password=Rate(1, 5)))
    for _ in range(5):
        limits.take("ann", "password", 0.0)
    for second in range(1, 5):
        limits.take("ben", "password", float(second))
        assert len(limits) == 2
    assert limits.take("ann", "password", 4.0, cost=5) == pytest.approx(1)


def test_when_there_are_too_many_the_oldest_goes() -> None:
    limits = Limits(Rates(password=Rate(1, 1)), most=2)
    for who in ("ann", "ben", "cy"):
        assert limits.take(who, "password", 0.0) == 0
    waits = [limits.take(who, "password", 0.0) for who in ("ben", "cy")]
    assert waits == [1, 1]
    assert limits.take("ann", "password", 0.0) == 0


def test_whoever_asked_lately_is_not_the_oldest() -> None:
    limits = Limits(Rates(password=Rate(1, 2)), most=2)
    for who in ("ann", "ben", "ann", "cy"):
        assert limits.take(who, "password", 0.0) == 0
    assert limits.take("ann", "password", 0.0) == 1


def test_the_numbers_are_in_order() -> None:
    """What costs more is not allowed more often."""
    rates = [getattr(Rates(), name).rate for name in ("read", "command", "print", "ask", "password")]
    assert all(more >= less for more, less in pairwise(rates))
