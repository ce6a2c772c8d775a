"""What paper says of a table in a few words: how it ended, in numbers, and how long it may take."""

from __future__ import annotations

from topcut.history.model import Table
from topcut.history.played import ENDED, Played
from topcut.history.results import SeatResult
from topcut.rulebook.model import Match

WORDS = ENDED | {Played.ASSIGNED: "loss, no opponent"}


def numbers(table: Table, own: SeatResult) -> str:
    """A player's result in numbers, theirs first; nothing where only who won was reported.

    >>> numbers(Table(players=("a", "b"), games=(1, 2, 1)), SeatResult(Played.WIN, (2, 1, 1)))
    '2–1–1'
    """
    if table.games is not None:
        return in_games(*own.games)
    return "" if table.scores is None else str(own.score)


def in_games(won: int, lost: int, drawn: int) -> str:
    """Games as they are written; drawn ones only if there are any (DS-11)."""
    return f"{won}–{lost}–{drawn}" if drawn else f"{won}–{lost}"


def time_words(match: Match, known: int | None = None) -> str:
    """How long a round is, if that is known or the book says it, and what follows it."""
    kinds = match.round_minutes
    minutes = sorted(set(kinds.values()))
    if known is not None or "default" in kinds:
        minutes = [kinds["default"] if known is None else known]
    said = [f"{' or '.join(map(str, minutes))} minutes"] if minutes else []
    turns = [f"then {match.extra_turns} extra turns"] if match.extra_turns else []
    return ", ".join([*said, *turns])
