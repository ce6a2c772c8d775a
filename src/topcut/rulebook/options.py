"""Declare the options of an event, and check them against its ruleset."""

import re
from itertools import chain, islice
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta, Struct
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.rulebook.layout import Format
from topcut.rulebook.model import Book
from topcut.rulebook.planning.stages import count_fixed_rounds, get_stage_kind, list_stages
from topcut.text.messages import count, list_or, say

Text = Annotated[str, Meta(max_length=10_000)]
"""A text of an event file."""
FOR_ALL = ("languages", "time_zone")
"""Options that every ruleset has."""
FOR_PODS = ("mode", "draft")
"""Options that every ruleset with pods has."""
MOST_LANGUAGES = 2
LANGUAGE = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
NUMBER_LIMIT = 10**9
"""Numbers in options are below this."""


class ForDivision(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Options that can differ from division to division."""

    rounds: int | None = None
    cut: int | None = None
    """0: none, although others have one."""
    flights: int | None = None


class PresentDraft(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The draft that the next round belongs to: its rounds have the format "draft 1", and so on."""

    number: int
    rounds: int | None = None
    """How many rounds it has; None: until the organiser ends it."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    format: Format | None = None
    rounds: int | None = None
    cut: int | None = None
    table: Text | None = None
    third_place: bool | None = None
    target: int | None = None
    flights: int | None = None
    mode: Literal["draft"] | None = None
    draft: PresentDraft | None = None
    divisions: Literal["separate", "modified", "off"] | None = None
    pools: tuple[tuple[Text, ...], ...] | None = None
    """Divisions that play together, pool by pool, where the organiser chose that and not the rules."""
    level: Literal["casual", "championship", "premier"] | None = None
    deck: Literal["constructed", "limited"] | None = None
    """With which decks it is played, where the length of a round depends on that (DC-2)."""
    by_division: dict[Text, ForDivision] | None = None
    languages: tuple[Text, ...] | None = None
    """The language of the desk, the screens and paper; paper is in all of them."""
    time_zone: Text | None = None
    """Where the event is, such as `Europe/Berlin`: paper tells times by its clocks."""

    @property
    def division_mode(self) -> Literal["separate", "modified", "off"] | None:
        """How divisions are treated, if the organiser chose it."""
        if self.pools is None:
            return self.divisions
        return "modified" if any(len(pool) > 1 for pool in self.pools) else "separate"


def apply_options(book: Book, options: Options) -> Book:
    """Return the book with what this event chose in place of its own values: the target of a table (AL-6).

    Options that `check_options` refuses change nothing.
    """
    target = options.target
    if target is None or "target" not in book.options or not 0 < target < NUMBER_LIMIT:
        return book
    return replace(book, match=replace(book.match, target=target))


def choose_format(book: Book, options: Options) -> Format:
    """Return the format of an event: as chosen, with a cut where one was asked for, else the usual one."""
    cuts = [options.cut, *(own.cut for own in (options.by_division or {}).values())]
    asked = any(cuts) and "swiss+elimination" in book.plan.formats
    return options.format or ("swiss+elimination" if asked else book.plan.formats[0])


def find_round_minutes(book: Book, options: Options) -> int | None:
    """Return how long a round lasts by the rules, for an event of this level with these decks (DC-2).

    None where the rules give no length.
    """
    lengths, level, deck = book.match.round_minutes, options.level, options.deck
    kinds = [f"{level}-{deck}", level, deck, "default"]
    return next((lengths[kind] for kind in kinds if kind in lengths), None)


def find_time_zone(options: Options) -> ZoneInfo | None:
    """Return the time zone of the venue; None if the options do not say."""
    if options.time_zone is None:
        return None
    try:
        return ZoneInfo(options.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        problem = say('expected a time zone such as "Europe/Berlin", not "{given}"', given=options.time_zone)
        raise BadInput(problem, place="options.time_zone") from None


def _check_languages(languages: tuple[str, ...] | None) -> None:
    if languages is None:
        return
    if not 1 <= len(languages) <= MOST_LANGUAGES or len(set(languages)) < len(languages):
        problem = say("expected one language, or two different ones for paper in both")
        raise BadInput(problem, place="options.languages")
    for at, language in enumerate(languages):
        if not LANGUAGE.fullmatch(language):
            problem = say('expected the code of a language, such as "de", not "{given}"', given=language)
            raise BadInput(problem, place=f"options.languages[{at}]")


def _check_draft(options: Options) -> None:
    draft = options.draft
    if draft is None:
        return
    if options.mode != "draft":
        raise BadInput(say('expected the mode "draft", since options.draft is given'), place="options.draft")
    for name, value in (("number", draft.number), ("rounds", draft.rounds)):
        if value is not None and not 0 < value < NUMBER_LIMIT:
            raise BadInput(say("expected a whole number from 1"), place=f"options.draft.{name}")


def relax_cut(options: Options, book: Book) -> tuple[Book, list[BadInput]]:
    """Return the book that allows the cuts of a published event, and what is wrong with them by its rules."""
    named = [(f"by_division.{name}", own.cut) for name, own in (options.by_division or {}).items()]
    found = [(f"{name}.cut", cut) for name, cut in named] + [("cut", options.cut)]
    doubts = []
    for name, cut in found:
        if cut and cut > 1 and book.cut and book.cut.power_of_two and cut & (cut - 1):
            source = book.cut.source_of("power_of_two")
            problem = say("expected a power of two ({source}), not {cut}", source=source, cut=cut)
            doubts.append(BadInput(problem, place=f"options.{name}"))
    if doubts and book.cut:
        book = replace(book, cut=replace(book.cut, power_of_two=False))
    return book, doubts


def check_options(options: Options, played: int, book: Book) -> None:
    """Refuse unknown options and impossible values; `played`: the Swiss rounds there are already."""
    has_pods = book.pairing is not None and book.pairing.pods is not None
    usable = (*book.options, *FOR_ALL, *(FOR_PODS if has_pods else ()))
    for name in options.__struct_fields__:
        if getattr(options, name) is not None and name not in usable:
            known = list_or([*book.options, *FOR_ALL])
            problem = say(
                "{rules} has no use for this option: expected {options}", rules=book.id, options=known
            )
            raise BadInput(problem, place=f"options.{name}")
    _check_draft(options)
    _check_languages(options.languages)
    find_time_zone(options)
    if options.format is not None and options.format not in book.plan.formats:
        problem = say(
            "{rules} is not played as {format}: expected {formats}",
            rules=book.id,
            format=options.format,
            formats=list_or(book.plan.formats),
        )
        raise BadInput(problem, place="options.format")
    event_format = choose_format(book, options)
    kinds = {get_stage_kind(stage) for stage in list_stages(book, event_format)}
    if not kinds & {"swiss", "round-robin"}:
        if played:
            problem = say('{format} has no Swiss rounds: expected "elimination"', format=event_format)
            raise BadInput(problem, place="rounds[0].stage")
        if options.rounds is not None:
            problem = say("has no use in the format {format}", format=event_format)
            raise BadInput(problem, place="options.rounds")
    fixed = count_fixed_rounds(book, event_format)
    if fixed is not None and options.rounds not in (None, fixed):
        source = list_stages(book, event_format)[0].source_of("rounds")
        problem = say("expected {rounds} rounds ({source})", rounds=fixed, source=source)
        raise BadInput(problem, place="options.rounds")
    if options.table is not None and options.table not in book.plan.tables:
        tables = list_or(book.plan.tables)
        problem = say(
            'no round table is called "{table}": expected {tables}', table=options.table, tables=tables
        )
        raise BadInput(problem, place="options.table")
    _check_numbers(options, "options", book)
    for name, part in (options.by_division or {}).items():
        if book.divisions and name not in [division.name for division in book.divisions.list]:
            names = list_or(division.name for division in book.divisions.list)
            problem = say('no division is called "{name}": expected {divisions}', name=name, divisions=names)
            raise BadInput(problem, place="options.by_division")
        _check_numbers(part, f"options.by_division.{name}", book)
    if options.pools is not None:
        if options.divisions is not None:
            raise BadInput(say("expected `divisions` or `pools`, not both"), place="options.pools")
        every = [division.name for division in book.divisions.list] if book.divisions else []
        chosen = sorted(islice(chain.from_iterable(options.pools), len(every) + 1))
        if not all(options.pools) or chosen != sorted(every):
            problem = say("expected each of {divisions} in one pool", divisions=", ".join(every))
            raise BadInput(problem, place="options.pools")
    if options.rounds is not None and options.rounds < played:
        problem = count(
            "{n} Swiss round is already paired: expected at least that many",
            "{n} Swiss rounds are already paired: expected at least that many",
            played,
        )
        raise BadInput(problem, place="options.rounds")


def _check_numbers(options: Options | ForDivision, place: str, book: Book) -> None:
    for name in ("rounds", "cut", "target", "flights"):
        number = getattr(options, name, None)
        none = name == "cut" and number == 0 and isinstance(options, ForDivision)
        if number is not None and not none and not 0 < number < NUMBER_LIMIT:
            raise BadInput(say("expected a whole number from 1"), place=f"{place}.{name}")
    cut = options.cut
    if cut is not None and book.cut and book.cut.power_of_two and cut & (cut - 1):
        source = book.cut.source_of("power_of_two")
        problem = say("expected a power of two ({source}), not {cut}", source=source, cut=cut)
        raise BadInput(problem, place=f"{place}.cut")
    if options.flights not in (None, 1) and book.flights and options.flights not in book.flights.counts:
        counts = list_or(book.flights.counts)
        problem = say("expected {counts} flights, not {flights}", counts=counts, flights=options.flights)
        raise BadInput(problem, place=f"{place}.flights")
