"""`topcut event`: list running events, and change one as a whole."""

from datetime import UTC, datetime
from typing import Any, Literal

import click
import msgspec

from topcut.app.retention import purge_due
from topcut.cli.new import parse_options
from topcut.cli.output import print_json, print_line, print_table
from topcut.cli.running_event import (
    Target,
    execute,
    executes,
    print_executed,
    read_event,
    reason_option,
    run_command,
    run_in_store,
    takes_database,
    takes_event,
)
from topcut.event import commands as c
from topcut.event.correction_window import describe_deadline
from topcut.event.describe.results import describe_place
from topcut.event.draw import Step, find_next_steps
from topcut.event.state import State
from topcut.store.session import EventSummary
from topcut.text.phrases import plural


@click.group("event")
def command() -> None:
    """Running events: list, show, options, announcement, lots, tables, finish, reopen, purge."""


@command.command("list")
@takes_database
def list_events(target: Target) -> None:
    """The events in the database, the one used last first."""
    documents: list[dict[str, Any]] = []
    rows = []
    for stored in run_in_store(target, lambda store: store.list_events()):
        about = msgspec.json.decode(stored.about, type=EventSummary)
        documents.append({"event": stored.event, "version": stored.version} | msgspec.to_builtins(about))
        rows.append([stored.event, about.name, about.rules, str(about.players), _describe_progress(about)])
    if target.as_json:
        print_json({"events": documents})
    elif rows:
        print_table(["event", "name", "rules", "players", "state"], rows, right=[3])
    else:
        print("no events yet: `topcut new NAME --rules ID` makes one")


def _describe_progress(about: EventSummary) -> str:
    """Return how far an event is; if it is finished, also until when its names are kept."""
    if not about.finished:
        return f"round {about.round} {about.phase}" if about.round else "not begun"
    if about.purged:
        return "finished, names deleted"
    if about.due is None:
        return "finished"
    over = about.due <= datetime.now(UTC)
    return "finished, names are due" if over else f"finished, names until {about.due:%Y-%m-%d}"


@command.command("show")
@takes_event
def show(target: Target) -> None:
    """Where an event stands, and what comes next."""
    running = read_event(target)
    state = running.state
    a_round = state.round
    active = sum(1 for _ in state.active())
    options = msgspec.to_builtins(state.options)
    announced = list(state.announced.says) if state.announced else None
    steps = find_next_steps(state)
    if target.as_json:
        document = {
            "event": running.event,
            "name": state.name,
            "rules": state.book.id,
            "version": running.log.version,
            "players": len(state.players),
            "active": active,
            "round": a_round.number if a_round else None,
            "phase": a_round.phase if a_round else None,
            "missing": [t.table for t in a_round.missing] if a_round else [],
            "commitment": state.commitment,
            "announced": announced,
            "overrides": state.overrides,
            "finished": state.finished is not None,
            "options": options,
            "next": [COMMANDS[step] for step in steps],
        }
        print_json(document)
        return
    print_line(f"{state.name} ({state.book.title}): {len(state.players)} players, {active} in the event")
    if options:
        print(f"options: {', '.join(f'{key}={value}' for key, value in options.items())}")
    for says in announced or ():
        print_line(f"announced: {says}")
    for override in state.overrides:
        where = describe_place(override.round, override.table, state.name_of)
        print_line(f"corrected after the record was closed: {where} ({override.reason}, {override.by})")
    if a_round is not None:
        missing = f"; not reported yet: {plural(len(a_round.missing), 'table')}" if a_round.missing else ""
        print(f"round {a_round.number} is {a_round.phase}{missing}")
        if not state.finished and (until := describe_deadline(state, a_round.number)):
            print(f"its record can be corrected until {until}")
    print(f"every draw comes from a secret with the SHA-256 {state.commitment}")
    described = [SAID.get(step, f"`{COMMANDS[step]}`") for step in steps]
    print(f"next: {', or '.join(described) or OVER}")


COMMANDS: dict[Step, str] = {
    "pair": "topcut round pair",
    "publish": "topcut round publish",
    "start": "topcut round start",
    "report": "topcut round show --missing",
    "end": "topcut round end",
    "finish": "topcut event finish",
    "add": "topcut add NAME",
    "drop": "topcut drop PLAYER",
    "check in": "topcut player check-in",
}
"""The command for each next step; it succeeds as it is written."""
SAID: dict[Step, str] = {"report": "`topcut report TABLE RESULT`, then `topcut round end`"}
OVER = "nothing, the event is over; `topcut export` writes its log"


@command.command("options")
@click.argument("options", nargs=-1, metavar="KEY=VALUE…", required=True)
@reason_option
@executes
def change(state: State, options: tuple[str, ...], reason: str) -> c.ChangeOptions:
    """Change options, such as rounds=5; nothing after the sign gives one back to the rules."""
    return c.ChangeOptions(options=parse_options(options, state.options), reason=reason)


@command.command("one-less")
@reason_option
@executes
def one_less(_: State, reason: str) -> c.OneRoundFewer:
    """Play one Swiss round fewer than the rules plan, where they leave that to the organiser."""
    return c.OneRoundFewer(reason=reason)


@command.command("announce")
@click.option("--prizes", default="", metavar="TEXT", help="How many players get prizes, and which.")
@click.option("--detail", "details", multiple=True, metavar="TEXT", help="Anything else; more than once.")
@executes
def announce(_: State, prizes: str, details: tuple[str, ...]) -> c.Announce:
    """Announce rounds, cut, prizes and a table for third place before the first round."""
    return c.Announce(prizes=prizes, details=details)


@command.command("draw")
@click.argument("kind", type=click.Choice(["flights", "pods", "seats"]))
@takes_event
def draw(target: Target, kind: Literal["flights", "pods", "seats"]) -> None:
    """Draw flights, pods or seats before the first round is paired."""
    done = execute(target, lambda _: c.DrawLots(kind=kind))
    field = {"flights": "flight", "pods": "pod", "seats": "seat"}[kind]
    drawn = {player_id: getattr(e.player, field) for player_id, e in done.state.players.items()}
    numbers = {player_id: number for player_id, number in drawn.items() if number is not None}
    print_executed(target, done, **{kind: numbers})
    if not target.as_json:
        rows = sorted((number, done.state.name_of(player_id)) for player_id, number in numbers.items())
        print_table([field, "name"], ([str(number), name] for number, name in rows), right=[0])


@command.command("block")
@click.argument("tables", nargs=-1, type=int, required=True)
@click.option("--free", is_flag=True, help="They can be used again.")
@executes
def block(_: State, tables: tuple[int, ...], free: bool) -> c.BlockTables:
    """These TABLES stay empty from the next pairing on."""
    return c.BlockTables(tables=tables, blocked=not free)


@command.command("finish")
@reason_option
@takes_event
def close(target: Target, reason: str) -> None:
    """The event is over: the secret of its draws is revealed, and everything can be checked."""
    run_command(target, lambda _: c.Finish(reason=reason))
    if not target.as_json:
        print("check it: `topcut export -o event.log`, `topcut check event.log`")


@command.command("reopen")
@reason_option
@executes
def reopen(_: State, reason: str) -> c.Reopen:
    """The event goes on after all; later draws come from a new secret."""
    return c.Reopen(reason=reason)


@command.command("purge")
@click.option("--due", is_flag=True, help="Of all events of the database whose time is over.")
@takes_event
def purge(target: Target, due: bool) -> None:
    """Delete names, membership numbers and birth years once they need not be kept any more."""
    if not due:
        run_command(target, lambda _: c.Purge())
        return
    if target.event is not None:
        raise click.UsageError("--due is for all events: leave --event away")
    events = run_in_store(target, lambda store: purge_due(store, datetime.now(UTC)))
    if target.as_json:
        print_json({"purged": events})
        return
    for event in events:
        print_line(f"{event}: names and birth years are deleted")
    if not events:
        print("no names are due")
