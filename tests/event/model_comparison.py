"""An event under test: commands go to the program and to a plain model, and both must agree.

    trial = Trial(3, 9)                # a ruleset with options, and how many players
    trial.leave(2, "fewest", None)
    trial.holds()                      # what must be so at any time

Numbers stand for choices, so that Hypothesis can make them small.
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from tests.event.event_runner import Running
from tests.event.offered_step_checks import goes_on
from tests.event.reference_model import Key, Model, Player, Round, Seats, Verdict, outcome
from tests.event.reference_model_phones import as_said, looks_again, tidy
from tests.event.sentence_checks import names_in, names_people
from tests.event.trial_rulesets import CONFIGS, rules_of
from topcut.errors import TopcutError
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.describe.log_sentences import current_names, describe_log
from topcut.event.differences import describe_differences
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.event_log import EventLog, name_draw
from topcut.event.private_data import derive_seed
from topcut.event.state import State
from topcut.history.model import Table

DIVISIONS = ("junior", "senior", "masters")
GONE = (f.Purged, f.Forgotten)


def result_of(table: Table) -> f.Result | None:
    if not table.reported:
        return None
    return f.Result(**{name: getattr(table, name) for name in f.Result.__struct_fields__})


def seats_of(table: Table) -> Seats:
    assert table.table is None or isinstance(table.table, int)
    return Seats(table.table, table.players, result_of(table))


def without_counts(state: State) -> State:
    counts = {"last": state.created, "attempts": {}, "revealed": frozenset()}
    return replace(state, **counts, registered=0, asked=0, commitment="")


def nameless(state: State, player: str) -> State:
    """The state as it is when nobody knows who a player was."""
    if player not in state.players:
        return state
    listed = state.players[player]
    nobody = replace(listed.player, name="", member=None, born=None)
    players = {**state.players, player: replace(listed, player=nobody, legal="")}
    return replace(state, players=players)


class Trial:
    """An event, its model, and what both have been through."""

    def __init__(self, config: int, players: int, seen: Counter[str] | None = None) -> None:
        name, options = CONFIGS[config % len(CONFIGS)]
        self.event = Running(name, **{key: value for key, value in options.items() if value is not None})
        self.model = Model(rules_of(name, options))
        self.seen: Counter[str] = Counter() if seen is None else seen
        self.stack: list[tuple[int, State, Model]] = []
        self.taken_back: tuple[State, Model, list[tuple[int, State, Model]]] | None = None
        self.states: dict[int, State] = {1: self.event.state}
        self.wrote: dict[int, tuple[str, ...]] = {}
        self.drawn: dict[tuple[str, int], str] = {}
        self.bent = False
        for at in range(6 + players % 3 if name == "draft-sheet" else players):
            self.register(at, None)

    # One command

    def attempt(self, command: c.AnyCommand, verdict: Verdict) -> bool:
        """Give a command; whether it was accepted. A refusal must leave everything as it was."""
        log = self.event.log
        tidy(self.model)
        before, model = log.copy(), self.model.copy()
        kind = type(command).__name__
        try:
            self.event.do(command)
            refusal = None
        except TopcutError as error:
            refusal = str(error)
        if refusal is not None:
            names_people(refusal, names_in(log.state) - {getattr(command, "id", None)})
            assert verdict != "yes", f"{command} is refused: {refusal}"
            assert (log.lines, log.private) == (before.lines, before.private)
            assert (log.state, log.undone) == (before.state, before.undone)
            self.seen[f"{kind} refused"] += 1
            return False
        assert verdict != "no", f"{command} is accepted in {self.model}"
        self.seen[kind] += 1
        for text in (*self.event.last.says, *self.event.last.warnings):
            names_people(text, names_in(before.state, log.state))
        self._noted(before, model, command)
        return True

    def _noted(self, before: EventLog, model: Model, command: c.AnyCommand) -> None:
        log, step = self.event.log, before.version + 1
        assert log.version > before.version
        assert [entry.step for entry in log.entries[before.version :]] == [step] * (
            log.version - before.version
        )
        old = before.state
        for line in describe_differences(old, log.state):
            names_people(line, names_in(old, log.state))
        if not log.state.purged:
            before.extend(log.lines[before.version :], log.private)
            assert before.state == log.state
            self.states[log.version] = log.state
        for entry in log.entries[step - 1 :]:
            self._drew(entry.fact)
            if isinstance(entry.fact, f.Reported | f.Corrected):
                seats = self._seats(log.state, entry.fact.round, entry.fact.table)
                self.wrote[entry.position] = seats
        if not isinstance(command, c.Undo | c.Redo):
            self.stack.append((step, old, model))
            self.taken_back = None

    def _seats(self, state: State, number: int, table: Key) -> tuple[str, ...]:
        a_round = state.rounds[number - 1]
        at = a_round.index_of(table)
        return () if at is None else a_round.tables[at].players

    def _drew(self, fact: f.AnyFact) -> None:
        """No attempt to draw something is numbered twice, and its seed follows from the secret."""
        if not isinstance(fact, f.Paired | f.LotsDrawn):
            return
        what = name_draw(fact)
        assert (what, fact.attempt) not in self.drawn
        self.drawn[what, fact.attempt] = fact.seed
        secret = self.event.log.private[self.event.state.commitment].decode()
        words = what.split() if isinstance(fact, f.Paired) else [what]
        if not (isinstance(fact, f.Paired) and fact.stage == "elimination"):
            assert fact.seed == derive_seed(secret, *words, "attempt", fact.attempt)

    # Who sits where

    def take_tables(self) -> None:
        """The round that is up was drawn or repaired: look at its tables and put them into the model."""
        facts = self.event.last.facts
        if not any(isinstance(fact, f.Paired | f.RoundRepaired | f.RoundEdited) for fact in facts):
            return
        state, model, now = self.event.state, self.model, self.event.state.upcoming
        assert now is not None
        paired = any(isinstance(fact, f.Paired) for fact in facts)
        old = dict(model.up.tables) if model.up else {}
        fixed = {key: seats for key, seats in old.items() if model.up and model.up.stays(seats)}
        if model.up is None:
            model.rounds.append(Round(now.number, now.stage))
            self.seen[now.stage] += 1
        up = model.up
        assert up is not None
        if paired:
            up.phase, up.by_hand = "draft", bool(fixed)
            self.seen["drawn again"] += bool(old)
        elif any(isinstance(fact, f.RoundRepaired) for fact in facts):
            self.seen["repaired"] += 1
        up.tables = {seats.key: seats for seats in map(seats_of, now.tables)}
        for key, seats in fixed.items():
            assert up.tables.get(key) == seats, "a table that plays was changed"
        by_hand = any(isinstance(fact, f.RoundEdited) for fact in facts)
        pods = len({listed.player.pod for listed in state.players.values()})
        self.seen["byes"] += model.can_be(up, old, None if by_hand else pods)
        numbers = [table.table for table in now.tables if isinstance(table.table, int)]
        assert numbers == sorted(numbers)

    # What must be so at any time

    def holds(self) -> None:
        log, state = self.event.log, self.event.state
        self._agrees(state)
        self._results(state, log)
        if not state.purged:
            assert EventLog(log.lines, log.private).state == state
        for line in describe_log(log):
            names_people(line.says, current_names(log).keys() - log.forgotten)
        for notable in find_draft_warnings(state):
            names_people(notable.says, names_in(state))
        goes_on(self.event, self.model, self.seen)

    def _results(self, state: State, log: EventLog) -> None:
        """Every result is that of a report or correction that counts, of the same players."""
        now: dict[tuple[int, int], tuple[f.Result, tuple[str, ...]]] = {}
        for entry in log.entries:
            fact = entry.fact
            if entry.step in log.undone or not isinstance(fact, f.Reported | f.Corrected):
                continue
            if isinstance(fact.table, int):
                now.pop((fact.round, fact.table), None)
                if fact.result is not None:
                    now[fact.round, fact.table] = (fact.result, self.wrote[entry.position])
        for a_round in state.rounds:
            for table in a_round.tables:
                if isinstance(table.table, int):
                    result, players = now.pop((a_round.number, table.table), (None, table.players))
                    assert (result_of(table), table.players) == (result, players)
        assert not now, f"results of tables that are not there: {now}"

    def _agrees(self, state: State) -> None:
        model = self.model
        assert set(state.players) == set(model.players)
        for player_id, listed in state.players.items():
            player, known = listed.player, model.players[player_id]
            left = player.dropped if player.dropped is not None else player.disqualified
            seen = (player.entered, left, listed.here, listed.fixed)
            assert seen == (known.entered, known.left, known.here, known.fixed), player_id
            known.division = player.division
        assert len(state.rounds) == len(model.rounds)
        for now, known_round in zip(state.rounds, model.rounds, strict=True):
            seen_so = (now.number, now.stage, now.phase)
            assert seen_so == (known_round.number, known_round.stage, known_round.phase)
            tables = {seats.key: seats for seats in map(seats_of, now.tables)}
            assert tables == known_round.tables, f"round {now.number}"
            assert now.begun == known_round.begun
            assert bool(now.clock and now.clock.paused) == known_round.paused
        as_said(state, model)
        assert state.blocked == model.blocked
        assert (bool(state.finished), state.purged) == (model.finished, model.purged)

    def looks_back(self, n: int) -> None:
        """The event as it was is what it was."""
        if self.event.state.purged:
            return
        position = sorted(self.states)[n % len(self.states)]
        assert self.event.log.up_to(position).state == self.states[position]

    # Commands that need the model's eyes

    def someone(self, n: int) -> str:
        """A player; now and then one who is not there."""
        ids = list(self.model.players)
        return f"q{n}" if not ids or n % 17 == 16 else ids[n % len(ids)]

    def register(self, n: int, then: c.Then | None) -> None:
        model = self.model
        division = DIVISIONS[n % 3] if model.rules.divisions else None
        taken = n % 19 == 18 and bool(model.players)
        player_id = next(iter(model.players)) if taken else f"zq{self.event.state.registered + 1}x"
        born = 1789 if n % 23 == 22 else 1990 + n % 20 if n % 4 == 3 else None
        verdict = "no" if taken or born == 1789 else model.may_register(then)
        name = f"Player {n}" if n % 29 != 28 else "\n"
        verdict = "no" if n % 29 == 28 else verdict
        known, up, begun = set(model.players), model.up, model.begun
        display = f"Shown {n}" if n % 3 == 2 else None
        command = c.Register(
            name=name, display=display, id=player_id, division=division, born=born, then=then
        )
        if not self.attempt(command, verdict):
            return
        (new,) = set(self.event.state.players) - known
        entered = begun + 1 if up is None else up.number + (then == "leave")
        model.players[new] = Player(entered, division=self.event.state.players[new].player.division)
        self.seen["late entries"] += entered > 1
        self.seen[f"late entry: {then}"] += up is not None
        self.take_tables()

    def leave(self, n: int, then: c.Then | None, reason: str | None) -> None:
        """Drop, or with a reason disqualify."""
        model, player = self.model, self.someone(n)
        verdict = model.may_leave(player, then)
        verdict = "no" if reason is not None and not reason.strip() else verdict
        last = model.rounds[-1] if model.rounds else None
        seats = last.of(player) if last else None
        plays = bool(last and seats and last.stays(seats) and seats.result is None)
        command: c.AnyCommand = c.Drop(player=player, then=then)
        if reason is not None:
            command = c.Disqualify(player=player, reason=reason, then=then)
        if not self.attempt(command, verdict):
            return
        self.seen["drops during tables"] += plays
        self.seen[f"leaving: {then}"] += model.up is not None
        drew = any(isinstance(fact, f.Paired) for fact in self.event.last.facts)
        reported = any(isinstance(fact, f.Reported) for fact in self.event.last.facts)
        stayed = then == "leave" and not drew and bool(model.up and model.up.phase == "published")
        self.bent |= stayed or reported
        model.leave(player, stayed, reason is not None)
        self.take_tables()

    def correct(self, n: int, number: int | None, then: c.Then | None, override: bool, reason: str) -> None:
        a_round = self.model.round(number)
        if a_round is None or not a_round.tables:
            self.attempt(c.Correct(table=1, result=None, round=number), "no")
            return
        keys = [*a_round.tables, 99]
        table = keys[n % len(keys)]
        players = a_round.tables[table].players if table in a_round.tables else ("p1", "p2")
        new, quality = outcome(self.model.rules, players, a_round.stage == "elimination", n)
        result = None if n % 9 == 8 else new
        asked = {"override": override, "reason": reason, "then": then}
        verdict = self.model.may_correct(number, table, result, quality if result else "good", asked)
        shut = not self.model.open(a_round.number)
        command = c.Correct(
            table=table, result=result, round=number, reason=reason, override=override, then=then
        )
        if not self.attempt(command, verdict):
            return
        self.seen["corrected"] += 1
        self.seen["corrected although closed"] += shut
        if self.model.up is not None and self.model.up is not a_round:
            self.seen[f"corrected: {then}"] += 1
        self.bent |= then == "leave"
        a_round.tables[table].result = result
        self.take_tables()

    def forget(self, n: int) -> None:
        player, entries = self.someone(n), self.event.log.entries
        own = [entry for entry in entries if getattr(entry.fact, "player", None) == player]
        known = [entry.fact for entry in own if isinstance(entry.fact, (f.Registered, f.PlayerEdited, *GONE))]
        fine = self.model.finished and not self.model.purged and known and not isinstance(known[-1], GONE)
        if self.attempt(c.Forget(player=player), "yes" if fine else "no"):
            self.states = {at: nameless(state, player) for at, state in self.states.items()}
            assert self.event.state.name_of(player) == player

    # Taking back

    def undo(self, count: int) -> None:
        log = self.event.log
        steps = log.steps()
        undone = self.stack[-count:] if 0 < count <= len(self.stack) else []
        ordered = bool(undone) and [step for step, _, _ in undone] == steps[-count:]
        purged = any(isinstance(e.fact, GONE) for s in steps[-count:] for e in log.entries_of(s))
        verdict: Verdict = "yes" if ordered and not purged else "maybe"
        if not 0 < count < len(steps) or (ordered and purged):
            verdict = "no"
        now = (self.event.state, self.model)
        if not self.attempt(c.Undo(count=count), verdict):
            return
        if not ordered:
            self._resync()
            return
        _, state, model = undone[0]
        assert without_counts(self.event.state) == without_counts(state)
        self.model = model.copy()
        del self.stack[-count:]
        self.taken_back = (*now, undone)

    def undo_step(self, n: int) -> None:
        steps = self.event.log.steps()
        step = steps[n % len(steps)] if n % 10 else n
        if self.attempt(c.Undo(step=step, reason="a test"), "maybe" if step in steps[1:] else "no"):
            self.seen["undone alone"] += 1
            self._resync()

    def redo(self, step: int | None) -> None:
        undone, back = self.event.log.undone, self.taken_back
        if step is not None:
            back = None
        verdict: Verdict = "yes" if back else "maybe" if undone and (step is None or step in undone) else "no"
        if not self.attempt(c.Redo(step=step), verdict):
            return
        if back is None:
            self._resync()
            return
        state, self.model, popped = back
        assert without_counts(self.event.state) == without_counts(state)
        self.stack += popped
        self.taken_back = None

    def _resync(self) -> None:
        """Steps were taken back, or count again, out of their order: look at what is left."""
        state, model = self.event.state, self.model
        self.stack, self.taken_back, self.bent = [], None, True
        model.players = {}
        for player_id, listed in state.players.items():
            who = listed.player
            left = who.dropped if who.dropped is not None else who.disqualified
            model.players[player_id] = Player(who.entered, left, listed.here, listed.fixed, who.division)
        model.rounds = []
        for now in state.rounds:
            tables = {seats.key: seats for seats in map(seats_of, now.tables)}
            paused = bool(now.clock and now.clock.paused)
            known = Round(now.number, now.stage, now.phase, tables, set(now.begun), bool(now.edited), paused)
            model.rounds.append(known)
            model.can_be(known, tables, None)
            assert now.phase == "ended" or now is state.rounds[-1]
            assert now.phase != "ended" or all(seats.result for seats in tables.values())
        looks_again(state, model)
        model.blocked = set(state.blocked)
        model.finished, model.purged = bool(state.finished), state.purged
        assert not (model.finished and model.rounds and model.rounds[-1].phase != "ended")
