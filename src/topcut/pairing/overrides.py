"""Allow for one round what the rules forbid, where they leave no pairing, and say what it comes to.

An override changes values of the rules for the round and nothing else: what it allows is still avoided
wherever it can be.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from msgspec.structs import replace as with_values

from topcut.history import History, Outcome
from topcut.history.model import Allowance
from topcut.lots import Stream
from topcut.pairing.engine.costs import compute_cost
from topcut.pairing.engine.exhaustive import EXHAUSTIVE_SEATS, find_best_pairings
from topcut.pairing.engine.field import BARRED, Field, Ints
from topcut.pairing.engine.swiss import FieldDraw
from topcut.pairing.pools import PairingPool
from topcut.rulebook.model import Book
from topcut.rulebook.planning.tables import count_tables
from topcut.text.messages import Message, count, list_and, list_or, say

NAMED = 8
"""Players that a consequence names, at most."""


def relax_rules(book: Book, allowed: Allowance | None) -> Book:
    """Return the book for a round in which something is allowed: what was never done is only avoided."""
    if allowed is None or book.pairing is None:
        return book
    rules = book.pairing
    if "second-bye" in allowed.what and rules.second_bye == "never":
        rules = with_values(rules, second_bye="avoided")
    if "rematch" in allowed.what and rules.rematches != "allowed":
        rules = with_values(rules, rematches="avoided")
    return with_values(book, pairing=rules)


def count_sitting_out(book: Book, players: int) -> int | None:
    """Return how many of a pool must sit out so that the tables fit; None where no number fits."""
    if book.tables is None:
        return 0
    preferred, other = book.match.table_sizes
    at_most = book.tables.at_most.get(str(other))
    for out in range(players):
        if count_tables(players - out, preferred, other, at_most) is not None:
            return out
    return None


def rank_sitting_out(
    history: History, pool: PairingPool, points: Ints, first: Collection[int]
) -> list[list[int]]:
    """Return the players of a pool in groups, those first who sit out first: as the bye is given.

    Players in `first` go before all others; then those who have sat out least, then those with fewest points.
    """
    byes = history.counts[Outcome.BYE]
    groups: dict[tuple[bool, int, int], list[int]] = {}
    for player in sorted(pool.players, key=lambda i: history.players[i].id):
        groups.setdefault((player not in first, int(byes[player]), int(points[player])), []).append(player)
    return [groups[key] for key in sorted(groups)]


def split_sitting_out(
    groups: Sequence[Sequence[int]], pool: PairingPool, number: int, stream: Stream
) -> tuple[PairingPool, list[int]]:
    """Return the pool without those who sit out, and them; within a group, lots decide."""
    order = [group[at] for group in groups for at in stream.order(len(group)).tolist()]
    out = sorted(order[:number])
    return replace(pool, players=[player for player in pool.players if player not in out]), out


def describe_forced(history: History, field: Field, book: Book) -> list[Message]:
    """Say which second byes and rematches every best round has: no more is known before the draw."""
    assert book.pairing is not None
    second_bye, rematches = book.pairing.rule("second_bye"), book.pairing.rule("rematches")
    names = [history.players[i].shown_name for i in field.players.tolist()]
    found: list[Message] = []
    if field.seats > EXHAUSTIVE_SEATS:
        drawn = FieldDraw(field).draw(Stream("", "forced"))
        alone = [int(a) for a, b in drawn.tables.tolist() if b == field.size]
        if any(field.byes[a] % BARRED for a in alone):
            found.append(_say_bye([], second_bye))
        return found + _say_rematches(compute_cost(field, drawn.tables)["rematches"], rematches)
    best = find_best_pairings(field)
    rounds = [] if best is None else best.pairings.tolist()
    byes = [{a for a, b in tables if b == field.size and field.byes[a] % BARRED} for tables in rounds]
    if byes and all(byes):
        found.append(_say_bye([names[a] for a in sorted(set[int]().union(*byes))], second_bye))
    again = [
        frozenset((a, b) for a, b in tables if b < field.size and field.have_met(a, b)) for tables in rounds
    ]
    if len(set(again)) != 1:
        return found + _say_rematches(min(map(len, again), default=0), rematches)
    for a, b in sorted(again[0]):
        met = sorted({int(history.meeting_round[row]) + 1 for row in np.flatnonzero(field.met[:, a] == b)})
        found.append(
            count(
                "{players} meet again (round {rounds}).",
                "{players} meet again (rounds {rounds}).",
                len(met),
                players=list_and([names[a], names[b]]),
                rounds=list_and(met),
            )
        )
    return found


def _say_bye(names: Sequence[str], rule: str) -> Message:
    """Say that a player gets a second bye: the only one who can, one of a few, or not known who."""
    if not names or len(names) > NAMED:
        return say(
            "One player gets a second bye. The rules ({rule}) allow only one bye for each player.", rule=rule
        )
    players = list_or(names)
    return say(
        "{players} gets a second bye. The rules ({rule}) allow only one bye for each player.",
        players=players,
        rule=rule,
    )


def _say_rematches(number: int, rule: str) -> list[Message]:
    """Say how many tables are rematches, where it is open which."""
    if not number:
        return []
    return [
        count("{n} table is a rematch ({rule}).", "{n} tables are rematches ({rule}).", number, rule=rule)
    ]
