"""Explain a player's place in sentences: their rounds, the working of every key, what decided.

The numbers come from `exact_values`, the place and the deciding keys from `rank`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from topcut.history import Outcome
from topcut.history.ties import describe_tie
from topcut.rulebook import tiebreak_keys as k
from topcut.rulebook.layout import Section, cite_reading
from topcut.standings.document import format_value, list_key_labels
from topcut.standings.exact_values import ExactValues, sum_credits
from topcut.standings.rank import LOT, Standings, find_last_opponents
from topcut.text.messages import Message, count, join_messages, say

_WITHOUT_OPPONENT = {
    Outcome.BYE: say("bye"),
    Outcome.ASSIGNED: say("loss without an opponent"),
    Outcome.MISSED: say("missed (a loss)"),
    Outcome.IDLE: say("did not play"),
    Outcome.GONE: say("had left"),
}
NO_OPPONENTS = say("no opponents")
NOT_ROUNDED = Message("")
NO_GAMES = say("no games")
NOTHING_PLAYED = say("nothing played")


@dataclass(frozen=True)
class KeyWorking:
    key: str
    label: str
    source: str
    lower_is_better: bool
    lines: Sequence[str]

    @property
    def heading(self) -> Message:
        about = {"tiebreaker": self.label, "key": self.key, "source": self.source}
        if self.lower_is_better:
            return say("{tiebreaker} ({key}; {source}), lower is better", **about)
        return say("{tiebreaker} ({key}; {source})", **about)


@dataclass(frozen=True)
class Explanation:
    place: Message
    rounds: list[str]
    keys: list[KeyWorking]
    neighbours: list[str]
    """What decided between them and the players next to them."""

    @property
    def lines(self) -> list[str]:
        found: list[str] = [self.place]
        if self.rounds:
            found += ["", *map(_indent, self.rounds)]
        for key in self.keys:
            found += ["", key.heading, *map(_indent, key.lines)]
        return [*found, "", *self.neighbours]


def _indent(line: str) -> Message:
    return join_messages("", ("  ", line))


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
        self._phrases: dict[tuple[int, str, int, Message], Message] = {}

    def explain(self, player: int) -> Explanation:
        keys = []
        for key in self.book.chain:
            if isinstance(key, k.ValueKey):
                low = key.better == "low" and key.shown.form != "flag"
                lines: list[str] = list(self._work_out(key, player))
                keys.append(KeyWorking(key.key, key.label, key.source, low, lines))
        return Explanation(
            self._describe_place(player),
            list(self._describe_rounds(player)),
            keys,
            list(self._compare_with_neighbours(player)),
        )

    def _describe_place(self, player: int) -> Message:
        name, rounds = self.names[player], self.history.rounds
        if player not in self.position:
            return say(
                "{player}: disqualified; not in the standings after round {round}", player=name, round=rounds
            )
        return say(
            "{player}: rank {rank} of {players} after round {round}",
            player=name,
            rank=self.standings.rank(player),
            players=len(self.order),
            round=rounds,
        )

    def _describe_rounds(self, player: int) -> Iterator[Message]:
        history = self.history
        met = history.met(player)
        for r in range(history.rounds):
            outcome = Outcome(int(history.played[r, player]))
            opponents = [self.names[opponent] for number, opponent in met if number == r]
            if len(opponents) > 1:
                line = _describe_larger_table(outcome, join_messages(", ", opponents))
                if history.scores is not None:
                    scored = say("scored {points}", points=int(history.scores[r, player]))
                    line = join_messages(", ", (line, scored))
            elif opponents:
                line = _describe_match(outcome, opponents[0])
            else:
                line = _WITHOUT_OPPONENT[outcome]
            if (table := history.decided.get((r, player))) is not None:
                line = join_messages("; ", (line, describe_tie(table, self._name)))
            if history.games is not None and history.games[:, r, player].any():
                won, lost, drawn = (int(g) for g in history.games[:, r, player])
                line = join_messages(" ", (line, f"{won}-{lost}" + (f"-{drawn}" if drawn else "")))
            yield say("round {round}: {result}", round=r + 1, result=line)

    def _name(self, player_id: str) -> str:
        return self.names[self.history.index[player_id]]

    def _work_out(self, key: k.ValueKey, player: int) -> Iterator[Message]:
        """Write out how a player's value under a key is computed."""
        value = self.exact.deciding_value(key.key, player)
        printed = format_value(self.standings, key.key, value)
        plain = printed == str(value) or key.shown.form == "flag"
        rounded = NOT_ROUNDED if plain else join_messages("", (" = ", printed))
        if key.of == "self":
            own = self.exact.measure_value(key.measure, player)
            measure = self.book.measures.get(key.measure)
            if isinstance(measure, k.Cumulative) and own == value:
                yield from self._work_out_cumulative(measure, player)
                yield say("so {value}", value=join_messages("", (str(value), rounded)))
                return
            if own == value:
                yield self._describe(key.measure, player, self.exact, rounded)
                return
            working = self._describe(key.measure, player, self.exact)
            working = _limit(working, value, "floor" if value > own else "cap")
            limited = join_messages("", (working, rounded))
            yield cite_reading(limited, key, "floor") if key.sources.get("floor") else limited
            return
        if frozen := self._describe_freeze(key, player):
            yield join_messages("", (frozen, ":"))
        exact = self.exact.values_for(key, player)
        parts = exact.contributions(key, player)
        if not parts:
            nobody = join_messages("", (NO_OPPONENTS, f": {value}", rounded))
            yield cite_reading(nobody, key, "empty")
            return
        for part in parts:
            who = say("round {round} {opponent}", round=part.round, opponent=self.names[part.opponent])
            if key.of == "tablemates":
                working = say("{score} at this table", score=str(part.counted))
            else:
                working = self._describe(key.measure, part.opponent, exact)
                if part.limit:
                    working = _limit(working, part.counted, part.limit)
                    if part.limit == "floor" and key.sources.get("floor"):
                        working = cite_reading(working, key, "floor")
            yield join_messages(": ", (who, working))
        terms = " + ".join(str(part.counted) for part in parts)
        if key.aggregate == "mean":
            terms = f"({terms}) / {len(parts)}"
        total = join_messages("", (f"{terms} = {value}", rounded))
        again = len({part.opponent for part in parts}) < len(parts)
        if again and key.sources.get("of"):
            total = cite_reading(total, key, "of")
        elif "opponents_freeze" in self.book.standings.sources and self._missed_cut(player):
            total = cite_reading(total, self.book.standings, "opponents_freeze")
        yield total

    def _missed_cut(self, player: int) -> bool:
        """Return whether rounds were played after a cut that left a player out."""
        return bool(self.history.cut[player] < self.history.rounds)

    def _work_out_cumulative(self, measure: k.Cumulative, player: int) -> Iterator[Message]:
        """Write out the recursion of a cumulative key, round by round."""
        steps = self.exact.cumulative_steps(measure, player)
        befores = [Fraction(0), *(raw for _, raw, _ in steps)]
        for r, (before, (total, raw, _)) in enumerate(zip(befores, steps, strict=False), start=1):
            terms = f"{measure.weight} x {before} + {total} = {raw}"
            yield say("after round {round}: {sum}", round=r, sum=terms)
        if measure.normalised and steps and steps[-1][2]:
            _, raw, perfect = steps[-1]
            share = f"({raw}) / ({perfect}) = {raw / perfect}"
            best = say("winning every round gives {best}: {share}", best=str(perfect), share=share)
            yield cite_reading(best, measure, "normalised")

    def _describe_freeze(self, key: k.ValueKey, player: int) -> Message | None:
        """Return when a key of a player froze, and why; None where it did not."""
        last, history = self.exact.frozen_after(key, player), self.history
        if last is None:
            return None
        name = self.names[player]
        if self.book.standings.opponents_freeze == "at the end of the stage" and history.cut[player] != last:
            return say(
                "frozen after round {round}, when the next stage began without {player}",
                round=last,
                player=name,
            )
        if history.dropped[player] == last:
            if not last:
                return say("frozen before round 1, when {player} dropped", player=name)
            return say("frozen after round {round}, when {player} dropped", round=last, player=name)
        if history.disqualified[player] == last:
            if not last:
                return say("frozen before round 1, when {player} was disqualified", player=name)
            return say("frozen after round {round}, when {player} was disqualified", round=last, player=name)
        return say("frozen after round {round}, when {player} missed the cut", round=last, player=name)

    def _describe(
        self, name: str, player: int, exact: ExactValues, rounded: Message = NOT_ROUNDED
    ) -> Message:
        """Return how the value of a measure, or of a key used as one, is computed, in one phrase."""
        asked = (exact.history.rounds, name, player, rounded)
        if asked not in self._phrases:
            value = exact.measure_value(name, player)
            measure = self.book.measures.get(name)
            if measure is not None:
                working = join_messages("", (_describe_measure(measure, player, value, exact), rounded))
                readings = find_readings(measure, player, exact, self.book.standings)
                self._phrases[asked] = (
                    say("{note} ({rule})", note=working, rule=readings) if readings else working
                )
            else:
                # A key of an opponent: what it is worth to others, and to them if that is frozen.
                own = exact.deciding_value(name, player)
                frozen = self._describe_freeze(exact.keys[name], player) if own != value else None
                self._phrases[asked] = (
                    Message(value)
                    if frozen is None
                    else say(
                        "{value} (own value: {own}, {frozen})", value=str(value), own=str(own), frozen=frozen
                    )
                )
        return self._phrases[asked]

    def _compare_with_neighbours(self, player: int) -> Iterator[Message]:
        if player not in self.position:
            return
        here = self.position[player]
        for other, upper in ((here - 1, here - 1), (here + 1, here)):
            if not 0 <= other < len(self.order):
                continue
            neighbour = self.order[other]
            key = self.standings.decided_by(upper)
            if key is None:
                tied = say("Tied with {player} on every tiebreaker.", player=self.names[neighbour])
                yield cite_reading(tied, self.book.standings, "ends_in")
                continue
            about = {
                "player": self.names[neighbour],
                "tiebreaker": dict(list_key_labels(self.standings))[key],
                "reason": self._give_reason(key, player, neighbour),
            }
            if other < here:
                yield say("Below {player} by {tiebreaker}: {reason}.", **about)
            else:
                yield say("Above {player} by {tiebreaker}: {reason}.", **about)

    def _give_reason(self, key: str, player: int, other: int) -> Message:
        """Return what the deciding key says of a player and a neighbour."""
        mine, theirs = (self.standings.value(key, p) for p in (player, other))
        assert mine is not None
        assert theirs is not None
        if key not in self.standings.tie_values:
            return say(
                "{value} against {other}",
                value=self._format_both(key, mine),
                other=self._format_both(key, theirs),
            )
        if key == LOT:
            drawn = say(
                "number {place} against number {other} in the random order of the tied players "
                '(seed "{seed}")',
                place=int(mine),
                other=int(theirs),
                seed=self.standings.seed,
            )
            drawn = cite_reading(drawn, self.book.standings, "ends_in")
            return join_messages("; ", (self._explain_no_head_to_head(player, other), drawn))
        better, worse = (player, other) if mine < theirs else (other, player)
        if any(isinstance(link, k.HeadToHead) for link in self.book.chain if link.key == key):
            return say(
                "{player} did better than {other} in the matches between the tied players",
                player=self.names[better],
                other=self.names[worse],
            )
        reason = self._compare_last_opponents(better, worse)
        return join_messages("; ", (self._explain_no_head_to_head(better, worse), reason))

    def _explain_no_head_to_head(self, player: int, other: int) -> Message:
        """Return why head to head decided nothing although the tied players met; empty if it is plain."""
        key = next((link for link in self.book.chain if isinstance(link, k.HeadToHead)), None)
        if key is None or not any(opponent == other for _, opponent in self.history.met(player)):
            return Message("")
        columns = self.standings.columns.values()
        tied = sum(
            all(column.exact(p) == column.exact(player) for column in columns) for p in self.standings.order
        )
        if tied > 2 and key.among == "two":
            return cite_reading(say("head to head is for two tied players only"), key, "among")
        return cite_reading(say("their match was a draw"), key, "drawn") if tied == 2 else Message("")

    def _compare_last_opponents(self, better: int, worse: int) -> Message:
        """Follow both players from last opponent to last opponent until one of these stands higher."""
        last, nobody = find_last_opponents(self.history), self.history.size
        x, y = better, worse
        path: list[Message] = []
        for _ in range(self.history.rounds + 2):
            names = {"player": self.names[x], "other": self.names[y]}
            x, y = int(last[x]), int(last[y])
            if y == nobody:
                path.append(say("{player} had no opponent", player=names["other"]))
                break
            names |= {"opponent": self.names[x], "others_opponent": self.names[y]}
            if any(column.exact(x) != column.exact(y) for column in self.standings.columns.values()):
                path.append(
                    say(
                        "{player} last met {opponent}, {other} last met {others_opponent}, "
                        "and {opponent} is higher in the standings",
                        **names,
                    )
                )
                break
            path.append(
                say("{player} last met {opponent}, {other} last met {others_opponent}, who are tied", **names)
            )
        told = join_messages("; ", path)
        key = next((link for link in self.book.chain if isinstance(link, k.LastOpponent)), None)
        return cite_reading(told, key, "depth") if key is not None and len(path) > 1 else told

    def _format_both(self, key: str, value: Fraction) -> Message:
        """Return the exact value, and the printed one where it differs."""
        printed = format_value(self.standings, key, value)
        if printed == str(value):
            return Message(value)
        return say("{value} ({shown})", value=str(value), shown=printed)


def _describe_match(outcome: Outcome, opponent: str) -> Message:
    match outcome:
        case Outcome.WIN:
            return say("beat {opponent}", opponent=opponent)
        case Outcome.DRAW:
            return say("drew with {opponent}", opponent=opponent)
        case Outcome.LOSS:
            return say("lost to {opponent}", opponent=opponent)
    return say("double loss with {opponent}", opponent=opponent)


def _describe_larger_table(outcome: Outcome, opponents: Message) -> Message:
    match outcome:
        case Outcome.WIN:
            return say("won against {opponents}", opponents=opponents)
        case Outcome.LOSS:
            return say("did not win against {opponents}", opponents=opponents)
        case Outcome.DRAW:
            return say("no winner with {opponents}", opponents=opponents)
    return say("sat with {opponents}", opponents=opponents)


def _limit(working: Message, value: Fraction, limit: str) -> Message:
    """Return a working with the value that counts in its place."""
    if limit == "floor":
        return say("{working}, counts as {value} (minimum)", working=working, value=str(value))
    return say("{working}, counts as {value} (maximum)", working=working, value=str(value))


def _describe_measure(measure: k.Measure, player: int, value: Fraction, exact: ExactValues) -> Message:
    match measure:
        case k.Outcomes():
            credits_ = exact.round_credits(measure, player)
            if measure.value == "rate":
                return _describe_rate(credits_, value)
            return Message(f"{' + '.join(str(c.earned) for c in credits_) or '0'} = {value}")
        case k.Games():
            credits_ = exact.game_credits(measure, player)
            if not credits_:
                return NO_GAMES
            if measure.won.possible == 1:
                return count(
                    "{points} points in {n} game = {value}",
                    "{points} points in {n} games = {value}",
                    len(credits_),
                    points=str(sum_credits(credits_).earned),
                    value=str(value),
                )
            return say("game points {rate}", rate=_describe_rate(credits_, value))
        case k.Scores():
            assert exact.history.scores is not None
            scores = exact.history.scores[:, player]
            return Message(f"{' + '.join(str(int(score)) for score in scores) or '0'} = {value}")
        case k.Cumulative():
            totals = ", ".join(str(total) for total, *_ in exact.cumulative_steps(measure, player))
            if not totals:
                return say("no rounds: {value}", value=str(value))
            return say("totals after each round {totals}: {value}", totals=totals, value=str(value))
        case k.Flag():
            return say("yes = {value}", value=str(value)) if value else say("no = {value}", value=str(value))


def find_readings(measure: k.Measure, player: int, exact: ExactValues, standings: Section) -> str:
    """Return the readings that a player's value of a measure rests on: of a draw, of a bye, of leaving.

    Only where the book gives a source of its own for them, and what they are about has happened.
    """
    history = exact.history
    played = history.played[:, player]
    happened = []
    if isinstance(measure, k.Outcomes | k.Cumulative):
        happened = [("draw", (played == Outcome.DRAW).any()), ("bye", (played == Outcome.BYE).any())]
        left = (played == Outcome.GONE).any()
        happened += [("after_leaving", left), ("value", left)]
    elif isinstance(measure, k.Games):
        drawn = history.games is not None and bool(history.games[2, :, player].any())
        happened = [("drawn", drawn), ("bye", (played == Outcome.BYE).any())]
    found = [measure.reading(name) for name, here in happened if here and name in measure.sources]
    if getattr(measure, "value", "") == "rate" and history.cut[player] < history.rounds:
        found.append(standings.reading("cut_counts_as_dropped"))
    return ", ".join(sorted({number for number in found if number}, key=lambda number: (len(number), number)))


def _describe_rate(by_round: list[k.Credit], value: Fraction) -> Message:
    total = sum_credits(by_round)
    if not total.possible:
        return NOTHING_PLAYED
    return say(
        "{earned} of {possible} = {value}",
        earned=str(total.earned),
        possible=str(total.possible),
        value=str(value),
    )
