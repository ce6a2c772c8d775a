"""Read files within bounds, name them in every mistake, and recognise files of other kinds.

    >>> describe_foreign(b"%PDF-1.7 ...")
    'this is a PDF, which is made for paper: expected the file that it was made from'

Nothing is unpacked here: a small archive can hold more than any disk.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from topcut.errors import BadInput
from topcut.text.messages import Message, say
from topcut.text.os_errors import describe_os_error

LARGEST = 64 * 2**20
"""Bytes. A hundred thousand players with ten rounds fit into half of it."""

WORD_FILE = say("this is a word processor's file: save it as plain text")
PROGRAM = say("this is a program: expected a file with an event")
PAGE = say("this is a web page: save the file itself")

DATABASE = b"SQLite format 3\0"


def _describe_packed_file(program: str) -> Message:
    return say("this is a compressed file ({program}): unpack it and use the file inside", program=program)


BEGINNINGS: dict[bytes, Message] = {
    rb"\x1f\x8b": _describe_packed_file("gzip"),
    rb"BZh[1-9]1AY&SY": _describe_packed_file("bzip2"),
    rb"\xfd7zXZ\0": _describe_packed_file("xz"),
    rb"\x28\xb5\x2f\xfd": _describe_packed_file("zstd"),
    rb"7z\xbc\xaf\x27\x1c": _describe_packed_file("7z"),
    rb"Rar!\x1a\x07": _describe_packed_file("rar"),
    rb".{257}ustar": _describe_packed_file("tar"),
    rb"\{\\rtf": WORD_FILE,
    rb"%PDF-": say("this is a PDF, which is made for paper: expected the file that it was made from"),
    rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP": say("this is a picture: expected text"),
    DATABASE: say("this is a database: export the event with `topcut export --database FILE -o event.log`"),
    rb"(\xef\xbb\xbf)?\s*<(!doctype\s+html|html|head|body|table|meta)\b": PAGE,
    rb"\x7fELF|\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe|MZ.{0,62}\0": PROGRAM,
}
"""How files of other kinds begin, as patterns, and what is said of them."""

ZIP = b"PK\x03\x04", b"PK\x05\x06"
_WORKBOOK = re.compile(rb"xl/|opendocument\.spreadsheet")
"""A name in the zip archive that .xlsx and .ods files are."""
_WORD_FILE = re.compile(rb"word/|opendocument\.text")
"""A name in the zip archive that .docx and .odt files are."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How .xls files begin, and workbooks with a password."""
_NAMES = 65_536
"""Bytes at either end of an archive in which the names of its files are looked for."""


def display_path(path: str) -> str:
    """Return what people call a file."""
    return say("standard input") if path == "-" else path


def name_line(number: int) -> Message:
    """Return the place of a mistake in a text."""
    return say("line {line}", line=number)


def containing_folder(path: str) -> Path:
    """Return the folder in which files are looked for that this one names."""
    return Path.cwd() if path == "-" else Path(path).parent


@contextmanager
def name_file_in_errors(path: str) -> Iterator[None]:
    """Give mistakes that come up inside the name of the event's file, unless they have one."""
    try:
        yield
    except BadInput as error:
        raise (error if error.file else error.in_file(display_path(path))) from None


def read_bytes(path: str) -> bytes:
    """Return the bytes of a file, or of standard input."""
    name = display_path(path)
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(path, "rb", opener=_without_waiting) as file:
                raw = file.read(LARGEST + 1)
    except OSError as error:
        problem = say("cannot read this file: {problem}", problem=describe_os_error(error))
        raise BadInput(problem, file=name) from None
    if len(raw) > LARGEST and not is_database(raw):  # of which it is said what to do with it
        most = LARGEST // 2**20
        raise BadInput(say("too large for an event file: expected at most {most} MiB", most=most), file=name)
    return raw


def _without_waiting(path: str, flags: int) -> int:
    """Open a file, and a pipe even if nobody writes into it, which would keep us waiting for ever."""
    if not hasattr(os, "O_NONBLOCK"):
        return os.open(path, flags)
    found = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(found, True)  # who does write into it may take their time
    return found


def describe_foreign(raw: bytes) -> Message | None:
    """Return what to say of a file of another kind than any that is read here; None if it is none."""
    if is_workbook(raw):
        return None
    if raw.startswith(ZIP):
        word_file = _WORD_FILE.search(raw[:_NAMES] + raw[-_NAMES:])
        return WORD_FILE if word_file else _describe_packed_file("zip")
    found = (says for pattern, says in BEGINNINGS.items() if re.match(pattern, raw[:1024], re.I | re.S))
    return next(found, None)


def is_workbook(raw: bytes) -> bool:
    """Return whether this is a spreadsheet's workbook: .xlsx, .ods or .xls."""
    if raw.startswith(ZIP):
        return bool(_WORKBOOK.search(raw[:_NAMES] + raw[-_NAMES:]))
    return raw.startswith(_OLD_OFFICE)


def is_database(raw: bytes) -> bool:
    """Return whether this is a database of the kind in which events run."""
    return raw.startswith(DATABASE)


def is_xml(raw: bytes) -> bool:
    """Return whether this is meant to be XML, whatever its encoding."""
    return raw[:1024].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")[:1] == b"<"


def refuse_foreign(raw: bytes) -> None:
    """Refuse files of another kind by name, before a reader complains of line 1."""
    if problem := describe_foreign(raw):
        raise BadInput(problem)
