"""`topcut report` and `topcut correct`: enter the result of a table, and correct one."""

import re
from typing import Any

import click

from topcut.cli.output import join_lines, print_line
from topcut.cli.running_event import (
    Target,
    execute,
    executes,
    override_option,
    print_executed,
    reason_option,
    takes_event,
    then_option,
)
from topcut.errors import BadInput, Impossible, TopcutError
from topcut.event.bracket_tables import find_table
from topcut.event.commands import AnyCommand, Correct, Report
from topcut.event.facts import Result
from topcut.event.lookup import read_result
from topcut.event.refusals import CommandRefused, TieToBreak, end_sentence
from topcut.event.state import State
from topcut.event.typed_scores import COUNT, GIVE
from topcut.formats.paths import display_path, read_bytes
from topcut.history.model import Table
from topcut.text.messages import Message, count, join_messages, say

_TABLE = re.compile(r"\d{1,9}|[A-Za-z]+\d{0,3}(-\d{1,4})?")
"""A number, or a name in a bracket: SF1, L2-1."""
_TIE_OPTIONS = (
    click.option(
        "--count",
        "counts",
        multiple=True,
        metavar="N,N",
        help="One count that breaks a tie for the highest score: a number for each tied player in the order"
        " of the table, such as --count 4,2, or with names, such as --count 'Ada 4' --count 'Bo 2'."
        " Give it again for the next count. Counts never change a score.",
    ),
    click.option(
        "--give",
        metavar="NAME",
        help="Players are tied in all counts, and the other players give the win to this player.",
    ),
)


def takes_ties(command: Any) -> Any:
    """Add the options that break a tie for the highest score; they are passed as `counts` and `give`."""
    for option in reversed(_TIE_OPTIONS):
        command = option(command)
    return command


def _read(
    words: tuple[str, ...], table: Table, state: State, counts: tuple[str, ...], give: str | None
) -> Result:
    """Return the result of words and options; ask for the next count as options of the command."""
    if counts:
        words = (*words, *(word for text in counts for word in (COUNT, *text.split())))
    if give is not None:
        words = (*words, GIVE, *give.split())
    if (counts or give is not None) and state.book.match.results != "scores":
        raise BadInput(say("--count and --give are only for games with scores"))
    try:
        return read_result(words, table, state)
    except TieToBreak as tie:
        raise tie.ask_for_options() from None


@click.command("report")
@click.argument("table", required=False)
@click.argument("result", nargs=-1)
@takes_ties
@click.option(
    "--from",
    "file",
    metavar="FILE",
    help="A file with one line per table, such as `14 2-1` (- for standard input).",
)
@takes_event
def command(
    target: Target,
    table: str | None,
    result: tuple[str, ...],
    file: str | None,
    counts: tuple[str, ...],
    give: str | None,
) -> None:
    """Report the RESULT of TABLE: 2-1, 1-1-1, draw, id (agreed draw), double-loss, a winner, or scores.

    TABLE is a number or, in a bracket, a name such as SF1. In scores such as 30* 12 8x, * marks a winner and
    x an eliminated player. `none` after scores: no winner.
    If players are tied for the highest score, the answer says what to count and how to add it.
    """
    if (table is None) is (file is None) or (table is not None and not result):
        raise click.UsageError(say("expected a table and its result, such as 14 2-1, or --from FILE"))
    if file is not None and (counts or give is not None):
        raise click.UsageError(
            say("--count and --give are for one table. In a file, add them to the line: 1 20 20 10 count 3 2")
        )
    reports = [(1, table, result)] if table is not None else _read_reports(file or "-")

    def make_reports(state: State) -> list[Report]:
        found: dict[int, Report] = {}
        for line, word, typed in reports:
            try:
                at = find_table(state, None, word)
                if isinstance(at, str):
                    raise _explain_shape(" ".join([word, *typed]))
                if at in found:
                    raise BadInput(say("table {table} is listed twice", table=at))
                there = state.get_round(None).get_table(at)
                found[at] = Report(
                    table=at,
                    result=read_result(typed, there, state)
                    if file
                    else _read(typed, there, state, counts, give),
                    round=len(state.rounds),
                    players=there.players,
                )
            except TopcutError as error:
                if file is None:
                    raise
                raise _refuse_line(file, line, error.message) from None
            lines[at] = line
        return list(found.values())

    lines: dict[int | str, int] = {}
    tried: list[int] = []

    def remember(command: AnyCommand) -> None:
        if isinstance(command, Report):
            tried.append(lines[command.table])

    try:
        done = execute(target, make_reports, remember)
    except (CommandRefused, Impossible) as error:
        if file is None or not tried:
            raise
        raise _refuse_line(file, tried[-1], error.message) from None
    a_round = done.state.round
    missing = len(a_round.missing) if a_round else 0
    print_executed(target, done, missing=missing)
    if not target.as_json:
        print_line(_describe_missing(missing, begun=a_round is not None and a_round.phase != "published"))


def _describe_missing(tables: int, begun: bool) -> str:
    if not tables and not begun:
        return say("All tables are reported. Next: `topcut round start`, then `topcut round end`")
    if not tables:
        return say("All tables are reported. Next: `topcut round end`")
    return count("{n} table is not reported yet.", "{n} tables are not reported yet.", tables)


def _explain_shape(typed: str) -> BadInput:
    return BadInput(say('expected a table and its result, such as 14 2-1, not "{line}"', line=typed))


def _refuse_line(file: str, number: int, problem: Message) -> BadInput:
    """Return why a line is refused, and that the others are not saved either."""
    said = join_messages(" ", [end_sentence(problem), say("Nothing was saved.")])
    return BadInput(said, place=say("line {number}", number=number), file=display_path(file))


def _read_reports(path: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return the line number, table and result of each line that is not empty; `-` is standard input."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(say("expected text in UTF-8"), file=display_path(path)) from None
    found = []
    for number, line in enumerate(map(join_lines, text.splitlines()), start=1):
        if not line:
            continue
        table, *result = line.split()
        if not _TABLE.fullmatch(table) or not result:
            raise _refuse_line(path, number, _explain_shape(line).message)
        found.append((number, table, tuple(result)))
    return found


@click.command("correct")
@click.argument("table")
@click.argument("result", nargs=-1, required=True)
@takes_ties
@click.option("--round", "number", type=int, metavar="R", help="The round (default: the last).")
@reason_option
@override_option
@then_option
@executes
def correct_command(
    state: State,
    table: str,
    result: tuple[str, ...],
    number: int | None,
    counts: tuple[str, ...],
    give: str | None,
    **options: Any,
) -> Correct:
    """Correct the RESULT of TABLE. `none` alone removes it; after scores: no winner.

    TABLE is a number or, in a bracket, a name such as SF1. For a player without an opponent, give their id
    instead of TABLE, and bye or loss.
    """
    key = find_table(state, number, table)
    there = state.get_round(number).get_table(key)
    new = None if result == ("none",) else _read(result, there, state, counts, give)
    return Correct(table=key, result=new, round=number or len(state.rounds), players=there.players, **options)
