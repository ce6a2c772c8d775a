"""`topcut add`: enter players, on time or late, one by one or from a list."""

from datetime import UTC, datetime
from typing import Any

import click
from msgspec.structs import replace

from topcut.cli.output import print_json, print_line, print_table, warn
from topcut.cli.player import player_options
from topcut.cli.running_event import (
    Target,
    execute,
    print_executed,
    read_event,
    run_command,
    takes_event,
    then_option,
)
from topcut.errors import BadInput
from topcut.event.commands import Register, Then
from topcut.event.state import State
from topcut.formats.csv.player_list import PlayerList, list_divisions, list_present_players, read_list
from topcut.formats.paths import display_path, name_file_in_errors, read_bytes
from topcut.history.player_fields import PLAYER_FIELDS, read_fields
from topcut.text.messages import count, join_messages, list_and, say

OF_ONE = tuple(field.name for field in PLAYER_FIELDS if field.name not in ("division", "apart"))
"""Fields that only one player can have."""
SHOWN = 20
"""Players of a list that a preview prints, at most."""


@click.command("add")
@click.argument("names", nargs=-1)
@click.option(
    "--from",
    "file",
    metavar="FILE",
    help="A list: one name per line, CSV or a workbook (- for standard input).",
)
@click.option(
    "--columns", metavar="LIST", help="What the columns mean, such as name,-,id,born (- is left out)."
)
@click.option("--preview", is_flag=True, help="Show how the list is read, without adding players.")
@player_options()
@then_option
@takes_event
def command(
    target: Target,
    names: tuple[str, ...],
    file: str | None,
    columns: str | None,
    preview: bool,
    then: Then | None,
    **known: Any,
) -> None:
    """Add players by their NAMES, or from a list. After the event has begun they enter late."""
    if not names and file is None:
        raise click.UsageError(say("expected a name, or --from FILE"))
    if file is None and (preview or columns):
        raise click.UsageError(say("--preview and --columns are for a list: expected --from FILE"))
    if (len(names) > 1 or file is not None) and any(known[name] for name in OF_ONE):
        options = [f"--{name}" for name in OF_ONE]
        raise click.UsageError(
            say("{options} are for one player: expected one name", options=list_and(options))
        )
    by_name = [Register(name=name, then=then, **known) for name in names]
    if file is None:
        run_command(target, lambda _: by_name)
        return
    raw = read_bytes(file)
    if preview:
        _print_preview(target, _read_list(raw, read_event(target).state, file, columns))
        return
    found: list[PlayerList] = []

    def make_commands(state: State) -> list[Register]:
        found[:] = [_read_list(raw, state, file, columns)]
        commands = [*by_name]
        for player in found[0].players:
            command = player.register(then)
            missing = {key: value for key, value in known.items() if value and not getattr(command, key)}
            commands.append(replace(command, **missing))
        if not commands:
            _warn(found[0])
            raise BadInput(say("no player on this list can enter"), file=display_path(file))
        return commands

    done = execute(target, make_commands)
    _warn(found[0])
    print_executed(target, done)


def _warn(found: PlayerList) -> None:
    for line in (*found.notes, *found.problems):
        warn(line)


def _read_list(raw: bytes, state: State, file: str, columns: str | None) -> PlayerList:
    with name_file_in_errors(file):
        year = datetime.now(UTC).year
        return read_list(raw, list_divisions(state), list_present_players(state), columns, year)


def _print_preview(target: Target, found: PlayerList) -> None:
    """Print what the columns are taken for, the players as they would enter, and what is wrong."""
    columns = list(found.guess.preview(found.sheet.rows))
    if target.as_json:
        described = [
            {"column": c.number, "heading": c.heading, "meaning": c.meaning, "why": c.why, "first": first}
            for c, first in columns
        ]
        lines = {"problems": found.problems, "notes": found.notes}
        print_json({"columns": described, "players": found.players, **lines})
        return
    headings = [say("column"), say("heading"), say("read as"), say("first rows")]
    rows = [[str(c.number), c.heading, c.words, " | ".join(first)] for c, first in columns]
    print_table(headings, rows, right=[0], wrap=True)
    everybody = [[p.name, *map(_format_field, read_fields(p).values())] for p in found.players[:SHOWN]]
    titles = [say("player"), *(field.label for field in PLAYER_FIELDS)]
    used = [i for i in range(len(titles)) if i == 0 or any(row[i] for row in everybody)]
    print()
    print_table([titles[i] for i in used], [[row[i] for i in used] for row in everybody])
    if len(found.players) > SHOWN:
        print_line(count("and {n} more", "and {n} more", len(found.players) - SHOWN))
    print()
    print_line(count("{n} player would enter.", "{n} players would enter.", len(found.players)))
    for line in (*found.notes, *found.problems):
        print_line(join_messages(" ", ["!", line]))


def _format_field(value: str | int | tuple[str, ...] | None) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value or "")
