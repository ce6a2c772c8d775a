"""Paper in two languages beside each other: every text in both, a name once, nothing on anything else."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from tests.printing.pdf_reader import faults, text_of
from tests.printing.printable_events import printed_event
from tests.text.invented_language import INVENTED, use_invented_languages
from tools.messages import lengthen
from topcut.printing.page import PrintOptions
from topcut.printing.registry import print_sheet

BOTH = (INVENTED, "en")


@pytest.fixture(autouse=True)
def _use_invented_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    use_invented_languages(monkeypatch)


@pytest.mark.parametrize(
    ("kind", "rules", "players", "per_page"),
    [
        ("slips", "dci-1999", 12, 4),
        ("slips", "dci-1999", 12, 8),
        ("slips", "allegiance-2005", 12, 4),
        ("card", "dci-1999", 12, 4),
        ("card", "allegiance-2005", 12, 4),
        ("sheet", "draft-sheet", 8, 4),
    ],
)
def test_nothing_lies_on_anything_else(kind: str, rules: str, players: int, per_page: int) -> None:
    event = printed_event(rules, players, 3, unfinished=True, hard=False)
    printed = print_sheet(kind, event, PrintOptions(languages=BOTH, per_page=per_page))
    assert faults(printed.pdf) == []


def test_a_record_is_in_both_languages() -> None:
    event = printed_event("dci-1999", 5, 2, unfinished=True, hard=False)
    text = text_of(print_sheet("pairings", event, PrintOptions(languages=BOTH)).pdf)
    assert "+bye" in text
    assert "+býé" in text


def test_a_name_is_there_once() -> None:
    event = printed_event("dci-1999", 4, 1, hard=False)
    players = [*event.players]
    players[0] = replace(players[0], name="Ada", dropped=1)
    event = dataclasses.replace(event, players=tuple(players), boards={})
    text = text_of(print_sheet("standings", event, PrintOptions(languages=BOTH)).pdf)
    assert text.count("Ada") == 1
    assert f"Ada ({lengthen('dropped')} / dropped)" in text
