"""`topcut drop`: a player leaves."""

from __future__ import annotations

import click

from topcut.cli.running import Target, act, finish, on_event, then_option
from topcut.event.commands import Drop, Then
from topcut.event.find import find_player


@click.command("drop")
@click.argument("player")
@then_option
@on_event
def command(target: Target, player: str, then: Then | None) -> None:
    """PLAYER (an id or a name) leaves the event; a table that is being played is lost."""
    finish(target, act(target, lambda state: Drop(player=find_player(state, player), then=then)))
