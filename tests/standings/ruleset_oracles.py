"""Each ruleset, worked out a second time and straight from its document: the keys of its standings."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from tests.standings.standings_oracle import Oracle, mean, share

THIRD = Fraction(1, 3)
QUARTER = Fraction(1, 4)


class DraftSheet(Oracle):
    """DS-16 to DS-22, and the floors for who met nobody."""

    chain = ("points", "omp", "gp", "ogp")

    def keys(self, player_id: str) -> dict[str, Fraction]:
        met = self.opponents(player_id)
        return {
            "points": Fraction(self.match_points(player_id)),
            "omp": mean([max(Fraction(3), Fraction(self.match_points(other))) for other in met], Fraction(3)),
            "gp": self.game_points(player_id),
            "ogp": mean([max(Fraction(1), self.game_points(other)) for other in met], Fraction(1)),
        }

    def game_points(self, player_id: str) -> Fraction:
        """Points per game; what was not played at a table is no game (DS-17)."""
        won, lost, drawn = (sum(turn.games[kind] for turn in self.turns[player_id]) for kind in range(3))
        return share(3 * won + drawn, won + lost + drawn)


class Dci(Oracle):
    """DC-4, DC-9, DC-A7 and the contract's formulas; each percentage is at least a third."""

    chain = ("points", "omw", "gw", "ogw")

    def keys(self, player_id: str) -> dict[str, Fraction]:
        met = self.opponents(player_id)
        return {
            "points": Fraction(self.match_points(player_id)),
            "omw": mean([self.match_wins(other) for other in met], THIRD),
            "gw": self.game_wins(player_id),
            "ogw": mean([self.game_wins(other) for other in met], THIRD),
        }

    def match_wins(self, player_id: str) -> Fraction:
        rounds_with_result = len(self.turns[player_id]) - self.count(player_id, "idle")
        return max(THIRD, share(self.match_points(player_id), 3 * rounds_with_result))

    def game_wins(self, player_id: str) -> Fraction:
        """A bye is won by 2-0; in a round lost without an opponent there are no games."""
        won, lost, drawn = (sum(turn.games[kind] for turn in self.turns[player_id]) for kind in range(3))
        won += 2 * self.count(player_id, "bye")
        return max(THIRD, share(3 * won + drawn, 3 * (won + lost + drawn)))


class Mtr(Dci):
    """The same keys; who was disqualified leaves the ranking."""

    removes_disqualified = True


class Pokemon(Oracle):
    """PK-24 to PK-29, PK-A3 to PK-A7, PK-A28."""

    chain: tuple[str, ...] = ("points", "late", "owp", "oowp")
    low: tuple[str, ...] = ("late",)
    head_to_head = True
    last_opponent = True
    lot = True
    draw = Fraction(0)
    """What a draw is worth in a win percentage (PK-A3)."""

    def keys(self, player_id: str) -> dict[str, Fraction]:
        return {
            "points": Fraction(self.match_points(player_id)),
            "late": Fraction(self.players[player_id].entered > 1),
            "owp": self.opponents_wins(player_id),
            "oowp": mean([self.opponents_wins(other) for other in self.opponents(player_id)], QUARTER),
        }

    def wins(self, player_id: str) -> Fraction:
        """Wins ÷ rounds until they left, byes in neither; at least 25 %, at most 75 % if they dropped."""
        wins = self.count(player_id, "win") + self.draw * self.count(player_id, "draw")
        percentage = max(QUARTER, share(wins, len(self.turns[player_id]) - self.count(player_id, "bye")))
        return min(Fraction(3, 4), percentage) if self.dropped(player_id) else percentage

    def opponents_wins(self, player_id: str) -> Fraction:
        return mean([self.wins(other) for other in self.opponents(player_id)], QUARTER)


class PokemonTom(Pokemon):
    """As above, but a draw is half a win, lateness and last opponents decide nothing.

    Who left keeps the percentages they had then; as an opponent they count with those of now.
    """

    chain = ("points", "owp", "oowp")
    low = ()
    last_opponent = False
    draw = Fraction(1, 2)

    def keys(self, player_id: str) -> dict[str, Fraction]:
        return Pokemon.keys(
            self if self.left(player_id) is None else self.then(self.left(player_id)), player_id
        )

    def left(self, player_id: str) -> int | None:
        """The round after which they left, unless that is the last one there is."""
        player = self.players[player_id]
        lasts = [last for last in (player.dropped, player.disqualified) if last is not None]
        return min((last for last in lasts if last < len(self.rounds)), default=None)

    @cache  # noqa: B019
    def then(self, rounds: int | None) -> PokemonTom:
        """The event as it was after so many rounds."""
        return PokemonTom(list(self.players.values()), self.rounds[:rounds])


class Allegiance(Oracle):
    """AL-8, AL-9, AL-12, AL-A5: opponents count with what they scored in the whole event."""

    chain = ("points", "score", "opponents_score")

    def keys(self, player_id: str) -> dict[str, Fraction]:
        return {
            "points": Fraction(self.count(player_id, "win")),
            "score": Fraction(self.score(player_id)),
            "opponents_score": Fraction(sum(self.score(other) for other in self.opponents(player_id))),
        }

    def score(self, player_id: str) -> int:
        return sum(turn.score for turn in self.turns[player_id])


class Commander(Oracle):
    """5 points for a win, 1 for a draw; then the opponents: won of played, at least 1/6, and their points."""

    chain = ("points", "opponents_wins", "opponents_points")

    def keys(self, player_id: str) -> dict[str, Fraction]:
        met = self.opponents(player_id)
        return {
            "points": Fraction(self.table_points(player_id)),
            "opponents_wins": mean([self.won_of_played(other) for other in met], Fraction(1, 6)),
            "opponents_points": mean([Fraction(self.table_points(other)) for other in met], Fraction(0)),
        }

    def table_points(self, player_id: str) -> int:
        return 5 * self.count(player_id, "win") + self.count(player_id, "draw")

    def won_of_played(self, player_id: str) -> Fraction:
        played = self.count(player_id, "win", "draw", "loss", "double loss", "assigned")
        return max(Fraction(1, 6), share(self.count(player_id, "win"), played))


class Fab(Oracle):
    """FB-2 to FB-6, FB-A2 to FB-A6."""

    chain = ("points", "ctb", "pml", "oml", "octb")
    low = ("pml", "oml")
    lot = True

    def keys(self, player_id: str) -> dict[str, Fraction]:
        met = self.opponents(player_id)
        return {
            "points": Fraction(self.count(player_id, "win", "bye")),
            "ctb": self.cumulative(player_id),
            "pml": self.loss_percentage(player_id),
            "oml": mean([self.loss_percentage(other) for other in met], Fraction(1)),
            "octb": mean([self.cumulative(other) for other in met], Fraction(0)),
        }

    def loss_percentage(self, player_id: str) -> Fraction:
        losses = self.losses(player_id)
        return share(losses, losses + self.count(player_id, "win", "draw"))

    def cumulative(self, player_id: str) -> Fraction:
        """FB-6; it goes on after a player left, with no new points (FB-A5)."""
        raw = perfect = Fraction(0)
        for number in range(1, len(self.rounds) + 1):
            points = sum(turn.outcome in ("win", "bye") for turn in self.turns[player_id][:number])
            raw = raw / 4 + points
            perfect = perfect / 4 + number
        return raw / perfect if perfect else Fraction(0)


ORACLES: dict[str, type[Oracle]] = {
    "allegiance-2005": Allegiance,
    "commander-4": Commander,
    "dci-1999": Dci,
    "draft-sheet": DraftSheet,
    "fab-gem": Fab,
    "mtr": Mtr,
    "pokemon-2017": Pokemon,
    "pokemon-tom": PokemonTom,
}
