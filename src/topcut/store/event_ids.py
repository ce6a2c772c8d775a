"""Choose the id of a new event, by which addresses and commands name it."""

import re
from itertools import count

from topcut.store.interface import Store


def make_event_id(name: str) -> str:
    """Return an id made of an event's name.

    >>> make_event_id("Kraków Cup №3!")
    'kraków-cup-3'
    """
    return re.sub(r"\W+", "-", name.casefold()).strip("-_")[:60] or "event"


async def find_free_id(store: Store, name: str) -> str:
    """Return an id made of an event's name that no other event of the store has."""
    taken = {stored.event for stored in await store.list_events()}
    base = make_event_id(name)
    numbered = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(free for free in numbered if free not in taken)
