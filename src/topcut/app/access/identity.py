"""Describe the sender of a request: a name for the log, a role, its rights, and the events they reach."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing, suppress
from dataclasses import dataclass

from msgspec import Struct

from topcut.app.access.roles import ROLE_NAMES, ROLES, Role
from topcut.errors import TopcutError
from topcut.event.commands import AnyCommand
from topcut.event.event_log import EventLog
from topcut.event.needed_rights import OWN_COMMANDS, find_needed_rights
from topcut.event.rights import RIGHTS, Right
from topcut.store.interface import StoreError
from topcut.text.messages import say


class NotAllowed(TopcutError):
    """A right is missing."""

    def __init__(self, right: Right, role: Role) -> None:
        self.right, self.role = right, role
        what = RIGHTS[right]
        if role in ("player", "public"):
            said = say("Players and visitors can't {do}. Ask the organiser for a staff link.", do=what)
        else:
            said = say(
                "Your link ({role}) doesn't allow you to {do}. Ask the organiser for a link that does.",
                role=ROLE_NAMES[role],
                do=what,
            )
        super().__init__(said)


class Identity(Struct, frozen=True):
    name: str
    """The name in the log."""
    role: Role
    rights: frozenset[Right]
    event: str | None = None
    """The only event they reach; None: several."""
    owner: str | None = None
    """The account whose events they reach; None: all of them."""
    players: tuple[str, ...] = ()
    """The players they act for."""
    key: str = ""
    """The key that limits count by; empty without a link."""
    csrf: str = ""
    """The token that a page sends with every command; empty where no cookie is used."""
    via: str = "desk"

    def may(self, right: Right) -> bool:
        return right in self.rights

    def require(self, right: Right) -> None:
        """Refuse an identity that lacks a right."""
        if right not in self.rights:
            raise NotAllowed(right, self.role)

    def check(self, commands: Iterable[AnyCommand], log: EventLog) -> None:
        """Refuse commands that they may not give to an event in its present state."""
        for command in commands:
            if self._for_themselves(command):
                self.require("speak")
                continue
            self.require(command.right)  # first, so that a refusal tells nothing about the event
            for right in sorted(find_needed_rights(command, log, self.name)):
                if right == "speak":  # a player speaks only for the players of their address
                    raise NotAllowed(right, self.role)
                self.require(right)

    def _for_themselves(self, command: AnyCommand) -> bool:
        """Tell whether a command concerns only players they act for; `then` decides the tables of others."""
        own = isinstance(command, OWN_COMMANDS) and command.player in self.players
        return own and getattr(command, "then", None) is None


EVERYBODY = Identity(name="", role="public", rights=ROLES["public"], via="hall")


def identity_of_players(players: Iterable[str], name: str, via: str) -> Identity:
    """Return the identity of a person who acts for players by a signed address."""
    spoken = tuple(players)
    key = f"player {' '.join(spoken)}"
    return Identity(name=name, role="player", rights=ROLES["player"], players=spoken, key=key, via=via)


@dataclass(frozen=True)
class Visitor:
    """Hold the sender of a request, and check whether they would still be let in."""

    who: Identity
    still_allowed: Callable[[], Awaitable[bool]]

    async def follow(self, stream: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        """Yield a stream until the visitor is no longer let in, or with other rights.

        A database that does not answer ends no stream.
        """
        async with aclosing(stream) as messages:
            async for message in messages:
                with suppress(StoreError):
                    if self.who.key and not await self.still_allowed():
                        return
                yield message
