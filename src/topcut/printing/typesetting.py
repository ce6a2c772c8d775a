"""Set a sheet with Typst, and report names whose letters no font has.

The files in `sheets/` say what paper looks like; they get their data as JSON. The same data give the same
bytes: nothing in the file tells the hour. Source Sans comes with the program. For letters it does not have
the fonts of the machine are used, and what none of them has is printed as a box and reported.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal
from unicodedata import category, combining, east_asian_width
from unicodedata import name as name_of

import font_source_sans_pro
import msgspec
import typst

from topcut.errors import BadInput
from topcut.text.message_json import write_json
from topcut.text.messages import language_in_use, render, say

SHEETS = Path(__file__).parent / "sheets"
FONTS = [font_source_sans_pro.font_directory]
ARCHIVE: Literal["a-2u"] = "a-2u"
"""PDF/A, which can be archived and searched; Typst refuses it if a letter has no picture."""
COVERED = frozenset(chr(c) for c in range(0x20, 0x17F) if chr(c).isprintable()) | frozenset("–—·×…’“”☐✓")
"""Letters that Source Sans is known to have; a test compares."""
BOX = "☐"
"""What is printed for a letter that no font has."""
JOINERS = "\u200c\u200d"
"""They shape letters in names of some scripts; all other marks that do not print are left out."""
PAPERS = {"a4": (210.0, 297.0), "us-letter": (215.9, 279.4)}
"""Width and height in millimetres."""
MARGIN = 11.0
"""Millimetres at the left and the right of every sheet."""
EDGE = 6.0
"""Millimetres at the edge that printers do not reach; the margin of each piece that is cut."""
POINT = 25.4 / 72
LEAST = 0.72
"""The smallest scale of a text before it takes another line."""
NO_PICTURE = "could not be displayed"
NAMELESS = say("a sign without a name")
_SAID = re.compile(r'\bsay\(\s*"([^"]+)"')
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")
FORGOTTEN = 11
"""Compilations after which Typst drops its cache of one."""


@dataclass(frozen=True)
class PrintedSheet:
    """A PDF, and what could not be printed as it is written, in sentences."""

    pdf: bytes
    problems: list[str]


def typeset(sheet: str, data: Mapping[str, Any], names: Iterable[tuple[str, str]] = ()) -> PrintedSheet:
    """Set a sheet; `names` are the texts that people wrote, each with what it is ("player p3")."""
    text = write_json(_strip_all(data)).decode()
    fonts, missing = _choose_fonts(text + "".join(map(render, map(say, list_sheet_texts()))))
    problems = list(_report_missing(names, missing))
    text = text.translate({ord(letter): "" if _is_mark(letter) else BOX for letter in missing})
    mark = sha256(text.encode()).hexdigest()[:6]
    words = {template: render(say(template)) for template in list_sheet_texts()}
    inputs = {
        "data": text,
        "mark": mark,
        "margin": str(MARGIN),
        "least": str(LEAST),
        "words": write_json(words).decode(),
        "language": language_in_use().partition("+")[0].partition("-")[0],
    }
    source = str(SHEETS / f"{sheet}.typ")
    try:
        return PrintedSheet(_compile(source, fonts, inputs), problems)
    except typst.TypstError as error:
        if NO_PICTURE not in str(error):
            raise
        problems.append(say("some characters may be missing: {problem}", problem=error.message))
        return PrintedSheet(_compile(source, fonts, inputs, standard=None), problems)


@cache
def list_sheet_texts() -> tuple[str, ...]:
    """Return the texts that the sheets themselves have, in English."""
    sources = [path.read_text("utf-8") for path in sorted(SHEETS.glob("*.typ"))]
    return tuple(dict.fromkeys(text for source in sources for text in _SAID.findall(source)))


def find_unprintable(names: Iterable[tuple[str, str]]) -> list[str]:
    """Return what could not be printed of these texts, in sentences."""
    found = list(names)
    _, missing = _choose_fonts(" ".join(strip_invisible(name) for _, name in found))
    return list(_report_missing(found, missing))


@cache
def measure_letters() -> dict[str, float]:
    """Return the width of each letter of the program's own font, in parts of its size."""
    letters = sorted(COVERED)
    asked = typst.Compiler(
        str(SHEETS / "letters.typ"),
        root=str(SHEETS),
        font_paths=_fonts(system=False),
        sys_inputs={"data": msgspec.json.encode(letters).decode()},
    )
    found = msgspec.json.decode(asked.query("<widths>", field="value", one=True), type=list[float])
    return dict(zip(letters, found, strict=True))


def measure_text(text: str) -> float:
    """Return the width of a text in parts of its size: exact in our own font, else rather too much."""
    widths = measure_letters()
    return sum(widths.get(letter) or _guess_width(letter) for letter in render(text))


def _guess_width(letter: str) -> float:
    return 0.0 if combining(letter) else 1.05 if east_asian_width(letter) in "WF" else 0.75


def free_memory() -> None:
    """Free the memory of what was printed last; for a server."""
    for _ in range(FORGOTTEN):
        typst.compile(b"", font_paths=_fonts(system=False), timestamp=0)


def strip_invisible(text: str) -> str:
    """Return the text without marks that do not print; every kind of space is one.

    >>> strip_invisible("Ada\\u202e\\u3000Lovelace")
    'Ada Lovelace'
    """
    return text if text.isprintable() else "".join(map(_strip_letter, text))


@cache
def _strip_letter(letter: str) -> str:
    kind = category(letter)
    if kind in ("Zs", "Zl", "Zp", "Cc"):
        return " "
    return "" if kind in ("Cf", "Cs") and letter not in JOINERS else letter


def _strip_all(value: Any) -> Any:
    """Return the data with clean texts in it, in the language in use."""
    if isinstance(value, str):
        return strip_invisible(render(value))
    if isinstance(value, Mapping):
        return {key: _strip_all(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_strip_all(inner) for inner in value]
    return value


def _choose_fonts(text: str) -> tuple[typst.Fonts, set[str]]:
    """Return the fonts that a text needs, and the letters that none of them has."""
    if COVERED.issuperset(text):
        return _fonts(system=False), set()
    words = sorted(word for word in set(text.replace('"', " ").split()) if not COVERED.issuperset(word))
    if next(_find_missing(words, _fonts(system=False)), None) is None:
        return _fonts(system=False), set()
    return _fonts(system=True), set(_find_missing(words, _fonts(system=True)))


def _find_missing(words: list[str], fonts: typst.Fonts) -> Iterator[str]:
    """Yield the letters for which there is no picture, found by setting the words."""
    while True:
        try:
            _compile(str(SHEETS / "probe.typ"), fonts, {"data": msgspec.json.encode(words).decode()})
            return
        except typst.TypstError as error:
            said = str(error).partition('`"')[2].partition('"`')[0]
            said = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), said)
            found = [letter for letter in said if letter not in COVERED]
            if NO_PICTURE not in str(error):
                raise
            if not found:  # it names the letter below a mark, and means the mark
                rest = {letter for word in words for letter in word if letter not in COVERED}
                found = [letter for letter in rest if _is_mark(letter)] or list(rest)
            if not found:
                return
            yield from found
            words = [word.translate({ord(letter): None for letter in found}) for word in words]


def _report_missing(names: Iterable[tuple[str, str]], missing: set[str]) -> Iterator[str]:
    for who, name in names:
        shown = strip_invisible(name)
        letters = [
            f"{letter} (U+{ord(letter):04X}, {name_of(letter, '').lower() or NAMELESS})"
            for letter in dict.fromkeys(shown)
            if letter in missing
        ]
        if letters:
            yield say(
                "{what}, {name}: no font on this machine has {letters}; a box is printed instead",
                what=who,
                name=shown,
                letters=", ".join(letters),
            )


def _is_mark(letter: str) -> bool:
    """Return whether a letter is set on another one, or changes how it looks."""
    return category(letter)[0] == "M" or category(letter) in ("Cf", "Sk")


@cache
def _fonts(system: bool) -> typst.Fonts:
    return typst.Fonts(include_system_fonts=system, include_embedded_fonts=False, font_paths=FONTS)


def _compile(
    source: str, fonts: typst.Fonts, inputs: dict[str, str], standard: Literal["a-2u"] | None = ARCHIVE
) -> bytes:
    pdf = typst.compile(
        source, root=str(SHEETS), font_paths=fonts, sys_inputs=inputs, pdf_standards=standard, timestamp=0
    )
    if not isinstance(pdf, bytes):
        raise BadInput(say("there is nothing to print"))
    return pdf
