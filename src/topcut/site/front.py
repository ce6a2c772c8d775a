"""The first page: what was played, who won, where to look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from topcut.history.divisions import division_mode
from topcut.site.shown import Shown

LEADERS = 8


@dataclass(frozen=True)
class Winner:
    title: str
    id: str


@dataclass(frozen=True)
class Played:
    """A round in a list of rounds."""

    number: int
    stage: str
    tables: int
    byes: int
    open: int


def front_page(shown: Shown) -> dict[str, Any]:
    """What the first page shows."""
    rounds = [
        Played(
            number,
            a_round.stage,
            sum(len(table.players) > 1 for table in a_round.tables),
            sum(table.bye for table in a_round.tables),
            sum(not table.reported for table in a_round.tables),
        )
        for number, a_round in enumerate(shown.file.rounds, start=1)
    ]
    swiss = sum(one.stage == "swiss" for one in rounds)
    planned = shown.planned
    return {
        "winners": winners(shown) if shown.finished else [],
        "leaders": shown.board.rows[:LEADERS] if shown.board.scored else [],
        "overview": rounds,
        "swiss": swiss,
        "planned": planned if planned is not None and planned > swiss else None,
        "most": LEADERS,
    }


def winners(shown: Shown) -> list[Winner]:
    """Who won: the event, or each division that plays apart; nobody where first places are shared."""
    firsts: list[tuple[str, list[str]]] = []
    if shown.brackets:
        for view in shown.brackets:
            firsts.append((view.part, [place.id for place in view.places if place.place == 1]))
    else:
        apart = division_mode(shown.file.players, shown.book, shown.file.options.division_mode) == "separate"
        groups = [g for g in shown.groups if g.rank == "division_rank"] if apart else []
        for group in groups or shown.groups[:1]:
            firsts.append((group.title, [row["id"] for row in group.rows if row[group.rank] == 1]))
    return [Winner(f"Winner, {part}" if part else "Winner", ids[0]) for part, ids in firsts if len(ids) == 1]
