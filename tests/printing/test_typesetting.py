"""The press: the same data give the same bytes, and a letter that no font has is reported with its name."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys

import pytest
import typst
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.printing.pdf_reader import pages
from tests.printing.printable_events import printed_event
from tests.timeouts import PATIENCE
from topcut.errors import TopcutError
from topcut.history.model import Player
from topcut.printing import typesetting
from topcut.printing.page import PrintOptions
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.registry import SHEET_BUILDERS, print_sheet
from topcut.printing.typesetting import measure_text

UNKNOWN = "\U0001bfff"
"""A letter that no font has: it is nobody's."""


def with_name(event: PrintedEvent, name: str) -> PrintedEvent:
    first, *others = event.players
    players = (Player(id=first.id, name=name), *others)
    return PrintedEvent(
        name=event.name,
        book=event.book,
        options=event.options,
        players=players,
        rounds=event.rounds,
        seeds=event.seeds,
    )


def test_the_letters_that_are_taken_for_granted_are_there() -> None:
    fonts = typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=typesetting.FONTS
    )
    for weight in ("regular", "semibold", "bold"):
        source = (
            f'#set text(font: "Source Sans Pro", weight: "{weight}", fallback: false)\n#(sys.inputs.text)'
        )
        text = " ".join(sorted(typesetting.COVERED))
        assert typst.compile(
            source.encode(), font_paths=fonts, sys_inputs={"text": text}, pdf_standards="a-2u", timestamp=0
        )


def test_the_same_input_gives_the_same_bytes_in_another_process() -> None:
    code = (
        "from tests.printing.printable_events import printed_event\n"
        "from topcut.printing.page import PrintOptions\n"
        "from topcut.printing.registry import print_sheet\n"
        "import hashlib\n"
        "event = printed_event('mtr', 30, 2)\n"
        "kinds = ('pairings', 'slips', 'standings', 'card', 'sign-in')\n"
        "print([hashlib.sha256(print_sheet(kind, event, PrintOptions()).pdf).hexdigest() for kind in kinds])"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            timeout=PATIENCE,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_a_letter_that_no_font_has_is_reported_with_the_players_name() -> None:
    event = with_name(printed_event("mtr", 8, 1, unfinished=True, hard=False), f"Zoë{UNKNOWN} Dice")
    printed = print_sheet("pairings", event, PrintOptions())
    assert printed.problems == [
        f"player p0, Zoë{UNKNOWN} Dice: no font on this machine has {UNKNOWN}"
        " (U+1BFFF, a sign without a name); a box is printed instead"
    ]
    assert f"Zoë{typesetting.BOX} Dice" in " ".join(pages(printed.pdf)[0])


def test_marks_that_do_not_print_are_left_out() -> None:
    """A name cannot turn what stands beside it around, nor break out of its cell."""
    event = with_name(
        printed_event("mtr", 8, 1, unfinished=True, hard=False), "Eve\u202e\u0000\n\tMallory\u2066\x1b[2J"
    )
    printed = print_sheet("pairings", event, PrintOptions(by="table"))
    assert printed.problems == []
    assert "Eve Mallory [2J" in " ".join(pages(printed.pdf)[0])


ODD = st.text(
    st.sampled_from("AZé 👨🎲🏽👩\u200d\ufe0f\u0300\u0301\u030d\u0310\u036f山كक्\U0001bfff"), max_size=12
)


@given(st.lists(st.text(max_size=80) | ODD, min_size=4, max_size=4))
def test_any_names_can_be_printed(names: list[str]) -> None:
    event = printed_event("mtr", 4, 1, unfinished=True, hard=False)
    players = tuple(replace(player, name=name) for player, name in zip(event.players, names, strict=True))
    event = dataclasses.replace(event, players=players, boards={})
    for kind in ("pairings", "slips"):
        printed = print_sheet(kind, event, PrintOptions())
        assert printed.pdf.startswith(b"%PDF-1.7")


def test_two_names_with_emoji_are_both_reported() -> None:
    event = printed_event("mtr", 4, 1, unfinished=True, hard=False)
    names = ["Ada \U0001bffe\U0001f3fd", "Bo \U0001bfff"]
    players = tuple(replace(player, name=name) for player, name in zip(event.players, names, strict=False))
    event = dataclasses.replace(event, players=players + event.players[2:], boards={})
    printed = print_sheet("sign-in", event, PrintOptions())
    assert [problem.split(",")[0] for problem in printed.problems] == ["player p0", "player p1"]


@pytest.mark.parametrize(
    "markup", ['#panic("x")', "$ x $", "*b* _i_ `c`", "\\u{41}", "<l> @l", '"]})', "// c", "= h"]
)
def test_markup_in_names_is_text(markup: str) -> None:
    event = with_name(printed_event("mtr", 8, 1, unfinished=True, hard=False), markup)
    assert markup in " ".join(pages(print_sheet("pairings", event, PrintOptions(by="table")).pdf)[0])


@pytest.mark.large
def test_memory_is_given_back() -> None:
    """Typst remembers what it has set for some sheets more; a server that prints all day lets it go."""
    code = (
        "from tests.printing.printable_events import printed_event\n"
        "from topcut.printing.page import PrintOptions\n"
        "from topcut.printing.typesetting import free_memory\n"
        "from topcut.printing.registry import print_sheet\n"
        "def now(): return int(open('/proc/self/statm').read().split()[1]) * 4096 / 2**20\n"
        "for n in range(6):\n"
        "    event = printed_event('mtr', 1000 + n, 1, hard=False)\n"
        "    print_sheet('pairings', event, PrintOptions()); free_memory()\n"
        "    if n == 1: before = now()\n"
        "print(now() - before)"
    )
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("this machine does not tell how much memory a process has")
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONPATH": "."},
    )
    assert float(done.stdout) < 30  # megabytes; without it four such sheets keep about 80


def test_widths_are_those_of_the_font() -> None:
    assert measure_text("") == 0
    assert measure_text("iii") < measure_text("nnn") < measure_text("mmm")
    assert measure_text("11") == measure_text("00")  # figures stand below each other


@pytest.mark.parametrize("kind", [kind for kind in SHEET_BUILDERS if kind != "sheet"])
def test_an_event_without_anybody_has_nothing_to_print(kind: str) -> None:
    with pytest.raises(TopcutError) as refused:
        print_sheet(kind, printed_event("mtr", 0, 0), PrintOptions())
    assert "\n" not in str(refused.value)
