"""How many tables of which size? For rulesets that seat more than two players at a table."""

from __future__ import annotations


def table_sizes(
    players: int, preferred: int, other: int, at_most: int | None = None
) -> tuple[int, int] | None:
    """How many tables of the preferred and of the other size seat everybody; `None` where none do.

    There are as few tables of the other size as possible, and not more than `at_most` (AL-2, AL-3).

    >>> table_sizes(11, preferred=3, other=4)
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
