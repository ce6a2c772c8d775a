"""`topcut player`: what else there is to do about players."""

from __future__ import annotations

import click
import msgspec

from topcut.cli.output import print_json, table, visible
from topcut.cli.person import print_person
from topcut.cli.running import (
    Target,
    act,
    finish,
    look,
    on_event,
    override_option,
    reason_option,
    then_option,
)
from topcut.event import commands as c
from topcut.event.find import find_player
from topcut.event.person import personal_data
from topcut.event.refusals import UnknownPlayer
from topcut.event.state import Entrant, State
from topcut.rulebook.planning.words import counted


@click.group("player")
def command() -> None:
    """Players: list, check in, edit, remove, disqualify, bring back, fixed tables, their data."""


@command.command("list")
@on_event
def show(target: Target) -> None:
    """Everybody in the event."""
    state = look(target).state
    entrants = sorted(state.players.values(), key=lambda e: (e.player.shown_name.casefold(), e.player.id))
    if target.as_json:
        fields = [
            msgspec.to_builtins(e.player)
            | {"legal": e.legal, "here": e.here, "fixed_table": e.fixed, "seat": e.seat}
            for e in entrants
        ]
        print_json({"players": fields})
        return
    rows = [[e.player.id, _name(e), e.player.division or "", _status(e)] for e in entrants]
    print(visible(f"{state.name}: {counted(len(rows), 'player')}"))
    print()
    print(table(["id", "name", "division", "state"], rows))


def _name(entrant: Entrant) -> str:
    return entrant.for_staff if entrant.legal else ""


def _status(entrant: Entrant) -> str:
    player = entrant.player
    said = []
    for how in ("dropped", "disqualified", "cut"):
        if (last := getattr(player, how)) is not None:
            said.append(f"{how} after round {last}")
    if player.entered > 1:
        said.append(f"entered in round {player.entered}")
    if entrant.here is not None:
        said.append("here" if entrant.here else "not here")
    if entrant.fixed is not None:
        said.append(f"table {entrant.fixed}")
    if player.apart:
        said.append(f"apart: {', '.join(player.apart)}")
    return "; ".join(said)


@command.command("check-in")
@click.argument("players", nargs=-1)
@click.option("--away", is_flag=True, help="They are not here.")
@on_event
def check_in(target: Target, players: tuple[str, ...], away: bool) -> None:
    """These PLAYERS are here; everybody, if none is named."""
    done = act(
        target,
        lambda state: c.CheckIn(players=tuple(find_player(state, p) for p in players), here=not away),
    )
    finish(target, done)


@command.command("edit")
@click.argument("player")
@click.option("--name", metavar="NAME", help="Another name.")
@click.option("--display", metavar="NAME", help="What everybody sees in its place; an empty one: the name.")
@click.option("--member", metavar="NUMBER", help="Another membership number; an empty one takes it away.")
@click.option("--born", type=int, metavar="YEAR", help="Another birth year; the division follows it.")
@click.option("--division", metavar="NAME", help="Another division, whatever the birth year.")
@click.option("--apart", multiple=True, metavar="LABEL", help="All labels; an empty one takes them away.")
@on_event
def edit(
    target: Target,
    player: str,
    name: str | None,
    display: str | None,
    member: str | None,
    born: int | None,
    division: str | None,
    apart: tuple[str, ...],
) -> None:
    """What is known of PLAYER changes; what is not given stays."""
    done = act(
        target,
        lambda state: c.EditPlayer(
            player=find_player(state, player),
            name=name,
            display=display,
            member=member,
            born=born,
            division=division,
            apart=tuple(label for label in apart if label) if apart else None,
        ),
    )
    finish(target, done)


@command.command("remove")
@click.argument("player")
@then_option
@on_event
def remove(target: Target, player: str, then: c.Then | None) -> None:
    """Take PLAYER off the list before the event begins."""
    finish(target, act(target, lambda state: c.Remove(player=find_player(state, player), then=then)))


@command.command("refuse")
@click.argument("name")
@reason_option
@on_event
def refuse(target: Target, name: str, reason: str) -> None:
    """NAME may not enter; the log keeps why."""
    finish(target, act(target, lambda _: c.RefuseEntry(name=name, reason=reason)))


@command.command("disqualify")
@click.argument("player")
@reason_option
@then_option
@on_event
def disqualify(target: Target, player: str, reason: str, then: c.Then | None) -> None:
    """PLAYER is disqualified."""
    done = act(
        target,
        lambda state: c.Disqualify(player=find_player(state, player), reason=reason, then=then),
    )
    finish(target, done)


@command.command("restore")
@click.argument("player")
@reason_option
@override_option
@then_option
@on_event
def restore(target: Target, player: str, reason: str, override: bool, then: c.Then | None) -> None:
    """PLAYER, who had dropped, is back."""
    done = act(
        target,
        lambda state: c.Restore(
            player=find_player(state, player), reason=reason, override=override, then=then
        ),
    )
    finish(target, done)


@command.command("fix")
@click.argument("player")
@click.argument("number", type=int, required=False)
@on_event
def fix(target: Target, player: str, number: int | None) -> None:
    """PLAYER always sits at table NUMBER, from the next pairing on; at any, if none is given."""
    finish(target, act(target, lambda state: c.FixTable(player=find_player(state, player), table=number)))


@command.command("data")
@click.argument("player")
@on_event
def data(target: Target, player: str) -> None:
    """All that is held about PLAYER, to be handed to them."""
    journal = look(target).journal
    found = personal_data(journal, _whom(journal.state, player))
    if target.as_json:
        print_json(found)
    else:
        print_person(found)


@command.command("forget")
@click.argument("player")
@click.option("--yes", is_flag=True, help="It is meant: this cannot be taken back.")
@reason_option
@on_event
def forget(target: Target, player: str, yes: bool, reason: str) -> None:
    """Delete who PLAYER is, for good, once the event is finished. What they played stays, under their id."""
    if not yes:
        raise click.UsageError(f'who "{player}" is would be deleted for good: expected --yes beside it')
    finish(target, act(target, lambda state: c.Forget(player=_whom(state, player), reason=reason)))


def _whom(state: State, text: str) -> str:
    """The player somebody means; also, by the id alone, one who is not on the list any more."""
    try:
        return find_player(state, text)
    except UnknownPlayer as unknown:
        if unknown.like:
            raise
        return text


@command.command("seat-all")
@on_event
def seat_all(target: Target) -> None:
    """Seat everybody by name before the first round."""
    done = act(target, lambda _: c.SeatAll())
    state = done.state
    seats = {player_id: e.seat for player_id, e in state.players.items() if e.seat is not None}
    finish(target, done, seats=seats)
    if not target.as_json:
        rows = [[str(seats[player_id]), state.name_of(player_id)] for player_id in seats]
        print(table(["table", "name"], sorted(rows, key=lambda row: row[1].casefold()), right=[0]))
