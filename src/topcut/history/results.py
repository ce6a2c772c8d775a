"""What a table's result says about each of its players, or why it cannot be a result."""

from __future__ import annotations

from typing import NamedTuple

from topcut.errors import BadInput
from topcut.history.model import Table
from topcut.history.played import Played
from topcut.history.winners import Name, check_winners, quoted
from topcut.rulebook.model import Book

MOST_GAMES = 99
MOST_SCORE = 10**9
BESIDE_SCORES = {"winners": "stand", "eliminated": "stands", "tie_counts": "stand", "win_given_to": "stands"}
"""The keys that go with scores only, each with its verb."""


class SeatResult(NamedTuple):
    """One player's part of a result."""

    played: Played
    games: tuple[int, int, int] = (0, 0, 0)
    """Won, lost, drawn."""
    score: int = 0


def seat_results(table: Table, book: Book, place: str, name: Name = quoted) -> list[SeatResult]:
    """A result for each player of the table, in order; empty while the table is not reported.

    `name`: what errors call a player; in a file they are found by their ids.
    """
    given = [key for key in ("games", "winner", "scores") if getattr(table, key) is not None]
    given += [key for key in ("bye", "loss") if getattr(table, key)]
    if len(given) > 1:
        raise BadInput(f"{' and '.join(given)}: expected one result", place=place)
    for key, verb in BESIDE_SCORES.items():
        if getattr(table, key) is not None and table.scores is None:
            scored = book.match.results == "scores"
            problem = f"{key} {verb} beside scores: expected scores too" if scored else _expected(book)
            raise BadInput(problem, place=f"{place}.{key}")
    _check_size(table, book, given, place)
    results = _results(table, book, given[0], place, name) if given else []
    if table.intentional:
        if any(result.played != Played.DRAW for result in results) or not results:
            raise BadInput("only a draw can be intentional", place=f"{place}.intentional")
        if not book.match.intentional_draws:
            rule = book.match.source_of("intentional_draws")
            raise BadInput(f"intentional draws are not allowed here: {rule}", place=f"{place}.intentional")
    return results


def endings(table: Table) -> list[Played]:
    """What a table was for each of its players, in order; empty while it is not reported.

    >>> [one.name for one in endings(Table(players=("a", "b"), games=(1, 2, 0)))]
    ['LOSS', 'WIN']
    """
    players = table.players
    winners: tuple[str, ...]
    if table.bye or table.loss:
        return [Played.BYE if table.bye else Played.ASSIGNED]
    if table.games is not None:
        first, second, _ = table.games
        winners = () if first == second else players[:1] if first > second else players[1:]
    elif table.scores is not None:
        winners = table.winners or ()
    elif table.winner is not None and table.winner in players:
        winners = (table.winner,)
    else:
        together = {"draw": Played.DRAW, "double_loss": Played.DOUBLE_LOSS}.get(table.winner or "")
        return [] if together is None else [together] * len(players)
    if not winners:  # no win and no loss for anyone (AL-9)
        return [Played.DRAW] * len(players)
    return [Played.WIN if player_id in winners else Played.LOSS for player_id in players]


def nobody_won(table: Table) -> bool:
    """Whether everybody at a table has a score and nobody a win (AL-9)."""
    return table.scores is not None and not table.winners


def winner_of(table: Table) -> str | None:
    """Who won a table of two; None where nobody did."""
    ended = endings(table)
    return table.players[ended.index(Played.WIN)] if Played.WIN in ended else None


def _check_size(table: Table, book: Book, given: list[str], place: str) -> None:
    size = len(table.players)
    if given in (["bye"], ["loss"]):
        if size != 1:
            raise BadInput(f"a {given[0]} is for one player, not {size}", place=f"{place}.players")
        if table.bye and not book.match.byes:
            raise BadInput(f"there are no byes here: {book.match.source_of('byes')}", place=f"{place}.bye")
    elif size not in book.match.table_sizes:
        sizes = " or ".join(str(size) for size in book.match.table_sizes)
        raise BadInput(f"expected {sizes} players at a table, not {size}", place=f"{place}.players")


def _results(table: Table, book: Book, given: str, place: str, name: Name) -> list[SeatResult]:
    match given:
        case "bye" | "loss":
            return [SeatResult(played) for played in endings(table)]
        case "winner":
            return _by_winner(table, book, place, name)
        case "games" if book.match.results == "games":
            return _by_games(table, book, place)
        case "scores" if book.match.results == "scores":
            return _by_scores(table, book, place, name)
    raise BadInput(_expected(book), place=f"{place}.{given}")


def _expected(book: Book) -> str:
    results = book.match.results
    either = "" if results == "winner" else f"{results} or "
    return f"expected {either}a winner in this ruleset"


def _by_winner(table: Table, book: Book, place: str, name: Name) -> list[SeatResult]:
    if table.winner in ("draw", "double_loss") and table.winner in table.players:
        instead = "another id" if book.match.results == "winner" else book.match.results
        problem = f'"{table.winner}" is also the id of a player here: expected {instead}'
        raise BadInput(problem, place=f"{place}.winner")
    if ended := endings(table):
        return [SeatResult(played) for played in ended]
    expected = f'expected {", ".join(map(name, table.players))}, "draw" or "double_loss"'
    raise BadInput(
        f"{name(table.winner or '')} does not sit at this table: {expected}", place=f"{place}.winner"
    )


def _by_games(table: Table, book: Book, place: str) -> list[SeatResult]:
    assert table.games is not None
    first, second, drawn = table.games
    best_of = book.match.best_of
    if min(table.games) < 0 or max(table.games) > MOST_GAMES:
        raise BadInput(f"expected numbers of games from 0 to {MOST_GAMES}", place=f"{place}.games")
    if best_of is not None and (max(first, second) > best_of // 2 + 1 or min(first, second) > best_of // 2):
        raise BadInput(f"{first}-{second} cannot be in a best of {best_of}", place=f"{place}.games")
    one, other = endings(table)
    return [SeatResult(one, (first, second, drawn)), SeatResult(other, (second, first, drawn))]


def _by_scores(table: Table, book: Book, place: str, name: Name) -> list[SeatResult]:
    assert table.scores is not None
    if len(table.scores) != len(table.players):
        expected = f"expected {len(table.players)} scores, one for each player"
        raise BadInput(f"{expected}, not {len(table.scores)}", place=f"{place}.scores")
    if max(map(abs, table.scores)) > MOST_SCORE:
        raise BadInput(f"expected scores up to {MOST_SCORE:,}", place=f"{place}.scores")
    winners, eliminated = table.winners or (), table.eliminated or ()
    for key, ids in (("winners", winners), ("eliminated", eliminated)):
        for i, player_id in enumerate(ids):
            if player_id not in table.players or player_id in ids[:i]:
                expected = f"expected some of {', '.join(map(name, table.players))}, each once"
                raise BadInput(f"{name(player_id)}: {expected}", place=f"{place}.{key}[{i}]")
    for player_id in winners:
        if player_id in eliminated:
            raise BadInput(f"{name(player_id)} was eliminated and cannot have won", place=f"{place}.winners")
    written = zip(table.players, table.scores, strict=True)
    scores = {player_id: 0 if player_id in eliminated else score for player_id, score in written}  # AL-8
    check_winners(table, scores, book.match, place, name)
    ended = zip(endings(table), scores.values(), strict=True)
    return [SeatResult(played, score=score) for played, score in ended]
