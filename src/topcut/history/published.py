"""Read from the rounds of a published event what its file leaves unsaid: its format, and awarded byes."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.history.arrays import History
from topcut.history.model import Outcome, Round
from topcut.history.parts import split_into_parts
from topcut.rulebook.layout import BracketStage, Format, SwissStage
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, choose_format
from topcut.rulebook.planning.stages import list_stages
from topcut.text.messages import count

MOST_INFERRED = 3
"""The first rounds in which several byes are taken for awarded ones."""


def complete_format(options: Options, rounds: Sequence[Round], book: Book) -> Options:
    """Return the options with a format that has elimination rounds, if there are some and none is named."""
    bracket = next((r for r, a_round in enumerate(rounds) if a_round.in_bracket), None)
    if bracket is None or options.format is not None or not book.plan.formats:
        return options
    usual = list_stages(book, choose_format(book, options))
    swiss = any(isinstance(stage, SwissStage) for stage in usual)
    eliminates = any(isinstance(stage, BracketStage) for stage in usual)
    wanted: Format = "swiss+elimination" if bracket else "elimination"
    known = wanted in book.plan.formats and "format" in book.options
    return (
        options if not known or (eliminates and swiss == (bracket > 0)) else replace(options, format=wanted)
    )


def infer_awarded_byes(
    history: History, book: Book, options: Options, notes: list[BadInput]
) -> dict[str, int]:
    """Return the awarded byes of a published event whose file names none: player id to number.

    Only one player of a pool can need a bye. Where several have one in the first round, they won it before
    the event began, and the next rounds in which they have a bye again.
    """
    rules, stages = book.pairing, list_stages(book, choose_format(book, options))
    swiss = any(isinstance(stage, SwissStage) for stage in stages)
    if rules is None or rules.chart is not None or not swiss or history.awarded.any():
        return {}
    found: dict[str, int] = {}
    for r in range(min(MOST_INFERRED, history.rounds)):
        awarded = _list_excess_byes(history, book, options) if r == 0 else _list_byes(history, r)
        awarded = [i for i in awarded if found.get(_id(history, i), 0) == r]
        if not awarded:
            break
        found |= {_id(history, i): r + 1 for i in awarded}
        problem = count(
            "{n} player has a bye. Topcut counts it as an awarded bye",
            "{n} players have a bye. Topcut counts each as an awarded bye",
            len(awarded),
        )
        notes.append(BadInput(problem, place=f"rounds[{r}]"))
    return found


def _list_byes(history: History, r: int) -> list[int]:
    """Return the players with a bye in a round (from 0)."""
    return [int(i) for i in np.flatnonzero(history.played[r] == Outcome.BYE)]


def _list_excess_byes(history: History, book: Book, options: Options) -> list[int]:
    """Return the players with a bye in the first round in whose pool others have one too, and some play."""
    byes = _list_byes(history, 0)
    if len(byes) < 2:
        return []
    pools: defaultdict[tuple[int | None, ...], list[int]] = defaultdict(list)
    met = (history.opponents[history.meeting_round == 0] < history.size).any(axis=0)
    for number, part in enumerate(split_into_parts(history.after(0), book, options)):
        if not met[part.members].any():
            continue
        for i in set(byes).intersection(part.members):
            player = history.players[i]
            pools[number, player.flight, player.pod].append(i)
    return [i for pool in pools.values() for i in pool if len(pool) > 1]


def _id(history: History, player: int) -> str:
    return history.players[player].id
