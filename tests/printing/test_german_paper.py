"""Paper in German, in two languages, and in English: its words, none of them cut off or on another."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.printing.pdf_reader import faults, text_of
from tests.printing.printable_events import printed_event
from topcut.printing.page import PrintOptions
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.registry import print_sheet
from topcut.rulebook.options import Options
from topcut.text.catalogues import load_catalogue
from topcut.text.messages import moment, using_language

EVENT = "Autumn Cup"
KINDS = {
    "pairings": (("mtr", 12, 3), ["Paarungen", "Runde 3", "Tisch"]),
    "slips": (("mtr", 12, 3), ["Unterschriften", "Runde 3", "Unentschieden"]),
    "standings": (("mtr", 12, 3), ["Rangliste", "Punkte"]),
    "sheet": (("draft-sheet", 8, 1), ["Runde 1"]),
    "card": (("dci-1999", 9, 2), ["Runde", "Gegner"]),
    "bracket": (("mtr", 8, 0), ["Turnierbaum"]),
    "sign-in": (("mtr", 12, 0), ["Anmeldeliste"]),
    "seats": (("mtr", 12, 0), ["Sitzplätze", "Tisch"]),
}
"""An event for each sheet, and German words on it."""


def event_for(kind: str, languages: tuple[str, ...]) -> PrintedEvent:
    """An event whose sheet is in these languages."""
    (rules, players, rounds), _ = KINDS[kind]
    options = Options(languages=languages, format="elimination" if kind == "bracket" else None)
    at = moment(datetime(2026, 11, 14, 14, 5, tzinfo=UTC), "stamp")
    event = printed_event(
        rules, players, rounds, unfinished=kind == "slips", hard=False, options=options, at=at
    )
    seated = {player.id: table for table, player in enumerate(event.players, start=1)}
    return replace(event, seated=seated) if kind == "seats" else event


def print_in(kind: str, *languages: str) -> str:
    """The text of a sheet, which has to be readable everywhere."""
    pdf = print_sheet(kind, event_for(kind, languages), PrintOptions()).pdf
    assert faults(pdf) == []
    return text_of(pdf)


def english_words(text: str) -> set[str]:
    """The words on paper that only English texts have."""
    catalogue = load_catalogue("de")
    words = re.compile(r"[A-Za-zÄÖÜäöüß]{4,}")
    german = {word for forms in catalogue.texts.values() for form in forms for word in words.findall(form)}
    english = {word for _, one in catalogue.texts for word in words.findall(one)}
    return set(words.findall(text)) & (english - german - set(words.findall(EVENT)))


@pytest.mark.parametrize("kind", KINDS)
def test_paper_is_in_the_language_of_the_event(kind: str) -> None:
    german = print_in(kind, "de")
    assert [word for word in KINDS[kind][1] if word not in german] == []
    assert english_words(german) == set()
    english = print_in(kind, "en")
    assert any(word not in english for word in KINDS[kind][1])


@pytest.mark.parametrize("kind", KINDS)
def test_paper_can_be_in_two_languages(kind: str) -> None:
    both = print_in(kind, "de", "en")
    assert [word for word in KINDS[kind][1] if word not in both] == []
    assert " / " in both


def test_the_time_on_paper_is_written_as_in_the_language() -> None:
    assert "Sa., 14. Nov. 2026, 14:05 UTC" in print_in("pairings", "de")
    with using_language("de"):  # the language of the event goes before that of the reader
        assert "Sat, 14 Nov 2026, 14:05 UTC" in print_in("pairings", "en")
