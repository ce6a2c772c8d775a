"""What does a page show of an event? Plain values for templates, read off a state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from topcut.desk.board import Board
from topcut.desk.live import posted
from topcut.event.applying import without_drawn
from topcut.event.clock import last_end, left
from topcut.event.facts import Result
from topcut.event.names import named
from topcut.event.state import Clock, RoundOf, State
from topcut.event.words import result_words, said_words
from topcut.history.alphabet import in_order
from topcut.history.direction import apart
from topcut.history.model import Table
from topcut.rulebook.options import format_of


def public(state: State) -> State:
    """The event as everybody may know it: without a round that is not published, and what it has drawn."""
    last = state.round
    if last is None or last.phase != "draft":
        return state
    state = without_drawn(state, last, set(last.drawn))
    seen = {what: count for what, count in state.attempts.items() if what != f"round {last.number}"}
    return replace(state, rounds=state.rounds[:-1], attempts=seen, stages=())


class Seat(Struct, frozen=True):
    """A player in a round, on a row of their own (PK-57). A struct: thousands are made for one page."""

    id: str
    name: str
    table: int | str | None
    against: tuple[str, ...]
    points: Any
    record: str
    new: bool
    alone: str
    """"bye" or "loss" for somebody without an opponent."""


shown_round = posted


def public_round(state: State, number: int | None) -> RoundOf | None:
    """A round by its number, if everybody may see it; the last such round if none is given."""
    if number is None:
        return shown_round(state)
    rounds = [r for r in state.rounds if r.number == number and r.phase != "draft"]
    return rounds[0] if rounds else None


def seats(state: State, a_round: RoundOf, board: Board) -> list[Seat]:
    """Everybody in the round, from A to Z."""
    scores, names = (
        board.scores,
        {player_id: entrant.player.shown_name for player_id, entrant in state.players.items()},
    )
    found = []
    for table in a_round.tables:
        new = bool(a_round.changed) and (table.table or table.players[0]) in a_round.changed
        alone = "" if len(table.players) > 1 else "loss" if table.loss else "bye"
        for player_id in table.players:
            points, record = scores.get(player_id, (0, "0-0"))
            against = tuple(names[other] for other in table.players if other != player_id)
            found.append(Seat(player_id, names[player_id], table.table, against, points, record, new, alone))
    found.sort(key=lambda seat: in_order(seat.name))
    return found


def seat_of(state: State, a_round: RoundOf | None, board: Board, player: str) -> Seat | None:
    """Where somebody sits in a round; None for those who are not in it."""
    table = a_round.table_of(player) if a_round else None
    if a_round is None or table is None:
        return None
    new = (table.table or table.players[0]) in a_round.changed
    points, record = board.scores.get(player, (0, "0-0"))
    against = tuple(state.name_of(other) for other in table.players if other != player)
    alone = "" if len(table.players) > 1 else "loss" if table.loss else "bye"
    return Seat(player, state.name_of(player), table.table, against, points, record, new, alone)


def whereabouts(state: State, a_round: RoundOf | None, player: str) -> str:
    """Why somebody is not in a round, or that there is none yet; empty for those who sit in it."""
    who = state.players[player].player
    if who.disqualified is not None:
        return "disqualified"
    if who.dropped is not None:
        return f"dropped after round {who.dropped}" if who.dropped else "dropped"
    if a_round is None:
        return "on the list"
    if a_round.table_of(player) is not None:
        return ""
    if who.entered > a_round.number:
        return f"plays from round {who.entered} on"
    if who.cut is not None:
        return "not in the cut"
    bracket = [r for r in state.rounds if r.stage == "elimination"]
    if not bracket or format_of(state.book, state.options) == "double-elimination":
        return "not in this round"
    return "out of the bracket" if any(r.table_of(player) for r in bracket) else "not in the cut"


@dataclass(frozen=True)
class AtTable:
    """A table of a round, as a list of tables shows it."""

    table: int | str | None
    players: tuple[tuple[str, str], ...]
    """Ids and names."""
    result: str
    reported: bool
    confirmed: bool
    new: bool
    extra: int
    """Minutes of extension."""
    why: tuple[str, ...]
    alone: str
    claims: tuple[str, ...] = ()
    disputed: bool = False
    fixed: bool = False


def tables(state: State, a_round: RoundOf, only: Iterable[Table] | None = None) -> list[AtTable]:
    """The tables of a round, in their order."""
    extensions = a_round.clock.extensions if a_round.clock else {}
    disputed = set(a_round.disputed)
    found = []

    def name(player_id: str) -> str:
        return apart(state.name_of(player_id))

    for table in a_round.tables if only is None else only:
        alone = "" if len(table.players) > 1 else "loss" if table.loss else "bye"
        number = table.table
        claims = a_round.claims.get(number, {}) if isinstance(number, int) else {}
        found.append(
            AtTable(
                table=number,
                players=tuple((player_id, state.name_of(player_id)) for player_id in table.players),
                result=result_words(table, name) if table.reported and not alone else "",
                reported=table.reported,
                confirmed=number in a_round.confirmed,
                new=(number or table.players[0]) in a_round.changed,
                extra=extensions.get(number, 0) if isinstance(number, int) else 0,
                why=tuple(named(state, why) for why in table.why),
                alone=alone,
                claims=tuple(
                    claim_words(state, table, player_id, result) for player_id, result in claims.items()
                ),
                disputed=number in disputed,
                fixed=any(state.players[player_id].fixed is not None for player_id in table.players),
            )
        )
    return found


def claim_words(state: State, table: Table, player: str, result: Result) -> str:
    """What a player says how their table ended."""
    return f"{state.name_of(player)}: {said_words(table, result, state.name_of)}"


@dataclass(frozen=True)
class ClockView:
    """A clock, for the browser to count."""

    ends: datetime | None
    left: float | None
    """Seconds that are left while it stands still."""
    paused: bool
    last_ends: datetime | None
    """When the last table that still plays is out of time."""


def clock_view(a_round: RoundOf | None, now: datetime) -> ClockView | None:
    """The clock of a round that is played; None while there is nothing to count."""
    if a_round is None or a_round.clock is None or a_round.phase != "started":
        return None
    clock: Clock = a_round.clock
    seconds = left(clock, now)
    ends = now + timedelta(seconds=seconds) if seconds is not None else None
    last = last_end(clock, now, [t.table for t in a_round.missing if isinstance(t.table, int)])
    return ClockView(
        ends=ends,
        left=seconds if clock.paused else None,
        paused=clock.paused is not None,
        last_ends=now + timedelta(seconds=last) if last is not None and not clock.paused else None,
    )


PHASES = {
    "draft": "is being prepared",
    "published": "is posted: find your table",
    "started": "is being played",
    "ended": "is over",
}


def headline(state: State) -> str:
    """Where the event is, in a few words for everybody."""
    if state.finished:
        return "The event is over"
    a_round = shown_round(state)
    if a_round is None:
        return "The event has not begun"
    if a_round.phase == "ended":
        return f"Round {a_round.number} is over"
    return f"Round {a_round.number} {PHASES[a_round.phase]}"


def playing(a_round: RoundOf) -> tuple[int, int]:
    """How many tables of a round have reported, and of how many."""
    real = [table for table in a_round.tables if len(table.players) > 1]
    return sum(table.reported for table in real), len(real)
