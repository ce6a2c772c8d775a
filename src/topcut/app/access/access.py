"""Let people in by links, sessions and accounts, and programs by tokens.

The database holds only digests of keys and cookies: a person who reads it cannot come in with them.
A session belongs to a link or an account and ends with it; the rights of a link are looked up each time.
"""

import hmac
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from topcut.app.access.accounts import Accounts
from topcut.app.access.identity import Identity
from topcut.app.access.roles import ROLES, Role
from topcut.app.clock import utc_now
from topcut.event.rights import Right
from topcut.store.interface import Store

A_DAY = timedelta(days=1)
A_MONTH = 30 * A_DAY
A_YEAR = 365 * A_DAY
LINKS, SESSIONS, SECRETS, OWNERS, SERVER = "link", "session", "secret", "owner", "server"
ONCE = "link once"
"""Kind of value for unused links that open once; a used one moves to `LINKS`."""
BEARER = "bearer "


class AccessLink(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Describe a link or token."""

    name: str
    """The person or program that uses it, as the log names them."""
    role: Role = "organiser"
    rights: tuple[Right, ...] | None = None
    """Exactly these rights; None: the rights of the role."""
    event: str | None = None
    """The only event it opens; None: several, and new ones."""
    owner: str | None = None
    """The account whose events it opens; None: all of them."""
    once: bool = False
    """Whether only one browser can come in by it."""
    used: datetime | None = None
    """When that browser came in; its session ends when it leaves or the link is revoked."""
    token: bool = False
    """Whether a program sends the key with each request; other links open a session, in a browser."""
    made: datetime
    by: str = ""
    until: datetime | None = None

    @property
    def allows(self) -> frozenset[Right]:
        return ROLES[self.role] if self.rights is None else frozenset(self.rights)

    def make_identity(self, key: str, csrf: str = "", via: str = "desk") -> Identity:
        """Return the identity of a person or program that comes in by this link."""
        name, role, rights = self.name, self.role, self.allows
        return Identity(name, role, rights, event=self.event, owner=self.owner, key=key, csrf=csrf, via=via)


class Session(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Describe the session of a browser."""

    name: str
    event: str | None
    link: str | None
    """The link it belongs to."""
    csrf: str
    """The token that a page sends with every command, so that no other site can send one."""
    came: AccessLink | None = None
    """The link it came in by, in databases from before links that open once were kept when used."""
    account: str | None = None
    stamp: str = ""
    """The account's stamp at sign-in; a new password changes the stamp and so ends the session."""


class Access:
    """Manage the links, tokens and sessions of one database."""

    def __init__(self, store: Store, clock: Callable[[], datetime] = utc_now) -> None:
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
        """Make a link or token; return its key, which is not kept anywhere."""
        key, now = secrets.token_urlsafe(24), self.clock()
        link = AccessLink(name=name, role=role, rights=rights, event=event, owner=owner, made=now, by=by)
        link = replace(link, once=once, token=token, until=now + lasts if lasts else None)
        await self._put_link(ONCE if once else LINKS, digest(key), link)
        return key

    async def links(self, event: str | None, owner: str | None = None) -> dict[str, AccessLink]:
        """Return the links and tokens of an event by id; None: the links of an account to several events."""
        there = (await self.all_links()).items()
        same = {link_id: link for link_id, link in there if link.event == event and not link.once}
        return {link_id: link for link_id, link in same.items() if event is not None or link.owner == owner}

    async def all_links(self) -> dict[str, AccessLink]:
        """Return every link and token by id, except unused links that open once."""
        kept = await self.store.list_values(LINKS, self.clock())
        return {link_id: msgspec.json.decode(value, type=AccessLink) for link_id, value in kept.items()}

    async def revoke(self, link_id: str) -> None:
        """Revoke a link; the sessions it opened end with it."""
        await self.store.delete_value(LINKS, link_id)

    async def enter(self, key: str) -> tuple[str, Session] | None:
        """Open a session by a link's key; return cookie value and session, None if the key is not good."""
        link_id = digest(key)
        there = await self._link(link_id)
        link = there or await self._use_up(link_id)
        if link is None or (there is not None and (there.token or there.once)):
            return None
        session = Session(name=link.name, event=link.event, link=link_id, csrf=secrets.token_urlsafe(24))
        return await self._open(session, link.until)

    async def _use_up(self, link_id: str) -> AccessLink | None:
        """Use up a link that opens once and return it; of several requests at the same moment one gets it."""
        now = self.clock()
        if await self.store.get_value(ONCE, link_id, now) is None:  # most keys: avoid a write
            return None
        raw = await self.store.take_value(ONCE, link_id, now)
        if raw is None:
            return None
        link = replace(msgspec.json.decode(raw, type=AccessLink), used=now, until=now + A_MONTH)
        await self._put_link(LINKS, link_id, link)
        return link

    async def find_used_link(self, key: str) -> AccessLink | None:
        """Return the link of a key if it opened once and was used."""
        link = await self._link(digest(key))
        return link if link and link.used else None

    async def sign_in(self, login: str, password: str) -> tuple[str, Session] | None:
        """Open a session with an account; return None if login or password are not good."""
        account = await self.accounts.check(login, password, self.clock())
        if account is None:
            return None
        session = Session(name=account.name, event=None, link=None, csrf=secrets.token_urlsafe(24))
        return await self._open(replace(session, account=account.login, stamp=account.stamp), None)

    async def _open(self, session: Session, until: datetime | None) -> tuple[str, Session]:
        token, now, raw = secrets.token_urlsafe(32), self.clock(), msgspec.json.encode(session)
        await self.store.put_value(SESSIONS, digest(token), raw, until or now + A_MONTH, now)
        return token, session

    async def _link(self, link_id: str) -> AccessLink | None:
        raw = await self.store.get_value(LINKS, link_id, self.clock())
        return None if raw is None else msgspec.json.decode(raw, type=AccessLink)

    async def _put_link(self, space: str, link_id: str, link: AccessLink) -> None:
        await self.store.put_value(space, link_id, msgspec.json.encode(link), link.until, self.clock())

    async def cookie(self) -> str:
        """Return the name of the cookie. Each database has its own: browsers do not tell ports apart."""
        if not self._cookie:
            self._cookie = f"topcut-{sha256(await self.secret('cookie')).hexdigest()[:10]}"
        return self._cookie

    async def find_known_browser(self, login: str, cookies: Mapping[str, str]) -> str:
        """Return the number of a browser that has signed in with this login before; empty otherwise."""
        number, _, signed = cookies.get(f"{await self.cookie()}-browser", "").partition(".")
        return number if is_signed(signed, await self.secret("browsers"), login, number) else ""

    async def make_browser_cookie(self, login: str, number: str = "") -> tuple[str, str]:
        """Return name and value of the cookie by which a browser is known from now on."""
        number = number or secrets.token_hex(8)
        signed = signature(await self.secret("browsers"), login, number)
        return f"{await self.cookie()}-browser", f"{number}.{signed}"

    async def put_address(self, address: str) -> None:
        """Keep the address at which a server of this database is reached."""
        await self.store.put_value(SERVER, "address", address.encode())

    async def last_address(self) -> str:
        """Return the address of the server that was started last; empty if none ever was."""
        return (await self.store.get_value(SERVER, "address", self.clock()) or b"").decode()

    async def identify(self, cookies: Mapping[str, str], authorization: str = "") -> Identity | None:
        """Return the identity of the sender of these cookies or this token; None if they are not good."""
        if authorization:
            if not authorization.lower().startswith(BEARER):
                return None
            link_id = digest(authorization[len(BEARER) :].strip())
            link = await self._link(link_id)
            return link.make_identity(link_id, via="api") if link and link.token else None
        token = cookies.get(await self.cookie())
        if not token:
            return None
        now, session_id = self.clock(), digest(token)
        raw = await self.store.get_value(SESSIONS, session_id, now)
        if raw is None:
            return None
        session = msgspec.json.decode(raw, type=Session)
        if session.link is not None:
            link = await self._link(session.link)
            return link.make_identity(session.link, session.csrf) if link else None
        came = session.came
        if session.account is not None:
            account = await self.accounts.find(session.account, now)
            if account is None or account.stamp != session.stamp:
                return None
            came = AccessLink(name=account.name, owner=account.login, made=now)
        return came.make_identity(session_id, session.csrf) if came else None

    async def sign_out(self, cookies: Mapping[str, str]) -> None:
        await self.store.delete_value(SESSIONS, digest(cookies.get(await self.cookie(), "")))

    async def remove_account(self, login: str) -> None:
        """Remove an account and the links and tokens given in its name; its events go to the host.

        A later account with the same login does not get them back.
        """
        await self.accounts.remove(login, self.clock())
        for link_id, link in (await self.all_links()).items():
            if link.owner == login:
                await self.revoke(link_id)
        for event, owner in (await self.owners()).items():
            if owner == login:
                await self.store.delete_value(OWNERS, event)

    async def owner(self, event: str) -> str | None:
        """Return the login of the account that owns an event; None: the host owns it."""
        raw = await self.store.get_value(OWNERS, event, self.clock())
        return raw.decode() if raw else None

    async def owners(self) -> dict[str, str]:
        """Return the owner of each event that belongs to an account."""
        kept = await self.store.list_values(OWNERS, self.clock())
        return {event: raw.decode() for event, raw in kept.items()}

    async def give_event(self, event: str, owner: str | None) -> None:
        """Give a new event to an account; None: to the host, who owns it until this is called."""
        if owner is not None:
            await self.store.put_value(OWNERS, event, owner.encode())
        else:  # an earlier event with the same id may have had an owner
            await self.store.delete_value(OWNERS, event)

    async def reaches(self, who: Identity, event: str) -> bool:
        """Tell whether an identity reaches an event."""
        if who.event is not None:
            return who.event == event
        return who.owner is None or await self.owner(event) == who.owner

    async def secret(self, name: str) -> bytes:
        """Return a secret of this database, made when it is first needed."""
        return await self.store.put_value_once(SECRETS, name, secrets.token_bytes(32))


def digest(key: str) -> str:
    return sha256(key.encode(errors="surrogatepass")).hexdigest()


def signature(secret: bytes, *what: str) -> str:
    """Return a signature of some texts that only the holder of the secret can make."""
    return hmac.new(secret, "\0".join(what).encode(), "sha256").hexdigest()[:30]


def is_signed(signed: str, secret: bytes, *what: str) -> bool:
    """Tell whether a text is the signature of some texts, in a time that tells nothing of it."""
    return hmac.compare_digest(signed.encode(), signature(secret, *what).encode())
