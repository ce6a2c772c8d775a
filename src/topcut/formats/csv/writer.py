"""Write an event as CSV for spreadsheets: its players, the pairing of a round, standings, results.

UTF-8 with a mark in front, lines as Windows ends them, quotes where they are needed (RFC 4180). Cells that a
spreadsheet would compute are defused, and nothing is written that it would take for a date: neither `2-1` nor
`5/9`. So games stand in columns of their own, and exact values as `0 5/9`.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from io import StringIO

from topcut.errors import BadInput
from topcut.formats.csv.columns import OWN_LIST_MEANINGS
from topcut.formats.csv.results import describe_outcomes
from topcut.formats.csv.rows import defuse
from topcut.formats.event_file import Event
from topcut.formats.registry import ExportedEvent, ExportOptions, ListName
from topcut.history import check_reported
from topcut.history.divisions import division_of
from topcut.history.model import Round
from topcut.history.player_fields import PERSONAL, has_private_fields
from topcut.stages.leaderboard import Leaderboard
from topcut.stages.player_ids import count_whole_rounds
from topcut.stages.progress import choose_lot_seed
from topcut.standings.document import list_key_labels
from topcut.text.messages import ENGLISH, render, say

MARK = b"\xef\xbb\xbf"
Cell = str | int | None


def write_players(event: Event, private: bool = False) -> bytes:
    """Return all players of an event; `private`: with membership numbers, birth years and labels."""
    players = event.file.players
    used = [field for field in OWN_LIST_MEANINGS[1:] if any(getattr(p, field) is not None for p in players)]
    labels = max((len(p.apart) for p in players), default=0) if private else 0
    secret = [field.name for field in PERSONAL] if private else []
    byes, headed = (["byes"], ["awarded byes"]) if any(p.byes for p in players) else ([], [])
    named = ["rank seed" if field == "seed" else field for field in used]
    headings = ["id", "name", "division", *secret, "entered", *named, *headed, *["apart"] * labels]
    lines: list[list[Cell]] = []
    for player in players:
        division = player.division if private else division_of(player, event.book)
        values = [getattr(player, field) for field in (*secret, "entered", *used, *byes)]
        apart = player.apart if private else ()
        lines.append([player.id, player.shown_name, division, *values, *apart])
    return encode_csv(headings, lines)


def write_pairings(event: Event, round_number: int | None = None) -> bytes:
    """Return the pairing of a round, the last one if none is given, with everybody's points before it."""
    rounds = event.file.rounds
    if not rounds:
        raise BadInput(say("there are no pairings yet: pair round 1 first"))
    number = len(rounds) if round_number is None else round_number
    if not 1 <= number <= len(rounds):
        problem = say("there is no round {round}: expected 1 to {last}", round=number, last=len(rounds))
        raise BadInput(problem, place="round")
    a_round = rounds[number - 1]
    seats = _count_seats([a_round])
    scored = a_round.is_scored and number > 1
    scores = _make_board(event, number - 1).scores if scored else {}
    headings = ["round", "table"]
    for seat in range(1, seats + 1):
        headings += [f"player {seat}", f"id {seat}", *([f"points {seat}"] if scored else [])]
    names = {player.id: player.shown_name for player in event.file.players}
    lines = []
    for table in a_round.tables:
        line: list[Cell] = [number, table.table]
        for player_id in table.players:
            line += [names[player_id], player_id, *([_format_exact(scores[player_id][0])] if scored else [])]
        if table.bye or table.loss:
            line += describe_outcomes(table)
        lines.append(line)
    return encode_csv(headings, lines)


def write_results(event: Event) -> bytes:
    """Return every table of every round, so that all of it can be read again."""
    rounds = event.file.rounds
    seats = _count_seats(rounds)
    games = event.book.match.results != "scores"
    kind = "games" if games else "score"
    each = [f"{what} {seat}" for seat in range(1, seats + 1) for what in ("player", "id", "outcome", kind)]
    headings = ["round", "stage", "table", *each, *(["drawn games"] if games else [])]
    names = {player.id: player.shown_name for player in event.file.players}
    lines = []
    for number, a_round in enumerate(rounds, start=1):
        for table in a_round.tables:
            line: list[Cell] = [number, a_round.stage, table.table]
            numbers: Sequence[int | None] = table.scores or (table.games or ())[:2] or [None] * seats
            seated = zip(table.players, describe_outcomes(table), numbers, strict=False)
            for player_id, outcome, scored in seated:
                line += [names[player_id], player_id, outcome, scored]
            if table.games:
                line += [None] * (len(headings) - len(line) - 1)
                line.append(table.games[2])
            lines.append(line)
    return encode_csv(headings, lines)


def write_standings(event: Event, after: int | None = None) -> bytes:
    """Return the standings after a round, the last one if none is given: each value as shown, and exactly."""
    played = len(event.file.rounds)
    after = played if after is None else after
    if not 0 <= after <= played:
        problem = say("there is no round {round}: expected 0 to {last}", round=after, last=played)
        raise BadInput(problem, place="after")
    check_reported(event.file.players, event.file.rounds[:after])
    board = _make_board(event, after)
    found = board.rows
    short = {key.key: render(key.short or key.label, ENGLISH) for key in event.book.chain}
    tiebreaks = [key for key, _ in list_key_labels(board.standings)[1:]]
    inside = [kind for kind in ("division", "flight") if found and kind in found[0]]
    headings = ["rank", "id", "name", "points", "wins", "losses", "draws", "byes"]
    for key in tiebreaks:
        headings += [short.get(key, key), f"{short.get(key, key)} exact"]
    headings += [heading for kind in inside for heading in (kind, f"{kind} rank")]
    headings += ["left", "decided by"]
    lines = []
    for row in found:
        record = row["record"]
        line: list[Cell] = [row["rank"], row["id"], row["name"], _format_exact(row["points"])]
        line += [record[kind] for kind in ("wins", "losses", "draws", "byes")]
        for tiebreak in row["tiebreaks"]:
            line += [_Ours(tiebreak["shown"]), _format_exact(tiebreak["value"])]
        line += [row[key] for kind in inside for key in (kind, f"{kind}_rank")]
        line.append(next((why for why in ("dropped", "disqualified") if row.get(why)), None))
        lines.append([*line, row["decided_by"]])
    return encode_csv(headings, lines)


def encode_csv(headings: Sequence[str], lines: Iterable[Sequence[Cell]]) -> bytes:
    """Return the bytes of a table; rows that are short are filled up."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([defuse(heading) for heading in headings])
    for line in lines:
        filled = [*line, *[None] * (len(headings) - len(line))]
        writer.writerow([_format_cell(cell) for cell in filled])
    return MARK + text.getvalue().encode()


class _Ours(str):
    """A text that is a number, such as a percentage: a minus in front of it is no formula."""


def _format_cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int | _Ours):
        return str(cell)
    return defuse(" ".join(cell.split()))


def _format_exact(value: int | str | None) -> Cell:
    """Return an exact value as spreadsheets read it: `5/9` would be a day in September.

    >>> [_format_exact(value) for value in ("15/7", "-5/9", "3", None)]
    ['2 1/7', '-0 5/9', '3', None]
    """
    if value is None:
        return None
    exact = Fraction(value)
    if exact.denominator == 1:
        return _Ours(exact)
    whole, rest = divmod(abs(exact.numerator), exact.denominator)
    return _Ours(f"{'-' if exact < 0 else ''}{whole} {rest}/{exact.denominator}")


def _count_seats(rounds: Iterable[Round]) -> int:
    return max([2, *(len(table.players) for a_round in rounds for table in a_round.tables)])


def _make_board(event: Event, after: int) -> Leaderboard:
    file, rounds = event.file, event.file.rounds[:after]
    return Leaderboard(file.players, rounds, event.book, file.options, choose_lot_seed([file.seed], rounds))


def write_list(name: ListName, exported: ExportedEvent, options: ExportOptions) -> bytes:
    """Return a list of an event as CSV."""
    event = exported.event
    match name:
        case "players":
            return write_players(event, options.private)
        case "pairings":
            return write_pairings(event, options.round)
        case "standings":
            whole = count_whole_rounds(event.file.rounds)
            return write_standings(event, whole if options.round is None else options.round)
        case "results":
            return write_results(event)


def list_losses(name: ListName, exported: ExportedEvent, options: ExportOptions) -> list[str]:
    """Return what a list would not hold of an event, a sentence each."""
    content = exported.content
    return [*content.notes, *content.unsaid, *list_event_losses(exported.event, name, options.private)]


def list_event_losses(event: Event, kind: str, private: bool = False) -> list[str]:
    """Return what such a CSV would not hold of an event, a sentence each."""
    return [sentence for sentence, lost in _check_losses(event, kind, private) if lost]


def _check_losses(event: Event, kind: str, private: bool) -> Iterator[tuple[str, bool]]:
    """Yield each thing that a list can lose, and whether this one does."""
    file, players, rounds = event.file, event.file.players, event.file.rounds
    yield say("The event's name and ruleset. You choose them again when you import the list."), True
    said = file.options != type(file.options)() or file.seed is not None
    yield say("The event's options and the seed of its random lots."), said
    one_round = kind == "pairings"
    others = say("Results, and all rounds except one.") if one_round else say("Rounds and results.")
    yield others, kind != "results" and bool(rounds)
    hidden = any(map(has_private_fields, players))
    if kind != "players":
        fields = [*(["division"] if kind != "standings" else []), *OWN_LIST_MEANINGS[1:]]
        known = any(
            p.entered > 1 or p.byes or any(getattr(p, f) is not None for f in fields) for p in players
        )
        beside = say("Player details other than names: numbers, divisions, when they entered and dropped.")
        yield beside, known or hidden
        absent = {player.id for player in players} - file.seated
        yield say("Players who were never at a table."), kind != "standings" and bool(absent)
    staff_only = say("Membership numbers, birth years and “don't pair with” labels of players.")
    yield staff_only, kind == "players" and hidden and not private
    ranks = say("How points and tiebreakers are computed. When you import the list, ranks become rank seeds.")
    yield ranks, kind == "standings" and bool(rounds)
    if kind in ("results", "pairings"):
        tables = [table for a_round in rounds for table in a_round.tables]
        drawn = any(a_round.seed is not None or a_round.format is not None for a_round in rounds)
        yield say("The seeds and formats of rounds."), drawn
        yield say("Why players were paired."), any(table.why for table in tables)
        broken = any(table.tie_counts or table.win_given_to for table in tables)
        yield say("How ties at the top of tables were broken."), broken
        yield say("Rounds without tables."), any(not a_round.tables for a_round in rounds)
    spaces = say("Line breaks and repeated spaces in names and ids.")
    yield spaces, any(" ".join(text.split()) != text for p in players for text in (p.id, p.name))
