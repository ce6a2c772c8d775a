"""Draw lots that anyone can draw again.

They depend only on a seed (text that is recorded), a label (what the lots are for) and the players' ids:
not on the order in a file, the machine, or the version of any library.

A single lot is the SHA-256 digest, read as one big number, of the texts in UTF-8, each written as its
length in bytes, a colon, the bytes and a comma (`netstrings`), one after the other. Where many lots
are needed a `Stream` gives numbers without end; docs/lots.md says how to make the same ones elsewhere.
"""

from hashlib import sha256

import numpy as np
from numpy.typing import NDArray


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


Numbers = NDArray[np.uint64]
Ints = NDArray[np.int64]

_WORD = 2**64
_AHEAD = 32
"""Numbers that are drawn at once and kept for single draws: one call of the generator is slow."""


def draw_lot(seed: str, label: str, player: str) -> int:
    """Draw the lot of one player; the lowest lot of a group comes first.

    >>> hex(draw_lot("autumn", "standings", "p1"))[:18]
    '0xa1764ee7e7d07f67'
    """
    return int.from_bytes(digest_texts(seed, label, player), "big")


class Stream:
    """Numbers from 0 to 2**64 − 1 without end, fixed by a seed and a label.

    They are the output of Philox4x64-10, a generator that encrypts a counter. Its key is the first 16
    bytes of the digest of seed and label, as two little-endian words; its counter begins at 1.

    >>> Stream("autumn", "round 1").below(6)
    0
    """

    def __init__(self, seed: str, label: str) -> None:
        words = np.frombuffer(digest_texts(seed, label)[:16], "<u8")
        self._generator = np.random.Philox(key=words.astype(np.uint64))
        self._ahead: list[int] = []

    def numbers(self, count: int) -> Numbers:
        """Return the next `count` numbers of the stream."""
        held = self._ahead[:count]
        del self._ahead[:count]
        fresh = np.asarray(self._generator.random_raw(count - len(held)), np.uint64)
        return np.concatenate([np.array(held, np.uint64), fresh]) if held else fresh

    def below(self, limit: int) -> int:
        """Draw a number from 0 to limit − 1, all equally likely.

        The next number modulo the limit, unless it lies in the incomplete last run of it: then the next.
        For a limit above 2**64 several numbers together make one, the first of them the most significant.
        """
        words = max(1, (limit - 1).bit_length() + 63 >> 6)
        while True:
            number = 0
            for _ in range(words):
                number = number * _WORD + self._next()
            if number < _WORD**words - _WORD**words % limit:
                return number % limit

    def _next(self) -> int:
        if not self._ahead:
            self._ahead = self._generator.random_raw(_AHEAD).tolist()
        return self._ahead.pop(0)

    def order(self, size: int) -> Ints:
        """Draw an order of the numbers from 0 to size − 1, all orders equally likely."""
        order: Ints = self.orders(1, size)[0]
        return order

    def orders(self, count: int, size: int) -> Ints:
        """Draw `count` random orders, one a row.

        Each position takes the next number of the stream with its lowest bits replaced by the position
        itself, as many bits as the largest position needs; sorting them gives the order. If two agree
        in all other bits, their order would not be left to the lot: then all are drawn again.
        """
        bits = np.uint64(max(1, (size - 1).bit_length()))
        positions = np.arange(size, dtype=np.uint64)
        while True:
            drawn = self.numbers(count * size).reshape(count, size)
            drawn >>= bits
            drawn <<= bits
            drawn |= positions
            drawn.sort(axis=1)
            lots = drawn >> bits
            if not (lots[:, 1:] == lots[:, :-1]).any():
                return (drawn & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
