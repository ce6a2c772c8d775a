"""Define the next round of an event as it was drawn."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from topcut.pairing.engine.field import Uniform
from topcut.pairing.pools import PairingPool

NOT_APART = "could not be kept apart"
"""How a reason begins that names the labels of players: a family, a school."""


def filter_public_reasons(why: Iterable[str]) -> list[str]:
    """Return the reasons of a table that everybody may read: not that its players share a label, nor which.

    >>> filter_public_reasons(["same points (6)", "could not be kept apart (Okafor family)"])
    ['same points (6)']
    """
    return [reason for reason in why if not reason.startswith(NOT_APART)]


@dataclass(frozen=True)
class DrawnTable:
    """A table of the coming round, or one player with a bye; by their numbers in the history."""

    players: tuple[int, ...]
    why: tuple[str, ...]
    pool: str


@dataclass(frozen=True)
class PoolPairing:
    """What one pool's part of a pairing costs, and what is proved about it."""

    pool: PairingPool
    unit: int
    """Points in the cost are this many times the players'."""
    cost: dict[str, int]
    optimal: bool = True
    uniform: Uniform = "exact"
    certificate: dict[str, object] = field(default_factory=dict)
    repeats: dict[int, int] = field(default_factory=dict)
    """Repeated pairs by round, the newest first, where the rules weigh them by age."""


@dataclass(frozen=True)
class RoundPairing:
    """The next round."""

    round: int
    seed: str
    tables: list[DrawnTable]
    parts: list[PoolPairing]
    warnings: list[str]
    drawn: dict[str, dict[str, int]]
    """Flights, pods, seats or rank seeds that were drawn for it: player id to number; `cut`: to a round."""
    by: Literal["lot", "round-robin", "bracket"] = "lot"
    """What made the tables."""
