"""Make the options for what is known of a player, from the table of a player's fields."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from topcut.history.player_fields import PLAYER_FIELDS

Function = TypeVar("Function", bound=Callable[..., Any])


def player_options(edit: bool = False) -> Callable[[Function], Function]:
    """Return a decorator that adds one option a field; `edit`: the help says what changes."""

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
