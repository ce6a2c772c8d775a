"""`topcut check`: is every recorded round legal, was it optimal, does it replay from its seed?"""

from __future__ import annotations

from dataclasses import asdict

import click

from topcut.cli import check_log
from topcut.cli.options import readings_option
from topcut.cli.output import json_option, print_json, table, visible
from topcut.exchange import log_file
from topcut.exchange.files import file_bytes, folder_of, naming
from topcut.exchange.opened import content
from topcut.history import check_reported
from topcut.pairing.check import Verdict
from topcut.rulebook.planning.words import counted
from topcut.stages.check import check
from topcut.stages.course import Course


@click.command("check")
@click.argument("event", metavar="EVENT.json")
@readings_option
@json_option
@click.pass_context
def command(context: click.Context, event: str, readings: dict[str, str], as_json: bool) -> None:
    """Judge every round recorded in EVENT.json (- for standard input), or a log that was exported."""
    with naming(event):
        raw = file_bytes(event)
        if log_file.is_log(raw):
            if not check_log.judged(log_file.read(raw), as_json):
                context.exit(1)
            return
    with naming(event):
        loaded = content(raw).built(readings, folder_of(event))
    names = {player.id: player.shown_name for player in loaded.file.players}
    file = loaded.file
    with naming(event):
        check_reported(file.players, file.rounds[:-1])
        verdicts = check(Course(loaded.history, loaded.book, file.options, file.rounds, [file.seed]))
    ok = all(verdict.ok for verdict in verdicts)
    if as_json:
        print_json({"ok": ok, "rounds": [asdict(verdict) for verdict in verdicts]})
    else:
        _print(loaded.file.name, verdicts, names, ok)
    if not ok:
        context.exit(1)


def _print(name: str, verdicts: list[Verdict], names: dict[str, str], ok: bool) -> None:
    said = {True: "yes", False: "NO", None: "-"}
    rows = [
        [str(v.round), said[v.legal], said[v.optimal], said[v.replayed], _costs(v.cost), _costs(v.best)]
        for v in verdicts
    ]
    print(f"{visible(name)}: {counted(len(verdicts), 'round')}\n")
    print(table(["round", "legal", "optimal", "replayed", "cost", "best"], rows, right=[0]))
    print()
    for verdict in verdicts:
        for problem in verdict.problems:
            who = ", ".join(names.get(id, id) for id in problem.players[:8])
            more = f" and {len(problem.players) - 8} more" if len(problem.players) > 8 else ""
            print(
                visible(
                    f"round {verdict.round}: {problem.text}{': ' if who else ''}{who}{more} ({problem.rule})"
                )
            )
    print("everything is in order" if ok else "not everything is in order")


def _costs(cost: dict[str, object]) -> str:
    """Only what is not nought."""
    shown = {name: value for name, value in cost.items() if value and not isinstance(value, dict)}
    return ", ".join(f"{name} {value}" for name, value in shown.items()) or "0"
