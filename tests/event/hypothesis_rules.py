"""Every command as a rule of Hypothesis: mostly sensible, and now and then not.

A rule asks the model whether the command must be accepted, must be refused or may be either, gives it, and
tells the model what must have changed.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Literal

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
)
from msgspec.structs import replace

from tests.event.ending_checks import ends_well
from tests.event.model_comparison import Trial
from tests.event.reference_model import Model, Verdict, outcome
from topcut.event import commands as c
from topcut.event import facts as f

VERDICTS: dict[str, Verdict] = {"yes": "yes", "no": "no", "maybe": "maybe"}
NUMBER = st.integers(0, 99)
THEN = st.sampled_from([None, "leave", "fewest", "again"])
REASON = st.sampled_from(["a judge said so", "", " "])
PHASE = st.sampled_from(["", "", "draft", "published", "started"])
DISPLAY = [None, "", "Zed", "Ada", "x" * 201]
TABLE = st.sampled_from([1, 2, 3, 5, 30, 0, -1, 10**9])


class Machine(RuleBasedStateMachine):
    """All commands, mostly sensible ones."""

    trial: Trial

    def create(self, config: int, players: int, seen: Counter[str] | None = None) -> None:
        self.trial = Trial(config, players, seen)

    @property
    def model(self) -> Model:
        return self.trial.model

    def do(self, command: c.AnyCommand, verdict: str) -> bool:
        return self.trial.attempt(command, VERDICTS[verdict])

    @invariant()
    def holds(self) -> None:
        if hasattr(self, "trial"):
            self.trial.holds()

    def bring(self, n: int, phase: str) -> None:
        """Mostly: go on to where something makes sense."""
        if n % 5 == 4 or self.model.finished:
            return
        if self.model.playing and phase != "started":
            self.whole_round(n)
        if not self.model.playing and not self.model.up:
            self.pair(False)
        if self.model.up and self.model.up.phase == "draft" and phase != "draft":
            self.publish()
        if self.model.up and phase == "started":
            self.start(None)

    # Rounds

    @rule(again=st.booleans())
    def pair(self, again: bool) -> None:
        if self.do(c.Pair(again=again), self.model.may_pair(again)):
            self.trial.take_tables()

    @rule()
    def publish(self) -> None:
        up = self.model.up
        fine = not self.model.finished and up is not None and up.phase == "draft"
        if self.do(c.Publish(), "yes" if fine else "no") and up:
            up.phase = "published"

    @rule(minutes=st.sampled_from([None, None, 50, 0, 10**9]))
    def start(self, minutes: int | None) -> None:
        up = self.model.up
        fine = up is not None and up.phase == "published" and minutes in (None, 50)
        if self.do(c.Start(minutes=minutes), "yes" if fine else "no") and up:
            up.phase = "started"

    @rule()
    def end(self) -> None:
        a_round = self.model.playing
        fine = a_round is not None and all(seats.result for seats in a_round.tables.values())
        if self.do(c.End(), "yes" if fine else "no") and a_round:
            a_round.phase, a_round.paused = "ended", a_round.paused

    @rule(n=NUMBER)
    def begin_tables(self, n: int) -> None:
        self.bring(n, "published")
        up = self.model.up
        numbers = [key for key in up.tables if isinstance(key, int)] if up else []
        table = 99 if n % 11 == 10 or not numbers else numbers[n % len(numbers)]
        fine = up is not None and up.phase == "published" and table in numbers and table not in up.begun
        if self.do(c.BeginTables(tables=(table,)), "yes" if fine else "no") and up:
            up.begun.add(table)
            self.trial.bent = True  # the rest of the round cannot be as good as a whole one

    @rule(n=NUMBER, m=NUMBER, reason=REASON)
    def swap(self, n: int, m: int, reason: str) -> None:
        self.bring(m, "draft")
        trial, up = self.trial, self.model.up
        one, other = trial.someone(n), trial.someone(m)
        fine = up is not None and bool(reason.strip()) and up.stage == "swiss"
        if up is not None:
            first, second = up.of(one), up.of(other)
            fine = fine and None not in (first, second) and first is not second
            fine = fine and not any(seats and up.stays(seats) for seats in (first, second))
            lost = any(seats and seats.result == f.Result(loss=True) for seats in (first, second))
            if lost or (first and second and len(first.players) == len(second.players) == 1):
                return
        if self.do(c.Swap(first=one, second=other, reason=reason), "yes" if fine else "no") and up:
            trial.bent = up.by_hand = True
            trial.take_tables()

    @rule(n=NUMBER, reason=REASON)
    def edit_tables(self, n: int, reason: str) -> None:
        self.bring(n, "draft")
        trial, up = self.trial, self.model.up
        rows: list[tuple[str, ...]] = (
            [seats.players for seats in up.tables.values()] if up else [("p1", "p2")]
        )
        verdict = "no" if not (up and reason.strip()) or up.stage != "swiss" else "maybe"
        if rows and n % 3 == 0:
            rows, verdict = rows[1:], "no"
        elif len(rows) > 1 and n % 3 == 1:
            (a, *rest), (b, *others) = rows[0], rows[1]
            rows[:2] = [(b, *rest), (a, *others)]
        elif rows:
            rows, verdict = [*rows, rows[0]], "no"
        if self.do(c.EditTables(tables=tuple(rows), reason=reason), verdict) and up:
            trial.bent = up.by_hand = True
            trial.take_tables()

    @rule(which=st.sampled_from(["pause", "resume", "extend", "set clock"]), n=NUMBER)
    def clock(self, which: str, n: int) -> None:
        self.bring(n, "started")
        a_round = self.model.playing
        if which == "extend":
            minutes = -1 if n % 7 == 6 else 10**6 if n % 7 == 5 else n + 1
            table = None if n % 3 else n
            fine = a_round is not None and 0 < minutes < 1000 and (table is None or table in a_round.tables)
            here = "maybe" if table is None else "yes"  # all tables: only where there is a clock
            self.do(c.Extend(minutes=minutes, table=table), here if fine else "no")
            return
        if which == "set clock":
            self.do(c.SetClock(minutes=n), "yes" if a_round is not None and n else "no")
            return
        paused = which == "resume"
        fine = a_round is not None and a_round.paused == paused
        if self.do(c.Resume() if paused else c.Pause(), "yes" if fine else "no") and a_round:
            a_round.paused = not paused

    # Results

    @rule(n=NUMBER, number=st.sampled_from([None, None, None, 1, 2, 9, -1]))
    def report(self, n: int, number: int | None) -> None:
        a_round = self.model.round(number)
        keys = [key for key in a_round.tables if isinstance(key, int)] if a_round else []
        table = 99 if n % 11 == 10 or not keys else keys[n % len(keys)]
        players = a_round.tables[table].players if a_round and table in keys else ("p1", "p2")
        elimination = bool(a_round and a_round.stage == "elimination")
        result, quality = outcome(self.model.rules, players, elimination, n)
        verdict = self.model.may_report(number, table, quality)
        if self.do(c.Report(table=table, result=result, round=number), verdict) and a_round:
            a_round.tables[table].result = result

    @rule(n=NUMBER, number=st.sampled_from([None, 1, 7]))
    def confirm(self, n: int, number: int | None) -> None:
        a_round = self.model.round(number)
        table = n % 8
        seats = a_round.tables.get(table) if a_round else None
        fine = not self.model.finished and seats is not None and seats.result is not None
        self.do(c.Confirm(tables=(table,), round=number), "yes" if fine else "no")

    @rule(
        n=NUMBER,
        number=st.sampled_from([None, 1, 2, 3, 9]),
        then=THEN,
        override=st.booleans(),
        reason=REASON,
    )
    def correct(self, n: int, number: int | None, then: c.Then, override: bool, reason: str) -> None:
        self.trial.correct(n, number, then, override, reason)

    @rule(n=NUMBER, then=THEN, back=st.integers(0, 1))
    def correct_when_posted(self, n: int, then: c.Then, back: int) -> None:
        """A round is up, and an earlier result turns out to be wrong (PK-59)."""
        self.whole_round(n)
        self.pair(False)
        if self.model.up is not None and n % 4:
            self.publish()
        if self.model.begun > back:
            self.trial.correct(n, self.model.begun - back, then, True, "a slip was read wrong")

    @rule(n=NUMBER)
    def whole_round(self, n: int) -> None:
        """What an ordinary hour brings: from where the event is to the end of its round."""
        if self.model.finished:
            return
        if self.model.up is None and self.model.playing is None:
            self.pair(False)
        if self.model.up is not None:
            if self.model.up.phase == "draft":
                self.publish()
            self.start(None)
        if self.model.playing is not None:
            self._rest(n)
            self.end()

    def _rest(self, n: int) -> None:
        a_round = self.model.playing
        assert a_round is not None
        for at, seats in enumerate(list(a_round.tables.values())):
            if seats.result is None and isinstance(seats.number, int):
                elimination = a_round.stage == "elimination"
                any_of = (
                    outcome(self.model.rules, seats.players, elimination, k)
                    for k in range(n + at, n + at + 40)
                )
                result = next(result for result, quality in any_of if quality == "good")
                assert self.do(c.Report(table=seats.number, result=result), "yes")
                seats.result = result

    # Players

    @rule(n=NUMBER, then=THEN, phase=PHASE)
    def register(self, n: int, then: c.Then | None, phase: str) -> None:
        if phase:
            self.bring(n, phase)
        self.trial.register(n, then)

    @rule(n=NUMBER, then=THEN, phase=PHASE)
    def drop(self, n: int, then: c.Then | None, phase: str) -> None:
        if phase:
            self.bring(n, phase)
        self.trial.leave(n, then, None)

    @rule(n=NUMBER, then=THEN, reason=REASON)
    def disqualify(self, n: int, then: c.Then | None, reason: str) -> None:
        self.trial.leave(n, then, reason)

    @rule(n=NUMBER, then=THEN, override=st.booleans(), reason=REASON)
    def restore(self, n: int, then: c.Then | None, override: bool, reason: str) -> None:
        gone = [player_id for player_id, player in self.model.players.items() if player.left is not None]
        player = gone[n % len(gone)] if gone and n % 5 else self.trial.someone(n)
        known, up = self.model.players.get(player), self.model.up
        later = known is not None and up is not None and known.entered > up.number  # they wait for a round
        verdict = self.model.may_restore(player, override, reason)
        command = c.Restore(player=player, override=override, reason=reason, then=then)
        if not self.do(command, verdict):
            return
        here = up is not None and up.stage == "swiss" and up.of(player) is None
        waits = here and not later and then == "leave"
        self.trial.bent = True
        self.model.restore(player, waits)
        self.trial.take_tables()

    @rule(n=NUMBER, then=THEN)
    def remove(self, n: int, then: c.Then | None) -> None:
        player = self.trial.someone(n)
        wrong = player not in self.model.players or self.model.begun or self.model.finished
        verdict = "no" if wrong else "maybe" if self.model.up else "yes"
        if self.do(c.Remove(player=player, then=then), verdict):
            del self.model.players[player]
            self.trial.take_tables()

    @rule(n=NUMBER, name=st.sampled_from([None, "Ada", "", "x" * 201]), display=st.sampled_from(DISPLAY))
    def edit_player(self, n: int, name: str | None, display: str | None = None) -> None:
        player = self.trial.someone(n)
        there = player in self.model.players and not self.model.purged
        wrong = (name is not None and name != "Ada") or display == DISPLAY[-1]
        apart = ("club",) if n % 2 else None
        command = c.EditPlayer(player=player, name=name, display=display, apart=apart)
        self.do(command, "no" if not there or wrong else "maybe")

    @rule(n=NUMBER, here=st.booleans(), everybody=st.booleans())
    def check_in(self, n: int, here: bool, everybody: bool) -> None:
        ids = self.model.active() if everybody else [self.trial.someone(n)]
        known = all(player_id in self.model.players for player_id in ids)
        new = [player_id for player_id in ids if known and self.model.players[player_id].here is not here]
        verdict = "yes" if known and new and not self.model.finished else "no"
        if self.do(c.CheckIn(players=() if everybody else tuple(ids), here=here), verdict):
            for player_id in ids:
                self.model.players[player_id].here = here

    @rule(n=NUMBER, table=st.one_of(st.none(), TABLE))
    def fix_table(self, n: int, table: int | None) -> None:
        player = self.trial.someone(n)
        known = self.model.players.get(player)
        fine = known is not None and known.fixed != table and (table is None or 1 <= table <= 100)
        fine = fine and not self.model.finished
        if self.do(c.FixTable(player=player, table=table), "yes" if fine else "no") and known:
            known.fixed = table

    # The event

    @rule(table=TABLE, blocked=st.booleans())
    def block_tables(self, table: int, blocked: bool) -> None:
        fine = 1 <= table <= 100 and (table in self.model.blocked) != blocked and not self.model.finished
        if self.do(c.BlockTables(tables=(table,), blocked=blocked), "yes" if fine else "no"):
            self.model.blocked ^= {table}

    @rule(which=NUMBER, reason=REASON)
    def rest_of_the_event(self, which: int, reason: str) -> None:
        """Commands that change nothing the model knows of."""
        finished, begun = self.model.finished, self.model.begun
        there = bool(self.model.active())
        kinds: tuple[Literal["flights", "pods", "seats"], ...] = ("flights", "pods", "seats")
        options = self.trial.event.state.options
        fewer = replace(options, rounds=which % 9 - 1 or None)
        other = replace(options, third_place=True, level="premier" if which % 2 else None)
        choices: list[tuple[str, c.AnyCommand]] = [
            ("no" if finished else "maybe", c.ChangeOptions(options=fewer, reason=reason)),
            ("no" if finished else "maybe", c.ChangeOptions(options=other, reason=reason)),
            ("no" if finished else "maybe", c.OneRoundFewer(reason=reason)),
            ("no" if finished else "maybe", c.Announce(prizes="the top 4" if which % 2 else "")),
            ("no" if finished or begun else "maybe" if there else "no", c.SeatAll()),
            ("no" if finished or self.model.rounds else "maybe", c.DrawLots(kind=kinds[which % 3])),
            ("yes" if reason.strip() and not finished else "no", c.RefuseEntry(name="Eve", reason=reason)),
        ]
        verdict, command = choices[which % len(choices)]
        self.do(command, verdict)
        self.model.rules.level = self.trial.event.state.options.level or "casual"

    @rule(reason=REASON)
    @precondition(lambda self: len(self.model.rounds) > 1)
    def finish(self, reason: str) -> None:
        last = self.model.rounds[-1] if self.model.rounds else None
        wrong = self.model.finished or (last is not None and last.phase != "ended")
        wrong = wrong or (last is None and not reason.strip())
        if self.do(c.Finish(reason=reason), "no" if wrong else "yes" if reason.strip() else "maybe"):
            self.model.finished = True

    @rule()
    def reopen(self) -> None:
        fine = self.model.finished and not self.model.purged
        if self.do(c.Reopen(reason="a slip turned up"), "yes" if fine else "no"):
            self.model.finished = False

    @rule(later=st.booleans())
    @precondition(lambda self: self.model.finished)
    def purge(self, later: bool) -> None:
        if later:
            self.trial.event.now += timedelta(days=100)
        finished = self.trial.event.state.finished
        over = finished is not None and self.trial.event.now - finished > timedelta(days=95)
        fine = self.model.finished and not self.model.purged and over
        if self.do(c.Purge(), "yes" if fine else "no"):
            self.model.purged = True

    @rule(n=NUMBER)
    def forget(self, n: int) -> None:
        """Mostly when it is over."""
        if n % 4 and not self.model.finished:
            self.whole_round(n)
            self.finish("the hall closes")
        self.trial.forget(n)

    # The log

    @rule(count=st.sampled_from([1, 1, 2, 3, 5, 0, -1, 1000]))
    def undo(self, count: int) -> None:
        self.trial.undo(count)

    @rule(n=NUMBER)
    def undo_step(self, n: int) -> None:
        self.trial.undo_step(n)

    @rule(n=NUMBER)
    def redo(self, n: int) -> None:
        self.trial.redo(n if n % 5 == 4 else None)

    @rule(n=NUMBER)
    def look_back(self, n: int) -> None:
        self.trial.looks_back(n)

    def teardown(self) -> None:
        if not hasattr(self, "trial"):
            return
        self.whole_round(1)
        if not self.model.finished:
            self.do(c.Finish(reason="the hall closes"), "yes")
        ends_well(self.trial.event, self.trial.bent)
