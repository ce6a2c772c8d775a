"""From bytes to rows: whatever a spreadsheet writes is read, and what is no list is refused in one line."""

from __future__ import annotations

import gzip
import subprocess
import sys
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.formats.workbooks import make_zip
from topcut.errors import BadInput
from topcut.formats.csv.columns import guess_columns
from topcut.formats.csv.player_list import read_list
from topcut.formats.csv.reader import detect_kind
from topcut.formats.csv.rows import (
    MOST_COLUMNS,
    MOST_LETTERS,
    MOST_ROWS,
    ListSheet,
    defuse,
    guess_delimiter,
    read_sheet,
    undo_defuse,
)

ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": b"",
    "utf-16": b"",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "cp1252": b"",
}
BARE = ["utf-16-le", "utf-16-be"]
ROWS: list[tuple[str, ...]] = [
    ("Name", "Year", "Club"),
    ("Zoë Größe", "1990", "Æon"),
    ('Bo "B" Bell', "1991", "a;b,c|d\te"),
]


def cells(sheet: ListSheet) -> list[tuple[str, ...]]:
    return [row.cells for row in sheet.rows]


def written(rows: list[tuple[str, ...]], delimiter: str, end: str) -> str:
    quoted = [delimiter.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    return end.join([*quoted, ""])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_and_delimiter(encoding: str, delimiter: str, end: str) -> None:
    raw = ENCODINGS[encoding] + written(ROWS, delimiter, end).encode(encoding)
    sheet = read_sheet(raw)
    assert cells(sheet) == ROWS
    assert sheet.delimiter == delimiter
    assert [row.line for row in sheet.rows] == [1, 2, 3]


def test_spaces_behind_a_comma_are_read_as_fast_as_letters() -> None:
    """It took half a minute to find that this is no name."""
    assert guess_delimiter(["a," + " " * 60_000 + ";\n"]) == ";"


@pytest.mark.parametrize("encoding", BARE)
def test_utf_16_shows_without_its_mark(encoding: str) -> None:
    sheet = read_sheet(written(ROWS, ";", "\r\n").encode(encoding))
    assert cells(sheet) == ROWS
    assert "UTF-16" in sheet.notes[0]


def test_letters_that_were_guessed_are_said() -> None:
    assert read_sheet(b"Name\nZo\xeb\n").notes == (
        "The encoding seems to be Windows-1252. Check the special characters in names.",
    )
    assert "Shift JIS" in read_sheet("山田太郎\n鈴木花子\n".encode("cp932")).notes[0]
    assert "Shift JIS" in read_sheet("氏名,部門\n表 太郎,マスター\n".encode("cp932")).notes[0]
    assert read_sheet("Name\nZoë\n".encode()).notes == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sep=;\r\nName;Club\r\nA,B;C\r\n", [("Name", "Club"), ("A,B", "C")]),
        ('"sep=|"\nName|Club\nA|C\n', [("Name", "Club"), ("A", "C")]),
        ("Name,Club,,,\nAda,Go,,,\n,,,,\n,,,,\n", [("Name", "Club"), ("Ada", "Go")]),
        ("Name,Club\nAda\nBo,Go,more\n", [("Name", "Club"), ("Ada",), ("Bo", "Go", "more")]),
        ('Name,Club\n"Ada\nOkafor","x\r\ny"\nBo,\n', [("Name", "Club"), ("Ada\nOkafor", "x\r\ny"), ("Bo",)]),
        ("Name, Club\nAda,  Go\n", [("Name", "Club"), ("Ada", "Go")]),
        ('"Okafor, Ada"\n"Bell, Bo"\n', [("Okafor, Ada",), ("Bell, Bo",)]),
        ('Dwayne "The Rock" J\n"Big" Bo\n', [('Dwayne "The Rock" J',), ('"Big" Bo',)]),
        ("Autumn cup, day 1\n\nName;Born\nAda;1990\nBo;1991\n", [("Autumn cup, day 1",), ("Name", "Born")]),
        ("Ada;1,5;x\nBo;2,5;y\n", [("Ada", "1,5", "x"), ("Bo", "2,5", "y")]),
        ("", []),
        ("\n \r\n\t\n", []),
    ],
)
def test_what_spreadsheets_and_people_write(text: str, expected: list[tuple[str, ...]]) -> None:
    assert cells(read_sheet(text.encode()))[: len(expected)] == expected


def test_lines_are_those_of_the_file() -> None:
    sheet = read_sheet(b'sep=,\nName,Club\n"Ada\nOkafor",x\n\n\nBo,y\n')
    assert [row.line for row in sheet.rows] == [2, 3, 7]


M = 2**20
WIDE = "\uff1d\uff0b\uff0d\uff20"
"""The same signs as wide as Chinese ones."""
OTHERS: dict[str, tuple[bytes, str]] = {
    "zip": (make_zip({"players.csv": "Ada"}), "unpack it and use the file inside"),
    "gzip": (gzip.compress(b"Ada\n"), "unpack it and use the file inside"),
    "PDF": (b"%PDF-1.7\n...", "a PDF"),
    "web page": (b"\n<!DOCTYPE html><table><tr><td>Ada", "a web page"),
    "a table of a web page": (b"<table><tr><td>Ada", "a web page"),
    "XML": (b'<?xml version="1.0"?><x/>', "XML"),
    "picture": (b"\x89PNG\r\n\x1a\n", "a picture"),
    "RTF": (b"{\\rtf1 Ada}", "a word processor's file"),
    "binary": (bytes(range(1, 256)), "isn't text"),
    "NULs": (b"Ada\0Bo\0\0Cy\n", "NUL bytes"),
    "a NUL far behind": (b"Ada\n" * 3_000 + b"\0", "NUL bytes"),
    "a NUL in UTF-16": ("Ada\nB\0o\n".encode("utf-16"), "line 2: there is a NUL byte here"),
    "half of UTF-16": (b"\xff\xfeA\0B", "UTF-16 and is broken near byte 4"),
    "half a letter of UTF-16": (b"\xff\xfeA\0\x00\xd8\n\0", "UTF-16 and is broken"),
    "broken UTF-8 with a mark": (b"\xef\xbb\xbfAda\xff", "UTF-8 and is broken near byte 6"),
    "no encoding": (b"Ad\x81\x20a\xff\n", "neither UTF-8 nor UTF-16"),
    "an open quote": (b'Name,Club\n"Ada,x\nBo,y\n', "line 2: a quote opens and never closes"),
    "an open quote over many lines": (b'Name,Club\n"Ada,x\n' + b"Bo,y\n" * 60_000, "line 2: a quote opens"),
    "a long cell": (
        b"Name,Club\n" + b"a" * (MOST_LETTERS + 1) + b",x\n",
        "line 2: a cell of 2,001 characters",
    ),
    "many columns": (b"a," * MOST_COLUMNS + b"a\n", f"{MOST_COLUMNS + 1} columns: expected at most"),
    "many rows": (b"a,b\n" * (MOST_ROWS + 1), f"more than {MOST_ROWS:,} rows"),
    "many empty rows": (b",\n" * (MOST_ROWS + 1), f"more than {MOST_ROWS:,} rows"),
    "many lines in a row": (b'Name,Club\n"x' + b'",,,,,"\n' * 60_000, "expected rows of at most"),
    "too large": (b"Ada\n" * (17 * M), "at most 64 MiB"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_list_is_refused_by_what_it_is(name: str) -> None:
    raw, says = OTHERS[name]
    with pytest.raises(BadInput) as refused:
        read_sheet(raw)
    assert says in str(refused.value)
    assert str(refused.value).isprintable()
    with suppress(BadInput):  # a list that is no good, or something else
        assert detect_kind(raw) is None


HOSTILE = """
import resource, sys
from topcut.errors import BadInput
from topcut.formats.csv.rows import read_sheet
M = 2**20
resource.setrlimit(resource.RLIMIT_AS, (600 * M, 600 * M))
for make in (
    lambda: b"," * (60 * M),
    lambda: b"a" * (60 * M),
    lambda: b"Ada Okafor,1990\\n" * (3 * M),
    lambda: b"\\n" * (60 * M),
    lambda: b'"' + b"a\\n" * (30 * M),
    lambda: b',,,,"\\n",' * (7 * M),
    lambda: "\\N{GRINNING FACE}".encode() * (15 * M),
    lambda: b"\\xe9" * (60 * M),
    lambda: b"\\xff\\xfe" + b"a\\0" * (30 * M),
    lambda: b"\\0" * (60 * M),
):
    try:
        read_sheet(make())
        sys.exit("not refused")
    except BadInput as refused:
        print(refused)
"""


@pytest.mark.large
def test_sixty_megabytes_of_anything_are_refused_in_little_memory() -> None:
    done = subprocess.run([sys.executable, "-c", HOSTILE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 10


@pytest.mark.parametrize("sign", ['"', " ", "\N{NO-BREAK SPACE}"])
def test_a_sign_that_cannot_part_cells_is_refused(sign: str) -> None:
    with pytest.raises(
        BadInput, match=r"“sep=” has a character that can't separate cells: expected one such as “sep=;”"
    ):
        read_sheet(f"sep={sign}\nName\nAda\n".encode())


LINES = st.lists(st.text(st.sampled_from('aZ7é漢 ,;\t|"\n\r-=.@\0\ufeff½'), max_size=30), max_size=12).map(
    "\n".join
)


@given(st.one_of(LINES.map(str.encode), st.binary(max_size=200), LINES.map(lambda t: t.encode("utf-16"))))
@example(b"\xff\xfe")
@example(b"sep=")
@example(b'sep="\n"')
@example(b'sep="')
@example(b"Name,Name\n,\n")
def test_whatever_is_given_is_read_or_refused(raw: bytes) -> None:
    try:
        sheet = read_sheet(raw)
    except BadInput:
        return
    assert all(row.cells and row.cells[-1] for row in sheet.rows)
    guess = guess_columns(sheet)
    assert len(guess.columns) == sheet.width
    found = read_list(raw)
    assert all(player.name.isprintable() for player in found.players)
    detect_kind(raw)


@given(st.text())
@example("=1+1")
@example("'=1+1")
@example("''=1")
@example("'t Hooft")
@example(" \u3000=x")
@example("\t")
@example("'")
@example("\uff1d1")
def test_a_cell_comes_back_as_it_was(text: str) -> None:
    assert undo_defuse(defuse(text)) == text
    shown = defuse(text).lstrip()
    assert not shown or shown[0] not in f"=+-@{WIDE}"
    assert not defuse(text).startswith(("\t", "\r", "\n"))


def test_only_what_was_defused_is_taken_back() -> None:
    for text in ("'t Hooft", "'", "''", "O'Neil", "'Ada", "2-1"):
        assert undo_defuse(text) == text
        assert defuse(text) == text
