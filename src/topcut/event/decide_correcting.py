"""What becomes of a correction: until when it is possible, and what becomes of a round that builds on it."""

from __future__ import annotations

from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.answers import settle
from topcut.event.decide_results import checked
from topcut.event.deciding import Desk, handle
from topcut.event.draw import course_of
from topcut.event.refusals import NotNow
from topcut.event.state import State
from topcut.event.window import closed
from topcut.event.words import result_words


@handle.register
def on_correct(command: c.Correct, desk: Desk) -> None:
    state = desk.state
    desk.running()
    a_round = desk.state.numbered(command.round)
    table = desk.table(a_round, command.table, command.players)
    alone = table.table is None
    where = f"table {table.table} of round {a_round.number}"
    if a_round.phase == "draft" and not isinstance(command.table, int):
        raise NotNow(f"round {a_round.number} is not published yet")
    if not table.reported:
        raise NotNow(f"{where} is not reported yet: report it")
    if command.result is None:
        if alone:
            who = state.name_of(table.players[0])
            raise NotNow(f"{who} sits alone in round {a_round.number}: expected a bye or a loss")
        if a_round.phase == "ended":
            raise NotNow(
                f"round {a_round.number} has ended: expected the right result of table {command.table}"
            )
    elif checked(table, command.result, a_round, state) == table:
        has = result_words(table, state.name_of)
        if alone:
            raise NotNow(f"{has} in round {a_round.number} already")
        raise NotNow(f"{where} is reported like that already: {has}")
    shut = closed(state, a_round.number)
    reason = command.reason
    if shut is not None:
        if not command.override:
            raise shut
        reason = desk.reason(reason, f"the record of round {a_round.number} is closed")
    fact = f.Corrected(
        round=a_round.number,
        table=command.table,
        players=table.players,
        result=command.result,
        reason=reason,
        override=shut is not None,
    )
    if state.upcoming is None or state.upcoming.number == a_round.number:
        desk.fact(fact)
    else:
        settle(desk, lambda _: [fact], command.then)
    _bracket_holds(desk.state)


def _bracket_holds(state: State) -> None:
    """Refuse a correction on which a later bracket round does not build any more."""
    if any(a_round.stage == "elimination" for a_round in state.rounds[: state.begun]):
        try:
            _ = course_of(state).brackets
        except (BadInput, Impossible) as error:
            raise NotNow(f"the bracket went on with that result ({error.problem}): undo back to it") from None
