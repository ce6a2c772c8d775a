"""Names that run from right to left, inside sentences that run from left to right."""

from __future__ import annotations

import unicodedata


def apart(name: str) -> str:
    """A name inside a sentence: one that runs from right to left keeps its neighbours where they are."""
    return f"\u2068{name}\u2069" if any(unicodedata.bidirectional(c) in ("R", "AL") for c in name) else name
