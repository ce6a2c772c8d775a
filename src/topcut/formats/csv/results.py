"""Read the result of a table as lists have it: "2-1", "0.5-0.5", "draw", a winner's name, scores."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.formats.csv.headings import OUTCOME, find_meaning, heading_key
from topcut.history.model import Outcome, Table
from topcut.history.results import read_outcomes
from topcut.rulebook.model import Book
from topcut.text.messages import list_and, list_or, say

_DATE = re.compile(
    r"\d{1,2}[-. ]+[^\W\d]{3,}\.?|[^\W\d]{3,}\.?[- ]\d{1,2}|\d{4}-\d\d-\d\d.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)
"""What a spreadsheet makes of 2-1."""
_DASH = re.compile(r"\s*[-:–—]\s*")
WORDS = {
    Outcome.WIN: "win",
    Outcome.LOSS: "loss",
    Outcome.DRAW: "draw",
    Outcome.DOUBLE_LOSS: "double loss",
    Outcome.BYE: "bye",
    Outcome.ASSIGNED: "assigned loss",
}
SHOWN_OUTCOMES: dict[str, str] = {
    "win": say("win"),
    "loss": say("loss"),
    "draw": say("draw"),
    "agreed draw": say("agreed draw"),
    "double loss": say("double loss"),
    "bye": say("bye"),
    "assigned loss": say("assigned loss"),
    "eliminated": say("eliminated"),
}
"""What people read; files have the words themselves."""
_NUMBER = re.compile(r"-?\d{1,10}(?:[.,]\d{1,2})?|½|\d½|1/2")


_NAMED = re.compile(r"(.+?)\s*:\s*(\d{1,2})\s*[-–]\s*(\d{1,2})(?:\s*[-–]\s*(\d{1,2}))?")
"""A result with the name of the player whose games come first: "Ada: 2-0-0"."""


class TableCells(Struct, frozen=True):
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


def describe_outcomes(table: Table) -> list[str]:
    """Return a word for each player of a table; empty ones where it is not reported.

    >>> describe_outcomes(Table(players=("a", "b"), games=(2, 1, 0)))
    ['win', 'loss']
    """
    words = WORDS | ({Outcome.DRAW: "agreed draw"} if table.intentional else {})
    ended = [words[one] for one in read_outcomes(table)] or [""] * len(table.players)
    out = table.eliminated or ()
    return ["eliminated" if p in out else word for p, word in zip(table.players, ended, strict=True)]


def find_word_for_alone(name: str) -> str:
    """Return what stands in the place of an opponent: `bye`, `assigned loss`, or nothing.

    >>> find_word_for_alone("*** BYE ***"), find_word_for_alone("Ada")
    ('bye', '')
    """
    word = OUTCOME.get(heading_key(name), "")
    return word if word in ("bye", "assigned loss") else ""


def make_table(said: TableCells, names: Mapping[str, str], book: Book) -> Table:
    """Return the table that a row describes; a `BadInput` without a place where that cannot be."""
    known = [word for cell in said.outcomes if (word := _read_outcome(cell))]
    players = said.players
    if len(players) == 1:
        word = said.alone or next(iter(known), "") or find_word_for_alone(said.result) or "bye"
        loss = word in ("assigned loss", "loss")
        return Table(players=players, table=said.table, bye=not loss, loss=loss)
    numbers = None
    if len(players) == 2 and not any(said.scores):
        said = _name_games(said, names)
    if any(said.scores):
        if not all(said.scores):
            raise BadInput(say("expected a score for each player, or for none"))
        numbers = [_read_score(cell) for cell in said.scores]
    elif said.result:
        numbers, word = _read_result(said.result, len(players))
        if word:
            known = _spread_outcome(word, len(players))
        elif numbers is None:
            known = _win_for(_find_player(said.result, said, names), players)
    if not known and said.winner:
        word = OUTCOME.get(heading_key(said.winner), "")
        if word in ("draw", "agreed draw", "double loss"):
            known = [word] * len(players)
        else:
            known = _win_for(_find_player(said.winner, said, names), players)
    if known and len(known) != len(players):
        problem = say(
            "expected an outcome for each of {players} players, not {found}",
            players=len(players),
            found=len(known),
        )
        raise BadInput(problem)
    drawn = _read_score(said.drawn) if said.drawn else Fraction(0)
    if drawn.denominator != 1:
        raise BadInput(say("“{text}” isn't a number of games", text=said.drawn[:40]))
    return _report_table(Table(players=players, table=said.table), numbers, int(drawn), known, book)


def _name_games(said: TableCells, names: Mapping[str, str]) -> TableCells:
    """Return the cells with the result in the order of the seats, where it names its first player."""
    for text in (said.result, said.winner):
        if found := _NAMED.fullmatch(text):
            first, second, drawn = found[2], found[3], found[4] or "0"
            if OUTCOME.get(heading_key(found[1])) not in ("draw", "agreed draw"):
                named = _find_player(found[1], said, names)
                if named != said.players[0]:
                    first, second = second, first
            return replace(said, result=f"{first}-{second}-{drawn}", winner="")
    return said


def _report_table(
    base: Table, numbers: Sequence[Fraction] | None, drawn: int, known: Sequence[str], book: Book
) -> Table:
    """Return the table with its result, as these rules report it."""
    players = base.players

    def with_outcome(outcome: str) -> tuple[str, ...]:
        return tuple(p for p, word in zip(players, known, strict=False) if word == outcome)

    agreed = "agreed draw" in known
    whole = numbers is not None and all(number.denominator == 1 for number in numbers)
    if numbers is not None and whole and book.match.results == "scores":
        scores = tuple(int(number) for number in numbers)
        winners, target = with_outcome("win"), book.match.target
        if not known:  # the one with the most, if that is enough
            winners = tuple(p for p, score in zip(players, scores, strict=True) if score == max(scores))
            if len(winners) > 1 or (target is not None and max(scores) < target):
                winners = ()
        return replace(base, scores=scores, winners=winners, eliminated=with_outcome("eliminated") or None)
    if numbers is not None and whole and book.match.results == "games" and len(players) == 2:
        games = (int(numbers[0]), int(numbers[1]), int(numbers[2]) if len(numbers) == 3 else drawn)
        outcomes = [word.removeprefix("agreed ") for word in known]
        if known and outcomes != describe_outcomes(replace(base, games=games)):
            problem = say(
                "{first}-{second} isn't a “{outcome}” for the first player",
                first=games[0],
                second=games[1],
                outcome=SHOWN_OUTCOMES.get(known[0], known[0]),
            )
            raise BadInput(problem)
        return replace(base, games=games, intentional=agreed)
    if not known and numbers is not None:
        top = max(numbers[: len(players)])
        best = [player_id for player_id, number in zip(players, numbers, strict=False) if number == top]
        known = _win_for(best[0], players) if len(best) == 1 else ["draw"] * len(players)
    if not known:
        return base
    if set(known) <= {"draw", "agreed draw"}:
        return replace(base, winner="draw", intentional=agreed)
    winners = with_outcome("win")
    if len(winners) == 1:
        return replace(base, winner=winners[0])
    if not winners and set(known) <= {"loss", "double loss"}:
        return replace(base, winner="double_loss")
    shown = list_and(SHOWN_OUTCOMES.get(word, word) for word in known)
    raise BadInput(say("{outcomes} can't be the outcomes of one table", outcomes=shown))


def _read_outcome(cell: str) -> str:
    word = OUTCOME.get(heading_key(cell), "")
    if cell and not word:
        problem = say(
            "“{text}” isn't an outcome: expected win, loss, draw, double loss or bye", text=cell[:40]
        )
        raise BadInput(problem)
    return word


def _read_score(cell: str) -> Fraction:
    text = cell.strip()
    if not _NUMBER.fullmatch(text):
        raise BadInput(say("“{text}” isn't a score: expected a number", text=cell[:40]))
    if text.endswith("½"):
        return Fraction(text[:-1] or 0) + Fraction(1, 2)
    return Fraction(text.replace(",", "."))


def _read_result(text: str, players: int) -> tuple[list[Fraction] | None, str]:
    """Return the numbers in a result, or the word that it is."""
    word = OUTCOME.get(heading_key(text), "") if len(text) <= 40 else ""
    if word and not any(map(str.isdecimal, text)):
        return None, word
    if not word and _DATE.fullmatch(text):
        problem = say("a spreadsheet turned this result into the date “{text}”: expected 2-1", text=text[:40])
        raise BadInput(problem)
    parts = [part for part in _DASH.split(text.strip()) if part]
    if len(parts) >= 2 and all(_NUMBER.fullmatch(part) for part in parts):
        if len(parts) not in ((2, 3) if players == 2 else (players,)):
            problem = say("“{text}” isn't a result of {players} players", text=text[:40], players=players)
            raise BadInput(problem)
        return [_read_score(part) for part in parts], ""
    return None, word


def _spread_outcome(word: str, players: int) -> list[str]:
    """Return the outcomes of all players from a word, which is that of the player who stands first."""
    if word == "win":
        return [word, *["loss"] * (players - 1)]
    return ["loss", "win"] if word == "loss" and players == 2 else [word] * players


def _win_for(player_id: str, players: Sequence[str]) -> list[str]:
    return ["win" if player == player_id else "loss" for player in players]


def _find_player(text: str, said: TableCells, names: Mapping[str, str]) -> str:
    """Return the player of a table who is meant: by id, name, part of the name, or seat."""
    players, key = said.players, heading_key(text)
    if text in players:
        return text
    found = [player_id for player_id in players if heading_key(names[player_id]) == key]
    if not found and not text.isdecimal():
        found = [p for p in players if key and key in map(heading_key, names[p].split())]
    seat = f"player {text}" if text.isdecimal() else find_meaning(text)
    seats = {f"player {number}": player_id for number, player_id in enumerate(players, start=1)}
    if not found and seat in seats:
        return seats[seat]
    if len(found) != 1:
        problem = say(
            "“{text}” is neither a result nor a player at this table:"
            " expected one such as 2-1, draw, or the winner ({players})",
            text=text[:40],
            players=list_or(names[player_id] for player_id in players),
        )
        raise BadInput(problem)
    return found[0]
