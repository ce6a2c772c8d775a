"""Names in texts that the log keeps: it holds ids, marked as ⟦p7⟧, and whoever reads it sees the names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from topcut.errors import BadInput, Impossible
from topcut.event.state import State
from topcut.history.model import Player, Table

_MARKED = re.compile("⟦([^⟦⟧]+)⟧")


def mark(player: str) -> str:
    """What stands in a text for the name of a player."""
    return f"⟦{player}⟧"


def marked(players: tuple[Player, ...]) -> tuple[Player, ...]:
    """The players with a mark in the place of their names."""
    return tuple(replace(player, name=mark(player.id)) for player in players)


def named(state: State, text: str) -> str:
    """The text with names in the place of marks."""
    return filled(text, state.name_of)


def filled(text: str, name: Callable[[str], str]) -> str:
    """Return the text with a name in the place of each mark."""
    return _MARKED.sub(lambda found: name(found[1]), text) if "⟦" in text else text


def with_names(state: State, table: Table) -> Table:
    """The table with names in its reasons."""
    return replace(table, why=tuple(named(state, why) for why in table.why)) if table.why else table


@contextmanager
def speaking(state: State) -> Iterator[None]:
    """Errors that come up inside speak of players by their names."""
    try:
        yield
    except Impossible as error:
        raise Impossible(named(state, error.problem), rule=error.rule) from None
    except BadInput as error:
        raise BadInput(named(state, error.problem), place=error.place, file=error.file) from None
