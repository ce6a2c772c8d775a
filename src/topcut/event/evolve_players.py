"""What facts about the event and its players do to a state."""

from __future__ import annotations

from msgspec.structs import replace

from topcut.event import facts as f
from topcut.event.applying import (
    LEFT,
    Misfit,
    Now,
    apply,
    check_plan,
    drawn_from_other_records,
    entrant_of,
    given,
    left,
    put,
    round_of,
    with_entrant,
)
from topcut.event.names import mark
from topcut.event.private import person_of
from topcut.event.state import Entrant, Question, State
from topcut.history.model import Player, Table
from topcut.rulebook.options import as_played


@apply.register
def on_options_changed(fact: f.OptionsChanged, state: State, now: Now) -> State:
    check_plan(fact.options, sum(a_round.stage == "swiss" for a_round in state.rounds), state.book)
    if state.begun:
        state = drawn_from_other_records(state, 0)
    return replace(state, options=fact.options, book=as_played(state.book, fact.options))


@apply.register
def on_announced(fact: f.Announced, state: State, now: Now) -> State:
    return replace(state, announced=fact)


@apply.register
def on_committed(fact: f.Committed, state: State, now: Now) -> State:
    return replace(state, commitment=fact.commitment)


@apply.register
def on_tables_blocked(fact: f.TablesBlocked, state: State, now: Now) -> State:
    tables = frozenset(fact.tables)
    return replace(state, blocked=state.blocked | tables if fact.blocked else state.blocked - tables)


@apply.register
def on_finished(fact: f.Finished, state: State, now: Now) -> State:
    if state.finished:
        raise Misfit("the event is finished already")
    if state.round is not None and state.round.phase != "ended":
        raise Misfit(f"round {state.round.number} has not ended")
    return replace(state, finished=now.at)


@apply.register
def on_reopened(fact: f.Reopened, state: State, now: Now) -> State:
    if not state.finished:
        raise Misfit("the event is not finished")
    return replace(state, finished=None)


@apply.register
def on_purged(fact: f.Purged, state: State, now: Now) -> State:
    if not state.finished:
        raise Misfit("the event is not finished")
    nobody = {player_id: _nameless(entrant) for player_id, entrant in state.players.items()}
    return replace(state, players=nobody, purged=True)


@apply.register
def on_forgotten(fact: f.Forgotten, state: State, now: Now) -> State:
    if not state.finished:
        raise Misfit("the event is not finished")
    entrant = state.players.get(fact.player)  # whoever was taken off the list can be forgotten too
    return state if entrant is None else with_entrant(state, _nameless(entrant))


def _nameless(entrant: Entrant) -> Entrant:
    return replace(entrant, player=replace(entrant.player, name="", member=None, born=None), legal="")


@apply.register
def on_registered(fact: f.Registered, state: State, now: Now) -> State:
    if fact.player in state.players or not fact.player or not fact.player.isprintable():
        raise Misfit(f"{fact.player!r} cannot be the id of a new player")
    if fact.entered < 1:
        raise Misfit(f"nobody enters in round {fact.entered}")
    person = person_of(now.private, fact.person)
    player = Player(
        id=fact.player,
        name=person.shown,
        division=fact.division,
        member=person.member,
        born=person.born,
        entered=fact.entered,
        flight=fact.flight,
        apart=fact.apart,
    )
    entrant = Entrant(player=player, person=fact.person, legal=person.name)
    return replace(state, players={**state.players, fact.player: entrant}, registered=state.registered + 1)


@apply.register
def on_player_edited(fact: f.PlayerEdited, state: State, now: Now) -> State:
    person = person_of(now.private, fact.person)
    changes = {"name": person.shown, "member": person.member, "born": person.born}
    entrant = entrant_of(state, fact.player)
    player = replace(entrant.player, **changes, division=fact.division, apart=fact.apart)
    if (fact.division, fact.apart) != (entrant.player.division, entrant.player.apart):
        state = drawn_from_other_records(state, 0)
    return with_entrant(state, replace(entrant, player=player, person=fact.person, legal=person.name))


@apply.register
def on_checked_in(fact: f.CheckedIn, state: State, now: Now) -> State:
    return with_entrant(state, replace(entrant_of(state, fact.player), here=fact.here))


@apply.register
def on_removed(fact: f.Removed, state: State, now: Now) -> State:
    entrant_of(state, fact.player)
    if any(r.table_of(fact.player) for r in state.rounds[: state.begun]):
        raise Misfit(f"{mark(fact.player)} has played")
    players = {player_id: e for player_id, e in state.players.items() if player_id != fact.player}
    questions = tuple(question for question in state.questions if question.player != fact.player)
    return replace(state, players=players, questions=questions)


@apply.register
def on_entry_refused(fact: f.EntryRefused, state: State, now: Now) -> State:
    return state


@apply.register
def on_table_fixed(fact: f.TableFixed, state: State, now: Now) -> State:
    return with_entrant(state, replace(entrant_of(state, fact.player), fixed=fact.table))


@apply.register
def on_seated_all(fact: f.SeatedAll, state: State, now: Now) -> State:
    seated = {
        player_id: replace(e, seat=fact.tables.get(player_id)) for player_id, e in state.players.items()
    }
    return replace(state, players=seated)


@apply.register
def on_lots_drawn(fact: f.LotsDrawn, state: State, now: Now) -> State:
    if state.rounds:
        raise Misfit("a round is paired already")
    return given(state, {fact.kind: fact.numbers})


@apply.register
def on_dropped(fact: f.Dropped, state: State, now: Now) -> State:
    return left(state, fact.player, "dropped", fact.round)


@apply.register
def on_disqualified(fact: f.Disqualified, state: State, now: Now) -> State:
    return left(state, fact.player, "disqualified", fact.round)


@apply.register
def on_restored(fact: f.Restored, state: State, now: Now) -> State:
    entrant = entrant_of(state, fact.player)
    player = entrant.player
    if player.dropped is None and player.disqualified is None:
        raise Misfit(f"{mark(fact.player)} has not left")
    last = player.dropped if player.dropped is not None else player.disqualified
    state = with_entrant(state, replace(entrant, player=replace(player, **LEFT)))
    state = drawn_from_other_records(state, last or 0)
    for number in fact.lost:
        a_round = round_of(state, number)
        lost = Table(players=(fact.player,), loss=True)
        state = put(state, replace(a_round, tables=(*a_round.tables, lost)))
    return state


@apply.register
def on_asked(fact: f.Asked, state: State, now: Now) -> State:
    entrant_of(state, fact.player)
    if fact.question <= state.asked:
        raise Misfit(f"question {fact.question} is not a new one")
    if (fact.round is not None) != (fact.about == "result"):
        raise Misfit("a question about a result has a round, and no other has one")
    if fact.round is not None and round_of(state, fact.round).table_of(fact.player) is None:
        raise Misfit(f"{mark(fact.player)} was not in round {fact.round}")
    asks = (fact.player, fact.about, fact.round)
    if any((question.player, question.about, question.round) == asks for question in state.questions):
        raise Misfit(f"{mark(fact.player)} has asked that already")
    question = Question(
        number=fact.question, player=fact.player, about=fact.about, round=fact.round, at=now.at
    )
    return replace(state, questions=(*state.questions, question), asked=fact.question)


@apply.register
def on_answered(fact: f.Answered, state: State, now: Now) -> State:
    left = tuple(
        question
        for question in state.questions
        if (question.number, question.player) != (fact.question, fact.player)
    )
    if len(left) == len(state.questions):
        raise Misfit(f"{mark(fact.player)} has no open question {fact.question}")
    return replace(state, questions=left)
