"""Events from the first round to the last through event files, as somebody at a desk would run them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests.command_line import topcut
from tests.pairing.multiplayer.random_table_events import before, played
from tests.pairing.multiplayer.seating_oracle import Field, Table, cost_in, field_of, judged, seating_of
from tests.pairing.random_swiss_events import Answer, File, active

NAMED = 8
"""Pairs that a warning lists before it says how many more there are."""


def run(command: str, file: File, *arguments: str) -> tuple[int, Any, str]:
    answer = topcut(command, "-", "--json", *arguments, stdin=json.dumps(file).encode())
    return answer.code, json.loads(answer.out), answer.err


def desk(random: Random, file: File, rounds: int, drops: float = 0) -> Iterator[tuple[File, Answer]]:
    """Pair, report, pair again: answers are copied with their reasons and their seeds."""
    for number in range(1, rounds + 1):
        code, answer, err = run("pair", file, "--seed", f"{random.random()}")
        assert code == 0
        assert err == "".join(f"topcut: warning: {warning}\n" for warning in answer["warnings"])
        yield file, answer
        tables = [{**table, **played(random, file["rules"], table["players"])} for table in answer["tables"]]
        file["rounds"].append({"seed": answer["seed"], "tables": tables})
        for player in file["players"]:
            if player["id"] in active(file) and len(active(file)) > 6 and random.random() < drops:
                player["dropped"] = number


def repeated(field: Field, table: Table) -> dict[Table, set[int]]:
    """The pairs at a table that have met, with the rounds in which they did."""
    last = len(field.met)
    pairs = {frozenset(pair): set[int]() for pair in combinations(table, 2)}
    for back, met in enumerate(field.met):
        for pair in pairs.keys() & met:
            pairs[pair].add(last - back)
    return {pair: rounds for pair, rounds in pairs.items() if rounds}


def named(text: str) -> list[tuple[Table, set[int]]]:
    """The pairs that a text names, with their rounds."""
    found = re.findall(r"(p\d+) and (p\d+) \(rounds? ([\d, and]+)\)", text)
    return [(frozenset((a, b)), {int(number) for number in re.findall(r"\d+", when)}) for a, b, when in found]


@pytest.mark.parametrize(("rules", "size"), [("allegiance-2005", 9), ("commander-4", 9), ("commander-4", 10)])
def test_eight_rounds_of_nine_or_ten_players(rules: str, size: int) -> None:
    """Every round is the best there is; whoever meets again is named with the rounds in which they met."""
    file = before(rules, size)
    again = 0
    for now, answer in desk(Random(f"eight/{rules}/{size}"), file, 8):
        field = field_of(now)
        best = judged(field)
        assert sorted(player_id for table in answer["tables"] for player_id in table["players"]) == sorted(
            field.order
        )
        assert cost_in(answer) == best.cost  # so also: none of the newest round where that can be avoided
        assert frozenset(seating_of(answer)) in best.tables
        everywhere: dict[Table, set[int]] = {}
        for table in answer["tables"]:
            pairs = repeated(field, frozenset(table["players"]))
            everywhere |= pairs
            said = [reason for reason in table["why"] if reason.startswith("rematch of ")]
            assert len(said) == len(pairs)
            assert all(reason.endswith(": it could not be avoided") for reason in said)
            assert dict(pair for reason in said for pair in named(reason)) == pairs
        again += bool(everywhere)
        check_warnings(answer["warnings"], everywhere)
    assert again >= 3
    code, verdict, _ = run("check", file)
    assert (code, verdict["ok"]) == (0, True)
    for found in verdict["rounds"]:
        assert (found["legal"], found["optimal"], found["replayed"]) == (True, True, True)
        assert (found["cost"], found["problems"]) == (found["best"], [])


def check_warnings(warnings: list[str], pairs: dict[Table, set[int]]) -> None:
    """One warning if anybody meets again: how many pairs, the first of them by name, and by which rule."""
    if not pairs:
        assert warnings == []
        return
    (warning,) = warnings
    number = "A rematch" if len(pairs) == 1 else f"{len(pairs)} rematches"
    assert warning.startswith(f"{number} cannot be avoided: ")
    listed = named(warning)
    assert len(listed) == min(NAMED, len(pairs))
    assert dict(listed).items() <= pairs.items()
    assert (f"; {len(pairs) - NAMED} more (" in warning) is (len(pairs) > NAMED)


@pytest.mark.parametrize(
    ("rules", "size"), [("allegiance-2005", 17), ("commander-4", 22), ("commander-4", 37)]
)
def test_events_with_drops_are_in_order_and_replay(rules: str, size: int) -> None:
    file = before(rules, size)
    for now, answer in desk(Random(f"drops/{rules}/{size}"), file, 4, drops=0.05):
        assert sorted(player_id for table in answer["tables"] for player_id in table["players"]) == sorted(
            active(now)
        )
    assert len(active(file)) < size
    code, verdict, _ = run("check", file)
    assert code == 0
    assert [found["replayed"] for found in verdict["rounds"]] == [True] * 4
    assert all(found["legal"] and found["cost"] == found["best"] for found in verdict["rounds"])
