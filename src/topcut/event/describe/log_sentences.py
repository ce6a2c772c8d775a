"""Describe the log as people read it: a sentence for each fact, with who, when and from where."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import asdict, replace

from topcut.event import facts as f
from topcut.event.describe.results import describe_claim, describe_question, describe_result
from topcut.event.event_log import EventLog
from topcut.event.log_chain import Logged
from topcut.event.private_data import read_person
from topcut.history.model import Table
from topcut.text.phrases import join_and, plural


class LogSentence(Struct, frozen=True):
    """A line of the log."""

    position: int
    step: int
    at: str
    by: str
    via: str
    says: str
    undone: bool
    """Whether it does not count any more."""


def describe_log(log: EventLog) -> Iterator[LogSentence]:
    """Yield the whole log in sentences."""
    teller = LogNarrator(log.private)
    for entry in log.entries:
        says = teller.tell(entry)
        undone = entry.step in log.undone
        at = entry.at.isoformat(timespec="seconds").replace("+00:00", "Z")
        yield LogSentence(entry.position, entry.step, at, entry.by, entry.via, says, undone)


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
        earlier = self.steps.get(entry.step)
        self.steps[entry.step] = f"{earlier}; {says}" if earlier else says
        if isinstance(entry.fact, f.Undone | f.Redone):
            self._read_again(entry.fact)
        self._entries.append(entry)
        return says

    def _read_again(self, fact: f.Undone | f.Redone) -> None:
        """Read names, tables and results again, now that other steps count."""
        steps = set(fact.steps)
        self._undone = self._undone | steps if isinstance(fact, f.Undone) else self._undone - steps
        self.tables.clear()
        self.names.clear()
        for entry in self._entries:
            if entry.step not in self._undone:
                self._describe(entry.fact)

    def _describe(self, fact: f.AnyFact) -> str:
        kinds = (self._describe_event, self._describe_player, self._describe_round, self._describe_table)
        return next((says for describe in kinds if (says := describe(fact))), "")

    def name(self, player: str) -> str:
        return self.called.get(player) or self.names.get(player) or player

    def _read_name(self, key: str) -> str:
        return read_person(self.private, key).shown

    def refused(self, person: str) -> str:
        """Return the name of a person who may not enter."""
        return self._read_name(person) or "Somebody"

    def _describe_event(self, fact: f.AnyFact) -> str:
        match fact:
            case f.Created():
                book = fact.book.get("title", "")
                draws = f"the draws come from {fact.commitment[:16]}…"
                rehearsal = ", a rehearsal" if fact.rehearsal else ""
                return f"{fact.name} is created{rehearsal} ({book}); {draws}"
            case f.OptionsChanged():
                options = _describe_options(fact.options) or "the usual ones"
                return f"The options are now {options}{_add_reason(fact.reason)}"
            case f.Announced():
                return f"Announced: {' '.join(fact.says)}"
            case f.Committed():
                return f"A new secret for the draws: {fact.commitment[:16]}…"
            case f.TablesBlocked():
                what = "kept empty" if fact.blocked else "free again"
                return f"{_name_tables(fact.tables)}: {what}"
            case f.Finished():
                why = _add_reason(fact.reason)
                return f"The event is finished{why}; the secret of the draws was {fact.secret[:16]}…"
            case f.Reopened():
                return f"The event goes on{_add_reason(fact.reason)}"
            case f.Purged():
                return f"Names and birth years are deleted ({plural(fact.people, 'record')})"
            case f.Undone():
                return f"Taken back: {self._describe_steps(fact.steps)}{_add_reason(fact.reason)}"
            case f.Redone():
                return f"Counts again: {self._describe_steps(fact.steps)}"
        return ""

    def _describe_steps(self, steps: tuple[int, ...]) -> str:
        first = self.steps.get(steps[0], "?")
        if len(steps) == 1:
            return f"step {steps[0]} ({first})"
        return f"{len(steps)} steps from {steps[0]} on ({first} …)"

    def _describe_player(self, fact: f.AnyFact) -> str:
        match fact:
            case f.Registered():
                self.names[fact.player] = self._read_name(fact.person)
                late = f" from round {fact.entered} on" if fact.entered > 1 else ""
                division = f" in {fact.division}" if fact.division else ""
                return f"{self.name(fact.player)} ({fact.player}) enters{division}{late}"
            case f.PlayerEdited():
                old = self.name(fact.player)
                self.names[fact.player] = self._read_name(fact.person)
                new = self.name(fact.player)
                return f"What is known of {old} ({fact.player}) changes" + (
                    f"; now {new}" if new != old else ""
                )
            case f.Forgotten():
                self.names.pop(fact.player, None)
                records = plural(fact.people, "record")
                why = _add_reason(fact.reason)
                return f"Who {fact.player} is, is deleted for good ({records}); the results stay{why}"
            case f.CheckedIn():
                return f"{self.name(fact.player)} {'is here' if fact.here else 'is not here'}"
            case f.Removed():
                return f"{self.name(fact.player)} is taken off the list"
            case f.EntryRefused():
                return f"{self.refused(fact.person)} may not enter{_add_reason(fact.reason)}"
            case f.TableFixed():
                where = f"always sits at table {fact.table}" if fact.table else "has no fixed table any more"
                return f"{self.name(fact.player)} {where}"
            case f.SeatedAll():
                return f"Everybody is seated for the start: {plural(len(fact.tables), 'player')}"
            case f.LotsDrawn():
                again = f", attempt {fact.attempt}" if fact.attempt > 1 else ""
                return f"{fact.kind.capitalize()} are drawn for {plural(len(fact.numbers), 'player')}{again}"
            case f.Dropped():
                return f"{self.name(fact.player)} drops {_name_moment(fact.round)}"
            case f.Disqualified():
                why = _add_reason(fact.reason)
                return f"{self.name(fact.player)} is disqualified {_name_moment(fact.round)}{why}"
            case f.Restored():
                lost = f", with a loss in round {join_and(fact.lost)}" if fact.lost else ""
                return f"{self.name(fact.player)} is back{lost}{_add_reason(fact.reason)}"
            case f.Asked():
                about = describe_question(fact.about, fact.round)
                return f"Question {fact.question}: {self.name(fact.player)} asks the desk {about}"
            case f.Answered():
                return f"Question {fact.question} of {self.name(fact.player)} is answered"
        return ""

    def _describe_round(self, fact: f.AnyFact) -> str:
        match fact:
            case f.TakenOver():
                for number, a_round in enumerate(fact.rounds, start=1):
                    self._set_tables(number, a_round.tables)
                played = plural(len(fact.rounds), "round") if fact.rounds else "no round yet"
                return f"Taken over from a file ({fact.source}): {played} played elsewhere"
            case f.StageBegan():
                are = "is" if fact.left_out == 1 else "are"
                out = f"; {plural(fact.left_out, 'player')} {are} left out" if fact.left_out else ""
                return f"The {fact.stage} begins with {plural(fact.players, 'player')}{out}"
            case f.Paired():
                self._set_tables(fact.round, fact.tables)
                again = f", attempt {fact.attempt}" if fact.attempt > 1 else ""
                return f"Round {fact.round} is paired{again}: {_count_tables(fact.tables)}; seed {fact.seed}"
            case f.RoundRepaired():
                self._set_tables(fact.round, fact.tables)
                return f"Round {fact.round} is repaired: {self._describe_changed(fact.changed)}"
            case f.RoundEdited():
                self._set_tables(fact.round, fact.tables)
                changed = self._describe_changed(fact.changed)
                return f"Round {fact.round} is changed by hand: {changed}{_add_reason(fact.reason)}"
            case f.Published():
                return f"Round {fact.round} is published"
            case f.Started():
                length = f" ({fact.minutes} minutes)" if fact.minutes else ""
                return f"Round {fact.round} starts{length}"
            case f.Paused():
                return f"The clock of round {fact.round} stops"
            case f.Resumed():
                return f"The clock of round {fact.round} goes on"
            case f.Ended():
                return f"Round {fact.round} ends"
        return ""

    def _describe_table(self, fact: f.AnyFact) -> str:
        match fact:
            case f.TablesBegun():
                return f"Round {fact.round} {_name_tables(fact.tables).lower()}: begun"
            case f.Extended():
                what = f"Table {fact.table}" if fact.table else "Everybody"
                more = f"{plural(fact.minutes, 'minute')} more{_add_reason(fact.reason)}"
                return f"{what} gets {more} in round {fact.round}"
            case f.Reported():
                result = self._set_result(fact.round, fact.table, fact.result)
                return f"Round {fact.round} table {fact.table}: {result}"
            case f.Claimed():
                seated = self.tables.get((fact.round, fact.table))
                result = describe_claim(seated, fact.result, self.name) if seated else "?"
                where = f"Round {fact.round} table {fact.table}"
                return f"{where}, {self.name(fact.player)} says: {result}"
            case f.Confirmed():
                return f"Round {fact.round} {_name_tables(fact.tables).lower()}: confirmed"
            case f.Corrected():
                old = self._describe_current(fact.round, fact.table)
                new = self._set_result(fact.round, fact.table, fact.result)
                closed = " although the record was closed" if fact.override else ""
                change = f"{old} → {new}" if fact.result else f"{old} → not reported"
                table = (
                    f" table {fact.table}" if isinstance(fact.table, int) else ""
                )  # else who it was is said
                return f"Round {fact.round}{table} is corrected{closed}: {change}{_add_reason(fact.reason)}"
        return ""

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

    def _describe_current(self, number: int, table: int | str) -> str:
        seated = self.tables.get((number, table))
        return describe_result(seated, self.name) if seated else "?"

    def _set_result(self, number: int, table: int | str, result: f.Result | None) -> str:
        seated = self.tables.get((number, table))
        if seated is None:
            return "?"
        self.tables[number, table] = replace(seated, **asdict(result or f.Result()))
        return self._describe_current(number, table)


def _name_moment(number: int) -> str:
    return f"after round {number}" if number else "before the first round"


def _describe_options(options: Struct) -> str:
    """Return the options that are chosen, with those of divisions behind their names."""
    said = []
    for name, value in asdict(options).items():
        if isinstance(value, dict):
            said += [f"{division} ({_describe_options(own)})" for division, own in value.items()]
        elif value is not None:
            said.append(f"{name.replace('_', ' ')} {value}")
    return ", ".join(said)


def _add_reason(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _count_tables(tables: tuple[Table, ...]) -> str:
    byes = sum(len(table.players) == 1 for table in tables)
    said = plural(len(tables) - byes, "table")
    return f"{said}, {plural(byes, 'bye')}" if byes else said


def _name_tables(tables: tuple[int, ...]) -> str:
    """Return numbers of tables in words.

    >>> _name_tables((3,)), _name_tables((3, 4))
    ('Table 3', 'Tables 3 and 4')
    """
    return f"Table{'s' if len(tables) > 1 else ''} {join_and(tables)}"
