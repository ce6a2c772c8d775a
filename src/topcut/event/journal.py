"""A log in memory, and the state it comes to: read, go on, look back.

    journal = Journal(lines, private)
    journal.state, journal.version
    journal.extend(more_lines)
    journal.at(17)                    # the event as it was after fact 17

Facts of undone steps do not count; the others count in the order in which they stand. How often something
was drawn, which ids and numbers were given out, and which secrets are known, counts all of them: that cannot
be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event.evolve import Misfit, evolve
from topcut.event.facts import (
    Asked,
    Committed,
    Created,
    EntryRefused,
    Finished,
    Forgotten,
    LotsDrawn,
    Paired,
    PlayerEdited,
    Purged,
    Redone,
    Registered,
    TakenOver,
    Undone,
)
from topcut.event.log import NOTHING, Logged, digest, read
from topcut.event.private import person_of
from topcut.event.state import State

EVERY = 512
"""Facts between two states that are kept for going back."""


class Journal:
    """One event: its log, and where it stands."""

    def __init__(self, lines: Iterable[bytes], private: Mapping[str, bytes]) -> None:
        self.lines: list[bytes] = []
        self.entries: list[Logged] = []
        self.private: dict[str, bytes] = dict(private)
        self.undone: set[int] = set()
        self.forgotten: dict[str, int] = {}
        """Players who were forgotten, each with the position of the fact, by all facts."""
        self.lost = 0
        """The position of the last fact by which names were deleted."""
        self._kept: list[tuple[int, State]] = []
        self._state: State | None = None
        self._read(lines)
        for entry in self.entries:
            self._note(entry)
        self._state = self._folded(self.undone, after=0)
        if self._state is None:
            raise BadInput("an empty log: expected the creation of an event")

    @property
    def state(self) -> State:
        assert self._state is not None
        return self._state

    @property
    def version(self) -> int:
        return len(self.lines)

    @property
    def head(self) -> str:
        """The digest of the last line."""
        return digest(self.lines[-1]) if self.lines else NOTHING

    def extend(self, lines: Sequence[bytes], private: Mapping[str, bytes] | None = None) -> None:
        """Take in what was written after the last line."""
        self.private |= private or {}
        first = len(self.entries)
        self._read(lines)
        for entry in self.entries[first:]:
            self._note(entry)
            if isinstance(entry.fact, Undone | Redone):
                self._state = self._folded(self.undone, after=min(entry.fact.steps), upto=entry.position)
            else:
                state = evolve(self._state, entry, self.private)
                self._state = self._counting(state, self.entries[entry.position - 1 : entry.position])
                self._keep(entry.position, self._state)

    def people(self) -> set[str]:
        """The keys of everybody who is still known, and of files that name them."""
        kinds = (Registered, PlayerEdited, EntryRefused)
        named = {entry.fact.person for entry in self.entries if isinstance(entry.fact, kinds)}
        return (named | self.originals()) & set(self.private)

    def originals(self) -> set[str]:
        """The keys of files that the event came from."""
        taken = (entry.fact for entry in self.entries if isinstance(entry.fact, TakenOver))
        return {fact.original for fact in taken if fact.original is not None}

    def secrets(self) -> set[str]:
        """The keys of secrets that are not revealed yet."""
        kinds = (Created, Committed)
        made = {entry.fact.commitment for entry in self.entries if isinstance(entry.fact, kinds)}
        return made - self.state.revealed

    def ids(self) -> set[str]:
        """The ids of all who ever entered, also of those who are not on the list any more."""
        return {entry.fact.player for entry in self.entries if isinstance(entry.fact, Registered)}

    def known_of(self, player: str) -> set[str]:
        """The keys of all that is still known of a player, also as somebody of that name who was refused."""
        return self._known_of({player: self.version + 1})

    def gone(self) -> set[str]:
        """The keys of what the log says is deleted, and is still here."""
        if self.state.purged:
            return self.people()
        return self._known_of(self.forgotten) if self.forgotten else set()

    def forget(self, keys: Iterable[str]) -> None:
        """Let go of what is deleted, also in the states that are kept for going back."""
        for key in keys:
            self.private.pop(key, None)
        self._kept = []

    def _known_of(self, before: Mapping[str, int]) -> set[str]:
        """What is still known of players by the facts before a position each."""
        found: set[str] = set()
        names: dict[str, int] = {}
        refused: list[tuple[int, str]] = []
        for entry in self.entries:
            fact = entry.fact
            if isinstance(fact, EntryRefused):
                refused.append((entry.position, fact.person))
            elif isinstance(fact, Registered | PlayerEdited) and entry.position < before.get(fact.player, 0):
                found.add(fact.person)
                name = person_of(self.private, fact.person).name.casefold()
                names[name] = max(before[fact.player], names.get(name, 0))
        if found:
            found |= self.originals()  # they name everybody
        for position, key in refused:
            name = person_of(self.private, key).name.casefold()
            if name and position < names.get(name, 0):
                found.add(key)
        return found & set(self.private)

    def copy(self) -> Journal:
        """The same, to go on from without changing this one."""
        other = copy(self)
        other.lines, other.entries = list(self.lines), list(self.entries)
        other.private, other.undone, other._kept = dict(self.private), set(self.undone), list(self._kept)
        other.forgotten = dict(self.forgotten)
        return other

    def at(self, position: int) -> Journal:
        """The event as it was after a fact."""
        if not 1 <= position <= self.version:
            raise BadInput(f"there is no fact {position}: expected 1 to {self.version}")
        return Journal(self.lines[:position], self.private)

    def steps(self) -> list[int]:
        """The steps that count, in order; the creation first."""
        found = dict.fromkeys(
            entry.step for entry in self.entries if not isinstance(entry.fact, Undone | Redone)
        )
        return [step for step in found if step not in self.undone]

    def of_step(self, step: int) -> list[Logged]:
        """The facts of a step."""
        found = []
        for entry in self.entries[step - 1 :]:
            if entry.step != step:
                break
            found.append(entry)
        return found

    def without(self, steps: Sequence[int]) -> State:
        """The state as if these steps had not been; a `Misfit` where others need them."""
        return self._as_if(self.undone | set(steps), min(steps))

    def with_again(self, steps: Sequence[int]) -> State:
        """The state as if these steps counted again."""
        return self._as_if(self.undone - set(steps), min(steps))

    def _as_if(self, undone: set[int], first: int) -> State:
        state = self._folded(undone, after=first, keep=False)
        if state is None:
            raise Misfit("nothing would be left")
        return state

    def _read(self, lines: Iterable[bytes]) -> None:
        new = list(lines)
        entries = list(read(new, len(self.lines), self.head))
        self.lines += new
        self.entries += entries

    def _note(self, entry: Logged) -> None:
        """Which steps count after this entry."""
        if isinstance(entry.fact, Undone | Redone):
            steps = entry.fact.steps
            if not steps or not all(1 < step < entry.position for step in steps):
                raise Misfit("takes back steps that are not there", entry.position)
        if isinstance(entry.fact, Undone):
            self.undone |= set(entry.fact.steps)
        elif isinstance(entry.fact, Redone):
            self.undone -= set(entry.fact.steps)
        elif isinstance(entry.fact, Purged | Forgotten):
            self.lost = entry.position
            if isinstance(entry.fact, Forgotten):
                self.forgotten[entry.fact.player] = entry.position

    def _folded(
        self, undone: set[int], after: int, upto: int | None = None, keep: bool = True
    ) -> State | None:
        """All that counts, from the last state kept before a position on."""
        kept = [(position, state) for position, state in self._kept if position < after]
        start, state = kept[-1] if kept else (0, None)
        if keep:
            self._kept = kept
        entries = self.entries if upto is None else self.entries[:upto]
        for entry in entries[start:]:
            if entry.step in undone or isinstance(entry.fact, Undone | Redone):
                continue
            state = evolve(state, entry, self.private)
            if keep:
                self._keep(entry.position, state)
        return None if state is None else self._counting(state, entries)

    def _keep(self, position: int, state: State) -> None:
        if position - (self._kept[-1][0] if self._kept else 0) >= EVERY:
            self._kept.append((position, state))

    def _counting(self, state: State, entries: Sequence[Logged]) -> State:
        """The state with what counts whether or not it was undone; `entries` are new, or all of them."""
        attempts, revealed = dict(state.attempts), set(state.revealed)
        commitment, asked = state.commitment, state.asked
        for entry in entries:
            fact = entry.fact
            if isinstance(fact, Paired | LotsDrawn):
                what = drawing(fact)
                attempts[what] = max(fact.attempt, attempts.get(what, 0))
            elif isinstance(fact, Finished):
                revealed |= {digest(secret.encode()) for secret in (fact.secret, *fact.earlier)}
            elif isinstance(fact, Created | Committed):
                commitment = fact.commitment
            elif isinstance(fact, Asked):
                asked = max(fact.question, asked)
        ids = state.registered
        if len(entries) > 1:
            ids = sum(isinstance(entry.fact, Registered) for entry in entries)
        counted = {
            "commitment": commitment,
            "registered": ids,
            "asked": asked,
            "attempts": attempts,
            "revealed": frozenset(revealed),
        }
        same = all(getattr(state, name) == value for name, value in counted.items())
        return state if same else replace(state, **counted)


def drawing(fact: Paired | LotsDrawn) -> str:
    """What was drawn: the name under which attempts are counted."""
    return f"round {fact.round}" if isinstance(fact, Paired) else fact.kind
