"""`topcut plan`: print rounds, cut, flights and tables for a number of players."""

from pathlib import Path
from typing import Any, get_args

import click

from topcut.cli.options import parse_numbers, readings_option, rules_option
from topcut.cli.output import json_option, make_printable, print_json
from topcut.rulebook import load
from topcut.rulebook.layout import Format
from topcut.rulebook.planning.divisions import plan_divisions
from topcut.rulebook.planning.plan import Wishes, plan_event
from topcut.rulebook.planning.sentences import describe_plan
from topcut.text.messages import say


@click.command("plan")
@rules_option
@click.option(
    "--players",
    required=True,
    metavar="N[,N…]",
    callback=parse_numbers,
    help="How many; several numbers are divisions.",
)
@click.option(
    "--format", type=click.Choice(get_args(Format)), help="The format (default: the ruleset's usual one)."
)
@click.option("--table", metavar="NAME", help="One of the ruleset's round tables (default: the usual one).")
@click.option("--flights", metavar="K[,K…]", callback=parse_numbers, help="How many flights; 0 for none.")
@click.option("--cut", metavar="N[,N…]", callback=parse_numbers, help="Players in the elimination rounds.")
@click.option("--one-less", is_flag=True, help="Play one Swiss round fewer, where the rules allow that.")
@click.option(
    "--max-rounds",
    type=int,
    metavar="R",
    help="At most R Swiss rounds: take the fewest flights that allow it.",
)
@readings_option
@json_option
def command(
    rules: str,
    players: list[int],
    flights: list[int] | None,
    cut: list[int] | None,
    readings: dict[str, str],
    as_json: bool,
    **same: Any,
) -> None:
    """Plan rounds, cut, flights, tables and byes for a number of players.

    Several numbers for --players are divisions. The plan then says whether they play separately or in one
    pool, and --flights and --cut take one number for all divisions, or one for each. One number of flights
    is for the divisions that may play in flights.
    """
    book = load(rules, readings, folder=Path.cwd())
    each = zip(_spread(flights, players, "flights"), _spread(cut, players, "cut"), strict=True)
    wishes = [Wishes(flights=flights_here, cut=cut_here, **same) for flights_here, cut_here in each]
    one = len(players) == 1
    for_all = len(flights or ()) == 1
    answer = (
        plan_event(book, players[0], wishes[0]) if one else plan_divisions(book, players, wishes, for_all)
    )
    if as_json:
        print_json(answer)
    else:
        print("\n".join(map(make_printable, describe_plan(answer))))


def _spread(given: list[int] | None, players: list[int], option: str) -> list[int | None]:
    if given is None or len(given) == 1:
        return [given[0] if given else None] * len(players)
    if len(given) != len(players):
        name, known = f"--{option}", len(players)
        problem = say("{option}: expected 1 number, not {given}", option=name, given=len(given))
        if known > 1:
            problem = say(
                "{option}: expected 1 or {number} numbers, not {given}",
                option=name,
                number=known,
                given=len(given),
            )
        raise click.UsageError(problem)
    return [*given]
