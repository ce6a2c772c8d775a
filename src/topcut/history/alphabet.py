"""Where does a name stand from A to Z? By its letters, whatever their accents and case."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_LATIN = str.maketrans({"đ": "d", "ð": "d", "ø": "o", "ł": "l", "þ": "th", "æ": "ae", "œ": "oe"})
_TOGETHER = {"CJK": "漢", "HIRAGANA": "あ", "KATAKANA": "あ", "HANGUL": "한"}
"""Scripts with too many signs for a letter each, and the sign that stands for all of them."""


@lru_cache(maxsize=20_000)
def in_order(name: str) -> tuple[str, str]:
    """What names are sorted by.

    Names are few and asked for often, so that they are remembered; what visitors type goes to `plain`.
    """
    return plain(name), name


def plain(text: str) -> str:
    """The letters of a text, without accents and case; spaces once."""
    letters = unicodedata.normalize("NFKD", " ".join(text.split()))
    return "".join(c for c in letters if not unicodedata.combining(c)).casefold().translate(_LATIN)


@lru_cache(maxsize=20_000)
def initial(name: str) -> str:
    """The letter under which a name is looked up.

    >>> initial("Ørsted"), initial("李小龙"), initial("3PO")
    ('O', '漢', '#')
    """
    first = in_order(name)[0][:1].upper()
    if not first.isalpha():
        return "#"
    return _TOGETHER.get(unicodedata.name(first, "").split(" ")[0], first)
