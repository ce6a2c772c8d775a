"""`topcut check`: judge every round of an event file, or all of a log."""

import click

from topcut.cli.costs import describe_cost
from topcut.cli.event_source import EventSource, takes_event_or_file
from topcut.cli.output import json_option, print_json, print_line, print_table
from topcut.event.audit import LogFindings, check_log
from topcut.event.describe.fact_sentences import describe_allowance
from topcut.event.log_chain import BrokenChain
from topcut.formats.log_file import LogFile
from topcut.formats.paths import name_file_in_errors
from topcut.history import check_reported
from topcut.pairing.verdicts import RoundProblem, RoundVerdict
from topcut.stages.audit import audit_rounds
from topcut.stages.progress import Progress
from topcut.text.messages import Message, count, join_messages, list_and, list_first, say, say_as

YES_OR_NO = {True: say("yes"), False: say("NO"), None: "-"}
NAMED = 8
"""Players or tables that a problem names, at most."""


@click.command("check")
@takes_event_or_file
@json_option
@click.pass_context
def command(context: click.Context, source: EventSource, as_json: bool) -> None:
    """Check each round in FILE (- for standard input): is it legal, optimal, and reproduced by its seed?

    FILE may be an exported log, which is verified as a whole. Without FILE: the log of the running event.
    """
    log = source.read_log()
    rehearsed = False
    if log is None:
        ok = _check_file(source, as_json)
    elif source.readings:
        raise click.UsageError(
            say("--reading has no effect on a log, which contains its own rules: leave it out")
        )
    else:
        ok, rehearsed = _check_log(log, as_json)
    if not as_json:
        print_line(_sum_up(ok, rehearsed))
    if not ok:
        context.exit(1)


def _sum_up(ok: bool, rehearsed: bool) -> Message:
    if rehearsed:
        return say(
            "everything is in order, except that this is a rehearsal:"
            " its secret was chosen, not drawn at random"
        )
    return say("everything is in order") if ok else say("problems were found")


def _check_file(source: EventSource, as_json: bool) -> bool:
    """Print a verdict on each round of an event file; return whether everything is in order."""
    event = source.event
    file = event.file
    with name_file_in_errors(source.name):
        check_reported(file.players, file.rounds[:-1])
        verdicts = audit_rounds(Progress(event.history, event.book, file.options, file.rounds, [file.seed]))
    ok = all(verdict.ok for verdict in verdicts)
    overrides = [
        say("Round {round}: {allowed}", round=number, allowed=describe_allowance(a_round.allowed))
        for number, a_round in enumerate(file.rounds, start=1)
        if a_round.allowed
    ]
    if as_json:
        print_json({"ok": ok, "rounds": verdicts, "overrides": overrides})
        return ok
    print_line(count("{event}: {n} round", "{event}: {n} rounds", len(verdicts), event=file.name))
    print()
    rows = []
    for v in verdicts:
        answers = [YES_OR_NO[found] for found in (v.legal, v.optimal, v.replayed)]
        parts = {**v.cost, "pair_downs": v.pair_downs}
        del parts["score_gap_squared"]  # the problems below say where fewer points could be between players
        rows.append([str(v.round), *answers, describe_cost(parts) if any(parts.values()) else "-"])
    headings = [say("round"), say("legal"), say("optimal"), say("replayed"), say("pairings")]
    print_table(headings, rows, right=[0])
    print()
    names = {player.id: player.shown_name for player in file.players}
    for line in overrides:
        print_line(line)
    for verdict in verdicts:
        _print_problems(verdict, names)
    _explain_not_optimal(verdicts)
    return ok


def _check_log(file: LogFile, as_json: bool) -> tuple[bool, bool]:
    """Print what was found in a log; return whether everything is in order, or would be for a rehearsal."""
    try:
        found = check_log(file.facts, file.private)
    except BrokenChain as broken:
        problem = say("the chain is broken: {problem}", problem=broken.message)
        found = LogFindings(len(file.facts), [], [], [], {}, [], [problem], {})
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
        return found.ok, found.only_rehearsed
    print_line(count("{event}: {n} fact", "{event}: {n} facts", found.facts, event=file.event))
    print()
    if found.draws:
        _print_draws(found)
    for verdict in found.rounds:
        if not verdict.legal or verdict.round not in found.notes:
            _print_problems(verdict, found.names)
    for line in (*found.overrides, *([] if found.only_rehearsed else found.problems)):
        print_line(line)
    if any(draw.replayed is None for draw in found.draws):
        print_line(
            say(
                "The secret of some draws is not public yet. They can be replayed once the event is finished."
            )
        )
    return found.ok, found.only_rehearsed


def _print_draws(found: LogFindings) -> None:
    draws = []
    for draw in found.draws:
        about = join_messages("; ", [say("undone") if draw.undone else "", draw.problem])
        draws.append([str(draw.position), draw.what, str(draw.attempt), YES_OR_NO[draw.replayed], about])
    headings = [say("fact"), say_as("what was drawn at random", "draw"), say("attempt"), say("replayed"), ""]
    print_table(headings, draws, right=[0, 2])
    print()
    rounds = [
        [str(v.round), YES_OR_NO[v.legal], YES_OR_NO[v.optimal], found.notes.get(v.round, "")]
        for v in found.rounds
    ]
    print_table([say("round"), say("legal"), say("optimal"), ""], rounds, right=[0])
    print()


def _print_problems(verdict: RoundVerdict, names: dict[str, str]) -> None:
    """Print the problems and remarks of a round, with the names of their players."""
    for problem in (*verdict.problems, *verdict.remarks):
        text = join_messages(": ", [problem.text, _name_players(problem, names)])
        if problem.rule:
            text = say("{problem} ({rule})", problem=text, rule=problem.rule)
        match problem.severity:
            case "illegal":
                line = say("round {round}, illegal: {problem}", round=verdict.round, problem=text)
            case "not optimal":
                line = say("round {round}, not optimal: {problem}", round=verdict.round, problem=text)
            case "not replayed":
                line = say("round {round}, not replayed: {problem}", round=verdict.round, problem=text)
            case _:
                line = say("round {round}, remark: {problem}", round=verdict.round, problem=text)
        print_line(line)


def _name_players(problem: RoundProblem, names: dict[str, str]) -> Message:
    """Return the players of a problem, table by table; empty where its text names them already."""
    shown = [[names.get(player_id, player_id) for player_id in table] for table in problem.tables]
    if not shown:
        return Message("")
    if any(len(table) > 1 for table in shown):
        tables = [list_and(table) for table in shown]
        rest = count("{n} more", "{n} more", len(tables) - NAMED) if len(tables) > NAMED else ""
        return join_messages("; ", [*tables[:NAMED], rest])
    return list_first([table[0] for table in shown], NAMED)


def _explain_not_optimal(verdicts: list[RoundVerdict]) -> None:
    if any(verdict.legal and not verdict.optimal for verdict in verdicts):
        print_line(say("A round that is not optimal breaks no rule, but a better pairing was possible."))
