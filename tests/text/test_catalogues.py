"""Catalogues are read as Babel reads them, a broken one is one line; languages are found by their codes."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tools.messages import find_problems, list_fields, write_pseudo_languages
from topcut.text.catalogues import HERE as CATALOGUES
from topcut.text.catalogues import (
    OWN,
    CatalogueError,
    find_translation,
    list_catalogues,
    load_catalogue,
    read_catalogue,
)
from topcut.text.languages import (
    find_language,
    language_of_environment,
    list_languages,
    negotiate_language,
)

FILE = r"""
# a translator
msgid ""
msgstr ""
"Language: xx\n"
"Plural-Forms: nplurals=3; plural=n==1 ? 0 : n<5 ? 1 : 2;\n"

#: a.py
msgid "{n} table"
msgid_plural "{n} tables"
msgstr[0] "one"
msgstr[1] "few"
msgstr[2] "many"

#, fuzzy
msgid "unsure"
msgstr "not sure"

msgctxt "verb"
msgid "Meet"
msgstr "treffen"
msgid "long "
"line"
msgstr ""
"a \"long\" "
"line\n"

msgid "open"
msgstr ""
"""


def test_forms_contexts_and_lines_are_read() -> None:
    found = read_catalogue(FILE)
    assert [found.choose(n) for n in (1, 2, 5)] == [0, 1, 2]
    assert found.texts == {
        ("", "{n} table"): ("one", "few", "many"),
        ("verb", "Meet"): ("treffen",),
        ("", "long line"): ('a "long" line\n',),
    }


@pytest.mark.parametrize("path", sorted(CATALOGUES.glob("*.po")), ids=lambda path: path.stem)
def test_a_catalogue_is_read_as_babel_reads_it(path: Path) -> None:
    ours = load_catalogue(path.stem)
    theirs = read_po(BytesIO(path.read_bytes()), locale=path.stem)
    found = {}
    for message in theirs:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        one = message.id[0] if isinstance(message.id, tuple) else message.id
        if one and all(forms):
            found[message.context or "", one] = forms
    assert ours.texts == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('msgid "x', 'x.po: line 1: expected msgid or msgstr with "text"'),
        ('"x"', 'x.po: line 1: expected msgid or msgstr with "text"'),
        (
            'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=import os;"',
            "cannot read the rule for plurals",
        ),
    ],
)
def test_a_broken_catalogue_is_one_line(text: str, says: str) -> None:
    with pytest.raises(CatalogueError, match=says):
        read_catalogue(text, "x.po")


def test_what_is_not_translated_stays_english() -> None:
    assert find_translation("xx", "no such text") == "no such text"
    assert find_translation("xx", "{n} x", "{n} xs", n=2) == "{n} xs"


@pytest.mark.parametrize("path", sorted(CATALOGUES.glob("*.po")), ids=lambda path: path.stem)
def test_every_text_is_translated_with_the_same_fields(path: Path) -> None:
    assert find_problems(path) == [], "python -m tools.messages adds new texts to the catalogues"


def test_invented_languages_have_every_text_with_the_same_fields(tmp_path: Path) -> None:
    write_pseudo_languages(tmp_path)
    for path in tmp_path.glob("*.po"):
        texts = read_catalogue(path.read_text("utf-8")).texts
        assert len(texts) > 150
        for (_, text), forms in texts.items():
            assert list_fields(text) - {"n"} == list_fields(forms[0]) - {"n"}


def test_the_language_is_the_one_that_was_asked_for() -> None:
    assert list_languages()[0] == "en"
    assert find_language("de-CH") == "de"
    assert find_language("de_DE.UTF-8@euro") == "de"
    assert find_language("") is None
    assert negotiate_language("fr;q=0.9, de;q=0.8, en;q=0.7") == "de"
    assert negotiate_language("de;q=0, en") == "en"
    assert negotiate_language("de;q=x") == "en"
    assert language_of_environment({"LANG": "de_AT.UTF-8"}) == "de"
    assert language_of_environment({"LC_ALL": "C", "LANG": "de_DE"}) == "en"
    assert language_of_environment({"LC_ALL": "", "LANG": "xx"}) == "en"


def test_a_translation_with_other_fields_than_its_text_stays_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [("Table {table}", "Tisch {tisch}"), ("Round {number}", "Runde {number}"), ("{n} x", "{n x")]
    text = "\n\n".join(f'msgid "{one}"\nmsgstr "{other}"' for one, other in entries)
    (tmp_path / "xy.po").write_text(text, "utf-8")
    monkeypatch.setenv(OWN, str(tmp_path))
    list_catalogues.cache_clear()
    assert load_catalogue("xy").texts == {("", "Round {number}"): ("Runde {number}",)}
    list_catalogues.cache_clear()
    load_catalogue.cache_clear()
