"""The hall: what everybody may see, without an account. The list of events, and the event now."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.desk import hall_draws, hall_player, hall_round, hall_screen, hall_standings
from topcut.desk.access import utc
from topcut.desk.board import Board
from topcut.desk.brackets import final_places_of
from topcut.desk.guard import who_of
from topcut.desk.hall_page import Hall
from topcut.desk.house import House, hall_address
from topcut.desk.live import so_far
from topcut.desk.news import Item, news_of
from topcut.desk.pages import AnyRequest, respond
from topcut.desk.views import (
    Seat,
    clock_view,
    headline,
    seat_of,
    shown_round,
    whereabouts,
)
from topcut.event.state import RoundOf, State
from topcut.history.alphabet import in_order, plain
from topcut.store.running import About

LONGEST = 80
"""Letters that are looked for, at most."""
FOUND = 30
"""Players whom a search shows; with more, another letter helps."""
RECENT = 5
LEADERS = 8
WORDS = {"published": "is posted", "started": "is being played", "ended": "is over"}
FOLLOWS = ("players", "pairings", "clock", "standings", "progress")


@get("/", right="hall", looks=True)
async def front(request: AnyRequest, house: NamedDependency[House]) -> Response[bytes]:
    """All events of the database; for those who came in also the way to the desk."""
    who = who_of(request)
    listed = await house.store.events()
    abouts = [(e.event, msgspec.json.decode(e.about, type=About)) for e in listed]
    events = [(event, hall_address(event), about, stands(about)) for event, about in abouts]
    theirs = await house.theirs(who, [event for event, _ in abouts])
    events.sort(key=lambda one: one[0] not in theirs)
    accounts = bool(await house.access.accounts.all(utc()))
    page = house.templates.page("front.html", events=events, who=who, theirs=theirs, accounts=accounts)
    return respond(request, page, keep="no-store" if who.key else "no-cache")


def stands(about: About) -> str:
    """Where an event is, for everybody: a round that is not published is not there.

    >>> stands(About(name="Cup", rules="", round=3, phase="draft"))
    'round 2 is over'
    """
    phase, number = about.phase, about.round
    if phase == "draft":
        phase, number = "ended", number - 1
    if about.finished or not number:
        return "finished" if about.finished else "not begun"
    return f"round {number} {WORDS[phase]}"


@dataclass(frozen=True)
class Found:
    """Somebody whose name was looked for: a seat, or where they are instead."""

    id: str
    name: str
    seat: Seat | None
    says: str


def find(state: State, a_round: RoundOf | None, board: Board, text: str) -> list[Found]:
    """Everybody whose name has all these words, from A to Z; those whose name begins so first."""
    words = plain(text[:LONGEST]).split()
    if not words:
        return []
    names = {player_id: entrant.player.shown_name for player_id, entrant in state.players.items()}
    ids = [player_id for player_id, name in names.items() if all(word in in_order(name)[0] for word in words)]
    ids.sort(
        key=lambda player_id: (
            not in_order(names[player_id])[0].startswith(words[0]),
            in_order(names[player_id]),
        )
    )
    return [
        Found(
            player_id,
            names[player_id],
            seat_of(state, a_round, board, player_id),
            whereabouts(state, a_round, player_id),
        )
        for player_id in ids[: FOUND + 1]
    ]


def under_way(item: Item, a_round: RoundOf | None) -> bool:
    """Whether it is about a result of the round that is played: this page does not follow each of them."""
    if item.kind != "result" or a_round is None:
        return False
    return item.round == a_round.number and a_round.phase != "ended"


@get("/e/{event:str}", right="hall", raises=[NotFoundException])
async def now(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], q: FromQuery[str] = ""
) -> Response[bytes]:
    """The event now: the clock, where one sits, what was announced, what has changed."""
    hall = await Hall.open(house, event, request)
    state = hall.state

    def shown() -> dict[str, object]:
        a_round, board = shown_round(state), hall.board
        found = find(state, a_round, board, q)
        return {
            "headline": headline(state),
            "round": a_round,
            "clock": clock_view(a_round, utc()),
            "so_far": so_far(a_round) if a_round else "",
            "after": board.scored,
            "leaders": board.rows[:LEADERS] if board.scored else [],
            "ranked": len(board.rows) if board.scored else 0,
            "places": final_places_of(state)[:LEADERS],
            "players": len(state.players),
            "q": q,
            "found": found[:FOUND],
            "more": len(found) > FOUND,
            "nobody": bool(q.strip()) and not found,
            "news": [item for item in news_of(hall.live, 4 * RECENT) if not under_way(item, a_round)][
                :RECENT
            ],
        }

    return hall.show(request, "hall_now.html", FOLLOWS, shown, keep=not q)


ROUTES = [
    front,
    now,
    *hall_round.ROUTES,
    *hall_standings.ROUTES,
    *hall_player.ROUTES,
    *hall_draws.ROUTES,
    *hall_screen.ROUTES,
]
