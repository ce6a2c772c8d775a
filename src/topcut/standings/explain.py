"""Explain a player's place in sentences: their rounds, the working of every key, what decided.

The numbers come from `exact_values`, the place and the deciding keys from `rank`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from topcut.history import Outcome
from topcut.rulebook import tiebreak_keys as k
from topcut.standings.document import format_value, list_key_labels
from topcut.standings.exact_values import ExactValues, sum_credits
from topcut.standings.rank import LOT, Standings, find_last_opponents

_OUTCOMES = {
    Outcome.WIN: "beat",
    Outcome.DRAW: "drew with",
    Outcome.LOSS: "lost to",
    Outcome.DOUBLE_LOSS: "double loss with",
    Outcome.BYE: "bye",
    Outcome.ASSIGNED: "loss without an opponent",
    Outcome.MISSED: "not there yet: a loss",
    Outcome.IDLE: "sat at no table",
    Outcome.GONE: "had left",
}
_AT_LARGER_TABLES = {
    Outcome.WIN: "won against",
    Outcome.LOSS: "did not win against",
    Outcome.DRAW: "no winner with",
}


@dataclass(frozen=True)
class KeyWorking:
    key: str
    label: str
    source: str
    lower_is_better: bool
    lines: list[str]


@dataclass(frozen=True)
class Explanation:
    place: str
    rounds: list[str]
    keys: list[KeyWorking]
    neighbours: list[str]
    """What decided between them and the players next to them."""

    @property
    def lines(self) -> list[str]:
        found = [self.place]
        if self.rounds:
            found += ["", *(f"  {line}" for line in self.rounds)]
        for key in self.keys:
            low = ", lower is better" if key.lower_is_better else ""
            found += ["", f"{key.label} ({key.key}; {key.source}){low}", *(f"  {line}" for line in key.lines)]
        return [*found, "", *self.neighbours]


def explain_standing(standings: Standings, player: int) -> list[str]:
    return Explainer(standings).explain(player).lines


class Explainer:
    """Explains places of one set of standings; `called` says how a name is written in a sentence."""

    def __init__(self, standings: Standings, called: Callable[[str], str] = str) -> None:
        self.standings = standings
        self.history = standings.history
        self.book = standings.book
        self.exact = ExactValues(standings.history, standings.book)
        self.names = [called(player.shown_name) for player in standings.history.players]
        self.order: list[int] = standings.order.tolist()
        self.position = {player: at for at, player in enumerate(self.order)}
        self._phrases: dict[tuple[int, str, int], str] = {}

    def explain(self, player: int) -> Explanation:
        place = f"rank {self.standings.rank(player)} of {len(self.order)}"
        if player not in self.position:
            place = "disqualified: no longer in the standings"
        keys = []
        for key in self.book.chain:
            if isinstance(key, k.ValueKey):
                low = key.better == "low" and key.shown.form != "flag"
                lines = list(self._work_out(key, player))
                keys.append(KeyWorking(key.key, key.label, key.source, low, lines))
        return Explanation(
            f"{self.names[player]}: {place} after round {self.history.rounds}",
            list(self._describe_rounds(player)),
            keys,
            list(self._compare_with_neighbours(player)),
        )

    def _describe_rounds(self, player: int) -> Iterator[str]:
        history = self.history
        met = history.met(player)
        for r in range(history.rounds):
            outcome = Outcome(int(history.played[r, player]))
            opponents = [self.names[opponent] for number, opponent in met if number == r]
            line = " ".join([_OUTCOMES[outcome], *opponents])
            if len(opponents) > 1:
                scored = "" if history.scores is None else f", scored {int(history.scores[r, player])}"
                line = f"{_AT_LARGER_TABLES.get(outcome, 'sat with')} {', '.join(opponents)}{scored}"
            if history.games is not None and history.games[:, r, player].any():
                won, lost, drawn = (int(g) for g in history.games[:, r, player])
                line += f" {won}-{lost}" + (f"-{drawn}" if drawn else "")
            yield f"round {r + 1}: {line}"

    def _work_out(self, key: k.ValueKey, player: int) -> Iterator[str]:
        """Write out how a player's value under a key is computed."""
        value = self.exact.deciding_value(key.key, player)
        printed = format_value(self.standings, key.key, value)
        rounded = "" if printed == str(value) or key.shown.form == "flag" else f" = {printed}"
        if key.of == "self":
            own = self.exact.measure_value(key.measure, player)
            measure = self.book.measures.get(key.measure)
            if isinstance(measure, k.Cumulative) and own == value:
                yield from self._work_out_cumulative(measure, player)
                yield f"so {value}{rounded}"
                return
            limited = f", counts as {value} ({'floor' if value > own else 'cap'})" if own != value else ""
            yield f"{self._describe(key.measure, player, self.exact)}{limited}{rounded}"
            return
        if frozen := self._describe_freeze(key, player):
            yield f"{frozen}:"
        exact = self.exact.values_for(key, player)
        parts = exact.contributions(key, player)
        if not parts:
            yield f"met nobody: {value}{rounded}"
            return
        for part in parts:
            who = f"round {part.round} {self.names[part.opponent]}"
            if key.of == "tablemates":
                yield f"{who}: {part.counted} at this table"
                continue
            limited = f", counts as {part.counted} ({part.limit})" if part.limit else ""
            yield f"{who}: {self._describe(key.measure, part.opponent, exact)}{limited}"
        terms = " + ".join(str(part.counted) for part in parts)
        if key.aggregate == "mean":
            terms = f"({terms}) / {len(parts)}"
        yield f"{terms} = {value}{rounded}"

    def _work_out_cumulative(self, measure: k.Cumulative, player: int) -> Iterator[str]:
        """Write out the recursion of a cumulative key, round by round."""
        steps = self.exact.cumulative_steps(measure, player)
        befores = [Fraction(0), *(raw for _, raw, _ in steps)]
        for r, (before, (total, raw, _)) in enumerate(zip(befores, steps, strict=False), start=1):
            yield f"after round {r}: {measure.weight} x {before} + {total} = {raw}"
        if measure.normalised and steps and steps[-1][2]:
            _, raw, perfect = steps[-1]
            yield f"winning every round gives {perfect}: ({raw}) / ({perfect}) = {raw / perfect}"

    def _describe_freeze(self, key: k.ValueKey, player: int) -> str:
        """Return when a key of a player froze, and why; empty where it did not."""
        last, history = self.exact.frozen_after(key, player), self.history
        if last is None:
            return ""
        ends = {"dropped": history.dropped, "was disqualified": history.disqualified, "was cut": history.cut}
        reason = next(word for word, rounds in ends.items() if rounds[player] == last)
        moment = f"after round {last}" if last else "before round 1"
        return f"frozen {moment}, when {self.names[player]} {reason}"

    def _describe(self, name: str, player: int, exact: ExactValues) -> str:
        """Return how the value of a measure, or of a key used as one, is computed, in one phrase."""
        asked = (exact.history.rounds, name, player)
        if asked not in self._phrases:
            value = exact.measure_value(name, player)
            measure = self.book.measures.get(name)
            if measure is not None:
                self._phrases[asked] = _describe_measure(measure, player, value, exact)
            else:
                # A key of an opponent: what it is worth to others, and to them if that is frozen.
                own = exact.deciding_value(name, player)
                frozen = f" (their own, {own}, is {self._describe_freeze(exact.keys[name], player)})"
                self._phrases[asked] = f"{value}{frozen if own != value else ''}"
        return self._phrases[asked]

    def _compare_with_neighbours(self, player: int) -> Iterator[str]:
        if player not in self.position:
            return
        here = self.position[player]
        for other, upper, side in ((here - 1, here - 1, "Below"), (here + 1, here, "Above")):
            if 0 <= other < len(self.order):
                neighbour = self.order[other]
                key = self.standings.decided_by(upper)
                if key is None:
                    yield f"Level with {self.names[neighbour]}: no key separates them."
                    continue
                label = dict(list_key_labels(self.standings))[key]
                reason = self._give_reason(key, player, neighbour)
                yield f"{side} {self.names[neighbour]} by {label[:1].lower()}{label[1:]}: {reason}."

    def _give_reason(self, key: str, player: int, other: int) -> str:
        """Return what the deciding key says of a player and a neighbour."""
        mine, theirs = (self.standings.value(key, p) for p in (player, other))
        assert mine is not None
        assert theirs is not None
        if key not in self.standings.tie_values:
            return f"{self._format_both(key, mine)} against {self._format_both(key, theirs)}"
        if key == LOT:
            seed = self.standings.seed
            return f'number {mine} and number {theirs} of those still tied, drawn from the seed "{seed}"'
        better, worse = (player, other) if mine < theirs else (other, player)
        if any(isinstance(link, k.HeadToHead) for link in self.book.chain if link.key == key):
            return f"{self.names[better]} did better than {self.names[worse]} when those tied met"
        return self._compare_last_opponents(better, worse)

    def _compare_last_opponents(self, better: int, worse: int) -> str:
        """Follow both players from last opponent to last opponent until one of these stands higher."""
        last, nobody = find_last_opponents(self.history), self.history.size
        x, y, path = better, worse, ""
        for _ in range(self.history.rounds + 2):
            before_x, before_y = self.names[x], self.names[y]
            x, y = int(last[x]), int(last[y])
            if y == nobody:
                return f"{path}{before_y} met nobody"
            met = f"{before_x} last met {self.names[x]}, {before_y} last met {self.names[y]}"
            if any(column.exact(x) != column.exact(y) for column in self.standings.columns.values()):
                return f"{path}{met}, and {self.names[x]} stands higher"
            path += f"{met}, who stand level; "
        return path

    def _format_both(self, key: str, value: Fraction) -> str:
        """Return the exact value, and the printed one where it differs."""
        printed = format_value(self.standings, key, value)
        return str(value) if printed == str(value) else f"{value} ({printed})"


def _describe_measure(measure: k.Measure, player: int, value: Fraction, exact: ExactValues) -> str:
    match measure:
        case k.Outcomes():
            credits_ = exact.round_credits(measure, player)
            if measure.value == "rate":
                return _format_rate(credits_, value)
            return f"{' + '.join(str(c.earned) for c in credits_) or '0'} = {value}"
        case k.Games():
            credits_ = exact.game_credits(measure, player)
            if not credits_:
                return "no games"
            if measure.won.possible == 1:
                return f"{sum_credits(credits_).earned} points in {len(credits_)} games = {value}"
            return f"game points {_format_rate(credits_, value)}"
        case k.Scores():
            assert exact.history.scores is not None
            scores = exact.history.scores[:, player]
            return f"{' + '.join(str(int(score)) for score in scores) or '0'} = {value}"
        case k.Cumulative():
            totals = ", ".join(str(total) for total, *_ in exact.cumulative_steps(measure, player))
            return f"totals after each round {totals or 'none'}: {value}"
        case k.Flag():
            return f"{'yes' if value else 'no'} = {value}"


def _format_rate(by_round: list[k.Credit], value: Fraction) -> str:
    total = sum_credits(by_round)
    return f"{total.earned} of {total.possible} = {value}" if total.possible else "nothing played"
