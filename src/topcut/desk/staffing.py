"""Who helps at an event, and with which rights? Links for people and tokens for programs, made and revoked.

Nobody gives a right that they do not have themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any

from litestar import post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from topcut.desk.access import Link, digest, utc
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest
from topcut.desk.roles import GIVEN, ROLES, Role
from topcut.desk.who import Who
from topcut.errors import BadInput, TopcutError
from topcut.event.rights import RIGHTS, Right

DAYS = 7
"""How long a link lasts unless somebody chooses."""
MOST = 500
"""Links of one event, at most."""
ONLY_WIDE: frozenset[Right] = frozenset({"create"})
"""Rights that are worth something only to those who reach more than one event."""


class NoSuchLink(TopcutError):
    """A link that is not there, or not any more."""

    def __init__(self, link_id: str) -> None:
        self.id = link_id
        super().__init__("there is no such link")


class LinkExists(TopcutError):
    """Somebody has a link already."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"there is a link for {name} already: the log could not tell them apart")


class NewLink(Struct, forbid_unknown_fields=True, kw_only=True):
    """A link or token that somebody wants."""

    name: Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": 60})]
    """Whom or what it is for; the log says so."""
    role: Role = "scorekeeper"
    rights: list[Right] | None = None
    """Exactly these rights; without it those of the role, as far as whoever gives it has them."""
    days: Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 366})] = DAYS
    """How long it is good."""
    token: bool = False
    """For a program, which sends it with each request."""


def roles_for(who: Who) -> dict[Role, frozenset[Right]]:
    """The roles that somebody can give: those that may do nothing more than they."""
    return {role: ROLES[role] for role in GIVEN if not _lacking(who, ROLES[role] - ONLY_WIDE)}


async def made_link(house: House, who: Who, event: str | None, new: NewLink) -> tuple[str, str, Link]:
    """A new link or token: its key, which is shown once, its id, and what it is."""
    name = " ".join(new.name.split())
    if not name or len(name) > 60 or not name.isprintable():
        raise BadInput("expected a name, such as Lena or Judge 3", place="name")
    if not 1 <= new.days <= 366:
        raise BadInput("expected 1 to 366 days", place="days")
    if new.role not in GIVEN:
        raise BadInput(f"expected one of {', '.join(GIVEN)}", place="role")
    rights = _rights(who, event, new)
    there = await house.access.links(event, who.owner)
    if name.casefold() in await _names(house, event, there):
        raise LinkExists(name)
    if len(there) >= MOST:
        raise BadInput(f"there are {MOST} links already: revoke some of them")
    key = await house.access.make_link(
        name,
        event,
        role=new.role,
        rights=rights,
        owner=who.owner,
        token=new.token,
        by=who.name,
        lasts=timedelta(days=new.days),
    )
    link_id = digest(key)
    return key, link_id, (await house.access.links(event, who.owner))[link_id]


async def _names(house: House, event: str | None, there: Mapping[str, Link]) -> set[str]:
    """What others are called in the same logs: by links as wide or wider, by accounts, and as players."""
    names = {link.name for link in there.values()}
    if event is not None:
        owner = await house.access.owner(event)
        wide = [await house.access.links(None, one) for one in {None, owner}]
        names |= {link.name for links in wide for link in links.values()}
        account = await house.access.accounts.find(owner, utc()) if owner else None
        names |= {account.name} if account else set()
        names |= (await house.floor.event(event)).running.journal.ids()
    return {name.casefold() for name in names}


def _lacking(who: Who, rights: frozenset[Right]) -> str:
    """The first of these rights that somebody does not have, in words; empty if they have all."""
    return next((RIGHTS[right] for right in RIGHTS if right in rights - who.rights), "")


def _rights(who: Who, event: str | None, new: NewLink) -> tuple[Right, ...] | None:
    """The rights of a new link, none of which its giver lacks; None: just those of the role."""
    idle = ONLY_WIDE if event is not None else frozenset[Right]()
    if new.rights is None:
        if lacking := _lacking(who, ROLES[new.role] - idle):
            raise BadInput(f"a {new.role} may {lacking}, and you may not", place="role")
        return None
    wanted = ROLES["public"] | frozenset(new.rights)
    if lacking := _lacking(who, wanted - idle):
        raise BadInput(f"you may not {lacking} yourself", place="rights")
    return tuple(sorted(wanted))


async def revoked(house: House, who: Who, event: str | None, link_id: str) -> None:
    """A link and all who came in by it are out; one's own stays, and so does what one could not give."""
    found = (await house.access.links(event, who.owner)).get(link_id)
    if found is None:
        raise NoSuchLink(link_id)
    if lacking := _lacking(who, found.allows - ONLY_WIDE):
        raise BadInput(f"the link of {found.name} may {lacking}, and you may not", place="link")
    await house.access.revoke(link_id)


@post("/desk/{event:str}/links", right="staff", status_code=200, raises=[NotFoundException])
async def new_link(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[NewLink]
) -> dict[str, str]:
    """A way in for somebody of the staff; its key is shown once."""
    await house.floor.event(event)
    base = house.base(request)
    key, _, link = await made_link(house, who_of(request), event, data)
    return {"link": key if link.token else f"{base}/enter#{key}"}


class OldLink(Struct, forbid_unknown_fields=True):
    link: str


@post("/desk/{event:str}/links/revoke", right="staff", status_code=200, raises=[NotFoundException])
async def revoke(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[OldLink]
) -> dict[str, Any]:
    """A link and all who came in by it are out."""
    await revoked(house, who_of(request), event, data.link)
    return {"says": ["The link is good no more."]}


ROUTES = [new_link, revoke]
