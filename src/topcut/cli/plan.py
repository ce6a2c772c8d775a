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


@click.command("plan")
@rules_option
@click.option(
    "--players", required=True, metavar="N[,N…]", callback=parse_numbers, help="How many, by division."
)
@click.option("--format", type=click.Choice(get_args(Format)), help="Default: the ruleset's usual one.")
@click.option("--table", metavar="NAME", help="Which of the ruleset's round tables.")
@click.option("--flights", metavar="K[,K…]", callback=parse_numbers, help="Split into flights; 0 for none.")
@click.option("--cut", metavar="N[,N…]", callback=parse_numbers, help="Players in the elimination rounds.")
@click.option("--one-less", is_flag=True, help="Play one Swiss round fewer, where the rules leave that open.")
@click.option(
    "--max-rounds", type=int, metavar="R", help="The most Swiss rounds: take the fewest flights that do."
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
    """Rounds, cut, flights, tables and byes for a number of players.

    With several numbers, one for each division: whether they play on their own or in one pool. --flights and
    --cut then take one number for all divisions or one for each.
    """
    book = load(rules, readings, folder=Path.cwd())
    each = zip(_spread(flights, players, "flights"), _spread(cut, players, "cut"), strict=True)
    wishes = [Wishes(flights=flights_here, cut=cut_here, **same) for flights_here, cut_here in each]
    one = len(players) == 1
    answer = plan_event(book, players[0], wishes[0]) if one else plan_divisions(book, players, wishes)
    if as_json:
        print_json(answer)
    else:
        print("\n".join(map(make_printable, describe_plan(answer))))


def _spread(given: list[int] | None, players: list[int], option: str) -> list[int | None]:
    if given is None or len(given) == 1:
        return [given[0] if given else None] * len(players)
    if len(given) != len(players):
        raise click.UsageError(f"--{option}: expected 1 or {len(players)} numbers, not {len(given)}")
    return [*given]
