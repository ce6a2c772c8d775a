"""List what can be typed in the entry line, with examples that work at a table of this event."""

from collections.abc import Iterator
from dataclasses import dataclass

from topcut.event.rights import Right
from topcut.event.state import State
from topcut.text.messages import Message, join_messages, say

SECOND, THIRD = 2, 3
"""Seats of the examples."""


@dataclass(frozen=True)
class EntryExample:
    """One way to use the entry line."""

    line: str
    says: Message
    right: Right = "enter"
    """What it takes to enter such a line."""
    short: bool = True
    """Whether the hint below the entry line shows it too, and not only the whole list."""


def list_entry_examples(state: State) -> list[EntryExample]:
    """Return lines of each kind that this event understands, at a table of the present round."""
    table, size, draws = _find_table(state)
    match = state.book.match
    if match.results == "scores":
        results = _list_scores(state, table, size)
    elif match.results == "games":
        results = _list_games(table)
    else:
        results = _list_winners(table, size)
    return [*results, *_list_agreed(state, table, draws), *_list_others(table, size)]


def describe_entry_help(state: State) -> Message:
    """Return everything that can be typed, a line for each."""
    said = [join_messages(" – ", [example.line, example.says]) for example in list_entry_examples(state)]
    return join_messages("\n", said)


def _find_table(state: State) -> tuple[int, int, bool]:
    """Return the number and size of a table for the examples, and whether it may end in a draw."""
    a_round = state.round
    tables = [table for table in a_round.tables if isinstance(table.table, int)] if a_round else []
    if a_round is None or not tables:
        return 1, state.book.match.table_sizes[0], True
    table = next((table for table in tables if not table.reported), tables[0])
    return int(table.table or 0), len(table.players), a_round.allows_draws


def _list_scores(state: State, table: int, size: int) -> Iterator[EntryExample]:
    match = state.book.match
    target = match.target or 20
    lower = [str(max(0, target - less)) for less in (2, 10, 12)]

    def line(*scores: str) -> str:
        return " ".join([str(table), *scores, *lower[len(scores) - 1 : size - 1]])

    high, tie = str(target + 4), str(target)
    what = say("scores; the highest score wins")
    if match.target is not None:
        what = say("scores; the highest score wins if it is at least {target}", target=match.target)
    yield EntryExample(line(high), what)
    yield EntryExample(line(high, lower[0] + "x"), say("a player with x was eliminated and scores 0"))
    yield EntryExample(line(high) + " none", say("nobody won"))
    counts = match.tie_counts
    if counts:
        yield EntryExample(
            line(tie, tie) + " count 3 2",
            say("players are tied for the highest score; count: {what}", what=counts[0]),
        )
        steps = " count 3 3"
        for number, counted in enumerate(counts[1:], start=2):
            said = say("they are still tied; count: {what}", what=counted)
            yield EntryExample(line(tie, tie) + f"{steps} count {number + 3} {number + 1}", said, short=False)
            steps += f" count {number + 3} {number + 3}"
        said = say("tied in all counts: each of them wins")
        yield EntryExample(line(tie, tie) + steps, said, short=False)
        said = say("tied in all counts; the other players give the win to the second player")
        yield EntryExample(line(tie, tie) + steps + f" g{SECOND}", said, short=False)
    yield EntryExample(line(high + "*"), say("a player with * won"), short=False)
    yield EntryExample(
        line(tie, tie) + f" w1 w{SECOND}", say("the first and the second player won"), short=False
    )
    yield EntryExample(f"{table} w{SECOND}", say("the second player won, without scores"), short=False)


def _list_games(table: int) -> Iterator[EntryExample]:
    yield EntryExample(f"{table} 2-1", say("result"))
    yield EntryExample(f"{table} 2-1 d{SECOND}", say("second player drops"), right="drop")
    yield EntryExample(f"{table} w{SECOND}", say("second player won"), short=False)


def _list_winners(table: int, size: int) -> Iterator[EntryExample]:
    yield EntryExample(f"{table} w{SECOND}", say("second player won"))
    if size > SECOND:
        yield EntryExample(f"{table} w{THIRD} d1", say("third player won, first player drops"), right="drop")


def _list_agreed(state: State, table: int, draws: bool) -> Iterator[EntryExample]:
    """Yield draws and losses of all players; where tables report scores, nobody has won instead."""
    match = state.book.match
    if match.results == "scores":
        return
    if draws:
        yield EntryExample(f"{table} draw", say("draw"))
        if match.intentional_draws:
            yield EntryExample(f"{table} id", say("draw by agreement"), short=False)
    yield EntryExample(f"{table} double-loss", say("all players lose"), short=False)


def _list_others(table: int, size: int) -> Iterator[EntryExample]:
    if size == SECOND:
        yield EntryExample(f"{table} ns1", say("first player did not show up"))
    yield EntryExample(
        f"{table} d{SECOND}", say("second player drops, no result"), right="drop", short=size > SECOND
    )
    yield EntryExample(f"{table} +3", say("minutes more"), right="time")
    yield EntryExample(f"{table} -", say("clear the result"), right="change")
    yield EntryExample(f"r1 {table}", say("a table of round 1, then the corrected result"), short=False)
    yield EntryExample("u", say("undo"))
    yield EntryExample("pair, publish, start, end", say("steps of a round"), right="rounds")
    yield EntryExample("start 45", say("start with 45 minutes"), right="rounds", short=False)
    yield EntryExample("clock 45", say("set the clock to 45 minutes"), right="rounds", short=False)
    yield EntryExample("pause, go", say("pause and resume the clock"), right="rounds", short=False)
