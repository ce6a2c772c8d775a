"""`topcut account`: manage organisers who sign in with a password and reach their own events."""

import secrets
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click

from topcut.app.access.access import Access
from topcut.app.access.accounts import Accounts
from topcut.app.clock import utc_now
from topcut.cli.output import print_json, print_line, print_table
from topcut.cli.running_event import Target, run_in_store, takes_database

T = TypeVar("T")


@click.group("account")
def command() -> None:
    """Accounts, for a host of several organisers: add, list, password, remove."""


def _use_accounts(target: Target, work: Callable[[Accounts], Awaitable[T]], create: bool = False) -> T:
    return run_in_store(target, lambda store: work(Accounts(store)), create=create)


def _get_password(given: bool) -> str:
    """Return a password: the one on standard input, or a new one."""
    return sys.stdin.readline().rstrip("\r\n") if given else secrets.token_urlsafe(12)


stdin_option = click.option(
    "--password-stdin", "given", is_flag=True, help="Read the password from standard input."
)


@command.command("add")
@click.argument("login")
@click.argument("name")
@stdin_option
@takes_database
def add(target: Target, login: str, name: str, given: bool) -> None:
    """An account LOGIN for NAME, which the log shows. Without --password-stdin a password is made and shown
    once."""
    password = _get_password(given)
    _use_accounts(target, lambda accounts: accounts.add(login, name, password, utc_now()), create=True)
    _print_account(target, login, None if given else password, f"{name} can sign in as {login}")


@command.command("list")
@takes_database
def list_accounts(target: Target) -> None:
    """The accounts of the database."""
    found = _use_accounts(target, lambda accounts: accounts.all(utc_now()))
    if target.as_json:
        print_json({"accounts": [{"login": a.login, "name": a.name, "made": a.made} for a in found]})
    elif found:
        rows = [[a.login, a.name, f"{a.made:%Y-%m-%d}"] for a in found]
        print_table(["login", "name", "made"], rows)
    else:
        print("no accounts")


@command.command("password")
@click.argument("login")
@stdin_option
@takes_database
def password(target: Target, login: str, given: bool) -> None:
    """Another password for LOGIN; sessions that the old one opened end."""
    new = _get_password(given)
    _use_accounts(target, lambda accounts: accounts.change(login, new, utc_now()))
    _print_account(target, login, None if given else new, f"{login} has a new password")


@command.command("remove")
@click.argument("login")
@takes_database
def remove(target: Target, login: str) -> None:
    """Nobody signs in as LOGIN any more, nor by its links and tokens; its events stay, for the host."""
    run_in_store(target, lambda store: Access(store).remove_account(login))
    _print_account(target, login, None, f"{login} is gone")


def _print_account(target: Target, login: str, password: str | None, says: str) -> None:
    if target.as_json:
        print_json({"login": login} | ({"password": password} if password else {}))
        return
    print_line(says)
    if password:
        print(f"password {password} (shown once)")
