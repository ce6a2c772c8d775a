"""How an event is spoken of: results and facts as sentences."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import asdict, replace

from topcut.event.facts import About, Result
from topcut.history.model import Table
from topcut.history.results import nobody_won

Name = Callable[[str], str]


def result_words(table: Table, name: Name) -> str:
    """A result as people say it.

    >>> result_words(Table(players=("a", "b"), games=(2, 1, 0)), str.upper)
    'A beats B 2-1'
    """
    if _cannot_be(table):
        return "a result that cannot be"
    if table.bye:
        return f"{name(table.players[0])} has a bye"
    if table.loss:
        return f"{name(table.players[0])} takes a loss"
    if table.scores is not None:
        return _scores(table, name)
    if table.games is not None:
        return _games(table, name)
    if table.winner == "draw":
        return f"{_between(table, name)} draw" + (" by agreement" if table.intentional else "")
    if table.winner == "double_loss":
        return f"{_between(table, name)} both lose"
    if table.winner is None:
        return f"{_between(table, name)}: not reported"
    others = [name(player_id) for player_id in table.players if player_id != table.winner]
    return f"{name(table.winner)} beats {', '.join(others)}"


def said_words(table: Table, result: Result | None, name: Name) -> str:
    """A result of a table as people say it, whether or not it is the one that counts; None: not reported."""
    return result_words(replace(table, **asdict(result or Result())), name)


def question_words(about: About, number: int | None) -> str:
    """What a question is about.

    >>> question_words("points", None), question_words("result", 3), question_words("drop", None)
    ('about points', 'about the result of round 3', 'about leaving')
    """
    words = {"points": "points", "result": f"the result of round {number}", "drop": "leaving"}
    return f"about {words[about]}"


def where_words(number: int, table: int | str, name: Name) -> str:
    """Where something happened: at a table, or with a player without an opponent.

    >>> where_words(2, 7, str.upper), where_words(2, "ada", str.upper)
    ('round 2 table 7', 'round 2 (ADA)')
    """
    return f"round {number} table {table}" if isinstance(table, int) else f"round {number} ({name(table)})"


def _cannot_be(table: Table) -> bool:
    """Whether a result does not even fit the number of players; nobody reports it, but a log may hold it."""
    if table.games is not None and len(table.players) != 2:
        return True
    return not table.players or (table.scores is not None and len(table.scores) != len(table.players))


def _between(table: Table, name: Name) -> str:
    *most, last = map(name, table.players)
    return f"{', '.join(most)} and {last}" if most else last


def _games(table: Table, name: Name) -> str:
    assert table.games is not None
    first, second, drawn = table.games
    a, b = map(name, table.players)
    if first == second:
        agreed = " by agreement" if table.intentional else ""
        return f"{a} and {b} draw {first}-{second}{f'-{drawn}' if drawn else ''}{agreed}"
    winner, loser, high, low = (a, b, first, second) if first > second else (b, a, second, first)
    return f"{winner} beats {loser} {high}-{low}{f'-{drawn}' if drawn else ''}"


def _scores(table: Table, name: Name) -> str:
    assert table.scores is not None
    winners, eliminated = table.winners or (), table.eliminated or ()
    said = []
    for player_id, score in zip(table.players, table.scores, strict=True):
        mark = " (won)" if player_id in winners else " (eliminated)" if player_id in eliminated else ""
        said.append(f"{name(player_id)} {score}{mark}")
    return ", ".join(said) + (", nobody won" if nobody_won(table) else "")
