"""Read off a state what pages show of a round: seats, tables, clock and progress."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from msgspec import Struct

from topcut.app.views.leaderboard import EventLeaderboard
from topcut.app.views.visibility import last_public_round
from topcut.event.correction_window import find_next_closing, remind_players
from topcut.event.describe.name_marks import put_names
from topcut.event.describe.plan_sentences import describe_divisions
from topcut.event.describe.results import describe_claim, describe_result
from topcut.event.facts import DraftActivity
from topcut.event.state import RoundState, State
from topcut.history.model import Player, Table
from topcut.rulebook.options import choose_format
from topcut.text.bidi import isolate_name
from topcut.text.messages import Message, count, join_messages, percent, say
from topcut.text.names import name_key

FEW = 50
"""Tables of a round, at most, in which each result is sent to every page."""


class SeatRow(Struct, frozen=True):
    """Describe a player in a round, on a row of their own (PK-57). A struct: a page has thousands."""

    id: str
    name: str
    table: int | str | None
    against: tuple[str, ...]
    points: Any
    record: str
    new: bool
    alone: str
    """"bye" or "loss" for a player without an opponent."""
    awarded: bool = False
    """Whether that bye was won before the event began."""


def list_seats(state: State, a_round: RoundState, board: EventLeaderboard) -> list[SeatRow]:
    """Return all players of a round, from A to Z."""
    found = [seat for table in a_round.tables for seat in _seats_at(table, state, a_round, board)]
    return sorted(found, key=lambda seat: name_key(seat.name))


def find_seat(
    state: State, a_round: RoundState | None, board: EventLeaderboard, player: str
) -> SeatRow | None:
    """Return the seat of a player in a round; None if they are not in it."""
    table = a_round.table_of(player) if a_round else None
    if a_round is None or table is None:
        return None
    return next(seat for seat in _seats_at(table, state, a_round, board) if seat.id == player)


def _seats_at(table: Table, state: State, a_round: RoundState, board: EventLeaderboard) -> list[SeatRow]:
    new = (table.table or table.players[0]) in a_round.changed
    found = []
    for player_id in table.players:
        points, record = board.scores.get(player_id, (0, "0-0"))
        against = tuple(state.name_of(other) for other in table.players if other != player_id)
        name, alone = state.name_of(player_id), _alone(table)
        awarded = is_awarded_bye(table, state, a_round)
        found.append(SeatRow(player_id, name, table.table, against, points, record, new, alone, awarded))
    return found


def is_awarded_bye(table: Table, state: State, a_round: RoundState) -> bool:
    """Return whether a table is a bye that its player won before the event began."""
    player = state.players[table.players[0]].player
    return table.bye and a_round.is_scored and player.has_awarded_bye(a_round.number)


def _alone(table: Table) -> str:
    return "" if len(table.players) > 1 else "loss" if table.loss else "bye"


def explain_absence(state: State, a_round: RoundState | None, player: str) -> Message:
    """Return why a player is not in a round, or that there is none yet; empty if they sit in it."""
    who = state.players[player].player
    if who.disqualified is not None:
        return say("Disqualified")
    if who.dropped is not None:
        return say("Dropped after round {number}", number=who.dropped) if who.dropped else say("Dropped")
    if a_round is None:
        return say("On the list")
    if a_round.table_of(player) is not None:
        return Message("")
    if who.entered > a_round.number:
        return say("Plays from round {number}", number=who.entered)
    if who.cut is not None:
        return say("Not in the top cut")
    bracket = [r for r in state.rounds if r.in_bracket]
    if not bracket or choose_format(state.book, state.options) == "double-elimination":
        return say("Not in this round")
    eliminated = any(r.table_of(player) for r in bracket)
    return say("Eliminated") if eliminated else say("Not in the top cut")


@dataclass(frozen=True)
class TableView:
    """Describe a table of a round, as a list of tables shows it."""

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
    awarded: bool = False
    claims: tuple[str, ...] = ()
    disputed: bool = False
    fixed: bool = False


def view_tables(state: State, a_round: RoundState, only: Iterable[Table] | None = None) -> list[TableView]:
    """Return the tables of a round, in their order."""
    extensions = a_round.clock.extensions if a_round.clock else {}
    disputed = set(a_round.disputed)
    found = []

    def name(player_id: str) -> str:
        return isolate_name(state.name_of(player_id))

    for table in a_round.tables if only is None else only:
        alone, number = _alone(table), table.table
        claims = a_round.claims.get(number, {}) if isinstance(number, int) else {}
        found.append(
            TableView(
                table=number,
                players=tuple((player_id, state.name_of(player_id)) for player_id in table.players),
                result=describe_result(table, name) if table.reported and not alone else "",
                reported=table.reported,
                confirmed=number in a_round.confirmed,
                new=(number or table.players[0]) in a_round.changed,
                extra=extensions.get(number, 0) if isinstance(number, int) else 0,
                why=tuple(put_names(state, why) for why in table.why),
                alone=alone,
                awarded=is_awarded_bye(table, state, a_round),
                claims=tuple(
                    say(
                        "{player}: {result}",
                        player=state.name_of(player_id),
                        result=describe_claim(table, result, state.name_of),
                    )
                    for player_id, result in claims.items()
                ),
                disputed=number in disputed,
                fixed=any(state.players[player_id].fixed is not None for player_id in table.players),
            )
        )
    return found


@dataclass(frozen=True)
class ClockView:
    """Describe a clock, for the browser to count."""

    ends: datetime | None
    left: float | None
    """Seconds that are left while it is paused."""
    paused: bool
    last_ends: datetime | None
    """When the last table that still plays is out of time."""
    label: str = ""
    """What the time is for, where it is not a round."""


ACTIVITY_LABELS: dict[DraftActivity, Message] = {
    "drafting": say("Drafting"),
    "building": say("Deck building"),
}
"""What players do before the first round of a draft."""


def find_clock(state: State, a_round: RoundState | None, now: datetime) -> ClockView | None:
    """Return the clock that people look at: that of drafting or deck building, else that of the round."""
    draft = state.drafting
    if draft is None or draft.clock is None:
        return clock_view(a_round, now)
    seconds = draft.clock.seconds_left(now) or 0.0
    paused, label = draft.clock.paused is not None, ACTIVITY_LABELS[draft.activity]
    ends = now + timedelta(seconds=seconds)
    return ClockView(ends, seconds if paused else None, paused, last_ends=None, label=label)


def is_drafting_now(state: State) -> bool:
    """Tell whether players go to their pods now: a draft has begun, and its first round is not published."""
    a_round = last_public_round(state)
    return state.drafting is not None and (a_round is None or a_round.phase == "ended")


@dataclass(frozen=True)
class PodView:
    """Describe a pod: its players by their seats, those without a seat last."""

    number: int
    players: tuple[tuple[int | None, str, str], ...]
    """Seats, ids and names."""


def view_pods(state: State) -> list[PodView]:
    """Return the pods of the draft that goes on, with the players who are still in it."""
    pods: dict[int, list[tuple[int | None, str, str]]] = {}
    for listed in state.active() if state.draft else ():
        player = listed.player
        if player.pod is not None:
            pods.setdefault(player.pod, []).append((player.seat, player.id, player.shown_name))
    return [
        PodView(pod, tuple(sorted(found, key=lambda at: (at[0] is None, at[0] or 0, name_key(at[2])))))
        for pod, found in sorted(pods.items())
    ]


def view_draft_seats(state: State) -> list[tuple[int | None, str, str]] | None:
    """Return the seats for a draft by a chart, before its first round; None where there is nothing to draw.

    Each is the seat, the id and the name. A player who came after the draw has no seat, and is at the end.
    """
    by_chart = state.book.pairing is not None and state.book.pairing.chart is not None
    players = [listed.player for listed in state.active()]
    if not by_chart or state.rounds or not players:
        return None
    if all(player.seat is None for player in players):
        return []
    players.sort(key=lambda player: (player.seat is None, player.seat or 0, name_key(player.shown_name)))
    return [(player.seat, player.id, player.shown_name) for player in players]


def describe_pod(player: Player) -> Message:
    """Return the flight, pod and seat of a player; empty for a player without."""
    flight = say("Flight {flight}", flight=player.flight) if player.flight else ""
    pod = say("Pod {pod}", pod=player.pod) if player.pod else ""
    if player.pod and player.seat:
        pod = say("Pod {pod}, seat {seat}", pod=player.pod, seat=player.seat)
    return join_messages(" · ", [flight, pod])


def clock_view(a_round: RoundState | None, now: datetime) -> ClockView | None:
    """Return the clock of a round that is played; None while there is nothing to count."""
    if a_round is None or a_round.clock is None or a_round.phase != "started":
        return None
    clock = a_round.clock
    seconds = clock.seconds_left(now)
    ends = now + timedelta(seconds=seconds) if seconds is not None else None
    last = clock.seconds_to_last_end(now, [t.table for t in a_round.missing if isinstance(t.table, int)])
    return ClockView(
        ends=ends,
        left=seconds if clock.paused else None,
        paused=clock.paused is not None,
        last_ends=now + timedelta(seconds=last) if last is not None and not clock.paused else None,
    )


def describe_event(state: State) -> str:
    """Return the stage of an event in a few words for the public."""
    if state.finished:
        return say("The event is over")
    a_round = last_public_round(state)
    if a_round is None and state.drafting is not None:
        return say("Draft {draft}: find your pod and seat", draft=state.drafting.number)
    if a_round is None:
        return say("The event hasn't started yet")
    number = a_round.number
    if state.drafting is not None and is_drafting_now(state):
        return say("Draft {draft}: find your pod and seat", draft=state.drafting.number)
    if a_round.phase == "published":
        return say("Round {number} is published: find your table", number=number)
    if a_round.phase == "started":
        return say("Round {number} is being played", number=number)
    return say("Round {number} is over", number=number)


def find_divisions_line(state: State, board: EventLeaderboard) -> Message:
    """Return how divisions play; empty without divisions, in a bracket, or where the announcement says it."""
    if not state.players or state.finished or any(a_round.in_bracket for a_round in state.rounds):
        return Message("")
    line = describe_divisions(board.progress)
    said = state.announced is not None and str(line) in map(str, state.announced.says)
    return Message("") if said else line


def find_reminder(state: State, board: EventLeaderboard) -> Message:
    """Return what players are told between rounds about their records; empty where no rule asks for it."""
    running = state.book.running
    if running is None or not running.reminded:
        return Message("")
    return remind_players(find_next_closing(state, board.progress))


def count_reported_tables(a_round: RoundState) -> tuple[int, int]:
    """Return how many tables of a round have reported, and how many there are."""
    real = [table for table in a_round.tables if len(table.players) > 1]
    return sum(table.reported for table in real), len(real)


def describe_progress(a_round: RoundState) -> str:
    """Return how far a round is, in words.

    A large round counts in tenths: otherwise a hall full of phones would fetch the page at each result.
    """
    reported, tables = count_reported_tables(a_round)
    if tables <= FEW:
        return count("{done} of {n} table reported", "{done} of {n} tables reported", tables, done=reported)
    tenths = 10 * reported // tables
    return say("{share} of the tables have reported", share=percent(Fraction(tenths, 10)))
