"""Read and write TOM's .tdf files: the events of one program, written back with everything that it knows.

Only this module knows whose files they are; `document` says what stands in one, `reader` what that means.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace as replace_fields
from datetime import datetime
from typing import TypeVar

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.formats.event_file import EventFile
from topcut.formats.public_copy import replace_player_ids
from topcut.formats.registry import ExportedEvent, ExportOptions, FileContent, ListHints
from topcut.formats.tdf import writer
from topcut.formats.tdf.document import (
    CHILDREN,
    FINISHED,
    TYPES,
    list_divisions,
    make_empty_file,
    read_document,
)
from topcut.formats.tdf.reader import convert_to_event_file
from topcut.formats.tdf.rounds import write_rounds
from topcut.formats.tdf.xml_tree import XmlEditor, encode_xml, parse_xml, replace_impossible
from topcut.history import Player, Table
from topcut.history.builder import build_history
from topcut.history.divisions import division_of
from topcut.history.parts import split_into_parts
from topcut.rulebook import Book, load
from topcut.rulebook.options import Options
from topcut.text.messages import Message, count, join_messages, list_or, say

T = TypeVar("T")
RULES = "pokemon-tom"
GAMES = {"TRADING_CARD_GAME": None, "VIDEO_GAME": "vg"}
"""Kind of game to the round table it is played by; None: the usual one."""
UNSAID = say("City, organiser and times.")
OVER = say("That the event is over.")


def read_content(raw: bytes, _: ListHints | None = None) -> FileContent:
    """Return the event in a .tdf file."""
    document = parse_xml(raw)
    tdf = read_document(document, GAMES)
    file, notes = convert_to_event_file(tdf, load(RULES), GAMES)
    unsaid = (UNSAID, OVER) if tdf.stage == FINISHED else (UNSAID,)
    return FileContent("tdf", file, None, tuple(notes), unsaid, encode_xml(document).decode())


def put_onto(content: FileContent, raw: bytes) -> FileContent:
    """Return an event that is written back onto the .tdf with these bytes."""
    read = read_content(raw)
    theirs = {player.member for player in read.file.players}
    if theirs and not any(player.member in theirs or player.id in theirs for player in content.file.players):
        raise BadInput(say("this is the file of another event: it has none of this event's players"))
    return replace_fields(content, original=read.original)


def list_losses(exported: ExportedEvent, _: ExportOptions) -> list[str]:
    """Return what a .tdf cannot hold of an event, a sentence each; what cannot be written is an error."""
    gone = [say("What only the original file had: it was deleted together with a player's name.")]
    return [*(gone if exported.content.forgotten else []), *list_file_losses(exported.event.file)]


def list_file_losses(file: EventFile) -> list[str]:
    """Return what a .tdf cannot hold of an event file, a sentence each."""
    book = load(RULES)
    _check_possible(file, book)
    said = [*_list_event_losses(file, book), *_count_lost(_LOST_OF_PLAYERS, file.players, _count_players)]
    if without := sum(player.born is None for player in file.players):
        loss = count(
            "{n} player has no birth year. One is made up from their division.",
            "{n} players have no birth year. One is made up from their division.",
            without,
        )
        said.append(loss)
    known = list_divisions(book)
    if nowhere := sum(division_of(player, book) not in known for player in file.players):
        loss = count(
            "{n} player has no division of {rules} and is written as {division}.",
            "{n} players have no division of {rules} and are written as {division}.",
            nowhere,
            rules=book.id,
            division=known[-1],
        )
        said.append(loss)
    tables = [table for a_round in file.rounds for table in a_round.tables]
    return [*said, *_count_lost(_LOST_OF_TABLES, tables, _count_tables)]


def write_event(exported: ExportedEvent, options: ExportOptions) -> bytes:
    """Return an event as a .tdf: onto the file that it came from, where there is one."""
    content, file = exported.content, exported.event.file
    names = {p.id: "" if p.name == p.id else content.legal.get(p.id, p.name) for p in file.players}
    file = replace(file, players=tuple(replace(p, name=names[p.id]) for p in file.players))
    original = None if content.original is None else content.original.encode()
    local_time = options.context.at.astimezone()  # these files have the time of the place
    return write_file(file, original, local_time, content.finished)


def write_file(file: EventFile, original: bytes | None, at: datetime, finished: bool | None = None) -> bytes:
    """Return an event file as a .tdf: onto the original, where all else stays as it is, or onto a new one.

    `at`: the moment that changes are given. `finished`: with the final places; None: as the original was.
    """
    book = load(RULES)
    _check_possible(file, book)
    if original is None:  # an event of nobody's series
        game = next((g for g, table in GAMES.items() if table == file.options.table), "TRADING_CARD_GAME")
        document = make_empty_file(file.name, game, TYPES[0], "CUSTOM", at)
    else:
        document = parse_xml(original)
    tdf = read_document(document, GAMES)
    before, _ = convert_to_event_file(tdf, book, GAMES)
    known = {player.id for player in before.players}
    here = _keep_possible(file, book)
    ids = writer.choose_userids(here, known)
    event = replace_player_ids(here, ids)
    if event == before and finished in (None, tdf.stage == FINISHED):
        return encode_xml(document)
    update = writer.TdfUpdate(tdf, before, event, here, ids, book, at, XmlEditor(document.root, CHILDREN))
    if event.name != before.name:
        update.editor.set_text(update.editor.child(update.root, "data"), "name", event.name)
    writer.write_players(update)
    write_rounds(update, finished)
    writer.write_drops(update)
    writer.write_cuts(update)
    writer.write_end(update, finished)
    return encode_xml(document)


def _check_possible(file: EventFile, book: Book) -> None:
    """Refuse what such a file has no place for."""
    if file.options.format not in (None, "swiss", "swiss+elimination"):
        problem = say(
            '"{format}" can\'t be written to a .tdf: expected Swiss rounds', format=file.options.format
        )
        raise BadInput(problem, place="options.format")
    if file.rounds and file.rounds[0].in_bracket:
        problem = say("a bracket without Swiss rounds can't be written to a .tdf")
        raise BadInput(problem, place="rounds[0].stage")
    for r, a_round in enumerate(file.rounds):
        for t, table in enumerate(a_round.tables):
            if len(table.players) > 2 or table.scores is not None:
                problem = say("tables of three or four can't be written to a .tdf: expected two players")
                raise BadInput(problem, place=f"rounds[{r}].tables[{t}]")
    if any(player.flight for player in file.players):
        event = _keep_possible(file, book)
        if (
            len(
                split_into_parts(
                    build_history(event.players, event.rounds, book, doubts=[]), book, event.options
                )
            )
            > 1
        ):
            problem = say("flights in several pools can't be written to a .tdf")
            raise BadInput(problem, place="options.flights")
    known = list_divisions(book)
    for i, player in enumerate(file.players):
        if player.division is not None and player.division not in known and file.rules == book.id:
            problem = say("expected {divisions}", divisions=list_or(known))
            raise BadInput(problem, place=f"players[{i}].division")


def _keep_possible(file: EventFile, book: Book) -> EventFile:
    """Return the event as these files know it: by their rules, with the options that they can say."""
    known, options = list_divisions(book), file.options
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
    players = tuple(p if p.division in known else replace(p, division=None) for p in file.players)
    rounds = tuple(replace(a_round, pods=None) for a_round in file.rounds)
    return replace(file, rules=book.id, options=options, players=players, rounds=rounds)


def _list_event_losses(file: EventFile, book: Book) -> Iterator[str]:
    if file.rules != book.id:
        yield say(
            "The ruleset {rules}. A .tdf always has {other}, and its standings follow that.",
            rules=file.rules,
            other=book.id,
        )
    if file.seed is not None or any(a_round.seed is not None for a_round in file.rounds):
        yield say("Seeds. Random draws can't be verified any more.")
    if any(a_round.format is not None for a_round in file.rounds):
        yield say("The formats of rounds.")
    if any(a_round.pods is not None for a_round in file.rounds):
        yield say("The drafts: which rounds were played in which pods.")
    options = file.options
    for name in ("level", "target", "mode", "flights"):
        drawn = name == "flights" and any(player.flight for player in file.players)
        if getattr(options, name) is not None and not drawn:
            yield say("The option {option}.", option=name)
    event = _keep_possible(file, book)
    history = build_history(event.players, event.rounds, book, doubts=[])
    over = any(a_round.in_bracket for a_round in file.rounds)
    for part in split_into_parts(history, book, event.options):
        members = [file.players[i] for i in part.members]
        cut = min((player.cut for player in members if player.cut is not None), default=len(file.rounds))
        later = replace(file, rounds=tuple(a_round for a_round in file.rounds[cut:] if a_round.is_scored))
        if later.seated & {player.id for player in members}:
            yield _name_part(part.name, say("Who was left out by a cut between Swiss rounds."))
        if part.asked is not None and part.asked != part.recommended and not over:
            loss = say(
                "The planned number of rounds, {rounds}. A .tdf has it only once they are played.",
                rounds=part.asked,
            )
            yield _name_part(part.name, loss)
        if part.mixed and not part.bracket_parts and part.bracket is not None:
            loss = say("One bracket for several divisions. A .tdf has a cut for each division.")
            yield _name_part(part.name, loss)


def _name_part(name: str, loss: Message) -> Message:
    """Return a loss with the part of the event that it is about, if there are several."""
    return join_messages(": ", (name, loss))


def _count_lost(
    kinds: Mapping[str, Callable[[T], bool]], items: Collection[T], counted: Callable[[int], Message]
) -> Iterator[str]:
    for what, lost in kinds.items():
        if number := sum(map(lost, items)):
            yield say("{loss}: {counted}.", loss=what, counted=counted(number))


def _count_players(number: int) -> Message:
    return count("{n} player", "{n} players", number)


def _count_tables(number: int) -> Message:
    return count("{n} table", "{n} tables", number)


_LOST_OF_PLAYERS: dict[str, Callable[[Player], bool]] = {
    say("“Don't pair with” labels"): lambda p: bool(p.apart),
    say("Seats and pods of a draft"): lambda p: p.seat is not None or p.pod is not None,
    say("Which byes were awarded"): lambda p: p.byes > 0,
    say("Chosen rank seeds"): lambda p: p.seed is not None,
    say("Disqualifications, written as drops"): lambda p: p.disqualified is not None,
    say("Ids that are not numbers, used as membership numbers"): lambda p: not (p.member or p.id).isdigit(),
    say("Spaces and special characters in names"): lambda p: (
        replace_impossible(" ".join(p.name.split())) != p.name
    ),
}
_LOST_OF_TABLES: dict[str, Callable[[Table], bool]] = {
    say("Games inside a result"): lambda table: table.games is not None,
    say("Which draws were agreed on"): lambda table: table.intentional,
    say("Names of tables"): lambda table: isinstance(table.table, str),
    say("Reasons of pairings"): lambda table: bool(table.why),
}
