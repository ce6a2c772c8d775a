"""How long is an event, and how is it laid out, for so many players?

    plan(book, 143, Wishes(flights=4, cut=16)).flights == (36, 36, 36, 35)

What the rules refuse is an `Impossible` with the number of the rule; what makes no sense is a `BadInput`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import BadInput, Impossible
from topcut.rulebook.layout import DoubleEliminationStage, SwissStage
from topcut.rulebook.model import Book
from topcut.rulebook.planning.cut import bracket_size, cut_size
from topcut.rulebook.planning.flights import flights_of, possible_flights
from topcut.rulebook.planning.length import Length, one_less, swiss_length
from topcut.rulebook.planning.pool import Pool
from topcut.rulebook.planning.seats import empty_seats, not_seated
from topcut.rulebook.planning.stages import (
    points_asked,
    stage_kind,
    stages_of,
    swiss_stages,
    who_goes_on,
)
from topcut.rulebook.planning.tables import tables_for
from topcut.rulebook.planning.words import cited, counted, either
from topcut.rulebook.section import Format

MOST_PLAYERS = 10_000_000


class Wishes(Struct, frozen=True, kw_only=True):
    """What an organiser asks for; whatever is left out is as the rules have it."""

    format: Format | None = None
    table: str | None = None
    flights: int | None = None
    """0 or 1: none, whatever `max_rounds` says."""
    cut: int | None = None
    one_less: bool = False
    max_rounds: int | None = None
    """The most Swiss rounds there is time for; flights are used if that takes flights."""


AS_USUAL = Wishes()


class DayTwo(Struct, frozen=True, kw_only=True):
    """The second day: its Swiss rounds, and who plays them, by points or by rank, whichever are more."""

    rounds: int
    points: int | str
    """Text such as "15/2" where it is not whole."""
    top: int


class FlightOption(Struct, frozen=True, kw_only=True):
    """A number of flights that the rules would allow, and the Swiss rounds it would take."""

    flights: int
    sizes: tuple[int, ...]
    rounds: int | None


class StagePlan(Struct, frozen=True, kw_only=True):
    """One stage of an event, from the first to the last."""

    name: str
    kind: str
    rounds: int | None
    players: int | None = None
    """Where it is known beforehand."""
    enter: str = ""
    """What it takes to go on into it."""
    rank_seeds: Literal["standing", "lot"] | None = None
    """What gives the rank seeds of a bracket or a round robin."""
    pods: bool = False


class EventPlan(Struct, frozen=True, kw_only=True):
    """The plan of an event or of one of its divisions."""

    players: int
    rounds: int | None = 0
    """Rounds before any elimination, on the first day where there are two; `None`: not given by the rules."""
    cut: int | None = None
    flights: tuple[int, ...] | None = None
    per_flight: int | None = None
    tables: dict[str, int] | None = None
    day_two: DayTwo | None = None
    bracket: int | None = None
    byes: int = 0
    """Byes in the first elimination round."""
    notes: tuple[str, ...] = ()
    format: Format
    table: str | None = None
    """The round table that was used."""
    elimination_rounds: int = 0
    total_rounds: int | None = 0
    flight_options: tuple[FlightOption, ...] = ()
    stages: tuple[StagePlan, ...] = ()


def plan(book: Book, players: int, wishes: Wishes = AS_USUAL) -> EventPlan:
    """The plan for one division, or for an event without divisions."""
    return plan_pool(book, Pool(players, players), wishes)


def plan_pool(book: Book, pool: Pool, wishes: Wishes) -> EventPlan:
    """The plan for players who are paired with each other."""
    if not 1 <= pool.players <= MOST_PLAYERS:
        raise BadInput(f"expected 1 to {MOST_PLAYERS:,} players, not {pool.players}", place="players")
    event_format = _format(book, wishes)
    _enough(book, pool.players)
    if event_format in ("swiss", "swiss+elimination"):
        return _swiss(book, pool, event_format, wishes)
    for name in ("table", "flights", "one_less", "max_rounds"):
        if getattr(wishes, name):
            raise BadInput(f"has no use in the format {event_format}, which has no Swiss rounds", place=name)
    return (
        _round_robin(book, pool) if event_format == "round-robin" else _elimination(book, pool, event_format)
    )


def _alone(book: Book, event_format: Format, players: int, rounds: int) -> tuple[StagePlan, ...]:
    """The only stage of a format without Swiss rounds."""
    (stage,) = stages_of(book, event_format)
    kind = stage_kind(stage)
    return (StagePlan(name=stage.name, kind=kind, rounds=rounds, players=players, rank_seeds="lot"),)


def _format(book: Book, wishes: Wishes) -> Format:
    formats = book.plan.formats
    event_format = wishes.format or ("swiss+elimination" if wishes.cut is not None else formats[0])
    if event_format not in formats:
        rule = book.plan.rule("formats")
        raise Impossible(f"{book.id} plays {either(formats)}, not {event_format}", rule=rule)
    if wishes.cut is not None and event_format != "swiss+elimination":
        raise BadInput(f"has no use in the format {event_format}; expected swiss+elimination", place="cut")
    return event_format


def _enough(book: Book, players: int) -> None:
    exact, chart = book.plan.exact_players, book.pairing.chart if book.pairing else None
    fewest = exact if exact is None or chart is None else exact - chart.empty_seats
    if exact is not None and fewest is not None and not fewest <= players <= exact:
        problem = f"exactly {exact} players are needed, not {players}"
        if chart is not None:
            problem = not_seated(chart, players)
        raise Impossible(problem, rule=book.plan.rule("exact_players"))
    if players < min(book.match.table_sizes):
        sizes = either(book.match.table_sizes)
        problem = f"{counted(players, 'player')} cannot play; a table has {sizes} players"
        raise Impossible(problem, rule=book.match.rule("table_sizes"))


def _approval(book: Book, event_format: Format) -> tuple[str, ...]:
    sanctioned = book.plan.sanctioned
    if not sanctioned or event_format in sanctioned:
        return ()
    return (cited(f"{event_format} needs approval before the event", book.plan, "sanctioned"),)  # PK-2


def _elimination(book: Book, pool: Pool, event_format: Format) -> EventPlan:
    bracket = bracket_size(pool.players)
    rounds = bracket.bit_length() - 1
    notes = _approval(book, event_format)
    if event_format == "double-elimination":
        # Each round of the winners' side but the first goes with two of the losers' side; then the final.
        rounds *= 2
        if any(isinstance(s, DoubleEliminationStage) and s.reset for s in stages_of(book, event_format)):
            notes += ("a final that the unbeaten player loses is played once more",)
    return EventPlan(
        players=pool.players,
        bracket=bracket,
        byes=bracket - pool.players,
        notes=notes,
        format=event_format,
        elimination_rounds=rounds,
        total_rounds=rounds,
        stages=_alone(book, event_format, pool.players, rounds),
    )


def _round_robin(book: Book, pool: Pool) -> EventPlan:
    odd = pool.players % 2
    rounds = pool.players - 1 + odd
    return EventPlan(
        players=pool.players,
        rounds=rounds,
        notes=_approval(book, "round-robin") + (("each player has one bye",) if odd else ()),
        format="round-robin",
        total_rounds=rounds,
        stages=_alone(book, "round-robin", pool.players, rounds),
    )


def _swiss(book: Book, pool: Pool, event_format: Format, wishes: Wishes) -> EventPlan:
    tables, notes = tables_for(book, pool.players)
    notes += empty_seats(book, pool.players)
    flights, why = _flights(book, pool, event_format, wishes)
    length = _length(book, pool, event_format, wishes, flights)
    cut = None
    if event_format == "swiss+elimination":
        top = next(
            s.enter.top for s in stages_of(book, event_format) if not isinstance(s, SwissStage) and s.enter
        )
        if top != "cut" and wishes.cut is not None:
            raise BadInput(f"has no use by {book.id}, which says who goes on", place="cut")
        if top == "cut":
            cut = cut_size(book, pool.players, flights, length.cut, wishes.cut)
        else:
            cut = None if top is None else min(top, pool.players)
    if length.cut and event_format == "swiss" and wishes.format is None:
        source = book.plan.tables[length.table or ""].source
        notes += (f"{source}: a top {length.cut} can follow for so many players (format swiss+elimination)",)
    elif cut is None and wishes.format == "swiss+elimination":
        notes += ("the table has no cut for so few players",)
    options = () if flights or wishes.flights is not None else _options(book, pool, event_format, wishes)
    day_two = _day_two(book, event_format, length)
    if day_two and flights:
        notes += ("the rules do not join flights with a second day; its rule is taken for each flight",)
    bracket = bracket_size(cut) if cut else None
    elimination = bracket.bit_length() - 1 if bracket else 0
    return EventPlan(
        players=pool.players,
        rounds=length.rounds,
        cut=cut,
        flights=flights or None,
        per_flight=cut // len(flights) if cut and flights else None,
        tables=tables,
        day_two=day_two,
        bracket=bracket,
        byes=bracket - cut if bracket and cut else 0,
        notes=(*_approval(book, event_format), *length.notes, *why, *notes),
        format=event_format,
        table=length.table,
        elimination_rounds=elimination,
        total_rounds=None if length.swiss is None else length.swiss + elimination,
        flight_options=options,
        stages=_stages(book, pool, event_format, length, cut, flights),
    )


def _stages(
    book: Book, pool: Pool, event_format: Format, length: Length, cut: int | None, flights: tuple[int, ...]
) -> tuple[StagePlan, ...]:
    """The Swiss stages, and the elimination stage after them where there is a cut."""
    found = []
    for at in swiss_stages(book, event_format, length.rounds, length.second_day):
        assert isinstance(at.stage, SwissStage)
        enter = who_goes_on(book, at.stage.enter, at.first, cut, len(flights)) if at.stage.enter else ""
        players = None if enter else pool.players
        line = StagePlan(name=at.stage.name, kind="swiss", rounds=at.rounds, players=players, enter=enter)
        found.append(replace(line, pods=at.stage.pods))
    for stage in stages_of(book, event_format):
        if isinstance(stage, SwissStage) or stage.enter is None or (stage.enter.top == "cut" and not cut):
            continue
        enter = who_goes_on(book, stage.enter, length.swiss or 0, cut, len(flights))
        rounds = bracket_size(cut).bit_length() - 1 if cut else None
        line = StagePlan(name=stage.name, kind=stage_kind(stage), rounds=rounds, players=cut, enter=enter)
        found.append(replace(line, rank_seeds="standing"))
    return tuple(found)


def _length(book: Book, pool: Pool, event_format: Format, wishes: Wishes, flights: tuple[int, ...]) -> Length:
    length = swiss_length(book, pool, event_format, table=wishes.table, flights=flights)
    return one_less(book, pool, length) if wishes.one_less else length


def _flights(
    book: Book, pool: Pool, event_format: Format, wishes: Wishes
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The flights to play in (none: empty), and why so many where the organiser did not choose."""
    limit = wishes.max_rounds
    if limit is not None and limit < 1:
        raise BadInput(f"expected at least 1 round, not {limit}", place="max_rounds")
    if wishes.flights is not None:
        # One flight is no flights (PK-43).
        tried = [flights_of(book, pool, event_format, wishes.flights) if wishes.flights not in (0, 1) else ()]
    else:
        tried = [(), *(possible_flights(book, pool, event_format) if limit else [])]
    if limit is None:
        return tried[0], ()
    rounds = [_swiss_rounds(book, pool, event_format, wishes, sizes) for sizes in tried]
    fitting = next((sizes for sizes, number in zip(tried, rounds, strict=True) if number <= limit), None)
    if fitting is None:
        problem = f"{pool.players} players take {counted(rounds[-1], 'Swiss round')}"
        if tried[-1]:
            problem += f" even in {len(tried[-1])} flights"
        elif book.flights and wishes.flights is None:
            problem += " and may not be split into flights"
        rule = book.flights.rule("division_from") if book.flights else book.plan.rule("tables")
        raise Impossible(f"{problem}; {limit} are too few", rule=rule)
    if not fitting or wishes.flights is not None or book.flights is None:
        return fitting, ()
    note = f"{len(fitting)} flights are the fewest that take at most {counted(limit, 'Swiss round')}"
    return fitting, (cited(note, book.flights, "division_from"),)  # PK-42


def _swiss_rounds(
    book: Book, pool: Pool, event_format: Format, wishes: Wishes, flights: tuple[int, ...]
) -> int:
    rounds = _length(book, pool, event_format, wishes, flights).swiss
    if rounds is None:
        raise BadInput("the rules give no number of Swiss rounds to compare with", place="max_rounds")
    return rounds


def _options(book: Book, pool: Pool, event_format: Format, wishes: Wishes) -> tuple[FlightOption, ...]:
    return tuple(
        FlightOption(
            flights=len(sizes), sizes=sizes, rounds=_length(book, pool, event_format, wishes, sizes).swiss
        )
        for sizes in possible_flights(book, pool, event_format)
    )


def _day_two(book: Book, event_format: Format, length: Length) -> DayTwo | None:
    """The second day of the round table, with the points or the place that let a player in."""
    if length.second_day is None or length.rounds is None:
        return None
    for stage in stages_of(book, event_format):
        if isinstance(stage, SwissStage) and stage.rounds == "second day" and stage.enter:
            points = points_asked(book, stage.enter, length.rounds) or Fraction(0)
            whole = int(points) if points.denominator == 1 else str(points)
            top = stage.enter.top
            return DayTwo(rounds=length.second_day, points=whole, top=top if isinstance(top, int) else 0)
    return None
