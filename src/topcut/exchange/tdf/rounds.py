"""The rounds of an event, written onto the pods of a .tdf file: who played whom, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal
from xml.etree.ElementTree import Element

from topcut.exchange.tdf.brackets import slots_of, write_seeds
from topcut.exchange.tdf.edit import made
from topcut.exchange.tdf.new import a_match, a_round, moment
from topcut.exchange.tdf.pods import Home, homes_of
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
    SECOND_WON,
    TIE,
    PodRound,
)
from topcut.exchange.tdf.write import Writing
from topcut.history import Table
from topcut.history.results import winner_of

Then = Literal["nothing", "round", "bracket", "end"]
"""What comes after a round: nothing yet, a round, the first one of a bracket that is new, the end."""


class _Numbers:
    """The numbers that tables of a round have."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self.used = {table.table for table in tables if isinstance(table.table, int)}
        self._next = 1

    def of(self, table: Table) -> int:
        """The number of a new table: its own, else the first that is free; 0 for one player."""
        if len(table.players) == 1:
            return 0
        if isinstance(table.table, int) and table.table > 0:
            return table.table
        while self._next in self.used:
            self._next += 1
        self.used.add(self._next)
        return self._next


def write_rounds(writing: Writing, finished: bool | None) -> None:
    """Pods, rounds, tables and results."""
    homes = homes_of(writing)
    slots = slots_of(writing)
    numbers = [_Numbers(a_round_.tables) for a_round_ in writing.file.rounds]
    for home in homes:
        rounds = [r for r, _ in home.rounds]
        writing.own_rounds |= dict.fromkeys(home.players, rounds)
        _write_pod(writing, home, slots, numbers, finished)


def _twice(tables: Sequence[Table]) -> bool:
    """Whether two tables have one number: pods may have tables of their own, an event may not."""
    numbers = [table.table for table in tables if table.table is not None]
    return len(numbers) > len(set(numbers))


def round_stage(was: int, touched: bool, is_open: bool, then: Then) -> int:
    """The stage of a round. `touched`: whether a table of it was written; `is_open`: whether one is open.

    Other stages than these were seen too; they stay until something happens in the round.
    """
    if then in ("bracket", "end"):
        return LAST
    if is_open:
        return PLAYING if touched else was
    return PLAYED if was == PLAYING and (touched or then == "round") else was


def _write_pod(
    writing: Writing, home: Home, slots: dict[str, int], numbers: Sequence[_Numbers], finished: bool | None
) -> None:
    pen, before = writing.pen, home.before
    kinds = [writing.file.rounds[r].stage == "elimination" for r, _ in home.rounds]
    same = 0
    while same < min(len(before), len(kinds)) and before[same].elimination == kinds[same]:
        same += 1
    pen.drop(*(old.element for old in before[same:]))
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
        moving = r >= len(writing.before.rounds) or not _twice(writing.before.rounds[r].tables)
        seats = slots if kinds[own] else {}
        touched = _write_tables(writing, element, found, tables, seats, numbers[r], moving)
        then: Then = "nothing"
        if own + 1 < len(kinds):
            then = "bracket" if own + 1 >= same and kinds[own + 1] and not kinds[own] else "round"
        elif finished and (pen.used or not writing.sheet.places):
            then = "end"
        was = PLAYING if found is None else found.stage
        stage = round_stage(was, touched, any(not table.reported for table in tables), then)
        if stage != was:
            pen.set(element, "stage", str(stage))
    if any(kinds) != any(a_round_.elimination for a_round_ in before):
        pen.set(home.element, "stage", "1" if any(kinds) else "0")
    write_seeds(writing, home, kinds, slots)


def _new_round(writing: Writing, number: int, elimination: bool) -> Element:
    minutes = writing.root.findtext(f"data/{'finalsroundtime' if elimination else 'roundtime'}") or ""
    seconds = int(minutes) * 60 if minutes.strip().isascii() and minutes.strip().isdigit() else 0
    timed = writing.root.find(".//pairtime") is not None or writing.root.find(".//round") is None
    event_type = ELIMINATION if elimination else writing.sheet.type
    return a_round(number, event_type, seconds, writing.at if timed else None)


def _write_tables(
    writing: Writing,
    element: Element,
    before: PodRound | None,
    tables: Sequence[Table],
    slots: dict[str, int],
    numbers: _Numbers,
    moving: bool,
) -> bool:
    """The tables of a round; whether anything was changed. `moving`: tables may get other numbers."""
    pen = writing.pen
    there = {frozenset(match.players): match for match in (before.matches if before else ())}
    wanted = {frozenset(table.players) for table in tables}
    gone = [match.element for players, match in there.items() if players not in wanted]
    pen.drop(*gone)
    numbers.used |= {match.table for players, match in there.items() if players in wanted}
    touched = before is None or bool(gone)
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
        if moving and moved and len(table.players) > 1:
            after = ("player", "player1", "player2", "timestamp")
            pen.say(found.element, "tablenumber", str(table.table), after)
            touched = True
    fresh.sort(
        key=lambda table: (
            len(table.players) > 1,
            min(slots.get(player_id, 0) for player_id in table.players),
        )
    )
    matches = element.find("matches")
    if matches is None and fresh:
        matches = made("matches")
        pen.put(element, matches)
    for table in fresh:
        assert matches is not None
        seats = tuple(sorted(table.players, key=lambda player_id: slots.get(player_id, 0)))
        pen.put(matches, a_match(seats, outcome(table, seats), numbers.of(table), writing.at))
    return touched or bool(fresh)


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
