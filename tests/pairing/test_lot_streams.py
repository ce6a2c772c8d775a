"""Streams of lots: can anyone draw the same ones with other tools, and are they fair?

Everything that docs/lots.md says is done here a second time, in plain Python and one number after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, islice, permutations, repeat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pairing.certificate_checks import enumerate_uniform
from topcut.lots import Numbers, Stream

WORD = 2**64


def philox(counter: tuple[int, ...], key: tuple[int, ...]) -> list[int]:
    """Philox4x64-10: four words of a counter encrypted by a key of two, in ten rounds."""
    a, b, c, d = counter
    one, two = key
    for _ in range(10):
        high, low = divmod(a * 0xD2E7470EE14C6C93, WORD)
        other_high, other_low = divmod(c * 0xCA5A826395121157, WORD)
        a, b, c, d = other_high ^ b ^ one, other_low, high ^ d ^ two, low
        one, two = (one + 0x9E3779B97F4A7C15) % WORD, (two + 0xBB67AE8584CAA73B) % WORD
    return [a, b, c, d]


def reference(seed: str, label: str) -> Iterator[int]:
    """The stream as the document describes it."""
    texts = (text.encode("utf-8", "surrogatepass") for text in (seed, label))
    digest = sha256(b"".join(str(len(text)).encode() + b":" + text + b"," for text in texts)).digest()
    key = (int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little"))
    counter = 1
    while True:
        yield from philox(tuple(counter >> 64 * word & WORD - 1 for word in range(4)), key)
        counter += 1


def reference_below(numbers: Iterator[int], limit: int) -> int:
    """As many numbers as the limit needs make one, most significant first; the last run is left out."""
    words = 1
    while WORD**words < limit:
        words += 1
    while True:
        number = 0
        for word in islice(numbers, words):
            number = number * WORD + word
        runs = WORD**words // limit
        if number < runs * limit:
            return number % limit


def reference_orders(numbers: Iterator[int], count: int, size: int) -> list[list[int]]:
    """Each number with its lowest bits replaced by its position; sorted; all again if two agree otherwise."""
    bits = max(1, (size - 1).bit_length())
    while True:
        rows = [[next(numbers) >> bits for _ in range(size)] for _ in range(count)]
        if all(len(set(row)) == size for row in rows):
            return [sorted(range(size), key=lambda at: (row[at] << bits) + at) for row in rows]


# The generator


@pytest.mark.parametrize(
    ("counter", "key", "numbers"),
    [
        # The known answers that its authors publish (Random123, kat_vectors).
        (
            (0, 0, 0, 0),
            (0, 0),
            "16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b",
        ),
        (
            (WORD - 1, WORD - 1, WORD - 1, WORD - 1),
            (WORD - 1, WORD - 1),
            "87b092c3013fe90b 438c3c67be8d0224 9cc7d7c69cd777b6 a09caebf594f0ba0",
        ),
        (
            (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
            (0x452821E638D01377, 0xBE5466CF34E90C6C),
            "a528f45403e61d95 38c72dbd566e9788 a5a1610e72fd18b5 57bd43b5e52b7fe6",
        ),
    ],
)
def test_the_reference_is_the_published_generator(
    counter: tuple[int, ...], key: tuple[int, ...], numbers: str
) -> None:
    assert philox(counter, key) == [int(number, 16) for number in numbers.split()]


@pytest.mark.parametrize(
    ("seed", "label", "numbers"),
    [
        ("autumn", "pairing/1", [16428263856753652720, 4647008135464028837, 11093605070387718578]),
        ("", "", [6192018390824269156, 1918163035858548439, 15304535658790753823, 2444019828486990871]),
        (
            "Züri",
            "seats",
            [209266264732500322, 17193109249739956299, 18188226431735637365, 18137006355735466234],
        ),
        (
            "x/1",
            "pairing/9/masters flight 2",
            [9443780939483351091, 12292315455194208888, 8361484848191576256, 16887968913905326029],
        ),
    ],
)
def test_a_stream_never_changes(seed: str, label: str, numbers: list[int]) -> None:
    assert Stream(seed, label).numbers(len(numbers)).tolist() == numbers


@given(st.text(max_size=12), st.text(max_size=12), st.integers(0, 70))
def test_anyone_can_make_the_same_numbers(seed: str, label: str, count: int) -> None:
    assert Stream(seed, label).numbers(count).tolist() == list(islice(reference(seed, label), count))


def test_seed_and_label_are_not_run_together() -> None:
    firsts = {tuple(Stream(*texts).numbers(2).tolist()) for texts in (("ab", "c"), ("a", "bc"), ("abc", ""))}
    assert len(firsts) == 3


LIMITS = st.one_of(
    st.integers(1, 50),
    st.integers(1, 2**70),
    st.sampled_from(
        [2**63 + 1, 2**64 - 1, 2**64, 2**64 + 1, 3 * 2**62, 2**127 + 1, 2**128, 2**128 + 1, 10**60]
    ),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("numbers"), st.integers(0, 40), st.just(0)),
        st.tuples(st.just("below"), LIMITS, st.just(0)),
        st.tuples(st.just("orders"), st.integers(0, 3), st.integers(0, 9)),
    ),
    max_size=12,
)


@given(STEPS)
def test_however_it_is_consumed_the_stream_is_the_same(steps: list[tuple[str, int, int]]) -> None:
    """Numbers, choices and orders in any mixture take one number after the other, and none is lost."""
    stream, numbers = Stream("chunks", "here"), reference("chunks", "here")
    for kind, first, second in steps:
        if kind == "numbers":
            assert stream.numbers(first).tolist() == list(islice(numbers, first))
        elif kind == "below":
            assert stream.below(first) == reference_below(numbers, first)
        else:
            assert stream.orders(first, second).tolist() == reference_orders(numbers, first, second)
    assert stream.numbers(3).tolist() == list(islice(numbers, 3))


# One of n


@pytest.mark.parametrize("limit", [2, 3, 6, 10, 31])
def test_each_of_a_few_is_equally_likely(limit: int) -> None:
    stream = Stream("few", f"{limit}")
    draws = 1000 * limit
    assert (
        enumerate_uniform(Counter(stream.below(limit) for _ in range(draws)), set(range(limit)), draws)
        > 0.001
    )


@pytest.mark.parametrize("limit", [3 * 2**62, 3 * 2**64, 3 * 2**127])
def test_each_third_of_very_many_is_equally_likely(limit: int) -> None:
    """With a remainder alone the first third would come up too often where the limit is most of a word."""
    stream = Stream("many", f"{limit}")
    drawn = [stream.below(limit) for _ in range(9000)]
    assert 0 <= min(drawn) < max(drawn) < limit
    assert enumerate_uniform(Counter(3 * number // limit for number in drawn), {0, 1, 2}, 9000) > 0.001
    if limit < WORD:
        careless = Counter(3 * (number % limit) // limit for number in Stream("x", "").numbers(9000).tolist())
        assert enumerate_uniform(careless, {0, 1, 2}, 9000) < 1e-6


class Loaded(Stream):
    """A stream whose numbers are known."""

    def __init__(self, *numbers: int) -> None:
        super().__init__("", "")
        self.given = chain(numbers, repeat(0))

    def numbers(self, count: int) -> Numbers:
        return np.array(list(islice(self.given, count)), np.uint64)

    def _next(self) -> int:
        return next(self.given)


def test_the_incomplete_last_run_is_left_out() -> None:
    """2**64 is six above a multiple of 10: the six highest numbers count for nothing."""
    assert WORD % 10 == 6
    assert Loaded(WORD - 7).below(10) == 9
    assert Loaded(WORD - 6, WORD - 1, 7).below(10) == 7
    assert Loaded(WORD - 1).below(2) == 1
    assert Loaded(WORD - 1).below(WORD) == WORD - 1
    assert Loaded(5).below(1) == 0


def test_several_numbers_make_a_large_one_the_first_the_most_significant() -> None:
    assert Loaded(3, 4).below(WORD**2) == 3 * WORD + 4
    assert Loaded(1, 0).below(WORD + 1) == WORD % (WORD + 1)
    # The largest multiple of WORD + 1 up to WORD² is WORD² - 1, so only the very last number is left out.
    assert Loaded(WORD - 1, WORD - 1, 0, 5).below(WORD + 1) == 5


# Orders


def test_every_order_of_four_is_equally_likely() -> None:
    one_by_one = Counter(tuple(Stream(f"x/{i}", "four").order(4).tolist()) for i in range(4800))
    at_once = Counter(map(tuple, Stream("x", "four").orders(24_000, 4).tolist()))
    everything = set(permutations(range(4)))
    assert enumerate_uniform(one_by_one, everything, 4800) > 0.001
    assert enumerate_uniform(at_once, everything, 24_000) > 0.001


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 8, 9, 100, 1025])
def test_anyone_can_make_the_same_orders(size: int) -> None:
    expected = reference_orders(reference("orders", "here"), 2, size)
    assert Stream("orders", "here").orders(2, size).tolist() == expected
    alone = reference_orders(reference("orders", "here"), 1, size)
    assert Stream("orders", "here").order(size).tolist() == alone[0]
    assert sorted(alone[0]) == list(range(size))


def test_where_two_agree_all_are_drawn_again() -> None:
    """Of four numbers the two lowest bits are the positions, so 8 and 11 are alike."""
    assert Loaded(8, 11, 20, 40, 40, 20, 12, 0).order(4).tolist() == [3, 2, 1, 0]
    again = Loaded(0, 4, 8, 12, 0, 4, 8, 9, *(12, 8, 4, 0), *(0, 12, 4, 8)).orders(2, 4)
    assert again.tolist() == [[3, 2, 1, 0], [0, 2, 3, 1]]
