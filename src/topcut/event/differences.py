"""Describe the differences between two states, to look at before a step is undone."""

from collections.abc import Iterator

from msgspec.structs import replace

from topcut.event.decide.context import PHASE_WORDS
from topcut.event.describe.results import describe_claim, describe_result
from topcut.event.state import ListedPlayer, RoundState, State
from topcut.history.model import Table
from topcut.text.messages import Message, count, list_and, say

SHOWN = 20
"""Differences that are listed, at most."""


def describe_differences(old: State, new: State) -> list[str]:
    """Return what would change, a sentence each."""
    found: list[str] = [*_compare_events(old, new), *_compare_lists(old, new)]
    for gone in old.rounds[len(new.rounds) :]:
        words = PHASE_WORDS[gone.phase]
        found.append(say("Round {round} ({phase}) is removed.", round=gone.number, phase=words))
    for added in new.rounds[len(old.rounds) :]:
        words = PHASE_WORDS[added.phase]
        found.append(say("Round {round} ({phase}) is restored.", round=added.number, phase=words))
    for before, after in zip(old.rounds, new.rounds, strict=False):
        if before != after:
            found += _compare_rounds(before, after, old, new)
    more = len(found) - SHOWN
    if more <= 0:
        return found
    return [*found[:SHOWN], count("There is {n} more change.", "There are {n} more changes.", more)]


def _compare_events(old: State, new: State) -> Iterator[Message]:
    if old.drafts != new.drafts:
        yield _compare_drafts(old, new)
    if replace(old.options, mode=None, draft=None) != replace(new.options, mode=None, draft=None) or (
        old.options != new.options and old.drafts == new.drafts
    ):
        yield say("The options change.")
    if old.announced != new.announced:
        yield say("The announcement changes.") if new.announced else say("The announcement is removed.")
    if old.blocked != new.blocked:
        yield say("The tables that are kept empty change.")
    for question in old.questions:
        if question not in new.questions:
            name = old.name_of(question.player)
            yield say("Question {question} of {name} is no longer open.", question=question.number, name=name)
    for question in new.questions:
        if question not in old.questions:
            name = new.name_of(question.player)
            yield say("Question {question} of {name} is open again.", question=question.number, name=name)
    if old.finished != new.finished:
        yield say("The event is finished.") if new.finished else say("The event is not finished.")


def _compare_drafts(old: State, new: State) -> Message:
    if new.draft is None:
        if old.draft is not None:
            return say("Draft {draft} is no longer in progress.", draft=old.draft.number)
        return say("The drafts change.")
    if old.draft is None or old.draft.number != new.draft.number:
        return say("Draft {draft} is in progress again.", draft=new.draft.number)
    return say("The clock of draft {draft} changes.", draft=new.draft.number)


def _compare_lists(old: State, new: State) -> Iterator[Message]:
    redrafted = old.drafts != new.drafts  # all players then have other pods
    for player_id, listed in old.players.items():
        if player_id not in new.players:
            yield say("{name} is removed from the event.", name=listed.player.shown_name)
        elif new.players[player_id] != listed and not (
            redrafted and _differ_in_pod(listed, new.players[player_id])
        ):
            yield _compare_players(listed, new.players[player_id])
    for player_id, listed in new.players.items():
        if player_id not in old.players:
            yield say("{name} is in the event again.", name=listed.player.shown_name)


def _differ_in_pod(old: ListedPlayer, new: ListedPlayer) -> bool:
    """Return whether nothing differs but the pod and the seat in it."""
    player = replace(new.player, pod=old.player.pod, seat=old.player.seat)
    return replace(new, player=player) == old


def _compare_players(old: ListedPlayer, new: ListedPlayer) -> Message:
    name = old.player.shown_name
    if _describe_leaving(old, name) != (now := _describe_leaving(new, name)):
        return now
    if old.here != new.here:
        return (
            say("{name} is checked in.", name=name)
            if new.here
            else say("{name} is not checked in.", name=name)
        )
    if old.fixed != new.fixed:
        if new.fixed:
            return say("{name} always sits at table {table}.", name=name, table=new.fixed)
        return say("{name} no longer has a fixed table.", name=name)
    return say("The details of {name} change.", name=name)


def _describe_leaving(listed: ListedPlayer, name: str) -> Message:
    """Return when and how a player has left, if they have; the name is the one that everybody sees now."""
    player = listed.player
    if (last := player.dropped) is not None:
        if last:
            return say("{name} drops after round {round}.", name=name, round=last)
        return say("{name} drops before the first round.", name=name)
    if (last := player.disqualified) is not None:
        if last:
            return say("{name} is disqualified after round {round}.", name=name, round=last)
        return say("{name} is disqualified before the first round.", name=name)
    if (last := player.cut) is not None:
        return say("{name} does not make the cut after round {round}.", name=name, round=last)
    return say("{name} is back in the event.", name=name)


def _compare_rounds(before: RoundState, after: RoundState, old: State, new: State) -> Iterator[Message]:
    number = before.number
    if before.phase != after.phase:
        now, was = PHASE_WORDS[after.phase], PHASE_WORDS[before.phase]
        yield say("Round {round}: {phase} (was: {before}).", round=number, phase=now, before=was)
    tables = {frozenset(table.players): table for table in before.tables}
    for table in after.tables:
        same = tables.pop(frozenset(table.players), None)
        if same is None:
            yield _describe_added(number, table, new)
        else:
            yield from _compare_tables(number, same, table, old, new)
    for table in tables.values():
        yield _describe_removed(number, table, old)
    for table in after.missing:
        if isinstance(table.table, int):
            yield from _compare_claims(before, after, table, table.table, new)
    if before.clock != after.clock:
        yield say("The clock of round {round} changes.", round=number)


def _describe_added(number: int, table: Table, new: State) -> Message:
    names = list_and(map(new.name_of, table.players))
    if table.table is None:
        return say("Round {round}: {result}.", round=number, result=describe_result(table, new.name_of))
    return say("Round {round}, new table {table}: {names}.", round=number, table=table.table, names=names)


def _describe_removed(number: int, table: Table, old: State) -> Message:
    names = list_and(map(old.name_of, table.players))
    if table.table is None and table.loss:
        return say("Round {round}: the loss of {name} is removed.", round=number, name=names)
    if table.table is None:
        return say("Round {round}: the bye of {name} is removed.", round=number, name=names)
    return say("Round {round}: the table of {names} is removed.", round=number, names=names)


def _compare_tables(number: int, same: Table, table: Table, old: State, new: State) -> Iterator[Message]:
    """Yield how a table differs from the table of the same players."""
    now, was = describe_result(table, new.name_of), describe_result(same, old.name_of)
    if now != was and table.table is None:
        yield say("Round {round}: {result} (was: {before}).", round=number, result=now, before=was)
    elif now != was:
        yield say(
            "Round {round}, table {table}: {result} (was: {before}).",
            round=number,
            table=table.table or "",
            result=now,
            before=was,
        )
    elif same.table != table.table:
        old_number, new_number = same.table or "", table.table or ""
        yield say(
            "Round {round}: table {table} becomes table {new}.",
            round=number,
            table=old_number,
            new=new_number,
        )


def _compare_claims(
    before: RoundState, after: RoundState, table: Table, number: int, new: State
) -> Iterator[Message]:
    """Yield what the players of a table would have reported."""
    claimed, claims = before.claims.get(number, {}), after.claims.get(number, {})
    for player_id in table.players:
        if claimed.get(player_id) == (claim := claims.get(player_id)):
            continue
        name = new.name_of(player_id)
        if claim is None:
            yield say(
                "Round {round}, table {table}: {name} has not reported.",
                round=before.number,
                table=number,
                name=name,
            )
        else:
            yield say(
                "Round {round}, table {table}: {name} reports {result}.",
                round=before.number,
                table=number,
                name=name,
                result=describe_claim(table, claim, new.name_of),
            )
