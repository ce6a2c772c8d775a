"""What happened at a table, as lists have it: "2-1", "0.5-0.5", "draw", a winner's name, scores."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.exchange.lists.headings import OUTCOME, key, meaning_of
from topcut.history.model import Table
from topcut.history.played import Played
from topcut.history.results import endings
from topcut.rulebook.model import Book

_DATE = re.compile(
    r"\d{1,2}[-. ]+[^\W\d]{3,}\.?|[^\W\d]{3,}\.?[- ]\d{1,2}|\d{4}-\d\d-\d\d.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)
"""What a spreadsheet makes of 2-1."""
_DASH = re.compile(r"\s*[-:–—]\s*")
WORDS = {
    Played.WIN: "win",
    Played.LOSS: "loss",
    Played.DRAW: "draw",
    Played.DOUBLE_LOSS: "double loss",
    Played.BYE: "bye",
    Played.ASSIGNED: "assigned loss",
}
_NUMBER = re.compile(r"-?\d{1,10}(?:[.,]\d{1,2})?|½|\d½|1/2")


class Said(Struct, frozen=True):
    """What a row says of a table, cell by cell."""

    players: tuple[str, ...]
    """Ids, in the order of the seats."""
    outcomes: tuple[str, ...]
    """One for each seat, empty where nothing stands."""
    scores: tuple[str, ...]
    drawn: str = ""
    result: str = ""
    winner: str = ""
    table: int | str | None = None
    alone: str = ""
    """`bye` or `assigned loss`, where that stands in the place of an opponent."""


def outcomes(table: Table) -> list[str]:
    """A word for each player of a table; empty ones where it is not reported.

    >>> outcomes(Table(players=("a", "b"), games=(2, 1, 0)))
    ['win', 'loss']
    """
    words = WORDS | ({Played.DRAW: "agreed draw"} if table.intentional else {})
    out = table.eliminated or ()
    ended = endings(table)
    if not ended:
        return [""] * len(table.players)
    return [
        "eliminated" if player_id in out else words[one]
        for player_id, one in zip(table.players, ended, strict=True)
    ]


def alone(name: str) -> str:
    """What stands in the place of an opponent: `bye`, `assigned loss`, or nothing.

    >>> alone("*** BYE ***"), alone("Ada")
    ('bye', '')
    """
    word = OUTCOME.get(key(name), "")
    return word if word in ("bye", "assigned loss") else ""


def table_of(said: Said, names: Mapping[str, str], book: Book) -> Table:
    """The table that a row describes; a `BadInput` without a place where that cannot be."""
    known = [word for cell in said.outcomes if (word := _word(cell))]
    base = Table(players=said.players, table=said.table)
    if len(said.players) == 1:
        word = said.alone or next(iter(known), "") or alone(said.result) or "bye"
        loss = word in ("assigned loss", "loss")
        return Table(players=said.players, table=said.table, bye=not loss, loss=loss)
    numbers = _numbers(said.scores)
    if numbers is None and said.result:
        numbers, word = _result(said.result, len(said.players))
        if word:
            known = _seen_from_first(word, len(said.players))
        elif numbers is None:
            known = _won_by(_who(said.result, said, names), said.players)
    if not known and said.winner:
        word = OUTCOME.get(key(said.winner), "")
        if word in ("draw", "agreed draw", "double loss"):
            known = [word] * len(said.players)
        else:
            known = _won_by(_who(said.winner, said, names), said.players)
    if known and len(known) != len(said.players):
        raise BadInput(f"expected an outcome for each of {len(said.players)} players, not {len(known)}")
    drawn = _whole(said.drawn) if said.drawn else 0
    return _reported(base, numbers, drawn, known, book)


def _reported(
    base: Table, numbers: Sequence[Fraction] | None, drawn: int, known: Sequence[str], book: Book
) -> Table:
    """The table with its result, as these rules report it."""
    players = base.players
    agreed = "agreed draw" in known
    whole = numbers is not None and all(number.denominator == 1 for number in numbers)
    if numbers is not None and whole and book.match.results == "scores":
        scores = tuple(int(number) for number in numbers)
        out = tuple(
            player_id for player_id, word in zip(players, known, strict=False) if word == "eliminated"
        )
        won = tuple(player_id for player_id, word in zip(players, known, strict=False) if word == "win")
        if not known:
            won = _top(players, scores, book)
        return replace(base, scores=scores, winners=won, eliminated=out or None)
    if numbers is not None and whole and book.match.results == "games" and len(players) == 2:
        if len(numbers) == 3:
            drawn = int(numbers[2])
        games = (int(numbers[0]), int(numbers[1]), drawn)
        table = replace(base, games=games, intentional=agreed)
        if known and [word.removeprefix("agreed ") for word in known] != outcomes(
            replace(table, intentional=False)
        ):
            raise BadInput(f"{games[0]}-{games[1]} is not “{known[0]}” for the first player")
        return table
    if not known and numbers is not None:
        top = max(numbers[: len(players)])
        best = [player_id for player_id, number in zip(players, numbers, strict=False) if number == top]
        known = _won_by(best[0], players) if len(best) == 1 else ["draw"] * len(players)
    if not known:
        return base
    if set(known) <= {"draw", "agreed draw"}:
        return replace(base, winner="draw", intentional=agreed)
    winners = [player_id for player_id, word in zip(players, known, strict=True) if word == "win"]
    if len(winners) == 1:
        return replace(base, winner=winners[0])
    if not winners and set(known) <= {"loss", "double loss"}:
        return replace(base, winner="double_loss")
    raise BadInput(f"{' and '.join(known)} cannot be the outcomes of one table")


def _top(players: Sequence[str], scores: Sequence[int], book: Book) -> tuple[str, ...]:
    """Who won where nobody says it: the one with the most, if that is enough."""
    top = max(scores)
    best = [player_id for player_id, score in zip(players, scores, strict=True) if score == top]
    target = book.match.target
    return tuple(best) if len(best) == 1 and (target is None or top >= target) else ()


def _word(cell: str) -> str:
    word = OUTCOME.get(key(cell), "")
    if cell and not word:
        raise BadInput(f"“{cell[:40]}” is no outcome: expected win, loss, draw, double loss or bye")
    return word


def _numbers(cells: Sequence[str]) -> list[Fraction] | None:
    """The scores of all seats, or None where none has one."""
    if not any(cells):
        return None
    if not all(cells):
        raise BadInput("expected a score for each player, or for none")
    return [_number(cell) for cell in cells]


def _number(cell: str) -> Fraction:
    text = cell.strip()
    if not _NUMBER.fullmatch(text):
        raise BadInput(f"“{cell[:40]}” is no score: expected a number")
    if text.endswith("½"):
        return Fraction(text[:-1] or 0) + Fraction(1, 2)
    return Fraction(text.replace(",", "."))


def _whole(cell: str) -> int:
    number = _number(cell)
    if number.denominator != 1:
        raise BadInput(f"“{cell[:40]}” is no number of games")
    return int(number)


def _result(text: str, players: int) -> tuple[list[Fraction] | None, str]:
    """The numbers in a result, or the word that it is."""
    word = OUTCOME.get(key(text), "") if len(text) <= 40 else ""
    if word and not any(map(str.isdecimal, text)):
        return None, word
    parts = [part for part in _DASH.split(text.strip()) if part]
    if len(parts) >= 2 and all(_NUMBER.fullmatch(part) for part in parts):
        if len(parts) not in ((2, 3) if players == 2 else (players,)):
            raise BadInput(f"“{text[:40]}” is no result of {players} players")
        return [_number(part) for part in parts], ""
    if word:
        return None, word
    if _DATE.fullmatch(text):
        raise BadInput(
            f"a spreadsheet has made the date “{text[:40]}” of this result: expected one such as 2-1"
        )
    return None, ""


def _seen_from_first(word: str, players: int) -> list[str]:
    """A result in one word is that of the player who stands first."""
    if word in ("win", "loss") and players == 2:
        return [word, "loss" if word == "win" else "win"]
    if word == "win":
        return [word, *["loss"] * (players - 1)]
    return [word] * players


def _won_by(player_id: str, players: Sequence[str]) -> list[str]:
    return ["win" if player == player_id else "loss" for player in players]


def _who(text: str, said: Said, names: Mapping[str, str]) -> str:
    """The player of a table who is meant: by id, name, part of the name, or seat."""
    players = said.players
    seats = {f"player {seat}": player_id for seat, player_id in enumerate(players, start=1)}
    seat = f"player {text}" if text.isdecimal() else meaning_of(text)
    if text in players:
        return text
    found = [player_id for player_id in players if key(names[player_id]) == key(text)]
    if not found and not text.isdecimal():
        found = [
            player_id
            for player_id in players
            if key(text) and key(text) in map(key, names[player_id].split())
        ]
    if not found and seat in seats:
        return seats[seat]
    if len(found) != 1:
        who = " or ".join(names[player_id] for player_id in players)
        raise BadInput(
            f"“{text[:40]}” is no result and nobody at this table: expected one such as 2-1, draw, or {who}"
        )
    return found[0]
