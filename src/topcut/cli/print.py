"""`topcut print`: write pairings, slips, standings and all other paper as PDF."""

from dataclasses import replace
from functools import partial
from typing import Any, Literal
from urllib.parse import quote

import click
from click.core import ParameterSource

from topcut.cli.event_source import EventSource, takes_event_or_file
from topcut.cli.output import join_lines, warn, write_file
from topcut.errors import BadInput
from topcut.formats.paths import name_file_in_errors
from topcut.printing.page import PER_PAGE, PrintOptions
from topcut.printing.printed_event import Link, Number, PrintedEvent, build_printed_event
from topcut.printing.registry import SHEET_BUILDERS, SHEET_OPTIONS, print_sheet
from topcut.stages.progress import choose_lot_seed
from topcut.text.messages import say

LONGEST = 80
"""Letters of --at, at most."""
PAPER: dict[str, Literal["a4", "us-letter"]] = {"a4": "a4", "letter": "us-letter"}


def _check_link(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """Return an address in which {table} and {round} stand for their numbers."""
    if text is not None and "{table}" not in text:
        raise click.BadParameter(say('expected an address with {{table}} in it, not "{text}"', text=text))
    return text


def _check_server(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """Return the address of a server, to which the rest of a link is added."""
    if text is not None and not text.startswith(("https://", "http://")):
        problem = say('expected an address such as https://desk.example, not "{text}"', text=text)
        raise click.BadParameter(problem)
    return None if text is None else text.rstrip("/")


def _check_moment(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is not None and len(text) > LONGEST:
        raise click.BadParameter(say("expected at most {number} characters", number=LONGEST))
    return text


@click.command("print")
@click.argument("kind", type=click.Choice(list(SHEET_BUILDERS)), metavar="KIND")
@click.option("-o", "--output", metavar="FILE", help="The file (default: KIND.pdf; - for standard output).")
@click.option("--round", type=click.IntRange(min=1), metavar="R", help="Which round (default: the last).")
@click.option(
    "--after",
    type=click.IntRange(min=0),
    metavar="R",
    help="For standings, sheet and cards: after this round.",
)
@click.option(
    "--by",
    type=click.Choice(["name", "table"]),
    default="name",
    help="The order of pairings (default: name).",
)
@click.option("--tables", default="", metavar="RANGE", help="Only these tables, such as 5-20,31.")
@click.option(
    "--changed", is_flag=True, help="Only tables that changed since the round was published (logs only)."
)
@click.option(
    "--per-page",
    type=click.Choice([str(n) for n in PER_PAGE]),
    default="4",
    help="Slips per page (default: 4).",
)
@click.option(
    "--paper", type=click.Choice(list(PAPER)), default="a4", show_default=True, help="The paper size."
)
@click.option("--division", metavar="D", help="Only this division.")
@click.option(
    "--player", metavar="PLAYER", help="Only the card of this player (an id, a name or part of it)."
)
@click.option(
    "--at",
    metavar="TEXT",
    callback=_check_moment,
    help="The time printed on the paper, such as Sat 14:05 (default: from a log).",
)
@click.option(
    "--link",
    metavar="ADDRESS",
    callback=_check_link,
    help="The address for QR codes on slips, such as https://desk.example/{round}/{table}.",
)
@click.option(
    "--address",
    metavar="URL",
    callback=_check_server,
    help="Without FILE: the address of the desk, for QR codes on slips.",
)
@takes_event_or_file
def command(
    kind: str,
    source: EventSource,
    output: str | None,
    per_page: str,
    paper: str,
    at: str | None,
    link: str | None,
    address: str | None,
    **chosen: Any,
) -> None:
    """Make a PDF of the event in FILE (- for standard input), or without FILE of the running event.

    KIND is one of:

    \b
    pairings   the pairings of a round, by name or by table
    slips      result slips, in order once they are cut and stacked
    standings  the standings with all tiebreakers and the line of the cut
    sheet      the chart of a draft, with the results so far
    card       a score card for each player
    bracket    the bracket and the places, or the rounds of a round robin
    sign-in    a list of the players who are expected
    seats      player-meeting seats, before the first round
    """
    _refuse_unused(kind)
    if address is not None and (link is not None or not source.running):
        raise click.UsageError(say("--address is for slips of a running event: leave out FILE and --link"))
    choice = PrintOptions(**chosen, per_page=int(per_page), paper=PAPER[paper])
    with name_file_in_errors(source.name):
        printed_event = _read_printed_event(source, choice)
        if at is not None:
            printed_event = replace(printed_event, at=join_lines(at), posted={})
        if link is not None:
            printed_event = replace(printed_event, link=partial(_fill_link, link))
        if address is not None:
            printed_event = replace(printed_event, link=_link_to_desk(source, address))
        printed = print_sheet(kind, printed_event, choice)
    for problem in printed.problems:
        warn(problem)
    write_file(printed.pdf, output or f"{kind}.pdf")


def _refuse_unused(kind: str) -> None:
    """Refuse options that would change nothing on this paper."""
    context = click.get_current_context()
    for name in set().union(*SHEET_OPTIONS.values()) - SHEET_OPTIONS[kind]:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            other = {"round": "after", "after": "round"}.get(name, "")
            fields = {"kind": kind, "option": f"--{name.replace('_', '-')}"}
            if other in SHEET_OPTIONS[kind]:
                problem = say(
                    "{kind}: {option} has no effect here; did you mean {other}?", **fields, other=f"--{other}"
                )
            else:
                problem = say("{kind}: {option} has no effect here; leave it out", **fields)
            raise click.UsageError(problem)


def _fill_link(link: str, number: int, table: Number) -> str:
    return link.replace("{round}", str(number)).replace("{table}", quote(str(table), safe=""))


def _link_to_desk(source: EventSource, address: str) -> Link:
    """Return the links that the desk of this event puts on its slips."""
    from topcut.app.access.access import Access
    from topcut.app.access.player_links import slip_address
    from topcut.cli.running_event import run_in_store

    state, log = source.content.state, source.content.log
    assert state is not None
    assert log is not None
    secret = run_in_store(source.target, lambda store: Access(store).secret("players"))

    return lambda number, table: address + slip_address(secret, log.event, state.get_round(number), table)


def _read_printed_event(source: EventSource, choice: PrintOptions) -> PrintedEvent:
    state = source.content.state
    if state is not None:
        printed_event = build_printed_event(state)
        return replace(printed_event, book=source.event.book) if source.readings else printed_event
    if choice.changed:
        problem = say("expected a log: an event file does not say which tables changed")
        raise BadInput(problem, place="--changed")
    event = source.event
    file = event.file
    return PrintedEvent(
        name=file.name,
        book=event.book,
        options=file.options,
        players=file.players,
        rounds=file.rounds,
        seeds=tuple(choose_lot_seed([file.seed], file.rounds[:n]) for n in range(len(file.rounds) + 1)),
    )
