"""Write the rounds of an event onto the pods of a .tdf file: who played whom, and the results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, filterfalse
from typing import Literal
from xml.etree.ElementTree import Element

from topcut.errors import BadInput
from topcut.formats.tdf import document
from topcut.formats.tdf.document import TdfPod, TdfRound
from topcut.formats.tdf.writer import TdfUpdate
from topcut.formats.tdf.xml_tree import make_element
from topcut.history import Player, Table
from topcut.history.parts import split_into_parts
from topcut.rulebook.planning.plan import find_bracket_size
from topcut.text.messages import list_and, say

AfterRound = Literal["nothing", "round", "bracket", "end"]
"""What comes after a round: nothing yet, a round, the first one of a bracket that is new, the end."""


class _TableNumbers:
    def __init__(self, tables: Iterable[Table]) -> None:
        self.used = {table.table for table in tables if isinstance(table.table, int)}
        self._free = filterfalse(self.used.__contains__, count(1))

    def of(self, table: Table) -> int:
        """Return the number of a new table: its own, else the first that is free; 0 for one player."""
        if len(table.players) == 1:
            return 0
        return table.table if isinstance(table.table, int) and table.table > 0 else next(self._free)


def write_rounds(update: TdfUpdate, finished: bool | None) -> None:
    """Write pods, rounds, tables and results."""
    pods = assign_pods(update)
    slots = find_slots(update)
    numbers = [_TableNumbers(a_round.tables) for a_round in update.file.rounds]
    for pod in pods:
        rounds = [r for r, _ in pod.rounds]
        update.own_rounds |= dict.fromkeys(pod.players, rounds)
        _write_pod(update, pod, slots, numbers, finished)


def choose_stage(was: int, touched: bool, is_open: bool, then: AfterRound) -> int:
    """Return the stage of a round. `touched`: a table of it was written; `is_open`: one is open.

    Other stages than these were seen too; they stay until something happens in the round.
    """
    if then in ("bracket", "end"):
        return document.LAST
    if is_open:
        return document.PLAYING if touched else was
    return document.PLAYED if was == document.PLAYING and (touched or then == "round") else was


def _write_pod(
    update: TdfUpdate,
    pod: PodUpdate,
    slots: dict[str, int],
    numbers: Sequence[_TableNumbers],
    finished: bool | None,
) -> None:
    editor, before = update.editor, pod.before
    kinds = [update.file.rounds[r].in_bracket for r, _ in pod.rounds]
    same = 0
    while same < min(len(before), len(kinds)) and before[same].elimination == kinds[same]:
        same += 1
    editor.remove(*(old.element for old in before[same:]))
    for own, (r, tables) in enumerate(pod.rounds):
        found = before[own] if own < same else None
        element = _make_round(update, own + 1, kinds[own]) if found is None else found.element
        if found is None:
            editor.insert(editor.child(pod.element, "rounds"), element)
        # Pods may have had tables of their own with one number, which an event may not.
        tables_before = update.before.rounds[r].tables if r < len(update.before.rounds) else ()
        numbers_before = [table.table for table in tables_before if table.table is not None]
        moving = len(numbers_before) == len(set(numbers_before))
        seats = slots if kinds[own] else {}
        touched = _write_tables(update, element, found, tables, seats, numbers[r], moving)
        then: AfterRound = "nothing"
        if own + 1 < len(kinds):
            then = "bracket" if own + 1 >= same and kinds[own + 1] and not kinds[own] else "round"
        elif finished and (editor.changed or not update.tdf.places):
            then = "end"
        was = document.PLAYING if found is None else found.stage
        stage = choose_stage(was, touched, any(not table.reported for table in tables), then)
        if stage != was:
            editor.set_attribute(element, "stage", str(stage))
    if any(kinds) != any(a_round.elimination for a_round in before):
        editor.set_attribute(pod.element, "stage", "1" if any(kinds) else "0")
    write_seeds(update, pod, kinds, slots)


def _make_round(update: TdfUpdate, number: int, elimination: bool) -> Element:
    minutes = update.root.findtext(f"data/{'finalsroundtime' if elimination else 'roundtime'}") or ""
    seconds = int(minutes) * 60 if minutes.strip().isascii() and minutes.strip().isdigit() else 0
    timed = update.root.find(".//pairtime") is not None or update.root.find(".//round") is None
    event_type = document.ELIMINATION if elimination else update.tdf.type
    return document.make_round(number, event_type, seconds, update.at if timed else None)


def _write_tables(
    update: TdfUpdate,
    element: Element,
    before: TdfRound | None,
    tables: Sequence[Table],
    slots: dict[str, int],
    numbers: _TableNumbers,
    moving: bool,
) -> bool:
    """Write the tables of a round, return whether any changed. `moving`: they may get other numbers."""
    editor = update.editor
    there = {frozenset(match.players): match for match in (before.matches if before else ())}
    wanted = {frozenset(table.players) for table in tables}
    gone = [match.element for players, match in there.items() if players not in wanted]
    editor.remove(*gone)
    numbers.used |= {match.table for players, match in there.items() if players in wanted}
    touched = before is None or bool(gone)
    fresh = []
    for table in tables:
        found = there.get(frozenset(table.players))
        if found is None:
            fresh.append(table)
            continue
        code = document.choose_outcome(table, found.players)
        if code != found.outcome:
            editor.set_attribute(found.element, "outcome", str(code))
            editor.set_text(found.element, "timestamp", document.format_moment(update.at))
            touched = True
        moved = isinstance(table.table, int) and table.table != found.table
        if moving and moved and len(table.players) > 1:
            editor.set_text(found.element, "tablenumber", str(table.table))
            touched = True
    fresh.sort(key=lambda table: (len(table.players) > 1, min(slots.get(p, 0) for p in table.players)))
    for table in fresh:
        seats = sorted(table.players, key=lambda player_id: slots.get(player_id, 0))
        outcome = document.choose_outcome(table, seats)
        match = document.make_match(seats, outcome, numbers.of(table), update.at)
        editor.insert(editor.child(element, "matches"), match)
    return touched or bool(fresh)


@dataclass
class PodUpdate:
    """A pod as it becomes; `old`: as it was."""

    element: Element
    old: TdfPod | None
    divisions: set[int]
    players: set[str]
    rounds: list[tuple[int, list[Table]]] = field(default_factory=list)
    """Round of the event (from 0), and the tables of the pod in it."""

    @property
    def before(self) -> tuple[TdfRound, ...]:
        return self.old.rounds if self.old else ()


def assign_pods(update: TdfUpdate) -> list[PodUpdate]:
    """Return the pods of an event, with their players and tables."""
    pods = _find_pods(update)
    taken = [division for pod in pods for division in pod.divisions]
    if len(taken) != len(set(taken)):
        problem = say(
            "these pools can't be written to a .tdf: expected each division in one pool,"
            " and only neighbouring divisions together"
        )
        raise BadInput(problem, place="options.pools")
    of = {player_id: pod for pod in pods for player_id in pod.players}
    for r, a_round in enumerate(update.file.rounds):
        for t, table in enumerate(a_round.tables):
            where = {id(of.get(player)) for player in table.players}
            if len(where) > 1:
                problem = say("{players} are in different pods", players=list_and(table.players))
                raise BadInput(problem, place=f"rounds[{r}].tables[{t}]")
        for pod in pods:
            pod.rounds.append((r, [table for table in a_round.tables if of.get(table.players[0]) is pod]))
    for pod in pods:  # Swiss rounds up to its last, then elimination rounds with its tables
        swiss = {r for r, _ in pod.rounds if update.file.rounds[r].is_scored}
        there = pod.old.swiss if pod.old else 0
        last = max((r for r, tables in pod.rounds if r in swiss and (tables or r < there)), default=-1)
        pod.rounds = [(r, tables) for r, tables in pod.rounds if r <= last or (tables and r not in swiss)]
        _add_missed(update, pod)
    return pods


def _find_pods(update: TdfUpdate) -> list[PodUpdate]:
    """Return the pods of the file, with players who came, without those who went; new ones where needed."""
    pods = [PodUpdate(pod.element, pod, set(pod.divisions), set(pod.players)) for pod in update.tdf.pods]
    for pod in pods:
        seats = pod.element.findall("subgroups/subgroup/players/player")
        update.editor.remove(*(seat for seat in seats if document.userid_of(seat) not in update.people))
        pod.players &= update.people.keys()
    if not pods and not update.file.rounds:
        return pods
    event, seated = update.event, update.file.seated
    for part in split_into_parts(event.history, event.book, event.file.options):
        members = [event.history.players[i] for i in part.members]
        inside = {player.id for player in members}
        own = [pod for pod in pods if pod.players & inside]
        for player in members:
            never = player.id not in seated and 0 in (player.dropped, player.disqualified)
            if never or any(player.id in pod.players for pod in pods):
                continue
            division = update.division(player)
            if not own:
                own = [_add_pod(update, division)]
                pods += own
            pod = next((pod for pod in own if division in pod.divisions), own[0])
            _enter_player(update, pod, player, division)
    return pods


def _add_pod(update: TdfUpdate, division: int) -> PodUpdate:
    pool = {division}
    for names in update.file.options.pools or ():
        if update.names[division] in names:
            pool = {update.names.index(name) for name in names}
    category = next(category for category, divisions in document.POOLS.items() if pool <= set(divisions))
    flights = max((player.flight or 1 for player in update.file.players), default=1)
    element = document.make_pod(category, bool(update.file.options.third_place), flights)
    update.editor.insert(update.editor.child(update.root, "pods"), element)
    return PodUpdate(element, None, set(document.POOLS[category]), set())


def _enter_player(update: TdfUpdate, pod: PodUpdate, player: Player, division: int) -> None:
    """Put a player into a pod, the subgroup of their flight; its category grows if it must."""
    pod.players.add(player.id)
    if division not in pod.divisions:
        wider = pod.divisions | {division}
        category = next(c for c, divisions in document.POOLS.items() if wider <= set(divisions))
        pod.divisions = set(document.POOLS[category])
        update.editor.set_attribute(pod.element, "category", str(category))
    groups, number = pod.element.findall("subgroups/subgroup/players"), player.flight or 1
    if len(groups) < number:
        problem = say("no subgroup for {player}: expected one for each flight", player=player.shown_name)
        raise BadInput(problem, place="pods")
    update.editor.insert(groups[number - 1], make_element("player", userid=player.id))


def _add_missed(update: TdfUpdate, pod: PodUpdate) -> None:
    """Add a loss for each round that late players missed, unless the file left them out."""
    late = [one for one in update.file.players if one.entered > 1 and one.id in pod.players]
    for own, (r, tables) in enumerate(pod.rounds):
        if not update.file.rounds[r].is_scored:
            return
        seated = {player_id for table in tables for player_id in table.players}
        for player in late:
            old = update.known.get(player.id)
            same = old is not None and old.entered == player.entered
            left_out = same and own < len(pod.before) and player.id not in pod.before[own].outcomes
            if r + 1 < player.entered and player.id not in seated and not left_out:
                tables.append(Table(players=(player.id,), loss=True))


def find_slots(update: TdfUpdate) -> dict[str, int]:
    """Return the slot of each player in their bracket, from the top as these files count it."""
    found: dict[str, int] = {}
    for bracket in update.progress.brackets if update.progress.eliminating else ():
        ids = bracket.play.players
        seeds = list_slot_seeds(find_bracket_size(len(ids)))
        found |= {ids[seed - 1]: slot for slot, seed in enumerate(seeds, start=1) if seed <= len(ids)}
    return found


def list_slot_seeds(size: int) -> list[int]:
    """Return the rank seeds in the slots of a bracket; the better one of a pair stands outside.

    >>> list_slot_seeds(8)
    [1, 8, 5, 4, 3, 6, 7, 2]
    """
    order = [1]
    while len(order) < size:
        pairs = [(seed, 2 * len(order) + 1 - seed) for seed in order]
        order = [seed for at, pair in enumerate(pairs) for seed in (pair[::-1] if at % 2 else pair)]
    return order


def write_seeds(update: TdfUpdate, pod: PodUpdate, kinds: list[bool], slots: dict[str, int]) -> None:
    """Write slot and rank seed of everybody in a bracket that is new."""
    first = next((tables for (_, tables), kind in zip(pod.rounds, kinds, strict=True) if kind), [])
    old = next((a_round.matches for a_round in pod.before if a_round.elimination), ())
    if {frozenset(table.players) for table in first} == {frozenset(match.players) for match in old}:
        return
    seeds: dict[str, int] = {}
    for bracket in update.progress.brackets if first else ():
        seeds |= bracket.play.rank_seeds
    for element in update.root.iterfind("players/player"):
        player_id = document.userid_of(element)
        if player_id in pod.players and player_id in seeds:
            update.editor.set_text(element, "order", str(slots[player_id]))
            update.editor.set_text(element, "seed", str(seeds[player_id]))
        elif player_id in pod.players:
            update.editor.remove(*element.findall("order"), *element.findall("seed"))
