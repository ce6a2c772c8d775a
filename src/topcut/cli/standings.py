"""`topcut standings`: print who is ahead after a round, and why."""

from typing import Any

import click

from topcut.cli.event_source import EventSource, takes_event_or_file
from topcut.cli.output import json_option, print_json, print_line, print_table, warn
from topcut.errors import BadInput
from topcut.formats.event_file import Event
from topcut.formats.paths import name_file_in_errors
from topcut.history import check_reported
from topcut.history.builder import list_idle_players
from topcut.stages.leaderboard import Leaderboard
from topcut.stages.progress import choose_lot_seed
from topcut.standings.document import build_document, format_record
from topcut.standings.explain import explain_standing
from topcut.standings.rank import LOT
from topcut.text.messages import join_messages, say

NAMED = 100
"""Players who sit at no table that are warned of one by one, at most."""


@click.command("standings")
@click.option(
    "--after", type=click.IntRange(min=0), metavar="R", help="After this round (default: the last)."
)
@click.option("--seed", metavar="TEXT", help="The seed of random draws (default: the event's).")
@click.option(
    "--explain",
    "who",
    metavar="PLAYER",
    help="Explain the standing of one player (an id, a name or part of it).",
)
@takes_event_or_file
@json_option
def command(source: EventSource, after: int | None, seed: str | None, who: str | None, as_json: bool) -> None:
    """Show the standings after a round of the event in FILE (- for standard input).

    Without FILE: of the running event, after its last complete round.
    """
    event = source.event
    file = event.file
    with name_file_in_errors(source.name):
        after = source.played_rounds if after is None else after
        if after > len(file.rounds):
            problem = say(
                "there is no round {round}: expected 0 to {last}", round=after, last=len(file.rounds)
            )
            raise BadInput(problem, place="--after")
        check_reported(file.players, file.rounds[:after])
        rounds = file.rounds[: min(after, event.history.rounds)]
        lots = choose_lot_seed([seed, source.find_lot_seed(after)], file.rounds[:after])
        history = event.history.after(len(rounds))
        board = Leaderboard(file.players, rounds, event.book, file.options, lots, history)
        standings = board.standings
        lines = None
        if who is not None:
            lines = explain_standing(standings, event.history.index[_find_player(source, who)])
    idle = list_idle_players(standings.history, NAMED + 1)
    for number, absent in idle[:NAMED]:
        problem = say("{player} ({id}) is at no table", player=absent.shown_name, id=absent.id)
        warn(join_messages(": ", [source.name, say("round {round}", round=number), problem]))
    if len(idle) > NAMED:
        warn(
            say(
                "{file}: more players are at no table; these are the first {number}",
                file=source.name,
                number=NAMED,
            )
        )
    if any(a_round.in_bracket for a_round in file.rounds[:after]):
        warn(say("Elimination rounds do not change the standings. `topcut bracket` shows the final places."))
    if as_json:
        document = build_document(standings, after, board.rows)
        print_json(document if lines is None else {**document, "explained": lines})
    elif lines is not None:
        for line in lines:
            print_line(line)
    else:
        _print(event, board)


def _find_player(source: EventSource, who: str) -> str:
    """Return the id of the player who is meant, found as by commands on a running event."""
    from topcut.event.lookup import find_by_name
    from topcut.event.refusals import UnknownPlayer

    legal = source.content.legal
    names = {p.id: (p.shown_name, legal.get(p.id, p.shown_name)) for p in source.content.file.players}
    try:
        return find_by_name(names, who)
    except UnknownPlayer as unknown:
        raise BadInput(unknown.message, place="--explain") from None


def _print(event: Event, board: Leaderboard) -> None:
    short = {key.key: key.short or key.label for key in event.book.chain} | {LOT: say("lot")}
    first = event.book.chain[0].key
    columns = [key for key in board.standings.columns if key != first]
    inside = [kind for kind in ("division", "flight") if board.rows and kind in board.rows[0]]
    tiebreaks = [short[key] for key in columns]
    ranks = [say("division") if kind == "division" else say("flight") for kind in inside]
    headings = [say("rank"), say("player"), short[first], say("record"), *ranks, *tiebreaks, say("ahead by")]
    lines = []
    for row in board.rows:
        shown = {tiebreak["key"]: tiebreak["shown"] for tiebreak in row["tiebreaks"]}
        line = [str(row["rank"]), _name_player(row), str(row["points"]), format_record(row["record"])]
        line += [f"{row[kind] or '-'} #{row[f'{kind}_rank']}" for kind in inside]
        line += [*(shown[key] for key in columns), short.get(row["decided_by"], "-")]
        lines.append(line)
    name, rules = event.file.name, event.book.title
    print_line(
        say("{event}: standings after round {round} ({rules})", event=name, round=board.rounds, rules=rules)
    )
    print()
    print_table(headings, lines, right=[0, 2, *range(4 + len(inside), len(headings) - 1)])


def _name_player(row: dict[str, Any]) -> str:
    """Return the name of a player, and whether they have left the event."""
    if row.get("disqualified"):
        return say("{player} (disqualified)", player=row["name"])
    return say("{player} (dropped)", player=row["name"]) if row.get("dropped") else str(row["name"])
