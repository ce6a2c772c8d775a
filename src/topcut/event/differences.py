"""Describe the differences between two states, to look at before a step is undone."""

from collections.abc import Iterator

from topcut.event.describe.results import describe_claim, describe_result
from topcut.event.state import ListedPlayer, RoundState, State

SHOWN = 20
"""Differences that are listed, at most."""


def describe_differences(old: State, new: State) -> list[str]:
    """Return what would change, a sentence each."""
    found = [*_compare_events(old, new), *_compare_lists(old, new)]
    found += [f"Round {r.number} ({r.phase}) is gone" for r in old.rounds[len(new.rounds) :]]
    found += [f"Round {r.number} ({r.phase}) is there" for r in new.rounds[len(old.rounds) :]]
    for before, after in zip(old.rounds, new.rounds, strict=False):
        if before != after:
            found += _compare_rounds(before, after, old, new)
    more = len(found) - SHOWN
    return found if more <= 0 else [*found[:SHOWN], f"and {more} more changes"]


def _compare_events(old: State, new: State) -> Iterator[str]:
    if old.options != new.options:
        yield "The options change"
    if old.announced != new.announced:
        yield "The announcement changes" if new.announced else "The announcement is gone"
    if old.blocked != new.blocked:
        yield "Blocked tables change"
    for state, other, is_open in ((old, new, "is not open"), (new, old, "is open")):
        for question in state.questions:
            if question not in other.questions:
                yield f"Question {question.number} of {state.name_of(question.player)} {is_open}"
    if old.finished != new.finished:
        yield "The event is finished" if new.finished else "The event is not finished"


def _compare_lists(old: State, new: State) -> Iterator[str]:
    for player_id, listed in old.players.items():
        if player_id not in new.players:
            yield f"{listed.player.shown_name} is not in the event"
        elif new.players[player_id] != listed:
            yield _compare_players(listed, new.players[player_id])
    for player_id, listed in new.players.items():
        if player_id not in old.players:
            yield f"{listed.player.shown_name} is in the event"


def _compare_players(old: ListedPlayer, new: ListedPlayer) -> str:
    name = old.player.shown_name
    if _describe_leaving(old) != (now := _describe_leaving(new)):
        return f"{name} {now or 'has not left'}"
    if old.here != new.here:
        return f"{name} is {'checked in' if new.here else 'not checked in'}"
    if old.fixed != new.fixed:
        return f"{name} has {f'table {new.fixed}' if new.fixed else 'no fixed table'}"
    return f"What is known of {name} changes"


def _describe_leaving(listed: ListedPlayer) -> str:
    for how, word in (("dropped", "dropped"), ("disqualified", "is disqualified"), ("cut", "is cut")):
        if (last := getattr(listed.player, how)) is not None:
            return f"{word} after round {last}" if last else f"{word} before the first round"
    return ""


def _compare_rounds(before: RoundState, after: RoundState, old: State, new: State) -> Iterator[str]:
    number = before.number
    if before.phase != after.phase:
        yield f"Round {number} is {after.phase}, not {before.phase}"
    tables = {frozenset(table.players): table for table in before.tables}
    for table in after.tables:
        same = tables.pop(frozenset(table.players), None)
        if same is None:
            who = " - ".join(map(new.name_of, table.players))
            yield f"Round {number} has {f'a table {table.table} {who}' if table.table else f'{who} alone'}"
        elif (now := describe_result(table, new.name_of)) != (was := describe_result(same, old.name_of)):
            where = f" table {table.table}" if table.table is not None else ""
            yield f"Round {number}{where}: {now}, not {was}"
        elif same.table != table.table:
            yield f"Round {number} table {same.table} is table {table.table}"
    for table in tables.values():
        who = " - ".join(map(old.name_of, table.players))
        yield f"Round {number} has no table {who}" if table.table else f"Round {number} has not {who} alone"
    for table in after.missing:
        if isinstance(table.table, int):
            claimed, claims = before.claims.get(table.table, {}), after.claims.get(table.table, {})
            for player_id in table.players:
                if claimed.get(player_id) != (claim := claims.get(player_id)):
                    says = describe_claim(table, claim, new.name_of) if claim else "nothing"
                    yield f"Round {number} table {table.table}: {new.name_of(player_id)} says {says}"
    if before.clock != after.clock:
        yield f"The clock of round {number} changes"
