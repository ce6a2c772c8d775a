"""Find what a scorekeeper should look at before a round is published.

Results still missing, an announcement that the rules ask for, rematches, players who are paired down or with
another division, byes, fixed tables that moved; and the warnings of the pairing itself. Each thing is said
once: why a rematch or a second bye cannot be avoided is said where it is.
"""

from collections.abc import Mapping

from msgspec import Struct, structs

from topcut.event.apply.context import clear_drawn
from topcut.event.correction_window import describe_next_closing, find_next_closing
from topcut.event.describe.fact_sentences import describe_allowance
from topcut.event.describe.name_marks import put_names
from topcut.event.draw import find_progress
from topcut.event.pairing_counts import find_points, find_rematches, is_pair_down
from topcut.event.state import RoundState, State
from topcut.history.builder import list_missing_results
from topcut.history.divisions import division_of
from topcut.history.model import Table
from topcut.text.messages import (
    Field,
    Joined,
    Message,
    Sentence,
    count,
    join_messages,
    list_and,
    number,
    say,
    to_message,
)


class DraftWarning(Struct, frozen=True):
    """Something to look at before publishing."""

    kind: str
    """"missing", "announcement", "record", "warning", "rematch", "pair-down", "cross-division", "bye",
    "fixed table", "by hand", "attempt", "override"."""
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
    byes = [DraftWarning("bye", None, _describe_bye(state, t)) for t in a_round.tables if len(t.players) == 1]
    meetings = _find_meetings(state, a_round) if a_round.is_scored else []
    warned = [to_message(put_names(state, says)) for says in a_round.warnings]
    if not a_round.edited:  # else they are about tables as they were
        warned = _say_once(warned, meetings, byes)
    found += [DraftWarning("warning", None, says) for says in warned]
    if allowed := describe_allowance(a_round.allowed):
        found.append(DraftWarning("override", None, allowed))
    found += [
        DraftWarning("by hand", None, say("Changed by hand ({reason}).", reason=reason))
        for reason in a_round.edited
    ]
    if a_round.attempt > 1:
        paired = count("Paired {n} time.", "Paired {n} times.", a_round.attempt)
        found.append(DraftWarning("attempt", None, paired))
    return found + meetings + byes + _find_moved(state, a_round)


def _say_once(warned: list[Message], meetings: list[DraftWarning], byes: list[DraftWarning]) -> list[Message]:
    """Return the warnings of the pairing without names that the warnings about tables have, and move reasons.

    Where there is one rematch, or a second bye, its own warning gets the reason.
    """
    kept = []
    about = [_find_sentence(warning).fields.keys() for warning in warned]
    for warning, names in zip(warned, about, strict=True):
        fields = _find_sentence(warning).fields
        rematches = [at for at, one in enumerate(meetings) if one.kind == "rematch"]
        alone = [at for at, one in enumerate(byes) if fields.get("player") == _find_name(one)]
        if names == {"player", "reason", "rule"} and len(alone) == 1:
            reason = say(
                "A second bye cannot be avoided: {reason} ({rule}).",
                reason=fields["reason"],
                rule=fields["rule"],
            )
            byes[alone[0]] = _add_sentence(byes[alone[0]], reason)
        elif "pairs" in names and len(rematches) == 1 and sum("pairs" in one for one in about) == 1:
            meetings[rematches[0]] = _add_sentence(meetings[rematches[0]], _describe_rematches(fields))
        elif "pairs" in names and rematches:
            short = _describe_rematches(fields)
            kept.append(Joined(": ", [*warning.parts[:-1], short]) if isinstance(warning, Joined) else short)
        else:
            kept.append(warning)
    return kept


def _find_sentence(warning: Message) -> Sentence:
    """Return the sentence of a warning, without the pool that it is about."""
    last = warning.parts[-1] if isinstance(warning, Joined) and warning.parts else warning
    return last if isinstance(last, Sentence) else Sentence("", {})


def _find_name(bye: DraftWarning) -> Field:
    return _find_sentence(bye.says).fields.get("name", "")


def _add_sentence(warning: DraftWarning, sentence: Message) -> DraftWarning:
    return structs.replace(warning, says=join_messages(" ", [warning.says, sentence]))


def _describe_rematches(fields: Mapping[str, Field]) -> Message:
    """Return that rematches cannot be avoided, without the names; at larger tables without a reason."""
    rule, number_of = fields["rule"], fields.get("n", 1)
    if "reason" not in fields:
        return say("No seating with fewer rematches was found ({rule}).", rule=rule)
    return count(
        "A rematch cannot be avoided: {reason} ({rule}).",
        "{n} rematches cannot be avoided: {reason} ({rule}).",
        number_of if isinstance(number_of, int) else 1,
        reason=fields["reason"],
        rule=rule,
    )


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
    """Return rematches first, then tables at which points differ, then those at which divisions do."""
    progress = find_progress(clear_drawn(state, a_round, {"cut"}), a_round.number, a_round.seed)
    history, points = progress.history, find_points(progress)
    mixed = progress.draws_next and any(part.mixed for part in progress.running)
    rematches, down, crossing = [], [], []
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
        divisions = [division_of(history.players[seat], state.book) for seat in seats] if mixed else []
        if len({*divisions}) > 1:
            names = map(state.name_of, table.players)
            both = [
                say("{name} ({division})", name=name, division=state.book.label(division))
                if division
                else name
                for name, division in zip(names, divisions, strict=True)
            ]
            says = say("{players} are in different divisions.", players=list_and(both))
            crossing.append(DraftWarning("cross-division", table.table, says))
    return rematches + down + crossing


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
