"""An event as a small site: pages that need no server, and the same as JSON beside them.

    files = pages(event)

Every address in it is relative and nothing in it comes from elsewhere, so that it works in any folder of any
host, and from a disk. The same event gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from topcut.exchange.event_file import Event, encode
from topcut.site.front import front_page
from topcut.site.people import by_letter, player_page, players_document
from topcut.site.rounds import cells, round_document, rows
from topcut.site.shown import Shown
from topcut.standings.answer import key_labels, record_words

HERE = Path(__file__).parent
MARK = "topcut_site"
"""The key of index.json by which a folder is known as a site of ours."""
SHORT = 30
"""With fewer players nobody needs letters to jump to."""
FEW = 12
"""Rows among which nobody needs help to find a name."""
CROSS = 64
"""Players whose rounds are all shown at once, at most."""

File = tuple[str, bytes]


def pages(event: Event, at: str = "") -> dict[str, bytes]:
    """The files of the site, by their paths in it; `at`: the moment that the pages name."""
    return dict(written(event, at))


def written(event: Event, at: str = "") -> Iterator[File]:
    """The same one after the other. The last is index.json, which lists all of them."""
    site = _Site(Shown(event), at)
    files = []
    for path, content in site.files():
        files.append(path)
        yield path, content
    yield "index.json", site.index(files)


class _Site:
    def __init__(self, shown: Shown, at: str) -> None:
        self.shown = shown
        self.at = at
        self.cross = 0 < len(shown.file.players) <= CROSS and len(shown.file.rounds) > 1
        labels = dict(key_labels(shown.board.standings))
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
        yield "event.json", encode(shown.file)
        yield "standings.json", _json(shown.standings)
        yield "players.json", _json(players_document(shown))
        yield self.page("index", "index.json", **front_page(shown))
        for group in shown.groups:
            yield self.page("standings", "standings.json", group.file, group=group)
        if not shown.groups:
            yield self.page("standings", "standings.json", group=None)
        letters = by_letter(shown)
        yield self.page("players", "players.json", letters=letters, jump=len(shown.file.players) > SHORT)
        if shown.brackets:
            yield "bracket.json", _json(shown.bracket)
            yield self.page("bracket", "bracket.json")
        yield from self.rounds()
        for player in shown.file.players:
            path = f"players/{shown.pages[player.id]}"
            yield self.page("player", "players.json", path, **player_page(shown, player))

    def rounds(self) -> Iterator[File]:
        shown = self.shown
        for number, a_round in enumerate(shown.file.rounds, start=1):
            tables = rows(shown, number)
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
                (player_id, ranked.get(player_id), cells(shown, shown.lives[player_id]))
                for player_id in everybody
            ]
            yield self.page("all", "players.json", "rounds/all", lines=lines)

    def page(self, template: str, json: str, path: str = "", **shown: Any) -> File:
        """A page from a template; `json`: where the same stands for programs."""
        path = f"{path or template}.html"
        root = "../" * path.count("/")
        found = _templates().get_template(f"{template}.html")
        text = found.render(self.common | shown | {"root": root, "json": json, "here": template})
        return path, text.encode()

    def index(self, files: list[str]) -> bytes:
        """What is where, for programs; and the mark by which the folder is known."""
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
    """As the commands print it."""
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
    made.filters["record"] = record_words
    made.filters["counted"] = _counted
    made.filters["upper_first"] = lambda text: text[:1].upper() + text[1:]
    return made


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}".replace(",", "\u2009")
