"""What the API shows of an event: players, rounds, standings, brackets, what has changed, the log."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.client import shapes as s
from topcut.desk.access import utc
from topcut.desk.api.answers import answered, limited, next_of, opened, position
from topcut.desk.api.shaping import event_shape, player_shape, round_listed, round_shape
from topcut.desk.board import Board
from topcut.desk.brackets import bracket_documents
from topcut.desk.house import House
from topcut.desk.live import Live, played
from topcut.desk.news import Item, news_after
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who
from topcut.errors import BadInput
from topcut.event.state import State
from topcut.history.alphabet import in_order, plain

GONE = [NotFoundException]


@get("/events/{event:str}", right="hall", looks=True, raises=GONE)
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
    cursor: FromQuery[str] = "",
    limit: FromQuery[int] = 100,
) -> Response[s.Players]:
    """The players in the order in which they entered; `q`: those with this in their names."""
    live, who, state = await opened(request, house, event)
    everybody = list(state.players.values())
    if cursor:
        if cursor not in state.players:
            raise BadInput("expected the `next` of an answer", place="cursor")
        everybody = everybody[list(state.players).index(cursor) + 1 :]
    wanted = plain(q[:80])
    found = [entrant for entrant in everybody if wanted in in_order(entrant.player.shown_name)[0]]
    items = [player_shape(entrant, who) for entrant in found[: limited(limit)]]
    return answered(
        request, live, s.Players(items=items, next=next_of(items, limit, items[-1].id if items else ""))
    )


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


@get("/events/{event:str}/rounds/{number:int}", right="hall", looks=True, raises=GONE)
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
        raise BadInput(f"expected 0 to {played(state)}, the rounds that are played", place="after")
    return await house.board_after(live, after)


@get("/events/{event:str}/standings", right="hall", looks=True, raises=GONE)
async def standings(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    after: FromQuery[int | None] = None,
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
    after: FromQuery[int | None] = None,
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
    cursor: FromQuery[str] = "",
    limit: FromQuery[int] = 100,
) -> Response[s.Changes]:
    """What changed, for everybody, the oldest first."""
    live, _, _ = await opened(request, house, event)
    found = news_after(live, position(cursor) or 0)[: limited(limit)]
    items = [change_shape(item) for item in found]
    last = items[-1].position if items else 0
    return answered(request, live, s.Changes(items=items, next=next_of(items, limit, last)))


def change_shape(item: Item) -> s.Change:
    return s.Change(position=item.position, at=item.at, kind=item.kind, round=item.round, says=item.says)


@get("/events/{event:str}/log", right="desk", raises=GONE)
async def log(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    cursor: FromQuery[str] = "",
    limit: FromQuery[int] = 100,
) -> Response[s.Log]:
    """Every fact, the oldest first."""
    live, who, _ = await opened(request, house, event)
    items = facts(house, live, who, position(cursor) or 0, limited(limit))
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


ROUTES = [one, players, player, rounds, one_round, standings, explained, bracket, changes, log]
