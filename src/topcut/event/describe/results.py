"""Describe results, questions and places in words."""

from collections.abc import Callable

from msgspec.structs import asdict, replace

from topcut.event.facts import About, Result
from topcut.history.model import Table
from topcut.history.results import has_no_winner
from topcut.text.messages import list_and

Name = Callable[[str], str]


def describe_result(table: Table, name: Name) -> str:
    """Return a result as people say it.

    >>> describe_result(Table(players=("a", "b"), games=(2, 1, 0)), str.upper)
    'A beats B 2-1'
    """
    called = [name(player_id) for player_id in table.players]
    games, scores = table.games, table.scores
    odd = (games is not None and len(called) != 2) or (scores is not None and len(scores) != len(called))
    if odd or not called:
        return "a result that cannot be"  # as only a forged log can have it
    if table.bye:
        return f"{called[0]} has a bye"
    if table.loss:
        return f"{called[0]} takes a loss"
    if scores is not None:
        return _describe_scores(table, called, scores)
    agreed = " by agreement" if table.intentional else ""
    if games is not None:
        high, low, drawn = max(games[:2]), min(games[:2]), f"-{games[2]}" if games[2] else ""
        if high == low:
            return f"{list_and(called)} draw {high}-{low}{drawn}{agreed}"
        winner, loser = called if games[0] == high else reversed(called)
        return f"{winner} beats {loser} {high}-{low}{drawn}"
    if table.winner == "draw":
        return f"{list_and(called)} draw{agreed}"
    if table.winner == "double_loss":
        return f"{list_and(called)} both lose"
    if table.winner is None:
        return f"{list_and(called)}: not reported"
    others = [name(player_id) for player_id in table.players if player_id != table.winner]
    return f"{name(table.winner)} beats {', '.join(others)}"


def _describe_scores(table: Table, called: list[str], scores: tuple[int, ...]) -> str:
    marks = dict.fromkeys(table.eliminated or (), " (eliminated)")
    marks |= dict.fromkeys(table.winners or (), " (won)")
    seats = zip(table.players, called, scores, strict=True)
    said = [f"{player} {score}{marks.get(player_id, '')}" for player_id, player, score in seats]
    return ", ".join(said) + (", nobody won" if has_no_winner(table) else "")


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
