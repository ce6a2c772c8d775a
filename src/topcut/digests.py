"""Digest texts into the bytes that every lot comes from; docs/lots.md describes them."""

from hashlib import sha256


def digest_texts(*texts: str) -> bytes:
    """Return the SHA-256 of texts, written so that no two lists of texts look alike.

    >>> digest_texts("ab", "c") == digest_texts("a", "bc")
    False
    """
    digest = sha256()
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:%b," % (len(raw), raw))
    return digest.digest()
