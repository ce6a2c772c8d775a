"""From rows of pairings or results to rounds: who sat where, what came of it, and who these people are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.exchange.lists.headings import WORDS, key, meaning_of
from topcut.exchange.lists.meanings import SEATS, Guess, Record, records
from topcut.exchange.lists.outcomes import Said, alone, table_of
from topcut.exchange.lists.sheets import Sheet
from topcut.history.building import MOST_ROUNDS
from topcut.history.model import Player, Round, Table
from topcut.history.results import seat_results
from topcut.rulebook.model import Book

_ROUND = re.compile(r"(?:[^\W\d]{1,8}\.?\s*)?(\d{1,4})\s*\.?\s*([^\W\d]*)")
_NO_ROUND = tuple(map(key, WORDS["bracket"]["before_number"]))
_ELIMINATION = set(map(key, WORDS["bracket"]["stage"]))


class People:
    """Everybody who is named in a list, in the order in which they turn up."""

    def __init__(self, with_ids: bool) -> None:
        self.with_ids = with_ids
        self.names: dict[str, str] = {}
        self._by_name: dict[str, str] = {}

    def id_of(self, name: str, player_id: str) -> str:
        """The id of somebody; people without one are told apart by their names, and numbered."""
        name = " ".join(name.split())
        known = key(name)
        if not player_id and known in self._by_name:
            return self._by_name[known]
        if not player_id:
            number = len(self.names) + 1
            while f"p{number}" in self.names:
                number += 1
            player_id = f"p{number}"
        if player_id not in self.names:
            self.names[player_id] = name or player_id
        if known:
            self._by_name.setdefault(known, player_id)
        return player_id


class _Tables:
    """The tables of a round, as they come in."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.stage: Literal["swiss", "elimination"] = "swiss"
        self._at: dict[str, tuple[int, Table]] = {}

    def add(self, table: Table, line: int) -> None:
        """Put a table in; lists from A to Z have each table once for every player."""
        for before, other in (self._at[player_id] for player_id in table.players if player_id in self._at):
            if set(table.players) != set(other.players) or table.table != other.table:
                raise BadInput(f"somebody sits at the table of line {before} too")
            if table.reported and _mirrored(table) != _mirrored(other):
                raise BadInput(f"another result than in line {before} for the same table")
            return
        self.tables.append(table)
        self._at |= dict.fromkeys(table.players, (line, table))


def rounds_of(sheet: Sheet, guess: Guess, book: Book) -> tuple[list[Player], list[Round], list[str]]:
    """The players and rounds of a list, and what has to be said about it."""
    people = People(any(guess.has(f"id {seat}") for seat in range(1, SEATS + 1)))
    found: dict[str, _Tables] = {}
    for record in records(sheet, guess):
        try:
            label = _label(record.values.get("round", "1"))
            said = _said(record, people)
            if said is None:
                continue
            table = table_of(said, people.names, book)
            _check(table, book)
            if label not in found:
                found[label] = _Tables()
                found[label].stage = _stage(record, label)
            found[label].add(table, record.line)
        except BadInput as error:
            raise BadInput(error.problem, place=f"line {record.line}") from None
    order, notes = _in_order(found)
    rounds = [Round(tables=tuple(found[label].tables), stage=found[label].stage) for label in order]
    players = [Player(id=player_id, name=name) for player_id, name in people.names.items()]
    if not guess.has("round"):
        notes.append("no column says which round it is: all tables are taken for round 1")
    if not people.with_ids:
        notes.append("players are told apart by their names: two of one name would be one")
    return players, rounds, notes


def _said(record: Record, people: People) -> Said | None:
    """What a row says; None where nobody sits there."""
    values = record.values
    seats: list[tuple[str, str, str]] = []
    without = ""
    for seat in range(1, SEATS + 1):
        name = values.get(f"player {seat}", "")
        if not name:
            name = f"{values.get(f'first {seat}', '')} {values.get(f'last {seat}', '')}".strip()
        player_id = values.get(f"id {seat}", "")
        if not name and not player_id:
            continue
        if not player_id and (word := alone(name)):
            without = word
            continue
        seats.append(
            (
                people.id_of(name, player_id),
                values.get(f"outcome {seat}", ""),
                values.get(f"score {seat}", ""),
            )
        )
    if not seats:
        return None
    return Said(
        players=tuple(player_id for player_id, _, _ in seats),
        outcomes=tuple(outcome for _, outcome, _ in seats),
        scores=tuple(score for _, _, score in seats),
        drawn=values.get("drawn", ""),
        result=values.get("result", ""),
        winner=values.get("winner", ""),
        table=_table(values.get("table", "")),
        alone=without,
    )


def _check(table: Table, book: Book) -> None:
    """Refuse a table that these rules do not know; the target is the event's to choose."""
    seat_results(table, replace(book, match=replace(book.match, target=None)), "")
    if len(set(table.players)) < len(table.players):
        raise BadInput("somebody sits at this table twice")


def _mirrored(table: Table) -> tuple[object, ...]:
    """A result whatever the order of the players."""
    if table.games is not None:
        return (*sorted(zip(table.players, table.games, strict=False)), table.games[2])
    if table.scores is not None:
        return tuple(sorted(zip(table.players, table.scores, strict=True)))
    return (table.winner, table.bye, table.loss)


def _table(cell: str) -> int | str | None:
    if not cell:
        return None
    return int(cell) if cell.isdecimal() and len(cell) < 10 else cell


def _label(cell: str) -> str:
    """What a round is called: its number, or a name such as "Top 8"."""
    found = _ROUND.fullmatch(cell.strip())
    if found is None or key(cell).startswith(_NO_ROUND):
        return cell.strip()
    if found[2] and meaning_of(found[2]) != "round":
        return cell.strip()
    number = int(found[1])
    if not 1 <= number <= MOST_ROUNDS:
        raise BadInput(f"expected the number of a round, from 1 to {MOST_ROUNDS}")
    return str(number)


def _stage(record: Record, label: str) -> Literal["swiss", "elimination"]:
    stage = key(record.values.get("stage", ""))
    named = not stage and not label.isdecimal()
    return "elimination" if stage in _ELIMINATION or named else "swiss"


def _in_order(found: Mapping[str, _Tables]) -> tuple[list[str], list[str]]:
    """The rounds as they were played: those with numbers, then those with names, the largest first."""
    numbered = sorted((label for label in found if label.isdecimal()), key=int)
    named = sorted(
        (label for label in found if not label.isdecimal()), key=lambda label: -len(found[label].tables)
    )
    notes = []
    if numbered:
        first, last = int(numbered[0]), int(numbered[-1])
        missing = [n for n in range(first, last + 1) if str(n) not in found]
        if missing:
            raise BadInput(f"round {missing[0]} is missing between rounds {first} and {last}")
        if first > 1:
            notes.append(f"the list begins with round {first}, which becomes round 1 here")
    return numbered + named, notes
