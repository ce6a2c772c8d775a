"""Put numbers and lists into words, sort names, and isolate names that run from right to left."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

_LATIN = str.maketrans({"đ": "d", "ð": "d", "ø": "o", "ł": "l", "þ": "th", "æ": "ae", "œ": "oe"})
_INITIAL_OF_SCRIPT = {"CJK": "漢", "HIRAGANA": "あ", "KATAKANA": "あ", "HANGUL": "한"}
"""One initial for all names in a script that has too many signs for a letter each."""


@lru_cache(maxsize=20_000)
def name_key(name: str) -> tuple[str, str]:
    """Return what a name is sorted by, from a cache; text that visitors type goes to `fold_letters`."""
    return fold_letters(name), name


def fold_letters(text: str) -> str:
    """Return the letters of a text without accents and case, with single spaces."""
    letters = unicodedata.normalize("NFKD", " ".join(text.split()))
    return "".join(c for c in letters if not unicodedata.combining(c)).casefold().translate(_LATIN)


@lru_cache(maxsize=20_000)
def initial_letter(name: str) -> str:
    """Return the letter under which a name is looked up.

    >>> initial_letter("Ørsted"), initial_letter("李小龙"), initial_letter("3PO")
    ('O', '漢', '#')
    """
    first = name_key(name)[0][:1].upper()
    if not first.isalpha():
        return "#"
    return _INITIAL_OF_SCRIPT.get(unicodedata.name(first, "").split(" ")[0], first)


_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_RUN = re.compile(f"[{_RIGHT}](?:[{_RIGHT}\\s'’.-]*[{_RIGHT}])?")
FIRST, LAST = "\u2068", "\u2069"
"""The signs before and after an isolated part."""


def isolate(text: str) -> str:
    """Return a sentence with its right-to-left parts isolated.

    >>> isolate("Ada beats \u0644\u064a\u0644\u0649 2-0").replace(FIRST, "[").replace(LAST, "]")
    'Ada beats [\u0644\u064a\u0644\u0649] 2-0'
    """
    return _RUN.sub(lambda run: f"{FIRST}{run[0]}{LAST}", text)


def isolate_name(name: str) -> str:
    """Return a name for use inside a sentence: isolated as a whole if any of it runs from right to left."""
    right = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"{FIRST}{name}{LAST}" if right else name


def plural(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "bye"), plural(11, "bye")
    ('1 bye', '11 byes')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def ordinal(number: int) -> str:
    """Return a place in digits.

    >>> [ordinal(number) for number in (1, 2, 3, 9, 11, 22, 113)]
    ['1st', '2nd', '3rd', '9th', '11th', '22nd', '113th']
    """
    last = number % 10 if number // 10 % 10 != 1 else 0
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def percent(share: Fraction) -> str:
    """Return a share in per cent, with a decimal below one per cent.

    >>> percent(Fraction(1, 6)), percent(Fraction(8, 1000))
    ('17 %', '0.8 %')
    """
    digits = 0 if share >= Fraction(1, 100) or not share else 1
    units = int(share * 100 * 10**digits + Fraction(1, 2))
    return f"{units // 10**digits}{f'.{units % 10}' if digits else ''} %"


def join_or(choices: Iterable[object]) -> str:
    """Return choices as a list in words.

    >>> join_or([2, 4, 8])
    '2, 4 or 8'
    """
    return _join(choices, "or")


def join_and(items: Iterable[object]) -> str:
    """Return items as a list in words.

    >>> join_and([36, 36, 35])
    '36, 36 and 35'
    """
    return _join(items, "and")


def join_first(items: Sequence[str], most: int) -> str:
    """Return the first items as a list, and how many more there are.

    >>> join_first(["Ada", "Bo", "Cy", "Di"], 2), join_first(["Ada", "Bo"], 2)
    ('Ada, Bo and 2 more', 'Ada, Bo')
    """
    return ", ".join(items[:most]) + (f" and {len(items) - most} more" if items[most:] else "")


def _join(items: Iterable[object], last: str) -> str:
    *most, end = map(str, items)
    return f"{', '.join(most)} {last} {end}" if most else end
