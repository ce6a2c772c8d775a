"""What was planned stays: late players change neither the number of rounds nor the cut."""

from __future__ import annotations

from msgspec.structs import replace

from topcut.history.parts import Part
from topcut.rulebook.model import Book
from topcut.rulebook.options import ForDivision, Options
from topcut.rulebook.planning.stages import given_rounds


def as_planned(options: Options, parts: list[Part], book: Book) -> Options:
    """The options with the rounds and the cut that the rules plan for the players there are (PK-1).

    A second day is left to the rules: how long it is does not change with a few players more.
    """
    planned = {part.name: _planned(part, book) for part in parts}
    if len(parts) == 1:
        part = parts[0]
        own = planned[part.name]
        options = replace(options, rounds=own.rounds or options.rounds, cut=own.cut or options.cut)
        no_cut = part.format == "swiss+elimination" and part.bracket is None and own.rounds is not None
        if no_cut and not part.apart and "swiss" in book.plan.formats and "format" in book.options:
            return replace(options, format="swiss")
        return options
    if "by_division" not in book.options:
        return options
    known = {division.name for division in book.divisions.list} if book.divisions else set()
    found = dict(options.by_division or {})
    for name, own in planned.items():
        before = found.get(name, ForDivision())
        if name in known and own != ForDivision():
            found[name] = replace(before, rounds=own.rounds or before.rounds, cut=own.cut or before.cut)
    return replace(options, by_division=found or None)


def _planned(part: Part, book: Book) -> ForDivision:
    if part.round_robin or part.plan is None or part.plan.day_two or not part.swiss:
        return ForDivision()
    fixed = given_rounds(book, part.format) is not None or "rounds" not in book.options
    chosen = part.apart or "cut" not in book.options
    cut = part.cut if part.bracket is not None and part.bracket.enter and not chosen else None
    return ForDivision(rounds=None if fixed else part.rounds, cut=cut)
