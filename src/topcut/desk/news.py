"""What has changed for players? The log as the hall tells it: what was posted, put right, announced.

It says nothing of rounds that are not published, of what staff do among themselves, or why somebody was
disqualified or dropped.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from topcut.desk.live import Live
from topcut.event import facts as f
from topcut.event.called import NAMING, called_now
from topcut.event.journal import Journal
from topcut.event.log import Logged
from topcut.event.tell import Teller
from topcut.history.direction import apart
from topcut.rulebook.planning.words import both, counted

_STAFF_ONLY = (
    f.Confirmed,
    f.CheckedIn,
    f.Claimed,
    f.TablesBegun,
    f.Asked,
    f.Answered,
    f.EntryRefused,
    f.Forgotten,
)
"""Nobody in the hall is told of these, and nothing that is told needs them."""


Kind = Literal["round", "tables", "result", "player", "event"]


@dataclass(frozen=True)
class Item:
    """One thing that is different."""

    position: int
    step: int
    at: datetime
    kind: Kind
    round: int | None
    says: str


class _Speaker(Teller):
    """Tells the log with names that cannot turn a sentence around."""

    def name(self, player: str) -> str:
        return apart(super().name(player))

    def put(self, fact: f.Reported) -> None:
        """What a table's result is, without words."""
        self._result(fact.round, fact.table, fact.result)


class News:
    """The items of one event; it goes on from where it was."""

    def __init__(self, journal: Journal) -> None:
        self._begin(journal)

    def _begin(self, journal: Journal) -> None:
        self._teller = _Speaker(journal.private, called_now(journal))
        self._read = 0
        self._items: list[Item] = []
        self._gone: set[int] = set()
        self._shown: set[int] = set()
        """Rounds that everybody can see."""
        self._reported: dict[tuple[int, int | str], f.Reported] = {}
        """Results as they were reported: most of a log, and told only where they are corrected."""

    def last(self, journal: Journal, count: int) -> list[Item]:
        """The newest items first; without those that were taken back."""
        self._read_on(journal)
        found: list[Item] = []
        for item in reversed(self._items):
            if item.step not in self._gone:
                found.append(item)
                if len(found) == count:
                    break
        return found

    def after(self, journal: Journal, position: int) -> list[Item]:
        """The items after a position, the oldest first."""
        self._read_on(journal)
        first = bisect_right(self._items, position, key=lambda item: item.position)
        return [item for item in self._items[first:] if item.step not in self._gone]

    def _read_on(self, journal: Journal) -> None:
        if any(isinstance(entry.fact, NAMING) for entry in journal.entries[self._read :]):
            self._call(journal)
        self._teller.private = journal.private
        for entry in journal.entries[self._read :]:
            self._take_in(entry, journal)
        self._read = len(journal.entries)

    def _call(self, journal: Journal) -> None:
        """Call everybody as they are called now; if that is not how they were called, tell it all again: a
        name that is not shown any more is not in what was told before either."""
        old, now = self._teller.called, called_now(journal)
        if any(now.get(player) != name for player, name in old.items()):
            self._begin(journal)
        self._teller.called = now

    def _take_in(self, entry: Logged, journal: Journal) -> None:
        fact = entry.fact
        if isinstance(fact, f.Undone | f.Redone):
            self._other_steps(entry, fact, journal)
            return
        if isinstance(fact, _STAFF_ONLY):
            return
        if isinstance(fact, f.Reported):
            self._reported[fact.round, fact.table] = fact
            return
        if isinstance(fact, f.Corrected) and (first := self._reported.pop((fact.round, fact.table), None)):
            self._teller.put(first)
        said = self._say(entry)
        if said:
            kind, number, says = said
            self._items.append(Item(entry.position, entry.step, entry.at, kind, number, says))

    def _say(self, entry: Logged) -> tuple[Kind, int | None, str] | None:
        """The kind, the round and the sentence of a fact; None for what concerns nobody in the hall."""
        fact = entry.fact
        told = self._teller.tell(replace(entry, fact=_without_reason(fact)))
        match fact:
            case f.Announced():
                return "event", None, told
            case f.Finished():
                return "event", None, "The event is finished; the secret of the draws is revealed"
            case f.Reopened():
                return "event", None, "The event goes on"
            case f.Purged():
                return "event", None, "The names are deleted, as promised"
            case f.Dropped() | f.Disqualified() | f.Restored():
                return "player", None, told
            case f.Registered() if fact.entered > 1:
                name = self._teller.name(fact.player)
                return "player", None, f"{name} enters from round {fact.entered} on"
            case f.Corrected() if fact.round in self._shown:
                return "result", fact.round, told
        return self._of_round(fact)

    def _of_round(self, fact: f.AnyFact) -> tuple[Kind, int | None, str] | None:
        match fact:
            case f.Paired() if fact.round in self._shown:
                self._shown.discard(fact.round)
                return "round", fact.round, f"Round {fact.round} is taken down to be drawn again"
            case f.TakenOver() if fact.rounds:
                self._shown |= set(range(1, len(fact.rounds) + 1))
                return "event", None, self._taken(fact)
            case f.Published():
                self._shown.add(fact.round)
                return "round", fact.round, f"Round {fact.round} is posted"
            case f.Started():
                time = f": {counted(fact.minutes, 'minute')}" if fact.minutes else ""
                return "round", fact.round, f"Round {fact.round} begins{time}"
            case f.Ended():
                return "round", fact.round, f"Round {fact.round} is over"
            case f.Extended() if fact.table is None:
                return "round", fact.round, f"Everybody gets {counted(fact.minutes, 'minute')} more"
            case f.RoundRepaired() | f.RoundEdited() if fact.round in self._shown and fact.changed:
                by = f" by hand ({fact.reason})" if isinstance(fact, f.RoundEdited) else ""
                return "tables", fact.round, f"Round {fact.round} is changed{by}: {self._new(fact)}"
        return None

    def _taken(self, fact: f.TakenOver) -> str:
        return f"The event goes on here after {counted(len(fact.rounds), 'round')} elsewhere"

    def _new(self, fact: f.RoundRepaired | f.RoundEdited) -> str:
        numbers = sorted(table for table in fact.changed if isinstance(table, int))
        lost = {table.players[0] for table in fact.tables if table.loss}
        alone = [
            f"{self._teller.name(player)} has a {'loss' if player in lost else 'bye'}"
            for player in fact.changed
            if isinstance(player, str)
        ]
        said = (
            [f"look again at {'tables' if len(numbers) > 1 else 'table'} {both(numbers)}"] if numbers else []
        )
        return ", ".join([*said, *alone])

    def _other_steps(self, entry: Logged, fact: f.Undone | f.Redone, journal: Journal) -> None:
        """Steps that do not count any more, or count again."""
        self._teller.tell(replace(entry, fact=_without_reason(fact)))
        steps = set(fact.steps)
        seen = [item for item in self._items if item.step in steps]
        back = isinstance(fact, f.Undone)
        self._gone = self._gone | steps if back else self._gone - steps
        self._shown.clear()
        self._reported.clear()
        for earlier in journal.entries[: entry.position - 1]:
            match earlier.fact:
                case _ if earlier.step in self._gone:
                    continue
                case f.TakenOver(rounds=taken):
                    self._shown |= set(range(1, len(taken) + 1))
                case f.Published(round=number):
                    self._shown.add(number)
                case f.Paired(round=number):
                    self._shown.discard(number)
                case f.Reported(round=number, table=table) as fact_:
                    self._reported[number, table] = fact_
                case f.Corrected(round=number, table=table):
                    self._reported.pop((number, table), None)
        if seen:
            more = f", and {counted(len(seen) - 1, 'thing')} more" if len(seen) > 1 else ""
            says = f"{'Taken back' if back else 'Counts again'}: {seen[0].says}{more}"
            item = Item(entry.position, entry.step, entry.at, seen[0].kind, seen[0].round, says)
            self._items.append(item)


def _without_reason(fact: f.AnyFact) -> f.AnyFact:
    """The fact as it is for everybody: only a change of a closed record has a reason for all to see."""
    open_to_all = isinstance(fact, f.Corrected) and fact.override
    kept = open_to_all or not hasattr(fact, "reason")
    return fact if kept else replace(fact, reason="")


_all: WeakKeyDictionary[Live, News] = WeakKeyDictionary()


def news_of(live: Live, count: int) -> list[Item]:
    """What changed last in an event."""
    return _news(live).last(live.running.journal, count)


def news_after(live: Live, position: int) -> list[Item]:
    """What changed in an event after a position, the oldest first."""
    return _news(live).after(live.running.journal, position)


def _news(live: Live) -> News:
    if live not in _all:
        _all[live] = News(live.running.journal)
    return _all[live]
