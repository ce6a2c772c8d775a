"""Describe drafts: which one it is, and how many of its rounds are played."""

from topcut.event.state import Draft, State
from topcut.text.messages import Message, count, say


def describe_draft_round(state: State, number: int | None) -> Message:
    """Return which round of a draft a round is: "Draft 1, round 2 of 3"; empty for a round outside drafts."""
    draft = None if number is None else state.draft_of(number)
    if draft is None or number is None:
        return Message("")
    inside = number - draft.first + 1
    if draft.rounds is None or inside > draft.rounds:
        return say("Draft {draft}, round {round}", draft=draft.number, round=inside)
    return say(
        "Draft {draft}, round {round} of {rounds}", draft=draft.number, round=inside, rounds=draft.rounds
    )


def describe_draft(draft: Draft, state: State) -> Message:
    """Return which draft goes on, and how far it is."""
    played = len(state.rounds) - draft.first + 1
    ended = state.round is None or state.round.phase == "ended"
    if played >= 1 and played == draft.rounds and ended:
        return count(
            "Draft {draft} is over after {n} round. Topcut pairs the next round among all players again.",
            "Draft {draft} is over after {n} rounds. Topcut pairs the next round among all players again.",
            played,
            draft=draft.number,
        )
    if played >= 1:
        return describe_draft_round(state, len(state.rounds))
    if draft.rounds is None:
        return say("Draft {draft}, before its first round", draft=draft.number)
    return say("Draft {draft}, before round 1 of {rounds}", draft=draft.number, rounds=draft.rounds)
