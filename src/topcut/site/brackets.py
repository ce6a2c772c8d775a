"""Brackets and round robins for a page: a picture, the same as a list, and the places that are decided."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from markupsafe import Markup

from topcut.errors import TopcutError
from topcut.event.words import result_words
from topcut.history.direction import apart
from topcut.history.model import Table
from topcut.stages.answer import bracket_document, schedule_document
from topcut.stages.bracket import Bracket
from topcut.stages.course import Course
from topcut.stages.final import Final, final_places
from topcut.stages.layout import trees
from topcut.stages.picture import svg
from topcut.stages.play import Play


@dataclass(frozen=True)
class Seated:
    """Somebody at a table of a bracket, or nobody yet."""

    id: str | None
    name: str
    seed: int | None
    won: bool


@dataclass(frozen=True)
class BracketTable:
    """A table of a bracket or a round robin."""

    name: str
    """The bracket's own, such as QF1; empty in a round robin."""
    round: int | None
    """The round of the event in which it is played, and the number of the table there, as far as known."""
    table: int | None
    players: tuple[Seated, ...]
    result: str
    open: bool
    """Whether it is played now and not reported."""


@dataclass(frozen=True)
class BracketRound:
    title: str
    tables: list[BracketTable]

    @property
    def known(self) -> bool:
        """Whether anybody is known to sit in it."""
        return any(seat.id for table in self.tables for seat in table.players)


@dataclass(frozen=True)
class BracketView:
    """One bracket, or one round robin."""

    part: str
    """The division that plays it; empty where everybody does."""
    title: str
    svg: Markup
    """Empty for a round robin."""
    pieces: list[tuple[str, Markup]]
    """Title and picture of each of its trees, for a screen."""
    rounds: list[BracketRound]
    places: list[Final]
    note: str
    """What to know before reading it, such as that it is not final."""


class Posted(Protocol):
    """A round that everybody may see."""

    @property
    def stage(self) -> str: ...

    @property
    def tables(self) -> tuple[Table, ...]: ...


@dataclass(frozen=True)
class Seen:
    """What a bracket is shown with: the rounds of the event, and what players are called."""

    rounds: Sequence[Posted]
    name_of: Callable[[str], str]

    def in_sentence(self, player_id: str) -> str:
        return apart(self.name_of(player_id))


def bracket_views(course: Course, seen: Seen) -> list[BracketView]:
    """All brackets and round robins of an event as far as they are known; none where there are none."""
    try:
        robins = [part for part in course.parts if part.round_robin]
        if robins:
            return [_robin(seen, schedule_document(course, part)) for part in robins]
        return [_bracket(seen, course, bracket) for bracket in course.brackets]
    except TopcutError:  # too few players, or no cut yet: there is nothing to draw
        return []


def _bracket(seen: Seen, course: Course, bracket: Bracket) -> BracketView:
    play = bracket.play
    title = f"{bracket.part.name}: {bracket.stage.name}" if bracket.part.name else bracket.stage.name
    title = f"{title}, {len(play.players)} players"
    at = _played_at(seen, play)
    seeds = {player_id: number for number, player_id in enumerate(play.players, start=1)}

    def label(player_id: str) -> tuple[str, str]:
        return str(seeds[player_id]), seen.name_of(player_id)

    def number(name: str) -> int | None:
        table = at[name][1].table if name in at else None
        return table if isinstance(table, int) else None

    found = trees(play)
    alone = [replace(tree, title="") for tree in found]
    names = [tree.title.capitalize() or "Bracket" for tree in found]
    pieces = [
        Markup(svg([tree], label, name, _width, number)) for tree, name in zip(alone, names, strict=True)
    ]
    rounds = bracket_document(course, bracket)["rounds"]
    return BracketView(
        part=bracket.part.name,
        title=title,
        svg=Markup(svg(found, label, title, _width, number)),
        pieces=list(zip(names, pieces, strict=True)),
        rounds=[
            BracketRound(_round_title(play, tables), [_table(seen, row, seeds, at) for row in tables if row])
            for tables in rounds
        ],
        places=final_places(course, bracket) if course.eliminating else [],
        note=_note(course),
    )


def _note(course: Course) -> str:
    """Whether Swiss rounds are still to be played."""
    if course.eliminating or not course.history.rounds:
        return "" if course.eliminating else "The bracket is known once the first round is played."
    planned = course.running[0].rounds if course.running else None
    if not course.running:
        return "The Swiss rounds are over. The bracket begins like this unless a result is corrected."
    so_far = f"{course.history.rounds} of {planned}" if planned else str(course.history.rounds)
    return f"Swiss rounds go on: this is the bracket as it would be now, after round {so_far}."


def _played_at(seen: Seen, play: Play) -> dict[str, tuple[int, Table]]:
    """Tables of the bracket that are posted: the round, and the table there."""
    found: dict[str, tuple[int, Table]] = {}
    seats = {name: {who for who in play.seats(name) if isinstance(who, str)} for name in play.graph.nodes}
    for number, a_round in enumerate(seen.rounds, start=1):
        for table in a_round.tables if a_round.stage == "elimination" else ():
            here = set(table.players)
            for name, who in seats.items():
                if who == here and len(here) > 1 and name not in found:
                    found[name] = (number, table)
                    break
    return found


def _round_title(play: Play, tables: list[dict[str, Any]]) -> str:
    """What people call a round of a bracket."""
    names = [row["table"] for row in tables if row]
    if any(name in ("F", "F2") for name in names):
        return "Final, once more" if "F2" in names else "Final"
    if play.graph.kind != "elimination":
        sides = dict.fromkeys(name.partition("-")[0] for name in names)
        said = [f"{'upper' if side[0] == 'W' else 'lower'} side, round {side[1:]}" for side in sides]
        return "; ".join(said).capitalize()
    return {4: "Quarter-finals", 2: "Semi-finals"}.get(len(names), f"Best {2 * len(names)}")


def _table(
    seen: Seen, row: dict[str, Any], seeds: dict[str, int], at: dict[str, tuple[int, Table]]
) -> BracketTable:
    name = row["table"]
    number, table = at.get(name, (None, None))
    winner = row["winner"]
    seated = tuple(
        Seated(
            player_id,
            seen.name_of(player_id) if player_id else "",
            seeds.get(player_id) if player_id else None,
            player_id is not None and player_id == winner,
        )
        for player_id in row["players"]
    )
    if row.get("bye"):
        result = "bye"
    elif row.get("empty"):
        result = "nobody plays"
    elif row.get("walk_over"):
        result = f"{seen.in_sentence(winner)} goes on: the other has left"
    elif table is not None and table.reported:
        result = result_words(table, seen.in_sentence)
    else:
        result = ""
    seat = table.table if table is not None else None
    return BracketTable(
        name=name,
        round=number,
        table=seat if isinstance(seat, int) else None,
        players=seated,
        result=result,
        open=table is not None and not table.reported,
    )


def _robin(seen: Seen, document: dict[str, Any]) -> BracketView:
    title = f"{document.get('division', '')}: " if document.get("division") else ""
    seeds: dict[str, int] = document["rank_seeds"]
    rounds = []
    for number, rows in enumerate(document["rounds"], start=1):
        rounds.append(BracketRound(f"Round {number}", [_met(seen, number, row, seeds) for row in rows]))
    places = [
        Final(row["place"], row["id"], row["name"], row["why"], None, None) for row in document["places"]
    ]
    title = f"{title}everybody meets everybody, {document['size']} players"
    part = document.get("division", "")
    return BracketView(part, title[:1].upper() + title[1:], Markup(""), [], rounds, places, "")


def _met(seen: Seen, number: int, row: dict[str, Any], seeds: dict[str, int]) -> BracketTable:
    ids = [player_id for player_id in row["players"] if player_id]
    posted = seen.rounds[number - 1].tables if number <= len(seen.rounds) else ()
    found = next((table for table in posted if set(table.players) == set(ids)), None)
    bye = bool(row.get("bye"))
    who = [
        Seated(
            player_id, seen.name_of(player_id), seeds.get(player_id), not bye and player_id == row["winner"]
        )
        for player_id in ids
    ]
    seat = found.table if found is not None else None
    return BracketTable(
        name="",
        round=number if found is not None else None,
        table=seat if isinstance(seat, int) else None,
        players=(*who, *([Seated(None, "", None, False)] if bye else [])),
        result="bye" if bye else result_words(found, seen.in_sentence) if found and found.reported else "",
        open=found is not None and not found.reported,
    )


def _width(text: str) -> int:
    """How many letters wide a text is: signs of the Far East take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
