"""An event file may name a book of its own, seen from the folder the event file is in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import played
from tests.command_line import assert_refused, document, topcut, write

CUP = document(played("mtr", "A 2-0 B"))
HOUSE = 'base = "mtr"\nid = "house"\ntitle = "House rules"\n\n[measures.points]\ndraw = 2\n'


def test_a_book_beside_the_event_file(tmp_path: Path) -> None:
    """Two events in two folders: each finds its own book, wherever the command is called."""
    for folder, points in (("one", 2), ("two", 5)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "house.toml").write_text(HOUSE.replace("draw = 2", f"draw = {points}"))
        event = document(played("mtr", "A 1-1 B")) | {"rules": "house.toml"}
        file = write(event, tmp_path / folder / "cup.json")
        answer = json.loads(topcut("standings", str(file), "--json").out)
        assert (answer["rules"], answer["standings"][0]["points"]) == ("house", points)


def test_a_book_in_another_folder(tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "house.toml").write_text(HOUSE)
    file = write(CUP | {"rules": "books/house.toml"}, tmp_path / "cup.json")
    assert json.loads(topcut("standings", str(file), "--json").out)["rules"] == "house"


def test_the_book_of_an_event_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.toml").write_text(HOUSE)
    monkeypatch.chdir(tmp_path)
    answer = topcut("standings", "-", "--json", stdin=json.dumps(CUP | {"rules": "house.toml"}).encode())
    assert json.loads(answer.out)["rules"] == "house"


def test_a_mistake_in_the_book_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE.replace("draw = 2", "drawn = 2"))
    file = write(CUP | {"rules": "house.toml"}, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), "house.toml:6: measures.points.drawn: ", "unknown key")


def test_a_book_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE + "win =\n")
    file = write(CUP | {"rules": "house.toml"}, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), "house.toml:7: ", "TOML")


def test_a_book_that_is_not_there(tmp_path: Path) -> None:
    file = write(CUP | {"rules": "hause.toml"}, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), "hause.toml: ", "No such file")


def test_a_book_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "house.toml").mkdir()
    file = write(CUP | {"rules": "house.toml"}, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), "house.toml: ", "directory")


def test_a_book_in_latin_1(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_bytes(HOUSE.replace("House rules", "Zürich").encode("latin-1"))
    file = write(CUP | {"rules": "house.toml"}, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), "house.toml: ", "UTF-8")


def test_a_book_of_two_megabytes(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE + "#" * 2_000_000)
    file = write(CUP | {"rules": "house.toml"}, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), "house.toml: ", "too large")


def test_a_path_that_is_no_book(tmp_path: Path) -> None:
    """Only .toml files are looked for: a misspelt id is a misspelt id."""
    (tmp_path / "house").write_text(HOUSE)
    file = write(CUP | {"rules": "house"}, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), f"{file}: rules: ", 'no ruleset "house"')
