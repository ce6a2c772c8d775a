"""What is a new event called in addresses and commands?"""

from __future__ import annotations

import re
from itertools import count

from topcut.store.model import Store


def plain_id(name: str) -> str:
    """An id made of a name.

    >>> plain_id("Kraków Cup №3!")
    'kraków-cup-3'
    """
    return re.sub(r"\W+", "-", name.casefold()).strip("-_")[:60] or "event"


async def free_id(store: Store, name: str) -> str:
    """An id for an event of this name that no other event has."""
    taken = {listed.event for listed in await store.events()}
    base = plain_id(name)
    numbered = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(free for free in numbered if free not in taken)
