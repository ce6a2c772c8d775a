"""Find mistakes in a book beyond the types of its values."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import get_args, get_type_hints

from topcut.rulebook import tiebreak_keys as k
from topcut.rulebook.layout import Enter, Format, Plan, SwissStage
from topcut.rulebook.model import Book, Chart, PairingRules
from topcut.rulebook.options import LANGUAGE, Options
from topcut.rulebook.planning.stages import get_stage_kind
from topcut.text.messages import ENGLISH, Message, list_or, say

Mistakes = Iterator[tuple[str, Message]]
"""The path of each wrong value, and what was expected there."""


def find_mistakes(book: Book) -> Mistakes:
    for i, option in enumerate(book.options):
        if option not in Options.__struct_fields__:
            known = list_or(Options.__struct_fields__)
            problem = say('no option is called "{option}": expected {known}', option=option, known=known)
            yield f"options[{i}]", problem
    yield from _check_match(book)
    yield from _check_measures(book)
    yield from _check_chain(book)
    yield from _check_plan(book.plan)
    yield from _check_pairing(book)
    yield from _check_layout(book)
    yield from _check_stages(book)
    for level, until in book.late_entry.until.items() if book.late_entry else ():
        if until.round < 1:
            yield f"late_entry.until.{level}.round", say("expected the number of a round, from 1")
    if book.running and book.running.frozen_after is not None and book.running.frozen_after < 1:
        yield "running.frozen_after", say("expected a number of rounds from 1")
    if book.running and not 0 <= book.running.kept_months <= 1200:
        yield "running.kept_months", say("expected a number of months from 0 to 1200")
    for reading_id, reading in book.readings.items():
        if reading.chosen not in reading.options:
            yield f"readings.{reading_id}.chosen", _expect_one_of(reading.options)
    if book.tables and (len(book.match.table_sizes) != 2 or min(book.match.table_sizes) < 3):
        problem = say("expected two sizes of three or more players, since there is a [tables] section")
        yield "match.table_sizes", problem
    yield from _check_languages(book)


def _expect_one_of(choices: Iterable[str]) -> Message:
    return say("expected {choices}", choices=list_or(choices))


def _check_languages(book: Book) -> Mistakes:
    for language, texts in book.languages.items():
        path = f"languages.{language}"
        if language == ENGLISH or not LANGUAGE.fullmatch(language):
            yield path, say('expected the code of a language other than English, such as "de"')
        for label, text in texts.items():
            if not text.strip():
                yield f"{path}.{label}", say("expected a translation, not an empty text")


def _check_match(book: Book) -> Mistakes:
    match, sizes, best_of = book.match, book.match.table_sizes, book.match.best_of
    if not sizes or min(sizes) < 2 or len(set(sizes)) < len(sizes):
        yield "match.table_sizes", say("expected different sizes of two or more players")
    if match.results == "games" and sizes != (2,):
        problem = say('games are counted at tables of two: expected "scores" or "winner" for larger tables')
        yield "match.results", problem
    if best_of is not None and (best_of < 1 or best_of % 2 == 0):
        yield "match.best_of", say("expected an odd number of games")
    if best_of is not None and best_of >= 100:
        yield "match.best_of", say("expected fewer than 100 games")
    if match.results != "scores":
        for name in ("target", "tie_counts", "tie_below_target"):
            if getattr(match, name) not in (None, (), False):
                problem = say('tables report no scores here: expected results = "scores"')
                yield f"match.{name}", problem
        if "target" in book.options:
            place = f"options[{book.options.index('target')}]"
            yield place, say('a target is a score: expected results = "scores" under [match]')
    if match.target is not None and match.target < 1:
        yield "match.target", say("expected a score from 1")
    if "" in match.tie_counts or len(set(match.tie_counts)) < len(match.tie_counts):
        yield "match.tie_counts", say("expected different names of what is counted")


def _check_pairing(book: Book) -> Mistakes:
    rule = book.pairing
    if rule is None:
        return
    known = get_args(get_args(get_type_hints(PairingRules)["minimise"])[0])
    if list(rule.minimise) != [part for part in known if part in rule.minimise]:
        problem = say("expected some of these, in this order: {known}", known=", ".join(known))
        yield "pairing.minimise", problem
    if not 0 <= rule.look_ahead <= 2:
        yield "pairing.look_ahead", say("expected 0, 1 or 2 rounds")
    if rule.pods and rule.pods.size < 4:
        yield "pairing.pods.size", say("expected at least 4 players")
    if book.tables:
        yield from _check_larger_tables(book, rule)
    elif tuple(book.match.table_sizes) != (2,):
        yield "pairing", say("tables of more than two need a [tables] section")
    elif "displacement" in rule.minimise:
        problem = say(
            "displacement is for tables of more than two: expected larger table_sizes under [match]"
        )
        yield "pairing.minimise", problem
    if rule.chart:
        yield from _check_chart(rule.chart)


def _check_larger_tables(book: Book, rule: PairingRules) -> Mistakes:
    """Check that pairing asks for nothing that tables of more than two do not have."""
    known = ("rematches", "displacement", "apart")
    if not set(rule.minimise) <= set(known):
        problem = say("expected only {known}, since there is a [tables] section", known=list_or(known))
        yield "pairing.minimise", problem
    if rule.rematches not in ("avoided", "allowed"):
        problem = say('expected "avoided" or "allowed", since there is a [tables] section')
        yield "pairing.rematches", problem
    if rule.chart or rule.pods:
        yield "pairing", say("a chart and pods are for tables of two")
    keys = [key.key for key in book.chain if isinstance(key, k.ValueKey)]
    if book.tables and book.tables.order not in ("standings", *keys):
        yield "tables.order", _expect_one_of(['"standings"', *keys])


def _check_chart(chart: Chart) -> Mistakes:
    """Check that every place of every round is filled, and by one player only."""
    if not chart.rounds or not chart.rounds[0]:
        yield "pairing.chart.rounds", say("expected at least one table in the first round")
        return
    if not 0 <= chart.empty_seats <= chart.seats - 2:
        problem = say("expected 0 to {most} of {seats} seats", most=chart.seats - 2, seats=chart.seats)
        yield "pairing.chart.empty_seats", problem
    places = sorted(str(seat) for seat in range(1, chart.seats + 1))
    for r, tables in enumerate(chart.rounds):
        path = f"pairing.chart.rounds[{r}]"
        if sorted(place for table in tables.values() for place in table) != places:
            yield path, say("expected each of these places once: {places}", places=", ".join(places))
        places = sorted(f"{word} {letter}" for letter in tables for word in ("winner", "loser"))


def _check_measures(book: Book) -> Mistakes:
    for name, measure in book.measures.items():
        path = f"measures.{name}"
        needs = {k.Games: "games", k.Scores: "scores"}.get(type(measure), book.match.results)
        if needs != book.match.results:
            results = book.match.results
            problem = say(
                "tables report {results} here: expected a measure that counts them", results=results
            )
            yield f"{path}.kind", problem
        for field in measure.__struct_fields__:
            credit = getattr(measure, field)
            if isinstance(credit, k.Credit) and credit.possible < 0:
                yield f"{path}.{field}", say("expected [earned, possible], with possible not below 0")
            if field in ("bye", "assigned", "missed") and isinstance(credit, tuple) and min(credit) < 0:
                yield f"{path}.{field}", say("expected games won, lost and drawn, none below 0")
        if isinstance(measure, k.Games) and measure.bye == "won match" and book.match.best_of is None:
            problem = say("expected best_of under [match], or games: nothing says how many games a match has")
            yield f"{path}.bye", problem
        if isinstance(measure, k.Cumulative) and not 0 < measure.weight <= 1:
            yield f"{path}.weight", say("expected a weight above 0, at most 1")


def _check_chain(book: Book) -> Mistakes:
    if not book.chain or not isinstance(book.chain[0], k.ValueKey) or book.chain[0].of != "self":
        yield "chain", say('expected the primary score first: a key with by = "value" and of = "self"')
    earlier: set[str] = set()
    for i, key in enumerate(book.chain):
        path = f"chain[{i}]"
        if key.key in earlier or key.key == "lot":
            problem = say('expected a name that no other key has, not "{key}"', key=key.key)
            yield f"{path}.key", problem
        if isinstance(key, k.HeadToHead) and not isinstance(book.primary_measure, k.Outcomes):
            problem = say('head to head counts the primary score: expected one of kind "outcomes"')
            yield path, problem
        if isinstance(key, k.LastOpponent) and tuple(book.match.table_sizes) != (2,):
            yield path, say("a last opponent is one player: expected tables of two")
        if isinstance(key, k.ValueKey):
            if not 0 <= key.shown.digits <= 12 or key.shown.of <= 0:
                yield f"{path}.shown", say("expected `digits` from 0 to 12, and `of` above 0")
            known = sorted(set(book.measures) | earlier)
            if key.measure not in known:
                names = list_or(known)
                problem = say('expected a measure, or an earlier key with by = "value": {names}', names=names)
                yield f"{path}.measure", problem
            if key.of == "tablemates" and not isinstance(book.measures.get(key.measure), k.Scores):
                yield f"{path}.of", say('expected a measure of kind "scores" for tablemates')
            if key.of == "tablemates" and (key.empty or key.floor or key.cap or key.cap_if_dropped):
                problem = say("tablemates have no floor, no cap and no value for players without opponents")
                yield f"{path}.of", problem
            if None not in (key.floor, key.cap) and key.floor > key.cap:  # type: ignore[operator]
                yield f"{path}.floor", say("expected a floor not above the cap")
            earlier.add(key.key)


def _check_plan(plan: Plan) -> Mistakes:
    if not plan.formats:
        yield "plan.formats", say("expected at least one format")
    if plan.default_table and plan.default_table not in plan.tables:
        if plan.tables:
            yield "plan.default_table", _expect_one_of(plan.tables)
        else:
            yield "plan.default_table", say("the book has no round tables: leave this out, or add one")
    for name, table in plan.tables.items():
        rows = table.rows
        ends = [row.to for row in rows]
        rising = all(a is not None and (b is None or a < b) for a, b in pairwise(ends))
        if not rows or not rising or ends[-1] is not None:
            problem = say("expected rising values of `to`, and a last row without one")
            yield f"plan.tables.{name}.rows", problem


def _check_layout(book: Book) -> Mistakes:
    """Check what the plan of an event needs from several sections at once."""
    plan = book.plan
    if "swiss+elimination" in plan.formats and book.cut is None:
        yield "plan.formats", say("expected a [cut] section for swiss+elimination")
    if book.cut and book.cut.shares_within is not None and not 0 <= book.cut.shares_within <= 1:
        yield "cut.shares_within", say("expected a share from 0 to 1")
    if book.flights and (not book.flights.counts or min(book.flights.counts) < 2):
        yield "flights.counts", say("expected numbers of flights from 2")
    if book.divisions and not book.divisions.list:
        yield "divisions.list", say("expected at least one division")
    if book.divisions and not 1 <= book.divisions.season_month <= 12:
        yield "divisions.season_month", say("expected a month from 1 to 12")
    sizes = [str(size) for size in book.match.table_sizes[1:]]
    for size in book.tables.at_most if book.tables else ():
        if size not in sizes:
            others = list_or(sizes)
            problem = say("expected a table size that is not the preferred one: {sizes}", sizes=others)
            yield "tables.at_most", problem


def _check_stages(book: Book) -> Mistakes:
    """Check each stage by itself, then the stages of each format together."""
    for i, stage in enumerate(book.stages):
        path = f"stages[{i}]"
        if not set(stage.formats) <= set(book.plan.formats):
            problem = say("expected only formats of the plan: {formats}", formats=list_or(book.plan.formats))
            yield f"{path}.formats", problem
        if isinstance(stage, SwissStage):
            if isinstance(stage.rounds, int) and stage.rounds < 1:
                yield f"{path}.rounds", say("expected at least one round")
            if stage.pods and not (book.pairing and book.pairing.pods):
                yield f"{path}.pods", say("expected a [pairing.pods] section")
            if not stage.carries and any(isinstance(m, k.Cumulative) for m in book.measures.values()):
                problem = say("expected true: a cumulative measure runs through the whole event")
                yield f"{path}.carries", problem
        if stage.enter:
            yield from _check_enter(book, stage.enter, f"{path}.enter")
    for event_format in book.plan.formats:
        yield from _check_format(book, event_format)


def _check_format(book: Book, event_format: Format) -> Mistakes:
    """Check the stages of one format in their order."""
    stages = [(i, stage) for i, stage in enumerate(book.stages) if event_format in stage.formats]
    if not stages:
        yield "stages", say("expected at least one stage of the format {format}", format=event_format)
        return
    first, opening = stages[0]
    if opening.enter:
        problem = say(
            "expected no [stages.enter]: all players enter the first stage of {format}", format=event_format
        )
        yield f"stages[{first}].enter", problem
    for i, stage in stages[1:]:
        if not isinstance(stage, SwissStage) and stage.enter is None:
            yield f"stages[{i}]", say("expected [stages.enter]: who goes on into it")
    swiss = [(i, stage) for i, stage in stages if isinstance(stage, SwissStage)]
    numbers = [isinstance(stage.rounds, int) for _, stage in swiss]
    if any(numbers) and not all(numbers):
        problem = say(
            "the Swiss stages of {format} are one plan: "
            'expected numbers for all of them, or "table" and "second day"',
            format=event_format,
        )
        yield f"stages[{swiss[0][0]}].rounds", problem
    if swiss and not any(numbers):
        yield from _check_round_table(book, event_format, swiss)
    kinds = [get_stage_kind(stage) for _, stage in stages]
    swiss_first = ["swiss"] * len(swiss)
    right = {
        "swiss": kinds == swiss_first,
        "swiss+elimination": swiss and kinds[:-1] == swiss_first and kinds[-1].endswith("elimination"),
    }.get(event_format, kinds == [event_format])
    if not right:
        problem = say("expected the stages that the format {format} is named for", format=event_format)
        yield f"stages[{first}].kind", problem


def _check_round_table(book: Book, event_format: Format, swiss: list[tuple[int, SwissStage]]) -> Mistakes:
    words = [stage.rounds for _, stage in swiss]
    if words not in (["table"], ["table", "second day"]):
        problem = say(
            'expected "table", then optionally "second day", in the Swiss stages of {format}',
            format=event_format,
        )
        yield f"stages[{swiss[0][0]}].rounds", problem
    plan = book.plan
    if not plan.tables and (event_format != "swiss" or plan.swiss_only == "table"):
        yield "plan", say("expected a round table under [plan.tables], since the formats need one")
    second_day = any(row.second_day is not None for table in plan.tables.values() for row in table.rows)
    if second_day and event_format == "swiss+elimination" and "second day" not in words:
        yield "plan.tables", say('expected a stage with rounds = "second day", since a row has one')


def _check_enter(book: Book, enter: Enter, path: str) -> Mistakes:
    record = enter.losses is not None or enter.points is not None
    if enter.top is None and not record:
        yield path, say("expected `top`, `losses` or `points`: what it takes to go on")
    if enter.losses is not None and enter.points is not None:
        yield f"{path}.points", say("expected `points` or `losses`, not both")
    if isinstance(enter.top, int) and enter.top < 1:
        yield f"{path}.top", say("expected at least one player")
    if (enter.losses or 0) < 0:
        yield f"{path}.losses", say("expected a number from 0")
    top = enter.top if isinstance(enter.top, int) else 1
    if enter.level_up_to is not None and (enter.top is None or enter.level_up_to < top):
        yield f"{path}.level_up_to", say("expected `top`, and a number not below it")
    if record and not isinstance(book.primary_measure, k.Outcomes | k.Cumulative):
        problem = say("expected a primary score that counts wins, since points decide who goes on")
        yield path, problem
