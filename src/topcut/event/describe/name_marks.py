"""Put names into texts of the log, which holds marked ids (⟦p7⟧) in their place."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

from msgspec.structs import replace

from topcut.errors import BadInput, Impossible
from topcut.event.state import State
from topcut.history.model import Player, Table
from topcut.text.messages import map_text

T = TypeVar("T", bound=str)

_MARKED = re.compile("⟦([^⟦⟧]+)⟧")


def mark(player: str) -> str:
    """Return the mark that stands in a text for the name of a player."""
    return f"⟦{player}⟧"


def mark_names(players: tuple[Player, ...]) -> tuple[Player, ...]:
    """Return the players with a mark in the place of their names."""
    return tuple(replace(player, name=mark(player.id)) for player in players)


def put_names(state: State, text: T) -> T:
    """Return the text with the names of players in the place of marks."""
    return fill_marks(text, state.name_of)


def fill_marks(text: T, name: Callable[[str], str]) -> T:
    """Return the text with a name in the place of each mark."""
    if "⟦" not in text:
        return text
    return cast(T, map_text(text, lambda part: _MARKED.sub(lambda found: name(found[1]), part)))


def put_names_at_table(state: State, table: Table) -> Table:
    """Return the table with names in its reasons."""
    return replace(table, why=tuple(put_names(state, why) for why in table.why)) if table.why else table


@contextmanager
def errors_with_names(state: State) -> Iterator[None]:
    """Put names into the errors that are raised inside."""
    try:
        yield
    except Impossible as error:
        raise Impossible(put_names(state, error.problem), rule=error.rule) from None
    except BadInput as error:
        raise BadInput(put_names(state, error.problem), place=error.place, file=error.file) from None
