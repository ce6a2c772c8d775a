"""What becomes of commands about entering an event: on time or late, and all that is known of a player."""

from __future__ import annotations

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.answers import settle
from topcut.event.deciding import LONGEST, RESERVED, Desk, checked_name, handle
from topcut.event.draw import attempt_of, course_of, lots_drawn
from topcut.event.private import person_of, seed_of
from topcut.event.refusals import EntryClosed, NotNow
from topcut.event.state import Entrant
from topcut.history.divisions import division_of
from topcut.history.model import Player
from topcut.rulebook.options import format_of

NOBODY_YET = "\n"
"""The id of somebody who only might enter: no player can have it."""


@handle.register
def on_register(command: c.Register, desk: Desk) -> None:
    desk.running()
    state = desk.state
    name = checked_name(command.name)
    player_id = command.id if command.id is not None else _free_id(desk)
    taken = player_id in RESERVED or player_id in state.players
    if not player_id or len(player_id) > LONGEST or not player_id.isprintable() or taken:
        raise BadInput(f"{player_id!r} cannot be the id of a new player: expected another one", place="id")
    _born(command.born, desk)
    division = _division(desk, command.division, command.born)
    display = _display(command.display, name)
    _can_enter(desk, display or name, division)
    if any(e.legal == name for e in state.players.values()):
        desk.warn(f"there is another player called {name}")
    _shown_twice(desk, display, player_id)
    _look_back(desk, name, command.member)
    person = desk.person(name, command.member, command.born, display)

    def registered(entered: int) -> f.Registered:
        return f.Registered(
            player=player_id, person=person, division=division, apart=command.apart, entered=entered
        )

    upcoming = state.upcoming
    if upcoming is None:
        desk.fact(registered(state.begun + 1))
    else:  # PK-18: now, or when the round has begun
        number = upcoming.number

        def base(then: c.Then) -> list[f.AnyFact]:
            return [registered(number + (then == "leave"))]

        circle = format_of(state.book, state.options) == "round-robin"
        later = _goes_on_after(desk, number, division)
        wait = upcoming.stage == "swiss" and later and not circle and not _closed(desk, number)
        settle(desk, base, command.then, leave=wait)
    if losses := desk.state.players[player_id].player.entered - 1:
        desk.say(_notice(desk, name, losses))


def _display(text: str | None, name: str) -> str | None:
    """What everybody sees in the place of a name; None where that is the name itself."""
    return None if not text or text == name else checked_name(text, "display")


def _shown_twice(desk: Desk, display: str | None, player_id: str) -> None:
    """Warn of a display name that would be on the wall twice."""
    others = (e.player for e in desk.state.players.values() if e.player.id != player_id)
    if display and any(player.name == display for player in others):
        desk.warn(f"another player is shown as {display} too")


def _look_back(desk: Desk, name: str, member: str | None) -> None:
    """Warn of somebody who was refused, and of a number that another player has."""
    # All facts are gone through for each player of a long list, so nothing but their kind is looked at first.
    for entry in [entry for entry in desk.journal.entries if type(entry.fact) is f.EntryRefused]:
        if isinstance(entry.fact, f.EntryRefused) and entry.step not in desk.journal.undone:
            refused = person_of(desk.journal.private, entry.fact.person).name
            if refused.casefold() == name.casefold():
                desk.warn(f"{name} was refused entry before: {entry.fact.reason}")
    same = [e.player.shown_name for e in desk.state.players.values() if member and e.player.member == member]
    if same:
        desk.warn(f"{same[0]} has the membership number {member} too")


def _can_enter(desk: Desk, name: str, division: str | None) -> None:
    """Refuse a player for whom it is too late."""
    state, upcoming = desk.state, desk.state.upcoming
    book = state.book
    if not state.begun and upcoming is None:
        return
    late = book.late_entry
    if any(r.stage == "elimination" for r in state.rounds[: state.begun]):  # PK-22
        rule = late.no_later if late else ""
        raise EntryClosed(f"{name} cannot enter: the bracket has begun", rule=rule)
    if book.plan.exact_players is not None:
        playing = sum(1 for _ in state.active())
        problem = f"{name} cannot enter: {playing} play from the first round on"
        if not state.begun and playing < book.plan.exact_players:
            problem += "; undo the pairing of round 1, enter them, and pair it again"
        raise EntryClosed(problem, rule=book.plan.rule("exact_players"))
    after_swiss = upcoming is not None and upcoming.stage == "elimination" and upcoming.number > 1
    was_cut = any(entrant.player.cut is not None for entrant in state.players.values())
    if state.stages or after_swiss or was_cut:
        raise EntryClosed(f"{name} cannot enter after the cut", rule="")
    if state.begun and format_of(book, state.options) == "round-robin":
        raise EntryClosed(f"{name} cannot enter: everybody's tables are fixed", rule="")
    if late is not None and _closed(desk, state.begun):  # PK-21
        limit = late.until[desk.state.options.level or "casual"]
        moment = "began" if limit.moment == "start" else "ended"
        problem = (
            f"{name} could enter a {state.options.level or 'casual'} event until round {limit.round} {moment}"
        )
        raise EntryClosed(problem, rule=late.rule("until"))
    if state.begun and not _goes_on_after(desk, state.begun, division):
        raise EntryClosed(f"{name} cannot enter: the last planned round has begun", rule="")


def _goes_on_after(desk: Desk, number: int, division: str | None) -> bool:
    """Whether a new player of a division would have a planned round after this one."""
    newcomer = Player(id=NOBODY_YET, division=division, entered=number + 1)
    players = {**desk.state.players, NOBODY_YET: Entrant(player=newcomer, person="")}
    course = course_of(replace(desk.state, players=players))
    own = [part for part in course.parts if course.history.index[NOBODY_YET] in part.members]
    planned = [part.rounds for part in own or course.parts]
    return not planned or any(rounds is None or rounds > number for rounds in planned)


def _closed(desk: Desk, begun: int) -> bool:
    """Whether entry is closed at this level once so many rounds have begun (PK-21)."""
    state, late = desk.state, desk.state.book.late_entry
    limit = late.until.get(state.options.level or "casual") if late else None
    if limit is None:
        return False
    if limit.moment == "start":
        return begun >= limit.round
    over = begun == limit.round and len(state.rounds) >= begun and state.rounds[begun - 1].phase == "ended"
    return begun > limit.round or over


def _notice(desk: Desk, name: str, losses: int) -> str:
    """What a late player must be told (PK-20)."""
    late = desk.state.book.late_entry
    rounds = "round 1" if losses == 1 else f"rounds 1 to {losses}"
    takes = f"Tell {name}: entering late means {'a loss' if losses == 1 else f'{losses} losses'} for {rounds}"
    if late is None or not late.told:
        return takes + "."
    return f"{takes}, and a place below players of equal record who were on time ({late.rule('told')})."


def _free_id(desk: Desk) -> str:
    number = desk.state.registered + 1
    while f"p{number}" in desk.state.players:
        number += 1
    return f"p{number}"


def _born(year: int | None, desk: Desk) -> None:
    if year is not None and not 1900 <= year <= desk.context.at.year:
        raise BadInput(f"expected a year from 1900 to {desk.context.at.year}, not {year}", place="born")


def _division(desk: Desk, division: str | None, born: int | None) -> str | None:
    """The division that was given, or that of the birth year, so that it is known without the year."""
    book = desk.state.book
    names = [known.name for known in book.divisions.list] if book.divisions else []
    if division and names and division not in names:
        raise BadInput(f'no division is called "{division}": expected {", ".join(names)}', place="division")
    return division_of(Player(id="?", division=division or None, born=born), book)


@handle.register
def on_edit_player(command: c.EditPlayer, desk: Desk) -> None:
    entrant = desk.entrant(command.player)
    player = entrant.player
    if desk.state.purged:
        raise NotNow("the names of this event are deleted")
    if desk.state.finished and player.id in desk.journal.forgotten and not entrant.legal:
        raise NotNow(f"what was known of {player.id} is deleted: nothing can be put right any more")
    name = entrant.legal if command.name is None else checked_name(command.name)
    display = _display(entrant.display if command.display is None else command.display, name)
    member = player.member if command.member is None else command.member or None
    born = player.born if command.born is None else command.born or None
    _born(born, desk)
    given = player.division if command.division is None else command.division or None
    by_year = command.division is None and command.born is not None
    division = player.division if desk.state.finished and by_year else None
    division = division or _division(desk, None if by_year else given, born)
    apart = player.apart if command.apart is None else command.apart
    if desk.state.finished and (division, apart) != (player.division, player.apart):
        raise NotNow("the event is finished: only names, numbers and birth years can still be put right")
    old = (entrant.legal, entrant.display, player.member, player.born, player.division, player.apart)
    if (name, display, member, born, division, apart) == old:
        raise NotNow(f"nothing about {player.shown_name} would change")
    if division != player.division and desk.state.rounds:
        desk.warn(f"{player.shown_name} changes the division while the event runs; later rounds follow it")
    if display != entrant.display:
        _shown_twice(desk, display, player.id)
    person = desk.person(name, member, born, display)
    desk.fact(f.PlayerEdited(player=player.id, person=person, division=division, apart=apart))


@handle.register
def on_check_in(command: c.CheckIn, desk: Desk) -> None:
    desk.running()
    for player_id in command.players or tuple(e.player.id for e in desk.state.active()):
        if desk.entrant(player_id).here is not command.here:
            desk.fact(f.CheckedIn(player=player_id, here=command.here))
    if not desk.decided.facts:
        raise NotNow("that is known already" if desk.state.players else "there are no players yet")


@handle.register
def on_remove(command: c.Remove, desk: Desk) -> None:
    desk.running()
    entrant = desk.entrant(command.player)
    if desk.state.begun:
        raise NotNow(f"the event has begun: {entrant.player.shown_name} can only drop")
    upcoming = desk.state.upcoming
    if upcoming is not None and any(command.player in table.players for table in upcoming.fixed):
        raise NotNow(f"the table of {entrant.player.shown_name} has begun: they can only drop")

    def base(_: c.Then) -> list[f.AnyFact]:
        return [f.Removed(player=command.player)]

    settle(desk, base, command.then, leave=False)


@handle.register
def on_refuse_entry(command: c.RefuseEntry, desk: Desk) -> None:
    """PK-19."""
    desk.running()
    reason = desk.reason(command.reason, "an entry is refused")
    desk.fact(f.EntryRefused(person=desk.person(checked_name(command.name)), reason=reason))


@handle.register
def on_fix_table(command: c.FixTable, desk: Desk) -> None:
    desk.running()
    entrant = desk.entrant(command.player)
    if command.table is not None and not 1 <= command.table <= 10**6:
        raise BadInput("expected the number of a table, from 1", place="table")
    if entrant.fixed == command.table:
        raise NotNow(f"nothing about {entrant.player.shown_name} would change")
    if command.table is not None:
        others = [e for e in desk.state.active() if e.fixed == command.table and e is not entrant]
        for other in others:
            desk.warn(f"{other.player.shown_name} has table {command.table} too")
        if command.table in desk.state.blocked:
            desk.warn(f"table {command.table} is blocked")
    if desk.state.upcoming:
        desk.warn(f"round {desk.state.upcoming.number} is paired already; this counts from the next one on")
    desk.fact(f.TableFixed(player=command.player, table=command.table))


@handle.register
def on_seat_all(command: c.SeatAll, desk: Desk) -> None:
    desk.running()
    state = desk.state
    if state.begun:
        raise NotNow("the event has begun: everybody sits by the pairings")
    here = sorted(
        (e for e in state.active() if e.here is not False),
        key=lambda e: (e.player.shown_name.casefold(), e.player.id),
    )
    if not here:
        raise NotNow("there are no players yet")
    taken = {e.fixed for e in here if e.fixed is not None}
    seats = {e.player.id: e.fixed for e in here if e.fixed is not None}
    table, size = state.first_table, min(state.book.match.table_sizes)
    free = [e.player.id for e in here if e.fixed is None]
    for at in range(0, len(free), size):
        while table in taken or table in state.blocked:
            table += 1
        seats |= dict.fromkeys(free[at : at + size], table)
        taken.add(table)
    desk.fact(f.SeatedAll(tables=seats))


@handle.register
def on_draw_lots(command: c.DrawLots, desk: Desk) -> None:
    desk.running()
    if desk.state.rounds:
        raise NotNow("a round is paired already: what was drawn for it stays")
    secret = desk.secret()
    attempt = attempt_of(desk.state, command.kind)
    seed = seed_of(secret, command.kind, "attempt", attempt)
    numbers = lots_drawn(desk.state, command.kind, seed)
    desk.fact(f.LotsDrawn(kind=command.kind, numbers=numbers, seed=seed, attempt=attempt))
