"""Describe the log for everybody: what was published, corrected, announced.

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
from topcut.event.describe.fact_sentences import describe_allowance
from topcut.event.describe.log_sentences import NAMING_FACTS, LogNarrator, current_names
from topcut.event.event_log import EventLog
from topcut.event.log_chain import Logged
from topcut.text.messages import Message, count, join_messages, say

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
    says: Message


class News:
    """The news of one event; each call reads on from where the last one ended."""

    def __init__(self, log: EventLog) -> None:
        self._begin(log)

    def _begin(self, log: EventLog) -> None:
        self._narrator = LogNarrator(log.private, current_names(log))
        self._read = 0
        self._items: list[NewsItem] = []
        self._gone: set[int] = set()
        self._shown: set[int] = set()
        """Rounds that are published."""
        self._allowed: dict[int, Message] = {}
        """What the organiser allowed in a round against the rules."""
        self._reported: dict[tuple[int, int | str], f.Reported] = {}
        """Results as they were reported: most of a log, and news only where they are corrected."""

    def last(self, log: EventLog, most: int) -> list[NewsItem]:
        """Return the newest items first, without those that were undone."""
        self._read_on(log)
        counting = (item for item in reversed(self._items) if item.step not in self._gone)
        return [*islice(counting, most)]

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
                self._allowed[fact.round] = describe_allowance(fact.allowed)
            case f.RoundRepaired():
                self._allowed[fact.round] = describe_allowance(fact.allowed)
            case f.Reported():
                self._reported[fact.round, fact.table] = fact
            case f.Corrected():
                self._reported.pop((fact.round, fact.table), None)

    def _describe_news(self, entry: Logged) -> tuple[NewsKind, int | None, Message] | None:
        """Return kind, round and sentence of a fact; None where it is no news."""
        fact = entry.fact
        told = self._narrator.tell(replace(entry, fact=_hide_reason(fact)))
        match fact:
            case f.Announced() | f.Reopened():
                return "event", None, told
            case f.TakenOver() if fact.rounds:
                goes_on = count(
                    "The event continues here after {n} round played elsewhere.",
                    "The event continues here after {n} rounds played elsewhere.",
                    len(fact.rounds),
                )
                return "event", None, goes_on
            case f.Finished():
                return "event", None, say("The event is finished. The secret of its draws is published.")
            case f.Purged():
                return "event", None, say("The names of the players are deleted.")
            case f.Dropped() | f.Disqualified() | f.Restored():
                return "player", None, told
            case f.Registered() if fact.entered > 1:
                name = self._narrator.name(fact.player)
                return (
                    "player",
                    None,
                    say("{player} enters from round {round}.", player=name, round=fact.entered),
                )
            case f.Corrected() if fact.round in self._shown:
                return "result", fact.round, told
            case f.Paired() if fact.round in self._shown:
                again = say("Round {round} is withdrawn and will be paired again.", round=fact.round)
                return "round", fact.round, again
            case f.DraftBegan():
                return "event", None, say("Draft {draft} begins. Find your pod and seat.", draft=fact.draft)
            case f.DraftEnded() | f.DraftClockStarted():
                return "event", None, told
            case f.Published():
                allowed = self._allowed.get(fact.round, Message(""))
                return "round", fact.round, join_messages(" ", [told, allowed, fact.reminder])
            case f.Ended():
                return "round", fact.round, join_messages(" ", [told, fact.reminder])
            case f.Started():
                return "round", fact.round, told
            case f.ClockSet():
                return "round", fact.round, told
            case f.Extended() if fact.table is None:
                return "round", fact.round, told
            case f.RoundRepaired() | f.RoundEdited() if fact.round in self._shown and fact.changed:
                return "tables", fact.round, told
        return None

    def _add_undone(self, entry: Logged, fact: f.Undone | f.Redone, log: EventLog) -> None:
        """Add that steps were undone or redone, and read again what is published and reported."""
        self._narrator.tell(replace(entry, fact=_hide_reason(fact)))
        steps = set(fact.steps)
        seen = [item for item in self._items if item.step in steps]
        back = isinstance(fact, f.Undone)
        self._gone = self._gone | steps if back else self._gone - steps
        self._shown.clear()
        self._reported.clear()
        self._allowed.clear()
        for earlier in log.entries[: entry.position - 1]:
            if earlier.step not in self._gone:
                self._note(earlier.fact)
        if seen:
            first, more = seen[0].says, len(seen) - 1
            says = say("Undone: “{news}”", news=first) if back else say("Redone: “{news}”", news=first)
            if more:
                also = count("And {n} more change.", "And {n} more changes.", more)
                says = join_messages(" ", [says, also])
            item = NewsItem(entry.position, entry.step, entry.at, seen[0].kind, seen[0].round, says)
            self._items.append(item)


def _hide_reason(fact: f.AnyFact) -> f.AnyFact:
    """Return the fact as all may read it: with a reason only for new tables and for late corrections."""
    open_to_all = isinstance(fact, f.RoundEdited) or (isinstance(fact, f.Corrected) and fact.override)
    return replace(fact, reason="") if hasattr(fact, "reason") and not open_to_all else fact
