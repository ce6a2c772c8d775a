"""Decide commands about players: enter them on time or late, edit them, check them in, seat them."""

import itertools
from typing import Any

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.decide.context import LAST_TABLE, LONGEST_NAME, RESERVED_IDS, Decider, clean_name, handle
from topcut.event.decide.drafts import place_newcomer
from topcut.event.draw import draw_lots, find_progress, next_attempt
from topcut.event.private_data import derive_seed, read_person
from topcut.event.refusals import EntryClosed, NotNow
from topcut.event.state import ListedPlayer
from topcut.event.upcoming_round import settle_upcoming
from topcut.history.builder import MOST_BYES, explain_no_awarded_byes
from topcut.history.divisions import division_of
from topcut.history.model import Player
from topcut.history.player_fields import EARLIEST_YEAR, PERSONAL, read_fields
from topcut.rulebook.layout import cite_reading
from topcut.rulebook.options import choose_format
from topcut.text.messages import Message, count, join_messages, list_or, say

LEVEL_WORDS = {
    "casual": say("casual"),
    "championship": say("championship"),
    "premier": say("premier"),
}
TRIAL_ID = "\n"
"""The id of an imagined newcomer, to try whether one could enter; no real player can have it."""


@handle.register
def decide_register(command: c.Register, decider: Decider) -> None:
    state = decider.state
    name = clean_name(command.name)
    free = (new for n in itertools.count(state.registered + 1) if (new := f"p{n}") not in state.players)
    new_id = next(free) if command.id is None else command.id
    if new_id in RESERVED_IDS or new_id in state.players:
        raise BadInput(say("expected another id, since {id} is taken", id=repr(new_id)), place="id")
    if not new_id or len(new_id) > LONGEST_NAME or not new_id.isprintable():
        problem = say(
            "expected an id of 1 to {most} visible letters, not {id}", most=LONGEST_NAME, id=repr(new_id)
        )
        raise BadInput(problem, place="id")
    _check_born(command.born, decider)
    byes = command.byes or 0
    _check_byes(byes, decider)
    division = _find_division(decider, command.division, command.born)
    display = _clean_display(command.display, name)
    _check_can_enter(decider, display or name, division)
    if any(e.legal == name for e in state.players.values()):
        decider.warn(say("Another player is also called {name}.", name=name))
    _warn_of_same_name(decider, display, new_id)
    # A long list of players reads all facts for each of them: the type alone is the quickest look.
    for entry in [entry for entry in decider.log.entries if type(entry.fact) is f.EntryRefused]:
        if isinstance(entry.fact, f.EntryRefused) and entry.step not in decider.log.undone:
            refused = read_person(decider.log.private, entry.fact.person).name
            if refused.casefold() == name.casefold():
                reason = entry.fact.reason
                decider.warn(say("{name} was refused entry before ({reason}).", name=name, reason=reason))
    players = (e.player for e in state.players.values() if command.member)
    if same := next((player for player in players if player.member == command.member), None):
        decider.warn(
            say(
                "{name} also has the membership number {number}.",
                name=same.shown_name,
                number=command.member or "",
            )
        )
    person = decider.keep_person(name, display, **read_fields(command, PERSONAL))
    next_round, upcoming = state.begun + 1, state.upcoming
    pod, seat = place_newcomer(state)

    def base(then: c.Then) -> list[f.AnyFact]:  # PK-18: now, or when the upcoming round has begun
        entered, apart = next_round + (then == "leave"), command.apart
        about: dict[str, Any] = {"division": division, "apart": apart, "entered": entered, "byes": byes}
        return [f.Registered(player=new_id, person=person, pod=pod, seat=seat, **about)]

    circle = choose_format(state.book, state.options) == "round-robin"
    wait = upcoming is not None and upcoming.is_scored and not circle
    wait = wait and _has_round_after(decider, next_round, division)
    wait = wait and not _is_entry_closed(decider, next_round)
    settled = settle_upcoming(decider, base, command.then, leave=wait)
    if settled and (missed := decider.state.players[new_id].player.entered - 1) > byes:
        decider.tell(_describe_lateness(decider, name, byes, missed))


def _clean_display(text: str | None, name: str) -> str | None:
    """Return the display name; None where it is the name itself."""
    return None if not text or text == name else clean_name(text, "display")


def _warn_of_same_name(decider: Decider, display: str | None, player_id: str) -> None:
    """Warn of a display name that another player has."""
    others = (e.player for e in decider.state.players.values() if e.player.id != player_id)
    if display and any(player.name == display for player in others):
        decider.warn(say("Another player also has the display name {name}.", name=display))


def _check_can_enter(decider: Decider, name: str, division: str | None) -> None:
    """Refuse a player for whom it is too late."""
    state, upcoming = decider.state, decider.state.upcoming
    book = state.book
    if not state.begun and upcoming is None:
        return
    late = book.late_entry
    if any(r.in_bracket for r in state.rounds[: state.begun]):  # PK-22
        rule = late.no_later if late else ""
        raise EntryClosed(say("{name} can't enter. The bracket has started.", name=name), rule=rule)
    if book.plan.exact_players is not None:
        if not state.begun and sum(1 for _ in state.active()) < book.plan.exact_players:
            problem = say(
                "{name} can't enter while round 1 is paired. Undo the pairing, add {name}, and pair again.",
                name=name,
            )
        else:
            problem = say("{name} can't enter. The same players play from round 1 to the end.", name=name)
        raise EntryClosed(problem, rule=book.plan.rule("exact_players"))
    after_swiss = upcoming is not None and upcoming.in_bracket and upcoming.number > 1
    was_cut = any(listed.player.cut is not None for listed in state.players.values())
    if state.stages or after_swiss or was_cut:
        raise EntryClosed(say("{name} can't enter after the cut.", name=name), rule="")
    if state.begun and choose_format(book, state.options) == "round-robin":
        problem = say("{name} can't enter. In a round robin, the tables of all rounds are fixed.", name=name)
        raise EntryClosed(problem, rule="")
    if late is not None and _is_entry_closed(decider, state.begun):  # PK-21
        level = state.options.level or "casual"
        limit = late.until[level]
        problem = _describe_entry_end(name, limit.round, limit.moment == "start", LEVEL_WORDS[level])
        if limit.round == 2:  # PK-A9
            problem = cite_reading(problem, late, "until")
        raise EntryClosed(problem, rule=late.rule("until"))
    if state.begun and not _has_round_after(decider, state.begun, division):
        problem = say("{name} can't enter. The last planned round has started.", name=name)
        raise EntryClosed(problem, rule="")


def _describe_entry_end(name: str, number: int, at_start: bool, level: Message) -> Message:
    """Return until when a player could enter; `at_start`: until the round started, else until it ended."""
    if at_start:
        return say(
            "{name} can't enter. Players could enter until round {round} started (level: {level}).",
            name=name,
            round=number,
            level=level,
        )
    return say(
        "{name} can't enter. Players could enter until round {round} ended (level: {level}).",
        name=name,
        round=number,
        level=level,
    )


def _has_round_after(decider: Decider, number: int, division: str | None) -> bool:
    """Return whether a new player of a division would have a planned round after this one."""
    newcomer = Player(id=TRIAL_ID, division=division, entered=number + 1)
    players = {**decider.state.players, TRIAL_ID: ListedPlayer(player=newcomer, person="")}
    progress = find_progress(replace(decider.state, players=players))
    own = [part for part in progress.parts if progress.history.index[TRIAL_ID] in part.members]
    planned = [part.rounds for part in own or progress.parts]
    return not planned or any(rounds is None or rounds > number for rounds in planned)


def _is_entry_closed(decider: Decider, begun: int) -> bool:
    """Return whether entry is closed at the level of the event after a number of rounds (PK-21)."""
    state, late = decider.state, decider.state.book.late_entry
    limit = late.until.get(state.options.level or "casual") if late else None
    if limit is None:
        return False
    if limit.moment == "start":
        return begun >= limit.round
    over = begun == limit.round and len(state.rounds) >= begun and state.rounds[begun - 1].phase == "ended"
    return begun > limit.round or over


def _describe_lateness(decider: Decider, name: str, byes: int, last: int) -> Message:
    """Return what a late player must be told (PK-20): the rounds missed after any awarded byes."""
    late = decider.state.book.late_entry
    missed = count(
        "Tell {name}: entering late means a loss for round 1.",
        "Tell {name}: entering late means {n} losses for rounds 1 to {n}.",
        last,
        name=name,
    )
    if byes:
        missed = say(
            "Tell {name}: entering late means a loss for each missed round ({first} to {last}).",
            name=name,
            first=byes + 1,
            last=last,
        )
    if not late or not late.told:
        return missed
    below = say(
        "It also means a place below players with the same record who were on time ({rule}).",
        rule=late.rule("told"),
    )
    return join_messages(" ", [missed, below])


def _check_born(year: int | None, decider: Decider) -> None:
    if year is not None and not EARLIEST_YEAR <= year <= decider.context.at.year:
        last = decider.context.at.year
        problem = say(
            "expected a year from {first} to {last}, not {year}", first=EARLIEST_YEAR, last=last, year=year
        )
        raise BadInput(problem, place="born")


def _check_byes(byes: int, decider: Decider) -> None:
    """Refuse awarded byes that this event can't give."""
    options, book = decider.state.options, decider.state.book
    most = min(MOST_BYES, options.rounds or MOST_BYES)
    if not 0 <= byes <= most:
        problem = say("expected {first} to {last} awarded byes, not {byes}", first=0, last=most, byes=byes)
        raise BadInput(problem, place="byes")
    if byes and (unfit := explain_no_awarded_byes(book, choose_format(book, options))):
        raise BadInput(unfit, place="byes")


def _check_byes_are_open(player: Player, byes: int, decider: Decider) -> None:
    """Refuse another number of awarded byes where it would change a round that is paired."""
    first, state = min(player.byes, byes) + 1, decider.state
    if first > len(state.rounds):
        return
    if first > state.begun:
        problem = say(
            "Round {round} is already paired. "
            "Undo the pairing, change the awarded byes of {name}, and pair again.",
            round=first,
            name=player.shown_name,
        )
    else:
        problem = say(
            "Round {round} has started. The awarded byes of {name} can only be changed for later rounds.",
            round=first,
            name=player.shown_name,
        )
    raise NotNow(problem)


def _find_division(decider: Decider, division: str | None, born: int | None) -> str | None:
    """Return the division that is given, or that of the birth year, so that it is known without the year."""
    book = decider.state.book
    names = [known.name for known in book.divisions.list] if book.divisions else []
    if division and names and division not in names:
        problem = say('expected {divisions}, not "{division}"', divisions=list_or(names), division=division)
        raise BadInput(problem, place="division")
    return division_of(Player(id="?", division=division or None, born=born), book)


@handle.register
def decide_edit_player(command: c.EditPlayer, decider: Decider) -> None:
    listed = decider.state.get_listed(command.player)
    player = listed.player
    if decider.state.purged:
        raise NotNow(say("The names of this event are deleted."))
    if decider.state.finished and player.id in decider.log.forgotten and not listed.legal:
        raise NotNow(say("The details of {id} are deleted and can't be changed.", id=player.id))
    name = listed.legal if command.name is None else clean_name(command.name)
    display = _clean_display(listed.display if command.display is None else command.display, name)
    known = read_fields(player, PERSONAL)
    asked = read_fields(command, PERSONAL)
    personal = {key: old if asked[key] is None else asked[key] or None for key, old in known.items()}
    _check_born(personal["born"], decider)
    given = player.division if command.division is None else command.division or None
    by_year = command.division is None and command.born is not None
    division = player.division if decider.state.finished and by_year else None
    division = division or _find_division(decider, None if by_year else given, personal["born"])
    apart = player.apart if command.apart is None else command.apart
    byes = player.byes if command.byes is None else command.byes
    if decider.state.finished and (division, apart, byes) != (player.division, player.apart, player.byes):
        raise NotNow(
            say("The event is finished. Only names, membership numbers and birth years can still be changed.")
        )
    old = (listed.legal, listed.display, known, player.division, player.apart, player.byes)
    if (name, display, personal, division, apart, byes) == old:
        raise NotNow(say("Nothing about {name} would change.", name=player.shown_name))
    if byes != player.byes:
        _check_byes(byes, decider)
        _check_byes_are_open(player, byes, decider)
    if division != player.division and decider.state.rounds:
        decider.warn(
            say(
                "{name} changes division during the event. Later rounds use the new division.",
                name=player.shown_name,
            )
        )
    if display != listed.display:
        _warn_of_same_name(decider, display, player.id)
    person = decider.keep_person(name, display, **personal)
    decider.record(f.PlayerEdited(player=player.id, person=person, division=division, apart=apart, byes=byes))


@handle.register
def decide_check_in(command: c.CheckIn, decider: Decider) -> None:
    for player_id in command.players or tuple(e.player.id for e in decider.state.active()):
        if decider.state.get_listed(player_id).here is not command.here:
            decider.record(f.CheckedIn(player=player_id, here=command.here))
    if not decider.decision.facts:
        problem = say("Nothing would change.") if decider.state.players else say("There are no players yet.")
        raise NotNow(problem)


@handle.register
def decide_remove(command: c.Remove, decider: Decider) -> None:
    listed = decider.state.get_listed(command.player)
    if decider.state.begun:
        name = listed.player.shown_name
        raise NotNow(say("The event has started. {name} can't be removed, only dropped.", name=name))
    upcoming = decider.state.upcoming
    if upcoming is not None and any(command.player in table.players for table in upcoming.fixed):
        name = listed.player.shown_name
        raise NotNow(
            say("The table of {name} has started. {name} can't be removed, only dropped.", name=name)
        )
    settle_upcoming(decider, lambda _: [f.Removed(player=command.player)], command.then, leave=False)


@handle.register
def decide_refuse_entry(command: c.RefuseEntry, decider: Decider) -> None:
    """Refuse a person entry (PK-19)."""
    reason = decider.require_reason(command.reason, say("Refusing entry needs a reason."))
    decider.record(f.EntryRefused(person=decider.keep_person(clean_name(command.name)), reason=reason))


@handle.register
def decide_fix_table(command: c.FixTable, decider: Decider) -> None:
    state, listed, table = decider.state, decider.state.get_listed(command.player), command.table
    if table is not None and not 1 <= table <= LAST_TABLE:
        raise BadInput(say("expected a table number, from 1"), place="table")
    if listed.fixed == table:
        raise NotNow(say("Nothing about {name} would change.", name=listed.player.shown_name))
    for other in state.active():
        if table is not None and other.fixed == table:
            name = other.player.shown_name
            decider.warn(say("{name} also has table {table} as a fixed table.", name=name, table=table))
    if table is not None and table in state.blocked:
        decider.warn(say("Table {table} is kept empty.", table=table))
    if state.upcoming:
        number = state.upcoming.number
        decider.warn(
            say("Round {round} is already paired. This applies from the next round on.", round=number)
        )
    decider.record(f.TableFixed(player=command.player, table=table))


@handle.register
def decide_seat_all(command: c.SeatAll, decider: Decider) -> None:
    state = decider.state
    if state.begun:
        raise NotNow(say("The event has started. Players now sit where the pairings say."))
    here = [e for e in state.active() if e.here is not False]
    here.sort(key=lambda e: (e.player.shown_name.casefold(), e.player.id))
    if not here:
        raise NotNow(say("There are no players yet."))
    seats = {e.player.id: e.fixed for e in here if e.fixed is not None}
    taken, size = {*seats.values()} | state.blocked, min(state.book.match.table_sizes)
    tables = (table for table in itertools.count(state.first_table) if table not in taken)
    waiting = [e.player.id for e in here if e.fixed is None]
    for at in range(0, len(waiting), size):
        seats |= dict.fromkeys(waiting[at : at + size], next(tables))
    decider.record(f.SeatedAll(tables=seats))


@handle.register
def decide_draw_lots(command: c.DrawLots, decider: Decider) -> None:
    if decider.state.rounds:
        raise NotNow(say("A round is already paired. Flights, pods and seats can no longer be drawn."))
    if (draft := decider.state.draft) is not None and command.kind != "flights":
        raise NotNow(say("Draft {draft} has begun, with pods and seats. End it first.", draft=draft.number))
    secret = decider.get_secret()
    attempt = next_attempt(decider.state, command.kind)
    seed = derive_seed(secret, command.kind, "attempt", attempt)
    numbers = draw_lots(decider.state, command.kind, seed)
    decider.record(f.LotsDrawn(kind=command.kind, numbers=numbers, seed=seed, attempt=attempt))
