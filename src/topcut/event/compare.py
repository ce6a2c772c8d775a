"""What is different between two states? For looking before anything is taken back."""

from __future__ import annotations

from collections.abc import Iterator

from topcut.event.state import Entrant, RoundOf, State
from topcut.event.words import result_words, said_words

SHOWN = 20


def differences(old: State, new: State) -> list[str]:
    """What would change, in sentences."""
    found = [*_event(old, new), *_players(old, new), *_rounds(old, new)]
    more = len(found) - SHOWN
    return found if more <= 0 else [*found[:SHOWN], f"and {more} more changes"]


def _event(old: State, new: State) -> Iterator[str]:
    if old.options != new.options:
        yield "The options change"
    if old.announced != new.announced:
        yield "The announcement changes" if new.announced else "The announcement is gone"
    if old.blocked != new.blocked:
        yield "Blocked tables change"
    for question in old.questions:
        if question not in new.questions:
            yield f"Question {question.number} of {old.name_of(question.player)} is not open"
    for question in new.questions:
        if question not in old.questions:
            yield f"Question {question.number} of {new.name_of(question.player)} is open"
    if old.finished != new.finished:
        yield "The event is finished" if new.finished else "The event is not finished"


def _players(old: State, new: State) -> Iterator[str]:
    for player_id, entrant in old.players.items():
        if player_id not in new.players:
            yield f"{entrant.player.shown_name} is not in the event"
        elif new.players[player_id] != entrant:
            yield _player(entrant, new.players[player_id])
    for player_id, entrant in new.players.items():
        if player_id not in old.players:
            yield f"{entrant.player.shown_name} is in the event"


def _player(old: Entrant, new: Entrant) -> str:
    name = old.player.shown_name
    was, now = _left(old), _left(new)
    if was != now:
        return f"{name} {now or 'has not left'}"
    if old.here != new.here:
        return f"{name} is {'checked in' if new.here else 'not checked in'}"
    if old.fixed != new.fixed:
        return f"{name} has {f'table {new.fixed}' if new.fixed else 'no fixed table'}"
    return f"What is known of {name} changes"


def _left(entrant: Entrant) -> str:
    player = entrant.player
    words = {"dropped": "dropped", "disqualified": "is disqualified", "cut": "is cut"}
    for how, word in words.items():
        if (last := getattr(player, how)) is not None:
            return f"{word} after round {last}" if last else f"{word} before the first round"
    return ""


def _rounds(old: State, new: State) -> Iterator[str]:
    for a_round in old.rounds[len(new.rounds) :]:
        yield f"Round {a_round.number} ({a_round.phase}) is gone"
    for a_round in new.rounds[len(old.rounds) :]:
        yield f"Round {a_round.number} ({a_round.phase}) is there"
    for before, after in zip(old.rounds, new.rounds, strict=False):
        if before != after:
            yield from _round(before, after, old, new)


def _round(before: RoundOf, after: RoundOf, old: State, new: State) -> Iterator[str]:
    number = before.number
    if before.phase != after.phase:
        yield f"Round {number} is {after.phase}, not {before.phase}"
    tables = {frozenset(table.players): table for table in before.tables}
    for table in after.tables:
        same = tables.pop(frozenset(table.players), None)
        if same is None:
            who = " - ".join(map(new.name_of, table.players))
            yield f"Round {number} has {f'a table {table.table} {who}' if table.table else f'{who} alone'}"
        elif (now := result_words(table, new.name_of)) != (was := result_words(same, old.name_of)):
            where = f" table {table.table}" if table.table is not None else ""
            yield f"Round {number}{where}: {now}, not {was}"
        elif same.table != table.table:
            yield f"Round {number} table {same.table} is table {table.table}"
    for table in tables.values():
        who = " - ".join(map(old.name_of, table.players))
        yield f"Round {number} has no table {who}" if table.table else f"Round {number} has not {who} alone"
    yield from _claims(before, after, new)
    if before.clock != after.clock:
        yield f"The clock of round {number} changes"


def _claims(before: RoundOf, after: RoundOf, new: State) -> Iterator[str]:
    """What players say now of tables that are not reported."""
    for table in after.missing:
        if not isinstance(table.table, int):
            continue
        was, now = before.claims.get(table.table, {}), after.claims.get(table.table, {})
        for player_id in table.players:
            if was.get(player_id) != now.get(player_id):
                says = said_words(table, now[player_id], new.name_of) if player_id in now else "nothing"
                yield f"Round {after.number} table {table.table}: {new.name_of(player_id)} says {says}"
