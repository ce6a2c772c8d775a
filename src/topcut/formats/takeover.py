"""Take an event over from a file: the command for it, its log, and what does not come along."""

import re
from pathlib import Path

from msgspec.structs import replace

from topcut.event.commands import TakeOver
from topcut.event.decide.create import find_unfit_ids, number_foreign_tables
from topcut.formats import log_file
from topcut.formats.event_file import Event
from topcut.formats.registry import FORMATS, ExportedEvent, ExportOptions, FileContent
from topcut.rulebook.loader import freeze_book
from topcut.text.messages import count, say

TOPCUT_ID = re.compile(r"p\d+")
"""Ids that Topcut gives out."""


def make_takeover(
    content: FileContent, readings: dict[str, str] | None = None, folder: Path | None = None
) -> TakeOver:
    """Return the command that takes an event over; `folder` as in `FileContent.build_event`."""
    return _make_command(content, content.build_event(readings, folder))


def _make_command(content: FileContent, event: Event) -> TakeOver:
    file = event.file
    players = file.players
    if FORMATS[content.kind].is_list:  # ids in lists of other programs are as a rule membership numbers
        players = tuple(
            p if TOPCUT_ID.fullmatch(p.id) else replace(p, member=p.member or p.id) for p in players
        )
    return TakeOver(
        name=file.name,
        book=freeze_book(event.book),
        options=file.options,
        players=players,
        rounds=file.rounds,
        seed=file.seed,
        source=FORMATS[content.kind].source,
        original=content.original,
        warnings=event.warnings,
    )


def write_log(exported: ExportedEvent, options: ExportOptions) -> bytes:
    """Return the file of an event's log; where it had none, of one that begins with taking it over."""
    log = exported.content.log
    if log is None:
        from topcut.store.session import begin_event, make_event_id

        decision, begun_log = begin_event(_make_command(exported.content, exported.event), options.context)
        event_id = make_event_id(exported.event.file.name)
        log = log_file.LogFile(event_id, begun_log.lines, decision.private)
    return log_file.encode_log(log.event, log.facts, log.private if options.private else {})


def list_log_losses(exported: ExportedEvent, _: ExportOptions) -> list[str]:
    """Return what a log does not take over from an event, a sentence each."""
    if exported.content.log is not None:
        return []
    file = exported.event.file
    tables = [table for a_round in file.rounds for table in a_round.tables]
    losses = list(exported.content.notes)
    if any(table.why for table in tables):
        losses.append(say("Reasons of pairings that were made elsewhere."))
    here = [table for a_round in file.rounds for table in number_foreign_tables(a_round.tables)]
    if any(old.table not in (None, new.table) for old, new in zip(tables, here, strict=True) if new.table):
        losses.append(say("Table numbers that are names or appear twice: the tables are renumbered."))
    if unfit := find_unfit_ids(file.players):
        lost = count(
            "The id of {n} player, which is a membership number or can't be part of an address.",
            "The ids of {n} players, which are membership numbers or can't be part of an address.",
            len(unfit),
        )
        losses.append(lost)
        if any(a_round.seed is not None for a_round in file.rounds):
            losses.append(
                say("Seeds of rounds that were paired with those ids: new ids would give other tables.")
            )
    if file.seed is not None and not file.rounds:
        losses.append(
            say("The seed of random lots before round 1: a running event uses a secret of its own.")
        )
    return losses
