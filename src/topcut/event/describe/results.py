"""Describe results, questions and places in words."""

from collections.abc import Callable

from msgspec.structs import asdict, replace

from topcut.event.facts import About, Result
from topcut.history.model import Table
from topcut.history.results import has_no_winner
from topcut.history.ties import describe_tie
from topcut.text.messages import Message, join_messages, list_and, say

Name = Callable[[str], str]


def describe_result(table: Table, name: Name) -> Message:
    """Return a result as people say it.

    >>> describe_result(Table(players=("a", "b"), games=(2, 1, 0)), str.upper)
    'A beats B 2-1'
    """
    called = [name(player_id) for player_id in table.players]
    games, scores = table.games, table.scores
    odd = (games is not None and len(called) != 2) or (scores is not None and len(scores) != len(called))
    if odd or not called:
        return say("an impossible result")  # as only a forged log can have it
    if table.bye:
        return say("{player} has a bye", player=called[0])
    if table.loss:
        return say("{player} takes a loss", player=called[0])
    if scores is not None:
        return _describe_scores(table, called, scores)
    if games is not None:
        return _describe_games(table, called, games)
    if table.winner == "draw":
        return _describe_draw(table, called)
    if table.winner == "double_loss":
        if len(called) > 2:
            return say("{players} all lose", players=list_and(called))
        return say("{players} both lose", players=list_and(called))
    if table.winner is None:
        return say("{players}: not reported", players=list_and(called))
    others = [name(player_id) for player_id in table.players if player_id != table.winner]
    return say("{winner} beats {loser}", winner=name(table.winner), loser=join_messages(", ", others))


def _describe_games(table: Table, called: list[str], games: tuple[int, int, int]) -> Message:
    high, low, drawn = max(games[:2]), min(games[:2]), f"-{games[2]}" if games[2] else ""
    score = f"{high}-{low}{drawn}"
    if high == low:
        return _describe_draw(table, called, score)
    winner, loser = called if games[0] == high else reversed(called)
    return say("{winner} beats {loser} {score}", winner=winner, loser=loser, score=score)


def _describe_draw(table: Table, called: list[str], score: str = "") -> Message:
    players = list_and(called)
    if score and table.intentional:
        return say("{players} draw {score} by agreement", players=players, score=score)
    if score:
        return say("{players} draw {score}", players=players, score=score)
    if table.intentional:
        return say("{players} draw by agreement", players=players)
    return say("{players} draw", players=players)


def _describe_scores(table: Table, called: list[str], scores: tuple[int, ...]) -> Message:
    said = []
    for player_id, player, score in zip(table.players, called, scores, strict=True):
        if player_id in (table.winners or ()):
            said.append(say("{player} {score} (won)", player=player, score=score))
        elif player_id in (table.eliminated or ()):
            said.append(say("{player} {score} (eliminated)", player=player, score=0))  # AL-8
        else:
            said.append(say("{player} {score}", player=player, score=score))
    listed = join_messages(", ", said)
    if has_no_winner(table):
        return say("{scores}, nobody won", scores=listed)
    return join_messages(
        "; ", [listed, describe_tie(table, dict(zip(table.players, called, strict=True)).__getitem__)]
    )


def describe_claim(table: Table, result: Result | None, name: Name) -> Message:
    """Return any result of a table as people say it, whether it counts or not; None: not reported."""
    return describe_result(replace(table, **asdict(result or Result())), name)


def describe_question(about: About, number: int | None) -> Message:
    """Return what a question is about.

    >>> describe_question("points", None), describe_question("result", 3), describe_question("drop", None)
    ('about points', 'about the result of round 3', 'about dropping')
    """
    if about == "result" and number is not None:
        return say("about the result of round {round}", round=number)
    return say("about dropping") if about == "drop" else say("about points")


def describe_place(number: int, table: int | str, name: Name) -> Message:
    """Return where something happened: at a table, or with a player without an opponent.

    >>> describe_place(2, 7, str.upper), describe_place(2, "ada", str.upper)
    ('round 2, table 7', 'round 2 (ADA)')
    """
    if isinstance(table, int):
        return say("round {round}, table {table}", round=number, table=table)
    return say("round {round} ({player})", round=number, player=name(table))
