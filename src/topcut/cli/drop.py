"""`topcut drop`: let a player leave."""

import click

from topcut.cli.running_event import Target, run_command, takes_event, then_option
from topcut.event.commands import Drop, Then
from topcut.event.lookup import find_player


@click.command("drop")
@click.argument("player")
@then_option
@takes_event
def command(target: Target, player: str, then: Then | None) -> None:
    """PLAYER (an id or a name) leaves the event; a table that is being played is lost."""
    run_command(target, lambda state: Drop(player=find_player(state, player), then=then))
