"""Every reader, files that it can read, and ways to spoil them: for tests that search and for `tools.fuzz`.

A reader takes bytes and either reads them or says in one line why not. A new one is a line in `READERS`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

import topcut
from tests.formats.damaged_event_files import VALID
from topcut.errors import LONGEST_TEXT, TopcutError
from topcut.event.decide.context import Context
from topcut.formats import event_file, log_file
from topcut.formats.csv import reader as event_csv
from topcut.formats.csv.player_list import read_list
from topcut.formats.registry import (
    FORMATS,
    ExportedEvent,
    ExportOptions,
    FileContent,
    FormatName,
    ListHints,
    build_export,
    read_content,
    write_event,
)
from topcut.formats.tdf import tom as tdf

EXAMPLES = Path(topcut.__file__).parent / "examples"
WISH = ExportOptions(Context(datetime(2026, 3, 14, 9, 0, tzinfo=UTC), "Ada", "chance"))

READERS: dict[str, Callable[[bytes], object]] = {
    "whatever it is": lambda raw: read_content(
        raw, ListHints(rules="pokemon-tom", name="A cup")
    ).build_event(),
    "event file": lambda raw: event_file.build_event(event_file.decode_event_file(raw), folder=EXAMPLES),
    "log": log_file.read_checked_log,
    "tdf": lambda raw: event_file.build_event(tdf.read_content(raw).file),
    "csv": lambda raw: event_file.build_event(event_csv.read_csv(raw, "mtr", "A cup")[1]),
    "list of players": lambda raw: read_list(raw, ("junior", "senior", "masters")),
}

TOKENS = [
    *(
        b'"',
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b";",
        b"\t",
        b"\n",
        b"\r",
        b"\0",
        b"<",
        b">",
        b"&",
        b"'",
    ),
    *(
        b"null",
        b"true",
        b"-1",
        b"0",
        b"1e999",
        b"1.0",
        b"9" * 19,
        b"9" * 400,
        b"9" * 5000,
        b"NaN",
        b"\\ud800",
    ),
    *(b'"topcut":', b'"id":', b'"players":', b'"winner":"draw"', b'"bye":true', b'{"topcut_log":1,'),
    *(
        b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
        b"&b;",
        b"<![CDATA[",
        b"<!--",
        b"<?xml version='1.0'",
        b"encoding='UTF-16'?>",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xc0\xaf",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
        b"\xe2\x80\xae",
        b"\x1b[2J",
    ),
    *(
        b"=1+1",
        b'""',
        b'"\n',
        b"sep=;\n",
        b"\xd9\xa3",
        b"\xc2\xb2",
        b"p1",
        b" " * 3000,
        b"2024-02-30",
        b"31/12/99",
    ),
]


@cache
def seeds() -> dict[str, list[bytes]]:
    """Files that each reader can read."""
    events = [json.dumps(plain).encode() for plain in VALID]
    events += [file.read_bytes() for file in sorted(EXAMPLES.glob("*.json"))]
    logs: list[bytes] = []
    sheets: list[bytes] = []
    tdfs: list[bytes] = []
    for raw in events:
        event = build_export(FileContent("event", event_file.decode_event_file(raw)), folder=EXAMPLES)
        logs += _written("log", event)
        tdfs += _written("tdf", event)
        for kind in FORMATS:
            if kind not in ("log", "tdf", "event"):
                sheets += _written(kind, event)
    lists = ["1. Ada Okafor\n2. Zoë Bell\n".encode(), "Name;Jahrgang\r\nÖzil;1990\r\n".encode("cp1252")]
    lists.append("First\tLast\tBirth date\tDivision\nAda\tOkafor\t03/12/2008\tMA\n".encode("utf-16"))
    every = [*events, *logs, *tdfs, *sheets, *lists]
    return {
        "whatever it is": every,
        "event file": events,
        "log": logs,
        "tdf": tdfs,
        "csv": [*sheets, *lists],
        "list of players": [*sheets, *lists],
    }


def _written(kind: FormatName, event: ExportedEvent) -> list[bytes]:
    """The event in a format, if that can hold it."""
    try:
        return [write_event(kind, event, WISH)]
    except TopcutError:
        return []


def spoilt(raw: bytes, others: list[bytes], chance: Random) -> bytes:
    """The file with a few changes, small or large."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        raw = chance.choice(WAYS)(raw, others, chance)
    return rechained(raw) if log_file.is_log(raw) and chance.random() < 0.7 else raw


def _span(raw: bytes, chance: Random) -> tuple[int, int]:
    begin = chance.randrange(len(raw) + 1)
    return begin, min(len(raw), begin + chance.choice((1, 2, 4, 16, 64, 1024)))


def _flipped(raw: bytes, _: list[bytes], chance: Random) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + bytes(byte ^ 1 << chance.randrange(8) for byte in raw[at : at + 1]) + raw[at + 1 :]


def _cut_short(raw: bytes, _: list[bytes], chance: Random) -> bytes:
    return raw[: chance.randrange(len(raw) + 1)]


def _taken_out(raw: bytes, _: list[bytes], chance: Random) -> bytes:
    begin, end = _span(raw, chance)
    return raw[:begin] + raw[end:]


def _doubled(raw: bytes, _: list[bytes], chance: Random) -> bytes:
    begin, end = _span(raw, chance)
    return raw[:end] + raw[begin:end] * chance.choice((1, 1, 2, 50)) + raw[end:]


def _exchanged(raw: bytes, _: list[bytes], chance: Random) -> bytes:
    (a, b), (c, d) = sorted((_span(raw, chance), _span(raw, chance)))
    return raw if b > c else raw[:a] + raw[c:d] + raw[b:c] + raw[a:b] + raw[d:]


def _told(raw: bytes, _: list[bytes], chance: Random) -> bytes:
    begin, end = _span(raw, chance)
    return raw[:begin] + chance.choice(TOKENS) + raw[chance.choice((begin, end)) :]


def _from_another(raw: bytes, others: list[bytes], chance: Random) -> bytes:
    other = chance.choice(others)
    begin, end = _span(other, chance)
    at, after = _span(raw, chance)
    return raw[:at] + other[begin:end] + raw[chance.choice((at, after)) :]


def _another_value(raw: bytes, _: list[bytes], chance: Random) -> bytes:
    """A number, a word or a text in the place of another one of the same file."""
    words = list(re.finditer(rb'"[^"\n]*"|-?\d+|\w+', raw))
    if not words:
        return raw
    here, there = chance.choice(words), chance.choice(words)
    value = chance.choice(
        (there[0], here[0][:-1] + b"0", b"0", b"-" + here[0], b"1" + here[0], b'""', b"null")
    )
    return raw[: here.start()] + value + raw[here.end() :]


def _in_other_letters(raw: bytes, _: list[bytes], chance: Random) -> bytes:
    codec = chance.choice(("utf-16", "utf-16-be", "utf-32", "cp1252", "shift_jis", "utf-7"))
    return raw.decode(errors="replace").encode(codec, errors="replace")


def rechained(raw: bytes) -> bytes:
    """A log with the digests that its lines have now."""
    head, *lines = raw.split(b"\n")
    previous, made = b"", [head]
    for line in lines:
        made.append(re.sub(rb'"previous":"\w*"', b'"previous":"' + previous + b'"', line, count=1))
        previous = sha256(made[-1]).hexdigest().encode()
    return b"\n".join(made)


WAYS: list[Callable[[bytes, list[bytes], Random], bytes]] = [
    *(_flipped, _cut_short, _taken_out, _doubled, _exchanged, _told, _told, _from_another),
    *(_another_value, _another_value, _another_value, _in_other_letters),
]


class Broken(AssertionError):
    """A reader did something else than read or refuse."""


def try_out(reader: str, raw: bytes) -> bool:
    """Whether a reader takes these bytes; it may refuse them, in one line, and nothing else may happen."""
    try:
        READERS[reader](raw)
    except TopcutError as error:
        said = str(error)
        if not said.strip() or len(said) > 2 * LONGEST_TEXT or "Error" in said:
            raise Broken(f"{reader}: {said!r} is no answer to {raw!r}") from error
        return False
    except BaseException as error:
        raise Broken(f"{reader}: {type(error).__name__} at {raw!r}") from error
    return True


def search(reader: str, count: int, chance: Random) -> Counter[str]:
    """Try so many spoilt files on a reader; how many there were, and how many were read all the same."""
    tried: Counter[str] = Counter()
    own, every = seeds()[reader], seeds()["whatever it is"]
    for _ in range(count):
        base = chance.choice(own if chance.random() < 0.9 else every)
        tried["read"] += try_out(reader, spoilt(base, every, chance))
        tried["inputs"] += 1
    return tried
