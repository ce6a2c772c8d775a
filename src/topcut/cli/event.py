"""`topcut event`: running events as a whole."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

import click
import msgspec

from topcut.cli.new import read_options
from topcut.cli.output import print_json, table, visible
from topcut.cli.running import (
    Target,
    about,
    act,
    database_options,
    finish,
    look,
    on_event,
    reason_option,
    with_store,
)
from topcut.event import commands as c
from topcut.event.next_steps import Step, next_steps
from topcut.event.window import open_until
from topcut.event.words import where_words
from topcut.rulebook.planning.words import counted
from topcut.store.running import About


@click.group("event")
def command() -> None:
    """Running events: list, show, options, announcement, lots, tables, finish, reopen, purge."""


@command.command("list")
@database_options
def list_events(target: Target) -> None:
    """The events in the database, the one used last first."""
    events = with_store(target, lambda store: store.events())
    if target.as_json:
        found = [
            {"event": e.event, "version": e.version} | msgspec.to_builtins(about(e.about)) for e in events
        ]
        print_json({"events": found})
        return
    rows = []
    for listed in events:
        of = about(listed.about)
        where = _ended(of) if of.finished else f"round {of.round} {of.phase}" if of.round else "not begun"
        rows.append([listed.event, of.name, of.rules, str(of.players), where])
    if rows:
        print(table(["event", "name", "rules", "players", "state"], rows, right=[3]))
    else:
        print("no events yet: `topcut new NAME --rules ID` makes one")


def _ended(of: About) -> str:
    """What a list says of an event that is finished: also what becomes of its names."""
    if of.purged:
        return "finished, names deleted"
    if of.due is None:
        return "finished"
    over = of.due <= datetime.now(UTC)
    return "finished, names are due" if over else f"finished, names until {of.due:%Y-%m-%d}"


@command.command("show")
@on_event
def show(target: Target) -> None:
    """Where an event stands, and what comes next."""
    running = look(target)
    state = running.state
    a_round = state.round
    here = sum(1 for _ in state.active())
    answer = {
        "event": running.event,
        "name": state.name,
        "rules": state.book.id,
        "version": running.journal.version,
        "players": len(state.players),
        "active": here,
        "round": a_round.number if a_round else None,
        "phase": a_round.phase if a_round else None,
        "missing": [t.table for t in a_round.missing] if a_round else [],
        "commitment": state.commitment,
        "announced": list(state.announced.says) if state.announced else None,
        "overrides": [msgspec.to_builtins(override) for override in state.overrides],
        "finished": state.finished is not None,
        "options": msgspec.to_builtins(state.options),
        "next": [COMMANDS[step] for step in next_steps(state)],
    }
    if target.as_json:
        print_json(answer)
        return
    print(visible(f"{state.name} ({state.book.title}): {len(state.players)} players, {here} in the event"))
    chosen = msgspec.to_builtins(state.options)
    if chosen:
        print(f"options: {', '.join(f'{key}={value}' for key, value in chosen.items())}")
    for says in state.announced.says if state.announced else ():
        print(visible(f"announced: {says}"))
    for override in state.overrides:
        where = where_words(override.round, override.table, state.name_of)
        print(visible(f"corrected after the record was closed: {where} ({override.reason}, {override.by})"))
    if a_round is not None:
        missing = f"; not reported yet: {counted(len(a_round.missing), 'table')}" if a_round.missing else ""
        print(f"round {a_round.number} is {a_round.phase}{missing}")
        if not state.finished and (until := open_until(state, a_round.number)):
            print(f"its record can be corrected until {until}")
    print(f"every draw comes from a secret with the SHA-256 {state.commitment}")
    print(
        f"next: {', or '.join(SAID.get(step, f'`{COMMANDS[step]}`') for step in next_steps(state)) or OVER}"
    )


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
"""Each of these commands succeeds as it is written."""
SAID: dict[Step, str] = {"report": "`topcut report TABLE RESULT`, then `topcut round end`"}
OVER = "nothing, the event is over; `topcut export` writes its log"


@command.command("options")
@click.argument("options", nargs=-1, metavar="KEY=VALUE…", required=True)
@reason_option
@on_event
def change(target: Target, options: tuple[str, ...], reason: str) -> None:
    """Change options, such as rounds=5; nothing after the sign gives one back to the rules."""
    done = act(
        target,
        lambda state: c.ChangeOptions(options=read_options(options, state.options), reason=reason),
    )
    finish(target, done)


@command.command("one-less")
@reason_option
@on_event
def one_less(target: Target, reason: str) -> None:
    """Play one Swiss round fewer than the rules plan, where they leave that to the organiser."""
    finish(target, act(target, lambda _: c.OneRoundFewer(reason=reason)))


@command.command("announce")
@click.option("--prizes", default="", metavar="TEXT", help="How many players get prizes, and which.")
@click.option("--detail", "details", multiple=True, metavar="TEXT", help="Anything else; more than once.")
@on_event
def announce(target: Target, prizes: str, details: tuple[str, ...]) -> None:
    """Announce rounds, cut, prizes and a table for third place before the first round."""
    finish(target, act(target, lambda _: c.Announce(prizes=prizes, details=details)))


@command.command("draw")
@click.argument("kind", type=click.Choice(["flights", "pods", "seats"]))
@on_event
def draw(target: Target, kind: Literal["flights", "pods", "seats"]) -> None:
    """Draw flights, pods or seats before the first round is paired."""
    done = act(target, lambda _: c.DrawLots(kind=kind))
    field = {"flights": "flight", "pods": "pod", "seats": "seat"}[kind]
    drawn = {player_id: getattr(e.player, field) for player_id, e in done.state.players.items()}
    numbers = {player_id: number for player_id, number in drawn.items() if number is not None}
    finish(target, done, **{kind: numbers})
    if not target.as_json:
        rows = sorted((number, done.state.name_of(player_id)) for player_id, number in numbers.items())
        print(table([field, "name"], ([str(number), name] for number, name in rows), right=[0]))


@command.command("block")
@click.argument("tables", nargs=-1, type=int, required=True)
@click.option("--free", is_flag=True, help="They can be used again.")
@on_event
def block(target: Target, tables: tuple[int, ...], free: bool) -> None:
    """These TABLES stay empty from the next pairing on."""
    finish(target, act(target, lambda _: c.BlockTables(tables=tables, blocked=not free)))


@command.command("finish")
@reason_option
@on_event
def close(target: Target, reason: str) -> None:
    """The event is over: the secret of its draws is revealed, and everything can be checked."""
    done = act(target, lambda _: c.Finish(reason=reason))
    finish(target, done)
    if not target.as_json:
        print("check it: `topcut export -o event.log`, `topcut check event.log`")


@command.command("reopen")
@reason_option
@on_event
def reopen(target: Target, reason: str) -> None:
    """The event goes on after all; later draws come from a new secret."""
    finish(target, act(target, lambda _: c.Reopen(reason=reason)))


@command.command("purge")
@click.option("--due", is_flag=True, help="Of all events of the database whose time is over.")
@on_event
def purge(target: Target, due: bool) -> None:
    """Delete names, membership numbers and birth years once they need not be kept any more."""
    if not due:
        finish(target, act(target, lambda _: c.Purge()))
        return
    if target.event is not None:
        raise click.UsageError("--due is for all events: leave --event away")
    from topcut.desk.retention import purge_due

    events = with_store(target, lambda store: purge_due(store, datetime.now(UTC)))
    if target.as_json:
        print_json({"purged": events})
        return
    for event in events:
        print(visible(f"{event}: names and birth years are deleted"))
    if not events:
        print("no names are due")
