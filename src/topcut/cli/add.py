"""`topcut add`: players enter, on time or late, one by one or from a list."""

from __future__ import annotations

from datetime import UTC, datetime

import click
import msgspec

from topcut.cli.output import print_json, table, visible, warn
from topcut.cli.running import Target, act, finish, look, on_event, then_option
from topcut.errors import BadInput
from topcut.event.commands import Register, Then
from topcut.event.state import State
from topcut.exchange.files import file_bytes, naming, shown_path
from topcut.exchange.lists.players import PlayerList, divisions_of, here_already, read_list

SHOWN = 20
"""Players of a list that are shown."""


@click.command("add")
@click.argument("names", nargs=-1)
@click.option(
    "--from",
    "listed",
    metavar="FILE",
    help="A list: a name a line, or CSV with columns (- for standard input).",
)
@click.option(
    "--columns", metavar="LIST", help="What the columns mean, such as name,-,id,born (- is left out)."
)
@click.option("--preview", is_flag=True, help="Show how the list is understood; nobody enters.")
@click.option("--display", metavar="NAME", help="What everybody sees in the place of the name.")
@click.option("--member", metavar="NUMBER", help="The membership number.")
@click.option("--born", type=int, metavar="YEAR", help="The birth year, for divisions.")
@click.option("--division", metavar="NAME", help="The division, also of several players at once.")
@click.option("--apart", multiple=True, metavar="LABEL", help="Players who share a label are kept apart.")
@then_option
@on_event
def command(
    target: Target,
    names: tuple[str, ...],
    listed: str | None,
    columns: str | None,
    preview: bool,
    display: str | None,
    member: str | None,
    born: int | None,
    division: str | None,
    apart: tuple[str, ...],
    then: Then | None,
) -> None:
    """Enter players by their NAMES, or from a list. Once the event has begun they enter late."""
    if not names and listed is None:
        raise click.UsageError("expected a name, or --from FILE")
    if listed is None and (preview or columns):
        raise click.UsageError("--preview and --columns are about a list: expected --from FILE")
    if (len(names) > 1 or listed is not None) and (display or member or born):
        raise click.UsageError("--display, --member and --born are for one player: give one name")
    about = {
        "display": display,
        "member": member,
        "born": born,
        "division": division,
        "apart": apart,
        "then": then,
    }
    by_name = [msgspec.convert({"name": name, **about}, Register) for name in names]
    if listed is None:
        finish(target, act(target, lambda _: by_name))
        return
    raw = file_bytes(listed)
    if preview:
        _show(target, _read(raw, look(target).state, listed, columns))
        return
    found: list[PlayerList] = []

    def registering(state: State) -> list[Register]:
        found[:] = [_read(raw, state, listed, columns)]
        commands = [player.register(then) for player in found[0].players]
        if division or apart:
            more = {"division": division, "apart": apart}
            commands = [
                msgspec.structs.replace(one, **{k: v for k, v in more.items() if v and not getattr(one, k)})
                for one in commands
            ]
        if not commands and not by_name:
            _warn(found[0])
            raise BadInput("nobody on this list can enter", file=shown_path(listed))
        return [*by_name, *commands]

    done = act(target, registering)
    _warn(found[0])
    finish(target, done)


def _read(raw: bytes, state: State, listed: str, columns: str | None) -> PlayerList:
    with naming(listed):
        year = datetime.now(UTC).year
        return read_list(raw, divisions_of(state), here_already(state), columns, year)


def _warn(found: PlayerList) -> None:
    for line in (*found.notes, *found.problems):
        warn(line)


def _show(target: Target, found: PlayerList) -> None:
    """The guess, the players as they would enter, and what is wrong."""
    columns = list(found.guess.preview(found.sheet.rows))
    if target.as_json:
        described = [
            {"column": c.number, "heading": c.heading, "meaning": c.meaning, "why": c.why, "first": first}
            for c, first in columns
        ]
        lines = {"problems": found.problems, "notes": found.notes}
        print_json({"columns": described, "players": found.players, **lines})
        return
    headings = ["column", "heading", "taken for", "first rows"]
    rows = [[str(c.number), c.heading, c.words, " | ".join(first)] for c, first in columns]
    print(table(headings, rows, right=[0], wrap=True))
    everybody = [
        [p.name, p.display or "", p.member or "", str(p.born or ""), p.division or "", ", ".join(p.apart)]
        for p in found.players[:SHOWN]
    ]
    titles = ["player", "shown as", "member", "born", "division", "apart"]
    used = [i for i in range(len(titles)) if i == 0 or any(row[i] for row in everybody)]
    print()
    print(table([titles[i] for i in used], [[row[i] for i in used] for row in everybody]))
    if len(found.players) > SHOWN:
        print(f"and {len(found.players) - SHOWN} more")
    count = len(found.players)
    print(f"\n{count} {'player' if count == 1 else 'players'} would enter")
    for line in (*found.notes, *found.problems):
        print(visible(f"! {line}"))
