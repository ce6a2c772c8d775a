"""`topcut standings`: who is ahead after a round, and why."""

from __future__ import annotations

import click

from topcut.cli.asked import Asked, Opened, about_event
from topcut.cli.options import readings_option
from topcut.cli.output import json_option, print_json, table, visible, warn
from topcut.errors import BadInput
from topcut.exchange.event_file import Event
from topcut.exchange.files import naming
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
@about_event
@click.option(
    "--after", type=click.IntRange(min=0), metavar="R", help="After this round (default: the last)."
)
@click.option("--seed", metavar="TEXT", help="The seed of lots (default: the event's).")
@click.option(
    "--explain", "who", metavar="PLAYER", help="The arithmetic for one player, by id, name or part of it."
)
@readings_option
@json_option
def command(
    asked: Asked,
    after: int | None,
    seed: str | None,
    who: str | None,
    readings: dict[str, str],
    as_json: bool,
) -> None:
    """Standings after a round of the event in FILE (- for standard input).

    Without FILE: of the running event, after its last whole round.
    """
    opened = asked.open()
    loaded = opened.built(readings)
    with naming(opened.name):
        after = _after(loaded, opened.whole if after is None else after)
        rounds = loaded.file.rounds[: min(after, loaded.history.rounds)]
        so_far = loaded.history.after(len(rounds))
        history, here = counted(so_far, loaded.book, loaded.file.options, rounds)
        lots = seed_of_lots([seed, opened.lots(after)], loaded.file.rounds[:after])
        standings = rank(history, loaded.book, lots)
        player = None if who is None else loaded.history.index[_find(opened, who)]
    nowhere = sits_nowhere(standings.history, NAMED + 1)
    for number, absent in nowhere[:NAMED]:
        warn(f"{opened.name}: round {number}: {absent.shown_name} ({absent.id}) sits at no table")
    if len(nowhere) > NAMED:
        warn(f"{opened.name}: and others; the first {NAMED} are named")
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
        _print(loaded, standings, len(rounds), answer)


def _after(event: Event, after: int) -> int:
    """The round after which to count, once every table up to it is reported."""
    played = len(event.file.rounds)
    if after > played:
        raise BadInput(f"there is no round {after}: expected 0 to {played}", place="--after")
    check_reported(event.file.players, event.file.rounds[:after])
    return after


def _find(opened: Opened, who: str) -> str:
    """The id of the player who is meant, whom other commands would find by the same words."""
    from topcut.event.find import find_by_name
    from topcut.event.refusals import UnknownPlayer

    legal = opened.content.legal
    names = {p.id: (p.shown_name, legal.get(p.id, p.shown_name)) for p in opened.content.file.players}
    try:
        return find_by_name(names, who)
    except UnknownPlayer as unknown:
        raise BadInput(str(unknown), place="--explain") from None


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
