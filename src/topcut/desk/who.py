"""Whoever asks for something: a name for the log, a role, its rights, and the events they reach."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from topcut.desk.roles import ROLES, Role
from topcut.errors import TopcutError
from topcut.event.commands import AnyCommand
from topcut.event.journal import Journal
from topcut.event.rights import NEEDS, RIGHTS, SPOKEN, Right, needed


class NotAllowed(TopcutError):
    """A right is missing."""

    def __init__(self, right: Right, role: Role) -> None:
        self.right, self.role = right, role
        whose = "players and visitors" if role in ("player", "public") else f"your link ({role})"
        super().__init__(f"{whose} may not {RIGHTS[right]}: ask whoever gave you the link")


class Who(Struct, frozen=True, kw_only=True):
    name: str
    """What the log says."""
    role: Role
    rights: frozenset[Right]
    event: str | None = None
    """The only event they reach; None: several."""
    owner: str | None = None
    """The account whose events they reach; None: all of them."""
    players: tuple[str, ...] = ()
    """For whom they speak."""
    key: str = ""
    """What limits count by; empty for everybody who has no link."""
    csrf: str = ""
    """What a page sends back with every command; empty where nothing is sent without being asked for."""
    via: str = "desk"

    def may(self, right: Right) -> bool:
        return right in self.rights

    def needs(self, right: Right) -> None:
        """Refuse whoever does not have a right."""
        if right not in self.rights:
            raise NotAllowed(right, self.role)

    def check(self, commands: Iterable[AnyCommand], journal: Journal) -> None:
        """Refuse commands that they may not give to an event as it stands."""
        for command in commands:
            if self._for_themselves(command):
                self.needs("speak")
                continue
            self.needs(NEEDS[type(command)])  # before anything is said of the event
            for right in sorted(needed(command, journal, self.name)):
                if right == "speak":  # for those one speaks for, and for nobody else
                    raise NotAllowed(right, self.role)
                self.needs(right)

    def _for_themselves(self, command: AnyCommand) -> bool:
        """Whether they speak for somebody by this; what becomes of others' tables is not theirs to say."""
        own = isinstance(command, SPOKEN) and command.player in self.players
        return own and getattr(command, "then", None) is None


EVERYBODY = Who(name="", role="public", rights=ROLES["public"], via="hall")


def speaking(players: Iterable[str], name: str, via: str) -> Who:
    """Somebody who speaks for players, by a signed address."""
    spoken = tuple(players)
    key = f"player {' '.join(spoken)}"
    return Who(name=name, role="player", rights=ROLES["player"], players=spoken, key=key, via=via)
