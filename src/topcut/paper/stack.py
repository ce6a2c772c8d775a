"""In which order are sheets printed that are cut into pieces? So that the cut piles lie in order."""

from __future__ import annotations

BATCH = 100
"""Tables that are printed together: cutting begins while the next ones come out."""


def cut_stack(tables: int, per_page: int, batch: int = BATCH) -> list[list[int | None]]:
    """Which table is in each slot of each page, counted from 0; None where a slot stays empty.

    Page i of a batch of P pages has table j·P + i in slot j: the sheets are cut as one pile, and the piles
    laid on each other are in the order of the tables.

    >>> cut_stack(5, 2)
    [[0, 3], [1, 4], [2, None]]
    """
    pages: list[list[int | None]] = []
    for begin in range(0, tables, batch):
        count = min(batch, tables - begin)
        high = -(-count // per_page)
        for i in range(high):
            slots = [j * high + i for j in range(per_page)]
            pages.append([begin + slot if slot < count else None for slot in slots])
    return pages
