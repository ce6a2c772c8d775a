"""Build lists from A to Z: to sign in on, and with the seats before the first round."""

from dataclasses import replace

from topcut.errors import BadInput
from topcut.history.divisions import division_of
from topcut.history.model import Player
from topcut.printing.page import PrintOptions, SheetPage
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.rows import (
    PLAIN,
    SMALL,
    TWO,
    WALL,
    Row,
    RowSection,
    RowStyle,
    SheetColumn,
    build_rows_page,
)
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
    about = {
        "number": (26, {player.id: player.member or "" for player in players}),
        "division": (22, {player.id: division_of(player, event.book) or "" for player in players}),
    }
    about = {heading: column for heading, column in about.items() if any(column[1].values())}
    columns = [
        SheetColumn("here", 12),
        SheetColumn("player", 0.5, weight="semibold"),
        *(SheetColumn(heading, width) for heading, (width, _) in about.items()),
        SheetColumn("signature", 0.5),
    ]
    rows: list[Row] = []
    for player in players:
        shown = f" ({player.shown_name})" if player.id in event.legal else ""
        cells = [of[player.id] for _, of in about.values()]
        rows.append(["☐", names[player.id] + shown, *cells, ""])
    title = f"Sign-in: {plural(len(players), 'player')}"
    page = build_rows_page(event, choice, title, columns, [RowSection("", rows)], [ROOMY], ruled=True)
    legal = [
        (f"the other name of {event.names.get(player_id, player_id)}", name)
        for player_id, name in event.legal.items()
    ]
    return replace(page, names=[*page.names, *legal])


def build_seats(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the list of tables, pods or seats before the first round."""
    players = _list_present(event)
    wheres = list_seats(event)
    if not wheres:
        raise BadInput("nobody is seated yet: expected seats, pods or flights, or all seated at the desk")
    columns = [*(SheetColumn(what, 11, "right", "bold") for what, _ in wheres), SheetColumn("player", 1)]
    rows: list[Row] = [
        [*(where.get(player.id, "–") for _, where in wheres), player.shown_name] for player in players
    ]
    looks = [WALL, TWO, SMALL, PLAIN]
    return build_rows_page(event, choice, "Seats A–Z", columns, [RowSection("", rows)], looks)


def list_seats(event: PrintedEvent) -> list[tuple[str, dict[str, str]]]:
    """Return the kinds of places that are known, each with the place of each player."""
    found = [("table", {player_id: str(table) for player_id, table in event.seated.items()})]
    for what in ("flight", "pod", "seat"):
        places = {player.id: getattr(player, what) for player in event.players}
        found.append((what, {key: str(place) for key, place in places.items() if place is not None}))
    return [(what, where) for what, where in found if where]


def _list_present(event: PrintedEvent) -> list[Player]:
    """Return the players who have not left, from A to Z."""
    here = [p for p in event.players if p.dropped is None and p.cut is None and p.disqualified is None]
    if not here:
        raise BadInput("nobody is in the event yet")
    return sorted(here, key=lambda player: name_key(player.shown_name))
