"""Lists from A to Z: to sign in on, and where everybody sits before the first round."""

from __future__ import annotations

from topcut.errors import BadInput
from topcut.history.alphabet import in_order
from topcut.history.divisions import division_of
from topcut.history.model import Player
from topcut.paper.choice import Choice
from topcut.paper.measures import Cell
from topcut.paper.occasion import Occasion
from topcut.paper.page import Page, about, named
from topcut.paper.rows import PLAIN, SMALL, TWO, WALL, Column, Look, Row, Section, listing

ROOMY = Look(1, 11, 8.5)
"""Room for a pen."""


def sign_in(occasion: Occasion, choice: Choice) -> Page:
    """Who is expected, by the names they sign with: a box to tick and a line to sign on.

    It is for the desk and not for a wall. Birth years are nobody's business here either.
    """
    names = {**occasion.names, **occasion.legal}
    players = sorted(_present(occasion), key=lambda player: in_order(names[player.id]))
    divided = any(division_of(player, occasion.book) for player in players)
    members = any(player.member for player in players)
    columns = [
        Column("here", 12),
        Column("player", 0.5, weight="semibold"),
        *([Column("number", 26)] if members else []),
        *([Column("division", 22)] if divided else []),
        Column("signature", 0.5),
    ]
    rows: list[Row] = []
    for player in players:
        about_them = [*([player.member or ""] if members else [])]
        about_them += [division_of(player, occasion.book) or ""] if divided else []
        shown = f" ({player.shown_name})" if player.id in occasion.legal else ""
        rows.append(["☐", names[player.id] + shown, *about_them, ""])
    data = listing(columns, [Section("", rows)], choice.paper, [ROOMY], ruled=True)
    title = f"Sign-in: {len(players)} {'player' if len(players) == 1 else 'players'}"
    legal = [
        (f"the other name of {occasion.names.get(player_id, player_id)}", name)
        for player_id, name in occasion.legal.items()
    ]
    return Page("rows", about(occasion, choice, title) | data, [*named(occasion), *legal])


def seats(occasion: Occasion, choice: Choice) -> Page:
    """Where everybody sits before the first round: at tables from A to Z, in pods, or on seats."""
    players = _present(occasion)
    wheres = seated(occasion)
    if not wheres:
        raise BadInput("nobody is seated yet: expected seats, pods or flights, or all seated at the desk")
    columns = [*(Column(what, 11, "right", "bold") for what, _ in wheres), Column("player", 1)]
    rows: list[Row] = []
    for player in players:
        cells: list[Cell] = [where.get(player.id, "–") for _, where in wheres]
        rows.append([*cells, player.shown_name])
    data = listing(columns, [Section("", rows)], choice.paper, [WALL, TWO, SMALL, PLAIN])
    return Page("rows", about(occasion, choice, "Seats A–Z") | data, named(occasion))


def seated(occasion: Occasion) -> list[tuple[str, dict[str, str]]]:
    """What is known of where players sit: kinds of places, each with the players who have one."""
    players = occasion.players
    found: list[tuple[str, dict[str, str]]] = [
        ("table", {player_id: str(table) for player_id, table in occasion.seated.items()}),
        ("flight", {p.id: str(p.flight) for p in players if p.flight is not None}),
        ("pod", {p.id: str(p.pod) for p in players if p.pod is not None}),
        ("seat", {p.id: str(p.seat) for p in players if p.seat is not None}),
    ]
    return [(what, where) for what, where in found if where]


def _present(occasion: Occasion) -> list[Player]:
    """Everybody who has not left, from A to Z."""
    here = [p for p in occasion.players if p.dropped is None and p.cut is None and p.disqualified is None]
    if not here:
        raise BadInput("nobody is in the event yet")
    return sorted(here, key=lambda player: in_order(player.shown_name))
