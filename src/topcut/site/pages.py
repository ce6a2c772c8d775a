"""Build the site of an event: pages that need no server, with the same as JSON beside them.

    files = pages(event)

Every address in it is relative and nothing in it comes from elsewhere, so that it works in any folder of any
host, and from a disk. The same event gives the same bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from topcut.formats.event_file import Event, encode_event_file
from topcut.history.divisions import choose_division_mode
from topcut.history.model import Outcome, Player, Table
from topcut.history.results import has_no_winner, read_outcomes
from topcut.site.record import NOBODY_WON, PlayedRound
from topcut.site.site_event import SiteEvent
from topcut.stages.document import Document
from topcut.standings.document import format_record, list_key_labels
from topcut.standings.explain import Explanation
from topcut.text.alphabet import initial_letter, name_key

HERE = Path(__file__).parent
MARK = "topcut_site"
"""The key of index.json that marks a folder as a site of Topcut."""
SHORT = 30
"""Players up to which the list has no letters to jump to."""
FEW = 12
"""Rows up to which a page has no field to find a name."""
CROSS = 64
"""Players up to which one page shows all rounds."""

LEADERS = 8
LETTERS = {"won": "W", "lost": "L", "drew": "D", NOBODY_WON: "D", "both lost": "L", "bye": "B", "loss": "L"}
MISSED = "–"
SAYS = {
    Outcome.WIN: "beats",
    Outcome.LOSS: "loses to",
    Outcome.DRAW: "draws with",
    Outcome.DOUBLE_LOSS: "both lose",
}

File = tuple[str, bytes]


def build_site(event: Event, at: str = "") -> dict[str, bytes]:
    """Return the files of the site by their paths in it; `at`: the moment that the pages name."""
    return dict(write_site_files(event, at))


def write_site_files(event: Event, at: str = "") -> Iterator[File]:
    """Yield the files one after the other; the last is index.json, which lists all of them."""
    site = _Site(SiteEvent(event), at)
    files = []
    for path, content in site.files():
        files.append(path)
        yield path, content
    yield "index.json", site.index(files)


class _Site:
    def __init__(self, shown: SiteEvent, at: str) -> None:
        self.shown = shown
        self.at = at
        self.cross = 0 < len(shown.file.players) <= CROSS and len(shown.file.rounds) > 1
        labels = dict(list_key_labels(shown.board.standings))
        self.common = {
            "shown": shown,
            "event": shown.file,
            "book": shown.book,
            "board": shown.board,
            "at": at,
            "rounds": len(shown.file.rounds),
            "cross": self.cross,
            "labels": labels,
            "few": FEW,
        }

    def files(self) -> Iterator[File]:
        shown = self.shown
        for asset in sorted((HERE / "static").iterdir()):
            yield asset.name, asset.read_bytes()
        yield "event.json", encode_event_file(shown.file)
        yield "standings.json", _json(shown.standings)
        yield "players.json", _json(players_document(shown))
        yield self.page("index", "index.json", **build_front_page(shown))
        for group in shown.groups:
            yield self.page("standings", "standings.json", group.file, group=group)
        if not shown.groups:
            yield self.page("standings", "standings.json", group=None)
        letters = group_by_letter(shown)
        yield self.page("players", "players.json", letters=letters, jump=len(shown.file.players) > SHORT)
        if shown.brackets:
            yield "bracket.json", _json(shown.bracket)
            yield self.page("bracket", "bracket.json")
        yield from self.rounds()
        for player in shown.file.players:
            path = f"players/{shown.pages[player.id]}"
            yield self.page("player", "players.json", path, **build_player_page(shown, player))

    def rounds(self) -> Iterator[File]:
        shown = self.shown
        for number, a_round in enumerate(shown.file.rounds, start=1):
            tables = list_tables(shown, number)
            seats = [row.players for row in tables]
            pairs = all(len(here) <= 2 and not any(seat.score for seat in here) for here in seats)
            playing = [row for row in tables if not row.alone]
            yield f"rounds/{number}.json", _json(round_document(shown, number))
            yield self.page(
                "round",
                f"rounds/{number}.json",
                f"rounds/{number}",
                number=number,
                stage=a_round.stage,
                tables=tables,
                pairs=pairs,
                reported=(sum(not row.open for row in playing), len(playing)),
            )
        if self.cross:
            ranked = {row["id"]: row["rank"] for row in shown.board.rows} if shown.board.scored else {}
            everybody = [*ranked, *(player_id for player_id in shown.names if player_id not in ranked)]
            lines = [
                (player_id, ranked.get(player_id), list_round_cells(shown, shown.played_rounds[player_id]))
                for player_id in everybody
            ]
            yield self.page("all", "players.json", "rounds/all", lines=lines)

    def page(self, template: str, json: str, path: str = "", **shown: Any) -> File:
        """Render a page; `json`: the file with the same for programs."""
        path = f"{path or template}.html"
        root = "../" * path.count("/")
        found = _templates().get_template(f"{template}.html")
        text = found.render(self.common | shown | {"root": root, "json": json, "here": template})
        return path, text.encode()

    def index(self, files: list[str]) -> bytes:
        """List the files for programs, with the mark of the folder."""
        shown = self.shown
        numbers = range(1, len(shown.file.rounds) + 1)
        return _json(
            {
                MARK: 1,
                "name": shown.file.name,
                "at": self.at or None,
                "rules": {"id": shown.book.id, "title": shown.book.title, "edition": shown.book.edition},
                "players": len(shown.file.players),
                "after": shown.whole,
                "finished": shown.finished,
                "json": {
                    "event": "event.json",
                    "standings": "standings.json",
                    "players": "players.json",
                    "bracket": "bracket.json" if shown.brackets else None,
                    "rounds": [f"rounds/{number}.json" for number in numbers],
                },
                "files": sorted([*files, "index.json"]),
            }
        )


def _json(answer: Any) -> bytes:
    """Return JSON as the commands print it."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=2) + b"\n"


@cache
def _templates() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["record"] = format_record
    made.filters["plural"] = _plural
    made.filters["upper_first"] = lambda text: text[:1].upper() + text[1:]
    return made


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}".replace(",", "\u2009")


# The front page


@dataclass(frozen=True)
class Winner:
    title: str
    id: str


@dataclass(frozen=True)
class RoundSummary:
    """A round in a list of rounds."""

    number: int
    stage: str
    tables: int
    byes: int
    open: int


def build_front_page(shown: SiteEvent) -> dict[str, Any]:
    """Return what the front page shows."""
    rounds = [
        RoundSummary(
            number,
            a_round.stage,
            sum(len(table.players) > 1 for table in a_round.tables),
            sum(table.bye for table in a_round.tables),
            sum(not table.reported for table in a_round.tables),
        )
        for number, a_round in enumerate(shown.file.rounds, start=1)
    ]
    swiss = sum(one.is_scored for one in shown.file.rounds)
    planned = shown.planned
    return {
        "winners": list_winners(shown) if shown.finished else [],
        "leaders": shown.board.rows[:LEADERS] if shown.board.scored else [],
        "overview": rounds,
        "swiss": swiss,
        "planned": planned if planned is not None and planned > swiss else None,
        "most": LEADERS,
    }


def list_winners(shown: SiteEvent) -> list[Winner]:
    """Return who won the event, or each division that plays apart; nobody where first places are shared."""
    firsts: list[tuple[str, list[str]]] = []
    if shown.brackets:
        for view in shown.brackets:
            firsts.append((view.part, [place.id for place in view.places if place.place == 1]))
    else:
        apart = (
            choose_division_mode(shown.file.players, shown.book, shown.file.options.division_mode)
            == "separate"
        )
        groups = [g for g in shown.groups if g.rank == "division_rank"] if apart else []
        for group in groups or shown.groups[:1]:
            firsts.append((group.title, [row["id"] for row in group.rows if row[group.rank] == 1]))
    return [Winner(f"Winner, {part}" if part else "Winner", ids[0]) for part, ids in firsts if len(ids) == 1]


# Players


def explain_player(shown: SiteEvent, player: str) -> Explanation | None:
    """Explain each value of a player; None for a player who is not ranked."""
    at = shown.board.standings.history.index.get(player) if shown.board.scored else None
    return None if at is None else shown.board.explainer.explain(at)


def build_player_page(shown: SiteEvent, player: Player) -> dict[str, Any]:
    """Return what the page of a player shows."""
    row = shown.board.ranks.get(player.id) if shown.board.scored else None
    return {
        "player": player,
        "row": row,
        "shown_values": {one["key"]: one["shown"] for one in row["tiebreaks"]} if row else {},
        "place": shown.places.get(player.id),
        "ranked": len(shown.board.rows),
        "lived": shown.played_rounds[player.id],
        "left": _describe_leaving(player),
        "why": explain_player(shown, player.id) if row else None,
    }


def _describe_leaving(player: Player) -> str:
    """Say when and why a player left the event."""
    if player.disqualified is not None:
        return f"Disqualified after round {player.disqualified}" if player.disqualified else "Disqualified"
    if player.dropped is not None:
        return f"Dropped after round {player.dropped}" if player.dropped else "Dropped before the first round"
    return ""


def group_by_letter(shown: SiteEvent) -> list[tuple[str, list[Player]]]:
    """Return the players from A to Z, under the letters of their names."""
    letters: dict[str, list[Player]] = {}
    for player in sorted(shown.file.players, key=lambda player: name_key(player.shown_name)):
        letters.setdefault(initial_letter(player.shown_name), []).append(player)
    return list(letters.items())


def players_document(shown: SiteEvent) -> Document:
    """Return the players in the order of the event file: pages, places, rounds."""
    ranks = shown.board.ranks if shown.board.scored else {}
    found = []
    for player in shown.file.players:
        row, place = ranks.get(player.id), shown.places.get(player.id)
        about: Document = {
            "id": player.id,
            "name": player.shown_name,
            "page": f"players/{shown.pages[player.id]}.html",
        }
        about["rank"] = row["rank"] if row else None
        about["place"] = place.place if place else None
        about["rounds"] = [
            {
                "round": one.number,
                "table": one.table,
                "against": [player_id for player_id, _ in one.against],
                "outcome": one.outcome or None,
                "result": one.result,
            }
            for one in shown.played_rounds[player.id]
        ]
        found.append(about)
    return {"players": found}


# Rounds


@dataclass(frozen=True)
class TableSeat:
    """A player at a table."""

    id: str
    name: str
    score: str
    won: bool
    out: bool
    """Whether they were eliminated at this table."""


@dataclass(frozen=True)
class TableRow:
    """A table of a round."""

    table: int | str | None
    players: list[TableSeat]
    says: str
    """Between two players: who beats whom, so that the row reads as a sentence."""
    alone: str
    """"bye" or "loss" for a player without an opponent."""
    open: bool


@dataclass(frozen=True)
class RoundCell:
    """What one round was for one player, in a few signs."""

    letter: str
    outcome: str
    against: list[tuple[str, str, int | None]]
    """Ids, names and ranks."""


def list_tables(shown: SiteEvent, number: int) -> list[TableRow]:
    """Return the tables of a round, in their order."""
    return [_build_row(shown, table) for table in shown.tables[number - 1]]


def _build_row(shown: SiteEvent, table: Table) -> TableRow:
    ended = read_outcomes(table)
    won = [player_id for player_id, one in zip(table.players, ended, strict=False) if one == Outcome.WIN]
    scores = [""] * len(table.players) if table.scores is None else [str(score) for score in table.scores]
    seats = [
        TableSeat(
            player_id,
            shown.names[player_id],
            score,
            won=player_id in won,
            out=player_id in (table.eliminated or ()),
        )
        for player_id, score in zip(table.players, scores, strict=True)
    ]
    alone = "" if len(seats) > 1 else "loss" if table.loss else "bye"
    return TableRow(table.table, seats, _describe_result(table, ended), alone, not table.reported)


def _describe_result(table: Table, ended: list[Outcome]) -> str:
    agreed = " by agreement" if table.intentional else ""
    if table.games is not None:
        first, second, drawn = table.games
        return f"{first}–{second}" + (f"–{drawn}" if drawn else "") + agreed
    if table.scores is not None:
        return NOBODY_WON if has_no_winner(table) else ""
    return SAYS.get(ended[0], "") + agreed if ended else ""


def round_document(shown: SiteEvent, number: int) -> Document:
    """Return a round with the keys of the event file, and its number."""
    a_round = shown.file.rounds[number - 1]
    reported = all(table.reported for table in a_round.tables)
    about: Document = {"round": number, "stage": a_round.stage, "reported": reported}
    if a_round.format is not None:
        about["format"] = a_round.format
    if a_round.seed is not None:
        about["seed"] = a_round.seed
    return about | {"tables": a_round.tables}


def list_round_cells(shown: SiteEvent, lived: list[PlayedRound]) -> list[RoundCell | None]:
    """Return what every round was for one player; None where they were not in it."""
    ranks = shown.board.ranks
    found: list[RoundCell | None] = [None] * len(shown.file.rounds)
    for one in lived:
        against = [
            (player_id, name, ranks[player_id]["rank"] if player_id in ranks else None)
            for player_id, name in one.against
        ]
        letter = LETTERS.get(one.outcome, MISSED if one.outcome else "")
        found[one.number - 1] = RoundCell(letter, one.outcome, against)
    return found
