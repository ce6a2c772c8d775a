"""The event file: JSON, one document an event, read strictly.

    >>> event = decode(b'{"topcut": 1, "name": "Cup", "rules": "house.toml", "players": [], "rounds": []}')
    >>> event.name
    'Cup'

Every mistake is one line that names the place; a key nobody knows is a mistake too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Literal, NoReturn

import msgspec
from msgspec import Struct

from topcut.errors import BadInput
from topcut.history import History, Player, Round, build
from topcut.rulebook import Book, load
from topcut.rulebook.options import Options, check_options

LARGEST = 64 * 2**20
"""Bytes. A hundred thousand players with ten rounds fit into half of it."""


class EventFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    topcut: Literal[1]
    name: str
    rules: str
    players: tuple[Player, ...]
    rounds: tuple[Round, ...] = ()
    seed: str | None = None
    options: Options = Options()


class Event(Struct, frozen=True):
    """An event file together with what follows from it."""

    file: EventFile
    book: Book
    history: History


def read(path: str, readings: dict[str, str] | None = None) -> Event:
    """Read, check and build the event in a file; `-` is standard input."""
    name = "standard input" if path == "-" else path
    folder = Path.cwd() if path == "-" else Path(path).parent
    try:
        event = decode(_bytes(path, name))
        book = _book(event, readings, folder)
        history = build(event.players, event.rounds, book)
        check_options(event.options, history.rounds, book)
        return Event(event, book, history)
    except BadInput as error:
        raise (error if error.file else error.in_file(name)) from None


def decode(raw: bytes) -> EventFile:
    """The document in `raw`, its shape checked but not yet what it says."""
    try:
        event = msgspec.json.decode(raw, type=EventFile)
        json.loads(raw, object_pairs_hook=_no_repeats)
    except msgspec.ValidationError as error:
        _refuse(str(error))
    except msgspec.DecodeError as error:
        raise BadInput(_where(str(error), raw)) from None
    except (UnicodeDecodeError, RecursionError):
        raise BadInput("expected an event file: JSON in UTF-8") from None
    return event


def _book(event: EventFile, readings: dict[str, str] | None, folder: Path) -> Book:
    try:
        return load(event.rules, readings, folder)
    except BadInput as error:
        raise (error if error.file else BadInput(error.problem, place="rules")) from None


def _bytes(path: str, name: str) -> bytes:
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(path).open("rb") as file:
                raw = file.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(f"cannot read this file: {error.strerror}", file=name) from None
    if len(raw) > LARGEST:
        raise BadInput(f"too large for an event file: expected at most {LARGEST // 2**20} MiB", file=name)
    return raw


def _no_repeats(pairs: list[tuple[str, Any]]) -> None:
    """A key that stands twice in one object would hide what the first one said."""
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise BadInput(f'the key "{key}" stands twice in one object')
        seen.add(key)


def _refuse(message: str) -> NoReturn:
    problem, _, path = message.partition(" - at `")
    path = path.removesuffix("`").removeprefix("$").removeprefix(".")
    if "unknown field" in problem:
        key = problem.split("`")[1]
        raise BadInput(f'unknown key "{key}"; is it misspelt?', place=path) from None
    if "missing required field" in problem:
        key = problem.split("`")[1]
        raise BadInput(f'expected the key "{key}"', place=path) from None
    raise BadInput(problem[:1].lower() + problem[1:], place=path) from None


def _where(message: str, raw: bytes) -> str:
    """Say line and column instead of a byte."""
    problem, _, byte = message.partition(" (byte ")
    problem = problem.removeprefix("JSON is malformed: ")
    if not byte:
        return f"not valid JSON: {problem[:1].lower() + problem[1:]}"
    before = raw[: int(byte.removesuffix(")"))]
    line = before.count(b"\n") + 1
    column = len(before) - (before.rfind(b"\n") + 1) + 1
    return f"line {line}, column {column}: not valid JSON: {problem}"
