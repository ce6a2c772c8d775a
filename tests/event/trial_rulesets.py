"""The events of a trial: rulesets with options, and what the model needs to know of each."""

from __future__ import annotations

from typing import Any

from tests.event.reference_model import Rules

Kinds = tuple[str, dict[str, Any]]
PK = "pokemon-2017"
CONFIGS: list[Kinds] = [
    (PK, {}),
    (PK, {"format": "swiss", "rounds": 4}),
    (PK, {"level": "championship", "rounds": 4}),
    (PK, {"rounds": 2, "cut": 4}),
    (PK, {"format": "elimination"}),
    (PK, {"format": "round-robin"}),
    (PK, {"format": "double-elimination"}),
    (PK, {"divisions": "separate"}),
    (PK, {"divisions": "modified", "rounds": 3}),
    ("dci-1999", {}),
    ("dci-1999", {"rounds": 3, "cut": 4, "format": "swiss+elimination"}),
    ("fab-gem", {}),
    ("fab-gem", {"mode": "draft"}),
    ("mtr", {"level": None}),
    ("draft-sheet", {}),
    ("allegiance-2005", {}),
    ("allegiance-2005", {"target": 9}),
    ("commander-4", {}),
]
SIZES = {"allegiance-2005": (3, 4), "commander-4": (3, 4)}
KIND = {"allegiance-2005": "scores", "commander-4": "winner"}


def rules_of(name: str, options: dict[str, Any]) -> Rules:
    return Rules(
        book=name,
        sizes=SIZES.get(name, (2,)),
        format=options.get("format") or "",
        kind=KIND.get(name, "games"),
        divisions="divisions" in options,
        level=options.get("level") or "casual",
        chart=name == "draft-sheet",
        pods="mode" in options,
    )
