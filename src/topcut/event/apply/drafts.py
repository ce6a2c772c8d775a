"""Apply facts about drafts to a state: pods, and the clock for drafting and building decks."""

from msgspec.structs import replace

from topcut.event import facts as f
from topcut.event.apply.context import FactContext, UnfitFact, apply, assign_drawn
from topcut.event.state import Draft, RoundClock, State, seconds_between
from topcut.history.drafts import find_draft_start, name_draft, read_draft_number
from topcut.rulebook.options import PresentDraft
from topcut.text.messages import say


@apply.register
def apply_draft_began(fact: f.DraftBegan, state: State, now: FactContext) -> State:
    busy = state.round is not None and state.round.phase != "ended"
    if busy or state.draft is not None or fact.round != len(state.rounds) + 1:
        raise UnfitFact(say("draft {draft} cannot begin now", draft=fact.draft))
    if any(draft.number == fact.draft for draft in state.drafts):
        raise UnfitFact(say("draft {draft} is over", draft=fact.draft))
    state = assign_drawn(clear_pods(state), {"pods": fact.pods, "seats": fact.seats})
    present = PresentDraft(number=fact.draft, rounds=fact.rounds)
    draft = Draft(
        number=fact.draft,
        first=fact.round,
        rounds=fact.rounds,
        format=name_draft(fact.draft),
        pods=fact.pods,
    )
    options = replace(state.options, mode="draft", draft=present)
    return replace(state, options=options, drafts=(*state.drafts, draft))


@apply.register
def apply_draft_ended(fact: f.DraftEnded, state: State, now: FactContext) -> State:
    state = name_unnumbered_draft(state)
    draft = state.draft
    busy = state.round is not None and state.round.phase != "ended"
    if draft is None or draft.number != fact.draft or busy:
        raise UnfitFact(say("draft {draft} cannot end now", draft=fact.draft))
    earlier = state.drafts[:-1]
    players = (listed.player for listed in state.players.values())
    pods = {player.id: player.pod for player in players if player.pod is not None}
    last = len([a_round for a_round in state.rounds if a_round.is_scored])
    if last >= draft.first:  # a draft without a round leaves no trace
        earlier = (*earlier, replace(draft, last=last, pods=pods, clock=None))
    options = replace(state.options, mode=None, draft=None)
    return replace(clear_pods(state), options=options, drafts=earlier)


@apply.register
def apply_draft_clock_started(fact: f.DraftClockStarted, state: State, now: FactContext) -> State:
    draft = _get_draft(state, fact.draft)
    clock = RoundClock(minutes=fact.minutes, started=now.at)
    state = _put_draft(state, replace(draft, clock=clock, activity=fact.activity))
    return replace(state, draft_minutes={**state.draft_minutes, fact.activity: fact.minutes})


@apply.register
def apply_draft_clock_paused(fact: f.DraftClockPaused, state: State, now: FactContext) -> State:
    draft = _get_draft(state, fact.draft)
    clock = draft.clock
    if clock is None or bool(clock.paused) == fact.paused:
        raise UnfitFact(say("the clock is already paused") if fact.paused else say("the clock is running"))
    if fact.paused:
        clock = replace(clock, paused=now.at)
    else:
        stopped = clock.stopped + seconds_between(clock.paused or now.at, now.at)
        clock = replace(clock, paused=None, stopped=stopped)
    return _put_draft(state, replace(draft, clock=clock))


def clear_pods(state: State) -> State:
    """Return the state in which no player has a pod, or a seat in one."""
    players = {
        player_id: replace(listed, player=replace(listed.player, pod=None, seat=None))
        for player_id, listed in state.players.items()
    }
    return replace(state, players=players)


def name_unnumbered_draft(state: State) -> State:
    """Return the state with a draft for the present pods of an event that plays in pods without one.

    So it is where the option `mode` was chosen for the whole event, or where a file did not say more.
    """
    if state.draft is not None or state.options.mode != "draft":
        return state
    scored = [a_round for a_round in state.rounds if a_round.is_scored]
    known = scored[-1].format if scored else None
    first = len(scored)
    while first and scored[first - 1].format == known:
        first -= 1
    number = read_draft_number(known) or find_next_number(state)
    name = known or name_draft(number)
    rounds = tuple(replace(r, format=name) if r.is_scored and r.number > first else r for r in state.rounds)
    draft = Draft(number=number, first=first + 1, format=name, pods={})
    return replace(state, rounds=rounds, drafts=(*state.drafts, draft))


def find_next_number(state: State) -> int:
    """Return the number of the next draft: one more than any that the event had."""
    known = [draft.number for draft in state.drafts]
    known += [number for r in state.rounds if (number := read_draft_number(r.format)) is not None]
    return max(known, default=0) + 1


def take_over_drafts(state: State, fact: f.TakenOver) -> State:
    """Return the state with the drafts that a file records, and the one that goes on."""
    drafts: list[Draft] = []
    present = fact.draft or _find_unsaid_draft(state, fact)
    for r, a_round in enumerate(fact.rounds):
        if a_round.pods is None:
            continue
        last = max(i for i in range(r, len(fact.rounds)) if find_draft_start(fact.rounds, i) == r) + 1
        number = read_draft_number(a_round.format) or max((d.number for d in drafts), default=0) + 1
        drafts.append(
            Draft(number=number, first=r + 1, last=last, format=a_round.format or "", pods=a_round.pods)
        )
    if present is None:
        return replace(state, drafts=tuple(drafts))
    scored = sum(a_round.is_scored for a_round in fact.rounds)
    name = name_draft(present.number)
    goes_on = [d for d in drafts if d.format == name and d.last == scored]
    first = goes_on[0].first if goes_on else scored + 1
    while first > 1 and fact.rounds[first - 2].format == name:
        first -= 1
    before = [d for d in drafts if d not in goes_on and (d.last or 0) < first]
    draft = Draft(number=present.number, first=first, rounds=present.rounds, format=name, pods={})
    options = replace(state.options, mode="draft", draft=present)
    return replace(state, options=options, drafts=(*before, draft))


def _find_unsaid_draft(state: State, fact: f.TakenOver) -> PresentDraft | None:
    """Return the draft that goes on in a file that says so by the format of its last round alone."""
    number = read_draft_number(fact.rounds[-1].format) if fact.rounds else None
    in_pods = state.options.mode == "draft" and any(e.player.pod for e in state.players.values())
    return PresentDraft(number=number) if number is not None and in_pods else None


def _get_draft(state: State, number: int) -> Draft:
    if state.draft is None or state.draft.number != number:
        raise UnfitFact(say("draft {draft} is not in progress", draft=number))
    return state.draft


def _put_draft(state: State, draft: Draft) -> State:
    return replace(state, drafts=(*state.drafts[:-1], draft))
