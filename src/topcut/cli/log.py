"""`topcut log`: everything that happened, in sentences."""

from __future__ import annotations

import click
import msgspec

from topcut.cli.output import print_json, table, visible
from topcut.cli.running import Target, look, on_event, print_round
from topcut.event.tell import told


@click.command("log")
@click.option("--at", type=int, metavar="N", help="The event as it was after fact N.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N facts.")
@on_event
def command(target: Target, at: int | None, last: int | None) -> None:
    """Who did what, when, and from where; what was taken back is marked."""
    journal = look(target, at).journal
    lines = list(told(journal))[-last if last else 0 :]
    if target.as_json:
        print_json({"version": journal.version, "facts": [msgspec.to_builtins(line) for line in lines]})
        return
    rows = []
    for line in lines:
        mark = "taken back" if line.undone else ""
        number = str(line.position) if line.position == line.step else ""
        when = line.at[:19].replace("T", " ")
        rows.append([number, when, line.by, line.via, mark, line.says])
    print(table(["step", "at (UTC)", "by", "from", "", "what"], rows, right=[0], wrap=True))
    if at is not None and journal.state.round is not None:
        state = journal.state
        print()
        print(visible(f"{state.name} after fact {at}: round {journal.state.round.number}"))
        print()
        print_round(state, journal.state.round)
