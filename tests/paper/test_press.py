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

from tests.paper.occasions import occasion
from tests.paper.pdfs import pages
from topcut.errors import TopcutError
from topcut.history.model import Player
from topcut.paper import press
from topcut.paper.choice import Choice
from topcut.paper.measures import ems
from topcut.paper.occasion import Occasion
from topcut.paper.printing import KINDS, sheet

UNKNOWN = "\U0001bfff"
"""A letter that no font has: it is nobody's."""


def with_name(event: Occasion, name: str) -> Occasion:
    first, *others = event.players
    players = (Player(id=first.id, name=name), *others)
    return Occasion(
        name=event.name,
        book=event.book,
        options=event.options,
        players=players,
        rounds=event.rounds,
        seeds=event.seeds,
    )


def test_the_letters_that_are_taken_for_granted_are_there() -> None:
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=press.FONTS)
    for weight in ("regular", "semibold", "bold"):
        source = (
            f'#set text(font: "Source Sans Pro", weight: "{weight}", fallback: false)\n#(sys.inputs.text)'
        )
        text = " ".join(sorted(press.COVERED))
        assert typst.compile(
            source.encode(), font_paths=fonts, sys_inputs={"text": text}, pdf_standards="a-2u", timestamp=0
        )


def test_the_same_input_gives_the_same_bytes_in_another_process() -> None:
    code = (
        "from tests.paper.occasions import occasion\n"
        "from topcut.paper.choice import Choice\n"
        "from topcut.paper.printing import sheet\n"
        "import hashlib\n"
        "event = occasion('mtr', 30, 2)\n"
        "kinds = ('pairings', 'slips', 'standings', 'card', 'sign-in')\n"
        "print([hashlib.sha256(sheet(kind, event, Choice()).pdf).hexdigest() for kind in kinds])"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            timeout=120,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_a_letter_that_no_font_has_is_reported_with_the_players_name() -> None:
    event = with_name(occasion("mtr", 8, 1, unfinished=True, hard=False), f"Zoë{UNKNOWN} Dice")
    printed = sheet("pairings", event, Choice())
    assert printed.problems == [
        f"player p0, Zoë{UNKNOWN} Dice: no font on this machine has {UNKNOWN}"
        " (U+1BFFF, a sign without a name); a box is printed instead"
    ]
    assert f"Zoë{press.BOX} Dice" in " ".join(pages(printed.pdf)[0])


def test_marks_that_do_not_print_are_left_out() -> None:
    """A name cannot turn what stands beside it around, nor break out of its cell."""
    event = with_name(
        occasion("mtr", 8, 1, unfinished=True, hard=False), "Eve\u202e\u0000\n\tMallory\u2066\x1b[2J"
    )
    printed = sheet("pairings", event, Choice(by="table"))
    assert printed.problems == []
    assert "Eve Mallory [2J" in " ".join(pages(printed.pdf)[0])


ODD = st.text(
    st.sampled_from("AZé 👨🎲🏽👩\u200d\ufe0f\u0300\u0301\u030d\u0310\u036f山كक्\U0001bfff"), max_size=12
)


@given(st.lists(st.text(max_size=80) | ODD, min_size=4, max_size=4))
def test_any_names_can_be_printed(names: list[str]) -> None:
    event = occasion("mtr", 4, 1, unfinished=True, hard=False)
    players = tuple(replace(player, name=name) for player, name in zip(event.players, names, strict=True))
    event = dataclasses.replace(event, players=players, kept={})
    for kind in ("pairings", "slips"):
        printed = sheet(kind, event, Choice())
        assert printed.pdf.startswith(b"%PDF-1.7")


def test_two_names_with_emoji_are_both_reported() -> None:
    event = occasion("mtr", 4, 1, unfinished=True, hard=False)
    names = ["Ada \U0001bffe\U0001f3fd", "Bo \U0001bfff"]
    players = tuple(replace(player, name=name) for player, name in zip(event.players, names, strict=False))
    event = dataclasses.replace(event, players=players + event.players[2:], kept={})
    printed = sheet("sign-in", event, Choice())
    assert [problem.split(",")[0] for problem in printed.problems] == ["player p0", "player p1"]


@pytest.mark.parametrize(
    "markup", ['#panic("x")', "$ x $", "*b* _i_ `c`", "\\u{41}", "<l> @l", '"]})', "// c", "= h"]
)
def test_markup_in_names_is_text(markup: str) -> None:
    event = with_name(occasion("mtr", 8, 1, unfinished=True, hard=False), markup)
    assert markup in " ".join(pages(sheet("pairings", event, Choice(by="table")).pdf)[0])


def test_memory_is_given_back() -> None:
    """Typst remembers what it has set for some sheets more; a server that prints all day lets it go."""
    code = (
        "from tests.paper.occasions import occasion\n"
        "from topcut.paper.choice import Choice\n"
        "from topcut.paper.press import forget\n"
        "from topcut.paper.printing import sheet\n"
        "def now(): return int(open('/proc/self/statm').read().split()[1]) * 4096 / 2**20\n"
        "for n in range(6):\n"
        "    sheet('pairings', occasion('mtr', 1000 + n, 1, hard=False), Choice()); forget()\n"
        "    if n == 1: before = now()\n"
        "print(now() - before)"
    )
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("this machine does not tell how much memory a process has")
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": "."},
    )
    assert float(done.stdout) < 30  # megabytes; without it four such sheets keep about 80


def test_widths_are_those_of_the_font() -> None:
    assert ems("") == 0
    assert ems("iii") < ems("nnn") < ems("mmm")
    assert ems("11") == ems("00")  # figures stand below each other


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sheet"])
def test_an_event_without_anybody_has_nothing_to_print(kind: str) -> None:
    with pytest.raises(TopcutError) as refused:
        sheet(kind, occasion("mtr", 0, 0), Choice())
    assert "\n" not in str(refused.value)
