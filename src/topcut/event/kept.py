"""How long are names kept after an event?"""

from __future__ import annotations

from datetime import datetime

from topcut.event.state import State


def kept_until(state: State) -> datetime | None:
    """From when on names may be deleted (PK-58); None where the event is not finished, or they are gone."""
    if state.finished is None or state.purged:
        return None
    return months_later(state.finished, state.kept_months)


def months_later(moment: datetime, months: int) -> datetime:
    """The same day so many months later, or the last one of that month.

    >>> months_later(datetime(2026, 11, 30), 3).date().isoformat()
    '2027-02-28'
    """
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    for day in (moment.day, 30, 29, 28):
        try:
            return moment.replace(year=year, month=month + 1, day=day)
        except ValueError:
            continue
    raise AssertionError("every month has 28 days")
