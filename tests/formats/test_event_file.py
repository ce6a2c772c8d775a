"""Event files are read strictly: what is not one is refused in one line that names file and place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders import played
from tests.command_line import GONE, Case, assert_refused, document, topcut, write
from tests.timeouts import PATIENCE

CUP = document(played("pokemon-2017", "A beats B, C 1-1 D", "A beats C, B beats D", options={"rounds": 2}))
SHEET = document(played("draft-sheet", "A 2-0 B, C 2-0 D"))
RAW = json.dumps(CUP).encode()


def with_games(number: bytes) -> bytes:
    """The event file with another number for the games that C won."""
    return RAW.replace(b"[1, 1, 0]", b"[" + number + b", 1, 0]")


SHAPE = [
    Case("an unknown key", CUP, {"round": []}, 'unknown key "round"', ""),
    Case("an unknown key of the options", CUP, {"options.round": 3}, 'unknown key "round"', "options"),
    Case(
        "an unknown key of a division",
        CUP,
        {"options.by_division": {"masters": {"round": 3}}},
        'unknown key "round"',
        "options.by_division[...]",
    ),
    Case("an unknown key of a player", CUP, {"players[1].droped": 2}, 'unknown key "droped"', "players[1]"),
    Case("an unknown key of a round", CUP, {"rounds[1].sed": "x"}, 'unknown key "sed"', "rounds[1]"),
    Case(
        "an unknown key of a table",
        CUP,
        {"rounds[1].tables[0].game": [2, 0, 0]},
        'unknown key "game"',
        "rounds[1].tables[0]",
    ),
    Case("an unknown key of awkward letters", CUP, {"a`b": 1}, 'unknown key "a`b"', ""),
    Case("an unknown key that would paint the screen", CUP, {"\x1bc\n": 1}, "unknown key", ""),
    Case("another version", CUP, {"topcut": 2}, "expected 1"),
    Case("no version", CUP, {"topcut": GONE}, '"topcut"', ""),
    Case("no name", CUP, {"name": GONE}, '"name"', ""),
    Case("no rules", CUP, {"rules": GONE}, '"rules"', ""),
    Case("no players", CUP, {"players": GONE}, '"players"', ""),
    Case("players without ids", CUP, {"players[1].id": GONE}, '"id"', "players[1]"),
    Case(
        "a table without players",
        CUP,
        {"rounds[0].tables[1].players": GONE},
        '"players"',
        "rounds[0].tables[1]",
    ),
    Case("players by name", CUP, {"players": {"A": {}}}, "a list"),
    Case("a number for an id", CUP, {"players[0].id": 7}, "text"),
    Case("a number for a name", CUP, {"name": 7}, "text"),
    Case("nothing for a name", CUP, {"name": None}, "text"),
    Case("a year with a fraction", CUP, {"players[0].born": 1990.5}, "a whole number"),
    Case("a whole year written as a fraction", CUP, {"players[0].born": 1990.0}, "a whole number"),
    Case(
        "games with a fraction",
        CUP,
        {"rounds[0].tables[1].games": [1.0, 1, 0]},
        "a whole number",
        "rounds[0].tables[1].games[0]",
    ),
    Case(
        "true games",
        CUP,
        {"rounds[0].tables[1].games": [True, 1, 0]},
        "a whole number",
        "rounds[0].tables[1].games[0]",
    ),
    Case("a bye in words", CUP, {"rounds[0].tables[1].bye": "yes"}, "true or false"),
    Case("an unknown stage", CUP, {"rounds[0].stage": "final"}, "final"),
    Case("a huge number of games", CUP, {"rounds[0].tables[1].games": [10**25, 1, 0]}, "games"),
    Case("an unknown ruleset", CUP, {"rules": "pokemon"}, 'no ruleset "pokemon"'),
    Case("no ruleset at all", CUP, {"rules": ""}, "no ruleset"),
    Case("a book whose name has a null in it", CUP, {"rules": "a\0.toml"}, ".toml", ""),
    Case("a negative number of rounds", CUP, {"options.rounds": -1}, "from 1"),
    Case("fewer rounds than were played", CUP, {"options.rounds": 1}, "2 Swiss rounds"),
    Case("three flights", CUP, {"options.flights": 3}, "2, 4, 8"),
    Case("an unknown division", CUP, {"options.by_division": {"adult": {"cut": 8}}}, '"adult"'),
    Case("an unknown round table", CUP, {"options.table": "tcg"}, "tcg-single-day"),
    Case("an unknown format", CUP, {"options.format": "swis"}, "swis"),
    Case("an unknown way with divisions", CUP, {"options.divisions": "mixed"}, "mixed"),
    Case("an option of other rulesets", CUP, {"options.target": 20}, "no use for this option"),
    Case("another option of other rulesets", CUP, {"options.mode": "draft"}, "no use for this option"),
]


@pytest.mark.parametrize("case", SHAPE, ids=lambda case: case.name)
def test_a_document_of_another_shape(case: Case, tmp_path: Path) -> None:
    case.check(tmp_path)


@pytest.mark.parametrize(
    ("option", "word"),
    [
        ({"rounds": 4}, "expected 3"),
        ({"format": "elimination"}, "is not played as elimination"),
        ({"cut": 2}, "no use for this option"),
        ({"third_place": False}, "no use for this option"),
        ({"level": "casual"}, "no use for this option"),
        ({"flights": 2}, "no use for this option"),
        ({"divisions": "off"}, "no use for this option"),
    ],
)
def test_options_that_the_sheet_has_no_use_for(option: dict[str, Any], word: str, tmp_path: Path) -> None:
    file = write(SHEET | {"options": option}, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), f"{file}: options.{next(iter(option))}: ", word)


TEXTS: list[tuple[str, bytes, str]] = [
    ("nothing", b"", "JSON"),
    ("only space", b" \n\t ", "JSON"),
    ("cut short", RAW[:-20], "JSON"),
    ("cut short inside a text", RAW[:25], "JSON"),
    ("more after the end", RAW + b"\n" + RAW, "line 2, column "),
    ("a comma too many", RAW[:-1] + b",}", f"line 1, column {len(RAW) + 1}: "),
    ("a list", b"[]", "a table of keys"),
    ("null", b"null", "a table of keys"),
    ("a text", b'"cup"', "a table of keys"),
    ("binary", bytes(range(256)), "line 1, column 1: "),
    ("in Latin-1", RAW.replace(b"An event", "Zürich".encode("latin-1")), "UTF-8"),
    ("in UTF-16", RAW.decode().encode("utf-16"), "this file is UTF-16: save it as UTF-8"),
    ("in UTF-16 without its mark", RAW.decode().encode("utf-16-le"), "JSON"),
    ("with a byte order mark", b"\xef\xbb\xbf" + RAW, "without a byte order mark"),
    ("with half a character", RAW.replace(b"An event", rb"\ud83d"), "line 1, column "),
    ("with half a character in UTF-8", RAW.replace(b"An event", b"\xed\xa0\xbd"), "UTF-8"),
    ("not a number", with_games(b"NaN"), "line 1, column "),
    ("infinity", with_games(b"Infinity"), "line 1, column "),
    ("a number out of range", with_games(b"1e400"), "rounds[0].tables[1].games[0]: "),
    ("a number of 5000 digits", with_games(b"9" * 5000), "rounds[0].tables[1].games"),
    ("a year of 5000 digits", RAW.replace(b'"name": "A"', b'"born": ' + b"9" * 5000), "players[0].born: "),
    ("nested lists", b"[" * 100_000, "a table of keys"),
    ("nested players", RAW.replace(b'"players": [', b'"players": [' + b"[" * 100_000, 1), "players[0]: "),
    ("nested objects", b'{"options":' * 100_000, "options"),
    ("nested under an unknown key", b'{"topcut": 1, "x": ' + b"[" * 100_000, '"x"'),
]


@pytest.mark.parametrize(("raw", "word"), [case[1:] for case in TEXTS], ids=[case[0] for case in TEXTS])
def test_text_that_is_no_event_file(raw: bytes, word: str, tmp_path: Path) -> None:
    file = write(raw, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), f"{file}: ", word)


@pytest.mark.parametrize(
    ("once", "twice", "key", "path", "line"),
    [
        ('"name": "An event"', '"name": "An event",\n "name": "Another"', "name", "name", 2),
        ('"id": "B"', '"id": "B",\n "id": "C"', "id", "players[1]", 2),
        ('"rounds": 2', '"rounds": 2,\n "rounds": 3', "rounds", "options", 2),
        ('"games": [1, 1, 0]', '"games": [1, 1, 0],\n "games": [2, 0, 0]', "games", "rounds[0].tables[1]", 2),
    ],
)
def test_a_key_that_stands_twice(
    once: str, twice: str, key: str, path: str, line: int, tmp_path: Path
) -> None:
    """The second would hide the first; the message says where, by path or by line."""
    file = write(RAW.replace(once.encode(), twice.encode()), tmp_path / "cup.json")
    answer = topcut("standings", str(file))
    assert_refused(answer, f"{file}: ", f'"{key}"', "twice")
    assert path in answer.err.split(": ")[2] or f"line {line}" in answer.err


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "nowhere.json"
    assert_refused(topcut("standings", str(file)), f"{file}: ", "No such file")


def test_a_folder(tmp_path: Path) -> None:
    assert_refused(topcut("standings", str(tmp_path)), f"{tmp_path}: ", "directory")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything; run the tests as another user")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    file = write(CUP, tmp_path / "cup.json")
    file.chmod(0)
    assert_refused(topcut("standings", str(file)), f"{file}: ", "Permission denied")


def within_a_gigabyte(*arguments: str, stdin: Any = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    """The command in a process that may not take more than a gigabyte or half a minute of the processor."""
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30));"
        "resource.setrlimit(resource.RLIMIT_CPU, (30, 30));"
        "from topcut.cli.main import main; main(sys.argv[1:])"
    )
    return subprocess.run(
        [sys.executable, "-c", limited, *arguments],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize("filled_with", [b"\0", b" ", b"["])
def test_a_hundred_megabytes(filled_with: bytes, tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as large:
        if filled_with == b"\0":
            large.truncate(100_000_000)
        else:
            for _ in range(100):
                large.write(filled_with * 1_000_000)
    done = within_a_gigabyte("standings", str(file))
    file.unlink()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"topcut: {file}: too large for an event file: expected at most 64 MiB\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
def test_standard_input_without_end() -> None:
    with Path("/dev/zero").open("rb") as endless:
        done = within_a_gigabyte("standings", "-", stdin=endless)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("topcut: standard input: too large")


def test_sixty_megabytes_of_space_are_no_event(tmp_path: Path) -> None:
    file = write(b" " * 60_000_000, tmp_path / "large.json")
    done = within_a_gigabyte("standings", str(file))
    file.unlink()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"topcut: {file}: ")
    assert done.stderr.count("\n") == 1
