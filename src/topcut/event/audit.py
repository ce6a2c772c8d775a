"""Check a log: its chain, the people, and every draw from its secret.

A draw is checked in the state it was made in, also if it was taken back later; so is every repair. A secret
that is not known yet leaves its draws unchecked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct, structs

from topcut.errors import TopcutError
from topcut.event.describe.fact_sentences import describe_allowance
from topcut.event.describe.name_marks import put_names
from topcut.event.describe.results import describe_place
from topcut.event.draw import draw_lots, draw_pods, draw_round, find_progress
from topcut.event.event_log import EventLog
from topcut.event.facts import (
    Created,
    DraftBegan,
    Finished,
    LotsDrawn,
    Paired,
    RoundRepaired,
    Started,
    TakenOver,
)
from topcut.event.log_chain import digest
from topcut.event.private_data import derive_seed
from topcut.event.state import RoundState, State
from topcut.event.upcoming_round import find_fewest_changes
from topcut.history.model import Table
from topcut.pairing.verdicts import RoundProblem, RoundVerdict
from topcut.stages.audit import audit_last_round, audit_rounds
from topcut.text.messages import Message, join_messages, say

FINE = Message("")
RecordedDraw = Paired | LotsDrawn | RoundRepaired | DraftBegan


class CheckedDraw(Struct, frozen=True):
    """One draw, or one repair, of the log, and whether it comes out again."""

    position: int
    what: Message
    """"round 3", "flights", "repair of round 3"."""
    attempt: int
    replayed: bool | None
    """Whether it comes out again; None where the secret is not known."""
    undone: bool
    problem: Message = FINE


class LogFindings(Struct, frozen=True):
    """What a check of a log has found."""

    facts: int
    draws: list[CheckedDraw]
    rounds: list[RoundVerdict]
    """Each round as it was when it started, or as it stands if it has not."""
    bound: list[int]
    """Rounds that were drawn or repaired around tables that had begun: only the rest could be chosen."""
    notes: dict[int, Message]
    """Why a round need not be what its seed draws."""
    overrides: list[Message]
    problems: list[str]
    names: dict[str, str]
    """The players' names by id."""
    rehearsal: Message = FINE
    """Which of the problems is that the event is only a rehearsal; empty for a real one."""

    @property
    def only_rehearsed(self) -> bool:
        """Whether nothing is wrong but that this is a rehearsal."""
        rest = [problem for problem in self.problems if problem is not self.rehearsal]
        return bool(self.rehearsal) and structs.replace(self, problems=rest).ok

    @property
    def ok(self) -> bool:
        replayed = all(draw.replayed is not False for draw in self.draws)
        legal = all(verdict.legal or verdict.round in self.bound for verdict in self.rounds)
        return replayed and legal and not self.problems


def check_log(lines: Sequence[bytes], private: Mapping[str, bytes]) -> LogFindings:
    """Judge a log, line by line. A chain that is broken is a `BrokenChain`."""
    whole = EventLog(lines, private)
    problems: list[str] = [*find_exchanged(private)]
    rehearsal = FINE
    first = whole.entries[0].fact
    if isinstance(first, Created) and first.rehearsal:
        rehearsal = say("This is a rehearsal: its secret was chosen, not drawn at random.")
        problems.append(rehearsal)
    secrets = _find_secrets(whole)
    draws: list[CheckedDraw] = []
    verdicts: dict[int, RoundVerdict] = {}
    bound: set[int] = set()
    notes: dict[int, Message] = {}
    walk = EventLog(lines[:1], private)
    for entry, line in zip(whole.entries[1:], lines[1:], strict=True):
        undone, fact = entry.step in whole.undone, entry.fact
        if isinstance(fact, RecordedDraw):
            what = _describe_draw(fact)
            attempt = 1 if isinstance(fact, RoundRepaired) else fact.attempt
            problem = _check_draw(walk.state, fact, secrets.get(walk.state.commitment, ""))
            replayed = None if problem is None else not problem
            draws.append(CheckedDraw(entry.position, what, attempt, replayed, undone, problem or FINE))
            if walk.state.upcoming is not None and walk.state.upcoming.fixed:
                bound.add(walk.state.upcoming.number)
        walk.extend([line])
        if isinstance(fact, TakenOver):
            verdicts |= {verdict.round: verdict for verdict in audit_rounds(find_progress(walk.state))}
            notes |= dict.fromkeys(verdicts, say("played elsewhere ({source})", source=fact.source))
        if isinstance(fact, Started) and not undone:
            verdicts[fact.round] = audit_last_round(find_progress(walk.state))
            notes |= _explain_changes(walk.state)
    state = whole.state
    if state.upcoming is not None:
        verdicts[len(state.rounds)] = audit_last_round(find_progress(state))
        notes |= _explain_changes(state)
    overrides = [
        say(
            "Corrected after the record was closed: {place} ({reason}, {by}).",
            place=describe_place(o.round, o.table, state.name_of),
            reason=o.reason,
            by=o.by,
        )
        for o in state.overrides
    ]
    overrides += [
        say("Round {round}: {allowed}", round=r.number, allowed=describe_allowance(r.allowed))
        for r in state.rounds
        if r.allowed
    ]
    rounds = [_put_names(state, verdicts[number]) for number in sorted(verdicts)]
    names = {player_id: state.name_of(player_id) for player_id in state.players}
    if state.finished and (unknown := [draw.position for draw in draws if draw.replayed is None]):
        problems.append(say("The secret of the draw in fact {fact} was never revealed.", fact=unknown[0]))
    return LogFindings(
        whole.version, draws, rounds, sorted(bound), notes, overrides, problems, names, rehearsal
    )


def _put_names(state: State, verdict: RoundVerdict) -> RoundVerdict:
    """Return the verdict with names of players in what it says."""

    def named(problems: list[RoundProblem]) -> list[RoundProblem]:
        return [replace(problem, text=put_names(state, problem.text)) for problem in problems]

    return replace(verdict, problems=named(verdict.problems), remarks=named(verdict.remarks))


def _explain_changes(state: State) -> dict[int, Message]:
    a_round = state.round
    if a_round is None or a_round.as_drawn:
        return {}
    if a_round.edited:
        reasons = join_messages("; ", a_round.edited)
        return {a_round.number: say("changed by hand ({reasons})", reasons=reasons)}
    return {a_round.number: say("re-paired in part, or kept after a correction")}


def _describe_draw(fact: RecordedDraw) -> Message:
    """Return what was drawn or repaired."""
    if isinstance(fact, RoundRepaired):
        return say("repair of round {round}", round=fact.round)
    if isinstance(fact, Paired):
        return say("round {round}", round=fact.round)
    if isinstance(fact, DraftBegan):
        return say("pods of draft {draft}", draft=fact.draft)
    lots = {"flights": say("flights"), "pods": say("pods"), "seats": say("seats")}
    return lots[fact.kind]


def find_exchanged(private: Mapping[str, bytes]) -> list[Message]:
    """Return what is kept outside a log and is not what the log was written with."""
    exchanged = [key for key, body in private.items() if digest(body) != key]
    return [say("The entry {key}… outside the log was changed.", key=key[:16]) for key in exchanged]


def _find_secrets(log: EventLog) -> dict[str, str]:
    """Return commitments with their secrets, as far as they are known."""
    known = {key: body.decode(errors="replace") for key, body in log.private.items()}
    ends = [entry.fact for entry in log.entries if isinstance(entry.fact, Finished)]
    return known | {digest(secret.encode()): secret for end in ends for secret in (end.secret, *end.earlier)}


def _check_draw(state: State, fact: RecordedDraw, secret: str) -> Message | None:
    """Return what is wrong with a draw; empty if it comes out again, None where its secret is not known."""
    try:
        if isinstance(fact, RoundRepaired):
            if state.upcoming is None:
                return say("no round was paired then")
            best = _lost_only_byes(state, state.upcoming, fact)
            for round_lots in (False, True):  # by the rule of today, or that of older logs
                if not best:
                    repaired = find_fewest_changes(state, state.upcoming, round_lots).fact
                    best = _seat(repaired.tables) == _seat(fact.tables)
            return FINE if best else say("fewer changes were possible")
        if not secret:
            return None
        if isinstance(fact, LotsDrawn):
            seed = derive_seed(secret, fact.kind, "attempt", fact.attempt)
            same = seed == fact.seed and draw_lots(state, fact.kind, seed) == fact.numbers
            return FINE if same else say("its seed draws other numbers")
        if isinstance(fact, DraftBegan):
            seed = derive_seed(secret, "draft", fact.draft, "attempt", fact.attempt)
            same = seed == fact.seed and draw_pods(state, seed) == (fact.pods, fact.seats)
            return FINE if same else say("its seed draws other pods or seats")
        problem = _compare_round(state, fact, secret, round_lots=False)
        # Older logs drew pods and larger tables by lots of the new round: what they drew then is right.
        return _compare_round(state, fact, secret, round_lots=True) and problem if problem else FINE
    except TopcutError as error:
        return error.message


def _compare_round(state: State, fact: Paired, secret: str, round_lots: bool) -> Message:
    """Return what is wrong with a round that was drawn; empty if it comes out again."""
    again = draw_round(state, secret, fact.allowed, round_lots)[-1]
    assert isinstance(again, Paired)
    if again.seed != fact.seed:
        return say("attempt {attempt} has another seed than the one recorded", attempt=again.attempt)
    same = _seat(again.tables) == _seat(fact.tables) and again.drawn == fact.drawn
    same = same and again.allowed == fact.allowed
    return FINE if same else say("its seed draws other tables")


def _seat(tables: Iterable[Table]) -> list[Table]:
    """Return tables without their reasons, whose wording is another in other versions."""
    return [structs.replace(table, why=()) for table in tables]


def _lost_only_byes(state: State, upcoming: RoundState, fact: RoundRepaired) -> bool:
    """Return whether a round lost nothing but the byes of players who have left."""
    before, after = _seat(upcoming.tables), _seat(fact.tables)
    gone = [table for table in before if table not in after]
    kept = [table for table in before if table in after]
    last = upcoming.number - 1
    left = {id_ for id_, e in state.players.items() if last in (e.player.dropped, e.player.disqualified)}
    alone = all(len(table.players) == 1 and table.players[0] in left for table in gone)
    return bool(gone) and alone and after == kept
