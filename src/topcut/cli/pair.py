"""`topcut pair`: pair the next round of an event file, and say why."""

import secrets
from collections import Counter
from typing import Any

import click

from topcut.cli.costs import describe_cost
from topcut.cli.event_source import EventSource, takes_event_or_file
from topcut.cli.output import json_option, print_json, print_line, print_table, warn
from topcut.formats.event_file import Event
from topcut.formats.paths import name_file_in_errors
from topcut.history import check_reported
from topcut.pairing.model import RoundPairing, build_pairing_document
from topcut.stages.progress import Progress
from topcut.stages.stage_types import make_table_draw, pair_next_round
from topcut.text.messages import Message, count, decimals, join_messages, say

SHOWN = 20
"""Pairings of an audit that are printed for people, at most."""
GIVEN = {
    "chart": say("paired by the chart"),
    "bracket": say("paired by the bracket"),
    "round-robin": say("round robin"),
}
"""What is said of pairings that nothing optimises, by the kind of certificate."""
DRAWN = {
    "flights": say("flights"),
    "pods": say("pods"),
    "seats": say("seats"),
    "seeds": say("rank seeds"),
}
"""What a pairing draws first."""


@click.command("pair")
@click.option("--seed", metavar="TEXT", help="The seed of the draw (default: a new one).")
@click.option(
    "--draws",
    type=click.IntRange(1, 10_000_000),
    metavar="N",
    help="Audit: draw N times, with the seeds TEXT/1 to TEXT/N, and count each pairing.",
)
@takes_event_or_file
@json_option
def command(source: EventSource, seed: str | None, draws: int | None, as_json: bool) -> None:
    """Pair the next round of the event in FILE (- for standard input), and say why.

    Without FILE: show what the seed in --seed would draw for the running event. Only `topcut round pair`
    pairs its next round, from the event's secret.
    """
    if source.running and seed is None:
        problem = say(
            "`topcut round pair` pairs the running event; here give FILE, or --seed TEXT to see what it draws"
        )
        raise click.UsageError(problem)
    event = source.event
    file = event.file
    fresh = secrets.token_urlsafe(12) if seed is None else seed
    with name_file_in_errors(source.name):
        event.check_continues()
        check_reported(file.players, file.rounds)
        # A first round can draw rank seeds; a cut has the lots of the standings before it.
        seeds = [seed, file.seed] if file.rounds else [seed, file.seed, fresh]
        progress = Progress(event.history, event.book, file.options, file.rounds, seeds)
        if draws is not None:
            _audit(event, progress, fresh, draws, as_json)
            return
        pairing = pair_next_round(progress, fresh)
    if as_json:
        document = build_pairing_document(pairing, event.history)
        print_json(document | {"warnings": [*event.warnings, *document["warnings"]]})
    else:
        _print(event, pairing)
    for warning in pairing.warnings:
        warn(warning)
    if source.running:
        warn(say("This is only a trial. `topcut round pair` pairs the round, from the event's secret."))


def _print(event: Event, pairing: RoundPairing) -> None:
    answer = build_pairing_document(pairing, event.history)
    names = {player.id: player.shown_name for player in event.history.players}
    pools = len({found.pool for found in pairing.tables}) > 1
    headings = [say("table"), *([say("pool")] if pools else []), say("players"), say("why")]
    lines = []
    for row, found in zip(answer["tables"], pairing.tables, strict=True):
        number = str(row["table"]) if "table" in row else say("bye")
        players = " - ".join(names[player_id] for player_id in row["players"])
        lines.append([number, *([found.pool] if pools else []), players, join_messages("; ", row["why"])])
    title = say(
        "{event}: round {round} ({rules})", event=event.file.name, round=pairing.round, rules=event.book.title
    )
    print_line(title)
    print()
    print_table(headings, lines, right=[0], wrap=True)
    print()
    for kind, numbers in pairing.drawn.items():
        print_line(_describe_drawn(kind, count("{n} player", "{n} players", len(numbers))))
    print_line(say("seed {seed}; {proof}", seed=pairing.seed, proof=_describe_proof(answer)))


def _describe_drawn(kind: str, players: str) -> str:
    """Return what else was decided, for which players."""
    if kind == "cut":
        return say("left out by the cut: {players} (listed with --json)", players=players)
    return say("drawn: {what} of {players} (listed with --json)", what=DRAWN[kind], players=players)


def _describe_proof(answer: dict[str, Any]) -> str:
    """Return in half a line how well the pairing is proved, or the best cost beside the proved bound."""
    kind, cost, bound = answer["certificate"]["kind"], answer["cost"], answer["certificate"].get("bound")
    if kind in GIVEN:
        return GIVEN[kind]
    if answer["optimal"]:
        if answer["uniform"] == "exact":
            return say("proved optimal; all optimal pairings were equally likely")
        return say("proved optimal; all optimal pairings were very nearly equally likely")
    parts = [name for name in ("rematches", "displacement", "apart") if bound and cost[name] != bound[name]]
    if not parts:
        return say("not proved optimal")
    found, least = describe_cost(cost, parts), describe_cost(bound, parts)
    return say("best found: {cost}; proved minimum: {least}", cost=found, least=least)


def _audit(event: Event, progress: Progress, seed: str, draws: int, as_json: bool) -> None:
    drawing = make_table_draw(progress)
    counts = Counter(drawing(f"{seed}/{i}") for i in range(1, draws + 1))
    players = event.history.players
    found: list[tuple[int, list[list[str]]]] = []
    for tables, times in counts.items():
        rows = sorted(sorted(players[i].id for i in seated) for seated in tables)
        found.append((times, sorted(rows, key=lambda row: len(row) == 1)))
    found.sort(key=lambda entry: (-entry[0], entry[1]))
    if as_json:
        pairings = [{"count": times, "tables": rows} for times, rows in found]
        print_json({"draws": draws, "distinct": len(found), "seed": seed, "pairings": pairings})
        return
    names = {player.id: player.shown_name for player in players}
    title = count(
        "{event}: {draws} draws, {n} different pairing (seed {seed})",
        "{event}: {draws} draws, {n} different pairings (seed {seed})",
        len(found),
        event=event.file.name,
        draws=draws,
        seed=seed,
    )
    print_line(title)
    print()
    lines = []
    for times, rows in found[:SHOWN]:
        pairing = join_messages(", ", [_name_table([names[player_id] for player_id in row]) for row in rows])
        lines.append([str(times), decimals(f"{100 * times / draws:.2f}%"), pairing])
    print_table([say("times"), say("share"), say("pairing")], lines, right=[0, 1])
    if len(found) > SHOWN:
        print_line(say("and {n} more (all with --json)", n=len(found) - SHOWN))


def _name_table(players: list[str]) -> str | Message:
    return " - ".join(players) if players[1:] else say("{player}: bye", player=players[0])
