"""Plan the tables of rulesets that seat more than two players at one."""

from topcut.errors import Impossible
from topcut.rulebook.model import Book
from topcut.rulebook.section import cite


def count_tables(
    players: int, preferred: int, other: int, at_most: int | None = None
) -> tuple[int, int] | None:
    """Return how many tables of the preferred and the other size seat everybody; `None` where none do.

    There are as few tables of the other size as possible, and not more than `at_most` (AL-2, AL-3).

    >>> count_tables(11, preferred=3, other=4)
    (1, 2)
    """
    # Numbers of other tables repeat their remainders after `preferred` steps: no need to look further.
    for others in range(preferred):
        left = players - other * others
        if left < 0 or (at_most is not None and others > at_most):
            return None
        if left % preferred == 0:
            return left // preferred, others
    return None


def plan_tables(book: Book, players: int) -> tuple[dict[str, int] | None, tuple[str, ...]]:
    """Return how many tables of each size there are, where more than two sit at one (AL-3), and notes."""
    rule = book.tables
    if rule is None:
        return None, ()
    preferred, other = book.match.table_sizes
    at_most = rule.at_most.get(str(other))
    counts = count_tables(players, preferred, other, at_most)
    if counts is None:
        limit = f", at most {at_most} of {other}" if count_tables(players, preferred, other) else ""
        problem = f"{players} players cannot be seated at tables of {preferred} and {other}{limit}"
        raise Impossible(problem, rule=book.match.rule("table_sizes"))
    notes: tuple[str, ...] = ()
    if players < rule.recommended_from:
        problem = f"fewer than {rule.recommended_from} players are not recommended"
        if rule.fewer == "refused":  # AL-A9
            raise Impossible(f"{problem}: {players} are refused", rule=rule.rule("recommended_from"))
        notes = (cite(problem, rule, "recommended_from"),)
    return {str(preferred): counts[0], str(other): counts[1]}, notes
