"""Show what an event promised before its first draw, what was drawn, and what was changed by hand."""

from dataclasses import dataclass
from datetime import datetime

from topcut.event import facts as f
from topcut.event.event_log import EventLog
from topcut.event.log_chain import digest
from topcut.event.state import State


@dataclass(frozen=True)
class DrawRecord:
    """Describe one draw."""

    what: str
    seed: str
    attempt: int
    note: str


@dataclass(frozen=True)
class DrawPromise:
    """Hold a commitment, and the secret behind it once it is known."""

    commitment: str
    at: datetime
    secrets: tuple[str, ...]
    rehearsal: bool


def list_draws(state: State, log: EventLog) -> list[DrawRecord]:
    """Return the lots before the first round, then the draws of published rounds."""
    found = []
    if state.rounds:
        for entry in log.entries:
            fact = entry.fact
            if isinstance(fact, f.LotsDrawn) and entry.step not in log.undone:
                found.append(DrawRecord(fact.kind.capitalize(), fact.seed, fact.attempt, ""))
    for a_round in state.rounds:
        note = "as the seed draws it"
        if a_round.taken:
            note = "played elsewhere and taken over from a file"
        elif a_round.edited:
            note = f"changed by hand: {'; '.join(a_round.edited)}"
        elif not a_round.as_drawn:
            note = "repaired, or records before it were corrected since"
        found.append(DrawRecord(f"Round {a_round.number}", a_round.seed, a_round.attempt, note))
    return found


def list_promises(log: EventLog) -> list[DrawPromise]:
    """Return all commitments of an event in order. A secret that was revealed once stays revealed."""
    made: list[tuple[str, datetime, bool]] = []
    known: list[str] = []
    for entry in log.entries:
        match entry.fact:
            case f.Created(commitment=commitment, rehearsal=rehearsal):
                made.append((commitment, entry.at, rehearsal))
            case f.Committed(commitment=commitment):
                made.append((commitment, entry.at, False))
            case f.Finished(secret=secret, earlier=earlier):
                known += [secret, *earlier]
    return [
        DrawPromise(
            commitment, at, tuple(s for s in dict.fromkeys(known) if digest(s.encode()) == commitment), r
        )
        for commitment, at, r in made
    ]
