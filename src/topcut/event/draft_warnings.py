"""Find what a scorekeeper should look at before a round is published.

Results still missing, an announcement that the rules ask for, rematches, players who are paired down, byes,
fixed tables that moved; and the warnings of the pairing itself.
"""

from fractions import Fraction
from itertools import combinations

from msgspec import Struct

from topcut.errors import Impossible
from topcut.event.apply.context import clear_drawn
from topcut.event.describe.name_marks import put_names
from topcut.event.draw import find_progress
from topcut.event.state import RoundState, State
from topcut.history.builder import list_missing_results
from topcut.pairing.round_draw import RoundDraw
from topcut.stages.stage_types import prepare_swiss_round
from topcut.text.messages import list_and


class DraftWarning(Struct, frozen=True):
    """Something to look at before publishing."""

    kind: str
    """"missing", "announcement", "warning", "rematch", "pair-down", "bye", "fixed table", "by hand",
    "attempt"."""
    table: int | str | None
    says: str


def find_draft_warnings(state: State) -> list[DraftWarning]:
    """Return the warnings about the upcoming round, the most serious first."""
    a_round, running = state.upcoming, state.book.running
    if a_round is None:
        return []
    earlier = state.file_rounds(a_round.number)
    names = {player_id: state.name_of(player_id) for player_id in state.players}
    found = [DraftWarning("missing", None, says) for says in list_missing_results(earlier, names)]
    if running and running.announced and state.announced is None and not state.begun:
        says = f"rounds, cut and prizes are not announced yet ({running.rule('announced')})"
        found.append(DraftWarning("announcement", None, says))
    found += [DraftWarning("warning", None, put_names(state, says)) for says in a_round.warnings]
    found += [DraftWarning("by hand", None, f"changed by hand: {reason}") for reason in a_round.edited]
    if a_round.attempt > 1:
        found.append(DraftWarning("attempt", None, f"drawn {a_round.attempt} times"))
    if a_round.is_scored:
        found += _find_meetings(state, a_round)
    for table in a_round.tables:
        if len(table.players) == 1:
            word = "a loss" if table.loss else "a bye"
            why = f" ({put_names(state, '; '.join(table.why))})" if table.why else ""
            found.append(DraftWarning("bye", None, f"{state.name_of(table.players[0])} has {word}{why}"))
    return found + _find_moved(state, a_round)


def _find_meetings(state: State, a_round: RoundState) -> list[DraftWarning]:
    """Return rematches first, then tables at which points differ."""
    progress = find_progress(clear_drawn(state, a_round, {"cut"}), a_round.number, a_round.seed)
    history = progress.history
    try:
        event: RoundDraw | None = prepare_swiss_round(progress) if progress.running else None
    except Impossible:
        event = None
    rematches, down = [], []
    for table in a_round.tables:
        seats = [history.index[player_id] for player_id in table.players]
        who = " - ".join(map(state.name_of, table.players))
        for a, b in combinations(seats, 2):
            if met := sorted({r + 1 for r, other in history.met(a) if other == b}):
                pair = list_and(history.players[seat].shown_name for seat in (a, b))
                says = f"{pair} met in round{'s' if len(met) > 1 else ''} {list_and(met)}"
                rematches.append(DraftWarning("rematch", table.table, says))
        if event is not None and len(seats) == 2 and len({int(p) for p in event.points[seats]}) > 1:
            points = [str(Fraction(int(event.points[seat]), event.unit)) for seat in seats]
            down.append(DraftWarning("pair-down", table.table, f"{who} ({' and '.join(points)} points)"))
    return rematches + down


def _find_moved(state: State, a_round: RoundState) -> list[DraftWarning]:
    """Return players who do not sit where they always sit, or whose table changed since the last round."""
    before = state.rounds[a_round.number - 2] if a_round.number > 1 else None
    found = []
    for listed in state.active():
        player, fixed = listed.player, listed.fixed
        table = a_round.table_of(player.id) if fixed is not None else None
        if table is None or len(table.players) == 1:
            continue
        last = before.table_of(player.id) if before else None
        says = ""
        if table.table != fixed:
            says = f"{player.shown_name} should sit at table {fixed}, and sits at table {table.table}"
        elif last is not None and last.table not in (None, fixed):
            says = f"{player.shown_name} moves to table {fixed} for good"
        if says:
            found.append(DraftWarning("fixed table", table.table, says))
    return found
