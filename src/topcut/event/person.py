"""What is held about one player? All of it, as plain data to be handed to them.

    personal_data(journal, "p7")

Other people are in it as everybody may see them: by their ids, and by what they are called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from topcut.event import facts as f
from topcut.event.called import display_names
from topcut.event.journal import Journal
from topcut.event.log import Logged
from topcut.event.private import person_of
from topcut.event.refusals import NoSuchPlayer
from topcut.event.state import State
from topcut.event.tell import Teller
from topcut.event.words import result_words


def personal_data(journal: Journal, player: str) -> dict[str, Any]:
    """Who a player is and was, where they stand, what they played, and every fact that names them."""
    if player not in journal.ids():
        raise NoSuchPlayer(player)
    state = journal.state
    return {
        "event": state.name,
        "player": player,
        "known": [*_known(journal, player)],
        "now": _now(state, player),
        "rounds": [*_rounds(state, player)],
        "facts": [*_facts(journal, player)],
        "original_file": bool(journal.known_of(player) & journal.originals()),
    }


def _known(journal: Journal, player: str) -> Iterator[dict[str, Any]]:
    """Every entry outside the log, in its order; also where somebody of that name was refused."""
    keys = journal.known_of(player)
    for entry in journal.entries:
        fact = entry.fact
        if isinstance(fact, f.Registered | f.PlayerEdited | f.EntryRefused) and fact.person in keys:
            person = person_of(journal.private, fact.person)
            said = {name: value for name in ("division", "apart") if (value := getattr(fact, name, None))}
            yield _written(journal, entry) | msgspec.to_builtins(person) | said


def _now(state: State, player: str) -> dict[str, Any] | None:
    """Where they stand; nothing for those who are not on the list any more."""
    entrant = state.players.get(player)
    if entrant is None:
        return None
    desk = {"here": entrant.here, "fixed_table": entrant.fixed, "seated_at": entrant.seat}
    known = {name: value for name, value in desk.items() if value is not None}
    return {**msgspec.to_builtins(entrant.player), **known}


def _rounds(state: State, player: str) -> Iterator[dict[str, Any]]:
    """What they played, as far as it is published."""
    for a_round in state.rounds:
        table = a_round.table_of(player)
        if table is None or a_round.phase == "draft":
            continue
        yield {
            "round": a_round.number,
            "stage": a_round.stage,
            "table": table.table,
            "against": [
                {"id": player_id, "name": state.name_of(player_id)}
                for player_id in table.players
                if player_id != player
            ],
            "result": result_words(table, state.name_of) if table.reported else None,
        }


def _facts(journal: Journal, player: str) -> Iterator[dict[str, Any]]:
    teller = Teller(journal.private, display_names(journal))
    keys = journal.known_of(player)
    for entry in journal.entries:
        says = teller.tell(entry)
        if names(entry.fact, player) or getattr(entry.fact, "person", None) in keys:
            yield _written(journal, entry) | {"says": says}


def _written(journal: Journal, entry: Logged) -> dict[str, Any]:
    """When it was written down, and whether it still counts."""
    at = entry.at.isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"fact": entry.position, "at": at, "counts": entry.step not in journal.undone}


def names(fact: f.AnyFact, player: str) -> bool:
    """Whether a fact is about a player, alone or among others.

    >>> names(f.Dropped(player="p1", round=2), "p1"), names(f.SeatedAll(tables={"p2": 1}), "p1")
    (True, False)
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
