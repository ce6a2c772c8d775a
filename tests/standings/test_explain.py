"""Explanations: everything that enters a value is there, and every sum that is printed is true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import ids_in_order, played, standings
from tests.one_player_events import record
from tests.standings.random_results import Event as MadeUp
from tests.standings.random_results import book, events
from tests.standings.random_results import standings as made_up_standings
from topcut.rulebook.tiebreak_keys import ValueKey
from topcut.standings import Standings
from topcut.standings.exact_values import ExactValues
from topcut.standings.explain import explain_standing

FOR_TWO = ["draft-sheet", "pokemon-2017", "pokemon-tom", "dci-1999", "mtr", "fab-gem"]

NUMBER = r"-?\d+(?:/\d+)?"
"""1/3 without spaces is one number; with spaces, a division."""
SUM = re.compile(rf"\(?{NUMBER}\)?(?: (?:\+|/|x|of) \(?{NUMBER}\)?)*")

READINGS = re.compile(r" \([A-Z]+-A\d+(?:, [A-Z]+-A\d+)*\)")
"""The numbers of readings behind what they decided."""


def sections(lines: list[str]) -> dict[str, list[str]]:
    """Key → the lines of its arithmetic."""
    found: dict[str, list[str]] = {}
    key = ""
    for line in lines:
        if heading := re.match(r"[^ ].* \((\w+); .*\)(?:, lower is better)?$", line):
            found[key := heading[1]] = []
        elif line.startswith("  ") and key:
            found[key].append(READINGS.sub("", line.strip()))
        else:
            key = ""
    return found


def calculated(text: str) -> Fraction:
    """The value of a sum as people write it."""
    if text in ("no games", "nothing played"):
        return Fraction(0)
    assert SUM.fullmatch(text), f"cannot read {text!r}"
    python = re.sub(NUMBER, lambda number: f"Fraction('{number[0]}')", text)
    python = python.replace(" of ", " / ").replace(" x ", " * ")
    value = eval(python, {"Fraction": Fraction})
    assert isinstance(value, Fraction)
    return value


def claims(line: str) -> Iterator[tuple[str, str]]:
    """(left, right) of every `=` in a line: a sum, and what it is said to be."""
    plain = re.sub(r" \((?:minimum|maximum)\)", "", line)
    plain = re.sub(r"(\S+) points in (\d+) games?", r"\1 of \2", plain)
    for part in re.split(r"[:;] |, counts as |game points |^so |^(?:yes|no) = ", plain):
        texts = part.split(" = ")
        yield from pairwise(texts)


def assert_true(line: str) -> None:
    for left, right in claims(line):
        value = calculated(left)
        if re.fullmatch(NUMBER, right):
            assert value == Fraction(right), line
        else:
            printed = Decimal(right.removesuffix("%"))
            shown = Fraction(printed) / (100 if right.endswith("%") else 1)
            digits = -int(printed.as_tuple().exponent) + (2 if right.endswith("%") else 0)
            assert abs(shown - value) <= Fraction(1, 2 * 10**digits), line


def counted(line: str) -> Fraction:
    """What one opponent counts for, by their line."""
    if limited := re.search(rf"counts as ({NUMBER}) \((?:minimum|maximum)\)$", line):
        return Fraction(limited[1])
    last = re.search(rf"({NUMBER})(?: at this table)?$", line)
    return Fraction(last[1]) if last else Fraction(0)  # nothing played


def check(found: Standings, player: int) -> None:
    """Hold all of one player's explanation against the standings."""
    history = found.history
    by_key = sections(explain_standing(found, player))
    value_keys = [key for key in found.book.chain if isinstance(key, ValueKey)]
    assert list(by_key) == [key.key for key in value_keys]
    exact = ExactValues(history, found.book)
    for key in value_keys:
        lines = by_key[key.key]
        last = exact.frozen_after(key, player)
        if last is not None:
            moment = f"after round {last}" if last else "before round 1"
            frozen, *lines = lines
            assert frozen.startswith(f"frozen {moment}, when {history.players[player].shown_name} ")
        lines = [re.sub(r" \(own value: \S+, frozen [^)]+\)", "", line) for line in lines]
        for line in lines:
            assert_true(line)
        value = found.value(key.key, player)
        *of_opponents, total = lines
        if key.of == "self":
            nothing = value == 0 and total.startswith(("no games", "nothing played"))
            assert nothing or re.search(rf"(?:= |: |so |counts as ){value}(?: |$)", total), (
                key.key,
                value,
                lines,
            )
            continue
        met = history.met(player)
        if not met:
            assert lines[0].startswith(f"no opponents: {value}")
            continue
        who = [f"round {r + 1} {history.players[opponent].shown_name}: " for r, opponent in met]
        assert [line.partition(": ")[0] + ": " for line in of_opponents] == who
        terms = [counted(line) for line in of_opponents]
        then = exact.values_for(key, player)
        assert terms == [part.counted for part in then.contributions(key, player)]
        sum_of = " + ".join(map(str, terms))
        expected = f"({sum_of}) / {len(terms)}" if key.aggregate == "mean" else sum_of
        assert total.startswith(f"{expected} = {value}")


@pytest.mark.parametrize("rules", FOR_TWO)
@given(event=events(), data=st.data())
def test_every_sum_is_true(rules: str, event: MadeUp, data: st.DataObject) -> None:
    found = made_up_standings(event, book(rules))
    if found.history.size:
        check(found, data.draw(st.integers(0, found.history.size - 1)))


@given(event=events("scores"), data=st.data())
def test_every_sum_is_true_at_larger_tables(event: MadeUp, data: st.DataObject) -> None:
    found = made_up_standings(event, book("allegiance-2005"))
    if found.history.size:
        check(found, data.draw(st.integers(0, found.history.size - 1)))


@pytest.mark.parametrize(
    ("rules", "readings"),
    [
        ("draft-sheet", {"DS-A4": "b"}),
        ("draft-sheet", {"DS-A7": "c"}),
        ("pokemon-2017", {"PK-A3": "c", "PK-A4": "b"}),
        ("fab-gem", {"FB-A1": "a"}),
        ("fab-gem", {"FB-A5": "b", "FB-A6": "b"}),
        ("dci-1999", {"DC-A11": "b"}),
    ],
)
def test_every_sum_is_true_under_other_readings(rules: str, readings: dict[str, str]) -> None:
    event = played(
        rules,
        *("A 2-0 B, C 1-1-1 D, E bye", "A beats C, B loss, D both-lose E", "A ties D, C 1-0 E, F bye"),
        dropped={"B": 2},
        entered={"F": 3},
        readings=readings,
    )
    for player in range(6):
        check(standings(event), player)


@pytest.mark.parametrize("letter", "abc")
def test_every_sum_is_true_for_all_scores_of_opponents(letter: str) -> None:
    event = played(
        "allegiance-2005", "a:20* b:7 c:9x, d:3 e:-4 f:5 g:6", "a:1 d:2 e:3", readings={"AL-A5": letter}
    )
    for player in range(7):
        check(standings(event), player)


def explained(found: Standings, player_id: str) -> str:
    return "\n".join(explain_standing(found, found.history.index[player_id]))


def test_a_false_sum_would_be_noticed() -> None:
    """The test above can fail."""
    for line in (
        "(1/3 + 1) / 2 = 1/3 = 33.33%",
        "3 + 0 = 4",
        "3 of 9 = 1/2",
        "1/4 x 1 + 1 = 1",
        "2/3 = 66.66%",
    ):
        with pytest.raises(AssertionError):
            assert_true(line)
    for line in ("(1/3 + 1) / 2 = 2/3 = 66.67%", "round 1 Ada: game points 3 of 9 = 1/3", "5/4 / 9/4 = 5/9"):
        assert_true(line)


def test_a_floor_is_shown_as_a_floor() -> None:
    event = record("pokemon-2017", "LLLLL")
    assert "round 1 P: 0 of 5 = 0, counts as 1/4 (minimum)\n  (1/4) / 1 = 1/4 = 25.00%" in explained(
        standings(event), "O1"
    )


def test_a_cap_is_shown_as_a_cap() -> None:
    event = record("pokemon-2017", "WW", rounds=3, left="dropped")
    assert "round 1 P: 2 of 2 = 1, counts as 3/4 (maximum)\n  (3/4) / 1 = 3/4 = 75.00%" in explained(
        standings(event), "O1"
    )


def test_a_value_within_the_limits_names_none() -> None:
    text = explained(standings(record("pokemon-2017", "WLWL")), "O1")
    assert "round 1 P: 2 of 4 = 1/2\n" in text
    assert "minimum" not in text
    assert "maximum" not in text


def test_the_floor_of_a_players_own_games() -> None:
    text = explained(standings(played("mtr", "A 2-0 B")), "B")
    assert "game points 0 of 6 = 0, counts as 1/3 (minimum) = 33.33%" in text


def test_the_rounds_are_told() -> None:
    event = played(
        "mtr",
        *("P 2-1 a", "P 0-2 b", "P 1-1-1 c", "P both-lose d", "P bye", "P loss", "a beats b"),
        entered={"Q": 3},
        players="P Q",
        dropped={"P": 6},
    )
    found = standings(event)
    assert explained(found, "P").splitlines()[2:9] == [
        "  round 1: beat a 2-1",
        "  round 2: lost to b 0-2",
        "  round 3: drew with c 1-1-1",
        "  round 4: double loss with d",
        "  round 5: bye",
        "  round 6: loss without an opponent",
        "  round 7: had left",
    ]
    assert explained(found, "Q").splitlines()[2:5] == [
        "  round 1: missed (a loss)",
        "  round 2: missed (a loss)",
        "  round 3: did not play",
    ]


def test_the_key_that_decides_between_neighbours_is_named() -> None:
    """A and C are level in all but games; D has met a better opponent than B."""
    found = standings(played("mtr", "A 2-0 B, C 2-1 D, E 2-1 F"))
    assert ids_in_order(found) == ["A", "C", "E", "B", "D", "F"]
    assert (
        explained(found, "A").splitlines()[-1] == "Above C by Game-win %: 1 (100.00%) against 2/3 (66.67%)."
    )
    assert explained(found, "C").splitlines()[-2:] == [
        "Below A by Game-win %: 2/3 (66.67%) against 1 (100.00%).",
        "Tied with E on every tiebreaker.",
    ]


def test_a_lot_is_named_with_its_seed() -> None:
    found = standings(played("fab-gem", "A beats B, C beats D"), seed="autumn")
    first, second, *_ = ids_in_order(found)
    for me, other in ((first, second), (second, first)):
        last = next(
            line for line in explained(found, me).splitlines() if f" {other} by Random draw: " in line
        )
        assert '"autumn"' in last


def test_who_was_taken_out_of_the_standings_is_told_so() -> None:
    found = standings(played("mtr", "A 2-0 B", disqualified={"B": 1}))
    assert explained(found, "B").splitlines()[0] == "B: disqualified; not in the standings after round 1"
    assert "1 of 1" in explained(found, "A").splitlines()[0]


def test_who_met_nobody_is_told_so() -> None:
    text = explained(standings(record("fab-gem", "BB")), "P")
    assert "  no opponents: 1 = 100.00% (FB-A6)\n" in text
    assert "  no opponents: 0 = 0.0000 (FB-A6)\n" in text
