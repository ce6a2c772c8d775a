"""Define the next round of an event as it was drawn, and write it as the document that programs read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeVar

from topcut.history import History
from topcut.pairing.engine.costs import AT_TWO, BY_NAME
from topcut.pairing.engine.field import Uniform
from topcut.pairing.pools import PairingPool
from topcut.text.messages import Message, Sentence, join_messages, say

T = TypeVar("T", bound=str)

_NOT_APART = "could not be kept apart"
"""How the template begins of the reason that names labels, and its text in logs of older versions."""


def say_not_apart(labels: Sequence[str]) -> Message:
    """Return the reason that names the labels that players share: a family, a school."""
    return say("could not be kept apart ({labels})", labels=join_messages(", ", labels))


def filter_public_reasons(why: Iterable[T]) -> list[T]:
    """Return the reasons of a table that everybody may read: not that its players share a label, nor which.

    >>> filter_public_reasons(["same points (6)", say_not_apart(["Okafor family"])])
    ['same points (6)']
    """
    return [reason for reason in why if not _names_labels(reason)]


def _names_labels(reason: str) -> bool:
    begins = reason.template if isinstance(reason, Sentence) else reason
    return begins.startswith(_NOT_APART)


@dataclass(frozen=True)
class DrawnTable:
    """A table of the coming round, or one player with a bye; by their numbers in the history."""

    players: tuple[int, ...]
    why: tuple[Message, ...]
    pool: str
    """The title of its pool; empty where there is only one."""


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
    warnings: list[Message]
    drawn: dict[str, dict[str, int]]
    """Flights, pods, seats or rank seeds that were drawn for it: player id to number; `cut`: to a round."""
    by: Literal["lot", "round-robin", "bracket"] = "lot"
    """What made the tables."""


def build_pairing_document(pairing: RoundPairing, history: History) -> dict[str, Any]:
    """Return everything about the next round; its tables can be copied into an event file."""
    tables: list[dict[str, Any]] = []
    for number, table in enumerate(pairing.tables, start=1):
        ids = [history.players[i].id for i in table.players]
        about: dict[str, Any] = {"players": ids, "why": list(table.why)}
        tables.append({**about, "bye": True} if len(ids) == 1 else {"table": number, **about})
    parts = pairing.parts
    return {
        "round": pairing.round,
        "stage": "elimination" if pairing.by == "bracket" else "swiss",
        "seed": pairing.seed,
        "optimal": all(part.optimal for part in parts),
        "uniform": "exact" if all(part.uniform == "exact" for part in parts) else "approximate",
        "tables": tables,
        "cost": sum_costs(parts),
        "certificate": _build_certificate(pairing),
        "warnings": pairing.warnings,
        **pairing.drawn,
    }


def _build_certificate(pairing: RoundPairing) -> dict[str, Any]:
    """Return the proof that nothing is better; a bracket and a round robin leave no choice."""
    if pairing.by != "lot":
        return {"kind": pairing.by}
    if len(pairing.parts) == 1:
        return pairing.parts[0].certificate
    pools = [
        {"pool": part.pool.name, "cost": sum_costs([part]), "certificate": part.certificate}
        for part in pairing.parts
    ]
    return {"kind": "pools", "pools": pools}


def sum_costs(parts: list[PoolPairing]) -> dict[str, Any]:
    """Return the cost of all pools together, in points."""
    total: dict[str, Any] = {}
    for name in parts[0].cost if parts else [component.name for component in AT_TWO]:
        power = BY_NAME[name].unit_power
        value = sum((Fraction(part.cost[name], part.unit**power) for part in parts), Fraction(0))
        total[name] = value.numerator if value.denominator == 1 else str(value)
    if rounds := sorted({number for part in parts for number in part.repeats}, reverse=True):
        by_round = {str(r): sum(part.repeats.get(r, 0) for part in parts) for r in rounds}
        total["rematches_by_round"] = by_round
    return total
