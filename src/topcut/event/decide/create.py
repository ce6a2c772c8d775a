"""Decide the first facts of an event: one that is created here, or one that a file brings.

A file can come at any moment of an event's life, to go on from there. What was played elsewhere is one fact:
Topcut has not seen it happen, and says so wherever it is shown.
"""

from collections.abc import Mapping, Sequence
from itertools import count, islice

import msgspec
from msgspec.structs import replace

from topcut.digests import digest_texts
from topcut.errors import BadInput, Impossible
from topcut.event import facts as f
from topcut.event.apply.context import DRAWN_FIELDS, LEFT_FIELDS
from topcut.event.commands import Create, TakeOver
from topcut.event.decide.context import LAST_TABLE, RESERVED_IDS, Context, Decision, clean_name
from topcut.event.draw import fix_plan
from topcut.event.log_limits import ID_PATTERN
from topcut.event.private_data import Person
from topcut.event.state import sort_tables
from topcut.history import build_history, check_reported
from topcut.history.divisions import division_of
from topcut.history.model import Player, Round, Table
from topcut.history.parts import excuse_idle_parts, split_into_parts
from topcut.history.player_fields import PERSONAL, read_fields
from topcut.rulebook.loader import thaw_book
from topcut.rulebook.model import Book
from topcut.rulebook.options import apply_options, check_options, choose_format
from topcut.stages.player_ids import assign_ids, count_whole_rounds, replace_ids
from topcut.stages.progress import choose_lot_seed
from topcut.text.phrases import plural

USUAL_KEPT_MONTHS = 3
"""How long names are kept after an event where neither command nor rules say so."""


def create_event(command: Create, context: Context) -> Decision:
    """Decide the creation of an event: its name, a frozen copy of its rules, the promise of its draws."""
    name = clean_name(command.name)
    book = thaw_book(command.book)
    check_options(command.options, 0, book)
    least = book.running.kept_months if book.running else 0
    kept = max(USUAL_KEPT_MONTHS, least) if command.kept_months is None else command.kept_months
    if kept < least:
        problem = f"results are kept for {least} months at least: expected no fewer than that"
        raise Impossible(problem, rule=book.running.rule("kept_months") if book.running else "")
    if kept > 1200 or kept < 0:
        raise BadInput("expected a number of months up to 1200", place="kept_months")
    if not 1 <= command.first_table <= LAST_TABLE:
        raise BadInput("expected the number of a table, from 1", place="first_table")
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
        rule = book.plan.rule("sanctioned")
        decision.warnings.append(f"{event_format} needs approval beforehand ({rule})")  # PK-2
    if rehearsal:
        decision.warnings.append("a rehearsal: anyone who knows its text knows every draw beforehand")
    return decision


def take_over(command: TakeOver, context: Context) -> Decision:
    """Decide the first facts of an event that began elsewhere; `BadInput` where that cannot have been."""
    book = apply_options(thaw_book(command.book), command.options)
    players, rounds, options = command.players, command.rounds, command.options
    history = build_history(players, rounds, book)
    check_options(options, history.rounds, book)
    check_reported(players, rounds[:-1])
    if rounds:  # what was planned stays, as if the event had begun here, unless more is played already
        planned = fix_plan(
            options, split_into_parts(excuse_idle_parts(history, book, options), book, options), book
        )
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
    others = sum(old != new for old, new in ids.items())
    if others:
        decision.says.append(f"{plural(others, 'player')} got another id: everybody can see ids here")
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
        )
        decision.facts.append(entered)
    taken = f.TakenOver(
        source=command.source,
        rounds=tuple(_convert_round(a_round, ids, others > 0) for a_round in rounds),
        drawn=_collect_numbers(players, ids),
        seed=_find_lots_seed(command, others > 0),
        # The file itself is kept outside the log, since it names people.
        original=None if command.original is None else decision.keep(command.original.encode()),
    )
    decision.facts.append(taken)
    return decision


def _find_lots_seed(command: TakeOver, others: bool) -> str | None:
    """Return the seed of lots outside rounds, where it is not the one of the last Swiss round."""
    if others:
        return choose_lot_seed([command.seed], command.rounds[: count_whole_rounds(command.rounds)]) or None
    bracket = [a_round.seed for a_round in command.rounds if a_round.in_bracket]
    return command.seed if command.seed is not None or not bracket else bracket[0]


def find_unfit_ids(players: Sequence[Player]) -> list[str]:
    """Return ids that players cannot keep: an address cannot hold them, or they say who somebody is.

    A membership number is for staff, and ids are for everybody.
    """
    return [p.id for p in players if not ID_PATTERN.fullmatch(p.id) or p.id in (*RESERVED_IDS, p.member)]


def _choose_ids(command: TakeOver, book: Book) -> dict[str, str]:
    """Return the id that each player gets: their own, if they can keep it."""
    players = command.players
    old = find_unfit_ids(players)
    fine = {player.id for player in players} - set(old)
    free = (player_id for number in count(1) if (player_id := f"p{number}") not in fine)
    new = assign_ids(old, islice(free, len(old)), command.rounds, command.seed, book)
    return {player.id: new.get(player.id, player.id) for player in players}


def _collect_numbers(players: Sequence[Player], ids: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return what was drawn for the players of a file, and when they left: kind to player to number."""
    found = {}
    for kind, name in (DRAWN_FIELDS | LEFT_FIELDS).items():
        if numbers := {ids[p.id]: value for p in players if (value := getattr(p, name)) is not None}:
            found[kind] = numbers
    return found


def _convert_round(a_round: Round, ids: Mapping[str, str], others: bool) -> Round:
    """Return the round with the new ids, every table numbered, and without reasons: they can hold names.

    `others`: some ids are new, for which its seed would draw other tables.
    """
    tables = [replace(replace_ids(table, ids), why=()) for table in number_foreign_tables(a_round.tables)]
    return replace(a_round, tables=sort_tables(tables), seed=None if others else a_round.seed)


def number_foreign_tables(tables: Sequence[Table]) -> list[Table]:
    """Return the tables with their numbers; counted in their order where some have none or the same one."""
    numbers = [table.table for table in tables if len(table.players) > 1]
    fine = all(isinstance(number, int) and 1 <= number <= LAST_TABLE for number in numbers)
    number_of = iter(numbers if fine and len(set(numbers)) == len(numbers) else count(1))
    return [replace(t, table=None if len(t.players) == 1 else next(number_of)) for t in tables]
