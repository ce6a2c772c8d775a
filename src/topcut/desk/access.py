"""Who may come in? Links that somebody was given, the sessions they open, and tokens for programs.

Of a key and of a session's cookie only digests are kept: whoever reads the database cannot come in with it.
A session hangs on its link or its account, and ends with it; what a link may do is looked up each time.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from topcut.desk.accounts import Accounts
from topcut.desk.roles import ROLES, Role
from topcut.desk.who import Who
from topcut.event.rights import Right
from topcut.store.model import Store

A_DAY = timedelta(days=1)
A_MONTH = 30 * A_DAY
A_YEAR = 365 * A_DAY
LINKS, SESSIONS, SECRETS, OWNERS, SERVER = "link", "session", "secret", "owner", "server"
ONCE = "link once"
"""Links that open once, until they are used; then they are among the others."""
BEARER = "bearer "


class Link(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A way in."""

    name: str
    """Whoever comes in by it; the log says so."""
    role: Role = "organiser"
    rights: tuple[Right, ...] | None = None
    """Exactly these; None: those of the role."""
    event: str | None = None
    """The only event it opens; None: several, and new ones."""
    owner: str | None = None
    """The account whose events it opens; None: all of them."""
    once: bool = False
    """Whether one browser alone comes in by it."""
    used: datetime | None = None
    """When that browser came in; it stays in until it leaves, or the link is revoked."""
    token: bool = False
    """Whether a program sends the key with each request; other links open a session, in a browser."""
    made: datetime
    by: str = ""
    until: datetime | None = None

    @property
    def allows(self) -> frozenset[Right]:
        return ROLES[self.role] if self.rights is None else frozenset(self.rights)

    def who(self, key: str, csrf: str = "", via: str = "desk") -> Who:
        """Whoever comes in by it."""
        return Who(
            name=self.name,
            role=self.role,
            rights=self.allows,
            event=self.event,
            owner=self.owner,
            key=key,
            csrf=csrf,
            via=via,
        )


class Session(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody who came in with a browser."""

    name: str
    event: str | None
    link: str | None
    """The link it hangs on."""
    csrf: str
    """What a page sends back with every command, so that no other site can send one."""
    came: Link | None = None
    """The link it came in by, in databases from before links that open once were kept when used."""
    account: str | None = None
    stamp: str = ""
    """The account's stamp when they came in; another password, and it is out."""


def utc() -> datetime:
    return datetime.now(UTC)


class Access:
    """Links, tokens and sessions of one database."""

    def __init__(self, store: Store, clock: Callable[[], datetime] = utc) -> None:
        self.store = store
        self.clock = clock
        self.accounts = Accounts(store)
        self._cookie = ""

    async def make_link(
        self,
        name: str,
        event: str | None = None,
        *,
        role: Role = "organiser",
        rights: tuple[Right, ...] | None = None,
        owner: str | None = None,
        once: bool = False,
        token: bool = False,
        by: str = "",
        lasts: timedelta | None = None,
    ) -> str:
        """A new link or token; its key, which is not kept anywhere."""
        key = secrets.token_urlsafe(24)
        now = self.clock()
        until = now + lasts if lasts else None
        link = Link(
            name=name,
            role=role,
            rights=rights,
            event=event,
            owner=owner,
            once=once,
            token=token,
            made=now,
            by=by,
            until=until,
        )
        await self.store.keep(ONCE if once else LINKS, digest(key), msgspec.json.encode(link), until, now)
        return key

    async def links(self, event: str | None, owner: str | None = None) -> dict[str, Link]:
        """The links and tokens of an event (None: of several, of this account), by what names them."""
        return {
            link_id: link
            for link_id, link in (await self.all_links()).items()
            if link.event == event and not link.once and (event is not None or link.owner == owner)
        }

    async def all_links(self) -> dict[str, Link]:
        """Every link and token there is, but those that open once and were not used yet."""
        kept = await self.store.all_kept(LINKS, self.clock())
        return {link_id: msgspec.json.decode(value, type=Link) for link_id, value in kept.items()}

    async def revoke(self, link_id: str) -> None:
        """A link is good no more, nor are the sessions it opened."""
        await self.store.unkeep(LINKS, link_id)

    async def enter(self, key: str) -> tuple[str, Session] | None:
        """Come in by a link's key: what the cookie holds, and the session; None where the key is not good."""
        link_id, now = digest(key), self.clock()
        link = await self._link(link_id, now)
        if link is None:
            link = await self._take(link_id, now)
        elif link.token or link.once:
            link = None
        if link is None:
            return None
        until = link.until or now + A_MONTH
        session = Session(name=link.name, event=link.event, link=link_id, csrf=secrets.token_urlsafe(24))
        return await self._session(session, until)

    async def _take(self, link_id: str, now: datetime) -> Link | None:
        """A link that opens once, used now: of several who come by it at once one gets it."""
        if await self.store.kept(ONCE, link_id, now) is None:  # most keys: nothing is written for them
            return None
        raw = await self.store.take(ONCE, link_id, now)
        if raw is None:
            return None
        link = replace(msgspec.json.decode(raw, type=Link), used=now, until=now + A_MONTH)
        await self.store.keep(LINKS, link_id, msgspec.json.encode(link), link.until, now)
        return link

    async def used(self, key: str) -> Link | None:
        """The link of a key, if it opened once and was used."""
        link = await self._link(digest(key), self.clock())
        return link if link and link.used else None

    async def sign_in(self, login: str, password: str) -> tuple[str, Session] | None:
        """Come in with an account; None where login or password are not good."""
        account = await self.accounts.check(login, password, self.clock())
        if account is None:
            return None
        session = Session(
            name=account.name,
            event=None,
            link=None,
            csrf=secrets.token_urlsafe(24),
            account=account.login,
            stamp=account.stamp,
        )
        return await self._session(session, self.clock() + A_MONTH)

    async def _session(self, session: Session, until: datetime) -> tuple[str, Session]:
        token = secrets.token_urlsafe(32)
        await self.store.keep(SESSIONS, digest(token), msgspec.json.encode(session), until, self.clock())
        return token, session

    async def _link(self, link_id: str, now: datetime) -> Link | None:
        raw = await self.store.kept(LINKS, link_id, now)
        return None if raw is None else msgspec.json.decode(raw, type=Link)

    async def cookie(self) -> str:
        """The name of the cookie: each database has its own, since browsers do not tell ports apart."""
        if not self._cookie:
            self._cookie = f"topcut-{sha256(await self.secret('cookie')).hexdigest()[:10]}"
        return self._cookie

    async def browser(self, login: str, cookies: Mapping[str, str]) -> str:
        """Which browser this is, if somebody has signed in with it as this before; else nothing."""
        number, _, signed = cookies.get(f"{await self.cookie()}-browser", "").partition(".")
        good = signature(await self.secret("browsers"), login, number)
        return number if hmac.compare_digest(signed.encode(), good.encode()) else ""

    async def known_browser(self, login: str, number: str = "") -> tuple[str, str]:
        """The cookie by which a browser is known from now on: name and value."""
        number = number or secrets.token_hex(8)
        signed = signature(await self.secret("browsers"), login, number)
        return f"{await self.cookie()}-browser", f"{number}.{signed}"

    async def serves_at(self, address: str) -> None:
        """A server of this database is reached here."""
        await self.store.keep(SERVER, "address", address.encode())

    async def served_at(self) -> str:
        """Where the server of this database is reached that was started last; empty: none ever was."""
        return (await self.store.kept(SERVER, "address", self.clock()) or b"").decode()

    async def who(self, cookies: Mapping[str, str], authorization: str = "") -> Who | None:
        """Whoever sends these cookies or this token; None where they are not good."""
        if authorization:
            return await self._by_token(authorization)
        token = cookies.get(await self.cookie())
        if not token:
            return None
        now, session_id = self.clock(), digest(token)
        raw = await self.store.kept(SESSIONS, session_id, now)
        if raw is None:
            return None
        session = msgspec.json.decode(raw, type=Session)
        if session.link is not None:
            link = await self._link(session.link, now)
            return link.who(session.link, session.csrf) if link else None
        came = session.came
        if session.account is not None:
            account = await self.accounts.find(session.account, now)
            if account is None or account.stamp != session.stamp:
                return None
            came = Link(name=account.name, owner=account.login, made=now)
        return came.who(session_id, session.csrf) if came else None

    async def _by_token(self, authorization: str) -> Who | None:
        if not authorization.lower().startswith(BEARER):
            return None
        link_id = digest(authorization[len(BEARER) :].strip())
        link = await self._link(link_id, self.clock())
        return link.who(link_id, via="api") if link and link.token else None

    async def leave(self, cookies: Mapping[str, str]) -> None:
        """The session ends."""
        await self.store.unkeep(SESSIONS, digest(cookies.get(await self.cookie(), "")))

    async def remove_account(self, login: str) -> None:
        """An account is gone, and with it every link and token that was given in its name; its events stay,
        and belong to whoever runs the server. Whoever has the same login later is somebody else."""
        await self.accounts.remove(login, self.clock())
        for link_id, link in (await self.all_links()).items():
            if link.owner == login:
                await self.revoke(link_id)
        for event, owner in (await self.owners()).items():
            if owner == login:
                await self.store.unkeep(OWNERS, event)

    async def owner(self, event: str) -> str | None:
        """The account an event belongs to; None: to whoever runs the server."""
        raw = await self.store.kept(OWNERS, event, self.clock())
        return raw.decode() if raw else None

    async def owners(self) -> dict[str, str]:
        """All events that belong to an account."""
        kept = await self.store.all_kept(OWNERS, self.clock())
        return {event: raw.decode() for event, raw in kept.items()}

    async def owned(self, event: str, owner: str | None) -> None:
        """An event that was made is this account's. Until then it is the host's alone."""
        if owner is not None:
            await self.store.keep(OWNERS, event, owner.encode())
        else:  # an event that had the same id may have been somebody's
            await self.store.unkeep(OWNERS, event)

    async def reaches(self, who: Who, event: str) -> bool:
        """Whether an event is one of theirs."""
        if who.event is not None:
            return who.event == event
        return who.owner is None or await self.owner(event) == who.owner

    async def secret(self, name: str) -> bytes:
        """A secret of this database, made when it is first needed."""
        return await self.store.keep_first(SECRETS, name, secrets.token_bytes(32))


def digest(key: str) -> str:
    return sha256(key.encode(errors="surrogatepass")).hexdigest()


def signature(secret: bytes, *what: str) -> str:
    """What only this database can have written under something."""
    mac = hmac.new(secret, "\0".join(what).encode(), "sha256").digest()
    return mac[:15].hex()
