"""Hold what every decision works with: the event as it is, who asks, and what is decided so far."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import singledispatch
from typing import Any

import msgspec

from topcut.errors import BadInput
from topcut.event.apply.context import FactContext, apply_all
from topcut.event.describe.name_marks import put_names
from topcut.event.event_log import EventLog
from topcut.event.facts import AnyFact, Committed, Paired
from topcut.event.log_chain import digest
from topcut.event.private_data import Person
from topcut.event.refusals import Choice, NeedsReason, NotNow
from topcut.event.state import Phase, RoundState, State
from topcut.history.model import Table
from topcut.lots import digest_texts
from topcut.rulebook.layout import Format
from topcut.text.messages import Message, count, join_messages, list_and, list_first, say

PHASE_WORDS: dict[Phase, Message] = {
    "draft": say("paired and not published"),
    "published": say("published and not started"),
    "started": say("being played"),
    "ended": say("over"),
}
FORMAT_WORDS: dict[Format, Message] = {
    "swiss": say("Swiss rounds"),
    "elimination": say("single elimination"),
    "swiss+elimination": say("Swiss rounds, then a bracket"),
    "double-elimination": say("double elimination"),
    "round-robin": say("round robin"),
}
LONGEST_NAME = 200
"""Letters in a name or an id, at most."""
ID_PATTERN = re.compile(r"[\w.-]{1,60}")
"""What an address can hold."""
RESERVED_IDS = ("draw", "double_loss")
"""What a result has in the place of a winner; no player may have it as an id."""
LAST_TABLE = 10**6
LONGEST_ROUND = 24 * 60
"""Minutes."""
SHOWN = 5
"""Players or tables that a refusal names, at most."""


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
    says: list[Message] = field(default_factory=list)
    """What people must be told."""
    warnings: list[Message] = field(default_factory=list)
    choice: Choice | None = None
    """What the scorekeeper must choose before the command can be done; then there are no facts."""
    unsettled: bool = False
    """Whether the upcoming round must still be drawn or repaired, after the commands that follow."""

    def keep(self, body: bytes) -> str:
        """Keep an entry outside the log, and return its key."""
        self.private[digest(body)] = body
        return digest(body)


class Decider:
    """Decides one command: collects its facts, and knows the state after each of them."""

    def __init__(self, log: EventLog, context: Context, settle_later: bool = False) -> None:
        self.log = log
        self.settle_later = settle_later
        """Whether other commands follow that change the round too: then it is settled after them."""
        self.state: State = log.state
        self.context = context
        self.decision = Decision([])
        self._drawn = 0

    @property
    def now(self) -> FactContext:
        return FactContext(self.context.at, self.context.by, {**self.log.private, **self.decision.private})

    def record(self, *facts: AnyFact) -> None:
        """Add facts to the decision, and apply them to the state."""
        self.decision.facts.extend(facts)
        self.state = apply_all(self.state, facts, self.now)
        for fact in facts:
            if isinstance(fact, Paired):
                self.decision.warnings.extend(put_names(self.state, warning) for warning in fact.warnings)

    def tell(self, message: Message) -> None:
        self.decision.says.append(message)

    def warn(self, message: Message) -> None:
        self.decision.warnings.append(message)

    def fresh_text(self) -> str:
        """Return a text that nobody can guess."""
        self._drawn += 1
        return digest_texts(self.context.entropy, str(self._drawn)).hex()

    def keep_person(self, name: str, display: str | None = None, **personal: Any) -> str:
        """Keep a person outside the log, and return the key."""
        person = Person(name=name, display=display, salt=self.fresh_text()[:32], **personal)
        return self.decision.keep(msgspec.json.encode(person))

    def get_secret(self) -> str:
        """Return the secret that seeds come from; a new one where the last is known to everybody."""
        if self.state.commitment in self.state.revealed:
            self._commit_to_new_secret()
        body = {**self.log.private, **self.decision.private}.get(self.state.commitment)
        if body is None:  # a copy of the log without it
            self._commit_to_new_secret()
            body = self.decision.private[self.state.commitment]
            self.warn(say("The secret of the random draws is missing here. A new one is used from now on."))
        return body.decode()

    def _commit_to_new_secret(self) -> None:
        self.record(Committed(commitment=self.decision.keep(self.fresh_text().encode())))

    def require_running(self) -> None:
        if self.state.finished:
            raise NotNow(say("The event is finished. Reopen it first."))

    def require_upcoming(self, problem: Message) -> RoundState:
        """Return the round that is paired and has not begun; refuse with this problem where there is none."""
        if self.state.upcoming is None:
            raise NotNow(join_messages(" ", [problem, self._where()]))
        return self.state.upcoming

    def require_started(self) -> RoundState:
        """Return the round that is being played; refuse where there is none."""
        a_round = self.state.round
        if a_round is None or a_round.phase != "started":
            raise NotNow(join_messages(" ", [say("No round is being played."), self._where()]))
        return a_round

    def require_table(self, a_round: RoundState, number: int | str, seen: tuple[str, ...] | None) -> Table:
        """Return a table; refuse where other players sit there than those who were seen."""
        if isinstance(number, str) and a_round.index_of(number) is None:
            name = self.state.get_listed(number).player.shown_name
            raise NotNow(say("{name} has no bye in round {round}.", name=name, round=a_round.number))
        table = a_round.get_table(number)
        if seen is not None and seen != table.players:
            who = list_and(map(self.state.name_of, table.players))
            if isinstance(number, str):
                problem = say(
                    "{name} now has no opponent in round {round}. Check it, then try again.",
                    name=who,
                    round=a_round.number,
                )
            else:
                problem = say(
                    "{names} now sit at table {table} of round {round}. Check it, then try again.",
                    names=who,
                    table=number,
                    round=a_round.number,
                )
            raise NotNow(problem)
        return table

    def require_reason(self, reason: str, problem: Message) -> str:
        """Return the reason; refuse with this problem where there is none."""
        if not reason:
            raise NeedsReason(join_messages(" ", [problem, say("The log will show it.")]))
        return reason

    def _where(self) -> Message:
        last = self.state.round
        if last is None:
            return say("No round is paired yet.")
        number = last.number
        match last.phase:
            case "draft":
                return say("Round {round} is paired and not published.", round=number)
            case "published":
                return say("Round {round} is published and not started.", round=number)
            case "started":
                return say("Round {round} is being played.", round=number)
            case "ended":
                return say("Round {round} is over.", round=number)


@singledispatch
def handle(command: object, decider: Decider) -> None:
    raise NotImplementedError(type(command))


def clean_name(text: str, place: str = "name") -> str:
    """Return the name of a player or of an event in one line; refuse what cannot be a name."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        if not name:
            raise BadInput(say("expected a name"), place=place)
        seen = "".join(letter if letter.isprintable() else "�" for letter in name[:40])
        problem = say(
            'expected a name of 1 to {most} visible letters, not "{name}"',
            most=LONGEST_NAME,
            name=f"{seen}{'…' if len(name) > 40 else ''}",
        )
        raise BadInput(problem, place=place)
    return name


def require_all_checked_in(state: State) -> None:
    """Refuse where some players are checked in and others are not."""
    players = list(state.active())
    absent = [e.player.shown_name for e in players if not e.here and not e.player.has_awarded_bye(1)]
    if absent and any(e.here for e in players):  # nobody is left out or taken in silently
        names = list_first(absent, SHOWN)
        raise NotNow(
            count(
                "{n} player is not checked in: {names}. Check this player in, or remove them.",
                "{n} players are not checked in: {names}. Check them in, or remove them.",
                len(absent),
                names=names,
            )
        )


def explain_minutes(minutes: int) -> BadInput:
    problem = say("expected 1 to {most} minutes, not {minutes}", most=LONGEST_ROUND, minutes=minutes)
    return BadInput(problem, place="minutes")
