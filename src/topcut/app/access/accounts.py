"""Manage accounts, by which an organiser signs in with a password and reaches their own events.

Passwords are kept as argon2 hashes. Checking one is slow on purpose, so only a few are checked at a time, in
threads; an unknown login takes just as long.
"""

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
from topcut.store.interface import Store
from topcut.text.messages import say

ACCOUNTS = "account"
SHORTEST = 10
"""Letters of a password, at least."""
LONGEST = 200
AT_ONCE = 2
"""Passwords that are checked at once, at most."""
LOGIN = re.compile(r"[a-z0-9][a-z0-9._@-]{0,59}")
_HASHER = PasswordHasher()


class Account(Struct, frozen=True, kw_only=True):
    """Describe an account."""

    login: str
    name: str
    """The name in the log."""
    hash: str
    stamp: str
    """Changes with each password, which ends the sessions of the old one."""
    made: datetime


@cache
def _hash_of_nobody() -> str:
    return _HASHER.hash(secrets.token_urlsafe(12))


class Accounts:
    """Manage the accounts of one database."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._checking = asyncio.Semaphore(AT_ONCE)

    async def all(self, now: datetime) -> list[Account]:
        kept = await self.store.list_values(ACCOUNTS, now)
        return [msgspec.json.decode(raw, type=Account) for _, raw in sorted(kept.items())]

    async def find(self, login: str, now: datetime) -> Account | None:
        if not LOGIN.fullmatch(login):  # no account has it, and not every database takes it
            return None
        raw = await self.store.get_value(ACCOUNTS, login, now)
        return None if raw is None else msgspec.json.decode(raw, type=Account)

    async def add(self, login: str, name: str, password: str, now: datetime) -> Account:
        """Add an account; refuse a login that is taken."""
        if not LOGIN.fullmatch(login):
            expected = say("expected lower-case letters, digits, points and hyphens, such as corner-shop")
            raise BadInput(expected, place="login")
        account = await self._make_account(login, name, password, now)
        raw = msgspec.json.encode(account)
        if await self.store.put_value_once(ACCOUNTS, login, raw) != raw:
            problem = say('there is already an account "{login}": expected another one', login=login)
            raise BadInput(problem, place="login")
        return account

    async def change(self, login: str, password: str, now: datetime) -> None:
        """Change the password of an account, which ends its sessions."""
        account = await self.get(login, now)
        changed = await self._make_account(login, account.name, password, account.made)
        await self.store.put_value(ACCOUNTS, login, msgspec.json.encode(changed))

    async def remove(self, login: str, now: datetime) -> None:
        """Remove an account; `Access` revokes the links given in its name."""
        await self.get(login, now)
        await self.store.delete_value(ACCOUNTS, login)

    async def get(self, login: str, now: datetime) -> Account:
        account = await self.find(login, now)
        if account is None:
            raise BadInput(say('there is no account "{login}"', login=login[:60]), place="login")
        return account

    async def check(self, login: str, password: str, now: datetime) -> Account | None:
        """Return the account of a login if the password is right."""
        account = await self.find(login.strip().casefold(), now)
        async with self._checking:
            good = await asyncio.to_thread(_same, account, password[: LONGEST + 1])
        return account if good else None

    async def _make_account(self, login: str, name: str, password: str, made: datetime) -> Account:
        if not SHORTEST <= len(password) <= LONGEST:
            problem = say("expected {fewest} to {most} characters", fewest=SHORTEST, most=LONGEST)
            raise BadInput(problem, place="password")
        shown = " ".join(name.split())
        if not shown or len(shown) > 60 or not shown.isprintable():
            raise BadInput(say("expected a name of 1 to 60 characters"), place="name")
        hashed = await asyncio.to_thread(_HASHER.hash, password)
        return Account(login=login, name=shown, hash=hashed, stamp=secrets.token_hex(8), made=made)


def _same(account: Account | None, password: str) -> bool:
    """Tell whether a password is right; without an account it takes just as long."""
    try:
        _HASHER.verify(account.hash if account else _hash_of_nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return account is not None
