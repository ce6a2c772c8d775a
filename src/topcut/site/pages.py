"""Build the site of an event: pages that need no server, with the same as JSON beside them.

    files = build_site(event)

Every address in it is relative and nothing in it comes from elsewhere, so that it works in any folder of any
host, and from a disk. The same event gives the same bytes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from topcut.formats.event_file import Event, encode_event_file
from topcut.history.model import Outcome, Player, Table
from topcut.history.results import count_scores, has_no_winner, read_outcomes
from topcut.history.ties import describe_tie
from topcut.rulebook.model import Book
from topcut.site.site_event import NOBODY_WON, SiteEvent
from topcut.stages.document import Document, build_documents, merge_documents
from topcut.stages.progress import Progress
from topcut.standings.document import build_document, format_record, list_key_labels
from topcut.text.languages import find_language
from topcut.text.message_json import write_json
from topcut.text.messages import (
    ENGLISH,
    Message,
    language_in_use,
    render_isolated,
    say,
    say_as,
    using_language,
)
from topcut.text.names import initial_letter, name_key
from topcut.text.templates import Templates

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
WON, LOST = say_as("letter for a win", "W"), say_as("letter for a loss", "L")
DREW, BYE = say_as("letter for a draw", "D"), say_as("letter for a bye", "B")
LETTERS = {
    "won": WON,
    "lost": LOST,
    "drew": DREW,
    NOBODY_WON: DREW,
    "both lost": LOST,
    "bye": BYE,
    "loss": LOST,
}
"""By outcome."""
MISSED = "–"
SAYS = {
    Outcome.WIN: say_as("between two players", "beats"),
    Outcome.LOSS: say_as("between two players", "loses to"),
    Outcome.DRAW: say_as("between two players", "draws with"),
    Outcome.DOUBLE_LOSS: say_as("between two players", "both lose"),
}

File = tuple[str, bytes]


def build_site(event: Event, at: str = "") -> dict[str, bytes]:
    """Return the files of the site by their paths in it; `at`: the moment that the pages name."""
    return dict(write_site_files(event, at))


def write_site_files(event: Event, at: str = "") -> Iterator[File]:
    """Yield the files one after the other; the last is index.json, which lists all of them.

    Pages are in the language of the event; where it has none, in the one that is in use when this begins.
    """
    wanted = event.file.options.languages
    language = (wanted and find_language(wanted[0])) or language_in_use()
    made = _write_files(event, at)
    while True:
        with using_language(language):  # not while the caller works
            file = next(made, None)
        if file is None:
            return
        yield file


def _write_files(event: Event, at: str) -> Iterator[File]:
    shown = SiteEvent(event)
    files = ["index.json"]
    for path, content in _Site(shown, at).files():
        files.append(path)
        yield path, content
    yield "index.json", _json(index_document, shown, at, files)


class _Site:
    def __init__(self, shown: SiteEvent, at: str) -> None:
        self.shown = shown
        self.cross = 0 < len(shown.file.players) <= CROSS and len(shown.file.rounds) > 1
        self.common = {
            "shown": shown,
            "event": shown.file,
            "book": shown.book,
            "board": shown.board,
            "at": at,
            "rounds": len(shown.file.rounds),
            "cross": self.cross,
            "labels": dict(list_key_labels(shown.board.standings)),
            "few": FEW,
            "label": shown.book.label,
        }

    def files(self) -> Iterator[File]:
        shown = self.shown
        for asset in sorted((HERE / "static").iterdir()):
            yield asset.name, asset.read_bytes()
        yield "event.json", encode_event_file(shown.file)
        board = shown.board
        yield "standings.json", _json(build_document, board.standings, shown.whole, board.rows)
        # A page before JSON, which is English: brackets are drawn once, in the language in use at that time.
        yield self.page("index", "index.json", **build_front_page(shown))
        yield "players.json", _json(players_document, shown)
        for group in shown.groups:
            yield self.page("standings", "standings.json", group.file, group=group)
        if not shown.groups:
            yield self.page("standings", "standings.json", group=None)
        players = sorted(shown.file.players, key=lambda player: name_key(player.shown_name))
        letters: dict[str, list[Player]] = {}
        for player in players:
            letters.setdefault(initial_letter(player.shown_name), []).append(player)
        yield self.page("players", "players.json", letters=letters.items(), jump=len(players) > SHORT)
        if shown.brackets and shown.progress is not None:
            yield "bracket.json", _json(bracket_document, shown.progress)
            yield self.page("bracket", "bracket.json")
        for number in range(1, len(shown.file.rounds) + 1):
            path = f"rounds/{number}"
            yield f"{path}.json", _json(round_document, shown, number)
            yield self.page("round", f"{path}.json", path, **build_round_page(shown, number))
        if self.cross:
            ranked = {player_id: row["rank"] for player_id, row in shown.ranks.items()}
            everybody = ranked | {player_id: None for player_id in shown.names if player_id not in ranked}
            lines = [(one, rank, list_round_cells(shown, one)) for one, rank in everybody.items()]
            letters_of = {"won": WON, "lost": LOST, "drew": DREW, "bye": BYE}
            yield self.page("all", "players.json", "rounds/all", lines=lines, letter=letters_of)
        for player in shown.file.players:
            path = f"players/{shown.pages[player.id]}"
            yield self.page("player", "players.json", path, **build_player_page(shown, player))

    def page(self, template: str, json: str, path: str = "", **shown: Any) -> File:
        """Render a page; `json`: the file with the same for programs."""
        path = f"{path or template}.html"
        root = "../" * path.count("/")
        found = _load_templates(language_in_use()).get_template(f"{template}.html")
        text = found.render(self.common | shown | {"root": root, "json": json, "here": template})
        return path, text.encode()


def index_document(shown: SiteEvent, at: str, files: list[str]) -> Document:
    """List the files for programs, with the mark of the folder."""
    return {
        MARK: 1,
        "name": shown.file.name,
        "at": at or None,
        "rules": {"id": shown.book.id, "title": shown.book.title, "edition": shown.book.edition},
        "players": len(shown.file.players),
        "after": shown.whole,
        "finished": shown.finished,
        "json": {
            "event": "event.json",
            "standings": "standings.json",
            "players": "players.json",
            "bracket": "bracket.json" if shown.brackets else None,
            "rounds": [f"rounds/{number}.json" for number in range(1, len(shown.file.rounds) + 1)],
        },
        "files": sorted(files),
    }


def _json(build: Callable[..., Any], *given: Any) -> bytes:
    """Return what a function answers as JSON as the commands print it, with texts in English."""
    with using_language(ENGLISH):
        return msgspec.json.format(write_json(build(*given)), indent=2) + b"\n"


@cache
def _load_templates(language: str) -> Templates:
    made = Templates(HERE / "templates", language)
    made.filters["record"] = format_record
    made.filters["upper_first"] = _capitalize
    return made


def _capitalize(text: str) -> str:
    """Return a text in the language in use, with a capital at its beginning."""
    shown = render_isolated(text)
    return shown[:1].upper() + shown[1:]


# The front page


def build_front_page(shown: SiteEvent) -> dict[str, Any]:
    """Return what the front page shows."""
    rounds = [
        {
            "number": number,
            "stage": a_round.stage,
            "tables": sum(len(table.players) > 1 for table in a_round.tables),
            "byes": sum(table.bye for table in a_round.tables),
            "open": sum(not table.reported for table in a_round.tables),
        }
        for number, a_round in enumerate(shown.file.rounds, start=1)
    ]
    swiss = sum(one.is_scored for one in shown.file.rounds)
    plans = [part.rounds for part in shown.progress.parts] if shown.progress is not None else []
    planned = 0 if None in plans else max((plan for plan in plans if plan is not None), default=0)
    return {
        "winners": list_winners(shown) if shown.finished else [],
        "leaders": shown.board.rows[:LEADERS] if shown.board.scored else [],
        "overview": rounds,
        "swiss": swiss,
        "planned": planned if planned > swiss else None,
        "most": LEADERS,
    }


def list_winners(shown: SiteEvent) -> list[tuple[Message, str]]:
    """Return the title and the id of who won the event, or each division that plays apart.

    Where a first place is shared, nobody has won.
    """
    places: list[tuple[str, list[str]]]
    if shown.brackets:
        places = [(v.part, [place.id for place in v.places if place.place == 1]) for v in shown.brackets]
    else:
        divided = [group for group in shown.groups if shown.apart and group.rank == "division_rank"]
        groups = divided or shown.groups[:1]
        places = [(g.title, [row["id"] for row in g.rows if row[g.rank] == 1]) for g in groups]
    return [(_title_winner(part, shown.book), ids[0]) for part, ids in places if len(ids) == 1]


def _title_winner(part: str, book: Book) -> Message:
    if not part:
        return say("Winner")
    division = part if isinstance(part, Message) else book.label(part)
    return say("Winner, {division}", division=division)


# Players


def build_player_page(shown: SiteEvent, player: Player) -> dict[str, Any]:
    """Return what the page of a player shows."""
    row, history = shown.ranks.get(player.id), shown.board.standings.history
    return {
        "player": player,
        "row": row,
        "shown_values": {one["key"]: one["shown"] for one in row["tiebreaks"]} if row else {},
        "place": shown.places.get(player.id),
        "ranked": len(shown.board.rows),
        "played_rounds": shown.played_rounds[player.id],
        "left": _describe_leaving(player),
        "why": shown.board.explainer.explain(history.index[player.id]) if row else None,
    }


def _describe_leaving(player: Player) -> str:
    """Say when and why a player left the event."""
    if player.disqualified is not None:
        if not player.disqualified:
            return say("Disqualified.")
        return say("Disqualified after round {round}.", round=player.disqualified)
    if player.dropped is not None:
        if not player.dropped:
            return say("Dropped before the first round.")
        return say("Dropped after round {round}.", round=player.dropped)
    return ""


def players_document(shown: SiteEvent) -> Document:
    """Return the players in the order of the event file: pages, places, rounds."""
    found = []
    for player in shown.file.players:
        row, place = shown.ranks.get(player.id), shown.places.get(player.id)
        rounds = [
            {
                "round": one.number,
                "table": one.table,
                "against": [player_id for player_id, _ in one.against],
                "outcome": one.outcome or None,
                "result": one.result,
            }
            for one in shown.played_rounds[player.id]
        ]
        about: Document = {
            "id": player.id,
            "name": player.shown_name,
            "page": f"players/{shown.pages[player.id]}.html",
            "rank": row["rank"] if row else None,
            "place": place.place if place else None,
            "rounds": rounds,
        }
        found.append(about)
    return {"players": found}


def bracket_document(progress: Progress) -> Document:
    """Return the brackets as `topcut bracket` does."""
    return merge_documents(build_documents(progress))


# Rounds


@dataclass(frozen=True)
class TableSeat:
    id: str
    name: str
    score: str
    won: bool
    out: bool
    """Whether they were eliminated at this table."""


@dataclass(frozen=True)
class TableRow:
    table: int | str | None
    players: list[TableSeat]
    says: str
    """Between two players: who beats whom, so that the row reads as a sentence."""
    alone: str
    """"bye" or "loss" for a player without an opponent."""
    open: bool
    nobody_won: bool
    decided: str
    """How a tie at a larger table was broken."""


def build_round_page(shown: SiteEvent, number: int) -> dict[str, Any]:
    """Return what the page of a round shows."""
    tables = [_build_row(shown, table, number) for table in shown.tables[number - 1]]
    playing = [row for row in tables if not row.alone]
    return {
        "number": number,
        "stage": shown.file.rounds[number - 1].stage,
        "tables": tables,
        "pairs": all(len(row.players) <= 2 and not any(seat.score for seat in row.players) for row in tables),
        "reported": (sum(not row.open for row in playing), len(playing)),
    }


def _build_row(shown: SiteEvent, table: Table, number: int) -> TableRow:
    ended = read_outcomes(table)
    won = [player_id for player_id, one in zip(table.players, ended, strict=False) if one == Outcome.WIN]
    scores = [""] * len(table.players) if table.scores is None else list(map(str, count_scores(table)))
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
    alone = "" if len(seats) > 1 else say("loss") if table.loss else say("bye")
    if table.bye and shown.has_awarded_bye(table.players[0], number):
        alone = say("bye (awarded)")
    says = _describe_result(table, ended)
    nobody_won = says in (NOBODY_WON, SAYS[Outcome.DOUBLE_LOSS])
    decided = describe_tie(table, shown.names.__getitem__)
    return TableRow(table.table, seats, says, alone, not table.reported, nobody_won, decided)


def _describe_result(table: Table, ended: list[Outcome]) -> str:
    if table.scores is not None and table.games is None:
        return NOBODY_WON if has_no_winner(table) else ""
    result: str = SAYS.get(ended[0], "") if ended else ""
    if table.games is not None:
        first, second, drawn = table.games
        result = f"{first}–{second}" + (f"–{drawn}" if drawn else "")
    return say("{result} by agreement", result=result) if table.intentional and result else result


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


def list_round_cells(shown: SiteEvent, player: str) -> list[dict[str, Any] | None]:
    """Return in a few signs what every round was for one player; None where they were not in it."""
    ranks = shown.board.ranks
    found: list[dict[str, Any] | None] = [None] * len(shown.file.rounds)
    for one in shown.played_rounds[player]:
        rank = {other: ranks[other]["rank"] for other, _ in one.against if other in ranks}
        against = [(other, name, rank.get(other)) for other, name in one.against]
        letter = LETTERS.get(one.outcome, MISSED if one.outcome else "")
        found[one.number - 1] = {"letter": letter, "outcome": one.outcome, "against": against}
    return found
