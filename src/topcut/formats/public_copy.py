"""Copy an event for everybody: no membership number, birth year or label, wherever it stands."""

from msgspec.structs import replace

from topcut.formats.event_file import Event, EventFile, build_event
from topcut.history.divisions import hide_private_fields
from topcut.history.model import Round
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
    file = replace(
        event.file,
        players=tuple(replace(p, name="") if p.name.strip() in members else p for p in players),
        rounds=tuple(_without_reasons(a_round) for a_round in event.file.rounds),
    )
    if any(player.id in members for player in file.players):
        file = _with_own_ids(file, event.book)
    return build_event(file, book=event.book)


def _without_reasons(a_round: Round) -> Round:
    return replace(a_round, tables=tuple(replace(table, why=()) for table in a_round.tables))


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
    return replace(
        file,
        players=tuple(replace(player, id=new[player.id]) for player in file.players),
        rounds=tuple(replace(r, tables=tuple(replace_ids(t, new) for t in r.tables)) for r in file.rounds),
    )
