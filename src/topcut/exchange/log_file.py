"""The file of a whole log: one event with everything that happened in it, to be taken along and put back.

Lines of JSON. The first says what it is and how much follows; then come the facts, each the very line that
was written down, and then what is kept outside the log (names, the secret of the draws), a line each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from topcut.errors import BadInput, in_words
from topcut.event.check import exchanged
from topcut.event.journal import Journal
from topcut.event.log import BrokenChain

T = TypeVar("T")
MARK = b'{"topcut_log":'


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    topcut_log: Literal[1]
    event: str
    facts: int
    private: int


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is kept outside the log."""

    key: str
    value: str


@dataclass(frozen=True)
class LogFile:
    """What the file holds."""

    event: str
    facts: list[bytes]
    private: dict[str, bytes]


def written(event: str, facts: Sequence[bytes], private: Mapping[str, bytes]) -> bytes:
    """The bytes of the file."""
    head = Head(1, event, len(facts), len(private))
    outside = [msgspec.json.encode(Entry(key, private[key].decode())) for key in sorted(private)]
    return b"".join(line + b"\n" for line in (msgspec.json.encode(head), *facts, *outside))


def document(event: str, facts: Sequence[bytes], private: Mapping[str, bytes]) -> bytes:
    """The same as one JSON document, to look at; it cannot be taken in again."""
    lines = [msgspec.Raw(fact) for fact in facts]
    known = {key: private[key].decode() for key in sorted(private)}
    return msgspec.json.encode({"event": event, "facts": lines, "private": known}) + b"\n"


def is_log(raw: bytes) -> bool:
    """Whether these are the bytes of such a file."""
    return raw.startswith(MARK)


def read(raw: bytes) -> LogFile:
    """What such a file holds; whether its chain is whole is for the journal to say."""
    first, *rest = raw.split(b"\n")
    head = _decoded(first, Head, 1)
    if rest and rest[-1] == b"":
        rest.pop()
    if len(rest) != head.facts + head.private:
        there = f"there are {len(rest)} lines after the first"
        raise BadInput(f"this file is not whole: expected {head.facts + head.private} lines, and {there}")
    outside = [
        _decoded(line, Entry, number) for number, line in enumerate(rest[head.facts :], start=head.facts + 2)
    ]
    return LogFile(head.event, rest[: head.facts], {entry.key: entry.value.encode() for entry in outside})


def checked(raw: bytes) -> LogFile:
    """What such a file holds, once its chain and what is kept beside it are found whole."""
    found = read(raw)
    for problem in exchanged(found.private):
        raise BadInput(problem)
    try:
        journal(found)
    except BrokenChain as broken:
        raise BadInput(str(broken)) from None
    return found


def journal(found: LogFile) -> Journal:
    """The event in such a file."""
    return Journal(found.facts, found.private)


def _decoded(line: bytes, kind: type[T], number: int) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError as error:
        raise BadInput(in_words(str(error)), place=f"line {number}") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadInput("expected a line of JSON", place=f"line {number}") from None
