"""Give and revoke the links of staff at the desk."""

from typing import Any

from litestar import post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from topcut.app.access.staff_links import NewLink, make_staff_link, revoke_staff_link
from topcut.app.services import Services
from topcut.web.responses import AnyRequest, base_of, identity_of


@post("/desk/{event:str}/links", right="staff", status_code=200, raises=[NotFoundException])
async def new_link(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[NewLink]
) -> dict[str, str]:
    """Make a link for one of the staff; its key is shown once."""
    await services.events.event(event)
    base = base_of(request, services)
    key, _, link = await make_staff_link(services, identity_of(request), event, data)
    return {"link": key if link.token else f"{base}/enter#{key}"}


class OldLink(Struct, forbid_unknown_fields=True):
    link: str


@post("/desk/{event:str}/links/revoke", right="staff", status_code=200, raises=[NotFoundException])
async def revoke(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[OldLink]
) -> dict[str, Any]:
    """Revoke a link, and end its sessions."""
    await revoke_staff_link(services, identity_of(request), event, data.link)
    return {"says": ["The link is good no more."]}


ROUTES = [new_link, revoke]
