"""What do people see in a browser? Only HTML: the desk (staff), the hall (everybody), phones (players)."""

from collections.abc import Sequence

from litestar.handlers import HTTPRouteHandler

from topcut.web import assets, login
from topcut.web.desk import commands, event_pages, export_event, new_event, players, printing, settings, staff
from topcut.web.hall import draws, event_page, pairings, player, screen, standings
from topcut.web.phone import player_page, slip


def list_routes() -> Sequence[HTTPRouteHandler]:
    """Return the handlers of all pages."""
    modules = [assets, login]
    desk = [event_pages, players, settings, commands, new_event, export_event, staff, printing]
    hall = [event_page, pairings, standings, player, draws, screen]
    return [route for module in (*modules, *desk, *hall, player_page, slip) for route in module.ROUTES]
