"""Lots: the same everywhere and for ever, never confused, and fair."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topcut.lots import draw_lot

TEXTS = st.text(alphabet="01:,ab\x00é", max_size=6) | st.text(max_size=20)


@pytest.mark.parametrize(
    ("seed", "label", "player", "digest"),
    [
        # printf '6:autumn,9:standings,2:p1,' | sha256sum, and so on
        ("autumn", "standings", "p1", "a1764ee7e7d07f6746bb8d92926019b67e0a4b3b21e5505280f4bb3493147e91"),
        ("", "", "", "b510a8d147d31d7484e4af1f26bfb02c9b398f2caf0a76cd515bc71d76a20e43"),
        ("", "standings/3", "A", "57d96e9c5b3d0fa6cb052363d4e8d810c8e25aa4d0cc9f292cc019bc0f1a1651"),
        ("Züri", "bye\0", "😀", "f69db489fb7d02cbd99aa368acf41c07a1b0bd2fda966dee1424f36a81568572"),
        ("x", "y", "\ud800", "7693b848b9708220b7e72efb95bf850144fbce83869db3adc49d9807102cd50c"),
    ],
)
def test_a_lot_never_changes(seed: str, label: str, player: str, digest: str) -> None:
    assert draw_lot(seed, label, player) == int(digest, 16)


@given(st.tuples(TEXTS, TEXTS, TEXTS), st.tuples(TEXTS, TEXTS, TEXTS))
def test_different_texts_have_different_lots(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    assert (draw_lot(*one) == draw_lot(*other)) == (one == other)


@given(st.text(alphabet="1:,a", max_size=9))
def test_where_one_text_ends_and_the_next_begins_matters(joined: str) -> None:
    """All ways to cut one text into seed, label and id draw different lots."""
    ends = range(len(joined) + 1)
    cuts = {(joined[:i], joined[i:j], joined[j:]) for i in ends for j in ends if i <= j}
    assert len({draw_lot(*cut) for cut in cuts}) == len(cuts)


@pytest.mark.parametrize("players", [("A", "B", "C"), ("p1", "p2", "p10"), ("", "a", "aa")])
def test_every_order_of_three_players_is_equally_likely(players: tuple[str, str, str]) -> None:
    orders = Counter(
        tuple(sorted(players, key=lambda player: draw_lot(f"seed {draw}", "standings/3", player)))
        for draw in range(6000)
    )
    assert set(orders) == set(permutations(players))
    chi_square = sum((count - 1000) ** 2 / 1000 for count in orders.values())
    assert chi_square < 20.5  # five degrees of freedom: a fair draw exceeds this once in a thousand


def test_the_label_draws_anew() -> None:
    """Whoever comes first for one purpose comes first for another half of the time."""
    first = [
        [draw_lot(f"seed {draw}", label, "A") < draw_lot(f"seed {draw}", label, "B") for draw in range(2000)]
        for label in ("standings/1", "standings/2")
    ]
    agree = sum(one == other for one, other in zip(*first, strict=True))
    assert abs(agree - 1000) < 150  # more than six standard deviations
