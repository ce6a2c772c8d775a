"""Pair rounds by a printed chart: by seat at first, then by who won and lost which table.

    winner A, loser A: the two places that table A gives to the next round

A drawn table fills its two places by lot. Which lot fell in an earlier round is read off the tables
that were played then, so that nothing has to be remembered.

Where fewer players begin than there are seats, the last seats are empty. Who meets an empty place has a bye
and goes on as the winner; the empty place goes on as the loser (DS-18).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from topcut.errors import BadInput, Impossible
from topcut.history import History, Outcome, Round
from topcut.lots import Stream
from topcut.rulebook.model import Chart
from topcut.rulebook.planning.tables import explain_wrong_number

ABSENT = (Outcome.GONE, Outcome.MISSED)

Place = list[int]
"""Who may hold a place: nobody, one player, or the two of a drawn table."""


@dataclass(frozen=True)
class ChartRound:
    """The tables of a round as the chart has them; a player alone has a bye."""

    tables: list[tuple[str, list[int]]]
    """(letter, players)."""
    notes: dict[int, str]
    """For players whom a lot or an exchange has placed: what happened."""


class OffChart(Exception):
    """An earlier round did not follow the chart, or draws have ended it: pair by records."""


def draw_seats(
    history: History, chart: Chart, seed: str, rounds: Sequence[Round]
) -> tuple[dict[int, int], dict[str, int]]:
    """Return the player at every seat, and the seats that were drawn now, by id (DS-2).

    Seats are those written down, else those that the tables of round 1 stand for, else drawn.
    """
    sitting = _list_sitting(history, chart)
    listed = history.size if history.size <= chart.seats else len(sitting)
    if not chart.fewest <= listed <= chart.seats:
        raise Impossible(explain_wrong_number(chart, listed), rule=chart.rule("rounds"))
    given = {i: seat for i, player in enumerate(history.players) if (seat := player.seat) is not None}
    if given:
        for i in sorted({*sitting, *given}):
            seat = given.get(i)
            if seat is None or seat > chart.seats or list(given.values()).count(seat) > 1:
                expected = f"expected a seat from 1 to {chart.seats} that nobody else has"
                player_id = history.players[i].id
                raise BadInput(f'{expected}, as the others do ("{player_id}")', place=f"players[{i}].seat")
        return {seat: i for i, seat in given.items()}, {}
    if rounds:
        tables = [[history.index[player_id] for player_id in table.players] for table in rounds[0].tables]
        letters = list(chart.rounds[0].values())
        sizes = [len(table) for table in tables]
        if sum(sizes) == len(sitting) and len(sizes) <= len(letters) and max(sizes) <= 2:
            both = zip(letters, tables, strict=False)
            return {int(s): p for places, table in both for s, p in zip(places, table, strict=False)}, {}
    by_id = sorted(sitting, key=lambda i: history.players[i].id)
    order = Stream(seed, "seats").order(len(sitting)).tolist()
    drawn = {seat: by_id[at] for seat, at in enumerate(order, start=1)}
    return drawn, {history.players[i].id: seat for seat, i in drawn.items()}


def _list_sitting(history: History, chart: Chart) -> list[int]:
    """Return who has a seat: everybody in a full pod, else players who were there for the first round."""
    everybody = range(history.size)
    return [i for i in everybody if history.size == chart.seats or history.last[i] >= 1]


def follow_chart(history: History, chart: Chart, seats: dict[int, int], stream: Stream) -> ChartRound:
    """Return the next round by the chart; `OffChart` where it no longer applies (DS-12 to DS-15)."""
    played = history.rounds
    drawn: list[int] = [_count_draws(history, r) for r in range(played)]
    if chart.records_count == "event":
        ended = sum(drawn) >= chart.records_from
    else:
        ended = max(drawn, default=0) >= chart.records_from
    if ended or (chart.draws == "records" and any(drawn)) or played >= len(chart.rounds):
        raise OffChart
    places: dict[str, Place] = {str(seat): [] for seat in range(1, chart.seats + 1)}
    places |= {str(seat): [player] for seat, player in seats.items()}
    for r in range(played):
        placed: set[int] = set()  # of the two of a drawn table each takes one place
        for letter, (a, b) in chart.rounds[r].items():
            winner, loser = _find_next_places(history, r, places[a], places[b], placed)
            places[f"winner {letter}"], places[f"loser {letter}"] = winner, loser
    notes: dict[int, str] = {}
    settled = _settle_places(history, chart, places, played, stream, notes)
    if played == 2 and chart.exchange and drawn == [1, 0]:
        _exchange_places(history, settled, notes)
    tables_now = []
    for letter, (a, b) in chart.rounds[played].items():
        here = [p for p in (settled[a], settled[b]) if p is not None and _is_active(history, p)]
        if here:
            tables_now.append((letter, here))
    return ChartRound(tables_now, notes)


def _is_active(history: History, player: int) -> bool:
    last = min(int(left[player]) for left in (history.dropped, history.cut, history.disqualified))
    return int(history.entered[player]) <= history.rounds + 1 <= last


def _count_draws(history: History, r: int) -> int:
    return int((history.played[r] == Outcome.DRAW).sum()) // 2


def _find_next_places(
    history: History, r: int, first: Place, second: Place, placed: set[int]
) -> tuple[Place, Place]:
    """Return who holds the winner's and the loser's place of a table after it was played.

    Of the two whom a drawn table left for a place, the tables of the round tell which one took it. Each of
    them takes one place, so that players already `placed` are passed over.
    """
    row = history.played[r]
    for a in (p for p in first if p not in placed):
        for b in (p for p in second if p not in placed):
            if (history.opponents[history.meeting_round == r, a] == b).any():
                placed |= {a, b}
                if row[a] in (Outcome.DRAW, Outcome.DOUBLE_LOSS):
                    return [a, b], [a, b]
                return ([a], [b]) if row[a] == Outcome.WIN else ([b], [a])
    absent: list[list[Place]] = [
        [[p] for p in place if row[p] in ABSENT] if place else [[]] for place in (first, second)
    ]
    for own, others in ((first, absent[1]), (second, absent[0])):  # one place was empty (DS-18)
        for alone in own:
            if row[alone] == Outcome.BYE and alone not in placed and others:
                placed.add(alone)
                return [alone], others[0]
    if absent[0] and absent[1]:
        return absent[0][0], absent[1][0]
    raise OffChart


def _settle_places(
    history: History,
    chart: Chart,
    places: dict[str, Place],
    played: int,
    stream: Stream,
    notes: dict[int, str],
) -> dict[str, int | None]:
    """Return one player for each place of the coming round; the two of a drawn table by lot (DS-12)."""
    needed = [place for table in chart.rounds[played].values() for place in table]
    settled: dict[str, int | None] = {}
    for place in needed:
        if place in settled:
            continue
        here = places[place]
        settled[place] = here[0] if here else None
        if len(here) == 2:
            word, letter = place.split()
            other = f"{'loser' if word == 'winner' else 'winner'} {letter}"
            pair = sorted(here, key=lambda p: history.players[p].id)
            lot = stream.below(2)
            settled[place], settled[other] = pair[lot], pair[1 - lot]
            for at in (place, other):
                player = settled[at]
                assert player is not None
                notes[player] = f"drew table {letter}; the lot gave the {at.split()[0]}'s place"
    return settled


def _exchange_places(history: History, settled: dict[str, int | None], notes: dict[int, str]) -> None:
    """Let two who drew in round 1 and still have the same record change places (DS-13)."""
    drawn = [int(p) for p in (history.played[0] == Outcome.DRAW).nonzero()[0]]
    a, b = drawn
    if _find_record(history, a) != _find_record(history, b):
        return
    where = {player: place for place, player in settled.items() if player in drawn}
    if len(where) == 2:
        settled[where[a]], settled[where[b]] = b, a
        for player, other in ((a, b), (b, a)):
            name = history.players[other].shown_name
            notes[player] = f"changed places with {name}: they drew in round 1 and have the same record"


def _find_record(history: History, player: int) -> tuple[int, int]:
    """Return wins and draws; a bye is a win (DS-A10)."""
    counts = history.counts[:, player]
    return int(counts[Outcome.WIN]) + int(counts[Outcome.BYE]), int(counts[Outcome.DRAW])
