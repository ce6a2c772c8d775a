"""Plan an event of several divisions."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import BadInput, Impossible
from topcut.rulebook.layout import BracketStage, Divisions, cite, cite_both, cite_reading
from topcut.rulebook.model import Book
from topcut.rulebook.planning.plan import AS_USUAL, EventPlan, Wishes, note_unlike_shares, plan_pool
from topcut.rulebook.planning.pool import DivisionMode, PlannedPool, group_divisions, refuse_flights
from topcut.text.messages import Message, count, list_and, say


class PoolPlan(Struct, frozen=True, kw_only=True):
    """Divisions that play together, and their plan."""

    divisions: tuple[str, ...]
    plan: EventPlan


class DivisionsPlan(Struct, frozen=True, kw_only=True):
    """The plan of an event of several divisions."""

    mode: DivisionMode
    divisions: tuple[EventPlan, ...]
    """One for each number of players, in their order; divisions of one pool share rounds, cut and bracket."""
    pools: tuple[PoolPlan, ...]
    notes: tuple[str, ...] = ()


def plan_divisions(
    book: Book,
    players: Sequence[int],
    wishes: Wishes | Sequence[Wishes] = AS_USUAL,
    flights_for_all: bool | None = None,
) -> DivisionsPlan:
    """Plan divisions of these sizes, with one set of wishes for all or one for each.

    `flights_for_all`: whether one number of flights was given for all divisions; then only those play in
    flights that the rules allow it (PK-42). None: where one set of wishes is given.
    """
    rule = book.divisions
    if rule is None:
        raise BadInput(say("{rules} has no divisions: expected one number", rules=book.id), place="players")
    names = name_divisions(book, len(players))
    shown = [name if isinstance(name, Message) else book.label(name) for name in names]
    asked = [wishes] * len(players) if isinstance(wishes, Wishes) else list(wishes)
    if not any(players):
        raise BadInput(say("expected at least one division with players"), place="players")
    event_format = asked[0].format or book.plan.formats[0]
    if event_format in rule.ignored_by:
        mode: DivisionMode = "off"
        groups = [[i for i, number in enumerate(players) if number]]
    else:
        mode, groups = group_divisions(rule, players)
    if isinstance(wishes, Wishes) if flights_for_all is None else flights_for_all:
        asked = _spare_flights(book, players, mode, groups, asked)
    nobody = EventPlan(players=0, format=event_format, notes=(say("this division has no players"),))
    plans = [nobody] * len(players)
    pools = []
    cuts: list[tuple[str, Fraction]] = []
    for group in groups:
        sizes = [players[i] for i in group]
        counts = max(sizes) if mode == "modified" and rule.counted == "largest" else sum(sizes)  # PK-50
        divisions = list_and(shown[i] for i in group)
        try:
            whole = plan_pool(book, PlannedPool(sum(sizes), counts, mode), _share_wishes(asked, group))
        except Impossible as refused:
            problem = say("{divisions}: {problem}", divisions=divisions, problem=refused.problem)
            raise Impossible(problem, rule=refused.rule) from None
        pools.append(PoolPlan(divisions=tuple(names[i] for i in group), plan=whole))
        if whole.cut:
            share = say(
                "{divisions} {cut} of {players}", divisions=divisions, cut=whole.cut, players=whole.players
            )
            cuts.append((share, Fraction(whole.cut, whole.players)))
        for i in group:
            plans[i] = replace(whole, players=players[i])
    unlike = note_unlike_shares(book, cuts)
    own = _note_own_brackets(book, event_format, len(cuts))
    notes = (
        _explain_mode(book, mode, players, shown, groups)
        + _note_empty(rule, mode, players, shown)
        + own
        + ((unlike,) if unlike else ())
    )
    return DivisionsPlan(mode=mode, divisions=tuple(plans), pools=tuple(pools), notes=notes)


def _spare_flights(
    book: Book, players: Sequence[int], mode: DivisionMode, groups: list[list[int]], asked: list[Wishes]
) -> list[Wishes]:
    """Return the wishes without flights for the divisions that may have none, if others may."""
    refused = set()
    for group in groups:
        wish, number = asked[group[0]], sum(players[i] for i in group)
        event_format = wish.format or book.plan.formats[0]
        flights = wish.flights or 1
        if book.flights is None or flights == 1:
            return asked
        if refuse_flights(book, PlannedPool(number, number, mode), event_format, flights):
            refused.update(group)
    if len(refused) == sum(map(len, groups)):
        return asked
    return [replace(wish, flights=None) if i in refused else wish for i, wish in enumerate(asked)]


def _note_empty(
    rule: Divisions, mode: DivisionMode, players: Sequence[int], names: Sequence[str]
) -> tuple[Message, ...]:
    """Return that divisions without players do not count as short ones (PK-A8)."""
    empty = [name for name, number in zip(names, players, strict=True) if not number]
    if mode == "off" or not empty or rule.empty == "short" or not rule.reading("empty"):
        return ()
    note = count(
        "{divisions} has no players and does not count",
        "{divisions} have no players and do not count",
        len(empty),
        divisions=list_and(empty),
    )
    return (cite_reading(note, rule, "empty"),)


def _note_own_brackets(book: Book, event_format: str, brackets: int) -> tuple[Message, ...]:
    """Return that divisions that play apart have a bracket each (PK-A31)."""
    found = [
        stage for stage in book.stages if event_format in stage.formats and isinstance(stage, BracketStage)
    ]
    if brackets < 2 or not found or found[0].brackets == "one" or not found[0].reading("brackets"):
        return ()
    return (cite_reading(say("divisions that play apart have a bracket each"), found[0], "brackets"),)


def name_divisions(book: Book, number: int) -> list[str]:
    """Return the divisions' names in the order of the book; numbers where not all of them take part."""
    known = [division.name for division in book.divisions.list] if book.divisions else []
    if number > len(known):
        problem = count(
            "there is {n} division ({divisions}), not {given}",
            "there are {n} divisions ({divisions}), not {given}",
            len(known),
            divisions=list_and(map(book.label, known)),
            given=number,
        )
        raise BadInput(problem, place="players")
    if number == len(known):
        return known
    return [say("division {number}", number=i + 1) for i in range(number)]


def _share_wishes(asked: Sequence[Wishes], group: Sequence[int]) -> Wishes:
    first = asked[group[0]]
    for i in group[1:]:
        for name in ("cut", "flights"):
            if getattr(asked[i], name) != getattr(first, name):
                raise BadInput(say("divisions in one pool share it: expected one number"), place=name)
    return first


def _explain_mode(
    book: Book, mode: DivisionMode, players: Sequence[int], names: Sequence[str], groups: list[list[int]]
) -> tuple[Message, ...]:
    """Explain why the divisions do not each play on their own."""
    rule = book.divisions
    if mode == "separate" or rule is None:
        return ()
    if mode == "off":
        return (cite(say("this format does not use divisions"), rule, "ignored_by"),)  # PK-16
    # PK-13
    short = [i for i, n in enumerate(players) if n < rule.separate_from and (n or rule.empty == "short")]
    few = list_and(
        count("{division} has {n} player", "{division} has {n} players", players[i], division=names[i])
        for i in short
    )
    joined = list_and(list_and(names[i] for i in group) for group in groups if len(group) > 1)
    least = rule.separate_from
    why = (
        say("{few}, fewer than {least}: {divisions} play in one pool", few=few, least=least, divisions=joined)
        if joined
        else say("{few}, fewer than {least}: there is no other division to join", few=few, least=least)
    )
    notes = [cite(why, rule, "merge")]
    if sum(number >= rule.separate_from for number in players) > 1:  # PK-A26
        notes = [cite_both(why, rule, "merge")]
    for group in groups:
        if len(group) > 1 and rule.counted == "largest":
            largest = max(group, key=lambda i: players[i])
            note = count(
                "rounds and cut of this pool are those for {division}, {n} player",
                "rounds and cut of this pool are those for {division}, {n} players",
                players[largest],
                division=names[largest],
            )
            notes.append(cite(note, rule, "counted"))
    return tuple(notes)
