"""Who met whom, with what result? The one picture of play so far that every other room reads."""

from typing import TYPE_CHECKING, Any

from topcut.history.model import Player, Round, Table
from topcut.history.played import Played

if TYPE_CHECKING:
    from topcut.history.building import build, check_reported
    from topcut.history.picture import History

__all__ = ["History", "Played", "Player", "Round", "Table", "build", "check_reported"]


def __getattr__(name: str) -> Any:
    """What needs numpy is loaded when it is used: entering a result does not wait for it."""
    from importlib import import_module

    home = {"History": "picture", "build": "building", "check_reported": "building"}.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"topcut.history.{home}"), name)
