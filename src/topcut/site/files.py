"""Names of files that are good on every disk and host, whatever the texts are that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SAFE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_TAKEN = re.compile(r"con|prn|aux|nul|com\d|lpt\d")
"""Names that some systems keep for devices."""


def file_names(texts: Iterable[str], word: str) -> dict[str, str]:
    """A name of its own for each text: as much of the text as is safe, else the word and a number.

    Capitals are not safe: two names that differ in nothing else are one name to some disks.

    >>> file_names(["p1", "../etc", "P1", "con"], "player")
    {'p1': 'p1', '../etc': 'etc', 'P1': 'player-3', 'con': 'player-4'}
    """
    every = list(dict.fromkeys(texts))
    names = {text: text for text in every if _is_safe(text)}
    used = set(names)
    for number, text in enumerate(every, start=1):
        if text not in names:
            name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
            if not _is_safe(name) or name in used:
                name = f"{word}-{number}"
            while name in used:
                name += "-"
            names[text] = name
            used.add(name)
    return {text: names[text] for text in every}


def _is_safe(name: str) -> bool:
    return bool(_SAFE.fullmatch(name)) and not _TAKEN.fullmatch(name)
