"""When are names deleted by themselves? As soon as the time is over for which an event keeps them (PK-58)."""

from __future__ import annotations

import asyncio
import logging
import secrets
from datetime import datetime

import msgspec

from topcut.desk.access import utc
from topcut.errors import Impossible, TopcutError
from topcut.event.commands import Purge
from topcut.event.deciding import Context
from topcut.event.kept import kept_until
from topcut.event.refusals import Refused
from topcut.store.model import Listed, NoSuchEvent, Store
from topcut.store.running import About, Running

EVERY = 3_600.0
"""Seconds between one look and the next."""
SWEPT = "swept"
LOOKED_AT = "due"
"""Where it is kept when the names of events are due that were finished before their lists said so."""


async def purge_due(store: Store, now: datetime) -> list[str]:
    """Delete the names of every event that need not keep them any more; the events of which it was done here.

    An event that cannot be opened is told of and keeps nobody else waiting.
    """
    done = []
    for listed in await store.events():
        try:
            due = await _due(store, listed, now)
            if due is not None and due <= now and await _purged(store, listed.event, now):
                done.append(listed.event)
        except NoSuchEvent:  # it was removed meanwhile
            continue
        except TopcutError as error:
            logging.getLogger("topcut").warning("the names of %s are due: %s", listed.event, error)
    return done


async def swept(store: Store, now: datetime) -> None:
    """Delete what is kept until a time that is over, such as receipts, and write down when that was done."""
    await store.keep(SWEPT, "last", now.isoformat().encode(), now=now)


async def keep_purging(store: Store) -> None:
    """Do so now and every hour, for as long as it is let."""
    while True:
        try:
            await purge_due(store, utc())
            await swept(store, utc())
        except Exception:
            logging.getLogger("topcut").exception("names that are due could not be deleted")
        await asyncio.sleep(EVERY)


async def _purged(store: Store, event: str, now: datetime) -> bool:
    """Delete the names of an event; whether that was still to be done."""
    running = await Running.open(store, event)
    try:
        await running.do(Purge(), Context(now, "topcut", secrets.token_hex(32), "retention"))
    except (Refused, Impossible):  # somebody was faster, or the event goes on
        return False
    return True


async def _due(store: Store, listed: Listed, now: datetime) -> datetime | None:
    """From when on the names of an event may be deleted; None if it runs, or they are deleted.

    The list of an older Topcut does not say: then the event is looked at, once.
    """
    about = msgspec.json.decode(listed.about, type=About)
    if about.due is not None or not about.finished or about.purged:
        return about.due
    kept = await store.kept(LOOKED_AT, listed.event, now)
    if kept is None:
        due = kept_until((await Running.open(store, listed.event)).state)
        kept = due.isoformat().encode() if due is not None else b""
        await store.keep(LOOKED_AT, listed.event, kept)
    return datetime.fromisoformat(kept.decode()) if kept else None
