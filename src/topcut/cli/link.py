"""`topcut link` and `topcut account`: links for staff, tokens for programs, and organisers who sign in."""

import secrets
import sys
from datetime import timedelta

import click

from topcut.app.access.access import Access, AccessLink
from topcut.app.access.accounts import Accounts
from topcut.app.access.roles import GIVEN, Role
from topcut.app.access.staff_links import choose_link_name
from topcut.app.clock import utc_now
from topcut.cli.output import print_json, print_line, print_table, warn
from topcut.cli.running_event import Target, run_in_store, takes_database, takes_event
from topcut.cli.serve import PORT, check_address
from topcut.errors import BadInput
from topcut.event.rights import RIGHTS, Right
from topcut.store import Store
from topcut.store.session import EventSession


@click.group("link")
def command() -> None:
    """Links for staff and tokens for programs: make, list, revoke."""


@command.command("new")
@click.argument("name")
@click.option("--role", type=click.Choice(GIVEN), default="scorekeeper", show_default=True)
@click.option("--right", "rights", multiple=True, type=click.Choice(list(RIGHTS)), help="Exactly these.")
@click.option("--days", type=click.IntRange(1, 366), default=7, show_default=True)
@click.option("--token", is_flag=True, help="For a program, which sends it with each request.")
@click.option("--account", metavar="LOGIN", help="For all events of an account, instead of one event.")
@click.option("--all-events", is_flag=True, help="For every event of the database, and new ones.")
@click.option("--address", metavar="URL", help="Where the server is reached (default: where it was last).")
@takes_event
def new(
    target: Target,
    name: str,
    role: Role,
    rights: tuple[Right, ...],
    days: int,
    token: bool,
    account: str | None,
    all_events: bool,
    address: str | None,
) -> None:
    """A way in for NAME, who opens it in a browser; it is shown once. The server may be running meanwhile."""
    wide = all_events or account is not None
    if wide == (target.event is not None):
        raise click.UsageError("expected --event ID, --account LOGIN or --all-events")
    given = check_address(address)

    async def make(store: Store) -> tuple[str, str]:
        access = Access(store)
        if account is not None:
            await access.accounts.get(account, utc_now())
        log = (await EventSession.open(store, target.event)).log if target.event else None
        players = log.player_ids() if log else ()
        key = await access.make_link(
            await choose_link_name(access, target.event, account, name, players),
            target.event,
            role=role,
            rights=rights or None,
            owner=account,
            token=token,
            by=target.by,
            lasts=timedelta(days=days),
        )
        return key, given or await access.last_address()

    key, base = run_in_store(target, make)
    if not base and not token:
        base = f"http://127.0.0.1:{PORT}"
        warn(f"no server was started on this database yet; the link is for {base} (--address: for another)")
    link = None if token else f"{base}/enter#{key}"
    if target.as_json:
        print_json({"name": name, "role": role, "token": token, "key": key, "link": link})
    else:
        print(link or f"Authorization: Bearer {key}")


@command.command("list")
@takes_event
def list_links(target: Target) -> None:
    """The links and tokens of the database, or of one event."""
    links = _read_links(target)
    if target.as_json:
        print_json({"links": [{"id": link_id, "link": link} for link_id, link in links.items()]})
    elif links:
        rows = [
            [
                link_id[:12],
                link.name,
                link.role + (", token" if link.token else ", used once" if link.used else ""),
                link.event or link.owner or "all",
                f"{link.until:%Y-%m-%d}" if link.until else "for good",
            ]
            for link_id, link in links.items()
        ]
        print_table(["id", "name", "role", "opens", "until"], rows)
    else:
        print("no links")


@command.command("revoke")
@click.argument("link_id", metavar="ID")
@takes_event
def revoke(target: Target, link_id: str) -> None:
    """A link is good no more, nor are the sessions it opened. ID is the beginning of its id."""
    found = [known for known in _read_links(target) if known.startswith(link_id)]
    if len(found) != 1:
        raise BadInput(f"expected the id of one link, as `topcut link list` shows it, not {link_id!r}")
    run_in_store(target, lambda store: Access(store).revoke(found[0]))
    print_json({"revoked": found[0]}) if target.as_json else print("the link is good no more")


def _read_links(target: Target) -> dict[str, AccessLink]:
    """Return the links of the database, or of the event that was named."""
    links = run_in_store(target, lambda store: Access(store).all_links())
    return {link_id: link for link_id, link in links.items() if target.event in (None, link.event)}


@click.group("account")
def account_command() -> None:
    """Accounts, for a host of several organisers: add, list, password, remove."""


def _get_password(given: bool) -> str:
    """Return a password: the one on standard input, or a new one."""
    return sys.stdin.readline().rstrip("\r\n") if given else secrets.token_urlsafe(12)


stdin_option = click.option(
    "--password-stdin", "given", is_flag=True, help="Read the password from standard input."
)


@account_command.command("add")
@click.argument("login")
@click.argument("name")
@stdin_option
@takes_database
def add(target: Target, login: str, name: str, given: bool) -> None:
    """An account LOGIN for NAME, which the log shows. Without --password-stdin a password is made and shown
    once."""
    password = _get_password(given)
    run_in_store(target, lambda store: Accounts(store).add(login, name, password, utc_now()), create=True)
    _print_account(target, login, None if given else password, f"{name} can sign in as {login}")


@account_command.command("list")
@takes_database
def list_accounts(target: Target) -> None:
    """The accounts of the database."""
    found = run_in_store(target, lambda store: Accounts(store).all(utc_now()))
    if target.as_json:
        print_json({"accounts": [{"login": a.login, "name": a.name, "made": a.made} for a in found]})
    elif found:
        rows = [[a.login, a.name, f"{a.made:%Y-%m-%d}"] for a in found]
        print_table(["login", "name", "made"], rows)
    else:
        print("no accounts")


@account_command.command("password")
@click.argument("login")
@stdin_option
@takes_database
def password(target: Target, login: str, given: bool) -> None:
    """Another password for LOGIN; sessions that the old one opened end."""
    new = _get_password(given)
    run_in_store(target, lambda store: Accounts(store).change(login, new, utc_now()))
    _print_account(target, login, None if given else new, f"{login} has a new password")


@account_command.command("remove")
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
