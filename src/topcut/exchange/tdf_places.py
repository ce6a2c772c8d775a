"""Who ends where in each division? Bracket first, then standings, as a finished .tdf file lists it."""

from __future__ import annotations

from topcut.exchange.event_file import Event
from topcut.history import check_reported
from topcut.history.divisions import division_of
from topcut.stages.course import Course
from topcut.stages.final import final_places


def final_order(event: Event) -> dict[str, list[str]]:
    """Division to the ids of its players from the first place on; a table that is open is an error."""
    check_reported(event.file.players, event.file.rounds)
    course = Course(event.history, event.book, event.file.options, event.file.rounds, [event.file.seed])
    history = course.history
    division = {player.id: division_of(player, event.book) or "" for player in history.players}
    ranked: list[str] = []
    for bracket in course.brackets if course.eliminating else ():
        ranked += [final.id for final in final_places(course, bracket)]
    inside = set(ranked)
    for part in course.parts:
        rounds = history.rounds if part.rounds is None else min(part.rounds, history.rounds)
        order = course.standings(part, rounds).order.tolist()
        members = set(part.members)
        ranked += [id for i in order if i in members and (id := history.players[i].id) not in inside]
    found: dict[str, list[str]] = {}
    for id in ranked:
        found.setdefault(division[id], []).append(id)
    return found
