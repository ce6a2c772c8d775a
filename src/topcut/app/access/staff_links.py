"""Give links to staff and tokens to programs, and revoke them. A person gives only rights they have."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Annotated

from msgspec import Meta, Struct

from topcut.app.access.access import Access, AccessLink, digest
from topcut.app.access.identity import Identity
from topcut.app.access.roles import GIVEN, ROLE_NAMES, ROLES, Role
from topcut.app.clock import utc_now
from topcut.app.services import Services
from topcut.errors import BadInput, TopcutError
from topcut.event.rights import RIGHTS, Right
from topcut.text.messages import join_messages, say

DAYS = 7
"""Days that a link lasts unless chosen otherwise."""
MOST = 500
"""Links of one event, at most."""
ONLY_WIDE: frozenset[Right] = frozenset({"create"})
"""Rights that have an effect only for links to more than one event."""


class NoSuchLink(TopcutError):
    """A link does not exist, or not any more."""

    def __init__(self, link_id: str) -> None:
        self.id = link_id
        super().__init__(say("There is no such link."))


class LinkExists(TopcutError):
    """Another link has this name already."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            say(
                "{name} is already the name of a link, an account or a player here, and the log could not"
                " tell them apart. Choose another name, or revoke that link.",
                name=name,
            )
        )


class NewLink(Struct, forbid_unknown_fields=True, kw_only=True):
    """A link or token to make."""

    name: Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": 60})]
    """Whom or what it is for; the log says so."""
    role: Role = "scorekeeper"
    rights: list[Right] | None = None
    """Exactly these rights; without it those of the role, as far as the giver has them."""
    days: Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 366})] = DAYS
    """How long it is good."""
    token: bool = False
    """For a program, which sends it with each request."""


def list_roles_to_give(who: Identity) -> dict[Role, frozenset[Right]]:
    """Return the roles that a person can give: they have every right of such a role."""
    return {role: ROLES[role] for role in GIVEN if not _name_lacking(who, ROLES[role] - ONLY_WIDE)}


async def make_staff_link(
    services: Services, who: Identity, event: str | None, new: NewLink
) -> tuple[str, str, AccessLink]:
    """Make a link or token; return its key, which is shown once, its id and the link."""
    if not 1 <= new.days <= 366:
        raise BadInput(say("expected 1 to 366 days"), place="days")
    if new.role not in GIVEN:
        raise BadInput(say("expected one of {roles}", roles=join_messages(", ", GIVEN)), place="role")
    rights = _choose_rights(who, event, new)
    players = (await services.events.open_event(event)).session.log.player_ids() if event else ()
    name = await choose_link_name(services.access, event, who.owner, new.name, players)
    if len(await services.access.links(event, who.owner)) >= MOST:
        raise BadInput(say("there are already {most} links: revoke some of them", most=MOST))
    lasts = timedelta(days=new.days)
    key = await services.access.make_link(
        name, event, role=new.role, rights=rights, owner=who.owner, token=new.token, by=who.name, lasts=lasts
    )
    link_id = digest(key)
    return key, link_id, (await services.access.links(event, who.owner))[link_id]


async def revoke_staff_link(services: Services, who: Identity, event: str | None, link_id: str) -> None:
    """Revoke a link and end its sessions; refuse a link that the person could not have given."""
    found = (await services.access.links(event, who.owner)).get(link_id)
    if found is None:
        raise NoSuchLink(link_id)
    if lacking := _name_lacking(who, found.allows - ONLY_WIDE):
        problem = say(
            "the link of {name} has a right that you don't have: {right}", name=found.name, right=lacking
        )
        raise BadInput(problem, place="link")
    await services.access.revoke(link_id)


async def choose_link_name(
    access: Access, event: str | None, owner: str | None, text: str, players: Iterable[str]
) -> str:
    """Return the name of a new link in one line; refuse one that the same logs already use.

    Those are the names of links as wide or wider, of accounts, and the ids of these players.
    """
    name = " ".join(text.split())
    if not name or len(name) > 60 or not name.isprintable():
        raise BadInput(say("expected a name of 1 to 60 characters, such as Lena or Judge 3"), place="name")
    used = {*players, *(link.name for link in (await access.links(event, owner)).values())}
    if event is not None:
        owner = await access.owner(event)
        wide = [await access.links(None, one) for one in {None, owner}]
        used |= {link.name for links in wide for link in links.values()}
        account = await access.accounts.find(owner, utc_now()) if owner else None
        used |= {account.name} if account else set()
    if name.casefold() in map(str.casefold, used):
        raise LinkExists(name)
    return name


def _name_lacking(who: Identity, rights: frozenset[Right]) -> str:
    """Return in words the first of these rights that a person lacks; empty if they have all."""
    return next((RIGHTS[right] for right in RIGHTS if right in rights - who.rights), "")


def _choose_rights(who: Identity, event: str | None, new: NewLink) -> tuple[Right, ...] | None:
    """Return the rights of a new link; None: those of its role."""
    idle = ONLY_WIDE if event is not None else frozenset[Right]()
    if new.rights is None:
        if lacking := _name_lacking(who, ROLES[new.role] - idle):
            name = ROLE_NAMES[new.role]
            problem = say(
                "the role {role} has a right that you don't have: {right}", role=name, right=lacking
            )
            raise BadInput(problem, place="role")
        return None
    wanted = ROLES["public"] | frozenset(new.rights)
    if lacking := _name_lacking(who, wanted - idle):
        raise BadInput(say("you don't have this right yourself: {right}", right=lacking), place="rights")
    return tuple(sorted(wanted))
