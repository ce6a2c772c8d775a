"""Who ends where in each division? Bracket first, then standings, as a finished .tdf file lists it."""

from __future__ import annotations

from topcut.errors import BadInput
from topcut.exchange.event_file import Event
from topcut.history import check_reported
from topcut.stages.course import Course
from topcut.stages.final import final_places


def final_order(event: Event) -> list[str]:
    """The ids of all players: those of one division, in the order of their places, among each other.

    Who never sat at a table has no result that a key could look at: they keep the order of the file, as in
    finished files. A table that is open is an error, and so is a bracket that is not over.
    """
    check_reported(event.file.players, event.file.rounds)
    course = Course(event.history, event.book, event.file.options, event.file.rounds, [event.file.seed])
    history = course.history
    ranked: list[str] = []
    for bracket in course.brackets if course.eliminating else ():
        if not bracket.over:
            raise BadInput("the bracket is not over: expected a finished event", place="rounds")
        ranked += _absent_as_listed(event, [final.id for final in final_places(course, bracket)])
    inside = set(ranked)
    for part in course.parts:
        rounds = history.rounds if part.rounds is None else min(part.rounds, history.rounds)
        order = course.standings(part, rounds).order.tolist()
        members = set(part.members)
        rest = [
            player_id for i in order if i in members and (player_id := history.players[i].id) not in inside
        ]
        ranked += _absent_as_listed(event, rest)
    return ranked


def _absent_as_listed(event: Event, order: list[str]) -> list[str]:
    """The order in which those who never sat at a table stand among each other as in the file."""
    seated = {
        player_id for a_round in event.file.rounds for table in a_round.tables for player_id in table.players
    }
    absent = sorted(
        (player_id for player_id in order if player_id not in seated), key=event.history.index.__getitem__
    )
    listed = iter(absent)
    return [player_id if player_id in seated else next(listed) for player_id in order]
