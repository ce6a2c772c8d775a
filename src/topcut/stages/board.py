"""Who is ahead after some rounds of an event, by what, and who would go on? Computed once for all who ask."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from topcut.errors import TopcutError
from topcut.history import History, Player, Round, build
from topcut.history.direction import apart
from topcut.history.parts import without_idle
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, format_of
from topcut.stages.course import Course
from topcut.stages.scored import counted
from topcut.standings import Standings, rank
from topcut.standings.answer import Row, key_labels, plain, record, record_words, rows
from topcut.standings.explain import Explainer, explain
from topcut.standings.rank import LOT, keys


@dataclass(frozen=True)
class Cut:
    """Who goes on, as things stand."""

    inside: frozenset[str]
    line: str | None
    """The last of them, if nobody outside stands above; the line is drawn below."""
    says: str


@dataclass(frozen=True)
class Tiebreak:
    """A column: which of a row's tiebreaks, and what it is called."""

    at: int
    short: str
    label: str


def last_inside(rows: Sequence[Row], inside: Container[str]) -> int | None:
    """The row below which the line of a cut is drawn; None if somebody outside stands above it."""
    here = [row["id"] in inside for row in rows]
    last = max((at for at, one in enumerate(here) if one), default=-1)
    return last if last >= 0 and all(here[: last + 1]) else None


class Board:
    """Everything that follows from some rounds of an event."""

    def __init__(
        self,
        players: tuple[Player, ...],
        played: Sequence[Round],
        book: Book,
        options: Options,
        seed: str | None,
    ) -> None:
        self.players = players
        self.played = played
        self.book = book
        self.options = options
        self.seed = seed

    @property
    def rounds(self) -> int:
        return len(self.played)

    @property
    def scored(self) -> int:
        """How many rounds the standings count: those of a bracket give no points."""
        return self.standings.history.rounds if self.rounds else 0

    @cached_property
    def _history(self) -> History:
        return without_idle(build(self.players, self.played, self.book), self.book, self.options)

    @cached_property
    def _ranked(self) -> tuple[Standings, set[str]]:
        history, here = counted(self._history, self.book, self.options, self.played)
        return rank(history, self.book, self.seed or ""), here

    @property
    def standings(self) -> Standings:
        return self._ranked[0]

    @cached_property
    def rows(self) -> list[Row]:
        standings, here = self._ranked
        return [row for row in rows(standings, self.options.division_mode) if row["id"] in here]

    @cached_property
    def ranks(self) -> dict[str, Row]:
        return {row["id"]: row for row in self.rows}

    @cached_property
    def scores(self) -> dict[str, tuple[Any, str]]:
        """Points and record of everybody; quicker than the rows with their tiebreaks."""
        standings = self.standings
        first = keys(self.book)[0]
        return {
            player.id: (plain(standings.value(first, i)) or 0, record_words(record(standings, i)))
            for i, player in enumerate(standings.history.players)
        }

    @cached_property
    def tiebreaks(self) -> list[Tiebreak]:
        """The columns that say something of somebody: a lot that nobody needed has none."""
        shorts = {key.key: key.short or key.label for key in self.book.chain} | {LOT: "lot"}
        labels = enumerate(key_labels(self.standings)[1:])
        found = [Tiebreak(at, shorts[key], label) for at, (key, label) in labels]
        return [one for one in found if {row["tiebreaks"][one.at]["shown"] for row in self.rows} - {"", "no"}]

    @cached_property
    def explainer(self) -> Explainer:
        """Why everybody stands there, with names that are safe inside a sentence."""
        return Explainer(self.standings, apart)

    def explained(self, player: str) -> list[str]:
        """The working of every tiebreak of a player; nothing for somebody who is not ranked."""
        at = self.standings.history.index.get(player)
        return [] if at is None or not self.rounds else explain(self.standings, at)

    @cached_property
    def course(self) -> Course:
        """The event on its way through its stages, as far as is played."""
        return Course(self._history, self.book, self.options, self.played, [self.seed])

    @property
    def has_bracket(self) -> bool:
        """Whether elimination rounds are played or to come."""
        begun = any(a_round.stage == "elimination" for a_round in self.played)
        return begun or "elimination" in format_of(self.book, self.options)

    @cached_property
    def cut(self) -> Cut | None:
        """The cut before a bracket, or the one that comes next; None where none is planned or known yet."""
        if not self.scored:
            return None
        try:
            course = self.course
            cuts = [bracket.entered for bracket in course.brackets if bracket.entered is not None]
            cuts += [cut for part in course.running if (cut := course.left_out(part)) is not None]
        except TopcutError:
            return None
        if not cuts:
            return None
        players = course.history.players
        inside = frozenset(players[i].id for cut in cuts for i in cut.on)
        last = last_inside(self.rows, inside)
        line = None if last is None else self.rows[last]["id"]
        went = "went on to the bracket" if course.eliminating else "would go on if the cut were now"
        says = cuts[0].line if len(cuts) == 1 else f"{len(inside)} players"
        return Cut(inside, line, f"{says[:1].upper()}{says[1:]} {went}")
