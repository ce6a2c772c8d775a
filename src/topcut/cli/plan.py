"""`topcut plan`: how long is an event for so many players, and how is it laid out?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import cast, get_args

import click

from topcut.cli.options import numbers, readings_option, rules_option
from topcut.cli.output import json_option, print_json, visible
from topcut.rulebook import load
from topcut.rulebook.planning import DivisionsPlan, EventPlan, Wishes, plan, plan_divisions
from topcut.rulebook.planning.words import both, counted
from topcut.rulebook.section import Format


@click.command("plan")
@rules_option
@click.option("--players", required=True, metavar="N[,N…]", callback=numbers, help="How many, by division.")
@click.option("--format", type=click.Choice(get_args(Format)), help="Default: the ruleset's usual one.")
@click.option("--table", metavar="NAME", help="Which of the ruleset's round tables.")
@click.option("--flights", metavar="K[,K…]", callback=numbers, help="Split into flights; 0 for none.")
@click.option("--cut", metavar="N[,N…]", callback=numbers, help="Players in the elimination rounds.")
@click.option("--one-less", is_flag=True, help="Play one Swiss round fewer, where the rules leave that open.")
@click.option(
    "--max-rounds", type=int, metavar="R", help="The most Swiss rounds: take the fewest flights that do."
)
@readings_option
@json_option
def command(
    rules: str,
    players: list[int],
    format: str | None,
    table: str | None,
    flights: list[int] | None,
    cut: list[int] | None,
    one_less: bool,
    max_rounds: int | None,
    readings: dict[str, str],
    as_json: bool,
) -> None:
    """Rounds, cut, flights, tables and byes for a number of players.

    With several numbers, one for each division: whether they play on their own or in one pool. --flights and
    --cut then take one number for all divisions or one for each.
    """
    book = load(rules, readings, folder=Path.cwd())
    wishes = [
        Wishes(
            format=cast(Format | None, format),
            table=table,
            flights=flights_here,
            cut=cut_here,
            one_less=one_less,
            max_rounds=max_rounds,
        )
        for flights_here, cut_here in zip(
            _for_each(flights, players, "flights"), _for_each(cut, players, "cut"), strict=True
        )
    ]
    answer = plan(book, players[0], wishes[0]) if len(players) == 1 else plan_divisions(book, players, wishes)
    if as_json:
        print_json(answer)
    else:
        lines = _event(answer) if isinstance(answer, EventPlan) else _divisions(answer)
        print("\n".join(map(visible, lines)))


def _for_each(given: list[int] | None, players: list[int], option: str) -> list[int | None]:
    if given is None or len(given) == 1:
        return [given[0] if given else None] * len(players)
    if len(given) != len(players):
        raise click.UsageError(f"--{option}: expected 1 or {len(players)} numbers, not {len(given)}")
    return [*given]


def _divisions(answer: DivisionsPlan) -> Iterator[str]:
    used = {"separate": "separated", "modified": "modified", "off": "all in one bracket"}[answer.mode]
    yield f"{len(answer.divisions)} divisions, {used}"
    for pool in answer.pools:
        together = " in one pool" if len(pool.divisions) > 1 and answer.mode != "off" else ""
        yield f"{both(pool.divisions)}{together}:"
        yield from (f"  {line}" for line in _event(pool.plan))
    yield from _notes(answer.notes)


def _event(answer: EventPlan) -> Iterator[str]:
    split = f", {_flights(answer.flights)}" if answer.flights else ""
    yield f"{counted(answer.players, 'player')}{split}"
    if answer.tables:
        seated = [f"{counted(number, 'table')} of {size}" for size, number in answer.tables.items() if number]
        yield f"{both(seated)}, each round"
    if answer.format in ("swiss", "swiss+elimination"):
        yield from _swiss(answer)
    elif answer.format == "round-robin":
        yield f"{counted(answer.rounds or 0, 'round')}, everybody meets everybody"
    else:
        yield from _bracket(answer)
    yield from _notes(answer.notes)
    if answer.flight_options:
        yield "flights, if time is too short:"
        for option in answer.flight_options:
            yield f"  {_flights(option.sizes)}: {counted(option.rounds or 0, 'round')} of Swiss"


def _swiss(answer: EventPlan) -> Iterator[str]:
    if answer.rounds is None:
        yield "Swiss; the number of rounds is open"
        return
    usual = ["swiss"] + ["swiss"] * bool(answer.day_two) + ["elimination"] * bool(answer.cut)
    if [stage.kind for stage in answer.stages] != usual:
        yield from _stages(answer)
        return
    rounds = counted(answer.rounds, "round")
    by = f", by the table {answer.table}" if answer.table else ""
    each = f"best {answer.per_flight} of each flight" if answer.flights else f"best {answer.cut}"
    then = f", then the {each} play a top {answer.cut}, seeded by standing" if answer.cut else ""
    if day := answer.day_two:
        yield f"day one: {rounds} of Swiss"
        yield f"day two: {counted(day.rounds, 'round')} of Swiss{then}"
        yield f"into day two: {day.points} points or more, or the best {day.top}, whichever are more"
    elif not then:
        yield f"{rounds} of Swiss{by}"
        return
    else:
        yield f"{rounds} of Swiss{then}"
    yield f"{answer.total_rounds} rounds in all{by}"


def _stages(answer: EventPlan) -> Iterator[str]:
    """Stages that are not those of a usual event, one a line."""
    for stage in answer.stages:
        rounds = "" if stage.rounds is None else f"{counted(stage.rounds, 'round')} of "
        how = {"swiss": "Swiss"}.get(stage.kind, stage.kind) + (" in pods" if stage.pods else "")
        who = f", for {stage.enter}" if stage.enter else ""
        yield f"{stage.name}: {rounds}{how}{who}"


def _bracket(answer: EventPlan) -> Iterator[str]:
    """The first round of a bracket, by rank seed: seed s meets size + 1 − s, the best seeds have the byes."""
    size, byes = answer.bracket or 1, answer.byes
    free = f", {counted(byes, 'bye')}" if byes else ", no byes"
    yield f"bracket of {size}{free}, {counted(answer.elimination_rounds, 'round')}, rank seeds by lot"
    number = size // 2 - byes
    last = f" … {size // 2} v {size // 2 + 1}" if number > 1 else ""
    yield f"first round {byes + 1} v {answer.players}{last}, {counted(number, 'table')}"
    if byes:
        yield f"byes for rank seeds 1 to {byes}" if byes > 1 else "a bye for rank seed 1"


def _flights(sizes: tuple[int, ...]) -> str:
    """
    >>> _flights((36, 36, 36, 35)), _flights((32, 32)), _flights((18, 18, 18, 18, 18, 18, 17, 17))
    ('4 flights of 36, 36, 36 and 35', '2 flights of 32', '8 flights, 6 of 18 and 2 of 17')
    """
    if len(set(sizes)) == 1:
        return f"{len(sizes)} flights of {sizes[0]}"
    if len(sizes) <= 4:
        return f"{len(sizes)} flights of {both(sizes)}"
    groups = [f"{len(list(same))} of {size}" for size, same in groupby(sizes)]
    return f"{len(sizes)} flights, {both(groups)}"


def _notes(notes: tuple[str, ...]) -> Iterator[str]:
    yield from (f"note: {note}" for note in notes)
