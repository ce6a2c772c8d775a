"""Do the labels of a book come in the language that is used: by the catalogues, or by the book itself?"""

import copy
import pickle
from pathlib import Path

import msgspec
import pytest

from tests.rulebook.small_book import HOUSE, written
from tools.messages import find_texts
from topcut.errors import BadInput
from topcut.rulebook import Book, list_ids, load
from topcut.rulebook.loader import freeze_book, thaw_book
from topcut.text.messages import say, using_language

GERMAN = """
[languages.de]
"House rules" = "Hausregeln"
"Opponents' points" = "Punkte der Gegner"
"Opp." = "Geg."
"""


def load_house(folder: Path, more: str = GERMAN) -> Book:
    return load(written(folder, HOUSE + more), folder=folder)


def test_a_book_brings_translations_of_its_labels(tmp_path: Path) -> None:
    book = load_house(tmp_path)
    assert (book.title, book.chain[1].label, book.chain[1].short) == (
        "House rules",
        "Opponents' points",
        "Opp.",
    )
    assert book.title.render("de") == "Hausregeln"
    assert book.chain[1].short.render("de") == "Geg."
    assert book.label("Opponents' points").render("de") == "Punkte der Gegner"
    with using_language("de"):
        said = say("{table} by {label}", table=3, label=book.chain[1].label)
        assert said.render().endswith("Punkte der Gegner")


def test_a_label_without_a_translation_stays_as_it_is(tmp_path: Path) -> None:
    book = load_house(tmp_path)
    assert book.edition.render("de") == "first"
    assert book.title.render("tlh") == "House rules"


def test_an_event_keeps_the_translations_with_its_rules(tmp_path: Path) -> None:
    frozen = msgspec.json.decode(msgspec.json.encode(freeze_book(load_house(tmp_path))))
    book = thaw_book(frozen)
    assert book == load_house(tmp_path)
    assert book.title.render("de") == "Hausregeln"
    assert copy.deepcopy(book).title.render("de") == "Hausregeln"
    assert pickle.loads(pickle.dumps(book.title)).render("de") == "Hausregeln"


def test_a_source_is_translated_too(tmp_path: Path) -> None:
    source = load_house(tmp_path).chain[0].source
    more = f'[languages.de]\n"{source}" = "nach Hausbrauch"\n'
    assert load_house(tmp_path, more).chain[0].source.render("de") == "nach Hausbrauch"


@pytest.mark.parametrize("book_id", list_ids())
def test_a_book_without_translations_is_frozen_as_ever(book_id: str) -> None:
    frozen = freeze_book(load(book_id))
    assert "languages" not in frozen
    assert thaw_book(frozen) == load(book_id)


def test_a_book_inherits_the_translations_of_its_base(tmp_path: Path) -> None:
    written(tmp_path, HOUSE + GERMAN)
    mine = (
        'id = "mine"\nbase = "house.toml"\ntitle = "Mine"\n[languages.de]\n"Mine" = "Meine"\n"Opp." = "Gg."\n'
    )
    book = load(written(tmp_path, mine, "mine.toml"), folder=tmp_path)
    assert [book.title.render("de"), book.chain[1].label.render("de")] == ["Meine", "Punkte der Gegner"]
    assert book.chain[1].short.render("de") == "Gg."


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('"Opponent points" = "Punkte"', "languages.de.Opponent points: the book has no such text"),
        ('"Points" = " "', "languages.de.Points: expected a translation"),
        ('"Points" = 3', "languages.de[...]: expected text, not a whole number"),
    ],
)
def test_a_translation_of_nothing_is_a_mistake(tmp_path: Path, more: str, says: str) -> None:
    with pytest.raises(BadInput) as found:
        load_house(tmp_path, f"\n[languages.de]\n{more}\n")
    assert says in str(found.value)


@pytest.mark.parametrize("language", ["en", "German", "DE!"])
def test_a_language_has_its_code(tmp_path: Path, language: str) -> None:
    with pytest.raises(BadInput, match="expected the code of a language other than English"):
        load_house(tmp_path, f'\n[languages."{language}"]\n"Points" = "Punkte"\n')


def test_the_catalogues_hold_the_labels_of_our_own_books() -> None:
    there = {text.one for text in find_texts() if text.file.endswith(".toml")}
    assert {"Opponents' match-win %", "play-off", "junior", "Four-player pods", "half a win"} <= there
    assert {"not in the document", "§3.1.4.1, third tiebreaker"} <= there, "sources are read by people too"
    assert "§3.1.4 (PK-3)" not in there, "the same in every language"
