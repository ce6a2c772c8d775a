"""Each ruleset, worked out a second time and straight from its document: the keys of its standings."""

from __future__ import annotations

from fractions import Fraction

from tests.standings.oracle import Oracle, mean, share

THIRD = Fraction(1, 3)
QUARTER = Fraction(1, 4)


class DraftSheet(Oracle):
    """DS-16 to DS-22, and the floors for who met nobody."""

    chain = ("points", "omp", "gp", "ogp")

    def keys(self, id: str) -> dict[str, Fraction]:
        met = self.opponents(id)
        return {
            "points": Fraction(self.match_points(id)),
            "omp": mean([max(Fraction(3), Fraction(self.match_points(other))) for other in met], Fraction(3)),
            "gp": self.game_points(id),
            "ogp": mean([max(Fraction(1), self.game_points(other)) for other in met], Fraction(1)),
        }

    def game_points(self, id: str) -> Fraction:
        """Points per game; what was not played at a table is no game (DS-17)."""
        won, lost, drawn = (sum(turn.games[kind] for turn in self.turns[id]) for kind in range(3))
        return share(3 * won + drawn, won + lost + drawn)


class Dci(Oracle):
    """DC-4, DC-9, DC-A7 and the contract's formulas; each percentage is at least a third."""

    chain = ("points", "omw", "gw", "ogw")

    def keys(self, id: str) -> dict[str, Fraction]:
        met = self.opponents(id)
        return {
            "points": Fraction(self.match_points(id)),
            "omw": mean([self.match_wins(other) for other in met], THIRD),
            "gw": self.game_wins(id),
            "ogw": mean([self.game_wins(other) for other in met], THIRD),
        }

    def match_wins(self, id: str) -> Fraction:
        rounds_with_result = len(self.turns[id]) - self.count(id, "idle")
        return max(THIRD, share(self.match_points(id), 3 * rounds_with_result))

    def game_wins(self, id: str) -> Fraction:
        """A bye is won by 2-0, a loss without an opponent lost by 0-2."""
        won, lost, drawn = (sum(turn.games[kind] for turn in self.turns[id]) for kind in range(3))
        won += 2 * self.count(id, "bye")
        lost += 2 * self.count(id, "assigned", "missed")
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

    def keys(self, id: str) -> dict[str, Fraction]:
        return {
            "points": Fraction(self.match_points(id)),
            "late": Fraction(self.players[id].entered > 1),
            "owp": self.opponents_wins(id),
            "oowp": mean([self.opponents_wins(other) for other in self.opponents(id)], QUARTER),
        }

    def wins(self, id: str) -> Fraction:
        """Wins ÷ rounds until they left, byes in neither; at least 25 %, at most 75 % if they dropped."""
        wins = self.count(id, "win") + self.draw * self.count(id, "draw")
        percentage = max(QUARTER, share(wins, len(self.turns[id]) - self.count(id, "bye")))
        return min(Fraction(3, 4), percentage) if self.dropped(id) else percentage

    def opponents_wins(self, id: str) -> Fraction:
        return mean([self.wins(other) for other in self.opponents(id)], QUARTER)


class PokemonTom(Pokemon):
    """As above, but a draw is half a win, dropped players stand lower, and no last opponent."""

    chain = ("points", "dropped", "owp", "oowp")
    low = ("dropped",)
    last_opponent = False
    draw = Fraction(1, 2)

    def keys(self, id: str) -> dict[str, Fraction]:
        return {**super().keys(id), "dropped": Fraction(self.dropped(id))}


class Allegiance(Oracle):
    """AL-8, AL-9, AL-12, AL-A5: opponents count with what they scored in the whole event."""

    chain = ("points", "score", "opponents_score")

    def keys(self, id: str) -> dict[str, Fraction]:
        return {
            "points": Fraction(self.count(id, "win")),
            "score": Fraction(self.score(id)),
            "opponents_score": Fraction(sum(self.score(other) for other in self.opponents(id))),
        }

    def score(self, id: str) -> int:
        return sum(turn.score for turn in self.turns[id])


class Commander(Oracle):
    """5 points for a win, 1 for a draw; then the opponents: won of played, at least 1/6, and their points."""

    chain = ("points", "opponents_wins", "opponents_points")

    def keys(self, id: str) -> dict[str, Fraction]:
        met = self.opponents(id)
        return {
            "points": Fraction(self.table_points(id)),
            "opponents_wins": mean([self.won_of_played(other) for other in met], Fraction(1, 6)),
            "opponents_points": mean([Fraction(self.table_points(other)) for other in met], Fraction(0)),
        }

    def table_points(self, id: str) -> int:
        return 5 * self.count(id, "win") + self.count(id, "draw")

    def won_of_played(self, id: str) -> Fraction:
        played = self.count(id, "win", "draw", "loss", "double loss", "assigned")
        return max(Fraction(1, 6), share(self.count(id, "win"), played))


class Fab(Oracle):
    """FB-2 to FB-6, FB-A2 to FB-A6."""

    chain = ("points", "ctb", "pml", "oml", "octb")
    low = ("pml", "oml")
    lot = True

    def keys(self, id: str) -> dict[str, Fraction]:
        met = self.opponents(id)
        return {
            "points": Fraction(self.count(id, "win", "bye")),
            "ctb": self.cumulative(id),
            "pml": self.loss_percentage(id),
            "oml": mean([self.loss_percentage(other) for other in met], Fraction(1)),
            "octb": mean([self.cumulative(other) for other in met], Fraction(0)),
        }

    def loss_percentage(self, id: str) -> Fraction:
        losses = self.losses(id)
        return share(losses, losses + self.count(id, "win", "draw"))

    def cumulative(self, id: str) -> Fraction:
        """FB-6; it goes on after a player left, with no new points (FB-A5)."""
        raw = perfect = Fraction(0)
        for number in range(1, len(self.rounds) + 1):
            points = sum(turn.outcome in ("win", "bye") for turn in self.turns[id][:number])
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
