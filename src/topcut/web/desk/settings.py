"""Show and change the settings of an event: options, announcement, tables, staff links, the end."""

from typing import Any, Literal
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Struct
from msgspec.structs import replace

from topcut.app.access.staff_links import NewLink, list_roles_to_give, make_staff_link, revoke_staff_link
from topcut.app.clock import utc_now
from topcut.app.execute import check_texts
from topcut.errors import BadInput
from topcut.event.commands import ChangeOptions
from topcut.event.decide.settings import preview_announcement
from topcut.event.rights import RIGHTS
from topcut.event.state import State
from topcut.rulebook.layout import Format
from topcut.rulebook.model import Deck, Level
from topcut.text.messages import Message, say
from topcut.web.desk.frame import AtDesk
from topcut.web.desk.new_event import FORMATS
from topcut.web.responses import name_languages

PRIZES = "Prizes: "
LEVELS: dict[Level, Message] = {
    "casual": say("casual"),
    "championship": say("championship"),
    "premier": say("premier"),
}


DECKS: dict[Deck, Message] = {"constructed": say("constructed"), "limited": say("limited")}


def announced(state: State) -> tuple[str, list[str]]:
    """Return the prizes and the organiser's own sentences of the last announcement, to edit them."""
    says: list[str] = list(state.announced.says) if state.announced else []
    at = next((i for i, one in enumerate(says) if one.startswith(PRIZES)), None)
    if at is None:
        return "", []
    return says[at].removeprefix(PRIZES).removesuffix("."), says[at + 1 :]


def list_known_languages(chosen: tuple[str, ...]) -> dict[str, str]:
    """Return the languages that an event can have, with their names; also those it has already."""
    known = name_languages()
    return known | {code: code for code in chosen if code not in known}


@get("/desk/{event:str}/event", right="desk")
async def settings(desk: AtDesk) -> Response[bytes]:
    """Show the settings of the event."""
    services, event, who = desk.services, desk.event, desk.who
    links = await services.access.links(event) if who.may("staff") else {}
    hooks = await services.webhooks.list_hooks(event) if who.may("hooks") else []
    live = await desk.open_for_page()
    state = live.state
    prizes, details = announced(state)
    to_announce, not_known = preview_announcement(state)
    kept = state.kept_until
    shown = {
        "links": links,
        "hooks": hooks,
        "api": f"/api/v1/events/{quote(event, safe='')}",
        "roles": {role: sorted(rights & who.rights) for role, rights in list_roles_to_give(who).items()},
        "rights": {right: words for right, words in RIGHTS.items() if who.may(right)},
        "all_rights": RIGHTS,
        "levels": LEVELS,
        "decks": DECKS,
        "known_languages": list_known_languages(state.options.languages or ()),
        "language_set": (*(state.options.languages or ()), "", "")[:2],
        "formats": {name: words for name, words in FORMATS.items() if name in state.book.plan.formats},
        "to_announce": to_announce,
        "not_known": not_known,
        "prizes": prizes,
        "details": details,
        "kept": kept,
        "can_purge": kept is not None and utc_now() >= kept,
        "announces": bool(state.book.running and state.book.running.announced),
    }
    return desk.show(live, "desk_event.html", ("players", "standings"), shown)


@get("/desk/{event:str}/announcement", right="desk")
async def announcement(desk: AtDesk) -> Response[bytes]:
    """Show the sheet that is read out and put up before the first round (PK-1)."""
    live = await desk.open_for_page()
    shown = {"address": desk.base, "active": sum(1 for _ in live.state.active())}
    return desk.show(live, "desk_announcement.html", ("players",), shown)


class Chosen(Struct, forbid_unknown_fields=True):
    """The options that the page offers; the rules decide an option that is not sent."""

    format: Format | None = None
    rounds: int | None = None
    cut: int | None = None
    level: Level | None = None
    deck: Deck | None = None
    flights: int | None = None
    target: int | None = None
    table: str | None = None
    divisions: Literal["separate", "modified", "off"] | None = None
    mode: Literal["draft"] | None = None
    third_place: bool | None = None
    language: str | None = None
    second_language: str | None = None
    """On paper, beside the first."""
    reason: str = ""

    def to_options(self) -> dict[str, Any]:
        """Return them by the names of an event's options."""
        if self.second_language and not self.language:
            raise BadInput(say("expected a language before the second one"), place="language")
        found = {name: getattr(self, name) for name in self.__struct_fields__}
        languages = tuple(one for one in (found.pop("language"), found.pop("second_language")) if one)
        del found["reason"]
        return found | {"languages": languages or None}


@post("/desk/{event:str}/options", right="settings", status_code=200)
async def change_options(desk: AtDesk, data: JSONBody[Chosen]) -> dict[str, Any]:
    """Change the options that the page offers; the others stay."""
    live = await desk.open_event()
    chosen = data.to_options()
    check_texts([data.reason])
    options = live.state.options
    pools = None if data.divisions else options.pools  # a new choice counts for all divisions
    command = ChangeOptions(options=replace(options, **chosen, pools=pools), reason=data.reason)
    return await desk.execute(live, [command])


@post("/desk/{event:str}/links", right="staff", status_code=200)
async def new_link(desk: AtDesk, data: JSONBody[NewLink]) -> dict[str, str]:
    """Make a link for one of the staff; its key is shown once."""
    await desk.open_event()
    base = desk.base
    key, _, link = await make_staff_link(desk.services, desk.who, desk.event, data)
    return {"link": key if link.token else f"{base}/enter#{key}"}


class OldLink(Struct, forbid_unknown_fields=True):
    link: str


@post("/desk/{event:str}/links/revoke", right="staff", status_code=200)
async def revoke(desk: AtDesk, data: JSONBody[OldLink]) -> dict[str, Any]:
    """Revoke a link, and end its sessions."""
    await revoke_staff_link(desk.services, desk.who, desk.event, data.link)
    return {"done": say("The link is revoked.")}
