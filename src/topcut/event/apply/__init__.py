"""What does a fact change in the state of an event?"""

from topcut.event.apply import drafts, players, rounds  # they register how each kind of fact is applied

__all__ = ["drafts", "players", "rounds"]
