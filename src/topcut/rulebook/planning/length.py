"""How many Swiss rounds? What a ruleset's round table says, or what stands in its place."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import BadInput, Impossible
from topcut.rulebook.layout import Row, SwissStage
from topcut.rulebook.model import Book
from topcut.rulebook.planning.pool import Pool
from topcut.rulebook.planning.stages import given_rounds, stages_of
from topcut.rulebook.planning.words import cited, counted
from topcut.rulebook.section import Format


class Length(Struct, frozen=True, kw_only=True):
    """The Swiss rounds of an event, and the cut that its round table offers after them."""

    rounds: int | None
    """On the first day, where there are two; `None` where no rule gives a number."""
    second_day: int | None = None
    cut: int | None = None
    table: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def swiss(self) -> int | None:
        """The Swiss rounds of both days."""
        return None if self.rounds is None else self.rounds + (self.second_day or 0)


def swiss_length(
    book: Book, pool: Pool, event_format: Format, *, table: str | None = None, flights: tuple[int, ...] = ()
) -> Length:
    """The Swiss rounds for a pool, split into flights of these sizes, if any."""
    name = table_name(book, table)
    plan = book.plan
    given = given_rounds(book, event_format)
    swiss = [stage for stage in stages_of(book, event_format) if isinstance(stage, SwissStage)]
    if given is not None and name is None:
        return Length(rounds=given)
    if given is None and event_format == "swiss" and plan.swiss_only != "table":
        return _without_table(book, pool, unused=table)
    assert name is not None  # a book with neither is not a valid one
    if pool.players < plan.minimum_players:
        problem = f"{counted(pool.players, 'player')} cannot play; at least {plan.minimum_players} are needed"
        raise Impossible(problem, rule=plan.rule("minimum_players"))
    notes: tuple[str, ...] = ()
    if pool.counted < plan.first_row and plan.below_first_row:
        notes = (cited(plan.below_first_row, plan, "below_first_row"),)
    whole = row(book, name, pool.counted)
    played = row(book, name, max(flights)) if flights else whole
    rounds, second_day = played.rounds, played.second_day
    if flights and book.flights and book.flights.rounds == "one less per doubling":  # PK-A15
        doublings = len(flights).bit_length() - 1
        rounds, second_day = max(1, whole.rounds - doublings), whole.second_day
    if given is not None:
        rounds = given
    if given is not None or not any(stage.rounds == "second day" for stage in swiss):
        second_day = None
    return Length(rounds=rounds, second_day=second_day, cut=whole.cut, table=name, notes=notes)


def one_less(book: Book, pool: Pool, length: Length) -> Length:
    """The same with one Swiss round fewer, where the ruleset leaves that to the organiser (PK-51)."""
    who = book.plan.one_less
    rule = book.plan.rule("one_less")
    if who == "never":
        raise Impossible("the rules do not offer one Swiss round fewer", rule=rule)
    if who == "modified" and pool.mode != "modified":  # PK-A13
        raise Impossible("only an event with modified divisions may play one Swiss round fewer", rule=rule)
    if length.rounds is None:
        raise BadInput("there is no number of Swiss rounds to take one from", place="one_less")
    if length.rounds < 2:
        raise Impossible("one Swiss round fewer would leave none", rule=rule)
    fewer = length.rounds - 1
    note = f"one Swiss round fewer than the rules plan: {fewer} instead of {length.rounds}"
    return replace(length, rounds=fewer, notes=(*length.notes, cited(note, book.plan, "one_less")))


def row(book: Book, table: str, players: int) -> Row:
    """The row of a round table for a number of players; the last row has no end."""
    rows = book.plan.tables[table].rows
    return next(row for row in rows if row.to is None or players <= row.to)


def table_name(book: Book, asked: str | None) -> str | None:
    """The round table to use: the one asked for, else the ruleset's usual one; `None` where it has none."""
    tables = book.plan.tables
    if asked is not None and asked not in tables:
        known = f"expected one of {', '.join(tables)}" if tables else f"{book.id} has no round tables"
        raise BadInput(f'no round table "{asked}": {known}', place="table")
    return asked or book.plan.default_table or next(iter(tables), None)


def _without_table(book: Book, pool: Pool, unused: str | None) -> Length:
    plan = book.plan
    notes = []
    rounds = None
    if plan.swiss_only == "log2":  # PK-A12: the smallest R with 2^R ≥ N
        rounds = max(1, (pool.counted - 1).bit_length())
    elif plan.swiss_only == "announced":
        notes.append(cited("the organiser chooses the number of rounds and announces it", plan, "swiss_only"))
    else:
        notes.append(cited("rounds are played until only one player is unbeaten", plan, "swiss_only"))
    if unused:
        note = f"the table {unused} is not used by an event of Swiss rounds only"
        notes.append(cited(note, plan, "swiss_only"))
    return Length(rounds=rounds, notes=tuple(notes))
