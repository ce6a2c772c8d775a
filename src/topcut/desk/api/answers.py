"""How do answers of the API go out? With the version of the event as their tag, and page by page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, TypeVar, cast

from litestar import Response
from litestar.exceptions import HTTPException
from litestar.params import QueryParameter

from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest
from topcut.desk.views import public
from topcut.desk.who import Who
from topcut.errors import BadInput
from topcut.event.state import State

T = TypeVar("T")
MOST = 500
"""Things on a page."""
VARY = "authorization, cookie"
"""On what else than its address an answer depends."""
TAG = r'^(?:\*|(?:W/)?"([0-9]{1,18})(?:-[0-9a-f]+)?")$'
"""How the ETag of an event looks; any, where it does not matter."""
NUMBER = "^[0-9]{0,18}$"
Limit = Annotated[int, QueryParameter(ge=1, le=MOST, description="So many on a page.")]
Cursor = Annotated[str, QueryParameter(pattern=NUMBER, description="The `next` of the page before.")]
Place = Annotated[str, QueryParameter(pattern=NUMBER, description="After this position; `next` is one.")]
Since = Annotated[str, QueryParameter(pattern=NUMBER, description="The version that was heard last.")]


async def opened(request: AnyRequest, house: House, event: str) -> tuple[Live, Who, State]:
    """An event, whoever asks for it, and as much of its state as they may see."""
    live, who = await house.open(request, event), who_of(request)
    return live, who, live.state if who.may("desk") else public(live.state)


def tag(version: int, who: Who) -> str:
    """A version of an event, as somebody with these rights sees it."""
    return f'"{version}-{sha256(",".join(sorted(who.rights)).encode()).hexdigest()[:6]}"'


def answered(request: AnyRequest, live: Live, body: T) -> Response[T]:
    """An answer about an event, or only that nothing is different."""
    own = tag(live.version, who_of(request))
    headers = {"etag": own, "cache-control": kept_by(who_of(request)), "vary": VARY}
    if own in re.findall(r'"[^"]*"', request.headers.get("if-none-match", "")):
        return Response(cast(T, None), status_code=304, headers=headers)
    return Response(body, headers=headers)


def kept_by(who: Who) -> str:
    """Who may keep an answer, to ask later whether it is still true: for staff only their own browser."""
    return "private, no-cache" if who.key else "no-cache"


def expected(request: AnyRequest) -> int | None:
    """The version that a command was made for; None: any."""
    given = request.headers.get("if-match", "").strip()
    found = re.match(TAG, given)
    if given and found is None:
        raise HTTPException('If-Match: expected the ETag of an answer, such as "57"', status_code=400)
    return int(found[1]) if found and found[1] else None


def position(cursor: str, place: str = "cursor") -> int | None:
    """A cursor as a number; None: from the beginning."""
    if not re.fullmatch(NUMBER, cursor):
        raise BadInput("expected a number that an answer had", place=place)
    return int(cursor) if cursor else None


def next_of(items: Sequence[object], limit: int, last: object) -> str | None:
    """The cursor after a page; None where it was the last one."""
    return str(last) if len(items) == limit else None
