"""Decide the first facts of an event: one that is created here, or one that a file brings.

A file can come at any moment of an event's life, to go on from there. What was played elsewhere is one fact:
Topcut has not seen it happen, and says so wherever it is shown.

The log of a stranger may have its chain and its facts in order, and yet hold what people cannot mean: a book
in which a table plays a thousand million games, a name of as many letters or a moment in the year 9999 would
keep everybody waiting who looks at it (`check_log_limits`).
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from topcut.errors import BadInput, Impossible, TopcutError
from topcut.event import facts as f
from topcut.event.apply.context import DRAWN_FIELDS, LEFT_FIELDS
from topcut.event.commands import Create, TakeOver
from topcut.event.decide.context import (
    FORMAT_WORDS,
    ID_PATTERN,
    LAST_TABLE,
    RESERVED_IDS,
    Context,
    Decision,
    clean_name,
)
from topcut.event.draw import fix_plan
from topcut.event.private_data import Person
from topcut.event.state import sort_tables
from topcut.history import History, build_history, check_reported
from topcut.history.divisions import division_of
from topcut.history.model import Player, Round, Table
from topcut.history.parts import excuse_idle_parts, split_into_parts
from topcut.history.player_fields import PERSONAL, read_fields
from topcut.lots import digest_texts
from topcut.rulebook.layout import Format
from topcut.rulebook.loader import thaw_book
from topcut.rulebook.model import Book
from topcut.rulebook.options import apply_options, check_options, choose_format
from topcut.stages.document import list_warnings
from topcut.stages.player_ids import assign_ids, count_whole_rounds, replace_ids
from topcut.stages.progress import Progress, choose_lot_seed
from topcut.text.messages import Message, count, number, say, to_message

LONGEST_TEXT = 2_000
"""Letters of a text, at most."""
LARGEST_ORIGINAL = 20 * 2**20
"""Bytes of a file that an event came from, at most."""
LARGEST_NUMBER = 10**9
YEARS = range(1970, 3000)
LONGEST_KEPT = 1200
"""Months that names are kept, at most."""
USUAL_KEPT_MONTHS = 3
"""How long names are kept after an event where neither command nor rules say so."""


def create_event(command: Create, context: Context) -> Decision:
    """Decide the creation of an event: its name, a frozen copy of its rules, the promise of its draws."""
    name = clean_name(command.name)
    book = thaw_book(command.book)
    if command.options.draft is not None:
        problem = say("you can't set a draft as an option: begin it between two rounds")
        raise BadInput(problem, place="options.draft")
    check_options(command.options, 0, book)
    least = book.running.kept_months if book.running else 0
    kept = max(USUAL_KEPT_MONTHS, least) if command.kept_months is None else command.kept_months
    if kept < least:
        problem = count(
            "Results must be kept for at least {n} month. Choose {n} or more.",
            "Results must be kept for at least {n} months. Choose {n} or more.",
            least,
        )
        raise Impossible(problem, rule=book.running.rule("kept_months") if book.running else "")
    if not 0 <= kept <= LONGEST_KEPT:
        raise BadInput(say("expected 0 to {most} months", most=LONGEST_KEPT), place="kept_months")
    if not 1 <= command.first_table <= LAST_TABLE:
        raise BadInput(say("expected a table number, from 1"), place="first_table")
    rehearsal = command.rehearsal is not None
    secret = digest_texts(command.rehearsal or context.entropy, "secret").hex()
    decision = Decision([])
    fact = f.Created(
        name=name,
        book=command.book,
        options=command.options,
        commitment=decision.keep(secret.encode()),
        kept_months=kept,
        first_table=command.first_table,
        rehearsal=rehearsal,
    )
    decision.facts.append(fact)
    event_format = choose_format(book, command.options)
    if book.plan.sanctioned and event_format not in book.plan.sanctioned:
        decision.warnings.append(warn_of_approval(event_format, book))
    if rehearsal:
        decision.warnings.append(
            say("This is a rehearsal. Anyone who knows its text can know every random draw in advance.")
        )
    return decision


def warn_of_approval(event_format: Format, book: Book) -> Message:
    """Return the warning about a format that is not sanctioned by itself (PK-2)."""
    return say(
        "This format needs approval before the event: {format} ({rule}).",
        format=FORMAT_WORDS[event_format],
        rule=book.plan.rule("sanctioned"),
    )


def take_over(command: TakeOver, context: Context) -> Decision:
    """Decide the first facts of an event that began elsewhere; `BadInput` where that cannot have been."""
    book = apply_options(thaw_book(command.book), command.options)
    players, rounds, options = command.players, command.rounds, command.options
    history = build_history(players, rounds, book, doubts=[])
    check_options(options, history.rounds, book)
    check_reported(players, rounds[:-1])
    present = options.draft
    if present is not None:  # it goes on from what was played
        options = replace(options, mode=None, draft=None)
    if rounds:  # what was planned stays, as if the event had begun here, unless more is played already
        parts = split_into_parts(excuse_idle_parts(history, book, options), book, options)
        planned = fix_plan(options, parts, book)
        if planned.rounds is None or planned.rounds >= sum(a_round.is_scored for a_round in rounds):
            options = planned
    tables = [table.table for a_round in rounds for table in number_foreign_tables(a_round.tables)]
    create = Create(
        name=command.name,
        book=command.book,
        options=options,
        kept_months=command.kept_months,
        first_table=min((number for number in tables if isinstance(number, int)), default=1),
    )
    decision = create_event(create, context)
    ids = _choose_ids(command, book)
    changed_ids = sum(old != new for old, new in ids.items())
    if changed_ids:
        decision.says.append(
            count(
                "{n} player gets a new id, because everyone can see ids here.",
                "{n} players get new ids, because everyone can see ids here.",
                changed_ids,
            )
        )
    for position, player in enumerate(players):
        # A player without a name is called by the new id: the one of the file may say who they are.
        name = clean_name(player.name if player.name.strip() else ids[player.id], f"players[{position}].name")
        salt = digest_texts(context.entropy, "person", str(position)).hex()[:32]
        person = Person(name=name, salt=salt, **read_fields(player, PERSONAL))
        entered = f.Registered(
            player=ids[player.id],
            person=decision.keep(msgspec.json.encode(person)),
            division=division_of(player, book),
            apart=player.apart,
            entered=player.entered,
            byes=player.byes,
        )
        decision.facts.append(entered)
    taken = f.TakenOver(
        source=command.source,
        rounds=tuple(_convert_round(a_round, ids, changed_ids > 0) for a_round in rounds),
        drawn=_collect_numbers(players, ids),
        seed=_find_lots_seed(command, changed_ids > 0),
        # The file itself is kept outside the log, since it names people.
        original=None if command.original is None else decision.keep(command.original.encode()),
        draft=present,
    )
    decision.facts.append(taken)
    decision.warnings.extend(command.warnings)
    decision.warnings.extend(_list_bracket_warnings(command, book, history))
    return decision


def _list_bracket_warnings(command: TakeOver, book: Book, history: History) -> list[Message]:
    """Return what an organiser should know about the brackets that were played, or why none can be shown."""
    if not any(a_round.in_bracket for a_round in command.rounds):
        return []
    history = excuse_idle_parts(history, book, command.options)
    progress = Progress(history, book, command.options, command.rounds, [command.seed])
    try:
        found = [said for bracket in progress.brackets for said in list_warnings(progress, bracket)]
    except TopcutError as refused:
        return [to_message(refused.message)]
    return list(dict.fromkeys(found))


def _find_lots_seed(command: TakeOver, ids_changed: bool) -> str | None:
    """Return the seed of lots outside rounds, where it is not the one of the last Swiss round."""
    if ids_changed:
        return choose_lot_seed([command.seed], command.rounds[: count_whole_rounds(command.rounds)]) or None
    bracket = [a_round.seed for a_round in command.rounds if a_round.in_bracket]
    return command.seed if command.seed is not None or not bracket else bracket[0]


def find_unfit_ids(players: Sequence[Player]) -> list[str]:
    """Return ids that players cannot keep: an address cannot hold them, or they say who a player is.

    A membership number is for staff, and ids are for everybody.
    """
    return [p.id for p in players if not ID_PATTERN.fullmatch(p.id) or p.id in (*RESERVED_IDS, p.member)]


def _choose_ids(command: TakeOver, book: Book) -> dict[str, str]:
    """Return the id that each player gets: their own, if they can keep it."""
    players = command.players
    old = find_unfit_ids(players)
    fine = {player.id for player in players} - set(old)
    free = (player_id for number in itertools.count(1) if (player_id := f"p{number}") not in fine)
    new = assign_ids(old, itertools.islice(free, len(old)), command.rounds, command.seed, book)
    return {player.id: new.get(player.id, player.id) for player in players}


def _collect_numbers(players: Sequence[Player], ids: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return what was drawn for the players of a file, and when they left: kind to player to number."""
    found = {}
    for kind, name in (DRAWN_FIELDS | LEFT_FIELDS).items():
        if numbers := {ids[p.id]: value for p in players if (value := getattr(p, name)) is not None}:
            found[kind] = numbers
    return found


def _convert_round(a_round: Round, ids: Mapping[str, str], ids_changed: bool) -> Round:
    """Return the round with the new ids, every table numbered, and without reasons: they can hold names.

    `ids_changed`: some ids are new, for which its seed would draw other tables.
    """
    tables = [replace(replace_ids(table, ids), why=()) for table in number_foreign_tables(a_round.tables)]
    pods = None if a_round.pods is None else {ids[player_id]: pod for player_id, pod in a_round.pods.items()}
    seed = None if ids_changed else a_round.seed
    return replace(a_round, tables=sort_tables(tables), seed=seed, pods=pods)


def number_foreign_tables(tables: Sequence[Table]) -> list[Table]:
    """Return the tables with their numbers; counted in their order where some have none or the same one."""
    numbers = [table.table for table in tables if len(table.players) > 1]
    fine = all(isinstance(number, int) and 1 <= number <= LAST_TABLE for number in numbers)
    number_of = iter(numbers if fine and len(set(numbers)) == len(numbers) else itertools.count(1))
    return [replace(t, table=None if len(t.players) == 1 else next(number_of)) for t in tables]


def check_log_limits(lines: Iterable[bytes], private: Mapping[str, bytes]) -> None:
    """Refuse a log that no desk can have written, though its chain may be whole."""
    originals: set[str] = set()
    others: set[str] = set()
    for position, line in enumerate(lines, start=1):
        entry = msgspec.json.decode(line)
        place = say("fact {position}", position=position)
        _check_value(entry, place)
        if not entry["at"][:4].isdecimal() or int(entry["at"][:4]) not in YEARS:
            problem = say("expected a time from {first} to {last}", first=YEARS[0], last=YEARS[-1])
            raise BadInput(problem, place=place)
        fact = entry["fact"]
        if fact["fact"] == "created":
            _check_name(fact["name"], place)
        originals |= {fact["original"]} if fact.get("original") else set()
        others |= {fact[name] for name in ("person", "commitment") if name in fact}
        if fact["fact"] == "registered" and not ID_PATTERN.fullmatch(fact["player"]):
            raise BadInput(say("expected an id of letters, digits, points and hyphens"), place=place)
        for who in (entry["by"], entry.get("via", "")):
            if not who.isprintable():
                raise BadInput(say("expected a name in one line"), place=place)
    for key, body in private.items():
        if key not in originals - others:
            _check_private(body)
        elif len(body) > LARGEST_ORIGINAL:
            problem = say(
                "expected a file of at most {most} bytes beside the log, not {bytes}",
                most=number(LARGEST_ORIGINAL),
                bytes=number(len(body)),
            )
            raise BadInput(problem)


def _check_value(value: Any, place: str) -> None:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        problem = say(
            "expected a text of at most {most} letters, not {letters}",
            most=number(LONGEST_TEXT),
            letters=number(len(value)),
        )
        raise BadInput(problem, place=place)
    if isinstance(value, int | float) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        most = number(LARGEST_NUMBER)
        raise BadInput(say("expected a number from -{most} to {most}", most=most), place=place)
    if isinstance(value, dict):
        for name, part in value.items():
            _check_value(name, place)
            _check_value(part, place)
    elif isinstance(value, list):
        for part in value:
            _check_value(part, place)


def _check_private(body: bytes) -> None:
    if len(body) > LONGEST_TEXT:
        problem = say(
            "expected an entry of at most {most} bytes beside the log, not {bytes}",
            most=number(LONGEST_TEXT),
            bytes=number(len(body)),
        )
        raise BadInput(problem)
    try:
        person = msgspec.json.decode(body, type=Person)
    except msgspec.MsgspecError:  # a secret
        return
    for value in read_fields(person, PERSONAL).values():
        if isinstance(value, int):
            _check_value(value, "people")
    for name in (person.name, person.display):
        if name:
            _check_name(name, "people")


def _check_name(name: str, place: str) -> None:
    if clean_name(name, place) != name:
        raise BadInput(say("expected a name in one line"), place=place)
