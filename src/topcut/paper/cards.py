"""A card for each player: what they played in every round, against whom, and their points after it (DC-8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from topcut.errors import BadInput
from topcut.event.find import find_by_name
from topcut.event.refusals import UnknownPlayer
from topcut.history import Played
from topcut.history.alphabet import in_order
from topcut.history.divisions import division_of
from topcut.history.model import Player, Round, Table
from topcut.history.results import SeatResult, seat_results
from topcut.paper.choice import Choice
from topcut.paper.measures import EDGE, PAPERS, POINT, ems
from topcut.paper.occasion import Occasion
from topcut.paper.page import Page, about, named
from topcut.paper.stack import cut_stack
from topcut.paper.words import WORDS, numbers
from topcut.rulebook.keys import Credit, Outcomes, Scores
from topcut.rulebook.model import Book

SPARE = 5
"""Lines on a card where nothing says how many rounds there will be."""
ABOVE, BELOW = 25.0, 8.0
"""Of a card: its head with the headings, and its foot."""
LOWEST, TALLEST, STACKED = 6.5, 12.0, (3.6, 4.6)
"""The least and the most height of a round, and of one opponent among several."""
ROOMS = ((2, 2), (2, 1))
"""Cards beside and below each other; the second for many rounds."""
WIDTHS = {"round": 8.0, "result": 11.5, "mark": 4.8, "member": 16.0, "points": 9.0}
"""Of the columns, the mark's three times; the opponent's name has the rest."""
HEADINGS = {"games": "games", "scores": "score", "winner": ""}
"""Of the result, by what is reported."""
SIZE, NAME = 9.0, 14.0
"""Points: of what stands in a line, and of the player's name."""
MARKS = {Played.WIN: 0, Played.DRAW: 1, Played.LOSS: 2, Played.DOUBLE_LOSS: 2}
BOTH = ("member", "name")
"""The columns of an opponent."""
Line = dict[str, Any]
EMPTY: Line = {"result": "", "mark": None, "against": [], "points": "", "says": ""}
Seat = tuple[Table, list[SeatResult]]
"""A table with what each of its players got out of it, nothing while it is open."""


def cards(occasion: Occasion, choice: Choice) -> Page:
    """A card for each player from A to Z, in the order in which they are cut and stacked."""
    wanted = sorted(_wanted(occasion, choice), key=lambda player: in_order(player.shown_name))
    rounds = occasion.until(choice.after)
    lines = _lines(occasion, rounds)
    most = max(1, *(len(lines[player.id]) for player in wanted))
    beside = max((len(one["against"]) for player in wanted for one in lines[player.id]), default=0)
    low, tall = max(LOWEST, STACKED[0] * beside), max(TALLEST, STACKED[1] * beside)
    width, height = PAPERS[choice.paper]
    free = {down: height / down - 2 * EDGE - ABOVE - BELOW for _, down in ROOMS}
    across, down = next((room for room in ROOMS if most * low <= free[room[1]]), ROOMS[-1])
    on_card = min(most, int(free[down] // low))
    inner = width / across - 2 * EDGE
    heading = HEADINGS[occasion.book.match.results]
    widths = WIDTHS | ({} if heading else {"result": 0.0})
    if not any(player.member for player in occasion.players):
        widths["member"] = 0.0
    widths["name"] = inner - sum(widths.values()) - 2 * widths["mark"] - 3.5
    made = [
        _head(player, inner) | {"card": card, "lines": [_sized(one, widths) for one in piece]}
        for player in wanted
        for card, piece in _pieces(lines[player.id], on_card)
    ]
    data = {
        "across": across,
        "down": down,
        "size": [width / across, height / down],
        "edge": EDGE,
        "head": ABOVE,
        "line": min(tall, free[down] / on_card),
        "widths": widths,
        "heading": heading,
        "points": occasion.points_word,
        "worth": worth(occasion.book),
        "pages": [
            [None if at is None else made[at] for at in page] for page in cut_stack(len(made), across * down)
        ],
    }
    members = [(f"the number of {player.id}", player.member) for player in occasion.players if player.member]
    return Page("cards", about(occasion, choice, "Score cards") | data, [*named(occasion), *members])


def worth(book: Book) -> str:
    """What results are worth, by the measure of the first key (DC-9)."""
    key = book.chain[0]
    measure = book.measures.get(getattr(key, "measure", ""))
    if isinstance(measure, Scores):
        return f"{key.label}: all scores together"
    if not isinstance(measure, Outcomes):
        return key.label

    def said(credit: Credit) -> str:
        return str(credit.earned) if measure.value == "sum" else f"{credit.earned} of {credit.possible}"

    kinds = {"win": measure.win, "draw": measure.draw, "loss": measure.loss}
    kinds |= {"bye": measure.bye} if book.match.byes else {}
    others = {"loss without an opponent": measure.assigned, "missed round": measure.missed}
    kinds |= {name: credit for name, credit in others.items() if credit not in (None, measure.loss)}
    return f"{key.label}: " + ", ".join(f"{name} {said(credit)}" for name, credit in kinds.items())


def _wanted(occasion: Occasion, choice: Choice) -> list[Player]:
    """Whose cards are printed: one player's, a division's, or everybody's."""
    found, word = list(occasion.players), choice.player
    if word is not None:
        names = {
            player_id: (name, occasion.legal.get(player_id, name))
            for player_id, name in occasion.names.items()
        }
        try:
            found = [occasion.by_id[find_by_name(names, word)]]
        except UnknownPlayer as unknown:
            raise BadInput(str(unknown)) from None
    if choice.division is not None:
        found = [player for player in found if division_of(player, occasion.book) == choice.division]
    if not found:
        raise BadInput("nobody is there to have a card")
    return found


def _lines(occasion: Occasion, rounds: Sequence[Round]) -> dict[str, list[Line]]:
    """The lines of everybody: rounds that were played, and empty ones for those to come."""
    seats: list[dict[str, Seat]] = []
    for a_round in rounds:
        found = [(table, seat_results(table, occasion.book, "")) for table in a_round.tables]
        seats.append({player_id: seat for seat in found for player_id in seat[0].players})
    planned = _planned(occasion, rounds)
    return {player.id: [*_own_lines(occasion, rounds, seats, player, planned)] for player in occasion.players}


def _planned(occasion: Occasion, rounds: Sequence[Round]) -> dict[str, int]:
    """How many Swiss rounds everybody's part of the event has."""
    swiss = sum(a_round.stage == "swiss" for a_round in rounds)
    if swiss < len(rounds):
        return dict.fromkeys(occasion.names, swiss)
    course = occasion.board(len(rounds)).course
    plans = {occasion.players[i].id: part.rounds for part in course.parts for i in part.members}
    longest = max((plan for plan in plans.values() if plan), default=max(SPARE, swiss))
    return {player_id: plans.get(player_id) or longest for player_id in occasion.names}


def _own_lines(
    occasion: Occasion,
    rounds: Sequence[Round],
    seats: Sequence[dict[str, Seat]],
    player: Player,
    planned: dict[str, int],
) -> Iterator[Line]:
    """The lines of one player, up to the one that says that they left."""
    sat = max((r for r, seat in enumerate(seats, start=1) if player.id in seat), default=0)
    ends = {"dropped": player.dropped, "cut": player.cut, "disqualified": player.disqualified}
    left = {last: word for word, last in ends.items() if last is not None and last <= len(rounds)}
    for number in range(1, max(planned[player.id], sat) + 1):
        line = EMPTY | {"round": str(number)}
        a_round = rounds[number - 1] if number <= len(rounds) else None
        if left and min(left) < number and number > sat:
            yield line | {"says": "did not go on" if left[min(left)] == "cut" else left[min(left)]}
            return
        if a_round is None:
            yield line
            continue
        seat = seats[number - 1].get(player.id)
        if a_round.stage == "elimination":
            if seat:
                yield line | _at_table(occasion, *seat, player.id) | {"points": "–"}
            continue
        missed = {"says": "missed" if player.entered > number else "at no table"}
        line |= _at_table(occasion, *seat, player.id) if seat else missed
        if seat is None or seat[1]:
            line["points"] = str(occasion.board(number).scores[player.id][0])
        yield line


def _at_table(occasion: Occasion, table: Table, results: list[SeatResult], player_id: str) -> Line:
    """What a table was for one of its players; scores as they count (AL-8)."""
    own = results[table.players.index(player_id)] if results else None
    if len(table.players) == 1:
        return {"says": WORDS[own.played] if own else ""}
    against = []
    for at, other in enumerate(table.players):
        if other != player_id:
            score = f": {results[at].score}" if table.scores else ""
            against.append([occasion.by_id[other].member or "", occasion.names[other] + score])
    told = {"result": numbers(table, own), "mark": MARKS[own.played]} if own else {}
    return {"against": against, **told}


def _pieces(lines: list[Line], most: int) -> Iterator[tuple[str, list[Line]]]:
    """The lines in pieces that go on a card, each with which card it is if there are several."""
    count = max(1, -(-len(lines) // most))
    for k in range(count):
        yield f"card {k + 1} of {count}" if count > 1 else "", lines[k * most : (k + 1) * most]


def _head(player: Player, inner: float) -> dict[str, Any]:
    name = player.shown_name
    return {"name": name, "member": player.member or "", "long": ems(name) * NAME * POINT > inner - 1}


def _sized(line: Line, widths: dict[str, float]) -> Line:
    """The line, with whether some text in it may not fit."""
    texts = [("result", line["result"]), ("points", line["points"])]
    texts += [(column, text) for two in line["against"] for column, text in zip(BOTH, two, strict=True)]
    return line | {"long": any(ems(text) * SIZE * POINT > widths[column] - 1.5 for column, text in texts)}
