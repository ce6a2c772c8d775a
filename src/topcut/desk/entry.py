"""What does a scorekeeper mean by a line in the entry bar?

    14 2-1          table 14: the first player beats the second 2-1
    14 2-1 d2       and the second player drops
    14 draw, 14 id  a draw; by agreement
    14 ns1          the first player did not show up
    14 w2           the second player won, by whatever games; at larger tables too
    7 30* 12 8x     scores of a larger table: who won, who was eliminated
    7 24 10 23 none scores of a table that nobody won
    14 d1           the first player drops
    14 +3           three minutes more
    14 -            the result is taken away
    r2 14 1-2       a result of an earlier round
    u               my last step is taken back
    pair, publish, start, end, pause, go

Typing the result that is there already confirms it. Nothing here changes anything: the answer says what the
line means, in words to be read before it counts, and which commands it stands for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.decide import decide
from topcut.event.decide_results import checked
from topcut.event.deciding import Context
from topcut.event.facts import Result
from topcut.event.find import read_result
from topcut.event.journal import Journal
from topcut.event.refusals import BadResult, NotNow
from topcut.event.state import RoundOf, State
from topcut.event.undoing import undoable
from topcut.event.words import result_words, said_words
from topcut.history.model import Table
from topcut.rulebook.planning.words import counted

Kind = Literal["nothing", "look", "result", "change", "confirm", "leave", "time", "step", "undo"]
_ROUND = re.compile(r"r(\d{1,3})", re.IGNORECASE)
_DROP = re.compile(r"d(\d)", re.IGNORECASE)
_ABSENT = re.compile(r"ns(\d)", re.IGNORECASE)
_MORE = re.compile(r"\+(\d{1,2})")
_NUMBER = re.compile(r"\d{1,6}")
_MINUTES = re.compile(r"\d{1,3}")
_CLEAR = {"-", "clear"}
_DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", ":": "-"})
HELP = (
    "14 2-1, 14 2-1 d2, 14 draw, 14 id, 14 ns1, 14 w2, 7 30* 12 8x, 7 24 10 23 none, 14 +3, 14 -, 14 d1,"
    " r2 14 1-2, u, pair, publish, start, start 45, end, pause, go"
)
EXPECTED = "expected a table and its result (14 2-1), u, pair, publish, start or end"


@dataclass(frozen=True)
class Meant:
    """What a line comes to."""

    kind: Kind
    says: str
    commands: tuple[c.AnyCommand, ...] = ()
    """Nothing: the line is not whole yet."""
    old: str = ""
    """What stands there already, where the line would change it."""


def meant(text: str, journal: Journal, undo: tuple[int, str] | None = None, legal: bool = True) -> Meant:
    """What a line means; `undo` is the step that would be taken back, and what it was; `legal`: whether it
    may call players by names that are not shown. Refused where it makes no sense."""
    words = text.translate(_DASHES).split()
    if not words:
        return Meant("nothing", "")
    state = journal.state
    word = words[0].casefold()
    if word in ("?", "help"):
        return Meant("look", HELP)
    if word in ("u", "undo") and len(words) == 1:
        step, was = undo or (undoable(journal, None)[0], "the last step")
        return Meant("undo", f"Take back: {was}", (c.Undo(step=step),))
    if word in _STEPS:
        found = _step(word, words[1:], state)
        _can_be(found, journal)
        return found
    if match := _ROUND.fullmatch(words[0]):
        if len(words) == 1:
            return Meant("look", f"Round {match[1]}, table …")
        return _at_table(words[1:], state, state.numbered(int(match[1])), legal)
    found = _at_table(words, state, state.numbered(None), legal)
    if found.kind == "time":
        _can_be(found, journal)
    return found


def _can_be(found: Meant, journal: Journal) -> None:
    """Refuse a step that is not possible now. Drawing a round takes its time, so that it is not tried."""
    a_round = journal.state.round
    for command in found.commands:
        if not isinstance(command, c.Pair):
            decide(journal, command, Context(at=journal.entries[-1].at, by="", entropy="", via=""))
        elif a_round is not None and a_round.phase == "started":
            raise NotNow(f"round {a_round.number} is being played: it must end first")


def _next_pair(state: State) -> str:
    number = state.upcoming.number if state.upcoming else len(state.rounds) + 1
    return f"Draw round {number}{' again' if state.upcoming else ''}"


_STEPS = ("pair", "publish", "start", "end", "pause", "go")
_DRAWN = {"draft": "paired, and not published", "published": "published"}


def _step(word: str, more: list[str], state: State) -> Meant:
    if word == "start" and len(more) == 1 and _MINUTES.fullmatch(more[0]):
        minutes = int(more[0])
        return Meant("step", f"Start with {counted(minutes, 'minute')}", (c.Start(minutes=minutes),))
    if more:
        raise BadInput(f'"{word}" stands alone in a line')
    if word == "pair":
        drawn = state.upcoming
        old = f"round {drawn.number} is {_DRAWN[drawn.phase]}" if drawn else ""
        return Meant("step", _next_pair(state), (c.Pair(again=drawn is not None),), old)
    a_round = state.numbered(None)
    name = f"round {a_round.number}"
    missing = len(a_round.missing)
    if word == "end" and missing:
        raise NotNow(
            f"{counted(missing, 'table')} of {name} {'is' if missing == 1 else 'are'} not reported yet"
        )
    found: dict[str, tuple[c.AnyCommand, str]] = {
        "publish": (c.Publish(), f"Show {name} to everybody"),
        "start": (c.Start(), f"Start {name}"),
        "end": (c.End(), f"End {name}"),
        "pause": (c.Pause(), "Stop the clock"),
        "go": (c.Resume(), "Let the clock go on"),
    }
    command, says = found[word]
    return Meant("step", says, (command,))


def _at_table(words: list[str], state: State, a_round: RoundOf, legal: bool) -> Meant:
    if not _NUMBER.fullmatch(words[0]):
        raise BadInput(f'"{words[0][:30]}": {EXPECTED}')
    table = a_round.table_at(int(words[0]))
    number = table.table
    assert isinstance(number, int)
    rest = words[1:]
    drops = [_seat(match, table) for word in rest if (match := _DROP.fullmatch(word))]
    plain = [word for word in rest if not _DROP.fullmatch(word)]
    leaving = tuple(c.Drop(player=player_id) for player_id in dict.fromkeys(drops))
    gone = "".join(f"; {state.name_of(drop.player)} drops" for drop in leaving)
    where = f"Round {a_round.number}, table {number}" if a_round is not state.round else f"Table {number}"
    if not plain:
        if not leaving:
            return Meant("look", f"{where}: {result_words(table, state.name_of)}")
        lost = (
            "" if table.reported or a_round.phase != "started" else ", which loses the table: no result yet"
        )
        return Meant("leave", f"{where}: {gone[2:]}{lost}", leaving)
    if len(plain) == 1 and (more := _MORE.fullmatch(plain[0])) and not leaving:
        minutes = int(more[1])
        says = f"{where}: {counted(minutes, 'minute')} more for {_names(state, table)}"
        return Meant("time", says, (c.Extend(minutes=minutes, table=number),))
    if len(plain) == 1 and plain[0].casefold() in _CLEAR:
        if leaving:
            raise BadInput("- takes a result away, and stands alone; type the drop in a line of its own")
        return _cleared(state, a_round, table, where)
    if len(plain) in (2, 3) and len(table.players) == 2 and all(_MINUTES.fullmatch(word) for word in plain):
        plain = ["-".join(plain)]  # games with spaces between them
    result, absent = _result(plain, table, state, legal)
    new = said_words(checked(table, result, a_round, state), result, state.name_of)
    says = f"{where}: {new}{absent}{gone}"
    if not table.reported:
        report = c.Report(table=number, result=result, round=a_round.number, players=table.players)
        return Meant("result", says, (report, *leaving))
    old = result_words(table, state.name_of)
    if checked(table, result, a_round, state) == table:
        confirm = c.Confirm(tables=(number,), round=a_round.number)
        return Meant("confirm", f"{where}: confirmed, {new}{gone}", (confirm, *leaving))
    correct = c.Correct(table=number, result=result, round=a_round.number, players=table.players)
    return Meant("change", says, (correct, *leaving), old)


def _names(state: State, table: Table) -> str:
    return " and ".join(map(state.name_of, table.players))


def _seat(match: re.Match[str], table: Table) -> str:
    """The player in a seat of a table, counted from 1."""
    seat = int(match[1])
    if not 1 <= seat <= len(table.players):
        raise BadInput(f"{match[0]}: table {table.table} has players 1 to {len(table.players)}")
    return table.players[seat - 1]


def _result(words: list[str], table: Table, state: State, legal: bool) -> tuple[Result, str]:
    """The result that is typed, and who did not show up."""
    absent = [_seat(match, table) for word in words if (match := _ABSENT.fullmatch(word))]
    if not absent:
        winner = _winner(words, table, state) if len(words) == 1 else None
        return Result(winner=winner) if winner else read_result(tuple(words), table, state, legal), ""
    if len(words) != 1 or len(table.players) != 2:
        raise BadResult(f"table {table.table}: ns1 or ns2 stands alone, at a table of two")
    winner = next(player_id for player_id in table.players if player_id not in absent)
    also = f"add d{1 + table.players.index(absent[0])} to drop them"
    return Result(winner=winner), f" ({state.name_of(absent[0])} did not show up; {also})"


def _winner(words: list[str], table: Table, state: State) -> str | None:
    """The winner by seat, w2 (or 2 where only the winner counts), or by a part of a name at this table."""
    word = words[0].casefold()
    if word == "d":
        raise BadResult(f"table {table.table}: a draw is draw; d1 means that the first player drops")
    plain = state.book.match.results == "winner" and re.fullmatch(r"\d", word)
    if seat := re.fullmatch(r"w(\d)", word) or plain:
        return _seat(re.fullmatch(r"w?(\d)", word) or seat, table)
    if not word[0].isalpha() or word in ("draw", "id", "tie"):
        return None
    same = [player_id for player_id in table.players if state.name_of(player_id).casefold() == word]
    here = same or [
        player_id for player_id in table.players if state.name_of(player_id).casefold().startswith(word)
    ]
    return here[0] if len(here) == 1 else None


def _cleared(state: State, a_round: RoundOf, table: Table, where: str) -> Meant:
    if not table.reported:
        raise NotNow(f"{where} has no result yet")
    number = table.table
    assert isinstance(number, int)
    clear = c.Correct(table=number, result=None, round=a_round.number, players=table.players)
    return Meant("change", f"{where}: no result", (clear,), result_words(table, state.name_of))
