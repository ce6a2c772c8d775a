"""May a division be split into flights, into how many, and how large are they?"""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from topcut.errors import BadInput, Impossible
from topcut.rulebook.layout import Flights
from topcut.rulebook.model import Book
from topcut.rulebook.planning.pool import Pool
from topcut.rulebook.planning.words import either
from topcut.rulebook.section import Format


def flight_sizes(players: int, flights: int, rule: Literal["fewest odd", "closest"]) -> tuple[int, ...]:
    """The sizes of that many flights, largest first.

    `closest` gives sizes that differ by at most one. `fewest odd` has at most one odd flight, since
    each costs a bye in every round, and among those the smallest spread (PK-44, PK-A16).

    >>> flight_sizes(142, 4, "fewest odd"), flight_sizes(142, 4, "closest")
    ((36, 36, 36, 34), (36, 36, 35, 35))
    """
    if rule == "closest":
        size, more = divmod(players, flights)
        return (size + 1,) * more + (size,) * (flights - more)
    # Deal pairs, as evenly as they go; a player left over joins one of the smaller flights.
    pairs, left = divmod(players, 2)
    size, more = divmod(pairs, flights)
    return (2 * size + 2,) * more + (2 * size + 1,) * left + (2 * size,) * (flights - more - left)


def flights_of(book: Book, pool: Pool, event_format: Format, flights: int) -> tuple[int, ...]:
    """The sizes of so many flights, refused where the rules do not allow them."""
    rule = book.flights
    if rule is None:
        raise BadInput(f"{book.id} has no flights", place="flights")
    if flights not in rule.counts:
        raise _refused(rule, "counts", f"there may be {either(rule.counts)} flights, not {flights}")
    if event_format not in rule.formats:
        raise _refused(
            rule, "formats", f"flights are for {either(rule.formats)} only, not for {event_format}"
        )
    if pool.mode != "separate":
        raise _refused(rule, "formats", "flights need divisions that are separated")
    least = rule.division_from
    if pool.players < least:
        problem = f"{pool.players} players are too few for flights; a division needs at least {least}"
        raise _refused(rule, "division_from", problem)
    sizes = flight_sizes(pool.players, flights, rule.sizes)
    if sizes[-1] < rule.flight_from:
        problem = f"{pool.players} players in {flights} flights would leave a flight of {sizes[-1]}"
        raise _refused(rule, "flight_from", f"{problem}; a flight needs at least {rule.flight_from}")
    return sizes


def _refused(rule: Flights, parameter: str, problem: str) -> Impossible:
    return Impossible(problem, rule=rule.rule(parameter))


def possible_flights(book: Book, pool: Pool, event_format: Format) -> list[tuple[int, ...]]:
    """The sizes for each number of flights that the rules allow, fewest first; often none."""
    allowed = []
    for flights in sorted(book.flights.counts) if book.flights else ():
        with suppress(Impossible):
            allowed.append(flights_of(book, pool, event_format, flights))
    return allowed
