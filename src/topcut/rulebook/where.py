"""On which line of a TOML file does a value stand?

The standard reader keeps no positions, so this looks for a path such as `chain[2].floor` among the
file's table headings and keys. It is only used once something is known to be wrong.
"""

from __future__ import annotations

import re

Path = tuple[str | int, ...]

_HEADING = re.compile(r"^\s*(\[\[?)([^\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*([\w.\"'-]+)\s*=")
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def path_of(text: str) -> Path:
    """The steps of a path as it is written in messages.

    >>> path_of("$.chain[2].floor")
    ('chain', 2, 'floor')
    """
    steps = _STEP.findall(text.removeprefix("$"))
    return tuple(int(number) if number else name for number, name in steps)


def line_of(text: str, path: Path) -> tuple[int, int]:
    """The line (from 1) that reaches furthest into `path`, and how many steps it reaches."""
    best_line, best_depth = 1, 0
    inside: Path = ()
    seen: dict[Path, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := _HEADING.match(line):
            inside = _names(heading[2])
            if heading[1] == "[[":
                seen[inside] = seen.get(inside, -1) + 1
                inside = (*inside, seen[inside])
            elif (arrays := [a for a in seen if a == inside[: len(a)]]) and (array := max(arrays, key=len)):
                inside = (*array, seen[array], *inside[len(array) :])
            here = inside
        elif key := _KEY.match(line):
            here = (*inside, *_names(key[1]))
        else:
            continue
        depth = len(here) if path[: len(here)] == here else 0
        if depth > best_depth:
            best_line, best_depth = number, depth
    return best_line, best_depth


def _names(dotted: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
