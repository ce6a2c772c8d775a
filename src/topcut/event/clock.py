"""How much time is left in a round, and at each table?"""

from __future__ import annotations

from datetime import datetime

from topcut.event.applying import seconds
from topcut.event.state import Clock


def left(clock: Clock, now: datetime, table: int | None = None) -> float | None:
    """Seconds that are left, with extensions; less than 0 once time is over, None where there is no limit."""
    if clock.minutes is None:
        return None
    extra = clock.extensions.get(None, 0)
    if table is not None:
        extra += clock.extensions.get(table, 0)
    return (clock.minutes + extra) * 60 - played(clock, now)


def played(clock: Clock, now: datetime) -> float:
    """Seconds since the start in which the clock ran."""
    until = min(now, clock.paused) if clock.paused else now
    return max(0.0, seconds(clock.started, until) - clock.stopped)


def last_end(clock: Clock, now: datetime, tables: list[int]) -> float | None:
    """Seconds until the last of these tables is out of time: when the round can be expected to end."""
    ends = [left(clock, now, table) for table in tables] or [left(clock, now)]
    known = [end for end in ends if end is not None]
    return max(known) if known else None
