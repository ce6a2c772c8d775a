"""Build lists from A to Z: to sign in on, and with the seats before the first round."""

from topcut.errors import BadInput
from topcut.history.divisions import division_of
from topcut.history.model import Player
from topcut.printing.options import PrintOptions
from topcut.printing.page import SheetPage, build_head, list_names
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.rows import PLAIN, SMALL, TWO, WALL, Row, RowSection, RowStyle, SheetColumn, lay_out_rows
from topcut.printing.text_width import Cell
from topcut.text.alphabet import name_key
from topcut.text.phrases import plural

ROOMY = RowStyle(1, 11, 8.5)
"""Room for a pen."""


def build_sign_in(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the list of expected players by the names they sign with, with a box and a line to sign on.

    It is for the desk and not for a wall; it has no birth years either.
    """
    names = {**event.names, **event.legal}
    players = sorted(_list_present(event), key=lambda player: name_key(names[player.id]))
    divided = any(division_of(player, event.book) for player in players)
    members = any(player.member for player in players)
    columns = [
        SheetColumn("here", 12),
        SheetColumn("player", 0.5, weight="semibold"),
        *([SheetColumn("number", 26)] if members else []),
        *([SheetColumn("division", 22)] if divided else []),
        SheetColumn("signature", 0.5),
    ]
    rows: list[Row] = []
    for player in players:
        about_them = [*([player.member or ""] if members else [])]
        about_them += [division_of(player, event.book) or ""] if divided else []
        shown = f" ({player.shown_name})" if player.id in event.legal else ""
        rows.append(["☐", names[player.id] + shown, *about_them, ""])
    data = lay_out_rows(columns, [RowSection("", rows)], choice.paper, [ROOMY], ruled=True)
    title = f"Sign-in: {plural(len(players), 'player')}"
    legal = [
        (f"the other name of {event.names.get(player_id, player_id)}", name)
        for player_id, name in event.legal.items()
    ]
    return SheetPage("rows", build_head(event, choice, title) | data, [*list_names(event), *legal])


def build_seats(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the list of tables, pods or seats before the first round."""
    players = _list_present(event)
    wheres = list_seats(event)
    if not wheres:
        raise BadInput("nobody is seated yet: expected seats, pods or flights, or all seated at the desk")
    columns = [*(SheetColumn(what, 11, "right", "bold") for what, _ in wheres), SheetColumn("player", 1)]
    rows: list[Row] = []
    for player in players:
        cells: list[Cell] = [where.get(player.id, "–") for _, where in wheres]
        rows.append([*cells, player.shown_name])
    data = lay_out_rows(columns, [RowSection("", rows)], choice.paper, [WALL, TWO, SMALL, PLAIN])
    return SheetPage("rows", build_head(event, choice, "Seats A–Z") | data, list_names(event))


def list_seats(event: PrintedEvent) -> list[tuple[str, dict[str, str]]]:
    """Return the kinds of places that are known, each with the place of each player."""
    players = event.players
    found: list[tuple[str, dict[str, str]]] = [
        ("table", {player_id: str(table) for player_id, table in event.seated.items()}),
        ("flight", {p.id: str(p.flight) for p in players if p.flight is not None}),
        ("pod", {p.id: str(p.pod) for p in players if p.pod is not None}),
        ("seat", {p.id: str(p.seat) for p in players if p.seat is not None}),
    ]
    return [(what, where) for what, where in found if where]


def _list_present(event: PrintedEvent) -> list[Player]:
    """Return the players who have not left, from A to Z."""
    here = [p for p in event.players if p.dropped is None and p.cut is None and p.disqualified is None]
    if not here:
        raise BadInput("nobody is in the event yet")
    return sorted(here, key=lambda player: name_key(player.shown_name))
