"""`topcut pair`: pair the next round of an event file, and say why."""

import secrets
from collections import Counter
from typing import Any

import click

from topcut.cli.event_source import EventSource, takes_event_or_file
from topcut.cli.output import json_option, make_printable, print_json, print_table, warn
from topcut.formats.event_file import Event
from topcut.formats.paths import name_file_in_errors
from topcut.history import check_reported
from topcut.pairing.model import RoundPairing, build_pairing_document
from topcut.stages.progress import Progress
from topcut.stages.stage_types import make_table_draw, pair_next_round
from topcut.text.messages import list_and
from topcut.text.phrases import plural

SHOWN = 20
"""Pairings of an audit that are printed for people, at most."""
GIVEN = {
    "chart": "as the chart has it",
    "bracket": "as the bracket has it",
    "round-robin": "everybody meets everybody",
}
"""What is said of pairings that nothing optimises, by the kind of certificate."""


@click.command("pair")
@click.option("--seed", metavar="TEXT", help="The seed of the lots (default: a fresh one).")
@click.option(
    "--draws",
    type=click.IntRange(1, 10_000_000),
    metavar="N",
    help="Audit: draw N times (seeds TEXT/1 to TEXT/N) and count each pairing.",
)
@takes_event_or_file
@json_option
def command(source: EventSource, seed: str | None, draws: int | None, as_json: bool) -> None:
    """The next round of the event in FILE (- for standard input).

    Without FILE: what a seed that you give would draw for the running event. The round itself is drawn from
    the event's secret, by `topcut round pair` alone.
    """
    if source.running and seed is None:
        instead = "give FILE, or --seed TEXT to see what that text would draw"
        raise click.UsageError(f"`topcut round pair` pairs the running event; here {instead}")
    event = source.event
    file = event.file
    fresh = secrets.token_urlsafe(12) if seed is None else seed
    with name_file_in_errors(source.name):
        check_reported(file.players, file.rounds)
        # A first round can draw rank seeds; a cut has the lots of the standings before it.
        seeds = [seed, file.seed] if file.rounds else [seed, file.seed, fresh]
        progress = Progress(event.history, event.book, file.options, file.rounds, seeds)
        if draws is not None:
            _audit(event, progress, fresh, draws, as_json)
            return
        pairing = pair_next_round(progress, fresh)
    if as_json:
        print_json(build_pairing_document(pairing, event.history))
    else:
        _print(event, pairing)
    for warning in pairing.warnings:
        warn(warning)
    if source.running:
        warn("this is not the round: `topcut round pair` draws it from the event's secret")


def _print(event: Event, pairing: RoundPairing) -> None:
    answer = build_pairing_document(pairing, event.history)
    names = {player.id: player.shown_name for player in event.history.players}
    pools = len({found.pool for found in pairing.tables}) > 1
    headings = ["table", *(["pool"] if pools else []), "players", "why"]
    lines = []
    for row, found in zip(answer["tables"], pairing.tables, strict=True):
        number = str(row.get("table", "bye"))
        players = " - ".join(names[player_id] for player_id in row["players"])
        lines.append([number, *([found.pool] if pools else []), players, "; ".join(row["why"])])
    print(f"{make_printable(event.file.name)}: round {pairing.round} ({event.book.title})\n")
    print_table(headings, lines, right=[0], wrap=True)
    print()
    for kind, numbers in pairing.drawn.items():
        did = "left out by the cut: " if kind == "cut" else f"drawn: {kind} of "
        print(f"{did}{plural(len(numbers), 'player')} (in the answer with --json)")
    print(f"seed {make_printable(pairing.seed)}; {_describe_proof(answer)}")


def _describe_proof(answer: dict[str, Any]) -> str:
    """Return in half a line how well the pairing is proved, or the best cost beside the proved bound."""
    kind, cost, bound = answer["certificate"]["kind"], answer["cost"], answer["certificate"].get("bound")
    if kind in GIVEN:
        return GIVEN[kind]
    if answer["optimal"]:
        almost = "" if answer["uniform"] == "exact" else "very nearly "
        return f"proved optimal; all optimal pairings were {almost}equally likely"
    parts = [name for name in ("rematches", "displacement", "apart") if bound and cost[name] != bound[name]]
    if not parts:
        return "not proved optimal"
    found = list_and(f"{name} {cost[name]}" for name in parts)
    return f"the best found: {found}; it cannot be less than {list_and(bound[name] for name in parts)}"


def _audit(event: Event, progress: Progress, seed: str, draws: int, as_json: bool) -> None:
    drawing = make_table_draw(progress)
    counts = Counter(drawing(f"{seed}/{i}") for i in range(1, draws + 1))
    players = event.history.players
    found: list[tuple[int, list[list[str]]]] = []
    for tables, count in counts.items():
        rows = sorted(sorted(players[i].id for i in seated) for seated in tables)
        found.append((count, sorted(rows, key=lambda row: len(row) == 1)))
    found.sort(key=lambda entry: (-entry[0], entry[1]))
    if as_json:
        pairings = [{"count": count, "tables": rows} for count, rows in found]
        print_json({"draws": draws, "distinct": len(found), "seed": seed, "pairings": pairings})
        return
    names = {player.id: player.shown_name for player in players}
    about = f"{draws} draws, {len(found)} different pairings"
    print(f"{make_printable(event.file.name)}: {about} (seed {make_printable(seed)})\n")
    lines = []
    for count, rows in found[:SHOWN]:
        pairing = ", ".join(" - ".join(names[player_id] for player_id in row) for row in rows)
        lines.append([str(count), f"{100 * count / draws:.2f}%", pairing])
    print_table(["times", "share", "pairing"], lines, right=[0, 1])
    if len(found) > SHOWN:
        print(f"and {len(found) - SHOWN} more (all with --json)")
