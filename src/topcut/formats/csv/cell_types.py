"""Recognise what stands in a cell, and so in a column: a year, a division, a number, a result, a name."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise

from topcut.formats.csv.headings import WORDS
from topcut.history.player_fields import EARLIEST_YEAR
from topcut.text.names import fold_letters

MOSTLY = 0.8
"""The share of cells that must agree before a column is taken for something."""
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_DATE = re.compile(
    r"(?:\d{1,4}\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{1,4}|\d{8}|\d{1,2}\.?\s+[^\W\d]+\.?,?\s+\d{4}"
    r"|[^\W\d]+\.?\s+\d{1,2},?\s+\d{4}|\d{4}年.*)(?:[T\s].*)?"
)
_SHORT_YEAR = re.compile(r"\d{1,2}\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{2}")
_NUMBER = re.compile(r"(?=.*\d)[\w./#-]{1,40}")
_NAME = re.compile(r"[^\W\d_](?:[^\d@]*)")
_LAST_FIRST = re.compile(r"\s*([^,]+?)\s*,\s*([^,]+?)\s*")
_AFTER_NAMES = {fold_letters(word) for word in WORDS["after_name"]["words"]}
"""What may follow a name after a comma without being one."""
USUAL_DIVISIONS = tuple(WORDS["division"])
"""What to look for where the rules know no divisions."""
_OTHER_WORDS = {fold_letters(word): usual for usual, words in WORDS["division"].items() for word in words}
_BESIDE_DIVISIONS = sorted(map(fold_letters, WORDS["player"]["division"]), key=len, reverse=True)
RESULT = re.compile(
    r"(?:\d{1,2}(?:[.,]5)?|½)\s*[-:–—]\s*(?:\d{1,2}(?:[.,]5)?|½)(?:\s*[-:–—]\s*\d{1,2})?|1/2\s*-\s*1/2"
)


def find_year(text: str) -> int | None:
    """Return the year in a date of whatever form; None where there is none.

    >>> [find_year(date) for date in ("2008", "12. März 2008", "20080312", "2008年3月12日", "8")]
    [2008, 2008, 2008, 2008, None]
    """
    text = unicodedata.normalize("NFKC", text).strip()
    if re.fullmatch(r"\d{8}", text):
        ahead = EARLIEST_YEAR <= int(text[:4]) <= 2100 and 1 <= int(text[4:6]) <= 12
        return int(text[:4] if ahead else text[4:])
    found = _YEAR.findall(text)
    return int(found[0]) if len(found) == 1 else None


def is_date(text: str) -> bool:
    """Return whether a cell is a year or a date."""
    text = unicodedata.normalize("NFKC", text)
    return find_year(text) is not None and bool(re.fullmatch(r"\d{4}", text) or _DATE.fullmatch(text))


def is_short_date(text: str) -> bool:
    """Return whether a date leaves open which century it means."""
    return bool(_SHORT_YEAR.fullmatch(text.strip()))


def find_division(text: str, divisions: Sequence[str]) -> str | None:
    """Return the division that is meant, in one of the forms that people use; None where that is not plain.

    >>> [find_division(text, USUAL_DIVISIONS) for text in ("MA", "Jr.", "Seniors Division", "x")]
    ['masters', 'junior', 'senior', None]
    """
    if text in divisions:
        return text
    word = fold_letters(text)
    for noise in _BESIDE_DIVISIONS:
        word = word.replace(noise, " ")
    for other, usual in _OTHER_WORDS.items():
        word = word.replace(other, usual)
    word = "".join(letter for letter in word if letter.isalnum())
    if not word:
        return None
    names = {name: "".join(letter for letter in fold_letters(name) if letter.isalnum()) for name in divisions}
    tests: tuple[Callable[[str], bool], ...] = (
        lambda name: name == word,
        lambda name: name.startswith(word) or (word.startswith(name) and len(word) <= len(name) + 3),
        lambda name: name.removesuffix("s") == word.removesuffix("s"),
        lambda name: len(word) <= 3 and name[:1] == word[:1] and _is_subsequence(word, name),
    )
    for test in tests:
        found = [name for name, letters in names.items() if letters and test(letters)]
        if len(found) == 1:
            return found[0]
    return None


def _is_subsequence(short: str, long: str) -> bool:
    """Return whether the letters of one stand in the other, in their order."""
    rest = iter(long)
    return all(letter in rest for letter in short)


def turn_name(name: str) -> str | None:
    """Return a name written with the last name in front, turned around; None where it is not.

    >>> turn_name("Okafor, Ada"), turn_name("Bo Bell, Jr."), turn_name("Ada")
    ('Ada Okafor', None, None)
    """
    found = _LAST_FIRST.fullmatch(name)
    if found is None or fold_letters(found[2]).strip(". ") in _AFTER_NAMES:
        return None
    return f"{found[2]} {found[1]}"


def is_name(text: str) -> bool:
    """Return whether a cell could be the name of a person."""
    return len(text) <= 80 and len(text.split()) <= 7 and _NAME.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """Return whether a cell could be a membership number."""
    return _NUMBER.fullmatch(text) is not None


def are_mostly(cells: Sequence[str], test: Callable[[str], object]) -> bool:
    """Return whether nearly all of these cells, of which there are some, pass a test."""
    return bool(cells) and sum(bool(test(cell)) for cell in cells) >= MOSTLY * len(cells)


def counts_lines(cells: Sequence[str]) -> bool:
    """Return whether a column only numbers the rows."""
    if len(cells) < 2 or not all(cell.rstrip(".").isdecimal() and len(cell) < 8 for cell in cells):
        return False
    numbers = [int(cell.rstrip(".")) for cell in cells]
    return numbers[0] in (0, 1) and all(after == before + 1 for before, after in pairwise(numbers))
