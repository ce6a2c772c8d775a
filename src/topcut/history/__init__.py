"""Who met whom, with what result? The one history of play that all other packages read."""

from typing import TYPE_CHECKING, Any

from topcut.history.model import Outcome, Player, Round, Table

if TYPE_CHECKING:
    from topcut.history.arrays import History
    from topcut.history.builder import build_history, check_reported

__all__ = ["History", "Outcome", "Player", "Round", "Table", "build_history", "check_reported"]


def __getattr__(name: str) -> Any:
    """Load what needs numpy when it is used: entering a result does not wait for it."""
    from importlib import import_module

    home = {"History": "arrays", "build_history": "builder", "check_reported": "builder"}.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"topcut.history.{home}"), name)
