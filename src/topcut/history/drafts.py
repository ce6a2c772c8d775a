"""Find the rounds that belong to a draft, which is played in the same pods from its first round to its last.

The first round of a draft has its pods (`Round.pods`), and all its rounds have the same format. The options
say whether the next round belongs to a draft, and to which.
"""

import re
from collections.abc import Sequence

from topcut.history.model import Round
from topcut.rulebook.options import Options

_NUMBERED = re.compile(r"draft (\d{1,6})")


def name_draft(number: int) -> str:
    """Return the format of the rounds of a draft."""
    return f"draft {number}"


def read_draft_number(name: str | None) -> int | None:
    """Return the number of a draft from the format of its rounds; None for another format.

    >>> read_draft_number("draft 2"), read_draft_number("constructed")
    (2, None)
    """
    found = _NUMBERED.fullmatch(name or "")
    return int(found[1]) if found else None


def find_draft_start(rounds: Sequence[Round], r: int) -> int | None:
    """Return the first round (from 0) of the draft in whose pods a round was played, if that is recorded."""
    first = r
    while rounds[first].pods is None:
        if first == 0 or rounds[first].format is None or rounds[first - 1].format != rounds[r].format:
            return None
        first -= 1
    return first


def find_present_start(rounds: Sequence[Round], options: Options) -> int | None:
    """Return the first round (from 0) of the draft that goes on or begins now; None if it has no number."""
    if options.draft is None:
        return None
    first = len(rounds)
    while first and rounds[first - 1].format == name_draft(options.draft.number):
        first -= 1
    return first


def is_next_in_pods(rounds: Sequence[Round], options: Options) -> bool:
    """Return whether the next round is played in the pods of a draft."""
    if options.mode != "draft":
        return False
    first = find_present_start(rounds, options)
    planned = options.draft.rounds if options.draft else None
    return first is None or planned is None or len(rounds) - first < planned
