"""Break a tie for the highest score at a table step by step (AL-10), and say how it was broken."""

from collections.abc import Callable, Mapping, Sequence

from topcut.history.model import Table
from topcut.rulebook.model import MatchRules
from topcut.text.messages import Message, join_messages, list_and, say


def find_leaders(scores: Mapping[str, int], match: MatchRules) -> list[str]:
    """Return the players with the most, if that is enough to win (AL-7, AL-A11).

    `scores`: of the players who were not eliminated, in the order of their seats.
    """
    top = max(scores.values(), default=0)
    best = [player_id for player_id, score in scores.items() if score == top]
    tied = len(best) > 1 and match.tie_below_target
    return best if match.target is None or top >= match.target or tied else []


def find_still_tied(leaders: Sequence[str], counts: Sequence[Mapping[str, int]]) -> list[str]:
    """Return the leaders who are tied after some counts; one, if that broke the tie.

    >>> find_still_tied(["a", "b", "c"], [{"a": 3, "b": 3, "c": 1}])
    ['a', 'b']
    """
    left = list(leaders)
    for count in counts:
        top = max(count[player_id] for player_id in left)
        left = [player_id for player_id in left if count[player_id] == top]
    return left


def describe_tie(table: Table, name: Callable[[str], str]) -> Message:
    """Return how a tie at a table was broken; empty if there was none, or nobody wrote it down.

    >>> level = Table(players=("a", "b"), scores=(20, 20), winners=("b",), tie_counts=({"a": 1, "b": 3},))
    >>> describe_tie(level, str.upper)
    'first count: A 1, B 3'
    """
    said: list[Message] = []
    for number, count in enumerate(table.tie_counts or (), start=1):
        seats = [player_id for player_id in table.players if player_id in count]
        numbers = join_messages(", ", [f"{name(player_id)} {count[player_id]}" for player_id in seats])
        if number == 1:
            said.append(say("first count: {numbers}", numbers=numbers))
        elif number == 2:
            said.append(say("second count: {numbers}", numbers=numbers))
        else:
            said.append(say("count {number}: {numbers}", number=number, numbers=numbers))
    winners = table.winners or ()
    if table.win_given_to is not None:
        said.append(say("the win was given to {player}", player=name(table.win_given_to)))
    elif len(winners) > 1:
        players = list_and([name(player_id) for player_id in table.players if player_id in winners])
        said.append(say("{players} are tied, and each of them wins", players=players))
    return join_messages("; ", said)
