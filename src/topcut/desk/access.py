"""Who may come in to the desk? Links that somebody was given, and the sessions they open.

Of a link's key and of a session's cookie only digests are kept: whoever reads the database cannot come in
with it.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import msgspec
from msgspec import Struct

from topcut.store.model import Store

A_DAY = timedelta(days=1)
LINKS, SESSIONS, SECRETS = "link", "session", "secret"


class Link(Struct, frozen=True, kw_only=True):
    """A way in."""

    name: str
    """Whoever comes in by it; the log says so."""
    event: str | None = None
    """The only event it opens; None: all of them, and new ones."""
    once: bool = False
    made: datetime
    until: datetime | None = None


class Session(Struct, frozen=True, kw_only=True):
    """Somebody who came in."""

    name: str
    event: str | None
    link: str | None
    """The link it hangs on; it ends with it. None: with nothing."""
    csrf: str
    """What a page sends back with every command, so that no other site can send one."""

    def may(self, event: str) -> bool:
        return self.event in (None, event)


def utc() -> datetime:
    return datetime.now(UTC)


class Access:
    """Links and sessions of one database."""

    def __init__(self, store: Store, clock: Callable[[], datetime] = utc) -> None:
        self.store = store
        self.clock = clock
        self._cookie = ""

    async def make_link(
        self, name: str, event: str | None = None, *, once: bool = False, lasts: timedelta | None = None
    ) -> str:
        """A new link; its key, which is not kept anywhere."""
        key = secrets.token_urlsafe(24)
        now = self.clock()
        until = now + lasts if lasts else None
        link = Link(name=name, event=event, once=once, made=now, until=until)
        await self.store.keep(LINKS, _digest(key), msgspec.json.encode(link), until, now)
        return key

    async def links(self, event: str | None) -> dict[str, Link]:
        """The links that open an event (None: everything), by what names them."""
        kept = await self.store.all_kept(LINKS, self.clock())
        found = {id: msgspec.json.decode(value, type=Link) for id, value in kept.items()}
        return {id: link for id, link in found.items() if link.event == event and not link.once}

    async def revoke(self, id: str) -> None:
        """A link is good no more, nor are the sessions it opened."""
        await self.store.unkeep(LINKS, id)

    async def enter(self, key: str) -> tuple[str, Session] | None:
        """Come in by a link's key: what the cookie holds, and the session; None where the key is not good."""
        id, now = _digest(key), self.clock()
        raw = await self.store.kept(LINKS, id, now)
        if raw is None:
            return None
        link = msgspec.json.decode(raw, type=Link)
        if link.once and await self.store.take(LINKS, id, now) is None:
            return None
        session = Session(
            name=link.name,
            event=link.event,
            link=None if link.once else id,
            csrf=secrets.token_urlsafe(24),
        )
        token = secrets.token_urlsafe(32)
        until = link.until if link.until and not link.once else now + 30 * A_DAY
        await self.store.keep(SESSIONS, _digest(token), msgspec.json.encode(session), until, now)
        return token, session

    async def cookie(self) -> str:
        """The name of the cookie: each database has its own, since browsers do not tell ports apart."""
        if not self._cookie:
            self._cookie = f"topcut-{sha256(await self.secret('cookie')).hexdigest()[:10]}"
        return self._cookie

    async def session(self, cookies: Mapping[str, str]) -> Session | None:
        """Whoever has these cookies."""
        token = cookies.get(await self.cookie())
        if not token:
            return None
        now = self.clock()
        raw = await self.store.kept(SESSIONS, _digest(token), now)
        if raw is None:
            return None
        session = msgspec.json.decode(raw, type=Session)
        if session.link is not None and await self.store.kept(LINKS, session.link, now) is None:
            return None
        return session

    async def leave(self, cookies: Mapping[str, str]) -> None:
        """The session ends."""
        await self.store.unkeep(SESSIONS, _digest(cookies.get(await self.cookie(), "")))

    async def secret(self, name: str) -> bytes:
        """A secret of this database, made when it is first needed."""
        return await self.store.keep_first(SECRETS, name, secrets.token_bytes(32))


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def signature(secret: bytes, *what: str) -> str:
    """What only this database can have written under something."""
    mac = hmac.new(secret, "\0".join(what).encode(), "sha256").digest()
    return mac[:15].hex()
