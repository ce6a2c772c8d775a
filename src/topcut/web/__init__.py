"""What do people see in a browser? Only HTML: the desk (staff), the hall (everybody), phones (players)."""

from litestar import Router
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler

from topcut.web import assets, language, login, phone
from topcut.web.desk import commands, event_pages, files, new_event, players, settings
from topcut.web.desk.frame import Desk
from topcut.web.hall import event_pages as hall_pages
from topcut.web.hall import player, rules, screen
from topcut.web.hall.page import open_hall

DESK = (event_pages, players, settings, commands, new_event, files)
HALL = (hall_pages, player, rules, screen, phone)


def router() -> Router:
    """Return the router of all pages: every handler in these modules."""
    named = [value for module in (assets, language, login, *DESK, *HALL) for value in vars(module).values()]
    handlers = [value for value in named if isinstance(value, HTTPRouteHandler)]
    provided = {"desk": Provide(Desk, sync_to_thread=False), "hall": Provide(open_hall)}
    return Router("/", route_handlers=handlers, dependencies=provided)
