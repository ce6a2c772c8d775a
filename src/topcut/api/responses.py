"""Answer requests about an event, with its version as the ETag, and page by page."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, TypeVar, cast

from litestar import Response
from litestar.exceptions import HTTPException
from litestar.params import QueryParameter

from topcut.api.requests import AnyRequest, identity_of
from topcut.app.access.identity import Identity
from topcut.app.live_events import LiveEvent
from topcut.app.services import Services
from topcut.app.views.visibility import public_state
from topcut.errors import BadInput
from topcut.event.state import State

T = TypeVar("T")
MOST = 500
"""Items on a page, at most."""
VARY = "authorization, cookie"
"""The headers on which an answer depends."""
TAG = r'^(?:\*|(?:W/)?"([0-9]{1,18})(?:-[0-9a-f]+)?")$'
"""The pattern of an event's ETag; `*` fits any version."""
NUMBER = "^[0-9]{0,18}$"
Limit = Annotated[int, QueryParameter(ge=1, le=MOST, description="Items on a page, at most.")]
Cursor = Annotated[str, QueryParameter(pattern=NUMBER, description="The `next` of the page before.")]
Place = Annotated[str, QueryParameter(pattern=NUMBER, description="After this position; `next` is one.")]
Since = Annotated[str, QueryParameter(pattern=NUMBER, description="The version that was heard last.")]


async def opened(request: AnyRequest, services: Services, event: str) -> tuple[LiveEvent, Identity, State]:
    """Return an event, the identity of the request, and the part of the state that this identity may see."""
    live, who = await services.open(event, request.headers.get("topcut-version", "")), identity_of(request)
    return live, who, live.state if who.may("desk") else public_state(live.state)


def tag(version: int, who: Identity) -> str:
    """Return the ETag of a version of an event, which differs by rights as the answer does."""
    return f'"{version}-{sha256(",".join(sorted(who.rights)).encode()).hexdigest()[:6]}"'


def answered(request: AnyRequest, live: LiveEvent, body: T) -> Response[T]:
    """Answer about an event, or send 304 if the program has this version."""
    own = tag(live.version, identity_of(request))
    headers = {"etag": own, "cache-control": kept_by(identity_of(request)), "vary": VARY}
    if own in re.findall(r'"[^"]*"', request.headers.get("if-none-match", "")):
        return Response(cast(T, None), status_code=304, headers=headers)
    return Response(body, headers=headers)


def kept_by(who: Identity) -> str:
    """Return which caches may keep an answer and check it later: for staff only their own browser."""
    return "private, no-cache" if who.key else "no-cache"


def expected(request: AnyRequest) -> int | None:
    """Return the version that commands were made for; None: any."""
    given = request.headers.get("if-match", "").strip()
    found = re.match(TAG, given)
    if given and found is None:
        raise HTTPException('If-Match: expected the ETag of an answer, such as "57"', status_code=400)
    return int(found[1]) if found and found[1] else None


def position(cursor: str, place: str = "cursor") -> int | None:
    """Return a cursor as a number; None: from the beginning."""
    if not re.fullmatch(NUMBER, cursor):
        raise BadInput("expected a number that an answer had", place=place)
    return int(cursor) if cursor else None


def next_of(items: Sequence[object], limit: int, last: object) -> str | None:
    """Return the cursor after a page; None after the last page."""
    return str(last) if len(items) == limit else None
