"""Hold what all kinds of facts need to be applied: look-ups, checks, and `apply`, which finds the kind."""

from collections.abc import Mapping
from datetime import datetime
from functools import singledispatch
from typing import NamedTuple

from msgspec.structs import replace

from topcut.errors import BadInput, TopcutError
from topcut.event.describe.name_marks import fill_marks, mark
from topcut.event.state import ListedPlayer, Phase, RoundState, State
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, check_options

Private = Mapping[str, bytes]
NOT_LEFT: dict[str, int | None] = {"dropped": None, "cut": None, "disqualified": None}
LEFT_FIELDS = {"dropped": "dropped", "disqualified": "disqualified"}
"""What a file also says of players: the last round of those who left."""
DRAWN_FIELDS = {"flights": "flight", "pods": "pod", "seats": "seat", "seeds": "seed", "cut": "cut"}
"""What can be drawn for players, and the field of a player that holds it."""


class UnfitFact(TopcutError):
    """A fact that cannot have happened in this state. `problem` has marks in the place of names."""

    def __init__(self, problem: str, position: int = 0) -> None:
        self.problem = problem
        self.position = position
        said = fill_marks(problem, str)
        super().__init__(f"fact {position}: {said}" if position else said)


class FactContext(NamedTuple):
    """What comes with a fact: when, by whom, and what is known outside the log."""

    at: datetime
    by: str
    private: Private


def check_options_fit(options: Options, played: int, book: Book) -> None:
    """Refuse options that this ruleset cannot have."""
    try:
        check_options(options, played, book)
    except BadInput as error:
        raise UnfitFact(str(error)) from None


@singledispatch
def apply(fact: object, state: State, now: FactContext) -> State:
    """Return the state after a fact."""
    raise UnfitFact(f"{type(fact).__name__} cannot stand here")


def get_player(state: State, player: str) -> ListedPlayer:
    if player not in state.players:
        raise UnfitFact(f"there is no player {mark(player)}")
    return state.players[player]


def put_player(state: State, listed: ListedPlayer) -> State:
    return replace(state, players={**state.players, listed.player.id: listed})


def assign_drawn(
    state: State, drawn: Mapping[str, Mapping[str, int]], kinds: Mapping[str, str] = DRAWN_FIELDS
) -> State:
    """Give players the numbers that were drawn for them."""
    players = dict(state.players) if drawn else state.players
    for kind, numbers in drawn.items():
        if kind not in kinds:
            raise UnfitFact(f'nothing is called "{kind}"')
        for player_id, number in numbers.items():
            get_player(state, player_id)
            listed = players[player_id]
            players[player_id] = replace(listed, player=replace(listed.player, **{kinds[kind]: number}))
    return replace(state, players=players)


def clear_drawn(state: State, a_round: RoundState, kinds: set[str]) -> State:
    """Take from players what was drawn for a round: pairing it again draws that again."""
    players = dict(state.players)
    for kind in kinds & set(a_round.drawn):
        for player_id in a_round.drawn[kind]:
            if listed := players.get(player_id):
                player = replace(listed.player, **{DRAWN_FIELDS[kind]: None})
                players[player_id] = replace(listed, player=player)
    return replace(state, players=players)


def get_round(state: State, number: int) -> RoundState:
    if not 1 <= number <= len(state.rounds):
        raise UnfitFact(f"there is no round {number}")
    return state.rounds[number - 1]


def get_round_in(state: State, number: int, *phases: Phase) -> RoundState:
    a_round = get_round(state, number)
    if a_round.phase not in phases:
        raise UnfitFact(f"round {number} is {a_round.phase}, not {' or '.join(phases)}")
    return a_round


def put_round(state: State, a_round: RoundState) -> State:
    at = a_round.number - 1
    return replace(state, rounds=(*state.rounds[:at], a_round, *state.rounds[at + 1 :]))


def unmark_as_drawn(state: State, after: int) -> State:
    """Mark later rounds as not drawn from their seed: what was recorded up to a round has changed."""
    rounds = [replace(r, as_drawn=r.as_drawn and r.number <= after) for r in state.rounds]
    return replace(state, rounds=tuple(rounds))


def check_players_present(state: State, a_round: RoundState) -> None:
    """Refuse a round in which a player sits who does not take part in it."""
    number = a_round.number
    for table in a_round.tables:
        for player_id in table.players:
            player = get_player(state, player_id).player
            lasts = (player.dropped, player.cut, player.disqualified)
            late = player.entered > number and not table.loss
            if late or any(last is not None and last < number for last in lasts):
                raise UnfitFact(f"{mark(player_id)} does not take part in round {number}")
