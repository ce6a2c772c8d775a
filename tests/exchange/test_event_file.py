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
from tests.commands import GONE, assert_refused, changed, document, topcut, write

CUP = document(played("pokemon-2017", "A beats B, C 1-1 D", "A beats C, B beats D", options={"rounds": 2}))
SHEET = document(played("draft-sheet", "A 2-0 B, C 2-0 D"))
TEXT = json.dumps(CUP)

SHAPE: list[tuple[str, dict[str, Any], str, str]] = [
    ("an unknown key", {"round": []}, "", 'unknown key "round"'),
    ("an unknown key of the options", {"options.round": 3}, "options: ", 'unknown key "round"'),
    ("an unknown key of a division", {"options.by_division": {"masters": {"round": 3}}},
     "options.by_division", 'unknown key "round"'),
    ("an unknown key of a player", {"players.1.droped": 2}, "players[1]: ", 'unknown key "droped"'),
    ("an unknown key of a round", {"rounds.1.sed": "x"}, "rounds[1]: ", 'unknown key "sed"'),
    ("an unknown key of a table", {"rounds.1.tables.0.game": [2, 0, 0]}, "rounds[1].tables[0]: ", 'unknown key "game"'),
    ("an unknown key of awkward letters", {"a`b": 1}, "", 'unknown key "a`b"'),
    ("an unknown key that would paint the screen", {"\x1b[2J\n": 1}, "", "unknown key"),
    ("another version", {"topcut": 2}, "topcut: ", "expected 1"),
    ("no version", {"topcut": GONE}, "", '"topcut"'),
    ("no name", {"name": GONE}, "", '"name"'),
    ("no rules", {"rules": GONE}, "", '"rules"'),
    ("no players", {"players": GONE}, "", '"players"'),
    ("players without ids", {"players.1.id": GONE}, "players[1]: ", '"id"'),
    ("a table without players", {"rounds.0.tables.1.players": GONE}, "rounds[0].tables[1]: ", '"players"'),
    ("players by name", {"players": {"A": {}}}, "players: ", "array"),
    ("a number for an id", {"players.0.id": 7}, "players[0].id: ", "str"),
    ("a number for a name", {"name": 7}, "name: ", "str"),
    ("nothing for a name", {"name": None}, "name: ", "str"),
    ("a year with a fraction", {"players.0.born": 1990.5}, "players[0].born: ", "int"),
    ("a whole year written as a fraction", {"players.0.born": 1990.0}, "players[0].born: ", "int"),
    ("games with a fraction", {"rounds.0.tables.1.games": [1.0, 1, 0]}, "rounds[0].tables[1].games[0]: ", "int"),
    ("true games", {"rounds.0.tables.1.games": [True, 1, 0]}, "rounds[0].tables[1].games[0]: ", "int"),
    ("a bye in words", {"rounds.0.tables.1.bye": "yes"}, "rounds[0].tables[1].bye: ", "bool"),
    ("an unknown stage", {"rounds.0.stage": "final"}, "rounds[0].stage: ", "final"),
    ("a huge number of games", {"rounds.0.tables.1.games": [10**25, 1, 0]}, "rounds[0].tables[1].games", "games"),
    ("an unknown ruleset", {"rules": "pokemon"}, "rules: ", 'no ruleset "pokemon"'),
    ("no ruleset at all", {"rules": ""}, "rules: ", "no ruleset"),
    ("a book whose name has a null in it", {"rules": "a\0.toml"}, "", ".toml"),
    ("a negative number of rounds", {"options.rounds": -1}, "options.rounds: ", "from 1"),
    ("fewer rounds than were played", {"options.rounds": 1}, "options.rounds: ", "2 Swiss rounds"),
    ("a cut of six", {"options.cut": 6}, "options.cut: ", "power of two"),
    ("a cut of six in a division", {"options.by_division": {"masters": {"cut": 6}}},
     "options.by_division.masters.cut: ", "power of two"),
    ("three flights", {"options.flights": 3}, "options.flights: ", "2, 4, 8"),
    ("an unknown division", {"options.by_division": {"adult": {"cut": 8}}}, "options.by_division", '"adult"'),
    ("an unknown round table", {"options.table": "tcg"}, "options.table: ", "tcg-single-day"),
    ("an unknown format", {"options.format": "swis"}, "options.format: ", "swis"),
    ("an unknown way with divisions", {"options.divisions": "mixed"}, "options.divisions: ", "mixed"),
    ("an option of other rulesets", {"options.target": 20}, "options.target: ", "no use for this option"),
    ("another option of other rulesets", {"options.mode": "draft"}, "options.mode: ", "no use for this option"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "place", "word"), [case[1:] for case in SHAPE], ids=[case[0] for case in SHAPE]
)
def test_a_document_of_another_shape(changes: dict[str, Any], place: str, word: str, tmp_path: Path) -> None:
    file = write(changed(CUP, changes), tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), f"{file}: {place}", word)


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
    ("cut short", TEXT[:-20].encode(), "JSON"),
    ("cut short inside a text", TEXT[:25].encode(), "JSON"),
    ("more after the end", f"{TEXT}\n{TEXT}".encode(), "line 2, column "),
    ("a comma too many", TEXT[:-1].encode() + b",}", f"column {len(TEXT) + 1}: "),
    ("a list", b"[]", "object"),
    ("null", b"null", "object"),
    ("a text", b'"cup"', "object"),
    ("binary", bytes(range(256)), "line 1, column 1: "),
    ("in Latin-1", TEXT.replace("An event", "Zürich").encode("latin-1"), "UTF-8"),
    ("in UTF-16", TEXT.encode("utf-16"), "line 1, column 1: "),
    ("in UTF-16 without its mark", TEXT.encode("utf-16-le"), "JSON"),
    ("with a byte order mark", b"\xef\xbb\xbf" + TEXT.encode(), "line 1, column 1: "),
    ("with half a character", TEXT.replace("An event", r"\ud83d").encode(), "line 1, column "),
    ("with half a character in UTF-8", TEXT.encode().replace(b"An event", b"\xed\xa0\xbd"), "UTF-8"),
    ("not a number", TEXT.replace("[1, 1, 0]", "[1, NaN, 0]").encode(), "line 1, column "),
    ("infinity", TEXT.replace("[1, 1, 0]", "[1, Infinity, 0]").encode(), "line 1, column "),
    ("a number out of range", TEXT.replace("[1, 1, 0]", "[1, 1e400, 0]").encode(), "rounds[0].tables[1].games[1]: "),
    ("a number of 5000 digits", TEXT.replace("[1, 1, 0]", f"[1, {'9' * 5000}, 0]").encode(), "rounds[0].tables[1].games"),
    ("a year of 5000 digits", TEXT.replace('"name": "A"', f'"born": {"9" * 5000}').encode(), "players[0].born: "),
    ("nested lists", b"[" * 100_000, "object"),
    ("nested players", TEXT.encode().replace(b'"players": [', b'"players": ' + b"[" * 100_000, 1), "players[0]"),
    ("nested objects", b'{"options":' * 100_000, "options"),
    ("nested under an unknown key", b'{"topcut": 1, "x": ' + b"[" * 100_000, '"x"'),
]  # fmt: skip


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
def test_a_key_that_stands_twice(once: str, twice: str, key: str, path: str, line: int, tmp_path: Path) -> None:
    """The second would hide the first; the message says where, by path or by line."""
    file = write(TEXT.replace(once, twice).encode(), tmp_path / "cup.json")
    answer = topcut("standings", str(file))
    assert_refused(answer, f"{file}: ", f'"{key}"', "twice")
    assert path in answer.err.split(": ")[2] or f"line {line}" in answer.err


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "nowhere.json"
    assert_refused(topcut("standings", str(file)), f"{file}: ", "No such file")


def test_a_folder(tmp_path: Path) -> None:
    assert_refused(topcut("standings", str(tmp_path)), f"{tmp_path}: ", "directory")


@pytest.mark.skipif(os.geteuid() == 0, reason="everything may be read by root")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    file = write(CUP, tmp_path / "cup.json")
    file.chmod(0)
    assert_refused(topcut("standings", str(file)), f"{file}: ", "Permission denied")


def within_a_gigabyte(*arguments: str, stdin: Any = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    """The command in a process that may not take more than a gigabyte or half a minute."""
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30));"
        "from topcut.cli.main import main; main(sys.argv[1:])"
    )
    return subprocess.run(
        [sys.executable, "-c", limited, *arguments],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=30,
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
