"""The steps that an event offers are possible: each of them is tried, and nothing comes of it."""

from __future__ import annotations

from collections import Counter

from tests.event.event_runner import Running
from tests.event.reference_model import Model, outcome
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.decide.dispatch import decide
from topcut.event.next_steps import ALLOWING, Step, find_next_steps


def goes_on(event: Running, model: Model, seen: Counter[str]) -> None:
    """Each step that is offered can be done; none is offered once the event is finished, and then only."""
    state = event.state
    steps = find_next_steps(state)
    assert bool(steps) != bool(state.finished)
    for step in steps:
        seen[f"offered: {step}"] += 1
        decide(event.log, _command(event, model, step), event.context())


def _command(event: Running, model: Model, step: Step) -> c.AnyCommand:
    if step == "report":
        table = event.round.missing[0]
        assert isinstance(table.table, int)
        return c.Report(table=table.table, result=_any_result(model, table.players))
    commands: dict[Step, c.AnyCommand] = {
        "pair": c.Pair(),
        "publish": c.Publish(),
        "start": c.Start(),
        "end": c.End(),
        "finish": c.Finish(),
        "add": c.Register(name="NAME"),
        "drop": c.Drop(player=next(iter(event.state.players), "")),
        "check in": c.CheckIn(),
        "begin draft": c.BeginDraft(),
        "end draft": c.EndDraft(),
        **{allowing: c.Pair(allow=what, reason="why") for what, allowing in ALLOWING.items()},
    }
    return commands[step]


def _any_result(model: Model, players: tuple[str, ...]) -> f.Result:
    found = (outcome(model.rules, players, True, n) for n in range(40))
    return next(result for result, quality in found if quality == "good")
