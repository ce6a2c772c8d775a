"""A running event as an event file: what is known of it at this moment, for programs that read files."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from topcut.event.applying import without_drawn
from topcut.event.draw import lots_seed
from topcut.event.names import with_names
from topcut.event.state import RoundOf, State
from topcut.exchange.event_file import EventFile
from topcut.exchange.log_file import LogFile
from topcut.exchange.opened import Content
from topcut.history.divisions import for_everybody
from topcut.history.model import Round, Table
from topcut.pairing.paired import public_reasons
from topcut.stages.scored import seed_of_lots


def event_file(state: State, private: bool = True) -> EventFile:
    """The event as the file of the contract; a round that nobody has seen yet is not in it.

    `private`: with membership numbers, birth years and labels, and with reasons that name labels; divisions
    that follow from those are written out.
    """
    upcoming = state.upcoming
    if upcoming is not None and upcoming.phase == "draft":
        state = without_drawn(state, upcoming, set(upcoming.drawn))
    posted = [a_round for a_round in state.rounds if a_round.phase != "draft"]
    written = state.written_rounds(len(posted) + 1)
    return EventFile(
        topcut=1,
        name=state.name,
        rules=state.book.id,
        seed=_lots(posted, written),
        options=state.options,
        players=tuple(p if private else for_everybody(p, state.book) for p in state.written_players()),
        rounds=tuple(
            replace(a_round, tables=tuple(_table(state, table, private) for table in a_round.tables))
            for a_round in written
        ),
    )


def _lots(posted: Sequence[RoundOf], written: Sequence[Round]) -> str | None:
    """The seed of lots outside rounds; None where each round says its own, so that the places after a round
    are the same before and after the next one is posted."""
    after = range(len(posted) + 1)
    if all(seed_of_lots([], written[:n]) == (lots_seed(posted[:n]) or "") for n in after):
        return None
    lots = lots_seed(posted)
    return lots if lots or any(a_round.lots is not None for a_round in posted) else None


def _table(state: State, table: Table, private: bool) -> Table:
    if table.why and not private:
        table = replace(table, why=tuple(public_reasons(table.why)))
    return with_names(state, table)


def content(found: LogFile, state: State) -> Content:
    """The same out of a log and what it comes to, together with the log and the file that it came from."""
    original = found.private.get(state.original or "")
    return Content(
        kind="log",
        file=event_file(state),
        book=state.book,
        original=None if original is None else original.decode(),
        forgotten=state.original is not None and original is None,
        legal={player_id: entrant.legal for player_id, entrant in state.players.items() if entrant.display},
        finished=True if state.finished else None,
        log=found,
        state=state,
    )
