"""What every sheet says of itself: its title, the event, the rules, the moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from topcut.history.model import Round
from topcut.paper.choice import Choice
from topcut.paper.occasion import Occasion


@dataclass(frozen=True)
class Page:
    """A sheet that is ready for the press."""

    sheet: str
    """Its file in `sheets/`, without the ending."""
    data: dict[str, Any]
    names: list[tuple[str, str]]
    """The texts in it that people wrote, each with what it is."""


def about(
    occasion: Occasion, choice: Choice, title: str, lines: Iterable[str] = (), number: int | None = None
) -> dict[str, Any]:
    """What stands on every page; `lines` stand at the right of its head, `number` is its round."""
    return {
        "event": occasion.name,
        "title": title,
        "rules": occasion.book.title,
        "at": occasion.at if number is None else occasion.posted.get(number, occasion.at),
        "about": list(lines),
        "paper": choice.paper,
    }


def named(occasion: Occasion) -> list[tuple[str, str]]:
    """The names of an event, as they are reported if they cannot be printed."""
    players = [(f"player {player.id}", player.shown_name) for player in occasion.players]
    return [("the event", occasion.name), *players]


def round_words(number: int, a_round: Round) -> str:
    """A round in a title."""
    return f"Round {number}, elimination" if a_round.stage == "elimination" else f"Round {number}"
