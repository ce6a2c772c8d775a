"""`topcut standings`: who is ahead after a round, and why."""

from __future__ import annotations

import click

from topcut.cli.options import readings_option
from topcut.cli.output import json_option, print_json, table, visible, warn
from topcut.errors import BadInput
from topcut.exchange.event_file import Event
from topcut.exchange.files import naming, shown_path
from topcut.exchange.opened import open_event
from topcut.history import check_reported
from topcut.history.building import sits_nowhere
from topcut.stages.scored import counted, seed_of_lots
from topcut.standings import Standings, rank
from topcut.standings.answer import Row, document, record_words, rows
from topcut.standings.explain import explain
from topcut.standings.rank import LOT

NAMED = 100
"""Players who sit at no table, as far as there is a warning for each."""


@click.command("standings")
@click.argument("event", metavar="EVENT.json")
@click.option(
    "--after", type=click.IntRange(min=0), metavar="R", help="After this round (default: the last)."
)
@click.option("--seed", metavar="TEXT", help="The seed of lots (default: the event's).")
@click.option(
    "--explain", "who", metavar="PLAYER", help="The arithmetic for one player, by id or unique name."
)
@readings_option
@json_option
def command(
    event: str, after: int | None, seed: str | None, who: str | None, readings: dict[str, str], as_json: bool
) -> None:
    """Standings after a round of the event in EVENT.json (- for standard input)."""
    loaded = open_event(event, readings)
    with naming(event):
        after = _after(loaded, after)
        rounds = loaded.file.rounds[: min(after, loaded.history.rounds)]
        so_far = loaded.history.after(len(rounds))
        history, here = counted(so_far, loaded.book, loaded.file.options, rounds)
        lots = seed_of_lots([seed, loaded.file.seed], loaded.file.rounds[:after])
        standings = rank(history, loaded.book, lots)
        player = None if who is None else _find(loaded, who)
    nowhere = sits_nowhere(standings.history, NAMED + 1)
    for number, absent in nowhere[:NAMED]:
        where = f"{shown_path(event)}: round {number}"
        warn(f"{where}: {absent.shown_name} ({absent.id}) sits at no table")
    if len(nowhere) > NAMED:
        warn(f"{shown_path(event)}: and others; the first {NAMED} are named")
    if any(a_round.stage == "elimination" for a_round in loaded.file.rounds[:after]):
        warn("elimination rounds do not change the standings; topcut bracket gives the final places")
    lines = None if player is None else explain(standings, player)
    answer = [row for row in rows(standings, loaded.file.options.division_mode) if row["id"] in here]
    if as_json:
        found = document(standings, after, answer)
        print_json(found if lines is None else {**found, "explained": lines})
    elif lines is not None:
        print("\n".join(map(visible, lines)))
    else:
        _print(loaded, standings, after, answer)


def _after(event: Event, after: int | None) -> int:
    played = len(event.file.rounds)
    if after is None:
        after = played
    if after > played:
        raise BadInput(f"there is no round {after}: expected 0 to {played}", place="--after")
    check_reported(event.file.players, event.file.rounds[:after])
    return after


def _find(event: Event, who: str) -> int:
    if who in event.history.index:
        return event.history.index[who]
    names = [player.shown_name for player in event.history.players]
    found = [i for i, name in enumerate(names) if name == who]
    found = found or [i for i, name in enumerate(names) if name.casefold() == who.casefold()]
    found = found or [i for i, name in enumerate(names) if who.casefold() in name.casefold().split()]
    if len(found) == 1:
        return found[0]
    if not found:
        raise BadInput(f'no player has the id or name "{who}"', place="--explain")
    several = ", ".join(f"{names[i]} ({event.history.players[i].id})" for i in found[:5])
    raise BadInput(f'"{who}" is not unique: expected the id of {several}', place="--explain")


def _print(event: Event, standings: Standings, after: int, answer: list[Row]) -> None:
    short = {key.key: key.short or key.label for key in event.book.chain} | {LOT: "lot"}
    columns = [key for key in standings.columns if key != event.book.chain[0].key]
    inside = [kind for kind in ("division", "flight") if answer and kind in answer[0]]
    headings = ["rank", "player", short[event.book.chain[0].key], "record", *inside]
    headings += [*(short[key] for key in columns), "ahead by"]
    lines = []
    for row in answer:
        shown = {tiebreak["key"]: tiebreak["shown"] for tiebreak in row["tiebreaks"]}
        left = "".join(f" ({why})" for why in ("dropped", "disqualified") if row.get(why))
        line = [str(row["rank"]), f"{row['name']}{left}", str(row["points"]), record_words(row["record"])]
        line += [f"{row[kind] or '-'} #{row[f'{kind}_rank']}" for kind in inside]
        line += [*(shown[key] for key in columns), short.get(row["decided_by"], "-")]
        lines.append(line)
    print(f"{visible(event.file.name)}: standings after round {after} ({event.book.title})\n")
    print(table(headings, lines, right=[0, 2, *range(4 + len(inside), len(headings) - 1)]))
