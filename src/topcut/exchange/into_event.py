"""From a file to an event that runs here: the command that takes it over, and what does not come along."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

from topcut.event.commands import TakeOver
from topcut.event.deciding import Context
from topcut.exchange.event_file import Event, EventFile
from topcut.exchange.log_file import LogFile
from topcut.exchange.opened import Content, Kind
from topcut.rulebook.frozen import frozen
from topcut.rulebook.planning.words import counted

SOURCES: dict[Kind, str] = {
    "event": "event file",
    "log": "log",
    "tdf": ".tdf",
    "players": "list of players",
    "pairings": "list of pairings",
    "standings": "list of standings",
    "results": "list of results",
}
"""What kinds of files are called in a log."""
LISTS = ("players", "pairings", "standings", "results")
OURS = re.compile(r"p\d+")
"""Ids that Topcut gives out."""


def taking_over(
    content: Content, readings: dict[str, str] | None = None, folder: Path | None = None
) -> TakeOver:
    """The command that takes an event over; `folder` as in `Content.built`."""
    return _command(content, content.built(readings, folder))


def _command(content: Content, event: Event) -> TakeOver:
    file = event.file
    players = file.players
    if content.kind in LISTS:  # ids in lists of other programs are as a rule membership numbers
        players = tuple(p if OURS.fullmatch(p.id) else replace(p, member=p.member or p.id) for p in players)
    return TakeOver(
        name=file.name,
        book=frozen(event.book),
        options=file.options,
        players=players,
        rounds=file.rounds,
        seed=file.seed,
        source=SOURCES[content.kind],
        original=content.original,
    )


def new_log(content: Content, event: Event, context: Context) -> LogFile:
    """The log that begins with an event that was taken over."""
    from topcut.store.ids import plain_id
    from topcut.store.running import begun

    decision, journal = begun(_command(content, event), context)
    return LogFile(plain_id(event.file.name), journal.lines, decision.private)


def losses(file: EventFile) -> list[str]:
    """What a log does not take over from an event file."""
    from topcut.event.taking import numbered, unfit

    tables = [table for a_round in file.rounds for table in a_round.tables]
    found = []
    if any(table.why for table in tables):
        found.append("Reasons of pairings that were drawn elsewhere.")
    here = [table for a_round in file.rounds for table in numbered(a_round.tables)]
    if any(old.table not in (None, new.table) for old, new in zip(tables, here, strict=True) if new.table):
        found.append("Numbers of tables that are names or stand twice: the tables are counted.")
    if others := unfit(file.players):
        players = counted(len(others), "player")
        found.append(f"Ids of {players}: they are membership numbers, or no address can hold them.")
        if any(a_round.seed is not None for a_round in file.rounds):
            found.append("Seeds of rounds that were drawn by those ids: others would draw other tables.")
    if file.seed is not None and not file.rounds:
        found.append("The seed of lots before the first round: an event draws from a secret of its own.")
    return found
