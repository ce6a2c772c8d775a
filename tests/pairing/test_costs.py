"""The list of cost components, from which everything else about costs follows."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args, get_type_hints

import numpy as np
import pytest

from tests.pairing.pairing_oracle import KEYS
from topcut.lots import Stream
from topcut.pairing.engine import costs, swiss
from topcut.pairing.engine.costs import AT_TWO, COMPONENTS, CostComponent
from topcut.pairing.engine.field import Field, Rules
from topcut.pairing.engine.swiss import FieldDraw
from topcut.rulebook.model import PairingRules
from topcut.text.messages import say


def test_books_may_name_exactly_the_components_in_the_list() -> None:
    names, _ = get_args(get_type_hints(PairingRules)["minimise"])
    assert get_args(names) == tuple(component.name for component in COMPONENTS)


def test_tables_of_two_are_costed_by_all_but_the_displacement() -> None:
    assert tuple(component.name for component in AT_TWO) == KEYS


@pytest.mark.parametrize("size", [8, 14])
def test_a_component_more_is_minimised_wherever_fields_are_paired(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An invented one, that no two neighbours by number sit together; players have no points."""

    one_more = CostComponent(
        "neighbours",
        lambda paid, best: say("{paid} neighbours, {best} possible", paid=paid, best=best),
        total=lambda field, first, second, alone: int((abs(first - second) == 1).sum()),
        matrix=lambda field: abs(field.players[:, None] - field.players) == 1,
        by_groups=False,
    )
    more = (*COMPONENTS, one_more)
    monkeypatch.setattr(costs, "AT_TWO", (*AT_TWO, one_more))
    monkeypatch.setattr(swiss, "AT_TWO", (*AT_TWO, one_more))
    monkeypatch.setattr(costs, "BY_NAME", {component.name: component for component in more})
    nothing = np.zeros(size, np.int64)
    field = Field(np.arange(size), nothing, np.zeros((0, size), np.int32), nothing, nothing)
    for seed in range(20):
        drawn = FieldDraw(field).draw(Stream(f"{seed}", "neighbours"))
        assert (drawn.cost["neighbours"], drawn.optimal) == (0, True)
    unasked = replace(field, rules=Rules(ignored=frozenset({"neighbours"})))
    drawn_tables = [FieldDraw(unasked).draw(Stream(f"{seed}", "neighbours")).tables for seed in range(20)]
    assert any((abs(tables[:, 0] - tables[:, 1]) == 1).any() for tables in drawn_tables)
