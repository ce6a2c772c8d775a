"""Build the brackets and round robins of a running event, for pages and for programs."""

from topcut.app.views.visibility import count_played_rounds
from topcut.errors import TopcutError
from topcut.event.draw import find_progress
from topcut.event.state import State
from topcut.site import brackets
from topcut.site.brackets import BracketContext, BracketView
from topcut.stages.document import Document, build_documents
from topcut.stages.final_places import FinalPlace
from topcut.stages.progress import Progress


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
