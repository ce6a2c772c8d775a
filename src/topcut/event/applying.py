"""What one fact does to a state: the parts that all facts share. `apply` finds what a kind of fact does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import singledispatch
from typing import NamedTuple

from msgspec.structs import asdict, replace

from topcut.errors import BadInput, TopcutError
from topcut.event.facts import Result
from topcut.event.names import filled, mark
from topcut.event.state import Clock, Entrant, Phase, RoundOf, State, ordered
from topcut.history.model import Table
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, check_options

Private = Mapping[str, bytes]
NO_RESULT = asdict(Result())
LEFT: dict[str, int | None] = {"dropped": None, "cut": None, "disqualified": None}
TAKEN = {"dropped": "dropped", "disqualified": "disqualified"}
"""What a file says beside that: the last round of players who left."""
DRAWN = {"flights": "flight", "pods": "pod", "seats": "seat", "seeds": "seed", "cut": "cut"}
"""What can be drawn for players, and the field of a player that holds it."""


class Misfit(TopcutError):
    """A fact that cannot have happened in this state. `problem` has marks in the place of names."""

    def __init__(self, problem: str, position: int = 0) -> None:
        self.problem = problem
        self.position = position
        said = filled(problem, str)
        super().__init__(f"fact {position}: {said}" if position else said)


class Now(NamedTuple):
    """What comes with a fact: when, by whom, and what is known outside the log."""

    at: datetime
    by: str
    private: Private


def check_plan(options: Options, played: int, book: Book) -> None:
    """Refuse options that this ruleset cannot have."""
    try:
        check_options(options, played, book)
    except BadInput as error:
        raise Misfit(str(error)) from None


@singledispatch
def apply(fact: object, state: State, now: Now) -> State:
    """The state after a fact."""
    raise Misfit(f"{type(fact).__name__} cannot stand here")


def seconds(start: datetime, end: datetime) -> float:
    return max(0.0, (end - start).total_seconds())


def entrant_of(state: State, player: str) -> Entrant:
    if player not in state.players:
        raise Misfit(f"there is no player {mark(player)}")
    return state.players[player]


def with_entrant(state: State, entrant: Entrant) -> State:
    return replace(state, players={**state.players, entrant.player.id: entrant})


def left(state: State, player: str, why: str, number: int) -> State:
    entrant = entrant_of(state, player)
    if entrant.player.dropped is not None or entrant.player.disqualified is not None:
        raise Misfit(f"{mark(player)} has left already")
    if number > len(state.rounds) or number < entrant.player.entered - 1:
        raise Misfit(f"{mark(player)} cannot leave after round {number}")
    questions = tuple(q for q in state.questions if (q.player, q.about) != (player, "drop"))
    state = replace(state, questions=questions)  # what they asked for is done
    return with_entrant(state, replace(entrant, player=replace(entrant.player, **(LEFT | {why: number}))))


def given(state: State, drawn: Mapping[str, Mapping[str, int]], kinds: Mapping[str, str] = DRAWN) -> State:
    """The players with the numbers that were drawn for them."""
    players = dict(state.players) if drawn else state.players
    for kind, numbers in drawn.items():
        if kind not in kinds:
            raise Misfit(f'nothing is called "{kind}"')
        for player_id, number in numbers.items():
            entrant = entrant_of(state, player_id)
            entrant = players[entrant.player.id]
            players[player_id] = replace(entrant, player=replace(entrant.player, **{kinds[kind]: number}))
    return replace(state, players=players)


def without_drawn(state: State, a_round: RoundOf, kinds: set[str]) -> State:
    """The state without what was drawn for a round: pairing it again draws that again."""
    players = dict(state.players)
    for kind in kinds & set(a_round.drawn):
        for player_id in a_round.drawn[kind]:
            if player_id in players:
                entrant = players[player_id]
                players[player_id] = replace(entrant, player=replace(entrant.player, **{DRAWN[kind]: None}))
    return replace(state, players=players)


def round_of(state: State, number: int) -> RoundOf:
    if not 1 <= number <= len(state.rounds):
        raise Misfit(f"there is no round {number}")
    return state.rounds[number - 1]


def round_in(state: State, number: int, *phases: Phase) -> RoundOf:
    a_round = round_of(state, number)
    if a_round.phase not in phases:
        raise Misfit(f"round {number} is {a_round.phase}, not {' or '.join(phases)}")
    return a_round


def put(state: State, a_round: RoundOf) -> State:
    at = a_round.number - 1
    return replace(state, rounds=(*state.rounds[:at], a_round, *state.rounds[at + 1 :]))


def index_of(a_round: RoundOf, table: int | str, players: tuple[str, ...] | None = None) -> int:
    """Where a table stands in its round; `players` must be those who sit there."""
    at = a_round.at(table)
    if at is None:
        raise Misfit(f"round {a_round.number} has no {place_of(table)}")
    if players is not None and a_round.tables[at].players != players:
        raise Misfit(f"others sit at {place_of(table)} of round {a_round.number}")
    return at


def place_of(table: int | str) -> str:
    """A table in words: its number, or the player without an opponent."""
    return f"table {table}" if isinstance(table, int) else f"table of {mark(table)} alone"


def clock_of(state: State, number: int) -> tuple[RoundOf, Clock]:
    a_round = round_in(state, number, "started")
    assert a_round.clock is not None
    return a_round, a_round.clock


def with_result(a_round: RoundOf, at: int, result: Result | None) -> RoundOf:
    table = a_round.tables[at]
    if table.reported:
        table = replace(table, **NO_RESULT)
    if result is not None:
        given = {name: value for name in NO_RESULT if (value := getattr(result, name)) != NO_RESULT[name]}
        table = replace(table, **given)
    claims = {number: said for number, said in a_round.claims.items() if number != table.table}
    return replace(a_round, tables=(*a_round.tables[:at], table, *a_round.tables[at + 1 :]), claims=claims)


def open_table(state: State, number: int, table: int, players: tuple[str, ...]) -> tuple[RoundOf, int]:
    """A round, and where a table of it stands that plays and is not reported."""
    a_round = round_in(state, number, "draft", "published", "started")
    at = index_of(a_round, table, players)
    if a_round.phase == "draft" and table not in a_round.begun:
        raise Misfit(f"round {number} is not published")
    if a_round.tables[at].reported:
        raise Misfit(f"table {table} of round {number} is reported already")
    return a_round, at


def claims_left(a_round: RoundOf, tables: tuple[Table, ...]) -> dict[int, dict[str, Result]]:
    """What players said of tables that are still the same when a round has other tables."""
    if not a_round.claims:
        return {}
    players = {table.table: table.players for table in tables}
    same = {table.table for table in a_round.tables if players.get(table.table) == table.players}
    return {number: said for number, said in a_round.claims.items() if number in same}


def check_tables(state: State, tables: tuple[Table, ...]) -> None:
    if tables != ordered(list(tables)):
        raise Misfit("tables do not stand in the order of their numbers")
    seen: set[str] = set()
    for table in tables:
        if not table.players:
            raise Misfit("nobody sits at a table")
        for player_id in table.players:
            entrant_of(state, player_id)
            if player_id in seen:
                raise Misfit(f"{mark(player_id)} sits at two tables")
            seen.add(player_id)


def changed(
    state: State, number: int, tables: tuple[Table, ...], changed: tuple[int | str, ...], at: datetime
) -> State:
    a_round = round_in(state, number, "draft", "published")
    check_tables(state, tables)
    check_kept(a_round, tables)
    posted = a_round.phase == "published"
    a_round = replace(
        a_round,
        tables=tables,
        as_drawn=False,
        changed=a_round.changed | set(changed) if posted else a_round.changed,
        renewed=at if posted else a_round.renewed,
        claims=claims_left(a_round, tables),
    )
    return put(state, a_round)


def drawn_from_other_records(state: State, after: int) -> State:
    """What was recorded up to a round has changed: the seeds of later rounds draw other tables now."""
    rounds = [replace(r, as_drawn=r.as_drawn and r.number <= after) for r in state.rounds]
    return replace(state, rounds=tuple(rounds))


def check_kept(a_round: RoundOf | None, tables: tuple[Table, ...]) -> None:
    """New tables keep those that have begun, with their results, and bring no other results with them."""
    fixed = a_round.fixed if a_round else []
    for table in fixed:
        if table not in tables:
            raise Misfit(f"table {table.table} has begun and would change")
    for table in tables:
        if len(table.players) > 1 and table.reported and table not in fixed:
            raise Misfit(f"the result of table {table.table} is not known")


def check_present(state: State, a_round: RoundOf) -> None:
    """Whoever sits in a round takes part in it."""
    number = a_round.number
    for table in a_round.tables:
        for player_id in table.players:
            player = entrant_of(state, player_id).player
            lasts = (player.dropped, player.cut, player.disqualified)
            late = player.entered > number and not table.loss
            if late or any(last is not None and last < number for last in lasts):
                raise Misfit(f"{mark(player_id)} does not take part in round {number}")
