"""Find the meaning of a column by its heading, in many languages.

The words stand in `headings.toml`; case, accents, spaces and punctuation do not count. Where a word means
one thing beside some columns and another beside others ("Nom" beside "Prénom"), `columns` decides.
"""

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from topcut.text.names import fold_letters

LEFT_OUT = "-"
"""The meaning of a column that is not needed."""

_AT_SEATS = ("name", "player", "display", "first", "last", "id", "member", "outcome", "score", "points")
_SEAT = re.compile(r"(.*?)([1-4])(.*)")
_SIDE_LETTER = re.compile(r"(.+?)([ab])")


def heading_key(heading: str) -> str:
    """Return the letters of a heading that count.

    >>> heading_key("  Prénom :"), heading_key("E-Mail-Adresse*")
    ('prenom', 'emailadresse')
    """
    letters = fold_letters(heading[:80].replace("°", "o"))
    return "".join(letter for letter in letters if letter.isalnum()) or letters.strip()


def _group_by_key(words: dict[str, list[str]]) -> dict[str, str]:
    return {heading_key(word): meaning for meaning, listed in words.items() for word in listed}


_FILE = Path(__file__).with_name("headings.toml")
WORDS: dict[str, dict[str, list[str]]] = tomllib.loads(_FILE.read_text("utf-8"))
"""All words, by what they are for."""
_PLAYER = _group_by_key(WORDS["player"])
_MEANINGS = dict.fromkeys(_group_by_key(WORDS["left_out"]), LEFT_OUT)
_MEANINGS |= _group_by_key(WORDS["table"]) | _PLAYER
OUTCOME = _group_by_key(WORDS["outcome"])
"""What words for results mean, by the key of the word."""
_SIDES = {word: int(seat) for word, seat in _group_by_key(WORDS["side"]).items()}
_SEATED = {word: "player" if m == "nom" else m for word, m in _PLAYER.items()} | _group_by_key(WORDS["seat"])
_SEATED = {word: "player" if m in ("name", "display") else m for word, m in _SEATED.items() if m in _AT_SEATS}
_PLAYERS = {word for word, meaning in _SEATED.items() if meaning == "player"}


@lru_cache(maxsize=2_000)
def find_meaning(heading: str) -> str | None:
    """Return what a heading says; `-` for what is not needed, None for what nobody knows.

    >>> [find_meaning(heading) for heading in ("Mitgliedsnummer", "E-Mail", "Player 2", "Ada")]
    ['member', '-', 'player 2', None]
    """
    word = heading_key(heading)
    if not word:
        return None
    if (meaning := _MEANINGS.get(word) or _find_seat_meaning(word)) is not None:
        return meaning
    parts = [part for part in re.split(r"[/(|\n]", heading) if part.strip()]
    if len(parts) > 1:  # "Club / Team", "Date of birth (day.month.year)"
        return next((found for part in parts if (found := find_meaning(part.strip(" )"))) is not None), None)
    # The number of some programme.
    return "member" if re.search(r"[\W_]id(?: ?(?:number|no|nr))?\W*$", fold_letters(heading)) else None


def _find_seat_meaning(word: str) -> str | None:
    """Return the meaning of a heading for one seat of a table: "player 2", "2. Spieler", "p1 wins"."""
    for side, seat in _SIDES.items():
        if word.startswith(side) or word.endswith(side):
            rest = word.removeprefix(side).removesuffix(side)
            return _name_seat_meaning(rest, seat) if rest else f"player {seat}"
    found = _SEAT.fullmatch(word) or _SIDE_LETTER.fullmatch(word)
    if found is None:
        return None
    number = {"a": 1, "b": 2}.get(found[2]) or int(found[2])
    before, after = found[1], found[3] if found.lastindex == 3 else ""
    meaning = _name_seat_meaning(before + after, number)
    return _name_seat_meaning(after, number) if meaning is None and before in _PLAYERS else meaning


def _name_seat_meaning(word: str, seat: int) -> str | None:
    meaning = _SEATED.get(word)
    if meaning is None and word.startswith("player"):
        meaning = _SEATED.get(word.removeprefix("player"))
    if meaning is None and word.endswith("player"):  # "ID Player 1"
        meaning = _SEATED.get(word.removesuffix("player"))
    if meaning is None:
        return None
    if meaning == "points":  # of the standings before the round
        return LEFT_OUT
    return f"{'id' if meaning == 'member' else meaning} {seat}"
