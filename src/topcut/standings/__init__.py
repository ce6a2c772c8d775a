"""Who is ahead, and why? Ranking by any chain of keys, exactly, with every step explainable."""

from topcut.standings.rank import Standings, rank

__all__ = ["Standings", "rank"]
