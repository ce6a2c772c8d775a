"""How do answers of the API go out? With the version of the event as their tag, and page by page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar, cast

from litestar import Response
from litestar.exceptions import HTTPException

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
TAG = re.compile(r'(?:W/)?"(\d+)(?:-\w+)?"')


async def opened(request: AnyRequest, house: House, event: str) -> tuple[Live, Who, State]:
    """An event, whoever asks for it, and as much of its state as they may see."""
    live, who = await house.open(request, event), who_of(request)
    return live, who, live.state if who.may("desk") else public(live.state)


def tag(live: Live, who: Who) -> str:
    """The version of an event, as somebody with these rights sees it."""
    return f'"{live.version}-{sha256(",".join(sorted(who.rights)).encode()).hexdigest()[:6]}"'


def answered(request: AnyRequest, live: Live, body: T) -> Response[T]:
    """An answer about an event, or only that nothing is different."""
    own = tag(live, who_of(request))
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
    if given in ("", "*"):
        return None
    found = TAG.fullmatch(given)
    if found is None or len(found[1]) > 18:
        raise HTTPException('If-Match: expected the ETag of an answer, such as "57"', status_code=400)
    return int(found[1])


def limited(limit: int) -> int:
    """How many things are wanted."""
    if not 1 <= limit <= MOST:
        raise BadInput(f"expected 1 to {MOST}", place="limit")
    return limit


def position(cursor: str | None) -> int | None:
    """A cursor that is a number; None: from the beginning."""
    if not cursor:
        return None
    if not re.fullmatch(r"[0-9]{1,18}", cursor):
        raise BadInput("expected the `next` of an answer", place="cursor")
    return int(cursor)


def next_of(items: Sequence[object], limit: int, last: object) -> str | None:
    """The cursor after a page; None where it was the last one."""
    return str(last) if len(items) == limit else None
