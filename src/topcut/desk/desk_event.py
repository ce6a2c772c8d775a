"""The desk's event as a whole: options, announcement, tables, staff links, the end."""

from __future__ import annotations

from typing import Any, Literal
from urllib.parse import quote

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Struct
from msgspec.structs import replace

from topcut.desk.access import utc
from topcut.desk.commands import acted, check_texts
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.making import FORMATS
from topcut.desk.pages import AnyRequest
from topcut.desk.staffing import roles_for
from topcut.desk.who import Who
from topcut.event.commands import AnyCommand, ChangeOptions
from topcut.event.kept import kept_until
from topcut.event.rights import RIGHTS
from topcut.event.state import State
from topcut.rulebook.section import Format

PRIZES = "Prizes: "


def announced(state: State) -> tuple[str, list[str]]:
    """The prizes and the sentences of one's own in what was announced, to go on from."""
    says = list(state.announced.says) if state.announced else []
    at = next((i for i, one in enumerate(says) if one.startswith(PRIZES)), None)
    if at is None:
        return "", []
    return says[at].removeprefix(PRIZES).removesuffix("."), says[at + 1 :]


@get("/desk/{event:str}/event", right="desk", raises=[NotFoundException])
async def settings(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[bytes]:
    """Everything that is decided once."""
    links = await house.access.links(event) if who_of(request).may("staff") else {}
    hooks = await house.hooks.of(event) if who_of(request).may("hooks") else []

    def shown(live: Live, who: Who) -> dict[str, Any]:
        state = live.state
        prizes, details = announced(state)
        kept = kept_until(state)
        return {
            "links": links,
            "hooks": hooks,
            "api": f"/api/v1/events/{quote(event, safe='')}",
            "roles": {role: sorted(rights & who.rights) for role, rights in roles_for(who).items()},
            "rights": {right: words for right, words in RIGHTS.items() if who.may(right)},
            "formats": {name: words for name, words in FORMATS.items() if name in state.book.plan.formats},
            "prizes": prizes,
            "details": details,
            "kept": kept,
            "can_purge": kept is not None and utc() >= kept,
            "announces": bool(state.book.running and state.book.running.announced),
        }

    return await house.at_desk(request, event, "desk_event.html", ("players", "standings"), shown)


@get("/desk/{event:str}/announcement", right="desk", raises=[NotFoundException])
async def announcement(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[bytes]:
    """The sheet that is read out and put up before the first round (PK-1)."""

    def shown(live: Live, _: Who) -> dict[str, Any]:
        return {"address": house.base(request), "active": sum(1 for _ in live.state.active())}

    return await house.at_desk(request, event, "desk_announcement.html", ("players",), shown)


class Chosen(Struct, forbid_unknown_fields=True):
    """The options that the page offers; what is not sent is left to the rules."""

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
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Chosen]
) -> dict[str, Any]:
    """Change the options that the page offers; the others stay."""
    chosen = {name: getattr(data, name) for name in data.__struct_fields__ if name != "reason"}

    def found(state: State) -> list[AnyCommand]:
        check_texts([data.reason])
        pools = None if data.divisions else state.options.pools  # who chooses anew chooses for all
        return [ChangeOptions(options=replace(state.options, **chosen, pools=pools), reason=data.reason)]

    return await acted(house, request, event, found)


ROUTES = [settings, announcement, change_options]
