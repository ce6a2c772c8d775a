"""Describe the log as people read it: a sentence for each fact, with who, when and from where.

A display name counts for what happened before it too: nobody may find the other name further up.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict, replace

from topcut.event import facts as f
from topcut.event.describe.fact_sentences import (
    SHOWN_OF_HASH,
    describe_asked,
    describe_attempt,
    describe_awarded_byes,
    describe_blocked,
    describe_creation,
    describe_draft,
    describe_draft_clock,
    describe_entry,
    describe_extension,
    describe_import,
    describe_lots,
    describe_options,
    describe_pairing,
    describe_stage,
)
from topcut.event.describe.results import describe_claim, describe_result
from topcut.event.event_log import EventLog
from topcut.event.log_chain import Logged
from topcut.event.private_data import Person, read_person
from topcut.history.model import Table
from topcut.rulebook.labels import Languages
from topcut.text.messages import Message, count, join_messages, list_and, say

NAMING_FACTS = (f.Registered, f.PlayerEdited, f.Forgotten, f.Purged, f.Undone, f.Redone)
"""Facts after which a player may be called something else."""
SHOWN = 4
"""Facts of a step that are described, at most: a pasted list is one step of many facts."""
_UNKNOWN = Message("?")
"""The words for what only a forged log lacks."""


class LogSentence(Struct, frozen=True):
    position: int
    step: int
    at: str
    by: str
    via: str
    says: Message
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
        self.steps: dict[int, list[Message]] = {}
        self.languages: Languages = {}
        """What the ruleset calls its stages in other languages."""
        self._entries: list[Logged] = []
        self._undone: set[int] = set()

    def tell(self, entry: Logged) -> Message:
        """Return the sentence of the next fact."""
        says = self._describe(entry.fact)
        self.steps.setdefault(entry.step, []).append(says)
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
        """Return the name of a person who may not enter; empty if nobody may know it."""
        return read_person(self.private, person).shown

    def set_result(self, fact: f.Reported | f.Corrected) -> Message:
        """Remember the result of a table, and return it in words."""
        seated = self.tables.get((fact.round, fact.table))
        if seated is None:
            return _UNKNOWN
        new = self.tables[fact.round, fact.table] = replace(seated, **asdict(fact.result or f.Result()))
        return describe_result(new, self.name)

    def _describe(self, fact: f.AnyFact) -> Message:
        """Return the sentence of a fact, and remember the names, tables and results that it brings."""
        player = self.name(getattr(fact, "player", ""))
        match fact:
            # The event
            case f.Created():
                self.languages = fact.book.get("languages", {})
                says = describe_creation(fact)
            case f.TakenOver():
                for number, a_round in enumerate(fact.rounds, start=1):
                    self._set_tables(number, a_round.tables)
                says = describe_import(fact)
            case f.OptionsChanged():
                if options := describe_options(fact.options):
                    says = say("The options are now {options}.", options=options)
                else:
                    says = say("The options are now the standard ones.")
            case f.Announced():
                says = say("Announced: {text}", text=join_messages(" ", fact.says))
            case f.Committed():
                begins = fact.commitment[:SHOWN_OF_HASH]
                says = say("Draws use a new secret. Its hash begins with {begins}.", begins=begins)
            case f.TablesBlocked():
                says = describe_blocked(fact)
            case f.Finished():
                finished, begins = say("The event is finished."), fact.secret[:SHOWN_OF_HASH]
                secret = say("The secret of its draws begins with {begins}.", begins=begins)
                says = join_messages(" ", [finished, secret])
            case f.Reopened():
                says = say("The event is reopened.")
            case f.Purged():
                says = count(
                    "Names and birth years are deleted ({n} record).",
                    "Names and birth years are deleted ({n} records).",
                    fact.people,
                )
            case f.Forgotten():
                self.names.pop(fact.player, None)
                says = count(
                    "The personal data of {player} is deleted ({n} record). The results stay.",
                    "The personal data of {player} is deleted ({n} records). The results stay.",
                    fact.people,
                    player=fact.player,
                )
            case f.Undone(steps=steps):
                says = count(
                    "Step {step} is undone: “{facts}”",
                    "{n} steps are undone, from step {step}: “{facts}”",
                    len(steps),
                    step=steps[0],
                    facts=describe_step(self.steps.get(steps[0], ())),
                )
            case f.Redone(steps=steps):
                says = count(
                    "Step {step} is redone: “{facts}”",
                    "{n} steps are redone, from step {step}: “{facts}”",
                    len(steps),
                    step=steps[0],
                    facts=describe_step(self.steps.get(steps[0], ())),
                )
            # Players
            case f.Registered():
                self.names[fact.player] = read_person(self.private, fact.person).shown
                says = join_messages(
                    " ", [describe_entry(fact, self.name(fact.player)), *describe_awarded_byes(fact.byes)]
                )
            case f.PlayerEdited():
                self.names[fact.player] = read_person(self.private, fact.person).shown
                says = say("The details of {player} ({id}) are changed.", player=player, id=fact.player)
                if (new := self.name(fact.player)) != player:
                    says = join_messages(" ", [says, say("The name is now {name}.", name=new)])
                says = join_messages(" ", [says, *describe_awarded_byes(fact.byes)])
            case f.CheckedIn(here=True):
                says = say("{player} is checked in.", player=player)
            case f.CheckedIn():
                says = say("{player} is not checked in.", player=player)
            case f.Removed():
                says = say("{player} is removed from the list of players.", player=player)
            case f.EntryRefused():
                if person := self.refused(fact.person):
                    says = say("{person} is not allowed to enter.", person=person)
                else:
                    says = say("A person is not allowed to enter.")
            case f.TableFixed(table=int() as table):
                says = say("{player} always sits at table {table}.", player=player, table=table)
            case f.TableFixed():
                says = say("{player} no longer has a fixed table.", player=player)
            case f.SeatedAll():
                says = count(
                    "{n} player has a seat for the player meeting.",
                    "{n} players have seats for the player meeting.",
                    len(fact.tables),
                )
            case f.LotsDrawn():
                says = join_messages(" ", [describe_lots(fact), describe_attempt(fact)])
            case f.DraftBegan():
                says = join_messages(" ", [describe_draft(fact), describe_attempt(fact)])
            case f.DraftEnded():
                says = say("Draft {draft} ends.", draft=fact.draft)
            case f.DraftClockStarted():
                says = describe_draft_clock(fact)
            case f.DraftClockPaused(paused=True):
                says = say("The clock of draft {draft} is paused.", draft=fact.draft)
            case f.DraftClockPaused():
                says = say("The clock of draft {draft} continues.", draft=fact.draft)
            case f.Dropped(round=0):
                says = say("{player} drops before the first round.", player=player)
            case f.Dropped():
                says = say("{player} drops after round {round}.", player=player, round=fact.round)
            case f.Disqualified(round=0):
                says = say("{player} is disqualified before the first round.", player=player)
            case f.Disqualified():
                says = say("{player} is disqualified after round {round}.", player=player, round=fact.round)
            case f.Restored(lost=()):
                says = say("{player} is reinstated.", player=player)
            case f.Restored():
                says = count(
                    "{player} is reinstated, with a loss in round {rounds}.",
                    "{player} is reinstated, with losses in rounds {rounds}.",
                    len(fact.lost),
                    player=player,
                    rounds=list_and(fact.lost),
                )
            case f.Asked():
                says = describe_asked(fact, player)
            case f.Answered():
                number = fact.question
                says = say("Question {question} from {player} is answered.", question=number, player=player)
            # Rounds
            case f.StageBegan():
                says = describe_stage(fact, self.languages)
            case f.Paired():
                self._set_tables(fact.round, fact.tables)
                says = describe_pairing(fact)
            case f.RoundRepaired():
                before = {
                    frozenset(table.players) for at, table in self.tables.items() if at[0] == fact.round
                }
                self._set_tables(fact.round, fact.tables)
                if not fact.changed and before == {frozenset(table.players) for table in fact.tables}:
                    says = say("The pairings of round {round} stay as they are.", round=fact.round)
                else:
                    repaired = say("Round {round} is re-paired.", round=fact.round)
                    says = join_messages(" ", [repaired, *self._describe_new_tables(fact)])
            case f.RoundEdited():
                self._set_tables(fact.round, fact.tables)
                edited = say("Round {round} is changed by hand.", round=fact.round)
                says = join_messages(" ", [edited, *self._describe_new_tables(fact)])
            case f.Published():
                says = say("Round {round} is published.", round=fact.round)
            case f.Started(minutes=int() as minutes) if minutes:
                says = count(
                    "Round {round} starts ({n} minute).",
                    "Round {round} starts ({n} minutes).",
                    minutes,
                    round=fact.round,
                )
            case f.Started():
                says = say("Round {round} starts.", round=fact.round)
            case f.ClockSet():
                says = count(
                    "The clock of round {round} shows {n} minute from now.",
                    "The clock of round {round} shows {n} minutes from now.",
                    fact.minutes,
                    round=fact.round,
                )
            case f.Paused():
                says = say("The clock of round {round} is paused.", round=fact.round)
            case f.Resumed():
                says = say("The clock of round {round} continues.", round=fact.round)
            case f.Extended():
                says = describe_extension(fact)
            case f.Ended():
                says = say("Round {round} ends.", round=fact.round)
            # Tables and results
            case f.TablesBegun():
                says = count(
                    "Table {tables} of round {round} has begun.",
                    "Tables {tables} of round {round} have begun.",
                    len(fact.tables),
                    tables=list_and(fact.tables),
                    round=fact.round,
                )
            case f.Reported():
                says = say(
                    "Round {round}, table {table}: {result}.",
                    round=fact.round,
                    table=fact.table,
                    result=self.set_result(fact),
                )
            case f.Claimed():
                seated = self.tables.get((fact.round, fact.table))
                says = say(
                    "Round {round}, table {table}: {player} reports “{result}”.",
                    round=fact.round,
                    table=fact.table,
                    player=player,
                    result=describe_claim(seated, fact.result, self.name) if seated else _UNKNOWN,
                )
            case f.Confirmed():
                says = count(
                    "The result of table {tables} in round {round} is confirmed.",
                    "The results of tables {tables} in round {round} are confirmed.",
                    len(fact.tables),
                    tables=list_and(fact.tables),
                    round=fact.round,
                )
            case f.Corrected():
                says = self._describe_correction(fact)
            case _:
                says = _UNKNOWN
        reason = getattr(fact, "reason", "")
        return join_messages(" ", [says, _describe_reason(reason)]) if reason else says

    def _describe_correction(self, fact: f.Corrected) -> Message:
        seated, number, table = self.tables.get((fact.round, fact.table)), fact.round, fact.table
        old = describe_result(seated, self.name) if seated else _UNKNOWN
        new = self.set_result(fact)
        changed = say("{old} → {new}", old=old, new=new if fact.result else say("not reported"))
        if isinstance(table, int):
            says = say(
                "The result of round {round}, table {table} is corrected: {change}.",
                round=number,
                table=table,
                change=changed,
            )
        else:  # the change says who has a bye or a loss
            says = say("A result of round {round} is corrected: {change}.", round=number, change=changed)
        closed = say("The record was closed already.")
        return join_messages(" ", [says, closed]) if fact.override else says

    def _describe_new_tables(self, fact: f.RoundRepaired | f.RoundEdited) -> list[Message]:
        """Return sentences about the tables, byes and losses of a round that are new."""
        numbers = sorted(table for table in fact.changed if isinstance(table, int))
        alone = [player for player in fact.changed if isinstance(player, str)]
        lost = {table.players[0] for table in fact.tables if table.loss}
        losses = [self.name(player) for player in alone if player in lost]
        byes = [self.name(player) for player in alone if player not in lost]
        says = []
        if numbers:
            tables = list_and(numbers)
            says += [count("Table {tables} is new.", "Tables {tables} are new.", len(numbers), tables=tables)]
        if byes:
            who = list_and(byes)
            says += [count("{players} gets a bye.", "{players} get byes.", len(byes), players=who)]
        if losses:
            who = list_and(losses)
            says += [count("{players} gets a loss.", "{players} get losses.", len(losses), players=who)]
        if not numbers:
            says += [say("No other table changes.") if alone else say("No table changes.")]
        return says

    def _set_tables(self, number: int, tables: tuple[Table, ...]) -> None:
        for key in [key for key in self.tables if key[0] == number]:
            del self.tables[key]
        for table in tables:
            at = table.table if isinstance(table.table, int) else next(iter(table.players), "")
            self.tables[number, at] = table


def _describe_reason(reason: str) -> Message:
    """Return a reason as a sentence, which people may have ended themselves."""
    ends = reason.endswith((".", "!", "?", "…"))
    return say("Reason: {reason}", reason=reason) if ends else say("Reason: {reason}.", reason=reason)


def describe_step(facts: Sequence[Message]) -> Message:
    """Return the first facts of a step, and how many more there are."""
    shown = join_messages(" ", facts[:SHOWN]) if facts else _UNKNOWN
    more = len(facts) - SHOWN
    return (
        count("{facts} {n} more fact.", "{facts} {n} more facts.", more, facts=shown) if more > 0 else shown
    )
