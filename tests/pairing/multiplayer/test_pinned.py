"""A seed gives the same tables for ever: pinned digests of rounds at tables of three and four.

If one of these changes, recorded events no longer replay. That is a new edition of the lots, not a fix.
Rounds of up to sixteen players are the best there are; larger ones also depend on how they are searched.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from tests.pairing.multiplayer.random_table_events import by_lot, played
from tests.pairing.multiplayer.seating_oracle import PREFERRED, sizes_for
from tests.pairing.random_swiss_events import File, answered


def an_event(rules: str, size: int, rounds: int) -> File:
    """Seated and played at random, so that no change to the engine changes the event."""
    random = Random(f"pinned/{rules}/{size}")
    ids = [f"p{number:02}" for number in range(size)]
    sizes = sizes_for(PREFERRED[rules], size)
    assert sizes is not None
    return {
        "topcut": 1,
        "name": "An event",
        "rules": rules,
        "players": [{"id": player_id} for player_id in ids],
        "rounds": [
            {"tables": [played(random, rules, table) for table in by_lot(random, ids, sizes)]}
            for _ in range(rounds)
        ],
    }


def digest(file: File, seed: str) -> str:
    tables = [sorted(table["players"]) for table in answered(file, seed)["tables"]]
    return sha256(repr(tables).encode()).hexdigest()[:16]


PINNED = {
    ("allegiance-2005", 9, 0): "69c072a059ef221e",
    ("allegiance-2005", 9, 2): "81c818969c31b616",
    ("allegiance-2005", 16, 0): "5f31694884bbb6ea",
    ("allegiance-2005", 16, 2): "3447b76fac0a7976",
    ("allegiance-2005", 20, 0): "2bff4a3cc7fe018c",
    ("allegiance-2005", 20, 2): "f17f2b47343f4b06",
    ("allegiance-2005", 31, 0): "c3cc5e13cb3c7df4",
    ("allegiance-2005", 31, 2): "cc4069a7f723c73d",
    ("commander-4", 9, 0): "69c072a059ef221e",
    ("commander-4", 9, 2): "28995019822f24c7",
    ("commander-4", 16, 0): "5159a6fb44960ded",
    ("commander-4", 16, 2): "07b3d2ea527afb5a",
    ("commander-4", 20, 0): "f76fc287351cc632",
    ("commander-4", 20, 2): "eb18c29f58ca5274",
    ("commander-4", 31, 0): "7e02df6dd9475b86",
    ("commander-4", 31, 2): "32269bdb3b09af55",
}


@pytest.mark.parametrize(("rules", "size", "rounds"), PINNED)
def test_a_seed_gives_the_same_tables_for_ever(rules: str, size: int, rounds: int) -> None:
    assert digest(an_event(rules, size, rounds), "autumn") == PINNED[rules, size, rounds]


def test_another_seed_gives_others() -> None:
    file = an_event("allegiance-2005", 16, 0)
    assert digest(file, "winter") != digest(file, "autumn")
