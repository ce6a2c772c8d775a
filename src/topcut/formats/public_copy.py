"""Copy an event for everybody: no membership number, birth year or label, wherever it stands."""

from collections.abc import Mapping

from msgspec.structs import replace

from topcut.formats.event_file import Event, EventFile, build_event
from topcut.history.divisions import hide_private_fields
from topcut.rulebook import Book
from topcut.stages.player_ids import assign_ids, count_whole_rounds, replace_ids
from topcut.stages.progress import choose_lot_seed


def make_public(event: Event) -> Event:
    """Return the event without what only staff may know.

    Reasons of pairings go too, since they can name a label; and where an id, or a name, is a membership
    number, everybody gets an id of their own.
    """
    members = {player.member for player in event.file.players if player.member is not None}
    players = [hide_private_fields(player, event.book) for player in event.file.players]
    rounds = event.file.rounds
    file = replace(
        event.file,
        players=tuple(replace(p, name="") if p.name.strip() in members else p for p in players),
        rounds=tuple(replace(r, tables=tuple(replace(t, why=()) for t in r.tables)) for r in rounds),
    )
    if any(player.id in members for player in file.players):
        file = _with_own_ids(file, event.book)
    return build_event(file, book=event.book, reading="known")


def _with_own_ids(file: EventFile, book: Book) -> EventFile:
    """Return the file with p1, p2, … for ids, given out so that every lot falls as it fell.

    Where Swiss rounds are played, the seeds of rounds are left out: for other ids they draw other tables.
    """
    width = len(str(len(file.players)))
    own = [f"p{number:0{width}}" for number in range(1, len(file.players) + 1)]
    new = assign_ids([player.id for player in file.players], own, file.rounds, file.seed, book)
    if any(a_round.is_scored for a_round in file.rounds):
        seed = choose_lot_seed([file.seed], file.rounds[: count_whole_rounds(file.rounds)])
        file = replace(file, seed=seed, rounds=tuple(replace(r, seed=None) for r in file.rounds))
    return replace_player_ids(file, new)


def replace_player_ids(file: EventFile, ids: Mapping[str, str]) -> EventFile:
    """Return the event with other ids for its players."""
    return replace(
        file,
        players=tuple(replace(player, id=ids[player.id]) for player in file.players),
        rounds=tuple(replace(r, tables=tuple(replace_ids(t, ids) for t in r.tables)) for r in file.rounds),
    )
