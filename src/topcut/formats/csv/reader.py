"""Read the event in a list: players, standings, pairings or results. Rules and name stand in no list."""

import re
from collections.abc import Mapping, Sequence
from itertools import count, filterfalse
from pathlib import Path

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.formats.csv import cell_types
from topcut.formats.csv.columns import (
    OWN_LIST_MEANINGS,
    SAMPLE,
    SEATS,
    ColumnGuess,
    ListRecord,
    guess_columns,
    name_meaning,
    read_records,
)
from topcut.formats.csv.encodings import detect_encoding
from topcut.formats.csv.headings import LEFT_OUT, WORDS, find_meaning, heading_key
from topcut.formats.csv.player_list import ListReader, list_notes
from topcut.formats.csv.results import TableCells, find_word_for_alone, make_table
from topcut.formats.csv.rows import ListSheet, read_sheet
from topcut.formats.event_file import EventFile
from topcut.formats.paths import is_workbook, name_line
from topcut.formats.registry import FileContent, ListHints, ListName, NeedsRules
from topcut.history.builder import MOST_ROUNDS
from topcut.history.model import Player, Round, StageName, Table
from topcut.history.player_fields import read_fields
from topcut.history.results import read_seat_results
from topcut.rulebook import Book, load
from topcut.rulebook.options import Options
from topcut.text.messages import say


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
    names = cell_types.are_mostly(cells, lambda cell: len(cell) <= 80 and len(cell.split()) <= 5)
    return "players" if names else None


def read_content(raw: bytes, hints: ListHints) -> FileContent | None:
    """Return the event in a list; None where it is none that anybody would bring."""
    kind = detect_kind(raw)
    if kind is None:
        if is_workbook(raw):
            problem = say(
                "the first sheet of this workbook isn't a list: expected players, pairings or results"
            )
            raise BadInput(problem)
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
    rounds: list[Round] = []
    if guess.kind in ("pairings", "results"):
        players, rounds, notes = read_rounds(sheet, guess, book)
        notes = [*sheet.notes, *notes]
    else:
        players, notes = _read_players(sheet, guess, book, divisions)
    if not players:
        raise BadInput(say("there are no players on this list"))
    options = Options(third_place=(_has_third_place(rounds) and "third_place" in book.options) or None)
    everybody, played = tuple(players), tuple(rounds)
    file = EventFile(topcut=1, name=name, rules=rules, players=everybody, rounds=played, options=options)
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
    everybody = list(reader.read_players(sheet, twice=guess.has("id")))
    ids = [record.values.get("id", "") for record, _ in everybody]
    own = bool(ids) and all(ids) and len(set(ids)) == len(ids)
    players = []
    for number, (record, listed) in enumerate(everybody, start=1):
        fields = read_fields(listed)
        del fields["display"]
        if guess.kind == "standings":
            fields["byes"] = 0  # there it is how many they had
        if own and listed.member == ids[number - 1] and not guess.has("member"):
            fields["member"] = None
        fields |= _read_numbers(record, guess)
        player_id = ids[number - 1] if own else f"p{number}"
        players.append(Player(id=player_id, name=listed.display or listed.name, **fields))
    notes = [*list_notes(sheet, guess), *reader.problems]
    if guess.has("id") and not own and players:
        notes.append(say("Ids are missing or appear twice, so the players are numbered."))
    if any(listed.display for _, listed in everybody):
        notes.append(say("Players get their display names. Their other names are not imported."))
    if guess.kind == "standings":
        ranks = [record.values.get("rank", "").rstrip(".") for record, _ in everybody]
        order = list(range(len(players)))  # players who share a rank as they stand
        if all(map(str.isdecimal, ranks)):
            order.sort(key=lambda i: int(ranks[i]))
        players = [replace(players[i], seed=place) for place, i in enumerate(order, start=1)]
        lost = say(
            "Ranks become rank seeds. Points and tiebreakers are not imported: they follow from results."
        )
        notes.append(lost)
    return players, notes


def _read_numbers(record: ListRecord, guess: ColumnGuess) -> dict[str, int]:
    """Return what a row says of when a player came and left, and of where they sit."""
    found = {}
    # In standings "dropped" is a tiebreak of some rulesets, and the rank says where a player is.
    for field in () if guess.kind == "standings" else OWN_LIST_MEANINGS if guess.own else ("seed",):
        if cell := record.values.get(field):
            if not cell.isdecimal() or len(cell) > 9:
                column = name_meaning(field)
                problem = say("{column}: expected a number, not “{text}”", column=column, text=cell[:40])
                raise BadInput(problem, place=name_line(record.line))
            found[field] = int(cell)
    return found


_ROUND = re.compile(r"(?:[^\W\d]{1,8}\.?\s*)?(\d{1,4})\s*\.?\s*([^\W\d]*)")
_NO_ROUND = tuple(map(heading_key, WORDS["bracket"]["before_number"]))
_ELIMINATION = set(map(heading_key, WORDS["bracket"]["stage"]))


class PlayerIds:
    """Everybody who is named in a list, in the order in which they turn up."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self._by_name: dict[str, str] = {}

    def id_of(self, name: str, player_id: str) -> str:
        """Return the id of a player; players without one are told apart by their names, and numbered."""
        name = " ".join(name.split())
        known = heading_key(name)
        if not player_id and known in self._by_name:
            return self._by_name[known]
        if not player_id:
            numbers = count(len(self.names) + 1)
            player_id = next(own for number in numbers if (own := f"p{number}") not in self.names)
        self.names.setdefault(player_id, name or player_id)
        if known:
            self._by_name.setdefault(known, player_id)
        return player_id


class _RoundTables:
    """The tables of a round, as they come in."""

    def __init__(self, stage: StageName) -> None:
        self.stage = stage
        self.tables: list[Table] = []
        self._at: dict[str, tuple[int, Table]] = {}

    def add(self, table: Table, line: int) -> None:
        """Put a table in; lists from A to Z have each table once for every player."""
        for before, other in (self._at[player_id] for player_id in table.players if player_id in self._at):
            if set(table.players) != set(other.players) or table.table != other.table:
                raise BadInput(say("a player is also at the table of line {line}", line=before))
            if table.reported and _sort_result(table) != _sort_result(other):
                raise BadInput(say("the result differs from line {line} for the same table", line=before))
            return
        self.tables.append(table)
        self._at |= dict.fromkeys(table.players, (line, table))


def read_rounds(
    sheet: ListSheet, guess: ColumnGuess, book: Book
) -> tuple[list[Player], list[Round], list[str]]:
    """Return the players and rounds of a list, and what has to be said about it."""
    people = PlayerIds()
    found: dict[str, _RoundTables] = {}
    for record in read_records(sheet, guess):
        try:
            label = _read_round_label(record.values.get("round", "1"))
            said = _read_table_cells(record, people)
            if said is None:
                continue
            table = make_table(said, people.names, book)
            # Refuse a table that these rules do not know; the target is the event's to choose.
            read_seat_results(table, replace(book, match=replace(book.match, target=None)), "")
            if len(set(table.players)) < len(table.players):
                raise BadInput(say("a player is at this table twice"))
            if label not in found:
                stage = heading_key(record.values.get("stage", ""))
                named = not stage and not label.isdecimal()
                found[label] = _RoundTables("elimination" if stage in _ELIMINATION or named else "swiss")
            found[label].add(table, record.line)
        except BadInput as error:
            raise BadInput(error.problem, place=name_line(record.line)) from None
    order, notes = _sort_rounds(found)
    rounds = [Round(tables=tuple(found[label].tables), stage=found[label].stage) for label in order]
    players = [Player(id=player_id, name=name) for player_id, name in people.names.items()]
    if not guess.has("round"):
        notes.append(say("No column has the round, so all tables count as round 1."))
    if not any(guess.has(f"id {seat}") for seat in range(1, SEATS + 1)):
        notes.append(say("There are no ids, so players with the same name become one player."))
    return players, rounds, notes


def _read_table_cells(record: ListRecord, people: PlayerIds) -> TableCells | None:
    """Return what a row says; None where nobody sits there."""
    values = record.values
    players, outcomes, scores = [], [], []
    alone = ""
    for seat in range(1, SEATS + 1):
        name = values.get(f"player {seat}", "")
        if not name:
            name = f"{values.get(f'first {seat}', '')} {values.get(f'last {seat}', '')}".strip()
        player_id = values.get(f"id {seat}", "")
        if not player_id and (word := find_word_for_alone(name)):
            alone = word
        elif name or player_id:
            players.append(people.id_of(name, player_id))
            outcomes.append(values.get(f"outcome {seat}", ""))
            scores.append(values.get(f"score {seat}", ""))
    if not players:
        return None
    number = values.get("table", "")
    return TableCells(
        players=tuple(players),
        outcomes=tuple(outcomes),
        scores=tuple(scores),
        drawn=values.get("drawn", ""),
        result=values.get("result", ""),
        winner=values.get("winner", ""),
        table=int(number) if number.isdecimal() and len(number) < 10 else number or None,
        alone=alone,
    )


def _sort_result(table: Table) -> tuple[object, ...]:
    """Return a result whatever the order of the players."""
    if table.games is not None:
        return (*sorted(zip(table.players, table.games, strict=False)), table.games[2])
    if table.scores is not None:
        return tuple(sorted(zip(table.players, table.scores, strict=True)))
    return (table.winner, table.bye, table.loss)


def _read_round_label(cell: str) -> str:
    """Return what a round is called: its number, or a name such as "Top 8"."""
    found = _ROUND.fullmatch(cell.strip())
    if (
        found is None
        or heading_key(cell).startswith(_NO_ROUND)
        or (found[2] and find_meaning(found[2]) != "round")
    ):
        return cell.strip()
    if not 1 <= int(found[1]) <= MOST_ROUNDS:
        raise BadInput(say("expected the number of a round, from 1 to {most}", most=MOST_ROUNDS))
    return str(int(found[1]))


def _sort_rounds(found: Mapping[str, _RoundTables]) -> tuple[list[str], list[str]]:
    """Return the rounds as they were played: those with numbers, then those with names, the largest first."""
    numbered = sorted(filter(str.isdecimal, found), key=int)
    named = sorted(filterfalse(str.isdecimal, found), key=lambda label: -len(found[label].tables))
    notes: list[str] = []
    if numbered:
        first, last = int(numbered[0]), int(numbered[-1])
        missing = [n for n in range(first, last + 1) if str(n) not in found]
        if missing:
            problem = say(
                "round {round} is missing between rounds {first} and {last}",
                round=missing[0],
                first=first,
                last=last,
            )
            raise BadInput(problem)
        if first > 1:
            notes.append(say("The list begins with round {round}, which becomes round 1.", round=first))
    return numbered + named, notes
