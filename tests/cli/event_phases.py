"""Running events at every moment of their lives, and questions about them with and without a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli.shop import Shop, started
from tests.command_line import Answer, topcut

EIGHT = "Ada Bo Cy Di Ed Flo Gus Hal"
LAYOUT = ("--option", "rounds=2", "--option", "format=swiss+elimination", "--option", "cut=4")
WITH_CUT = ("pokemon-2017", "fab-gem", "mtr")
SCORES = {"allegiance-2005": "30 12 8 5", "commander-4": "draw"}
"""How tables end where more than two sit at one."""


class Running(Shop):
    """A shop whose event answers questions, and its log too."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database = folder, database

    def ask(self, *arguments: str) -> Answer:
        """A question without FILE."""
        return topcut(*arguments, "--database", self.database)

    @property
    def log(self) -> str:
        """The log of this moment in a file."""
        path = str(self.folder / "exported.log")
        self("export", "-o", path)
        return path

    @property
    def open(self) -> bool:
        """Whether a Swiss round is posted that is not wholly reported."""
        shown = self.json("event", "show")
        stage = self.json("round", "show")["stage"] if shown["round"] else ""
        return shown["phase"] in ("published", "started") and bool(shown["missing"]) and stage == "swiss"

    @property
    def whole(self) -> int:
        """How many rounds are played, every table reported."""
        shown = self.json("event", "show")
        under_way = shown["phase"] in ("draft", "published") or bool(shown["missing"])
        return int((shown["round"] or 0) - under_way)

    def acts(self, *acts: str) -> None:
        for act in acts:
            self("round", act)

    def report(self, most: int = 99) -> None:
        """Results for so many of the tables that are open."""
        result = SCORES.get(self.json("event", "show")["rules"], "2-0")
        missing = self.json("round", "show")["missing"][:most]
        self("report", "--from", "-", stdin="\n".join(f"{table} {result}" for table in missing).encode())


Moment = Callable[[Running, str], None]


def not_begun(shop: Running, rules: str) -> None:
    shop("new", "Cup", "--rules", rules, *(LAYOUT if rules in WITH_CUT else ()))
    shop("add", *EIGHT.split())


def ended(shop: Running, rules: str) -> None:
    started(shop, EIGHT, rules, *(LAYOUT if rules in WITH_CUT else ()))
    shop.report()
    shop.acts("end")


def a_draft(shop: Running, rules: str) -> None:
    ended(shop, rules)
    shop.acts("pair")


def published(shop: Running, rules: str) -> None:
    a_draft(shop, rules)
    shop.acts("publish")


def half_reported(shop: Running, rules: str) -> None:
    published(shop, rules)
    shop.acts("start")
    shop.report(most=1)


def before_the_bracket(shop: Running, rules: str) -> None:
    half_reported(shop, rules)
    shop.report()
    shop.acts("end")


def in_the_bracket(shop: Running, rules: str) -> None:
    before_the_bracket(shop, rules)
    shop.acts("pair", "publish", "start")
    shop.report(most=1)


def finished(shop: Running, rules: str) -> None:
    in_the_bracket(shop, rules)
    shop.report()
    shop.acts("end", "pair", "publish", "start")
    shop.report()
    shop.acts("end")
    shop("event", "finish")


SWISS: tuple[Moment, ...] = (not_begun, ended, a_draft, published, half_reported)
CASES: list[tuple[Moment, str]] = [
    *((moment, "pokemon-2017") for moment in (*SWISS, before_the_bracket, in_the_bracket, finished)),
    *((moment, "fab-gem") for moment in (published, half_reported, in_the_bracket)),
    (half_reported, "mtr"),
    (half_reported, "allegiance-2005"),
    (a_draft, "commander-4"),
]
