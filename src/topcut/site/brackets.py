"""Build brackets and round robins for a page: a picture, the same as a list, the decided places."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from topcut.errors import TopcutError
from topcut.event.describe.results import describe_result
from topcut.event.state import RoundState
from topcut.history.model import Round, Table
from topcut.rulebook.model import Book
from topcut.stages.brackets.bracket import Bracket
from topcut.stages.brackets.layout import lay_out_trees
from topcut.stages.brackets.play import BracketPlay
from topcut.stages.brackets.svg import draw_svg
from topcut.stages.document import Document, bracket_document, build_schedules
from topcut.stages.final_places import FinalPlace, find_final_places
from topcut.stages.progress import Progress
from topcut.text.messages import Message, count, render, say

BYE = say("bye")


@dataclass(frozen=True)
class BracketSeat:
    """A player at a table of a bracket, or nobody yet."""

    id: str | None
    name: str
    seed: int | None
    won: bool


@dataclass(frozen=True)
class BracketTable:
    """A table of a bracket or a round robin."""

    name: str
    """Its name in the bracket, such as QF1; empty in a round robin."""
    round: int | None
    """The round of the event in which it is played, and the number of the table there, as far as known."""
    table: int | None
    players: tuple[BracketSeat, ...]
    result: str
    open: bool
    """Whether it is played now and not reported."""


@dataclass(frozen=True)
class BracketRound:
    title: str
    tables: list[BracketTable]

    @property
    def known(self) -> bool:
        """Whether any of its players is known."""
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
    places: list[FinalPlace]
    note: str
    """What to know before reading it, such as that it is not final."""


@dataclass(frozen=True)
class BracketContext:
    """The rounds of the event, and the names of players."""

    rounds: Sequence[Round | RoundState]
    name_of: Callable[[str], str]


def build_bracket_views(progress: Progress, seen: BracketContext) -> list[BracketView]:
    """Return the brackets and round robins of an event as far as they are known."""
    try:
        if schedules := build_schedules(progress):
            return [_build_schedule_view(seen, schedule, progress.book) for schedule in schedules]
        return [_build_view(seen, progress, bracket) for bracket in progress.brackets]
    except TopcutError:  # too few players, or no cut yet: there is nothing to draw
        return []


def _build_view(seen: BracketContext, progress: Progress, bracket: Bracket) -> BracketView:
    play = bracket.play
    title = _title_bracket(bracket, progress.book)
    at = _find_tables(seen, play)
    seeds = play.rank_seeds

    def label(player_id: str) -> tuple[str, str]:
        return str(seeds[player_id]), seen.name_of(player_id)

    def number(name: str) -> int | None:
        table = at[name][1].table if name in at else None
        return table if isinstance(table, int) else None

    found = lay_out_trees(play)
    pieces = []
    for tree in found:
        name = tree.title or say("Bracket")
        drawing = draw_svg([replace(tree, title="")], label, render(name), _measure, number)
        pieces.append((name, Markup(drawing)))
    rounds = bracket_document(progress, bracket)["rounds"]
    return BracketView(
        part=bracket.part.name,
        title=title,
        svg=Markup(draw_svg(found, label, render(title), _measure, number)),
        pieces=pieces,
        rounds=[
            BracketRound(
                play.graph.title_round([row["table"] for row in tables if row]),
                [_build_table(seen, row, seeds, at.get(row["table"]), row["table"]) for row in tables if row],
            )
            for tables in rounds
        ],
        places=find_final_places(progress, bracket) if progress.eliminating else [],
        note=_explain_state(progress),
    )


def _title_bracket(bracket: Bracket, book: Book) -> Message:
    players, stage = len(bracket.play.players), bracket.stage.name
    if not bracket.part.name:
        return count("{stage}, {n} player", "{stage}, {n} players", players, stage=stage)
    return count(
        "{division}: {stage}, {n} player",
        "{division}: {stage}, {n} players",
        players,
        division=_label_part(bracket.part.name, book),
        stage=stage,
    )


def _label_part(name: str, book: Book) -> Message:
    return name if isinstance(name, Message) else book.label(name)


def _explain_state(progress: Progress) -> str:
    """Say whether Swiss rounds are still to be played."""
    if progress.eliminating or not progress.history.rounds:
        return "" if progress.eliminating else say("The bracket is known after the first round.")
    planned = progress.running[0].rounds if progress.running else None
    if not progress.running:
        return say("The Swiss rounds are over. The bracket begins like this unless a result is corrected.")
    if not planned:
        return say(
            "Swiss rounds are still being played. This is the bracket as it would be after round {round}.",
            round=progress.history.rounds,
        )
    return say(
        "Swiss rounds are still being played. "
        "This is the bracket as it would be after round {round} of {planned}.",
        round=progress.history.rounds,
        planned=planned,
    )


def _find_tables(seen: BracketContext, play: BracketPlay) -> dict[str, tuple[int, Table]]:
    """Return the round and the table of each table of the bracket that is published."""
    found: dict[str, tuple[int, Table]] = {}
    seats = {name: {who for who in play.seats(name) if isinstance(who, str)} for name in play.graph.nodes}
    for number, a_round in enumerate(seen.rounds, start=1):
        for table in a_round.tables if a_round.in_bracket else ():
            here = set(table.players)
            name = next((name for name, who in seats.items() if who == here and name not in found), None)
            if name is not None and len(here) > 1:
                found[name] = (number, table)
    return found


def _build_table(
    seen: BracketContext, row: Document, seeds: dict[str, int], at: tuple[int, Table] | None, name: str = ""
) -> BracketTable:
    number, table = at or (None, None)
    winner = row["winner"]
    seats = [
        BracketSeat(player_id, seen.name_of(player_id), seeds.get(player_id), player_id == winner)
        if player_id
        else BracketSeat(None, "", None, False)
        for player_id in row["players"]
    ]
    result: str = ""
    if row.get("bye"):
        result = BYE
    elif row.get("empty"):
        result = say("no players")
    elif row.get("walk_over"):
        result = say("{name} advances: the opponent has left", name=seen.name_of(winner))
    elif table is not None and table.reported:
        result = describe_result(table, seen.name_of)
    seat = table.table if table is not None and isinstance(table.table, int) else None
    return BracketTable(name, number, seat, tuple(seats), result, table is not None and not table.reported)


def _build_schedule_view(seen: BracketContext, document: Document, book: Book) -> BracketView:
    rounds = []
    for number, rows in enumerate(document["rounds"], start=1):
        published = seen.rounds[number - 1].tables if number <= len(seen.rounds) else ()
        tables = []
        for row in rows:
            ids = set(row["players"]) - {None}
            at = next(((number, table) for table in published if set(table.players) == ids), None)
            shown = row | {"winner": None} if row.get("bye") else row
            tables.append(_build_table(seen, shown, document["rank_seeds"], at))
        rounds.append(BracketRound(say("Round {number}", number=number), tables))
    ended = document["places"]
    places = [FinalPlace(row["place"], row["id"], row["name"], row["why"], None, None) for row in ended]
    part, players = document.get("division", ""), document["size"]
    if part:
        title = count(
            "{division}: round robin, {n} player",
            "{division}: round robin, {n} players",
            players,
            division=_label_part(part, book),
        )
    else:
        title = count("Round robin, {n} player", "Round robin, {n} players", players)
    return BracketView(part, title, Markup(""), [], rounds, places, "")


def _measure(text: str) -> int:
    """Return the width of a text in letters; East Asian ones take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
