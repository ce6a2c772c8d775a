"""Show an event: its players, rounds, standings, brackets, changes and log."""

import asyncio
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, QueryParameter

from topcut.api.requests import AnyRequest
from topcut.api.responses import Cursor, Limit, Place, answered, next_of, opened, position
from topcut.api.serializers import event_shape, player_shape, round_listed, round_shape
from topcut.app.access.identity import Identity
from topcut.app.clock import utc_now
from topcut.app.live_events import LiveEvent
from topcut.app.services import Services
from topcut.app.views.leaderboard import EventLeaderboard, bracket_documents
from topcut.app.views.log_view import find_news_after, list_draws, list_promises
from topcut.app.views.visibility import count_played_rounds
from topcut.client import schemas as s
from topcut.event.describe.news import NewsItem
from topcut.event.describe.results import describe_question
from topcut.event.event_log import EventLog
from topcut.event.facts import Registered
from topcut.event.state import State
from topcut.text.alphabet import fold_letters, name_key

GONE = [NotFoundException]
After = Annotated[int | None, QueryParameter(ge=0, description="A round; without it the last one played.")]


@get("/events/{event:str}", right="hall", looks=True, raises=GONE, operation_id="event")
async def one(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[s.Event]:
    """Return an event as it is now."""
    live, _, state = await opened(request, services, event)
    return answered(request, live, event_shape(live, state, utc_now()))


@get("/events/{event:str}/players", right="hall", looks=True, raises=GONE)
async def players(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    q: FromQuery[str] = "",
    cursor: Cursor = "",
    limit: Limit = 100,
) -> Response[s.Players]:
    """List the players in the order in which they entered; `q`: only players with this in their names."""
    live, who, state = await opened(request, services, event)
    entered, after, wanted = entered_at(live.session.log), position(cursor) or 0, fold_letters(q[:80])
    found = [
        listed
        for player_id, listed in state.players.items()
        if entered[player_id] > after and (not wanted or wanted in name_key(listed.player.shown_name)[0])
    ]
    items = [player_shape(listed, who) for listed in found[:limit]]
    last = entered[items[-1].id] if items else 0
    return answered(request, live, s.Players(items=items, next=next_of(items, limit, last)))


def entered_at(event_log: EventLog) -> dict[str, int]:
    """Return the position of the fact by which each player entered; it does not change when others leave."""
    return {
        entry.fact.player: entry.position
        for entry in event_log.entries
        if isinstance(entry.fact, Registered) and entry.step not in event_log.undone
    }


@get("/events/{event:str}/players/{player:str}", right="hall", looks=True, raises=GONE)
async def player(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], player: FromPath[str]
) -> Response[s.Player]:
    """Return one player."""
    live, who, state = await opened(request, services, event)
    if player not in state.players:
        raise NotFoundException("no player has this id")
    return answered(request, live, player_shape(state.players[player], who))


@get("/events/{event:str}/rounds", right="hall", looks=True, raises=GONE)
async def rounds(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[s.Rounds]:
    """List the rounds; only staff see a round that is not published."""
    live, _, state = await opened(request, services, event)
    return answered(request, live, s.Rounds(items=[round_listed(a_round) for a_round in state.rounds]))


@get("/events/{event:str}/rounds/{number:int}", right="hall", looks=True, raises=GONE, operation_id="round")
async def one_round(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], number: FromPath[int]
) -> Response[s.Round]:
    """Return a round with its tables."""
    live, who, state = await opened(request, services, event)
    if not 1 <= number <= len(state.rounds):
        raise NotFoundException("there is no such round")
    shape = round_shape(state, state.rounds[number - 1], who, utc_now())
    return answered(request, live, shape)


async def _board(services: Services, live: LiveEvent, state: State, after: int | None) -> EventLeaderboard:
    """Return the standings after a round, or after all played rounds if none is given."""
    await services.wait_until_ready(live)
    if after is None:
        return services.leaderboard(live)
    if not 0 <= after <= count_played_rounds(state):
        raise NotFoundException(f"{count_played_rounds(state)} rounds are played")
    return await services.leaderboard_after(live, after)


@get("/events/{event:str}/standings", right="hall", looks=True, raises=GONE)
async def standings(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    after: After = None,
) -> Response[s.Standings]:
    """Return the standings after a played round, by default the last one, as `topcut standings` has them."""
    live, _, state = await opened(request, services, event)
    board = await _board(services, live, state, after)
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
    services: NamedDependency[Services],
    event: FromPath[str],
    player: FromPath[str],
    after: After = None,
) -> Response[s.Explained]:
    """Explain how each value of a player in the standings is computed."""
    live, _, state = await opened(request, services, event)
    if player not in state.players:
        raise NotFoundException("no player has this id")
    board = await _board(services, live, state, after)
    lines = await asyncio.to_thread(board.explain_tiebreaks, player)
    shape = s.Explained(id=player, name=state.name_of(player), after=board.rounds, lines=lines)
    return answered(request, live, shape)


@get("/events/{event:str}/bracket", right="hall", looks=True, raises=GONE)
async def bracket(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[s.Brackets]:
    """Return the brackets or round robins, as far as they are known."""
    live, who, state = await opened(request, services, event)
    if who.may("desk"):  # staff also see a draft
        found = await asyncio.to_thread(bracket_documents, state)
    else:
        found = await services.brackets(live)
    return answered(request, live, s.Brackets(brackets=found))


@get("/events/{event:str}/changes", right="hall", looks=True, raises=GONE)
async def changes(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    cursor: Place = "",
    limit: Limit = 100,
) -> Response[s.Changes]:
    """List the changes that everybody may see, the oldest first."""
    live, _, _ = await opened(request, services, event)
    found = find_news_after(live, position(cursor) or 0)[:limit]
    items = [change_shape(item) for item in found]
    last = items[-1].position if items else 0
    return answered(request, live, s.Changes(items=items, next=next_of(items, limit, last)))


def change_shape(item: NewsItem) -> s.Change:
    return s.Change(position=item.position, at=item.at, kind=item.kind, round=item.round, says=item.says)


@get("/events/{event:str}/draws", right="hall", looks=True, raises=GONE)
async def draws(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[s.Draws]:
    """List the commitments to random seeds, the draws, and the records that were changed once closed."""
    live, _, state = await opened(request, services, event)
    event_log = live.session.log
    shape = s.Draws(
        promises=msgspec.convert(list_promises(event_log), list[s.Promise], from_attributes=True),
        draws=msgspec.convert(list_draws(state, event_log), list[s.Draw], from_attributes=True),
        overrides=msgspec.convert(state.overrides, list[s.Override], from_attributes=True),
    )
    return answered(request, live, shape)


@get("/events/{event:str}/questions", right="desk", raises=GONE)
async def questions(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[s.Questions]:
    """List the open questions of players to the desk, the oldest first."""
    live, _, state = await opened(request, services, event)
    items = [
        s.Question(
            number=one.number,
            player=one.player,
            name=state.name_of(one.player),
            about=one.about,
            round=one.round,
            at=one.at,
            says=describe_question(one.about, one.round),
        )
        for one in state.questions
    ]
    return answered(request, live, s.Questions(items=items))


@get("/events/{event:str}/log", right="desk", raises=GONE)
async def log(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    cursor: Place = "",
    limit: Limit = 100,
) -> Response[s.Log]:
    """List every fact, the oldest first."""
    live, who, _ = await opened(request, services, event)
    items = facts(services, live, who, position(cursor) or 0, limit)
    last = items[-1].position if items else 0
    return answered(request, live, s.Log(items=items, next=next_of(items, limit, last)))


def facts(services: Services, live: LiveEvent, who: Identity, after: int, limit: int) -> list[s.Fact]:
    """Return at most `limit` facts after a position, each with a sentence, as `who` may see them."""
    event_log = live.session.log
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
        for line in services.log_view(live, who).after(event_log, after, limit)
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
