"""A pairing as programs read it: the document of the contract."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from topcut.history import History
from topcut.pairing.field import COMPONENTS
from topcut.pairing.paired import Drawn, Pairing

POWER: dict[str, int] = {"bye_points": 1, "score_gap_squared": 2}
"""How often a part of the cost holds the unit of points."""


def document(pairing: Pairing, history: History) -> dict[str, Any]:
    """Everything about the next round; its tables can be copied into an event file."""
    tables: list[dict[str, Any]] = []
    for number, table in enumerate(pairing.tables, start=1):
        ids = [history.players[i].id for i in table.players]
        about: dict[str, Any] = {"players": ids, "why": list(table.why)}
        tables.append({**about, "bye": True} if len(ids) == 1 else {"table": number, **about})
    parts = pairing.parts
    answer: dict[str, Any] = {
        "round": pairing.round,
        "stage": "elimination" if pairing.by == "bracket" else "swiss",
        "seed": pairing.seed,
        "optimal": all(part.optimal for part in parts),
        "uniform": "exact" if all(part.uniform == "exact" for part in parts) else "approximate",
        "tables": tables,
        "cost": total_cost(parts),
        "certificate": _certificate(pairing),
        "warnings": pairing.warnings,
    }
    return answer | pairing.drawn


def _certificate(pairing: Pairing) -> dict[str, Any]:
    """How it is known that nothing is better; a bracket and a circle leave no choice."""
    if pairing.by != "lot":
        return {"kind": pairing.by}
    return pairing.parts[0].certificate if len(pairing.parts) == 1 else _by_pool(pairing.parts)


def total_cost(parts: list[Drawn]) -> dict[str, Any]:
    """The cost of all pools together, in points."""
    total: dict[str, Any] = {}
    for component in parts[0].cost if parts else COMPONENTS:
        unit_power = POWER.get(component, 0)
        value = sum((Fraction(part.cost[component], part.unit**unit_power) for part in parts), Fraction(0))
        total[component] = value.numerator if value.denominator == 1 else str(value)
    rounds = sorted({number for part in parts for number in part.repeats}, reverse=True)
    if rounds:
        by_round = {str(r): sum(part.repeats.get(r, 0) for part in parts) for r in rounds}
        total["rematches_by_round"] = by_round
    return total


def _by_pool(parts: list[Drawn]) -> dict[str, Any]:
    return {
        "kind": "pools",
        "pools": [
            {"pool": part.pool.name, "cost": total_cost([part]), "certificate": part.certificate}
            for part in parts
        ],
    }
