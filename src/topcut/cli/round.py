"""`topcut round`: pair, look, publish, start, end."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from topcut.cli.output import print_json, visible
from topcut.cli.running import Target, act, finish, look, on_event, print_round, reason_option, round_document
from topcut.event import commands as c
from topcut.event.clock import last_end
from topcut.event.find import find_player
from topcut.event.state import Clock


@click.group("round")
def command() -> None:
    """The round: pair it, look at it, publish it, start it, end it."""


@command.command("pair")
@click.option("--again", is_flag=True, help="Draw a round anew that has not begun.")
@on_event
def pair(target: Target, again: bool) -> None:
    """Draw the next round; nobody sees it before it is published."""
    done = act(target, lambda _: c.Pair(again=again))
    state = done.state
    assert state.round is not None
    finish(target, done, **{"round": round_document(state, state.round)})
    if not target.as_json:
        print()
        print_round(state, state.round)


@command.command("show")
@click.option("--round", "number", type=int, metavar="R", help="Another round than the last.")
@click.option("--missing", is_flag=True, help="Only the tables that are not reported.")
@on_event
def show(target: Target, number: int | None, missing: bool) -> None:
    """The round as it stands."""
    state = look(target).state
    a_round = state.numbered(number)
    if target.as_json:
        print_json(round_document(state, a_round))
        return
    print(visible(f"{state.name}: round {a_round.number}, {a_round.phase}"))
    print()
    print_round(state, a_round, missing)
    if a_round.phase == "started":
        tables = sum(len(table.players) > 1 for table in a_round.tables)
        print(f"\n{len(a_round.missing)} of {tables} tables are not reported yet")
        if a_round.clock is not None:
            print(_time_left(a_round.clock))


def _time_left(clock: Clock) -> str:
    """How long it takes until the last table is out of time."""
    seconds = last_end(clock, datetime.now(UTC), [table for table in clock.extensions if table is not None])
    if seconds is None:
        return "no time limit"
    minutes, rest = divmod(int(abs(seconds)), 60)
    stands = " (the clock stands still)" if clock.paused else ""
    return f"{minutes}:{rest:02d} {'left' if seconds >= 0 else 'over time'}{stands}"


@command.command("publish")
@on_event
def publish(target: Target) -> None:
    """Show the round to everybody."""
    finish(target, act(target, lambda _: c.Publish()))


@command.command("start")
@click.option("--minutes", type=int, metavar="N", help="How long it lasts (default: what the rules say).")
@on_event
def start(target: Target, minutes: int | None) -> None:
    """The round begins; its tables cannot change any more."""
    finish(target, act(target, lambda _: c.Start(minutes=minutes)))


@command.command("end")
@on_event
def end(target: Target) -> None:
    """The round is over, every table reported."""
    finish(target, act(target, lambda _: c.End()))


@command.command("swap")
@click.argument("first")
@click.argument("second")
@reason_option
@on_event
def swap(target: Target, first: str, second: str, reason: str) -> None:
    """Two players change places by hand, before the round starts."""
    done = act(
        target,
        lambda state: c.Swap(
            first=find_player(state, first), second=find_player(state, second), reason=reason
        ),
    )
    assert done.state.round is not None
    finish(target, done, **{"round": round_document(done.state, done.state.round)})


@command.command("edit")
@click.argument("tables", nargs=-1, required=True)
@reason_option
@on_event
def edit(target: Target, tables: tuple[str, ...], reason: str) -> None:
    """All TABLES of the round as you want them, each as names or ids with commas: Ada,Bo Cy,Di."""
    done = act(
        target,
        lambda state: c.EditTables(
            tables=tuple(tuple(find_player(state, p) for p in t.split(",")) for t in tables), reason=reason
        ),
    )
    assert done.state.round is not None
    finish(target, done, **{"round": round_document(done.state, done.state.round)})


@command.command("confirm")
@click.argument("tables", nargs=-1, type=int, required=True)
@on_event
def confirm(target: Target, tables: tuple[int, ...]) -> None:
    """The results of these TABLES were looked at a second time."""
    finish(target, act(target, lambda _: c.Confirm(tables=tables)))


@command.command("begin")
@click.argument("tables", nargs=-1, type=int, required=True)
@on_event
def begin(target: Target, tables: tuple[int, ...]) -> None:
    """These TABLES play already, before the round starts: nothing changes them."""
    finish(target, act(target, lambda _: c.BeginTables(tables=tables)))


@command.command("pause")
@on_event
def pause(target: Target) -> None:
    """Stop the clock."""
    finish(target, act(target, lambda _: c.Pause()))


@command.command("resume")
@on_event
def resume(target: Target) -> None:
    """Let the clock go on."""
    finish(target, act(target, lambda _: c.Resume()))


@command.command("extend")
@click.argument("minutes", type=int)
@click.option("--table", type=int, metavar="N", help="One table (default: everybody).")
@reason_option
@on_event
def extend(target: Target, minutes: int, table: int | None, reason: str) -> None:
    """Give MINUTES more."""
    finish(target, act(target, lambda _: c.Extend(minutes=minutes, table=table, reason=reason)))
