"""Guess what each column of a list means: by its heading, by its cells, or as the scorekeeper says.

>>> from topcut.formats.csv.rows import read_sheet
>>> guess = guess_columns(read_sheet(b"Vorname;Nachname;Geb.-Datum\\nAda;Okafor;3.4.2008\\n"))
>>> [column.meaning for column in guess.columns], guess.kind
(['first', 'last', 'born'], 'players')
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.formats.csv import cell_types
from topcut.formats.csv.headings import LEFT_OUT, find_meaning
from topcut.formats.csv.rows import ListRow, ListSheet
from topcut.formats.registry import ListName
from topcut.history.player_fields import PLAYER_FIELDS
from topcut.text.messages import say

Why = Literal["heading", "content", "asked", "unknown", "mixed"]
"""`mixed`: there are no headings, and each cell of the column is taken for what it looks like."""
SEATS = 4
PLAYER_MEANINGS: dict[str, str] = {
    "name": say("name"),
    "first": say("first name"),
    "last": say("last name"),
    "last-first": say("name as “Last, First”"),
    "id": say("id"),
    **{field.name: field.label for field in PLAYER_FIELDS},
}
"""What a column of a list of players may be, and what people call it."""
NAMES = ("name", "first", "last", "last-first", "display")
"""The meanings that hold a name."""
MIXED = "?"
"""Stands for a column whose cells are each taken for what they look like."""
MIXED_WORDS = say("each cell as it looks")
OWN_LIST_MEANINGS = ("entered", "dropped", "cut", "disqualified", "flight", "pod", "seat", "seed")
"""More meanings, of columns in lists that Topcut wrote."""
TABLE_MEANINGS = ("round", "stage", "table", "result", "winner", "drawn", "rank", "points")
SEAT_MEANINGS = ("player", "first", "last", "id", "outcome", "score")
MEANINGS = (
    *PLAYER_MEANINGS,
    *OWN_LIST_MEANINGS,
    *TABLE_MEANINGS,
    *(f"{meaning} {seat}" for seat in range(1, SEATS + 1) for meaning in SEAT_MEANINGS),
    LEFT_OUT,
)
EXAMPLE = "name,-,id,born"
"""What the scorekeeper can say of the columns of a list."""
SAMPLE = 200
"""Rows that are looked at."""
_HEAD = 10
"""Rows among which headings are looked for; titles may stand above them."""
_DIGIT = re.compile(r"\d")
_OURS = ({"id", "name", "entered"}, {"id", "name", "decided by"}, {"id 1", "outcome 1", "stage"})
"""Headings that only Topcut writes so."""


_OTHER_WORDS: dict[str, str] = {
    "entered": say("entered in round"),
    "dropped": say("dropped after round"),
    "cut": say("cut after round"),
    "disqualified": say("disqualified after round"),
    "flight": say("flight"),
    "pod": say("pod"),
    "seat": say("seat"),
    "seed": say("rank seed"),
    "round": say("round"),
    "stage": say("stage"),
    "table": say("table"),
    "result": say("result"),
    "winner": say("winner"),
    "drawn": say("drawn games"),
    "rank": say("rank"),
    "points": say("points"),
}


def name_meaning(meaning: str) -> str:
    """Return what people call the meaning of a column."""
    kind, _, seat = meaning.rpartition(" ")
    match kind:
        case "player":
            return say("player {seat}", seat=seat)
        case "first":
            return say("first name of player {seat}", seat=seat)
        case "last":
            return say("last name of player {seat}", seat=seat)
        case "id":
            return say("id of player {seat}", seat=seat)
        case "outcome":
            return say("outcome of player {seat}", seat=seat)
        case "score":
            return say("score of player {seat}", seat=seat)
    return (PLAYER_MEANINGS | _OTHER_WORDS).get(meaning, meaning)


class ListColumn(Struct, frozen=True):
    number: int
    heading: str
    meaning: str
    why: Why

    @property
    def words(self) -> str:
        """Return what the column is taken for, in words."""
        if self.why == "mixed":
            return MIXED_WORDS
        if self.meaning == LEFT_OUT:
            return say("left out: unknown") if self.why == "unknown" else say("left out: not needed")
        return name_meaning(self.meaning)


class ColumnGuess(Struct, frozen=True):
    """What a list is taken for."""

    kind: ListName
    columns: tuple[ListColumn, ...]
    head: int = 0
    """Rows at the top that are not part of the list: headings, and titles above them."""
    own: bool = False
    """Whether Topcut wrote it: every cell means exactly what it says."""

    @property
    def headed(self) -> bool:
        return self.head > 0

    def has(self, meaning: str) -> bool:
        return any(column.meaning == meaning for column in self.columns)

    def preview(self, rows: Sequence[ListRow]) -> Iterator[tuple[ListColumn, tuple[str, ...]]]:
        """Yield each column with its cells in the first three rows."""
        first = rows[self.head : self.head + 3]
        for column in self.columns:
            yield column, tuple(cell_at(row, column.number - 1) for row in first)


class ListRecord(NamedTuple):
    """A row by meanings; `apart` may stand in several columns."""

    line: int
    values: dict[str, str]
    apart: tuple[str, ...]


def read_records(sheet: ListSheet, guess: ColumnGuess) -> Iterator[ListRecord]:
    """Yield the rows below the headings, by what their cells mean."""
    taken = [(column.number - 1, column.meaning) for column in guess.columns if column.meaning != LEFT_OUT]
    for row in sheet.rows[guess.head :]:
        values: dict[str, str] = {}
        apart = []
        for i, meaning in taken:
            if cell := cell_at(row, i):
                if meaning == "apart":
                    apart.append(cell)
                else:
                    values[meaning] = cell
        yield ListRecord(row.line, values, tuple(apart))


def cell_at(row: ListRow, i: int) -> str:
    """Return a cell, empty where the row is too short."""
    return row.cells[i] if i < len(row.cells) else ""


def _cells(body: Sequence[ListRow], i: int) -> list[str]:
    """Return what stands in a column, without its empty cells."""
    return [cell for row in body if (cell := cell_at(row, i))]


def guess_columns(sheet: ListSheet, divisions: Sequence[str] = (), asked: str | None = None) -> ColumnGuess:
    """Return what the columns of a sheet mean; `asked`: what the scorekeeper says of them, see `EXAMPLE`."""
    rows = sheet.rows
    top = _find_heading_row(rows)
    head = 0 if top is None else top + 1
    body = rows[head : head + SAMPLE]
    headings = [cell_at(rows[top], i) if top is not None else "" for i in range(sheet.width)]
    if asked is not None and asked.strip():
        columns = _read_asked(asked, headings)
    else:
        found = [_guess_column(i, word, _cells(body, i), divisions) for i, word in enumerate(headings)]
        columns = _settle_columns(found, body)
    kind = _find_kind(columns, body)
    own = any(ours <= set(headings) for ours in _OURS)
    if kind in ("players", "standings") and not own and asked is None:
        for at, column in enumerate(columns):
            cells = _cells(body, column.number - 1)
            if column.meaning == "name" and cell_types.are_mostly(cells, cell_types.turn_name):
                columns[at] = replace(column, meaning="last-first")
    return ColumnGuess(kind, tuple(columns), head, own)


def _find_heading_row(rows: Sequence[ListRow]) -> int | None:
    for i, row in enumerate(rows[:_HEAD]):
        cells = [cell for cell in row.cells if cell]
        meanings = [meaning for cell in cells if (meaning := find_meaning(cell)) is not None]
        if len(cells) == 1:
            if i == 0 and meanings and meanings[0] in ("name", "nom", "first", "last", "last-first"):
                return 0
            continue
        known = len(meanings) * 2 >= len(cells) and (len(meanings) > 1 or len(cells) == 2)
        if known and all(sum(map(bool, above.cells)) < len(cells) for above in rows[:i]):
            return i
    return 0 if _looks_different(rows) else None


def _looks_different(rows: Sequence[ListRow]) -> bool:
    """Return whether a column has numbers in every row but the first, which has words: an unknown heading."""
    if len(rows) < 3:
        return False
    first, *rest = rows[:SAMPLE]
    return any(
        cell and not _DIGIT.search(cell) and all(_DIGIT.search(cell_at(row, i)) for row in rest)
        for i, cell in enumerate(first.cells)
    )


def _read_asked(asked: str, headings: Sequence[str]) -> list[ListColumn]:
    columns = []
    words = (part.strip().casefold() for part in asked.split(","))
    for number, (word, heading) in enumerate(zip_longest(words, headings, fillvalue=""), start=1):
        if word == MIXED:
            columns.append(ListColumn(number, heading, LEFT_OUT, "mixed"))
            continue
        meaning = next((m for m, label in PLAYER_MEANINGS.items() if word in (m, label)), word) or LEFT_OUT
        if meaning not in MEANINGS:
            known = ", ".join(PLAYER_MEANINGS)
            problem = say(
                'no column can mean "{word}": expected {known}, or - to leave a column out',
                word=word,
                known=known,
            )
            raise BadInput(problem, place="columns")
        columns.append(ListColumn(number, heading, meaning, "asked"))
    once = [c.meaning for c in columns if c.meaning not in (LEFT_OUT, "apart")]
    for meaning in once:
        if once.count(meaning) > 1:
            problem = say("two columns can't both be the {meaning}", meaning=name_meaning(meaning))
            raise BadInput(problem, place="columns")
    return columns


def _guess_column(i: int, heading: str, cells: Sequence[str], divisions: Sequence[str]) -> ListColumn:
    """Return what a column is taken for by itself."""
    if heading and (meaning := find_meaning(heading)) is not None:
        return ListColumn(i + 1, heading, meaning, "heading")
    meaning = _guess_by_content(cells, divisions, bool(heading))
    unknown: Why = "unknown" if heading else "mixed"
    return ListColumn(i + 1, heading, meaning or LEFT_OUT, "content" if meaning else unknown)


def _guess_by_content(cells: Sequence[str], divisions: Sequence[str], headed: bool) -> str | None:
    """Return what the cells of a column say; under an unknown heading only what cannot be anything else."""
    if not cells:
        return LEFT_OUT
    if cell_types.are_mostly(cells, lambda cell: "@" in cell and "." in cell.partition("@")[2]):
        return LEFT_OUT
    names = divisions or cell_types.USUAL_DIVISIONS
    if cell_types.are_mostly(cells, lambda cell: cell_types.find_division(cell, names) is not None):
        return "division"
    if cell_types.are_mostly(cells, cell_types.RESULT.fullmatch):
        return "result"
    if cell_types.are_mostly(cells, cell_types.is_name):
        return "text"
    if headed:
        return None
    if cell_types.counts_lines(cells):
        return LEFT_OUT
    if cell_types.are_mostly(cells, cell_types.is_date) and (
        len(set(map(cell_types.find_year, cells))) > 1 or len(cells) < 3
    ):
        return "born"
    return "member" if cell_types.are_mostly(cells, cell_types.is_number) else None


def _settle_columns(columns: list[ListColumn], body: Sequence[ListRow]) -> list[ListColumn]:
    """Settle all columns together: words that depend on others, and no meaning twice."""
    columns = _settle_names(columns, body)
    meanings = [column.meaning for column in columns]
    number = "member" if not {"id", "member"} & set(meanings) else LEFT_OUT
    seen: set[str] = set()
    settled = []
    for column in columns:
        meaning, why = column.meaning, column.why
        if meaning == "number":
            cells = _cells(body, column.number - 1)
            meaning = LEFT_OUT if cell_types.counts_lines(cells) or len(cells) < 2 else number
        elif meaning == "text":
            meaning, why = LEFT_OUT, "unknown"
        elif meaning == "opponent":
            meaning = "player 2"
        elif meaning == "member" and column.why == "content" and "id" in meanings:
            meaning = LEFT_OUT
        if meaning in seen and meaning != "apart":
            meaning = LEFT_OUT
        if meaning != LEFT_OUT:
            seen.add(meaning)
        settled.append(replace(column, meaning=meaning, why=why))
    if "player 2" in seen:  # whose opponent
        settled = [replace(c, meaning="player 1") if c.meaning == "name" else c for c in settled]
    return settled


def _settle_names(columns: list[ListColumn], body: Sequence[ListRow]) -> list[ListColumn]:
    """Settle which columns are names, where the words do not say it by themselves."""
    meanings = [column.meaning for column in columns]
    if "nom" in meanings:
        beside = {"first": "last", "last": "first"}
        other = next((beside[m] for m in meanings if m in beside), "name")
        columns = [replace(c, meaning=other) if c.meaning == "nom" else c for c in columns]
    elif "first" in meanings and "last" not in meanings and "name" in meanings:  # "Vorname; Name"
        columns = [replace(c, meaning="last") if c.meaning == "name" else c for c in columns]
    meanings = [column.meaning for column in columns]
    texts = [i for i, meaning in enumerate(meanings) if meaning == "text"]
    if {"name", "last", "player 1", "id 1"} & set(meanings):
        return columns
    if not texts:  # people may be called anything
        unknown = [i for i, column in enumerate(columns) if column.why in ("unknown", "mixed")]
        numbers = [i for i, c in enumerate(columns) if c.why == "content" and c.meaning == "member"]
        texts = (unknown or numbers)[:1]
        if not texts:
            return columns
    given = {texts[0]: "last" if "first" in meanings else "name"}
    two = texts[:2]
    if "result" in meanings and len(two) == 2:
        given = dict(zip(two, ("player 1", "player 2"), strict=True))
        numbers = [i for i in range(two[0]) if all(cell_at(row, i).isdecimal() for row in body)]
        given |= dict(zip(reversed(numbers[-2:]), ("table", "round"), strict=False))
    elif len(two) == 2 and two[1] == two[0] + 1 and all(_holds_single_words(body, i) for i in two):
        given = dict(zip(two, ("first", "last"), strict=True))
    return [replace(c, meaning=given[i], why="content") if i in given else c for i, c in enumerate(columns)]


def _holds_single_words(body: Sequence[ListRow], i: int) -> bool:
    """Return whether a column holds one word a row, mostly different ones."""
    cells = _cells(body, i)
    return cell_types.are_mostly(cells, lambda cell: " " not in cell) and len(set(cells)) >= 0.7 * len(cells)


def _find_kind(columns: Sequence[ListColumn], body: Sequence[ListRow]) -> ListName:
    meanings = {column.meaning: column.number - 1 for column in columns}
    seats = range(1, SEATS + 1)
    if sum(bool({f"player {n}", f"id {n}", f"last {n}"} & meanings.keys()) for n in seats) > 1:
        said = [i for m, i in meanings.items() if m.split(" ")[0] in ("result", "winner", "outcome", "score")]
        return "results" if any(cell_at(row, i) for row in body for i in said) else "pairings"
    return "standings" if {"rank", "points"} <= set(meanings) else "players"
