"""In which letters is a text file written, and is it one at all?

Spreadsheets write UTF-8 with and without a mark in front, UTF-16, and what their Windows uses. What is no
text is refused by what it is: most people who bring a workbook did not know that it is not a list.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper

from topcut.errors import BadInput
from topcut.exchange.files import LARGEST
from topcut.exchange.foreign import refuse_foreign

HEAD = 4_096
"""Bytes that are looked at to see what a file is."""
PIECE = 2**20
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True)
class Letters:
    """How the letters of a file are written."""

    codec: str
    name: str
    sure: bool = True
    """Whether nothing else is likely."""


def opened(raw: bytes) -> tuple[TextIOWrapper, Letters]:
    """The text of a file, to be read line by line, and how it is written; refused where it is no text."""
    if len(raw) > LARGEST:
        raise BadInput(f"too large for a list: expected at most {LARGEST // 2**20} MiB")
    letters = letters_of(raw)
    return TextIOWrapper(BytesIO(raw), letters.codec, newline=""), letters


def letters_of(raw: bytes) -> Letters:
    """How the letters of a file are written.

    >>> letters_of("Zoë".encode()).name, letters_of("Zoë".encode("cp1252")).name
    ('UTF-8', 'Windows-1252')
    """
    refuse_others(raw)
    for mark, codec in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if raw.startswith(mark):
            return _whole(raw, Letters(codec, "UTF-16"))
    head = raw[:HEAD]
    low, high = head[1::2].count(0), head[0::2].count(0)
    if bool(low) is not bool(high) and max(low, high) >= len(head) / 16:  # a NUL beside each plain letter
        codec = "utf-16-le" if low else "utf-16-be"
        if _broken(raw, codec) is None:
            return Letters(codec, "UTF-16", sure=False)
    if 0 in raw:
        raise BadInput("there are NULs in it, so this is no text: expected a list as text")
    if _CONTROL.search(head):
        raise BadInput("this is no text: expected a list as text")
    if _broken(raw, "utf-8") is None:
        return Letters("utf-8-sig", "UTF-8")
    if raw.startswith(b"\xef\xbb\xbf"):
        return _whole(raw, Letters("utf-8-sig", "UTF-8"))
    if _broken(raw, "cp1252") is None:
        return Letters("cp1252", "Windows-1252", sure=False)
    if _broken(raw, "cp932") is None:
        return Letters("cp932", "Japanese Windows (Shift JIS)", sure=False)
    raise BadInput("this is neither UTF-8 nor UTF-16 nor Windows-1252: save it as CSV in UTF-8")


def refuse_others(raw: bytes) -> None:
    """Refuse what begins like a file of another kind, with a line that says what it is."""
    refuse_foreign(raw)
    if raw[:HEAD].removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<?xml", b"<!")):
        raise BadInput("this is XML: expected a list as text, such as CSV")


def _whole(raw: bytes, letters: Letters) -> Letters:
    """The letters, if the whole file is written in them."""
    at = _broken(raw, letters.codec.removesuffix("-sig"))
    if at is not None:
        raise BadInput(f"this begins as {letters.name} and is broken near byte {at}: save it once more")
    return letters


def _broken(raw: bytes, codec: str) -> int | None:
    """About where a file stops to be written in these letters; piece by piece, whatever its size."""
    decoder = getincrementaldecoder(codec)()
    view = memoryview(raw)
    for start in range(0, len(raw), PIECE):
        try:
            decoder.decode(view[start : start + PIECE], final=start + PIECE >= len(raw))
        except UnicodeDecodeError as error:
            return start + error.start
    return None
