"""What all shapes have in common."""

from typing import Literal

from msgspec import Struct

Phase = Literal["draft", "published", "started", "ended"]


class Shape(Struct, frozen=True, kw_only=True):
    """The base of all shapes."""
