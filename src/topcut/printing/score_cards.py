"""Build a card for each player: every round with its games and opponents, and the points after it (DC-8)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from topcut.errors import BadInput
from topcut.event.lookup import find_by_name
from topcut.event.refusals import UnknownPlayer
from topcut.history import Outcome
from topcut.history.divisions import division_of
from topcut.history.model import Player, Round, Table
from topcut.history.results import SeatResult, read_seat_results
from topcut.printing.page import RESULT_WORDS, PrintOptions, SheetPage, build_page, cut_stack, format_result
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.typesetting import EDGE, PAPERS, POINT, measure_text
from topcut.rulebook.model import Book
from topcut.rulebook.tiebreak_keys import Credit, Games, Outcomes, Scores
from topcut.text.messages import join_messages, say, say_as
from topcut.text.names import name_key

SPARE = 5
"""Lines on a card where nothing says how many rounds there will be."""
ABOVE, BELOW = 25.0, 8.0
"""Millimetres of a card: its head with the headings, and its foot."""
LOWEST, TALLEST, STACKED = 6.5, 12.0, (3.6, 4.6)
"""Millimetres: the least and the most height of a round; the same for one opponent among several."""
ROOMS = ((2, 2), (2, 1))
"""Cards beside and below each other; the second for many rounds."""
WIDTHS = {"round": 7.0, "result": 11.5, "mark": 4.6, "member": 15.0, "points": 9.0, "initials": 0.0}
"""Millimetres of the columns, the mark's three times; the opponent's name has the rest."""
GAME, INITIALS, GAMES = 4.6, 9.0, 3
"""Millimetres of a game and of the column for initials; games of a match where the rules name no number."""
GAME_LETTERS = {"won": say_as("game", "W"), "lost": say_as("game", "L"), "drawn": say_as("game", "D")}
NOT_PLAYED = "–"
HEADINGS: dict[str, str] = {"games": say("games"), "scores": say("score"), "winner": ""}
"""Of the result, by what is reported."""
LEFT = {"dropped": say("dropped"), "cut": say("did not make the cut"), "disqualified": say("disqualified")}
"""What a card says of the rounds after a player left."""
SIZE, NAME = 9.0, 14.0
"""Points: the text of a line, and the player's name."""
MARKS = {Outcome.WIN: 0, Outcome.DRAW: 1, Outcome.LOSS: 2, Outcome.DOUBLE_LOSS: 2}
BOTH = ("member", "name")
"""The columns of an opponent."""
Line = dict[str, Any]
EMPTY: Line = {"result": "", "games": [], "mark": None, "against": [], "points": "", "says": ""}
Seat = tuple[Table, list[SeatResult]]
"""A table with the result of each of its players, nothing while it is open."""


def build_cards(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build a card for each player from A to Z, in the order in which they are cut and stacked."""
    wanted = sorted(_select_players(event, choice), key=lambda player: name_key(player.shown_name))
    rounds = event.until(choice.after)
    lines = _build_lines(event, rounds)
    most = max(1, *(len(lines[player.id]) for player in wanted))
    beside = max((len(one["against"]) for player in wanted for one in lines[player.id]), default=0)
    low, tall = max(LOWEST, STACKED[0] * beside), max(TALLEST, STACKED[1] * beside)
    width, height = PAPERS[choice.paper]
    free = {down: height / down - 2 * EDGE - ABOVE - BELOW for _, down in ROOMS}
    across, down = next((room for room in ROOMS if most * low <= free[room[1]]), ROOMS[-1])
    on_card = min(most, int(free[down] // low))
    inner = width / across - 2 * EDGE
    match = event.book.match
    heading = HEADINGS[match.results]
    games = (match.best_of or GAMES) if match.results == "games" else 0
    widths = WIDTHS | ({} if heading else {"result": 0.0})
    if games:
        widths |= {"result": games * GAME + 1.0, "initials": INITIALS}
    if not any(player.member for player in event.players):
        widths["member"] = 0.0
    widths["name"] = inner - sum(widths.values()) - 2 * widths["mark"] - 3.5
    numbers = {player.id: number for number, player in enumerate(event.players, start=1)}
    made = [
        {
            "name": player.shown_name,
            "member": player.member or "",
            "number": numbers[player.id],
            "long": measure_text(player.shown_name) * NAME * POINT > inner - 1,
            "card": card,
            "lines": [_mark_long(_fit_games(one, games), widths) for one in piece],
        }
        for player in wanted
        for card, piece in _split_lines(lines[player.id], on_card)
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
        "games": games,
        "points": event.points_word,
        "worth": [describe_points(event.book), describe_game_points(event.book)],
        "pages": cut_stack(made, across * down),
    }
    page = build_page("cards", event, choice, say("Score cards"), data)
    members = [
        (say("the number of {id}", id=player.id), player.member) for player in event.players if player.member
    ]
    return replace(page, names=[*page.names, *members])


def describe_points(book: Book) -> str:
    """Say what results are worth, by the measure of the first key (DC-9)."""
    key = book.chain[0]
    measure = book.measures.get(getattr(key, "measure", ""))
    if isinstance(measure, Scores):
        return say("{label}: all scores together", label=key.label)
    if not isinstance(measure, Outcomes):
        return key.label

    def said(credit: Credit) -> str:
        if measure.value == "sum":
            return str(credit.earned)
        return say("{earned} of {possible}", earned=str(credit.earned), possible=str(credit.possible))

    kinds = {say("win"): measure.win, say("draw"): measure.draw, say("loss"): measure.loss}
    if book.match.byes:
        kinds[say("bye")] = measure.bye
    others = {say("loss without an opponent"): measure.assigned, say("missed round"): measure.missed}
    kinds |= {name: credit for name, credit in others.items() if credit not in (None, measure.loss)}
    listed = [say("{result} {points}", result=name, points=said(credit)) for name, credit in kinds.items()]
    return join_messages(": ", [key.label, join_messages(", ", listed)])


def describe_game_points(book: Book) -> str:
    """Say what games are worth, where results are games and the rules count them (DC-9); else nothing."""
    found = [one for one in book.measures.values() if isinstance(one, Games)]
    if not found or book.match.results != "games":
        return ""
    won, drawn, lost = (str(credit.earned) for credit in (found[0].won, found[0].drawn, found[0].lost))
    return say(
        "Game points: won {won}, drawn or unfinished {drawn}, lost {lost}, not played 0",
        won=won,
        drawn=drawn,
        lost=lost,
    )


def _select_players(event: PrintedEvent, choice: PrintOptions) -> list[Player]:
    """Return whose cards are printed: one player's, a division's, or everybody's."""
    found, word = list(event.players), choice.player
    if word is not None:
        names = {one: (name, event.legal.get(one, name)) for one, name in event.names.items()}
        try:
            found = [event.by_id[find_by_name(names, word)]]
        except UnknownPlayer as unknown:
            raise BadInput(unknown.message) from None
    if choice.division is not None:
        found = [player for player in found if division_of(player, event.book) == choice.division]
    if not found:
        raise BadInput(say("there is no player to print a card for"))
    return found


def _build_lines(event: PrintedEvent, rounds: Sequence[Round]) -> dict[str, list[Line]]:
    """Return the lines of each player: rounds that were played, and empty ones for the rest."""
    found = [
        [(table, read_seat_results(table, event.book, "", doubts=[])) for table in r.tables] for r in rounds
    ]
    seats = [{player_id: seat for seat in row for player_id in seat[0].players} for row in found]
    planned = _count_planned(event, rounds)
    return {p.id: [*_own_lines(event, rounds, seats, p, planned[p.id])] for p in event.players}


def _count_planned(event: PrintedEvent, rounds: Sequence[Round]) -> dict[str, int]:
    swiss = sum(a_round.is_scored for a_round in rounds)
    if swiss < len(rounds):
        return dict.fromkeys(event.names, swiss)
    parts = event.board(len(rounds)).progress.parts
    plans = {event.players[i].id: part.rounds for part in parts for i in part.members}
    longest = max((plan for plan in plans.values() if plan), default=max(SPARE, swiss))
    return {player_id: plans.get(player_id) or longest for player_id in event.names}


def _own_lines(
    event: PrintedEvent,
    rounds: Sequence[Round],
    seats: Sequence[dict[str, Seat]],
    player: Player,
    planned: int,
) -> Iterator[Line]:
    """Yield the lines of one player, up to the one that says that they left."""
    sat = max((r for r, seat in enumerate(seats, start=1) if player.id in seat), default=0)
    ends = {"dropped": player.dropped, "cut": player.cut, "disqualified": player.disqualified}
    left = {last: word for word, last in ends.items() if last is not None and last <= len(rounds)}
    for number in range(1, max(planned, sat) + 1):
        line = EMPTY | {"round": str(number)}
        if left and min(left) < number and number > sat:
            yield line | {"says": LEFT[left[min(left)]]}
            return
        if number > len(rounds):
            yield line
            continue
        seat = seats[number - 1].get(player.id)
        if seat:
            line |= _at_table(event, *seat, player.id)
        elif rounds[number - 1].in_bracket:
            continue
        else:
            line["says"] = say("missed") if player.entered > number else say("at no table")
        if rounds[number - 1].in_bracket:
            line["points"] = "–"
        elif seat is None or seat[1]:
            line["points"] = str(event.board(number).scores[player.id][0])
        yield line


def _at_table(event: PrintedEvent, table: Table, results: list[SeatResult], player_id: str) -> Line:
    """Return the opponents and the result of a player; scores as they count (AL-8)."""
    own = results[table.players.index(player_id)] if results else None
    if len(table.players) == 1:
        return {"says": RESULT_WORDS[own.outcome] if own else ""}
    against = []
    for at, other in enumerate(table.players):
        if other != player_id:
            score = f": {results[at].score}" if table.scores else ""
            against.append([event.by_id[other].member or "", event.names[other] + score])
    if own is None:
        return {"against": against}
    told = {"result": format_result(table, own), "mark": MARKS[own.outcome], "games": []}
    if table.games is not None:
        numbers = zip(("won", "lost", "drawn"), own.games, strict=True)
        told["games"] = [GAME_LETTERS[kind] for kind, number in numbers for _ in range(number)]
    return {"against": against, **told}


def _fit_games(line: Line, games: int) -> Line:
    """Return the line with a letter for each game; or with the score, where there are more than fit, or of
    several kinds: in which order those were played is not recorded.
    """
    letters = line["games"]
    if len(set(letters)) != 1 or len(letters) > games:
        return line | {"games": []}
    return line | {"result": "", "games": [*letters, *[NOT_PLAYED] * (games - len(letters))]}


def _split_lines(lines: list[Line], most: int) -> Iterator[tuple[str, list[Line]]]:
    """Yield the lines in pieces that fit on a card, each with its number if there are several."""
    cards = max(1, -(-len(lines) // most))
    for k in range(cards):
        number = say("card {number} of {cards}", number=k + 1, cards=cards) if cards > 1 else ""
        yield number, lines[k * most : (k + 1) * most]


def _mark_long(line: Line, widths: dict[str, float]) -> Line:
    """Return the line, with whether a text in it may not fit."""
    texts = [("result", line["result"]), ("points", line["points"])]
    texts += [(column, text) for two in line["against"] for column, text in zip(BOTH, two, strict=True)]
    long = any(measure_text(text) * SIZE * POINT > widths[column] - 1.5 for column, text in texts)
    return line | {"long": long}
