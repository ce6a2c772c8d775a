"""Events that are run command by command, in a few lines.

event = Running("pokemon-2017", players=8)
event.play("2-0 2-1 0-2 1-1")      # pair, publish, start, report every table, end
event.do(Drop(player="p3"))
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import convert

from topcut.event import commands as c
from topcut.event.decide.context import Context, Decision
from topcut.event.decide.create import create_event
from topcut.event.decide.dispatch import decide
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.event.log_chain import NOTHING, write_lines
from topcut.event.refusals import Answer, NeedsAnswer
from topcut.event.state import RoundState, State
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.options import Options

MORNING = datetime(2026, 11, 14, 9, 0, tzinfo=UTC)


class Running:
    """An event in memory; each command comes a minute after the one before."""

    def __init__(
        self,
        rules: str,
        players: int | list[str] = 0,
        readings: dict[str, str] | None = None,
        kept_months: int | None = None,
        **options: Any,
    ) -> None:
        self.now = MORNING
        self.commands = 0
        book = freeze_book(load(rules, readings, Path(rules).parent))
        command = c.Create(name="Cup", book=book, options=convert(options, Options), kept_months=kept_months)
        self.last: Decision = create_event(command, self.context())
        first = write_lines(self.last.facts, after=0, previous=NOTHING, at=self.now, by="Ada", via="test")
        self.log = EventLog(first, self.last.private)
        names = players if isinstance(players, list) else [f"Player {n}" for n in range(1, players + 1)]
        for name in names:
            self.do(c.Register(name=name))

    @property
    def state(self) -> State:
        return self.log.state

    @property
    def round(self) -> RoundState:
        assert self.state.round is not None
        return self.state.round

    def context(self) -> Context:
        self.commands += 1
        return Context(at=self.now, by="Ada", entropy=f"entropy {self.commands}", via="test")

    def do(self, *commands: c.AnyCommand) -> Decision:
        """Decide commands and write their facts down."""
        for command in commands:
            self.now += timedelta(minutes=1)
            self.last = decide(self.log, command, self.context())
            if self.last.choice is not None:
                raise NeedsAnswer(self.last.choice)
            written = write_lines(
                self.last.facts,
                after=self.log.version,
                previous=self.log.head,
                at=self.now,
                by="Ada",
                via="test",
            )
            self.log.extend(written, self.last.private)
            self.log.delete_private(self.log.deleted_keys())
        return self.last

    def answers(self, command: c.AnyCommand) -> tuple[Answer, ...]:
        """Decide a command that leaves a choice, and return the answers there are."""
        decision = decide(self.log, command, self.context())
        assert decision.choice is not None
        assert decision == Decision([], choice=decision.choice), "nothing is done before somebody chooses"
        return decision.choice.answers

    def up(self, started: bool = True) -> RoundState:
        """The next round, paired and published, and started."""
        self.do(c.Pair(), c.Publish(), *([c.Start()] if started else []))
        return self.round

    def report(self, results: str = "") -> None:
        """Results of the tables not reported yet, in order; beyond those given the first player wins 2-0."""
        texts = results.split()
        for at, table in enumerate(self.round.missing):
            assert isinstance(table.table, int)
            text = texts[at] if at < len(texts) else ""
            self.do(c.Report(table=table.table, result=self.result(text, len(table.players))))

    def result(self, text: str = "", players: int = 2) -> Result:
        kind = self.state.book.match.results
        if kind == "scores":
            return Result(scores=(30,) + (3,) * (players - 1), winners=(self.round.missing[0].players[0],))
        if kind == "winner":
            return Result(winner=self.round.missing[0].players[0])
        first, second, *drawn = map(int, (text or "2-0").split("-"))
        return Result(games=(first, second, drawn[0] if drawn else 0))

    def play(self, *rounds: str) -> None:
        """Whole rounds, from the pairing to the end."""
        for results in rounds:
            self.up()
            self.report(results)
            self.do(c.End())
