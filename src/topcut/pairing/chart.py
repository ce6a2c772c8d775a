"""Pair rounds by a printed chart: by seat at first, then by who won and lost which table.

    winner A, loser A: the two places that table A gives to the next round

A drawn table fills its two places by lot. Which lot fell in an earlier round is read off the tables
that were played then, so that nothing has to be remembered.

Where fewer players begin than there are seats, the last seats are empty. Who meets an empty place has a bye
and goes on as the winner; the empty place goes on as the loser (DS-18).
"""

from collections.abc import Iterable, Sequence

from topcut.errors import BadInput, Impossible
from topcut.history import History, Outcome, Round
from topcut.lots import Stream
from topcut.rulebook.layout import cite_reading
from topcut.rulebook.model import Chart
from topcut.rulebook.planning.tables import explain_wrong_number
from topcut.text.messages import Message, count, say

ABSENT = (Outcome.GONE, Outcome.MISSED)

Place = list[int]
"""Who may hold a place: nobody, one player, or the two of a drawn table."""


class OffChart(Exception):
    """An earlier round did not follow the chart, or draws have ended it: pair by records."""

    def __init__(self, why: Message | None = None) -> None:
        self.why = why
        """What ended it, for people; None where the tables of an earlier round did."""
        super().__init__(why)


def draw_seats(
    history: History, chart: Chart, seed: str, rounds: Sequence[Round]
) -> tuple[dict[int, int], dict[str, int]]:
    """Return the player at every seat, and the seats that were drawn now, by id (DS-2).

    Seats are those written down, else those that the tables of round 1 stand for, else drawn.
    """
    # In a full pod everybody has a seat, else players who were there for the first round.
    everybody = range(history.size)
    sitting = [i for i in everybody if history.size == chart.seats or history.last[i] >= 1]
    listed = history.size if history.size <= chart.seats else len(sitting)
    if not chart.fewest <= listed <= chart.seats:
        raise Impossible(explain_wrong_number(chart, listed), rule=chart.rule("rounds"))
    given = {i: seat for i, player in enumerate(history.players) if (seat := player.seat) is not None}
    if given:
        for i in sorted({*sitting, *given}):
            seat = given.get(i)
            if seat is None or seat > chart.seats or list(given.values()).count(seat) > 1:
                problem = say(
                    'expected a seat from 1 to {seats} that no other player has ("{player}")',
                    seats=chart.seats,
                    player=history.players[i].id,
                )
                raise BadInput(problem, place=f"players[{i}].seat")
        return {seat: i for i, seat in given.items()}, {}
    if rounds:
        tables = [[history.index[player_id] for player_id in table.players] for table in rounds[0].tables]
        places = list(chart.rounds[0].values())
        sizes = [len(table) for table in tables]
        if sum(sizes) == len(sitting) and len(sizes) <= len(places) and max(sizes) <= 2:
            both = zip(places, tables, strict=False)
            return {int(s): p for seats, table in both for s, p in zip(seats, table, strict=False)}, {}
    by_id = sorted(sitting, key=lambda i: history.players[i].id)
    order = Stream(seed, "seats").order(len(sitting)).tolist()
    drawn = {seat: by_id[at] for seat, at in enumerate(order, start=1)}
    return drawn, {history.players[i].id: seat for seat, i in drawn.items()}


def follow_chart(
    history: History, chart: Chart, seats: dict[int, int], stream: Stream
) -> tuple[list[tuple[str, list[int]]], dict[int, Message]]:
    """Return the next round by the chart; `OffChart` where it no longer applies (DS-12 to DS-15).

    That is the letter and the players of each table, and what happened to players whom a lot or an exchange
    has placed. A player alone has a bye.
    """
    played = history.rounds
    drawn = [int((row == Outcome.DRAW).sum()) // 2 for row in history.played]
    counted = sum(drawn) if chart.records_count == "event" else max(drawn, default=0)
    by_records = counted >= chart.records_from or (chart.draws == "records" and any(drawn))
    if by_records:
        why = count(
            "{n} draw so far: paired by record, not by the chart",
            "{n} draws so far: paired by record, not by the chart",
            sum(drawn),
        )
        raise OffChart(cite_reading(why, chart, "records_count"))
    if played >= len(chart.rounds):
        raise OffChart
    places: dict[str, Place] = {str(seat): [] for seat in range(1, chart.seats + 1)}
    places |= {str(seat): [player] for seat, player in seats.items()}
    for r in range(played):
        placed: set[int] = set()  # of the two of a drawn table each takes one place
        for letter, (a, b) in chart.rounds[r].items():
            winner, loser = _find_next_places(history, r, places[a], places[b], placed)
            places[f"winner {letter}"], places[f"loser {letter}"] = winner, loser
    settled, notes = _settle_places(history, chart.rounds[played].values(), places, stream)
    if played == 2 and chart.exchange and drawn == [1, 0]:
        _exchange_places(history, chart, settled, notes)
    tables = []
    for letter, both in chart.rounds[played].items():
        here = [player for place in both if (player := settled[place]) is not None]
        here = [p for p in here if history.entered[p] <= played + 1 <= history.last[p]]
        tables += [(letter, here)] if here else []
    return tables, notes


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
    history: History, tables: Iterable[tuple[str, str]], places: dict[str, Place], stream: Stream
) -> tuple[dict[str, int | None], dict[int, Message]]:
    """Return one player for each place of the coming round; the two of a drawn table by lot (DS-12).

    Return also for players whom the lot has placed what happened.
    """
    settled: dict[str, int | None] = {}
    notes: dict[int, Message] = {}
    for place in (place for table in tables for place in table):
        if place in settled:
            continue
        here = places[place]
        settled[place] = here[0] if here else None
        if len(here) == 2:
            word, letter = place.split()
            other = f"{'loser' if word == 'winner' else 'winner'} {letter}"
            pair = sorted(here, key=lambda p: history.players[p].id)
            lot = stream.below(2)
            for at, player in ((place, pair[lot]), (other, pair[1 - lot])):
                settled[at] = player
                notes[player] = _explain_lot(history.players[player].shown_name, at)
    return settled, notes


def _explain_lot(player: str, place: str) -> Message:
    """Return which place of a drawn table a player got: "winner A" or "loser A"."""
    word, letter = place.split()
    if word == "winner":
        return say(
            "{player} drew table {table} and got the winner's place at random", player=player, table=letter
        )
    return say("{player} drew table {table} and got the loser's place at random", player=player, table=letter)


def _exchange_places(
    history: History, chart: Chart, settled: dict[str, int | None], notes: dict[int, Message]
) -> None:
    """Let two who drew in round 1 and still have the same record change places (DS-13)."""
    a, b = (int(p) for p in (history.played[0] == Outcome.DRAW).nonzero()[0])
    wins = history.counts[Outcome.WIN] + history.counts[Outcome.BYE]  # DS-A10
    where = {player: place for place, player in settled.items() if player in (a, b)}
    same = wins[a] == wins[b] and history.counts[Outcome.DRAW, a] == history.counts[Outcome.DRAW, b]
    if same and len(where) == 2:
        settled[where[a]], settled[where[b]] = b, a
        for player, other in ((a, b), (b, a)):
            changed = say(
                "{player} changed places with {other}: they drew in round 1 and have the same record",
                player=history.players[player].shown_name,
                other=history.players[other].shown_name,
            )
            had_bye = history.counts[Outcome.BYE, [a, b]].any()
            notes[player] = cite_reading(changed, chart, "exchange") if had_bye else changed
