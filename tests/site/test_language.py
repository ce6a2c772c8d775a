"""Is a site in the language of its event, and the same for programs in every language?"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.site.example_events import example
from tools.messages import lengthen, write_pseudo_languages
from topcut.formats.event_file import Event, build_event
from topcut.site.pages import build_site, write_site_files
from topcut.text.catalogues import OWN, list_catalogues, load_catalogue
from topcut.text.messages import language_in_use, using_language
from topcut.text.templates import forget_translations


@pytest.fixture(scope="module")
def invented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("languages")
    write_pseudo_languages(folder)
    return folder


@pytest.fixture(autouse=True)
def _use_invented_languages(invented: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv(OWN, str(invented))
    _forget()
    yield
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    list_catalogues.cache_clear()
    load_catalogue.cache_clear()
    forget_translations()


def in_languages(event: Event, *languages: str) -> Event:
    options = replace(event.file.options, languages=languages)
    return build_event(replace(event.file, options=options))


def test_pages_are_in_the_language_in_use() -> None:
    with using_language("en-XA"):
        page = build_site(example("city-cup"))["standings.html"].decode()
    assert '<html lang="en-XA" dir="ltr">' in page
    assert "[Åhéåd bý ~~]" in page
    assert "[Måtçh" in page or "[Öppöñéñts' " in page.replace("&#39;", "'")


def test_the_drawing_of_a_bracket_is_in_the_language_of_its_page() -> None:
    with using_language("en-XA"):
        page = build_site(example("city-cup-final"))["bracket.html"].decode()
    drawing = page.partition("<svg")[2].partition("</svg>")[0]
    assert lengthen("Third place") in drawing
    assert 'aria-label="[' in drawing


def test_the_language_of_the_event_goes_before_it() -> None:
    with using_language("en-XA"):
        page = build_site(in_languages(example("city-cup"), "ar-XB"))["index.html"].decode()
    assert '<html lang="ar-XB" dir="rtl">' in page
    assert "~~" not in page


def test_a_language_that_nobody_has_translated_changes_nothing() -> None:
    site = build_site(in_languages(example("city-cup"), "tlh"))
    assert '<html lang="en" dir="ltr">' in site["index.html"].decode()


def test_the_language_in_use_stays_while_files_are_taken() -> None:
    seen = {language_in_use() for _ in write_site_files(in_languages(example("city-cup"), "en-XA"))}
    assert seen == {"en"}


def test_programs_read_english() -> None:
    event = example("city-cup-final")
    with using_language("en-XA"):
        shown = build_site(event)
    plain = build_site(event)
    assert shown.keys() == plain.keys()
    for path, content in plain.items():
        assert (shown[path] == content) != path.endswith(".html"), path
