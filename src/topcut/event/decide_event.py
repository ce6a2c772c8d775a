"""What becomes of commands about the event as a whole: options, announcing, finishing, forgetting."""

from __future__ import annotations

from msgspec.structs import replace

from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.deciding import Desk, handle
from topcut.event.draw import course_of
from topcut.event.kept import kept_until
from topcut.event.plan import as_planned
from topcut.event.refusals import NoSuchPlayer, NotNow
from topcut.event.state import State
from topcut.history.parts import Part
from topcut.rulebook.options import ForDivision, Options, check_options, format_of
from topcut.rulebook.planning.stages import given_rounds
from topcut.rulebook.planning.words import both, counted
from topcut.stages.next import next_round

ANY_TIME = ("rounds", "cut", "level", "by_division")
"""Options that can still change when a round is paired."""
MOST_BLOCKED = 10_000
"""Tables that stay empty, at most: a page lists them."""


@handle.register
def on_change_options(command: c.ChangeOptions, desk: Desk) -> None:
    desk.running()
    state, options = desk.state, command.options
    played = sum(a_round.stage == "swiss" for a_round in state.rounds)
    check_options(options, played, state.book)
    different = [
        name for name in Options.__struct_fields__ if getattr(options, name) != getattr(state.options, name)
    ]
    if not different:
        raise NotNow("nothing would change")
    if state.rounds:
        fixed = [name for name in different if name not in ANY_TIME]
        if fixed == ["third_place"] and not state.begun:
            fixed = []
        formats = {format_of(state.book, options), format_of(state.book, state.options)}
        if formats <= {"swiss", "swiss+elimination"}:  # a cut can still be added, or left out
            fixed = [name for name in fixed if name != "format"]
        if fixed:
            raise NotNow(f"{both(fixed)} cannot change any more: a round is paired")
        if any(a_round.stage == "elimination" for a_round in state.rounds) and different != ["level"]:
            raise NotNow(f"{both(different)} cannot change any more: the bracket is drawn")
        planned = [part.rounds for part in course_of(replace(state, options=options)).parts]
        if all(rounds is not None and rounds < played for rounds in planned):
            raise NotNow(f"{counted(played, 'round')} are there already: expected no fewer")
    if options.cut is not None and "elimination" not in format_of(state.book, options):
        raise NotNow("a cut needs elimination rounds: expected format=swiss+elimination beside it")
    reason = command.reason
    if state.announced is not None and set(different) & {"rounds", "cut", "third_place", "by_division"}:
        reason = desk.reason(reason, f"{both(different)} changes after it was announced")
        desk.warn("something else was announced: announce it again")
    event_format = format_of(state.book, options)
    if (
        state.book.plan.sanctioned
        and event_format not in state.book.plan.sanctioned
        and "format" in different
    ):
        desk.warn(f"{event_format} needs approval beforehand ({state.book.plan.rule('sanctioned')})")
    desk.fact(f.OptionsChanged(options=options, reason=reason))


@handle.register
def on_one_round_fewer(command: c.OneRoundFewer, desk: Desk) -> None:
    """PK-51."""
    desk.running()
    state = desk.state
    plan = state.book.plan
    parts = course_of(state).parts
    rule = plan.rule("one_less")
    if plan.one_less == "never" or given_rounds(state.book, format_of(state.book, state.options)):
        raise Impossible("the rules do not offer one Swiss round fewer", rule=rule)
    if plan.one_less == "modified" and any(part.mode != "modified" for part in parts):  # PK-A13
        raise Impossible("only an event with modified divisions may play one Swiss round fewer", rule=rule)
    planned = {part.name: part.recommended for part in parts if not part.round_robin}
    if not planned or None in planned.values():
        raise NotNow("no number of rounds is planned yet")
    fewer = {name: rounds - 1 for name, rounds in planned.items() if rounds is not None}
    if min(fewer.values()) < max(1, len(state.rounds)):
        raise NotNow(f"{counted(len(state.rounds), 'round')} are there already")
    options = state.options
    if len(fewer) == 1:
        options = replace(options, rounds=next(iter(fewer.values())))
    else:
        own = dict(options.by_division or {})
        for name, rounds in fewer.items():
            own[name] = replace(own.get(name, ForDivision()), rounds=rounds)
        options = replace(options, by_division=own)
    reason = command.reason or f"one Swiss round fewer ({rule})"
    desk.fact(f.OptionsChanged(options=options, reason=reason))


@handle.register
def on_announce(command: c.Announce, desk: Desk) -> None:
    """PK-1."""
    desk.running()
    state = desk.state
    parts = course_of(state).parts
    for part in parts:
        _is_planned(part)
    if state.begun:
        desk.warn("the first round has begun: this should have been announced before it")
    options = state.options if state.begun else as_planned(state.options, parts, state.book)
    if options != state.options:
        desk.fact(f.OptionsChanged(options=options, reason="as announced"))
    says = [_plan_words(part) for part in parts] + _division_words(parts)
    if state.options.third_place:
        says.append("There is a table for third place.")
    if command.prizes:
        says.append(f"Prizes: {command.prizes}.")
    elif state.book.running and state.book.running.announced:
        desk.warn(f"how many players get prizes is not said ({state.book.running.rule('announced')})")
    says += [text for text in command.details if text]
    desk.fact(f.Announced(says=tuple(says)))
    desk.decided.says.extend(says)


def _plan_words(part: Part) -> str:
    """What is planned for a part, in a sentence."""
    who = f"{part.name}: " if part.name else ""
    rounds = counted(part.rounds, "round") if part.rounds else "rounds until one player is unbeaten"
    if not part.swiss and not part.round_robin:
        rounds = f"{part.format.replace('-', ' ')}, as many rounds as the bracket needs"
    flights = f" in {part.flights} flights" if part.flights else ""
    tops = [f"a top {own.cut} of {own.name}" for own in part.apart if own.bracket and own.swiss]
    if not part.apart and part.bracket is not None and part.swiss and part.cut:
        tops = [f"a top {part.cut}"]
    cut = f", then {both(tops)}" if tops else ""
    return f"{who}{rounds}{flights}{cut}."


def _is_planned(part: Part) -> None:
    """Refuse to announce what nobody has chosen and no rule gives: the rounds, the cut."""
    if not part.swiss and not part.round_robin:
        return
    until_unbeaten = part.plan is not None and part.book.plan.swiss_only == "until one is unbeaten"
    missing = [] if part.rounds or until_unbeaten else ["rounds"]
    if part.plan is None and part.cut is None and part.format == "swiss+elimination":
        missing.append("cut")
    if missing:
        words = {"rounds": "the number of rounds", "cut": "the cut"}
        what = f"{both(words[name] for name in missing)} {'is' if len(missing) == 1 else 'are'} missing"
        here = f" for {part.name}" if part.name else ""
        ways = ["enter the players"] if part.plan is None else []
        if set(missing) <= set(part.book.options):
            ways.append(f"set {both(f'{name}=N' for name in missing)} in the options")
        raise NotNow(f"{what}{here}: {' or '.join(ways)}, then announce")


def _division_words(parts: list[Part]) -> list[str]:
    """Whether divisions play apart or together (PK-12, PK-13)."""
    if any(part.mixed for part in parts):
        pools = "" if len(parts) == 1 else f": {both(part.name for part in parts if part.mixed)}"
        return [f"Divisions are modified: they play in one pool{pools}."]
    return ["Divisions are separated: each plays by itself."] if len(parts) > 1 else []


@handle.register
def on_block_tables(command: c.BlockTables, desk: Desk) -> None:
    desk.running()
    tables = tuple(sorted(set(command.tables)))
    if not tables or not all(1 <= table <= 10**6 for table in tables):
        raise BadInput("expected numbers of tables, from 1", place="tables")
    new = [table for table in tables if (table in desk.state.blocked) != command.blocked]
    if not new:
        raise NotNow("nothing would change")
    if command.blocked and len(desk.state.blocked) + len(new) > MOST_BLOCKED:
        raise BadInput(f"expected at most {MOST_BLOCKED} tables that stay empty", place="tables")
    a_round = desk.state.round
    used = [t.table for t in a_round.tables if t.table in new] if a_round and a_round.phase != "ended" else []
    if used and command.blocked and a_round is not None:
        desk.warn(
            f"table {both(used)} is in use in round {a_round.number}; it stays empty from the next one on"
        )
    desk.fact(f.TablesBlocked(tables=tuple(new), blocked=command.blocked))


@handle.register
def on_finish(command: c.Finish, desk: Desk) -> None:
    desk.running()
    state = desk.state
    if state.round is not None and state.round.phase != "ended":
        raise NotNow(f"round {state.round.number} has not ended")
    if not command.reason and (left := _goes_on(state)):
        desk.reason("", left)
    if unanswered := len(state.questions):
        desk.warn(
            f"{counted(unanswered, 'question')} of players {'is' if unanswered == 1 else 'are'} not answered"
        )
    secret = desk.secret()
    desk.fact(f.Finished(secret=secret, earlier=_other_secrets(desk), reason=command.reason))


def _other_secrets(desk: Desk) -> tuple[str, ...]:
    """Secrets that were promised before the one in use, and that nobody knows yet."""
    facts = (entry.fact for entry in desk.journal.entries)
    promised = [fact.commitment for fact in facts if isinstance(fact, f.Created | f.Committed)]
    known = (*desk.state.revealed, desk.state.commitment)
    kept = desk.journal.private
    return tuple(kept[one].decode() for one in promised if one in kept and one not in known)


def _goes_on(state: State) -> str:
    """Why an event is not over; empty if it is."""
    if not state.rounds:
        return "nothing has been played"
    course = course_of(state)
    try:
        next_round(course, "")
    except (Impossible, BadInput):
        return ""
    return f"round {len(state.rounds) + 1} could be played"


@handle.register
def on_reopen(command: c.Reopen, desk: Desk) -> None:
    if not desk.state.finished:
        raise NotNow("the event is not finished")
    if desk.state.purged:
        raise NotNow("the names of this event are deleted")
    desk.fact(f.Reopened(reason=command.reason))


@handle.register
def on_purge(command: c.Purge, desk: Desk) -> None:
    """Names and birth years are deleted once they need not be kept any more (PK-58)."""
    state = desk.state
    if state.purged:
        raise NotNow("the names of this event are deleted already")
    if not state.finished:
        raise NotNow("the event is not finished: names are kept to its end and then for a while")
    if kept := _kept(desk):
        raise Impossible(kept, rule=_kept_rule(state))
    desk.fact(f.Purged(people=len(desk.journal.people())))


@handle.register
def on_forget(command: c.Forget, desk: Desk) -> None:
    """One player is forgotten at once when it is over: PK-58 binds results, and these stay."""
    state, player = desk.state, command.player
    if state.purged:
        raise NotNow("the names of this event are deleted already")
    if player not in state.players and player not in desk.journal.ids():
        raise NoSuchPlayer(player)
    if not state.finished and player not in state.players:
        raise NotNow(
            f"{player} was taken off the list before the event:"
            " what is known of them can be deleted when the event is finished"
        )
    if not state.finished:
        raise NotNow(
            f"the event is not finished, and {state.name_of(player)} is needed to its end:"
            " a display name hides who they are now, and when it is finished they can be forgotten"
        )
    known = desk.journal.known_of(player)
    if not known:
        raise NotNow(f"what was known of {player} is deleted already")
    desk.fact(f.Forgotten(player=player, people=len(known), reason=command.reason))
    if known & desk.journal.originals():
        desk.say("The file that the event came from is deleted with it: it cannot be written back any more.")
    if kept := _kept(desk):
        desk.say(f"Who {player} is, is deleted for good; {kept} ({_kept_rule(state)}), under the id alone.")


def _kept(desk: Desk) -> str:
    """How long results are kept still; empty once they need not be."""
    until = kept_until(desk.state)
    if until is None or desk.context.at >= until:
        return ""
    return f"results are kept for {counted(desk.state.kept_months, 'month')}, until {until:%Y-%m-%d}"


def _kept_rule(state: State) -> str:
    return state.book.running.rule("kept_months") if state.book.running else "the setting of this event"
