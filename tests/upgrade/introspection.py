"""What cannot be asked from outside? The only imports of Topcut's own modules in this folder.

Everything else here speaks to Topcut at a prompt or by HTTP. Where modules move, mend the imports here, and
nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click

from topcut.cli.main import app as prompt
from topcut.event.facts import AnyFact
from topcut.server.app import make_app
from topcut.store import open_store


def fact_tags() -> set[str]:
    """Return the names that facts have in a log."""
    return {kind.__struct_config__.tag for kind in get_args(AnyFact)}


def addresses(database: Path) -> set[str]:
    """Return every address of the web application with its method, such as `GET /e/{event:str}`."""

    async def found() -> set[str]:
        store = await open_store(str(database))
        try:
            routes = make_app(store, chores=False).routes
        finally:
            await store.close()
        methods = {route.path: getattr(route, "methods", {"ANY"}) - {"OPTIONS"} for route in routes}
        return {f"{method} {path}" for path, known in methods.items() for method in known}

    return asyncio.run(found())


def prompt_lines() -> set[str]:
    """Return every command with its arguments, options and their choices, such as `report --from`."""
    return set(_lines(prompt, []))


def _lines(command: click.Command, path: list[str], parent: click.Context | None = None) -> Iterator[str]:
    context = click.Context(command, parent=parent, **command.context_settings)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _lines(found, [*path, name], context)
        return
    yield " ".join(path)
    for parameter in command.get_params(context):
        yield from _parameter(parameter, path)


def _parameter(parameter: click.Parameter, path: list[str]) -> Iterator[str]:
    if isinstance(parameter, click.Argument):
        names = [parameter.make_metavar(click.Context(click.Command("")))]
    else:
        names = [*parameter.opts, *parameter.secondary_opts]
    flag = isinstance(parameter, click.Option) and parameter.is_flag
    choices = parameter.type.choices if isinstance(parameter.type, click.Choice) else ()
    for name in names:
        yield " ".join([*path, name, *([] if flag or name[0] != "-" else ["…"])])
        for choice in choices:
            yield " ".join([*path, name, str(choice)])
