"""What every decision works with: the event as it stands, who asks, and what has been decided so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import singledispatch

from topcut.digests import text_digest
from topcut.errors import BadInput
from topcut.event.applying import Now
from topcut.event.evolve import after_all
from topcut.event.facts import AnyFact, Committed
from topcut.event.journal import Journal
from topcut.event.log import digest
from topcut.event.private import Person, sealed
from topcut.event.refusals import NeedsReason, NotNow
from topcut.event.state import Entrant, Phase, RoundOf, State
from topcut.history.model import Table
from topcut.rulebook.planning.words import both

PHASES: dict[Phase, str] = {
    "draft": "paired and not published",
    "published": "published and not started",
    "started": "being played",
    "ended": "over",
}
LONGEST = 200
"""Letters in a name or an id."""
RESERVED = ("draw", "double_loss")
"""What stands in the place of a winner."""


@dataclass(frozen=True)
class Context:
    """Who asks for something, when, from where, and with what chance."""

    at: datetime
    by: str
    entropy: str
    """Text that nobody can guess, drawn anew for each command."""
    via: str = ""


@dataclass(frozen=True)
class Decision:
    """What a command comes to."""

    facts: list[AnyFact]
    private: dict[str, bytes] = field(default_factory=dict)
    """What is to be kept outside the log."""
    says: list[str] = field(default_factory=list)
    """What people must be told."""
    warnings: list[str] = field(default_factory=list)
    unsettled: bool = False
    """Whether the round that is up must still be drawn or repaired, after the commands that follow."""


class Desk:
    """One command at work."""

    def __init__(self, journal: Journal, context: Context, later: bool = False) -> None:
        self.journal = journal
        self.later = later
        """Whether other commands follow that change the round too: then it is settled after them."""
        self.state: State = journal.state
        self.context = context
        self.decided = Decision([])
        self._drawn = 0

    @property
    def now(self) -> Now:
        return Now(self.context.at, self.context.by, {**self.journal.private, **self.decided.private})

    def fact(self, *facts: AnyFact) -> None:
        """It is so from now on."""
        self.decided.facts.extend(facts)
        self.state = after_all(self.state, facts, self.now)

    def say(self, text: str) -> None:
        self.decided.says.append(text)

    def warn(self, text: str) -> None:
        self.decided.warnings.append(text)

    def fresh(self) -> str:
        """A text that nobody can guess."""
        self._drawn += 1
        return text_digest(self.context.entropy, str(self._drawn)).hex()

    def person(
        self, name: str, member: str | None = None, born: int | None = None, display: str | None = None
    ) -> str:
        """The key under which somebody is kept outside the log."""
        person = Person(name=name, display=display, member=member, born=born, salt=self.fresh()[:32])
        key, body = sealed(person)
        self.decided.private[key] = body
        return key

    def commit(self) -> str:
        """The commitment to a new secret."""
        secret = self.fresh()
        commitment = digest(secret.encode())
        self.decided.private[commitment] = secret.encode()
        return commitment

    def secret(self) -> str:
        """The secret that seeds come from; a new one where the last is known to everybody."""
        if self.state.commitment in self.state.revealed:
            self.fact(Committed(commitment=self.commit()))
        body = {**self.journal.private, **self.decided.private}.get(self.state.commitment)
        if body is None:  # a copy of the log without it
            self.fact(Committed(commitment=self.commit()))
            body = self.decided.private[self.state.commitment]
            self.warn("the secret of the draws is not here: a new one is used from now on")
        return body.decode()

    # What commands ask of the state

    def entrant(self, player: str) -> Entrant:
        return self.state.entrant(player)

    def running(self) -> None:
        """Refuse what changes an event that is finished."""
        if self.state.finished:
            raise NotNow("the event is finished: reopen it first")

    def upcoming(self, did: str) -> RoundOf:
        """The round that is paired and has not begun."""
        upcoming = self.state.upcoming
        if upcoming is None:
            where = self._where()
            raise NotNow(f"no round waits to be {did}: {where}")
        return upcoming

    def playing(self) -> RoundOf:
        """The round that is being played."""
        a_round = self.state.round
        if a_round is None or a_round.phase != "started":
            raise NotNow(f"no round is being played: {self._where()}")
        return a_round

    def table(self, a_round: RoundOf, number: int | str, seen: tuple[str, ...] | None) -> Table:
        """A table; refused where others sit there than those who were seen."""
        if isinstance(number, str) and a_round.at(number) is None:
            name = self.entrant(number).player.shown_name
            raise NotNow(f"{name} does not sit alone in round {a_round.number}")
        table = a_round.table_at(number)
        if seen is not None and seen != table.players:
            who = both(map(self.state.name_of, table.players))
            sit = f"sit at table {number} of" if isinstance(number, int) else "sits alone in"
            raise NotNow(f"{who} {sit} round {a_round.number} by now: look again")
        return table

    def reason(self, reason: str, why: str) -> str:
        if not reason:
            raise NeedsReason(f"{why}: expected a reason, which the log will show")
        return reason

    def _where(self) -> str:
        a_round = self.state.round
        if a_round is None:
            return "no round is paired yet"
        return f"round {a_round.number} is {PHASES[a_round.phase]}"


@singledispatch
def handle(command: object, desk: Desk) -> None:
    """Decide one kind of command."""
    raise NotImplementedError(type(command))


def checked_name(text: str, place: str = "name") -> str:
    """The name of a player or of an event, in one line."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST or not name.isprintable():
        seen = "".join(letter if letter.isprintable() else "�" for letter in name[:40])
        what = f'"{seen}{"…" if len(name) > 40 else ""}" cannot be a name'
        raise BadInput(f"{what}: expected a name of 1 to {LONGEST} letters that can be seen", place=place)
    return name
