"""Decide commands about the event as a whole: options, announcements, its end, deleting names."""

from datetime import datetime

from msgspec.structs import asdict, replace

from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.decide.context import LAST_TABLE, Decider, handle
from topcut.event.decide.create import warn_of_approval
from topcut.event.describe.plan_sentences import describe_plan
from topcut.event.draw import find_progress, fix_plan
from topcut.event.next_steps import check_flights
from topcut.event.refusals import NoSuchPlayer, NotNow
from topcut.event.state import State
from topcut.history.parts import Part
from topcut.rulebook.options import ForDivision, check_options, choose_format
from topcut.rulebook.planning.stages import count_fixed_rounds
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round
from topcut.text.messages import Message, count, join_messages, list_and, moment, number, say, to_message

ANY_TIME = ("rounds", "cut", "level", "deck", "by_division", "languages", "time_zone")
"""Options that can still change when a round is paired."""
IN_BRACKET = {"level", "deck", "languages", "time_zone"}
"""Those that can still change when the bracket is drawn."""
MOST_BLOCKED = 10_000
"""Tables that stay empty, at most: a page lists them."""


@handle.register
def decide_change_options(command: c.ChangeOptions, decider: Decider) -> None:
    state, options = decider.state, command.options
    if options.draft is None:  # it is not chosen with the others
        options = replace(options, draft=state.options.draft)
        if "mode" not in state.book.options:
            options = replace(options, mode=state.options.mode)
    if state.draft is not None and options.mode is None:
        raise NotNow(
            say("Draft {draft} is still in progress. End the draft instead.", draft=state.draft.number)
        )
    if options.draft != state.options.draft:
        raise NotNow(say("You can't set a draft as an option. Begin it between two rounds."))
    played = sum(a_round.is_scored for a_round in state.rounds)
    check_options(options, played, state.book)
    old, new = asdict(state.options), asdict(options)
    different = [name for name in old if new[name] != old[name]]
    if not different:
        raise NotNow(say("Nothing would change."))
    if state.rounds:
        fixed = [name for name in different if name not in ANY_TIME]
        if fixed == ["third_place"] and not state.begun:
            fixed = []
        formats = {choose_format(state.book, options), choose_format(state.book, state.options)}
        if formats <= {"swiss", "swiss+elimination"}:  # a cut can still be added, or left out
            fixed = [name for name in fixed if name != "format"]
        if "mode" in fixed:
            problem = say("After a round is paired, you can't change the mode in the options.")
            way = say("Begin or end a draft between two rounds (`topcut event draft`, or the round page).")
            raise NotNow(join_messages(" ", [problem, way]))
        if fixed:
            names = list_and(fixed)
            raise NotNow(
                say("After a round is paired, these options can't change: {options}.", options=names)
            )
        late = [name for name in different if name not in IN_BRACKET]
        if late and any(a_round.in_bracket for a_round in state.rounds):
            names = list_and(late)
            raise NotNow(
                say("After the bracket is paired, these options can't change: {options}.", options=names)
            )
        planned = [part.rounds for part in find_progress(replace(state, options=options)).parts]
        if all(rounds is not None and rounds < played for rounds in planned):
            raise NotNow(
                count(
                    "{n} round is already paired. Plan at least that many.",
                    "{n} rounds are already paired. Plan at least that many.",
                    played,
                )
            )
    if options.cut is not None and "elimination" not in choose_format(state.book, options):
        raise NotNow(
            say(
                "A cut needs elimination rounds. Also set the format to {format}.", format="swiss+elimination"
            )
        )
    reason = command.reason
    if state.announced is not None and set(different) & {"rounds", "cut", "third_place", "by_division"}:
        problem = say(
            "Changing {options} after the announcement needs a reason.", options=list_and(different)
        )
        reason = decider.require_reason(reason, problem)
        decider.warn(say("This differs from the announcement. Announce again."))
    event_format, plan = choose_format(state.book, options), state.book.plan
    if plan.sanctioned and event_format not in plan.sanctioned and "format" in different:
        decider.warn(warn_of_approval(event_format, state.book))
    decider.record(f.OptionsChanged(options=options, reason=to_message(reason) if reason else f.NO_REASON))


@handle.register
def decide_one_round_fewer(command: c.OneRoundFewer, decider: Decider) -> None:
    """Play one Swiss round fewer than planned (PK-51)."""
    state, plan = decider.state, decider.state.book.plan
    parts, rule = find_progress(state).parts, plan.rule("one_less")
    if plan.one_less == "never" or count_fixed_rounds(state.book, choose_format(state.book, state.options)):
        raise Impossible(say("The rules do not offer one Swiss round fewer."), rule=rule)
    if plan.one_less == "modified" and any(part.mode != "modified" for part in parts):  # PK-A13
        problem = say("Only an event with modified divisions may play one Swiss round fewer.")
        raise Impossible(problem, rule=rule)
    planned = {part.name: part.recommended for part in parts if not part.round_robin}
    if not planned or None in planned.values():
        raise NotNow(say("No number of rounds is planned yet."))
    fewer = {name: rounds - 1 for name, rounds in planned.items() if rounds is not None}
    if min(fewer.values()) < max(1, len(state.rounds)):
        raise NotNow(
            count(
                "{n} round is already paired. One round fewer is no longer possible.",
                "{n} rounds are already paired. One round fewer is no longer possible.",
                len(state.rounds),
            )
        )
    options = state.options
    if len(fewer) == 1:
        options = replace(options, rounds=min(fewer.values()))
    else:
        own = options.by_division or {}
        new = {name: replace(own.get(name, ForDivision()), rounds=rounds) for name, rounds in fewer.items()}
        options = replace(options, by_division=own | new)
    reason = command.reason or say("one Swiss round fewer ({rule})", rule=rule)
    decider.record(f.OptionsChanged(options=options, reason=to_message(reason)))


@handle.register
def decide_announce(command: c.Announce, decider: Decider) -> None:
    """Announce rounds, cut and prizes (PK-1)."""
    state = decider.state
    progress = find_progress(state)
    parts = progress.parts
    for part in parts:
        _check_planned(part)
    if not state.begun:
        check_flights(state, progress)
    rule = _find_rule_of_announcing(state)
    if rule and not command.prizes:
        raise NotNow(
            say(
                "The announcement does not say how many players get prizes ({rule})."
                " Enter how many, or “none”.",
                rule=rule,
            )
        )
    if state.begun:
        decider.warn(say("The first round has already started. Announce this before it next time."))
    options = state.options if state.begun else fix_plan(state.options, parts, state.book)
    if options != state.options:
        decider.record(f.OptionsChanged(options=options, reason=say("as announced")))
    says = _describe_announcement(progress)
    if command.prizes:
        says.append(say("Prizes: {prizes}.", prizes=command.prizes))
    says += [to_message(text) for text in command.details if text]
    decider.record(f.Announced(says=tuple(says)))
    decider.decision.says.extend(says)


def _find_rule_of_announcing(state: State) -> str:
    """Return the rule that asks for an announcement with prizes; empty where none does."""
    running = state.book.running
    return running.rule("announced") if running and running.announced else ""


def _describe_announcement(progress: Progress) -> list[Message]:
    """Return what is announced besides prizes: rounds, cut, divisions, third place (PK-1, PK-35)."""
    says = describe_plan(progress)
    if progress.bracket_follows and "third_place" in progress.book.options:
        third = say("There is a match for third place.")
        says.append(third if progress.options.third_place else say("There is no match for third place."))
    return says


def preview_announcement(state: State) -> tuple[list[Message], list[Message]]:
    """Return what would be announced now, and what is missing for it."""
    progress, missing = find_progress(state), []
    for part in progress.parts:
        try:
            _check_planned(part)
        except NotNow as unplanned:
            missing.append(unplanned.message)
    try:
        check_flights(state, progress)
    except Impossible as refused:
        missing.append(join_messages(": ", [refused.rule, refused.problem]))
    if not progress.parts:
        missing.append(say("There are no players yet."))
    if rule := _find_rule_of_announcing(state):
        missing.append(say("Enter how many players get prizes, or “none” ({rule}).", rule=rule))
    return _describe_announcement(progress), missing


def _check_planned(part: Part) -> None:
    """Refuse to announce what nobody has chosen and no rule gives: the rounds, the cut."""
    if not part.swiss and not part.round_robin:
        return
    until_unbeaten = part.plan is not None and part.book.plan.swiss_only == "until one is unbeaten"
    missing = [] if part.rounds or until_unbeaten else ["rounds"]
    if part.plan is None and part.cut is None and part.format == "swiss+elimination":
        missing.append("cut")
    if missing:
        raise NotNow(
            join_messages(" ", [_describe_missing(missing, part.name), _describe_ways(missing, part)])
        )


def _describe_missing(missing: list[str], division: str) -> Message:
    """Return what is not planned yet: the rounds, the cut, or both."""
    match missing:
        case ["rounds"] if division:
            return say("The number of rounds is missing for {division}.", division=division)
        case ["rounds"]:
            return say("The number of rounds is missing.")
        case ["cut"] if division:
            return say("The cut is missing for {division}.", division=division)
        case ["cut"]:
            return say("The cut is missing.")
    if division:
        return say("The number of rounds and the cut are missing for {division}.", division=division)
    return say("The number of rounds and the cut are missing.")


def _describe_ways(missing: list[str], part: Part) -> Message:
    """Return what to do before the announcement."""
    options = list_and(f"{name}=N" for name in missing) if {*missing} <= set(part.book.options) else ""
    if part.plan is None and options:
        return say("Add the players, or set {options} in the options. Then announce.", options=options)
    if options:
        return say("Set {options} in the options. Then announce.", options=options)
    return say("Add the players. Then announce.")


@handle.register
def decide_block_tables(command: c.BlockTables, decider: Decider) -> None:
    tables = tuple(sorted(set(command.tables)))
    if not tables or not all(1 <= table <= LAST_TABLE for table in tables):
        raise BadInput(say("expected table numbers, from 1"), place="tables")
    new = [table for table in tables if (table in decider.state.blocked) != command.blocked]
    if not new:
        raise NotNow(say("Nothing would change."))
    if command.blocked and len(decider.state.blocked) + len(new) > MOST_BLOCKED:
        raise BadInput(
            say("expected at most {most} tables that stay empty", most=number(MOST_BLOCKED)), place="tables"
        )
    a_round = decider.state.round
    used = [t.table for t in a_round.tables if t.table in new] if a_round and a_round.phase != "ended" else []
    if used and command.blocked and a_round is not None:
        decider.warn(
            count(
                "Table {tables} is in use in round {round}. It stays empty from the next round on.",
                "Tables {tables} are in use in round {round}. They stay empty from the next round on.",
                len(used),
                tables=list_and(used),
                round=a_round.number,
            )
        )
    decider.record(f.TablesBlocked(tables=tuple(new), blocked=command.blocked))


@handle.register
def decide_finish(command: c.Finish, decider: Decider) -> None:
    state = decider.state
    if state.round is not None and state.round.phase != "ended":
        raise NotNow(say("Round {round} has not ended. End it first.", round=state.round.number))
    if not command.reason and (left := _find_open_end(state)):
        decider.require_reason("", left)
    if unanswered := len(state.questions):
        decider.warn(
            count(
                "{n} question of a player is not answered.",
                "{n} questions of players are not answered.",
                unanswered,
            )
        )
    secret, kept = decider.get_secret(), decider.log.private
    facts = (entry.fact for entry in decider.log.entries)
    promised = [fact.commitment for fact in facts if isinstance(fact, f.Created | f.Committed)]
    known = (*decider.state.revealed, decider.state.commitment)
    earlier = tuple(kept[one].decode() for one in promised if one in kept and one not in known)
    decider.record(f.Finished(secret=secret, earlier=earlier, reason=command.reason))


def _find_open_end(state: State) -> Message | None:
    """Return why an event is not over; None if it is."""
    if not state.rounds:
        return say("Nothing has been played. Finishing the event now needs a reason.")
    progress = find_progress(state)
    try:
        pair_next_round(progress, "")
    except (Impossible, BadInput):
        return None
    following = len(state.rounds) + 1
    return say("Round {round} could be played. Finishing the event now needs a reason.", round=following)


@handle.register
def decide_reopen(command: c.Reopen, decider: Decider) -> None:
    if not decider.state.finished:
        raise NotNow(say("The event is not finished."))
    if decider.state.purged:
        raise NotNow(say("The names of this event are deleted."))
    decider.record(f.Reopened(reason=command.reason))


@handle.register
def decide_purge(command: c.Purge, decider: Decider) -> None:
    """Delete names and birth years once they need not be kept any more (PK-58)."""
    state = decider.state
    if state.purged:
        raise NotNow(say("The names of this event are already deleted."))
    if not state.finished:
        raise NotNow(say("The event is not finished. Its names can be deleted some months after its end."))
    if until := _find_kept_until(decider):
        months = state.kept_months
        problem = count(
            "Names and results are kept for {n} month, until {date}. Then the names can be deleted.",
            "Names and results are kept for {n} months, until {date}. Then the names can be deleted.",
            months,
            date=moment(until, "date"),
        )
        raise Impossible(problem, rule=_name_rule_of_keeping(state))
    decider.record(f.Purged(people=len(decider.log.person_keys())))


@handle.register
def decide_forget(command: c.Forget, decider: Decider) -> None:
    """Delete who one player is, at once when the event is over: PK-58 binds results, and these stay."""
    state, player = decider.state, command.player
    if state.purged:
        raise NotNow(say("The names of this event are already deleted."))
    if player not in state.players and player not in decider.log.player_ids():
        raise NoSuchPlayer(player)
    if not state.finished and player in state.players:
        raise NotNow(
            say(
                "The event is not finished, and the name of {name} is needed until then."
                " Hide it with a display name now, and delete it when the event is finished.",
                name=state.name_of(player),
            )
        )
    if not state.finished:
        raise NotNow(
            say(
                "Player {id} was removed before the event started."
                " The details of this player can be deleted when the event is finished.",
                id=player,
            )
        )
    known = decider.log.keys_about(player)
    if not known:
        raise NotNow(say("The details of player {id} are already deleted.", id=player))
    decider.record(f.Forgotten(player=player, people=len(known), reason=command.reason))
    if known & decider.log.original_keys():
        decider.tell(say("The imported file of this event is deleted too. It can't be exported again."))
    if until := _find_kept_until(decider):
        decider.tell(say("The details of player {id} are deleted for good.", id=player))
        decider.tell(
            count(
                "Results stay under the id alone, for {n} month, until {date} ({rule}).",
                "Results stay under the id alone, for {n} months, until {date} ({rule}).",
                state.kept_months,
                date=moment(until, "date"),
                rule=_name_rule_of_keeping(state),
            )
        )


def _find_kept_until(decider: Decider) -> datetime | None:
    """Return until when results must still be kept; None once they need not be."""
    until = decider.state.kept_until
    return None if until is None or decider.context.at >= until else until


def _name_rule_of_keeping(state: State) -> str:
    return state.book.running.rule("kept_months") if state.book.running else say("setting of this event")
