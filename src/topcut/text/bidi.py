"""Isolate names that run the other way than the sentence they are in, so that they cannot turn it around."""

import re
import unicodedata

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


def isolate_part(text: str) -> str:
    """Return a part of a sentence in another language: isolated, unless nothing in it has a direction."""
    if not any(letter.isalpha() for letter in text) or text.startswith(FIRST):
        return text
    return f"{FIRST}{text}{LAST}"
