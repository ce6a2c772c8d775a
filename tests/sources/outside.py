"""Try rules from outside: event files in, the command line in this process, JSON out.

file = event("dci-1999", "A 2-1 B, C bye")
assert in_order(file) == ["C", "A", "B"]
assert value(file, "gw", "A") == "2/3"
assert drawn(file) == {tables("AC B"), tables("CB A")}

An event is written as in tests/builders.py. A reading is given as it is to `--reading`, with a line for the
dash: `value(file, "gw", "A", DC_A8="b")`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from tests.builders import a_round
from tests.cli.shop import Shop
from tests.command_line import Answer, topcut
from tests.pairing.certificate_checks import enumerate_uniform
from tests.printing.pdf_reader import text_of
from topcut.history import Round

Pairing = frozenset[frozenset[str]]


# Event files


def event(
    rules: str, *rounds: str | Round, players: str = "", options: dict[str, Any] | None = None, **about: Any
) -> dict[str, Any]:
    """An event file; `about` gives fields of players, as in `dropped={"B": 2}`; `rank_seed` is their seed."""
    made = [a_round(text) if isinstance(text, str) else text for text in rounds]
    seated = (player_id for turn in made for table in turn.tables for player_id in table.players)
    fields = {"seed" if name == "rank_seed" else name: values for name, values in about.items()}
    return {
        "topcut": 1,
        "name": "An event",
        "rules": rules,
        "options": options or {},
        "players": [
            {"id": one, "name": one} | {name: values[one] for name, values in fields.items() if one in values}
            for one in dict.fromkeys([*players.split(), *seated])
        ],
        "rounds": msgspec.to_builtins(made),
    }


def with_table(file: dict[str, Any], turn: int, at: int, **fields: Any) -> dict[str, Any]:
    """The file with other fields at one table; rounds and tables count from 1."""
    copy: dict[str, Any] = json.loads(json.dumps(file))
    copy["rounds"][turn - 1]["tables"][at - 1] |= fields
    return copy


# Commands


def ask(*arguments: str, file: dict[str, Any] | None = None, **readings: str) -> Any:
    """What a command answers, with the file as its input."""
    return json.loads(_done(arguments, file, readings).out)


def warned(*arguments: str, file: dict[str, Any] | None = None, **readings: str) -> str:
    """What a command that succeeds says besides its answer."""
    return _done(arguments, file, readings).err


def refused(*arguments: str, file: dict[str, Any] | None = None, **readings: str) -> str:
    """The one line of a command that the rules or the file make impossible."""
    return _refusal(arguments, file, readings)


def _done(arguments: Iterable[str], file: dict[str, Any] | None, readings: Mapping[str, str]) -> Answer:
    answer = _say(arguments, file, readings)
    assert answer.code == 0, answer
    return answer


def _refusal(arguments: Iterable[str], file: dict[str, Any] | None, readings: Mapping[str, str]) -> str:
    answer = _say(arguments, file, readings)
    assert answer.code in (2, 3), answer
    assert answer.out == ""
    return answer.err.removesuffix("\n")


def _say(arguments: Iterable[str], file: dict[str, Any] | None, readings: Mapping[str, str]) -> Answer:
    chosen = [f"--reading={name.replace('_', '-')}={letter}" for name, letter in readings.items()]
    given = [] if file is None else ["-"]
    return topcut(*arguments, *given, "--json", *chosen, stdin=json.dumps(file).encode())


def parameter(rules: str, name: str) -> Any:
    """A value of a book by its dotted path, such as `match.best_of`, as `topcut rules show` prints it."""
    found = {f"{row['section']}.{row['name']}": row for row in ask("rules", "show", rules)["parameters"]}
    return found[name]["value"]


def plan(rules: str, players: int | str, *arguments: str, **readings: str) -> dict[str, Any]:
    """The plan for a number of players, or for several divisions (`"6,7"`)."""
    found: dict[str, Any] = json.loads(_done(_plan(rules, players, *arguments), None, readings).out)
    return found


def unplanned(rules: str, players: int | str, *arguments: str, **readings: str) -> str:
    """Why there is no plan."""
    return _refusal(_plan(rules, players, *arguments), None, readings)


def _plan(rules: str, players: int | str, *arguments: str) -> tuple[str, ...]:
    return ("plan", "--rules", rules, "--players", str(players), *arguments)


# Standings


def standings(file: dict[str, Any], *arguments: str, **readings: str) -> list[dict[str, Any]]:
    """The rows of the standings, from the top."""
    rows: list[dict[str, Any]] = ask("standings", *arguments, file=file, **readings)["standings"]
    return rows


def in_order(file: dict[str, Any], *arguments: str, **readings: str) -> list[str]:
    """The players' ids from the top."""
    return [row["id"] for row in standings(file, *arguments, **readings)]


def ranks(file: dict[str, Any], **readings: str) -> dict[str, int]:
    """Each player's rank."""
    return {row["id"]: row["rank"] for row in standings(file, **readings)}


def decided_by(file: dict[str, Any], **readings: str) -> list[str | None]:
    """The key that puts each row above the next."""
    return [row["decided_by"] for row in standings(file, **readings)]


def table_of(file: dict[str, Any], *keys: str, **readings: str) -> list[tuple[str, ...]]:
    """(id, exact value of each key) from the top."""
    return [(row["id"], *(_value(row, key) for key in keys)) for row in standings(file, **readings)]


def value(file: dict[str, Any], key: str, player: str, *arguments: str, **readings: str) -> str:
    """A player's exact value under a key."""
    (row,) = [row for row in standings(file, *arguments, **readings) if row["id"] == player]
    return _value(row, key)


def shown(file: dict[str, Any], key: str, player: str, **readings: str) -> str:
    """The value as it is printed."""
    (row,) = [row for row in standings(file, **readings) if row["id"] == player]
    (found,) = [tiebreak["shown"] for tiebreak in row["tiebreaks"] if tiebreak["key"] == key]
    return str(found)


def _value(row: dict[str, Any], key: str) -> str:
    if key in row:
        return str(row[key])
    (found,) = [tiebreak["value"] for tiebreak in row["tiebreaks"] if tiebreak["key"] == key]
    return str(found)


# Pairings


def pair(file: dict[str, Any], seed: str = "lots", **readings: str) -> dict[str, Any]:
    """The next round."""
    found: dict[str, Any] = ask("pair", "--seed", seed, file=file, **readings)
    return found


def tables(text: str) -> Pairing:
    """`15 26 3`: 1 meets 5, 2 meets 6, and 3 has the bye."""
    return frozenset(frozenset(table) for table in text.split())


def seated(answer: dict[str, Any]) -> Pairing:
    """Who sits with whom."""
    return frozenset(frozenset(table["players"]) for table in answer["tables"])


def drawn(file: dict[str, Any], times: int = 60, **readings: str) -> Counter[Pairing]:
    """How often each pairing comes up in so many draws."""
    answer = ask("pair", "--draws", str(times), "--seed", "lots", file=file, **readings)
    return Counter(
        {
            frozenset(frozenset(table) for table in found["tables"]): found["count"]
            for found in answer["pairings"]
        }
    )


def assert_drawn(file: dict[str, Any], *texts: str, times: int = 200, **readings: str) -> None:
    """Only these pairings come up, all of them, and about equally often."""
    counts = drawn(file, times, **readings)
    assert set(counts) == {tables(text) for text in texts}
    assert enumerate_uniform(counts, set(counts), times) > 0.001


def byes(file: dict[str, Any], times: int = 60, **readings: str) -> set[str]:
    """Who may get the bye; empty if nobody does."""
    return {
        one for found in drawn(file, times, **readings) for table in found if len(table) == 1 for one in table
    }


# Paper and running events


def printed(kind: str, file: dict[str, Any], folder: Path, *arguments: str) -> str:
    """The words of a printed sheet, in the order in which they were set."""
    pdf = folder / f"{kind}.pdf"
    answer = topcut("print", kind, "-", "-o", str(pdf), *arguments, stdin=json.dumps(file).encode())
    assert answer.code == 0, answer
    return text_of(pdf.read_bytes())


def running(folder: Path, rules: str, players: int | str, *chosen: str) -> Shop:
    """A running event of players P1, P2, … or of these names; options `rounds=3`, readings `PK-A9=a`."""
    folder.mkdir(exist_ok=True)
    shop = Shop(folder)
    words = (word for one in chosen for word in ("--reading" if one[0].isupper() else "--option", one))
    shop("new", "Cup", "--rules", rules, *words)
    names = players.split() if isinstance(players, str) else [f"P{n}" for n in range(1, players + 1)]
    if names:
        shop("add", *names)
    return shop


def play(shop: Shop, *rounds: str) -> None:
    """Whole rounds: results of the tables in order, `2-0` where none is given."""
    for results in rounds:
        start(shop)
        finish(shop, results)


def start(shop: Shop) -> None:
    """Pair, publish and start the next round."""
    for step in ("pair", "publish", "start"):
        shop("round", step)


def finish(shop: Shop, results: str = "") -> None:
    """Report what is missing in the round, and end it."""
    texts = results.split()
    for at, table in enumerate(shop.json("round", "show", "--missing")["missing"]):
        shop("report", str(table), texts[at] if at < len(texts) else "2-0")
    shop("round", "end")


def desk_standings(shop: Shop) -> list[dict[str, Any]]:
    """The rows of the running event's standings, from the top."""
    answer = topcut("standings", "--json", "--database", shop.database)
    assert answer.code == 0, answer
    rows: list[dict[str, Any]] = json.loads(answer.out)["standings"]
    return rows
