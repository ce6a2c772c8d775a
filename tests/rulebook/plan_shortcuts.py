"""Plans, and refusals of plans, in one line each."""

from typing import Any

import pytest

from topcut.errors import BadInput, Impossible
from topcut.rulebook import load
from topcut.rulebook.planning.divisions import DivisionsPlan, plan_divisions
from topcut.rulebook.planning.plan import EventPlan, Wishes, plan_event

PK = "pokemon-2017"


def planned(rules: str, players: int, **wishes: Any) -> EventPlan:
    return plan_event(load(rules), players, Wishes(**wishes))


def divided(*players: int, **wishes: Any) -> DivisionsPlan:
    return plan_divisions(load(PK), players, Wishes(**wishes))


def refusal(rules: str, players: int, **wishes: Any) -> str:
    """What the rules say against it."""
    with pytest.raises(Impossible) as refused:
        planned(rules, players, **wishes)
    return str(refused.value)


def mistake(rules: str, players: int, **wishes: Any) -> str:
    """What makes no sense in it."""
    with pytest.raises(BadInput) as found:
        planned(rules, players, **wishes)
    return str(found.value)
