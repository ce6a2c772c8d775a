"""Every command is decided somewhere; every fact is applied and has a sentence in the log."""

from __future__ import annotations

import ast
import inspect

import pytest

from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.apply.context import apply
from topcut.event.decide.dispatch import handle
from topcut.event.describe import log_sentences


@pytest.mark.parametrize("kind", c.COMMANDS)
def test_every_command_is_decided(kind: type[c.Command]) -> None:
    assert handle.dispatch(kind) is not handle.dispatch(object)


@pytest.mark.parametrize("kind", sorted(set(f.FACTS) - {f.Created, f.Undone, f.Redone}, key=str))
def test_every_fact_does_something_to_a_state(kind: type[f.Fact]) -> None:
    assert apply.dispatch(kind) is not apply.dispatch(object)


@pytest.mark.parametrize("kind", f.FACTS)
def test_every_fact_has_a_sentence(kind: type[f.Fact]) -> None:
    patterns = ast.walk(ast.parse(inspect.getsource(log_sentences.LogNarrator).strip()))
    told = {ast.unparse(pattern.cls) for pattern in patterns if isinstance(pattern, ast.MatchClass)}
    assert f"f.{kind.__name__}" in told
