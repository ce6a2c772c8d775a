"""Who met whom, with what result? The one picture of play so far that every other room reads."""

from topcut.history.build import build, check_reported
from topcut.history.model import Player, Round, Table
from topcut.history.picture import History, Played

__all__ = ["History", "Played", "Player", "Round", "Table", "build", "check_reported"]
