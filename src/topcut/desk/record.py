"""One player's event as the desk keeps it: what can still be questioned, and how values come about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from topcut.desk.board import Board
from topcut.event.state import State
from topcut.event.window import closed
from topcut.site import record
from topcut.standings.explain import Worked


@dataclass(frozen=True)
class Lived(record.Lived):
    """A round, as one player went through it."""

    wrong: bool
    """Whether the result can still be questioned."""
    asked: bool


def lived(state: State, whole: State, board: Board, player: str) -> list[Lived]:
    """The rounds that everybody may see. `whole` has the draft too: a rule may close a record by it."""
    asked = {q.round for q in state.questions if q.player == player and q.about == "result"}
    tables = {a_round.number: a_round.table_of(player) for a_round in state.rounds}
    rounds = [(a_round.number, a_round.stage, tables[a_round.number]) for a_round in state.rounds]
    found = []
    for one in record.lived(board, rounds, state.name_of, player):
        table, number = tables[one.number], one.number
        open_ = table is not None and table.reported and not state.finished and not state.purged
        wrong = open_ and closed(whole, number) is None
        fields: dict[str, Any] = vars(one)
        found.append(Lived(**fields, wrong=wrong, asked=table is not None and number in asked))
    return found


def explained(board: Board, player: str) -> tuple[list[Worked], list[str]]:
    """The working of each key, and how the neighbours compare; nothing for somebody who is not ranked."""
    at = board.standings.history.index.get(player) if board.rounds else None
    if at is None:
        return [], []
    found = board.explainer.explained(at)
    return found.keys, found.neighbours
