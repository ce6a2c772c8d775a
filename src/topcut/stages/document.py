"""Build brackets and round robins as programs read them: tables round by round, places, the cut."""

from typing import Any

from topcut.history import History, Outcome
from topcut.history.parts import Part
from topcut.rulebook.planning.plan import find_bracket_size
from topcut.stages.brackets.bracket import Bracket
from topcut.stages.brackets.play import EMPTY, BracketPlay
from topcut.stages.final_places import (
    count_division_shares,
    find_final_places,
    summarize_standing,
    warn_of_uneven_shares,
)
from topcut.stages.progress import Progress
from topcut.stages.round_robin import find_circle_seeds, list_circle_tables
from topcut.standings.advance import CutDecision
from topcut.text.messages import Message, to_message

Document = dict[str, Any]


def build_documents(progress: Progress) -> list[Document]:
    """Return all brackets of an event, or all its round robins."""
    return build_schedules(progress) or [bracket_document(progress, one) for one in progress.brackets]


def build_schedules(progress: Progress) -> list[Document]:
    """Return the round robins of an event; none where its rounds are not all known from the start."""
    if not progress.scored_type.has_schedule:
        return []
    return [_schedule_document(progress, part) for part in progress.parts]


def merge_documents(found: list[Document]) -> Document:
    """Return several brackets in one document; one alone is the document."""
    return found[0] if len(found) == 1 else {"divisions": found}


def bracket_document(progress: Progress, bracket: Bracket) -> Document:
    """Return one bracket with the keys of the contract."""
    play = bracket.play
    rounds = [[_table(play, node.name) for node in tables] for tables in play.graph.rounds]
    answer: Document = {
        "size": find_bracket_size(len(play.players)),
        "rounds": [tables for tables in rounds if any(tables)],
        "places": [],
        "seed": bracket.seed,
        "kind": play.graph.kind,
        "rank_seeds": play.rank_seeds,
        "warnings": list_warnings(progress, bracket),
    }
    for final in find_final_places(progress, bracket):
        row: Document = {"place": final.place, "id": final.id, "name": final.name, "why": final.why}
        if final.division is not None:
            row |= {"division": final.division, "division_place": final.division_place}
        answer["places"].append(row)
    if bracket.part.name:
        answer["division"] = bracket.part.name
    if bracket.entered:
        answer["cut"] = cut_document(progress, bracket.entered)
        answer["shares"] = [
            {"division": s.division, "in": s.inside, "players": s.players, "share": str(s.share)}
            for s in count_division_shares(progress)
        ]
    return answer


def _schedule_document(progress: Progress, part: Part) -> Document:
    """Return a round robin with the same keys: all its tables, and the places once everything is played."""
    history = progress.history
    ids, _ = find_circle_seeds(history, part, progress.rounds, progress.seed)
    rounds = []
    for r in range(part.rounds or 0):
        tables = [players for players, _ in list_circle_tables(history, ids, r)]
        rounds.append([_meeting(history, r, f"R{r + 1}-{at}", here) for at, here in enumerate(tables, 1)])
    places: list[Document] = []
    if history.rounds >= len(rounds):
        standings = progress.standings(part, history.rounds)
        members = set(part.members)
        for position, i in enumerate(standings.order.tolist()):
            if i in members:
                player, why = history.players[i], summarize_standing(standings, position)
                row = {"place": standings.rank(i), "id": player.id, "name": player.shown_name, "why": why}
                places.append(row)
    return {
        "size": len(ids),
        "rounds": rounds,
        "places": places,
        "seed": progress.seed,
        "kind": "round-robin",
        "rank_seeds": {player_id: at for at, player_id in enumerate(ids, start=1)},
        "warnings": [],
    } | ({"division": part.name} if part.name else {})


def _meeting(history: History, number: int, name: str, players: tuple[int, ...]) -> Document:
    ids = [history.players[i].id for i in players]
    if len(ids) == 1:
        return {"table": name, "players": [*ids, None], "winner": ids[0], "bye": True}
    row: Document = {"table": name, "players": ids, "winner": None}
    if number < history.rounds:
        outcomes = [history.played[number, i] for i in players]
        won = [player_id for player_id, one in zip(ids, outcomes, strict=True) if one == Outcome.WIN]
        row["winner"] = won[0] if won else None
        for outcome, word in ((Outcome.DRAW, "draw"), (Outcome.DOUBLE_LOSS, "double_loss")):
            if outcome in outcomes:
                row[word] = True
    return row


def cut_document(progress: Progress, cut: CutDecision) -> Document:
    """Return who goes on and who does not, with the reason for each."""
    players = progress.history.players
    return {
        "line": cut.requirement,
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


def list_warnings(progress: Progress, bracket: Bracket) -> list[Message]:
    """Return what an organiser should know about a bracket."""
    said = warn_of_uneven_shares(progress) if bracket.entered else ""
    return [*bracket.warnings, *([to_message(said)] if said else [])]


def _table(play: BracketPlay, name: str) -> Document:
    if not play.needed(name):
        return {}
    ended, seats = play.ended(name), play.seats(name)
    here = [seat if isinstance(seat, str) else None for seat in seats]
    winner = ended.winner if ended is not None and isinstance(ended.winner, str) else None
    row: Document = {"table": name, "players": here, "winner": winner}
    if ended is None:
        return row
    if EMPTY in seats:
        return row | ({"empty": True} if winner is None else {"players": [winner, None], "bye": True})
    word = {"walk-over": "walk_over", "no winner": "double_loss", "drawn": "draw"}.get(ended.how)
    return row | {word: True} if word else row
