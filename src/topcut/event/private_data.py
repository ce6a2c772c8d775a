"""Keep outside the log who the players are, and the secret of the draws until the end.

Each entry is found by the SHA-256 of its bytes, which is all that the log holds. So an entry cannot be
exchanged without showing, and it can be deleted without breaking the log. People come with salt: nobody can
find a name or a year by trying them all.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from topcut.event.log_chain import digest
from topcut.lots import digest_texts


class Person(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who a player is."""

    name: str = ""
    """The name they sign in with."""
    display: str | None = None
    """What everybody sees in its place."""
    member: str | None = None
    born: int | None = None
    salt: str = ""

    @property
    def shown(self) -> str:
        """What everybody may see of them.

        >>> Person(name="Ada Okafor", display="Zed").shown, Person(name="Ada Okafor").shown
        ('Zed', 'Ada Okafor')
        """
        return self.display or self.name


NOBODY = Person()
"""A person whose entry was deleted."""


def read_person(private: Mapping[str, bytes], key: str) -> Person:
    """Return the person with this key, as far as they are still known."""
    body = private.get(key)
    if body is None or digest(body) != key:
        return NOBODY
    try:
        return msgspec.json.decode(body, type=Person)
    except msgspec.MsgspecError:
        return NOBODY


def derive_seed(secret: str, *words: str | int) -> str:
    """Return the seed that a secret gives for something: a round, and the number of the attempt.

    >>> derive_seed("a secret", "round", 3, "attempt", 1)
    '21f31f488f2ec6f4'
    """
    return digest_texts(secret, *map(str, words)).hex()[:16]
