"""What holds for every event at tables of three and four (spec 7)."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pairing.multiplayer.random_table_events import an_event, before
from tests.pairing.multiplayer.seating_oracle import BOOKS, PREFERRED, cost_in, field_of, judged, sizes_for
from tests.pairing.random_swiss_events import File, active, answered
from topcut.errors import Impossible

rulesets = st.sampled_from(BOOKS)
randoms = st.randoms(use_true_random=False)


@st.composite
def events(draw: st.DrawFn, most: int = 20) -> File:
    random = draw(randoms)
    return an_event(random, draw(rulesets), draw(st.integers(6, most)), draw(st.integers(0, 4)))


@given(rules=rulesets, players=st.integers(3, 200))
def test_everybody_has_a_seat_and_tables_are_as_many_as_the_rule_says(rules: str, players: int) -> None:
    file = before(rules, players)
    if players == 5:
        with pytest.raises(Impossible, match="5 players cannot be seated"):
            answered(file, "x")
        return
    tables = [table["players"] for table in answered(file, "x")["tables"]]
    assert Counter(player_id for table in tables for player_id in table) == Counter(
        p["id"] for p in file["players"]
    )
    sizes = Counter(map(len, tables))
    assert set(sizes) <= {3, 4}
    assert tuple(map(len, tables)) == sizes_for(PREFERRED[rules], players)
    if rules == "allegiance-2005":
        assert sizes[4] == players % 3  # AL-3


@pytest.mark.parametrize("rules", BOOKS)
def test_five_are_refused_whatever_happened_before(rules: str) -> None:
    file = an_event(Random("five"), rules, 6, 2)
    next(player for player in file["players"] if player["id"] in active(file))["dropped"] = 2
    assert len(active(file)) == 5
    with pytest.raises(Impossible, match="5 players cannot be seated"):
        answered(file, "x")


@given(file=events())
def test_everybody_who_takes_part_sits_once_and_nobody_else(file: File) -> None:
    answer = answered(file, "x")
    seated = Counter(player_id for table in answer["tables"] for player_id in table["players"])
    assert seated == Counter(active(file))
    assert [table["table"] for table in answer["tables"]] == [*range(1, len(answer["tables"]) + 1)]
    assert not any("bye" in table for table in answer["tables"])
    assert answer["round"] == len(file["rounds"]) + 1


@given(file=events(most=9))
def test_nobody_meets_again_who_need_not(file: File) -> None:
    """As few as any seating has, from the newest round to the oldest."""
    repeats = cost_in(answered(file, "x"))[:-2]
    assert repeats == judged(field_of(file)).cost[:-2]


@given(file=events(), random=randoms)
def test_the_order_of_the_file_does_not_matter(file: File, random: Random) -> None:
    assert answered(shuffled(file, random), "x") == answered(file, "x")


def shuffled(file: File, random: Random) -> File:
    """The same event, written down in another order: players, tables, players at tables, labels."""
    other = deepcopy(file)
    random.shuffle(other["players"])
    for player in other["players"]:
        random.shuffle(player.get("apart", []))
    for played in other["rounds"]:
        random.shuffle(played["tables"])
        for table in played["tables"]:
            order = random.sample(range(len(table["players"])), len(table["players"]))
            for key in ("players", "scores"):
                if key in table:
                    table[key] = [table[key][seat] for seat in order]
    return other


def test_a_shuffled_file_is_another_file() -> None:
    """Lest the test above compares like with like."""
    file = an_event(Random("file"), "allegiance-2005", 9, 3)
    assert shuffled(file, Random("other")) != file


@given(file=events(most=18), seed=st.text(max_size=8))
def test_the_same_seed_gives_the_same_answer(file: File, seed: str) -> None:
    first = answered(file, seed)
    assert answered(file, seed) == first
    assert first["seed"] == seed


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("size", [9, 20])
def test_another_seed_gives_other_tables(rules: str, size: int) -> None:
    found = {str(answered(before(rules, size), f"{seed}")["tables"]) for seed in range(20)}
    assert len(found) == 20


@given(file=events(most=12), names=st.permutations(range(12)))
def test_other_names_cost_the_same(file: File, names: list[int]) -> None:
    """Lots are drawn for ids, but what can be reached does not depend on what people are called."""
    other: dict[str, str] = {
        player["id"]: f"q{names[at % 12]:02}/{at // 12}" for at, player in enumerate(file["players"])
    }
    costs = [answered(one, "x")["cost"] for one in (file, renamed(file, other))]
    for cost in costs:
        del cost["score_gap_squared"]  # not minimised
    assert costs[0] == costs[1]


def renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value
