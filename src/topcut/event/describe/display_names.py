"""Find the names by which sentences call players.

A display name counts for what happened before it too: nobody may find the other name further up.
"""

from collections.abc import Iterator

from topcut.event import facts as f
from topcut.event.event_log import EventLog
from topcut.event.private_data import Person, read_person

NAMING_FACTS = (f.Registered, f.PlayerEdited, f.Forgotten, f.Purged, f.Undone, f.Redone)
"""Facts after which a player may be called something else."""


def current_names(log: EventLog) -> dict[str, str]:
    """Return the names of players as they are now, whatever they were before."""
    there = log.state.players
    called = {player: person.name for player, person in _find_taken_off(log)}
    called |= {player_id: listed.player.name for player_id, listed in there.items()}
    return {player: name for player, name in (called | display_names(log)).items() if name}


def display_names(log: EventLog) -> dict[str, str]:
    """Return the display names there are; of players who were taken off the list, the last they had."""
    there = log.state.players
    names = {player: person.display for player, person in _find_taken_off(log) if person.display}
    return names | {player_id: listed.display for player_id, listed in there.items() if listed.display}


def _find_taken_off(log: EventLog) -> Iterator[tuple[str, Person]]:
    """Yield all that was ever known of players who were taken off the list."""
    for entry in log.entries:
        fact = entry.fact
        if isinstance(fact, f.Registered | f.PlayerEdited) and fact.player not in log.state.players:
            yield fact.player, read_person(log.private, fact.person)
