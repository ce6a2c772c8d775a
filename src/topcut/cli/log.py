"""`topcut log`: print everything that happened, in sentences."""

import click
import msgspec

from topcut.cli.output import print_json, print_line, print_table
from topcut.cli.round import print_round
from topcut.cli.running_event import Target, read_event, takes_event
from topcut.event.describe.log_sentences import describe_log


@click.command("log")
@click.option("--at", type=int, metavar="N", help="The event as it was after fact N.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N facts.")
@takes_event
def command(target: Target, at: int | None, last: int | None) -> None:
    """Who did what, when, and from where; what was taken back is marked."""
    log = read_event(target, at).log
    lines = list(describe_log(log))[-last if last else 0 :]
    if target.as_json:
        print_json({"version": log.version, "facts": [msgspec.to_builtins(line) for line in lines]})
        return
    rows = []
    for line in lines:
        mark = "taken back" if line.undone else ""
        number = str(line.position) if line.position == line.step else ""
        when = line.at[:19].replace("T", " ")
        rows.append([number, when, line.by, line.via, mark, line.says])
    print_table(["step", "at (UTC)", "by", "from", "", "what"], rows, right=[0], wrap=True)
    state = log.state
    if at is not None and state.round is not None:
        print()
        print_line(f"{state.name} after fact {at}: round {state.round.number}")
        print()
        print_round(state, state.round)
