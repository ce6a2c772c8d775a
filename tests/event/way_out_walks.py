"""Walk a small event at random; try in every state all that the program names: steps, answers, ways out."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from random import Random
from typing import Any

from tests.event.event_runner import Running
from topcut.cli.new import parse_options
from topcut.errors import TopcutError
from topcut.event import commands as c
from topcut.event.decide.dispatch import decide
from topcut.event.facts import Result
from topcut.event.next_steps import ALLOWING, Step, find_next_steps
from topcut.event.refusals import CannotPair, NeedsAnswer, WayOut
from topcut.history.model import Table

NAMES = ["Ada", "Ben", "Cleo", "Dov", "Eve", "Finn", "Gus", "Hana", "Ines", "Jon", "Kim", "Lou"]
UNREADABLE = re.compile(r"\bp\d+\b|\bNone\b|[⟦⟧]|'p\d")
"""What no refusal may say: the id of a player, a value of the program, a mark."""
STEP_COMMANDS: dict[Step, c.AnyCommand] = {
    "pair": c.Pair(),
    "publish": c.Publish(),
    "start": c.Start(),
    "end": c.End(),
    "finish": c.Finish(),
    "add": c.Register(name="Late"),
    "check in": c.CheckIn(),
    "draw:seats": c.DrawLots(kind="seats"),
    "begin draft": c.BeginDraft(),
    "end draft": c.EndDraft(),
    **{step: c.Pair(allow=what, reason="nothing else is left") for what, step in ALLOWING.items()},
}
Kinds = tuple[str, dict[str, str], dict[str, Any]]


class Walk:
    """One event, and what was seen of it."""

    def __init__(self, kinds: Kinds, players: int, seed: str, seen: Counter[str]) -> None:
        book, readings, options = kinds
        self.lots, self.seen = Random(seed), seen
        self.event = Running(book, NAMES[:players], readings=readings or None, **options)

    def go(self, steps: int) -> None:
        """Go on at random, then by what is named alone, until the event is finished."""
        for _ in range(steps):
            self.look()
            if self.event.state.finished:
                return
            self._act()
        for _ in range(400):
            self.look()
            if not (named := find_next_steps(self.event.state)):
                return
            if "finish" in named or (self.event.state.rounds and "pair" in named):
                self.event.do(c.Finish(reason="" if "finish" in named else "enough"))
            else:
                self.event.do(self._command(named[0]))
        raise AssertionError("the event could not be finished")

    # What is named

    def look(self) -> None:
        """Try all that is named in this state; nothing comes of it."""
        steps = find_next_steps(self.event.state)
        assert bool(steps) != bool(self.event.state.finished)
        for step in steps:
            self.seen[step] += 1
            assert self._is_accepted(self._command(step)), (step, self._refusal(self._command(step)))
        if self.event.state.finished:
            return
        upcoming = self.event.state.upcoming
        pair = c.Pair(again=upcoming is not None)
        refusal = self._refusal(pair)
        if refusal is None:
            assert upcoming or "pair" in steps
            allowed = c.Pair(again=pair.again, allow=("rematch",), reason="for fun")
            assert (upcoming and upcoming.allowed) or not self._is_accepted(allowed), (
                "an override without need"
            )
            return
        assert "pair" not in steps, refusal
        if isinstance(refusal, CannotPair):
            self._try_ways(refusal, pair)

    def _try_ways(self, refusal: CannotPair, refused: c.AnyCommand) -> None:
        assert refusal.ways, refusal
        for way in refusal.ways:
            self.seen[f"way: {way.kind} {', '.join(way.allow)}".strip()] += 1
            for command in self._commands_of(way, refused):
                assert self._is_accepted(command), (refusal, way, self._refusal(command))

    def _commands_of(self, way: WayOut, refused: c.AnyCommand) -> list[c.AnyCommand]:
        """Return the commands that a way out names."""
        match way.kind:
            case "allow":
                again = isinstance(refused, c.Pair) and refused.again
                one = c.Pair(again=again, allow=way.allow, reason="nothing else is left")
                chosen = [c.Pair(again=again, allow=way.allow, reason="so", sits_out=p) for p in way.players]
                return [one, *chosen]
            case "keep":
                if isinstance(refused, c.Pair):
                    phase = self.event.round.phase
                    return [c.Publish() if phase == "draft" else c.Start()]
                return [type(refused)(**{**_fields(refused), "then": "leave"})]
            case "publish":
                self._try_after(c.Publish(), type(refused)(**{**_fields(refused), "then": "leave"}))
                return [c.Publish()]
            case "undo":
                self._try_without_round(refused)
                return []
            case "finish":
                return [c.Finish()]
            case "add":
                return [c.Register(name="Late")]
            case "options":
                _, _, _, *words = shlex.split(way.command)
                options = parse_options(tuple(words[:1]), self.event.state.options)
                return [c.ChangeOptions(options=options, reason=" ".join(words[2:]))]
            case "draw":
                return [c.DrawLots(kind="seats")]
            case "drop":
                return [c.Drop(player=next(e.player.id for e in self.event.state.active()))]

    def _try_after(self, first: c.AnyCommand, second: c.AnyCommand) -> None:
        """Try a command after another one; nothing comes of either."""
        log = self.event.log
        self.event.log = log.copy()
        try:
            self.event.do(first)
            assert self._is_accepted(second), (first, second, self._refusal(second))
        finally:
            self.event.log = log

    def _try_without_round(self, command: c.AnyCommand) -> None:
        """Try a command after the upcoming round is undone; nothing comes of it."""
        log = self.event.log
        self.event.log = log.copy()
        try:
            while self.event.state.upcoming is not None:
                self.event.do(c.Undo(reason="first"))
            assert self._is_accepted(command), (command, self._refusal(command))
        finally:
            self.event.log = log

    def _command(self, step: Step) -> c.AnyCommand:
        if step == "report":
            return self._report(self.event.round.missing[0], plain=True)
        if step == "drop":
            return c.Drop(player=next(e.player.id for e in self.event.state.active()))
        return STEP_COMMANDS[step]

    def _is_accepted(self, command: c.AnyCommand) -> bool:
        return self._refusal(command) is None

    def _refusal(self, command: c.AnyCommand) -> TopcutError | None:
        """Return why a command is refused, having read it; None if it would be done."""
        try:
            decision = decide(self.event.log, command, self.event.context())
        except TopcutError as refusal:
            self._read(refusal)
            return refusal
        if decision.choice is not None:
            self._read(NeedsAnswer(decision.choice))
            for answer in decision.choice.answers:
                self.seen[f"answer: {answer.kind}"] += 1
                answered = type(command)(**{**_fields(command), "then": answer.kind})
                assert self._is_accepted(answered), (decision.choice, self._refusal(answered))
        return None

    def _read(self, refusal: TopcutError) -> None:
        said = str(refusal)
        assert not UNREADABLE.search(said), said
        if isinstance(refusal, CannotPair):
            self.seen[f"refused: {refusal.rule or 'by no rule'}"] += 1
            RULES_SEEN.setdefault((self.event.state.book.id, refusal.rule), said)

    # What happens

    def _act(self) -> None:
        event, lots = self.event, self.lots
        state = event.state
        active = [e.player.id for e in state.active()]
        steps = find_next_steps(state)
        commands: list[c.AnyCommand] = [
            self._command(step) for step in steps if step not in ("add", "drop")
        ] * 6
        if state.round and state.round.phase == "started" and state.round.missing:
            commands = [self._report(lots.choice(state.round.missing))] * 12
        if state.round and state.round.phase == "ended" and len(state.rounds) < 3:
            commands = [one for one in commands if not isinstance(one, c.Finish)] or commands
        commands += [c.Drop(player=lots.choice(active))] if active else []
        if active and lots.random() < 0.3:
            commands.append(c.Disqualify(player=lots.choice(active), reason="why"))
        if lots.random() < 0.3:
            commands.append(c.Register(name="Late"))
        if gone := [p for p in state.players if p not in active]:
            commands.append(c.Restore(player=lots.choice(gone), override=True, reason="back"))
        if state.upcoming:
            commands.append(c.Pair(again=True))
        if "begin draft" in steps:
            commands.append(c.BeginDraft(rounds=lots.randint(1, 3)))
        if state.rounds and lots.random() < 0.5:
            a_round = lots.choice(state.rounds)
            played = [t for t in a_round.tables if isinstance(t.table, int) and t.reported]
            if played:
                table = lots.choice(played)
                report = self._report(table)
                commands.append(
                    c.Correct(
                        round=a_round.number,
                        table=report.table,
                        result=report.result,
                        override=True,
                        reason="corrected",
                    )
                )
        if not commands:
            return
        command = lots.choice(commands)
        self.seen[f"tried: {type(command).__name__}"] += 1
        refusal = self._refusal(command)
        if refusal is not None:
            if isinstance(refusal, CannotPair):
                self._try_ways(refusal, command)
            return
        try:
            event.do(command)
        except NeedsAnswer as needs:
            answer = lots.choice(needs.answers)
            event.do(type(command)(**{**_fields(command), "then": answer.kind}))

    def _report(self, table: Table, plain: bool = False) -> c.Report:
        assert isinstance(table.table, int)
        return c.Report(table=table.table, result=self._result(table, plain))

    def _result(self, table: Table, plain: bool) -> Result:
        book, players, lots = self.event.state.book, table.players, self.lots
        bracket = self.event.round.in_bracket
        if book.match.results == "scores":
            winner = lots.choice(players)
            scores = tuple(99 if one == winner else lots.randrange(9) for one in players)
            nobody = not plain and lots.random() < 0.2
            return Result(scores=scores, winners=() if nobody else (winner,))
        kind = 0.0 if plain or bracket else lots.random()
        if kind > 0.9:
            return Result(winner="double_loss") if len(players) == 2 else Result(winner="draw")
        if kind > 0.75:
            return Result(winner="draw")
        return Result(winner=lots.choice(players))


RULES_SEEN: dict[tuple[str, str], str] = {}
"""A refusal of a pairing for each rule that was cited, by ruleset."""


def _fields(command: c.AnyCommand) -> dict[str, Any]:
    return {name: getattr(command, name) for name in command.__struct_fields__}
