"""Read the event in a list: players, standings, pairings or results. Rules and name stand in no list."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.formats.csv import cell_types
from topcut.formats.csv.column_guess import SAMPLE, guess_columns
from topcut.formats.csv.columns import FIELDS, SEATS, ColumnGuess, ListRecord, read_records
from topcut.formats.csv.encodings import detect_encoding
from topcut.formats.csv.headings import LEFT_OUT, WORDS, find_meaning, heading_key
from topcut.formats.csv.player_list import ListEntry, ListReader, list_notes
from topcut.formats.csv.results import TableCells, find_word_for_alone, make_table
from topcut.formats.csv.rows import ListSheet, read_sheet
from topcut.formats.event_file import EventFile
from topcut.formats.foreign_files import is_workbook
from topcut.formats.registry import FileContent, ListHints, ListName, NeedsRules
from topcut.history.builder import MOST_ROUNDS
from topcut.history.model import Player, Round, Table
from topcut.history.player_fields import read_fields
from topcut.history.results import read_seat_results
from topcut.rulebook import Book, load
from topcut.rulebook.options import Options


def detect_kind(raw: bytes) -> ListName | None:
    """Return what kind of list this is; None where it is none that anybody would bring.

    Text that can only be a list and is a broken one is refused by what is wrong with it.
    """
    if not is_workbook(raw) and not _is_text_of_list(raw):
        return None
    sheet = read_sheet(raw)
    guess = guess_columns(sheet)
    body = sheet.rows[guess.head : guess.head + SAMPLE]
    if guess.headed or guess.kind != "players":
        return guess.kind if body or guess.headed else None
    at = next((c.number - 1 for c in guess.columns if c.meaning != LEFT_OUT), None)
    cells = [row.cells[at] for row in body if at is not None and at < len(row.cells)]
    return (
        "players"
        if cell_types.are_mostly(cells, lambda cell: len(cell) <= 80 and len(cell.split()) <= 5)
        else None
    )


def read_content(raw: bytes, hints: ListHints) -> FileContent | None:
    """Return the event in a list; None where it is none that anybody would bring."""
    kind = detect_kind(raw)
    if kind is None:
        if is_workbook(raw):
            expected = "expected players, pairings or results"
            raise BadInput(f"the first sheet of this workbook is no list: {expected}")
        return None
    if hints.rules is None:
        raise NeedsRules(kind)
    kind, file, notes = read_csv(raw, hints.rules, hints.name or "An event", hints.columns, hints.folder)
    return FileContent(kind, file, notes=tuple(notes))


def _is_text_of_list(raw: bytes) -> bool:
    """Return whether this is text that is neither JSON nor XML."""
    try:
        encoding = detect_encoding(raw)
    except BadInput:
        return False
    start = raw[:200].decode(encoding.codec, errors="ignore").lstrip("\ufeff \t\r\n")
    return bool(start) and not start.startswith(("{", "[", "<"))


def read_csv(
    raw: bytes, rules: str, name: str, columns: str | None = None, folder: Path | None = None
) -> tuple[ListName, EventFile, list[str]]:
    """Return what kind of list this is, its event, and what has to be said about it.

    `columns`: what its columns mean, where the guess is wrong; `folder`: where books of one's own lie.
    """
    book = load(rules, None, folder)
    sheet = read_sheet(raw)
    divisions = tuple(division.name for division in book.divisions.list) if book.divisions else ()
    guess = guess_columns(sheet, divisions, columns)
    players: Sequence[Player]
    rounds: Sequence[Round] = ()
    if guess.kind in ("pairings", "results"):
        players, rounds, notes = read_rounds(sheet, guess, book)
        notes = [*sheet.notes, *notes]
    else:
        players, notes = _read_players(sheet, guess, book, divisions)
    if not players:
        raise BadInput("nobody is on this list")
    third = _has_third_place(rounds) and "third_place" in book.options
    options = Options(third_place=True) if third else Options()
    file = EventFile(
        topcut=1, name=name, rules=rules, players=tuple(players), rounds=tuple(rounds), options=options
    )
    return guess.kind, file, notes


def _has_third_place(rounds: Sequence[Round]) -> bool:
    """Return whether the losers of the semi-finals meet beside the final."""
    last = [a_round.tables for a_round in rounds if a_round.in_bracket][-2:]
    if [len(tables) for tables in last] != [2, 2]:
        return False
    before, now = ({player_id for table in tables for player_id in table.players} for tables in last)
    return before == now


def _read_players(
    sheet: ListSheet, guess: ColumnGuess, book: Book, divisions: Sequence[str]
) -> tuple[list[Player], list[str]]:
    reader = ListReader(guess, divisions)
    everybody = list(reader.everybody(sheet, twice=guess.has("id")))
    ids = [record.values.get("id", "") for record, _ in everybody]
    own = bool(ids) and all(ids) and len(set(ids)) == len(ids)
    players = []
    for number, (record, listed) in enumerate(everybody, start=1):
        player_id = ids[number - 1] if own else f"p{number}"
        players.append(_make_player(player_id, record, listed, guess, own))
    notes = [*list_notes(sheet, guess), *reader.problems]
    if guess.has("id") and not own and players:
        notes.append("ids are missing or stand twice: players are numbered instead")
    if any(listed.display for _, listed in everybody):
        notes.append("players are called what everybody sees: other names do not come over")
    if guess.kind == "standings":
        players = _seed_by_rank(players, [record.values.get("rank", "") for record, _ in everybody])
        notes.append(
            "ranks become rank seeds; points and tiebreaks do not come over: they follow from results"
        )
    return players, notes


def _make_player(
    player_id: str, record: ListRecord, listed: ListEntry, guess: ColumnGuess, own: bool
) -> Player:
    fields = read_fields(listed)
    del fields["display"]
    if own and listed.member == player_id and not guess.has("member"):
        fields["member"] = None
    # In standings "dropped" is a tiebreak of some rulesets, and the rank says where somebody is.
    for field in () if guess.kind == "standings" else FIELDS if guess.own else ("seed",):
        if cell := record.values.get(field):
            if not cell.isdecimal() or len(cell) > 9:
                raise BadInput(f"{field}: expected a number, not “{cell[:40]}”", place=f"line {record.line}")
            fields[field] = int(cell)
    return Player(
        id=player_id,
        name=listed.display or listed.name,
        **fields,
    )


def _seed_by_rank(players: Sequence[Player], ranks: Sequence[str]) -> list[Player]:
    """Return the players by rank, each with a rank seed; players who share a rank as they stand."""
    order = list(range(len(players)))
    if all(rank.rstrip(".").isdecimal() for rank in ranks):
        order.sort(key=lambda i: int(ranks[i].rstrip(".")))
    return [replace(players[i], seed=place) for place, i in enumerate(order, start=1)]


_ROUND = re.compile(r"(?:[^\W\d]{1,8}\.?\s*)?(\d{1,4})\s*\.?\s*([^\W\d]*)")
_NO_ROUND = tuple(map(heading_key, WORDS["bracket"]["before_number"]))
_ELIMINATION = set(map(heading_key, WORDS["bracket"]["stage"]))


class PlayerIds:
    """Everybody who is named in a list, in the order in which they turn up."""

    def __init__(self, with_ids: bool) -> None:
        self.with_ids = with_ids
        self.names: dict[str, str] = {}
        self._by_name: dict[str, str] = {}

    def id_of(self, name: str, player_id: str) -> str:
        """Return the id of somebody; people without one are told apart by their names, and numbered."""
        name = " ".join(name.split())
        known = heading_key(name)
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


class _RoundTables:
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
            if table.reported and _sort_result(table) != _sort_result(other):
                raise BadInput(f"another result than in line {before} for the same table")
            return
        self.tables.append(table)
        self._at |= dict.fromkeys(table.players, (line, table))


def read_rounds(
    sheet: ListSheet, guess: ColumnGuess, book: Book
) -> tuple[list[Player], list[Round], list[str]]:
    """Return the players and rounds of a list, and what has to be said about it."""
    people = PlayerIds(any(guess.has(f"id {seat}") for seat in range(1, SEATS + 1)))
    found: dict[str, _RoundTables] = {}
    for record in read_records(sheet, guess):
        try:
            label = _read_round_label(record.values.get("round", "1"))
            said = _read_table_cells(record, people)
            if said is None:
                continue
            table = make_table(said, people.names, book)
            _check_table(table, book)
            if label not in found:
                found[label] = _RoundTables()
                found[label].stage = _read_stage(record, label)
            found[label].add(table, record.line)
        except BadInput as error:
            raise BadInput(error.problem, place=f"line {record.line}") from None
    order, notes = _sort_rounds(found)
    rounds = [Round(tables=tuple(found[label].tables), stage=found[label].stage) for label in order]
    players = [Player(id=player_id, name=name) for player_id, name in people.names.items()]
    if not guess.has("round"):
        notes.append("no column says which round it is: all tables are taken for round 1")
    if not people.with_ids:
        notes.append("players are told apart by their names: two of one name would be one")
    return players, rounds, notes


def _read_table_cells(record: ListRecord, people: PlayerIds) -> TableCells | None:
    """Return what a row says; None where nobody sits there."""
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
        if not player_id and (word := find_word_for_alone(name)):
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
    return TableCells(
        players=tuple(player_id for player_id, _, _ in seats),
        outcomes=tuple(outcome for _, outcome, _ in seats),
        scores=tuple(score for _, _, score in seats),
        drawn=values.get("drawn", ""),
        result=values.get("result", ""),
        winner=values.get("winner", ""),
        table=_read_table_number(values.get("table", "")),
        alone=without,
    )


def _check_table(table: Table, book: Book) -> None:
    """Refuse a table that these rules do not know; the target is the event's to choose."""
    read_seat_results(table, replace(book, match=replace(book.match, target=None)), "")
    if len(set(table.players)) < len(table.players):
        raise BadInput("somebody sits at this table twice")


def _sort_result(table: Table) -> tuple[object, ...]:
    """Return a result whatever the order of the players."""
    if table.games is not None:
        return (*sorted(zip(table.players, table.games, strict=False)), table.games[2])
    if table.scores is not None:
        return tuple(sorted(zip(table.players, table.scores, strict=True)))
    return (table.winner, table.bye, table.loss)


def _read_table_number(cell: str) -> int | str | None:
    if not cell:
        return None
    return int(cell) if cell.isdecimal() and len(cell) < 10 else cell


def _read_round_label(cell: str) -> str:
    """Return what a round is called: its number, or a name such as "Top 8"."""
    found = _ROUND.fullmatch(cell.strip())
    if found is None or heading_key(cell).startswith(_NO_ROUND):
        return cell.strip()
    if found[2] and find_meaning(found[2]) != "round":
        return cell.strip()
    number = int(found[1])
    if not 1 <= number <= MOST_ROUNDS:
        raise BadInput(f"expected the number of a round, from 1 to {MOST_ROUNDS}")
    return str(number)


def _read_stage(record: ListRecord, label: str) -> Literal["swiss", "elimination"]:
    stage = heading_key(record.values.get("stage", ""))
    named = not stage and not label.isdecimal()
    return "elimination" if stage in _ELIMINATION or named else "swiss"


def _sort_rounds(found: Mapping[str, _RoundTables]) -> tuple[list[str], list[str]]:
    """Return the rounds as they were played: those with numbers, then those with names, the largest first."""
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
