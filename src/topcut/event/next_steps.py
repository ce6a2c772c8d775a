"""Find what can be done next with an event, without drawing a round for it."""

from typing import Literal

from topcut.errors import TopcutError
from topcut.event.draw import find_progress
from topcut.event.state import State
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round, prepare_swiss_round

Step = Literal["pair", "publish", "start", "report", "end", "finish", "add", "drop", "check in"]


def find_next_steps(state: State) -> list[Step]:
    """Return the steps that are possible now, the most likely first; none once the event is finished.

    A round that is planned for enough players is offered even where its rules then leave no pairing.
    """
    if state.finished:
        return []
    a_round = state.round
    if a_round is None:
        return _find_first_steps(state)
    match a_round.phase:
        case "draft":
            return ["publish"]
        case "published":
            return ["start"]
        case "started":
            return ["report"] if a_round.missing else ["end"]
    return ["pair"] if can_pair_next(find_progress(state)) else ["finish"]


def _find_first_steps(state: State) -> list[Step]:
    """Return the steps that are possible before the first round is paired."""
    players = list(state.active())
    chart = state.book.pairing.chart if state.book.pairing else None
    if chart is not None and len(players) > chart.seats:
        return ["drop"]
    if any(e.here for e in players) and not all(e.here for e in players):
        return ["check in", "add"]
    if chart is not None and len(players) < chart.fewest:
        return ["add"]
    return ["pair", "add"] if players and can_pair_next(find_progress(state)) else ["add"]


def can_pair_next(progress: Progress) -> bool:
    """Return whether another round is planned, with enough players for it."""
    try:
        if not progress.draws_next:
            pair_next_round(progress, "")  # a bracket or a round robin: it follows from what was played
            return True
        event = prepare_swiss_round(progress)
        for pool in event.lay_out_pools("").pools:
            if progress.book.tables is not None:
                event.find_multiplayer_pool(pool, "")
    except TopcutError:
        return False
    return True
