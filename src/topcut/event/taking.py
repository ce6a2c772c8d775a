"""How an event comes here out of a file, at any moment of its life, to go on from there.

What was played elsewhere is one fact: Topcut has not seen it happen, and says so wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, islice

from msgspec.structs import replace

from topcut.digests import text_digest
from topcut.event import facts as f
from topcut.event.applying import DRAWN, TAKEN
from topcut.event.commands import Create, TakeOver
from topcut.event.create import create
from topcut.event.deciding import RESERVED, Context, Decision, checked_name
from topcut.event.log import digest
from topcut.event.plan import as_planned
from topcut.event.private import Person, sealed
from topcut.event.sensible import ID
from topcut.event.state import ordered
from topcut.history import build, check_reported
from topcut.history.divisions import division_of
from topcut.history.model import Player, Round, Table
from topcut.history.parts import parts, without_idle
from topcut.rulebook.frozen import thawed
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, as_played, check_options
from topcut.rulebook.planning.words import counted
from topcut.stages.ids import other_ids, renamed, whole_rounds
from topcut.stages.scored import seed_of_lots

LAST_TABLE = 10**6


def take_over(command: TakeOver, context: Context) -> Decision:
    """The first facts of an event that was begun elsewhere; `BadInput` where that cannot have been."""
    book = as_played(thawed(command.book), command.options)
    history = build(command.players, command.rounds, book)
    check_options(command.options, history.rounds, book)
    check_reported(command.players, command.rounds[:-1])
    options = command.options
    if command.rounds:  # what was planned stays, as if the event had begun here
        history = without_idle(history, book, options)
        options = _planned(options, as_planned(options, parts(history, book, options), book), command.rounds)
    decision = create(
        Create(
            name=command.name,
            book=command.book,
            options=options,
            kept_months=command.kept_months,
            first_table=_first_table(command.rounds),
        ),
        context,
    )
    ids = _ids(command, book)
    if others := sum(old != new for old, new in ids.items()):
        decision.says.append(f"{counted(others, 'player')} got another id: everybody can see ids here")
    for position, player in enumerate(command.players):
        _enter(decision, player, ids[player.id], book, position, context)
    original = _keep(decision, command.original)
    decision.facts.append(
        f.TakenOver(
            source=command.source,
            rounds=tuple(_as_played_here(a_round, ids, others > 0) for a_round in command.rounds),
            drawn=_numbers(command.players, ids),
            seed=_lots(command, others > 0),
            original=original,
        )
    )
    return decision


def _lots(command: TakeOver, others: bool) -> str | None:
    """The seed of lots outside rounds, where it is not the one of the last Swiss round."""
    if others:
        return seed_of_lots([command.seed], command.rounds[: whole_rounds(command.rounds)]) or None
    bracket = [a_round.seed for a_round in command.rounds if a_round.stage == "elimination"]
    return command.seed if command.seed is not None or not bracket else bracket[0]


def _planned(options: Options, planned: Options, rounds: Sequence[Round]) -> Options:
    """What the rules plan, unless more than that is played already."""
    played = sum(a_round.stage == "swiss" for a_round in rounds)
    return options if planned.rounds is not None and planned.rounds < played else planned


def _first_table(rounds: Sequence[Round]) -> int:
    """The lowest number that a table has."""
    numbers = [table.table for a_round in rounds for table in numbered(a_round.tables) if table.table]
    return min((number for number in numbers if isinstance(number, int)), default=1)


def unfit(players: Sequence[Player]) -> list[str]:
    """Ids that players cannot keep here: an address cannot hold them, or they say who somebody is.

    A membership number is for staff, and ids are for everybody.
    """
    return [p.id for p in players if not ID.fullmatch(p.id) or p.id in RESERVED or p.id == p.member]


def _ids(command: TakeOver, book: Book) -> dict[str, str]:
    """The id that each player has here: their own, if they can keep it."""
    players = command.players
    old = unfit(players)
    fine = {player.id for player in players} - set(old)
    free = (player_id for number in count(1) if (player_id := f"p{number}") not in fine)
    new = other_ids(old, islice(free, len(old)), command.rounds, command.seed, book)
    return {player.id: new.get(player.id, player.id) for player in players}


def _enter(
    decision: Decision, player: Player, player_id: str, book: Book, position: int, context: Context
) -> None:
    """A player, with who they are kept outside the log."""
    # Whoever has no name is called by the id of here: the one of the file may say who they are.
    name = checked_name(player.name if player.name.strip() else player_id, f"players[{position}].name")
    salt = text_digest(context.entropy, "person", str(position)).hex()[:32]
    key, body = sealed(Person(name=name, member=player.member, born=player.born, salt=salt))
    decision.private[key] = body
    decision.facts.append(
        f.Registered(
            player=player_id,
            person=key,
            division=division_of(player, book),
            apart=player.apart,
            entered=player.entered,
        )
    )


def _keep(decision: Decision, original: str | None) -> str | None:
    """The key to the file itself, which names people and so is kept where they are."""
    if original is None:
        return None
    body = original.encode()
    key = digest(body)
    decision.private[key] = body
    return key


def _numbers(players: Sequence[Player], ids: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """What the file says of players in numbers: what was drawn for them, and when they left."""
    found: dict[str, dict[str, int]] = {}
    for kind, name in (DRAWN | TAKEN).items():
        values = {ids[p.id]: value for p in players if (value := getattr(p, name)) is not None}
        if values:
            found[kind] = values
    return found


def _as_played_here(a_round: Round, ids: Mapping[str, str], others: bool) -> Round:
    """The round with the ids of here, every table numbered, and without reasons: they can hold names.

    `others`: some ids are other ones, for which its seed would draw other tables.
    """
    tables = [replace(renamed(table, ids), why=()) for table in numbered(a_round.tables)]
    return replace(a_round, tables=ordered(tables), seed=None if others else a_round.seed)


def numbered(tables: Sequence[Table]) -> list[Table]:
    """The tables with their numbers; counted in their order where they have none or the same ones."""
    numbers = [table.table for table in tables if len(table.players) > 1]
    fine = all(isinstance(number, int) and 1 <= number <= LAST_TABLE for number in numbers)
    kept = fine and len(set(numbers)) == len(numbers)
    found, position = [], 0
    for table in tables:
        if len(table.players) == 1:
            found.append(replace(table, table=None))
            continue
        position += 1
        found.append(table if kept else replace(table, table=position))
    return found
