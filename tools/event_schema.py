"""Write the JSON Schema of event files from the types that read them.

    .venv/bin/python -m tools.event_schema      writes src/topcut/formats/event-file.schema.json

Topcut ships that file, and `topcut schema` prints it; a test fails while it is not what this module builds.
Types say which keys there are and what kind of value each takes. Limits of numbers and which keys go
together are here, words for people in event_schema.toml.

The schema refuses nothing that can be an event under some ruleset. What it cannot say is left to the reader:
whether ids are those of players and different ones, whether players sit where they can, the order of stages,
as many scores as players, whatever depends on the ruleset, numbers written as `1.0`, keys that stand twice.
"""

import tomllib
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from topcut.cli.schema import SCHEMA
from topcut.formats.event_file import EventFile
from topcut.history.builder import MOST_BYES, MOST_PLAYERS, MOST_ROUNDS
from topcut.history.player_fields import PLAYER_FIELDS
from topcut.history.results import BESIDE_SCORES, MOST_COUNT, MOST_GAMES, MOST_SCORE
from topcut.rulebook.options import NUMBER_LIMIT

Schema = dict[str, Any]

_TEXTS = tomllib.loads(Path(__file__).with_name("event_schema.toml").read_text("utf-8"))
WORDS: dict[str, dict[str, str]] = _TEXTS["words"]
"""What each key of each part means; the empty key is the part."""
EXAMPLES: dict[str, dict[str, list[Any]]] = _TEXTS["examples"]
for _field in PLAYER_FIELDS:
    if _field.description:
        WORDS["Player"][_field.name] = _field.description
    if _field.examples:
        EXAMPLES["Player"][_field.name] = list(_field.examples)

RESULTS = ("games", "winner", "scores", "bye", "loss")
LEAVING = ("dropped", "cut", "disqualified")

FROM_ONE: Schema = {"minimum": 1}
CHOSEN: Schema = {"minimum": 1, "exclusiveMaximum": NUMBER_LIMIT}
LEFT: Schema = {"minimum": 0, "maximum": MOST_ROUNDS}
TEXT: Schema = {"minLength": 1}
MESSAGE: Schema = {"type": "string", "maxLength": 10_000}
IDS: Schema = {"items": TEXT, "uniqueItems": True}

GIVEN: Schema = {"description": "A key that says something.", "not": {"enum": [None, False]}}
SOMEBODY: Schema = {"required": ["winners"], "properties": {"winners": {"type": "array", "minItems": 1}}}
"""Somebody has won."""

LIMITS: dict[str, dict[str, Schema]] = {
    "EventFile": {"rules": TEXT, "players": {"maxItems": MOST_PLAYERS}, "rounds": {"maxItems": MOST_ROUNDS}},
    "Player": {
        "id": TEXT,
        "entered": {"minimum": 1, "maximum": MOST_ROUNDS},
        **dict.fromkeys(LEAVING, LEFT),
        "byes": {"minimum": 0, "maximum": MOST_BYES},
        **dict.fromkeys(("flight", "pod", "seat", "seed"), FROM_ONE),
    },
    "Round": {"pods": {"propertyNames": TEXT, "additionalProperties": FROM_ONE}},
    "Allowance": {"what": {"minItems": 1, "uniqueItems": True}, "sits_out": TEXT},
    "PresentDraft": dict.fromkeys(("number", "rounds"), CHOSEN),
    "Table": {
        "players": IDS,
        "games": {"items": {"minimum": 0, "maximum": MOST_GAMES}},
        "winner": TEXT,
        "scores": {"minItems": 2, "items": {"minimum": -MOST_SCORE, "maximum": MOST_SCORE}},
        "winners": IDS,
        "eliminated": IDS,
        "tie_counts": {
            "items": {
                "minProperties": 2,
                "propertyNames": TEXT,
                "additionalProperties": {"minimum": 0, "maximum": MOST_COUNT},
            }
        },
        "win_given_to": TEXT,
    },
    "Options": {
        **dict.fromkeys(("rounds", "cut", "target", "flights"), CHOSEN),
        "pools": {"items": {"minItems": 1, "uniqueItems": True}},
    },
    "ForDivision": {
        **dict.fromkeys(("rounds", "flights"), CHOSEN),
        "cut": {"minimum": 0, "exclusiveMaximum": NUMBER_LIMIT},
    },
}
"""What the types do not say of single keys."""


def build_schema() -> Schema:
    """Return the JSON Schema of event files, draft 2020-12.

    >>> build_schema()["required"]
    ['topcut', 'name', 'rules', 'players']
    """
    _, parts = msgspec.json.schema_components(
        [EventFile],
        ref_template="#/$defs/{name}",
        schema_hook=lambda _kind: MESSAGE,
    )
    for name, part in parts.items():
        keys = {key: _plain(value) for key, value in part["properties"].items()}
        part["properties"] = {
            key: _described(name, key) | _merged(value, LIMITS.get(name, {}).get(key, {}))
            for key, value in keys.items()
        }
        part.update(_described(name, ""))
    parts["Player"]["allOf"] = [_at_most_one(LEAVING)]
    parts["Options"]["allOf"] = [_at_most_one(("divisions", "pools"))]
    parts["Table"]["allOf"] = _table_rules()
    parts["Round"]["allOf"] = [_elimination()]
    root = parts.pop("EventFile")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:topcut:event-file:1",
        **root,
        "title": "Topcut event file",
        "$defs": {**parts, "given": GIVEN},
    }


def encode_schema() -> bytes:
    """Return the JSON Schema as the bytes of a file."""
    return msgspec.json.format(msgspec.json.encode(build_schema()), indent=2) + b"\n"


def _table_rules() -> list[Schema]:
    alone = {"properties": {"players": {"minItems": 1, "maxItems": 1}}}
    several = {"properties": {"players": {"minItems": 2}}}
    one_winner = {"properties": {"winners": {"maxItems": 1}}}
    draw = {
        "anyOf": [_given("games"), _is("winner", "draw"), _given("scores")],
        "properties": {"winners": {"maxItems": 0}},
    }
    broken = {"required": ["tie_counts"], "properties": {"tie_counts": {"type": "array", "minItems": 1}}}
    return [
        _at_most_one(RESULTS),
        _if("A bye or a loss is for one player, a table for more.", _any(["bye", "loss"]), alone, several),
        _if("Games are counted between two.", _given("games"), {"properties": {"players": {"maxItems": 2}}}),
        _if("These stand beside scores, and nowhere else.", _any(BESIDE_SCORES), _given("scores")),
        _if("A tie was broken, so somebody has won.", {"anyOf": [broken, _given("win_given_to")]}, SOMEBODY),
        _if("The win was given to one player.", _given("win_given_to"), one_winner),
        _if("Only a draw can be intentional.", _given("intentional"), draw),
    ]


def _elimination() -> Schema:
    no_draw = {"properties": {"winner": {"not": {"const": "draw"}}, "intentional": {"const": False}}}
    table = {"allOf": [no_draw, _if("Somebody has won.", _given("scores"), SOMEBODY)]}
    tables = {"properties": {"tables": {"items": table}}}
    return _if("An elimination round knows no draw.", _is("stage", "elimination"), tables)


def _given(*keys: str) -> Schema:
    """Return the schema that these keys are there and say something."""
    return {"required": list(keys), "properties": {key: {"$ref": "#/$defs/given"} for key in keys}}


def _is(key: str, value: str) -> Schema:
    return {"required": [key], "properties": {key: {"const": value}}}


def _any(keys: Iterable[str]) -> Schema:
    return {"anyOf": [_given(key) for key in keys]}


def _if(says: str, condition: Schema, then: Schema, otherwise: Schema | None = None) -> Schema:
    rule = {"description": says, "if": condition, "then": then}
    return rule | ({"else": otherwise} if otherwise else {})


def _at_most_one(keys: Iterable[str]) -> Schema:
    pairs = [_given(*pair) for pair in combinations(keys, 2)]
    return {"description": f"At most one of {', '.join(keys)}.", "not": {"anyOf": pairs}}


def _described(part: str, key: str) -> Schema:
    words: Schema = {"description": WORDS[part][key]}
    examples = EXAMPLES.get(part, {}).get(key)
    return words | ({"examples": examples} if examples else {})


def _plain(value: Schema) -> Schema:
    """Return a key's schema in one piece: each word is about one kind of value, so branches can be joined."""
    branches = value.get("anyOf", [value])
    if len(branches) > 1 and any("$ref" in branch for branch in branches):
        return {"anyOf": branches}
    found: Schema = {word: says for branch in branches for word, says in branch.items()}
    if len(branches) > 1 and "enum" in found:
        found = {"enum": [*found["enum"], None]}
    elif len(branches) > 1:
        found["type"] = [branch["type"] for branch in branches]
    if "prefixItems" in found:  # a number of values that are all alike
        found["items"] = found.pop("prefixItems")[0]
    if value.get("default") is None:
        found.pop("default", None)
    return found


def _merged(one: Schema, other: Schema) -> Schema:
    """Return two schemas in one, the inner parts too."""
    inner = {key: _merged(one[key], value) for key, value in other.items() if isinstance(one.get(key), dict)}
    return {**one, **other, **inner}


if __name__ == "__main__":
    SCHEMA.write_bytes(encode_schema())
