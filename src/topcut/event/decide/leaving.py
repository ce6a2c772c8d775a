"""Decide commands about leaving an event, and coming back."""

from collections.abc import Callable

from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.decide.context import Decider, handle
from topcut.event.draw import find_progress
from topcut.event.refusals import AlreadyLeft, Left, NotNow, TooLateToRestore
from topcut.event.state import ListedPlayer, RoundState
from topcut.event.upcoming_round import settle_upcoming
from topcut.history.model import Table
from topcut.history.results import winner_of
from topcut.rulebook.layout import cite_reading
from topcut.text.messages import Message, count, say

MakeLeaving = Callable[[int], f.Dropped | f.Disqualified]
"""Makes the fact that a player leaves, from the last round they took part in."""


@handle.register
def decide_leaving(command: c.Drop | c.Disqualify, decider: Decider) -> None:
    """Let a player leave: between rounds, from the upcoming round, or from a table (PK-A30, PK-33)."""
    player = command.player
    if isinstance(command, c.Disqualify):
        decider.require_reason(command.reason, say("A disqualification needs a reason."))

    def leaving(last: int) -> f.Dropped | f.Disqualified:
        if isinstance(command, c.Drop):
            return f.Dropped(player=player, round=last)
        return f.Disqualified(player=player, round=last, reason=command.reason)

    listed = require_present(decider, player)
    a_round, upcoming = decider.state.round, decider.state.upcoming
    if a_round is None:
        decider.record(f.Removed(player=player) if isinstance(command, c.Drop) else leaving(0))
        return
    if a_round.in_bracket:
        _leave_bracket(decider, listed, a_round, leaving)
        return
    if upcoming is None:
        if a_round.phase == "started":
            _lose_table(decider, listed, a_round)
        decider.record(leaving(a_round.number))
        return
    table = upcoming.table_of(player)
    if table is None:  # not in this round: they wait for a later one, or have played all of theirs
        decider.record(leaving(max(upcoming.number, listed.player.entered) - 1))
        return

    def base(answer: c.Then) -> list[f.AnyFact]:
        before = leaving(upcoming.number - 1)
        if answer != "leave":
            return [before]
        if len(table.players) == 1:  # if the round stays without a player, a bye is nobody's
            rest = tuple(t for t in upcoming.tables if t is not table)
            allowed = upcoming.allowed if upcoming.allowed and "rematch" in upcoming.allowed.what else None
            repaired = f.RoundRepaired(round=upcoming.number, tables=rest, changed=(), allowed=allowed)
            return [before, repaired]
        return [*_report_lost(player, table, upcoming), leaving(upcoming.number)]

    if table in upcoming.fixed:
        _lose_table(decider, listed, upcoming)
        decider.record(leaving(upcoming.number))
        return
    settle_upcoming(decider, base, command.then, leave=upcoming.phase == "published")


def _report_lost(player: str, table: Table, a_round: RoundState) -> list[f.AnyFact]:
    """Return the result of a table that one of two players leaves; nothing where more sit there."""
    if len(table.players) > 2 or not isinstance(table.table, int):
        return []
    (other,) = (player_id for player_id in table.players if player_id != player)
    result = f.Result(winner=other)
    return [f.Reported(round=a_round.number, table=table.table, players=table.players, result=result)]


def require_present(decider: Decider, player: str) -> ListedPlayer:
    """Return a player who has not left; refuse one who has."""
    listed = decider.state.get_listed(player)
    ways: tuple[Left, ...] = ("dropped", "disqualified", "cut")
    for how in ways:
        if getattr(listed.player, how) is not None:
            raise AlreadyLeft(listed.player.shown_name, how)
    return listed


def _lose_table(decider: Decider, listed: ListedPlayer, a_round: RoundState) -> None:
    """Let a player who leaves lose their table, if it is not reported yet."""
    player, name = listed.player.id, listed.player.shown_name
    table = a_round.table_of(player)
    if table is None or table.reported or not isinstance(table.table, int):
        return
    if lost := _report_lost(player, table, a_round):
        decider.record(*lost)
        loses = say(
            "{name} loses table {table} of round {round}.",
            name=name,
            table=table.table,
            round=a_round.number,
        )
        decider.tell(loses if a_round.in_bracket else _cite_leaving(decider, loses))
    else:
        decider.warn(
            say(
                "{name} leaves table {table} during the game. Report it with the score that {name} had.",
                name=name,
                table=table.table,
            )
        )


def _cite_leaving(decider: Decider, text: Message) -> Message:
    running = decider.state.book.running
    return cite_reading(text, running, "leaving") if running and "leaving" in running.sources else text


def _leave_bracket(decider: Decider, listed: ListedPlayer, a_round: RoundState, leaving: MakeLeaving) -> None:
    """Let a player leave a bracket: their table is lost, whatever its state (PK-33).

    Before its first round is published the next in line takes the place (PK-A22).
    """
    player, name = listed.player.id, listed.player.shown_name
    # The tables of a draft do not count: in a list of commands, players at them may have left before.
    before = a_round.number if a_round.phase == "draft" else None
    progress = find_progress(decider.state, before, a_round.seed)
    still = {player_id for bracket in progress.brackets for player_id in bracket.play.alive()}
    first = not any(r.in_bracket for r in decider.state.rounds[: a_round.number - 1])
    if player not in still and (a_round.phase != "draft" or not first):
        raise NotNow(say("{name} is no longer in the bracket.", name=name))
    if player not in still:  # they do not want to be next in line
        decider.record(leaving(a_round.number - 1))
    elif a_round.phase == "draft":
        settle_upcoming(decider, lambda _: [leaving(a_round.number - 1)], "again", leave=False)
    else:
        _lose_table(decider, listed, a_round)
        _overturn_result(decider, listed, a_round)
        decider.record(leaving(a_round.number))


def _overturn_result(decider: Decider, listed: ListedPlayer, a_round: RoundState) -> None:
    """Let a player who leaves lose a table that is reported, while its round is played (PK-33)."""
    running, player = decider.state.book.running, listed.player.id
    table = a_round.table_of(player)
    if running is None or not running.leaving_loses_reported or a_round.phase != "started" or table is None:
        return
    if not isinstance(table.table, int) or not table.reported or winner_of(table) != player:
        return
    (other,) = (player_id for player_id in table.players if player_id != player)
    rule = running.rule("leaving_loses_reported")
    says = say(
        "{name} leaves the bracket and loses table {table}, although it was reported as a win ({rule})."
        " {other} advances.",
        name=listed.player.shown_name,
        other=decider.state.name_of(other),
        table=table.table,
        rule=rule,
    )
    corrected = f.Corrected(
        round=a_round.number,
        table=table.table,
        players=table.players,
        result=f.Result(winner=other),
        reason=rule,
    )
    decider.record(corrected)
    decider.tell(says)


@handle.register
def decide_restore(command: c.Restore, decider: Decider) -> None:
    state, listed = decider.state, decider.state.get_listed(command.player)
    name, player = listed.player.shown_name, listed.player
    last = player.dropped if player.dropped is not None else player.disqualified
    if last is None:
        raise NotNow(say("{name} has not left the event.", name=name))
    reason = command.reason
    if state.posted > last:  # PK-A30
        if any(r.in_bracket for r in state.rounds[last:]):
            raise NotNow(
                say("{name} can't be reinstated. The bracket went on without this player.", name=name)
            )
        if not command.override:
            raise TooLateToRestore(name, last + 1)
        problem = say(
            "Round {round} is published. Reinstating {name} now needs a reason.",
            round=state.posted,
            name=name,
        )
        reason = decider.require_reason(reason, problem)
    missed = tuple(range(last + 1, state.begun + 1))

    def base(then: c.Then) -> list[f.AnyFact]:
        waits = (upcoming.number,) if then == "leave" and upcoming else ()
        return [f.Restored(player=player.id, lost=missed + waits, reason=reason)]

    upcoming = state.upcoming
    waiting = upcoming is not None and player.entered > upcoming.number  # for a later round
    if waiting or (upcoming is not None and upcoming.table_of(player.id) is not None):
        decider.record(*base("fewest"))
    elif not settle_upcoming(decider, base, command.then, leave=upcoming is None or upcoming.is_scored):
        return
    now = decider.state.round
    lost = now.table_of(player.id) if now and now.phase != "ended" else None
    if lost is not None and lost.table is not None and lost.winner not in (None, player.id):
        decider.tell(
            say(
                "Table {table} is still a win for {winner}. To play it, correct its result to none.",
                table=lost.table,
                winner=state.name_of(lost.winner),
            )
        )
    if missed:
        decider.tell(count("{name} takes a loss.", "{name} takes {n} losses.", len(missed), name=name))
