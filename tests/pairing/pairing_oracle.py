"""Who may play whom next, worked out a second time: every pairing of a small pool is looked at.

The engine is compared with this. The two share nothing: no books, no history, no solver. A table is the set
of its players, a bye a table of one, and a pairing the set of its tables.

Where the rules leave room: a table is one rematch however often its players met; a bye is as many second
byes as its player had byes; a choice is a dead end if another one leaves more rounds, of the two that are
looked at, without a rematch or a second bye.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

Table = frozenset[str]
Pairing = frozenset[Table]
Cost = dict[str, int]

KEYS = (
    "second_byes",
    "rematches",
    "dead_end",
    "bye_points",
    "cross_division",
    "score_gap_squared",
    "apart",
)
"""What is minimised, in this order."""
LARGEST = 12
"""A pool of 10 takes a tenth of a second, one of 12 a second or two; a larger one too long."""
ROUNDS_AHEAD = 2


@dataclass(frozen=True)
class Field:
    """All that the next round of one pool depends on."""

    points: dict[str, int]
    """Of every active player."""
    met: dict[Table, int]
    """How often two players met before."""
    byes: dict[str, int]
    """How many each player had."""
    division: dict[str, str | None]
    apart: dict[str, frozenset[str]]
    """Labels; players who share one are kept apart where that costs nothing else."""
    rounds_left: int
    """Planned rounds after the one to be paired."""
    second_bye: str
    """`never` or `avoided`."""
    rematch: str
    """`never` or `avoided`."""
    look_ahead: bool = True

    def allows(self, table: Table) -> bool:
        """Whether the hard rules allow a table."""
        cost = table_cost(self, table)
        second_bye = self.second_bye == "never" and cost["second_byes"] > 0
        return not second_bye and not (self.rematch == "never" and cost["rematches"] > 0)


@dataclass(frozen=True)
class Verdict:
    """The least cost, and every pairing that has it."""

    cost: Cost
    pairings: frozenset[Pairing]


def pairings(players: Iterable[str], allowed: Callable[[Table], bool] | None = None) -> Iterator[Pairing]:
    """Every way to pair these players, with one bye if they are odd, from tables that are allowed."""
    waiting = [*players]
    if not waiting:
        yield frozenset()
        return
    first, *others = waiting
    tables = [frozenset((first, other)) for other in others]
    if len(others) % 2 == 0:
        tables.append(frozenset((first,)))
    for table in tables:
        if allowed is None or allowed(table):
            for rest in pairings([other for other in others if other not in table], allowed):
                yield rest | {table}


def judged(field: Field) -> Verdict | None:
    """The best pairings; None if the hard rules leave no pairing at all."""
    if len(field.points) > LARGEST:
        raise ValueError(f"{len(field.points)} players are too many to look at every pairing")
    choices = _choices(field)
    if not choices:
        return None
    ahead = {choice: _open_rounds(field, choice) for choice in choices}
    furthest = max(ahead.values())
    open_choices = {choice: _sum(field, choice) for choice in choices if ahead[choice] == furthest}
    least = min(_order(found) for found in open_choices.values())
    best = {choice: found for choice, found in open_choices.items() if _order(found) == least}
    return Verdict(next(iter(best.values())), frozenset(best))


def cost(field: Field, pairing: Pairing) -> Cost:
    """What any pairing costs; it need not be allowed."""
    open_rounds = _open_rounds(field, pairing)
    could_be_better = open_rounds < _rounds_ahead(field)
    dead_end = could_be_better and any(_open_rounds(field, other) > open_rounds for other in _choices(field))
    return {**_sum(field, pairing), "dead_end": int(dead_end)}


def table_cost(field: Field, table: Table) -> Cost:
    """What one table adds to the cost."""
    if len(table) == 1:
        (player,) = table
        return costs(second_byes=field.byes.get(player, 0), bye_points=field.points[player])
    one, other = table
    return costs(
        rematches=int(field.met.get(table, 0) > 0),
        cross_division=int(field.division.get(one) != field.division.get(other)),
        score_gap_squared=(field.points[one] - field.points[other]) ** 2,
        apart=int(bool(field.apart.get(one, frozenset()) & field.apart.get(other, frozenset()))),
    )


def costs(**parts: int) -> Cost:
    """A cost of these parts and nothing else."""
    return {**dict.fromkeys(KEYS, 0), **parts}


def _order(cost: Cost) -> tuple[int, ...]:
    return tuple(cost[key] for key in KEYS)


def _sum(field: Field, pairing: Pairing) -> Cost:
    """The cost but for a dead end, which is no table's fault."""
    found = [table_cost(field, table) for table in pairing]
    return {key: sum(cost[key] for cost in found) for key in KEYS}


def _choices(field: Field) -> list[Pairing]:
    """The pairings that the hard rules allow with the fewest second byes, and of these rematches."""
    allowed = {choice: _order(_sum(field, choice)) for choice in pairings(field.points, field.allows)}
    fewest = min((order[:2] for order in allowed.values()), default=())
    return [choice for choice, order in allowed.items() if order[:2] == fewest]


def _rounds_ahead(field: Field) -> int:
    return max(0, min(ROUNDS_AHEAD, field.rounds_left)) if field.look_ahead else 0


def _open_rounds(field: Field, pairing: Pairing) -> int:
    """How many of the rounds looked at can follow a pairing without a rematch or a second bye."""
    met = {table for table, times in field.met.items() if times}
    had_byes = {frozenset((player,)) for player, times in field.byes.items() if times}
    return _free_rounds([*field.points], pairing | met | had_byes, _rounds_ahead(field))


def _free_rounds(players: list[str], used: frozenset[Table], wanted: int) -> int:
    """How many rounds, of those wanted, have a pairing that uses no table twice."""
    most = 0
    for following in pairings(players, lambda table: table not in used) if wanted else ():
        most = max(most, 1 + _free_rounds(players, used | following, wanted - 1))
        if most == wanted:
            break
    return most


# From a few letters, for tests


def pairing_of(text: str) -> Pairing:
    """`AB CD E`: A meets B, C meets D, and E has the bye."""
    return frozenset(frozenset(table) for table in text.split())


def a_field(points: str, met: str = "", byes: str = "", left: int = 0, **more: Any) -> Field:
    """`a_field("A6 B3 C0", met="AB AB", byes="C")`: A has 6 points and met B twice; C had a bye."""
    rest = {"division": {}, "apart": {}, "second_bye": "avoided", "rematch": "avoided", **more}
    return Field(
        points={player[0]: int(player[1:]) for player in points.split()},
        met=dict(Counter(frozenset(table) for table in met.split())),
        byes=dict(Counter(byes)),
        rounds_left=left,
        **rest,
    )


def any_field(random: Random) -> Field:
    """A field of two to seven players with a bit of everything, by lot."""
    players = "ABCDEFG"[: random.randint(2, 7)]
    pairs = [one + other for one in players for other in players if one < other]
    return a_field(
        " ".join(f"{player}{random.choice([0, 1, 3])}" for player in players),
        met=" ".join(random.sample(pairs, random.randint(0, len(pairs) // 2))),
        byes="".join(random.choices(players, k=random.randint(0, 3))),
        left=random.randint(0, 3),
        division={player: random.choice([None, "senior"]) for player in players},
        apart={player: frozenset(random.choice("xyz")) for player in players},
        second_bye=random.choice(["never", "avoided"]),
        rematch=random.choice(["never", "avoided", "avoided"]),
    )


def an_event(rules: str, *rounds: str, options: dict[str, Any] | None = None, **about: Any) -> dict[str, Any]:
    """An event file of three planned rounds: `an_event("mtr", "A>B C=D E", dropped={"B": 1})`.

    A table is `A>B`, `A=B`, `A#B` (both lose), `A2:1B`, `A` (a bye) or `A-` (a loss).
    """
    named = [*"".join(rounds), *(player_id for values in about.values() for player_id in values)]
    ids = sorted({letter for letter in named if letter.isalpha()})
    fields = {
        player_id: {name: values[player_id] for name, values in about.items() if player_id in values}
        for player_id in ids
    }
    return {
        "topcut": 1,
        "name": "An event",
        "rules": rules,
        "options": {"rounds": 3, **(options or {})},
        "players": [{"id": player_id, "name": player_id, **fields[player_id]} for player_id in ids],
        "rounds": [{"tables": [_result(table) for table in text.split()]} for text in rounds],
    }


def _result(text: str) -> dict[str, Any]:
    players = [letter for letter in text if letter.isalpha()]
    if len(players) == 1:
        return {"players": players, "loss" if "-" in text else "bye": True}
    if ":" in text:
        return {"players": players, "games": [int(text[1]), int(text[3]), 0]}
    return {"players": players, "winner": {">": players[0], "=": "draw", "#": "double_loss"}[text[1]]}


# From an event file


POINTS = {"win": 3, "draw": 1, "loss": 0, "bye": 3}
BOOKS: dict[str, dict[str, Any]] = {
    "dci-1999": {},
    "mtr": {},
    "pokemon-2017": {"second_bye": "never"},
    "pokemon-tom": {"second_bye": "never"},
    "fab-gem": {"points": {"win": 1, "draw": 0, "loss": 0, "bye": 1}},
}
LARGE_DIVISION = 6
"""Divisions of this size each play apart (PK-12)."""


def field_of(event: Mapping[str, Any], recommended: int = 0) -> Field:
    """The next Swiss round of an event file in its simplest form: one pool, planned rounds given.

    `recommended` is the number of rounds up to which `fab-gem` forbids rematches (FB-9).
    """
    book, options = BOOKS[event["rules"]], event["options"]
    next_round = len(event["rounds"]) + 1
    players = {player["id"]: player for player in event["players"]}
    several = any("flight" in player or "pod" in player for player in players.values())
    if several or "flights" in options or any(r.get("stage", "swiss") != "swiss" for r in event["rounds"]):
        raise ValueError("only the Swiss rounds of one pool can be judged")
    points = dict.fromkeys(players, 0)
    met: Counter[Table] = Counter()
    byes: Counter[str] = Counter()
    for table in (table for a_round in event["rounds"] for table in a_round["tables"]):
        for player, outcome in zip(table["players"], _outcomes(table), strict=True):
            points[player] += book.get("points", POINTS)[outcome]
            byes[player] += outcome == "bye"
        if len(table["players"]) == 2:
            met[frozenset(table["players"])] += 1
    forbidden = event["rules"] == "fab-gem" and next_round <= recommended
    return Field(
        points={
            player_id: points[player_id]
            for player_id, player in players.items()
            if _plays(player, next_round)
        },
        met=dict(met),
        byes=dict(byes),
        division=_divisions(event),
        apart={player_id: frozenset(player.get("apart", ())) for player_id, player in players.items()},
        rounds_left=options["rounds"] - next_round,
        second_bye=book.get("second_bye", "avoided"),
        rematch="never" if forbidden else "avoided",
    )


def _outcomes(table: Mapping[str, Any]) -> list[str]:
    """What a table was for each of its players."""
    if "bye" in table or "loss" in table:
        return ["bye" if table.get("bye") else "loss"]
    if "games" in table:
        first, second, _ = table["games"]
        won = [first > second, second > first]
    elif table["winner"] == "double_loss":
        return ["loss", "loss"]
    else:
        won = [player_id == table["winner"] for player_id in table["players"]]
    return ["win" if win else "loss" if any(won) else "draw" for win in won]


def _plays(player: Mapping[str, Any], next_round: int) -> bool:
    left = [player[why] for why in ("dropped", "cut", "disqualified") if player.get(why) is not None]
    return bool(player.get("entered", 1) <= next_round <= min(left, default=next_round))


def _divisions(event: Mapping[str, Any]) -> dict[str, str | None]:
    """Every player's division where divisions share a pool (PK-13); nobody's where they do not matter."""
    asked = event["options"].get("divisions")
    if not event["rules"].startswith("pokemon") or asked == "off":
        return {}
    written: dict[str, str | None] = {player["id"]: player.get("division") for player in event["players"]}
    sizes = Counter(division for division in written.values() if division)
    separate = asked == "separate" or (asked is None and min(sizes.values(), default=0) >= LARGE_DIVISION)
    if separate and len({*written.values()}) > 1:
        raise ValueError("divisions that play apart are several pools")
    return written
