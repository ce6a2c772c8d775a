"""Work out once what all pages of a site show of an event."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import PurePath

from msgspec.structs import replace

from topcut.errors import TopcutError
from topcut.formats.event_file import Event, build_event
from topcut.formats.public_copy import make_public
from topcut.history.divisions import choose_division_mode
from topcut.history.model import Outcome, Table
from topcut.history.results import count_scores, has_no_winner, read_outcomes
from topcut.history.ties import describe_tie
from topcut.printing.printed_event import number_tables
from topcut.rulebook.tiebreak_keys import Outcomes, ValueKey
from topcut.site.brackets import BracketContext, BracketView, build_bracket_views
from topcut.stages.final_places import FinalPlace, find_places
from topcut.stages.leaderboard import Leaderboard, find_cut_row
from topcut.stages.player_ids import count_whole_rounds
from topcut.stages.progress import Progress, choose_lot_seed
from topcut.standings.document import StandingRow
from topcut.text.messages import Message, join_messages, say

_SAFE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_TAKEN = re.compile(r"con|prn|aux|nul|com\d|lpt\d")
"""Names that some systems reserve for devices."""
WORDS = {
    Outcome.WIN: say("won"),
    Outcome.DRAW: say("drew"),
    Outcome.LOSS: say("lost"),
    Outcome.DOUBLE_LOSS: say("both lost"),
    Outcome.BYE: say("bye"),
    Outcome.ASSIGNED: say("loss"),
    Outcome.MISSED: say("missed, counts as a loss"),
}
NOBODY_WON = say("nobody won")


@dataclass(frozen=True)
class RankGroup:
    """Players who are ranked among themselves, on a page of their own."""

    file: str
    """The name of the page, without its ending."""
    title: Message
    """Empty for everybody."""
    rank: str
    """The key of the rank in a row."""
    rows: list[StandingRow]
    line: str | None
    """The id of the last player who goes on; the line of the cut is drawn below."""


@dataclass(frozen=True)
class PlayedRound:
    number: int
    stage: str
    table: int | str | None
    against: tuple[tuple[str, str], ...]
    """Ids and names."""
    outcome: str
    """One or two words; empty while it is open."""
    result: str
    points: str
    """So far; empty where they do not count or are not known."""
    decided: str
    """How a tie at a larger table was broken, or that the player was eliminated; mostly empty."""


class SiteEvent:
    """An event as everybody may see it."""

    def __init__(self, event: Event) -> None:
        public = make_public(event)
        rules = PurePath(public.file.rules.replace("\\", "/")).name  # of an own book without its path
        self.event = build_event(replace(public.file, rules=rules), book=event.book, reading="known")
        self.file = self.event.file
        self.book = self.event.book
        self.whole = count_whole_rounds(self.file.rounds)
        """How many rounds from the first on are wholly reported."""

    @cached_property
    def names(self) -> dict[str, str]:
        return {player.id: player.shown_name for player in self.file.players}

    @cached_property
    def _awarded(self) -> dict[str, int]:
        return {player.id: player.byes for player in self.file.players if player.byes}

    def has_awarded_bye(self, player_id: str, number: int) -> bool:
        """Return whether a player won a round before the event began."""
        return self.file.rounds[number - 1].is_scored and number <= self._awarded.get(player_id, 0)

    @cached_property
    def pages(self) -> dict[str, str]:
        """The name of each player's page, without its ending."""
        return choose_file_names((player.id for player in self.file.players), "player")

    @cached_property
    def tables(self) -> list[tuple[Table, ...]]:
        """The tables of each round, with numbers even where the file has none."""
        return [number_tables(a_round).tables for a_round in self.file.rounds]

    @cached_property
    def played_rounds(self) -> dict[str, list[PlayedRound]]:
        """The rounds of each player, by id."""
        seats = [{player_id: table for table in row for player_id in table.players} for row in self.tables]
        numbered = list(enumerate(zip(self.file.rounds, seats, strict=True), start=1))
        found = {}
        for player_id in self.names:
            rounds = [(number, a_round.stage, seat.get(player_id)) for number, (a_round, seat) in numbered]
            found[player_id] = list_played_rounds(self.board, rounds, self.names.__getitem__, player_id)
        return found

    @cached_property
    def board(self) -> Leaderboard:
        """The leaderboard after the rounds that are wholly reported."""
        rounds = self.file.rounds[: self.whole]
        seed = choose_lot_seed([self.file.seed], rounds)
        return Leaderboard(self.file.players, rounds, self.book, self.file.options, seed)

    @cached_property
    def ranks(self) -> dict[str, StandingRow]:
        """The rows of the standings by player id; none before a round counts."""
        return self.board.ranks if self.board.scored else {}

    @cached_property
    def apart(self) -> bool:
        """Whether divisions play apart."""
        mode = choose_division_mode(self.file.players, self.book, self.file.options.division_mode)
        return mode == "separate"

    @property
    def eliminating(self) -> bool:
        return any(a_round.in_bracket for a_round in self.file.rounds)

    @cached_property
    def progress(self) -> Progress | None:
        """The event in its stages, as far as a bracket shows it."""
        rounds = self.file.rounds if self.eliminating else self.file.rounds[: self.whole]
        history = self.event.history.after(min(len(rounds), self.event.history.rounds))
        try:
            return Progress(history, self.book, self.file.options, rounds, [self.file.seed])
        except TopcutError:
            return None

    @cached_property
    def brackets(self) -> list[BracketView]:
        """The brackets and round robins; none before a round is played."""
        if self.progress is None or not (self.whole or self.eliminating):
            return []
        return build_bracket_views(self.progress, BracketContext(self.file.rounds, self.names.__getitem__))

    @cached_property
    def places(self) -> dict[str, FinalPlace]:
        """The final places that are decided, by player id."""
        return {place.id: place for view in self.brackets for place in view.places}

    @cached_property
    def finished(self) -> bool:
        """Whether everything that was planned is played."""
        progress, rounds = self.progress, len(self.file.rounds)
        if progress is None or progress.running or not rounds or self.whole < rounds:
            return False
        try:
            return all(
                len(find_places(b.play, b.stage.placement)) == len(b.play.players) for b in progress.brackets
            )
        except TopcutError:
            return False

    @cached_property
    def groups(self) -> list[RankGroup]:
        """Everybody, then each division, then each flight; none before a round counts."""
        rows = self.board.rows if self.board.scored else []
        inside = self._group_rows(rows)
        files = choose_file_names(["standings", *(f"standings-{name}" for _, name in inside)], "standings")
        found = [self._build_group("standings", Message(), "rank", rows)] if rows else []
        if len(inside) > 1:
            for (kind, name), members in inside.items():
                rank = f"{kind}_rank"
                title = self._title_group(kind, members[0])
                members.sort(key=lambda row: int(row[rank]))
                found.append(self._build_group(files[f"standings-{name}"], title, rank, members))
        return found

    def _title_group(self, kind: str, row: StandingRow) -> Message:
        """Return the title of the division or the flight of a player."""
        division, flight = row.get("division"), row.get("flight")
        if kind == "division" and division is not None:
            return self.book.label(division)
        if self.apart and division is not None:
            return say("{division} flight {flight}", division=self.book.label(division), flight=flight or 0)
        return say("flight {flight}", flight=flight or 0)

    def _group_rows(self, rows: list[StandingRow]) -> dict[tuple[str, str], list[StandingRow]]:
        """Return the rows of each division and of each flight, by kind and name for a file."""
        found: dict[tuple[str, str], list[StandingRow]] = {}
        for row in sorted(rows, key=lambda row: (row.get("division") or "", row.get("flight") or 0)):
            division, flight = row.get("division"), row.get("flight")
            if division is not None:
                found.setdefault(("division", division), []).append(row)
            if flight is not None:
                # Flights belong to their division where divisions play apart.
                own = f"{division} " if self.apart and division is not None else ""
                found.setdefault(("flight", f"{own}flight {flight}"), []).append(row)
        return dict(sorted(found.items(), key=lambda entry: entry[0][0]))

    def _build_group(self, file: str, title: Message, rank: str, rows: list[StandingRow]) -> RankGroup:
        line = find_cut_row(rows, self.board.cut.inside) if self.board.cut else None
        return RankGroup(file, title, rank, rows, None if line is None else rows[line]["id"])


def choose_file_names(texts: Iterable[str], word: str) -> dict[str, str]:
    """Return a file name for each text: as much of it as is safe, else the word and a number.

    Capitals are not safe: two names that differ in nothing else are one name to some disks.

    >>> choose_file_names(["p1", "../etc", "P1", "con"], "player")
    {'p1': 'p1', '../etc': 'etc', 'P1': 'player-3', 'con': 'player-4'}
    """
    every = list(dict.fromkeys(texts))
    names = {text: text for text in every if _is_safe(text)}
    used = set(names)
    for number, text in enumerate(every, start=1):
        if text not in names:
            name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
            if not _is_safe(name) or name in used:
                name = f"{word}-{number}"
            while name in used:
                name += "-"
            names[text] = name
            used.add(name)
    return {text: names[text] for text in every}


def _is_safe(name: str) -> bool:
    return bool(_SAFE.fullmatch(name)) and not _TAKEN.fullmatch(name)


def list_played_rounds(
    board: Leaderboard,
    rounds: Iterable[tuple[int, str, Table | None]],
    name: Callable[[str], str],
    player: str,
) -> list[PlayedRound]:
    """Return the rounds of a player; `rounds`: number, stage, and the player's table in it."""
    running = _sum_points_by_round(board, player)
    played = board.standings.history if board.rounds else None
    at = played.index.get(player) if played is not None else None
    found = []
    for number, stage, table in rounds:
        points = running.get(number, "")
        if table is not None:
            ended = dict(zip(table.players, read_outcomes(table), strict=False))
            outcome, result = (WORDS[ended[player]], _format_numbers(table, player)) if ended else ("", "")
            outcome = NOBODY_WON if has_no_winner(table) else outcome
            against = tuple((other, name(other)) for other in table.players if other != player)
            decided = _describe_decision(table, player, name)
            found.append(PlayedRound(number, stage, table.table, against, outcome, result, points, decided))
        elif played is not None and at is not None and number <= played.rounds:
            outcome = WORDS.get(Outcome(int(played.played[number - 1, at])), "")
            if outcome:
                found.append(PlayedRound(number, stage, None, (), outcome, "", points, ""))
    return found


def _describe_decision(table: Table, player: str, name: Callable[[str], str]) -> str:
    """Return why a player of a larger table has no score, or who won a tie and why."""
    out = say("eliminated") if player in (table.eliminated or ()) else ""
    return join_messages("; ", [out, describe_tie(table, name)])


def _format_numbers(table: Table, player: str) -> str:
    """Return the result in numbers, this player's first."""
    at = table.players.index(player)
    if table.games is not None:
        first, second, drawn = table.games
        mine, theirs = (first, second) if at == 0 else (second, first)
        return f"{mine}-{theirs}" + (f"-{drawn}" if drawn else "")
    if table.scores is not None:
        counted = count_scores(table)
        others = ", ".join(str(score) for i, score in enumerate(counted) if i != at)
        return f"{counted[at]} : {others}"
    return say("by agreement") if table.intentional else ""


def _sum_points_by_round(board: Leaderboard, player: str) -> dict[int, str]:
    """Return the points after each round that counts; empty where points are no sum of rounds."""
    if not board.rounds:
        return {}
    standings = board.standings
    at, first = standings.history.index.get(player), standings.book.chain[0]
    measure = standings.book.measures.get(first.measure) if isinstance(first, ValueKey) else None
    if at is None or not isinstance(measure, Outcomes) or measure.value != "sum":
        return {}
    each = board.explainer.exact.round_credits(measure, at)
    totals = accumulate(credit.earned for credit in each)
    return {number: str(total) for number, total in enumerate(totals, start=1)}
