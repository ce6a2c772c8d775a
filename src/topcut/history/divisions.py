"""Find the division of a player, and choose whether divisions play apart."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from topcut.history.model import Player
from topcut.history.player_fields import PRIVATE, clear_fields
from topcut.rulebook.model import Book
from topcut.rulebook.planning.pool import DivisionMode, group_divisions


def division_of(player: Player, book: Book) -> str | None:
    """Return the recorded division, or the one of the player's birth year (PK-11)."""
    if player.division is not None or player.born is None:
        return player.division
    return division_of_birth_year(player.born, book)


def division_of_birth_year(born: int, book: Book, on: date | None = None) -> str | None:
    """Return the division of a birth year; on a day of another season than the book's, as it was then."""
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


def hide_private_fields(player: Player, book: Book) -> Player:
    """Return the player as everybody may know them, with the division that follows from the birth year."""
    return replace(player, **clear_fields(PRIVATE), division=division_of(player, book))


def choose_division_mode(
    players: Sequence[Player], book: Book, asked: DivisionMode | None = None
) -> DivisionMode:
    """Choose how divisions are treated: as asked, else as the ruleset says for these players.

    Off where no player has one; separate where every division is large enough (PK-12, PK-13).
    """
    sizes = Counter(division_of(player, book) for player in players)
    del sizes[None]
    if not sizes or book.divisions is None:
        return "off"
    if asked is not None:
        return asked
    return group_divisions(book.divisions, [sizes[division.name] for division in book.divisions.list])[0]
