"""Read the clock: no other module of the use cases does."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    return datetime.now(UTC)


def now_text() -> str:
    """Return the time as pages and streams send it."""
    return utc_now().isoformat(timespec="milliseconds")
