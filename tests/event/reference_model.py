"""An event as a scorekeeper would keep it on paper: what each command must do, and whether it may.

Written from the rules, not from `topcut.event`: plain dictionaries of players and rounds. What is drawn is
not foretold; the model takes the tables as they come and looks whether they can be (`seated`).
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal

from topcut.event.facts import Result

Verdict = Literal["yes", "no", "maybe"]
Key = int | str
"""A table: its number, or the player who sits there alone."""
Claims = tuple[tuple[str, ...], dict[str, Result]]
Question = tuple[int, str, str, int | None]
"""Its number, who asks, about what, and of which round."""
LOST = Result(loss=True)


@dataclass
class Rules:
    """What the model needs to know of a ruleset and the options."""

    book: str
    sizes: tuple[int, ...]
    format: str
    kind: str
    divisions: bool
    level: str
    chart: bool
    pods: bool


@dataclass
class Player:
    entered: int
    left: int | None = None
    here: bool | None = None
    fixed: int | None = None
    division: str | None = None


@dataclass
class Seats:
    """A table of a round."""

    number: int | None
    players: tuple[str, ...]
    result: Result | None = None

    @property
    def key(self) -> Key:
        return self.players[0] if self.number is None else self.number

    def result_for(self, winner_is_not: str) -> Result:
        (other,) = (player_id for player_id in self.players if player_id != winner_is_not)
        return Result(winner=other)


@dataclass
class Round:
    number: int
    stage: str
    phase: str = "draft"
    tables: dict[Key, Seats] = field(default_factory=dict)
    begun: set[int] = field(default_factory=set)
    by_hand: bool = False
    paused: bool = False
    claims: dict[int, Claims] = field(default_factory=dict)
    """What players say of tables, and who sat there."""

    def of(self, player: str) -> Seats | None:
        return next((seats for seats in self.tables.values() if player in seats.players), None)

    def stays(self, seats: Seats) -> bool:
        """Whether nothing may change this table any more (PK-56)."""
        if self.phase in ("started", "ended"):
            return True
        return seats.number is not None and (seats.result is not None or seats.number in self.begun)


@dataclass
class Model:
    rules: Rules
    players: dict[str, Player] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    blocked: set[int] = field(default_factory=set)
    finished: bool = False
    purged: bool = False
    questions: list[Question] = field(default_factory=list)

    def copy(self) -> Model:
        return deepcopy(self)

    # What can be seen of it

    @property
    def up(self) -> Round | None:
        last = self.rounds[-1] if self.rounds else None
        return last if last and last.phase in ("draft", "published") else None

    @property
    def playing(self) -> Round | None:
        last = self.rounds[-1] if self.rounds else None
        return last if last and last.phase == "started" else None

    @property
    def begun(self) -> int:
        return len(self.rounds) - (self.up is not None)

    @property
    def posted(self) -> int:
        return max((r.number for r in self.rounds if r.phase != "draft"), default=0)

    def due(self, number: int) -> set[str]:
        """Who takes part in a round."""
        return {
            player_id
            for player_id, player in self.players.items()
            if player.entered <= number and (player.left is None or player.left >= number)
        }

    def active(self) -> list[str]:
        return [player_id for player_id, player in self.players.items() if player.left is None]

    def round(self, number: int | None) -> Round | None:
        if not self.rounds:
            return None
        if number is None:
            return self.rounds[-1]
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None

    def open(self, number: int) -> bool:
        """PK-T9, PK-A27: whether the record of a round can be corrected."""
        if self.rules.book != "pokemon-2017":
            return True
        posted = [r for r in self.rounds if r.phase != "draft"]
        if max((r.number for r in posted), default=0) > number + 1:
            return False
        swiss = self.rounds[number - 1].stage == "swiss"
        return not (swiss and any(r.stage == "elimination" for r in posted))

    def can_be(self, up: Round, old: dict[Key, Seats], pods: int | None) -> int:
        """Look whether a round can have these tables; how many byes there are.

        `old`: tables that may stay as they were. `pods`: how many there are; None: changed by hand.
        """
        seated = [player_id for seats in up.tables.values() for player_id in seats.players]
        assert len(seated) == len(set(seated)), "somebody sits at two tables"
        due = self.due(up.number)
        assert set(seated) <= due, "somebody plays who is not in the round"
        if up.stage == "swiss":
            divisions = (
                {self.players[player_id].division for player_id in seated} if self.rules.divisions else None
            )
            ought = {
                player_id
                for player_id in due
                if divisions is None or self.players[player_id].division in divisions
            }
            assert set(seated) == ought, "somebody sits nowhere"
        elif up.number == 1:
            assert set(seated) == due, "somebody sits nowhere"
        numbers = [seats.number for seats in up.tables.values() if seats.number is not None]
        assert len(numbers) == len(set(numbers)) == sum(len(s.players) > 1 for s in up.tables.values())
        before = {(seats.number, frozenset(seats.players)) for seats in old.values()}
        for seats in up.tables.values():
            if (seats.number, frozenset(seats.players)) not in before and seats.number is not None:
                assert seats.number >= 1
                assert seats.number not in self.blocked
                assert len(seats.players) in self.rules.sizes
                wanted = {self.players[player_id].fixed for player_id in seats.players} - {None}
                there = {table.number for table in up.tables.values()} | self.blocked
                assert not wanted or seats.number in wanted or wanted <= there, f"not at {wanted}"
        byes = sum(seats.result == Result(bye=True) for seats in up.tables.values())
        if up.stage == "swiss" and self.rules.format != "round-robin" and not self.rules.chart:
            pools = (
                len({self.players[player_id].division for player_id in due}) if self.rules.divisions else 1
            )
            assert pods is None or byes <= pools * (pods if self.rules.pods else 1)
        return byes

    # May it be done?

    def may_pair(self, again: bool) -> Verdict:
        if self.finished or self.playing or (self.up is not None and not again):
            return "no"
        if not self.begun:
            here = [self.players[player_id].here for player_id in self.active()]
            if any(here) and not all(here):
                return "no"
        if len(self.active()) < min(self.rules.sizes):
            circle = self.rules.format == "round-robin" and bool(self.rounds)
            return "maybe" if circle else "no"  # whoever is left on a circle has a bye in each round
        simple = not (self.rules.chart or self.rules.pods or self.rules.divisions)
        if not self.rounds and simple and len(self.active()) >= 8:
            return "yes"
        return "maybe"

    def may_register(self, then: str | None) -> Verdict:
        if self.finished:
            return "no"
        if not self.rounds:
            return "yes"
        if any(r.stage == "elimination" for r in self.rounds[: self.begun]):
            return "no"  # PK-22
        if self.up and self.up.stage == "elimination" and self.up.number > 1:
            return "no"  # PK-23
        if self.begun and self.rules.format == "round-robin":
            return "no"
        pokemon = self.rules.book == "pokemon-2017"
        if pokemon and self.rules.level in ("championship", "premier") and self.begun >= 2:
            return "no"  # PK-21, PK-A9
        if self.up and then is None and (self.up.phase == "published" or self.up.by_hand):
            return "no"  # PK-18: the organiser chooses
        return "maybe"

    def may_leave(self, player: str, then: str | None) -> Verdict:
        """PK-A30, PK-33."""
        if self.finished or player not in self.players or self.players[player].left is not None:
            return "no"
        if not self.rounds:
            return "yes"
        last = self.rounds[-1]
        seats = last.of(player)
        if last.stage == "elimination":
            fresh = seats is not None and seats.result is None and last.phase in ("published", "started")
            return "yes" if fresh else "maybe"
        if self.up is None:
            return "yes"
        if seats is not None and (last.stays(seats) or (then == "leave" and last.phase == "published")):
            return "yes"
        return "maybe"

    def may_restore(self, player: str, override: bool, reason: str) -> Verdict:
        who = self.players.get(player)
        if self.finished or who is None or who.left is None:
            return "no"
        if self.posted > who.left:
            if any(r.stage == "elimination" for r in self.rounds[who.left :]):
                return "no"
            if not override or not reason.strip():
                return "no"
            return "yes" if self.up is None else "maybe"
        return "yes" if self.up is None else "maybe"

    def may_report(self, number: int | None, table: int, quality: str) -> Verdict:
        a_round = self.round(number)
        if self.finished or a_round is None or table not in a_round.tables:
            return "no"
        if a_round.phase == "draft" and table not in a_round.begun:
            return "no"
        if a_round.tables[table].result is not None or quality == "bad":
            return "no"
        return "yes" if quality == "good" else "maybe"

    def may_correct(
        self, number: int | None, table: Key, new: Result | None, quality: str, asked: dict[str, Any]
    ) -> Verdict:
        a_round = self.round(number)
        if self.finished or a_round is None or table not in a_round.tables:
            return "no"
        seats = a_round.tables[table]
        if seats.result is None or quality == "bad" or (new is None and a_round.phase == "ended"):
            return "no"
        if seats.number is None:
            return "maybe"
        if new is not None and new == seats.result:
            return "no"
        if not self.open(a_round.number) and not (asked["override"] and asked["reason"].strip()):
            return "no"
        if any(r.stage == "elimination" for r in self.rounds[: self.begun]):
            return "maybe"  # unless a bracket was played on
        if quality == "maybe":
            return "maybe"
        if self.up is None or self.up is a_round or asked["then"] == "leave":
            return "yes"
        return "maybe"

    # It was done

    def leave(self, player: str, then_stayed: bool, disqualified: bool) -> None:
        """Somebody left; `then_stayed`: from a round that is up and stays as it is."""
        who = self.players[player]
        if not self.rounds:
            if disqualified:
                who.left = 0
            else:
                del self.players[player]
            return
        last = self.rounds[-1]
        seats = last.of(player)
        sits = seats is not None and (self.up is None or last.stays(seats) or then_stayed)
        if last.stage == "elimination":
            sits = last.phase != "draft"
        if not sits:
            who.left = max(who.entered, last.number + (self.up is None)) - 1
            return
        if seats is not None and len(seats.players) == 1 and self.up is not None and last.stage == "swiss":
            del last.tables[seats.key]  # a bye is nobody's
            who.left = last.number - 1
            return
        who.left = last.number
        open_table = seats is not None and seats.result is None and len(seats.players) == 2
        if seats is not None and open_table and last.phase != "ended":
            seats.result = seats.result_for(player)

    def restore(self, player: str, waits: bool) -> None:
        who = self.players[player]
        assert who.left is not None
        last, who.left = who.left, None
        for a_round in self.rounds[last:]:
            if a_round is not self.up or waits:
                a_round.tables[player] = Seats(None, (player,), LOST)


# How tables end

_GAMES = [(2, 0, 0), (0, 2, 0), (2, 1, 0), (1, 2, 0), (1, 1, 0), (1, 1, 1)]


def outcome(rules: Rules, players: tuple[str, ...], elimination: bool, n: int) -> tuple[Result, str]:
    """A result, and whether a table can end like that: "good", "bad" or "maybe"."""
    first, last = players[0], players[-1]
    if n % 13 == 12:
        return _bad(first, n // 13), "bad"
    if len(players) == 1:
        return (Result(bye=True), "maybe") if n % 2 else (LOST, "maybe")
    if rules.kind == "scores":
        if n % 4 == 3:
            return Result(scores=(9,) * len(players), winners=()), "good"
        winner = players[n % len(players)]
        scores = tuple(25 if player_id == winner else (n + at) % 8 for at, player_id in enumerate(players))
        return Result(scores=scores, winners=(winner,)), "good"
    if rules.kind == "games" and n % 3:
        games = _GAMES[n % 6]
        draw = games[0] == games[1]
        if rules.book == "fab-gem":
            return Result(games=games), "bad" if draw and elimination else "maybe"
        return Result(games=games), "bad" if draw and elimination else "good"
    if n % 5 == 4:
        return Result(winner="draw"), "bad" if elimination else "maybe"
    if n % 7 == 6:
        return Result(winner="double_loss"), "maybe"
    if n % 11 == 10 and not elimination:
        return Result(winner="draw", intentional=True), "maybe"
    return Result(winner=first if n % 2 else last), "good"


def _bad(player: str, n: int) -> Result:
    return [
        Result(),
        Result(games=(-1, 0, 0)),
        Result(games=(10**30, 0, 0)),
        Result(winner="nobody"),
        Result(winner=player, games=(2, 0, 0)),
        Result(winner=player, intentional=True),
        Result(scores=(10**30,)),
        Result(scores=(1, 2, 3, 4, 5)),
        Result(winners=(player,)),
        Result(bye=True, loss=True),
    ][n % 10]
