"""The event as the web may know it: nothing that only staff may know, no id that tells who somebody is."""

from __future__ import annotations

from pathlib import PurePath

from msgspec.structs import replace

from topcut.exchange.event_file import Event, EventFile, built
from topcut.exchange.opened import public
from topcut.stages.ids import other_ids, renamed, whole_rounds
from topcut.stages.scored import seed_of_lots


def for_the_web(event: Event) -> Event:
    """The event without membership numbers, birth years and labels, wherever they stand."""
    members = {player.member for player in event.file.players if player.member is not None}
    shown = public(event)
    # A path tells how somebody's disk is laid out.
    file = replace(shown.file, rules=PurePath(shown.file.rules.replace("\\", "/")).name)
    file = replace(
        file,
        players=tuple(replace(p, name="") if p.name.strip() in members else p for p in file.players),
    )
    if any(player.id in members for player in file.players):
        file = _with_own_ids(file, shown)
    return built(file, book=event.book)


def _with_own_ids(file: EventFile, event: Event) -> EventFile:
    """The file with p1, p2, … for ids, given out so that every lot falls as it fell.

    A lot depends on the id, so a place that a lot decided would else be another one than in the hall. Where
    Swiss rounds are played, ids go by the lots of the standings, and the seeds of rounds are left out:
    for other ids they draw other tables. Rank seeds are drawn from the ids in their order, which is kept.
    """
    width = len(str(len(file.players)))
    own = [f"p{number:0{width}}" for number in range(1, len(file.players) + 1)]
    new = other_ids([player.id for player in file.players], own, file.rounds, file.seed, event.book)
    if any(a_round.stage == "swiss" for a_round in file.rounds):
        seed = seed_of_lots([file.seed], file.rounds[: whole_rounds(file.rounds)])
        file = replace(file, seed=seed, rounds=tuple(replace(r, seed=None) for r in file.rounds))
    return replace(
        file,
        players=tuple(replace(player, id=new[player.id]) for player in file.players),
        rounds=tuple(replace(r, tables=tuple(renamed(t, new) for t in r.tables)) for r in file.rounds),
    )
