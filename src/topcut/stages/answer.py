"""A bracket as programs read it: tables round by round, places, the cut and its reasons."""

from __future__ import annotations

from typing import Any

from topcut.history import History, Played
from topcut.history.parts import Part
from topcut.rulebook.planning.cut import bracket_size
from topcut.stages.bracket import Bracket
from topcut.stages.circle import circle_seeds, circle_tables
from topcut.stages.course import Course
from topcut.stages.final import final_places, shares, standing_words, uneven
from topcut.stages.play import EMPTY, Play
from topcut.standings.advance import Advancing

Document = dict[str, Any]


def documents(course: Course) -> list[Document]:
    """All brackets of an event, or all its round robins."""
    robins = [part for part in course.parts if part.round_robin]
    if robins:
        return [schedule_document(course, part) for part in robins]
    return [bracket_document(course, bracket) for bracket in course.brackets]


def together(found: list[Document]) -> Document:
    """Several brackets in one document; one alone is the document."""
    return found[0] if len(found) == 1 else {"divisions": found}


def bracket_document(course: Course, bracket: Bracket) -> Document:
    """One bracket with the keys of the contract."""
    play = bracket.play
    answer: Document = {
        "size": bracket_size(len(play.players)),
        "rounds": [[_table(play, node.name) for node in tables] for tables in play.graph.rounds],
        "places": [],
        "seed": bracket.seed,
        "kind": play.graph.kind,
        "rank_seeds": {player_id: at for at, player_id in enumerate(play.players, start=1)},
        "warnings": warnings(course, bracket),
    }
    answer["rounds"] = [tables for tables in answer["rounds"] if any(tables)]
    for final in final_places(course, bracket):
        row: Document = {"place": final.place, "id": final.id, "name": final.name, "why": final.why}
        if final.division is not None:
            row |= {"division": final.division, "division_place": final.division_place}
        answer["places"].append(row)
    if bracket.part.name:
        answer["division"] = bracket.part.name
    if bracket.entered:
        answer["cut"] = cut_document(course, bracket.entered)
        answer["shares"] = [
            {"division": s.division, "in": s.inside, "players": s.players, "share": str(s.share)}
            for s in shares(course)
        ]
    return answer


def schedule_document(course: Course, part: Part) -> Document:
    """A round robin with the same keys: all its tables, and the places once everything is played."""
    history = course.history
    ids, _ = circle_seeds(history, part, course.rounds, course.seed)
    rounds = []
    for r in range(part.rounds or 0):
        tables = enumerate(circle_tables(history, ids, r), start=1)
        rounds.append([_met(history, r, f"R{r + 1}-{number}", players) for number, (players, _) in tables])
    places: list[Document] = []
    if history.rounds >= len(rounds):
        standings = course.standings(part, history.rounds)
        members = set(part.members)
        for position, i in enumerate(standings.order.tolist()):
            if i in members:
                player = history.players[i]
                why = standing_words(standings, position)
                places.append(
                    {"place": standings.rank(i), "id": player.id, "name": player.shown_name, "why": why}
                )
    return {
        "size": len(ids),
        "rounds": rounds,
        "places": places,
        "seed": course.seed,
        "kind": "round-robin",
        "rank_seeds": {player_id: at for at, player_id in enumerate(ids, start=1)},
        "warnings": [],
    } | ({"division": part.name} if part.name else {})


def _met(history: History, number: int, name: str, players: tuple[int, ...]) -> Document:
    ids = [history.players[i].id for i in players]
    if len(ids) == 1:
        return {"table": name, "players": [*ids, None], "winner": ids[0], "bye": True}
    row: Document = {"table": name, "players": ids, "winner": None}
    if number < history.rounds:
        outcomes = [history.played[number, i] for i in players]
        row["winner"] = next(
            (player_id for player_id, o in zip(ids, outcomes, strict=True) if o == Played.WIN), None
        )
        for outcome, word in ((Played.DRAW, "draw"), (Played.DOUBLE_LOSS, "double_loss")):
            if outcome in outcomes:
                row[word] = True
    return row


def cut_document(course: Course, cut: Advancing) -> Document:
    """Who goes on and who does not, with the reason for each."""
    players = course.history.players
    return {
        "line": cut.line,
        "players": [
            {"id": players[v.player].id, "in": v.on, "near": v.near, "why": v.why} for v in cut.verdicts
        ],
        "moved_up": [
            {
                "left": players[moved.left].id,
                "id": None if moved.player is None else players[moved.player].id,
                "text": moved.says,
            }
            for moved in cut.moved_up
        ],
    }


def warnings(course: Course, bracket: Bracket) -> list[str]:
    """What an organiser should know about a bracket."""
    said = uneven(course, shares(course)) if bracket.entered else ""
    return [*bracket.warnings, *([said] if said else [])]


def _table(play: Play, name: str) -> Document:
    if not play.needed(name):
        return {}
    ended, seats = play.ended(name), play.seats(name)
    here = [seat if isinstance(seat, str) else None for seat in seats]
    winner = ended.winner if ended is not None and isinstance(ended.winner, str) else None
    row: Document = {"table": name, "players": here, "winner": winner}
    if EMPTY in seats and winner is not None:
        row["players"] = [winner, None]
        row["bye"] = True
    elif EMPTY in seats and ended is not None:
        row["empty"] = True
    elif ended is not None and ended.how == "walk-over":
        row["walk_over"] = True
    elif ended is not None and ended.how == "no winner":
        row["double_loss"] = True
    return row
