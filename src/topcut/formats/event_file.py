"""Read and write event files: JSON, one document an event, read strictly.

    >>> decode_event_file(b'{"topcut": 1, "name": "Cup", "rules": "house.toml", "players": []}').name
    'Cup'

Every mistake is one line that names the place; a key nobody knows is a mistake too.
"""

import dataclasses
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NoReturn, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from topcut.errors import BadInput, explain_decode_error
from topcut.formats.paths import containing_folder, name_file_in_errors, read_bytes
from topcut.history import History, Player, Round, build_history
from topcut.history.builder import explain_no_awarded_byes
from topcut.history.parts import excuse_idle_parts
from topcut.history.published import complete_format, infer_awarded_byes
from topcut.rulebook import Book, load
from topcut.rulebook.options import Options, Text, apply_options, check_options, choose_format, relax_cut
from topcut.text.message_json import decode_text, encode_in_english
from topcut.text.messages import Message, list_or, number, say

_MARKS = {
    b"\xef\xbb\xbf": say("UTF-8 with a byte order mark"),
    b"\xff\xfe": Message("UTF-16"),
    b"\xfe\xff": Message("UTF-16"),
}

LOOKED_AT = 4 * 2**20
"""Bytes; what is longer is written without spaces, so that it can be read again."""
MOST_OBJECTS = 1_000_000
MOST_VALUES = 6_000_000
"""Nearly twice what a hundred thousand players with ten rounds take."""


Reading = Literal["strict", "published", "known"]
"""How an event is read that has what nobody could enter: it is refused; it counts as it was published, with
warnings, and what the file leaves unsaid is read from its rounds; or it counts and all this is done already.
"""


class EventFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    topcut: Literal[1]
    name: Text
    rules: Text
    players: tuple[Player, ...]
    rounds: tuple[Round, ...] = ()
    seed: Text | None = None
    options: Options = Options()

    @property
    def seated(self) -> set[str]:
        """The ids of all who ever sat at a table."""
        tables = (table for a_round in self.rounds for table in a_round.tables)
        return {player_id for table in tables for player_id in table.players}


class Event(Struct, frozen=True):
    """An event file together with what follows from it."""

    file: EventFile
    book: Book
    history: History
    warnings: tuple[Message, ...] = ()
    """What the file says and nobody could enter at the desk, with its place; it counts as published."""
    final: tuple[BadInput, ...] = ()
    """What of it no round can follow: a bracket that ended in a draw, a cut that the rules don't allow."""

    def check_continues(self) -> None:
        """Refuse an event that no round can follow by its rules."""
        if self.final:
            raise self.final[0]


def read_event(path: str, readings: dict[str, str] | None = None) -> Event:
    """Read, check and build the event in an event file; `-` is standard input."""
    with name_file_in_errors(path):
        folder = containing_folder(path)
        return build_event(decode_event_file(read_bytes(path)), readings, folder, reading="published")


def build_event(
    file: EventFile,
    readings: dict[str, str] | None = None,
    folder: Path | None = None,
    book: Book | None = None,
    reading: Reading = "strict",
) -> Event:
    """Return what follows from an event file, once what it says is found possible.

    `folder`: where books of one's own are looked for; without it only Topcut's own rulesets count.
    `book`: the ruleset, where it is known already. `reading`: what happens to results, cuts and draws that
    nobody could enter.
    """
    if book is None:
        try:
            book = load(file.rules, readings, folder)
        except BadInput as error:
            raise (error if error.file else BadInput(error.problem, place="rules")) from None
    doubts: list[BadInput] = []
    notes: list[BadInput] = []
    published = reading == "published"
    if published:
        file = complete_published(file, book, notes)
    book = apply_options(book, file.options)
    if file.rounds and reading != "strict":  # a cut that is only planned can still be another one
        book, doubts = relax_cut(file.options, book)
    final = len(doubts)
    history = build_history(file.players, file.rounds, book, None if reading == "strict" else doubts)
    check_options(file.options, history.rounds, book)
    if published and (byes := infer_awarded_byes(history, book, file.options, notes)):
        players = tuple(msgspec.structs.replace(p, byes=byes.get(p.id, p.byes)) for p in file.players)
        file = msgspec.structs.replace(file, players=players)
        history = dataclasses.replace(history, players=players)
    history = excuse_idle_parts(history, book, file.options)
    if not published:
        return Event(file, book, history)
    counts = [
        say("{problem}; Topcut counts it as it was published", problem=doubt.message) for doubt in doubts
    ]
    ends = [*doubts[:final], *(doubt for doubt in doubts[final:] if not doubt.place.endswith(".games"))]
    return Event(file, book, history, (*counts, *(note.message for note in notes)), tuple(ends))


def complete_published(file: EventFile, book: Book, notes: list[BadInput]) -> EventFile:
    """Return the file with the format that its rounds have, and without awarded byes that mean nothing."""
    options = complete_format(file.options, file.rounds, book)
    problem = explain_no_awarded_byes(book, choose_format(book, options)) if book.plan.formats else None
    players = file.players
    if problem is not None and book.match.byes and any(player.byes for player in players):
        at = next(i for i, player in enumerate(players) if player.byes)
        notes.append(BadInput(problem, place=f"players[{at}].byes"))
        players = tuple(msgspec.structs.replace(player, byes=0) for player in players)
    return msgspec.structs.replace(file, options=options, players=players)


def encode_event_file(file: EventFile) -> bytes:
    """Return the bytes of an event file, indented where it is short enough to look at."""
    raw = msgspec.json.encode(file, enc_hook=encode_in_english)
    return (msgspec.json.format(raw, indent=2) if len(raw) <= LOOKED_AT else raw) + b"\n"


def decode_event_file(raw: bytes) -> EventFile:
    """Return the document in `raw`, its shape checked but not yet what it says."""
    for mark, name in _MARKS.items():
        if raw.startswith(mark):
            raise BadInput(
                say("this file is {encoding}: save it as UTF-8 without a byte order mark", encoding=name)
            )
    # More than any event can be: a few bytes here can become hundreds once it is built.
    if raw.count(b"{") > MOST_OBJECTS:
        most = number(MOST_OBJECTS)
        raise BadInput(say("too large for one event: expected at most {most} players and tables", most=most))
    if raw.count(b",") > MOST_VALUES:
        most = number(MOST_VALUES)
        raise BadInput(say("too large for one event: expected at most {most} values", most=most))
    repeats = _has_repeats(raw)
    try:
        event = msgspec.json.decode(raw, type=EventFile, dec_hook=decode_text)
    except msgspec.ValidationError as error:
        _refuse(str(error))
    except msgspec.DecodeError as error:
        raise BadInput(_where(str(error), raw)) from None
    except (UnicodeDecodeError, RecursionError):
        raise BadInput(say("expected an event file: JSON in UTF-8")) from None
    if repeats:
        key, path = next(_find_repeats(json.loads(raw, object_pairs_hook=_Pairs)))
        raise BadInput(say('the key "{key}" appears twice', key=key), place=path.removeprefix("."))
    return event


def _has_repeats(raw: bytes) -> bool:
    """Return whether an object has a key twice. What is no JSON is for others to say."""
    found = False

    def look(pairs: list[tuple[str, Any]]) -> None:
        nonlocal found
        found = found or len(dict(pairs)) < len(pairs)

    with suppress(ValueError, RecursionError):
        json.loads(raw, object_pairs_hook=look)
    return found


class _Pairs(list[tuple[str, Any]]):
    """The keys of an object with their values."""


def _find_repeats(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each key that stands twice in an object, with the place of the object."""
    if isinstance(value, _Pairs):
        seen = set()
        for key, inner in value:
            yield from _find_repeats(inner, f"{path}.{key}")
            if key in seen:
                yield key, path
            seen.add(key)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _find_repeats(inner, f"{path}[{i}]")


def _refuse(message: str) -> NoReturn:
    said, _, path = message.rpartition(" - at `$") if " - at `$" in message else (message, "", "")
    path = path.removesuffix("`").removeprefix(".")
    problem = explain_decode_error(said)
    if "enum value" in said and (choices := _choices(path.rpartition(".")[2])):
        found = said.removeprefix("Invalid enum value ")
        problem = say("expected {choices}, not {found}", choices=list_or(choices), found=found)
    raise BadInput(problem, place=path) from None


def _choices(key: str) -> list[str]:
    """Return the values a key of the file can have, where there are only a few."""
    for struct in (EventFile, Round, Options):
        kind = get_type_hints(struct).get(key)
        kinds = [kind, *get_args(kind)]
        if literals := [value for k in kinds if get_origin(k) is Literal for value in get_args(k)]:
            return [json.dumps(value) for value in literals]
    return []


def _where(message: str, raw: bytes) -> Message:
    """Return a problem with line and column instead of a byte."""
    problem, _, byte = message.partition(" (byte ")
    problem = problem.removeprefix("JSON is malformed: ")
    if not byte:
        problem = problem[:1].lower() + problem[1:]
        return say("line {line}: not valid JSON: {problem}", line=raw.count(10) + 1, problem=problem)
    before = raw[: int(byte.removesuffix(")"))]
    line = before.count(b"\n") + 1
    column = len(before) - (before.rfind(b"\n") + 1) + 1
    return say(
        "line {line}, column {column}: not valid JSON: {problem}", line=line, column=column, problem=problem
    )
