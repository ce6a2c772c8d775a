"""What is there to show of an event? Everything that its pages have in common, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from topcut.errors import TopcutError
from topcut.exchange.event_file import Event
from topcut.history.divisions import division_mode
from topcut.history.model import Table
from topcut.paper.occasion import numbered
from topcut.site.brackets import BracketView, Seen, bracket_views
from topcut.site.files import file_names
from topcut.site.public import for_the_web
from topcut.site.record import Lived, lived
from topcut.stages.answer import Document, documents, together
from topcut.stages.board import Board, last_inside
from topcut.stages.course import Course
from topcut.stages.final import Final
from topcut.stages.ids import whole_rounds
from topcut.stages.scored import seed_of_lots
from topcut.standings.answer import Row, document


@dataclass(frozen=True)
class Group:
    """Players who are ranked among themselves."""

    file: str
    """The name of the page, without its ending."""
    title: str
    """Empty for everybody."""
    rank: str
    """The key of a row under which the rank stands."""
    rows: list[Row]
    line: str | None
    """The id of the last who goes on; the line of the cut is drawn below."""


class Shown:
    """An event, as the web may know it."""

    def __init__(self, event: Event) -> None:
        self.event = for_the_web(event)
        self.file = self.event.file
        self.book = self.event.book
        self.whole = whole_rounds(self.file.rounds)
        """How many rounds from the first on are wholly reported."""

    @cached_property
    def names(self) -> dict[str, str]:
        return {player.id: player.shown_name for player in self.file.players}

    @cached_property
    def pages(self) -> dict[str, str]:
        """The name of each player's page, without its ending."""
        return file_names((player.id for player in self.file.players), "player")

    @cached_property
    def tables(self) -> list[tuple[Table, ...]]:
        """The tables of each round, with numbers even where the file has none."""
        return [numbered(a_round).tables for a_round in self.file.rounds]

    @cached_property
    def seats(self) -> list[dict[str, Table]]:
        """The table of each player, round by round."""
        return [
            {player_id: table for table in tables for player_id in table.players} for tables in self.tables
        ]

    @cached_property
    def lives(self) -> dict[str, list[Lived]]:
        """The rounds of each player."""
        rounds = list(enumerate(zip(self.file.rounds, self.seats, strict=True), start=1))
        return {
            player_id: lived(
                self.board,
                [(number, a_round.stage, seats.get(player_id)) for number, (a_round, seats) in rounds],
                self.names.__getitem__,
                player_id,
            )
            for player_id in self.names
        }

    @cached_property
    def board(self) -> Board:
        """Who is ahead after the rounds that are wholly reported."""
        rounds = self.file.rounds[: self.whole]
        seed = seed_of_lots([self.file.seed], rounds)
        return Board(self.file.players, rounds, self.book, self.file.options, seed)

    @property
    def standings(self) -> Document:
        """The same for programs."""
        return document(self.board.standings, self.whole, self.board.rows)

    @property
    def eliminating(self) -> bool:
        """Whether elimination rounds have begun."""
        return any(a_round.stage == "elimination" for a_round in self.file.rounds)

    @cached_property
    def course(self) -> Course | None:
        """The event on its way through its stages, as far as a bracket shows it."""
        rounds = self.file.rounds if self.eliminating else self.file.rounds[: self.whole]
        history = self.event.history.after(min(len(rounds), self.event.history.rounds))
        try:
            return Course(history, self.book, self.file.options, rounds, [self.file.seed])
        except TopcutError:
            return None

    @cached_property
    def brackets(self) -> list[BracketView]:
        """None before a round is played: until then it would be drawn from nothing."""
        if self.course is None or not (self.whole or self.eliminating):
            return []
        return bracket_views(self.course, Seen(self.file.rounds, self.names.__getitem__))

    @property
    def bracket(self) -> Document:
        """The same for programs, where there are any."""
        assert self.course is not None
        return together(documents(self.course))

    @cached_property
    def places(self) -> dict[str, Final]:
        """The final places that are decided; several brackets have one each."""
        return {place.id: place for view in self.brackets for place in view.places}

    @cached_property
    def finished(self) -> bool:
        """Whether everything that was planned is played."""
        if self.course is None or not self.whole or self.whole < len(self.file.rounds) or self.course.running:
            return False
        try:
            return all(
                len(b.places(self.course.history)) == len(b.play.players) for b in self.course.brackets
            )
        except TopcutError:
            return False

    @cached_property
    def planned(self) -> int | None:
        """How many Swiss rounds are planned; None where nothing says so."""
        parts = self.course.parts if self.course is not None else []
        numbers = [part.rounds for part in parts if part.rounds is not None]
        return max(numbers) if numbers and len(numbers) == len(parts) else None

    @cached_property
    def groups(self) -> list[Group]:
        """Everybody, then each division, then each flight; nobody before a round counts."""
        rows = self.board.rows if self.board.scored else []
        inside = self._inside(rows)
        files = file_names(["standings", *(f"standings-{title}" for _, title in inside)], "standings")
        found = [self._group("standings", "", "rank", rows)] if rows else []
        if len(inside) > 1:
            for (kind, title), members in inside.items():
                rank = f"{kind}_rank"
                members.sort(key=lambda row: int(row[rank]))
                found.append(self._group(files[f"standings-{title}"], title, rank, members))
        return found

    def _inside(self, rows: list[Row]) -> dict[tuple[str, str], list[Row]]:
        """The rows of each division and of each flight, by kind and title."""
        mode = division_mode(self.file.players, self.book, self.file.options.division_mode)
        found: dict[tuple[str, str], list[Row]] = {}
        for row in sorted(rows, key=lambda row: (row.get("division") or "", row.get("flight") or 0)):
            division, flight = row.get("division"), row.get("flight")
            if division is not None:
                found.setdefault(("division", division), []).append(row)
            if flight is not None:
                # Flights belong to their division where divisions play apart.
                own = f"{division} " if mode == "separate" and division is not None else ""
                found.setdefault(("flight", f"{own}flight {flight}"), []).append(row)
        return dict(sorted(found.items(), key=lambda entry: entry[0][0]))

    def _group(self, file: str, title: str, rank: str, rows: list[Row]) -> Group:
        line = last_inside(rows, self.board.cut.inside) if self.board.cut else None
        return Group(file, title, rank, rows, None if line is None else rows[line]["id"])
