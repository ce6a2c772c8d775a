"""Describe results, questions and places in words."""

from collections.abc import Callable

from msgspec.structs import asdict, replace

from topcut.event.facts import About, Result
from topcut.history.model import Table
from topcut.history.results import has_no_winner

Name = Callable[[str], str]


def describe_result(table: Table, name: Name) -> str:
    """Return a result as people say it.

    >>> describe_result(Table(players=("a", "b"), games=(2, 1, 0)), str.upper)
    'A beats B 2-1'
    """
    if _is_impossible(table):
        return "a result that cannot be"
    if table.bye:
        return f"{name(table.players[0])} has a bye"
    if table.loss:
        return f"{name(table.players[0])} takes a loss"
    if table.scores is not None:
        return _describe_scores(table, name)
    if table.games is not None:
        return _describe_games(table, name)
    if table.winner == "draw":
        return f"{_join_players(table, name)} draw" + (" by agreement" if table.intentional else "")
    if table.winner == "double_loss":
        return f"{_join_players(table, name)} both lose"
    if table.winner is None:
        return f"{_join_players(table, name)}: not reported"
    others = [name(player_id) for player_id in table.players if player_id != table.winner]
    return f"{name(table.winner)} beats {', '.join(others)}"


def describe_claim(table: Table, result: Result | None, name: Name) -> str:
    """Return any result of a table as people say it, whether it counts or not; None: not reported."""
    return describe_result(replace(table, **asdict(result or Result())), name)


def describe_question(about: About, number: int | None) -> str:
    """Return what a question is about.

    >>> describe_question("points", None), describe_question("result", 3), describe_question("drop", None)
    ('about points', 'about the result of round 3', 'about leaving')
    """
    words = {"points": "points", "result": f"the result of round {number}", "drop": "leaving"}
    return f"about {words[about]}"


def describe_place(number: int, table: int | str, name: Name) -> str:
    """Return where something happened: at a table, or with a player without an opponent.

    >>> describe_place(2, 7, str.upper), describe_place(2, "ada", str.upper)
    ('round 2 table 7', 'round 2 (ADA)')
    """
    return f"round {number} table {table}" if isinstance(table, int) else f"round {number} ({name(table)})"


def _is_impossible(table: Table) -> bool:
    """Return whether a result does not fit the number of players, as only a forged log can have it."""
    if table.games is not None and len(table.players) != 2:
        return True
    return not table.players or (table.scores is not None and len(table.scores) != len(table.players))


def _join_players(table: Table, name: Name) -> str:
    *most, last = map(name, table.players)
    return f"{', '.join(most)} and {last}" if most else last


def _describe_games(table: Table, name: Name) -> str:
    assert table.games is not None
    first, second, drawn = table.games
    a, b = map(name, table.players)
    if first == second:
        agreed = " by agreement" if table.intentional else ""
        return f"{a} and {b} draw {first}-{second}{f'-{drawn}' if drawn else ''}{agreed}"
    winner, loser, high, low = (a, b, first, second) if first > second else (b, a, second, first)
    return f"{winner} beats {loser} {high}-{low}{f'-{drawn}' if drawn else ''}"


def _describe_scores(table: Table, name: Name) -> str:
    assert table.scores is not None
    winners, eliminated = table.winners or (), table.eliminated or ()
    said = []
    for player_id, score in zip(table.players, table.scores, strict=True):
        mark = " (won)" if player_id in winners else " (eliminated)" if player_id in eliminated else ""
        said.append(f"{name(player_id)} {score}{mark}")
    return ", ".join(said) + (", nobody won" if has_no_winner(table) else "")
