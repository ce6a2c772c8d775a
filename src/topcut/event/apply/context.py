"""Apply facts to a state: the next state comes back.

    state = apply_logged(state, logged, private)

`apply` finds the function for the kind of a fact; all of them share the look-ups and checks below. A fact
that does not fit the state is an `UnfitFact`: that is how it shows that a step cannot be undone alone, or
that a log was put together by hand.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import singledispatch
from typing import NamedTuple

from msgspec.structs import replace

from topcut.errors import BadInput, TopcutError
from topcut.event.describe.name_marks import fill_marks, mark
from topcut.event.facts import AnyFact, Created
from topcut.event.log_chain import Logged
from topcut.event.state import ListedPlayer, Phase, RoundState, State
from topcut.rulebook.loader import thaw_book
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, apply_options, check_options
from topcut.text.messages import Message, join_messages, list_or, say

LEFT_FIELDS = {"dropped": "dropped", "disqualified": "disqualified"}
"""What a file also says of players: the last round of those who left."""
DRAWN_FIELDS = {"flights": "flight", "pods": "pod", "seats": "seat", "seeds": "seed", "cut": "cut"}
"""What can be drawn for players, and the field of a player that holds it."""
PHASE_WORDS: dict[Phase, Message] = {
    "draft": say("a draft"),
    "published": say("published"),
    "started": say("started"),
    "ended": say("ended"),
}
"""The phases of a round in words."""


class UnfitFact(TopcutError):
    """A fact that cannot have happened in this state. `problem` has marks in the place of names."""

    def __init__(self, problem: str, position: int = 0) -> None:
        self.problem = problem
        self.position = position
        said = fill_marks(problem, str)
        place = say("fact {position}", position=position) if position else ""
        super().__init__(join_messages(": ", [place, said]))


class FactContext(NamedTuple):
    """What comes with a fact: when, by whom, and what is known outside the log."""

    at: datetime
    by: str
    private: Mapping[str, bytes]


def check_options_fit(options: Options, played: int, book: Book) -> None:
    try:
        check_options(options, played, book)
    except BadInput as error:
        raise UnfitFact(error.message) from None


@singledispatch
def apply(fact: object, state: State, now: FactContext) -> State:
    """Return the state after a fact."""
    raise UnfitFact(say('a fact "{kind}" is not possible here', kind=type(fact).__name__))


def apply_all(state: State, facts: Iterable[AnyFact], now: FactContext) -> State:
    """Return the state after facts that are about to be written."""
    for fact in facts:
        state = apply(fact, state, now)
    return state


def apply_logged(state: State | None, logged: Logged, private: Mapping[str, bytes]) -> State:
    """Return the state after one more fact of the log."""
    fact = logged.fact
    if state is None:
        if not isinstance(fact, Created):
            raise UnfitFact(say("expected the creation of an event"), logged.position)
        book = thaw_book(fact.book)
        check_options_fit(fact.options, 0, book)
        return State(
            name=fact.name,
            book=apply_options(book, fact.options),
            options=fact.options,
            commitment=fact.commitment,
            kept_months=fact.kept_months,
            first_table=fact.first_table,
            created=logged.at,
            last=logged.at,
        )
    if state.finished and not fact.after_finish:
        raise UnfitFact(say("the event is finished"), logged.position)
    try:
        after = apply(fact, state, FactContext(logged.at, logged.by, private))
    except UnfitFact as error:
        raise (error if error.position else UnfitFact(error.problem, logged.position)) from None
    return replace(after, last=logged.at)


def get_player(state: State, player: str) -> ListedPlayer:
    if player not in state.players:
        raise UnfitFact(say("there is no player {player}", player=mark(player)))
    return state.players[player]


def put_player(state: State, listed: ListedPlayer) -> State:
    return replace(state, players={**state.players, listed.player.id: listed})


def assign_drawn(
    state: State, drawn: Mapping[str, Mapping[str, int]], kinds: Mapping[str, str] = DRAWN_FIELDS
) -> State:
    players = dict(state.players) if drawn else state.players
    for kind, numbers in drawn.items():
        if kind not in kinds:
            raise UnfitFact(say('nothing that can be drawn is called "{kind}"', kind=kind))
        for player_id, number in numbers.items():
            get_player(state, player_id)
            listed = players[player_id]
            players[player_id] = replace(listed, player=replace(listed.player, **{kinds[kind]: number}))
    return replace(state, players=players)


def clear_drawn(state: State, a_round: RoundState, kinds: set[str]) -> State:
    """Take from players what was drawn for a round: pairing it again draws that again."""
    players = dict(state.players)
    for kind in kinds & set(a_round.drawn):
        for player_id in players.keys() & a_round.drawn[kind].keys():
            listed = players[player_id]
            player = replace(listed.player, **{DRAWN_FIELDS[kind]: None})
            players[player_id] = replace(listed, player=player)
    return replace(state, players=players)


def get_round(state: State, number: int, *phases: Phase) -> RoundState:
    """Return a round, which must be in one of these phases (none given: any)."""
    if not 1 <= number <= len(state.rounds):
        raise UnfitFact(say("there is no round {round}", round=number))
    a_round = state.rounds[number - 1]
    if phases and a_round.phase not in phases:
        expected = list_or(PHASE_WORDS[phase] for phase in phases)
        phase = PHASE_WORDS[a_round.phase]
        problem = say(
            "round {round} is {phase}, not {expected}", round=number, phase=phase, expected=expected
        )
        raise UnfitFact(problem)
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
                raise UnfitFact(
                    say("{player} does not take part in round {round}", player=mark(player_id), round=number)
                )
