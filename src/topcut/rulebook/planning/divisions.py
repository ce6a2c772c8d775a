"""Plan an event of several divisions."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import BadInput, Impossible
from topcut.rulebook.layout import Divisions, cite
from topcut.rulebook.model import Book
from topcut.rulebook.planning.plan import AS_USUAL, EventPlan, Wishes, note_unlike_shares, plan_pool
from topcut.rulebook.planning.pool import DivisionMode, PlannedPool, group_divisions
from topcut.text.messages import list_and
from topcut.text.phrases import plural


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
    book: Book, players: Sequence[int], wishes: Wishes | Sequence[Wishes] = AS_USUAL
) -> DivisionsPlan:
    """Plan divisions of these sizes, with one set of wishes for all or one for each."""
    rule = book.divisions
    if rule is None:
        raise BadInput(f"{book.id} has no divisions: expected one number", place="players")
    names = name_divisions(rule, len(players))
    asked = [wishes] * len(players) if isinstance(wishes, Wishes) else list(wishes)
    if not any(players):
        raise BadInput("expected at least one division with players", place="players")
    event_format = asked[0].format or book.plan.formats[0]
    if event_format in rule.ignored_by:
        mode: DivisionMode = "off"
        groups = [[i for i, number in enumerate(players) if number]]
    else:
        mode, groups = group_divisions(rule, players)
    nobody = EventPlan(players=0, format=event_format, notes=("nobody plays in this division",))
    plans = [nobody] * len(players)
    pools = []
    for group in groups:
        sizes = [players[i] for i in group]
        counts = max(sizes) if mode == "modified" and rule.counted == "largest" else sum(sizes)  # PK-50
        together = tuple(names[i] for i in group)
        try:
            whole = plan_pool(book, PlannedPool(sum(sizes), counts, mode), _share_wishes(asked, group))
        except Impossible as refused:
            raise Impossible(f"{list_and(together)}: {refused.problem}", rule=refused.rule) from None
        pools.append(PoolPlan(divisions=together, plan=whole))
        for i in group:
            plans[i] = replace(whole, players=players[i])
    cuts = [
        (f"{list_and(pool.divisions)} {cut} of {pool.plan.players}", Fraction(cut, pool.plan.players))
        for pool in pools
        if (cut := pool.plan.cut)
    ]
    unlike = note_unlike_shares(book, cuts)
    notes = _explain_mode(rule, mode, players, names, groups) + ((unlike,) if unlike else ())
    return DivisionsPlan(mode=mode, divisions=tuple(plans), pools=tuple(pools), notes=notes)


def name_divisions(rule: Divisions, count: int) -> list[str]:
    """Return the divisions' names in the order of the book; numbers where not all of them take part."""
    known = [division.name for division in rule.list]
    if count > len(known):
        raise BadInput(f"there are {len(known)} divisions ({list_and(known)}), not {count}", place="players")
    return known if count == len(known) else [f"division {i + 1}" for i in range(count)]


def _share_wishes(asked: Sequence[Wishes], group: Sequence[int]) -> Wishes:
    first = asked[group[0]]
    for i in group[1:]:
        for name in ("cut", "flights"):
            if getattr(asked[i], name) != getattr(first, name):
                raise BadInput("divisions in one pool share it: expected one number", place=name)
    return first


def _explain_mode(
    rule: Divisions, mode: DivisionMode, players: Sequence[int], names: Sequence[str], groups: list[list[int]]
) -> tuple[str, ...]:
    """Explain why the divisions do not each play on their own."""
    if mode == "off":
        return (cite("this format does not use divisions", rule, "ignored_by"),)  # PK-16
    if mode == "separate":
        return ()
    # PK-13
    short = [i for i, n in enumerate(players) if n < rule.separate_from and (n or rule.empty == "short")]
    few = list_and(f"{names[i]} has {plural(players[i], 'player')}" for i in short)
    joined = [list_and(names[i] for i in group) for group in groups if len(group) > 1]
    together = f"{list_and(joined)} in one pool" if joined else "nobody to join"
    notes = [cite(f"{few}, fewer than {rule.separate_from}: {together}", rule, "merge")]
    for group in groups:
        if len(group) > 1 and rule.counted == "largest":
            largest = max(group, key=lambda i: players[i])
            those = f"{names[largest]}, {plural(players[largest], 'player')}"
            notes.append(cite(f"rounds and cut of this pool are those for {those}", rule, "counted"))
    return tuple(notes)
