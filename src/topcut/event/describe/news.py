"""Describe the log for everybody: what was posted, corrected, announced.

The news say nothing of rounds that are not published, of what staff do among themselves, or why a player
was disqualified or dropped.
"""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Literal

from msgspec.structs import replace

from topcut.event import facts as f
from topcut.event.describe.log_sentences import NAMING_FACTS, LogNarrator, current_names
from topcut.event.event_log import EventLog
from topcut.event.log_chain import Logged
from topcut.text.bidi import isolate_name
from topcut.text.messages import list_and
from topcut.text.phrases import plural

_FOR_STAFF = f.Confirmed | f.CheckedIn | f.Claimed | f.TablesBegun | f.Asked | f.Answered | f.EntryRefused
"""Facts that are no news, and that no news needs; `Forgotten` is another."""

NewsKind = Literal["round", "tables", "result", "player", "event"]


@dataclass(frozen=True)
class NewsItem:
    """One thing that has changed for everybody."""

    position: int
    step: int
    at: datetime
    kind: NewsKind
    round: int | None
    says: str


class _PublicNarrator(LogNarrator):
    """Describes the log with names that cannot turn the direction of a sentence around."""

    def name(self, player: str) -> str:
        return isolate_name(super().name(player))


class News:
    """The news of one event; each call reads on from where the last one ended."""

    def __init__(self, log: EventLog) -> None:
        self._begin(log)

    def _begin(self, log: EventLog) -> None:
        self._narrator = _PublicNarrator(log.private, current_names(log))
        self._read = 0
        self._items: list[NewsItem] = []
        self._gone: set[int] = set()
        self._shown: set[int] = set()
        """Rounds that are published."""
        self._reported: dict[tuple[int, int | str], f.Reported] = {}
        """Results as they were reported: most of a log, and news only where they are corrected."""

    def last(self, log: EventLog, count: int) -> list[NewsItem]:
        """Return the newest items first, without those that were undone."""
        self._read_on(log)
        counting = (item for item in reversed(self._items) if item.step not in self._gone)
        return [*islice(counting, count)]

    def after(self, log: EventLog, position: int) -> list[NewsItem]:
        """Return the items after a position, the oldest first."""
        self._read_on(log)
        first = bisect_right(self._items, position, key=lambda item: item.position)
        return [item for item in self._items[first:] if item.step not in self._gone]

    def _read_on(self, log: EventLog) -> None:
        """Read new facts; where a player is called something else by now, read the whole log again, so that
        a name that is not shown any more is not in older news either."""
        if any(isinstance(entry.fact, NAMING_FACTS) for entry in log.entries[self._read :]):
            old, now = self._narrator.called, current_names(log)
            if any(now.get(player) != name for player, name in old.items()):
                self._begin(log)
            self._narrator.called = now
        self._narrator.private = log.private
        for entry in log.entries[self._read :]:
            self._add_entry(entry, log)
        self._read = len(log.entries)

    def _add_entry(self, entry: Logged, log: EventLog) -> None:
        fact = entry.fact
        if isinstance(fact, f.Undone | f.Redone):
            self._add_undone(entry, fact, log)
        elif not isinstance(fact, _FOR_STAFF | f.Forgotten):
            first = self._reported.get((fact.round, fact.table)) if isinstance(fact, f.Corrected) else None
            if first is not None:
                self._narrator.set_result(first)
            if not isinstance(fact, f.Reported) and (said := self._describe_news(entry)):
                self._items.append(NewsItem(entry.position, entry.step, entry.at, *said))
            self._note(fact)

    def _note(self, fact: f.AnyFact) -> None:
        """Remember what is published and reported after a fact that counts."""
        match fact:
            case f.TakenOver():
                self._shown |= set(range(1, len(fact.rounds) + 1))
            case f.Published():
                self._shown.add(fact.round)
            case f.Paired():
                self._shown.discard(fact.round)
            case f.Reported():
                self._reported[fact.round, fact.table] = fact
            case f.Corrected():
                self._reported.pop((fact.round, fact.table), None)

    def _describe_news(self, entry: Logged) -> tuple[NewsKind, int | None, str] | None:
        """Return kind, round and sentence of a fact; None where it is no news."""
        fact = entry.fact
        told = self._narrator.tell(replace(entry, fact=_hide_reason(fact)))
        match fact:
            case f.Announced():
                return "event", None, told
            case f.TakenOver() if fact.rounds:
                played = plural(len(fact.rounds), "round")
                return "event", None, f"The event goes on here after {played} elsewhere"
            case f.Finished():
                return "event", None, "The event is finished; the secret of the draws is revealed"
            case f.Reopened():
                return "event", None, "The event goes on"
            case f.Purged():
                return "event", None, "The names are deleted, as promised"
            case f.Dropped() | f.Disqualified() | f.Restored():
                return "player", None, told
            case f.Registered() if fact.entered > 1:
                name = self._narrator.name(fact.player)
                return "player", None, f"{name} enters from round {fact.entered} on"
            case f.Corrected() if fact.round in self._shown:
                return "result", fact.round, told
            case f.Paired() if fact.round in self._shown:
                return "round", fact.round, f"Round {fact.round} is taken down to be drawn again"
            case f.Published():
                return "round", fact.round, f"Round {fact.round} is posted"
            case f.Started():
                time = f": {plural(fact.minutes, 'minute')}" if fact.minutes else ""
                return "round", fact.round, f"Round {fact.round} begins{time}"
            case f.Ended():
                return "round", fact.round, f"Round {fact.round} is over"
            case f.Extended() if fact.table is None:
                return "round", fact.round, f"Everybody gets {plural(fact.minutes, 'minute')} more"
            case f.RoundRepaired() | f.RoundEdited() if fact.round in self._shown and fact.changed:
                by = f" by hand ({fact.reason})" if isinstance(fact, f.RoundEdited) else ""
                new = self._describe_new_tables(fact)
                return "tables", fact.round, f"Round {fact.round} is changed{by}: {new}"
        return None

    def _describe_new_tables(self, fact: f.RoundRepaired | f.RoundEdited) -> str:
        numbers = sorted(table for table in fact.changed if isinstance(table, int))
        said = [f"look again at table{'s' if numbers[1:] else ''} {list_and(numbers)}"] if numbers else []
        lost = {table.players[0] for table in fact.tables if table.loss}
        for player in fact.changed:
            if isinstance(player, str):
                said.append(f"{self._narrator.name(player)} has a {'loss' if player in lost else 'bye'}")
        return ", ".join(said)

    def _add_undone(self, entry: Logged, fact: f.Undone | f.Redone, log: EventLog) -> None:
        """Add that steps were undone or redone, and read again what is published and reported."""
        self._narrator.tell(replace(entry, fact=_hide_reason(fact)))
        steps = set(fact.steps)
        seen = [item for item in self._items if item.step in steps]
        back = isinstance(fact, f.Undone)
        self._gone = self._gone | steps if back else self._gone - steps
        self._shown.clear()
        self._reported.clear()
        for earlier in log.entries[: entry.position - 1]:
            if earlier.step not in self._gone:
                self._note(earlier.fact)
        if seen:
            more = f", and {plural(len(seen) - 1, 'thing')} more" if len(seen) > 1 else ""
            says = f"{'Taken back' if back else 'Counts again'}: {seen[0].says}{more}"
            item = NewsItem(entry.position, entry.step, entry.at, seen[0].kind, seen[0].round, says)
            self._items.append(item)


def _hide_reason(fact: f.AnyFact) -> f.AnyFact:
    """Return the fact as it is for everybody: only a change of a closed record shows its reason."""
    open_to_all = isinstance(fact, f.Corrected) and fact.override
    return replace(fact, reason="") if hasattr(fact, "reason") and not open_to_all else fact
