"""Say how much is tested: the tier that ``tests/conftest.py`` chose, and how far a test searches in it."""

from __future__ import annotations

import os
from typing import Literal, TypeVar, cast

Tier = Literal["quick", "all", "soak", "mutate"]
T = TypeVar("T")

SOAK = bool(os.environ.get("TOPCUT_SOAK"))
"""``./run soak``: search far, and never alike."""


def tier() -> Tier:
    """Return the tier of this run; all tests where nobody chose one."""
    return cast(Tier, os.environ.get("TOPCUT_TIER", "all"))


def is_brief() -> bool:
    """Return whether searches are so short that rare cases need not occur in them."""
    return tier() in {"quick", "mutate"}


def effort(quick: T, usual: T, soak: T) -> T:
    """Return how far to search: in the quick tests, in all tests, in ``./run soak``."""
    return soak if SOAK else quick if is_brief() else usual
