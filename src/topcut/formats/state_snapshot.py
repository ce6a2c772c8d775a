"""Write a running event as an event file: what is known of it at this moment."""

from collections.abc import Sequence

from msgspec.structs import replace

from topcut.event.apply.context import clear_drawn
from topcut.event.describe.name_marks import put_names_at_table
from topcut.event.draw import find_lots_seed
from topcut.event.state import RoundState, State
from topcut.formats.event_file import EventFile
from topcut.formats.log_file import LogFile, read_checked_log
from topcut.formats.registry import FileContent, ListHints
from topcut.history.divisions import hide_private_fields
from topcut.history.model import Round, Table
from topcut.pairing.model import filter_public_reasons
from topcut.stages.progress import choose_lot_seed


def snapshot_event_file(state: State, private: bool = True) -> EventFile:
    """Return the event as an event file; a round that nobody has seen yet is not in it.

    `private`: with membership numbers, birth years and labels, and with reasons that name labels; divisions
    that follow from those are written out.
    """
    upcoming = state.upcoming
    if upcoming is not None and upcoming.phase == "draft":
        state = clear_drawn(state, upcoming, set(upcoming.drawn))
    posted = [a_round for a_round in state.rounds if a_round.phase != "draft"]
    written = state.file_rounds(len(posted) + 1)
    return EventFile(
        topcut=1,
        name=state.name,
        rules=state.book.id,
        seed=_seed_of_lots(posted, written),
        options=state.options,
        players=tuple(p if private else hide_private_fields(p, state.book) for p in state.file_players()),
        rounds=tuple(
            replace(a_round, tables=tuple(_table(state, table, private) for table in a_round.tables))
            for a_round in written
        ),
    )


def _seed_of_lots(posted: Sequence[RoundState], written: Sequence[Round]) -> str | None:
    """Return the seed of lots outside rounds; None where each round says its own.

    So the places after a round are the same before and after the next one is posted.
    """
    after = range(len(posted) + 1)
    if all(choose_lot_seed([], written[:n]) == (find_lots_seed(posted[:n]) or "") for n in after):
        return None
    lots = find_lots_seed(posted)
    return lots if lots or any(a_round.lots is not None for a_round in posted) else None


def _table(state: State, table: Table, private: bool) -> Table:
    if table.why and not private:
        table = replace(table, why=tuple(filter_public_reasons(table.why)))
    return put_names_at_table(state, table)


def snapshot_content(log: LogFile, state: State) -> FileContent:
    """Return what a log and its state say of an event, with the log and the file that the event came from."""
    original = log.private.get(state.original or "")
    return FileContent(
        kind="log",
        file=snapshot_event_file(state),
        book=state.book,
        original=None if original is None else original.decode(),
        forgotten=state.original is not None and original is None,
        legal={player_id: listed.legal for player_id, listed in state.players.items() if listed.display},
        finished=True if state.finished else None,
        log=log,
        state=state,
    )


def read_content(raw: bytes, _: ListHints) -> FileContent:
    """Return what the file of a log says of an event, once its chain is found whole."""
    log, event_log = read_checked_log(raw)
    return snapshot_content(log, event_log.state)
