"""An event as CSV, as spreadsheets open it rightly: its players, the pairing of a round, standings, results.

UTF-8 with a mark in front, lines as Windows ends them, quotes where they are needed (RFC 4180). Cells that a
spreadsheet would compute are defused, and nothing is written that it would take for a date: neither `2-1` nor
`5/9`. So games stand in columns of their own, and exact values as `0 5/9`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from fractions import Fraction
from io import StringIO

from topcut.errors import BadInput
from topcut.exchange.event_file import Event
from topcut.exchange.lists.cells import defused
from topcut.exchange.lists.meanings import FIELDS
from topcut.exchange.lists.outcomes import outcomes
from topcut.history import check_reported
from topcut.history.divisions import division_of
from topcut.history.model import Player, Round, Table
from topcut.stages.board import Board
from topcut.stages.scored import seed_of_lots
from topcut.standings.answer import key_labels

MARK = b"\xef\xbb\xbf"
Cell = str | int | None


def csv_players(event: Event, private: bool = False) -> bytes:
    """Everybody who is in the event; `private`: with membership numbers, birth years and labels."""
    players = event.file.players
    used = [field for field in FIELDS[1:] if any(getattr(p, field) is not None for p in players)]
    labels = max((len(p.apart) for p in players), default=0) if private else 0
    secret = ["member", "born"] if private else []
    headings = ["id", "name", "division", *secret, "entered", *map(_heading, used), *["apart"] * labels]
    lines: list[list[Cell]] = []
    for player in players:
        division = player.division if private else division_of(player, event.book)
        line: list[Cell] = [player.id, player.shown_name, division]
        line += [getattr(player, field) for field in (*secret, "entered", *used)]
        lines.append([*line, *(player.apart if private else ())])
    return written(headings, lines)


def csv_pairings(event: Event, round_number: int | None = None) -> bytes:
    """The pairing of a round, the last one if none is given, with everybody's points before it."""
    number, a_round = _round(event, round_number)
    seats = _seats([a_round])
    scored = a_round.stage == "swiss" and number > 1
    scores = _board(event, number - 1).scores if scored else {}
    headings = ["round", "table"]
    for seat in range(1, seats + 1):
        headings += [f"player {seat}", f"id {seat}", *([f"points {seat}"] if scored else [])]
    names = {player.id: player.shown_name for player in event.file.players}
    lines = []
    for table in a_round.tables:
        line: list[Cell] = [number, table.table]
        for player_id in table.players:
            line += [names[player_id], player_id, *([_mixed(scores[player_id][0])] if scored else [])]
        if table.bye or table.loss:
            line += outcomes(table)
        lines.append(line)
    return written(headings, lines)


def csv_results(event: Event) -> bytes:
    """Every table of every round, so that all of it can be read again."""
    rounds = event.file.rounds
    seats = _seats(rounds)
    games = event.book.match.results != "scores"
    kind = "games" if games else "score"
    headings = ["round", "stage", "table"]
    for seat in range(1, seats + 1):
        headings += [f"{what} {seat}" for what in ("player", "id", "outcome", kind)]
    headings += ["drawn games"] if games else []
    names = {player.id: player.shown_name for player in event.file.players}
    lines = []
    for number, a_round in enumerate(rounds, start=1):
        for table in a_round.tables:
            line: list[Cell] = [number, a_round.stage, table.table]
            numbers: Sequence[int | None] = table.scores or (table.games or ())[:2] or [None] * seats
            for player_id, outcome, scored in zip(table.players, outcomes(table), numbers, strict=False):
                line += [names[player_id], player_id, outcome, scored]
            if games:
                line += [None] * (len(headings) - len(line) - 1)
                line.append(table.games[2] if table.games else None)
            lines.append(line)
    return written(headings, lines)


def csv_standings(event: Event, after: int | None = None) -> bytes:
    """The standings after a round, the last one if none is given: each value as shown, and exactly."""
    played = len(event.file.rounds)
    after = played if after is None else after
    if not 0 <= after <= played:
        raise BadInput(f"there is no round {after}: expected 0 to {played}", place="after")
    check_reported(event.file.players, event.file.rounds[:after])
    board = _board(event, after)
    found = board.rows
    short = {key.key: key.short or key.label for key in event.book.chain}
    tiebreaks = [key for key, _ in key_labels(board.standings)[1:]]
    inside = [kind for kind in ("division", "flight") if found and kind in found[0]]
    headings = ["rank", "id", "name", "points", "wins", "losses", "draws", "byes"]
    for key in tiebreaks:
        headings += [short.get(key, key), f"{short.get(key, key)} exact"]
    headings += [heading for kind in inside for heading in (kind, f"{kind} rank")]
    headings += ["left", "decided by"]
    lines = []
    for row in found:
        record = row["record"]
        line: list[Cell] = [row["rank"], row["id"], row["name"], _mixed(row["points"])]
        line += [record[kind] for kind in ("wins", "losses", "draws", "byes")]
        for tiebreak in row["tiebreaks"]:
            line += [_Ours(tiebreak["shown"]), _mixed(tiebreak["value"])]
        line += [row[key] for kind in inside for key in (kind, f"{kind}_rank")]
        line.append(next((why for why in ("dropped", "disqualified") if row.get(why)), None))
        lines.append([*line, row["decided_by"]])
    return written(headings, lines)


def written(headings: Sequence[str], lines: Iterable[Sequence[Cell]]) -> bytes:
    """The bytes of a table; rows that are short are filled up."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([defused(heading) for heading in headings])
    for line in lines:
        filled = [*line, *[None] * (len(headings) - len(line))]
        writer.writerow([_cell(cell) for cell in filled])
    return MARK + text.getvalue().encode()


class _Ours(str):
    """A text that is a number, such as a percentage: a minus in front of it is no formula."""


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int | _Ours):
        return str(cell)
    return defused(" ".join(cell.split()))


def _mixed(value: int | str | None) -> Cell:
    """An exact value as spreadsheets read it: `5/9` would be a day in September.

    >>> _mixed("15/7"), _mixed("-5/9"), _mixed("3"), _mixed(None)
    ('2 1/7', '-0 5/9', '3', None)
    """
    if value is None:
        return None
    exact = Fraction(value)
    if exact.denominator == 1:
        return _Ours(exact)
    whole, rest = divmod(abs(exact.numerator), exact.denominator)
    return _Ours(f"{'-' if exact < 0 else ''}{whole} {rest}/{exact.denominator}")


def _heading(field: str) -> str:
    return {"seed": "rank seed"}.get(field, field)


def _seats(rounds: Iterable[Round]) -> int:
    return max([2, *(len(table.players) for a_round in rounds for table in a_round.tables)])


def _round(event: Event, number: int | None) -> tuple[int, Round]:
    rounds = event.file.rounds
    if not rounds:
        raise BadInput("there is no round yet, so nobody is paired")
    number = len(rounds) if number is None else number
    if not 1 <= number <= len(rounds):
        raise BadInput(f"there is no round {number}: expected 1 to {len(rounds)}", place="round")
    return number, rounds[number - 1]


def _board(event: Event, after: int) -> Board:
    """Who is ahead after so many rounds."""
    file, rounds = event.file, event.file.rounds[:after]
    return Board(file.players, rounds, event.book, file.options, seed_of_lots([file.seed], rounds))


def losses(event: Event, kind: str, private: bool = False) -> list[str]:
    """What such a CSV would not hold of this event, a sentence each."""
    file = event.file
    told = ["The name of the event and its ruleset: whoever reads the list says them."]
    if file.options != type(file.options)() or file.seed is not None:
        told.append("The options of the event and the seed of its lots.")
    if kind != "results" and file.rounds:
        told.append({"pairings": "Results, and all rounds but one."}.get(kind, "Rounds and results."))
    if kind != "players":
        told += _players_lost(file.players, file.rounds, kind)
    elif not private and any(p.member or p.born or p.apart for p in file.players):
        told.append("Membership numbers, birth years and labels of players.")
    if kind == "standings" and file.rounds:
        told.append("How points and tiebreaks came about: read again, the ranks become rank seeds.")
    if kind in ("results", "pairings"):
        told += _tables_lost(file.rounds)
    if any(_changed(p.id) or _changed(p.name) for p in file.players):
        told.append("Spaces and line breaks in names and ids, where there is more than one space in a row.")
    return told


def _players_lost(players: Sequence[Player], rounds: Sequence[Round], kind: str) -> list[str]:
    told = []
    kept = ("division",) if kind == "standings" else ()
    fields = [field for field in ("division", "member", "born", *FIELDS[1:]) if field not in kept]
    if any(p.apart or p.entered > 1 or any(getattr(p, f) is not None for f in fields) for p in players):
        told.append(
            "What is known of players beside their names: numbers, divisions, when they came and left."
        )
    seated = {player_id for a_round in rounds for table in a_round.tables for player_id in table.players}
    if kind != "standings" and any(player.id not in seated for player in players):
        told.append("Players who never sat at a table.")
    return told


def _tables_lost(rounds: Sequence[Round]) -> list[str]:
    tables: list[Table] = [table for a_round in rounds for table in a_round.tables]
    told = []
    if any(a_round.seed is not None or a_round.format is not None for a_round in rounds):
        told.append("The seeds and formats of rounds.")
    if any(table.why for table in tables):
        told.append("Why players were paired.")
    if any(table.tie_counts or table.win_given_to for table in tables):
        told.append("How ties at the top of tables were broken.")
    if any(not a_round.tables for a_round in rounds):
        told.append("Rounds without tables.")
    return told


def _changed(text: str) -> bool:
    return " ".join(text.split()) != text
