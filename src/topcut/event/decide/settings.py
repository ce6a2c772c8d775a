"""Decide commands about the event as a whole: options, announcements, its end, deleting names."""

from msgspec.structs import asdict, replace

from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.decide.context import LAST_TABLE, Decider, handle
from topcut.event.draw import find_progress, fix_plan
from topcut.event.refusals import NoSuchPlayer, NotNow
from topcut.event.state import State
from topcut.history.parts import Part
from topcut.rulebook.options import ForDivision, check_options, choose_format
from topcut.rulebook.planning.stages import count_fixed_rounds
from topcut.stages.stage_types import pair_next_round
from topcut.text.messages import list_and
from topcut.text.phrases import plural

ANY_TIME = ("rounds", "cut", "level", "by_division", "languages")
"""Options that can still change when a round is paired."""
IN_BRACKET = {"level", "languages"}
"""Those that can still change when the bracket is drawn."""
MOST_BLOCKED = 10_000
"""Tables that stay empty, at most: a page lists them."""


@handle.register
def decide_change_options(command: c.ChangeOptions, decider: Decider) -> None:
    state, options = decider.state, command.options
    played = sum(a_round.is_scored for a_round in state.rounds)
    check_options(options, played, state.book)
    old, new = asdict(state.options), asdict(options)
    different = [name for name in old if new[name] != old[name]]
    if not different:
        raise NotNow("nothing would change")
    if state.rounds:
        fixed = [name for name in different if name not in ANY_TIME]
        if fixed == ["third_place"] and not state.begun:
            fixed = []
        formats = {choose_format(state.book, options), choose_format(state.book, state.options)}
        if formats <= {"swiss", "swiss+elimination"}:  # a cut can still be added, or left out
            fixed = [name for name in fixed if name != "format"]
        if fixed:
            raise NotNow(f"{list_and(fixed)} cannot change any more: a round is paired")
        if any(a_round.in_bracket for a_round in state.rounds) and not set(different) <= IN_BRACKET:
            raise NotNow(f"{list_and(different)} cannot change any more: the bracket is drawn")
        planned = [part.rounds for part in find_progress(replace(state, options=options)).parts]
        if all(rounds is not None and rounds < played for rounds in planned):
            raise NotNow(f"{plural(played, 'round')} are there already: expected no fewer")
    if options.cut is not None and "elimination" not in choose_format(state.book, options):
        raise NotNow("a cut needs elimination rounds: expected format=swiss+elimination beside it")
    reason = command.reason
    if state.announced is not None and set(different) & {"rounds", "cut", "third_place", "by_division"}:
        reason = decider.require_reason(reason, f"{list_and(different)} changes after it was announced")
        decider.warn("something else was announced: announce it again")
    event_format, plan = choose_format(state.book, options), state.book.plan
    if plan.sanctioned and event_format not in plan.sanctioned and "format" in different:
        decider.warn(f"{event_format} needs approval beforehand ({plan.rule('sanctioned')})")
    decider.record(f.OptionsChanged(options=options, reason=reason))


@handle.register
def decide_one_round_fewer(command: c.OneRoundFewer, decider: Decider) -> None:
    """Play one Swiss round fewer than planned (PK-51)."""
    state, plan = decider.state, decider.state.book.plan
    parts, rule = find_progress(state).parts, plan.rule("one_less")
    if plan.one_less == "never" or count_fixed_rounds(state.book, choose_format(state.book, state.options)):
        raise Impossible("the rules do not offer one Swiss round fewer", rule=rule)
    if plan.one_less == "modified" and any(part.mode != "modified" for part in parts):  # PK-A13
        raise Impossible("only an event with modified divisions may play one Swiss round fewer", rule=rule)
    planned = {part.name: part.recommended for part in parts if not part.round_robin}
    if not planned or None in planned.values():
        raise NotNow("no number of rounds is planned yet")
    fewer = {name: rounds - 1 for name, rounds in planned.items() if rounds is not None}
    if min(fewer.values()) < max(1, len(state.rounds)):
        raise NotNow(f"{plural(len(state.rounds), 'round')} are there already")
    options = state.options
    if len(fewer) == 1:
        options = replace(options, rounds=min(fewer.values()))
    else:
        own = options.by_division or {}
        new = {name: replace(own.get(name, ForDivision()), rounds=rounds) for name, rounds in fewer.items()}
        options = replace(options, by_division=own | new)
    reason = command.reason or f"one Swiss round fewer ({rule})"
    decider.record(f.OptionsChanged(options=options, reason=reason))


@handle.register
def decide_announce(command: c.Announce, decider: Decider) -> None:
    """Announce rounds, cut and prizes (PK-1)."""
    state = decider.state
    parts = find_progress(state).parts
    for part in parts:
        _check_planned(part)
    if state.begun:
        decider.warn("the first round has begun: this should have been announced before it")
    options = state.options if state.begun else fix_plan(state.options, parts, state.book)
    if options != state.options:
        decider.record(f.OptionsChanged(options=options, reason="as announced"))
    says = [_describe_plan(part) for part in parts]
    if any(part.mixed for part in parts):  # PK-12, PK-13
        pools = "" if len(parts) == 1 else f": {list_and(part.name for part in parts if part.mixed)}"
        says.append(f"Divisions are modified: they play in one pool{pools}.")
    elif len(parts) > 1:
        says.append("Divisions are separated: each plays by itself.")
    if state.options.third_place:
        says.append("There is a table for third place.")
    if command.prizes:
        says.append(f"Prizes: {command.prizes}.")
    elif state.book.running and state.book.running.announced:
        decider.warn(f"how many players get prizes is not said ({state.book.running.rule('announced')})")
    says += [text for text in command.details if text]
    decider.record(f.Announced(says=tuple(says)))
    decider.decision.says.extend(says)


def _describe_plan(part: Part) -> str:
    who = f"{part.name}: " if part.name else ""
    rounds = plural(part.rounds, "round") if part.rounds else "rounds until one player is unbeaten"
    if not part.swiss and not part.round_robin:
        rounds = f"{part.format.replace('-', ' ')}, as many rounds as the bracket needs"
    flights = f" in {part.flights} flights" if part.flights else ""
    tops = [f"a top {own.cut} of {own.name}" for own in part.bracket_parts if own.bracket and own.swiss]
    if not part.bracket_parts and part.bracket is not None and part.swiss and part.cut:
        tops = [f"a top {part.cut}"]
    cut = f", then {list_and(tops)}" if tops else ""
    return f"{who}{rounds}{flights}{cut}."


def _check_planned(part: Part) -> None:
    """Refuse to announce what nobody has chosen and no rule gives: the rounds, the cut."""
    if not part.swiss and not part.round_robin:
        return
    until_unbeaten = part.plan is not None and part.book.plan.swiss_only == "until one is unbeaten"
    missing = {} if part.rounds or until_unbeaten else {"rounds": "the number of rounds"}
    if part.plan is None and part.cut is None and part.format == "swiss+elimination":
        missing["cut"] = "the cut"
    if missing:
        what = f"{list_and(missing.values())} {'is' if len(missing) == 1 else 'are'} missing"
        here = f" for {part.name}" if part.name else ""
        ways = ["enter the players"] if part.plan is None else []
        if missing.keys() <= set(part.book.options):
            ways.append(f"set {list_and(f'{name}=N' for name in missing)} in the options")
        raise NotNow(f"{what}{here}: {' or '.join(ways)}, then announce")


@handle.register
def decide_block_tables(command: c.BlockTables, decider: Decider) -> None:
    tables = tuple(sorted(set(command.tables)))
    if not tables or not all(1 <= table <= LAST_TABLE for table in tables):
        raise BadInput("expected numbers of tables, from 1", place="tables")
    new = [table for table in tables if (table in decider.state.blocked) != command.blocked]
    if not new:
        raise NotNow("nothing would change")
    if command.blocked and len(decider.state.blocked) + len(new) > MOST_BLOCKED:
        raise BadInput(f"expected at most {MOST_BLOCKED} tables that stay empty", place="tables")
    a_round = decider.state.round
    used = [t.table for t in a_round.tables if t.table in new] if a_round and a_round.phase != "ended" else []
    if used and command.blocked and a_round is not None:
        where = f"table {list_and(used)} is in use in round {a_round.number}"
        decider.warn(f"{where}; it stays empty from the next one on")
    decider.record(f.TablesBlocked(tables=tuple(new), blocked=command.blocked))


@handle.register
def decide_finish(command: c.Finish, decider: Decider) -> None:
    state = decider.state
    if state.round is not None and state.round.phase != "ended":
        raise NotNow(f"round {state.round.number} has not ended")
    if not command.reason and (left := _find_open_end(state)):
        decider.require_reason("", left)
    if unanswered := len(state.questions):
        are = "is" if unanswered == 1 else "are"
        decider.warn(f"{plural(unanswered, 'question')} of players {are} not answered")
    secret, kept = decider.get_secret(), decider.log.private
    facts = (entry.fact for entry in decider.log.entries)
    promised = [fact.commitment for fact in facts if isinstance(fact, f.Created | f.Committed)]
    known = (*decider.state.revealed, decider.state.commitment)
    earlier = tuple(kept[one].decode() for one in promised if one in kept and one not in known)
    decider.record(f.Finished(secret=secret, earlier=earlier, reason=command.reason))


def _find_open_end(state: State) -> str:
    """Return why an event is not over; empty if it is."""
    if not state.rounds:
        return "nothing has been played"
    progress = find_progress(state)
    try:
        pair_next_round(progress, "")
    except (Impossible, BadInput):
        return ""
    return f"round {len(state.rounds) + 1} could be played"


@handle.register
def decide_reopen(command: c.Reopen, decider: Decider) -> None:
    if not decider.state.finished:
        raise NotNow("the event is not finished")
    if decider.state.purged:
        raise NotNow("the names of this event are deleted")
    decider.record(f.Reopened(reason=command.reason))


@handle.register
def decide_purge(command: c.Purge, decider: Decider) -> None:
    """Delete names and birth years once they need not be kept any more (PK-58)."""
    state = decider.state
    if state.purged:
        raise NotNow("the names of this event are deleted already")
    if not state.finished:
        raise NotNow("the event is not finished: names are kept to its end and then for a while")
    if kept := _describe_kept(decider):
        raise Impossible(kept, rule=_name_rule_of_keeping(state))
    decider.record(f.Purged(people=len(decider.log.person_keys())))


@handle.register
def decide_forget(command: c.Forget, decider: Decider) -> None:
    """Delete who one player is, at once when the event is over: PK-58 binds results, and these stay."""
    state, player = decider.state, command.player
    if state.purged:
        raise NotNow("the names of this event are deleted already")
    if player not in state.players and player not in decider.log.player_ids():
        raise NoSuchPlayer(player)
    if not state.finished and player in state.players:
        raise NotNow(
            f"the event is not finished, and {state.name_of(player)} is needed to its end:"
            " a display name hides who they are now, and when it is finished they can be forgotten"
        )
    if not state.finished:
        later = "what is known of them can be deleted when the event is finished"
        raise NotNow(f"{player} was taken off the list before the event: {later}")
    known = decider.log.keys_about(player)
    if not known:
        raise NotNow(f"what was known of {player} is deleted already")
    decider.record(f.Forgotten(player=player, people=len(known), reason=command.reason))
    if known & decider.log.original_keys():
        gone = "The file that the event came from is deleted with it"
        decider.tell(f"{gone}: it cannot be written back any more.")
    if kept := _describe_kept(decider):
        stays = f"{kept} ({_name_rule_of_keeping(state)}), under the id alone"
        decider.tell(f"Who {player} is, is deleted for good; {stays}.")


def _describe_kept(decider: Decider) -> str:
    """Return how long results must still be kept, in words; empty once they need not be."""
    until = decider.state.kept_until
    if until is None or decider.context.at >= until:
        return ""
    return f"results are kept for {plural(decider.state.kept_months, 'month')}, until {until:%Y-%m-%d}"


def _name_rule_of_keeping(state: State) -> str:
    return state.book.running.rule("kept_months") if state.book.running else "the setting of this event"
