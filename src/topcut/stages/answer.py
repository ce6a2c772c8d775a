"""A bracket as programs read it: tables round by round, places, the cut and its reasons."""

from __future__ import annotations

from typing import Any

from topcut.rulebook.planning.cut import bracket_size
from topcut.stages.bracket import Bracket
from topcut.stages.course import Course
from topcut.stages.final import final_places, shares, uneven
from topcut.stages.play import EMPTY, Play
from topcut.standings.advance import Advancing

Document = dict[str, Any]


def bracket_document(course: Course, bracket: Bracket) -> Document:
    """One bracket with the keys of the contract."""
    play = bracket.play
    answer: Document = {
        "size": bracket_size(len(play.players)),
        "rounds": [[_table(play, node.name) for node in tables] for tables in play.graph.rounds],
        "places": [],
        "seed": bracket.seed,
        "kind": play.graph.kind,
        "rank_seeds": {id: at for at, id in enumerate(play.players, start=1)},
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


def cut_document(course: Course, cut: Advancing) -> Document:
    """Who goes on and who does not, with the reason for each."""
    players = course.history.players
    return {
        "line": cut.line,
        "players": [
            {"id": players[v.player].id, "in": v.on, "near": v.near, "why": v.why} for v in cut.verdicts
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
    elif ended is not None and ended.how == "walk-over":
        row["walk_over"] = True
    elif ended is not None and ended.how == "no winner":
        row["double_loss"] = True
    return row
