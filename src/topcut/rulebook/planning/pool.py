"""Group players into pools: divisions that play together, and the flights that a pool may be split into."""

from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from typing import Literal

from msgspec import Struct

from topcut.errors import BadInput, Impossible
from topcut.rulebook.layout import Divisions, Format
from topcut.rulebook.model import Book, Pods
from topcut.text.messages import count, list_or, say

DivisionMode = Literal["separate", "modified", "off"]


class PlannedPool(Struct, frozen=True):
    """Players who are paired with each other during the Swiss rounds."""

    players: int
    counted: int
    """The number that round tables are asked for."""
    mode: DivisionMode = "separate"


def group_divisions(rule: Divisions, players: Sequence[int]) -> tuple[DivisionMode, list[list[int]]]:
    """Return whether divisions of these sizes are separated or modified, and which of them play together.

    Divisions are named by position; an empty one plays nowhere. With 6 players to be separate:
    3, 10 and 40 give `("modified", [[0, 1, 2]])` or, where only the short one moves,
    `("modified", [[0, 1], [2]])`.
    """
    count_empty = rule.empty == "short"  # PK-A8
    entries = [i for i, number in enumerate(players) if number or count_empty]
    if all(players[i] >= rule.separate_from for i in entries):  # PK-12
        return "separate", [[i] for i in entries]
    pools = [entries] if rule.merge == "all" else [[i] for i in entries]  # PK-13, PK-A26
    while len(pools) > 1:
        totals = [sum(players[i] for i in pool) for pool in pools]
        short = next((at for at, total in enumerate(totals) if total < rule.separate_from), None)
        if short is None:
            break
        # It joins the next division of the list; the last one has only the one before.
        first = min(short, len(pools) - 2)
        pools[first : first + 2] = [pools[first] + pools[first + 1]]
    present = ([i for i in pool if players[i]] for pool in pools)
    return "modified", [pool for pool in present if pool]


def split_into_flights(players: int, flights: int, rule: Literal["fewest odd", "closest"]) -> tuple[int, ...]:
    """Return the sizes of flights, largest first.

    `closest` gives sizes that differ by at most one. `fewest odd` has at most one odd flight, since
    each costs a bye in every round, and among these the smallest spread (PK-44, PK-A16).

    >>> split_into_flights(142, 4, "fewest odd"), split_into_flights(142, 4, "closest")
    ((36, 36, 36, 34), (36, 36, 35, 35))
    """
    if rule == "closest":
        size, more = divmod(players, flights)
        return (size + 1,) * more + (size,) * (flights - more)
    # Deal pairs, as evenly as they go; a player left over joins one of the smaller flights.
    pairs, left = divmod(players, 2)
    size, more = divmod(pairs, flights)
    return (2 * size + 2,) * more + (2 * size + 1,) * left + (2 * size,) * (flights - more - left)


def plan_flights(book: Book, pool: PlannedPool, event_format: Format, flights: int) -> tuple[int, ...]:
    """Return the sizes of flights, refused where the rules do not allow them."""
    rule = book.flights
    if rule is None:
        raise BadInput(say("{rules} has no flights", rules=book.id), place="flights")
    if flights not in rule.counts:
        broken, counts = "counts", list_or(rule.counts)
        problem = say("there may be {counts} flights, not {flights}", counts=counts, flights=flights)
    elif event_format not in rule.formats:
        broken, formats = "formats", list_or(rule.formats)
        problem = say(
            "flights are for {formats} only, not for {format}", formats=formats, format=event_format
        )
    elif pool.mode != "separate":
        broken, problem = "formats", say("flights need separate divisions")
    elif pool.players < rule.division_from:
        broken = "division_from"
        problem = count(
            "{n} player is too few for flights; a division needs at least {least}",
            "{n} players are too few for flights; a division needs at least {least}",
            pool.players,
            least=rule.division_from,
        )
    elif (sizes := split_into_flights(pool.players, flights, rule.sizes))[-1] < rule.flight_from:
        broken = "flight_from"
        problem = say(
            "{players} players in {flights} flights would leave a flight of {size}; "
            "a flight needs at least {least}",
            players=pool.players,
            flights=flights,
            size=sizes[-1],
            least=rule.flight_from,
        )
    else:
        return sizes
    raise Impossible(problem, rule=rule.rule(broken))


def refuse_flights(book: Book, pool: PlannedPool, event_format: Format, flights: int) -> Impossible | None:
    """Return why the rules do not allow these flights; None where they do."""
    try:
        plan_flights(book, pool, event_format, flights)
    except Impossible as refused:
        return refused
    return None


def list_possible_flights(book: Book, pool: PlannedPool, event_format: Format) -> list[tuple[int, ...]]:
    """Return the sizes for each number of flights that the rules allow, fewest first; often none."""
    allowed = []
    for flights in sorted(book.flights.counts) if book.flights else ():
        with suppress(Impossible):
            allowed.append(plan_flights(book, pool, event_format, flights))
    return allowed


def compute_pod_sizes(players: int, rule: Pods) -> list[int]:
    """Return the sizes of pods, from the top (FB-A9).

    >>> from topcut.rulebook.model import Pods
    >>> rule = Pods(source="", size=8, remainder="own from half", outside="avoided")
    >>> compute_pod_sizes(29, rule), compute_pod_sizes(27, rule)
    ([8, 8, 8, 5], [8, 8, 11])
    """
    whole, left = divmod(players, rule.size)
    if rule.remainder == "equal":
        pods = max(1, whole if left < rule.size / 2 else whole + 1)
        while pods > 1 and players / pods < ceil(rule.size * 3 / 4):
            pods -= 1
        size, more = divmod(players, pods)
        return [size + 1] * more + [size] * (pods - more)
    if whole == 0:
        return [left] if left else []
    if left >= rule.size / 2:
        return [rule.size] * whole + [left]
    return [rule.size] * (whole - 1) + [rule.size + left]
