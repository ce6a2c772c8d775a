"""Hold play so far in arrays: one column a player, one row a round.

Everything is as it was reported; what a result is worth is for the rules to say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topcut.history.model import Outcome, Player, Table

Ints = NDArray[np.int64]


NEVER = 2**30
"""The last round of a player who has not left."""


@dataclass(frozen=True)
class History:
    """The outcomes of the scored (Swiss) rounds so far.

    A table of two is the smallest table: `opponents` has as many rows for a round as its largest
    table has places less one; in it the number `len(players)` means no opponent.
    """

    players: tuple[Player, ...]
    played: NDArray[np.uint8]
    """Rounds × players: a `Outcome` each."""
    opponents: NDArray[np.int32]
    """Meetings × players: whom they met."""
    meeting_round: NDArray[np.int32]
    """The row of `played` that each row of `opponents` belongs to."""
    games: NDArray[np.uint8] | None
    """3 × rounds × players: games won, lost and drawn; None where no table reports games."""
    scores: NDArray[np.int64] | None
    """Rounds × players; None where no table reports scores."""
    entered: Ints
    """The first round (from 1) each player takes part in."""
    dropped: Ints
    """The last round before they left by choice, or NEVER."""
    cut: Ints
    """The last round before a cut left them out, or NEVER."""
    disqualified: Ints
    """The last round before they were disqualified, or NEVER."""
    decided: Mapping[tuple[int, int], Table] = field(default_factory=dict)
    """By round (from 0) and player: tables of which a sentence says how a tie was broken."""

    @property
    def rounds(self) -> int:
        return int(self.played.shape[0])

    @property
    def size(self) -> int:
        return len(self.players)

    @cached_property
    def last(self) -> Ints:
        """The last round of each player, whatever the reason to leave; NEVER for players who stay."""
        last: Ints = np.minimum.reduce([self.dropped, self.cut, self.disqualified])
        return last

    @cached_property
    def awarded(self) -> Ints:
        """How many byes each player won before the event began."""
        return np.array([player.byes for player in self.players], np.int64)

    @cached_property
    def index(self) -> dict[str, int]:
        return {player.id: i for i, player in enumerate(self.players)}

    def name_of(self, player_id: str) -> str:
        return self.players[self.index[player_id]].shown_name

    @cached_property
    def counts(self) -> NDArray[Any]:
        """Outcomes × players: how often each `Outcome` happened to each player."""
        narrow = np.uint8 if self.rounds < 256 else np.uint16
        counts = np.empty((len(Outcome), self.size), narrow)
        for outcome in Outcome:
            counts[outcome] = (self.played == int(outcome)).view(np.uint8).sum(axis=0, dtype=narrow)
        return counts

    @cached_property
    def game_totals(self) -> NDArray[Any]:
        """3 × players: games won, lost and drawn at tables."""
        if self.games is None:
            return np.zeros((3, self.size), np.uint8)
        narrow = np.uint8 if self.rounds * int(self.games.max(initial=0)) < 256 else np.uint32
        totals: NDArray[Any] = self.games.sum(axis=1, dtype=narrow)
        return totals

    @cached_property
    def meetings(self) -> NDArray[Any]:
        """How many opponents each player met, each meeting counted."""
        narrow = np.uint8 if len(self.opponents) < 256 else np.uint16
        met: NDArray[Any] = (self.opponents < self.size).view(np.uint8).sum(axis=0, dtype=narrow)
        return met

    def after(self, rounds: int) -> "History":
        """Return the history after a number of rounds; `dropped` and the like stay, even if later."""
        if rounds == self.rounds:
            return self
        keep = self.meeting_round < rounds
        return replace(
            self,
            played=self.played[:rounds],
            opponents=self.opponents[keep],
            meeting_round=self.meeting_round[keep],
            games=None if self.games is None else self.games[:, :rounds],
            scores=None if self.scores is None else self.scores[:rounds],
        )

    def restart(self, first: int, players: Sequence[int]) -> "History":
        """Return the history in which nothing before this round (from 0) counts for these players."""
        before = np.flatnonzero(self.meeting_round < first)
        played, opponents = self.played.copy(), self.opponents.copy()
        played[:first, players] = Outcome.GONE
        opponents[np.ix_(before, np.asarray(players, np.int64))] = self.size
        games = None if self.games is None else self.games.copy()
        scores = None if self.scores is None else self.scores.copy()
        if games is not None:
            games[:, :first, players] = 0
        if scores is not None:
            scores[:first, players] = 0
        return replace(self, played=played, opponents=opponents, games=games, scores=scores)

    def met(self, player: int) -> list[tuple[int, int]]:
        """Return (round from 0, opponent) for each meeting of a player, in order."""
        column = self.opponents[:, player]
        return [(int(r), int(o)) for r, o in zip(self.meeting_round, column, strict=True) if o < self.size]
