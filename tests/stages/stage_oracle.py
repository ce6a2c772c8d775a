"""A judge of brackets, cuts and final places who knows only the published rules.

    desk = Desk(an_event("pokemon-2017", 8, format="elimination"))
    while answer := desk.pair():
        desk.report(answer, lambda players: players[0])

Everything goes through the command line, event file in and document out; nothing of `topcut.stages` is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import settings

from tests.command_line import Answer, topcut
from tests.tiers import effort

File = dict[str, Any]
Document = dict[str, Any]
Seats = tuple[str | None, str | None]
Decide = Callable[[list[str]], str]

NOBODY = "double_loss"

FEW = settings(max_examples=effort(3, 10, 1_000))
"""For tests whose every example is a whole event."""


def names(number: int, prefix: str = "p") -> list[str]:
    return [f"{prefix}{i:03}" for i in range(1, number + 1)]


def an_event(rules: str, players: int | Sequence[str], **options: Any) -> File:
    """An event before its first round; its players have rank seeds where `seeded` is given."""
    seeded = options.pop("seeded", False)
    ids = names(players) if isinstance(players, int) else list(players)
    return {
        "topcut": 1,
        "name": "An event",
        "rules": rules,
        "options": options,
        "players": [
            {"id": player_id, "name": player_id.upper(), **({"seed": at} if seeded else {})}
            for at, player_id in enumerate(ids, 1)
        ],
        "rounds": [],
    }


def of(file: File, player_id: str) -> dict[str, Any]:
    """The entry of a player."""
    found: dict[str, Any] = next(player for player in file["players"] if player["id"] == player_id)
    return found


def remembered(decide: Decide) -> Decide:
    """The same answer for the same two players, whoever asks."""
    known: dict[frozenset[str], str] = {}

    def again(players: list[str]) -> str:
        return known.setdefault(frozenset(players), decide(sorted(players)))

    return again


def by_lot(random: Random) -> Decide:
    """Either player wins."""
    return random.choice


def best_first(order: Sequence[str]) -> Decide:
    """The player who stands first in an order wins."""
    return lambda players: min(players, key=order.index)


@dataclass
class Desk:
    """An event file, played on through the command line."""

    file: File
    readings: tuple[str, ...] = ()
    keeps_seeds: bool = True
    """Rounds are recorded with the seed they were drawn from."""

    def run(self, command: str, *arguments: str) -> Answer:
        readings = [word for reading in self.readings for word in ("--reading", reading)]
        return topcut(command, "-", *arguments, *readings, stdin=json.dumps(self.file).encode())

    def ask(self, command: str, *arguments: str) -> Document:
        """The document of a command that has to succeed."""
        answer = self.run(command, *arguments, "--json")
        assert answer.code == 0, answer.err
        document: Document = json.loads(answer.out)
        return document

    def pair(self, seed: str = "x") -> Document | None:
        """The next round, or None when there is none (exit code 3)."""
        answer = self.run("pair", "--seed", seed, "--json")
        if answer.code == 3:
            return None
        assert answer.code == 0, answer.err
        document: Document = json.loads(answer.out)
        return document

    def keep(self, answer: Document) -> None:
        """Copy to the players what an answer of `pair` gives them."""
        for kind in ("seeds", "cut", "flights", "pods"):
            given = answer.get(kind, {})
            for player in self.file["players"]:
                if player["id"] in given:
                    player[kind.removesuffix("s")] = given[player["id"]]

    def report(self, answer: Document, decide: Decide, leaving: dict[str, str] | None = None) -> None:
        """Record a round of `pair` with results; some leave after it, by dropping or otherwise."""
        self.keep(answer)
        tables: list[dict[str, Any]] = []
        for table in answer["tables"]:
            row = {key: value for key, value in table.items() if key != "why"}
            if not row.get("bye"):
                row["winner"] = decide(row["players"])
            tables.append(row)
        entry: dict[str, Any] = {"tables": tables}
        if answer["stage"] != "swiss":
            entry["stage"] = answer["stage"]
        if self.keeps_seeds:
            entry["seed"] = answer["seed"]
        self.file["rounds"].append(entry)
        for player_id, why in (leaving or {}).items():
            of(self.file, player_id)[why] = len(self.file["rounds"])

    def swiss_order(self, rounds: int | None = None) -> list[str]:
        """The ids from the top of the standings after so many rounds, or the last."""
        rows = self.ask("standings", *([] if rounds is None else ["--after", str(rounds)]))["standings"]
        return [row["id"] for row in rows]


# What the rules say


def next_power(number: int) -> int:
    return 1 << (number - 1).bit_length()


def fold(size: int) -> list[int]:
    """PK-A24: rank seeds from the top of the bracket, so that s meets size + 1 - s: 1 8, 4 5, 2 7, 3 6.

    Each half holds every other one of the next smaller bracket's tables, in the order 1 4, 2 3.
    """
    lines = [1]
    while len(lines) < size:
        lines = [seat for s in lines for seat in (s, 2 * len(lines) + 1 - s)]
    return lines


@dataclass
class Knockout:
    """A single elimination bracket, by the rules alone (PK-30 to PK-35, PK-39 to PK-41)."""

    order: Sequence[str | None]
    """The players by rank seed; None for one who is not there."""
    third: bool = False
    gone: set[str] = field(default_factory=set)
    """Who has left; they lose their next table (PK-33)."""
    lines: list[str | None] = field(init=False)
    number: int = field(default=1, init=False)
    out: dict[str, tuple[int, str | None]] = field(default_factory=dict, init=False)
    """In which round a player lost, and to whom."""
    for_third: list[str] | None = field(default=None, init=False)
    thirds: list[str] = field(default_factory=list, init=False)
    decisive: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        by_seed = dict(enumerate(self.order, start=1))
        self.lines = [by_seed.get(seed) for seed in fold(next_power(len(self.order)))]

    @property
    def over(self) -> bool:
        return len(self.lines) == 1

    def seats(self) -> list[Seats]:
        """The tables of this round from the top of the bracket; one seat is empty where there is a bye."""
        found: list[Seats] = [
            (a or b, b if a else None) for a, b in zip(self.lines[::2], self.lines[1::2], strict=True)
        ]
        return found if self.for_third is None else [*found, (self.for_third[0], self.for_third[1])]

    def played(self) -> set[frozenset[str]]:
        """Who is at a table of this round, byes included; nobody who has left."""
        groups = (
            frozenset(
                player_id for player_id in seats if player_id is not None and player_id not in self.gone
            )
            for seats in self.seats()
        )
        return {group for group in groups if group}

    def goes_on(self) -> bool:
        """Whether there is another round; those in which nobody has an opponent are not played."""
        while not self.over and all(len(group) < 2 for group in self.played()):
            self.play(lambda players: players[0])
        return not self.over

    def play(self, decide: Decide) -> None:
        """One round. `decide` gives the winner of a table, or that both lost."""
        goes_on: list[str | None] = []
        losers: list[list[str]] = []
        for a, b in zip(self.lines[::2], self.lines[1::2], strict=True):
            if a is None or b is None:
                alone = a or b
                if alone in self.gone:
                    self.out[alone] = (self.number, None)
                goes_on.append(None if alone in self.gone else alone)
                continue
            winner = self._winner(a, b, decide)
            lost = [player_id for player_id in (a, b) if player_id != winner]
            losers.append(lost)
            for player_id in lost:
                self.out[player_id] = (self.number, None if winner == NOBODY else winner)
            goes_on.append(None if winner == NOBODY else winner)
        if self.for_third is not None:
            first = decide(self.for_third)
            self.thirds = sorted(self.for_third, key=lambda player_id: player_id != first)
            self.decisive += 1
            self.for_third = None
        elif self.third and len(self.lines) == 4:
            both = [player_id for lost in losers for player_id in lost]
            self.for_third = both if len(both) == 2 else None
        self.lines = goes_on
        self.number += 1

    def _winner(self, a: str, b: str, decide: Decide) -> str:
        here = [player_id for player_id in (a, b) if player_id not in self.gone]
        if len(here) < 2:
            return here[0] if here else NOBODY
        self.decisive += 1
        return decide([a, b])

    def places(self, by_rank: bool) -> list[str]:
        """The players from the first: losers of a round by rank seed (PK-40), or by who beat them (PK-34)."""
        order = [player_id for player_id in self.order if player_id is not None]
        assert self.over
        champion = self.lines[0]
        found = [] if champion is None else [champion]
        for number in range(self.number - 1, 0, -1):
            lost = [player_id for player_id in order if self.out.get(player_id, (0, None))[0] == number]
            if self.thirds and set(lost) == set(self.thirds):
                lost = self.thirds
            elif not by_rank:
                conquerors = {player_id: self.out[player_id][1] for player_id in lost}
                lost.sort(key=lambda player_id: place(found, conquerors[player_id]))
            found += lost
        return found


def place(found: list[str], conqueror: str | None) -> int:
    """The place of who beat somebody; nobody is behind everybody."""
    return len(found) if conqueror is None else found.index(conqueror)


def day_two(
    records: dict[str, tuple[int, int, int]], order: Sequence[str], counted: str = "a", either: str = "a"
) -> set[str]:
    """PK-55, read as PK-A18 and PK-A19 say: who goes on to the second day.

    `records` has wins, losses and ties, `order` is the standings.
    """
    rounds = max(sum(record) for record in records.values())
    good: dict[str, Callable[[int, int, int], bool]] = {
        "a": lambda won, lost, tied: 3 * won + tied >= 3 * (rounds - 2),
        "b": lambda won, lost, tied: lost <= 2 and tied == 0,
        "c": lambda won, lost, tied: lost <= 2,
    }
    by_record = {player_id for player_id in order if good[counted](*records[player_id])}
    best = set(order[:32])
    if either == "b":
        return by_record | best
    return by_record if len(by_record) > len(best) else best


# What the program says


def at_tables(tables: Iterable[dict[str, Any]]) -> set[frozenset[str]]:
    """Who is at which table of a round, of `pair` or of `bracket`; empty tables are left out."""
    groups = (
        frozenset(player_id for player_id in table["players"] if player_id is not None) for table in tables
    )
    return {group for group in groups if group}


def seats_of(tables: Iterable[dict[str, Any]]) -> list[Seats]:
    """The seats of a round of `bracket`, in its order."""
    return [(table["players"][0], table["players"][1]) for table in tables]


def in_places(document: Document) -> list[str]:
    """The ids of `places` from the first; the places have to be 1, 2, 3 …"""
    rows = document["places"]
    assert [row["place"] for row in rows] == [*range(1, len(rows) + 1)]
    return [row["id"] for row in rows]


def rank_order(document: Document) -> list[str]:
    """The players of a bracket by rank seed."""
    seeds: dict[str, int] = document["rank_seeds"]
    assert sorted(seeds.values()) == [*range(1, len(seeds) + 1)]
    return sorted(seeds, key=seeds.__getitem__)
