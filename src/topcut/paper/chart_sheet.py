"""The chart on one sheet: seats, the tables of every round as far as they were played, standing (DS-8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from topcut.errors import BadInput
from topcut.history import Played
from topcut.history.alphabet import in_order
from topcut.history.model import Player, Round, Table
from topcut.history.results import SeatResult, seat_results
from topcut.pairing.chart import drawn_seats
from topcut.paper.choice import Choice
from topcut.paper.measures import PAPERS
from topcut.paper.occasion import Occasion
from topcut.paper.page import Page, about, named
from topcut.paper.press import MARGIN
from topcut.paper.words import WORDS, in_games, numbers, time_words
from topcut.rulebook.model import Book, Chart

NOTES = {Played.DRAW: "draw"} | {
    kind: WORDS[kind] for kind in (Played.DOUBLE_LOSS, Played.BYE, Played.ASSIGNED)
}
WON = (Played.WIN, Played.BYE)
ACROSS = 4
"""Tables beside each other at most."""
AROUND, HEAD, ROWS, TABLE = 40.0, 13.0, (7.0, 6.2, 5.4, 4.8, 4.2), (15.0, 20.0, 32.0)
"""Millimetres: outside a page, above the standing, its rows, a table of the chart (least, good, most)."""


@dataclass(frozen=True)
class Place:
    """Who may hold a place of the chart: one player, or two until it is known which of them."""

    ids: tuple[str, ...] = ()
    says: str = ""
    empty: bool = False
    """Whether nobody sits there: a bye for the other (DS-18)."""


EMPTY = Place(says="empty", empty=True)


@dataclass(frozen=True)
class Slot:
    """A table of the chart, or one that was played instead; its sides with where each comes from."""

    letter: str
    sides: tuple[tuple[str, Place], ...]
    table: Table | None = None
    result: Mapping[str, SeatResult] = field(default_factory=dict)
    """What each player got out of it; nothing while it is open."""

    def reported(self, book: Book) -> Slot:
        """The same with its result, if there is one."""
        if self.table is None or not self.table.reported:
            return self
        found = seat_results(self.table, book, "")
        return replace(self, result=dict(zip(self.table.players, found, strict=True)))

    @property
    def missing(self) -> int:
        """How many of its two places are empty."""
        return sum(place.empty for _, place in self.sides)

    @property
    def kinds(self) -> set[Played]:
        return {one.played for one in self.result.values()}

    def told(self, player_id: str) -> str:
        """The game score of one of its players, or what it was instead."""
        assert self.table is not None
        return numbers(self.table, self.result[player_id]) or WORDS[self.result[player_id].played]

    def box(self, player_id: str) -> str:
        """What stands in a player's box: games won, a score, or a mark for who won."""
        told = numbers(self.table, self.result[player_id]) if self.table and player_id in self.result else ""
        won = player_id in self.result and self.result[player_id].played == Played.WIN
        return told.partition("–")[0] or "✓" * won


def chart_sheet(occasion: Occasion, choice: Choice) -> Page:
    """The chart of an event, filled as far as it was played."""
    match, pairing = occasion.book.match, occasion.book.pairing
    if pairing is None or pairing.chart is None:
        raise BadInput(f"these rules have no chart ({occasion.book.title})")
    rounds, seats = occasion.until(choice.after), _seats(occasion, pairing.chart)
    found = slots(occasion, pairing.chart, seats, rounds)
    seated = len(seats) >= pairing.chart.fewest  # what is left then stays empty
    count = len(seats) if seated else pairing.chart.seats
    words = [f"best of {match.best_of}"] * bool(match.best_of) + [time_words(match)]
    lines = [", ".join(filter(None, words))]
    data = {
        "seats": [
            occasion.names.get(seats.get(seat, ""), "empty" if seated else "")
            for seat in range(1, pairing.chart.seats + 1)
        ],
        "rounds": [[_shown(slot, occasion) for slot in row] for row in found],
        **_standing(occasion, min(occasion.reported, len(rounds)), found, count),
    }
    data |= _sizes(choice, [len(row) for row in found], len(data["rows"]))
    title = f"Chart for {count} players, {len(pairing.chart.rounds)} rounds"
    return Page("chart", about(occasion, choice, title, lines) | data, named(occasion))


def _seats(occasion: Occasion, chart: Chart) -> dict[int, str]:
    """Who sits where, as far as it is written down or seen in the first round (DS-2)."""
    if len(occasion.players) < chart.fewest:
        return {player.seat: player.id for player in occasion.players if player.seat}
    history = occasion.board(0).standings.history
    seats, drawn_now = drawn_seats(history, chart, "", occasion.rounds[:1])
    return {} if drawn_now else {seat: history.players[i].id for seat, i in seats.items()}


def slots(
    occasion: Occasion, chart: Chart, seats: dict[int, str], rounds: Sequence[Round]
) -> list[list[Slot]]:
    """The tables of every round: by the chart or, where play went another way, as it was (DS-12 to DS-15)."""
    places = {str(seat): EMPTY for seat in range(1, chart.seats + 1)} if len(seats) >= chart.fewest else {}
    places |= {str(seat): Place((player_id,)) for seat, player_id in seats.items()}
    found: list[list[Slot]] = []
    off = ""  # why the chart is left, once it is
    for r in range(max(len(chart.rounds), len(rounds))):
        a_round = rounds[r] if r < len(rounds) else None
        letters = chart.rounds[r] if r < len(chart.rounds) else {}
        off = off or ("by records" if not letters or _ended(chart, found) else "")
        if r == 2 and not off and chart.exchange:
            places = _exchanged(places, found)
        row = None if off else _on_chart(occasion, letters, places, a_round, r + 1)
        if row is None:
            row = _off_chart(a_round, len(letters), off or "off the chart")
            off = "by records"
        found.append([slot.reported(occasion.book) for slot in row])
        places = {place: held for slot in found[-1] for place, held in _after(slot)}
    return found


def _on_chart(
    occasion: Occasion,
    letters: Mapping[str, tuple[str, str]],
    places: Mapping[str, Place],
    a_round: Round | None,
    number: int,
) -> list[Slot] | None:
    """A round by the chart; None if one of its tables is not on it."""
    tables = list(a_round.tables) if a_round else []
    sitting = {player_id for table in tables for player_id in table.players}
    away = {p.id for p in occasion.players if (p.id not in sitting if a_round else _gone(p, number))}
    row = []
    for letter, names in letters.items():
        held = [places.get(name, Place()) for name in names]
        table = next((table for table in tables if _fits(table, held, sitting)), None)
        if table is not None:
            tables.remove(table)
            here = [set(p.ids) & set(table.players) or set(p.ids) - sitting for p in held]
            held = [replace(p, ids=tuple(sorted(ids))) for p, ids in zip(held, here, strict=True)]
        held = [replace(p, says="absent") if p.ids and away.issuperset(p.ids) else p for p in held]
        row.append(Slot(letter, tuple(zip(names, held, strict=True)), table))
    return None if tables else row


def _gone(player: Player, number: int) -> bool:
    """Whether somebody has left before a round, or is not there yet."""
    ends = (player.dropped, player.cut, player.disqualified)
    return player.entered > number or any(last is not None and last < number for last in ends)


def _fits(table: Table, held: Sequence[Place], sitting: set[str]) -> bool:
    """Whether a table has these two places; a player alone has one whose other is not there (DS-18)."""
    first, second = (set(place.ids) for place in held)
    if len(table.players) == 1:
        alone, both = set(table.players), ((first, second), (second, first))
        return any(alone <= own and not (other and other <= sitting) for own, other in both)
    a, b = table.players
    return (a in first and b in second) or (b in first and a in second)


def _off_chart(a_round: Round | None, tables: int, why: str) -> list[Slot]:
    """The tables as they were played, in their order; lines where they are not known yet."""
    if a_round is None:
        return [Slot("", ((why, Place()), (why, Place())))] * tables
    why = "elimination" if a_round.stage == "elimination" else why
    both = [[*(Place((player_id,)) for player_id in table.players), Place()][:2] for table in a_round.tables]
    return [Slot("", ((why, a), (why, b)), table) for (a, b), table in zip(both, a_round.tables, strict=True)]


def _after(slot: Slot) -> Iterator[tuple[str, Place]]:
    """Who holds the winner's and the loser's place of a table; after a draw the lot decides (DS-12).

    Who meets an empty place goes on as the winner, and it as the loser (DS-18).
    """
    if slot.missing:
        there = [Place(place.ids) for _, place in slot.sides if not place.empty]
        yield from ((f"winner {slot.letter}", [*there, EMPTY][0]), (f"loser {slot.letter}", EMPTY))
        return
    ids = tuple(player_id for _, place in slot.sides for player_id in place.ids)
    won = tuple(
        player_id for player_id in ids if player_id in slot.result and slot.result[player_id].played in WON
    )
    drawn = slot.kinds & {Played.DRAW, Played.DOUBLE_LOSS}
    for word, own in (
        ("winner", won),
        ("loser", tuple(player_id for player_id in ids if player_id not in won)),
    ):
        yield f"{word} {slot.letter}", Place(own if won else ids, "by lot" if drawn else "")


def _ended(chart: Chart, found: Sequence[Sequence[Slot]]) -> bool:
    """Whether draws have ended the chart (DS-14)."""
    drawn = [sum(Played.DRAW in slot.kinds for slot in row) for row in found]
    together = sum(drawn) if chart.records_count == "event" else max(drawn, default=0)
    return together >= chart.records_from or (chart.draws == "records" and any(drawn))


def _exchanged(places: dict[str, Place], found: Sequence[Sequence[Slot]]) -> dict[str, Place]:
    """The places after two who drew in round 1 and have the same record changed theirs (DS-13)."""
    drawn = [[slot for slot in row if Played.DRAW in slot.kinds] for row in found]
    if [len(row) for row in drawn] != [1, 0]:
        return places
    a, b = drawn[0][0].result.keys()
    won = {player_id for slot in found[1] for player_id, one in slot.result.items() if one.played in WON}
    where = {place.ids[0]: name for name, place in places.items() if len(place.ids) == 1}
    if not {a, b} <= where.keys() or (a in won) != (b in won):
        return places
    return places | {where[a]: Place((b,), "changed places"), where[b]: Place((a,), "changed places")}


def _shown(slot: Slot, occasion: Occasion) -> dict[str, Any]:
    """A table as it is drawn; its note says what boxes cannot."""
    sides = []
    for source, place in slot.sides:
        player_id = place.ids[0] if len(place.ids) == 1 else ""
        won = player_id in slot.result and slot.result[player_id].played in WON
        where = ", ".join(filter(None, [f"seat {source}" if source.isdigit() else source, place.says]))
        name = occasion.names.get(player_id, "–" if slot.table or place.empty else "")
        sides.append({"from": where, "name": name, "box": slot.box(player_id), "won": won})
    said = [word for kind, word in NOTES.items() if kind in slot.kinds]
    said = said or {1: ["bye"], 2: ["nobody plays"]}.get(slot.missing, [])
    said += [f"table {slot.table.table}"] if slot.table and slot.table.table and not slot.letter else []
    if slot.table and slot.table.games and (drawn := slot.table.games[2]):
        said.append(f"{drawn} game{'s' * (drawn > 1)} drawn")
    return {"letter": slot.letter, "sides": sides, "note": ", ".join(said)}


def _standing(occasion: Occasion, after: int, found: list[list[Slot]], count: int) -> dict[str, Any]:
    """The table below the chart; what nobody knows yet stays empty, to be written in."""
    board, names = occasion.board(after), occasion.names
    history, ranks = board.standings.history, board.ranks if board.scored else {}
    with_games = occasion.book.match.results == "games"
    heads = ["matches", *["games"] * with_games, occasion.points_word]
    rows = []
    for player_id in [
        *ranks,
        *sorted(names.keys() - ranks.keys(), key=lambda player_id: in_order(names[player_id])),
    ]:
        scores = [
            " ".join(slot.told(player_id) for slot in row if player_id in slot.result)
            for row in found[:after]
        ]
        points, record = board.scores[player_id]
        games = [in_games(*map(int, history.game_totals[:, history.index[player_id]]))] * with_games
        totals = [record.replace("-", "–"), *games, str(points)] if after else []
        scores += [""] * (len(found) - after)
        rows.append(
            [str(ranks[player_id]["rank"]) if player_id in ranks else "", names[player_id], *scores, *totals]
        )
    return {
        "caption": f"Standing after round {after}" if ranks else "Standing",
        "totals": heads,
        "rows": rows + [[]] * (count - len(rows)),
    }


def _sizes(choice: Choice, tables: Sequence[int], rows: int) -> dict[str, Any]:
    """What fills a page, landscape; the standing gets a page of its own if it leaves the chart too little."""
    height, width = PAPERS[choice.paper]
    across, (least, good, most), free = min(ACROSS, max(tables)), TABLE, height - AROUND
    high = sum(-(-count // across) for count in tables)
    fits = {row: (free - HEAD - row * rows) / high - 1 for row in ROWS}
    row = next((row for row in ROWS if fits[row] >= good), ROWS[-1])
    apart = fits[row] < least
    slot = max(least, min(most, free / high - 1.1 if apart else fits[row]))
    sizes = {"across": across, "slot": slot, "row": ROWS[0] if apart else row, "apart": apart}
    return sizes | {"width": width - 2 * MARGIN, "high": free}
