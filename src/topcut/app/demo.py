"""Make example events by the same commands as real ones, and let one of them go on by itself."""

import asyncio
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

import topcut
from topcut.app.execute import new_context
from topcut.app.services import Services
from topcut.errors import TopcutError
from topcut.event import commands as c
from topcut.event.facts import Result
from topcut.event.state import State
from topcut.history.model import Table
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options
from topcut.store.interface import Store
from topcut.store.session import EventSession

EXAMPLES = Path(topcut.__file__).parent / "examples"
LEFT = 6
"""Tables of the lively event that are left for people to report at the desk."""


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    rules: str
    players: int
    rounds: int
    options: Options = Options()
    plays: bool = False
    finish: bool = False
    prizes: str = ""
    drops: int = 0


class People(Struct, frozen=True, forbid_unknown_fields=True):
    first: list[str]
    last: list[str]
    others: list[str]


class Demo(Struct, frozen=True, forbid_unknown_fields=True):
    lively: str
    event: list[Example]
    people: People


def read_demo() -> Demo:
    raw = tomllib.loads((EXAMPLES / "demo.toml").read_text("utf-8"))
    return msgspec.convert(raw, Demo)


def make_names(people: People, count: int, random: Random) -> list[str]:
    """Return `count` names, all different."""
    whole = [f"{first} {last}" for first in people.first for last in people.last]
    several = count // (len(whole) + len(people.others)) + 1
    numbered = [f"{name} {n}" if n > 1 else name for n in range(1, several + 1) for name in whole]
    others = people.others[: count // 12]
    return [*others, *random.sample(numbered, count - len(others))]


def make_result(table: Table, book: Book, random: Random, decisive: bool) -> Result:
    """Return a random result that the rules allow at a table."""
    if book.match.results == "games":
        games = [(2, 0, 0), (2, 1, 0), (0, 2, 0), (1, 2, 0)]
        return Result(games=random.choice(games if decisive else [*games * 3, (1, 1, 1)]))
    winner = random.choice(table.players)
    if book.match.results == "winner":
        return Result(winner=winner)
    target = book.match.target or 30
    scores = (target if player_id == winner else random.randrange(target) for player_id in table.players)
    return Result(scores=tuple(scores), winners=(winner,))


def make_reports(state: State, tables: Sequence[Table], random: Random) -> list[c.AnyCommand]:
    """Return a report for each of these tables of the last round."""
    assert state.round is not None
    decisive = not state.round.allows_draws
    return [
        c.Report(table=table.table, result=make_result(table, state.book, random, decisive))
        for table in tables
        if isinstance(table.table, int)
    ]


async def fill(store: Store) -> None:
    """Make all example events in a store."""
    found = read_demo()
    for number, example in enumerate(reversed(found.event)):
        await make_example(store, example, found.people, Random(number))


async def make_example(store: Store, example: Example, people: People, random: Random) -> None:
    """Make one event, and play it as far as its example says."""
    now = new_context("Mara", "example")
    create = c.Create(name=example.name, book=freeze_book(load(example.rules)), options=example.options)
    running, _ = await EventSession.create(store, example.id, create, now)
    await running.do_all([c.Register(name=name) for name in make_names(people, example.players, random)], now)
    prizes = [c.Announce(prizes=example.prizes)] if example.prizes else []
    await running.do_all([c.CheckIn(), *prizes], now)
    for number in range(1, example.rounds + 1):
        await running.do_all([c.Pair(), c.Publish(), c.Start()], now)
        assert running.state.round is not None
        await running.do_all(make_reports(running.state, running.state.round.missing, random), now)
        gone = [c.Drop(player=f"p{n + 5}") for n in range(example.drops) if number == 2]
        await running.do_all([c.End(), *gone], now)
    if example.plays:
        await running.do_all([c.Pair(), c.Publish(), c.Start(minutes=50)], now)
    if example.finish:
        reason = "" if running.state.options.rounds is None else "time was up"
        await running.do(c.Finish(reason=reason), now)


async def go_on(services: Services, pause: float = 2.5) -> None:
    """Report results of the lively event until `LEFT` tables are missing."""
    live = await services.events.open_event(read_demo().lively)
    random: Any = Random()
    while live.state.round is not None and len(live.state.round.missing) > LEFT:
        await asyncio.sleep(pause * random.uniform(0.5, 1.5))
        missing = live.state.round.missing
        if len(missing) > LEFT:
            with suppress(TopcutError):  # a person at the desk was quicker
                await live.do(make_reports(live.state, [random.choice(missing)], random), new_context("Lena"))
