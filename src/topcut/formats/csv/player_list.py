"""Read the players of a list: names, one a line, or columns; and the lines that look wrong.

    >>> found = read_list(b"1. Ada Okafor\\n2. Bo Bell\\n")
    >>> [player.name for player in found.players]
    ['Ada Okafor', 'Bo Bell']

Who is in the event already is left out, so that a list can be given again after it grew, and so is who
plainly stands on the list twice. Nobody and nothing is left out without a word.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event.commands import Register, Then
from topcut.event.decide.context import clean_name
from topcut.event.state import State
from topcut.formats.csv import cell_types
from topcut.formats.csv.columns import NAMES, ColumnGuess, ListRecord, cell_at, guess_columns, read_records
from topcut.formats.csv.headings import LEFT_OUT
from topcut.formats.csv.rows import ListRow, ListSheet, read_sheet
from topcut.formats.paths import name_line
from topcut.history.builder import MOST_BYES
from topcut.history.player_fields import EARLIEST_YEAR, read_fields
from topcut.text.messages import Message, join_messages, list_or, say

LONGEST = 100
"""Letters of a number, a division or a label."""
LATEST = 2099
"""The last year of birth, where nobody knows which year it is."""
NAMESAKES = 50
"""People of one name who are compared with each other; a list of more is no list."""
OWN_ID = re.compile(r"p\d{1,6}")


_Text = Literal["number", "division", "label"]
"""What a text in a list may be."""


class ListEntry(Struct, frozen=True, omit_defaults=True):
    name: str
    line: int = 0
    display: str | None = None
    member: str | None = None
    born: int | None = None
    division: str | None = None
    apart: tuple[str, ...] = ()
    byes: int = 0

    def register(self, then: Then | None = None) -> Register:
        """Return the command by which they enter."""
        return Register(name=self.name, then=then, **read_fields(self))


class PlayerList(Struct, frozen=True):
    sheet: ListSheet
    guess: ColumnGuess
    players: tuple[ListEntry, ...]
    problems: tuple[str, ...]
    """Lines that look wrong, in words."""
    notes: tuple[str, ...]
    """How the list was understood, where that may be news."""


def list_present_players(state: State, legal: bool = True) -> list[ListEntry]:
    """Return the players of an event; `legal`: with the names and numbers that not everybody may know."""
    if not legal:
        return [ListEntry(listed.player.shown_name) for listed in state.players.values()]
    return [
        ListEntry(e.legal or e.player.shown_name, 0, None, e.player.member, e.player.born, e.player.division)
        for e in state.players.values()
    ]


def list_divisions(state: State) -> tuple[str, ...]:
    """Return the divisions that the rules of an event know."""
    return tuple(d.name for d in state.book.divisions.list) if state.book.divisions else ()


def read_list(
    raw: bytes,
    divisions: Sequence[str] = (),
    here: Sequence[ListEntry] = (),
    columns: str | None = None,
    latest: int = LATEST,
) -> PlayerList:
    """Read a list of players; `here`: who is in the event already, `latest`: this year."""
    sheet = read_sheet(raw)
    guess = guess_columns(sheet, divisions, columns)
    sheet, guess = _remove_marks(sheet, guess)
    reader = ListReader(guess, divisions, here, latest)
    players = [player for _, player in reader.read_players(sheet)]
    return PlayerList(sheet, guess, tuple(players), tuple(reader.problems), tuple(list_notes(sheet, guess)))


def list_notes(sheet: ListSheet, guess: ColumnGuess) -> Iterator[str]:
    yield from sheet.notes
    if guess.head > 1:
        line = sheet.rows[guess.head - 1].line
        yield say("What is above the headings in line {line} is left out.", line=line)
    for column in guess.columns:
        if column.meaning == "apart":
            if column.heading:
                yield say(
                    "Players with the same “{heading}” are not paired if possible.", heading=column.heading
                )
            else:
                yield say(
                    "Players with the same text in column {column} are not paired if possible.",
                    column=column.number,
                )
        cells = (cell_at(row, column.number - 1) for row in sheet.rows[guess.head :])
        if column.meaning == "born" and any(len(cell) > 4 for cell in cells):
            yield say("Only the year of birth dates is used.")


class ListReader:
    """Reads the players of one list, and keeps the lines that look wrong."""

    def __init__(
        self,
        guess: ColumnGuess,
        divisions: Sequence[str],
        here: Sequence[ListEntry] = (),
        latest: int = LATEST,
    ) -> None:
        self.guess = guess
        self.divisions = divisions
        self.latest = latest
        self.problems: list[str] = []
        self.mixed = [c.number - 1 for c in guess.columns if c.why == "mixed" and c.meaning == LEFT_OUT]
        self.names: dict[str, list[ListEntry]] = {}
        self.members: dict[str, ListEntry] = {}
        for player in here:
            self._remember(player)

    def read_players(self, sheet: ListSheet, twice: bool = False) -> Iterator[tuple[ListRecord, ListEntry]]:
        """Yield the players of a sheet; `twice`: although others of the same name stand there."""
        for row, record in zip(sheet.rows[self.guess.head :], read_records(sheet, self.guess), strict=True):
            player = self._player(record, row)
            if player is not None and (twice or not self._report_duplicate(player)):
                self._remember(player)
                yield record, player

    def _player(self, record: ListRecord, row: ListRow) -> ListEntry | None:
        """Return the player in a row; None and a problem where there is none."""
        line, values, guess = record.line, dict(record.values), self.guess
        asked = any(column.why == "asked" for column in guess.columns)
        short = len(row.cells) < len(guess.columns) and not guess.headed and not asked
        if short or self.mixed:
            values = self._guess_cells(values, row, range(len(row.cells)) if short else self.mixed)
        name = values.get("name", f"{values.get('first', '')} {values.get('last', '')}".strip())
        if "last-first" in values:
            name = cell_types.turn_name(values["last-first"]) or values["last-first"]
        if not name:
            rest = next((cell for cell in row.cells if cell), "")
            self._report(line, say("the name is missing before “{text}”", text=_shorten(rest)))
            return None
        try:
            name = clean_name(name)
            display = clean_name(values["display"]) if values.get("display") else None
        except BadInput as error:
            self._report(line, error.problem)
            return None
        if "\n" in values.get("name", "") or "\r" in values.get("name", ""):
            self._report(line, say("the name of {name} was on several lines", name=name))
        return ListEntry(
            name,
            line,
            None if display == name else display,
            self._member(values, name, line),
            self._born(values.get("born"), name, line),
            self._division(values.get("division"), name, line),
            tuple(label for text in record.apart if (label := self._text(text, "label", name, line))),
            self._byes(values.get("byes"), name, line),
        )

    def _guess_cells(self, values: dict[str, str], row: ListRow, cells: Sequence[int]) -> dict[str, str]:
        """Return the values of a row whose cells stand elsewhere than in other rows: each as it looks."""
        meanings = {c.number - 1: c.meaning for c in self.guess.columns}
        names = {m: value for m, value in values.items() if m in NAMES}
        found = names if len(cells) == len(row.cells) else dict(values)
        for i in cells:
            cell = row.cells[i] if i < len(row.cells) else ""
            if not cell or meanings[i] in names or meanings[i] == "apart":
                continue
            if "division" not in found and cell_types.find_division(cell, self.divisions) is not None:
                found["division"] = cell
            elif "born" not in found and cell_types.is_date(cell):
                found["born"] = cell
            elif "member" not in found and (cell_types.is_number(cell) or meanings[i] == "member"):
                found["member"] = cell
            elif "@" not in cell:
                self._report(
                    row.line, say("“{text}” is left out: its meaning is unknown", text=_shorten(cell))
                )
        return found

    def _member(self, values: dict[str, str], name: str, line: int) -> str | None:
        """Return the membership number; an id is taken for one, unless it is an id of ours."""
        if "member" in values or self.guess.has("member"):
            return self._text(values.get("member"), "number", name, line)
        player_id = values.get("id", "")
        return None if OWN_ID.fullmatch(player_id) else self._text(player_id, "number", name, line)

    def _text(self, text: str | None, what: _Text, name: str, line: int) -> str | None:
        text = " ".join((text or "").split())
        if len(text) > LONGEST or not text.isprintable():
            self._report(line, _describe_unfit(what, name))
            return None
        return text or None

    def _born(self, text: str | None, name: str, line: int) -> int | None:
        if not text:
            return None
        year = cell_types.find_year(text)
        if year is not None and EARLIEST_YEAR <= year <= self.latest:
            return year
        if cell_types.is_short_date(text):
            problem = say(
                "“{date}” has no century: {name} is added without a birth year", date=text, name=name
            )
        else:
            short = _shorten(text)
            problem = say("“{text}” isn't a birth year: {name} is added without one", text=short, name=name)
        self._report(line, problem)
        return None

    def _byes(self, text: str | None, name: str, line: int) -> int:
        if not text:
            return 0
        if text.isdecimal() and int(text) <= MOST_BYES:
            return int(text)
        problem = say(
            "“{text}” isn't a number of awarded byes (0 to {most}): {name} is added without any",
            text=_shorten(text),
            most=MOST_BYES,
            name=name,
        )
        self._report(line, problem)
        return 0

    def _division(self, text: str | None, name: str, line: int) -> str | None:
        if not text:
            return None
        if not self.divisions:
            return self._text(text, "division", name, line)
        division = cell_types.find_division(text, self.divisions)
        if division is None:
            problem = say(
                "there is no division “{text}”: expected {divisions}; {name} is added without one",
                text=_shorten(text),
                divisions=list_or(self.divisions),
                name=name,
            )
            self._report(line, problem)
        return division

    def _report_duplicate(self, player: ListEntry) -> bool:
        """Return whether a player is left out, being here or listed already; a name alone is no proof."""
        line, name = player.line, player.name
        if player.member and (other := self.members.get(player.member)):
            who = say("{name} (line {line})", name=other.name, line=other.line) if other.line else other.name
            problem = say(
                "{name} is left out: {other} already has the number {number}",
                name=name,
                other=who,
                number=player.member,
            )
            self._report(line, problem)
            return True
        for other in self.names.get(_name_key(name), [])[:NAMESAKES]:
            known = [(getattr(player, key), getattr(other, key)) for key in ("member", "born", "division")]
            if any(a and b and a != b for a, b in known):
                continue  # two people of one name
            if not other.line:
                problem = say(
                    "{name} is left out: a player with this name is already in the event", name=name
                )
                self._report(line, problem)
                return True
            same = player.born is not None and player.born == other.born
            before = other.line
            problem = (
                say("{name} is on the list twice (line {line}): this one is left out", name=name, line=before)
                if same
                else say("{name} is on the list twice (line {line}): both are added", name=name, line=before)
            )
            self._report(line, problem)
            return same
        return False

    def _report(self, line: int, problem: str) -> None:
        """Keep what is wrong with a line."""
        self.problems.append(join_messages(": ", (name_line(line), problem)))

    def _remember(self, player: ListEntry) -> None:
        self.names.setdefault(_name_key(player.name), []).append(player)
        if player.member:
            self.members.setdefault(player.member, player)


def _describe_unfit(what: _Text, name: str) -> Message:
    match what:
        case "number":
            return say("the membership number of {name} isn't valid and is left out", name=name)
        case "division":
            return say("the division of {name} isn't valid and is left out", name=name)
        case "label":
            return say("a “don't pair with” label of {name} isn't valid and is left out", name=name)


def _name_key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _shorten(text: str) -> str:
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    return text if len(text) <= 40 else f"{text[:40]}…"


_MARK = re.compile(r"\s*(?:(\d{1,6})\s*([.):]?)|[-–—•*·▪◦‣●○]|\[[ xX]?\]|[☐☑])\s+(?=\S)")


def _remove_marks(sheet: ListSheet, guess: ColumnGuess) -> tuple[ListSheet, ColumnGuess]:
    """Remove "1." and bullets in front of names, where most lines have them below no heading."""
    if guess.headed:
        return sheet, guess
    named = bool(guess.columns) and guess.columns[0].meaning in ("name", "last-first", "first", "last")
    firsts = [row.cells[0] for row in sheet.rows]
    marks = [found for cell in firsts if (found := _MARK.match(cell))]
    if not named or len(marks) * 2 < len(firsts) or not _count_lines(marks):
        return sheet, guess
    cells = [_MARK.sub("", first, count=1) for first in firsts]
    rows = tuple(ListRow(r.line, (cell, *r.cells[1:])) for r, cell in zip(sheet.rows, cells, strict=True))
    if guess.columns[0].meaning == "name" and cell_types.are_mostly(cells, cell_types.turn_name):
        first = replace(guess.columns[0], meaning="last-first")
        guess = replace(guess, columns=(first, *guess.columns[1:]))
    return replace(sheet, rows=rows), guess


def _count_lines(marks: list[re.Match[str]]) -> bool:
    """Return whether the numbers among these marks count lines: people may be called "7 Seas"."""
    numbers = [int(found[1]) for found in marks if found[1]]
    if all(found[2] for found in marks if found[1]):
        return all(after > before for before, after in pairwise(numbers))
    return numbers == list(range(1, len(numbers) + 1))
