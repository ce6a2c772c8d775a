"""Delete the names of an event once the time is over for which it keeps them (PK-58)."""

import asyncio
import logging
import secrets
from datetime import datetime

import msgspec

from topcut.app.clock import utc_now
from topcut.errors import Impossible, TopcutError
from topcut.event.commands import Purge
from topcut.event.decide.context import Context
from topcut.event.refusals import CommandRefused
from topcut.store.interface import NoSuchEvent, Store, StoredEvent
from topcut.store.session import EventSession, EventSummary

EVERY = 3_600.0
"""Seconds between one look and the next."""
SWEPT = "swept"
LOOKED_AT = "due"
"""Kind of value for the due times of events that were finished before the list of events held them."""


async def purge_due(store: Store, now: datetime) -> list[str]:
    """Delete the names of every event whose time is over, if it can be opened; return the events purged."""
    done = []
    for listed in await store.list_events():
        try:
            due = await _due(store, listed, now)
            if due is not None and due <= now and await _purge(store, listed.event, now):
                done.append(listed.event)
        except NoSuchEvent:  # it was removed meanwhile
            continue
        except TopcutError as error:
            logging.getLogger("topcut").warning("the names of %s are due: %s", listed.event, error)
    return done


async def delete_expired_values(store: Store, now: datetime) -> None:
    """Delete values that have expired, such as receipts, and keep when that was done."""
    await store.put_value(SWEPT, "last", now.isoformat().encode(), now=now)


async def keep_purging(store: Store) -> None:
    """Delete due names and expired values now and every hour, until cancelled."""
    while True:
        try:
            await purge_due(store, utc_now())
            await delete_expired_values(store, utc_now())
        except Exception:
            logging.getLogger("topcut").exception("names that are due could not be deleted")
        await asyncio.sleep(EVERY)


async def _purge(store: Store, event: str, now: datetime) -> bool:
    """Delete the names of an event; tell whether that was still to be done."""
    running = await EventSession.open(store, event)
    try:
        await running.do(Purge(), Context(now, "topcut", secrets.token_hex(32), "retention"))
    except (CommandRefused, Impossible):  # another process was faster, or the event goes on
        return False
    return True


async def _due(store: Store, listed: StoredEvent, now: datetime) -> datetime | None:
    """Return the time from which names of an event may be deleted; None if it runs, or they are deleted.

    The list of events of an older Topcut lacks it: then the event itself is read, once.
    """
    about = msgspec.json.decode(listed.about, type=EventSummary)
    if about.due is not None or not about.finished or about.purged:
        return about.due
    kept = await store.get_value(LOOKED_AT, listed.event, now)
    if kept is None:
        due = (await EventSession.open(store, listed.event)).state.kept_until
        kept = due.isoformat().encode() if due is not None else b""
        await store.put_value(LOOKED_AT, listed.event, kept)
    return datetime.fromisoformat(kept.decode()) if kept else None
