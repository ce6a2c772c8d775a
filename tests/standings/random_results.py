"""Made-up events of every kind, small enough to be worked out by hand and full of what is rare in a hall.

    players, rounds, seed = an_event(Random(7), "games")

The same code runs on a seeded `Random`, for long and repeatable searches, and on one that Hypothesis
controls, so that what it finds is made smaller: 0 always stands for the dull choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec
from hypothesis import strategies as st

from topcut.history import Player, Round, Table, build_history
from topcut.rulebook import Book, load
from topcut.standings import Standings, rank

MOST_PLAYERS = 14
MOST_ROUNDS = 8
WON = [(2, 0, 0), (2, 1, 0), (1, 0, 0), (2, 0, 1), (1, 0, 1), (2, 1, 1)]
DRAWN = [(1, 1, 0), (1, 1, 1), (0, 0, 1), (0, 0, 0), (0, 0, 3)]
SCORES = [20, 0, 5, 19, 21, 24, 13]
TARGET = 20

Kind = Literal["games", "scores", "winner"]
"""What tables report: games at tables of two, or one of the others at tables of three and four."""


class Event(NamedTuple):
    """What an event file says that matters for its standings."""

    players: tuple[Player, ...]
    rounds: tuple[Round, ...]
    seed: str = ""


@cache
def book(rules: str) -> Book:
    """A ruleset, read once."""
    return load(rules)


def standings(event: Event, rules: Book, after: int | None = None) -> Standings:
    """What the engine makes of an event."""
    history = build_history(event.players, event.rounds, rules)
    return rank(history if after is None else history.after(after), rules, event.seed)


def swiss_rounds(event: Event) -> int:
    """How many rounds count."""
    return sum(a_round.stage == "swiss" for a_round in event.rounds)


@dataclass(frozen=True)
class Habits:
    """How often things happen in an event."""

    late: float
    leaving: float
    bye: float
    loss: float
    idle: float
    draw: float
    double_loss: float
    rematch: float
    upset: float
    bare: float
    """Results without games."""
    alike: float
    """Results that are the first one in the list."""


@st.composite
def events(draw: st.DrawFn, kind: Kind = "games") -> Event:
    """Events whose tables report results of this kind."""
    return an_event(draw(st.randoms(use_true_random=False)), kind)


def a_large_event(random: Random, size: int, length: int) -> Event:
    """Tables of two, many players or rounds, few results alike."""
    habits = replace(_habits(random), late=0.01, leaving=0.01, bare=0.0, alike=0.0, upset=0.5)
    players = tuple(_player(random, habits, f"p{number}", length) for number in range(1, size + 1))
    rounds: list[Round] = []
    for number in range(1, length + 1):
        rounds.append(_round(random, habits, players, rounds, number, "games"))
    return Event(players, tuple(rounds))


def an_event(random: Random, kind: Kind = "games") -> Event:
    """One event: late entries, drops, byes, draws and all; every table is reported."""
    habits = _habits(random)
    mirrored = kind == "games" and _happens(random, 0.4)
    if mirrored and _happens(random, 0.5):
        habits = replace(habits, late=0.0, leaving=0.0)
    fewest = 0 if _happens(random, 0.02) else 2 if kind == "games" else 3
    size = random.randint(fewest, MOST_PLAYERS // 2 if mirrored else MOST_PLAYERS)
    if _happens(random, 0.3):
        size = min(size, random.randint(fewest, 5))
    length = random.randint(0, MOST_ROUNDS - 2 if mirrored else MOST_ROUNDS)
    players = [_player(random, habits, f"p{number}", length) for number in range(1, size + 1)]
    rounds: list[Round] = []
    for number in range(1, length + 1):
        rounds.append(_round(random, habits, players, rounds, number, kind))
    if mirrored:
        players, rounds = _mirrored(random, players, rounds)
    if _happens(random, 0.1):
        # An elimination stage afterwards, which changes nothing.
        last = _round(random, habits, players, rounds, len(rounds) + 1, kind)
        decided = tuple(table for table in last.tables if not _drawn(table))
        rounds.append(msgspec.structs.replace(last, tables=decided, stage="elimination"))
    random.shuffle(players)
    return Event(tuple(players), tuple(rounds), random.choice(["", "autumn", "12"]))


def _drawn(table: Table) -> bool:
    """Whether a table has no winner, and not because both lost."""
    level = table.games is not None and table.games[0] == table.games[1]
    return level or table.winner == "draw" or (table.scores is not None and not table.winners)


def _happens(random: Random, how_often: float) -> bool:
    return random.random() >= 1 - how_often


def _habits(random: Random) -> Habits:
    often = [0.0, 0.05, 0.2, 0.5]
    return Habits(
        late=random.choice(often),
        leaving=random.choice(often),
        bye=random.choice(often[:3]),
        loss=random.choice(often[:3]),
        idle=random.choice(often[:3]),
        draw=random.choice(often),
        double_loss=random.choice(often[:3]),
        rematch=random.choice(often),
        upset=random.choice(often),
        bare=random.choice([*often, 1.0]),
        alike=random.choice([1.0, *often]),
    )


def _player(random: Random, habits: Habits, player_id: str, length: int) -> Player:
    entered = random.randint(2, length + 2) if _happens(random, habits.late) else 1
    fields: dict[str, Any] = {}
    if _happens(random, habits.leaving):
        last = random.randint(entered - 1, length + 1)
        fields[random.choice(["dropped", "cut", "disqualified"])] = last
    return Player(id=player_id, entered=entered, **fields)


def takes_part(player: Player, number: int) -> bool:
    """Whether they may sit at a table in that round."""
    return player.entered <= number and still_there(player, number)


def still_there(player: Player, number: int) -> bool:
    """Whether they had not left before that round."""
    return all(r is None or number <= r for r in (player.dropped, player.cut, player.disqualified))


def _round(
    random: Random,
    habits: Habits,
    players: Sequence[Player],
    before: Sequence[Round],
    number: int,
    kind: Kind,
) -> Round:
    here = [player.id for player in players if takes_part(player, number)]
    tables = [
        Table(players=(player.id,), loss=True)
        for player in players
        if number < player.entered and still_there(player, number) and _happens(random, habits.loss)
    ]
    random.shuffle(here)
    waiting: list[str] = []
    for player_id in here:
        if kind == "games" and _happens(random, habits.bye):
            tables.append(Table(players=(player_id,), bye=True))
        elif _happens(random, habits.loss):
            tables.append(Table(players=(player_id,), loss=True))
        elif not _happens(random, habits.idle):
            waiting.append(player_id)
    if before and _happens(random, habits.rematch):
        free = set(waiting)
        for table in before[-1].tables:
            if len(table.players) > 1 and set(table.players) <= free:
                tables.append(_played(random, habits, table.players, kind))
                free -= set(table.players)
        waiting = [player_id for player_id in waiting if player_id in free]
    if kind != "games":
        while len(waiting) >= 3:
            size = 4 if len(waiting) >= 4 and _happens(random, 0.4) else 3
            tables.append(_played(random, habits, tuple(waiting[:size]), kind))
            del waiting[:size]
    else:
        pairs = zip(waiting[::2], waiting[1::2], strict=False)
        tables += [_played(random, habits, pair, kind) for pair in pairs]
        if len(waiting) % 2 and not _happens(random, 0.2):
            tables.append(Table(players=(waiting[-1],), bye=True))
    random.shuffle(tables)
    return Round(tables=tuple(tables))


def _played(random: Random, habits: Habits, seats: tuple[str, ...], kind: Kind) -> Table:
    if _happens(random, habits.double_loss):
        return Table(players=seats, winner="double_loss")
    if kind == "scores":
        return _scored(random, habits, seats)
    bare = kind == "winner" or _happens(random, habits.bare)
    alike = _happens(random, habits.alike)
    if _happens(random, habits.draw):
        games = DRAWN[0] if alike else random.choice(DRAWN)
        return Table(players=seats, winner="draw") if bare else Table(players=seats, games=games)
    # The lower number is the better player.
    better = min(seats, key=lambda player_id: (len(player_id), player_id))
    winner = random.choice(seats) if _happens(random, habits.upset) else better
    if bare:
        return Table(players=seats, winner=winner)
    high, low, drawn = WON[0] if alike else random.choice(WON)
    return Table(players=seats, games=(high, low, drawn) if winner == seats[0] else (low, high, drawn))


def _scored(random: Random, habits: Habits, seats: tuple[str, ...]) -> Table:
    if _happens(random, habits.bare / 3):
        return Table(players=seats, winner=random.choice([*seats, "draw"]))
    choices = SCORES[:3] if _happens(random, habits.alike) else SCORES
    scores = [random.choice(choices) for _ in seats]
    eliminated = tuple(player_id for player_id in seats if _happens(random, habits.upset / 2))
    counted = {
        player_id: 0 if player_id in eliminated else score
        for player_id, score in zip(seats, scores, strict=True)
    }
    level = tuple(player_id for player_id in seats if counted[player_id] == max(counted.values()))
    winners: tuple[str, ...] = ()
    tie: dict[str, Any] = {}
    if max(counted.values()) >= TARGET and not _happens(random, habits.draw):
        winners = level[: len(level) if _happens(random, 0.5) else 1]
        if len(level) > 1 and _happens(random, 0.3):
            # How the tie was broken is on record, and changes nothing.
            count = {player_id: 7 if player_id in winners else 3 for player_id in level}
            tie["tie_counts"] = (count,) if len(winners) == 1 else (count, count)
    return Table(players=seats, scores=tuple(scores), winners=winners, eliminated=eliminated, **tie)


def _mirrored(
    random: Random, players: Sequence[Player], rounds: Sequence[Round]
) -> tuple[list[Player], list[Round]]:
    """The event and its mirror image in one, so that everybody is tied with their twin.

    The mirror image may play its rounds in another order, which only last opponents show. Then, maybe,
    come two rounds that keep them tied although each met their twin and one of them won: a beats a',
    x' beats x; a' beats x', x beats a. That is what a head-to-head key decides.
    """
    twins = [msgspec.structs.replace(player, id=_twin(player.id)) for player in players]
    images = list(rounds)
    reordered = all(takes_part(player, 1) and takes_part(player, len(rounds)) for player in players)
    if reordered:
        random.shuffle(images)
    doubled = [
        Round(tables=(*one.tables, *(_mirror(table) for table in image.tables)))
        for one, image in zip(rounds, images, strict=True)
    ]
    number = len(rounds) + 1
    here = [player.id for player in players if takes_part(player, number) and takes_part(player, number + 1)]
    if _happens(random, 0.3 if reordered else 0.7):
        pairs = list(zip(here[::2], here[1::2], strict=False))
        first = [pair for a, x in pairs for pair in ((a, _twin(a)), (_twin(x), x))]
        second = [pair for a, x in pairs for pair in ((_twin(a), _twin(x)), (x, a))]
        for wins in (first, second):
            doubled.append(Round(tables=tuple(Table(players=pair, winner=pair[0]) for pair in wins)))
    return [*players, *twins], doubled


def _twin(player_id: str) -> str:
    return f"{player_id}'"


def _mirror(table: Table) -> Table:
    winner = _twin(table.winner) if table.winner in table.players else table.winner
    seats = tuple(_twin(player_id) for player_id in table.players)
    return msgspec.structs.replace(table, players=seats, winner=winner)
