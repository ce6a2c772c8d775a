"""Write a pairing as the document that programs read."""

from fractions import Fraction
from typing import Any

from topcut.history import History
from topcut.pairing.engine.costs import AT_TWO, BY_NAME
from topcut.pairing.model import PoolPairing, RoundPairing


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
    rounds = sorted({number for part in parts for number in part.repeats}, reverse=True)
    if rounds:
        by_round = {str(r): sum(part.repeats.get(r, 0) for part in parts) for r in rounds}
        total["rematches_by_round"] = by_round
    return total
