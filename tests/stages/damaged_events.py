"""Events that came about by doing what `topcut pair` said, and ways to spoil their files.

rng = Random(7)
plain = Story(any_event(rng), rng).told()  # an event file as plain data, played to its end
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any
from unittest.mock import patch

from tests.command_line import Answer, topcut

Plain = dict[str, Any]

NAMES = [
    "",
    "Ada",
    "Ada",
    "Łukasz",
    "渡辺 謙",
    "a\tb",
    "x\ny",
    "\x1b[2J",
    "é",
    "<b>&",
    "👧",
    " ",
    "\u202eabc",
]
IDS = ["draw", "double_loss", "null", "0", "-1", " ", "é", "日本", "a\nb", "\x00", "bye", "p/1", "W1-1"]
ODD = {"draw", "double_loss"}
DRAWN = {"cut": "cut", "pods": "pod", "flights": "flight", "seeds": "seed", "seats": "seat"}
"""What `pair` adds to its answer, and where it is copied to."""
OVER = ("planned Swiss round", "Every table of the bracket is played", "of the round robin")
"""What `pair` says when an event is over."""
STUCK = (
    "left, and a table needs",
    "left for the bracket",
    "pairing without a rematch is left",
    "needs a bye",
    "cannot play; at least",
    "players for a top",
)
"""What it says when nobody can go on although rounds were planned."""


def call(command: str, plain: Plain, *arguments: str) -> Answer:
    """A command on an event that comes from standard input."""
    return topcut(command, "-", *arguments, stdin=json.dumps(plain).encode())


def asked(command: str, plain: Plain, *arguments: str) -> Plain:
    """The JSON answer of a command that must have one."""
    answer = call(command, plain, *arguments, "--json")
    assert answer.code == 0, (answer.err, plain)
    found: Plain = json.loads(answer.out)
    return found


def new_event(rng: Random, rules: str, options: Plain, count: int, **more: Any) -> Plain:
    """An event before its first round; a few of its players have odd ids and names."""
    odd = rng.sample(IDS, k=min(count, rng.choice([0, 0, 2, 5])))
    ids = [*odd, *(f"p{i}" for i in range(1, count + 1 - len(odd)))]
    players: list[Plain] = [
        {"id": player_id, "name": rng.choice([player_id, player_id, *NAMES])} for player_id in ids
    ]
    rng.shuffle(players)
    plain = {"topcut": 1, "name": "Cup", "rules": rules, "players": players, "rounds": [], "options": options}
    if rng.random() < 0.3:
        plain["seed"] = rng.choice(["", "lots", "s0"])
    return plain | more


class Story:
    """An event while it is played by following `pair`."""

    def __init__(self, plain: Plain, rng: Random, *, quiet: bool = False, careful: bool = False) -> None:
        self.plain = deepcopy(plain)
        self.rng = rng
        self.quiet = quiet
        """Whether every table has a winner, and nobody leaves or comes late."""
        self.careful = careful
        """Whether `pair` never gets a seed, and byes of players who have left are not copied."""
        self.seeded = 0.0 if careful else rng.choice([0.0, 0.5, 1.0])
        """How often `pair` is given a seed."""
        self.end = ""
        """What `pair` said in the end."""
        self.late = 0

    def told(self, most: int = 30) -> Plain:
        """The event played until `pair` has no next round; more than `most` rounds are too many."""
        while self.step():
            assert len(self.plain["rounds"]) <= most, ("it never ends", self.plain)
        return self.plain

    def step(self) -> bool:
        """One more round, with results, and what happens after it; False at the end."""
        given = self.pair()
        if given is None:
            return False
        by_id = self.players()
        for key, field in DRAWN.items():
            for player_id, number in given.get(key, {}).items():
                by_id[player_id][field] = number
        tables = [self.result(dict(table), given["stage"]) for table in given["tables"]]
        if self.careful:
            tables = [table for table in tables if not (table.get("bye") and self.left(table["players"][0]))]
        a_round = {"stage": given["stage"], "seed": given["seed"], "tables": tables}
        if given["stage"] == "swiss" and self.rng.random() < 0.2:
            del a_round["stage"]
        self.plain["rounds"].append(a_round)
        if not self.quiet:
            self.happenings()
        return True

    def pair(self) -> Plain | None:
        arguments = ["--json"]
        if self.rng.random() < self.seeded:
            arguments += ["--seed", self.rng.choice(["", "x", f"s{self.rng.random()}"])]
        fresh = f"fresh {self.rng.random()}"
        with patch("secrets.token_urlsafe", lambda _: fresh):
            answer = call("pair", self.plain, *arguments)
        if answer.code == 0:
            found: Plain = json.loads(answer.out)
            return found
        self.end = answer.err
        assert answer.code == 3, (answer.err, self.plain)
        assert any(words in answer.err for words in OVER + STUCK), (answer.err, self.plain)
        return None

    def players(self) -> dict[str, Plain]:
        return {player["id"]: player for player in self.plain["players"]}

    def left(self, player_id: str) -> bool:
        return bool(set(LEFT) & set(self.players()[player_id]))

    def result(self, table: Plain, stage: str) -> Plain:
        ids = table["players"]
        if len(ids) == 1:
            return table
        chance = 1.0 if self.quiet or ODD & set(ids) else self.rng.random()
        winner = self.rng.choice(ids)
        if chance < 0.1 and stage == "swiss":
            winner = "draw"
        elif chance < 0.03 and self.plain["options"].get("format") != "double-elimination":
            winner = "double_loss"
        elif winner in ODD:  # only games can say that they won
            return table | {"games": [2, 1, 0] if winner == ids[0] else [0, 2, 0]}
        return table | {"winner": winner}

    def happenings(self) -> None:
        """Somebody leaves, is disqualified, comes late or was given a loss."""
        number = len(self.plain["rounds"])
        for player in self.plain["players"]:
            here = player.get("entered", 1) <= number and not self.left(player["id"])
            if here and self.rng.random() < 0.03:
                player[self.rng.choice(["dropped", "dropped", "disqualified"])] = number
        swiss = self.plain["rounds"][-1].get("stage", "swiss") == "swiss"
        event_format = self.plain["options"].get("format") or "swiss"
        if swiss and "swiss" in event_format and number < 4 and self.rng.random() < 0.2:
            self.enter(number)

    def enter(self, number: int) -> None:
        self.late += 1
        player: Plain = {"id": f"late {self.late}", "entered": number + 1}
        known = [p["division"] for p in self.plain["players"] if "division" in p]
        if known:
            player["division"] = self.rng.choice(known)
        self.plain["players"].insert(self.rng.randrange(len(self.plain["players"])), player)
        if self.rng.random() < 0.5:
            self.plain["rounds"][-1]["tables"].append({"players": [player["id"]], "loss": True})


FORMATS = ["swiss", "elimination", "swiss+elimination", "double-elimination", "round-robin"]


def any_event(rng: Random) -> Plain:
    """An event by a published book with some of its options, before its first round."""
    rules = rng.choice(["pokemon-2017", "pokemon-tom", "mtr", "fab-gem", "dci-1999"])
    event_format = rng.choice(FORMATS)
    count = rng.choice([2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 20])
    if event_format == "round-robin":
        count = min(count, 9)
    options: Plain = {"format": event_format}
    if event_format == "swiss+elimination":
        if rng.random() < 0.7:
            options["cut"] = rng.choice([c for c in (2, 4, 8) if c <= count])
        if rng.random() < 0.3:
            del options["format"]
            options.setdefault("cut", 2)
    if "swiss" in event_format and (rules not in ("pokemon-2017", "pokemon-tom") or rng.random() < 0.6):
        options["rounds"] = rng.randint(1, 5)
    if "elimination" in event_format and event_format != "double-elimination" and rng.random() < 0.4:
        options["third_place"] = rng.random() < 0.8
    if rules == "fab-gem" and "swiss" in event_format and rng.random() < 0.4:
        options["mode"] = "draft"
    plain = new_event(rng, rules, options, count)
    if rng.random() < 0.4:
        for player in plain["players"]:
            if rng.random() < 0.4:
                player["apart"] = rng.sample(["x", "y", ""], k=rng.randint(1, 2))
    if rules.startswith("pokemon") and rng.random() < 0.6:
        with_divisions(plain, rng)
    if event_format == "elimination" and rng.random() < 0.3:
        numbers = rng.sample(range(1, 3 * count), k=count)
        for player, number in zip(plain["players"], numbers, strict=True):
            player["seed"] = number
    return plain


def with_divisions(plain: Plain, rng: Random) -> None:
    """Divisions for the players, written or by their year of birth; with options for some of them."""
    names = rng.sample(["junior", "senior", "masters"], k=rng.randint(1, 3))
    for player in plain["players"]:
        player["division"] = rng.choice(names)
    options = plain["options"]
    if rng.random() < 0.7:
        options["divisions"] = rng.choice(["separate", "modified", "off"])
    if "rounds" in options and rng.random() < 0.6:
        options["by_division"] = {name: {"rounds": rng.randint(1, 5)} for name in names[:2]}
        options["rounds"] = 5


CUT = '["swiss+elimination"]'
NUMBERS = [-1, 0, 1, 2, 3, 7, 1000, 1001, 2**31, 2**63, 10**40]
LEFT = ["dropped", "cut", "disqualified"]
OPTIONS: dict[str, list[Any]] = {
    "format": FORMATS,
    "rounds": NUMBERS,
    "cut": [*NUMBERS, 4, 8, 16],
    "table": ["vg", "tcg-two-day", "vg-international", ""],
    "third_place": [True, False],
    "flights": NUMBERS,
    "divisions": ["separate", "modified", "off"],
    "mode": ["draft"],
}


def spoilt(plain: Plain, rng: Random) -> Plain:
    """A copy of an event in which one or two things went wrong."""
    spoiler = Spoiler(deepcopy(plain), rng)
    for _ in range(rng.randint(1, 2)):
        rng.choice(SPOILS)(spoiler)
    return spoiler.plain


class Spoiler:
    """Ways in which a file goes wrong, one a method."""

    def __init__(self, plain: Plain, rng: Random) -> None:
        self.plain = plain
        self.rng = rng

    def _tables(self) -> list[Plain]:
        """The tables of some round."""
        found = [a_round["tables"] for a_round in self.plain["rounds"] if a_round["tables"]]
        return self.rng.choice(found or [[{"players": ["nobody"], "bye": True}]])

    def _some(self) -> list[Plain]:
        players: list[Plain] = self.plain["players"]
        return self.rng.sample(players, k=self.rng.randint(1, len(players)))

    def without_a_table(self) -> None:
        tables = self._tables()
        del tables[self.rng.randrange(len(tables))]

    def a_table_twice(self) -> None:
        self._tables().insert(0, deepcopy(self.rng.choice(self._tables())))

    def in_another_order(self) -> None:
        self.rng.shuffle(self._tables())

    def other_seats(self) -> None:
        tables = self._tables()
        one, other = self.rng.choice(tables)["players"], self.rng.choice(tables)["players"]
        one[0], other[-1] = other[-1], one[0]
        for table in tables:
            if table.get("winner") not in [*table["players"], *ODD, None]:
                table["winner"] = table["players"][0]

    def another_winner(self) -> None:
        table = self.rng.choice(self._tables())
        if "winner" in table:
            table["winner"] = self.rng.choice([*table["players"], "draw", "double_loss"])

    def not_reported(self) -> None:
        table = self.rng.choice(self._tables())
        for key in ("winner", "games", "bye", "loss"):
            table.pop(key, None)

    def alone(self) -> None:
        """A bye or a loss for each player of a table."""
        tables = self._tables()
        at = self.rng.randrange(len(tables))
        tables[at : at + 1] = [
            {"players": [player_id], self.rng.choice(["bye", "loss"]): True}
            for player_id in tables[at]["players"]
        ]

    def somebody_leaves(self) -> None:
        player = self.rng.choice(self.plain["players"])
        for why in LEFT:
            player.pop(why, None)
        player[self.rng.choice(LEFT)] = self.rng.randint(0, len(self.plain["rounds"]))

    def without_a_key(self) -> None:
        key = self.rng.choice([*LEFT, "seed", "flight", "pod", "division", "entered"])
        for player in self.plain["players"]:
            player.pop(key, None)

    def another_option(self) -> None:
        key = self.rng.choice(list(OPTIONS))
        self.plain["options"].pop(key, None)
        if self.rng.random() < 0.9:
            self.plain["options"][key] = self.rng.choice(OPTIONS[key])

    def another_stage(self) -> None:
        if self.plain["rounds"]:
            self.rng.choice(self.plain["rounds"])["stage"] = self.rng.choice(["swiss", "elimination"])

    def rounds_moved(self) -> None:
        rounds = self.plain["rounds"]
        if rounds:
            moved = rounds.pop(self.rng.randrange(len(rounds)))
            if self.rng.random() < 0.6:
                rounds.insert(self.rng.randint(0, len(rounds)), moved)

    def a_number(self) -> None:
        key = self.rng.choice(["seed", "pod", "seat", "born", "entered", "dropped", "cut"])
        self.rng.choice(self.plain["players"])[key] = self.rng.choice(NUMBERS)

    def flights(self) -> None:
        for player in self._some():
            player["flight"] = self.rng.randint(0, 3)

    def divisions(self) -> None:
        for player in self._some():
            player["division"] = self.rng.choice(["junior", "senior", "masters"])

    def other_lots(self) -> None:
        where = self.rng.choice([self.plain, *self.plain["rounds"]])
        where.pop("seed", None)
        if self.rng.random() < 0.6:
            where["seed"] = self.rng.choice(["", "other", "a\nb"])

    def another_player(self) -> None:
        players, player_id = self.plain["players"], self.rng.choice([*IDS, "new"])
        if self.rng.random() < 0.5:
            players.append({"id": player_id, "entered": self.rng.randint(1, len(self.plain["rounds"]) + 2)})
        elif len(players) > 1:
            del players[self.rng.randrange(len(players))]


SPOILS: list[Callable[[Spoiler], None]] = [
    Spoiler.without_a_table,
    Spoiler.a_table_twice,
    Spoiler.in_another_order,
    Spoiler.other_seats,
    Spoiler.another_winner,
    Spoiler.not_reported,
    Spoiler.alone,
    Spoiler.somebody_leaves,
    Spoiler.without_a_key,
    Spoiler.another_option,
    Spoiler.another_stage,
    Spoiler.rounds_moved,
    Spoiler.a_number,
    Spoiler.flights,
    Spoiler.divisions,
    Spoiler.other_lots,
    Spoiler.another_player,
]
