"""Show an event: its players, rounds, standings, brackets, changes and log."""

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from topcut.api.requests import (
    ApiRequest,
    Cursor,
    Id,
    Limit,
    Place,
    fill,
    find_listed,
    next_of,
    position,
    to_document,
)
from topcut.app.access.identity import Identity
from topcut.app.clock import utc_now
from topcut.app.live_events import LiveEvent
from topcut.app.services import NotHere, Services
from topcut.app.views.leaderboard import EventLeaderboard, bracket_documents
from topcut.app.views.log_view import find_news_after, list_draws, list_promises
from topcut.app.views.round_view import TableView, clock_view, count_reported_tables, view_tables
from topcut.app.views.visibility import count_played_rounds, last_public_round
from topcut.client import schemas as s
from topcut.event.describe.fact_sentences import describe_allowance
from topcut.event.describe.plan_sentences import describe_plan
from topcut.event.describe.results import describe_question
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.facts import Registered, Result
from topcut.event.state import ListedPlayer, RoundState, State
from topcut.history.model import Table
from topcut.pairing.model import filter_public_reasons
from topcut.text.message_json import to_plain
from topcut.text.messages import count, say
from topcut.text.names import fold_letters, name_key

After = Annotated[int | None, QueryParameter(ge=0, description="After which round; by default the last one.")]


@get("/events/{event:str}", right="hall", identifies=True, operation_id="event")
async def one(request: ApiRequest, event: Id) -> Response[s.Event]:
    """Return an event as it is now."""
    live, _, state = await request.open_event(event)
    a_round = state.round
    shape = fill(
        s.Event,
        state,
        id=live.event,
        version=live.version,
        rules=state.book.id,
        rules_title=state.book.title,
        options=msgspec.to_builtins(state.options),
        players=len(state.players),
        active=sum(1 for _ in state.active()),
        round=a_round.number if a_round else 0,
        phase=a_round.phase if a_round else None,
        clock=_clock(last_public_round(state)),
        announced=list(state.announced.says) if state.announced else [],
        plan=describe_plan(request.services.leaderboard(live).progress) if state.players else [],
        blocked=sorted(state.blocked),
    )
    return request.answer(live, shape)


@get("/events/{event:str}/players", right="hall", identifies=True)
async def players(
    request: ApiRequest, event: Id, q: FromQuery[str] = "", cursor: Cursor = "", limit: Limit = 100
) -> Response[s.Players]:
    """List the players in the order in which they entered. `q`: only those with this in the name."""
    live, who, state = await request.open_event(event)
    event_log, after, wanted = live.session.log, position(cursor) or 0, fold_letters(q[:80])
    entered = {  # the position of the fact does not change when other players leave
        entry.fact.player: entry.position
        for entry in event_log.entries
        if isinstance(entry.fact, Registered) and entry.step not in event_log.undone
    }
    found = [
        listed
        for player_id, listed in state.players.items()
        if entered[player_id] > after and (not wanted or wanted in name_key(listed.player.shown_name)[0])
    ]
    items = [_player(listed, who) for listed in found[:limit]]
    following = next_of([entered[item.id] for item in items], limit)
    return request.answer(live, s.Players(items=items, next=following))


@get("/events/{event:str}/players/{player:str}", right="hall", identifies=True)
async def player(request: ApiRequest, event: Id, player: Id) -> Response[s.Player]:
    """Return one player."""
    live, who, state = await request.open_event(event)
    return request.answer(live, _player(find_listed(state, player), who))


@get("/events/{event:str}/rounds", right="hall", identifies=True)
async def rounds(request: ApiRequest, event: Id) -> Response[s.Rounds]:
    """List the rounds. Only staff see a round that is not published yet."""
    live, _, state = await request.open_event(event)
    items = []
    for one in state.rounds:
        reported, real = count_reported_tables(one)
        items.append(fill(s.RoundListed, one, tables=real, reported=reported))
    return request.answer(live, s.Rounds(items=items))


@get("/events/{event:str}/rounds/{number:int}", right="hall", identifies=True, operation_id="round")
async def one_round(request: ApiRequest, event: Id, number: FromPath[int]) -> Response[s.Round]:
    """Return a round with its tables."""
    live, who, state = await request.open_event(event)
    if not 1 <= number <= len(state.rounds):
        raise NotHere(say("There is no round {number}.", number=number))
    a_round = state.rounds[number - 1]
    views = zip(a_round.tables, view_tables(state, a_round), strict=True)
    notes = find_draft_warnings(state) if a_round is state.upcoming and who.may("desk") else []
    shape = fill(
        s.Round,
        a_round,
        clock=_clock(a_round),
        tables=[_table(a_round, table, view, who) for table, view in views],
        missing=[table.table for table in a_round.missing],
        preview=[fill(s.Notable, note) for note in notes],
    )
    return request.answer(live, shape)


async def _board(services: Services, live: LiveEvent, state: State, after: int | None) -> EventLeaderboard:
    """Return the standings after a round, or after all played rounds if none is given."""
    await services.wait_until_ready(live)
    if after is None:
        return services.leaderboard(live)
    if not 0 <= after <= count_played_rounds(state):
        played = count_played_rounds(state)
        problem = count("Only {n} round has been played.", "Only {n} rounds have been played.", played)
        raise NotHere(problem if played else say("No round has been played yet."))
    return await services.leaderboard_after(live, after)


@get("/events/{event:str}/standings", right="hall", identifies=True)
async def standings(request: ApiRequest, event: Id, after: After = None) -> Response[s.Standings]:
    """Return the standings after a round, by default the last finished one, as `topcut standings` does."""
    live, _, state = await request.open_event(event)
    board = await _board(request.services, live, state, after)
    rows = await asyncio.to_thread(lambda: board.rows if board.state.players else [])
    shape = s.Standings(
        rules=state.book.id,
        after=board.rounds,
        seed=board.seed or "",
        standings=to_document(rows, list[s.Standing]),
    )
    return request.answer(live, shape)


@get("/events/{event:str}/standings/{player:str}", right="hall", identifies=True)
async def explained(request: ApiRequest, event: Id, player: Id, after: After = None) -> Response[s.Explained]:
    """Explain how each value of a player in the standings is computed."""
    live, _, state = await request.open_event(event)
    find_listed(state, player)
    board = await _board(request.services, live, state, after)
    lines = await asyncio.to_thread(board.explain_tiebreaks, player)
    shape = s.Explained(id=player, name=state.name_of(player), after=board.rounds, lines=lines)
    return request.answer(live, shape)


@get("/events/{event:str}/bracket", right="hall", identifies=True)
async def bracket(request: ApiRequest, event: Id) -> Response[s.Brackets]:
    """Return the brackets or round robins."""
    live, who, state = await request.open_event(event)
    if who.may("desk"):  # staff also see a draft
        found = await asyncio.to_thread(bracket_documents, state)
    else:
        found = await request.services.brackets(live)
    return request.answer(live, s.Brackets(brackets=found))


@get("/events/{event:str}/changes", right="hall", identifies=True)
async def changes(
    request: ApiRequest, event: Id, cursor: Place = "", limit: Limit = 100
) -> Response[s.Changes]:
    """List the public changes, the oldest first."""
    live, _, _ = await request.open_event(event)
    found = find_news_after(live, position(cursor) or 0)[:limit]
    items = [fill(s.Change, item) for item in found]
    following = next_of([item.position for item in items], limit)
    return request.answer(live, s.Changes(items=items, next=following))


@get("/events/{event:str}/draws", right="hall", identifies=True)
async def draws(request: ApiRequest, event: Id) -> Response[s.Draws]:
    """List the commitments, the random draws, and the results that were changed after the time to correct."""
    live, _, state = await request.open_event(event)
    event_log = live.session.log
    shape = s.Draws(
        promises=list_promises(event_log),
        draws=list_draws(state, event_log),
        overrides=msgspec.convert(state.overrides, list[s.Override], from_attributes=True),
        allowed=[
            s.AllowedRound(
                round=r.number,
                what=list(r.allowed.what),
                reason=r.allowed.reason,
                sits_out=r.allowed.sits_out,
                says=describe_allowance(r.allowed),
            )
            for r in state.rounds
            if r.allowed
        ],
    )
    return request.answer(live, shape)


@get("/events/{event:str}/questions", right="desk")
async def questions(request: ApiRequest, event: Id) -> Response[s.Questions]:
    """List the open questions of players to the desk, the oldest first."""
    live, _, state = await request.open_event(event)
    items = [
        fill(s.Question, one, name=state.name_of(one.player), says=describe_question(one.about, one.round))
        for one in state.questions
    ]
    return request.answer(live, s.Questions(items=items))


@get("/events/{event:str}/log", right="desk")
async def log(request: ApiRequest, event: Id, cursor: Place = "", limit: Limit = 100) -> Response[s.Log]:
    """List every fact, the oldest first."""
    live, who, _ = await request.open_event(event)
    items = facts(request.services, live, who, position(cursor) or 0, limit)
    following = next_of([item.position for item in items], limit)
    return request.answer(live, s.Log(items=items, next=following))


def facts(services: Services, live: LiveEvent, who: Identity, after: int, limit: int) -> list[s.Fact]:
    """Return at most `limit` facts after a position, each with a sentence, as `who` may see them."""
    event_log = live.session.log
    return [
        fill(
            s.Fact,
            line.entry,
            line,
            fact=to_plain(line.entry.fact),
        )
        for line in services.log_view(live, who).after(event_log, after, limit)
    ]


def _clock(a_round: RoundState | None) -> s.Clock | None:
    view = clock_view(a_round, utc_now())
    if view is None:
        return None
    ends = None if view.paused else view.ends
    return s.Clock(ends=ends, paused=view.paused, left=view.left, last_ends=view.last_ends)


def _player(listed: ListedPlayer, who: Identity) -> s.Player:
    """Return a player with the fields that `who` may see."""
    player = listed.player
    known: dict[str, Any] = {}
    if who.may("desk"):
        known |= {"here": listed.here, "fixed": listed.fixed, "apart": player.apart}
    if who.may("people"):
        known |= {"legal_name": listed.legal or None, "member": player.member, "born": player.born}
    return s.Player(
        id=player.id,
        name=player.shown_name,
        division=player.division,
        entered=player.entered,
        dropped=player.dropped,
        cut=player.cut,
        disqualified=player.disqualified,
        byes=player.byes,
        flight=player.flight,
        pod=player.pod,
        seat=player.seat,
        **known,
    )


def _table(a_round: RoundState, table: Table, view: TableView, who: Identity) -> s.Table:
    alone: Any = view.alone
    result = None
    if table.reported and not alone:
        result = Result(**{name: getattr(table, name) for name in Result.__struct_fields__})
    known: dict[str, Any] = {}
    if who.may("desk"):
        said = a_round.claims.get(table.table, {}) if isinstance(table.table, int) else {}
        claims = tuple(s.PlayerClaim(player=player, result=result) for player, result in said.items())
        known = {"confirmed": view.confirmed, "disputed": view.disputed, "claims": claims}
    return s.Table(
        table=table.table,
        players=[s.Seat(id=player_id, name=name) for player_id, name in view.players],
        reported=table.reported,
        result=result,
        says=view.result,
        alone=alone,
        new=view.new,
        extra=view.extra,
        why=view.why if who.may("desk") else tuple(filter_public_reasons(view.why)),
        **known,
    )
