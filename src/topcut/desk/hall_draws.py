"""The hall's proof: what was promised before the first draw, what was drawn, and what was changed by hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.desk.hall_page import Hall
from topcut.desk.house import House
from topcut.desk.news import news_of
from topcut.desk.pages import AnyRequest
from topcut.event import facts as f
from topcut.event.journal import Journal
from topcut.event.log import digest
from topcut.event.state import State

PAGE = 100
FOLLOWS = ("players", "pairings", "clock", "standings", "results", "draws")
"""All that the news tell of; not the log itself, which also moves with what nobody may see."""


@dataclass(frozen=True)
class Drawn:
    """One draw."""

    what: str
    seed: str
    attempt: int
    note: str


def draws_of(state: State, journal: Journal) -> list[Drawn]:
    """Lots before the first round, then the rounds that are published."""
    found = []
    if state.rounds:
        for entry in journal.entries:
            fact = entry.fact
            if isinstance(fact, f.LotsDrawn) and entry.step not in journal.undone:
                found.append(Drawn(fact.kind.capitalize(), fact.seed, fact.attempt, ""))
    for a_round in state.rounds:
        note = "as the seed draws it"
        if a_round.taken:
            note = "played elsewhere and taken over from a file"
        elif a_round.edited:
            note = f"changed by hand: {'; '.join(a_round.edited)}"
        elif not a_round.as_drawn:
            note = "repaired, or records before it were corrected since"
        found.append(Drawn(f"Round {a_round.number}", a_round.seed, a_round.attempt, note))
    return found


@dataclass(frozen=True)
class Promise:
    """A commitment, and the secret behind it once it is known."""

    commitment: str
    at: datetime
    secrets: tuple[str, ...]
    rehearsal: bool


def promises_of(journal: Journal) -> list[Promise]:
    """All commitments of an event, the first one first. What was once revealed stays revealed."""
    made: list[tuple[str, datetime, bool]] = []
    known: list[str] = []
    for entry in journal.entries:
        match entry.fact:
            case f.Created(commitment=commitment, rehearsal=rehearsal):
                made.append((commitment, entry.at, rehearsal))
            case f.Committed(commitment=commitment):
                made.append((commitment, entry.at, False))
            case f.Finished(secret=secret, earlier=earlier):
                known += [secret, *earlier]
    return [
        Promise(commitment, at, tuple(s for s in dict.fromkeys(known) if digest(s.encode()) == commitment), r)
        for commitment, at, r in made
    ]


@get("/e/{event:str}/draws", right="hall", raises=[NotFoundException])
async def draws(request: AnyRequest, house: NamedDependency[House], event: FromPath[str]) -> Response[bytes]:
    """The commitment, every draw, and every change that was not drawn."""
    hall = await Hall.open(house, event, request)

    def shown() -> dict[str, Any]:
        journal = hall.live.running.journal
        return {
            "promises": promises_of(journal),
            "draws": draws_of(hall.state, journal),
            "overrides": [
                (override, hall.state.name_of(override.table) if isinstance(override.table, str) else "")
                for override in hall.state.overrides
            ],
        }

    return hall.show(request, "hall_draws.html", ("draws", "players"), shown)


@get("/e/{event:str}/changes", right="hall", raises=[NotFoundException])
async def changes(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], all: FromQuery[bool] = False
) -> Response[bytes]:
    """What changed since, the newest first."""
    hall = await Hall.open(house, event, request)

    def shown() -> dict[str, Any]:
        found = news_of(hall.live, 100_000 if all else PAGE + 1)
        return {"news": found if all else found[:PAGE], "more": not all and len(found) > PAGE}

    return hall.show(request, "hall_changes.html", FOLLOWS, shown, (all,))


ROUTES = [draws, changes]
