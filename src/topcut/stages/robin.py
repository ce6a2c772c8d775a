"""A round robin: everybody meets everybody once, by the circle."""

from __future__ import annotations

from functools import cache

from topcut.stages.graph import Graph, Node, RankSeed


def _circle(players: int, number: int) -> list[tuple[int, int]]:
    """The rank seeds that meet in a round (from 0), the better first; seed players + 1 is a bye.

    One player stays, the others go round: in each round those opposite each other meet.

    >>> _circle(5, 0), _circle(5, 1)
    ([(1, 6), (2, 5), (3, 4)], [(1, 5), (2, 3), (4, 6)])
    """
    seats = players + players % 2
    order = [1, *((i - number) % (seats - 1) + 2 for i in range(seats - 1))]
    pairs = [(order[i], order[seats - 1 - i]) for i in range(seats // 2)]
    return sorted((min(pair), max(pair)) for pair in pairs)


@cache
def robin(players: int) -> Graph:
    """All rounds; with an odd number one player has a bye in each of them."""
    rounds = [
        tuple(
            Node(f"R{r + 1}-{number}", (RankSeed(first), RankSeed(second)))
            for number, (first, second) in enumerate(_circle(players, r), start=1)
        )
        for r in range(players - 1 + players % 2)
    ]
    return Graph("round-robin", players, tuple(rounds))
