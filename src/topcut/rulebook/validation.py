"""Find mistakes in a book beyond the types of its values."""

from collections.abc import Iterator
from itertools import pairwise
from typing import get_args, get_type_hints

from topcut.rulebook import tiebreak_keys as k
from topcut.rulebook.layout import Enter, Format, Plan, SwissStage
from topcut.rulebook.model import Book, Chart, PairingRules
from topcut.rulebook.options import Options
from topcut.rulebook.planning.stages import get_stage_kind

Mistakes = Iterator[tuple[str, str]]
"""The path of each wrong value, and what was expected there."""


def find_mistakes(book: Book) -> Mistakes:
    for i, option in enumerate(book.options):
        if option not in Options.__struct_fields__:
            known = ", ".join(Options.__struct_fields__)
            yield f"options[{i}]", f'no option is called "{option}": expected some of {known}'
    yield from _check_match(book)
    yield from _check_measures(book)
    yield from _check_chain(book)
    yield from _check_plan(book.plan)
    yield from _check_pairing(book)
    yield from _check_layout(book)
    yield from _check_stages(book)
    for level, until in book.late_entry.until.items() if book.late_entry else ():
        if until.round < 1:
            yield f"late_entry.until.{level}.round", "expected the number of a round, from 1"
    if book.running and book.running.frozen_after is not None and book.running.frozen_after < 1:
        yield "running.frozen_after", "expected a number of rounds from 1"
    if book.running and not 0 <= book.running.kept_months <= 1200:
        yield "running.kept_months", "expected a number of months from 0 to 1200"
    for reading_id, reading in book.readings.items():
        if reading.chosen not in reading.options:
            yield f"readings.{reading_id}.chosen", f"expected one of {', '.join(reading.options)}"
    if book.tables and (len(book.match.table_sizes) != 2 or min(book.match.table_sizes) < 3):
        expected = "expected the preferred and the other size, three or more"
        yield "match.table_sizes", f"{expected}, since there is a [tables] section"


def _check_match(book: Book) -> Mistakes:
    match, sizes, best_of = book.match, book.match.table_sizes, book.match.best_of
    if not sizes or min(sizes) < 2 or len(set(sizes)) < len(sizes):
        yield "match.table_sizes", "expected different sizes of two or more players"
    if match.results == "games" and sizes != (2,):
        expected = 'expected "scores" or "winner" for larger tables'
        yield "match.results", f"games are counted at tables of two: {expected}"
    if best_of is not None and (best_of < 1 or best_of % 2 == 0):
        yield "match.best_of", "expected an odd number of games"
    if best_of is not None and best_of >= 100:
        yield "match.best_of", "expected fewer than 100 games"
    if match.results != "scores":
        for name in ("target", "tie_counts", "tie_below_target"):
            if getattr(match, name) not in (None, (), False):
                yield f"match.{name}", 'tables report no scores here: expected results = "scores"'
        if "target" in book.options:
            place = f"options[{book.options.index('target')}]"
            yield place, 'a target is a score: expected results = "scores" under [match]'
    if match.target is not None and match.target < 1:
        yield "match.target", "expected a score from 1"
    if "" in match.tie_counts or len(set(match.tie_counts)) < len(match.tie_counts):
        yield "match.tie_counts", "expected different names of what is counted"


def _check_pairing(book: Book) -> Mistakes:
    rule = book.pairing
    if rule is None:
        return
    known = get_args(get_args(get_type_hints(PairingRules)["minimise"])[0])
    if list(rule.minimise) != [part for part in known if part in rule.minimise]:
        yield "pairing.minimise", f"expected some of these, in this order: {', '.join(known)}"
    if not 0 <= rule.look_ahead <= 2:
        yield "pairing.look_ahead", "expected 0, 1 or 2 rounds"
    if rule.pods and rule.pods.size < 4:
        yield "pairing.pods.size", "expected at least 4 players"
    if book.tables:
        yield from _check_larger_tables(book, rule)
    elif tuple(book.match.table_sizes) != (2,):
        yield "pairing", "tables of more than two need a [tables] section"
    elif "displacement" in rule.minimise:
        yield "pairing.minimise", "displacement is for tables of more than two: expected table_sizes of those"
    if rule.chart:
        yield from _check_chart(rule.chart)


def _check_larger_tables(book: Book, rule: PairingRules) -> Mistakes:
    """Check that pairing asks for nothing that tables of more than two do not have."""
    known = ("rematches", "displacement", "apart")
    if not set(rule.minimise) <= set(known):
        yield "pairing.minimise", f"expected some of {', '.join(known)}, since there is a [tables] section"
    if rule.rematches not in ("avoided", "allowed"):
        yield "pairing.rematches", 'expected "avoided" or "allowed", since there is a [tables] section'
    if rule.chart or rule.pods:
        yield "pairing", "a chart and pods are for tables of two"
    keys = [key.key for key in book.chain if isinstance(key, k.ValueKey)]
    if book.tables and book.tables.order not in ("standings", *keys):
        yield "tables.order", f'expected "standings" or one of {", ".join(keys)}'


def _check_chart(chart: Chart) -> Mistakes:
    """Check that every place of every round is filled, and by one player only."""
    if not chart.rounds or not chart.rounds[0]:
        yield "pairing.chart.rounds", "expected at least one table in the first round"
        return
    if not 0 <= chart.empty_seats <= chart.seats - 2:
        yield "pairing.chart.empty_seats", f"expected 0 to {chart.seats - 2} of {chart.seats} seats"
    places = sorted(str(seat) for seat in range(1, chart.seats + 1))
    for r, tables in enumerate(chart.rounds):
        path = f"pairing.chart.rounds[{r}]"
        if sorted(place for table in tables.values() for place in table) != places:
            yield path, f"expected each of these places once: {', '.join(places)}"
        places = sorted(f"{word} {letter}" for letter in tables for word in ("winner", "loser"))


def _check_measures(book: Book) -> Mistakes:
    for name, measure in book.measures.items():
        path = f"measures.{name}"
        needs = {k.Games: "games", k.Scores: "scores"}.get(type(measure), book.match.results)
        if needs != book.match.results:
            problem = f"tables report {book.match.results} here"
            yield f"{path}.kind", f"{problem}: expected a measure that counts them"
        for field in measure.__struct_fields__:
            credit = getattr(measure, field)
            if isinstance(credit, k.Credit) and credit.possible < 0:
                yield f"{path}.{field}", "expected [earned, possible] with nothing less than 0 possible"
            if field in ("bye", "assigned", "missed") and isinstance(credit, tuple) and min(credit) < 0:
                yield f"{path}.{field}", "expected games won, lost and drawn, none less than 0"
        if isinstance(measure, k.Cumulative) and not 0 < measure.weight <= 1:
            yield f"{path}.weight", "expected a weight above 0, at most 1"


def _check_chain(book: Book) -> Mistakes:
    if not book.chain or not isinstance(book.chain[0], k.ValueKey) or book.chain[0].of != "self":
        yield "chain", "expected at first a key by value of the player's own, the primary score"
    earlier: set[str] = set()
    for i, key in enumerate(book.chain):
        path = f"chain[{i}]"
        if key.key in earlier or key.key == "lot":
            yield f"{path}.key", f'expected a name that no other key has, not "{key.key}"'
        if isinstance(key, k.HeadToHead) and not isinstance(book.primary_measure, k.Outcomes):
            yield path, 'head to head counts the primary score: expected one of kind "outcomes"'
        if isinstance(key, k.LastOpponent) and tuple(book.match.table_sizes) != (2,):
            yield path, "a last opponent is one player: expected tables of two"
        if isinstance(key, k.ValueKey):
            if not 0 <= key.shown.digits <= 12 or key.shown.of <= 0:
                yield f"{path}.shown", "expected 0 to 12 digits, of a value above 0"
            known = sorted(set(book.measures) | earlier)
            if key.measure not in known:
                yield f"{path}.measure", f"expected a measure or an earlier key by value: {', '.join(known)}"
            if key.of == "tablemates" and not isinstance(book.measures.get(key.measure), k.Scores):
                yield f"{path}.of", 'expected a measure of kind "scores" for tablemates'
            if key.of == "tablemates" and (key.empty or key.floor or key.cap or key.cap_if_dropped):
                yield f"{path}.of", "expected no floor, cap or value for nobody met beside tablemates"
            if None not in (key.floor, key.cap) and key.floor > key.cap:  # type: ignore[operator]
                yield f"{path}.floor", "expected a floor not above the cap"
            earlier.add(key.key)


def _check_plan(plan: Plan) -> Mistakes:
    if not plan.formats:
        yield "plan.formats", "expected at least one format"
    if plan.default_table and plan.default_table not in plan.tables:
        known = ", ".join(plan.tables) or "the tables (there are none)"
        yield "plan.default_table", f"expected one of {known}"
    for name, table in plan.tables.items():
        rows = table.rows
        ends = [row.to for row in rows]
        rising = all(a is not None and (b is None or a < b) for a, b in pairwise(ends))
        if not rows or not rising or ends[-1] is not None:
            yield f"plan.tables.{name}.rows", "expected rising numbers `to`, and a last row without one"


def _check_layout(book: Book) -> Mistakes:
    """Check what the plan of an event needs from several sections at once."""
    plan = book.plan
    if "swiss+elimination" in plan.formats and book.cut is None:
        yield "plan.formats", "expected a [cut] section for swiss+elimination"
    if book.cut and book.cut.shares_within is not None and not 0 <= book.cut.shares_within <= 1:
        yield "cut.shares_within", "expected a share from 0 to 1"
    if book.flights and (not book.flights.counts or min(book.flights.counts) < 2):
        yield "flights.counts", "expected numbers of flights from 2"
    if book.divisions and not book.divisions.list:
        yield "divisions.list", "expected at least one division"
    if book.divisions and not 1 <= book.divisions.season_month <= 12:
        yield "divisions.season_month", "expected a month from 1 to 12"
    sizes = [str(size) for size in book.match.table_sizes[1:]]
    for size in book.tables.at_most if book.tables else ():
        if size not in sizes:
            yield "tables.at_most", f"expected a table size that is not the preferred one: {', '.join(sizes)}"


def _check_stages(book: Book) -> Mistakes:
    """Check each stage by itself, then the stages of each format together."""
    for i, stage in enumerate(book.stages):
        path = f"stages[{i}]"
        if not set(stage.formats) <= set(book.plan.formats):
            yield f"{path}.formats", f"expected some of {', '.join(book.plan.formats)}"
        if isinstance(stage, SwissStage):
            if isinstance(stage.rounds, int) and stage.rounds < 1:
                yield f"{path}.rounds", "expected at least one round"
            if stage.pods and not (book.pairing and book.pairing.pods):
                yield f"{path}.pods", "expected a [pairing.pods] section"
            if not stage.carries and any(isinstance(m, k.Cumulative) for m in book.measures.values()):
                yield f"{path}.carries", "expected true: a cumulative measure runs through the whole event"
        if stage.enter:
            yield from _check_enter(book, stage.enter, f"{path}.enter")
    for event_format in book.plan.formats:
        yield from _check_format(book, event_format)


def _check_format(book: Book, event_format: Format) -> Mistakes:
    """Check the stages of one format in their order."""
    stages = [(i, stage) for i, stage in enumerate(book.stages) if event_format in stage.formats]
    if not stages:
        yield "stages", f"expected at least one stage of the format {event_format}"
        return
    first, opening = stages[0]
    if opening.enter:
        yield f"stages[{first}].enter", f"everybody enters the first stage of {event_format}"
    for i, stage in stages[1:]:
        if not isinstance(stage, SwissStage) and stage.enter is None:
            yield f"stages[{i}]", "expected [stages.enter]: who goes on into it"
    swiss = [(i, stage) for i, stage in stages if isinstance(stage, SwissStage)]
    numbers = [isinstance(stage.rounds, int) for _, stage in swiss]
    if any(numbers) and not all(numbers):
        expected = 'expected numbers for all of them, or "table" and "second day"'
        yield f"stages[{swiss[0][0]}].rounds", f"the Swiss stages of {event_format} are one plan: {expected}"
    if swiss and not any(numbers):
        yield from _check_round_table(book, event_format, swiss)
    kinds = [get_stage_kind(stage) for _, stage in stages]
    swiss_first = ["swiss"] * len(swiss)
    right = {
        "swiss": kinds == swiss_first,
        "swiss+elimination": swiss and kinds[:-1] == swiss_first and kinds[-1].endswith("elimination"),
    }.get(event_format, kinds == [event_format])
    if not right:
        yield f"stages[{first}].kind", f"expected the stages that the format {event_format} is named for"


def _check_round_table(book: Book, event_format: Format, swiss: list[tuple[int, SwissStage]]) -> Mistakes:
    words = [stage.rounds for _, stage in swiss]
    if words not in (["table"], ["table", "second day"]):
        expected = 'expected "table", then perhaps "second day"'
        yield f"stages[{swiss[0][0]}].rounds", f"{expected} in the Swiss stages of {event_format}"
    plan = book.plan
    if not plan.tables and (event_format != "swiss" or plan.swiss_only == "table"):
        yield "plan", "expected a round table under [plan.tables], since the formats need one"
    second_day = any(row.second_day is not None for table in plan.tables.values() for row in table.rows)
    if second_day and event_format == "swiss+elimination" and "second day" not in words:
        yield "plan.tables", 'expected a stage with rounds = "second day", since a row has one'


def _check_enter(book: Book, enter: Enter, path: str) -> Mistakes:
    record = enter.losses is not None or enter.points is not None
    if enter.top is None and not record:
        yield path, "expected top, losses or points: what it takes to go on"
    if enter.losses is not None and enter.points is not None:
        yield f"{path}.points", "expected points or losses, not both"
    if isinstance(enter.top, int) and enter.top < 1:
        yield f"{path}.top", "expected at least one player"
    if (enter.losses or 0) < 0:
        yield f"{path}.losses", "expected a number from 0"
    top = enter.top if isinstance(enter.top, int) else 1
    if enter.level_up_to is not None and (enter.top is None or enter.level_up_to < top):
        yield f"{path}.level_up_to", "expected a top, and a number not below it"
    if record and not isinstance(book.primary_measure, k.Outcomes | k.Cumulative):
        yield path, "expected a primary score that counts wins, since points decide who goes on"
