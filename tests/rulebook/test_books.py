"""Are the books complete, and may anyone bring their own?"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rulebook.small_book import HOUSE, written
from topcut.errors import BadInput
from topcut.rulebook import Book, list_ids, load
from topcut.rulebook.labels import Label
from topcut.rulebook.layout import DECISIONS, Section
from topcut.rulebook.loader import build_book, list_parameters, read_book
from topcut.rulebook.planning.plan import plan_event


def sections(part: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every table of a book that has a source."""
    if isinstance(part, dict):
        if "source" in part:
            yield path, part
        for name, inner in part.items():
            yield from sections(inner, f"{path}.{name}")
    elif isinstance(part, list):
        for i, inner in enumerate(part):
            yield from sections(inner, f"{path}[{i}]")


class TestOurs:
    def test_there_are_eight(self) -> None:
        assert list_ids() == [
            "allegiance-2005",
            "commander-4",
            "dci-1999",
            "draft-sheet",
            "fab-gem",
            "mtr",
            "pokemon-2017",
            "pokemon-tom",
        ]

    @pytest.mark.parametrize("book_id", list_ids())
    def test_every_book_is_named_as_its_file(self, book_id: str) -> None:
        assert load(book_id).id == book_id

    @pytest.mark.parametrize("book_id", list_ids())
    def test_every_parameter_has_a_source(self, book_id: str) -> None:
        _, found = list_parameters(read_book(book_id), {})
        assert len(found) > 20
        assert [p for p in found if not p.source.strip()] == []

    @pytest.mark.parametrize("book_id", list_ids())
    def test_every_section_stands_in_the_book_once_it_is_read(self, book_id: str) -> None:
        source = read_book(book_id)
        book, found = list_parameters(source, {})
        fields = {"match", "measures", "chain", "standings", "plan", "pairing", "cut", "tables", "divisions"}
        fields |= {"flights", "stages", "late_entry", "running"}
        written_there = {name for name in source.tree if name in fields}
        assert {p.section.split(".")[0].split(" ")[0] for p in found} == written_there
        assert written_there == {name for name in fields if getattr(book, name) is not None}

    @pytest.mark.parametrize("book_id", list_ids())
    def test_every_single_source_belongs_to_a_parameter(self, book_id: str) -> None:
        for path, section in sections(read_book(book_id).tree):
            known = {*section, *DECISIONS}
            assert [name for name in section.get("sources", {}) if name not in known] == [], path

    @pytest.mark.parametrize("book_id", list_ids())
    def test_every_option_of_every_reading_makes_a_valid_book(self, book_id: str) -> None:
        source = read_book(book_id)
        for rule, reading in load(book_id).readings.items():
            for letter in reading.options:
                assert build_book(source, {rule: letter}).readings[rule].chosen == letter

    @pytest.mark.parametrize("book_id", list_ids())
    def test_every_reading_has_a_use(self, book_id: str) -> None:
        _, found = list_parameters(read_book(book_id), {})
        used = {p.reading.id for p in found if p.reading}
        inherited = {"PK-A7"} if book_id == "pokemon-tom" else set()
        assert set(load(book_id).readings) - used == inherited

    def test_a_message_cites_the_number_of_a_rule_or_else_the_section(self) -> None:
        sources = {"cut": Label("Appendix E"), "rounds": Label("§4 (PK-A15)")}
        section = Section(source=Label("§3 (PK-42, PK-43)"), sources=sources)
        assert [section.rule(name) for name in ("flights", "cut", "rounds")] == [
            "PK-42",
            "Appendix E",
            "PK-A15",
        ]


class TestYourOwn:
    def test_a_book_by_path(self, tmp_path: Path) -> None:
        book = load(written(tmp_path, HOUSE), folder=tmp_path)
        assert (book.id, plan_event(book, 9).rounds) == ("house", 4)

    def test_a_path_needs_a_folder_to_be_seen_from(self) -> None:
        with pytest.raises(
            BadInput, match=r'^no ruleset "house.toml": expected one of allegiance-2005, .*-tom$'
        ):
            load("house.toml")

    def test_a_book_based_on_one_of_ours(self, tmp_path: Path) -> None:
        text = 'id = "club"\nbase = "pokemon-2017"\n[choose]\nPK-A3 = "b"\n[flights]\nflight_from = 16\n'
        book = load(written(tmp_path, text), folder=tmp_path)
        ours = load("pokemon-2017")
        assert (book.id, book.title, book.readings["PK-A3"].chosen) == ("club", ours.title, "b")
        assert book.flights is not None
        assert (book.flights.flight_from, book.flights.division_from) == (16, 64)

    def test_a_base_is_seen_from_the_book_that_names_it(self, tmp_path: Path) -> None:
        (tmp_path / "books").mkdir()
        written(tmp_path / "books", HOUSE)
        written(tmp_path, 'id = "mine"\nbase = "house.toml"\nedition = "second"\n', "books/mine.toml")
        book = load("books/mine.toml", folder=tmp_path)
        assert (book.id, book.edition, book.title) == ("mine", "second", "House rules")

    def test_a_given_reading_goes_before_the_books_own_choice(self, tmp_path: Path) -> None:
        def win(book: Book) -> str:
            return repr(book.measures["points"].win)  # type: ignore[union-attr]

        name = written(tmp_path, HOUSE + '[choose]\nHR-A1 = "b"\n')
        assert win(load(name, folder=tmp_path)) == "3"
        assert win(load(name, {"HR-A1": "a"}, folder=tmp_path)) == "1"
