"""`topcut report`: what happened at a table."""

from __future__ import annotations

import click

from topcut.cli.running import Target, act, finish, lines_of, on_event
from topcut.errors import BadInput, TopcutError
from topcut.event.commands import Report
from topcut.event.find import read_result
from topcut.event.state import State
from topcut.exchange.files import shown_path


@click.command("report")
@click.argument("table", type=int, required=False)
@click.argument("result", nargs=-1)
@click.option(
    "--from",
    "listed",
    metavar="FILE",
    help="A file with a line such as `14 2-1` for each table (- for standard input).",
)
@on_event
def command(target: Target, table: int | None, result: tuple[str, ...], listed: str | None) -> None:
    """Report TABLE: 2-1, 1-1-1, draw, id (agreed), double-loss, a winner, or scores such as 30* 12 8x.

    In scores * marks who won and x who was eliminated; 24 10 23 none: nobody won.
    """
    if (table is None) is (listed is None) or (table is not None and not result):
        raise click.UsageError("expected a table and its result, such as 14 2-1, or --from FILE")
    reports = [(1, table, result)] if table is not None else _listed(listed or "-")

    def reporting(state: State) -> list[Report]:
        found: dict[int, Report] = {}
        for number, at, typed in reports:
            try:
                if at in found:
                    raise BadInput(f"table {at} stands twice")
                there = state.numbered(None).table_at(at)
                found[at] = Report(
                    table=at,
                    result=read_result(typed, there, state),
                    round=len(state.rounds),
                    players=there.players,
                )
            except TopcutError as error:
                if listed is None:
                    raise
                raise BadInput(str(error), place=f"line {number}", file=shown_path(listed)) from None
        return list(found.values())

    done = act(target, reporting)
    a_round = done.state.round
    missing = len(a_round.missing) if a_round else 0
    finish(target, done, missing=missing)
    if not target.as_json:
        print(f"{missing} to go" if missing else "that was the last one: `topcut round end`")


def _listed(path: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """Line, table and result, one a line."""
    found = []
    for number, line in lines_of(path):
        table, *result = line.split()
        if not table.isdecimal() or len(table) > 9 or not result:
            problem = f'expected a table and its result, such as 14 2-1, not "{line}"'
            raise BadInput(problem, place=f"line {number}", file=shown_path(path))
        found.append((number, int(table), tuple(result)))
    return found
