"""Run commands on an event in a database, and print what they did."""

import asyncio
import getpass
import re
import secrets
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from topcut.cli.options import database_option, event_option
from topcut.cli.output import json_option, print_json, print_line, warn
from topcut.errors import BadInput
from topcut.event.apply.context import UnfitFact
from topcut.event.commands import AnyCommand
from topcut.event.decide.context import Context, Decision
from topcut.event.describe.log_sentences import describe_log
from topcut.event.log_chain import BrokenChain
from topcut.event.lookup import find_player
from topcut.event.refusals import AlreadyReported, NeedsAnswer, RecordClosed, TooLateToRestore
from topcut.event.state import State
from topcut.formats.log_file import LogFile
from topcut.store import Store, hide_credentials, open_store
from topcut.store.queue import Request
from topcut.store.session import EventSession, find_free_id, make_event_id
from topcut.text.messages import count, list_first, say
from topcut.text.os_errors import describe_os_error

T = TypeVar("T")
Function = Callable[..., Any]
SHOWN = 8
"""Events that an error names, at most."""


@dataclass(frozen=True)
class Target:
    """The database and event of a command, who gives it, and how its output is printed."""

    database: str
    event: str | None
    by: str
    as_json: bool

    @property
    def shown(self) -> str:
        """The database without a password."""
        return hide_credentials(self.database) if "://" in self.database else self.database


def takes_database(command: Function) -> Function:
    """Add the options of every command on a database; they are passed as `target`, without an event."""

    @database_option
    @click.option(
        "--by", envvar="TOPCUT_BY", metavar="NAME", help="Your name in the log (default: your login)."
    )
    @json_option
    @wraps(command)
    def with_target(database: str, by: str | None, as_json: bool, **options: Any) -> Any:
        return command(target=Target(database, None, by or get_login(), as_json), **options)

    return with_target


def takes_event(command: Function) -> Function:
    """Add the options of every command on a running event; they are passed as `target`."""

    @event_option
    @takes_database
    @wraps(command)
    def with_target(event: str | None, target: Target, **options: Any) -> Any:
        return command(target=replace(target, event=event), **options)

    return with_target


def executes(make_commands: Function) -> Function:
    """Turn a function into a command that executes what it makes of the event's state and the options."""

    @takes_event
    @wraps(make_commands)
    def make_and_execute(target: Target, **options: Any) -> None:
        run_command(target, lambda state: make_commands(state, **options))

    return make_and_execute


def build_command(
    name: str, make: Callable[..., AnyCommand], *options: Callable[[Function], Function], **attributes: Any
) -> click.Command:
    """Return a command that makes `make` of its options, whose names are its fields; a player is found.

    `attributes`: of the command, such as `help`.
    """

    @executes
    def make_command(state: State, **fields: Any) -> AnyCommand:
        if "player" in fields:
            fields["player"] = find_player(state, fields["player"])
        return make(**fields)

    for option in reversed(options):
        make_command = option(make_command)
    return click.command(name, None, **attributes)(make_command)


then_option = click.option(
    "--then",
    type=click.Choice(["leave", "fewest", "again"]),
    help="How to update a published round: keep the pairings (leave), re-pair as few tables as possible "
    "(fewest), or re-pair the whole round (again).",
)
reason_option = click.option("--reason", default="", metavar="TEXT", help="Why; shown in the log.")
override_option = click.option(
    "--override", is_flag=True, help="Do it although it is too late; needs --reason."
)


def get_login() -> str:
    """Return the name of the user of this machine."""
    try:
        return getpass.getuser()
    except (ImportError, OSError, KeyError):  # a user without a name; Windows has no list of users
        return "unknown"


def make_context(by: str) -> Context:
    return Context(at=datetime.now(UTC), by=by, entropy=secrets.token_hex(32), via="command line")


def run_in_store(target: Target, work: Callable[[Store], Awaitable[T]], create: bool = False) -> T:
    """Open the database, do the work, and close it; `create`: the database may be missing."""
    if not create and "://" not in target.database and not Path(target.database).exists():
        raise BadInput(say("there is no such database; `topcut new` creates one"), file=target.shown)

    async def work_in_store() -> T:
        store = await open_store(target.database)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(work_in_store())
    except KeyboardInterrupt:
        raise KeyboardInterrupt(say("interrupted; `topcut log --last 3` shows what was saved")) from None


async def choose_event_id(store: Store, given: str | None, name: str) -> str:
    """Return the id of a new event: the one that was given, or one made of its name."""
    if given is None:
        event = await find_free_id(store, name)
        if event != (base := make_event_id(name)):
            warn(
                say(
                    "The id {taken} is already in use. The id of this event is {event}.",
                    taken=base,
                    event=event,
                )
            )
        return event
    if not re.fullmatch(r"[\w.-]{1,80}", given):
        raise BadInput(say("expected up to 80 letters, digits, dots, hyphens and underscores"), place="--id")
    return given


async def _choose_event(store: Store, target: Target) -> str:
    """Return the id of the event that was named, or of the only one in the database."""
    if target.event is not None:
        return target.event
    events = [stored.event for stored in await store.list_events()]
    if len(events) == 1:
        return events[0]
    if not events:
        raise BadInput(say("there is no event in it; `topcut new` creates one"), file=target.shown)
    problem = count(
        "there is {n} event in it: choose it with --event ({events})",
        "there are {n} events in it: choose one with --event ({events})",
        len(events),
        events=list_first(events, SHOWN),
    )
    raise BadInput(problem, file=target.shown)


def read_event(target: Target, at: int | None = None) -> EventSession:
    """Return the event as it is, or as it was after fact `at`."""

    async def work(store: Store) -> EventSession:
        running = await EventSession.open(store, await _choose_event(store, target))
        return running if at is None else EventSession(store, running.event, running.log.up_to(at))

    return run_in_store(target, work)


def read_log(target: Target) -> LogFile:
    """Return the log of the event, whether its chain is whole or broken."""

    async def work(store: Store) -> LogFile:
        event = await _choose_event(store, target)
        try:
            log = (await EventSession.open(store, event)).log
        except (BrokenChain, UnfitFact):
            return LogFile(event, await store.read(event), await store.read_private(event))
        return LogFile(event, log.lines, log.private)

    return run_in_store(target, work)


@dataclass(frozen=True)
class Executed:
    """What commands did."""

    running: EventSession
    decisions: list[Decision]

    @property
    def state(self) -> State:
        return self.running.state


MakeCommands = Callable[[State], AnyCommand | Sequence[AnyCommand]]
"""Returns the commands to execute on an event as it is."""


def run_command(target: Target, make_commands: MakeCommands) -> None:
    """Execute commands, and print what they did."""
    print_executed(target, execute(target, make_commands))


def execute(
    target: Target, make_commands: MakeCommands, tried: Callable[[AnyCommand], None] = lambda _: None
) -> Executed:
    """Decide commands on the event, and write all of them down, or none.

    `tried` is told each command before it is decided.
    """

    async def work(store: Store) -> Executed:
        running = await EventSession.open(store, await _choose_event(store, target))
        made = make_commands(running.state)
        commands = made if isinstance(made, Sequence) else [made]
        try:
            request = Request(
                commands, make_context(target.by), check_right=lambda command, _: tried(command)
            )
            decisions = await running.execute(request)
        except (AlreadyReported, RecordClosed, TooLateToRestore) as late:
            if isinstance(late, AlreadyReported) or any(hasattr(one, "override") for one in commands):
                raise late.ask_for_options() from None
            raise
        except NeedsAnswer as needs:
            if target.as_json:
                print_json({"needs_answer": {"round": needs.round, "answers": needs.answers}})
            raise click.UsageError(say("{problem} Choose with --then.", problem=needs.message)) from None
        return Executed(running, decisions)

    return run_in_store(target, work)


def print_executed(target: Target, done: Executed, **more: Any) -> None:
    """Print what commands did; `more` are further fields for programs.

    If that fails, the error says that the commands are executed all the same.
    """
    log, decisions = done.running.log, done.decisions
    facts = list(describe_log(log))[-sum(len(decision.facts) for decision in decisions) :]
    says = [line for decision in decisions for line in decision.says]
    warnings = [line for decision in decisions for line in decision.warnings]
    try:
        if target.as_json:
            positions = [{"position": line.position, "says": line.says} for line in facts]
            document = {"event": done.running.event, "version": log.version, "facts": positions}
            print_json(document | {"says": says, "warnings": warnings} | more)
        else:
            lines = [line.says for line in facts]
            for line in (*lines, *(line for line in says if not any(line in fact for fact in lines))):
                print_line(line)
        for warning in warnings:
            warn(warning)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        problem = say("{reason} (the command itself was carried out)", reason=describe_os_error(error))
        raise OSError(error.errno, problem) from None
