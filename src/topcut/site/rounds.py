"""A round as its page shows it, and all rounds at once; the same for programs."""

from __future__ import annotations

from dataclasses import dataclass

from topcut.history.model import Table
from topcut.history.played import Played
from topcut.history.results import endings, nobody_won
from topcut.site.record import NOBODY_WON, Lived
from topcut.site.shown import Shown
from topcut.stages.answer import Document

LETTERS = {"won": "W", "lost": "L", "drew": "D", NOBODY_WON: "D", "both lost": "L", "bye": "B", "loss": "L"}
MISSED = "–"
SAYS = {
    Played.WIN: "beats",
    Played.LOSS: "loses to",
    Played.DRAW: "draws with",
    Played.DOUBLE_LOSS: "both lose",
}


@dataclass(frozen=True)
class Seat:
    """Somebody at a table."""

    id: str
    name: str
    score: str
    won: bool
    out: bool
    """Whether they were eliminated at this table."""


@dataclass(frozen=True)
class Row:
    """A table of a round."""

    table: int | str | None
    players: list[Seat]
    says: str
    """Between two players: who beats whom, so that the row reads as a sentence."""
    alone: str
    """"bye" or "loss" for somebody without an opponent."""
    open: bool


@dataclass(frozen=True)
class Cell:
    """What one round was for one player, in a few signs."""

    letter: str
    outcome: str
    against: list[tuple[str, str, int | None]]
    """Ids, names and ranks."""


def rows(shown: Shown, number: int) -> list[Row]:
    """The tables of a round, in their order."""
    return [_row(shown, table) for table in shown.tables[number - 1]]


def _row(shown: Shown, table: Table) -> Row:
    ended = endings(table)
    won = [player_id for player_id, one in zip(table.players, ended, strict=False) if one == Played.WIN]
    scores = [""] * len(table.players) if table.scores is None else [str(score) for score in table.scores]
    seats = [
        Seat(
            player_id,
            shown.names[player_id],
            score,
            won=player_id in won,
            out=player_id in (table.eliminated or ()),
        )
        for player_id, score in zip(table.players, scores, strict=True)
    ]
    alone = "" if len(seats) > 1 else "loss" if table.loss else "bye"
    return Row(table.table, seats, _says(table, ended), alone, not table.reported)


def _says(table: Table, ended: list[Played]) -> str:
    agreed = " by agreement" if table.intentional else ""
    if table.games is not None:
        first, second, drawn = table.games
        return f"{first}–{second}" + (f"–{drawn}" if drawn else "") + agreed
    if table.scores is not None:
        return NOBODY_WON if nobody_won(table) else ""
    return SAYS.get(ended[0], "") + agreed if ended else ""


def round_document(shown: Shown, number: int) -> Document:
    """A round with the keys of the event file, and its number."""
    a_round = shown.file.rounds[number - 1]
    reported = all(table.reported for table in a_round.tables)
    about: Document = {"round": number, "stage": a_round.stage, "reported": reported}
    if a_round.format is not None:
        about["format"] = a_round.format
    if a_round.seed is not None:
        about["seed"] = a_round.seed
    return about | {"tables": a_round.tables}


def cells(shown: Shown, lived: list[Lived]) -> list[Cell | None]:
    """What every round was for one player; None where they were not in it."""
    ranks = shown.board.ranks
    found: list[Cell | None] = [None] * len(shown.file.rounds)
    for one in lived:
        against = [
            (player_id, name, ranks[player_id]["rank"] if player_id in ranks else None)
            for player_id, name in one.against
        ]
        letter = LETTERS.get(one.outcome, MISSED if one.outcome else "")
        found[one.number - 1] = Cell(letter, one.outcome, against)
    return found
