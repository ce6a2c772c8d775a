"""Events to be printed: many players, many rounds, names from everywhere; nobody pairs them by any rule."""

from __future__ import annotations

from random import Random
from typing import Any

from topcut.formats.event_file import Event
from topcut.history.model import Player, Round, Table
from topcut.printing.page import SheetPage
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.typesetting import typeset
from topcut.rulebook import load
from topcut.rulebook.model import MatchRules
from topcut.rulebook.options import Options
from topcut.stages.progress import choose_lot_seed

FIRST = [
    "Ada",
    "Grace",
    "Alan",
    "Edsger",
    "Barbara",
    "Donald",
    "Leslie",
    "Frances",
    "Jean",
    "Kathleen",
    "Annie",
    "Margaret",
    "Tim",
    "Radia",
]
LAST = [
    "Lovelace",
    "Hopper",
    "Turing",
    "Dijkstra",
    "Liskov",
    "Knuth",
    "Lamport",
    "Allen",
    "Bartik",
    "Boyd-Granville",
    "Berners-Lee",
]
MOMENT = "Sat 14 Nov 2026, 14:05"
HARD = [
    "محمد بن سلمان",
    "שרה כהן",
    "李小龙",
    "山田 太郎",
    "Σωκράτης",
    "Nguyễn Thị Minh Khai",
    "김철수",
    "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis",
    "Pablo Diego José Francisco de Paula Juan Nepomuceno Cipriano",
    "W" * 60,
    "山" * 60,
    "<b>Bobby</b> #Tables $x$ *y*",
    "Ó",
]
"""Right to left, without spaces, wide letters, 60 letters with and without spaces, markup, one letter."""


def printed_event(
    rules: str, players: int, rounds: int, unfinished: bool = False, hard: bool = True, **more: Any
) -> PrintedEvent:
    """An event; `unfinished`: nothing of its last round is reported."""
    random = Random(f"{rules} {players} {rounds}")
    names = [f"{random.choice(FIRST)} {random.choice(LAST)} {i}" for i in range(players)]
    names[: len(HARD)] = HARD[:players] if hard else names[: len(HARD)]
    people = tuple(
        Player(id=f"p{i}", name=name, member=str(random.randrange(10**6, 10**7)))
        for i, name in enumerate(names)
    )
    book = load(rules)
    played = tuple(
        _round([player.id for player in people], book.match, random, unfinished and r == rounds - 1)
        for r in range(rounds)
    )
    seeds = tuple(choose_lot_seed([None], played[:after]) for after in range(rounds + 1))
    about: dict[str, Any] = {
        "name": "Autumn Cup",
        "options": Options(),
        "at": "Sat 14 Nov 2026, 14:05",
        **more,
    }
    return PrintedEvent(book=book, players=people, rounds=played, seeds=seeds, **about)


def _round(ids: list[str], match: MatchRules, random: Random, unfinished: bool) -> Round:
    ids = random.sample(ids, len(ids))
    size = match.table_sizes[0]
    tables = [
        Table(table=k + 1, players=tuple(ids[k * size : k * size + size])) for k in range(len(ids) // size)
    ]
    left = ids[len(tables) * size :]
    if not unfinished:
        tables = [_reported(table, match, random) for table in tables]
    return Round(tables=(*tables, *(Table(players=(player_id,), bye=True) for player_id in left)))


def _reported(table: Table, match: MatchRules, random: Random) -> Table:
    if match.results == "games":
        games = random.choice([(2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 0), (1, 1, 1)])
        return Table(table=table.table, players=table.players, games=games)
    if match.results == "winner":
        return Table(table=table.table, players=table.players, winner=random.choice(table.players))
    scores = (20, *(random.randrange(19) for _ in table.players[1:]))
    return Table(table=table.table, players=table.players, scores=scores, winners=table.players[:1])


def printed_event_of(event: Event, at: str = "Fri 13 Nov, 21:40") -> PrintedEvent:
    """An event of the builders as it goes on paper."""
    file = event.file
    seeds = (file.seed,) * (len(file.rounds) + 1)
    return PrintedEvent("An event", event.book, file.options, file.players, file.rounds, seeds, at)


def pdf_of(page: SheetPage) -> bytes:
    return typeset(page.sheet, page.data, page.names).pdf
