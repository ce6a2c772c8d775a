"""Read and enter a line that a scorekeeper types in the entry bar.

    14 2-1          table 14: the first player beats the second 2-1
    14 2-1 d2       and the second player drops
    14 draw, 14 id  a draw; by agreement
    14 ns1          the first player did not show up
    14 w2           the second player won, by whatever games; at larger tables too
    7 30* 12 8x     scores of a larger table: who won, who was eliminated (`typed_scores` lists all forms)
    7 24 10 23 none scores of a table that nobody won
    7 20 20 9 count 3 2  what was counted for players who are tied for the highest score
    14 d1           the first player drops
    14 +3           three minutes more
    14 -            the result is removed
    r2 14 1-2       a result of an earlier round
    u               my last step is undone
    pair, publish, start, start 45, end, pause, go, clock 45

Typing the present result again confirms it. `read_line` changes nothing: it returns the meaning of a line in
words, to be read before it counts, and its commands. `enter_line` executes them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from topcut.app.access.identity import Identity
from topcut.app.entry_help import describe_entry_help
from topcut.app.execute import answer_page, check_texts, execute, find_step
from topcut.app.idempotency import KeyedRequest, do_once
from topcut.app.live_events import LiveEvent
from topcut.app.services import Services
from topcut.app.views.tie_view import list_seats, view_tie
from topcut.errors import BadInput, TopcutError
from topcut.event import commands as c
from topcut.event.decide.context import Context
from topcut.event.decide.dispatch import decide
from topcut.event.decide.results import put_checked_result
from topcut.event.decide.undo import find_undo_steps
from topcut.event.describe.results import describe_claim, describe_result
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.event.lookup import read_result
from topcut.event.refusals import BadResult, NotNow, TieToBreak
from topcut.event.state import RoundState, State
from topcut.event.typed_scores import COUNT, find_tied_winners
from topcut.history.model import Table
from topcut.text.messages import Message, count, join_messages, list_and, list_or, render_isolated, say

Kind = Literal["nothing", "look", "result", "change", "confirm", "leave", "time", "step", "undo"]
"""What a line does. A preview can also be "ask" (the line goes on) or "wrong"."""
_ROUND = re.compile(r"r(\d{1,3})", re.IGNORECASE)
_DROP = re.compile(r"d(\d)", re.IGNORECASE)
_ABSENT = re.compile(r"ns(\d)", re.IGNORECASE)
_MORE = re.compile(r"\+(\d{1,2})")
_NUMBER = re.compile(r"\d{1,6}")
_MINUTES = re.compile(r"\d{1,3}")
_CLEAR = {"-", "clear"}
_DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", ":": "-"})


@dataclass(frozen=True)
class EntryMeaning:
    """Hold the meaning of a line."""

    kind: Kind
    says: str
    commands: tuple[c.AnyCommand, ...] = ()
    """Empty: the line is not complete yet."""
    old: str = ""
    """The present result or state, where the line would change it."""
    give: tuple[tuple[int, str], ...] = ()
    """Players who are tied in all counts, by seat and name: one of them may get the win alone."""


def read_line(
    text: str, log: EventLog, undo: tuple[int, str] | None = None, legal: bool = True
) -> EntryMeaning:
    """Return the meaning of a line; refuse one that makes no sense.

    `undo`: the step that `u` takes back, and its description; `legal`: whether the line may call players by
    names that are not shown.
    """
    words = text.translate(_DASHES).split()
    if not words:
        return EntryMeaning("nothing", "")
    state = log.state
    word = words[0].casefold()
    if word in ("?", "help"):
        return EntryMeaning("look", describe_entry_help(state))
    if word in ("u", "undo") and len(words) == 1:
        step, was = undo or (find_undo_steps(log, None)[0], say("the last step"))
        return EntryMeaning("undo", say("Undo: {step}", step=was), (c.Undo(step=step),))
    if word in (*_STEPS, "clock"):
        found = _read_step(word, words[1:], state)
        _refuse_if_impossible(found, log)
        return found
    if match := _ROUND.fullmatch(words[0]):
        if len(words) == 1:
            return EntryMeaning("look", say("Round {round}, table …", round=match[1]))
        return _read_table_line(words[1:], state, state.get_round(int(match[1])), legal)
    found = _read_table_line(words, state, state.get_round(None), legal)
    if found.kind == "time":
        _refuse_if_impossible(found, log)
    return found


def _refuse_if_impossible(found: EntryMeaning, log: EventLog) -> None:
    """Refuse a step that is not possible now. Pairing is not tried, since it takes too long."""
    a_round = log.state.round
    for command in found.commands:
        if not isinstance(command, c.Pair):
            decide(log, command, Context(at=log.entries[-1].at, by="", entropy="", via=""))
        elif a_round is not None and a_round.phase == "started":
            raise NotNow(say("Round {number} is being played. End it first.", number=a_round.number))


_STEPS: dict[str, tuple[c.AnyCommand, Callable[[int], Message]]] = {
    "pair": (c.Pair(), lambda number: say("Pair round {number}", number=number)),
    "publish": (c.Publish(), lambda number: say("Publish round {number}", number=number)),
    "start": (c.Start(), lambda number: say("Start round {number}", number=number)),
    "end": (c.End(), lambda number: say("End round {number}", number=number)),
    "pause": (c.Pause(), lambda _: say("Pause the clock")),
    "go": (c.Resume(), lambda _: say("Resume the clock")),
}
"""What a word does, and how it is described to a scorekeeper."""


def _read_step(word: str, more: list[str], state: State) -> EntryMeaning:
    if word == "clock":
        if len(more) != 1 or not _MINUTES.fullmatch(more[0]):
            raise BadInput(say('expected "clock" and the minutes that are left, such as "clock 45"'))
        minutes = int(more[0])
        says = count("Set the clock: {n} minute is left", "Set the clock: {n} minutes are left", minutes)
        return EntryMeaning("step", says, (c.SetClock(minutes=minutes),))
    if word == "start" and len(more) == 1 and _MINUTES.fullmatch(more[0]):
        minutes = int(more[0])
        says = count("Start a round of {n} minute", "Start a round of {n} minutes", minutes)
        return EntryMeaning("step", says, (c.Start(minutes=minutes),))
    if more:
        raise BadInput(say('expected only "{word}" in this line', word=word))
    command, describe = _STEPS[word]
    if word == "pair":
        if drawn := state.upcoming:
            if drawn.phase == "draft":
                old = say("round {number} is paired, but not published", number=drawn.number)
            else:
                old = say("round {number} is published", number=drawn.number)
            says = say("Pair round {number} again", number=drawn.number)
            return EntryMeaning("step", says, (c.Pair(again=True),), old)
        return EntryMeaning("step", describe(len(state.rounds) + 1), (command,))
    if word in ("pause", "go") and state.drafting is not None:
        return EntryMeaning("step", describe(0), (command,))
    a_round = state.get_round(None)
    number, missing = a_round.number, len(a_round.missing)
    if word == "end" and missing:
        open_tables = count(
            "{n} table of round {round} has no result yet.",
            "{n} tables of round {round} have no result yet.",
            missing,
            round=number,
        )
        raise NotNow(open_tables)
    return EntryMeaning("step", describe(number), (command,))


def _read_table_line(words: list[str], state: State, a_round: RoundState, legal: bool) -> EntryMeaning:
    if not _NUMBER.fullmatch(words[0]):
        problem = say(
            'expected a table and its result (14 2-1), u, pair, publish, start or end, not "{text}"',
            text=words[0][:30],
        )
        raise BadInput(problem)
    table = a_round.get_table(int(words[0]))
    number = table.table
    assert isinstance(number, int)
    rest = words[1:]
    drops = [_seat(match, table) for word in rest if (match := _DROP.fullmatch(word))]
    plain = [word for word in rest if not _DROP.fullmatch(word)]
    leaving = tuple(c.Drop(player=player_id) for player_id in dict.fromkeys(drops))
    gone = [say("{player} drops", player=state.name_of(drop.player)) for drop in leaving]
    if a_round is state.round:
        where = say("Table {table}", table=number)
    else:
        where = say("Round {round}, table {table}", round=a_round.number, table=number)
    if not plain:
        if not leaving:
            return EntryMeaning("look", _describe(where, describe_result(table, state.name_of)))
        loses = a_round.phase == "started" and not table.reported
        lost = say("this loses the match, which has no result yet") if loses else ""
        return EntryMeaning("leave", _describe(where, *gone, lost), leaving)
    if len(plain) == 1 and (more := _MORE.fullmatch(plain[0])) and not leaving:
        minutes = int(more[1])
        more_time = count(
            "{n} more minute for {players}",
            "{n} more minutes for {players}",
            minutes,
            players=list_and(map(state.name_of, table.players)),
        )
        return EntryMeaning("time", _describe(where, more_time), (c.Extend(minutes=minutes, table=number),))
    if len(plain) == 1 and plain[0].casefold() in _CLEAR:
        if leaving:
            raise BadInput(say('expected only "-" to remove the result: type the drop in a line of its own'))
        if not table.reported:
            raise NotNow(say("{place} has no result yet.", place=where))
        clear = c.Correct(table=number, result=None, round=a_round.number, players=table.players)
        old = describe_result(table, state.name_of)
        return EntryMeaning("change", _describe(where, say("no result")), (clear,), old)
    if len(plain) in (2, 3) and len(table.players) == 2 and all(_MINUTES.fullmatch(word) for word in plain):
        plain = ["-".join(plain)]  # games with spaces between them
    result, absent = _result(plain, table, state, legal)
    after = put_checked_result(table, result, a_round, state)
    new = describe_claim(after, result, state.name_of)
    told = say("{result} ({note})", result=new, note=absent) if absent else new
    says = _describe(where, told, *gone)
    give = list_seats(table, find_tied_winners(result), state)
    if not table.reported:
        report = c.Report(table=number, result=result, round=a_round.number, players=table.players)
        return EntryMeaning("result", says, (report, *leaving), give=give)
    old = describe_result(table, state.name_of)
    if after == table:
        confirm = c.Confirm(tables=(number,), round=a_round.number)
        confirmed = _describe(where, say("confirmed: {result}", result=new), *gone)
        return EntryMeaning("confirm", confirmed, (confirm, *leaving))
    correct = c.Correct(table=number, result=result, round=a_round.number, players=table.players)
    return EntryMeaning("change", says, (correct, *leaving), old, give)


def _describe(where: str, *clauses: str) -> Message:
    """Return what happens at a table."""
    return join_messages(": ", [where, join_messages("; ", clauses)])


def _seat(match: re.Match[str], table: Table) -> str:
    """Return the player in a seat of a table, counted from 1."""
    seat = int(match[1])
    if not 1 <= seat <= len(table.players):
        problem = say(
            "{word}: table {table} has players 1 to {last}",
            word=match[0],
            table=table.table or "",
            last=len(table.players),
        )
        raise BadInput(problem)
    return table.players[seat - 1]


def _result(words: list[str], table: Table, state: State, legal: bool) -> tuple[Result, str]:
    """Return the typed result, and a note on a player who did not show up."""
    absent = [_seat(match, table) for word in words if (match := _ABSENT.fullmatch(word))]
    if not absent:
        winner = _winner(words, table, state) if len(words) == 1 else None
        return Result(winner=winner) if winner else read_result(tuple(words), table, state, legal), ""
    if len(words) != 1 or len(table.players) != 2:
        raise BadResult(
            say("table {table}: expected only ns1 or ns2, at a table of two players", table=table.table or "")
        )
    winner = next(player_id for player_id in table.players if player_id not in absent)
    note = say(
        "{player} did not show up; add {word} to drop them",
        player=state.name_of(absent[0]),
        word=f"d{1 + table.players.index(absent[0])}",
    )
    return Result(winner=winner), note


def _winner(words: list[str], table: Table, state: State) -> str | None:
    """Return the winner by seat, w2 (or 2 where only the winner counts), or by the beginning of a name."""
    word = words[0].casefold()
    if word == "d":
        raise BadResult(
            say(
                'table {table}: expected "draw" for a draw, or d1 if the first player drops',
                table=table.table or "",
            )
        )
    if seat := re.fullmatch(r"w?(\d)" if state.book.match.results == "winner" else r"w(\d)", word):
        return _seat(seat, table)
    if not word[0].isalpha() or word in ("draw", "id", "tie"):
        return None
    names = {player_id: state.name_of(player_id).casefold() for player_id in table.players}
    same = [player_id for player_id, name in names.items() if name == word]
    here = same or [player_id for player_id, name in names.items() if name.startswith(word)]
    return here[0] if len(here) == 1 else None


class EntryRequest(Struct, forbid_unknown_fields=True):
    text: str
    sure: bool = False
    """Whether to save it now."""
    saw: str = ""
    """What was read before; refused if the line now means something else."""
    then: c.Then | None = None
    reason: str = ""
    override: bool = False


class Changed(NotNow):
    """The meaning of a line has changed since it was read."""

    def __init__(self, says: str) -> None:
        self.says = says
        super().__init__(say("This changed after you read it. Your entry now means: {meaning}", meaning=says))


SEEN = " | "
"""Separates in `EntryRequest.saw` the meaning of a line from what it would change."""


async def preview_line(services: Services, who: Identity, event: str, text: str) -> dict[str, Any]:
    """Return the meaning of a line; nothing is done."""
    check_texts(text)
    live = await services.events.open_event(event)
    try:
        found = _read_for(services, live, text, who)
        who.check(found.commands, live.session.log)
    except TieToBreak as tie:
        more = "" if tie.begun or not tie.count else COUNT
        says = render_isolated(tie.message)
        return {"kind": "ask", "says": says, "old": "", "whole": False, "more": more} | {
            "tie": view_tie(tie),
            "seats": _list_seats(text, live.state),
        }
    except TopcutError as error:
        return {"kind": "wrong", "says": render_isolated(error.message), "old": "", "whole": False}
    hint: str = ""
    if found.give:
        seats = list_or(f"g{seat}" for seat, _ in found.give)
        hint = render_isolated(
            say("If the other players give the win to one of them, add {seats}.", seats=seats)
        )
    return {
        "kind": found.kind,
        "says": render_isolated(found.says),
        "hint": hint,
        "old": render_isolated(found.old),
        "whole": bool(found.commands),
        "saw": f"{found.says}{SEEN}{found.old}",
        "round": len(live.state.rounds),
        "give": found.give,
        "seats": _list_seats(text, live.state),
    }


def _list_seats(text: str, state: State) -> list[str]:
    """Return the names at the table that a line is about, for a form; none if it is about no table."""
    words = text.split()
    match = _ROUND.fullmatch(words[0]) if words else None
    number = words[1:2] if match else words[:1]
    if not number or not _NUMBER.fullmatch(number[0]):
        return []
    table = state.get_round(int(match[1]) if match else None).get_table(int(number[0]))
    return [state.name_of(player_id) for player_id in table.players]


async def enter_line(
    services: Services, who: Identity, event: str, line: EntryRequest, key: KeyedRequest | None = None
) -> dict[str, Any]:
    """Save a line, only once if it has a key; return the answer to its page."""
    check_texts([line.text, line.reason])
    live = await services.events.open_event(event)
    work = partial(_enter, services, live, who, line, key)
    try:
        answer, repeated = await do_once(key, services.store, work)
    except TopcutError:
        # This request may be refused only because the same one was done a moment ago.
        answer, repeated = await key.earlier_answer(services.store) if key else None, True
        if answer is None:
            raise
    return {**answer, "done": render_isolated(line.saw.partition(SEEN)[0])} if repeated else answer


async def _enter(
    services: Services, live: LiveEvent, who: Identity, line: EntryRequest, key: KeyedRequest | None
) -> dict[str, Any]:
    found = _read_for(services, live, line.text, who)
    if not found.commands:
        raise NotNow(found.says or say("Nothing is typed yet."))
    if line.saw and line.saw != f"{found.says}{SEEN}{found.old}":
        raise Changed(found.says)
    commands = [_with_choices(command, line) for command in found.commands]
    once = key.once(lambda log, made: answer_page(live, made) | {"version": log.version}) if key else None
    decisions = await execute(live, who, commands, once=once)
    done = found.says
    if found.kind in ("step", "undo") and (step := find_step(live.session.log, decisions)):
        done = services.log_view(live, who).step(live.session.log, step)
    return answer_page(live, decisions) | {"done": render_isolated(done)}


def _with_choices(command: c.AnyCommand, line: EntryRequest) -> c.AnyCommand:
    """Return the command with the choices made beside the line."""
    if line.then and hasattr(command, "then"):
        command = replace(command, then=line.then)
    if isinstance(command, c.Correct):
        command = replace(command, reason=line.reason, override=line.override)
    return command


def _read_for(services: Services, live: LiveEvent, text: str, who: Identity) -> EntryMeaning:
    """Read a line for a person; `u` means their own last step, never another person's."""
    log = live.session.log
    if text.strip().casefold() not in ("u", "undo"):
        return read_line(text, log, legal=who.may("people"))
    own = [step for step in log.steps()[1:] if log.entries[step - 1].by == who.name]
    if not own:
        raise NotNow(say("You have no step to undo. To undo a step of another person, open the log."))
    return read_line(text, log, (own[-1], services.log_view(live, who).step(log, own[-1])))
