"""What the API shows of an event: players, rounds, standings, brackets, what has changed, the log."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, QueryParameter

from topcut.client import shapes as s
from topcut.desk.access import utc
from topcut.desk.api.answers import Cursor, Limit, Place, answered, next_of, opened, position
from topcut.desk.api.shaping import event_shape, player_shape, round_listed, round_shape
from topcut.desk.board import Board
from topcut.desk.brackets import bracket_documents
from topcut.desk.hall_draws import draws_of, promises_of
from topcut.desk.house import House
from topcut.desk.live import Live, played
from topcut.desk.news import Item, news_after
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who
from topcut.event.facts import Registered
from topcut.event.journal import Journal
from topcut.event.state import State
from topcut.event.words import question_words
from topcut.history.alphabet import in_order, plain

GONE = [NotFoundException]
After = Annotated[int | None, QueryParameter(ge=0, description="A round; without it the last one played.")]


@get("/events/{event:str}", right="hall", looks=True, raises=GONE, operation_id="event")
async def one(request: AnyRequest, house: NamedDependency[House], event: FromPath[str]) -> Response[s.Event]:
    """An event as it stands."""
    live, _, state = await opened(request, house, event)
    return answered(request, live, event_shape(live, state, utc()))


@get("/events/{event:str}/players", right="hall", looks=True, raises=GONE)
async def players(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    q: FromQuery[str] = "",
    cursor: Cursor = "",
    limit: Limit = 100,
) -> Response[s.Players]:
    """The players in the order in which they entered; `q`: those with this in their names."""
    live, who, state = await opened(request, house, event)
    entered, after, wanted = entered_at(live.running.journal), position(cursor) or 0, plain(q[:80])
    found = [
        entrant
        for player_id, entrant in state.players.items()
        if entered[player_id] > after and (not wanted or wanted in in_order(entrant.player.shown_name)[0])
    ]
    items = [player_shape(entrant, who) for entrant in found[:limit]]
    last = entered[items[-1].id] if items else 0
    return answered(request, live, s.Players(items=items, next=next_of(items, limit, last)))


def entered_at(journal: Journal) -> dict[str, int]:
    """The fact by which each player entered: their order, whoever is taken off the list meanwhile."""
    return {
        entry.fact.player: entry.position
        for entry in journal.entries
        if isinstance(entry.fact, Registered) and entry.step not in journal.undone
    }


@get("/events/{event:str}/players/{player:str}", right="hall", looks=True, raises=GONE)
async def player(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromPath[str]
) -> Response[s.Player]:
    """One player."""
    live, who, state = await opened(request, house, event)
    if player not in state.players:
        raise NotFoundException("no player has this id")
    return answered(request, live, player_shape(state.players[player], who))


@get("/events/{event:str}/rounds", right="hall", looks=True, raises=GONE)
async def rounds(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[s.Rounds]:
    """The rounds; one that is not published is for staff."""
    live, _, state = await opened(request, house, event)
    return answered(request, live, s.Rounds(items=[round_listed(a_round) for a_round in state.rounds]))


@get("/events/{event:str}/rounds/{number:int}", right="hall", looks=True, raises=GONE, operation_id="round")
async def one_round(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], number: FromPath[int]
) -> Response[s.Round]:
    """A round with its tables."""
    live, who, state = await opened(request, house, event)
    if not 1 <= number <= len(state.rounds):
        raise NotFoundException("there is no such round")
    shape = round_shape(state, state.rounds[number - 1], who, utc())
    return answered(request, live, shape)


async def _board(house: House, live: Live, state: State, after: int | None) -> Board:
    """The standings after a round; all that is played if none is given."""
    await house.ready(live)
    if after is None:
        return house.board(live)
    if not 0 <= after <= played(state):
        raise NotFoundException(f"{played(state)} rounds are played")
    return await house.board_after(live, after)


@get("/events/{event:str}/standings", right="hall", looks=True, raises=GONE)
async def standings(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    after: After = None,
) -> Response[s.Standings]:
    """The standings after a round that is played, the last one if none is given; as `topcut standings`
    has them."""
    live, _, state = await opened(request, house, event)
    board = await _board(house, live, state, after)
    rows = await asyncio.to_thread(lambda: board.rows if board.state.players else [])
    shape = s.Standings(
        rules=state.book.id,
        after=board.rounds,
        seed=board.seed or "",
        standings=msgspec.convert(rows, list[s.Standing]),
    )
    return answered(request, live, shape)


@get("/events/{event:str}/standings/{player:str}", right="hall", looks=True, raises=GONE)
async def explained(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    player: FromPath[str],
    after: After = None,
) -> Response[s.Explained]:
    """How each value of a player comes about."""
    live, _, state = await opened(request, house, event)
    if player not in state.players:
        raise NotFoundException("no player has this id")
    board = await _board(house, live, state, after)
    lines = await asyncio.to_thread(board.explained, player)
    shape = s.Explained(id=player, name=state.name_of(player), after=board.rounds, lines=lines)
    return answered(request, live, shape)


@get("/events/{event:str}/bracket", right="hall", looks=True, raises=GONE)
async def bracket(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[s.Brackets]:
    """The brackets, or round robins, as far as they are known."""
    live, who, state = await opened(request, house, event)
    if who.may("desk"):  # also with a draft
        found = await asyncio.to_thread(bracket_documents, state)
    else:
        found = await house.brackets(live)
    return answered(request, live, s.Brackets(brackets=found))


@get("/events/{event:str}/changes", right="hall", looks=True, raises=GONE)
async def changes(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    cursor: Place = "",
    limit: Limit = 100,
) -> Response[s.Changes]:
    """What changed, for everybody, the oldest first."""
    live, _, _ = await opened(request, house, event)
    found = news_after(live, position(cursor) or 0)[:limit]
    items = [change_shape(item) for item in found]
    last = items[-1].position if items else 0
    return answered(request, live, s.Changes(items=items, next=next_of(items, limit, last)))


def change_shape(item: Item) -> s.Change:
    return s.Change(position=item.position, at=item.at, kind=item.kind, round=item.round, says=item.says)


@get("/events/{event:str}/draws", right="hall", looks=True, raises=GONE)
async def draws(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[s.Draws]:
    """What was promised about chance, every draw, and every record that was changed after it was closed."""
    live, _, state = await opened(request, house, event)
    journal = live.running.journal
    shape = s.Draws(
        promises=msgspec.convert(promises_of(journal), list[s.Promise], from_attributes=True),
        draws=msgspec.convert(draws_of(state, journal), list[s.Draw], from_attributes=True),
        overrides=msgspec.convert(state.overrides, list[s.Override], from_attributes=True),
    )
    return answered(request, live, shape)


@get("/events/{event:str}/questions", right="desk", raises=GONE)
async def questions(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[s.Questions]:
    """What players want the desk to look at, the oldest first."""
    live, _, state = await opened(request, house, event)
    items = [
        s.Question(
            number=one.number,
            player=one.player,
            name=state.name_of(one.player),
            about=one.about,
            round=one.round,
            at=one.at,
            says=question_words(one.about, one.round),
        )
        for one in state.questions
    ]
    return answered(request, live, s.Questions(items=items))


@get("/events/{event:str}/log", right="desk", raises=GONE)
async def log(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    cursor: Place = "",
    limit: Limit = 100,
) -> Response[s.Log]:
    """Every fact, the oldest first."""
    live, who, _ = await opened(request, house, event)
    items = facts(house, live, who, position(cursor) or 0, limit)
    last = items[-1].position if items else 0
    return answered(request, live, s.Log(items=items, next=next_of(items, limit, last)))


def facts(house: House, live: Live, who: Who, after: int, limit: int) -> list[s.Fact]:
    """So many facts after a position, in words too, as somebody may know them."""
    journal = live.running.journal
    return [
        s.Fact(
            position=line.entry.position,
            step=line.entry.step,
            at=line.entry.at,
            by=line.entry.by,
            via=line.entry.via,
            says=line.says,
            undone=line.undone,
            fact=msgspec.to_builtins(line.entry.fact, str_keys=True),
        )
        for line in house.logbook(live, who).after(journal, after, limit)
    ]


ROUTES = [
    one,
    players,
    player,
    rounds,
    one_round,
    standings,
    explained,
    bracket,
    draws,
    changes,
    questions,
    log,
]
