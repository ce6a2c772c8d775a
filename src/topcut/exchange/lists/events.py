"""The event in a CSV file: players, standings, pairings or results. Its rules and name stand in no list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.exchange.event_file import EventFile
from topcut.exchange.lists import content
from topcut.exchange.lists.columns import SAMPLE, guessed
from topcut.exchange.lists.encodings import letters_of
from topcut.exchange.lists.headings import LEFT_OUT
from topcut.exchange.lists.meanings import FIELDS, Guess, Kind, Record
from topcut.exchange.lists.players import Listed, ListReader, notes_of
from topcut.exchange.lists.sheets import Sheet, read
from topcut.exchange.lists.tables import rounds_of
from topcut.history.model import Player, Round
from topcut.rulebook import Book, load
from topcut.rulebook.options import Options


def kind_of(raw: bytes) -> Kind | None:
    """What kind of list this is; None where it is none that anybody would bring.

    Text that can only be a list and is a broken one is refused by what is wrong with it.
    """
    try:
        letters = letters_of(raw)
    except BadInput:
        return None
    start = raw[:200].decode(letters.codec, errors="ignore").lstrip("\ufeff \t\r\n")
    if not start or start.startswith(("{", "[", "<")):
        return None
    sheet = read(raw)
    guess = guessed(sheet)
    body = sheet.rows[guess.head : guess.head + SAMPLE]
    if guess.headed or guess.kind != "players":
        return guess.kind if body or guess.headed else None
    at = next((c.number - 1 for c in guess.columns if c.meaning != LEFT_OUT), None)
    cells = [row.cells[at] for row in body if at is not None and at < len(row.cells)]
    return (
        "players" if content.mostly(cells, lambda cell: len(cell) <= 80 and len(cell.split()) <= 5) else None
    )


def read_csv(
    raw: bytes, rules: str, name: str, columns: str | None = None, folder: Path | None = None
) -> tuple[Kind, EventFile, list[str]]:
    """The event in a list, what kind of list it is, and what has to be said about it.

    `columns`: what its columns mean, where the guess is wrong; `folder`: where books of one's own lie.
    """
    book = load(rules, None, folder)
    sheet = read(raw)
    divisions = tuple(division.name for division in book.divisions.list) if book.divisions else ()
    guess = guessed(sheet, divisions, columns)
    players: Sequence[Player]
    rounds: Sequence[Round] = ()
    if guess.kind in ("pairings", "results"):
        players, rounds, notes = rounds_of(sheet, guess, book)
        notes = [*sheet.notes, *notes]
    else:
        players, notes = _players(sheet, guess, book, divisions)
    if not players:
        raise BadInput("nobody is on this list")
    third = _third_place(rounds) and "third_place" in book.options
    options = Options(third_place=True) if third else Options()
    file = EventFile(
        topcut=1, name=name, rules=rules, players=tuple(players), rounds=tuple(rounds), options=options
    )
    return guess.kind, file, notes


def _third_place(rounds: Sequence[Round]) -> bool:
    """Whether the losers of the semi-finals meet beside the final."""
    last = [a_round.tables for a_round in rounds if a_round.stage == "elimination"][-2:]
    if [len(tables) for tables in last] != [2, 2]:
        return False
    before, now = ({player_id for table in tables for player_id in table.players} for tables in last)
    return before == now


def _players(
    sheet: Sheet, guess: Guess, book: Book, divisions: Sequence[str]
) -> tuple[list[Player], list[str]]:
    reader = ListReader(guess, divisions)
    everybody = list(reader.everybody(sheet, twice=guess.has("id")))
    ids = [record.values.get("id", "") for record, _ in everybody]
    own = bool(ids) and all(ids) and len(set(ids)) == len(ids)
    players = []
    for number, (record, listed) in enumerate(everybody, start=1):
        player_id = ids[number - 1] if own else f"p{number}"
        players.append(_player(player_id, record, listed, guess, own))
    notes = [*notes_of(sheet, guess), *reader.problems]
    if guess.has("id") and not own and players:
        notes.append("ids are missing or stand twice: players are numbered instead")
    if any(listed.display for _, listed in everybody):
        notes.append("players are called what everybody sees: other names do not come over")
    if guess.kind == "standings":
        players = _seeded(players, [record.values.get("rank", "") for record, _ in everybody])
        notes.append(
            "ranks become rank seeds; points and tiebreaks do not come over: they follow from results"
        )
    return players, notes


def _player(player_id: str, record: Record, listed: Listed, guess: Guess, own: bool) -> Player:
    fields: dict[str, int] = {}
    # In standings "dropped" is a tiebreak of some rulesets, and the rank says where somebody is.
    for field in () if guess.kind == "standings" else FIELDS if guess.own else ("seed",):
        if cell := record.values.get(field):
            if not cell.isdecimal() or len(cell) > 9:
                raise BadInput(f"{field}: expected a number, not “{cell[:40]}”", place=f"line {record.line}")
            fields[field] = int(cell)
    return Player(
        id=player_id,
        name=listed.display or listed.name,
        division=listed.division,
        member=None if own and listed.member == player_id and not guess.has("member") else listed.member,
        born=listed.born,
        apart=listed.apart,
        **fields,
    )


def _seeded(players: Sequence[Player], ranks: Sequence[str]) -> list[Player]:
    """The players by rank, each with a rank seed of their own; those who share a rank as they stand."""
    order = list(range(len(players)))
    if all(rank.rstrip(".").isdecimal() for rank in ranks):
        order.sort(key=lambda i: int(ranks[i].rstrip(".")))
    return [replace(players[i], seed=place) for place, i in enumerate(order, start=1)]
