"""Names of files that are good on every disk and host, whatever the texts are that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SAFE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_TAKEN = re.compile(r"con|prn|aux|nul|com\d|lpt\d")
"""Names that some systems keep for devices."""


def file_names(texts: Iterable[str], word: str) -> dict[str, str]:
    """A name of its own for each text: the text itself where it is safe, else the word and a number.

    Capitals are not safe: two names that differ in nothing else are one name to some disks.

    >>> file_names(["p1", "../etc", "P1", "con", "player-4"], "player")
    {'p1': 'p1', 'player-4': 'player-4', '../etc': 'player-2', 'P1': 'player-3', 'con': 'player-4-'}
    """
    every = list(dict.fromkeys(texts))
    names = {text: text for text in every if _SAFE.fullmatch(text) and not _TAKEN.fullmatch(text)}
    used = set(names)
    for number, text in enumerate(every, start=1):
        if text not in names:
            name = f"{word}-{number}"
            while name in used:
                name += "-"
            names[text] = name
            used.add(name)
    return names
