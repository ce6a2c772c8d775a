"""Describe the log as people read it: a sentence for each fact, with who, when and from where.

A display name counts for what happened before it too: nobody may find the other name further up.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import asdict, replace

from topcut.event import facts as f
from topcut.event.describe.results import describe_claim, describe_question, describe_result
from topcut.event.event_log import EventLog
from topcut.event.log_chain import Logged
from topcut.event.private_data import Person, read_person
from topcut.history.model import Table
from topcut.text.messages import list_and
from topcut.text.phrases import plural

NAMING_FACTS = (f.Registered, f.PlayerEdited, f.Forgotten, f.Purged, f.Undone, f.Redone)
"""Facts after which a player may be called something else."""


class LogSentence(Struct, frozen=True):
    position: int
    step: int
    at: str
    by: str
    via: str
    says: str
    undone: bool
    """Whether it does not count any more."""


def describe_log(log: EventLog) -> Iterator[LogSentence]:
    teller = LogNarrator(log.private)
    for entry in log.entries:
        says = teller.tell(entry)
        undone = entry.step in log.undone
        at = entry.at.isoformat(timespec="seconds").replace("+00:00", "Z")
        yield LogSentence(entry.position, entry.step, at, entry.by, entry.via, says, undone)


def current_names(log: EventLog) -> dict[str, str]:
    """Return the names of players as they are now, whatever they were before."""
    there = log.state.players
    called = {player: person.name for player, person in _find_taken_off(log)}
    called |= {player_id: listed.player.name for player_id, listed in there.items()}
    return {player: name for player, name in (called | display_names(log)).items() if name}


def display_names(log: EventLog) -> dict[str, str]:
    """Return the display names there are; of players who were taken off the list, the last they had."""
    there = log.state.players
    names = {player: person.display for player, person in _find_taken_off(log) if person.display}
    return names | {player_id: listed.display for player_id, listed in there.items() if listed.display}


def _find_taken_off(log: EventLog) -> Iterator[tuple[str, Person]]:
    """Yield all that was ever known of players who were taken off the list."""
    for entry in log.entries:
        fact = entry.fact
        if isinstance(fact, f.Registered | f.PlayerEdited) and fact.player not in log.state.players:
            yield fact.player, read_person(log.private, fact.person)


class LogNarrator:
    """Describes facts in their order; it remembers names and tables, undone or not."""

    def __init__(self, private: Mapping[str, bytes], called: Mapping[str, str] | None = None) -> None:
        self.private = private
        self.called = called or {}
        """Names that count throughout, whatever players were called when it happened."""
        self.names: dict[str, str] = {}
        self.tables: dict[tuple[int, int | str], Table] = {}
        self.steps: dict[int, str] = {}
        self._entries: list[Logged] = []
        self._undone: set[int] = set()

    def tell(self, entry: Logged) -> str:
        """Return the sentence of the next fact."""
        says = self._describe(entry.fact)
        so_far = self.steps.get(entry.step)
        self.steps[entry.step] = f"{so_far}; {says}" if so_far else says
        if isinstance(entry.fact, f.Undone | f.Redone):  # read names, tables and results again
            steps, undone = set(entry.fact.steps), isinstance(entry.fact, f.Undone)
            self._undone = self._undone | steps if undone else self._undone - steps
            self.tables.clear()
            self.names.clear()
            for earlier in self._entries:
                if earlier.step not in self._undone:
                    self._describe(earlier.fact)
        self._entries.append(entry)
        return says

    def name(self, player: str) -> str:
        return self.called.get(player) or self.names.get(player) or player

    def refused(self, person: str) -> str:
        """Return the name of a person who may not enter."""
        return read_person(self.private, person).shown or "Somebody"

    def _describe(self, fact: f.AnyFact) -> str:
        """Return the sentence of a fact, and remember the names, tables and results that it brings."""
        reason = getattr(fact, "reason", "")
        why = f" ({reason})" if reason else ""
        match fact:
            # The event
            case f.Created():
                rehearsal = ", a rehearsal" if fact.rehearsal else ""
                draws = f"the draws come from {fact.commitment[:16]}…"
                return f"{fact.name} is created{rehearsal} ({fact.book.get('title', '')}); {draws}"
            case f.TakenOver():
                for number, a_round in enumerate(fact.rounds, start=1):
                    self._set_tables(number, a_round.tables)
                played = plural(len(fact.rounds), "round") if fact.rounds else "no round yet"
                return f"Taken over from a file ({fact.source}): {played} played elsewhere"
            case f.OptionsChanged():
                return f"The options are now {_describe_options(fact.options) or 'the usual ones'}{why}"
            case f.Announced():
                return f"Announced: {' '.join(fact.says)}"
            case f.Committed():
                return f"A new secret for the draws: {fact.commitment[:16]}…"
            case f.TablesBlocked():
                return f"{_name_tables(fact.tables)}: {'kept empty' if fact.blocked else 'free again'}"
            case f.Finished():
                return f"The event is finished{why}; the secret of the draws was {fact.secret[:16]}…"
            case f.Reopened():
                return f"The event goes on{why}"
            case f.Purged():
                return f"Names and birth years are deleted ({plural(fact.people, 'record')})"
            case f.Forgotten():
                self.names.pop(fact.player, None)
                records = plural(fact.people, "record")
                return f"Who {fact.player} is, is deleted for good ({records}); the results stay{why}"
            case f.Undone():
                return f"Taken back: {self._describe_steps(fact.steps)}{why}"
            case f.Redone():
                return f"Counts again: {self._describe_steps(fact.steps)}"
            # Players
            case f.Registered():
                self.names[fact.player] = read_person(self.private, fact.person).shown
                late = f" from round {fact.entered} on" if fact.entered > 1 else ""
                division = f" in {fact.division}" if fact.division else ""
                return f"{self.name(fact.player)} ({fact.player}) enters{division}{late}"
            case f.PlayerEdited():
                old = self.name(fact.player)
                self.names[fact.player] = read_person(self.private, fact.person).shown
                new = self.name(fact.player)
                now = f"; now {new}" if new != old else ""
                return f"What is known of {old} ({fact.player}) changes{now}"
            case f.CheckedIn():
                return f"{self.name(fact.player)} {'is here' if fact.here else 'is not here'}"
            case f.Removed():
                return f"{self.name(fact.player)} is taken off the list"
            case f.EntryRefused():
                return f"{self.refused(fact.person)} may not enter{why}"
            case f.TableFixed():
                where = f"always sits at table {fact.table}" if fact.table else "has no fixed table any more"
                return f"{self.name(fact.player)} {where}"
            case f.SeatedAll():
                return f"Everybody is seated for the start: {plural(len(fact.tables), 'player')}"
            case f.LotsDrawn():
                again = _count_attempts(fact)
                return f"{fact.kind.capitalize()} are drawn for {plural(len(fact.numbers), 'player')}{again}"
            case f.Dropped():
                return f"{self.name(fact.player)} drops {_name_moment(fact.round)}"
            case f.Disqualified():
                return f"{self.name(fact.player)} is disqualified {_name_moment(fact.round)}{why}"
            case f.Restored():
                lost = f", with a loss in round {list_and(fact.lost)}" if fact.lost else ""
                return f"{self.name(fact.player)} is back{lost}{why}"
            case f.Asked():
                about = describe_question(fact.about, fact.round)
                return f"Question {fact.question}: {self.name(fact.player)} asks the desk {about}"
            case f.Answered():
                return f"Question {fact.question} of {self.name(fact.player)} is answered"
            # Rounds
            case f.StageBegan():
                are = "is" if fact.left_out == 1 else "are"
                out = f"; {plural(fact.left_out, 'player')} {are} left out" if fact.left_out else ""
                return f"The {fact.stage} begins with {plural(fact.players, 'player')}{out}"
            case f.Paired():
                self._set_tables(fact.round, fact.tables)
                byes = sum(len(table.players) == 1 for table in fact.tables)
                tables = plural(len(fact.tables) - byes, "table")
                alone = f", {plural(byes, 'bye')}" if byes else ""
                again = _count_attempts(fact)
                return f"Round {fact.round} is paired{again}: {tables}{alone}; seed {fact.seed}"
            case f.RoundRepaired():
                self._set_tables(fact.round, fact.tables)
                return f"Round {fact.round} is repaired: {self._describe_changed(fact.changed)}"
            case f.RoundEdited():
                self._set_tables(fact.round, fact.tables)
                return f"Round {fact.round} is changed by hand: {self._describe_changed(fact.changed)}{why}"
            case f.Published():
                return f"Round {fact.round} is published"
            case f.Started():
                return f"Round {fact.round} starts{f' ({fact.minutes} minutes)' if fact.minutes else ''}"
            case f.Paused():
                return f"The clock of round {fact.round} stops"
            case f.Resumed():
                return f"The clock of round {fact.round} goes on"
            case f.Extended():
                what = f"Table {fact.table}" if fact.table else "Everybody"
                return f"{what} gets {plural(fact.minutes, 'minute')} more{why} in round {fact.round}"
            case f.Ended():
                return f"Round {fact.round} ends"
            # Tables and results
            case f.TablesBegun():
                return f"Round {fact.round} {_name_tables(fact.tables).lower()}: begun"
            case f.Reported():
                return f"Round {fact.round} table {fact.table}: {self.set_result(fact)}"
            case f.Claimed():
                seated = self.tables.get((fact.round, fact.table))
                result = describe_claim(seated, fact.result, self.name) if seated else "?"
                return f"Round {fact.round} table {fact.table}, {self.name(fact.player)} says: {result}"
            case f.Confirmed():
                return f"Round {fact.round} {_name_tables(fact.tables).lower()}: confirmed"
            case f.Corrected():
                seated = self.tables.get((fact.round, fact.table))
                old = describe_result(seated, self.name) if seated else "?"
                new = self.set_result(fact)
                closed = " although the record was closed" if fact.override else ""
                table = f" table {fact.table}" if isinstance(fact.table, int) else ""  # else it is said who
                change = f"{old} → {new if fact.result else 'not reported'}"
                return f"Round {fact.round}{table} is corrected{closed}: {change}{why}"
        return ""

    def _describe_steps(self, steps: tuple[int, ...]) -> str:
        first = self.steps.get(steps[0], "?")
        if len(steps) == 1:
            return f"step {steps[0]} ({first})"
        return f"{len(steps)} steps from {steps[0]} on ({first} …)"

    def _describe_changed(self, changed: tuple[int | str, ...]) -> str:
        numbers = tuple(table for table in changed if isinstance(table, int))
        said = [_name_tables(numbers).lower()] if numbers else []
        said += [f"{self.name(player)} alone" for player in changed if isinstance(player, str)]
        return f"new: {', '.join(said)}" if said else "no table is new"

    def _set_tables(self, number: int, tables: tuple[Table, ...]) -> None:
        for key in [key for key in self.tables if key[0] == number]:
            del self.tables[key]
        for table in tables:
            at = table.table if isinstance(table.table, int) else next(iter(table.players), "")
            self.tables[number, at] = table

    def set_result(self, fact: f.Reported | f.Corrected) -> str:
        """Remember the result of a table, and return it in words."""
        seated = self.tables.get((fact.round, fact.table))
        if seated is None:
            return "?"
        new = self.tables[fact.round, fact.table] = replace(seated, **asdict(fact.result or f.Result()))
        return describe_result(new, self.name)


def _name_moment(number: int) -> str:
    return f"after round {number}" if number else "before the first round"


def _describe_options(options: Struct) -> str:
    """Return the options that are chosen, with the options of divisions behind their names."""
    said = []
    for name, value in asdict(options).items():
        if isinstance(value, dict):
            said += [f"{division} ({_describe_options(own)})" for division, own in value.items()]
        elif value is not None:
            said.append(f"{name.replace('_', ' ')} {value}")
    return ", ".join(said)


def _count_attempts(fact: f.Paired | f.LotsDrawn) -> str:
    return f", attempt {fact.attempt}" if fact.attempt > 1 else ""


def _name_tables(tables: tuple[int, ...]) -> str:
    """Return numbers of tables in words.

    >>> _name_tables((3,)), _name_tables((3, 4))
    ('Table 3', 'Tables 3 and 4')
    """
    return f"Table{'s' if len(tables) > 1 else ''} {list_and(tables)}"
