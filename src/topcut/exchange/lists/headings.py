"""What do people and programs write above a column? Headings of many languages, and what they mean.

The words stand in `headings.toml`; case, accents, spaces and punctuation do not count. Where a word means
one thing beside some columns and another beside others ("Nom" beside "Prénom"), `columns` decides.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from topcut.history.alphabet import plain

LEFT_OUT = "-"
"""The meaning of a column that is not needed."""

_AT_SEATS = ("name", "player", "first", "last", "id", "member", "outcome", "score", "points")
_SEAT = re.compile(r"(.*?)([1-4])(.*)")
_SIDE_LETTER = re.compile(r"(.+?)([ab])")


def key(heading: str) -> str:
    """What of a heading counts.

    >>> key("  Prénom :"), key("E-Mail-Adresse*")
    ('prenom', 'emailadresse')
    """
    letters = plain(heading[:80].replace("°", "o"))
    return "".join(letter for letter in letters if letter.isalnum()) or letters.strip()


def _by_key(words: dict[str, list[str]]) -> dict[str, str]:
    return {key(word): meaning for meaning, listed in words.items() for word in listed}


WORDS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("headings.toml").read_text("utf-8")
)
"""All words, by what they are for."""
_PLAYER = _by_key(WORDS["player"])
_TABLE = _by_key(WORDS["table"])
_LEFT_OUT = set(_by_key(WORDS["left_out"]))
OUTCOME = _by_key(WORDS["outcome"])
"""What words for results mean, by the key of the word."""
_SIDES = {word: int(seat) for word, seat in _by_key(WORDS["side"]).items()}
_SEATED = {word: "player" if m == "nom" else m for word, m in _PLAYER.items()} | _by_key(WORDS["seat"])
_SEATED = {word: "player" if m == "name" else m for word, m in _SEATED.items() if m in _AT_SEATS}
_PLAYERS = {word for word, meaning in _SEATED.items() if meaning == "player"}


@lru_cache(maxsize=2_000)
def meaning_of(heading: str) -> str | None:
    """What a heading says; `-` for what is not needed, None for what nobody knows.

    >>> meaning_of("Geburtsdatum"), meaning_of("E-Mail"), meaning_of("Player 2"), meaning_of("Ada")
    ('born', '-', 'player 2', None)
    """
    word = key(heading)
    if not word:
        return None
    if word in _PLAYER:
        return _PLAYER[word]
    if word in _TABLE:
        return _TABLE[word]
    if word in _LEFT_OUT:
        return LEFT_OUT
    if (seated := _at_seat(word)) is not None:
        return seated
    parts = [part for part in re.split(r"[/(|\n]", heading) if part.strip()]
    if len(parts) > 1:  # "Club / Team", "Date of birth (day.month.year)"
        return next((found for part in parts if (found := meaning_of(part.strip(" )"))) is not None), None)
    if re.search(r"[\W_]id(?: ?(?:number|no|nr))?\W*$", plain(heading)):  # the number of some programme
        return "member"
    return None


def known(heading: str) -> bool:
    """Whether this stands above columns."""
    return meaning_of(heading) is not None


def _at_seat(word: str) -> str | None:
    """The meaning of a heading for one of the seats of a table: "player 2", "2. Spieler", "p1 wins"."""
    for side, seat in _SIDES.items():
        if word.startswith(side) or word.endswith(side):
            rest = word.removeprefix(side).removesuffix(side)
            return _of_seat(rest, seat) if rest else f"player {seat}"
    found = _SEAT.fullmatch(word) or _SIDE_LETTER.fullmatch(word)
    if found is None:
        return None
    number = {"a": 1, "b": 2}.get(found[2]) or int(found[2])
    before, after = found[1], found[3] if found.lastindex == 3 else ""
    return _of_seat(before + after, number) or (_of_seat(after, number) if before in _PLAYERS else None)


def _of_seat(word: str, seat: int) -> str | None:
    meaning = _SEATED.get(word)
    if meaning is None and word.startswith("player"):
        meaning = _SEATED.get(word.removeprefix("player"))
    if meaning is None:
        return None
    if meaning == "points":  # of the standings before the round
        return LEFT_OUT
    return f"{'id' if meaning == 'member' else meaning} {seat}"
