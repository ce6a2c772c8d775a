"""A player's own page: report the table's result, leave, ask the desk; by a signed link, without an account.

Whoever has the link acts for the player, as whoever holds a slip does. A result counts once all players of
the table say the same; a scorekeeper's entry counts at once.
"""

from __future__ import annotations

import hmac
from typing import Any

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Struct
from msgspec.structs import replace

from topcut.desk.access import signature, utc
from topcut.desk.commands import answer, give
from topcut.desk.hall_page import Hall
from topcut.desk.house import House, hall_address
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest, respond
from topcut.desk.views import clock_view, shown_round, tables, whereabouts
from topcut.desk.who import EVERYBODY, Who, speaking
from topcut.event import commands as c
from topcut.event.facts import About, Result
from topcut.event.refusals import NeedsAnswer, NotNow
from topcut.event.state import Question, RoundOf, State
from topcut.event.window import closed, open_until
from topcut.event.words import said_words
from topcut.history.direction import apart
from topcut.history.model import Table

AT_ONCE = 40
"""Open questions that anybody may add to; with more, somebody plays tricks, or everybody has the same one."""
FOLLOWS = ("players", "pairings", "clock", "standings", "own")


def link_of(secret: bytes, event: str, player: str) -> str:
    """The address of a player's own page, which nobody can guess."""
    return f"{hall_address(event)}/me/{player}/{signature(secret, event, player)}"


async def open_link(house: House, event: str, player: str, signed: str) -> Live:
    """The event, if the link is a good one."""
    secret = await house.access.secret("players")
    live = await house.floor.event(event)
    good = hmac.compare_digest(signed.encode(), signature(secret, event, player).encode())
    if not good:
        raise NotFoundException("this link is not good: ask the desk for yours")
    if player not in live.state.players:
        raise NotFoundException(
            "you are not on the list of this event any more; the desk can enter you again"
        )
    return live


class Choice(Struct, frozen=True):
    """A way in which a table of two can end, as one of them says it."""

    says: str
    result: dict[str, Any]


def wins(table: Table, player: str, state: State) -> list[Choice]:
    """The ways in which a player can have won a table of two."""
    best_of = state.book.match.best_of
    if state.book.match.results == "winner" or best_of is None:
        return [Choice("won", {"winner": player})]
    needed = best_of // 2 + 1
    first = table.players[0] == player
    return [
        Choice(f"won {needed}–{lost}", {"games": [needed, lost, 0] if first else [lost, needed, 0]})
        for lost in range(needed)
    ]


def choices(table: Table, player: str, state: State, a_round: RoundOf) -> list[Choice]:
    """How a table of two may have ended, from the best for this player down."""
    if len(table.players) != 2 or state.book.match.results == "scores":
        return []
    draws = a_round.stage != "elimination"
    other = next(player_id for player_id in table.players if player_id != player)
    agreed = [Choice("We agreed on a draw", {"winner": "draw", "intentional": True})]
    agreed = agreed if draws and state.book.match.intentional_draws else []
    best_of = state.book.match.best_of
    if state.book.match.results == "winner" or best_of is None:
        draw = [Choice("Draw", {"winner": "draw"})] if draws else []
        return [Choice("I won", {"winner": player}), *draw, *agreed, Choice("I lost", {"winner": other})]
    wins = best_of // 2 + 1
    first = table.players[0] == player

    def games(mine: int, theirs: int, drawn: int = 0) -> dict[str, Any]:
        return {"games": [mine, theirs, drawn] if first else [theirs, mine, drawn]}

    won = [Choice(f"I won {wins}–{lost}", games(wins, lost)) for lost in range(wins)]
    short = [Choice("I won 1–0, time was up", games(1, 0))] if wins > 1 else []
    level = [Choice(f"Draw {wins - 1}–{wins - 1}", games(wins - 1, wins - 1))] if draws else []
    shorter = [Choice("I lost 0–1, time was up", games(0, 1))] if wins > 1 else []
    lost = [Choice(f"I lost {n}–{wins}", games(n, wins)) for n in reversed(range(wins))]
    return [*won, *short, *level, *agreed, *shorter, *lost]


@get("/e/{event:str}/me/{player:str}/{signed:str}", right="speak", raises=[NotFoundException])
async def me(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    player: FromPath[str],
    signed: FromPath[str],
) -> Response[bytes]:
    """Where I sit, what I say, what the others say."""
    live = await open_link(house, event, player, signed)
    hall = await Hall.open(house, event, request)
    state, board = hall.state, hall.board
    a_round = shown_round(state)
    table = a_round.table_of(player) if a_round else None
    open_table = (
        a_round is not None
        and table is not None
        and isinstance(table.table, int)
        and not table.reported
        and a_round.phase in ("published", "started")
    )
    claims: dict[str, Result] = {}
    if a_round and table and isinstance(table.table, int):
        claims = a_round.claims.get(table.table, {})
    left = state.players[player].player

    def name(player_id: str) -> str:
        return apart(state.name_of(player_id))

    shown = {
        "player": left,
        "own": own_table(table),
        "round": a_round,
        "clock": clock_view(a_round, utc()),
        "at": tables(state, a_round, [table])[0] if a_round and table else None,
        "open": open_table,
        "choices": choices(table, player, state, a_round) if a_round and table and open_table else [],
        "scores": bool(
            open_table and table and (len(table.players) > 2 or state.book.match.results == "scores")
        ),
        "results": state.book.match.results,
        "mine": said_words(table, claims[player], name) if table and player in claims else "",
        "theirs": [
            (state.name_of(player_id), said_words(table, said, name))
            for player_id, said in claims.items()
            if table and player_id != player
        ],
        "disputed": bool(a_round and table and table.table in a_round.disputed),
        "where": whereabouts(state, a_round, player),
        "gone": left.dropped is not None or left.disqualified is not None,
        "row": board.ranks.get(player) if board.scored else None,
        "after": board.scored,
        "asked": asked_by(state, player),
        "wrong": can_ask(live.state, player),
        "until": open_until(state, a_round.number) if a_round else "",
        "address": request.scope["path"],
    }
    return respond(request, hall.page("me.html", FOLLOWS, shown), keep="no-store")


def own_table(table: Table | None) -> str:
    """The name under which a stream tells that this table is different."""
    return str(table.table or table.players[0]) if table else ""


def asked_by(state: State, player: str) -> list[Question]:
    """What a player wants the desk to look at."""
    return [question for question in state.questions if question.player == player]


def can_ask(state: State, player: str) -> bool:
    """Whether some record of a player can still be put right, and nobody has asked yet.

    The whole state decides, with a draft: a rule may close records when a round is paired.
    """
    if state.finished or state.purged:
        return False
    if any(question.about == "points" for question in asked_by(state, player)):
        return False
    posted = [r for r in state.rounds if r.phase != "draft"]
    mine = [r for r in posted if (table := r.table_of(player)) is not None and table.reported]
    return any(closed(state, r.number) is None for r in mine)


class Said(Struct, forbid_unknown_fields=True):
    result: Result
    round: int
    table: int
    players: tuple[str, ...]


@post(
    "/e/{event:str}/me/{player:str}/{signed:str}/report",
    right="speak",
    status_code=200,
    raises=[NotFoundException],
)
async def report(
    house: NamedDependency[House],
    event: FromPath[str],
    player: FromPath[str],
    signed: FromPath[str],
    data: JSONBody[Said],
) -> dict[str, Any]:
    """How my table ended."""
    live = await open_link(house, event, player, signed)
    claim = c.Claim(
        player=player, table=data.table, result=data.result, round=data.round, players=data.players
    )
    return answer(live, await give(live, by_phone(player), [claim]))


@post(
    "/e/{event:str}/me/{player:str}/{signed:str}/drop",
    right="speak",
    status_code=200,
    raises=[NotFoundException],
)
async def drop(
    house: NamedDependency[House], event: FromPath[str], player: FromPath[str], signed: FromPath[str]
) -> dict[str, Any]:
    """I leave; where the next round is posted already, the desk is asked."""
    live = await open_link(house, event, player, signed)
    check_leaving(live.state, player)
    try:
        await give(live, by_phone(player), [c.Drop(player=player)])
    except NeedsAnswer:
        await give(live, by_phone(player), [c.Ask(player=player, about="drop")])
        says = "The next round is posted already: please stay until you hear from the desk, which knows."
        return {"version": live.version, "says": [says], "warnings": []}
    return {"version": live.version, "says": ["You have left the event."], "warnings": []}


def check_leaving(state: State, player: str) -> None:
    """Refuse a player who would leave a table that is being played."""
    a_round = state.round
    table = a_round.table_of(player) if a_round is not None and a_round.phase == "started" else None
    if table is not None and not table.reported:
        raise NotNow("your table is not reported yet: report it first, or tell the desk that you must go")


class Wrong(Struct, forbid_unknown_fields=True):
    about: str = "points"
    round: int | None = None


@post("/e/{event:str}/player/{player:str}/ask", right="ask", status_code=200, raises=[NotFoundException])
async def ask(
    house: NamedDependency[House], event: FromPath[str], player: FromPath[str], data: JSONBody[Wrong]
) -> dict[str, Any]:
    """Something about my record is wrong."""
    live = await house.floor.event(event)
    if data.about == "result":
        return await asked(live, player, "result", data.round)
    return await asked(live, player, "points")


async def asked(live: Live, player: str, about: About, number: int | None = None) -> dict[str, Any]:
    """The desk is asked to look at something."""
    if len(live.state.questions) >= AT_ONCE:
        raise NotNow("many players ask something at the moment: please go to the desk")
    question = c.Ask(player=player, about=about, round=number)
    decisions = await give(live, replace(EVERYBODY, name=player, via="phone"), [question])
    return answer(live, decisions) | {"says": ["The desk knows. Somebody will look at it."]}


def by_phone(player: str) -> Who:
    """Who speaks: an id, since the log is for good."""
    return speaking([player], player, "phone")


ROUTES = [me, report, drop, ask]
