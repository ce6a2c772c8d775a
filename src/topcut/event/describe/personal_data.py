"""Collect all that is held about one player, as plain data to be handed to them.

    collect_personal_data(log, "p7")

Other players are in it as the public pages show them: by id and display name.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from topcut.event import facts as f
from topcut.event.describe.log_sentences import LogNarrator, display_names
from topcut.event.describe.results import describe_result
from topcut.event.event_log import EventLog
from topcut.event.private_data import read_person
from topcut.event.refusals import NoSuchPlayer
from topcut.event.state import State


def collect_personal_data(log: EventLog, player: str) -> dict[str, Any]:
    """Return who a player is and was, what they played, and every fact that names them."""
    if player not in log.player_ids():
        raise NoSuchPlayer(player)
    keys = log.keys_about(player)
    teller = LogNarrator(log.private, display_names(log))
    known, facts = [], []
    for entry in log.entries:
        fact, says = entry.fact, teller.tell(entry)
        at = entry.at.isoformat(timespec="seconds").replace("+00:00", "Z")
        written = {"fact": entry.position, "at": at, "counts": entry.step not in log.undone}
        # Also where a person of that name was refused.
        if isinstance(fact, f.Registered | f.PlayerEdited | f.EntryRefused) and fact.person in keys:
            person = msgspec.to_builtins(read_person(log.private, fact.person))
            said = {
                name: value for name in ("division", "apart", "byes") if (value := getattr(fact, name, None))
            }
            known.append(written | person | said)
        if mentions_player(fact, player) or getattr(fact, "person", None) in keys:
            facts.append(written | {"says": says})
    return {
        "event": log.state.name,
        "player": player,
        "known": known,
        "now": _collect_listed(log.state, player),
        "rounds": [*_collect_rounds(log.state, player)],
        "facts": facts,
        "original_file": bool(keys & log.original_keys()),
    }


def _collect_listed(state: State, player: str) -> dict[str, Any] | None:
    """Return what the list of players holds; None for a player who was taken off it."""
    listed = state.players.get(player)
    if listed is None:
        return None
    desk = {"here": listed.here, "fixed_table": listed.fixed, "seated_at": listed.seat}
    known = {name: value for name, value in desk.items() if value is not None}
    return {**msgspec.to_builtins(listed.player), **known}


def _collect_rounds(state: State, player: str) -> Iterator[dict[str, Any]]:
    """Yield what the player played, as far as it is published."""
    for a_round in state.rounds:
        table = a_round.table_of(player)
        if table is None or a_round.phase == "draft":
            continue
        others = [player_id for player_id in table.players if player_id != player]
        yield {
            "round": a_round.number,
            "stage": a_round.stage,
            "table": table.table,
            "against": [{"id": player_id, "name": state.name_of(player_id)} for player_id in others],
            "result": describe_result(table, state.name_of) if table.reported else None,
        }


def mentions_player(fact: f.AnyFact, player: str) -> bool:
    """Return whether a fact is about a player, alone or among others.

    >>> mentions_player(f.Dropped(player="p1", round=2), "p1")
    True
    >>> mentions_player(f.SeatedAll(tables={"p2": 1}), "p1")
    False
    """
    match fact:
        case f.Paired() | f.RoundRepaired() | f.RoundEdited():
            return any(player in table.players for table in fact.tables)
        case f.TakenOver():
            seated = any(player in table.players for a_round in fact.rounds for table in a_round.tables)
            return seated or any(player in numbers for numbers in fact.drawn.values())
        case f.SeatedAll():
            return player in fact.tables
        case f.LotsDrawn():
            return player in fact.numbers
        case f.TablesBegun() | f.Confirmed():
            return any(player in seated for seated in fact.players)
        case f.Reported() | f.Claimed() | f.Corrected():
            return player in fact.players
    return getattr(fact, "player", None) == player
