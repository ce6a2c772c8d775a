"""Drawing lots so that anyone can draw them again.

A lot depends on a seed (text that is recorded), a label (what the lot is for) and the player's id,
and on nothing else: not on the order in a file, the machine, or the version of any library.

The lot is the SHA-256 digest, read as one big number, of the three texts in UTF-8, each written as
its length in bytes, a colon, the bytes and a comma (`netstrings`), one after the other.
"""

from __future__ import annotations

from hashlib import sha256


def lot(seed: str, label: str, player: str) -> int:
    """The lot of one player; the lowest lot of a group comes first.

    >>> hex(lot("autumn", "standings", "p1"))[:18]
    '0xa1764ee7e7d07f67'
    """
    digest = sha256()
    for text in (seed, label, player):
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:%b," % (len(raw), raw))
    return int.from_bytes(digest.digest(), "big")
