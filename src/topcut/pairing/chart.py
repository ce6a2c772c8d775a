"""Rounds that follow a printed chart: by seat at first, then by who won and lost which table.

    winner A, loser A: the two places that table A gives to the next round

A drawn table fills its two places by lot. Which lot fell in an earlier round is read off the tables
that were played then, so that nothing has to be remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topcut.errors import BadInput, Impossible
from topcut.history import History, Played, Round
from topcut.lots import Stream
from topcut.rulebook.model import Chart

ABSENT = (Played.GONE, Played.MISSED)

Place = list[int]
"""Who may hold a place: nobody, one player, or the two of a drawn table."""


@dataclass(frozen=True)
class Charted:
    """The tables of a round as the chart has them; a player alone has a bye."""

    tables: list[tuple[str, list[int]]]
    """(letter, players)."""
    notes: dict[int, str]
    """For players whom a lot or an exchange has placed: what happened."""


class OffChart(Exception):
    """An earlier round did not follow the chart, or draws have ended it: pair by records."""


def drawn_seats(
    history: History, chart: Chart, seed: str, rounds: Sequence[Round]
) -> tuple[dict[int, int], dict[str, int]]:
    """The player at every seat, and the seats that were drawn now, by id (DS-2).

    Seats are those written down, else those that the tables of round 1 stand for, else drawn.
    """
    seats = sum(len(places) for places in chart.rounds[0].values())
    if history.size != seats:
        rule = chart.rule("rounds")
        raise Impossible(f"the chart is for {seats} players, not {history.size}", rule=rule)
    given = {i: seat for i, player in enumerate(history.players) if (seat := player.seat) is not None}
    if given:
        for i, player in enumerate(history.players):
            seat = given.get(i)
            if seat is None or seat > seats or list(given.values()).count(seat) > 1:
                expected = f"expected a seat from 1 to {seats} that nobody else has"
                raise BadInput(f'{expected}, as the others do ("{player.id}")', place=f"players[{i}].seat")
        return {seat: i for i, seat in given.items()}, {}
    if rounds:
        tables = [[history.index[id] for id in table.players] for table in rounds[0].tables]
        letters = list(chart.rounds[0].values())
        if [len(table) for table in tables] == [len(places) for places in letters]:
            both = zip(letters, tables, strict=True)
            return {int(s): p for places, table in both for s, p in zip(places, table, strict=True)}, {}
    by_id = sorted(range(seats), key=lambda i: history.players[i].id)
    order = Stream(seed, "seats").order(seats).tolist()
    drawn = {seat: by_id[at] for seat, at in enumerate(order, start=1)}
    return drawn, {history.players[i].id: seat for seat, i in drawn.items()}


def charted(history: History, chart: Chart, seats: dict[int, int], stream: Stream) -> Charted:
    """The next round by the chart; `OffChart` where it no longer applies (DS-12 to DS-15)."""
    played = history.rounds
    drawn: list[int] = [_drawn_tables(history, r) for r in range(played)]
    if chart.records_count == "event":
        ended = sum(drawn) >= chart.records_from
    else:
        ended = max(drawn, default=0) >= chart.records_from
    if ended or (chart.draws == "records" and any(drawn)) or played >= len(chart.rounds):
        raise OffChart
    places: dict[str, Place] = {str(seat): [player] for seat, player in seats.items()}
    for r in range(played):
        tables = {letter: [places[a], places[b]] for letter, (a, b) in chart.rounds[r].items()}
        for letter, (first, second) in tables.items():
            winner, loser = _after(history, r, first, second)
            places[f"winner {letter}"], places[f"loser {letter}"] = winner, loser
    notes: dict[int, str] = {}
    settled = _settled(history, chart, places, played, stream, notes)
    if played == 2 and chart.exchange and drawn == [1, 0]:
        _exchange(history, settled, notes)
    tables_now = []
    for letter, (a, b) in chart.rounds[played].items():
        here = [p for p in (settled[a], settled[b]) if p is not None and _active(history, p)]
        if here:
            tables_now.append((letter, here))
    return Charted(tables_now, notes)


def _active(history: History, player: int) -> bool:
    last = min(int(left[player]) for left in (history.dropped, history.cut, history.disqualified))
    return int(history.entered[player]) <= history.rounds + 1 <= last


def _drawn_tables(history: History, r: int) -> int:
    return int((history.played[r] == Played.DRAW).sum()) // 2


def _after(history: History, r: int, first: Place, second: Place) -> tuple[Place, Place]:
    """Who holds the winner's and the loser's place of a table after it was played.

    Of the two whom a drawn table left for a place, the tables of the round tell which one took it.
    """
    row = history.played[r]
    pairs = [(a, b) for a in first for b in second]
    for a, b in pairs:
        if (history.opponents[history.meeting_round == r, a] == b).any():
            if row[a] in (Played.DRAW, Played.DOUBLE_LOSS):
                return [a, b], [a, b]
            return ([a], [b]) if row[a] == Played.WIN else ([b], [a])
    for a, b in pairs:  # one place was empty (DS-18)
        for alone, other in ((a, b), (b, a)):
            if row[alone] == Played.BYE and row[other] in ABSENT:
                return [alone], [other]
    for a, b in pairs:
        if row[a] in ABSENT and row[b] in ABSENT:
            return [a], [b]
    raise OffChart


def _settled(
    history: History,
    chart: Chart,
    places: dict[str, Place],
    played: int,
    stream: Stream,
    notes: dict[int, str],
) -> dict[str, int | None]:
    """One player for each place of the coming round; the two of a drawn table by lot (DS-12)."""
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


def _exchange(history: History, settled: dict[str, int | None], notes: dict[int, str]) -> None:
    """Two who drew in round 1 and still have the same record change places (DS-13)."""
    drawn = [int(p) for p in (history.played[0] == Played.DRAW).nonzero()[0]]
    a, b = drawn
    if _record(history, a) != _record(history, b):
        return
    where = {player: place for place, player in settled.items() if player in drawn}
    if len(where) == 2:
        settled[where[a]], settled[where[b]] = b, a
        for player, other in ((a, b), (b, a)):
            name = history.players[other].shown_name
            notes[player] = f"changed places with {name}: they drew in round 1 and have the same record"


def _record(history: History, player: int) -> tuple[int, int]:
    """Wins and draws; a bye is a win (DS-A10)."""
    counts = history.counts[:, player]
    return int(counts[Played.WIN]) + int(counts[Played.BYE]), int(counts[Played.DRAW])
