"""Find the table that people mean: by its number, or by its name in the bracket, such as SF1."""

from collections import Counter

from topcut.errors import BadInput, Impossible
from topcut.event.draw import find_progress
from topcut.event.refusals import CommandRefused
from topcut.event.state import RoundState, State
from topcut.stages.brackets.play import BracketPlay
from topcut.text.messages import count, list_and, say


def find_table(state: State, number: int | None, word: str) -> int | str:
    """Return the number of a table of a round (default: the last), or the player without an opponent.

    A word is the id of a player without an opponent, or the name of a table in the bracket.
    """
    if word.isdecimal() and len(word) < 10:
        return int(word)
    a_round = state.get_round(number)
    if a_round.index_of(word) is not None or not a_round.in_bracket:
        return word
    named = list_named_tables(state, a_round)
    found = [table for name, table in named if name.casefold() == word.casefold()]
    if len(found) == 1:
        return found[0]
    if found:
        raise CommandRefused(
            say(
                "Round {round} has several tables {name}. Enter a number: {tables}.",
                round=a_round.number,
                name=word,
                tables=list_and(str(table) for table in sorted(found)),
            )
        )
    if not named:
        return word
    known = [say("{name} is table {table}", name=name, table=table) for name, table in named]
    raise CommandRefused(
        count(
            "Round {round} has no table {name}, only this: {tables}.",
            "Round {round} has no table {name}, only these: {tables}.",
            len(known),
            round=a_round.number,
            name=word,
            tables=list_and(known),
        )
    )


def list_named_tables(state: State, a_round: RoundState) -> list[tuple[str, int]]:
    """Return the tables of a round with their names in its brackets, in the order of their numbers."""
    try:
        brackets = find_progress(state).brackets
    except (BadInput, Impossible):
        return []
    before = [r for r in state.rounds[: a_round.number - 1] if r.in_bracket]
    earlier = Counter(frozenset(table.players) for r in before for table in r.tables)
    found = []
    for table in a_round.tables:
        who = frozenset(table.players)
        meetings = [name for bracket in brackets for name in _list_meetings(bracket.play, who)]
        if isinstance(table.table, int) and len(meetings) > earlier[who]:
            found.append((meetings[earlier[who]], table.table))
    return found


def _list_meetings(play: BracketPlay, players: frozenset[str]) -> list[str]:
    """Return the tables at which these players meet, in the order of play."""
    return [name for name in play.graph.nodes if players == frozenset(play.seats(name))]
