"""List what an event loses when it is written as a .tdf file, and refuse what cannot be written at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.formats.event_file import EventFile
from topcut.formats.tdf.xml_editor import replace_impossible
from topcut.history import Player, Table
from topcut.history.builder import build_history
from topcut.history.divisions import division_of
from topcut.history.parts import split_into_parts
from topcut.rulebook import Book
from topcut.rulebook.options import Options
from topcut.text.phrases import plural

PLAYED = ("swiss", "swiss+elimination")


def check_possible(file: EventFile, book: Book) -> None:
    """Refuse what such a file has no place for."""
    event_format = file.options.format
    if event_format is not None and event_format not in PLAYED:
        raise BadInput(
            f"{event_format} cannot be written here: expected Swiss rounds", place="options.format"
        )
    if file.rounds and file.rounds[0].in_bracket:
        raise BadInput("a bracket without Swiss rounds cannot be written here", place="rounds[0].stage")
    for r, a_round in enumerate(file.rounds):
        for t, table in enumerate(a_round.tables):
            place = f"rounds[{r}].tables[{t}]"
            if len(table.players) > 2 or table.scores is not None:
                raise BadInput("tables of three or four cannot be written here: expected two", place=place)
    assert book.divisions is not None
    known = [division.name for division in book.divisions.list]
    if any(player.flight for player in file.players):
        event = keep_possible(file, book)
        if len(split_into_parts(build_history(event.players, event.rounds, book), book, event.options)) > 1:
            raise BadInput("flights in several pools cannot be written here", place="options.flights")
    for i, player in enumerate(file.players):
        if player.division is not None and player.division not in known and file.rules == book.id:
            raise BadInput(f"expected {', '.join(known)}", place=f"players[{i}].division")


def keep_possible(file: EventFile, book: Book) -> EventFile:
    """Return the event as these files know it: by their rules, with the options that they can say."""
    assert book.divisions is not None
    known = [division.name for division in book.divisions.list]
    options = file.options
    if file.rules != book.id:
        own = {name: one for name, one in (options.by_division or {}).items() if name in known}
        pools = options.pools if sorted(sum(options.pools or (), ())) == sorted(known) else None
        bracket = options.cut is not None or any(a.in_bracket for a in file.rounds)
        options = Options(
            format=options.format or ("swiss+elimination" if bracket else "swiss"),
            rounds=options.rounds,
            cut=options.cut,
            third_place=options.third_place,
            divisions=options.divisions if pools is None else None,
            pools=pools,
            by_division=own or None,
        )
    players = tuple(
        replace(player, division=player.division if player.division in known else None)
        for player in file.players
    )
    return replace(file, rules=book.id, options=options, players=players)


def list_losses(file: EventFile, book: Book) -> list[str]:
    """Return a sentence for each thing that is not written, or not as it was."""
    check_possible(file, book)
    return [*_lost_of_event(file, book), *_lost_of_players(file, book), *_lost_of_tables(file)]


def _lost_of_event(file: EventFile, book: Book) -> Iterator[str]:
    if file.rules != book.id:
        yield f"The ruleset {file.rules}: the file stands for {book.id}, and standings go by that."
    if file.seed is not None or any(a_round.seed is not None for a_round in file.rounds):
        yield "Seeds: draws cannot be checked any more."
    if any(a_round.format is not None for a_round in file.rounds):
        yield "The formats of rounds."
    options = file.options
    for name in ("level", "target", "mode", "flights"):
        drawn = name == "flights" and any(player.flight for player in file.players)
        if getattr(options, name) is not None and not drawn:
            yield f"The option {name}."
    event = keep_possible(file, book)
    history = build_history(event.players, event.rounds, book)
    over = any(a_round.in_bracket for a_round in file.rounds)
    for part in split_into_parts(history, book, event.options):
        where = f" ({part.name})" if part.name else ""
        members = [file.players[i] for i in part.members]
        cut = min((player.cut for player in members if player.cut is not None), default=len(file.rounds))
        later = [a_round for a_round in file.rounds[cut:] if a_round.is_scored]
        if {player_id for r in later for table in r.tables for player_id in table.players} & {
            p.id for p in members
        }:
            yield f"Who was left out by a cut between Swiss rounds{where}."
        if part.asked is not None and part.asked != part.recommended and not over:
            yield f"The planned number of rounds{where}, {part.asked}: it is said only once they are played."
        if part.mixed and not part.apart and part.bracket is not None:
            yield f"One bracket for several divisions{where}: cuts are written for each division by itself."


def _lost_of_players(file: EventFile, book: Book) -> Iterator[str]:
    for what, lost in _LOST_OF_PLAYERS.items():
        number = sum(map(lost, file.players))
        if number:
            yield f"{what}: {plural(number, 'player')}."
    without = sum(player.born is None for player in file.players)
    if without:
        yield f"A year of birth is made up for {plural(without, 'player')} without one, from their division."
    known = [division.name for division in book.divisions.list] if book.divisions else []
    nowhere = sum(division_of(player, book) not in known for player in file.players)
    if nowhere:
        yield f"{plural(nowhere, 'player')} without a division of {book.id}: written as {known[-1]}."


def _lost_of_tables(file: EventFile) -> Iterator[str]:
    tables = [table for a_round in file.rounds for table in a_round.tables]
    for what, lost in _LOST_OF_TABLES.items():
        number = sum(map(lost, tables))
        if number:
            yield f"{what}: {plural(number, 'table')}."


_LOST_OF_PLAYERS: dict[str, Callable[[Player], bool]] = {
    "Labels of players who are kept apart": lambda player: bool(player.apart),
    "Seats and pods of a draft": lambda player: player.seat is not None or player.pod is not None,
    "Rank seeds that were chosen": lambda player: player.seed is not None,
    "Disqualified, written as dropped": lambda player: player.disqualified is not None,
    "An id that is no number in the place of a membership number": lambda player: (
        not (player.member or player.id).isdigit()
    ),
    "Spaces and signs in names": lambda player: (
        replace_impossible(" ".join(player.name.split())) != player.name
    ),
}
_LOST_OF_TABLES: dict[str, Callable[[Table], bool]] = {
    "Games inside a result": lambda table: table.games is not None,
    "That a draw was agreed on": lambda table: table.intentional,
    "Names of tables": lambda table: isinstance(table.table, str),
    "Reasons of the pairing": lambda table: bool(table.why),
}
