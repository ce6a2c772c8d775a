"""Rounds of six to ten players against every other seating there is (AL-16)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.pairing.multiplayer.random_table_events import an_event
from tests.pairing.multiplayer.seating_oracle import (
    BOOKS,
    cost_in,
    field_of,
    judged,
    number_of_seatings,
    seating_of,
)
from tests.pairing.random_swiss_events import active, answered
from tests.tiers import effort

EVENTS = effort(180, 180, 3000)


@pytest.mark.parametrize("rules", BOOKS)
def test_nothing_costs_less_than_the_answer(rules: str) -> None:
    """Among them rounds of every kind: each sort is counted, so that none goes missing unnoticed."""
    seen: Counter[str] = Counter()
    for number in range(EVENTS):
        random = Random(f"optimal/{rules}/{number}")
        size, rounds = random.randint(6, 10), random.choice([1, 1, 1, 2, 2, 3, 4, 5, 6])
        file = an_event(random, rules, size, rounds)
        field, answer = field_of(file), answered(file, f"{number}")
        best = judged(field)
        seating = seating_of(answer)
        at = (rules, number)
        assert field.cost(seating) == best.cost, at
        assert cost_in(answer) == best.cost, at
        assert frozenset(seating) in best.tables, at
        assert (answer["optimal"], answer["uniform"]) == (True, "exact"), at
        assert answer["certificate"] == {
            "kind": "exhaustive",
            "seatings": number_of_seatings(field.sizes),
            "optimal": len(best.seatings),
            "bound": {
                "rematches": sum(best.cost[:-2]),
                "displacement": best.cost[-2],
                "apart": best.cost[-1],
            },
        }, at
        left = {player["id"] for player in file["players"]} - set(active(file))
        seen["no repeated pair"] += not any(best.cost[:-2])
        seen["repeated pairs, none of the newest round"] += any(best.cost[:-2]) and not best.cost[0]
        seen["repeated pairs of the newest round"] += best.cost[0] > 0
        seen["moved"] += best.cost[-2] > 0
        seen["nobody moved"] += best.cost[-2] == 0
        seen["a label shared"] += best.cost[-1] > 0
        seen["labels, all apart"] += best.cost[-1] == 0 and any(field.labels.values())
        seen["several choices"] += len(best.tables) > 1
        seen["one choice"] += len(best.tables) == 1
        seen["places shared"] += any(first < last for first, last in field.places.values())
        seen["somebody left"] += bool(left)
        seen["somebody late"] += any(player.get("entered", 1) > 1 for player in file["players"])
        seen[f"{size} players"] += 1
    assert len(seen) == 17
    assert min(seen.values()) >= EVENTS / 30, seen


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("size", [11, 12])
def test_a_few_more_players(rules: str, size: int) -> None:
    """Four tables, or three of which two are larger."""
    for number in range(effort(2, 4, 20)):
        file = an_event(Random(f"more/{rules}/{size}/{number}"), rules, size, 2 + number % 2)
        field, answer = field_of(file), answered(file, f"{number}")
        best = judged(field)
        assert cost_in(answer) == field.cost(seating_of(answer)) == best.cost
        assert answer["certificate"]["optimal"] == len(best.seatings)
