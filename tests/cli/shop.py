"""A shop with a database: commands on a running event, and what they answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command_line import Answer, topcut


class Shop:
    """A database in a folder, and commands on it."""

    def __init__(self, folder: Path) -> None:
        self.database = str(folder / "topcut.db")

    def __call__(self, *arguments: str, stdin: bytes = b"", code: int = 0) -> Answer:
        answer = topcut(*arguments, "--database", self.database, "--by", "Ada", stdin=stdin)
        assert answer.code == code, answer
        return answer

    def json(self, *arguments: str) -> Any:
        return json.loads(self(*arguments, "--json").out)


def started(shop: Shop, players: str = "Ada Bo Cy Di", rules: str = "mtr", *options: str) -> None:
    shop("new", "Cup", "--rules", rules, *options)
    shop("add", *players.split())
    for act in ("pair", "publish", "start"):
        shop("round", act)
