"""From one state to the next by one fact.

    state = evolve(state, logged, private)

A fact that does not fit the state is a `Misfit`: that is how it shows that a step cannot be taken back
alone, or that a log was put together by hand.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from topcut.event import evolve_players, evolve_rounds, evolve_taken, facts  # what kinds of facts do
from topcut.event.applying import Misfit, Now, Private, apply, check_plan
from topcut.event.log import Logged
from topcut.event.state import State
from topcut.rulebook.frozen import thawed
from topcut.rulebook.options import as_played

__all__ = ["Misfit", "after_all", "apply", "evolve", "evolve_players", "evolve_rounds", "evolve_taken"]

_AFTERWARDS = (facts.Reopened, facts.Purged, facts.Forgotten, facts.PlayerEdited)
"""What can still happen to an event that is finished."""


def evolve(state: State | None, logged: Logged, private: Private) -> State:
    """The state after one more fact."""
    if state is None:
        return _created(logged)
    if state.finished and not isinstance(logged.fact, _AFTERWARDS):
        raise Misfit("the event is finished", logged.position)
    try:
        after = apply(logged.fact, state, Now(logged.at, logged.by, private))
    except Misfit as misfit:
        raise (misfit if misfit.position else Misfit(misfit.problem, logged.position)) from None
    return replace(after, last=logged.at)


def _created(logged: Logged) -> State:
    fact = logged.fact
    if not isinstance(fact, facts.Created):
        raise Misfit("expected the creation of an event", logged.position)
    book = thawed(fact.book)
    check_plan(fact.options, 0, book)
    return State(
        name=fact.name,
        book=as_played(book, fact.options),
        options=fact.options,
        commitment=fact.commitment,
        kept_months=fact.kept_months,
        first_table=fact.first_table,
        created=logged.at,
        last=logged.at,
    )


def after_all(state: State, happened: Iterable[facts.AnyFact], now: Now) -> State:
    """The state after facts that are about to be written."""
    for fact in happened:
        state = apply(fact, state, now)
    return state
