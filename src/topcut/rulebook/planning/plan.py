"""Plan an event for a number of players: rounds, cut, flights, tables, stages.

    plan_event(book, 143, Wishes(flights=4, cut=16)).flights == (36, 36, 36, 35)

What the rules refuse raises `Impossible` with the number of the rule; what makes no sense, `BadInput`.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import BadInput, Impossible
from topcut.rulebook.layout import (
    DoubleEliminationStage,
    Format,
    Stage,
    SwissStage,
    cite,
    cite_both,
)
from topcut.rulebook.model import Book
from topcut.rulebook.planning.notes import (
    note_flight_rounds,
    note_flight_sizes,
    note_last_row,
    note_pods,
    note_second_day,
)
from topcut.rulebook.planning.pool import (
    PlannedPool,
    list_possible_flights,
    plan_flights,
)
from topcut.rulebook.planning.stages import (
    count_fixed_rounds,
    describe_who_goes_on,
    find_points_needed,
    get_stage_kind,
    list_stages,
    plan_swiss_stages,
)
from topcut.rulebook.planning.tables import explain_wrong_number, note_empty_seats, plan_tables
from topcut.text.messages import Message, count, join_messages, list_or, number, percent, say


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
        raise BadInput(say("expected 2 players or more, not {cut}", cut=cut), place="cut")
    if rule.power_of_two and cut != find_bracket_size(cut):  # PK-37
        problem = say("a cut of {cut} is not a power of two", cut=cut)
        raise Impossible(problem, rule=rule.rule("power_of_two"))
    if cut > players:
        problem = count(
            "there is only {n} player for a top {cut}",
            "there are only {n} players for a top {cut}",
            players,
            cut=cut,
        )
        raise Impossible(problem, rule=rule.rule("power_of_two"))
    if flights and split:
        each, uneven = divmod(cut, len(flights))
        if uneven or not split.per_flight_from <= each <= min(flights):  # PK-48, PK-49
            problem = say(
                "a top {cut} cannot take the same number, at least {least}, from each of {flights} flights",
                cut=cut,
                least=split.per_flight_from,
                flights=len(flights),
            )
            raise Impossible(problem, rule=split.rule("per_flight_from"))
    return cut


def note_unlike_shares(book: Book, shares: Sequence[tuple[str, Fraction]]) -> str:
    """Return a note where the shares that make the cut are far apart (PK-38), else nothing."""
    rule = book.cut
    rates = [share for _, share in shares]
    if rule is None or rule.shares_within is None or not rates:
        return ""
    if max(rates) - min(rates) <= rule.shares_within:
        return ""
    each = [say("{division} ({share})", division=name, share=percent(share)) for name, share in shares]
    listed = join_messages(", ", each)
    note = say("unequal shares in the cut: {shares}", shares=listed)
    return cite(note, rule, "shares_within")


MOST_PLAYERS = 10_000_000
"""A plan for more is refused."""


class Wishes(Struct, frozen=True, kw_only=True):
    """What an organiser asks for; the rules decide the rest."""

    format: Format | None = None
    table: str | None = None
    flights: int | None = None
    """0 or 1: none, even if `max_rounds` would take some."""
    cut: int | None = None
    one_less: bool = False
    max_rounds: int | None = None
    """The most Swiss rounds there is time for; with more, the event is split into flights."""


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


def plan_event(book: Book, players: int, wishes: Wishes = AS_USUAL) -> EventPlan:
    """Plan an event without divisions, or one division."""
    return plan_pool(book, PlannedPool(players, players), wishes)


def plan_pool(book: Book, pool: PlannedPool, wishes: Wishes) -> EventPlan:
    """Plan the event of players who are paired with each other."""
    if not 1 <= pool.players <= MOST_PLAYERS:
        most = number(MOST_PLAYERS)
        problem = say("expected 1 to {most} players, not {players}", most=most, players=pool.players)
        raise BadInput(problem, place="players")
    event_format = _choose_format(book, wishes)
    _check_number(book, pool.players)
    if event_format in ("swiss", "swiss+elimination"):
        return _SwissPlanner(book, pool, event_format, wishes, list_stages(book, event_format)).plan()
    for name in ("table", "flights", "one_less", "max_rounds"):
        if getattr(wishes, name):
            problem = say("has no use in the format {format}, which has no Swiss rounds", format=event_format)
            raise BadInput(problem, place=name)
    return _plan_single_stage(book, event_format, pool.players)


def _choose_format(book: Book, wishes: Wishes) -> Format:
    formats = book.plan.formats
    event_format = wishes.format or ("swiss+elimination" if wishes.cut is not None else formats[0])
    if event_format not in formats:
        rule = book.plan.rule("formats")
        played = list_or(formats)
        problem = say(
            "{rules} plays {formats}, not {format}", rules=book.id, formats=played, format=event_format
        )
        raise Impossible(problem, rule=rule)
    if wishes.cut is not None and event_format != "swiss+elimination":
        problem = say("has no use in the format {format}; expected swiss+elimination", format=event_format)
        raise BadInput(problem, place="cut")
    return event_format


def _check_number(book: Book, players: int) -> None:
    """Refuse a number of players that cannot begin at all."""
    exact, chart = book.plan.exact_players, book.pairing.chart if book.pairing else None
    if exact is not None and not exact - (chart.empty_seats if chart else 0) <= players <= exact:
        problem = say("expected exactly {exact} players, not {players}", exact=exact, players=players)
        if chart is not None:
            problem = explain_wrong_number(chart, players)
        raise Impossible(problem, rule=book.plan.rule("exact_players"))
    if players < min(book.match.table_sizes):
        sizes = list_or(book.match.table_sizes)
        problem = count(
            "{n} player cannot play; a table has {sizes} players",
            "{n} players cannot play; a table has {sizes} players",
            players,
            sizes=sizes,
        )
        raise Impossible(problem, rule=book.match.rule("table_sizes"))


def _note_approval(book: Book, event_format: Format) -> tuple[Message, ...]:
    sanctioned = book.plan.sanctioned
    if not sanctioned or event_format in sanctioned:
        return ()
    note = say("{format} needs approval before the event", format=event_format)
    return (cite(note, book.plan, "sanctioned"),)  # PK-2


def _plan_single_stage(book: Book, event_format: Format, players: int) -> EventPlan:
    """Plan a bracket or a round robin, whose rank seeds are drawn by lot."""
    (stage,) = list_stages(book, event_format)
    notes = _note_approval(book, event_format)
    bracket = None if event_format == "round-robin" else find_bracket_size(players)
    rounds = bracket.bit_length() - 1 if bracket else players - 1 + players % 2
    if bracket is None and players % 2:
        notes += (say("each player has one bye"),)
    if isinstance(stage, DoubleEliminationStage):
        # Each round of the winners' side but the first goes with two of the losers' side; then the final.
        rounds *= 2
        if stage.reset:
            notes += (say("if the unbeaten player loses the final, it is played once more"),)
    only = StagePlan(
        name=stage.name, kind=get_stage_kind(stage), rounds=rounds, players=players, rank_seeds="lot"
    )
    return EventPlan(
        players=players,
        rounds=0 if bracket else rounds,
        bracket=bracket,
        byes=bracket - players if bracket else 0,
        notes=notes,
        format=event_format,
        elimination_rounds=rounds if bracket else 0,
        total_rounds=rounds,
        stages=(only,),
    )


class _SwissPlanner(Struct, frozen=True):
    """Plans Swiss rounds, and the elimination rounds after them where there is a cut."""

    book: Book
    pool: PlannedPool
    format: Format
    wishes: Wishes
    stages: list[Stage]

    def plan(self) -> EventPlan:
        book, players, wishes = self.book, self.pool.players, self.wishes
        tables, notes = plan_tables(book, players)
        notes += note_empty_seats(book, players)
        notes += note_pods(book, players)
        flights, why_flights = self._choose_flights()
        length = self._plan_length(flights)
        why_flights += self._note_flights(flights, length)
        cut = self._plan_cut(flights, length) if self.format == "swiss+elimination" else None
        if length.cut and self.format == "swiss" and wishes.format is None:
            source = book.plan.tables[length.table or ""].source
            after = say(
                "{source}: a top {cut} can follow (format swiss+elimination)", source=source, cut=length.cut
            )
            notes += (after,)
        elif cut is None and wishes.format == "swiss+elimination":
            notes += (say("the table has no cut for so few players"),)
        day_two = self._plan_day_two(length)
        if day_two:
            notes += note_second_day(self._second_day_stages()[0], day_two.points)
        if day_two and flights:
            notes += (
                say(
                    "the rules do not combine flights with a second day: "
                    "each flight follows the rule for the second day"
                ),
            )
        bracket = find_bracket_size(cut) if cut else None
        elimination = bracket.bit_length() - 1 if bracket else 0
        chosen = bool(flights) or wishes.flights is not None
        options = [] if chosen else list_possible_flights(book, self.pool, self.format)
        return EventPlan(
            players=players,
            rounds=length.rounds,
            cut=cut,
            flights=flights or None,
            per_flight=cut // len(flights) if cut and flights else None,
            tables=tables,
            day_two=day_two,
            bracket=bracket,
            byes=bracket - cut if bracket and cut else 0,
            notes=(*_note_approval(book, self.format), *length.notes, *why_flights, *notes),
            format=self.format,
            table=length.table,
            elimination_rounds=elimination,
            total_rounds=None if length.swiss is None else length.swiss + elimination,
            flight_options=tuple(
                FlightOption(flights=len(sizes), sizes=sizes, rounds=self._plan_length(sizes).swiss)
                for sizes in options
            ),
            stages=tuple(self._plan_stages(length, cut, len(flights))),
        )

    def _plan_cut(self, flights: tuple[int, ...], length: "_Length") -> int | None:
        """Return the cut: the one asked for or offered, unless the book itself says how many go on."""
        top = next(s.enter.top for s in self.stages if not isinstance(s, SwissStage) and s.enter)
        if top == "cut":
            return plan_cut(self.book, self.pool.players, flights, length.cut, self.wishes.cut)
        if self.wishes.cut is not None:
            problem = say("has no use in {rules}, which sets the number that advance", rules=self.book.id)
            raise BadInput(problem, place="cut")
        return None if top is None else min(top, self.pool.players)

    def _plan_stages(self, length: "_Length", cut: int | None, flights: int) -> Iterator[StagePlan]:
        for at in plan_swiss_stages(self.book, self.format, length.rounds, length.second_day):
            yield StagePlan(
                name=at.stage.name,
                kind="swiss",
                rounds=at.rounds,
                players=None if at.stage.enter else self.pool.players,
                enter=describe_who_goes_on(self.book, at.stage.enter, at.first, cut, flights),
                pods=at.drafts,
            )
        for stage in self.stages:
            enter = stage.enter
            if isinstance(stage, SwissStage) or enter is None or (enter.top == "cut" and not cut):
                continue
            yield StagePlan(
                name=stage.name,
                kind=get_stage_kind(stage),
                rounds=find_bracket_size(cut).bit_length() - 1 if cut else None,
                players=cut,
                enter=describe_who_goes_on(self.book, enter, length.swiss or 0, cut, flights),
                rank_seeds="standing",
            )

    def _choose_flights(self) -> tuple[tuple[int, ...], tuple[Message, ...]]:
        """Return the flights to play in (none: empty), and why where the organiser did not choose."""
        book, pool, asked, limit = self.book, self.pool, self.wishes.flights, self.wishes.max_rounds
        if limit is not None and limit < 1:
            raise BadInput(say("expected at least 1 round, not {limit}", limit=limit), place="max_rounds")
        tried: list[tuple[int, ...]] = [()]
        if asked not in (None, 0, 1):  # one flight is no flights (PK-43)
            tried = [plan_flights(book, pool, self.format, asked)]
        elif asked is None and limit:
            tried += list_possible_flights(book, pool, self.format)
        if limit is None:
            return tried[0], ()
        rounds = [swiss for sizes in tried if (swiss := self._plan_length(sizes).swiss) is not None]
        if len(rounds) < len(tried):
            problem = say("the rules give no number of Swiss rounds to compare with")
            raise BadInput(problem, place="max_rounds")
        fitting = next((sizes for sizes, swiss in zip(tried, rounds, strict=True) if swiss <= limit), None)
        if fitting is None:
            rule = book.flights.rule("division_from") if book.flights else book.plan.rule("tables")
            raise Impossible(self._explain_too_long(rounds[-1], limit, len(tried[-1])), rule=rule)
        if not fitting or asked is not None or book.flights is None:
            return fitting, ()
        note = count(
            "{flights} flights are the fewest that take at most {n} Swiss round",
            "{flights} flights are the fewest that take at most {n} Swiss rounds",
            limit,
            flights=len(fitting),
        )
        return fitting, (cite(note, book.flights, "division_from"),)  # PK-42

    def _note_flights(self, flights: tuple[int, ...], length: "_Length") -> tuple[Message, ...]:
        rule, table = self.book.flights, self.book.plan.tables.get(length.table or "")
        if not flights or rule is None:
            return ()
        notes = note_flight_sizes(rule, flights)
        if table is not None and length.rounds is not None and not self.wishes.one_less:
            whole = next(row for row in table.rows if row.to is None or self.pool.counted <= row.to)
            notes += note_flight_rounds(rule, flights, length.rounds, whole.rounds)
        return notes

    def _explain_too_long(self, rounds: int, limit: int, flights: int) -> Message:
        """Explain that even the most flights that are possible take more than `limit` rounds."""
        facts: dict[str, str | int] = {
            "players": self.pool.players,
            "rounds": count("{n} Swiss round", "{n} Swiss rounds", rounds),
            "limit": limit,
        }
        if flights:
            return say(
                "{players} players take {rounds} even in {flights} flights; the limit is {limit}",
                flights=flights,
                **facts,
            )
        if self.book.flights and self.wishes.flights is None:
            return say(
                "{players} players take {rounds} and may not be split into flights; the limit is {limit}",
                **facts,
            )
        return say("{players} players take {rounds}; the limit is {limit}", **facts)

    def _second_day_stages(self) -> list[SwissStage]:
        return [s for s in self.stages if isinstance(s, SwissStage) and s.rounds == "second day"]

    def _plan_day_two(self, length: "_Length") -> DayTwo | None:
        """Return the second day of the round table, with the points or the place that let a player in."""
        enter = next((stage.enter for stage in self._second_day_stages() if stage.enter), None)
        if length.second_day is None or length.rounds is None or enter is None:
            return None
        points = find_points_needed(self.book, enter, length.rounds) or Fraction(0)
        whole = int(points) if points.denominator == 1 else str(points)
        top = enter.top if isinstance(enter.top, int) else 0
        return DayTwo(rounds=length.second_day, points=whole, top=top)

    def _plan_length(self, flights: tuple[int, ...]) -> "_Length":
        """Return the Swiss rounds of the pool, split into flights of these sizes, if any."""
        length = self._read_length(flights)
        return self._take_one_round_off(length) if self.wishes.one_less else length

    def _read_length(self, flights: tuple[int, ...]) -> "_Length":
        plan, pool, asked = self.book.plan, self.pool, self.wishes.table
        if asked is not None and asked not in plan.tables:
            tables = ", ".join(plan.tables)
            unknown = (
                say('no round table "{table}": expected one of {tables}', table=asked, tables=tables)
                if tables
                else say(
                    'no round table "{table}": {rules} has no round tables', table=asked, rules=self.book.id
                )
            )
            raise BadInput(unknown, place="table")
        name = asked or plan.default_table or next(iter(plan.tables), None)
        given = count_fixed_rounds(self.book, self.format)
        if given is not None and name is None:
            return _Length(rounds=given)
        if given is None and self.format == "swiss" and plan.swiss_only != "table":
            return self._plan_without_table()
        assert name is not None  # a book with neither is not a valid one
        if pool.players < plan.minimum_players:
            problem = count(
                "{n} player cannot play; at least {least} are needed",
                "{n} players cannot play; at least {least} are needed",
                pool.players,
                least=plan.minimum_players,
            )
            raise Impossible(problem, rule=plan.rule("minimum_players"))
        notes: tuple[Message, ...] = ()
        if pool.counted < plan.first_row and plan.below_first_row:
            notes = (cite(plan.below_first_row, plan, "below_first_row"),)
        notes += note_last_row(plan, name, pool.counted)
        whole, played = (
            next(row for row in plan.tables[name].rows if row.to is None or players <= row.to)
            for players in (pool.counted, max(flights, default=pool.counted))
        )
        rounds, second_day = played.rounds, played.second_day
        if flights and self.book.flights and self.book.flights.rounds == "one less per doubling":  # PK-A15
            doublings = len(flights).bit_length() - 1
            rounds, second_day = max(1, whole.rounds - doublings), whole.second_day
        if given is not None:
            rounds, second_day = given, None
        elif not any(isinstance(s, SwissStage) and s.rounds == "second day" for s in self.stages):
            second_day = None
        return _Length(rounds=rounds, second_day=second_day, cut=whole.cut, table=name, notes=notes)

    def _take_one_round_off(self, length: "_Length") -> "_Length":
        """Return the length with one Swiss round fewer, where that is the organiser's choice (PK-51)."""
        who = self.book.plan.one_less
        rule = self.book.plan.rule("one_less")
        if who == "never":
            raise Impossible(say("the rules do not offer one Swiss round fewer"), rule=rule)
        if who == "modified" and self.pool.mode != "modified":  # PK-A13
            problem = say("only an event with modified divisions may play one Swiss round fewer")
            raise Impossible(problem, rule=rule)
        if length.rounds is None:
            problem = say("the rules give no number of Swiss rounds to take one from")
            raise BadInput(problem, place="one_less")
        if length.rounds < 2:
            raise Impossible(say("one Swiss round fewer would leave none"), rule=rule)
        fewer = length.rounds - 1
        note = say(
            "one Swiss round fewer than the rules plan: {fewer} instead of {rounds}",
            fewer=fewer,
            rounds=length.rounds,
        )
        cited = cite(note, self.book.plan, "one_less")
        if who == "any" and self.pool.mode != "modified":  # PK-A13
            cited = cite_both(note, self.book.plan, "one_less")
        return replace(length, rounds=fewer, notes=(*length.notes, cited))

    def _plan_without_table(self) -> "_Length":
        plan, unused = self.book.plan, self.wishes.table
        notes, rounds = [], None
        if plan.swiss_only == "log2":  # PK-A12: the smallest R with 2^R ≥ N
            rounds = max(1, (self.pool.counted - 1).bit_length())
            if plan.reading("swiss_only"):
                notes.append(say("enough rounds for a single unbeaten player"))
        elif plan.swiss_only == "announced":
            notes.append(say("the organiser chooses the number of rounds and announces it"))
        else:
            notes.append(say("rounds are played until only one player is unbeaten"))
        if unused:
            notes.append(say("the table {table} is not used by an event of Swiss rounds only", table=unused))
        return _Length(rounds=rounds, notes=tuple(cite(note, plan, "swiss_only") for note in notes))


class _Length(Struct, frozen=True, kw_only=True):
    """The Swiss rounds of an event, and the cut that its round table offers after them."""

    rounds: int | None
    """On the first day, where there are two; `None` where no rule gives a number."""
    second_day: int | None = None
    cut: int | None = None
    table: str | None = None
    notes: tuple[Message, ...] = ()

    @property
    def swiss(self) -> int | None:
        """The Swiss rounds of both days."""
        return None if self.rounds is None else self.rounds + (self.second_day or 0)
