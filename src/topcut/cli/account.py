"""`topcut account`: organisers who sign in with a password and reach their own events."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import click

from topcut.cli.output import print_json, table, visible
from topcut.cli.running import Target, database_options, with_store
from topcut.store import Store

if TYPE_CHECKING:
    from topcut.desk.accounts import Accounts

T = TypeVar("T")


@click.group("account")
def command() -> None:
    """Accounts, for a host of several organisers: add, list, password, remove."""


def _with(target: Target, work: Callable[[Accounts], Awaitable[T]], create: bool = False) -> T:
    async def opened(store: Store) -> T:
        from topcut.desk.accounts import Accounts

        return await work(Accounts(store))

    return with_store(target, opened, create=create)


def _password(given: bool) -> tuple[str, bool]:
    """A password from standard input, or a new one; whether it is new."""
    if given:
        return sys.stdin.readline().rstrip("\r\n"), False
    return secrets.token_urlsafe(12), True


stdin_option = click.option(
    "--password-stdin", "given", is_flag=True, help="Read the password from standard input."
)


@command.command("add")
@click.argument("login")
@click.argument("name")
@stdin_option
@database_options
def add(target: Target, login: str, name: str, given: bool) -> None:
    """An account LOGIN for NAME, which the log shows. Without --password-stdin a password is made and shown
    once."""
    from topcut.desk.access import utc

    password, made = _password(given)
    _with(target, lambda accounts: accounts.add(login, name, password, utc()), create=True)
    _say(target, login, password if made else None, f"{name} can sign in as {login}")


@command.command("list")
@database_options
def list_accounts(target: Target) -> None:
    """The accounts of the database."""
    from topcut.desk.access import utc

    found = _with(target, lambda accounts: accounts.all(utc()))
    if target.as_json:
        print_json({"accounts": [{"login": a.login, "name": a.name, "made": a.made} for a in found]})
    elif found:
        print(
            table(
                ["login", "name", "made"], [[a.login, visible(a.name), f"{a.made:%Y-%m-%d}"] for a in found]
            )
        )
    else:
        print("no accounts")


@command.command("password")
@click.argument("login")
@stdin_option
@database_options
def password(target: Target, login: str, given: bool) -> None:
    """Another password for LOGIN; whoever came in with the old one is out."""
    from topcut.desk.access import utc

    new, made = _password(given)
    _with(target, lambda accounts: accounts.change(login, new, utc()))
    _say(target, login, new if made else None, f"{login} has a new password")


@command.command("remove")
@click.argument("login")
@database_options
def remove(target: Target, login: str) -> None:
    """Nobody signs in as LOGIN any more, nor by its links and tokens; its events stay, for the host."""

    async def gone(store: Store) -> None:
        from topcut.desk.access import Access

        await Access(store).remove_account(login)

    with_store(target, gone)
    _say(target, login, None, f"{login} is gone")


def _say(target: Target, login: str, password: str | None, says: str) -> None:
    if target.as_json:
        print_json({"login": login} | ({"password": password} if password else {}))
        return
    print(visible(says))
    if password:
        print(f"password {password} (shown once)")
