"""Read and write TOM's .tdf files: the events of one program, written back with everything that it knows.

Only this module knows whose files they are; `document` says what stands in one, `reader` what that means.
"""

from __future__ import annotations

from dataclasses import replace as replace_fields
from datetime import datetime

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.formats.event_file import EventFile
from topcut.formats.registry import ExportedEvent, ExportOptions, FileContent, ListHints
from topcut.formats.tdf import losses, writer
from topcut.formats.tdf.document import FINISHED, TYPES, read_document
from topcut.formats.tdf.elements import make_empty_file
from topcut.formats.tdf.reader import convert_to_event_file
from topcut.formats.tdf.rounds import write_rounds
from topcut.formats.tdf.xml_editor import XmlEditor
from topcut.formats.tdf.xml_tree import encode_xml, parse_xml
from topcut.rulebook import load

RULES = "pokemon-tom"
GAMES = {"TRADING_CARD_GAME": None, "VIDEO_GAME": "vg"}
"""Kind of game to the round table it is played by; None: the usual one."""
UNSAID = "City, organiser and times."
OVER = "That the event is over."


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
        raise BadInput("this is another event, in which nobody of this one plays: expected its own file")
    return replace_fields(content, original=read.original)


def list_losses(exported: ExportedEvent, _: ExportOptions) -> list[str]:
    """Return what a .tdf cannot hold of an event, a sentence each; what cannot be written is an error."""
    gone = ["All that only the file said which the event came from: it was deleted with somebody's name."]
    return [*(gone if exported.content.forgotten else []), *list_file_losses(exported.event.file)]


def list_file_losses(file: EventFile) -> list[str]:
    """Return what a .tdf cannot hold of an event file, a sentence each."""
    return losses.list_losses(file, load(RULES))


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
    losses.check_possible(file, book)
    if original is None:  # an event of nobody's series
        game = next((g for g, table in GAMES.items() if table == file.options.table), "TRADING_CARD_GAME")
        document = make_empty_file(file.name, game, TYPES[0], "CUSTOM", at)
    else:
        document = parse_xml(original)
    tdf = read_document(document, GAMES)
    before, _ = convert_to_event_file(tdf, book, GAMES)
    known = {player.id for player in before.players}
    here = losses.keep_possible(file, book)
    ids = writer.choose_userids(here, known)
    event = writer.put_userids(here, ids)
    if event == before and finished in (None, tdf.stage == FINISHED):
        return encode_xml(document)
    update = writer.TdfUpdate(tdf, before, event, here, ids, book, at, XmlEditor(document.root))
    writer.write_name(update)
    writer.write_players(update)
    write_rounds(update, finished)
    writer.write_drops(update)
    writer.write_cuts(update)
    writer.write_end(update, finished)
    return encode_xml(document)
