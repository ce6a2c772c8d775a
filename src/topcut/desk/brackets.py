"""The brackets and round robins of a running event, for a page and for programs."""

from __future__ import annotations

from topcut.desk.live import played
from topcut.errors import TopcutError
from topcut.event.draw import course_of
from topcut.event.state import State
from topcut.site import brackets
from topcut.site.brackets import BracketView, Seen
from topcut.stages.answer import Document, documents
from topcut.stages.course import Course
from topcut.stages.final import Final


def bracket_views(state: State) -> list[BracketView]:
    """All brackets and round robins of an event as far as they are known; none where there are none.

    The hall gives a state without a draft.
    """
    return brackets.bracket_views(_course(state), Seen(state.rounds, state.name_of))


def bracket_documents(state: State) -> list[Document]:
    """The same for programs."""
    try:
        return documents(_course(state))
    except TopcutError:
        return []


def _course(state: State) -> Course:
    """The event on its way through its stages, as far as a bracket shows it."""
    last = state.round
    eliminating = last is not None and last.stage == "elimination"
    rounds = len(state.rounds) if eliminating else played(state)
    return course_of(state, rounds + 1)


def final_places_of(state: State) -> list[Final]:
    """The places that a bracket has decided, from the top; none before it begins, or of several at once."""
    if not any(a_round.stage == "elimination" for a_round in state.rounds):
        return []
    views = bracket_views(state)
    return views[0].places if len(views) == 1 else []
