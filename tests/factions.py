"""The worked example of `allegiance-2005`: nine players, two rounds (AL-T2 to AL-T5)."""

from __future__ import annotations

from typing import Any

NAMES = {
    "1": "Lance Card",
    "2": "Andrew Grierson",
    "3": "J.T. Kauffman",
    "4": "James Grierson",
    "5": "Chris Kugler",
    "6": "Megan Schoonover",
    "7": "Kara McDonald",
    "8": "Kristy Roggio",
    "9": "Joe Smith",
}
FIRST_GAMES = (("8", "5", "7"), ("2", "6", "3"), ("1", "4", "9"))
"""AL-T2."""
SECOND_GAMES = [["2", "5", "4"], ["3", "1", "8"], ["6", "7", "9"]]
"""AL-T4."""
FIRST_RESULTS = ("1 13 21 6", "2 24 10 23", "3 15 18 x none")
"""AL-T3, as they are typed."""
SECOND_RESULTS = ("1 20 19 15", "2 27 21 8", "3 19 3 19")
FINAL = [
    ("2", 2, 44, 152),
    ("3", 1, 50, 130),
    ("5", 1, 40, 107),
    ("1", 0, 36, 123),
    ("4", 0, 33, 139),
    ("6", 0, 29, 122),
    ("8", 0, 21, 135),
    ("9", 0, 19, 107),
    ("7", 0, 9, 109),
]
"""AL-T5: wins, victory influence, opponents' victory influence."""


def example_event() -> dict[str, Any]:
    """Return the event file of the example before its first results."""
    return {
        "topcut": 1,
        "name": "Factions",
        "rules": "allegiance-2005",
        "options": {"rounds": 2},
        "players": [{"id": player_id, "name": name} for player_id, name in NAMES.items()],
        "rounds": [{"tables": [{"table": n, "players": seats} for n, seats in enumerate(FIRST_GAMES, 1)]}],
    }


def read_final(standings: list[dict[str, Any]]) -> list[tuple[str, int, int, int]]:
    """Return standings (`--json`) in the form of `FINAL`."""
    rows = []
    for row in standings:
        values = {tie["key"]: int(tie["value"]) for tie in row["tiebreaks"]}
        rows.append((row["id"], int(row["points"]), values["score"], values["opponents_score"]))
    return rows
