"""Names from right to left inside our sentences: set apart, so that numbers beside them stay in place."""

from __future__ import annotations

import re

_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_RUN = re.compile(f"[{_RIGHT}](?:[{_RIGHT}\\s'’.-]*[{_RIGHT}])?")
FIRST, LAST = "\u2068", "\u2069"


def isolated(text: str) -> str:
    """A sentence with its right-to-left parts set apart.

    >>> isolated("Ada beats \u0644\u064a\u0644\u0649 2-0").replace(FIRST, "[").replace(LAST, "]")
    'Ada beats [\u0644\u064a\u0644\u0649] 2-0'
    """
    return _RUN.sub(lambda run: f"{FIRST}{run[0]}{LAST}", text)
