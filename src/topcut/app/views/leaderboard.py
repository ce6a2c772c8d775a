"""Compute the standings, brackets and round robins of a running event, and what they say of one player."""

from dataclasses import dataclass

from topcut.app.views.visibility import count_played_rounds
from topcut.errors import TopcutError
from topcut.event.correction_window import find_closure
from topcut.event.draw import find_lots_seed, find_progress
from topcut.event.state import State
from topcut.site import brackets, site_event
from topcut.site.brackets import BracketContext, BracketView
from topcut.stages import leaderboard
from topcut.stages.document import Document, build_documents
from topcut.stages.final_places import FinalPlace
from topcut.stages.progress import Progress
from topcut.standings.explain import KeyWorking


class EventLeaderboard(leaderboard.Leaderboard):
    """Compute the standings and all they rest on, each value once and when it is first needed."""

    ready = False
    """Whether points and records were computed, or cannot be."""

    def __init__(self, state: State, rounds: int) -> None:
        self.state = state
        seed = find_lots_seed(state.rounds[:rounds])
        written = state.file_rounds(rounds + 1)
        super().__init__(state.file_players(), written, state.book, state.options, seed)

    @property
    def has_bracket(self) -> bool:
        """Tell whether elimination rounds are played, posted or to come."""
        return super().has_bracket or any(r.in_bracket for r in self.state.rounds)


@dataclass(frozen=True)
class RecordedRound(site_event.PlayedRound):
    """Describe a round from the view of one player."""

    wrong: bool
    """Whether the result can still be questioned."""
    asked: bool


def list_player_rounds(
    state: State, whole: State, board: EventLeaderboard, player: str
) -> list[RecordedRound]:
    """Return a player's public rounds. `whole` has the draft too: a rule may close a record by it."""
    asked = {q.round for q in state.questions if q.player == player and q.about == "result"}
    tables = {a_round.number: a_round.table_of(player) for a_round in state.rounds}
    rounds = [(a_round.number, a_round.stage, tables[a_round.number]) for a_round in state.rounds]
    closed = state.finished or state.purged
    found = []
    for one in site_event.list_played_rounds(board, rounds, state.name_of, player):
        table = tables[one.number]
        wrong = (
            not closed and table is not None and table.reported and find_closure(whole, one.number) is None
        )
        found.append(RecordedRound(**vars(one), wrong=wrong, asked=table is not None and one.number in asked))
    return found


def explain_tiebreaks(board: EventLeaderboard, player: str) -> tuple[list[KeyWorking], list[str]]:
    """Return the working of each key, and how the neighbours compare; nothing for an unranked player."""
    at = board.standings.history.index.get(player) if board.rounds else None
    if at is None:
        return [], []
    found = board.explainer.explain(at)
    return found.keys, found.neighbours


def bracket_views(state: State) -> list[BracketView]:
    """Return the brackets and round robins of an event as far as they are known.

    The hall passes a state without a draft.
    """
    return brackets.build_bracket_views(_find_progress(state), BracketContext(state.rounds, state.name_of))


def bracket_documents(state: State) -> list[Document]:
    """Return the brackets and round robins of an event as programs read them."""
    try:
        return build_documents(_find_progress(state))
    except TopcutError:
        return []


def _find_progress(state: State) -> Progress:
    """Return the progress of an event through its stages, as far as a bracket shows it."""
    last = state.round
    eliminating = last is not None and last.in_bracket
    rounds = len(state.rounds) if eliminating else count_played_rounds(state)
    return find_progress(state, rounds + 1)


def final_places_of(state: State) -> list[FinalPlace]:
    """Return the places that a bracket has decided, from the top; none before it begins, or with several."""
    if not any(a_round.in_bracket for a_round in state.rounds):
        return []
    views = bracket_views(state)
    return views[0].places if len(views) == 1 else []
