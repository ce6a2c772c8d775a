"""Who is on a list? A pasted list of names, or a file with columns: players, and the lines that look wrong.

    >>> found = read_list(b"1. Ada Okafor\\n2. Bo Bell\\n")
    >>> [player.name for player in found.players]
    ['Ada Okafor', 'Bo Bell']

Whoever is in the event already is left out, so that a list can be given again after it grew; and whoever
stands on the list twice, if that is plain. Nobody and nothing is left out without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from topcut.errors import BadInput
from topcut.event.commands import Register, Then
from topcut.event.deciding import checked_name
from topcut.event.state import State
from topcut.exchange.lists import content
from topcut.exchange.lists.columns import guessed
from topcut.exchange.lists.headings import LEFT_OUT
from topcut.exchange.lists.marks import without_marks
from topcut.exchange.lists.meanings import NAMES, Guess, Record, records
from topcut.exchange.lists.sheets import Row, Sheet, read

LONGEST = 100
"""Letters of a number, a division or a label."""
LATEST = 2099
"""The last year of birth, where nobody knows which year it is."""
NAMESAKES = 50
"""So many people of one name are compared with each other; a list of more is no list."""
OWN_ID = re.compile(r"p\d{1,6}")


class Listed(Struct, frozen=True, omit_defaults=True):
    """A player of a list."""

    name: str
    line: int = 0
    display: str | None = None
    member: str | None = None
    born: int | None = None
    division: str | None = None
    apart: tuple[str, ...] = ()

    def register(self, then: Then | None = None) -> Register:
        """The command by which they enter."""
        return Register(
            name=self.name,
            display=self.display,
            member=self.member,
            born=self.born,
            division=self.division,
            apart=self.apart,
            then=then,
        )


class PlayerList(Struct, frozen=True):
    """What a list says."""

    sheet: Sheet
    guess: Guess
    players: tuple[Listed, ...]
    problems: tuple[str, ...]
    """Lines that look wrong, in words."""
    notes: tuple[str, ...]
    """How the list was understood, where that may be news."""


def here_already(state: State, legal: bool = True) -> list[Listed]:
    """The players of an event; without names and numbers that whoever asks may not know."""
    if not legal:
        return [Listed(entrant.player.shown_name) for entrant in state.players.values()]
    return [
        Listed(e.legal or e.player.shown_name, 0, None, e.player.member, e.player.born, e.player.division)
        for e in state.players.values()
    ]


def divisions_of(state: State) -> tuple[str, ...]:
    """The divisions that the rules of an event know."""
    return tuple(d.name for d in state.book.divisions.list) if state.book.divisions else ()


def read_list(
    raw: bytes,
    divisions: Sequence[str] = (),
    here: Sequence[Listed] = (),
    columns: str | None = None,
    latest: int = LATEST,
) -> PlayerList:
    """Read a list of players; `here`: who is in the event already, `latest`: this year."""
    sheet = read(raw)
    guess = guessed(sheet, divisions, columns)
    sheet, guess = without_marks(sheet, guess)
    reader = ListReader(guess, divisions, here, latest)
    players = [player for _, player in reader.everybody(sheet)]
    return PlayerList(sheet, guess, tuple(players), tuple(reader.problems), tuple(notes_of(sheet, guess)))


def notes_of(sheet: Sheet, guess: Guess) -> Iterator[str]:
    yield from sheet.notes
    if guess.head > 1:
        yield f"what stands above the headings in line {sheet.rows[guess.head - 1].line} is left out"
    for column in guess.columns:
        if column.meaning == "apart":
            yield f"players with the same “{column.heading or f'column {column.number}'}” are kept apart"
        if column.meaning == "born" and any(len(cell) > 4 for cell in _cells(sheet, guess, column.number)):
            yield "of birth dates only the year is taken"


def _cells(sheet: Sheet, guess: Guess, number: int) -> list[str]:
    return [row.cells[number - 1] for row in sheet.rows[guess.head :] if len(row.cells) >= number]


class ListReader:
    """One list at work."""

    def __init__(
        self, guess: Guess, divisions: Sequence[str], here: Sequence[Listed] = (), latest: int = LATEST
    ) -> None:
        self.guess = guess
        self.divisions = divisions
        self.latest = latest
        self.problems: list[str] = []
        self.mixed = [c.number - 1 for c in guess.columns if c.why == "mixed" and c.meaning == LEFT_OUT]
        self.names: dict[str, list[Listed]] = {}
        self.members: dict[str, Listed] = {}
        for player in here:
            self._remember(player)

    def everybody(self, sheet: Sheet, twice: bool = False) -> Iterator[tuple[Record, Listed]]:
        """The players of a sheet; `twice`: although others of the same name stand there."""
        for row, record in zip(sheet.rows[self.guess.head :], records(sheet, self.guess), strict=True):
            player = self._player(record, row)
            if player is None:
                continue
            if not twice and self._twice(player):
                continue
            self._remember(player)
            yield record, player

    def _player(self, record: Record, row: Row) -> Listed | None:
        """The player in a row, or a problem."""
        line = record.line
        values = dict(record.values)
        guess = self.guess
        asked = any(column.why == "asked" for column in guess.columns)
        short = len(row.cells) < len(guess.columns) and not guess.headed and not asked
        if short or self.mixed:
            values = self._loose(values, row, range(len(row.cells)) if short else self.mixed)
        name = self._name(values)
        if not name:
            rest = next((cell for cell in row.cells if cell), "")
            self.problems.append(f"line {line}: expected a name before “{_short(rest)}”")
            return None
        try:
            name = checked_name(name)
            display = checked_name(values["display"]) if values.get("display") else None
        except BadInput as error:
            self.problems.append(f"line {line}: {error.problem}")
            return None
        if "\n" in values.get("name", "") or "\r" in values.get("name", ""):
            self.problems.append(f"line {line}: the name of {name} went over several lines")
        return Listed(
            name,
            line,
            None if display == name else display,
            self._member(values, name, line),
            self._born(values.get("born"), name, line),
            self._division(values.get("division"), name, line),
            tuple(label for text in record.apart if (label := self._text(text, "label", name, line))),
        )

    def _loose(self, values: dict[str, str], row: Row, cells: Sequence[int]) -> dict[str, str]:
        """The values of a row whose cells do not stand where those of other rows do: each as it looks."""
        meanings = {c.number - 1: c.meaning for c in self.guess.columns}
        names = {m: value for m, value in values.items() if m in NAMES}
        found = names if len(cells) == len(row.cells) else dict(values)
        for i in cells:
            cell = row.cells[i] if i < len(row.cells) else ""
            if not cell or meanings[i] in names or meanings[i] == "apart":
                continue
            if "division" not in found and content.division_in(cell, self.divisions) is not None:
                found["division"] = cell
            elif "born" not in found and content.is_date(cell):
                found["born"] = cell
            elif "member" not in found and (content.is_number(cell) or meanings[i] == "member"):
                found["member"] = cell
            elif "@" not in cell:
                self.problems.append(f"line {row.line}: what is “{_short(cell)}”? It is left out")
        return found

    def _name(self, values: dict[str, str]) -> str:
        if "last-first" in values:
            return content.turned(values["last-first"]) or values["last-first"]
        if "name" in values:
            return values["name"]
        return f"{values.get('first', '')} {values.get('last', '')}".strip()

    def _member(self, values: dict[str, str], name: str, line: int) -> str | None:
        """The membership number; an id is taken for one, unless it is an id of ours."""
        if "member" in values or self.guess.has("member"):
            return self._text(values.get("member"), "number", name, line)
        player_id = values.get("id")
        return (
            None
            if player_id is None or OWN_ID.fullmatch(player_id)
            else self._text(player_id, "number", name, line)
        )

    def _text(self, text: str | None, what: str, name: str, line: int) -> str | None:
        text = " ".join((text or "").split())
        if len(text) > LONGEST or not text.isprintable():
            self.problems.append(f"line {line}: the {what} of {name} cannot be one: it is left out")
            return None
        return text or None

    def _born(self, text: str | None, name: str, line: int) -> int | None:
        if not text:
            return None
        year = content.year_of(text)
        if year is not None and content.EARLIEST <= year <= self.latest:
            return year
        if content.is_short_date(text):
            said = f"which century does “{text}” mean? {name} enters without a birth year"
        else:
            said = f"“{_short(text)}” is no year of birth: {name} enters without one"
        self.problems.append(f"line {line}: {said}")
        return None

    def _division(self, text: str | None, name: str, line: int) -> str | None:
        if not text:
            return None
        if not self.divisions:
            return self._text(text, "division", name, line)
        division = content.division_in(text, self.divisions)
        if division is None:
            expected = f"expected {', '.join(self.divisions)}"
            self.problems.append(
                f"line {line}: no division is called “{_short(text)}”: {expected}; {name} enters without one"
            )
        return division

    def _twice(self, player: Listed) -> bool:
        """Whether a player is left out, being here or on the list already; a name alone does not prove it."""
        line, name = player.line, player.name
        if player.member and (other := self.members.get(player.member)):
            said = f"{name} is left out: {_where(other)} has the number {player.member} already"
            self.problems.append(f"line {line}: {said}")
            return True
        for other in self.names.get(_key(name), [])[:NAMESAKES]:
            if _different(player, other):
                continue
            if not other.line:
                self.problems.append(f"line {line}: somebody called {name} is here already: left out")
                return True
            same = player.born is not None and player.born == other.born
            what = "left out" if same else "both enter"
            self.problems.append(f"line {line}: {name} is on the list twice (line {other.line}): {what}")
            return same
        return False

    def _remember(self, player: Listed) -> None:
        self.names.setdefault(_key(player.name), []).append(player)
        if player.member:
            self.members.setdefault(player.member, player)


def _different(one: Listed, other: Listed) -> bool:
    """Whether two of one name are two people: they differ in a number, year or division that both have."""
    pairs = ((one.member, other.member), (one.born, other.born), (one.division, other.division))
    return any(a and b and a != b for a, b in pairs)


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _where(player: Listed) -> str:
    return f"{player.name} (line {player.line})" if player.line else player.name


def _short(text: str) -> str:
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    return text if len(text) <= 40 else f"{text[:40]}…"
