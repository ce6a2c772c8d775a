"""What all commands on a running event share: which database, which event, who asks, and how answers look."""

from __future__ import annotations

import asyncio
import getpass
import re
import secrets
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from topcut.cli.options import database_option, event_option
from topcut.cli.output import json_option, one_line, print_json, table, visible, warn
from topcut.errors import BadInput
from topcut.event.applying import Misfit
from topcut.event.commands import AnyCommand
from topcut.event.deciding import Context
from topcut.event.log import BrokenChain
from topcut.event.names import with_names
from topcut.event.refusals import NeedsAnswer
from topcut.event.state import RoundOf, State
from topcut.event.tell import Told, told
from topcut.event.words import result_words
from topcut.exchange.files import file_bytes, shown_path
from topcut.exchange.log_file import LogFile
from topcut.store import Store, open_store
from topcut.store.ids import free_id, plain_id
from topcut.store.running import About, Running

T = TypeVar("T")
Function = Callable[..., Any]
SHOWN = 8


@dataclass(frozen=True)
class Target:
    """Where a command goes, and how its answer is printed."""

    database: str
    event: str | None
    by: str
    as_json: bool

    @property
    def shown(self) -> str:
        """The database as it may be shown: without a password."""
        scheme, colon, rest = self.database.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2]}" if colon else self.database


def on_event(command: Function) -> Function:
    """The options of every command that works on a running event; they come to it as `target`."""

    @event_option
    @database_options
    @wraps(command)
    def with_target(event: str | None, target: Target, **options: Any) -> Any:
        return command(target=Target(target.database, event, target.by, target.as_json), **options)

    return with_target


def database_options(command: Function) -> Function:
    """The same without an event."""

    @database_option
    @click.option("--by", envvar="TOPCUT_BY", metavar="NAME", help="Who does this (default: your login).")
    @json_option
    @wraps(command)
    def with_target(database: str, by: str | None, as_json: bool, **options: Any) -> Any:
        return command(target=Target(database, None, by or login(), as_json), **options)

    return with_target


then_option = click.option(
    "--then",
    type=click.Choice(["leave", "fewest", "again"]),
    help="What becomes of a posted round: leave it, change the fewest tables, pair it again.",
)
reason_option = click.option("--reason", default="", metavar="TEXT", help="Why; the log shows it.")
override_option = click.option("--override", is_flag=True, help="Although it is too late; takes a reason.")


def login() -> str:
    """Who is at this machine."""
    try:
        return getpass.getuser()
    except (ImportError, OSError, KeyError):  # a user without a name; Windows has no list of users
        return "somebody"


def context(target: Target) -> Context:
    return Context(at=datetime.now(UTC), by=target.by, entropy=secrets.token_hex(32), via="command line")


def with_store(target: Target, work: Callable[[Store], Awaitable[T]], create: bool = False) -> T:
    """Open the database, do something in it, and close it."""
    if not create and "://" not in target.database and not Path(target.database).exists():
        raise BadInput("there is no such database: `topcut new` makes one", file=target.shown)

    async def opened() -> T:
        store = await open_store(target.database)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(opened())
    except KeyboardInterrupt:
        raise KeyboardInterrupt("interrupted; `topcut log --last 3` says what was still written") from None


async def free_or_given(store: Store, given: str | None, name: str) -> str:
    """What a new event is called in commands: as somebody says, or after its name."""
    if given is None:
        event = await free_id(store, name)
        if event != (base := plain_id(name)):
            warn(f"there is an event {base} already; this one is {event}")
        return event
    if not re.fullmatch(r"[\w.-]{1,80}", given):
        raise BadInput("expected letters, digits, points and hyphens", place="--id")
    return given


async def chosen(store: Store, target: Target) -> Running:
    """The event that is meant, opened."""
    return await Running.open(store, await _meant(store, target))


async def _meant(store: Store, target: Target) -> str:
    """Which event is meant: the one that is named, or the only one there is."""
    if target.event is not None:
        return target.event
    events = await store.events()
    if len(events) == 1:
        return events[0].event
    if not events:
        raise BadInput("there is no event in it: `topcut new` makes one", file=target.shown)
    names = ", ".join(listed.event for listed in events[:SHOWN])
    more = f" and {len(events) - SHOWN} more" if len(events) > SHOWN else ""
    raise BadInput(
        f"{len(events)} events are in it: choose one with --event ({names}{more})", file=target.shown
    )


@dataclass(frozen=True)
class Done:
    """What came of commands."""

    running: Running
    told: list[Told]
    """Their facts in sentences."""
    says: list[str]
    warnings: list[str]

    @property
    def state(self) -> State:
        return self.running.state


def act(target: Target, commands: Callable[[State], AnyCommand | Sequence[AnyCommand]]) -> Done:
    """Decide commands on the event that is meant, and write all of them down, or none."""

    async def work(store: Store) -> Done:
        running = await chosen(store, target)
        asked = commands(running.state)
        try:
            decisions = await running.do_all(
                asked if isinstance(asked, Sequence) else [asked], context(target)
            )
        except NeedsAnswer as needs:
            if target.as_json:
                print_json(
                    {"needs_answer": {"round": needs.round, "answers": list(map(asdict, needs.answers))}}
                )
            raise click.UsageError(f"{needs}; say which with --then") from None
        says = [line for decision in decisions for line in decision.says]
        warnings = [line for decision in decisions for line in decision.warnings]
        own = sum(len(decision.facts) for decision in decisions)
        return Done(running, list(told(running.journal))[-own:], says, warnings)

    return with_store(target, work)


def look(target: Target, at: int | None = None) -> Running:
    """The event that is meant, to be looked at; as it was after a fact, if one is given."""

    async def work(store: Store) -> Running:
        running = await chosen(store, target)
        if at is None:
            return running
        return Running(store, running.event, running.journal.at(at))

    return with_store(target, work)


def logged(target: Target) -> LogFile:
    """The log of the event that is meant, its chain whole or not."""

    async def work(store: Store) -> LogFile:
        event = await _meant(store, target)
        try:
            journal = (await Running.open(store, event)).journal
        except (BrokenChain, Misfit):
            return LogFile(event, await store.read(event), await store.private(event))
        return LogFile(event, journal.lines, journal.private)

    return with_store(target, work)


def finish(target: Target, done: Done, **more: Any) -> None:
    """Print what commands did, which is done even where nobody can be told."""
    try:
        _finish(target, done, more)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror} (what was asked for is done)") from None


def _finish(target: Target, done: Done, more: dict[str, Any]) -> None:
    if target.as_json:
        answer = {
            "event": done.running.event,
            "version": done.running.journal.version,
            "facts": [{"position": line.position, "says": line.says} for line in done.told],
            "says": done.says,
            "warnings": done.warnings,
        }
        print_json(answer | more)
    else:
        told = [line.says for line in done.told]
        for line in (*told, *(says for says in done.says if not any(says in fact for fact in told))):
            print(visible(line))
    for warning in done.warnings:
        warn(warning)


def round_document(state: State, a_round: RoundOf) -> dict[str, Any]:
    """A round for programs."""
    from topcut.event.preview import preview

    return {
        "round": a_round.number,
        "stage": a_round.stage,
        "phase": a_round.phase,
        "seed": a_round.seed,
        "attempt": a_round.attempt,
        "tables": [msgspec.to_builtins(with_names(state, t)) for t in a_round.tables],
        "missing": [table.table for table in a_round.missing],
        "changed": sorted(a_round.changed, key=str),
        "confirmed": sorted(a_round.confirmed),
        "preview": [msgspec.to_builtins(n) for n in preview(state)] if a_round is state.upcoming else [],
    }


def print_round(state: State, a_round: RoundOf, missing: bool = False) -> None:
    """A round for people: what to look at first, then its tables."""
    from topcut.event.preview import preview

    if a_round is state.upcoming:
        for notable in preview(state):
            where = f"table {notable.table}: " if notable.table is not None else ""
            print(visible(f"! {notable.kind}: {where}{notable.says}"))
    rows = []
    for seated in a_round.missing if missing else a_round.tables:
        who = " - ".join(map(state.name_of, seated.players))
        alone = len(seated.players) == 1
        result = result_words(seated, state.name_of) if seated.reported and not alone else ""
        mark = "new" if (seated.table or seated.players[0]) in a_round.changed else ""
        if seated.table in a_round.confirmed:
            result += " (confirmed)"
        rows.append([str(seated.table or ("loss" if seated.loss else "bye")), who, result or mark])
    print(table(["table", "players", "result"], rows, right=[0]))


def about(raw: bytes) -> About:
    """What a list says of an event."""
    return msgspec.json.decode(raw, type=About)


def lines_of(path: str) -> list[tuple[int, str]]:
    """The lines of a file that are not empty, with their numbers; `-` is standard input."""
    try:
        text = file_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("expected text in UTF-8", file=shown_path(path)) from None
    numbered = enumerate(map(one_line, text.splitlines()), start=1)
    return [(number, line) for number, line in numbered if line]
