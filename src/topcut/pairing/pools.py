"""Split a round into pools, by division, flight or pod, and draw flights and pods that nobody has yet."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from topcut.errors import BadInput
from topcut.history import History
from topcut.history.parts import Part
from topcut.lots import Stream
from topcut.pairing.engine.field import Ints
from topcut.rulebook.layout import cite_reading
from topcut.rulebook.model import Book
from topcut.rulebook.planning.pool import PlannedPool as Planned
from topcut.rulebook.planning.pool import compute_pod_sizes, plan_flights
from topcut.standings import rank
from topcut.text.messages import Message, say

Drafting = Literal["as planned", "always", "never"]
"""Whether rounds are played in pods: where a stage says so, in all of them, or in none."""
Split = dict[tuple[str, int], list[int]]
"""Players by the flight or pod that they are in: the word for it and its number, or nothing and 0."""


@dataclass(frozen=True)
class PairingPool:
    """The players who are paired with each other in this round, as numbers in the history."""

    name: str
    """Empty where there is only one pool."""
    players: list[int]
    mixed: bool
    """Whether it holds several divisions."""
    rounds: int | None
    """Planned Swiss rounds; None where the rules give no number."""
    recommended: int | None
    """Rounds that the rules recommend for this number of players."""
    pods_from: int | None = None
    """The first round (from 0) that was played in these pods, where a stage or a draft says so."""
    title: str = ""
    """The name as people read it."""


@dataclass(frozen=True)
class PoolLayout:
    """The pools of a round, and what had to be drawn for them: player id to number."""

    pools: list[PairingPool]
    drawn: dict[str, dict[str, int]]
    notes: tuple[Message, ...] = ()
    """Which flights late players have joined now, and why."""
    awarded: tuple[tuple[int, str], ...] = ()
    """Players who won this round before the event began, with the title of the pool they would be in."""

    def take_out(self, awarded: Container[int]) -> "PoolLayout":
        """Return the layout without these players, who have awarded byes."""
        byes: list[tuple[int, str]] = []
        pools: list[PairingPool] = []
        for pool in self.pools:
            byes += [(i, pool.title) for i in pool.players if i in awarded]
            if paired := [i for i in pool.players if i not in awarded]:
                pools.append(replace(pool, players=paired))
        return PoolLayout(pools, self.drawn, self.notes, tuple(byes))


@dataclass(frozen=True)
class RoundSeeds:
    """What lots come from: the seed of the draw, and that of the standings as everybody sees them."""

    draw: str
    standings: str


def lay_out_pools(
    history: History,
    book: Book,
    running: Sequence[Part],
    active: Ints,
    seeds: RoundSeeds,
    drafting: Drafting,
    draft_from: int | None = None,
) -> PoolLayout:
    """Return the pools of the next round, in the parts that have one.

    `draft_from`: the first round (from 0) of the draft, where rounds are always in pods and that is known.
    """
    drawn: dict[str, dict[str, int]] = {}
    pools: list[PairingPool] = []
    notes: list[Message] = []
    here = set(active.tolist())

    def split(present: list[int], given: dict[int, int], word: str, written: Container[int]) -> Split:
        """Divide players by the numbers that are given to them; note those that are not written down yet."""
        fresh = {history.players[i].id: number for i, number in given.items() if i not in written}
        if fresh:
            drawn.setdefault(f"{word}s", {}).update(fresh)
        numbers = sorted({given[i] for i in present})
        return {(word, number): [i for i in present if given[i] == number] for number in numbers}

    for part in running:
        present = [i for i in part.members if i in here]
        named: Split = {("", 0): present}
        with_flights = {i for i in part.members if history.players[i].flight}
        if part.flights or with_flights:
            assigned, joined = _assign_flights(history, book, part, seeds.draw)
            named = split(present, assigned, "flight", with_flights)
            notes += joined
        stage = part.stage_of(history.rounds)
        by_stage = stage if drafting == "as planned" and stage and stage.drafts else None
        if by_stage or drafting == "always":
            # The pods of an earlier stage are over where a new one begins with this round.
            earlier = [part.stage_of(r) for r in range(history.rounds)]
            begins = by_stage is not None and by_stage.first == history.rounds
            renewed = begins and any(at and at.drafts for at in earlier)
            written = {} if renewed else {i: pod for i in present if (pod := history.players[i].pod)}
            named = split(
                present, _assign_pods(history, book, present, seeds.standings, written), "pod", written
            )
        pods_from = by_stage.first if by_stage else draft_from if drafting == "always" else None
        for (word, number), players in named.items():
            name = " ".join(filter(None, (part.name, word and f"{word} {number}")))
            title = title_pool(part.name, word, number)
            pools.append(
                PairingPool(name, players, part.mixed, part.rounds, part.recommended, pods_from, title)
            )
    return PoolLayout([pool for pool in pools if pool.players], drawn, tuple(notes))


def title_pool(division: str, word: str, number: int) -> str:
    """Return what people call a flight or a pod; the division where there are neither."""
    if word == "flight":
        if division:
            return say("{division}, flight {number}", division=division, number=number)
        return say("Flight {number}", number=number)
    if word == "pod":
        if division:
            return say("{division}, pod {number}", division=division, number=number)
        return say("Pod {number}", number=number)
    return division


def _assign_flights(
    history: History, book: Book, part: Part, seed: str
) -> tuple[dict[int, int], list[Message]]:
    """Return the flight of every player, and who joins one late.

    Flights are as written, else drawn (PK-44).
    """
    stream = Stream(seed, f"flights/{part.name}")
    members, flights = part.members, part.flights or 1
    given = {i: flight for i in members if (flight := history.players[i].flight) is not None}
    for i, flight in given.items():
        if book.flights is None:
            raise BadInput(say("{ruleset} has no flights", ruleset=book.id), place=f"players[{i}].flight")
        most = flights if flights > 1 else max(book.flights.counts)
        if flight > most:
            problem = say("expected a flight from 1 to {most}, not {flight}", most=most, flight=flight)
            raise BadInput(problem, place=f"players[{i}].flight")
    waiting = sorted((i for i in members if i not in given), key=lambda i: history.players[i].id)
    if not given:
        if part.flights_refused is not None:
            raise part.flights_refused
        on_time = [i for i in waiting if history.entered[i] <= history.rounds + 1]
        pool = Planned(len(on_time), len(on_time), "separate" if part.mode == "off" else part.mode)
        sizes = plan_flights(book, pool, part.format, flights)
        order = stream.order(len(on_time)).tolist()
        numbers = [f for f, size in enumerate(sizes, start=1) for _ in range(size)]
        given = {on_time[at]: number for at, number in zip(order, numbers, strict=True)}
        waiting = [i for i in waiting if i not in given]
    joined = _join_flights(history, book, given, flights, waiting, stream)
    return given | {i: flight for i, (flight, _) in joined.items()}, [says for _, says in joined.values()]


def _join_flights(
    history: History, book: Book, given: dict[int, int], flights: int, late: list[int], stream: Stream
) -> dict[int, tuple[int, Message]]:
    """Return the flights of players who come late, by the sizes at the beginning, and why (PK-47, PK-A17)."""
    everywhere = range(1, max([flights, *given.values()]) + 1)
    started = Counter(f for i, f in given.items() if history.entered[i] == 1)
    smaller = [f for f in everywhere if started[f] < max(started.values(), default=0)]
    smallest = [f for f in everywhere if started[f] == min(started[f] for f in everywhere)]
    found = {}
    for i in late:
        about = {"player": history.players[i].shown_name}
        if len(smaller) == 1:
            flight = smaller[0]
            says = say("{player} joins flight {flight}, which started smaller.", flight=flight, **about)
        elif smaller and book.flights is not None and book.flights.late == "smallest":
            flight = smallest[stream.below(len(smallest))]
            says = say(
                "{player} joins flight {flight}, drawn at random from the flights that started smallest.",
                flight=flight,
                **about,
            )
        else:
            flight = everywhere[stream.below(len(everywhere))]
            says = say("{player} joins flight {flight}, drawn at random.", flight=flight, **about)
        found[i] = flight, cite_reading(says, book.flights, "late") if len(smaller) > 1 else says
    return found


def _assign_pods(
    history: History, book: Book, present: list[int], seed: str, written: dict[int, int]
) -> dict[int, int]:
    """Return the pod of every player here: as written, else by the published standings (FB-11)."""
    rule = book.pairing.pods if book.pairing else None
    if rule is None:
        raise BadInput(say("{ruleset} has no pods", ruleset=book.id), place="options.mode")
    if not written:
        here = set(present)
        order = [int(i) for i in rank(history, book, seed).order if int(i) in here]
        pods = enumerate(compute_pod_sizes(len(order), rule), start=1)
        return dict(zip(order, [pod for pod, size in pods for _ in range(size)], strict=True))
    given = dict(written)
    # A player who came after the pods were made joins the smallest.
    for i in sorted((i for i in present if i not in given), key=lambda i: history.players[i].id):
        given[i] = find_smallest_pod(given.values())
    return given


def find_smallest_pod(taken: Iterable[int]) -> int:
    """Return the pod with the fewest players, the first of several, from the pods that players are in."""
    sizes = Counter(taken)
    return min(sizes, key=lambda pod: (sizes[pod], pod))
