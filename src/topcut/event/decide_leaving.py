"""What becomes of commands about leaving an event, and coming back."""

from __future__ import annotations

from collections.abc import Callable

from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.answers import settle
from topcut.event.deciding import Desk, handle
from topcut.event.draw import course_of
from topcut.event.refusals import AlreadyLeft, NotNow
from topcut.event.state import Entrant, RoundOf
from topcut.history.model import Table

Leaving = Callable[[int], f.Dropped | f.Disqualified]
"""The fact that somebody leaves, by the last round they took part in."""


@handle.register
def on_drop(command: c.Drop, desk: Desk) -> None:
    desk.running()

    def leaving(last: int) -> f.Dropped:
        return f.Dropped(player=command.player, round=last)

    _leave(desk, command.player, command.then, leaving)


@handle.register
def on_disqualify(command: c.Disqualify, desk: Desk) -> None:
    desk.running()
    reason = desk.reason(command.reason, "a disqualification")

    def leaving(last: int) -> f.Disqualified:
        return f.Disqualified(player=command.player, round=last, reason=reason)

    _leave(desk, command.player, command.then, leaving)


def _leave(desk: Desk, player: str, then: c.Then | None, leaving: Leaving) -> None:
    """A player leaves: between rounds, from a round that is up, or from a table (PK-A30, PK-33)."""
    state = desk.state
    entrant = present(desk, player)
    a_round, upcoming = state.round, state.upcoming
    if a_round is None:
        gone = leaving(0)
        desk.fact(f.Removed(player=player) if isinstance(gone, f.Dropped) else gone)
        return
    if a_round.stage == "elimination":
        _leave_bracket(desk, entrant, a_round, leaving)
        return
    if upcoming is None:
        if a_round.phase == "started":
            _lose(desk, entrant, a_round)
        desk.fact(leaving(a_round.number))
        return
    table = upcoming.table_of(player)
    if table is None:  # not in this round: they wait for a later one, or have played all of theirs
        desk.fact(leaving(max(upcoming.number, entrant.player.entered) - 1))
        return

    def base(answer: c.Then) -> list[f.AnyFact]:
        if answer == "leave":
            return _absent(player, table, upcoming, leaving)
        return [leaving(upcoming.number - 1)]

    if table in upcoming.fixed:
        _lose(desk, entrant, upcoming)
        desk.fact(leaving(upcoming.number))
        return
    settle(desk, base, then, leave=upcoming.phase == "published")


def _absent(player: str, table: Table, upcoming: RoundOf, leaving: Leaving) -> list[f.AnyFact]:
    """A posted round stays, without one of its players: the table is lost, a bye is nobody's."""
    if len(table.players) == 1:
        rest = tuple(t for t in upcoming.tables if t is not table)
        return [
            leaving(upcoming.number - 1),
            f.RoundRepaired(round=upcoming.number, tables=rest, changed=()),
        ]
    if len(table.players) > 2 or not isinstance(table.table, int):
        return [leaving(upcoming.number)]
    (other,) = (player_id for player_id in table.players if player_id != player)
    lost = lost_by(table, table.table, upcoming, other)
    return [lost, leaving(upcoming.number)]


def lost_by(table: Table, number: int, a_round: RoundOf, winner: str) -> f.Reported:
    """A table that one of two players has left."""
    result = f.Result(winner=winner)
    return f.Reported(round=a_round.number, table=number, players=table.players, result=result)


def present(desk: Desk, player: str) -> Entrant:
    """A player who has not left."""
    entrant = desk.entrant(player)
    for how, word in (("dropped", "dropped"), ("disqualified", "was disqualified"), ("cut", "was cut")):
        if getattr(entrant.player, how) is not None:
            raise AlreadyLeft(entrant.player.shown_name, word)
    return entrant


def _lose(desk: Desk, entrant: Entrant, a_round: RoundOf) -> None:
    """A table that is not reported yet is lost by whoever leaves it."""
    player, name = entrant.player.id, entrant.player.shown_name
    table = a_round.table_of(player)
    if table is None or table.reported or not isinstance(table.table, int):
        return
    if len(table.players) > 2:
        desk.warn(f"{name} leaves table {table.table} while it plays: report it with what they had")
        return
    (other,) = (player_id for player_id in table.players if player_id != player)
    desk.fact(lost_by(table, table.table, a_round, other))
    desk.say(f"{name} loses table {table.table} of round {a_round.number}.")


def _leave_bracket(desk: Desk, entrant: Entrant, a_round: RoundOf, leaving: Leaving) -> None:
    """Nobody drops from a bracket: the table is lost, whatever its state (PK-33).

    Before the first round of it is published the next in line takes the place (PK-A22).
    """
    player, name = entrant.player.id, entrant.player.shown_name
    # The tables of a draft do not count: in a list of commands, players at them may have left before.
    before = a_round.number if a_round.phase == "draft" else None
    course = course_of(desk.state, before, a_round.seed)
    still = {player_id for bracket in course.brackets for player_id in bracket.play.alive()}
    first = not any(r.stage == "elimination" for r in desk.state.rounds[: a_round.number - 1])
    if player not in still:
        if a_round.phase == "draft" and first:  # they do not want to be next in line
            desk.fact(leaving(a_round.number - 1))
            return
        raise NotNow(f"{name} is not in the bracket any more")
    if a_round.phase == "draft":

        def base(_: c.Then) -> list[f.AnyFact]:
            return [leaving(a_round.number - 1)]

        settle(desk, base, "again", leave=False)
        return
    _lose(desk, entrant, a_round)
    desk.fact(leaving(a_round.number))


@handle.register
def on_restore(command: c.Restore, desk: Desk) -> None:
    desk.running()
    state, entrant = desk.state, desk.entrant(command.player)
    name, player = entrant.player.shown_name, entrant.player
    last = player.dropped if player.dropped is not None else player.disqualified
    if last is None:
        raise NotNow(f"{name} has not left")
    reason = command.reason
    if state.posted > last:  # PK-A30
        if any(r.stage == "elimination" for r in state.rounds[last:]):
            raise NotNow(f"{name} cannot come back: the bracket went on without them")
        if not command.override:
            raise NotNow(
                f"{name} could come back until round {last + 1} was published;"
                " an organiser can override this with a reason"
            )
        reason = desk.reason(reason, f"{name} comes back after round {state.posted} was published")
    missed = tuple(range(last + 1, state.begun + 1))

    def base(then: c.Then) -> list[f.AnyFact]:
        waits = (upcoming.number,) if then == "leave" and upcoming else ()
        return [f.Restored(player=player.id, lost=missed + waits, reason=reason)]

    upcoming = state.upcoming
    waiting = upcoming is not None and player.entered > upcoming.number  # for a later round
    if waiting or (upcoming is not None and upcoming.table_of(player.id) is not None):
        desk.fact(*base("fewest"))
    else:
        settle(desk, base, command.then, leave=upcoming is None or upcoming.stage == "swiss")
    last_round = desk.state.rounds[-1] if desk.state.rounds else None
    lost = last_round.table_of(player.id) if last_round and last_round.phase != "ended" else None
    if lost is not None and lost.table is not None and lost.winner not in (None, player.id):
        desk.say(f"Table {lost.table} is still lost to {state.name_of(lost.winner)}: correct it to none.")
    if missed:
        desk.say(f"{name} takes {'a loss' if len(missed) == 1 else f'{len(missed)} losses'}.")
