"""Detect the encoding of a text file, and refuse what is no text.

Spreadsheets write UTF-8 with and without a mark in front, UTF-16, and the encoding of their Windows. Which of
those decides the file itself; between the encodings of Windows charset-normalizer chooses by the letters that
come out. It may choose only between those two: of short lists of names it takes most for Polish or worse.
"""

import re
from codecs import getincrementaldecoder
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper

from topcut.errors import BadInput
from topcut.formats.paths import LARGEST, refuse_foreign
from topcut.text.messages import say

HEAD = 4_096
"""Bytes that are looked at to see what a file is."""
PIECE = 2**20
"""Bytes that are decoded at once."""
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_WINDOWS = {"cp1252": "Windows-1252", "cp932": say("Japanese Windows (Shift JIS)")}


@dataclass(frozen=True)
class Encoding:
    codec: str
    name: str
    sure: bool = True
    """Whether nothing else is likely."""


def open_text(raw: bytes) -> tuple[TextIOWrapper, Encoding]:
    """Return the text of a file, to be read line by line, and its encoding; refuse what is no text."""
    if len(raw) > LARGEST:
        raise BadInput(say("too large for a list: expected at most {most} MiB", most=LARGEST // 2**20))
    encoding = detect_encoding(raw)
    return TextIOWrapper(BytesIO(raw), encoding.codec, newline=""), encoding


def detect_encoding(raw: bytes) -> Encoding:
    """Return the encoding of a text file.

    >>> detect_encoding("Zoë".encode()).name, detect_encoding("Zoë".encode("cp1252")).name
    ('UTF-8', 'Windows-1252')
    """
    refuse_foreign(raw)
    head = raw[:HEAD]
    if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<?xml", b"<!")):
        raise BadInput(say("this is XML: expected a list as text, such as CSV"))
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _check_whole(raw, Encoding("utf-16", "UTF-16"))
    low, high = head[1::2].count(0), head[0::2].count(0)
    if bool(low) is not bool(high) and max(low, high) >= len(head) / 16:  # a NUL beside each plain letter
        codec = "utf-16-le" if low else "utf-16-be"
        if _find_broken_byte(raw, codec) is None:
            return Encoding(codec, "UTF-16", sure=False)
    if 0 in raw:
        raise BadInput(say("this isn't text (it has NUL bytes): expected a list as text, such as CSV"))
    if _CONTROL.search(head):
        raise BadInput(say("this isn't text: expected a list as text, such as CSV"))
    if _find_broken_byte(raw, "utf-8") is None or raw.startswith(b"\xef\xbb\xbf"):
        return _check_whole(raw, Encoding("utf-8-sig", "UTF-8"))
    possible = [codec for codec in _WINDOWS if _find_broken_byte(raw, codec) is None]
    if not possible:
        raise BadInput(say("this is neither UTF-8 nor UTF-16 nor Windows-1252: save it as CSV in UTF-8"))
    codec = possible[0] if len(possible) == 1 else _choose_windows(raw)
    return Encoding(codec, _WINDOWS[codec], sure=False)


def _choose_windows(raw: bytes) -> str:
    """Return the encoding of Windows whose letters look like words, around the first letter that tells."""
    from charset_normalizer import from_bytes  # most lists are UTF-8

    first = re.search(rb"[\x80-\xff]", raw)
    assert first is not None, "it would be UTF-8"
    start = raw.rfind(b"\n", max(0, first.start() - HEAD), first.start()) + 1
    sample = raw[start or max(0, first.start() - HEAD) : first.start() + HEAD]
    best = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample, cp_isolation=list(_WINDOWS)).best()
    return best.encoding if best and best.encoding in _WINDOWS else "cp1252"


def _check_whole(raw: bytes, encoding: Encoding) -> Encoding:
    """Return the encoding if the whole file is written in it."""
    at = _find_broken_byte(raw, encoding.codec.removesuffix("-sig"))
    if at is not None:
        problem = say(
            "this begins as {encoding} and is broken near byte {byte}: save it again",
            encoding=encoding.name,
            byte=at,
        )
        raise BadInput(problem)
    return encoding


def _find_broken_byte(raw: bytes, codec: str) -> int | None:
    """Return about where a file stops being written in this encoding; decoded in pieces, to save memory."""
    decoder = getincrementaldecoder(codec)()
    view = memoryview(raw)
    for start in range(0, len(raw), PIECE):
        try:
            decoder.decode(view[start : start + PIECE], final=start + PIECE >= len(raw))
        except UnicodeDecodeError as error:
            return start + error.start
    return None
