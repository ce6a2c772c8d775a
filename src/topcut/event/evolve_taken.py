"""What it does to a state that an event was taken over from a file."""

from __future__ import annotations

from msgspec.structs import replace

from topcut.event import facts as f
from topcut.event.applying import (
    DRAWN,
    TAKEN,
    Misfit,
    Now,
    apply,
    check_plan,
    check_present,
    check_tables,
    given,
)
from topcut.event.state import Clock, Phase, RoundOf, State
from topcut.history.model import Round


@apply.register
def on_taken_over(fact: f.TakenOver, state: State, now: Now) -> State:
    if state.rounds or state.source:
        raise Misfit("an event can be taken over only when it is made")
    check_plan(state.options, sum(a_round.stage == "swiss" for a_round in fact.rounds), state.book)
    state = given(state, fact.drawn, DRAWN | TAKEN)
    for number, played in enumerate(fact.rounds, start=1):
        check_tables(state, played.tables)
        a_round = RoundOf(
            number=number,
            stage=played.stage,
            seed=played.seed or "",
            attempt=0,
            lots=fact.seed,
            format=played.format,
            tables=played.tables,
            phase=phase_of(played, number == len(fact.rounds)),
            as_drawn=played.seed is not None,
            paired=now.at,
            published=now.at,
        )
        if a_round.missing and number < len(fact.rounds):
            raise Misfit(f"round {number} has tables that are not reported")
        check_present(state, a_round)
        clock = Clock(started=now.at) if a_round.phase == "started" else None
        state = replace(state, rounds=(*state.rounds, replace(a_round, clock=clock)))
    return replace(state, source=fact.source, original=fact.original)


def phase_of(played: Round, last: bool) -> Phase:
    """How far a round is: over, being played, or posted and not begun."""
    missing = [table for table in played.tables if not table.reported]
    if not missing or not last:
        return "ended"
    begun = any(table.reported for table in played.tables if len(table.players) > 1)
    return "started" if begun else "published"
