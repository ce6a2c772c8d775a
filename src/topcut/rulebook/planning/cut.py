"""Plan the cut: how many players play the elimination rounds, in how large a bracket."""

from collections.abc import Sequence
from fractions import Fraction

from topcut.errors import BadInput, Impossible
from topcut.rulebook.layout import cite
from topcut.rulebook.model import Book
from topcut.text.phrases import percent


def find_bracket_size(players: int) -> int:
    """Return the smallest power of two that holds all players; the rest are byes in round 1 (PK-31).

    >>> find_bracket_size(53)
    64
    """
    return 1 << (players - 1).bit_length()


def order_rank_seeds(size: int) -> list[int]:
    """Return the rank seeds in the order of a bracket from the top: s meets size + 1 − s (PK-A24).

    >>> order_rank_seeds(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < size:
        order = [seed for s in order for seed in (s, 2 * len(order) + 1 - s)]
    return order


def plan_cut(
    book: Book, players: int, flights: tuple[int, ...], offered: int | None, asked: int | None
) -> int | None:
    """Return the cut after Swiss rounds: the one asked for, else what the rules offer; `None` for no cut."""
    rule, split = book.cut, book.flights
    assert rule is not None  # every book that plays swiss+elimination has one
    cut = offered if asked is None else asked
    if flights and split and asked is None:
        cut = max(cut or 0, split.per_flight_from * len(flights))  # PK-48
    if cut is None:
        return None
    if cut < 2:
        raise BadInput(f"expected 2 players or more, not {cut}", place="cut")
    if rule.power_of_two and cut != find_bracket_size(cut):  # PK-37
        raise Impossible(f"a cut of {cut} is not a power of two", rule=rule.rule("power_of_two"))
    if cut > players:
        raise Impossible(f"there are only {players} players for a top {cut}", rule=rule.rule("power_of_two"))
    if flights and split:
        each, uneven = divmod(cut, len(flights))
        if uneven or not split.per_flight_from <= each <= min(flights):  # PK-48, PK-49
            problem = f"a top {cut} cannot be the same number from each of {len(flights)} flights"
            least = f"at least {split.per_flight_from}"
            raise Impossible(f"{problem}, {least}", rule=split.rule("per_flight_from"))
    return cut


def note_unlike_shares(book: Book, shares: Sequence[tuple[str, Fraction]]) -> str:
    """Return a note where the shares that make the cut are far apart (PK-38), else nothing."""
    rule = book.cut
    rates = [share for _, share in shares]
    if rule is None or rule.shares_within is None or not rates:
        return ""
    if max(rates) - min(rates) <= rule.shares_within:
        return ""
    each = ", ".join(f"{name} ({percent(share)})" for name, share in shares)
    return cite(f"unlike shares go on: {each}", rule, "shares_within")
