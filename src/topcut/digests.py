"""The digest of texts, from which everything that is left to chance comes; docs/lots.md has it in words."""

from __future__ import annotations

from hashlib import sha256


def text_digest(*texts: str) -> bytes:
    """The SHA-256 of texts, in a form in which no two lists of texts look alike.

    >>> text_digest("ab", "c") == text_digest("a", "bc")
    False
    """
    digest = sha256()
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:%b," % (len(raw), raw))
    return digest.digest()
