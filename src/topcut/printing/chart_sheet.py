"""Build the chart on one sheet: seats, the tables of every round as far as played, the standings (DS-8)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from topcut.errors import BadInput
from topcut.history import Outcome
from topcut.history.model import Player, Round, Table
from topcut.history.results import SeatResult, read_seat_results
from topcut.pairing.chart import draw_seats
from topcut.printing.page import (
    RESULT_WORDS,
    PrintOptions,
    SheetPage,
    build_page,
    describe_time,
    format_games,
    format_result,
)
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.typesetting import MARGIN, PAPERS
from topcut.rulebook.model import Book, Chart
from topcut.text.messages import count, join_messages, language_in_use, render, say
from topcut.text.names import name_key

NOTED = (Outcome.DOUBLE_LOSS, Outcome.BYE, Outcome.ASSIGNED)
NOTES = {Outcome.DRAW: say("draw")} | {kind: RESULT_WORDS[kind] for kind in NOTED}
BY_RECORDS = say("by records")
"""Why a table is not one of the chart."""
WON = (Outcome.WIN, Outcome.BYE)
ACROSS = 4
"""Tables beside each other at most."""
AROUND, ROWS, TABLE = 40.0, (7.0, 6.2, 5.4, 4.8, 4.2), (15.0, 20.0, 32.0)
"""Millimetres: outside a page, a row of the standing, a table of the chart (least, good, most)."""
HEADING, HEAD = (8.5, 12.0), 4.5
"""Millimetres: the headings of the standing in one language and in two, and what is around them."""


@dataclass(frozen=True)
class ChartPlace:
    """A place of the chart: one player, or two until it is known which of them."""

    ids: tuple[str, ...] = ()
    says: str = ""
    empty: bool = False
    """Whether nobody has it: a bye for the other (DS-18)."""


EMPTY = ChartPlace(says=say("empty"), empty=True)


@dataclass(frozen=True)
class ChartTable:
    """A table of the chart, or one that was played instead; its sides with the place each comes from."""

    letter: str
    sides: tuple[tuple[str, ChartPlace], ...]
    table: Table | None = None
    result: Mapping[str, SeatResult] = field(default_factory=dict)
    """The result of each player; nothing while it is open."""

    def with_result(self, book: Book) -> "ChartTable":
        """Return the table with its result, if there is one."""
        if self.table is None or not self.table.reported:
            return self
        found = read_seat_results(self.table, book, "", doubts=[])
        return replace(self, result=dict(zip(self.table.players, found, strict=True)))

    @property
    def missing(self) -> int:
        """How many of its two places are empty."""
        return sum(place.empty for _, place in self.sides)

    @property
    def outcomes(self) -> set[Outcome]:
        return {one.outcome for one in self.result.values()}

    def is_winner(self, player_id: str) -> bool:
        return player_id in self.result and self.result[player_id].outcome in WON

    def format_result(self, player_id: str) -> str:
        """Return the game score of a player, or the outcome in words."""
        assert self.table is not None
        own = self.result[player_id]
        return format_result(self.table, own) or render(RESULT_WORDS[own.outcome])

    def fill_box(self, player_id: str) -> str:
        """Return the text of a player's box: games won, a score, or a mark for the winner."""
        own = self.result.get(player_id)
        if self.table is None or own is None:
            return ""
        return format_result(self.table, own).partition("–")[0] or "✓" * (own.outcome == Outcome.WIN)


def build_chart(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the chart of an event, filled as far as it was played."""
    match, pairing = event.book.match, event.book.pairing
    if pairing is None or pairing.chart is None:
        raise BadInput(say("these rules have no chart ({ruleset})", ruleset=event.book.title))
    rounds, seats = event.until(choice.after), _find_seats(event, pairing.chart)
    found = fill_chart(event, pairing.chart, seats, rounds)
    seated = len(seats) >= pairing.chart.fewest  # what is left then stays empty
    players = len(seats) if seated else pairing.chart.seats
    best_of = say("best of {games}", games=match.best_of) if match.best_of else ""
    lines = [join_messages(", ", [best_of, describe_time(event.book, event.options)])]
    data = {
        "seats": [
            event.names.get(seats.get(seat, ""), say("empty") if seated else "")
            for seat in range(1, pairing.chart.seats + 1)
        ],
        "rounds": [[_draw_table(slot, event) for slot in row] for row in found],
        **_build_standings(event, min(event.reported, len(rounds)), found, players),
    }
    data |= _choose_sizes(choice, [len(row) for row in found], len(data["rows"]))
    rounds_in_all = len(pairing.chart.rounds)
    title = say("Chart for {players} players, {rounds} rounds", players=players, rounds=rounds_in_all)
    return build_page("chart", event, choice, title, data, lines)


def _find_seats(event: PrintedEvent, chart: Chart) -> dict[int, str]:
    """Return the player of each seat, as recorded or as seen in the first round (DS-2)."""
    if len(event.players) < chart.fewest:
        return {player.seat: player.id for player in event.players if player.seat}
    history = event.board(0).standings.history
    seats, drawn_now = draw_seats(history, chart, "", event.rounds[:1])
    return {} if drawn_now else {seat: history.players[i].id for seat, i in seats.items()}


def fill_chart(
    event: PrintedEvent, chart: Chart, seats: dict[int, str], rounds: Sequence[Round]
) -> list[list[ChartTable]]:
    """Return the tables of every round: by the chart or, where play left it, as it was (DS-12 to DS-15)."""
    places = {str(seat): EMPTY for seat in range(1, chart.seats + 1)} if len(seats) >= chart.fewest else {}
    places |= {str(seat): ChartPlace((player_id,)) for seat, player_id in seats.items()}
    found: list[list[ChartTable]] = []
    off = ""  # why the chart is left, once it is
    for r in range(max(len(chart.rounds), len(rounds))):
        a_round = rounds[r] if r < len(rounds) else None
        letters = chart.rounds[r] if r < len(chart.rounds) else {}
        off = off or (BY_RECORDS if not letters or _has_ended(chart, found) else "")
        if r == 2 and not off and chart.exchange:
            places = _exchange_places(places, found)
        row = None if off else _seat_by_chart(event, letters, places, a_round, r + 1)
        if row is None:
            row = _seat_as_played(a_round, len(letters), off or say("off the chart"))
            off = BY_RECORDS
        found.append([slot.with_result(event.book) for slot in row])
        places = {place: held for slot in found[-1] for place, held in _find_next_places(slot)}
    return found


def _seat_by_chart(
    event: PrintedEvent,
    letters: Mapping[str, tuple[str, str]],
    places: Mapping[str, ChartPlace],
    a_round: Round | None,
    number: int,
) -> list[ChartTable] | None:
    """Return a round by the chart; None if one of its tables is not on it."""
    tables = list(a_round.tables) if a_round else []
    sitting = {player_id for table in tables for player_id in table.players}
    away = {p.id for p in event.players if (p.id not in sitting if a_round else _is_absent(p, number))}
    row = []
    for letter, names in letters.items():
        held = [places.get(name, ChartPlace()) for name in names]
        table = next((table for table in tables if _fits(table, held, sitting)), None)
        if table is not None:
            tables.remove(table)
            here = [set(p.ids) & set(table.players) or set(p.ids) - sitting for p in held]
            held = [replace(p, ids=tuple(sorted(ids))) for p, ids in zip(held, here, strict=True)]
        held = [replace(p, says=say("absent")) if p.ids and away.issuperset(p.ids) else p for p in held]
        row.append(ChartTable(letter, tuple(zip(names, held, strict=True)), table))
    return None if tables else row


def _is_absent(player: Player, number: int) -> bool:
    """Return whether a player has left before a round, or enters later."""
    ends = (player.dropped, player.cut, player.disqualified)
    return player.entered > number or any(last is not None and last < number for last in ends)


def _fits(table: Table, held: Sequence[ChartPlace], sitting: set[str]) -> bool:
    """Return whether a table has these two places; a player alone has one of them (DS-18)."""
    first, second = (set(place.ids) for place in held)
    if len(table.players) == 1:
        alone, both = set(table.players), ((first, second), (second, first))
        return any(alone <= own and not (other and other <= sitting) for own, other in both)
    a, b = table.players
    return (a in first and b in second) or (b in first and a in second)


def _seat_as_played(a_round: Round | None, tables: int, why: str) -> list[ChartTable]:
    """Return the tables as they were played, in their order; lines where they are not known yet."""
    if a_round is None:
        return [ChartTable("", ((why, ChartPlace()), (why, ChartPlace())))] * tables
    why = say("elimination") if a_round.in_bracket else why
    row = []
    for table in a_round.tables:
        first, second = [*(ChartPlace((player_id,)) for player_id in table.players), ChartPlace()][:2]
        row.append(ChartTable("", ((why, first), (why, second)), table))
    return row


def _find_next_places(slot: ChartTable) -> Iterator[tuple[str, ChartPlace]]:
    """Yield the winner's and the loser's place of a table; after a draw the lot decides (DS-12).

    A player who meets an empty place goes on as the winner, and it as the loser (DS-18).
    """
    if slot.missing:
        there = [ChartPlace(place.ids) for _, place in slot.sides if not place.empty]
        yield from ((f"winner {slot.letter}", [*there, EMPTY][0]), (f"loser {slot.letter}", EMPTY))
        return
    ids = tuple(player_id for _, place in slot.sides for player_id in place.ids)
    won = tuple(filter(slot.is_winner, ids))
    lost = tuple(player_id for player_id in ids if player_id not in won)
    says = say("drawn at random") if slot.outcomes & {Outcome.DRAW, Outcome.DOUBLE_LOSS} else ""
    for word, own in (("winner", won), ("loser", lost)):
        yield f"{word} {slot.letter}", ChartPlace(own if won else ids, says)


def _has_ended(chart: Chart, found: Sequence[Sequence[ChartTable]]) -> bool:
    """Return whether draws have ended the chart (DS-14)."""
    drawn = [sum(Outcome.DRAW in slot.outcomes for slot in row) for row in found]
    together = sum(drawn) if chart.records_count == "event" else max(drawn, default=0)
    return together >= chart.records_from or (chart.draws == "records" and any(drawn))


def _exchange_places(
    places: dict[str, ChartPlace], found: Sequence[Sequence[ChartTable]]
) -> dict[str, ChartPlace]:
    """Exchange the places of two who drew in round 1 and have the same record (DS-13)."""
    drawn = [[slot for slot in row if Outcome.DRAW in slot.outcomes] for row in found]
    if [len(row) for row in drawn] != [1, 0]:
        return places
    a, b = drawn[0][0].result.keys()
    won = {player_id for slot in found[1] for player_id in filter(slot.is_winner, slot.result)}
    where = {place.ids[0]: name for name, place in places.items() if len(place.ids) == 1}
    if not {a, b} <= where.keys() or (a in won) != (b in won):
        return places
    return places | {
        where[one]: ChartPlace((other,), say("changed places")) for one, other in ((a, b), (b, a))
    }


def _name_place(source: str) -> str:
    """Return a place of the chart in words: a seat, or the winner or the loser of a table."""
    if source.isdigit():
        return say("seat {seat}", seat=source)
    word, _, letter = source.partition(" ")
    if word == "winner":
        return say("winner {table}", table=letter)
    return say("loser {table}", table=letter) if word == "loser" else source


def _draw_table(slot: ChartTable, event: PrintedEvent) -> dict[str, Any]:
    """Return a table as it is drawn; its note says what boxes cannot."""
    sides = []
    for source, place in slot.sides:
        player_id = place.ids[0] if len(place.ids) == 1 else ""
        where = join_messages(", ", [_name_place(source), place.says])
        name = event.names.get(player_id, "–" if slot.table or place.empty else "")
        won = slot.is_winner(player_id)
        sides.append({"from": where, "name": name, "box": slot.fill_box(player_id), "won": won})
    said: list[str] = [word for kind, word in NOTES.items() if kind in slot.outcomes]
    if not said and slot.missing:
        said.append(say("bye") if slot.missing == 1 else say("empty table"))
    if slot.table and slot.table.table and not slot.letter:
        said.append(say("table {table}", table=slot.table.table))
    if slot.table and slot.table.games and (drawn := slot.table.games[2]):
        said.append(count("{n} game drawn", "{n} games drawn", drawn))
    return {"letter": slot.letter, "sides": sides, "note": join_messages(", ", said)}


def _build_standings(
    event: PrintedEvent, after: int, found: list[list[ChartTable]], players: int
) -> dict[str, Any]:
    """Return the standings below the chart; unknown values stay empty, to be written in."""
    board, names = event.board(after), event.names
    history, ranks = board.standings.history, board.ranks if board.scored else {}
    with_games = event.book.match.results == "games"
    heads = [say("matches"), *[say("games")] * with_games, event.points_word]
    others = sorted(names.keys() - ranks.keys(), key=lambda player_id: name_key(names[player_id]))
    rows = []
    for player_id in (*ranks, *others):
        rank = str(ranks[player_id]["rank"]) if player_id in ranks else ""
        scores = [
            " ".join(slot.format_result(player_id) for slot in row if player_id in slot.result)
            for row in found[:after]
        ]
        points, record = board.scores[player_id]
        games = [format_games(*map(int, history.game_totals[:, history.index[player_id]]))] * with_games
        totals = [render(record).replace("-", "–"), *games, str(points)] if after else []
        scores += [""] * (len(found) - after)
        rows.append([rank, names[player_id], *scores, *totals])
    return {
        "caption": say("Standings after round {number}", number=after) if ranks else say("Standings"),
        "totals": heads,
        "rows": rows + [[]] * (players - len(rows)),
    }


def _choose_sizes(choice: PrintOptions, tables: Sequence[int], rows: int) -> dict[str, Any]:
    """Fill a page, landscape; the standings get a page of their own if they leave the chart too little."""
    height, width = PAPERS[choice.paper]
    across, (least, good, most), free = min(ACROSS, max(tables)), TABLE, height - AROUND
    high = sum(-(-count // across) for count in tables)
    heading = HEADING["+" in language_in_use()]
    fits = {row: (free - HEAD - heading - row * rows) / high - 1 for row in ROWS}
    row = next((row for row in ROWS if fits[row] >= good), ROWS[-1])
    apart = fits[row] < least
    slot = max(least, min(most, free / high - 1.1 if apart else fits[row]))
    sizes = {"across": across, "slot": slot, "row": ROWS[0] if apart else row, "apart": apart}
    return sizes | {"width": width - 2 * MARGIN, "high": free, "heading": heading}
