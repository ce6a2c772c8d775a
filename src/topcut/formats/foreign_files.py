"""Recognise files of other kinds, so that what people give by mistake is called by its name.

    >>> describe_foreign(b"%PDF-1.7 ...")
    'this is a PDF, which is made for paper: expected the file that it was made from'

Nothing is unpacked here: a small archive can hold more than any disk.
"""

import re

from topcut.errors import BadInput

UNPACK = "unpack it first, and give what is in it"
PICTURE = "this is a picture: expected text"
PAGE = "this is a web page: save the file itself"
PROGRAM = "this is a program: expected a file with an event"

DATABASE = b"SQLite format 3\0"

BEGINNINGS: dict[bytes, str] = {
    rb"\x1f\x8b": f"this is packed with gzip: {UNPACK}",
    rb"BZh[1-9]1AY&SY": f"this is packed with bzip2: {UNPACK}",
    rb"\xfd7zXZ\0": f"this is packed with xz: {UNPACK}",
    rb"\x28\xb5\x2f\xfd": f"this is packed with zstd: {UNPACK}",
    rb"7z\xbc\xaf\x27\x1c": f"this is a 7z archive: {UNPACK}",
    rb"Rar!\x1a\x07": f"this is a rar archive: {UNPACK}",
    rb".{257}ustar": f"this is a tar archive: {UNPACK}",
    rb"\{\\rtf": "this is a word processor's file: save it as plain text",
    rb"%PDF-": "this is a PDF, which is made for paper: expected the file that it was made from",
    rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP": PICTURE,
    DATABASE: "this is a database: `topcut export --database FILE -o event.log` takes an event out of it",
    rb"(\xef\xbb\xbf)?\s*<(!doctype\s+html|html|head|body|table|meta)\b": PAGE,
    rb"\x7fELF|\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe|MZ.{0,62}\0": PROGRAM,
}
"""How files of other kinds begin, as patterns, and what is said of them."""

ZIPPED: dict[bytes, str] = {
    rb"word/|opendocument\.text": "this is a word processor's file: save it as plain text",
    rb"": f"this is a zip archive: {UNPACK}",
}
"""What a zip archive is, by the names in it."""

ZIP = b"PK\x03\x04", b"PK\x05\x06"
_WORKBOOK = re.compile(rb"xl/|opendocument\.spreadsheet")
"""A name in the zip archive that .xlsx and .ods files are."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How .xls files begin, and workbooks with a password."""
_NAMES = 65_536
"""Bytes at either end of an archive in which the names of its files are looked for."""


def describe_foreign(raw: bytes) -> str | None:
    """Return what to say of a file of another kind than any that is read here; None if it is none."""
    if is_workbook(raw):
        return None
    if raw.startswith(ZIP):
        return next(says for pattern, says in ZIPPED.items() if re.search(pattern, _names_in(raw)))
    found = (says for pattern, says in BEGINNINGS.items() if re.match(pattern, raw[:1024], re.I | re.S))
    return next(found, None)


def is_workbook(raw: bytes) -> bool:
    """Return whether this is a spreadsheet's workbook: .xlsx, .ods or .xls."""
    return raw.startswith(_OLD_OFFICE) or (raw.startswith(ZIP) and bool(_WORKBOOK.search(_names_in(raw))))


def _names_in(raw: bytes) -> bytes:
    return raw[:_NAMES] + raw[-_NAMES:]


def is_database(raw: bytes) -> bool:
    """Return whether this is a database of the kind in which events run."""
    return raw.startswith(DATABASE)


def is_xml(raw: bytes) -> bool:
    """Return whether this is meant to be XML, whatever its encoding."""
    return raw[:1024].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")[:1] == b"<"


def refuse_foreign(raw: bytes) -> None:
    """Refuse files of another kind by name, before somebody wonders what is wrong on line 1."""
    if problem := describe_foreign(raw):
        raise BadInput(problem)
