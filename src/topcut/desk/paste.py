"""Who is on a pasted list? A name a line, or columns as a spreadsheet copies them."""

from __future__ import annotations

import re

from msgspec import Struct

from topcut.event.state import State

_YEAR = re.compile(r"(19|20)\d\d")


class Listed(Struct, frozen=True):
    """A player of the list."""

    name: str
    member: str | None = None
    born: int | None = None
    division: str | None = None


class Found(Struct, frozen=True):
    """The players of a list, and the lines that look wrong, in words."""

    players: list[Listed]
    problems: list[str]


def pasted(text: str, state: State, legal: bool = True) -> Found:
    """Read a list. After the name, in any order: a membership number, a birth year, a division.

    `legal`: whether whoever pastes it may know the names that are not shown.

    Columns are parted by tabs or semicolons; a comma belongs to the name ("Okafor, Ada").
    """
    divisions = {d.name.casefold(): d.name for d in state.book.divisions.list} if state.book.divisions else {}
    there = state.players.values()
    known = {(entrant.legal if legal else entrant.player.name).casefold() for entrant in there}
    players: list[Listed] = []
    problems: list[str] = []
    seen: set[str] = set()
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        cells = [" ".join(cell.split()) for cell in re.split(r"[\t;]", line)]
        name, rest = cells[0], [cell for cell in cells[1:] if cell]
        if not name and not rest:
            continue
        if not name:
            problems.append(f"line {number}: expected a name before “{rest[0]}”")
            continue
        found = Listed(name)
        member, born, division = None, None, None
        for cell in rest:
            if cell.casefold() in divisions and division is None:
                division = divisions[cell.casefold()]
            elif _YEAR.fullmatch(cell) and born is None:
                born = int(cell)
            elif member is None:
                member = cell
            else:
                problems.append(f"line {number}: what is “{cell}”? It is left out")
        found = Listed(name, member, born, division)
        if name.casefold() in seen:
            problems.append(f"line {number}: {name} is on the list twice")
        elif name.casefold() in known:
            problems.append(f"line {number}: somebody called {name} is here already")
        seen.add(name.casefold())
        players.append(found)
    return Found(players, problems)
