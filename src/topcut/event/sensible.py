"""Could a desk have written this log? For logs of strangers: nothing in it is larger than people can mean.

Its chain and its facts may be in order, and yet a book in which a table plays a thousand million games, a
name of as many letters or a moment in the year 9999 would keep everybody waiting who looks at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from topcut.errors import BadInput
from topcut.event.deciding import checked_name
from topcut.event.private import Person

TEXT = 2_000
"""Letters of a text, at most."""
ORIGINAL = 20 * 2**20
"""Bytes of a file that an event came from, at most."""
NUMBER = 10**9
YEARS = range(1970, 3000)
ID = re.compile(r"[\w.-]{1,60}")
"""What an address can hold."""


def check_sensible(lines: Iterable[bytes], private: Mapping[str, bytes]) -> None:
    """Refuse a log that no desk can have written, though its chain may be whole."""
    originals: set[str] = set()
    others: set[str] = set()
    for position, line in enumerate(lines, start=1):
        entry = msgspec.json.decode(line)
        place = f"fact {position}"
        _check(entry, place)
        if not entry["at"][:4].isdecimal() or int(entry["at"][:4]) not in YEARS:
            raise BadInput(f"expected a time from {YEARS[0]} to {YEARS[-1]}", place=place)
        fact = entry["fact"]
        if fact["fact"] == "created":
            _check_name(fact["name"], place)
        originals |= {fact["original"]} if fact.get("original") else set()
        others |= {fact[name] for name in ("person", "commitment") if name in fact}
        if fact["fact"] == "registered" and not ID.fullmatch(fact["player"]):
            raise BadInput("expected an id of letters, digits, points and hyphens", place=place)
        for who in (entry["by"], entry.get("via", "")):
            if not who.isprintable():
                raise BadInput("expected somebody's name, in one line", place=place)
    for key, body in private.items():
        if key not in originals - others:
            _check_private(body)
        elif len(body) > ORIGINAL:
            raise BadInput(f"a file of {len(body)} bytes beside the log: expected at most {ORIGINAL}")


def _check(value: Any, place: str) -> None:
    if isinstance(value, str) and len(value) > TEXT:
        raise BadInput(f"a text of {len(value)} letters: expected at most {TEXT}", place=place)
    if isinstance(value, int | float) and not -NUMBER <= value <= NUMBER:
        raise BadInput(f"a number that nobody can mean: expected at most {NUMBER}", place=place)
    if isinstance(value, dict):
        for name, part in value.items():
            _check(name, place)
            _check(part, place)
    elif isinstance(value, list):
        for part in value:
            _check(part, place)


def _check_private(body: bytes) -> None:
    if len(body) > TEXT:
        raise BadInput(f"an entry of {len(body)} bytes beside the log: expected at most {TEXT}")
    try:
        person = msgspec.json.decode(body, type=Person)
    except msgspec.MsgspecError:  # a secret
        return
    _check(person.born or 0, "people")
    for name in (person.name, person.display):
        if name:
            _check_name(name, "people")


def _check_name(name: str, place: str) -> None:
    if checked_name(name, place) != name:
        raise BadInput("expected a name in one line", place=place)
