"""Apply a fact to a state: the next state comes back.

    state = apply_logged(state, logged, private)

A fact that does not fit the state is an `UnfitFact`: that is how it shows that a step cannot be undone
alone, or that a log was put together by hand.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from topcut.event import facts
from topcut.event.apply import players, rounds
from topcut.event.apply.context import FactContext, Private, UnfitFact, apply, check_options_fit
from topcut.event.log_chain import Logged
from topcut.event.state import State
from topcut.rulebook.loader import thaw_book
from topcut.rulebook.options import apply_options

__all__ = ["UnfitFact", "apply", "apply_all", "apply_logged", "players", "rounds"]


def apply_logged(state: State | None, logged: Logged, private: Private) -> State:
    """Return the state after one more fact of the log."""
    if state is None:
        return _create_state(logged)
    if state.finished and not logged.fact.after_finish:
        raise UnfitFact("the event is finished", logged.position)
    try:
        after = apply(logged.fact, state, FactContext(logged.at, logged.by, private))
    except UnfitFact as error:
        raise (error if error.position else UnfitFact(error.problem, logged.position)) from None
    return replace(after, last=logged.at)


def _create_state(logged: Logged) -> State:
    fact = logged.fact
    if not isinstance(fact, facts.Created):
        raise UnfitFact("expected the creation of an event", logged.position)
    book = thaw_book(fact.book)
    check_options_fit(fact.options, 0, book)
    return State(
        name=fact.name,
        book=apply_options(book, fact.options),
        options=fact.options,
        commitment=fact.commitment,
        kept_months=fact.kept_months,
        first_table=fact.first_table,
        created=logged.at,
        last=logged.at,
    )


def apply_all(state: State, happened: Iterable[facts.AnyFact], now: FactContext) -> State:
    """Return the state after facts that are about to be written."""
    for fact in happened:
        state = apply(fact, state, now)
    return state
