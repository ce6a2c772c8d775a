"""One player's record, such as `WBLD`, as the smallest event in which it happens.

The player is P. Each round they meet somebody new, who plays only that one table; after P's last
round two others keep the event going.
"""

from __future__ import annotations

from typing import Any

from tests.builders import played, standings, value
from topcut.formats.event_file import Event

ROUNDS = {"W": "P beats O{r}", "L": "O{r} beats P", "D": "P ties O{r}", "B": "P bye"}


def record(
    rules: str,
    results: str,
    rounds: int = 0,
    left: str = "",
    readings: dict[str, str] | None = None,
) -> Event:
    """An event of so many rounds (at least those of the record) with P's results.

    `left`: why P stops after the record (`dropped`, `cut` or `disqualified`).
    """
    texts = [ROUNDS[letter].format(r=r) for r, letter in enumerate(results, start=1)]
    texts += ["X ties Y"] * (rounds - len(results))
    about: dict[str, Any] = {left: {"P": len(results)}} if left else {}
    return played(rules, *texts, players="P", readings=readings, **about)


def own(event: Event, key: str) -> str | None:
    """P's exact value under a key."""
    return value(standings(event), key, "P")


def as_an_opponent(event: Event, key: str) -> str | None:
    """What P counts for in a mean over opponents: the value of somebody who met nobody else."""
    only_met_p = next(player.id for player in event.file.players if player.id.startswith("O"))
    return value(standings(event), key, only_met_p)
