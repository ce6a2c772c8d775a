"""The event as the web may know it: nothing that only staff may know, no id that tells who somebody is."""

from __future__ import annotations

from pathlib import PurePath

from msgspec.structs import replace

from topcut.exchange.event_file import Event, EventFile, built
from topcut.exchange.opened import public
from topcut.history.model import Round, Table
from topcut.lots import lot
from topcut.stages.scored import seed_of_lots

Ids = dict[str, str]
"""The ids of a file to those of the site."""


def for_the_web(event: Event) -> Event:
    """The event without membership numbers, birth years and labels, wherever they stand."""
    members = {player.member for player in event.file.players if player.member is not None}
    shown = public(event)
    # A path tells how somebody's disk is laid out; and why two meet may name the label they share.
    file = replace(shown.file, rules=PurePath(shown.file.rules.replace("\\", "/")).name)
    file = replace(
        file,
        players=tuple(replace(p, name="") if p.name.strip() in members else p for p in file.players),
        rounds=tuple(_without_reasons(a_round) for a_round in file.rounds),
    )
    if any(player.id in members for player in file.players):
        file = _with_own_ids(file, shown)
    return built(file, book=event.book)


def reported(rounds: tuple[Round, ...]) -> int:
    """How many rounds from the first on are wholly reported."""
    whole = 0
    while whole < len(rounds) and all(table.reported for table in rounds[whole].tables):
        whole += 1
    return whole


def _without_reasons(a_round: Round) -> Round:
    return replace(a_round, tables=tuple(replace(table, why=()) for table in a_round.tables))


def _with_own_ids(file: EventFile, event: Event) -> EventFile:
    """The file with p1, p2, … for ids, given out so that every lot falls as it fell.

    A lot depends on the id, so a place that a lot decided would else be another one than in the hall. Where
    Swiss rounds are played, ids go by the lots of the standings, and the seeds of rounds are left out:
    for other ids they draw other tables. Rank seeds are drawn from the ids in their order, which is kept.
    """
    width = len(str(len(file.players)))
    own = [f"p{number:0{width}}" for number in range(1, len(file.players) + 1)]
    ids = sorted(player.id for player in file.players)
    scored = [a_round for a_round in file.rounds if a_round.stage == "swiss"]
    if scored:
        whole = file.rounds[: reported(file.rounds)]
        seed = seed_of_lots([file.seed], whole)
        counted = sum(a_round.stage == "swiss" for a_round in whole)
        label = f"standings/{counted}" if event.book.standings.ends_in == "lot" else "cut"
        own.sort(key=lambda id: lot(seed, label, id))
        ids.sort(key=lambda id: lot(seed, label, id))
        file = replace(file, seed=seed, rounds=tuple(replace(r, seed=None) for r in file.rounds))
    new = dict(zip(ids, own, strict=True))
    return replace(
        file,
        players=tuple(replace(player, id=new[player.id]) for player in file.players),
        rounds=tuple(replace(r, tables=tuple(_renamed(t, new) for t in r.tables)) for r in file.rounds),
    )


def _renamed(table: Table, new: Ids) -> Table:
    def each(ids: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if ids is None else tuple(new[id] for id in ids)

    counts = table.tie_counts
    winner, given = table.winner, table.win_given_to
    return replace(
        table,
        players=tuple(new[id] for id in table.players),
        winner=winner if winner in (None, "draw", "double_loss") else new[winner],
        winners=each(table.winners),
        eliminated=each(table.eliminated),
        tie_counts=None if counts is None else tuple({new[id]: n for id, n in c.items()} for c in counts),
        win_given_to=None if given is None else new[given],
    )
