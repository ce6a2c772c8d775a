"""What is held about one player, for people to read."""

from __future__ import annotations

from typing import Any

from topcut.cli.output import table, visible


def print_person(data: dict[str, Any]) -> None:
    """The data of one player: who they are and were, what they played, and what names them in the log."""
    print(visible(f"{data['event']}: {data['player']}"))
    print()
    known = [
        [
            str(one["fact"]),
            _when(one["at"]),
            one.get("name", ""),
            one.get("display", ""),
            one.get("member", ""),
            str(one.get("born", "")),
            one.get("division", ""),
            _counts(one),
        ]
        for one in data["known"]
    ]
    if known:
        headings = ["fact", "at (UTC)", "name", "shown as", "number", "born", "division", ""]
        print(table(headings, known, right=[0]))
    else:
        print("who they are is not held here any more")
    print()
    rounds = [
        [
            str(one["round"]),
            str(one["table"] or ""),
            ", ".join(other["name"] for other in one["against"]),
            one["result"] or "",
        ]
        for one in data["rounds"]
    ]
    if rounds:
        print(table(["round", "table", "against", "result"], rounds, right=[0, 1]))
        print()
    facts = [[str(one["fact"]), _when(one["at"]), _counts(one), one["says"]] for one in data["facts"]]
    print(table(["fact", "at (UTC)", "", "what"], facts, right=[0], wrap=True))


def _when(at: str) -> str:
    return at[:19].replace("T", " ")


def _counts(one: dict[str, Any]) -> str:
    return "" if one["counts"] else "taken back"
