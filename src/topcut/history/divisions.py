"""Which division does each player belong to, and do divisions play apart?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from topcut.history.model import Player
from topcut.rulebook.model import Book
from topcut.rulebook.planning.pool import Mode, grouped


def division_of(player: Player, book: Book) -> str | None:
    """The division that was written down, or the one of the player's birth year (PK-11)."""
    if player.division is not None or player.born is None:
        return player.division
    return division_born(player.born, book)


def division_born(born: int, book: Book, on: date | None = None) -> str | None:
    """The division of a year of birth; on a day of another season than the book's, as it was then."""
    if book.divisions is None:
        return None
    season = book.divisions.season
    if on is not None and season is not None:
        born -= on.year - (on.month < book.divisions.season_month) - season
    for division in book.divisions.list:
        after = division.born_from is None or born >= division.born_from
        before = division.born_to is None or born <= division.born_to
        if after and before:
            return division.name
    return None


def for_everybody(player: Player, book: Book) -> Player:
    """The player as everybody may know them; a division that follows from the birth year is written out."""
    return replace(player, member=None, born=None, apart=(), division=division_of(player, book))


def division_mode(players: Sequence[Player], book: Book, asked: Mode | None = None) -> Mode:
    """How divisions are treated: as asked, else what the ruleset says for these players.

    Off where nobody has one; separate where every division is large enough (PK-12, PK-13).
    """
    sizes = Counter(division_of(player, book) for player in players)
    del sizes[None]
    if not sizes or book.divisions is None:
        return "off"
    if asked is not None:
        return asked
    return grouped(book.divisions, [sizes[division.name] for division in book.divisions.list])[0]
