"""Say why each table of a round is as it is, from the data that decided it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import groupby

import numpy as np

from topcut.history import History, Outcome
from topcut.pairing.engine.byes import find_bye_candidates
from topcut.pairing.engine.costs import find_legal_tables
from topcut.pairing.engine.field import Field, FieldPairing, Ints
from topcut.pairing.engine.matching import Unmatchable, match_cheapest
from topcut.pairing.model import DrawnTable, say_not_apart
from topcut.pairing.multiplayer.seating_draw import Seating
from topcut.pairing.multiplayer.seating_field import SeatingField, describe_sizes
from topcut.pairing.pools import PairingPool
from topcut.rulebook.layout import cite_numbers, cite_reading
from topcut.rulebook.model import Book
from topcut.text.messages import Message, count, join_messages, list_and, list_first, say

LISTED = 8
"""Names or pairs listed before "and n more"."""

OTHER_DIVISION = say("different divisions: no unplayed opponent was left in their own division")
NO_EARLIER_BYE = say("no earlier bye")
FEWEST_WITHOUT_BYE = say("lowest points among the players without an earlier bye")
BYE_LOWER_DOWN = say(
    "a bye for a player with fewer points would have led to a rematch or a second bye, now or later"
)
NO_OTHER_PAIRING = say("no other pairing was as good")
DRAWN_AT_RANDOM = say("drawn at random")
AS_STANDINGS = say("in the order of the standings")


@dataclass
class _PoolReasons:
    """One pool before its round."""

    history: History
    book: Book
    pool: PairingPool

    def _warn(self, warning: Message) -> Message:
        """Return a warning with the pool that it is about."""
        return join_messages(": ", (self.pool.title, warning)) if self.pool.title else warning

    def _cite(self, parameter: str) -> str:
        """Return the rule of a parameter, and the reading of it if there is one."""
        assert self.book.pairing is not None
        return cite_numbers(self.book.pairing, parameter)

    def _read(self, text: Message, parameter: str) -> Message:
        return cite_reading(text, self.book.pairing, parameter)

    def _find_name(self, field: Field | SeatingField, player: int) -> str:
        return self.history.players[int(field.players[player])].shown_name


@dataclass
class PairReasons(_PoolReasons):
    """The reasons of one pool's round at tables of two."""

    paired: FieldPairing
    unit: int

    @property
    def field(self) -> Field:
        return self.paired.field

    @cached_property
    def _rows(self) -> list[tuple[int, int]]:
        """Tables in order, leaders first, the bye last; the higher player of each table first."""
        rows = np.sort(self.paired.tables, axis=1)
        points = np.append(self.field.points, -1)
        order = np.lexsort((rows[:, 0], -points[rows[:, 1]], -points[rows[:, 0]]))
        rows = rows[order]
        rows = rows[np.argsort(rows[:, 1] == self.field.size, kind="stable")]
        return [(int(a), int(b)) for a, b in rows.tolist()]

    def explain_tables(self) -> list[DrawnTable]:
        """Return the tables in order, with their reasons."""
        found = []
        for a, b in self._rows:
            alone = b == self.field.size
            players = tuple(self.field.players[[a] if alone else [a, b]].tolist())
            reasons = self._explain_bye(a) if alone else self._explain_table(a, b)
            found.append(DrawnTable(players, tuple(reasons), self.pool.title))
        return found

    def _explain_table(self, a: int, b: int) -> list[Message]:
        field = self.field
        same = field.points[a] == field.points[b]
        reasons = [self._explain_same_points(a, b) if same else self._explain_pair_down(a, b)]
        if field.several_divisions and field.division[a] != field.division[b]:
            reasons.append(self._read(OTHER_DIVISION, "cross_division"))
        if field.met_counts and field.have_met(a, b):
            rounds = (self.history.meeting_round[np.flatnonzero(field.met[:, a] == b)] + 1).tolist()
            again = count(
                "rematch (met in round {rounds}): it could not be avoided",
                "rematch (met in rounds {rounds}): it could not be avoided",
                len(rounds),
                rounds=list_and(rounds),
            )
            pods = self.book.pairing.pods if self.book.pairing and field.barred is not None else None
            reasons.append(cite_reading(again, pods, "outside") if pods else self._read(again, "rematches"))
        if field.kept_apart and field.share_label(a, b):
            reasons.append(say_not_apart(sorted(set(field.labels[a]) & set(field.labels[b]))))
        return reasons

    def _explain_same_points(self, a: int, b: int) -> Message:
        """Return the reason of equal points; it names the reading where records differ (PK-A1)."""
        reason = _say_same_points(self._points(a))
        one, other = self._wins[self.field.players[[a, b]]].tolist()
        return reason if one == other else self._read(reason, "same_points")

    @cached_property
    def _wins(self) -> Ints:
        wins: Ints = self.history.counts[[Outcome.WIN, Outcome.BYE]].sum(axis=0)
        return wins

    def _explain_pair_down(self, a: int, b: int) -> Message:
        """Return why a player is paired down, with the reading that says to whom (DC-A3, FB-A7)."""
        return self._read(self._explain_move_down(a, b), "pair_down")

    def _explain_move_down(self, a: int, b: int) -> Message:
        field = self.field
        high, low = int(field.points[a]), int(field.points[b])
        here, there, number = self._points(a), self._points(b), self._group_sizes[high]
        if number == 1:
            return say(
                "paired down from {high} to {low} points: no other player had {high}",
                high=here,
                low=there,
            )
        if field.several_divisions:
            first = say(
                "paired down from {high} to {low} points: an opponent from the same division comes first, "
                "then one with the same points",
                high=here,
                low=there,
            )
            return self._read(first, "cross_division")
        several_down = sum(points == high for points, _ in self._across) > 1
        if several_down or any(high > points > low for points in self._group_sizes):
            return count(
                "paired down from {high} to {low} points: "
                "the {n} player with {high} could not be paired with another",
                "paired down from {high} to {low} points: "
                "the {n} players with {high} could not all be paired with each other",
                number,
                high=here,
                low=there,
            )
        facts = [count("{n} player had {points}", "{n} players had {points}", number, points=here)]
        if above := sum(points == high for _, points in self._across):
            facts.append(
                count(
                    "{n} of these has an opponent with more points",
                    "{n} of these have opponents with more points",
                    above,
                )
            )
        certain = (a, b) in self.paired.certain
        names = {"player": self._name(a), "opponent": self._name(b)}
        facts.append(
            NO_OTHER_PAIRING
            if certain
            else self._read(say("{player} and {opponent} were drawn at random", **names), "drawn_down")
        )
        return say(
            "paired down from {high} to {low} points: {facts}",
            high=here,
            low=there,
            facts=join_messages(", ", facts),
        )

    def _explain_bye(self, a: int) -> list[Message]:
        field = self.field
        lowest = int(field.points[a]) == int(field.points.min())
        points = self._points(a)
        reasons = [
            say("lowest points ({points})", points=points)
            if lowest
            else say("points: {points}", points=points)
        ]
        had = int(field.byes[a])
        eligible = find_bye_candidates(field)
        if had:
            again = count(
                "bye number {number}: every player has already had {n} bye",
                "bye number {number}: every player has already had {n} byes",
                had,
                number=had + 1,
            )
            reasons.append(self._read_byes(again, a, "second_bye"))
        elif lowest or not eligible[a]:
            reasons.append(self._read_byes(NO_EARLIER_BYE, a))
        else:
            reasons.append(self._read_byes(FEWEST_WITHOUT_BYE, a, "bye_higher_up"))
        if not eligible[a]:
            reasons.append(BYE_LOWER_DOWN)
        elif eligible.sum() > 1 and (a, field.size) not in self.paired.certain:
            drawn = say("drawn at random from {players} eligible players", players=int(eligible.sum()))
            reasons.append(self._read(drawn, "drawn_bye"))
        return reasons

    def _read_byes(self, text: Message, a: int, parameter: str = "") -> Message:
        """Return a reason that counts byes, with its readings: an awarded bye counts too (TC-A1)."""
        assert self.book.pairing is not None
        field = self.field
        awarded = self.history.awarded[field.players[field.points <= field.points[a]]].any()
        readings = [self.book.pairing.reading(parameter) if parameter else "", "TC-A1" if awarded else ""]
        numbers = ", ".join(filter(None, readings))
        return say("{note} ({rule})", note=text, rule=numbers) if numbers else text

    @cached_property
    def _group_sizes(self) -> Counter[int]:
        return Counter(self.field.points.tolist())

    @cached_property
    def _across(self) -> list[tuple[int, int]]:
        """The points of both players of each table where they differ."""
        rows = [row for row in self._rows if row[1] < self.field.size]
        points = [(int(self.field.points[a]), int(self.field.points[b])) for a, b in rows]
        return [(high, low) for high, low in points if high != low]

    def _points(self, player: int) -> int | Fraction:
        points = Fraction(int(self.field.points[player]), self.unit)
        return points.numerator if points.denominator == 1 else points

    def _name(self, player: int) -> str:
        return self._find_name(self.field, player)

    def _names(self, players: Sequence[int]) -> Message:
        names = [self._name(player) if player < self.field.size else say("the bye") for player in players]
        return list_first(names, LISTED) if len(names) > LISTED else list_and(names)

    @cached_property
    def _obstacle(self) -> Unmatchable | None:
        """Why no pairing is without a rematch and a second bye."""
        if not (self.paired.cost["rematches"] or self.paired.cost["second_byes"]):
            return None
        legal = np.where(find_legal_tables(self.field, as_if_never=True), 0, -1).astype(np.int64)
        found = match_cheapest(legal)
        return found if isinstance(found, Unmatchable) else None

    def list_warnings(self) -> list[Message]:
        """Return what the person at the desk should know."""
        found = []
        if rematches := self.paired.cost["rematches"]:
            tables = [(a, b) for a, b in self._rows if b < self.field.size and self.field.have_met(a, b)]
            pairs = [
                say("{player} and {opponent}", player=self._name(a), opponent=self._name(b))
                for a, b in tables
            ]
            found.append(
                count(
                    "A rematch cannot be avoided ({pairs}): {reason} ({rule}).",
                    "{n} rematches cannot be avoided ({pairs}): {reason} ({rule}).",
                    rematches,
                    pairs=_list_pairs(pairs),
                    reason=self._explain_obstacle(),
                    rule=self._cite("rematches"),
                )
            )
        if self.paired.cost["second_byes"]:
            found.append(
                say(
                    "A second bye cannot be avoided ({player}): {reason} ({rule}).",
                    player=self._name(next(a for a, b in self._rows if b == self.field.size)),
                    reason=self._explain_obstacle(),
                    rule=self._cite("second_bye"),
                )
            )
        return [self._warn(warning) for warning in found]

    def _explain_obstacle(self) -> Message:
        if self._obstacle is None:
            return say("every player has had a bye")
        groups, removed = self._obstacle.components, self._obstacle.removed
        if not removed:
            return count(
                "{players} has met every other player",
                "{players} have met every other player",
                len(groups[0]),
                players=self._names(groups[0]),
            )
        if all(len(group) == 1 for group in groups):
            return count(
                "{players} has met every player except {others}",
                "{players} have met every player except {others}",
                len(groups),
                players=self._names([group[0] for group in groups]),
                others=self._names(removed),
            )
        return count(
            "apart from {others}, the players form {n} group with an odd number of players "
            "that has met all others: {groups}",
            "apart from {others}, the players form {n} groups with an odd number of players each, "
            "and all players of different groups have met: {groups}",
            len(groups),
            others=self._names(removed),
            groups=join_messages("; ", [self._names(group) for group in groups[:LISTED]]),
        )

    def build_certificate(self) -> dict[str, object]:
        """Return the proof with players by id, so that other code can check it."""
        seats = [self.history.players[i].id for i in self.field.players.tolist()] + [""] * self.field.odd
        proof = dict(self.paired.certificate)
        if proof["kind"] == "matching" or "windows" in proof:
            proof["players"] = seats
        if self._obstacle is not None:
            proof["unavoidable"] = {
                "removed": [seats[i] for i in self._obstacle.removed],
                "components": [[seats[i] for i in part] for part in self._obstacle.components],
            }
        return proof


@lru_cache(maxsize=1_000)
def _say_same_points(points: int | Fraction) -> Message:
    """Return the one message for all tables of a score group."""
    return say("same points ({points})", points=points)


def _list_pairs(pairs: Sequence[Message]) -> Message:
    more = len(pairs) - LISTED
    rest = count("{n} more", "{n} more", more) if more > 0 else ""
    return join_messages("; ", (*pairs[:LISTED], rest))


@dataclass
class SeatingReasons(_PoolReasons):
    """The reasons of one pool's round at tables of more than two."""

    seating: Seating

    @property
    def field(self) -> SeatingField:
        return self.seating.field

    @property
    def _by_lot(self) -> bool:
        """Whether nobody has met and nobody is ahead."""
        return self.field.all_level and not self.field.rounds

    @property
    def _proved(self) -> bool:
        """Whether repeated pairs are proved to be as few as possible."""
        return self.seating.optimal or self.seating.bound.repeats == self.seating.cost.repeats

    def explain_tables(self) -> list[DrawnTable]:
        """Return the tables from the top, with their reasons."""
        found = []
        for number, table in enumerate(self.seating.tables):
            reasons = [self._list_places(table), *self._explain_moves(number, table)]
            reasons += map(self._explain_rematch, self._list_pairs(self.field.list_repeated(table)))
            if len(table) != self.book.match.table_sizes[0]:
                reasons.append(self._explain_size(len(table)))
            if self.field.kept_apart and self.field.share_label(table):
                labels = Counter(label for player in table for label in set(self.field.labels[player]))
                reasons.append(say_not_apart(sorted(label for label, times in labels.items() if times > 1)))
            players = tuple(self.field.players[table].tolist())
            found.append(DrawnTable(players, tuple(reasons), self.pool.title))
        return found

    def _explain_rematch(self, pair: Message) -> Message:
        if self._proved:
            return say("rematch of {pair}: it could not be avoided", pair=pair)
        return say("rematch of {pair}: no seating without it was found", pair=pair)

    def _explain_size(self, size: int) -> Message:
        text = count(
            "{size} at this table: {n} player makes {tables}",
            "{size} at this table: {n} players make {tables}",
            self.field.size,
            size=size,
            tables=describe_sizes(self.field.sizes),
        )
        return cite_reading(text, self.book.tables, "others")

    def _list_places(self, table: list[int]) -> Message:
        if self._by_lot:
            return DRAWN_AT_RANDOM
        places = (int(self.field.first[player]) + 1 for player in table)
        runs = [(place, len(list(same))) for place, same in groupby(places)]
        shown = [
            place
            if n == 1
            else count("{place} (shared by {n} here)", "{place} (shared by {n} here)", n, place=place)
            for place, n in runs
        ]
        return count("place {places}", "places {places}", len(runs), places=list_and(shown))

    def _explain_moves(self, number: int, table: list[int]) -> list[Message]:
        """Say who sits away from where the standings have them, and why."""
        start = self.field.starts[number]
        moved = []
        for seat, player in enumerate(table, start=start):
            up = int(self.field.first[player]) - seat
            down = seat - int(self.field.last[player])
            if self.field.moves and max(up, down) > 0:
                name = self._find_name(self.field, player)
                moved.append(
                    count("{player} {n} seat up", "{player} {n} seats up", up, player=name)
                    if up > 0
                    else count("{player} {n} seat down", "{player} {n} seats down", down, player=name)
                )
        if not moved:
            return [] if self._by_lot else [self._say_as_standings(start, len(table))]
        return [self._read(self._explain_moved(table, start, moved), "displacement")]

    def _say_as_standings(self, start: int, size: int) -> Message:
        """Return that a table follows the standings, with the reading where scores alone differ (AL-A2)."""
        scores = self.history.scores
        if scores is None:
            return AS_STANDINGS
        total = scores.sum(axis=0)[self.field.players]
        by_score = np.sort(total)[::-1]
        differs = any(
            sorted(total[:end].tolist()) != sorted(by_score[:end].tolist()) for end in (start, start + size)
        )
        return cite_reading(AS_STANDINGS, self.book.tables, "order") if differs else AS_STANDINGS

    def _explain_moved(self, table: list[int], start: int, moved: list[Message]) -> Message:
        moves = join_messages(", ", moved)
        would = self.field.list_repeated(range(start, start + len(table)))
        pairs = [(a, b) for a, b in would if (a in table) != (b in table)]
        if pairs:
            (pair,) = self._list_pairs(pairs[:1])
            return say("moved {moves}, so that {pair} do not meet again", moves=moves, pair=pair)
        if any(self.seating.cost.repeats):
            return say("moved {moves}, so that all tables together have the fewest rematches", moves=moves)
        return say("moved {moves}, so that no table has a rematch", moves=moves)

    def list_warnings(self) -> list[Message]:
        """Return what the person at the desk should know."""
        repeated = [pair for table in self.seating.tables for pair in self.field.list_repeated(table)]
        if not repeated:
            return []
        pairs, rule = _list_pairs(self._list_pairs(repeated)), self._cite("rematches")
        if self._proved:
            warning = count(
                "A rematch cannot be avoided: {pairs} ({rule}).",
                "{n} rematches cannot be avoided: {pairs} ({rule}).",
                len(repeated),
                pairs=pairs,
                rule=rule,
            )
        else:
            warning = count(
                "There is {n} rematch, and no better seating was found: {pairs} ({rule}).",
                "There are {n} rematches, and no better seating was found: {pairs} ({rule}).",
                len(repeated),
                pairs=pairs,
                rule=rule,
            )
        return [self._warn(warning)]

    def _list_pairs(self, pairs: Iterable[tuple[int, int]]) -> list[Message]:
        """Return pairs of players with the rounds in which they met."""
        found = []
        for a, b in pairs:
            rounds = sorted(self.history.rounds - back for back in self.field.list_meetings(a, b))
            found.append(
                count(
                    "{player} and {opponent} (round {rounds})",
                    "{player} and {opponent} (rounds {rounds})",
                    len(rounds),
                    player=self._find_name(self.field, a),
                    opponent=self._find_name(self.field, b),
                    rounds=list_and(rounds),
                )
            )
        return found
