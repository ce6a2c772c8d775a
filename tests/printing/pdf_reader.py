"""What stands on the pages of a PDF, and where, as poppler's programs read it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from html import unescape

import numpy as np
import zxingcpp
from numpy.typing import NDArray

from tests.required_programs import program
from tests.timeouts import PATIENCE

MILLIMETRE = 72 / 25.4
_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
_WORD = re.compile(r'<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)</word>')
_UNSEEN = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e"))


@dataclass(frozen=True)
class Word:
    """A word and the box around it, in millimetres from the top left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    def overlaps(self, other: Word) -> bool:
        """Whether they lie on each other; boxes are as high as the font, letters are lower."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        lower = min(self.bottom - self.top, other.bottom - other.top)
        return across > 0.2 and down > 0.45 * lower


@dataclass(frozen=True)
class Sheet:
    """A page: its size and its words."""

    width: float
    height: float
    words: list[Word]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def rows(self) -> list[str]:
        """The words as people read them: from the top, those at one height together."""
        rows: list[list[Word]] = []
        for word in sorted(self.words, key=lambda word: word.middle):
            if rows and word.middle - rows[-1][-1].middle < 1:
                rows[-1].append(word)
            else:
                rows.append([word])
        return [" ".join(word.text for word in sorted(row, key=lambda word: word.left)) for row in rows]

    def faults(self, edge: float = 4.0) -> list[str]:
        """Words that leave the part of the page that printers reach, or lie on each other."""
        outside = [
            f"{word.text} is at the edge"
            for word in self.words
            if not (edge <= word.left and word.right <= self.width - edge)
            or not (edge / 2 <= word.top and word.bottom <= self.height - edge / 2)
        ]
        words = sorted(self.words, key=lambda word: word.top)
        below = [(word, words[at + 1 : at + 120]) for at, word in enumerate(words)]
        both = [f"{a.text} lies on {b.text}" for a, others in below for b in others if a.overlaps(b)]
        return outside + both


def _run(name: str, *arguments: str, pdf: bytes) -> bytes:
    path = program(name, "poppler-utils provides it")
    done = subprocess.run([path, *arguments], input=pdf, capture_output=True, check=True, timeout=PATIENCE)
    return done.stdout


def pages(pdf: bytes) -> list[list[str]]:
    """The lines of each page, in the order in which they were set, without marks of direction."""
    text = _run("pdftotext", "-raw", "-", "-", pdf=pdf).decode().translate(_UNSEEN)
    return [[line for line in page.split("\n") if line] for page in text.split("\f")[:-1]]


def text_of(pdf: bytes) -> str:
    """All words in the order in which they were set, with one space between them."""
    return " ".join(word for page in pages(pdf) for line in page for word in line.split())


def sheets(pdf: bytes) -> list[Sheet]:
    """The pages with their words. What runs from right to left has its letters as the eye meets them."""
    found = []
    text = _run("pdftotext", "-bbox", "-", "-", pdf=pdf).decode().translate(_UNSEEN)
    for width, height, inside in _PAGE.findall(text):
        words = []
        for *numbers, word in _WORD.findall(inside):
            left, top, right, bottom = (float(number) / MILLIMETRE for number in numbers)
            words.append(Word(unescape(word), left, top, right, bottom))
        found.append(Sheet(float(width) / MILLIMETRE, float(height) / MILLIMETRE, words))
    return found


def faults(pdf: bytes, edge: float = 4.0) -> list[str]:
    """What cannot be read on any page."""
    return [fault for page in sheets(pdf) for fault in page.faults(edge)]


def codes(pdf: bytes, page: int) -> list[tuple[str, float, float]]:
    """What the QR codes of a page say, each with where it stands: parts of the page's width and height."""
    number = str(page + 1)
    picture = _run("pdftoppm", "-gray", "-r", "150", "-f", number, "-l", number, pdf=pdf)
    kind, size, _, _ = picture.split(b"\n", 3)
    assert kind == b"P5"
    width, height = map(int, size.split())
    pixels: NDArray[np.uint8] = np.frombuffer(picture[-width * height :], np.uint8).reshape(height, width)
    found = zxingcpp.read_barcodes(pixels)
    return [(one.text, one.position.top_left.x / width, one.position.top_left.y / height) for one in found]
