"""`topcut add`: players enter, on time or late."""

from __future__ import annotations

import click

from topcut.cli.running import Target, act, finish, lines_of, on_event, then_option
from topcut.event.commands import Register, Then


@click.command("add")
@click.argument("names", nargs=-1)
@click.option("--from", "listed", metavar="FILE", help="A file with one name a line (- for standard input).")
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
    display: str | None,
    member: str | None,
    born: int | None,
    division: str | None,
    apart: tuple[str, ...],
    then: Then | None,
) -> None:
    """Enter players by their NAMES. Once the event has begun they enter late."""
    everybody = [*names, *(name for _, name in (lines_of(listed) if listed is not None else []))]
    if not everybody:
        raise click.UsageError("expected a name, or --from FILE")
    if len(everybody) > 1 and (display or member or born):
        raise click.UsageError("--display, --member and --born are for one player: give one name")
    registering = [
        Register(
            name=name,
            display=display,
            member=member,
            born=born,
            division=division,
            apart=apart,
            then=then,
        )
        for name in everybody
    ]
    finish(target, act(target, lambda _: registering))
