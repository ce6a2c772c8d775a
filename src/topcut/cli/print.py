"""`topcut print`: pairings, slips, standings and all other paper, as PDF."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal
from urllib.parse import quote

import click
from click.core import ParameterSource

from topcut.cli.asked import Asked, Opened, about_event
from topcut.cli.options import readings_option
from topcut.cli.output import one_line, warn, write_file
from topcut.errors import BadInput
from topcut.exchange.files import naming
from topcut.paper.choice import PER_PAGE, Choice
from topcut.paper.occasion import Link, Number, Occasion, of_state
from topcut.paper.printing import KINDS, USES, sheet
from topcut.stages.scored import seed_of_lots

LONGEST = 80
"""Letters of a moment."""
PAPER: dict[str, Literal["a4", "us-letter"]] = {"a4": "a4", "letter": "us-letter"}


def _address(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """An address in which {table} and {round} stand for their numbers."""
    if text is not None and "{table}" not in text:
        raise click.BadParameter(f'expected an address with {{table}} in it, not "{text}"')
    return text


def _server(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """The address of a server, to which the rest of a link is added."""
    if text is not None and not text.startswith(("https://", "http://")):
        raise click.BadParameter(f'expected an address such as https://desk.example, not "{text}"')
    return None if text is None else text.rstrip("/")


def _moment(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is not None and len(text) > LONGEST:
        raise click.BadParameter(f"expected at most {LONGEST} letters")
    return text


@click.command("print")
@click.argument("kind", type=click.Choice(list(KINDS)), metavar="KIND")
@about_event
@click.option("-o", "--output", metavar="FILE", help="Where to (default: KIND.pdf; - for standard output).")
@click.option("--round", type=click.IntRange(min=1), metavar="R", help="Which round (default: the last).")
@click.option("--after", type=click.IntRange(min=0), metavar="R", help="Standings, sheet, cards: after it.")
@click.option("--by", type=click.Choice(["name", "table"]), default="name", help="The order of pairings.")
@click.option("--tables", default="", metavar="RANGE", help="Only these tables, such as 5-20,31.")
@click.option("--changed", is_flag=True, help="Only tables that are not the ones first posted (of a log).")
@click.option("--per-page", type=click.Choice([str(n) for n in PER_PAGE]), default="4", help="Slips a page.")
@click.option("--paper", type=click.Choice(list(PAPER)), default="a4", show_default=True)
@click.option("--division", metavar="D", help="Only this division.")
@click.option("--player", metavar="PLAYER", help="Only this player's card, by id, name or part of it.")
@click.option(
    "--at",
    metavar="TEXT",
    callback=_moment,
    help="The moment that the paper names (default: a log knows it).",
)
@click.option(
    "--link",
    metavar="ADDRESS",
    callback=_address,
    help="For QR codes on slips, such as https://desk.example/{round}/{table}.",
)
@click.option(
    "--address",
    metavar="URL",
    callback=_server,
    help="Without FILE: how the hall reaches the desk, for the QR codes that it prints on slips.",
)
@readings_option
def command(
    kind: str,
    asked: Asked,
    output: str | None,
    per_page: str,
    paper: str,
    at: str | None,
    link: str | None,
    address: str | None,
    readings: dict[str, str],
    **chosen: Any,
) -> None:
    """Print KIND of the event in FILE (- for standard input), or without FILE of the running event.

    \b
    pairings   a round from A to Z, or by table
    slips      for results, in the order in which they are cut and stacked
    standings  with all tiebreaks and the line of the cut
    sheet      the chart of a draft, filled as far as it is played
    card       a card for each player
    bracket    the bracket and its places, or the rounds of a round robin
    sign-in    who is expected
    seats      where everybody sits before the first round
    """
    _check_used(kind)
    if address is not None and (link is not None or not asked.running):
        raise click.UsageError("--address is for slips of a running event: expected no FILE and no --link")
    choice = Choice(**chosen, per_page=int(per_page), paper=PAPER[paper])
    opened = asked.open()
    with naming(opened.name):
        occasion = _occasion(opened, choice, readings)
        if at is not None:
            occasion = replace(occasion, at=one_line(at), posted={})
        if link is not None:
            occasion = replace(occasion, link=_filled(link))
        if address is not None:
            occasion = replace(occasion, link=_to_desk(asked, opened, address))
        printed = sheet(kind, occasion, choice)
    for problem in printed.problems:
        warn(problem)
    write_file(printed.pdf, output or f"{kind}.pdf")


def _check_used(kind: str) -> None:
    """Refuse what was chosen and would change nothing on this paper."""
    context = click.get_current_context()
    for name in set().union(*USES.values()) - USES[kind]:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            other = {"round": "after", "after": "round"}.get(name, "")
            instead = f"; did you mean --{other}?" if other in USES[kind] else ""
            raise click.UsageError(f"{kind}: no use for --{name.replace('_', '-')}{instead}")


def _filled(link: str) -> Link:
    def filled(number: int, table: Number) -> str:
        return link.replace("{round}", str(number)).replace("{table}", quote(str(table), safe=""))

    return filled


def _to_desk(asked: Asked, opened: Opened, address: str) -> Link:
    """The links that the desk of this event puts on its slips."""
    from topcut.cli.running import with_store
    from topcut.desk.access import Access
    from topcut.desk.slip import link_of

    state, log = opened.content.state, opened.content.log
    assert state is not None
    assert log is not None
    secret = with_store(asked.target, lambda store: Access(store).secret("players"))

    def to_desk(number: int, table: Number) -> str:
        return address + link_of(secret, log.event, state.numbered(number), table)

    return to_desk


def _occasion(opened: Opened, choice: Choice, readings: dict[str, str]) -> Occasion:
    state = opened.content.state
    if state is not None:
        occasion = of_state(state)
        return replace(occasion, book=opened.built(readings).book) if readings else occasion
    if choice.changed:
        raise BadInput(
            "an event file does not say which tables are new: an exported log does", place="--changed"
        )
    event = opened.built(readings)
    file = event.file
    return Occasion(
        name=file.name,
        book=event.book,
        options=file.options,
        players=file.players,
        rounds=file.rounds,
        seeds=tuple(seed_of_lots([file.seed], file.rounds[:n]) for n in range(len(file.rounds) + 1)),
    )
