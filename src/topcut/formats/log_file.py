"""Read and write the file of a whole log: one event with everything that happened in it.

Lines of JSON. The first says what it is and how much follows; then come the facts, each the very line that
was written down, and then what is kept outside the log (names, the secret of the draws), a line each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from topcut.errors import BadInput, explain_decode_error
from topcut.formats.paths import name_line
from topcut.text.messages import number as write_number
from topcut.text.messages import say

if TYPE_CHECKING:
    from topcut.event.event_log import EventLog

T = TypeVar("T")
MARK = b'{"topcut_log":'
MOST_LINES = 1_000_000
"""Lines after the first. A fact takes more than a hundred bytes, so no file holds as many."""


class LogHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    topcut_log: Literal[1]
    event: str
    facts: Annotated[int, Meta(ge=0)]
    private: Annotated[int, Meta(ge=0)]


class PrivateEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is kept outside the log."""

    key: str
    value: str


@dataclass(frozen=True)
class LogFile:
    event: str
    facts: list[bytes]
    private: dict[str, bytes]


def encode_log(event: str, facts: Sequence[bytes], private: Mapping[str, bytes]) -> bytes:
    """Return the bytes of the file of a log."""
    head = LogHead(1, event, len(facts), len(private))
    outside = [msgspec.json.encode(PrivateEntry(key, private[key].decode())) for key in sorted(private)]
    return b"".join(line + b"\n" for line in (msgspec.json.encode(head), *facts, *outside))


def encode_log_as_json(event: str, facts: Sequence[bytes], private: Mapping[str, bytes]) -> bytes:
    """Return a log as one JSON document, to look at; it cannot be taken in again."""
    lines = [msgspec.Raw(fact) for fact in facts]
    known = {key: private[key].decode() for key in sorted(private)}
    return msgspec.json.encode({"event": event, "facts": lines, "private": known}) + b"\n"


def is_log(raw: bytes) -> bool:
    """Return whether these are the bytes of the file of a log."""
    return raw.startswith(MARK)


def decode_log(raw: bytes) -> LogFile:
    """Return what the file of a log holds; whether its chain is whole is for the log to say."""
    first, _, rest = raw.partition(b"\n")
    head = _decoded(first, LogHead, 1)
    rest = rest.removesuffix(b"\n")
    there = rest.count(b"\n") + 1 if rest else 0
    if there != head.facts + head.private:
        wanted = head.facts + head.private
        raise BadInput(
            say(
                "this file is incomplete: expected {wanted} lines after the first, not {found}",
                wanted=wanted,
                found=there,
            )
        )
    if there > MOST_LINES:
        most, counted = write_number(MOST_LINES), write_number(there)
        raise BadInput(
            say("too long for a log: expected at most {most} lines, not {found}", most=most, found=counted)
        )
    lines = rest.split(b"\n") if rest else []
    outside = [
        _decoded(line, PrivateEntry, number)
        for number, line in enumerate(lines[head.facts :], start=head.facts + 2)
    ]
    return LogFile(head.event, lines[: head.facts], {entry.key: entry.value.encode() for entry in outside})


def read_checked_log(raw: bytes) -> "tuple[LogFile, EventLog]":
    """Return what the file of a log holds and its log, once its chain and what is beside it are whole."""
    # Questions about other files need not wait for all that an event is made of.
    from topcut.event.apply.context import UnfitFact
    from topcut.event.audit import find_exchanged
    from topcut.event.event_log import EventLog
    from topcut.event.log_chain import BrokenChain

    found = decode_log(raw)
    for problem in find_exchanged(found.private):
        raise BadInput(problem)
    try:
        return found, EventLog(found.facts, found.private)
    except (BrokenChain, UnfitFact) as broken:
        raise BadInput(broken.message) from None


def _decoded(line: bytes, kind: type[T], number: int) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError as error:
        problem = explain_decode_error(str(error).partition(" - at ")[0])
        raise BadInput(problem, place=name_line(number)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadInput(say("expected a line of JSON"), place=name_line(number)) from None
