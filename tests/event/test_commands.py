"""Every command is decided somewhere, and every fact is applied."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

from topcut.event import commands, decide, facts
from topcut.event.deciding import handle
from topcut.event.evolve import apply


def test_every_command_has_a_module_that_decides_it() -> None:
    kinds = set(get_args(commands.AnyCommand))
    assert set(decide.HOME_OF) == kinds
    for home in set(decide.HOME_OF.values()):
        import_module(f"topcut.event.{home}")
    assert [kind for kind in kinds if handle.dispatch(kind) is handle.dispatch(object)] == []


def test_every_fact_does_something_to_a_state() -> None:
    by_the_journal = {facts.Created, facts.Undone, facts.Redone}
    kinds = set(get_args(facts.AnyFact)) - by_the_journal
    assert [kind for kind in kinds if apply.dispatch(kind) is apply.dispatch(object)] == []
