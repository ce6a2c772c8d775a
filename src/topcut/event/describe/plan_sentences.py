"""Describe the plan of an event for people: rounds, cut, and how its divisions play (PK-1, PK-12, PK-13)."""

from collections import Counter

from topcut.event.draw import find_progress
from topcut.event.state import State
from topcut.history.divisions import choose_division_mode, division_of
from topcut.history.parts import Part
from topcut.rulebook.layout import cite
from topcut.rulebook.options import choose_format
from topcut.stages.progress import Progress
from topcut.text.messages import Message, count, join_messages, list_and, list_first, say

SHOWN = 5
"""Players without a division that a warning names, at most."""


def describe_plan(progress: Progress) -> list[Message]:
    """Return rounds and cut of each part, and how divisions play, a sentence each."""
    divisions = describe_divisions(progress)
    planned = [describe_part(part) for part in progress.parts if is_planned(part)]
    return [*planned, *([divisions] if divisions else [])]


def is_planned(part: Part) -> bool:
    """Return whether something gives the number of rounds: the rules, the organiser, or the bracket."""
    until_unbeaten = part.plan is not None and part.book.plan.swiss_only == "until one is unbeaten"
    return bool(part.rounds) or until_unbeaten or not (part.swiss or part.round_robin)


def describe_plan_with_reasons(progress: Progress) -> list[Message]:
    """Return how divisions play, why, and what is planned, a sentence each, before the first round."""
    divisions, why = describe_divisions(progress), explain_divisions(progress)
    planned = [describe_part(part) for part in progress.parts if is_planned(part)]
    told = [say("Plan: {plan}", plan=join_messages(" ", planned))] if planned else []
    return [says for says in (divisions, why, *told) if says]


def describe_part(part: Part) -> Message:
    """Return the rounds of a part and what follows them, in a sentence."""
    plan = _describe_rounds(part)
    if part.flights and part.flights_refused is None:
        plan = say("{rounds} in {flights} flights", rounds=plan, flights=part.flights)
    tops = [
        say("a top {cut} of {division}", cut=own.cut or 0, division=own.name)
        for own in part.bracket_parts
        if own.bracket and own.swiss
    ]
    if not part.bracket_parts and part.bracket is not None and part.swiss and part.cut:
        tops = [say("a top {cut}", cut=part.cut)]
    if tops:
        plan = say("{rounds}, then {cut}", rounds=plan, cut=list_and(tops))
    return (
        say("{division}: {plan}.", division=part.name, plan=plan) if part.name else say("{plan}.", plan=plan)
    )


def describe_flights(progress: Progress) -> Message:
    """Return which divisions play in flights; empty where none do."""
    found = [
        count("{division} in {n} flight", "{division} in {n} flights", part.flights, division=part.name)
        if part.name
        else count("{n} flight", "{n} flights", part.flights)
        for part in progress.parts
        if part.flights and part.flights_refused is None
    ]
    return list_and(found) if found else Message("")


def _describe_rounds(part: Part) -> Message:
    if not part.swiss and not part.round_robin:
        if part.format == "double-elimination":
            return say("Double elimination, as many rounds as the bracket needs")
        return say("Single elimination, as many rounds as the bracket needs")
    if part.rounds:
        return count("{n} round", "{n} rounds", part.rounds)
    return say("Rounds until one player is unbeaten")


def describe_divisions(progress: Progress) -> Message:
    """Return whether divisions are modified, and which play together, or separated; empty without any."""
    if pools := _describe_pools(progress):
        return say("Divisions are modified: {pools}.", pools=pools)
    if len(progress.parts) > 1:
        return say("Divisions are separated: each plays by itself.")
    return Message("")


def _describe_pools(progress: Progress) -> Message:
    """Return which divisions play together; empty where none do."""
    pools = [_name_divisions(part, progress) for part in progress.parts if part.mixed]
    return join_messages("; ", [say("{divisions} play in one pool", divisions=pool) for pool in pools])


def _name_divisions(part: Part, progress: Progress) -> Message:
    rule, players = progress.book.divisions, progress.history.players
    here = {division_of(players[i], progress.book) for i in part.members}
    return list_and(part.book.label(one.name) for one in (rule.list if rule else ()) if one.name in here)


def explain_divisions(progress: Progress) -> Message:
    """Return which divisions are too small to play by themselves (PK-13); empty where that is not why."""
    book = progress.book
    rule = book.divisions
    if rule is None or progress.options.division_mode or not any(part.mixed for part in progress.parts):
        return Message("")
    history = progress.history
    sizes = Counter(division_of(history.players[i], book) for part in progress.parts for i in part.members)
    few = [
        say("{division} ({players})", division=book.label(one.name), players=sizes[one.name])
        for one in rule.list
        if 0 < sizes[one.name] < rule.separate_from
    ]
    if not few:
        return Message("")
    why = say("Fewer than {least} players: {divisions}", least=rule.separate_from, divisions=list_and(few))
    return join_messages("", [cite(why, rule, "merge"), "."])


def describe_division_change(before: State, after: State) -> list[Message]:
    """Return that divisions are now modified or separated, with the new plan; only before the first round."""
    if after.begun or before.players is after.players:
        return []
    old, new = _find_mode(before), _find_mode(after)
    if "off" in (old, new) or old == new:
        return []
    progress = find_progress(after)
    rule = after.book.divisions
    if rule is None or not describe_divisions(progress):
        return []
    if pools := _describe_pools(progress):
        now = say("Divisions are now modified: {pools}.", pools=pools)
        says = join_messages(" ", [now, explain_divisions(progress)])
    else:
        says = say(
            "Each division has at least {least} players: divisions are now separated ({rule}).",
            least=rule.separate_from,
            rule=rule.rule("separate_from"),
        )
    return [join_messages(" ", [says, *describe_plan_with_reasons(progress)[-1:]])]


def describe_player_warnings(before: State, after: State) -> list[Message]:
    """Return what a change of the players leaves to do: divisions that are missing, a new announcement."""
    found = describe_missing_divisions(before, after) if _has_divisions(after) else []
    if after.announced is not None and describe_division_change(before, after):
        found.append(say("This differs from the announcement. Announce again."))
    return found


def describe_player_notes(before: State, after: State) -> list[Message]:
    """Return what a change of the players did to the divisions. While no player has one, that is a note."""
    missing = [] if _has_divisions(after) else describe_missing_divisions(before, after)
    return [*missing, *describe_division_change(before, after)]


def _has_divisions(state: State) -> bool:
    """Return whether any player has a division, so that the event does use them."""
    return any(listed.player.division is not None for listed in state.players.values())


def _find_mode(state: State) -> str:
    if not _uses_divisions(state):
        return "off"
    return choose_division_mode(
        [listed.player for listed in state.active()], state.book, state.options.division_mode
    )


def _uses_divisions(state: State) -> bool:
    """Return whether the rules divide the players of this event."""
    rule, event_format = state.book.divisions, choose_format(state.book, state.options)
    return rule is not None and event_format not in rule.ignored_by and state.options.divisions != "off"


def describe_missing_divisions(before: State, after: State) -> list[Message]:
    """Return a sentence on players without a division (PK-11): who have just entered, or lost theirs.

    When the first player with a division enters, it names all who have none.
    """
    rule = after.book.divisions
    if before.players is after.players or rule is None or not _uses_divisions(after):
        return []
    first = _has_divisions(after) and not _has_divisions(before)
    names = [
        listed.player.shown_name
        for listed in after.active()
        if listed.player.division is None and (first or _is_news(before, listed.player.id))
    ]
    if not names:
        return []
    return [
        count(
            "{names} has no division ({rule}). Set a birth year or a division for this player.",
            "{names} have no division ({rule}). Set a birth year or a division for each of them.",
            len(names),
            names=list_first(names, SHOWN),
            rule=rule.rule("list"),
        )
    ]


def _is_news(before: State, player_id: str) -> bool:
    """Return whether it was not known that a player has no division."""
    listed = before.players.get(player_id)
    return listed is None or listed.player.division is not None
