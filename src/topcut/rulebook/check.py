"""What a book must fulfil beyond the types of its values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import get_args, get_type_hints

from topcut.rulebook.check_stages import stage_mistakes
from topcut.rulebook.keys import (
    Credit,
    Cumulative,
    Games,
    HeadToHead,
    LastOpponent,
    Outcomes,
    Scores,
    ValueKey,
)
from topcut.rulebook.layout import Plan
from topcut.rulebook.model import Book, Chart, Pairing
from topcut.rulebook.options import Options


def mistakes(book: Book) -> Iterator[tuple[str, str]]:
    """(path, what was expected) for each mistake, in the order of the file."""
    for i, option in enumerate(book.options):
        if option not in Options.__struct_fields__:
            known = ", ".join(Options.__struct_fields__)
            yield f"options[{i}]", f'no option is called "{option}": expected some of {known}'
    yield from _match(book)
    yield from _measures(book)
    yield from _chain(book)
    yield from _plan(book.plan)
    yield from _pairing(book)
    yield from _layout(book)
    yield from stage_mistakes(book)
    yield from _running(book)
    for reading_id, reading in book.readings.items():
        if reading.chosen not in reading.options:
            yield f"readings.{reading_id}.chosen", f"expected one of {', '.join(reading.options)}"
    if book.tables and (len(book.match.table_sizes) != 2 or min(book.match.table_sizes) < 3):
        yield (
            "match.table_sizes",
            "expected the preferred and the other size, three or more, since there is a [tables] section",
        )


def _match(book: Book) -> Iterator[tuple[str, str]]:
    sizes = book.match.table_sizes
    if not sizes or min(sizes) < 2 or len(set(sizes)) < len(sizes):
        yield "match.table_sizes", "expected different sizes of two or more players"
    if book.match.results == "games" and tuple(sizes) != (2,):
        expected = 'expected "scores" or "winner" for larger tables'
        yield "match.results", f"games are counted at tables of two: {expected}"
    if book.match.best_of is not None and (book.match.best_of < 1 or book.match.best_of % 2 == 0):
        yield "match.best_of", "expected an odd number of games"
    if book.match.best_of is not None and book.match.best_of >= 100:
        yield "match.best_of", "expected fewer than 100 games"
    yield from _scored(book)


def _scored(book: Book) -> Iterator[tuple[str, str]]:
    """What only scores give a meaning to."""
    match = book.match
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


def _pairing(book: Book) -> Iterator[tuple[str, str]]:
    rule = book.pairing
    if rule is None:
        return
    known = get_args(get_args(get_type_hints(Pairing)["minimise"])[0])
    if list(rule.minimise) != [part for part in known if part in rule.minimise]:
        yield "pairing.minimise", f"expected some of these, in this order: {', '.join(known)}"
    if not 0 <= rule.look_ahead <= 2:
        yield "pairing.look_ahead", "expected 0, 1 or 2 rounds"
    if rule.pods and rule.pods.size < 4:
        yield "pairing.pods.size", "expected at least 4 players"
    if book.tables:
        yield from _more_than_two(book, rule)
    elif tuple(book.match.table_sizes) != (2,):
        yield "pairing", "tables of more than two need a [tables] section"
    elif "displacement" in rule.minimise:
        yield "pairing.minimise", "displacement is for tables of more than two: expected table_sizes of those"
    if rule.chart:
        yield from _chart(rule.chart)


def _more_than_two(book: Book, rule: Pairing) -> Iterator[tuple[str, str]]:
    """What pairing knows at tables of more than two."""
    known = ("rematches", "displacement", "apart")
    if not set(rule.minimise) <= set(known):
        yield "pairing.minimise", f"expected some of {', '.join(known)}, since there is a [tables] section"
    if rule.rematches not in ("avoided", "allowed"):
        yield "pairing.rematches", 'expected "avoided" or "allowed", since there is a [tables] section'
    if rule.chart or rule.pods:
        yield "pairing", "a chart and pods are for tables of two"
    keys = [key.key for key in book.chain if isinstance(key, ValueKey)]
    if book.tables and book.tables.order not in ("standings", *keys):
        yield "tables.order", f'expected "standings" or one of {", ".join(keys)}'


def _chart(chart: Chart) -> Iterator[tuple[str, str]]:
    """Every place of every round is held by somebody, and by one player only."""
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


def _measures(book: Book) -> Iterator[tuple[str, str]]:
    for name, measure in book.measures.items():
        path = f"measures.{name}"
        needs = {Games: "games", Scores: "scores"}.get(type(measure), book.match.results)
        if needs != book.match.results:
            yield (
                f"{path}.kind",
                f"tables report {book.match.results} here: expected a measure that counts them",
            )
        for field in measure.__struct_fields__:
            credit = getattr(measure, field)
            if isinstance(credit, Credit) and credit.possible < 0:
                yield f"{path}.{field}", "expected [earned, possible] with nothing less than 0 possible"
            if field in ("bye", "assigned", "missed") and isinstance(credit, tuple) and min(credit) < 0:
                yield f"{path}.{field}", "expected games won, lost and drawn, none less than 0"
        if isinstance(measure, Cumulative) and not 0 < measure.weight <= 1:
            yield f"{path}.weight", "expected a weight above 0, at most 1"


def _chain(book: Book) -> Iterator[tuple[str, str]]:
    if not book.chain or not isinstance(book.chain[0], ValueKey) or book.chain[0].of != "self":
        yield "chain", "expected at first a key by value of the player's own, the primary score"
    earlier: set[str] = set()
    for i, key in enumerate(book.chain):
        path = f"chain[{i}]"
        if key.key in earlier or key.key == "lot":
            yield f"{path}.key", f'expected a name that no other key has, not "{key.key}"'
        primary = book.chain[0]
        counted = book.measures.get(primary.measure) if isinstance(primary, ValueKey) else None
        if isinstance(key, HeadToHead) and not isinstance(counted, Outcomes):
            yield path, 'head to head counts the primary score: expected one of kind "outcomes"'
        if isinstance(key, LastOpponent) and tuple(book.match.table_sizes) != (2,):
            yield path, "a last opponent is one player: expected tables of two"
        if isinstance(key, ValueKey):
            if not 0 <= key.shown.digits <= 12 or key.shown.of <= 0:
                yield f"{path}.shown", "expected 0 to 12 digits, of a value above 0"
            known = sorted(set(book.measures) | earlier)
            if key.measure not in known:
                yield f"{path}.measure", f"expected a measure or an earlier key by value: {', '.join(known)}"
            if key.of == "tablemates" and not isinstance(book.measures.get(key.measure), Scores):
                yield f"{path}.of", 'expected a measure of kind "scores" for tablemates'
            if key.of == "tablemates" and (key.empty or key.floor or key.cap or key.cap_if_dropped):
                yield f"{path}.of", "expected no floor, cap or value for nobody met beside tablemates"
            if None not in (key.floor, key.cap) and key.floor > key.cap:  # type: ignore[operator]
                yield f"{path}.floor", "expected a floor not above the cap"
            earlier.add(key.key)


def _plan(plan: Plan) -> Iterator[tuple[str, str]]:
    if not plan.formats:
        yield "plan.formats", "expected at least one format"
    if plan.default_table and plan.default_table not in plan.tables:
        yield (
            "plan.default_table",
            f"expected one of {', '.join(plan.tables) or 'the tables (there are none)'}",
        )
    for name, table in plan.tables.items():
        rows = table.rows
        ends = [row.to for row in rows]
        rising = all(a is not None and (b is None or a < b) for a, b in pairwise(ends))
        if not rows or not rising or ends[-1] is not None:
            yield f"plan.tables.{name}.rows", "expected rising numbers `to`, and a last row without one"


def _running(book: Book) -> Iterator[tuple[str, str]]:
    for level, until in book.late_entry.until.items() if book.late_entry else ():
        if until.round < 1:
            yield f"late_entry.until.{level}.round", "expected the number of a round, from 1"
    if book.running and book.running.frozen_after is not None and book.running.frozen_after < 1:
        yield "running.frozen_after", "expected a number of rounds from 1"
    if book.running and not 0 <= book.running.kept_months <= 1200:
        yield "running.kept_months", "expected a number of months from 0 to 1200"


def _layout(book: Book) -> Iterator[tuple[str, str]]:
    """What the plan of an event needs from several sections at once."""
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
