"""Check that nothing in a log of a stranger is larger than people can mean.

Its chain and its facts may be in order, and yet a book in which a table plays a thousand million games, a
name of as many letters or a moment in the year 9999 would keep everybody waiting who looks at it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from topcut.errors import BadInput
from topcut.event.decide.context import clean_name
from topcut.event.private_data import Person
from topcut.history.player_fields import PERSONAL, read_fields

LONGEST_TEXT = 2_000
"""Letters of a text, at most."""
LARGEST_ORIGINAL = 20 * 2**20
"""Bytes of a file that an event came from, at most."""
LARGEST_NUMBER = 10**9
YEARS = range(1970, 3000)
ID_PATTERN = re.compile(r"[\w.-]{1,60}")
"""What an address can hold."""


def check_log_limits(lines: Iterable[bytes], private: Mapping[str, bytes]) -> None:
    """Refuse a log that no desk can have written, though its chain may be whole."""
    originals: set[str] = set()
    others: set[str] = set()
    for position, line in enumerate(lines, start=1):
        entry = msgspec.json.decode(line)
        place = f"fact {position}"
        _check_value(entry, place)
        if not entry["at"][:4].isdecimal() or int(entry["at"][:4]) not in YEARS:
            raise BadInput(f"expected a time from {YEARS[0]} to {YEARS[-1]}", place=place)
        fact = entry["fact"]
        if fact["fact"] == "created":
            _check_name(fact["name"], place)
        originals |= {fact["original"]} if fact.get("original") else set()
        others |= {fact[name] for name in ("person", "commitment") if name in fact}
        if fact["fact"] == "registered" and not ID_PATTERN.fullmatch(fact["player"]):
            raise BadInput("expected an id of letters, digits, points and hyphens", place=place)
        for who in (entry["by"], entry.get("via", "")):
            if not who.isprintable():
                raise BadInput("expected somebody's name, in one line", place=place)
    for key, body in private.items():
        if key not in originals - others:
            _check_private(body)
        elif len(body) > LARGEST_ORIGINAL:
            raise BadInput(f"a file of {len(body)} bytes beside the log: expected at most {LARGEST_ORIGINAL}")


def _check_value(value: Any, place: str) -> None:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise BadInput(f"a text of {len(value)} letters: expected at most {LONGEST_TEXT}", place=place)
    if isinstance(value, int | float) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise BadInput(f"a number that nobody can mean: expected at most {LARGEST_NUMBER}", place=place)
    if isinstance(value, dict):
        for name, part in value.items():
            _check_value(name, place)
            _check_value(part, place)
    elif isinstance(value, list):
        for part in value:
            _check_value(part, place)


def _check_private(body: bytes) -> None:
    if len(body) > LONGEST_TEXT:
        raise BadInput(f"an entry of {len(body)} bytes beside the log: expected at most {LONGEST_TEXT}")
    try:
        person = msgspec.json.decode(body, type=Person)
    except msgspec.MsgspecError:  # a secret
        return
    _check_value(
        [value for value in read_fields(person, PERSONAL).values() if isinstance(value, int)], "people"
    )
    for name in (person.name, person.display):
        if name:
            _check_name(name, "people")


def _check_name(name: str, place: str) -> None:
    if clean_name(name, place) != name:
        raise BadInput("expected a name in one line", place=place)
