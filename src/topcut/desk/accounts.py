"""Accounts, where a host wants them: an organiser signs in with a password and reaches their own events.

Passwords are kept as argon2 hashes. To check one takes a while on purpose, so a few at a time are checked, in
threads; a login that nobody has takes just as long.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from datetime import datetime
from functools import cache

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct

from topcut.errors import BadInput
from topcut.store.model import Store

ACCOUNTS = "account"
SHORTEST = 10
"""Letters of a password, at least."""
LONGEST = 200
AT_ONCE = 2
"""Passwords that are checked at once."""
LOGIN = re.compile(r"[a-z0-9][a-z0-9._@-]{0,59}")


class Account(Struct, frozen=True, kw_only=True):
    """Somebody who signs in."""

    login: str
    name: str
    """What the log says."""
    hash: str
    stamp: str
    """Another one with each password: sessions of the old one are out."""
    made: datetime


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobodys() -> str:
    return _hasher().hash(secrets.token_urlsafe(12))


class Accounts:
    """The accounts of one database."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._checking = asyncio.Semaphore(AT_ONCE)

    async def all(self, now: datetime) -> list[Account]:
        kept = await self.store.all_kept(ACCOUNTS, now)
        return [msgspec.json.decode(raw, type=Account) for _, raw in sorted(kept.items())]

    async def find(self, login: str, now: datetime) -> Account | None:
        if not LOGIN.fullmatch(login):  # no account has it, and not every database takes it
            return None
        raw = await self.store.kept(ACCOUNTS, login, now)
        return None if raw is None else msgspec.json.decode(raw, type=Account)

    async def add(self, login: str, name: str, password: str, now: datetime) -> Account:
        """A new account; a login that is taken is refused."""
        if not LOGIN.fullmatch(login):
            raise BadInput(
                "expected small letters, digits, points and hyphens, such as corner-shop", place="login"
            )
        account = await self._made(login, name, password, now)
        raw = msgspec.json.encode(account)
        if await self.store.keep_first(ACCOUNTS, login, raw) != raw:
            raise BadInput(f'there is an account "{login}" already: expected another one', place="login")
        return account

    async def change(self, login: str, password: str, now: datetime) -> None:
        """Another password; whoever came in with the old one is out."""
        account = await self.known(login, now)
        changed = await self._made(login, account.name, password, account.made)
        await self.store.keep(ACCOUNTS, login, msgspec.json.encode(changed))

    async def remove(self, login: str, now: datetime) -> None:
        """Nobody signs in with it any more; what was given in its name is for `Access` to end."""
        await self.known(login, now)
        await self.store.unkeep(ACCOUNTS, login)

    async def known(self, login: str, now: datetime) -> Account:
        account = await self.find(login, now)
        if account is None:
            raise BadInput(f'there is no account "{login[:60]}"', place="login")
        return account

    async def check(self, login: str, password: str, now: datetime) -> Account | None:
        """The account, if the password is its own."""
        account = await self.find(login.strip().casefold(), now)
        async with self._checking:
            good = await asyncio.to_thread(_same, account, password[: LONGEST + 1])
        return account if good else None

    async def _made(self, login: str, name: str, password: str, made: datetime) -> Account:
        if not SHORTEST <= len(password) <= LONGEST:
            raise BadInput(f"expected {SHORTEST} to {LONGEST} letters", place="password")
        shown = " ".join(name.split())
        if not shown or len(shown) > 60 or not shown.isprintable():
            raise BadInput("expected a name of 1 to 60 letters", place="name")
        hashed = await asyncio.to_thread(_hasher().hash, password)
        return Account(login=login, name=shown, hash=hashed, stamp=secrets.token_hex(8), made=made)


def _same(account: Account | None, password: str) -> bool:
    """Whether a password is an account's; for nobody's account it takes just as long."""
    try:
        _hasher().verify(account.hash if account else _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return account is not None
