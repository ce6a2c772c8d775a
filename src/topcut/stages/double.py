"""Double elimination: out after two losses."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from topcut.rulebook.planning.cut import fold
from topcut.stages.graph import Graph, LoserOf, Node, RankSeed, Source, WinnerOf, rounds_of


@cache
def double(players: int, reset: bool = True) -> Graph:
    """The bracket of so many players.

    Winners of the upper side stay there; losers go to the lower side, which they enter opposite those they
    are least likely to have met. `reset`: if the winner of the lower side wins the final, which is their
    opponent's first loss, it is played once more.
    """
    count = rounds_of(players)
    upper: list[Source] = [RankSeed(seed) for seed in fold(1 << count)]
    lower: list[Source] = []
    rounds: list[tuple[Node, ...]] = []
    known: dict[str, Node] = {}
    ends = 2 * count - 1  # the group of those who go out in the first round of the lower side
    for r in range(1, count + 1):
        tables = _tables(f"W{r}", zip(upper[::2], upper[1::2], strict=True))
        upper = [WinnerOf(table.name) for table in tables]
        losers: list[Source] = [LoserOf(table.name) for table in tables]
        known |= {table.name: table for table in tables}
        if r == 1:
            rounds.append(tables)
            lower = losers
            continue
        among = _tables(f"L{2 * r - 3}", zip(lower[::2], lower[1::2], strict=True), ends)
        lower = [WinnerOf(table.name) for table in among]
        known |= {table.name: table for table in among}
        best = min(
            _orders(losers),
            key=lambda order: sum(_rematch(*pair, known) for pair in zip(order, lower, strict=True)),
        )
        against = _tables(f"L{2 * r - 2}", zip(best, lower, strict=True), ends - 1)
        lower = [WinnerOf(table.name) for table in against]
        known |= {table.name: table for table in against}
        rounds += [(*tables, *among), against]
        ends -= 2
    rounds.append((Node("F", (upper[0], lower[0]), 0, 1),))
    if reset:
        rounds.append((Node("F2", (LoserOf("F"), WinnerOf("F")), 0, 1, only_if_second_won="F"),))
    return Graph("double-elimination", players, tuple(rounds))


def _tables(name: str, pairs: zip[tuple[Source, Source]], loser_ends: int | None = None) -> tuple[Node, ...]:
    return tuple(
        Node(f"{name}-{number}", pair, None, loser_ends) for number, pair in enumerate(pairs, start=1)
    )


def _orders(sources: Sequence[Source]) -> list[list[Source]]:
    """Ways in which losers can cross over to the lower side."""
    half = len(sources) // 2
    return [
        [*reversed(sources)],
        [*sources[half:], *sources[:half]],
        [*reversed(sources[:half]), *reversed(sources[half:])],
        [*sources],
    ]


def _rematch(falling: Source, here: Source, known: dict[str, Node]) -> Fraction:
    """How likely the loser of an upper table meets somebody whom they sent down, if every table is even."""
    sent, coming = _won(falling, known), _lost(here, known)
    return sum((chance * coming.get(table, 0) for table, chance in sent.items()), Fraction(0))


def _won(source: Source, known: dict[str, Node]) -> dict[str, Fraction]:
    """The upper tables that whoever comes from one has won before, each with its chance."""
    found = {}
    seats = () if isinstance(source, RankSeed) else known[source.table].seats
    for seat in seats:
        if isinstance(seat, WinnerOf):
            found[seat.table] = Fraction(1, 2)
            found |= {table: chance / 2 for table, chance in _won(seat, known).items()}
    return found


def _lost(source: Source, known: dict[str, Node]) -> dict[str, Fraction]:
    """The upper tables that whoever comes from the lower side has lost, each with its chance."""
    if isinstance(source, LoserOf):
        return {source.table: Fraction(1)}
    seats = known[source.table].seats if isinstance(source, WinnerOf) else ()
    return {table: chance / 2 for seat in seats for table, chance in _lost(seat, known).items()}
