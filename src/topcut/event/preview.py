"""What should a scorekeeper see first of a round that is about to be published?

Results still missing, an announcement that the rules ask for, rematches, players who are paired down, byes,
fixed tables that moved; and whatever the pairing itself warned of.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from msgspec import Struct

from topcut.errors import Impossible
from topcut.event.applying import without_drawn
from topcut.event.draw import course_of
from topcut.event.names import named
from topcut.event.state import RoundOf, State
from topcut.history.building import missing_results
from topcut.pairing.pair import Event
from topcut.rulebook.planning.words import both
from topcut.stages.next import scored_round


class Notable(Struct, frozen=True):
    """Something to look at."""

    kind: str
    """"missing", "announcement", "warning", "rematch", "pair-down", "bye", "fixed table", "by hand",
    "attempt"."""
    table: int | str | None
    says: str


def preview(state: State) -> list[Notable]:
    """What is notable about the round that is up, the most serious first."""
    a_round = state.upcoming
    if a_round is None:
        return []
    earlier = state.written_rounds(a_round.number)
    names = {player_id: state.name_of(player_id) for player_id in state.players}
    found = [Notable("missing", None, says) for says in missing_results(earlier, names)]
    found += _unannounced(state)
    found += [Notable("warning", None, named(state, says)) for says in a_round.warnings]
    found += [Notable("by hand", None, f"changed by hand: {reason}") for reason in a_round.edited]
    if a_round.attempt > 1:
        found.append(Notable("attempt", None, f"drawn {a_round.attempt} times"))
    if a_round.stage == "swiss":
        found += _meetings(state, a_round)
    found += _byes(state, a_round)
    found += _moved(state, a_round)
    return found


def _unannounced(state: State) -> list[Notable]:
    """What the rules want announced before the first round begins, if it is not."""
    running = state.book.running
    if running is None or not running.announced or state.announced is not None or state.begun:
        return []
    says = f"rounds, cut and prizes are not announced yet ({running.rule('announced')})"
    return [Notable("announcement", None, says)]


def _meetings(state: State, a_round: RoundOf) -> list[Notable]:
    """Rematches first, then tables at which points differ."""
    course = course_of(without_drawn(state, a_round, {"cut"}), a_round.number, a_round.seed)
    history = course.history
    try:
        event: Event | None = scored_round(course) if course.running else None
    except Impossible:
        event = None
    rematches, down = [], []
    for table in a_round.tables:
        seats = [history.index[player_id] for player_id in table.players]
        who = " - ".join(map(state.name_of, table.players))
        for a, b in combinations(seats, 2):
            if met := sorted({r + 1 for r, other in history.met(a) if other == b}):
                pair = both(history.players[seat].shown_name for seat in (a, b))
                says = f"{pair} met in round{'s' if len(met) > 1 else ''} {both(met)}"
                rematches.append(Notable("rematch", table.table, says))
        if event is not None and len(seats) == 2 and len({int(p) for p in event.points[seats]}) > 1:
            points = [str(Fraction(int(event.points[seat]), event.unit)) for seat in seats]
            down.append(Notable("pair-down", table.table, f"{who} ({' and '.join(points)} points)"))
    return rematches + down


def _byes(state: State, a_round: RoundOf) -> list[Notable]:
    found = []
    for table in a_round.tables:
        if len(table.players) == 1:
            word = "a loss" if table.loss else "a bye"
            why = f" ({named(state, '; '.join(table.why))})" if table.why else ""
            found.append(Notable("bye", None, f"{state.name_of(table.players[0])} has {word}{why}"))
    return found


def _moved(state: State, a_round: RoundOf) -> list[Notable]:
    """Players who do not sit where they always sit, or whose table changed since the last round."""
    before = state.rounds[a_round.number - 2] if a_round.number > 1 else None
    found = []
    for entrant in state.active():
        player, fixed = entrant.player, entrant.fixed
        table = a_round.table_of(player.id) if fixed is not None else None
        if table is None or len(table.players) == 1:
            continue
        last = before.table_of(player.id) if before else None
        if table.table != fixed:
            says = f"{player.shown_name} should sit at table {fixed}, and sits at table {table.table}"
            found.append(Notable("fixed table", table.table, says))
        elif last is not None and last.table is not None and last.table != fixed:
            says = f"{player.shown_name} moves to table {fixed} for good"
            found.append(Notable("fixed table", table.table, says))
    return found
