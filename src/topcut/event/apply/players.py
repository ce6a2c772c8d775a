"""Apply facts about the event and its players to a state."""

from msgspec.structs import replace

from topcut.event import facts as f
from topcut.event.apply.context import (
    FactContext,
    UnfitFact,
    apply,
    assign_drawn,
    check_options_fit,
    get_player,
    get_round,
    put_player,
    put_round,
    unmark_as_drawn,
)
from topcut.event.describe.name_marks import mark
from topcut.event.private_data import read_person
from topcut.event.state import ListedPlayer, OpenQuestion, State
from topcut.history.model import Player, Table
from topcut.history.player_fields import PERSONAL, clear_fields, read_fields
from topcut.rulebook.options import apply_options
from topcut.text.messages import say

_NOT_LEFT: dict[str, int | None] = {"dropped": None, "cut": None, "disqualified": None}


@apply.register
def apply_options_changed(fact: f.OptionsChanged, state: State, now: FactContext) -> State:
    check_options_fit(fact.options, sum(a_round.is_scored for a_round in state.rounds), state.book)
    if state.begun:
        state = unmark_as_drawn(state, 0)
    return replace(state, options=fact.options, book=apply_options(state.book, fact.options))


@apply.register
def apply_announced(fact: f.Announced, state: State, now: FactContext) -> State:
    return replace(state, announced=fact)


@apply.register
def apply_committed(fact: f.Committed, state: State, now: FactContext) -> State:
    return replace(state, commitment=fact.commitment)


@apply.register
def apply_tables_blocked(fact: f.TablesBlocked, state: State, now: FactContext) -> State:
    tables = frozenset(fact.tables)
    return replace(state, blocked=state.blocked | tables if fact.blocked else state.blocked - tables)


@apply.register
def apply_finished(fact: f.Finished, state: State, now: FactContext) -> State:
    if state.finished:
        raise UnfitFact(say("the event is already finished"))
    if state.round is not None and state.round.phase != "ended":
        raise UnfitFact(say("round {round} has not ended", round=state.round.number))
    return replace(state, finished=now.at)


@apply.register
def apply_reopened(fact: f.Reopened, state: State, now: FactContext) -> State:
    if not state.finished:
        raise UnfitFact(say("the event is not finished"))
    return replace(state, finished=None)


@apply.register
def apply_deletion(fact: f.Purged | f.Forgotten, state: State, now: FactContext) -> State:
    """Delete the names of all players, or of one, who may have been taken off the list."""
    if not state.finished:
        raise UnfitFact(say("the event is not finished"))
    players = dict(state.players)
    gone = {fact.player} if isinstance(fact, f.Forgotten) else set(players)
    for player_id in gone & players.keys():
        listed = players[player_id]
        player = replace(listed.player, name="", **clear_fields(PERSONAL))
        players[player_id] = replace(listed, player=player, legal="")
    return replace(state, players=players, purged=state.purged or isinstance(fact, f.Purged))


@apply.register
def apply_registered(fact: f.Registered, state: State, now: FactContext) -> State:
    if fact.player in state.players or not fact.player or not fact.player.isprintable():
        raise UnfitFact(say("{id} cannot be the id of a new player", id=repr(fact.player)))
    if fact.entered < 1:
        raise UnfitFact(say("no player enters in round {round}", round=fact.entered))
    person = read_person(now.private, fact.person)
    player = Player(
        id=fact.player,
        name=person.shown,
        division=fact.division,
        entered=fact.entered,
        flight=fact.flight,
        pod=fact.pod if state.draft else None,  # its beginning may have been undone
        seat=fact.seat if state.draft else None,
        apart=fact.apart,
        byes=fact.byes,
        **read_fields(person, PERSONAL),
    )
    listed = ListedPlayer(player=player, person=fact.person, legal=person.name)
    return replace(state, players={**state.players, fact.player: listed}, registered=state.registered + 1)


@apply.register
def apply_player_edited(fact: f.PlayerEdited, state: State, now: FactContext) -> State:
    person = read_person(now.private, fact.person)
    listed = get_player(state, fact.player)
    known = {"name": person.shown, "division": fact.division, "apart": fact.apart, "byes": fact.byes}
    player = replace(listed.player, **known, **read_fields(person, PERSONAL))
    if (fact.division, fact.apart) != (listed.player.division, listed.player.apart):
        state = unmark_as_drawn(state, 0)
    return put_player(state, replace(listed, player=player, person=fact.person, legal=person.name))


@apply.register
def apply_checked_in(fact: f.CheckedIn, state: State, now: FactContext) -> State:
    return put_player(state, replace(get_player(state, fact.player), here=fact.here))


@apply.register
def apply_removed(fact: f.Removed, state: State, now: FactContext) -> State:
    get_player(state, fact.player)
    if any(r.table_of(fact.player) for r in state.rounds[: state.begun]):
        raise UnfitFact(say("{player} has played", player=mark(fact.player)))
    players = {player_id: e for player_id, e in state.players.items() if player_id != fact.player}
    questions = tuple(question for question in state.questions if question.player != fact.player)
    return replace(state, players=players, questions=questions)


@apply.register
def apply_entry_refused(fact: f.EntryRefused, state: State, now: FactContext) -> State:
    return state


@apply.register
def apply_table_fixed(fact: f.TableFixed, state: State, now: FactContext) -> State:
    return put_player(state, replace(get_player(state, fact.player), fixed=fact.table))


@apply.register
def apply_seated_all(fact: f.SeatedAll, state: State, now: FactContext) -> State:
    tables = fact.tables
    return replace(state, players={id_: replace(e, seat=tables.get(id_)) for id_, e in state.players.items()})


@apply.register
def apply_lots_drawn(fact: f.LotsDrawn, state: State, now: FactContext) -> State:
    if state.rounds:
        raise UnfitFact(say("a round is already paired"))
    return assign_drawn(state, {fact.kind: fact.numbers})


@apply.register
def apply_leaving(fact: f.Dropped | f.Disqualified, state: State, now: FactContext) -> State:
    listed = get_player(state, fact.player)
    if listed.player.dropped is not None or listed.player.disqualified is not None:
        raise UnfitFact(say("{player} has already left", player=mark(fact.player)))
    if not listed.player.entered - 1 <= fact.round <= len(state.rounds):
        player = mark(fact.player)
        raise UnfitFact(say("{player} cannot leave after round {round}", player=player, round=fact.round))
    questions = tuple(q for q in state.questions if (q.player, q.about) != (fact.player, "drop"))
    state = replace(state, questions=questions)  # what they asked for is done
    left = _NOT_LEFT | {"dropped" if isinstance(fact, f.Dropped) else "disqualified": fact.round}
    return put_player(state, replace(listed, player=replace(listed.player, **left)))


@apply.register
def apply_restored(fact: f.Restored, state: State, now: FactContext) -> State:
    listed = get_player(state, fact.player)
    player = listed.player
    last = player.dropped if player.dropped is not None else player.disqualified
    if last is None:
        raise UnfitFact(say("{player} has not left", player=mark(fact.player)))
    state = put_player(state, replace(listed, player=replace(player, **_NOT_LEFT)))
    state = unmark_as_drawn(state, last)
    lost = Table(players=(fact.player,), loss=True)
    for number in fact.lost:
        a_round = get_round(state, number)
        state = put_round(state, replace(a_round, tables=(*a_round.tables, lost)))
    return state


@apply.register
def apply_asked(fact: f.Asked, state: State, now: FactContext) -> State:
    get_player(state, fact.player)
    if fact.question <= state.asked:
        raise UnfitFact(say("question {question} is not new", question=fact.question))
    if (fact.round is not None) != (fact.about == "result"):
        raise UnfitFact(say("a question about a result has a round; no other question has one"))
    if fact.round is not None and get_round(state, fact.round).table_of(fact.player) is None:
        player = mark(fact.player)
        raise UnfitFact(say("{player} was not in round {round}", player=player, round=fact.round))
    if any((q.player, q.about, q.round) == (fact.player, fact.about, fact.round) for q in state.questions):
        raise UnfitFact(say("{player} has already asked that", player=mark(fact.player)))
    question = OpenQuestion(
        number=fact.question, player=fact.player, about=fact.about, round=fact.round, at=now.at
    )
    return replace(state, questions=(*state.questions, question), asked=fact.question)


@apply.register
def apply_answered(fact: f.Answered, state: State, now: FactContext) -> State:
    asked = (fact.question, fact.player)
    left = tuple(question for question in state.questions if (question.number, question.player) != asked)
    if len(left) == len(state.questions):
        player = mark(fact.player)
        raise UnfitFact(
            say("{player} has no open question {question}", player=player, question=fact.question)
        )
    return replace(state, questions=left)
