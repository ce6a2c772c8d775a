"""Events in a few lines, for tests that read like rules.

    event = played("mtr", "A 2-1 B, C 1-1 D, E bye", "A 2-0 C, B loss, D - E", dropped={"B": 2})

Each text is a round; its tables are separated by commas. A table is two ids with a game score
(`2-1`, `1-1-1`) or a word (`beats`, `ties`, `both-lose`, `-` for not reported) between them, an id with
`bye` or `loss`, or for larger tables ids with scores: `2:24* 6:10 3:23` (`*` won, `x` eliminated).
"""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import msgspec

from tools.event_schema import build_schema
from topcut.formats.event_file import Event, EventFile
from topcut.history import Player, Round, Table, build_history
from topcut.rulebook import load
from topcut.rulebook.options import Options, apply_options, check_options
from topcut.standings import Standings, rank
from topcut.text.message_json import encode_in_english

SCHEMA = jsonschema_rs.Draft202012Validator(build_schema())
"""Every event that is built here is held to it."""
WORDS: dict[str, dict[str, Any]] = {
    "ties": {"winner": "draw"},
    "both-lose": {"winner": "double_loss"},
    "-": {},
}


def table(text: str) -> Table:
    """One table from its text."""
    if ":" in text:
        return _scored(text)
    first, word, *rest = text.split()
    if word in ("bye", "loss"):
        return msgspec.convert({"players": [first], word: True}, Table)
    players = [first, *rest]
    if word == "beats":
        return msgspec.convert({"players": players, "winner": first}, Table)
    if word in WORDS:
        return msgspec.convert({"players": players, **WORDS[word]}, Table)
    games = [int(number) for number in word.split("-")]
    return msgspec.convert({"players": players, "games": games + [0] * (3 - len(games))}, Table)


def _scored(text: str) -> Table:
    seats = re.findall(r"(\S+?):(-?\d+)([*x]?)", text)
    return Table(
        players=tuple(player_id for player_id, _, _ in seats),
        scores=tuple(int(score) for _, score, _ in seats),
        winners=tuple(player_id for player_id, _, mark in seats if mark == "*"),
        eliminated=tuple(player_id for player_id, _, mark in seats if mark == "x"),
    )


def a_round(text: str, **fields: Any) -> Round:
    tables = tuple(table(part.strip()) for part in text.split(",") if part.strip())
    return Round(tables=tables, **fields)


def played(
    rules: str,
    *rounds: str | Round,
    players: str = "",
    readings: dict[str, str] | None = None,
    options: dict[str, Any] | None = None,
    seed: str | None = None,
    **about: dict[str, Any],
) -> Event:
    """An event whose players are those named in `players` or found at tables, in that order.

    `about` gives fields of players: `dropped={"B": 2}, division={"A": "masters"}`; `rank_seed` is their seed.
    """
    made = tuple(a_round(r) if isinstance(r, str) else r for r in rounds)
    ids = list(
        dict.fromkeys(
            [*players.split(), *(player_id for r in made for t in r.tables for player_id in t.players)]
        )
    )
    about = {"seed" if name == "rank_seed" else name: values for name, values in about.items()}
    fields = {
        player_id: {name: values[player_id] for name, values in about.items() if player_id in values}
        for player_id in ids
    }
    people = tuple(
        msgspec.convert({"id": player_id, "name": player_id, **fields[player_id]}, Player)
        for player_id in ids
    )
    file = EventFile(
        topcut=1,
        name="An event",
        rules=rules,
        players=people,
        rounds=made,
        seed=seed,
        options=msgspec.convert(options or {}, Options),
    )
    book = apply_options(load(rules, readings), file.options)
    history = build_history(people, made, book)
    check_options(file.options, history.rounds, book)
    SCHEMA.validate(msgspec.to_builtins(file, enc_hook=encode_in_english))
    return Event(file, book, history)


def standings(event: Event, after: int | None = None, seed: str = "") -> Standings:
    """The standings of a built event."""
    history = event.history if after is None else event.history.after(after)
    return rank(history, event.book, seed)


def ids_in_order(found: Standings) -> list[str]:
    """The players' ids from the top."""
    return [found.history.players[i].id for i in found.order]


def value(found: Standings, key: str, player_id: str) -> str | None:
    """A player's exact value under a key, as text."""
    exact = found.value(key, found.history.index[player_id])
    return None if exact is None else str(exact)
