"""Sort names as a list of people does, and find the letter under which a name is looked up."""

import unicodedata
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
