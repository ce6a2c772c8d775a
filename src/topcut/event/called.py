"""What are players called, wherever they are told of?

A display name counts for what happened before it too: whoever reads on must not find the other one there.
"""

from __future__ import annotations

from collections.abc import Iterator

from topcut.event import facts as f
from topcut.event.journal import Journal
from topcut.event.private import Person, person_of

NAMING = (f.Registered, f.PlayerEdited, f.Forgotten, f.Purged, f.Undone, f.Redone)
"""After these somebody may be called something else."""


def called_now(journal: Journal) -> dict[str, str]:
    """What players are called now, whatever they were called before."""
    there = journal.state.players
    called = {player: person.name for player, person in _taken_off(journal)}
    called |= {player_id: entrant.player.name for player_id, entrant in there.items()}
    return {player: name for player, name in (called | display_names(journal)).items() if name}


def display_names(journal: Journal) -> dict[str, str]:
    """The display names there are; of those who are not on the list any more, the last they had."""
    there = journal.state.players
    names = {player: person.display for player, person in _taken_off(journal) if person.display}
    return names | {player_id: entrant.display for player_id, entrant in there.items() if entrant.display}


def _taken_off(journal: Journal) -> Iterator[tuple[str, Person]]:
    """All that was ever known of players who are not on the list any more."""
    for entry in journal.entries:
        fact = entry.fact
        if isinstance(fact, f.Registered | f.PlayerEdited) and fact.player not in journal.state.players:
            yield fact.player, person_of(journal.private, fact.person)
