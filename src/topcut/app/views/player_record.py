"""List a player's rounds, whose results they can still question, and explain their tiebreaks."""

from dataclasses import dataclass
from typing import Any

from topcut.app.views.leaderboard import EventLeaderboard
from topcut.event.correction_window import find_closure
from topcut.event.state import State
from topcut.site import site_event
from topcut.standings.explain import KeyWorking


@dataclass(frozen=True)
class Lived(site_event.PlayedRound):
    """Describe a round from the view of one player."""

    wrong: bool
    """Whether the result can still be questioned."""
    asked: bool


def lived(state: State, whole: State, board: EventLeaderboard, player: str) -> list[Lived]:
    """Return a player's public rounds. `whole` has the draft too: a rule may close a record by it."""
    asked = {q.round for q in state.questions if q.player == player and q.about == "result"}
    tables = {a_round.number: a_round.table_of(player) for a_round in state.rounds}
    rounds = [(a_round.number, a_round.stage, tables[a_round.number]) for a_round in state.rounds]
    found = []
    for one in site_event.list_played_rounds(board, rounds, state.name_of, player):
        table, number = tables[one.number], one.number
        open_ = table is not None and table.reported and not state.finished and not state.purged
        wrong = open_ and find_closure(whole, number) is None
        fields: dict[str, Any] = vars(one)
        found.append(Lived(**fields, wrong=wrong, asked=table is not None and number in asked))
    return found


def explained(board: EventLeaderboard, player: str) -> tuple[list[KeyWorking], list[str]]:
    """Return the working of each key, and how the neighbours compare; nothing for an unranked player."""
    at = board.standings.history.index.get(player) if board.rounds else None
    if at is None:
        return [], []
    found = board.explainer.explain(at)
    return found.keys, found.neighbours
