"""Find what a scorekeeper should look at before a round is published.

Results still missing, an announcement that the rules ask for, rematches, players who are paired down, byes,
fixed tables that moved; and the warnings of the pairing itself.
"""

from msgspec import Struct

from topcut.event.apply.context import clear_drawn
from topcut.event.correction_window import describe_next_closing, find_next_closing
from topcut.event.describe.fact_sentences import describe_allowance
from topcut.event.describe.name_marks import put_names
from topcut.event.draw import find_progress
from topcut.event.pairing_counts import find_points, find_rematches, is_pair_down
from topcut.event.state import RoundState, State
from topcut.history.builder import list_missing_results
from topcut.history.model import Table
from topcut.text.messages import Message, count, join_messages, list_and, number, say, to_message


class DraftWarning(Struct, frozen=True):
    """Something to look at before publishing."""

    kind: str
    """"missing", "announcement", "record", "warning", "rematch", "pair-down", "bye", "fixed table",
    "by hand", "attempt", "override"."""
    table: int | str | None
    says: Message


def find_draft_warnings(state: State) -> list[DraftWarning]:
    """Return the warnings about the upcoming round, the most serious first."""
    a_round, running = state.upcoming, state.book.running
    if a_round is None:
        return []
    earlier = state.file_rounds(a_round.number)
    names = {player_id: state.name_of(player_id) for player_id in state.players}
    found = [DraftWarning("missing", None, to_message(says)) for says in list_missing_results(earlier, names)]
    if running and running.announced and state.announced is None and not state.begun:
        unsaid = say("Rounds, cut and prizes are not announced yet ({rule}).", rule=running.rule("announced"))
        found.append(DraftWarning("announcement", None, unsaid))
    if running and running.reminded and (closing := find_next_closing(state, find_progress(state))):
        found.append(DraftWarning("record", None, describe_next_closing(closing)))
    found += [DraftWarning("warning", None, to_message(put_names(state, says))) for says in a_round.warnings]
    if allowed := describe_allowance(a_round.allowed):
        found.append(DraftWarning("override", None, allowed))
    found += [
        DraftWarning("by hand", None, say("Changed by hand ({reason}).", reason=reason))
        for reason in a_round.edited
    ]
    if a_round.attempt > 1:
        paired = count("Paired {n} time.", "Paired {n} times.", a_round.attempt)
        found.append(DraftWarning("attempt", None, paired))
    if a_round.is_scored:
        found += _find_meetings(state, a_round)
    for table in a_round.tables:
        if len(table.players) == 1:
            found.append(DraftWarning("bye", None, _describe_bye(state, table)))
    return found + _find_moved(state, a_round)


def _describe_bye(state: State, table: Table) -> Message:
    name = state.name_of(table.players[0])
    why = put_names(state, join_messages("; ", table.why))
    if table.loss:
        return (
            say("{name} takes a loss ({why}).", name=name, why=why)
            if why
            else say("{name} takes a loss.", name=name)
        )
    return (
        say("{name} has a bye ({why}).", name=name, why=why) if why else say("{name} has a bye.", name=name)
    )


def _find_meetings(state: State, a_round: RoundState) -> list[DraftWarning]:
    """Return rematches first, then tables at which points differ."""
    progress = find_progress(clear_drawn(state, a_round, {"cut"}), a_round.number, a_round.seed)
    history, points = progress.history, find_points(progress)
    rematches, down = [], []
    for table in a_round.tables:
        seats = [history.index[player_id] for player_id in table.players]
        for together, met in find_rematches(history, seats):
            group = list_and(history.players[seat].shown_name for seat in together)
            says = count(
                "{players} met in round {rounds}.",
                "{players} met in rounds {rounds}.",
                len(met),
                players=group,
                rounds=list_and(met),
            )
            rematches.append(DraftWarning("rematch", table.table, says))
        if points is not None and is_pair_down(points, seats):
            has = list_and([number(points(seat)) for seat in seats])
            who = list_and(map(state.name_of, table.players))
            says = say("{players} have {points} points.", players=who, points=has)
            down.append(DraftWarning("pair-down", table.table, says))
    return rematches + down


def _find_moved(state: State, a_round: RoundState) -> list[DraftWarning]:
    """Return players who do not sit where they always sit, or whose table changed since the last round."""
    before = state.rounds[a_round.number - 2] if a_round.number > 1 else None
    found = []
    for listed in state.active():
        player, fixed = listed.player, listed.fixed
        table = a_round.table_of(player.id) if fixed is not None else None
        if table is None or len(table.players) == 1:
            continue
        last = before.table_of(player.id) if before else None
        if fixed is None or table.table is None:
            continue
        name = player.shown_name
        if table.table != fixed:
            says = say(
                "{name} should sit at table {fixed}, but sits at table {table}.",
                name=name,
                fixed=fixed,
                table=table.table,
            )
        elif last is not None and last.table not in (None, fixed):
            says = say("{name} moves to the fixed table {table}.", name=name, table=fixed)
        else:
            continue
        found.append(DraftWarning("fixed table", table.table, says))
    return found
