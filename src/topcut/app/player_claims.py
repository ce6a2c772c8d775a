"""Let players report, ask and drop by themselves, by phone or slip.

A result counts once all players of the table claim the same; a scorekeeper's entry counts at once.
"""

from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from topcut.app.access.identity import EVERYBODY, Identity, identity_of_players
from topcut.app.execute import answer_page, execute
from topcut.app.live_events import LiveEvent
from topcut.app.views.tie_view import list_seats, view_tie
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.correction_window import find_closure
from topcut.event.decide.results import put_checked_result
from topcut.event.describe.results import describe_claim, describe_result
from topcut.event.facts import About, Result
from topcut.event.lookup import read_result
from topcut.event.refusals import NeedsAnswer, NotNow, TieToBreak
from topcut.event.state import OpenQuestion, RoundState, State
from topcut.event.typed_scores import find_tied_winners
from topcut.history.model import Table
from topcut.text.messages import Message, render_isolated, say, say_as

MOST_TYPED = 1_000
"""Letters of a typed result, at most."""
OPEN_QUESTIONS = 40
"""Open questions, at most: more are pranks, or all players ask the same."""


class ReportChoice(Struct, frozen=True):
    """Describe a way in which a table of two can end, as one of its players says it."""

    says: Message
    result: dict[str, Any]


def list_wins(table: Table, player: str, state: State) -> list[ReportChoice]:
    """Return the ways in which a player can have won a table of two."""
    needed = _wins_needed(state)
    if needed is None:
        return [ReportChoice(say_as("a match", "won"), {"winner": player})]
    return [
        _choice(table, player, say("won {score}", score=f"{needed}–{lost}"), needed, lost)
        for lost in range(needed)
    ]


def _wins_needed(state: State) -> int | None:
    """Return the games that win a table; None where only the winner is reported."""
    best_of = state.book.match.best_of
    return None if state.book.match.results == "winner" or best_of is None else best_of // 2 + 1


def _choice(table: Table, player: str, says: Message, mine: int, theirs: int) -> ReportChoice:
    games = [mine, theirs, 0] if table.players[0] == player else [theirs, mine, 0]
    return ReportChoice(says, {"games": games})


def list_choices(table: Table, player: str, state: State, a_round: RoundState) -> list[ReportChoice]:
    """Return how a table of two may have ended, from the best for this player down."""
    if len(table.players) != 2 or state.book.match.results == "scores":
        return []
    draws, wins = a_round.allows_draws, _wins_needed(state)
    agreed = [ReportChoice(say("We agreed on a draw"), {"winner": "draw", "intentional": True})]
    agreed = agreed if draws and state.book.match.intentional_draws else []
    if wins is None:
        other = next(player_id for player_id in table.players if player_id != player)
        draw = [ReportChoice(say_as("a result", "Draw"), {"winner": "draw"})] if draws else []
        won = ReportChoice(say("I won"), {"winner": player})
        return [won, *draw, *agreed, ReportChoice(say("I lost"), {"winner": other})]
    choice = partial(_choice, table, player)
    level = say("Draw {score}", score=f"{wins - 1}–{wins - 1}")
    return [
        *(choice(say("I won {score}", score=f"{wins}–{n}"), wins, n) for n in range(wins)),
        *([choice(say("I won 1–0, time was up"), 1, 0)] if wins > 1 else []),
        *([choice(level, wins - 1, wins - 1)] if draws else []),
        *agreed,
        *([choice(say("I lost 0–1, time was up"), 0, 1)] if wins > 1 else []),
        *(choice(say("I lost {score}", score=f"{n}–{wins}"), n, wins) for n in reversed(range(wins))),
    ]


def is_open(a_round: RoundState | None, table: Table | None) -> bool:
    """Tell whether players can still report a table."""
    if a_round is None or table is None or not isinstance(table.table, int) or table.reported:
        return False
    return a_round.phase in ("published", "started")


def describe_claims(
    state: State, a_round: RoundState | None, table: Table | None, player: str
) -> tuple[str, list[tuple[str, str]]]:
    """Return what a player claims about a table, and what the others there claim, by name."""
    if a_round is None or table is None or not isinstance(table.table, int):
        return "", []

    claims = a_round.claims.get(table.table, {})
    said = {player_id: describe_claim(table, claim, state.name_of) for player_id, claim in claims.items()}
    others: list[tuple[str, str]] = [
        (state.name_of(one), words) for one, words in said.items() if one != player
    ]
    return said.get(player, ""), others


def table_mark(table: Table | None) -> str:
    """Return the name under which a stream tells that a table has changed."""
    return str(table.table or table.players[0]) if table else ""


def questions_of(state: State, player: str) -> list[OpenQuestion]:
    """Return the open questions of a player."""
    return [question for question in state.questions if question.player == player]


def can_ask(state: State, player: str) -> bool:
    """Tell whether a record of a player can still be corrected, and they have not asked yet.

    `state` is the whole one, with a draft: a rule may close records when a round is paired.
    """
    if state.finished or state.purged:
        return False
    if any(question.about == "points" for question in questions_of(state, player)):
        return False
    published = [r for r in state.rounds if r.phase != "draft"]
    mine = [r for r in published if (table := r.table_of(player)) is not None and table.reported]
    return any(find_closure(state, r.number) is None for r in mine)


class ResultClaim(Struct, forbid_unknown_fields=True, kw_only=True):
    """A player's claim how their table ended."""

    round: int
    table: int
    players: tuple[str, ...]
    result: Result | None = None
    typed: str = ""
    """Instead of the result: scores as a scorekeeper types them."""
    look: bool = False
    """Whether only the meaning is asked for; nothing is claimed."""


async def claim_result(
    live: LiveEvent, who: Identity, player: str, said: ResultClaim, players: tuple[str, ...] | None = None
) -> dict[str, Any]:
    """Enter what a player claims about their table."""
    there = said.players if players is None else players
    try:
        result = _read_claim(live.state, said)
    except TieToBreak as tie:
        if not said.look:
            raise
        return {"says": [render_isolated(tie.message)], "tie": view_tie(tie)}
    if said.look:
        return _preview_claim(live.state, said, result)
    claim = c.Claim(player=player, table=said.table, result=result, round=said.round, players=there)
    return answer_page(live, await execute(live, who, [claim]))


def _read_claim(state: State, said: ResultClaim) -> Result:
    """Return the result that a player claims, whichever way it is written."""
    if said.result is not None:
        return said.result
    words = tuple(said.typed[:MOST_TYPED].split())
    if not words:
        raise BadInput(say("expected a result"), place="result")
    return read_result(words, state.get_round(said.round).get_table(said.table), state, legal=False)


def _preview_claim(state: State, said: ResultClaim, result: Result) -> dict[str, Any]:
    """Return the meaning of a claim, and who could give the win to whom."""
    a_round = state.get_round(said.round)
    table = put_checked_result(a_round.get_table(said.table), result, a_round, state)
    return {
        "says": [render_isolated(describe_result(table, state.name_of))],
        "give": list_seats(table, find_tied_winners(result), state),
    }


async def drop_by_phone(live: LiveEvent, player: str) -> dict[str, Any]:
    """Let a player drop; where the next round is published already, the desk is asked."""
    check_leaving(live.state, player)
    who = identity_by_phone(player)
    says = say("You left the event.")
    try:
        await execute(live, who, [c.Drop(player=player)])
    except NeedsAnswer:
        await execute(live, who, [c.Ask(player=player, about="drop")])
        says = say(
            "The next round is already published. The desk knows that you want to leave."
            " Please wait for an answer from the desk."
        )
    return {"version": live.version, "says": [render_isolated(says)], "warnings": []}


def check_leaving(state: State, player: str) -> None:
    """Refuse a player who would leave a table that is being played."""
    a_round = state.round
    table = a_round.table_of(player) if a_round is not None and a_round.phase == "started" else None
    if table is not None and not table.reported:
        raise NotNow(
            say("Your table is not reported yet. Report it first, or tell the desk that you have to leave.")
        )


async def ask_desk(live: LiveEvent, player: str, about: About, number: int | None = None) -> dict[str, Any]:
    """Ask the desk to look at a player's points, or at a result."""
    if len(live.state.questions) >= OPEN_QUESTIONS:
        raise NotNow(say("Many players are asking the desk right now. Please go to the desk."))
    question = c.Ask(player=player, about=about, round=number)
    decisions = await execute(live, replace(EVERYBODY, name=player, via="phone"), [question])
    says = say("Your question is sent. The desk will check it.")
    return answer_page(live, decisions) | {"says": [render_isolated(says)]}


def identity_by_phone(player: str) -> Identity:
    """Return the identity of a player on their own page; named by id, since the log is kept for good."""
    return identity_of_players([player], player, "phone")
