"""`topcut check`: judge every round of an event file, or all of a log."""

import click

from topcut.cli.event_source import EventSource, takes_event_or_file
from topcut.cli.output import json_option, make_printable, print_json, print_line, print_table
from topcut.event.audit import LogFindings, check_log
from topcut.event.log_chain import BrokenChain
from topcut.formats.log_file import LogFile
from topcut.formats.paths import name_file_in_errors
from topcut.history import check_reported
from topcut.pairing.audit import RoundVerdict
from topcut.stages.audit import audit_rounds
from topcut.stages.progress import Progress
from topcut.text.messages import list_first
from topcut.text.phrases import plural

YES_OR_NO = {True: "yes", False: "NO", None: "-"}
NAMED = 8
"""Players that a problem names, at most."""


@click.command("check")
@takes_event_or_file
@json_option
@click.pass_context
def command(context: click.Context, source: EventSource, as_json: bool) -> None:
    """Judge every round recorded in FILE (- for standard input), or all of a log that was exported.

    Without FILE: the log of the running event.
    """
    log = source.read_log()
    if log is None:
        ok = _check_file(source, as_json)
    elif source.readings:
        raise click.UsageError("--reading: a log is judged by the rules that are in it")
    else:
        ok = _check_log(log, as_json)
    if not as_json:
        print("everything is in order" if ok else "not everything is in order")
    if not ok:
        context.exit(1)


def _check_file(source: EventSource, as_json: bool) -> bool:
    """Print a verdict on each round of an event file; return whether everything is in order."""
    event = source.event
    file = event.file
    with name_file_in_errors(source.name):
        check_reported(file.players, file.rounds[:-1])
        verdicts = audit_rounds(Progress(event.history, event.book, file.options, file.rounds, [file.seed]))
    ok = all(verdict.ok for verdict in verdicts)
    if as_json:
        print_json({"ok": ok, "rounds": verdicts})
        return ok
    print(f"{make_printable(file.name)}: {plural(len(verdicts), 'round')}\n")
    rows = []
    for v in verdicts:
        answers = [YES_OR_NO[found] for found in (v.legal, v.optimal, v.replayed)]
        rows.append([str(v.round), *answers, _format_cost(v.cost), _format_cost(v.best)])
    print_table(["round", "legal", "optimal", "replayed", "cost", "best"], rows, right=[0])
    print()
    names = {player.id: player.shown_name for player in file.players}
    for verdict in verdicts:
        _print_problems(verdict, names)
    return ok


def _check_log(file: LogFile, as_json: bool) -> bool:
    """Print what was found in a log; return whether everything is in order."""
    try:
        found = check_log(file.facts, file.private)
    except BrokenChain as broken:
        found = LogFindings(len(file.facts), [], [], [], {}, [], [f"the chain is broken: {broken}"])
    if as_json:
        document = {
            "ok": found.ok,
            "facts": found.facts,
            "rounds": found.rounds,
            "draws": found.draws,
            "notes": found.notes,
            "overrides": found.overrides,
            "problems": found.problems,
        }
        print_json(document)
        return found.ok
    print_line(f"{file.event}: {plural(found.facts, 'fact')}")
    print()
    if found.draws:
        _print_draws(found)
    for verdict in found.rounds:
        if not verdict.legal or verdict.round not in found.notes:
            _print_problems(verdict, {})
    for line in (*found.overrides, *found.problems):
        print_line(line)
    if any(draw.replayed is None for draw in found.draws):
        print("the secret of some draws is not known yet: they can be replayed when the event is finished")
    return found.ok


def _print_draws(found: LogFindings) -> None:
    draws = []
    for draw in found.draws:
        about = "; ".join(word for word in ("taken back" if draw.undone else "", draw.problem) if word)
        draws.append([str(draw.position), draw.what, str(draw.attempt), YES_OR_NO[draw.replayed], about])
    print_table(["fact", "draw", "attempt", "replayed", ""], draws, right=[0, 2])
    print()
    rounds = [
        [str(v.round), YES_OR_NO[v.legal], YES_OR_NO[v.optimal], found.notes.get(v.round, "")]
        for v in found.rounds
    ]
    print_table(["round", "legal", "optimal", ""], rounds, right=[0])
    print()


def _print_problems(verdict: RoundVerdict, names: dict[str, str]) -> None:
    """Print the problems of a round; name their players where names are known."""
    for problem in verdict.problems:
        who = list_first([names.get(player_id, player_id) for player_id in problem.players], NAMED)
        cited = f" ({problem.rule})" if problem.rule else ""
        text = f"{problem.text}{f': {who}' if names and who else ''}{cited}"
        print_line(f"round {verdict.round}: {text}")


def _format_cost(cost: dict[str, object]) -> str:
    """Return the parts of a cost that are not nought."""
    shown = {name: value for name, value in cost.items() if value and not isinstance(value, dict)}
    return ", ".join(f"{name} {value}" for name, value in shown.items()) or "0"
