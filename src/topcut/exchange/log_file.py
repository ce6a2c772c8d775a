"""The file of a whole log: one event with everything that happened in it, to be taken along and put back.

Lines of JSON. The first says what it is and how much follows; then come the facts, each the very line that
was written down, and then what is kept outside the log (names, the secret of the draws), a line each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from topcut.errors import BadInput, in_words

if TYPE_CHECKING:
    from topcut.event.journal import Journal

T = TypeVar("T")
MARK = b'{"topcut_log":'
MOST_LINES = 1_000_000
"""Lines after the first. A fact takes more than a hundred bytes, so no file holds as many."""


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    topcut_log: Literal[1]
    event: str
    facts: Annotated[int, Meta(ge=0)]
    private: Annotated[int, Meta(ge=0)]


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
    first, _, rest = raw.partition(b"\n")
    head = _decoded(first, Head, 1)
    rest = rest.removesuffix(b"\n")
    there = rest.count(b"\n") + 1 if rest else 0
    if there != head.facts + head.private:
        expected = f"expected {head.facts + head.private} lines"
        raise BadInput(f"this file is not whole: {expected}, and there are {there} lines after the first")
    if there > MOST_LINES:
        raise BadInput(f"too long for a log: expected at most {MOST_LINES:,} lines, not {there:,}")
    lines = rest.split(b"\n") if rest else []
    outside = [
        _decoded(line, Entry, number) for number, line in enumerate(lines[head.facts :], start=head.facts + 2)
    ]
    return LogFile(head.event, lines[: head.facts], {entry.key: entry.value.encode() for entry in outside})


def checked(raw: bytes) -> tuple[LogFile, Journal]:
    """What such a file holds and what it comes to, once its chain and what is beside it are found whole."""
    # Whoever asks about another file need not wait for all that an event is made of.
    from topcut.event.applying import Misfit
    from topcut.event.check import exchanged
    from topcut.event.journal import Journal
    from topcut.event.log import BrokenChain

    found = read(raw)
    for problem in exchanged(found.private):
        raise BadInput(problem)
    try:
        return found, Journal(found.facts, found.private)
    except (BrokenChain, Misfit) as broken:
        raise BadInput(str(broken)) from None


def _decoded(line: bytes, kind: type[T], number: int) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError as error:
        raise BadInput(in_words(str(error).partition(" - at ")[0]), place=f"line {number}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadInput("expected a line of JSON", place=f"line {number}") from None
