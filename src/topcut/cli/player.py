"""`topcut player` and `topcut drop`: list and change players, and let one leave."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
import msgspec

from topcut.cli.output import format_time, print_json, print_line, print_table
from topcut.cli.running_event import (
    Target,
    build_command,
    execute,
    executes,
    override_option,
    print_executed,
    read_event,
    reason_option,
    run_command,
    takes_event,
    then_option,
)
from topcut.event import commands as c
from topcut.event.describe.personal_data import collect_personal_data
from topcut.event.lookup import find_player
from topcut.event.refusals import UnknownPlayer
from topcut.event.state import ListedPlayer, State
from topcut.history.player_fields import PERSONAL, PLAYER_FIELDS
from topcut.text.messages import count, join_messages, say

Function = TypeVar("Function", bound=Callable[..., Any])
WORDS = {
    "name": say("name"),
    "display": say("display name"),
    "member": say("number"),
    "born": say("born"),
    "division": say("division"),
}
"""Headings of what is known of a player."""


def player_options(edit: bool = False) -> Callable[[Function], Function]:
    """Return a decorator that adds an option a field of a player; `edit`: the help says what changes."""

    def add_options(function: Function) -> Function:
        for field in reversed(PLAYER_FIELDS):
            several = field.type is tuple
            option = click.option(
                f"--{field.name}",
                type=str if several else field.type,
                multiple=several,
                metavar=field.metavar,
                help=field.edit_help if edit else field.add_help,
            )
            function = option(function)
        return function

    return add_options


@click.group("player")
def command() -> None:
    """List, check in, edit, disqualify and reinstate players, and show or delete their data."""


@command.command("list")
@takes_event
def list_players(target: Target) -> None:
    """List all players of the event."""
    state = read_event(target).state
    players = sorted(state.players.values(), key=lambda e: (e.player.shown_name.casefold(), e.player.id))
    if target.as_json:
        documents = []
        for e in players:
            more = {"legal": e.legal, "here": e.here, "fixed_table": e.fixed, "seat": e.seat}
            documents.append(msgspec.to_builtins(e.player) | more)
        print_json({"players": documents})
        return
    rows = [
        [e.player.id, e.for_staff if e.legal else "", e.player.division or "", _describe_status(e)]
        for e in players
    ]
    print_line(count("{event}: {n} player", "{event}: {n} players", len(rows), event=state.name))
    print()
    print_table([say("id"), say("name"), say("division"), say("state")], rows)


def _describe_status(listed: ListedPlayer) -> str:
    player = listed.player
    words: list[str] = []
    if player.dropped is not None:
        words.append(say("dropped after round {round}", round=player.dropped))
    if player.disqualified is not None:
        words.append(say("disqualified after round {round}", round=player.disqualified))
    if player.cut is not None:
        words.append(say("cut after round {round}", round=player.cut))
    if player.entered > 1:
        words.append(say("entered in round {round}", round=player.entered))
    if player.byes:
        words.append(count("{n} awarded bye", "{n} awarded byes", player.byes))
    if listed.here is not None:
        words.append(say("checked in") if listed.here else say("not checked in"))
    if listed.fixed is not None:
        words.append(say("always table {table}", table=listed.fixed))
    if player.apart:
        words.append(say("don't pair with: {labels}", labels=", ".join(player.apart)))
    return join_messages("; ", words)


@command.command("check-in")
@click.argument("players", nargs=-1)
@click.option("--away", is_flag=True, help="Mark PLAYERS as not checked in.")
@executes
def check_in(state: State, players: tuple[str, ...], away: bool) -> c.CheckIn:
    """Check in PLAYERS; all players, if none is named."""
    return c.CheckIn(players=tuple(find_player(state, player) for player in players), here=not away)


@command.command("edit")
@click.argument("player")
@click.option("--name", metavar="NAME", help="The new name.")
@player_options(edit=True)
@executes
def edit(state: State, player: str, apart: tuple[str, ...], **fields: Any) -> c.EditPlayer:
    """Change the data of PLAYER. Options that are not given change nothing."""
    labels = tuple(label for label in apart if label) if apart else None
    return c.EditPlayer(player=find_player(state, player), apart=labels, **fields)


player_argument = click.argument("player")
drop_command = build_command(
    "drop",
    c.Drop,
    player_argument,
    then_option,
    help="Drop PLAYER (an id or a name) from the event. They lose a match that is being played.",
)
for built in (
    build_command(
        "remove", c.Remove, player_argument, then_option, help="Remove PLAYER before the event begins."
    ),
    build_command(
        "refuse",
        c.RefuseEntry,
        click.argument("name"),
        reason_option,
        help="Refuse entry to NAME; the log keeps the reason.",
    ),
    build_command(
        "disqualify", c.Disqualify, player_argument, reason_option, then_option, help="Disqualify PLAYER."
    ),
    build_command(
        "restore",
        c.Restore,
        player_argument,
        reason_option,
        override_option,
        then_option,
        help="Reinstate PLAYER, who had dropped.",
    ),
    build_command(
        "fix",
        c.FixTable,
        player_argument,
        click.argument("table", metavar="[NUMBER]", type=int, required=False),
        help="Seat PLAYER always at table NUMBER. Without NUMBER, at any table again.",
    ),
):
    command.add_command(built)


@command.command("data")
@click.argument("player")
@takes_event
def data(target: Target, player: str) -> None:
    """Show all data held about PLAYER, to give to them."""
    log = read_event(target).log
    found = collect_personal_data(log, _find_also_removed(log.state, player))
    if target.as_json:
        print_json(found)
    else:
        _print_personal_data(found)


def _print_personal_data(data: dict[str, Any]) -> None:
    """Print what is known of a player, what they played, and the facts of the log that name them."""
    print_line(f"{data['event']}: {data['player']}")
    print()
    names = ("name", "display", *(field.name for field in PERSONAL), "division")
    known = [
        [str(one["fact"]), format_time(one["at"]), *(str(one.get(name, "")) for name in names), _mark(one)]
        for one in data["known"]
    ]
    if known:
        headings = [say("fact"), say("at (UTC)"), *(WORDS.get(name, name) for name in names), ""]
        print_table(headings, known, right=[0])
    else:
        print_line(say("The name and other personal data are deleted."))
    print()
    rounds = []
    for one in data["rounds"]:
        against = ", ".join(other["name"] for other in one["against"])
        rounds.append([str(one["round"]), str(one["table"] or ""), against, one["result"] or ""])
    if rounds:
        print_table([say("round"), say("table"), say("opponent"), say("result")], rounds, right=[0, 1])
        print()
    facts = [[str(one["fact"]), format_time(one["at"]), _mark(one), one["says"]] for one in data["facts"]]
    print_table([say("fact"), say("at (UTC)"), "", say("what")], facts, right=[0], wrap=True)


def _mark(entry: dict[str, Any]) -> str:
    return "" if entry["counts"] else say("undone")


@command.command("forget")
@click.argument("player")
@click.option("--yes", is_flag=True, help="Confirm: this cannot be undone.")
@reason_option
@takes_event
def forget(target: Target, player: str, yes: bool, reason: str) -> None:
    """Delete the personal data of PLAYER for good, after the event. Results stay, under the id."""
    if not yes:
        raise click.UsageError(
            say('this deletes the personal data of "{player}" for good: add --yes to confirm', player=player)
        )
    run_command(target, lambda state: c.Forget(player=_find_also_removed(state, player), reason=reason))


def _find_also_removed(state: State, text: str) -> str:
    """Return the id of the player whom staff mean; by the id alone also one who was removed."""
    try:
        return find_player(state, text)
    except UnknownPlayer as unknown:
        if unknown.like:
            raise
        return text


@command.command("seat-all")
@takes_event
def seat_all(target: Target) -> None:
    """Assign player-meeting seats by name. This is possible before the first round."""
    done = execute(target, lambda _: c.SeatAll())
    state = done.state
    seats = {player_id: e.seat for player_id, e in state.players.items() if e.seat is not None}
    print_executed(target, done, seats=seats)
    if not target.as_json:
        rows = [[str(seats[player_id]), state.name_of(player_id)] for player_id in seats]
        print_table([say("table"), say("name")], sorted(rows, key=lambda row: row[1].casefold()), right=[0])
