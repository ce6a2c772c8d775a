"""Books of one's own: rounds that weigh alike, seats that do not count, tables by lot or from the top."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.command_line import topcut, write
from tests.pairing.multiplayer.random_table_events import a_field, an_event, as_engine
from tests.pairing.multiplayer.seating_oracle import BOOKS
from topcut.lots import Stream
from topcut.pairing.multiplayer import lower_bound
from topcut.pairing.multiplayer.seating_draw import SeatingDraw, draw_large_seating


@pytest.mark.parametrize("by_age", [True, False])
@pytest.mark.parametrize("moves", [True, False])
@pytest.mark.parametrize("rules", BOOKS)
def test_what_is_said_of_many_holds_whatever_counts(
    rules: str, moves: bool, by_age: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With labels in every field, so that something is left to minimise where seats do not count; and with
    short sight, so that tables that nobody looks at matter."""
    monkeypatch.setattr(lower_bound, "REACHES", (0, 1))
    proved = 0
    for number in range(60):
        random = Random(f"house/{rules}/{number}")
        seating = as_engine(a_field(random, rules, random.choice([7, 8, 9, 10, 11])))
        clubs = random.choice(["abc", "abcdefgh"])
        labels = tuple((random.choice(clubs),) for _ in range(seating.size))
        seating = replace(seating, labels=labels, by_age=by_age, moves=moves)
        best = seating.cost(SeatingDraw(seating).draw_tables(Stream("x", "best")))
        found = draw_large_seating(seating, Stream("x", "many"))
        assert found.cost == seating.cost(found.tables)
        assert found.bound <= best <= found.cost, number
        assert not found.optimal or found.cost == best
        proved += found.optimal
    assert proved > 5


def test_a_book_that_counts_rematches_alike_and_no_seats(tmp_path: Path) -> None:
    (tmp_path / "alike.toml").write_text(
        'id = "alike"\nbase = "allegiance-2005"\ntitle = "Alike"\n'
        '[pairing]\nminimise = ["rematches", "apart"]\nnewest_first = false\n'
    )
    file = an_event(Random("alike"), "allegiance-2005", 9, 3) | {"rules": "alike.toml"}
    answer = topcut("pair", str(write(file, tmp_path / "cup.json")), "--seed", "x", "--json")
    assert (answer.code, '"displacement": 0' in answer.out) == (0, True)
    assert "rematches_by_round" not in answer.out
