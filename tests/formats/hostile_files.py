"""Files that are made to hurt: each is small enough to be read and would be large once it is understood.

Each is a function, so that one is in memory at a time, and the word that the line about it holds.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from random import Random

from tests.formats.workbooks import make_xlsx_of_xml

MB = 10**6
SIZE = 60 * MB
"""Just below what is read at all."""
FAR_APART = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
"""Two cells, between which no memory is large enough."""
LOG = b'{"topcut_log":1,"event":"x","facts":%d,"private":%d}\n'


def event(players: bytes = b"", rounds: bytes = b"", options: bytes = b"", rules: bytes = b"mtr") -> bytes:
    """An event file made of these pieces."""
    return (
        b'{"topcut":1,"name":"x","rules":"%b","options":{%b},"players":[%b],"rounds":[%b]}'
        % (rules, options, players, rounds)
    )  # fmt: skip


def a_table(inside: bytes) -> bytes:
    return event(rounds=b'{"tables":[{"players":["a","b"],%b}]}' % inside)


def filled(unit: bytes, size: int = SIZE) -> bytes:
    """The same again and again, with commas between."""
    return (unit + b",") * (size // (len(unit) + 1) - 1) + unit


def numbered(unit: bytes, count: int) -> bytes:
    """So many different ones, with commas between."""
    return b",".join(unit % number for number in range(count))


def zipped(*names: str, size: int = 10 * MB) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, bytes(size))
    return raw.getvalue()


def xml(inside: bytes, before: bytes = b"") -> bytes:
    return (
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        + before
        + b'<tournament type="2">'
        + inside
        + b"</tournament>"
    )


def laughs() -> bytes:
    """Ten entities, each ten of the one before: a thousand million of the first."""
    inner = b"".join(b'<!ENTITY l%d "%b">' % (n + 1, b"&l%d;" % n * 10) for n in range(9))
    return xml(b"&l9;", b'<!DOCTYPE l [<!ENTITY l0 "lol">%b]>' % inner)


LARGE: dict[str, tuple[Callable[[], bytes], str]] = {
    "zeros": (lambda: bytes(SIZE), "not valid JSON"),
    "chance": (lambda: Random(1).randbytes(SIZE), "not valid JSON"),
    "open lists": (lambda: b"[" * SIZE, "a list"),
    "objects inside each other": (lambda: b'{"a":' * (SIZE // 5), "too large for one event"),
    "lists inside a player": (lambda: event(b"[" * SIZE), "players[0]: expected a table of keys"),
    "one text": (lambda: b'"' + b"a" * SIZE + b'"', "expected"),
    "a long name": (lambda: event().replace(b'"x"', b'"' + b"a" * SIZE + b'"'), "at most 10000 characters"),
    "a long name in wide letters": (
        lambda: event().replace(b'"x"', '"😀'.encode() + b"a" * SIZE + b'"'),
        "at most 10000 characters",
    ),
    "a long key": (lambda: b'{"' + b"a" * SIZE + b'":1}', "unknown key"),
    "digits": (lambda: b"9" * SIZE, "expected"),
    "a year of digits": (lambda: event(b'{"id":"a","born":' + b"9" * SIZE + b"}"), "out of range"),
    "nearly a million players": (lambda: event(numbered(b'{"id":"%d"}', 900_000)), "at most 200,000 players"),
    "millions of players": (lambda: event(filled(b'{"id":""}')), "too large for one event"),
    "nearly a million rounds": (
        lambda: event(rounds=filled(b'{"tables":[]}', 13 * MB)),
        "at most 1000 rounds",
    ),
    "millions of rounds": (lambda: event(rounds=filled(b'{"tables":[]}')), "too large for one event"),
    "players times rounds": (
        lambda: event(numbered(b'{"id":"%d"}', 150_000), filled(b'{"tables":[]}', 14_000)),
        "at most 10,000,000 seats",
    ),
    "one table for all": (
        lambda: event(
            numbered(b'{"id":"%d"}', 100_000), b'{"tables":[{"players":[%b]}]}' % numbered(b'"%d"', 100_000)
        ),
        "expected 2 players at a table",
    ),
    "scores": (lambda: a_table(b'"scores":[' + filled(b"999") + b"]"), "too large for one event"),
    "counts": (lambda: a_table(b'"tie_counts":[' + filled(b"{}") + b"]"), "too large for one event"),
    "reasons": (lambda: a_table(b'"why":[' + filled(b'"ab"') + b"]"), "too large for one event"),
    "as many reasons as allowed": (
        lambda: a_table(b'"why":[' + filled(b'"ab"', 29 * MB) + b"]"),
        "no player",
    ),
    "divisions": (
        lambda: event(options=b'"by_division":{%b}' % numbered(b'"%d":{}', 900_000)),
        "no use for this option",
    ),
    "divisions, the last one twice": (
        lambda: event(options=b'"by_division":{%b,"899999":{}}' % numbered(b'"%d":{}', 900_000)),
        'options.by_division: the key "899999" appears twice',
    ),
    "pools": (
        lambda: event(options=b'"pools":[%b]' % filled(b'["junior"]', 30 * MB), rules=b"pokemon-2017"),
        "in one pool",
    ),
    "line ends": (lambda: b"\n" * SIZE, "line"),
    "a log of empty lines": (lambda: LOG % (1, 0) + b"\n" * SIZE, "this file is incomplete"),
    "a log of millions of lines": (lambda: LOG % (20 * MB, 0) + b"ab\n" * 20 * MB, "at most 1,000,000 lines"),
    "a log of one line": (lambda: LOG % (1, 0) + b'{"' + b"a" * SIZE + b"\n", "expected JSON"),
    "a log of objects inside each other": (lambda: LOG % (1, 0) + b'{"a":' * (SIZE // 5) + b"\n", "fact 1"),
    "entities": (laughs, "document type"),
    "a reference to a file": (
        lambda: xml(b"&x;", b'<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
        "document type",
    ),
    "a reference to an address": (
        lambda: xml(b"", b'<!DOCTYPE t SYSTEM "http://127.0.0.1:9/t.dtd">'),
        "document type",
    ),
    "elements": (lambda: xml(b"<a/>" * 4 * MB), "at most 500,000 elements"),
    "large elements": (lambda: xml(b"<a/>" * 15 * MB), "at most 16 MiB"),
    "elements inside each other": (lambda: xml(b"<a>" * 5 * MB), "at most 64 elements"),
    "attributes": (lambda: xml(b"<a %b/>" % b" ".join(b'a%d=""' % n for n in range(MB))), "expected"),
    "a long attribute": (lambda: xml(b'<data a="' + b"a" * 16 * MB + b'"/>'), "expected"),
    "a million rows": (lambda: b"name,born\n" + b"Ada Okafor,1990\n" * MB, "rows"),
    "millions of rows": (lambda: b"name\n" + b"Ada\n" * 15 * MB, "rows"),
    "a row without end": (lambda: b"name,born\nAda,1990\n" + b"Ada," * 15 * MB, "expected"),
    "a quote without end": (lambda: b'name,born\nAda,1990\n"' + b"Ada\n" * 15 * MB, "a quote opens"),
    "a cell without end": (lambda: b"name,born\nAda,1990\nAda," + b"1" * SIZE, "expected"),
    "rows of spaces": (
        lambda: b"name;born\n" + (b"Ada" + b" " * 250_000 + b"\n") * 200 + b"Ada;x" * MB,
        "expected",
    ),
    "a zip bomb": (lambda: zipped("event.json", size=200 * MB), "this is a compressed file (zip): unpack it"),
    "a broken workbook": (
        lambda: zipped("[Content_Types].xml", "xl/workbook.xml"),
        "this workbook can't be",
    ),
    "a zip bomb in a workbook": (
        lambda: zipped("xl/workbook.xml", size=200 * MB),
        "once it is unpacked",
    ),
    "a workbook of two cells": (lambda: make_xlsx_of_xml(FAR_APART), "this workbook can't be read"),
    "gzip": (lambda: gzip.compress(bytes(200 * MB)), "a compressed file (gzip): unpack it"),
    "bzip2": (lambda: bz2.compress(bytes(20 * MB)), "a compressed file (bzip2): unpack it"),
    "xz": (lambda: lzma.compress(bytes(200 * MB), preset=0), "a compressed file (xz): unpack it"),
}
