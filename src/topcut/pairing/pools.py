"""Who plays with whom at all: the pools of a round, by division, flight or pod.

Flights and pods that nobody has been given yet are drawn here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil

import msgspec
import numpy as np

from topcut.errors import BadInput, Impossible
from topcut.history import History
from topcut.history.divisions import division_mode, division_of
from topcut.lots import Stream
from topcut.pairing.field import Ints
from topcut.rulebook.model import Book, Pods
from topcut.rulebook.options import ForDivision, Options
from topcut.rulebook.planning.flights import flights_of
from topcut.rulebook.planning.plan import Wishes, plan_pool
from topcut.rulebook.planning.pool import Mode, grouped
from topcut.rulebook.planning.pool import Pool as Planned
from topcut.standings import rank


@dataclass(frozen=True)
class PoolOf:
    """The players who are paired with each other in this round, as numbers in the history."""

    name: str
    """Empty where there is only one pool."""
    players: list[int]
    mixed: bool
    """Whether it holds several divisions."""
    rounds: int | None
    """Planned Swiss rounds; None where the rules give no number."""
    recommended: int | None
    """What the rules recommend for so many players."""


@dataclass(frozen=True)
class Layout:
    """The pools of a round, and what had to be drawn for them: player id to number."""

    pools: list[PoolOf]
    drawn: dict[str, dict[str, int]]


def layout(history: History, book: Book, options: Options, active: Ints, seed: str) -> Layout:
    """The pools of the next round."""
    # Players who enter later are not known yet, so that a round can be drawn again when they are.
    known = [i for i in range(history.size) if history.entered[i] <= history.rounds + 1]
    mode = _mode(history, book, options, known)
    names = [division_of(player, book) for player in history.players]
    drawn: dict[str, dict[str, int]] = {}
    pools: list[PoolOf] = []
    here = set(active.tolist())
    for label, members in _by_division(mode, book, names, known):
        rounds, recommended = _rounds(book, options, members, names, mode)
        present = [i for i in members if i in here]
        mixed = mode == "modified" and len({names[i] for i in members}) > 1
        parts = {"": present}
        flights = _own(options, {names[i] for i in members}).flights or options.flights or 1
        if flights > 1 or any(history.players[i].flight for i in members):
            given = _flights(history, book, options, members, flights, mode, label, seed)
            fresh = {history.players[i].id: f for i, f in given.items() if history.players[i].flight is None}
            if fresh:
                drawn.setdefault("flights", {}).update(fresh)
            parts = _split(present, given, "flight")
        if options.mode == "draft":
            given = _pods(history, book, present, seed)
            fresh = {history.players[i].id: p for i, p in given.items() if history.players[i].pod is None}
            if fresh:
                drawn.setdefault("pods", {}).update(fresh)
            parts = _split(present, given, "pod")
        for part, players in parts.items():
            name = " ".join(word for word in (label, part) if word)
            pools.append(PoolOf(name, players, mixed, rounds, recommended))
    return Layout([pool for pool in pools if pool.players], drawn)


def _mode(history: History, book: Book, options: Options, known: list[int]) -> Mode:
    """Divisions that began in one pool stay in it; a late player can only make it necessary (PK-13)."""
    began = [history.players[i] for i in known if history.entered[i] == 1]
    now = division_mode([history.players[i] for i in known], book, options.divisions)
    before = division_mode(began, book, options.divisions)
    return "modified" if "modified" in (now, before) else now


def _by_division(
    mode: Mode, book: Book, names: list[str | None], everyone: list[int]
) -> list[tuple[str, list[int]]]:
    """(name, players) for each set of divisions that play together; also players who left."""
    if mode == "off" or book.divisions is None:
        return [("", everyone)]
    order = [division.name for division in book.divisions.list]
    if mode == "separate":
        together = [[name] for name in order]
    else:
        here = [names[i] for i in everyone]
        sizes = [here.count(name) for name in order]
        kind, groups = grouped(book.divisions, sizes)
        together = [[order[i] for i in group] for group in groups] if kind == "modified" else [order]
    sets = [(" and ".join(group), [i for i in everyone if names[i] in group]) for group in together]
    without = [i for i in everyone if names[i] is None]
    if without and mode == "separate":
        sets.append(("no division", without))
    elif without:
        sets[-1][1].extend(without)
    sets = [(label, members) for label, members in sets if members]
    return [("", members) for _, members in sets] if len(sets) == 1 else sets


def _rounds(
    book: Book, options: Options, members: list[int], names: list[str | None], mode: Mode
) -> tuple[int | None, int | None]:
    """Planned rounds and recommended rounds of a pool."""
    sizes = Counter(names[i] for i in members)
    largest = book.divisions is not None and book.divisions.counted == "largest" and mode == "modified"
    pool = Planned(len(members), max(sizes.values(), default=0) if largest else len(members), mode)
    flights = _own(options, set(sizes)).flights or options.flights
    usual = Wishes(format=options.format, table=options.table)
    recommended = None
    for wishes in (msgspec.structs.replace(usual, flights=flights, cut=options.cut), usual):
        try:
            plan = plan_pool(book, pool, wishes)
        except (Impossible, BadInput):  # a cut or flights that so few players cannot have
            continue
        recommended = plan.rounds
        if recommended is not None and plan.day_two is not None:
            recommended += plan.day_two.rounds
        break
    asked = _own(options, set(sizes)).rounds or options.rounds
    return asked or recommended, recommended


def _own(options: Options, divisions: set[str | None]) -> ForDivision:
    """What the options say for one division alone."""
    name = next(iter(divisions)) if len(divisions) == 1 else None
    return (options.by_division or {}).get(name or "") or ForDivision()


def _split(players: list[int], given: dict[int, int], word: str) -> dict[str, list[int]]:
    numbers = sorted({given[i] for i in players})
    return {f"{word} {number}": [i for i in players if given[i] == number] for number in numbers}


def _flights(
    history: History,
    book: Book,
    options: Options,
    members: list[int],
    flights: int,
    mode: Mode,
    label: str,
    seed: str,
) -> dict[int, int]:
    """The flight of every player of a division: as written, else drawn (PK-44); late players join (PK-47)."""
    stream = Stream(seed, f"flights/{label}")
    given = {i: flight for i in members if (flight := history.players[i].flight) is not None}
    for i, flight in given.items():
        if book.flights is None:
            raise BadInput(f"{book.id} has no flights", place=f"players[{i}].flight")
        if 1 < flights < flight:
            raise BadInput(
                f"expected a flight from 1 to {flights}, not {flight}", place=f"players[{i}].flight"
            )
    waiting = [i for i in members if i not in given]
    waiting.sort(key=lambda i: history.players[i].id)
    if not given:
        on_time = [i for i in waiting if history.entered[i] <= history.rounds + 1]
        pool = Planned(len(on_time), len(on_time), "separate" if mode == "off" else mode)
        sizes = flights_of(book, pool, options.format or book.plan.formats[0], flights)
        order = stream.order(len(on_time)).tolist()
        numbers = [f for f, size in enumerate(sizes, start=1) for _ in range(size)]
        given = {on_time[at]: number for at, number in zip(order, numbers, strict=True)}
        waiting = [i for i in waiting if i not in given]
    everywhere = range(1, max([flights, *given.values()]) + 1)
    started = Counter(f for i, f in given.items() if history.entered[i] == 1)
    for i in waiting:
        sizes_now = Counter(given.values())
        candidates = list(everywhere)
        smaller = [f for f in everywhere if started[f] < max(started.values(), default=0)]
        if len(smaller) == 1:
            candidates = smaller
        elif smaller and book.flights is not None and book.flights.late == "smallest":  # PK-A17
            fewest = min(sizes_now[f] for f in everywhere)
            candidates = [f for f in everywhere if sizes_now[f] == fewest]
        given[i] = candidates[stream.below(len(candidates))]
    return given


def _pods(history: History, book: Book, present: list[int], seed: str) -> dict[int, int]:
    """The pod of every player here: as written, else by standing (FB-11)."""
    rule = book.pairing.pods if book.pairing else None
    if rule is None:
        raise BadInput(f"{book.id} has no pods", place="options.mode")
    given = {i: pod for i in present if (pod := history.players[i].pod) is not None}
    if given:
        # Who came after the pods were made joins the smallest.
        for i in sorted((i for i in present if i not in given), key=lambda i: history.players[i].id):
            sizes = Counter(given.values())
            given[i] = min(sizes, key=lambda pod: (sizes[pod], pod))
        return given
    here = np.zeros(history.size, bool)
    here[present] = True
    order = [int(i) for i in rank(history, book, seed).order if here[i]]
    numbers = [pod for pod, size in enumerate(pod_sizes(len(order), rule), start=1) for _ in range(size)]
    return dict(zip(order, numbers, strict=True))


def pod_sizes(players: int, rule: Pods) -> list[int]:
    """The sizes of pods, from the top (FB-A9).

    >>> from topcut.rulebook.model import Pods
    >>> rule = Pods(source="", size=8, remainder="own from half", outside="avoided")
    >>> pod_sizes(29, rule), pod_sizes(27, rule)
    ([8, 8, 8, 5], [8, 8, 11])
    """
    whole, left = divmod(players, rule.size)
    if rule.remainder == "equal":
        pods = max(1, whole if left < rule.size / 2 else whole + 1)
        while pods > 1 and players / pods < ceil(rule.size * 3 / 4):
            pods -= 1
        size, more = divmod(players, pods)
        return [size + 1] * more + [size] * (pods - more)
    if whole == 0:
        return [left] if left else []
    if left >= rule.size / 2:
        return [rule.size] * whole + [left]
    return [rule.size] * (whole - 1) + [rule.size + left]
