"""The JSON Schema of event files and the reader agree, wherever a schema can know what the reader knows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given

import topcut as package
from tests.builders import SCHEMA, played
from tests.command_line import GONE, changed, document, topcut
from tests.formats.damaged_event_files import VALID, events, spoilt
from tools.event_schema import EXAMPLES, WORDS, build_schema, encode_schema
from topcut.cli.schema import SCHEMA as SHIPPED
from topcut.errors import BadInput
from topcut.formats.event_file import build_event, decode_event_file

OURS = Path(package.__file__).parent / "examples"
WHOLE = build_schema()
PARTS: dict[str, Any] = {**WHOLE["$defs"], "EventFile": WHOLE}

ONLY_THE_READER_KNOWS = {
    "ids": r"no player has the id|is the id of|does not sit at this table|expected some of",
    "seats": r"sits at |plays in round|left after round",
    "order": r"a Swiss round after",
    "how many": r"scores, one for each player|expected .* players at a table",
    "numbers with a decimal point": r"not a number|expected 1, not",
    "numbers of thousands of digits": r"out of range",
    "draws by games": r"only a draw can be intentional|end in a draw",
    "the rules": r"no ruleset|in this ruleset|are not allowed here|there are no byes|isn't possible in"
    r"|no division is called|no use |is not played as|no round table|Swiss rounds? |power of two|flights, not"
    r"|also the id of a player|in one pool|expected \d+ rounds ",
    "winners by scores": r"won with|tied|too many counts|alone had the most|the win was given|the last count"
    r"|eliminated and cannot",
}
"""What a reader says where a schema is content."""


def refusal(plain: Any) -> str | None:
    """Why the reader does not take a document, if it does not."""
    try:
        build_event(decode_event_file(json.dumps(plain).encode()), folder=OURS)
    except BadInput as error:
        return str(error)
    return None


def test_the_file_that_others_use_is_up_to_date() -> None:
    """If it is not: python -m tools.event_schema"""
    assert SHIPPED.read_bytes() == encode_schema()
    assert topcut("schema").out.encode() == encode_schema()


def test_it_is_a_schema() -> None:
    jsonschema_rs.meta.validate(WHOLE)
    assert WHOLE["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_every_key_is_described_and_no_other() -> None:
    keys = {name: set(part["properties"]) for name, part in PARTS.items() if name != "given"}
    assert {name: set(words) - {""} for name, words in WORDS.items()} == keys
    assert all(set(EXAMPLES[name]) <= set(WORDS[name]) for name in EXAMPLES)


@pytest.mark.parametrize(
    ("part", "key"),
    [(part, key) for part in EXAMPLES for key in EXAMPLES[part]],
    ids=lambda word: word or "all",
)
def test_the_examples_in_it_are_right(part: str, key: str) -> None:
    inner = PARTS[part]["properties"][key] if key else PARTS[part]
    check = jsonschema_rs.validator_for({"$defs": WHOLE["$defs"], **inner, "$id": "urn:part"})
    assert [example for example in EXAMPLES[part][key] if not check.is_valid(example)] == []


def test_the_example_of_a_whole_event_is_one() -> None:
    assert [refusal(plain) for plain in EXAMPLES["EventFile"][""]] == [None]


@pytest.mark.parametrize("file", sorted(OURS.glob("*.json")), ids=lambda file: file.stem)
def test_our_examples(file: Path) -> None:
    SCHEMA.validate(json.loads(file.read_bytes()))


@given(events())
def test_whatever_can_be_read_is_allowed(plain: Any) -> None:
    assert refusal(plain) is None
    SCHEMA.validate(plain)


@given(spoilt())
def test_spoilt_files(plain: Any) -> None:
    """Nothing that can be read is refused; what only the reader refuses is of a kind that is listed."""
    problem, allowed = refusal(plain), SCHEMA.is_valid(plain)
    if problem is None:
        assert allowed
    elif allowed:
        assert any(re.search(pattern, problem) for pattern in ONLY_THE_READER_KNOWS.values()), problem


PAIRS = document(played("mtr", "A 2-0 B, C bye", options={"rounds": 3}))
SCORED = VALID[2]
GAMES, BYE, TIE = "rounds[0].tables[0]", "rounds[0].tables[1]", "rounds[0].tables[0]"


@pytest.mark.parametrize(
    ("plain", "changes"),
    [
        (PAIRS, {"$schema": "event-file.schema.json"}),
        (PAIRS, {"players": GONE}),
        (PAIRS, {"rules": ""}),
        (PAIRS, {"topcut": 2}),
        (PAIRS, {"options": None}),
        (PAIRS, {"options.rounds": 0}),
        (PAIRS, {"options.rounds": 10**9}),
        (PAIRS, {"options.level": "serious"}),
        (PAIRS, {"options.by_division": {"x": {"cut": -1}}}),
        (PAIRS, {"options.pools": [[]]}),
        (PAIRS, {"options.pools": [["x", "x"]]}),
        (PAIRS, {"options.pools": [["x"]], "options.divisions": "off"}),
        (PAIRS, {"rounds": [{"tables": []}] * 1001}),
        (PAIRS, {"players[0].id": ""}),
        (PAIRS, {"players[0].seat": 0}),
        (PAIRS, {"players[0].entered": 0}),
        (PAIRS, {"players[0].entered": None}),
        (PAIRS, {"players[0].entered": 1001}),
        (PAIRS, {"players[0].dropped": -1}),
        (PAIRS, {"players[0].dropped": 1, "players[0].cut": 1}),
        (PAIRS, {"players[0].disqualified": 1, "players[0].cut": 1}),
        (PAIRS, {f"{GAMES}.games": [2, 0]}),
        (PAIRS, {f"{GAMES}.games": [100, 0, 0]}),
        (PAIRS, {f"{GAMES}.games": [-1, 0, 0]}),
        (PAIRS, {f"{GAMES}.winner": "A"}),
        (PAIRS, {f"{GAMES}.bye": True}),
        (PAIRS, {f"{GAMES}.players": ["A", "A"]}),
        (PAIRS, {f"{GAMES}.players": []}),
        (PAIRS, {f"{GAMES}.winners": ["A"]}),
        (PAIRS, {f"{GAMES}.winner": "", f"{GAMES}.games": None}),
        (PAIRS, {f"{GAMES}.winner": "double_loss", f"{GAMES}.games": None, f"{GAMES}.intentional": True}),
        (PAIRS, {f"{GAMES}.games": None, f"{GAMES}.intentional": True}),
        (PAIRS, {f"{GAMES}.winner": "draw", f"{GAMES}.games": None, "rounds[0].stage": "elimination"}),
        (PAIRS, {f"{BYE}.loss": True}),
        (PAIRS, {f"{BYE}.bye": False}),
        (PAIRS, {f"{BYE}.intentional": True}),
        (SCORED, {f"{TIE}.winners": []}),
        (SCORED, {f"{TIE}.winners": ["A", "B"]}),
        (SCORED, {f"{TIE}.winners": ["B", "B"], f"{TIE}.win_given_to": None}),
        (SCORED, {f"{TIE}.scores": None}),
        (SCORED, {f"{TIE}.scores": [10**9 + 1, 5, 1]}),
        (SCORED, {f"{TIE}.tie_counts": [{"A": 3}]}),
        (SCORED, {f"{TIE}.tie_counts": [{"A": -1, "B": 3}]}),
        (SCORED, {f"{TIE}.tie_counts": GONE, f"{TIE}.intentional": True}),
        (
            SCORED,
            {f"{TIE}": {"players": ["A", "B", "a"], "scores": [5, 5, 1]}, "rounds[0].stage": "elimination"},
        ),
    ],
)
def test_what_both_refuse(plain: dict[str, Any], changes: dict[str, Any]) -> None:
    spoilt = changed(plain, changes)
    assert (refusal(plain), SCHEMA.is_valid(plain)) == (None, True)
    assert (refusal(spoilt) is None, SCHEMA.is_valid(spoilt)) == (False, False)


@pytest.mark.parametrize(
    ("kind", "plain", "changes"),
    [
        ("ids", PAIRS, {f"{GAMES}.players": ["A", "Z"]}),
        ("ids", PAIRS, {"players[1].id": "A"}),
        ("ids", PAIRS, {f"{GAMES}.games": None, f"{GAMES}.winner": "C"}),
        ("ids", SCORED, {f"{TIE}.winners": ["x"]}),
        ("seats", PAIRS, {f"{BYE}.players": ["A"]}),
        ("seats", PAIRS, {"players[0].entered": 2}),
        ("seats", PAIRS, {"players[0].entered": 3, "players[0].dropped": 1}),
        (
            "order",
            VALID[0],
            {"rounds[1].stage": "elimination", "rounds[2].stage": "swiss", "rounds[1].tables": []},
        ),
        ("how many", SCORED, {f"{TIE}.scores": [5, 5]}),
        ("how many", SCORED, {f"{TIE}.players": ["A", "B"]}),
        ("numbers with a decimal point", PAIRS, {"players[0].born": 1990.0}),
        ("numbers with a decimal point", PAIRS, {"topcut": 1.0}),
        ("draws by games", PAIRS, {f"{GAMES}.intentional": True}),
        ("draws by games", PAIRS, {f"{GAMES}.games": [1, 1, 0], "rounds[0].stage": "elimination"}),
        ("the rules", PAIRS, {"rules": "mtx"}),
        ("the rules", PAIRS, {"options.mode": "draft"}),
        ("the rules", PAIRS, {f"{GAMES}.games": [3, 0, 0]}),
        ("winners by scores", SCORED, {f"{TIE}.scores": [6, 5, 1]}),
        ("winners by scores", SCORED, {f"{TIE}.tie_counts": [{"A": 3, "B": 3}]}),
    ],
)
def test_what_only_the_reader_knows(kind: str, plain: dict[str, Any], changes: dict[str, Any]) -> None:
    spoilt = changed(plain, changes)
    assert SCHEMA.is_valid(spoilt)
    assert re.search(ONLY_THE_READER_KNOWS[kind], refusal(spoilt) or "it was read")


def test_numbers_of_thousands_of_digits() -> None:
    raw = json.dumps(PAIRS).replace('"name": "A"', '"born": ' + "9" * 5000)
    with pytest.raises(BadInput, match=ONLY_THE_READER_KNOWS["numbers of thousands of digits"]):
        decode_event_file(raw.encode())
