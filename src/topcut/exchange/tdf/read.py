"""From what a .tdf file says to an event file, with a sentence for each thing that was decided on the way.

Every pod numbers its rounds from 1 and goes on with its elimination rounds. In an event file a round has
one stage for everybody: Swiss rounds stand beside each other from the first on, elimination rounds after
the longest Swiss part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace as with_fields

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.exchange.event_file import EventFile
from topcut.exchange.tdf.options import options_of
from topcut.exchange.tdf.sheet import (
    BOTH_LOST,
    BYE,
    FIRST_WON,
    LATE,
    SECOND_WON,
    TIE,
    Entry,
    Match,
    Pod,
    Sheet,
)
from topcut.history import Player, Round, Table
from topcut.history.divisions import division_born
from topcut.rulebook import Book
from topcut.rulebook.planning.cut import bracket_size, fold
from topcut.rulebook.planning.words import both

MODES = ("TCG1DAY", "LEAGUECHALLENGE", "PRERELEASE", "CUSTOM", "VGCPREMIER")
UNSAID = "City, organiser and times."
"""What a .tdf says and an event file does not."""
OVER = "That the event is over."


def event_of(sheet: Sheet, book: Book, tables: Mapping[str, str | None]) -> tuple[EventFile, list[str]]:
    """The event of a file, and what there is to say about it. `tables`: kind of game to round table."""
    longest = max((pod.swiss for pod in sheet.pods), default=0)
    divisions, notes = _divisions(sheet, book)
    home = {player_id: pod for pod in sheet.pods for player_id in pod.players}
    players = tuple(
        _player(entry, home.get(entry.id), divisions[entry.id], longest, bool(sheet.pods))
        for entry in sheet.players
    )
    rounds = _rounds(sheet, longest, divisions)
    file = EventFile(
        topcut=1, name=sheet.name or "(no name)", rules=book.id, players=players, rounds=tuple(rounds)
    )
    options, said = options_of(sheet, file, book, tables[sheet.game])
    if options.flights:
        flights = {
            player_id: n
            for pod in sheet.pods
            for n, group in enumerate(pod.subgroups, 1)
            for player_id in group
        }
        file = replace(file, players=tuple(replace(p, flight=flights.get(p.id)) for p in players))
    if sheet.mode not in MODES:
        notes.append(f'the mode "{sheet.mode}" is not known; it changes nothing here.')
    if not re.fullmatch(r"1\.\d+", sheet.version):
        notes.append(f'version "{sheet.version}" is not known: expected 1.7 to 1.86; it is read like those.')
    outside = [player.shown_name for player in players if sheet.pods and player.id not in home]
    if outside:
        notes.append(f"{both(outside)}: in no pod, and so in no round.")
    return replace(file, options=options), notes + said


def _divisions(sheet: Sheet, book: Book) -> tuple[dict[str, str | None], list[str]]:
    """Everybody's division: as the final places have it, else the pod's, else by year of birth."""
    assert book.divisions is not None
    names = [division.name for division in book.divisions.list]
    placed = {player_id: number for number, ids in sheet.places.items() for player_id in ids}
    placed |= {player_id: number for number, ids in sheet.unfinished.items() for player_id, _ in ids}
    pods = {player_id: pod for pod in sheet.pods for player_id in pod.players}
    found: dict[str, str | None] = {}
    unborn, moved = [], []
    for entry in sheet.players:
        pod = pods.get(entry.id)
        own = division_born(entry.born, book, sheet.start) if entry.born is not None else None
        if entry.id in placed:
            number: int | None = placed[entry.id]
            if pod is not None and number not in pod.divisions:
                problem = f"has a place in category {number} and plays in a pod of category {pod.category}"
                raise BadInput(problem, place=f"player {entry.id}")
        elif pod is None:
            number = None if own is None else names.index(own)
        elif len(pod.divisions) == 1 or own is None:
            number = pod.divisions[-1]
        else:
            number = min(max(names.index(own), pod.divisions[0]), pod.divisions[-1])
            if names[number] != own:
                moved.append(f"{entry.name or entry.id} ({own}) as {names[number]}")
        if entry.born is None:
            unborn.append(entry.name or entry.id)
        found[entry.id] = None if number is None else names[number]
    notes = []
    if unborn:
        notes.append(f"{both(unborn)}: no date of birth.")
    if moved:
        notes.append(f"{both(moved)}: a pod holds no other divisions than its own.")
    if sheet.start is None:
        notes.append("There is no start date: years of birth count as in the season of the ruleset.")
    return found, notes


def _player(entry: Entry, pod: Pod | None, division: str | None, longest: int, begun: bool) -> Player:
    """A player, with rounds as the event numbers them."""
    seated = pod is not None and any(entry.id in a_round.outcomes for a_round in pod.rounds)
    if entry.dropped is not None and entry.dropped <= 1 and not seated:
        entry = with_fields(entry, dropped=0)  # before round 1 was paired, whichever number the file has
    player = Player(
        id=entry.id,
        name=entry.name,
        division=division,
        member=entry.id,
        born=entry.born,
        dropped=entry.dropped,
    )
    if pod is None:
        return replace(player, dropped=0) if begun else player

    def number(own: int) -> int:
        return own if own <= pod.swiss else longest + own - pod.swiss

    outcomes = [a_round.outcomes.get(entry.id) for a_round in pod.rounds]
    late = next((n for n, code in enumerate(outcomes) if code != LATE), len(outcomes))
    first = next((n for n, code in enumerate(outcomes, 1) if code not in (None, LATE)), None)
    if late:  # they were there from the next round on, whether they sat somewhere in it or not
        first = late + 1
    elif first is None:
        first = 1 if entry.dropped is not None else pod.swiss + 1
    on = entry.seed is not None or any(code is not None for code in outcomes[pod.swiss :])
    out = pod.swiss < len(pod.rounds) and not on
    dropped = None if entry.dropped is None else number(entry.dropped)
    return replace(
        player,
        entered=min(first, pod.swiss + 1) if dropped is None else min(first, dropped + 1),
        dropped=dropped,
        cut=pod.swiss if out and entry.dropped is None and first <= pod.swiss else None,
    )


def _rounds(sheet: Sheet, longest: int, divisions: Mapping[str, str | None]) -> list[Round]:
    seeds = {entry.id: entry.seed for entry in sheet.players}
    most = max((len(pod.rounds) - pod.swiss for pod in sheet.pods), default=0)
    found: list[list[Table]] = [[] for _ in range(longest + most)]
    for pod in sheet.pods:
        for own, a_round in enumerate(pod.rounds):
            at = own if own < pod.swiss else longest + own - pod.swiss
            tables = [_table(match) for match in a_round.matches]
            found[at] += _seeded(tables, seeds, divisions) if own == pod.swiss else tables
    return [
        Round(
            tables=tuple(sorted(tables, key=lambda table: len(table.players) == 1)),
            stage="swiss" if at < longest else "elimination",
        )
        for at, tables in enumerate(found)
    ]


def _table(match: Match) -> Table:
    winners = {TIE: "draw", BOTH_LOST: "double_loss"}
    winner = winners.get(match.outcome)
    if match.outcome in (FIRST_WON, SECOND_WON):
        winner = match.players[0 if match.outcome == FIRST_WON else 1]
    return Table(
        players=match.players,
        table=match.table or None,
        winner=winner,
        bye=match.outcome == BYE,
        loss=match.outcome == LATE,
    )


def _seeded(
    tables: list[Table], seeds: Mapping[str, int | None], divisions: Mapping[str, str | None]
) -> list[Table]:
    """The first round of a bracket from the top, the better rank seed first, where all of them are known.

    So an event file has it; this program begins elsewhere, with the same tables.
    """
    apart: dict[frozenset[str | None], list[Table]] = {}
    for table in tables:
        apart.setdefault(frozenset(divisions[player_id] for player_id in table.players), []).append(table)
    found: list[Table] = []
    for bracket in apart.values():
        numbers = {player_id: seeds[player_id] or 0 for table in bracket for player_id in table.players}
        if sorted(numbers.values()) != list(range(1, len(numbers) + 1)):
            found += bracket
            continue
        order = fold(bracket_size(len(numbers)))
        better = [replace(t, players=tuple(sorted(t.players, key=numbers.__getitem__))) for t in bracket]
        found += sorted(better, key=lambda table: order.index(numbers[table.players[0]]))
    return found
