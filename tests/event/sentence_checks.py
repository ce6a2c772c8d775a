"""What must be so of every sentence that an event says: refusals, warnings, the log."""

from __future__ import annotations

import re
from collections.abc import Collection

from topcut.event.state import State


def one_line(text: str) -> None:
    assert text.strip() and "\n" not in text  # noqa: PT018


def names_in(*states: State) -> set[str]:
    """The ids of players whose names are known, in each of these states they are in."""
    seen = [
        (player_id, listed.player.name) for state in states for player_id, listed in state.players.items()
    ]
    return {player_id for player_id, _ in seen} - {player_id for player_id, name in seen if not name}


def names_people(text: str, known: Collection[str]) -> None:
    """A sentence has no "None", and no ids of players whose names are known.

    Only whoever enters, or is called something else, has an id beside the name: commands may be given it.
    """
    one_line(text)
    assert not re.search(r"\bNone\b", text), text
    rest = re.sub(r" \(zq\d+x\) (?=enters|are changed)", " ", text)
    assert not set(re.findall(r"zq\d+x", rest)) & set(known), text
