"""One player's event: the rounds they lived through, what those are worth, and how each value comes about."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from topcut.desk.board import Board
from topcut.desk.views import apart
from topcut.event.state import State
from topcut.event.window import closed
from topcut.history import Played
from topcut.history.model import Table
from topcut.history.played import ENDED
from topcut.rulebook.keys import Outcomes, ValueKey
from topcut.standings.working import Working

WORDS = ENDED | {Played.ASSIGNED: "loss", Played.MISSED: "missed, counts as a loss"}


@dataclass(frozen=True)
class Lived:
    """A round, as one player went through it."""

    number: int
    stage: str
    table: int | str | None
    against: tuple[tuple[str, str], ...]
    outcome: str
    """One or two words; empty while it is open."""
    result: str
    points: str
    """So far; empty where they do not count or are not known."""
    wrong: bool
    """Whether the result can still be questioned."""
    asked: bool


@dataclass(frozen=True)
class Worked:
    """How one value comes about."""

    title: str
    source: str
    lines: list[str]


def lived(state: State, whole: State, board: Board, player: str) -> list[Lived]:
    """The rounds that everybody may see. `whole` has the draft too: a rule may close a record by it."""
    running = points_so_far(board, player)
    played = board.standings.history if board.rounds else None
    at = played.index.get(player) if played is not None else None
    asked = {q.round for q in state.questions if q.player == player and q.about == "result"}
    found = []
    for a_round in state.rounds:
        number, table = a_round.number, a_round.table_of(player)
        counted = played is not None and at is not None and number <= played.rounds
        outcome = ""
        if counted and played is not None and at is not None:
            outcome = WORDS.get(Played(int(played.played[number - 1, at])), "")
        if table is None:
            if not outcome:
                continue
            found.append(
                Lived(number, a_round.stage, None, (), outcome, "", running.get(number, ""), False, False)
            )
            continue
        result = ""
        if table.reported and len(table.players) > 1:
            outcome, result = outcome or _outcome(table, player), _numbers(table, player)
        elif len(table.players) == 1:
            outcome = "loss" if table.loss else "bye"
        wrong = table.reported and not state.finished and not state.purged and closed(whole, number) is None
        against = tuple((id, state.name_of(id)) for id in table.players if id != player)
        found.append(
            Lived(
                number,
                a_round.stage,
                table.table,
                against,
                outcome,
                result,
                running.get(number, ""),
                wrong,
                number in asked,
            )
        )
    return found


def _outcome(table: Table, player: str) -> str:
    """How a reported table ended for one of its players."""
    if table.games is not None:
        first, second, _ = table.games
        mine, theirs = (first, second) if table.players[0] == player else (second, first)
        return "won" if mine > theirs else "lost" if mine < theirs else "drew"
    if table.scores is not None:
        winners = table.winners or ()
        return "won" if player in winners else "lost" if winners else "drew"
    return {"draw": "drew", "double_loss": "both lost", player: "won"}.get(table.winner or "", "lost")


def _numbers(table: Table, player: str) -> str:
    """The result in numbers, this player's first."""
    at = table.players.index(player)
    if table.games is not None:
        first, second, drawn = table.games
        mine, theirs = (first, second) if at == 0 else (second, first)
        return f"{mine}-{theirs}" + (f"-{drawn}" if drawn else "")
    if table.scores is not None:
        others = ", ".join(str(score) for i, score in enumerate(table.scores) if i != at)
        return f"{table.scores[at]} : {others}"
    return "by agreement" if table.intentional else ""


def points_so_far(board: Board, player: str) -> dict[int, str]:
    """After each round that counts, the points until then; nothing where points are no sum of rounds."""
    if not board.rounds:
        return {}
    standings = board.standings
    at, first = standings.history.index.get(player), standings.book.chain[0]
    measure = standings.book.measures.get(first.measure) if isinstance(first, ValueKey) else None
    if at is None or not isinstance(measure, Outcomes) or measure.value != "sum":
        return {}
    working, total, found = Working(standings.history, standings.book), Fraction(0), {}
    for r in range(standings.history.rounds):
        total += working.credit(measure, r, at).earned
        found[r + 1] = str(total)
    return found


def explained(board: Board, player: str, names: list[str]) -> tuple[list[Worked], list[str]]:
    """The working of each key, and how the neighbours compare; `names`: those from right to left."""
    sections: list[list[str]] = [[]]
    whole = "\n".join(board.explained(player))
    for name in names:
        whole = whole.replace(name, apart(name))
    for line in whole.split("\n"):
        if line:
            sections[-1].append(line)
        else:
            sections.append([])
    keys = [lines for lines in sections[1:] if lines and not lines[0].startswith(" ") and len(lines) > 1]
    keys = [lines for lines in keys if lines[1].startswith("  ")]
    last = sections[-1] if sections[-1] and sections[-1] not in keys and len(sections) > 1 else []
    found = []
    for title, *lines in keys:
        label, _, rest = title.partition(" (")
        source = rest.partition("; ")[2].replace("), lower is better", "); lower is better")
        found.append(Worked(label, source.removesuffix(")"), [line.strip() for line in lines]))
    return found, last


def neighbours(board: Board, player: str) -> list[str]:
    """The names of those right above and below."""
    ids = [row["id"] for row in board.rows] if board.rounds else []
    if player not in ids:
        return []
    at = ids.index(player)
    return [row["name"] for row in board.rows[max(0, at - 1) : at + 2] if row["id"] != player]
