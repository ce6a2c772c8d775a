"""The pods and rounds of an event, written onto a .tdf file: who is in which pod, and what was played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from topcut.errors import BadInput
from topcut.exchange.tdf.edit import made
from topcut.exchange.tdf.new import a_match, a_pod, a_round, moment
from topcut.exchange.tdf.sheet import (
    BOTH_LOST,
    BYE,
    ELIMINATION,
    FIRST_WON,
    LAST,
    LATE,
    OPEN,
    PLAYED,
    PLAYING,
    POOLS,
    SECOND_WON,
    TIE,
    Pod,
    PodRound,
)
from topcut.exchange.tdf.write import Writing
from topcut.history import Player, Table
from topcut.history.parts import parts
from topcut.history.results import winner_of
from topcut.rulebook.planning.cut import bracket_size


@dataclass
class _Home:
    """A pod as it becomes."""

    element: Element
    pod: Pod | None
    """As it was."""
    divisions: set[int]
    players: set[str]
    rounds: list[tuple[int, list[Table]]] = field(default_factory=list)
    """Round of the event (from 0), and the tables of the pod in it."""


def write_rounds(writing: Writing, finished: bool | None) -> None:
    """Pods, rounds, tables and results."""
    homes = _homes(writing)
    taken = [division for home in homes for division in home.divisions]
    if len(taken) != len(set(taken)):
        pools = "each division in one pool, and only neighbours together"
        raise BadInput(f"these pools cannot be written here: expected {pools}", place="options.pools")
    of = {id: home for home in homes for id in home.players}
    for r, a_round_ in enumerate(writing.file.rounds):
        for t, table in enumerate(a_round_.tables):
            where = {id(of.get(player)) for player in table.players}
            if len(where) > 1:
                problem = f"{' and '.join(table.players)} are in different pods"
                raise BadInput(problem, place=f"rounds[{r}].tables[{t}]")
        for home in homes:
            home.rounds.append((r, [table for table in a_round_.tables if of.get(table.players[0]) is home]))
    for home in homes:
        home.rounds = _own(writing, home)
    slots = _slots(writing)
    used = [{t.table for t in a.tables if isinstance(t.table, int)} for a in writing.file.rounds]
    for home in homes:
        for player in writing.file.players:
            if player.id in home.players:
                writing.own_rounds[player.id] = [r for r, _ in home.rounds]
                _add_missed(writing, home, player)
        _write_pod(writing, home, slots, used, finished)


def _twice(tables: Sequence[Table]) -> bool:
    """Whether two tables have one number: pods may have tables of their own, an event may not."""
    numbers = [table.table for table in tables if table.table is not None]
    return len(numbers) > len(set(numbers))


def _own(writing: Writing, home: _Home) -> list[tuple[int, list[Table]]]:
    """The rounds of a pod: Swiss rounds up to its last one, then elimination rounds with its own tables."""
    swiss = [r for r, tables in home.rounds if writing.file.rounds[r].stage == "swiss"]
    there = home.pod.swiss if home.pod else 0
    last = max((r for r, tables in home.rounds if r in swiss and (tables or r < there)), default=-1)
    return [(r, tables) for r, tables in home.rounds if r <= last or (tables and r not in swiss)]


def _homes(writing: Writing) -> list[_Home]:
    """The pods of the file, with players who came and without those who went; new ones where needed."""
    homes = [_Home(pod.element, pod, set(pod.divisions), set(pod.players)) for pod in writing.sheet.pods]
    for home in homes:
        for element in home.element.findall("subgroups/subgroup/players/player"):
            id = element.get("userid", "").strip()
            if id not in writing.people:
                writing.pen.drop(element)
                home.players.discard(id)
    if not homes and not writing.file.rounds:
        return homes
    event = writing.event
    seated = {id for a_round in writing.file.rounds for table in a_round.tables for id in table.players}
    for part in parts(event.history, event.book, event.file.options):
        members = [event.history.players[i] for i in part.members]
        inside = {player.id for player in members}
        own = [home for home in homes if home.players & inside]
        for player in members:
            never = player.id not in seated and 0 in (player.dropped, player.disqualified)
            if never or any(player.id in home.players for home in homes):
                continue
            division = writing.division(player)
            if not own:
                own = [_new_pod(writing, division)]
                homes += own
            home = next((home for home in own if division in home.divisions), own[0])
            _enter(writing, home, player, division)
    return homes


def _new_pod(writing: Writing, division: int) -> _Home:
    pods = writing.child("pods", ("data", "timeelapsed", "players"))
    pool = {division}
    for names in writing.file.options.pools or ():
        if writing.names[division] in names:
            pool = {writing.names.index(name) for name in names}
    category = next(category for category, divisions in POOLS.items() if pool <= set(divisions))
    flights = max((player.flight or 1 for player in writing.file.players), default=1)
    element = a_pod(category, bool(writing.file.options.third_place), flights)
    writing.pen.put(pods, element)
    return _Home(element, None, set(POOLS[category]), set())


def _enter(writing: Writing, home: _Home, player: Player, division: int) -> None:
    """A player into a pod, the subgroup of their flight; its category grows if it must."""
    home.players.add(player.id)
    if division not in home.divisions:
        wider = home.divisions | {division}
        category = next(c for c, divisions in POOLS.items() if wider <= set(divisions))
        home.divisions = set(POOLS[category])
        writing.pen.set(home.element, "category", str(category))
    groups = home.element.findall("subgroups/subgroup/players")
    if len(groups) < (player.flight or 1):
        raise BadInput(f"no subgroup for {player.shown_name}: expected one for each flight", place="pods")
    writing.pen.put(groups[(player.flight or 1) - 1], made("player", userid=player.id))


def _add_missed(writing: Writing, home: _Home, player: Player) -> None:
    """Rounds that a late player missed are losses without an opponent, unless the file left them out."""
    old = writing.known.get(player.id)
    same = old is not None and old.entered == player.entered
    before = home.pod.rounds if home.pod else ()
    for own, (r, tables) in enumerate(home.rounds):
        if r + 1 >= player.entered or writing.file.rounds[r].stage != "swiss":
            return
        left_out = same and own < len(before) and player.id not in before[own].outcomes
        if not left_out and not any(player.id in table.players for table in tables):
            tables.append(Table(players=(player.id,), loss=True))


def _write_pod(
    writing: Writing, home: _Home, slots: dict[str, int], used: list[set[int]], finished: bool | None
) -> None:
    pen, before = writing.pen, home.pod.rounds if home.pod else ()
    kinds = [writing.file.rounds[r].stage == "elimination" for r, _ in home.rounds]
    same = 0
    while same < min(len(before), len(kinds)) and before[same].elimination == kinds[same]:
        same += 1
    for old in before[same:]:
        pen.drop(old.element)
    rounds = home.element.find("rounds")
    if rounds is None and home.rounds:
        rounds = made("rounds")
        pen.put(home.element, rounds, ("poddata", "subgroups"))
    for own, (r, tables) in enumerate(home.rounds):
        found = before[own] if own < same else None
        if found is None:
            assert rounds is not None
            element = _new_round(writing, own + 1, kinds[own])
            pen.put(rounds, element)
        else:
            element = found.element
        numbered = r >= len(writing.before.rounds) or not _twice(writing.before.rounds[r].tables)
        seats = slots if kinds[own] else {}
        touched = _write_tables(writing, element, found, tables, seats, used[r], numbered)
        is_open = any(not table.reported for table in tables)
        was = stage = element.get("stage", "").strip()
        if is_open and touched:
            stage = str(PLAYING)
        elif not is_open and stage == str(PLAYING) and (touched or own + 1 < len(home.rounds)):
            stage = str(PLAYED)
        follows = own + 1 < len(home.rounds) and own + 1 >= same
        if follows and kinds[own + 1] and not kinds[own]:
            stage = str(LAST)
        if own + 1 == len(home.rounds) and finished and (pen.used or not writing.sheet.places):
            stage = str(LAST)
        if stage != was:
            pen.set(element, "stage", stage)
    if any(kinds) != (home.pod is not None and home.pod.swiss < len(before)):
        pen.set(home.element, "stage", "1" if any(kinds) else "0")
    _write_seeds(writing, home, before, kinds, slots)


def _new_round(writing: Writing, number: int, elimination: bool) -> Element:
    minutes = writing.root.findtext(f"data/{'finalsroundtime' if elimination else 'roundtime'}") or ""
    seconds = int(minutes) * 60 if minutes.strip().isascii() and minutes.strip().isdigit() else 0
    timed = writing.root.find(".//pairtime") is not None or writing.root.find(".//round") is None
    type = ELIMINATION if elimination else writing.sheet.type
    return a_round(number, type, seconds, writing.at if timed else None)


def _write_tables(
    writing: Writing,
    element: Element,
    before: PodRound | None,
    tables: Sequence[Table],
    slots: dict[str, int],
    used: set[int],
    numbered: bool,
) -> bool:
    """The tables of a round; whether anything was changed."""
    pen = writing.pen
    there = {frozenset(match.players): match for match in (before.matches if before else ())}
    wanted = {frozenset(table.players) for table in tables}
    touched = before is None
    for players, match in there.items():
        if players not in wanted:
            pen.drop(match.element)
            touched = True
    used |= {match.table for players, match in there.items() if players in wanted}
    fresh = []
    for table in tables:
        found = there.get(frozenset(table.players))
        if found is None:
            fresh.append(table)
            continue
        code = outcome(table, found.players)
        if code != found.outcome:
            pen.set(found.element, "outcome", str(code))
            pen.say(found.element, "timestamp", moment(writing.at), ("player", "player1", "player2"))
            touched = True
        moved = isinstance(table.table, int) and table.table != found.table
        if numbered and moved and len(table.players) > 1:
            after = ("player", "player1", "player2", "timestamp")
            pen.say(found.element, "tablenumber", str(table.table), after)
            touched = True
    fresh.sort(key=lambda table: (len(table.players) > 1, min(slots.get(id, 0) for id in table.players)))
    matches = element.find("matches")
    if matches is None and fresh:
        matches = made("matches")
        pen.put(element, matches)
    for table in fresh:
        assert matches is not None
        seats = tuple(sorted(table.players, key=lambda id: slots.get(id, 0)))
        number = table.table if isinstance(table.table, int) and table.table > 0 else _free(used)
        number = number if len(seats) > 1 else 0
        used.add(number)
        pen.put(matches, a_match(seats, outcome(table, seats), number, writing.at))
        touched = True
    return touched


def _free(used: set[int]) -> int:
    """The first number that no table of the round has."""
    number = 1
    while number in used:
        number += 1
    return number


def outcome(table: Table, players: Sequence[str]) -> int:
    """The code of a result, seen from players in this order."""
    if table.bye or table.loss:
        return BYE if table.bye else LATE
    if not table.reported:
        return OPEN
    if table.winner == "double_loss":
        return BOTH_LOST
    if table.winner == "draw" or (table.games is not None and table.games[0] == table.games[1]):
        return TIE
    return FIRST_WON if winner_of(table) == players[0] else SECOND_WON


def _slots(writing: Writing) -> dict[str, int]:
    """Player to slot in their bracket, from the top as these files count it."""
    found: dict[str, int] = {}
    for bracket in writing.course.brackets if writing.course.eliminating else ():
        ids = bracket.play.players
        order = slot_seeds(bracket_size(len(ids)))
        found |= {id: order.index(seed) + 1 for seed, id in enumerate(ids, start=1)}
    return found


def slot_seeds(size: int) -> list[int]:
    """The rank seeds in the slots of a bracket; the better one of a pair stands outside.

    >>> slot_seeds(8)
    [1, 8, 5, 4, 3, 6, 7, 2]
    """
    order = [1]
    while len(order) < size:
        pairs = [(seed, 2 * len(order) + 1 - seed) for seed in order]
        order = [seed for at, pair in enumerate(pairs) for seed in (pair[::-1] if at % 2 else pair)]
    return order


def _write_seeds(
    writing: Writing, home: _Home, before: Sequence[PodRound], kinds: list[bool], slots: dict[str, int]
) -> None:
    """Slot and rank seed of everybody in a bracket that is new."""
    first = next((tables for (_, tables), kind in zip(home.rounds, kinds, strict=True) if kind), [])
    old = next((a_round.matches for a_round in before if a_round.elimination), ())
    if {frozenset(table.players) for table in first} == {frozenset(match.players) for match in old}:
        return
    seeds: dict[str, int] = {}
    for bracket in writing.course.brackets if first else ():
        seeds |= {id: seed for seed, id in enumerate(bracket.play.players, start=1)}
    ahead = ("firstname", "lastname", "birthdate", "starter")
    for element in writing.root.iterfind("players/player"):
        id = element.get("userid", "").strip()
        if id in home.players and id in seeds:
            writing.pen.say(element, "order", str(slots[id]), ahead)
            writing.pen.say(element, "seed", str(seeds[id]), (*ahead, "order"))
        elif id in home.players:
            for child in [*element.findall("order"), *element.findall("seed")]:
                writing.pen.drop(child)
