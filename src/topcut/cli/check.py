"""`topcut check`: is every recorded round legal, was it optimal, does it replay from its seed?"""

from __future__ import annotations

from dataclasses import asdict

import click

from topcut.cli import check_log
from topcut.cli.asked import Asked, about_event
from topcut.cli.options import readings_option
from topcut.cli.output import json_option, print_json, table, visible
from topcut.exchange.files import naming
from topcut.history import check_reported
from topcut.pairing.check import Verdict
from topcut.rulebook.planning.words import counted
from topcut.stages.check import check
from topcut.stages.course import Course


@click.command("check")
@about_event
@readings_option
@json_option
@click.pass_context
def command(context: click.Context, asked: Asked, readings: dict[str, str], as_json: bool) -> None:
    """Judge every round recorded in FILE (- for standard input), or all of a log that was exported.

    Without FILE: the log of the running event.
    """
    log = asked.log()
    if log is not None:
        if readings:
            raise click.UsageError("--reading: a log is judged by the rules that are in it")
        if not check_log.judged(log, as_json):
            context.exit(1)
        return
    opened = asked.open()
    loaded = opened.built(readings)
    names = {player.id: player.shown_name for player in loaded.file.players}
    file = loaded.file
    with naming(opened.name):
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
            who = ", ".join(names.get(player_id, player_id) for player_id in problem.players[:8])
            more = f" and {len(problem.players) - 8} more" if len(problem.players) > 8 else ""
            said_of = f"{problem.text}{': ' if who else ''}{who}{more}{_cited(problem.rule)}"
            print(visible(f"round {verdict.round}: {said_of}"))
    print("everything is in order" if ok else "not everything is in order")


def _cited(rule: str) -> str:
    return f" ({rule})" if rule else ""


def _costs(cost: dict[str, object]) -> str:
    """Only what is not nought."""
    shown = {name: value for name, value in cost.items() if value and not isinstance(value, dict)}
    return ", ".join(f"{name} {value}" for name, value in shown.items()) or "0"
