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
from topcut.text.messages import join_messages, say


@click.group("link")
def command() -> None:
    """Make, list and revoke sign-in links for staff and tokens for programs."""


@command.command("new")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(GIVEN),
    default="scorekeeper",
    show_default=True,
    help="The role of the person.",
)
@click.option(
    "--right",
    "rights",
    multiple=True,
    type=click.Choice(list(RIGHTS)),
    help="Give exactly this right, instead of those of a role (repeatable).",
)
@click.option(
    "--days",
    type=click.IntRange(1, 366),
    default=7,
    show_default=True,
    metavar="N",
    help="For how many days the link or token works.",
)
@click.option("--token", is_flag=True, help="Make a token for a program, which sends it with each request.")
@click.option("--account", metavar="LOGIN", help="For all events of an account, instead of one event.")
@click.option("--all-events", is_flag=True, help="For all events in the database, also new ones.")
@click.option("--address", metavar="URL", help="The address of the server (default: its last one).")
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
    """Make a sign-in link for NAME to open in a browser. It is shown once. The server may be running."""
    wide = all_events or account is not None
    if wide == (target.event is not None):
        raise click.UsageError(say("expected --event ID, --account LOGIN or --all-events"))
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
        warn(
            say(
                "No server has used this database yet. The link is for {address}; --address changes that.",
                address=base,
            )
        )
    link = None if token else f"{base}/enter#{key}"
    if target.as_json:
        print_json({"name": name, "role": role, "token": token, "key": key, "link": link})
    else:
        print(link or f"Authorization: Bearer {key}")


@command.command("list")
@takes_event
def list_links(target: Target) -> None:
    """List the links and tokens of the database, or of one event."""
    links = _read_links(target)
    if target.as_json:
        print_json({"links": [{"id": link_id, "link": link} for link_id, link in links.items()]})
    elif links:
        rows = [
            [
                link_id[:12],
                link.name,
                join_messages(", ", [link.role, _describe_kind(link)]),
                link.event or link.owner or say("all events"),
                f"{link.until:%Y-%m-%d}" if link.until else say("no limit"),
            ]
            for link_id, link in links.items()
        ]
        print_table([say("id"), say("name"), say("role"), say("valid for"), say("until")], rows)
    else:
        print_line(say("no links"))


def _describe_kind(link: AccessLink) -> str:
    if link.token:
        return say("token")
    return say("used") if link.used else ""


@command.command("revoke")
@click.argument("link_id", metavar="ID")
@takes_event
def revoke(target: Target, link_id: str) -> None:
    """Revoke a link, and end its sessions. ID is its id, or the beginning of it."""
    found = [known for known in _read_links(target) if known.startswith(link_id)]
    if len(found) != 1:
        problem = say('expected the id of one link, as `topcut link list` shows it, not "{id}"', id=link_id)
        raise BadInput(problem)
    run_in_store(target, lambda store: Access(store).revoke(found[0]))
    if target.as_json:
        print_json({"revoked": found[0]})
    else:
        print_line(say("The link is revoked, and its sessions have ended."))


def _read_links(target: Target) -> dict[str, AccessLink]:
    """Return the links of the database, or of the event that was named."""
    links = run_in_store(target, lambda store: Access(store).all_links())
    return {link_id: link for link_id, link in links.items() if target.event in (None, link.event)}


@click.group("account")
def account_command() -> None:
    """Add, list and remove accounts, for a host of several organisers."""


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
    """Add the account LOGIN for NAME, which the log shows.

    Without --password-stdin, Topcut makes a password and shows it once.
    """
    password = _get_password(given)
    run_in_store(target, lambda store: Accounts(store).add(login, name, password, utc_now()), create=True)
    _print_account(
        target,
        login,
        None if given else password,
        say("{name} can sign in as {login}.", name=name, login=login),
    )


@account_command.command("list")
@takes_database
def list_accounts(target: Target) -> None:
    """List the accounts of the database."""
    found = run_in_store(target, lambda store: Accounts(store).all(utc_now()))
    if target.as_json:
        print_json({"accounts": [{"login": a.login, "name": a.name, "made": a.made} for a in found]})
    elif found:
        rows = [[a.login, a.name, f"{a.made:%Y-%m-%d}"] for a in found]
        print_table([say("login"), say("name"), say("created")], rows)
    else:
        print_line(say("no accounts"))


@account_command.command("password")
@click.argument("login")
@stdin_option
@takes_database
def password(target: Target, login: str, given: bool) -> None:
    """Set another password for LOGIN. Sessions with the old one end."""
    new = _get_password(given)
    run_in_store(target, lambda store: Accounts(store).change(login, new, utc_now()))
    _print_account(target, login, None if given else new, say("{login} has a new password.", login=login))


@account_command.command("remove")
@click.argument("login")
@takes_database
def remove(target: Target, login: str) -> None:
    """Remove the account LOGIN with its links and tokens. Its events stay."""
    run_in_store(target, lambda store: Access(store).remove_account(login))
    _print_account(target, login, None, say("The account {login} is removed.", login=login))


def _print_account(target: Target, login: str, password: str | None, says: str) -> None:
    if target.as_json:
        print_json({"login": login} | ({"password": password} if password else {}))
        return
    print_line(says)
    if password:
        print_line(say("password {password} (shown once)", password=password))
