"""A player as their page shows them, and everybody from A to Z; the same for programs."""

from __future__ import annotations

from typing import Any

from topcut.history.alphabet import in_order, initial
from topcut.history.model import Player
from topcut.site.shown import Shown
from topcut.stages.answer import Document
from topcut.standings.explain import Explained


def explained(shown: Shown, player: str) -> Explained | None:
    """How each value of a player comes about; None for somebody who is not ranked."""
    at = shown.board.standings.history.index.get(player) if shown.board.scored else None
    return None if at is None else shown.board.explainer.explained(at)


def player_page(shown: Shown, player: Player) -> dict[str, Any]:
    """What the page of a player shows."""
    row = shown.board.ranks.get(player.id) if shown.board.scored else None
    return {
        "player": player,
        "row": row,
        "shown_values": {one["key"]: one["shown"] for one in row["tiebreaks"]} if row else {},
        "place": shown.places.get(player.id),
        "ranked": len(shown.board.rows),
        "lived": shown.lives[player.id],
        "left": _left(player),
        "why": explained(shown, player.id) if row else None,
    }


def _left(player: Player) -> str:
    """When and why somebody left the event."""
    if player.disqualified is not None:
        return f"Disqualified after round {player.disqualified}" if player.disqualified else "Disqualified"
    if player.dropped is not None:
        return f"Dropped after round {player.dropped}" if player.dropped else "Dropped before the first round"
    return ""


def by_letter(shown: Shown) -> list[tuple[str, list[Player]]]:
    """Everybody from A to Z, under the letters of their names."""
    letters: dict[str, list[Player]] = {}
    for player in sorted(shown.file.players, key=lambda player: in_order(player.shown_name)):
        letters.setdefault(initial(player.shown_name), []).append(player)
    return list(letters.items())


def players_document(shown: Shown) -> Document:
    """Everybody in the order of the event file: the page, the places, the rounds."""
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
            for one in shown.lives[player.id]
        ]
        found.append(about)
    return {"players": found}
