"""Hold the log of an event in memory, and the state it adds up to.

    log = EventLog(lines, private)
    log.state, log.version
    log.extend(more_lines)
    log.up_to(17)                    # the event as it was after fact 17

Facts of undone steps do not count; the others count in their order. How often something
was drawn, which ids and numbers were given out, and which secrets are known, counts all of them: that cannot
be taken back.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from itertools import takewhile

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event import facts as f
from topcut.event.apply.context import UnfitFact, apply_logged
from topcut.event.log_chain import NOTHING, Logged, digest, read_lines
from topcut.event.private_data import read_person
from topcut.event.state import State
from topcut.text.messages import say

STATE_INTERVAL = 512
"""Facts between two states that are saved, so that undoing need not begin at the first fact."""


class EventLog:
    def __init__(self, lines: Iterable[bytes], private: Mapping[str, bytes]) -> None:
        self.lines: list[bytes] = []
        self.entries: list[Logged] = []
        self.private: dict[str, bytes] = dict(private)
        self.undone: set[int] = set()
        self.forgotten: dict[str, int] = {}
        """Players who were forgotten, each with the position of the fact, by all facts."""
        self.last_deletion = 0
        """The position of the last fact by which names were deleted."""
        self._saved: list[tuple[int, State]] = []
        self._state: State | None = None
        self._read(lines)
        for entry in self.entries:
            self._note(entry)
        self._state = self._fold(self.undone, after=0)
        if self._state is None:
            raise BadInput(say("expected the creation of an event, not an empty log"))

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
        """Add lines that were written after the last one."""
        self.private |= private or {}
        first = len(self.entries)
        self._read(lines)
        for entry in self.entries[first:]:
            self._note(entry)
            if isinstance(entry.fact, f.Undone | f.Redone):
                self._state = self._fold(self.undone, after=min(entry.fact.steps), upto=entry.position)
            else:
                state = apply_logged(self._state, entry, self.private)
                self._state = self._with_totals(state, self.entries[entry.position - 1 : entry.position])
                self._save(entry.position, self._state)

    def person_keys(self) -> set[str]:
        """Return the keys of everybody who is still known, and of files that name them."""
        kinds = (f.Registered, f.PlayerEdited, f.EntryRefused)
        named = {entry.fact.person for entry in self.entries if isinstance(entry.fact, kinds)}
        return (named | self.original_keys()) & set(self.private)

    def original_keys(self) -> set[str]:
        """Return the keys of files that the event came from."""
        taken = (entry.fact for entry in self.entries if isinstance(entry.fact, f.TakenOver))
        return {fact.original for fact in taken if fact.original is not None}

    def secret_keys(self) -> set[str]:
        """Return the keys of secrets that are not revealed yet."""
        kinds = (f.Created, f.Committed)
        made = {entry.fact.commitment for entry in self.entries if isinstance(entry.fact, kinds)}
        return made - self.state.revealed

    def player_ids(self) -> set[str]:
        """Return the ids of all players who ever entered, also of those who were taken off the list."""
        return {entry.fact.player for entry in self.entries if isinstance(entry.fact, f.Registered)}

    def keys_about(self, player: str) -> set[str]:
        """Return the keys of all that is still known of a player, or of a refused person of that name."""
        return self._keys_about({player: self.version + 1})

    def deleted_keys(self) -> set[str]:
        """Return the keys of what the log says is deleted, and is still here."""
        if self.state.purged:
            return self.person_keys()
        return self._keys_about(self.forgotten) if self.forgotten else set()

    def delete_private(self, keys: Iterable[str]) -> None:
        """Delete entries outside the log, and the saved states that hold them."""
        for key in keys:
            self.private.pop(key, None)
        self._saved = []

    def _keys_about(self, before: Mapping[str, int]) -> set[str]:
        """Return the keys of what is still known of players by the facts before a position each."""
        found: set[str] = set()
        names: dict[str, int] = {}
        refused: list[tuple[int, str]] = []
        for entry in self.entries:
            fact = entry.fact
            if isinstance(fact, f.EntryRefused):
                refused.append((entry.position, fact.person))
            elif isinstance(fact, f.Registered | f.PlayerEdited) and entry.position < before.get(
                fact.player, 0
            ):
                found.add(fact.person)
                name = read_person(self.private, fact.person).name.casefold()
                names[name] = max(before[fact.player], names.get(name, 0))
        if found:
            found |= self.original_keys()  # they name everybody
        for position, key in refused:
            name = read_person(self.private, key).name.casefold()
            if name and position < names.get(name, 0):
                found.add(key)
        return found & set(self.private)

    def copy(self) -> "EventLog":
        """Return a log that can be extended without changing this one."""
        other = copy(self)
        for name in ("lines", "entries", "private", "undone", "forgotten", "_saved"):
            setattr(other, name, copy(getattr(self, name)))
        return other

    def up_to(self, position: int) -> "EventLog":
        if not 1 <= position <= self.version:
            problem = say(
                "expected a fact from 1 to {last}, not {position}", last=self.version, position=position
            )
            raise BadInput(problem)
        return EventLog(self.lines[:position], self.private)

    def steps(self) -> list[int]:
        """Return the steps that count, in order; the creation first."""
        counting = (entry for entry in self.entries if not isinstance(entry.fact, f.Undone | f.Redone))
        return [step for step in dict.fromkeys(e.step for e in counting) if step not in self.undone]

    def entries_of(self, step: int) -> list[Logged]:
        return [*takewhile(lambda entry: entry.step == step, self.entries[step - 1 :])]

    def state_without(self, steps: Sequence[int]) -> State:
        """Return the state without some steps; raise an `UnfitFact` where others need them."""
        return self._replay(self.undone | set(steps), min(steps))

    def state_with(self, steps: Sequence[int]) -> State:
        """Return the state with steps that were undone."""
        return self._replay(self.undone - set(steps), min(steps))

    def _replay(self, undone: set[int], first: int) -> State:
        state = self._fold(undone, after=first, keep=False)
        if state is None:
            raise UnfitFact(say("nothing would be left"))
        return state

    def _read(self, lines: Iterable[bytes]) -> None:
        new = list(lines)
        entries = list(read_lines(new, len(self.lines), self.head))
        self.lines += new
        self.entries += entries

    def _note(self, entry: Logged) -> None:
        """Update which steps count, and what is deleted, after an entry."""
        fact = entry.fact
        if isinstance(fact, f.Undone | f.Redone):
            steps = set(fact.steps)
            if not steps or not all(1 < step < entry.position for step in steps):
                raise UnfitFact(say("undoes or redoes steps that do not exist"), entry.position)
            self.undone = self.undone | steps if isinstance(fact, f.Undone) else self.undone - steps
        elif isinstance(fact, f.Purged | f.Forgotten):
            self.last_deletion = entry.position
            if isinstance(fact, f.Forgotten):
                self.forgotten[fact.player] = entry.position

    def _fold(self, undone: set[int], after: int, upto: int | None = None, keep: bool = True) -> State | None:
        """Apply all facts that count, from the last state saved before a position on."""
        kept = [(position, state) for position, state in self._saved if position < after]
        start, state = kept[-1] if kept else (0, None)
        if keep:
            self._saved = kept
        entries = self.entries if upto is None else self.entries[:upto]
        for entry in entries[start:]:
            if entry.step in undone or isinstance(entry.fact, f.Undone | f.Redone):
                continue
            state = apply_logged(state, entry, self.private)
            if keep:
                self._save(entry.position, state)
        return None if state is None else self._with_totals(state, entries)

    def _save(self, position: int, state: State) -> None:
        if position - (self._saved[-1][0] if self._saved else 0) >= STATE_INTERVAL:
            self._saved.append((position, state))

    def _with_totals(self, state: State, entries: Sequence[Logged]) -> State:
        """Return the state with what counts even if it was undone; `entries` are new, or all of them."""
        attempts, revealed = dict(state.attempts), set(state.revealed)
        commitment, asked = state.commitment, state.asked
        for entry in entries:
            fact = entry.fact
            if isinstance(fact, f.Paired | f.LotsDrawn | f.DraftBegan):
                what = name_draw(fact)
                attempts[what] = max(fact.attempt, attempts.get(what, 0))
            elif isinstance(fact, f.Finished):
                revealed |= {digest(secret.encode()) for secret in (fact.secret, *fact.earlier)}
            elif isinstance(fact, f.Created | f.Committed):
                commitment = fact.commitment
            elif isinstance(fact, f.Asked):
                asked = max(fact.question, asked)
        ids = state.registered
        if len(entries) > 1:
            ids = sum(isinstance(entry.fact, f.Registered) for entry in entries)
        counted = {
            "commitment": commitment,
            "registered": ids,
            "asked": asked,
            "attempts": attempts,
            "revealed": frozenset(revealed),
        }
        same = all(getattr(state, name) == value for name, value in counted.items())
        return state if same else replace(state, **counted)


def name_draw(fact: f.Paired | f.LotsDrawn | f.DraftBegan) -> str:
    """Return the name under which attempts of a draw are counted."""
    if isinstance(fact, f.DraftBegan):
        return f"draft {fact.draft}"
    return f"round {fact.round}" if isinstance(fact, f.Paired) else fact.kind
