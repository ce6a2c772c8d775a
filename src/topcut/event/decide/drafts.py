"""Decide commands about drafts: their pods, and the clock for drafting and building decks (FB-10, FB-11)."""

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.apply.drafts import find_next_number, name_unnumbered_draft
from topcut.event.decide.context import (
    LONGEST_ROUND,
    Decider,
    explain_minutes,
    handle,
    require_all_checked_in,
)
from topcut.event.draw import can_draft, draw_pods, find_progress, next_attempt
from topcut.event.private_data import derive_seed
from topcut.event.refusals import NotNow
from topcut.event.state import Draft, State
from topcut.history.drafts import is_next_in_pods
from topcut.pairing.pools import find_smallest_pod
from topcut.text.messages import count, say


@handle.register
def decide_begin_draft(command: c.BeginDraft, decider: Decider) -> None:
    """Begin a draft with the next round; one that goes on ends."""
    state = decider.state
    _require_pods(state)
    _require_between_rounds(state)
    if not state.players:
        raise NotNow(say("There are no players yet."))
    if not state.begun:
        require_all_checked_in(state)
    _check_rounds(command.rounds, state)
    if state.drafting is not None:
        raise NotNow(
            say(
                "Draft {draft} has begun, but none of its rounds is played."
                " Pair the first round, or end the draft.",
                draft=state.drafting.number,
            )
        )
    if state.draft is not None or (state.options.mode == "draft" and state.rounds):
        end_draft(decider)
    state = decider.state
    number, secret = find_next_number(state), decider.get_secret()
    attempt = next_attempt(state, f"draft {number}")
    seed = derive_seed(secret, "draft", number, "attempt", attempt)
    pods, seats = draw_pods(state, seed)
    decider.record(
        f.DraftBegan(
            draft=number,
            round=len(state.rounds) + 1,
            rounds=command.rounds,
            pods=pods,
            seats=seats,
            seed=seed,
            attempt=attempt,
        )
    )
    _note_single_pod(command, decider)


def _note_single_pod(command: c.BeginDraft, decider: Decider) -> None:
    """Warn if one pod drafts and nothing else is played: the document wants no draft mode then (FB-10)."""
    state = decider.state
    planned = find_progress(state).planned_rounds
    whole = command.rounds is None or (planned is not None and command.rounds >= planned)
    pods = state.book.pairing.pods if state.book.pairing else None
    alone = len({listed.player.pod for listed in state.active()}) == 1
    if pods is not None and alone and whole and not state.rounds:
        decider.warn(
            say(
                "There is one pod, and every round is played in it. Drafts are for events with several pods"
                " or formats ({rule}). Without a draft, the rounds are paired in the same way.",
                rule=pods.rule("drafts"),
            )
        )


@handle.register
def decide_end_draft(command: c.EndDraft, decider: Decider) -> None:
    _require_pods(decider.state)
    if decider.state.options.mode != "draft":
        raise NotNow(say("No draft is in progress."))
    _require_between_rounds(decider.state)
    end_draft(decider)


def end_draft(decider: Decider) -> None:
    """Record that the present draft ends, also one that has no number yet."""
    draft = name_unnumbered_draft(decider.state).draft
    assert draft is not None
    decider.record(f.DraftEnded(draft=draft.number))


def end_draft_if_over(decider: Decider) -> None:
    """Record that the present draft ends if its rounds are played, or all Swiss rounds are."""
    state, draft = decider.state, decider.state.draft
    if draft is None or (state.round is not None and state.round.phase != "ended"):
        return
    if not is_next_in_pods(state.file_rounds(), state.options) or not find_progress(state).running:
        end_draft(decider)


@handle.register
def decide_start_draft_clock(command: c.StartDraftClock, decider: Decider) -> None:
    draft = _require_drafting(decider.state)
    minutes = command.minutes
    if minutes is None:
        minutes = decider.state.draft_minutes.get(command.activity)
    if minutes is None:
        raise NotNow(say("The rules give no time for this. Enter the minutes."))
    if not 1 <= minutes <= LONGEST_ROUND:
        raise explain_minutes(minutes)
    decider.record(f.DraftClockStarted(draft=draft.number, activity=command.activity, minutes=minutes))


def place_newcomer(state: State) -> tuple[int | None, int | None]:
    """Return the pod and the seat of a player who enters now: the smallest pod, if a draft goes on.

    There is a seat as long as nothing of the draft is played. Where parts of the event play apart, the pod
    is found when the next round is paired.
    """
    draft, players = state.draft, [e.player for e in state.active() if e.player.pod is not None]
    going_on = is_next_in_pods(state.file_rounds(), state.options)
    if draft is None or not going_on or not players or len(find_progress(state).parts) > 1:
        return None, None
    pod = find_smallest_pod(player.pod for player in players if player.pod is not None)
    taken = [player.seat for player in players if player.pod == pod and player.seat is not None]
    return pod, max(taken, default=0) + 1 if state.drafting is not None else None


def _require_pods(state: State) -> None:
    if state.book.pairing is None or state.book.pairing.pods is None:
        problem = say("{ruleset} has no pods, so no draft can begin.", ruleset=state.book.title)
        raise NotNow(problem)
    if not can_draft(state.book, find_progress(state).parts):
        raise NotNow(
            say("The rules already say which rounds of this event are drafts. You can't begin or end one.")
        )


def _require_between_rounds(state: State) -> None:
    last = state.round
    if last is None or last.phase == "ended":
        return
    if state.upcoming is not None:
        raise NotNow(
            say(
                "Round {round} is already paired. Undo that first, or wait until the round has ended.",
                round=last.number,
            )
        )
    raise NotNow(say("Round {round} is being played. End it first.", round=last.number))


def _check_rounds(rounds: int | None, state: State) -> None:
    """Refuse a number of rounds that cannot be, or that the plan does not have any more."""
    if rounds is None:
        return
    planned = [part.rounds for part in find_progress(state).parts]
    left = None if None in planned else max((n for n in planned if n), default=0) - len(state.rounds)
    if rounds < 1:
        raise BadInput(say("expected a whole number from 1"), place="rounds")
    if left is not None and state.begun and rounds > left:
        raise NotNow(
            count(
                "Only {n} Swiss round is left, but you asked for a draft of {rounds}."
                " Plan more rounds first.",
                "Only {n} Swiss rounds are left, but you asked for a draft of {rounds}."
                " Plan more rounds first.",
                left,
                rounds=rounds,
            )
        )


def _require_drafting(state: State) -> Draft:
    if state.drafting is not None:
        return state.drafting
    if state.draft is None:
        raise NotNow(say("No draft is in progress. Begin one first."))
    raise NotNow(say("The first round of draft {draft} has already started.", draft=state.draft.number))
