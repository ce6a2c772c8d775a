"""Rank the players after some rounds of an event and tell who would go on, computed once for all readers."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from topcut.errors import TopcutError
from topcut.history import History, Player, Round, build_history
from topcut.history.parts import excuse_idle_parts
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, choose_format
from topcut.stages.progress import Progress, select_counted_history
from topcut.standings import Standings, rank
from topcut.standings.document import (
    StandingRow,
    build_rows,
    count_record,
    format_record,
    list_key_labels,
    to_json_number,
)
from topcut.standings.explain import Explainer, explain_standing
from topcut.standings.rank import LOT
from topcut.text.bidi import isolate_name
from topcut.text.messages import Message, count, say


@dataclass(frozen=True)
class CutLine:
    """Who goes on at the cut, as far as is played."""

    inside: frozenset[str]
    line: str | None
    """The id of the last of them, if nobody outside is ranked above; the line is drawn below."""
    says: Message


@dataclass(frozen=True)
class TiebreakColumn:
    """A column: which of a row's tiebreaks, and its labels."""

    at: int
    short: str
    label: str


def find_cut_row(rows: Sequence[StandingRow], inside: Container[str]) -> int | None:
    """Return the row below which the line of a cut is drawn; None if a player outside is above it."""
    here = [row["id"] in inside for row in rows]
    count = sum(here)
    return count - 1 if count and all(here[:count]) else None


@dataclass(eq=False)
class Leaderboard:
    """Ranks, scores, tiebreaks and the cut after some rounds of an event."""

    players: tuple[Player, ...]
    played: Sequence[Round]
    book: Book
    options: Options
    seed: str | None
    given_history: History | None = None
    """That of the rounds played, where it is known already."""

    @property
    def rounds(self) -> int:
        return len(self.played)

    @property
    def scored(self) -> int:
        """How many rounds the standings count: rounds of a bracket give no points."""
        return self.standings.history.rounds if self.rounds else 0

    @cached_property
    def _history(self) -> History:
        if self.given_history is not None:
            return self.given_history
        return excuse_idle_parts(
            build_history(self.players, self.played, self.book, doubts=[]), self.book, self.options
        )

    @cached_property
    def _ranked(self) -> tuple[Standings, set[str]]:
        history, here = select_counted_history(self._history, self.book, self.options, self.played)
        return rank(history, self.book, self.seed or ""), here

    @property
    def standings(self) -> Standings:
        return self._ranked[0]

    @cached_property
    def rows(self) -> list[StandingRow]:
        standings, here = self._ranked
        return [row for row in build_rows(standings, self.options.division_mode) if row["id"] in here]

    @cached_property
    def ranks(self) -> dict[str, StandingRow]:
        return {row["id"]: row for row in self.rows}

    @cached_property
    def scores(self) -> dict[str, tuple[Any, str]]:
        """Points and record by player id; quicker than the rows with their tiebreaks."""
        one = self.standings
        return {
            player.id: (to_json_number(one.points(i)) or 0, format_record(count_record(one, i)))
            for i, player in enumerate(one.history.players)
        }

    @cached_property
    def tiebreaks(self) -> list[TiebreakColumn]:
        """The columns that are not empty for everybody: a lot that nobody needed has none."""
        shorts = {key.key: key.short or key.label for key in self.book.chain} | {LOT: say("random")}
        labels = enumerate(list_key_labels(self.standings)[1:])
        found = [TiebreakColumn(at, shorts[key], label) for at, (key, label) in labels]
        return [one for one in found if {row["tiebreaks"][one.at]["shown"] for row in self.rows} - {"", "no"}]

    @cached_property
    def explainer(self) -> Explainer:
        """Explains each rank, with names that are safe inside a sentence."""
        return Explainer(self.standings, isolate_name)

    def explain_tiebreaks(self, player: str) -> list[str]:
        """Return the working of every tiebreak of a player; nothing for a player who is not ranked."""
        at = self.standings.history.index.get(player)
        return [] if at is None or not self.rounds else explain_standing(self.standings, at)

    @cached_property
    def progress(self) -> Progress:
        """The event in its stages, as far as is played."""
        return Progress(self._history, self.book, self.options, self.played, [self.seed])

    @property
    def has_bracket(self) -> bool:
        """Whether elimination rounds are played or to come."""
        begun = any(a_round.in_bracket for a_round in self.played)
        return begun or "elimination" in choose_format(self.book, self.options)

    @cached_property
    def cut(self) -> CutLine | None:
        """The cut before a bracket, or the one that comes next; None where none is planned or known yet."""
        if not self.scored:
            return None
        try:
            progress = self.progress
            cuts = [bracket.entered for bracket in progress.brackets if bracket.entered is not None]
            cuts += [cut for part in progress.running if (cut := progress.decide_next_cut(part)) is not None]
        except TopcutError:
            return None
        if not cuts:
            return None
        players = progress.history.players
        inside = frozenset(players[i].id for cut in cuts for i in cut.on)
        last = find_cut_row(self.rows, inside)
        line = None if last is None else self.rows[last]["id"]
        who = cuts[0].requirement if len(cuts) == 1 else count("{n} player", "{n} players", len(inside))
        if progress.eliminating:
            return CutLine(inside, line, say("Advanced to the bracket: {players}", players=who))
        return CutLine(inside, line, say("Would advance if the cut were now: {players}", players=who))
