"""Show and change the settings of an event: options, announcement, tables, staff links, the end."""

from typing import Any, Literal
from urllib.parse import quote

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Struct
from msgspec.structs import replace

from topcut.app.access.identity import Identity
from topcut.app.access.staff_links import list_roles_to_give
from topcut.app.clock import utc_now
from topcut.app.execute import check_texts, execute_for_page
from topcut.app.live_events import LiveEvent
from topcut.app.services import Services
from topcut.event.commands import ChangeOptions
from topcut.event.rights import RIGHTS
from topcut.event.state import State
from topcut.rulebook.section import Format
from topcut.web.desk.frame import show_desk_page
from topcut.web.desk.new_event import FORMATS
from topcut.web.responses import AnyRequest, base_of, identity_of

PRIZES = "Prizes: "


def announced(state: State) -> tuple[str, list[str]]:
    """Return the prizes and the organiser's own sentences of the last announcement, to edit them."""
    says = list(state.announced.says) if state.announced else []
    at = next((i for i, one in enumerate(says) if one.startswith(PRIZES)), None)
    if at is None:
        return "", []
    return says[at].removeprefix(PRIZES).removesuffix("."), says[at + 1 :]


@get("/desk/{event:str}/event", right="desk", raises=[NotFoundException])
async def settings(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Show the settings of the event."""
    links = await services.access.links(event) if identity_of(request).may("staff") else {}
    hooks = await services.webhooks.of(event) if identity_of(request).may("hooks") else []

    def shown(live: LiveEvent, who: Identity) -> dict[str, Any]:
        state = live.state
        prizes, details = announced(state)
        kept = state.kept_until
        return {
            "links": links,
            "hooks": hooks,
            "api": f"/api/v1/events/{quote(event, safe='')}",
            "roles": {role: sorted(rights & who.rights) for role, rights in list_roles_to_give(who).items()},
            "rights": {right: words for right, words in RIGHTS.items() if who.may(right)},
            "formats": {name: words for name, words in FORMATS.items() if name in state.book.plan.formats},
            "prizes": prizes,
            "details": details,
            "kept": kept,
            "can_purge": kept is not None and utc_now() >= kept,
            "announces": bool(state.book.running and state.book.running.announced),
        }

    return await show_desk_page(request, services, event, "desk_event.html", ("players", "standings"), shown)


@get("/desk/{event:str}/announcement", right="desk", raises=[NotFoundException])
async def announcement(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Show the sheet that is read out and put up before the first round (PK-1)."""

    def shown(live: LiveEvent, _: Identity) -> dict[str, Any]:
        return {"address": base_of(request, services), "active": sum(1 for _ in live.state.active())}

    return await show_desk_page(request, services, event, "desk_announcement.html", ("players",), shown)


class Chosen(Struct, forbid_unknown_fields=True):
    """The options that the page offers; the rules decide an option that is not sent."""

    format: Format | None = None
    rounds: int | None = None
    cut: int | None = None
    level: Literal["casual", "championship", "premier"] | None = None
    flights: int | None = None
    target: int | None = None
    table: str | None = None
    divisions: Literal["separate", "modified", "off"] | None = None
    mode: Literal["draft"] | None = None
    third_place: bool | None = None
    reason: str = ""


@post("/desk/{event:str}/options", right="settings", status_code=200, raises=[NotFoundException])
async def change_options(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[Chosen]
) -> dict[str, Any]:
    """Change the options that the page offers; the others stay."""
    chosen = {name: getattr(data, name) for name in data.__struct_fields__ if name != "reason"}

    check_texts([data.reason])
    live = await services.events.event(event)
    options = live.state.options
    pools = None if data.divisions else options.pools  # a new choice counts for all divisions
    command = ChangeOptions(options=replace(options, **chosen, pools=pools), reason=data.reason)
    return await execute_for_page(live, identity_of(request), [command])


ROUTES = [settings, announcement, change_options]
