"""Plan flights: into how many a division may be split, and how large they are."""

from contextlib import suppress
from typing import Literal

from topcut.errors import BadInput, Impossible
from topcut.rulebook.layout import Flights
from topcut.rulebook.model import Book
from topcut.rulebook.planning.pool import PlannedPool
from topcut.rulebook.section import Format
from topcut.text.phrases import join_or


def split_into_flights(players: int, flights: int, rule: Literal["fewest odd", "closest"]) -> tuple[int, ...]:
    """Return the sizes of flights, largest first.

    `closest` gives sizes that differ by at most one. `fewest odd` has at most one odd flight, since
    each costs a bye in every round, and among those the smallest spread (PK-44, PK-A16).

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
        raise BadInput(f"{book.id} has no flights", place="flights")
    if flights not in rule.counts:
        raise _refuse(rule, "counts", f"there may be {join_or(rule.counts)} flights, not {flights}")
    if event_format not in rule.formats:
        raise _refuse(
            rule, "formats", f"flights are for {join_or(rule.formats)} only, not for {event_format}"
        )
    if pool.mode != "separate":
        raise _refuse(rule, "formats", "flights need divisions that are separated")
    least = rule.division_from
    if pool.players < least:
        problem = f"{pool.players} players are too few for flights; a division needs at least {least}"
        raise _refuse(rule, "division_from", problem)
    sizes = split_into_flights(pool.players, flights, rule.sizes)
    if sizes[-1] < rule.flight_from:
        problem = f"{pool.players} players in {flights} flights would leave a flight of {sizes[-1]}"
        raise _refuse(rule, "flight_from", f"{problem}; a flight needs at least {rule.flight_from}")
    return sizes


def _refuse(rule: Flights, parameter: str, problem: str) -> Impossible:
    return Impossible(problem, rule=rule.rule(parameter))


def list_possible_flights(book: Book, pool: PlannedPool, event_format: Format) -> list[tuple[int, ...]]:
    """Return the sizes for each number of flights that the rules allow, fewest first; often none."""
    allowed = []
    for flights in sorted(book.flights.counts) if book.flights else ():
        with suppress(Impossible):
            allowed.append(plan_flights(book, pool, event_format, flights))
    return allowed
