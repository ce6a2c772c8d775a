"""Why does this player stand here? The arithmetic of every key, written out for a doubting player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from topcut.history import Played
from topcut.rulebook.keys import (
    Credit,
    Cumulative,
    Flag,
    Games,
    HeadToHead,
    LastOpponent,
    Measure,
    Outcomes,
    Scores,
    ValueKey,
)
from topcut.standings.answer import shown
from topcut.standings.rank import LOT, Standings
from topcut.standings.ties import last_opponents
from topcut.standings.working import Working

_OUTCOMES = {
    Played.WIN: "beat",
    Played.DRAW: "drew with",
    Played.LOSS: "lost to",
    Played.DOUBLE_LOSS: "double loss with",
    Played.BYE: "bye",
    Played.ASSIGNED: "loss without an opponent",
    Played.MISSED: "not there yet: a loss",
    Played.IDLE: "sat at no table",
    Played.GONE: "had left",
}


@dataclass(frozen=True)
class Worked:
    """How one value of a player comes about."""

    key: str
    label: str
    source: str
    lower_is_better: bool
    lines: list[str]

    @property
    def title(self) -> str:
        low = ", lower is better" if self.lower_is_better else ""
        return f"{self.label} ({self.key}; {self.source}){low}"


@dataclass(frozen=True)
class Explained:
    """Why a player stands there."""

    place: str
    rounds: list[str]
    keys: list[Worked]
    """Each key with everything that enters it."""
    neighbours: list[str]
    """What decided between them and those next to them."""

    @property
    def lines(self) -> list[str]:
        """All of it as text."""
        found = [self.place]
        if self.rounds:
            found += ["", *(f"  {line}" for line in self.rounds)]
        for key in self.keys:
            found += ["", key.title, *(f"  {line}" for line in key.lines)]
        return [*found, "", *self.neighbours]


def explain(standings: Standings, player: int) -> list[str]:
    """Lines of text: the rounds, then each key with everything that enters it, then what decided."""
    return Explainer(standings).explained(player).lines


class Explainer:
    """Explains the places of some standings; what several players need is worked out once.

    `called` says how a name stands in a sentence.
    """

    def __init__(self, standings: Standings, called: Callable[[str], str] = str) -> None:
        self.standings = standings
        self.working = Working(standings.history, standings.book)
        self.names = [called(player.shown_name) for player in standings.history.players]
        self.phrases: dict[tuple[int, str, int], str] = {}
        self.order: list[int] = standings.order.tolist()
        self.position = {player: at for at, player in enumerate(self.order)}

    def explained(self, player: int) -> Explained:
        """Why this player stands there."""
        return _Explanation(self, player).whole()


class _Explanation:
    def __init__(self, shared: Explainer, player: int) -> None:
        self.shared = shared
        self.standings = shared.standings
        self.history = shared.standings.history
        self.book = shared.standings.book
        self.player = player
        self.working = shared.working

    def whole(self) -> Explained:
        me = self.player
        place = f"rank {self.standings.rank(me)} of {len(self.shared.order)}"
        if me not in self.shared.position:
            place = "disqualified: no longer in the standings"
        keys = [
            Worked(
                key.key,
                key.label,
                key.source,
                key.better == "low" and key.shown.form != "flag",
                list(self._key(key)),
            )
            for key in self.book.chain
            if isinstance(key, ValueKey)
        ]
        return Explained(
            f"{self.name(me)}: {place} after round {self.history.rounds}",
            list(self._rounds()),
            keys,
            list(self._neighbours()),
        )

    def name(self, player: int) -> str:
        return self.shared.names[player]

    def _rounds(self) -> Iterator[str]:
        history, me = self.history, self.player
        met: dict[int, list[int]] = {}
        for r, opponent in history.met(me):
            met.setdefault(r, []).append(opponent)
        for r in range(history.rounds):
            line = _OUTCOMES[Played(int(history.played[r, me]))]
            if r in met:
                opponents = ", ".join(self.name(o) for o in met[r])
                line = f"{line} {opponents}" if len(met[r]) == 1 else self._multiplayer(r, opponents)
            if history.games is not None and history.games[:, r, me].any():
                won, lost, drawn = (int(g) for g in history.games[:, r, me])
                line += f" {won}-{lost}" + (f"-{drawn}" if drawn else "")
            yield f"round {r + 1}: {line}"

    def _multiplayer(self, r: int, opponents: str) -> str:
        result = {
            Played.WIN: "won against",
            Played.LOSS: "did not win against",
            Played.DRAW: "no winner with",
        }
        played = Played(int(self.history.played[r, self.player]))
        scored = "" if self.history.scores is None else f", scored {int(self.history.scores[r, self.player])}"
        return f"{result.get(played, 'sat with')} {opponents}{scored}"

    def _key(self, key: ValueKey) -> Iterator[str]:
        value = self.working.key(key.key, self.player)
        end = self._value(key, value)
        if key.of == "self":
            own = self.working.value(key.measure, self.player)
            measure = self.book.measures.get(key.measure)
            if isinstance(measure, Cumulative) and own == value:
                yield from self._steps(measure)
                yield f"so {end}"
                return
            limited = f", counts as {value} ({'floor' if value > own else 'cap'})" if own != value else ""
            printed = end.removeprefix(str(value))
            yield f"{self._worked(key.measure, self.player)}{limited}{printed}"
            return
        if frozen := self._frozen(key, self.player):
            yield f"{frozen}:"
        working = self.working.deciding(key, self.player)
        parts = working.contributions(key, self.player)
        if not parts:
            yield f"met nobody: {end}"
            return
        for part in parts:
            who = f"round {part.round} {self.name(part.opponent)}"
            if key.of == "tablemates":
                yield f"{who}: {part.counted} at this table"
                continue
            limited = f", counts as {part.counted} ({part.limit})" if part.limit else ""
            yield f"{who}: {self._worked(key.measure, part.opponent, working)}{limited}"
        terms = " + ".join(str(part.counted) for part in parts)
        yield f"({terms}) / {len(parts)} = {end}" if key.aggregate == "mean" else f"{terms} = {end}"

    def _value(self, key: ValueKey, value: Fraction) -> str:
        printed = shown(self.standings, key.key, value)
        return str(value) if printed == str(value) or key.shown.form == "flag" else f"{value} = {printed}"

    def _frozen(self, key: ValueKey, player: int) -> str:
        """When a key of a player froze, and why; empty where it did not."""
        last = self.working.frozen_after(key, player)
        if last is None:
            return ""
        history = self.history
        ends = {"dropped": history.dropped, "was disqualified": history.disqualified, "was cut": history.cut}
        reason = next(word for word, rounds in ends.items() if int(rounds[player]) == last)
        moment = f"after round {last}" if last else "before round 1"
        return f"frozen {moment}, when {self.name(player)} {reason}"

    def _worked(self, name: str, player: int, working: Working | None = None) -> str:
        """How a measure's value comes about, in one phrase; `working`: as it was at another moment."""
        working = working or self.working
        phrases, asked = self.shared.phrases, (working.history.rounds, name, player)
        if asked not in phrases:
            value = working.value(name, player)
            measure = self.book.measures.get(name)
            phrases[asked] = (
                self._key_as_measure(name, player, value, working)
                if measure is None
                else self._measure(measure, player, value, working)
            )
        return phrases[asked]

    def _key_as_measure(self, name: str, player: int, value: Fraction, working: Working) -> str:
        """A key of an opponent: what it is worth to others, and what it is to them if that is frozen."""
        key = next(key for key in self.book.chain if isinstance(key, ValueKey) and key.key == name)
        own = working.key(name, player)
        return str(value) if own == value else f"{value} (their own, {own}, is {self._frozen(key, player)})"

    def _measure(self, measure: Measure, player: int, value: Fraction, working: Working) -> str:
        match measure:
            case Outcomes():
                by_round = [working.credit(measure, r, player) for r in range(working.history.rounds)]
                if measure.value == "rate":
                    return _fraction(by_round, value)
                return f"{' + '.join(str(c.earned) for c in by_round) or '0'} = {value}"
            case Games():
                by_round = working.game_credits(measure, player)
                if not by_round:
                    return "no games"
                if measure.won.possible == 1:
                    return f"{_earned(by_round)} points in {len(by_round)} games = {value}"
                return f"game points {_fraction(by_round, value)}"
            case Scores():
                assert working.history.scores is not None
                scores = working.history.scores[:, player]
                return f"{' + '.join(str(int(score)) for score in scores) or '0'} = {value}"
            case Cumulative():
                totals = ", ".join(str(t) for t in working.running_totals(measure, player))
                return f"totals after each round {totals or 'none'}: {value}"
            case Flag():
                return f"{'yes' if value else 'no'} = {value}"

    def _steps(self, measure: Cumulative) -> Iterator[str]:
        """The recursion of a cumulative key, round by round."""
        raw = perfect = Fraction(0)
        for r, total in enumerate(self.working.running_totals(measure, self.player), start=1):
            before, raw = raw, measure.weight * raw + total
            perfect = measure.weight * perfect + r * measure.win
            yield f"after round {r}: {measure.weight} x {before} + {total} = {raw}"
        if measure.normalised and perfect:
            yield f"winning every round gives {perfect}: ({raw}) / ({perfect}) = {raw / perfect}"

    def _neighbours(self) -> Iterator[str]:
        order = self.shared.order
        if self.player not in self.shared.position:
            return
        here = self.shared.position[self.player]
        for above in (here - 1, here):
            if 0 <= above < len(order) - 1:
                other = order[above if above < here else above + 1]
                key = self.standings.decided_by(above)
                side = "Below" if above < here else "Above"
                if key is None:
                    yield f"Level with {self.name(other)}: no key separates them."
                    continue
                yield f"{side} {self.name(other)} by {self._label(key)}: {self._reason(key, other)}."

    def _label(self, key: str) -> str:
        labels = {link.key: link.label for link in self.book.chain} | {LOT: "lot"}
        return labels[key][:1].lower() + labels[key][1:]

    def _reason(self, key: str, other: int) -> str:
        """What the deciding key says of this player and a neighbour."""
        mine, theirs = (self.standings.value(key, p) for p in (self.player, other))
        assert mine is not None
        assert theirs is not None
        if key not in self.standings.tie_values:
            return f"{self._short(key, mine)} against {self._short(key, theirs)}"
        better, worse = (self.player, other) if mine < theirs else (other, self.player)
        link = next((link for link in self.book.chain if link.key == key), None)
        match link:
            case HeadToHead():
                return f"{self.name(better)} did better than {self.name(worse)} when those tied met"
            case LastOpponent():
                return self._by_last_opponents(better, worse)
        seed = self.standings.seed
        return f'number {mine} and number {theirs} of those still tied, drawn from the seed "{seed}"'

    def _by_last_opponents(self, better: int, worse: int) -> str:
        """Follow both players from last opponent to last opponent until one of these stands higher."""
        last, nobody = last_opponents(self.history), self.history.size
        x, y, path = better, worse, ""
        for _ in range(self.history.rounds + 2):
            before_x, before_y = self.name(x), self.name(y)
            x, y = int(last[x]), int(last[y])
            if y == nobody:
                return f"{path}{before_y} met nobody"
            met = f"{before_x} last met {self.name(x)}, {before_y} last met {self.name(y)}"
            if self._values(x) != self._values(y):
                return f"{path}{met}, and {self.name(x)} stands higher"
            path += f"{met}, who stand level; "
        return path

    def _values(self, player: int) -> list[Fraction]:
        return [column.exact(player) for column in self.standings.columns.values()]

    def _short(self, key: str, value: Fraction) -> str:
        printed = shown(self.standings, key, value)
        return str(value) if printed == str(value) else f"{value} ({printed})"


def _earned(by_round: list[Credit]) -> Fraction:
    return sum((credit.earned for credit in by_round), Fraction(0))


def _fraction(by_round: list[Credit], value: Fraction) -> str:
    earned = _earned(by_round)
    possible = sum((credit.possible for credit in by_round), Fraction(0))
    return f"{earned} of {possible} = {value}" if possible else "nothing played"
