"""Read what a request to the API brings, and answer it, with the version of the event as the ETag."""

import re
from collections.abc import AsyncGenerator, Sequence
from hashlib import sha256
from typing import Annotated, Any, TypeVar, cast

import msgspec
from litestar import Request, Response
from litestar.background_tasks import BackgroundTask
from litestar.datastructures import State as AppState
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from topcut.api.languages import VARY
from topcut.app.access.identity import Identity, Visitor
from topcut.app.idempotency import KeyedRequest, identify_request
from topcut.app.live_events import LiveEvent
from topcut.app.page_cache import Page, name_file
from topcut.app.services import BadRequest, NotHere, Services
from topcut.app.views.visibility import public_state
from topcut.client.schemas import Schema
from topcut.errors import BadInput
from topcut.event.state import ListedPlayer, State
from topcut.text.message_json import to_plain
from topcut.text.messages import ENGLISH, language_in_use, say

T = TypeVar("T")
Document = TypeVar("Document", bound=Schema)
MOST = 500
"""The most items on a page."""
NO_STORE = {"cache-control": "no-store"}
TAG = r'^(?:\*|(?:W/)?"([0-9]{1,18})(?:-[0-9a-f]+)?")$'
"""The pattern of an event's ETag; `*` fits any version."""
NUMBER = "^[0-9]{0,18}$"
Id = FromPath[str]
"""An id in the address."""
Limit = Annotated[int, QueryParameter(ge=1, le=MOST, description="The most items on a page.")]
Cursor = Annotated[str, QueryParameter(pattern=NUMBER, description="The `next` of the previous page.")]
Place = Annotated[
    str, QueryParameter(pattern=NUMBER, description="What comes after this position or `next`.")
]


class ApiRequest(Request[Any, Any, AppState]):
    """A request to the API that the guard has let in."""

    @property
    def services(self) -> Services:
        services: Services = self.app.state.services
        return services

    @property
    def visitor(self) -> Visitor:
        visitor: Visitor = self.state.visitor
        return visitor

    @property
    def who(self) -> Identity:
        return self.visitor.who

    @property
    def base(self) -> str:
        """The beginning of a link that works in the hall."""
        return self.services.base_address(self.scope["scheme"], self.headers.get("host", "localhost"))

    @property
    def expected(self) -> int | None:
        """The version that commands were made for; None: any."""
        given = self.headers.get("if-match", "").strip()
        found = re.match(TAG, given)
        if given and found is None:
            problem = say("If-Match: expected the ETag of an answer, such as {example}", example='"57"')
            raise BadRequest(problem)
        return int(found[1]) if found and found[1] else None

    async def identify(self, where: str) -> KeyedRequest | None:
        """Return the request with its `Idempotency-Key`; None if it has none."""
        given, address = self.headers.get("idempotency-key"), f"{self.method} {self.scope['path']}"
        return identify_request(given, self.who, where, address, await self.body())

    async def open_event(self, event: str) -> tuple[LiveEvent, Identity, State]:
        """Return an event, who asks, and the part of the state that they may see."""
        live = await self.services.open(event, self.headers.get("topcut-version", ""))
        return live, self.who, live.state if self.who.may("desk") else public_state(live.state)

    def answer(self, live: LiveEvent, body: T) -> Response[T]:
        """Answer about an event, or send 304 if the program has this version."""
        own = tag(live.version, self.who)
        headers = {"etag": own, "cache-control": cache_control_for(self.who), "vary": VARY}
        if own in re.findall(r'"[^"]*"', self.headers.get("if-none-match", "")):
            return Response(cast(T, None), status_code=304, headers=headers)
        return Response(body, headers=headers)

    def send_page(
        self, page: Page, keep: str = "no-cache", headers: dict[str, str] | None = None
    ) -> Response[bytes]:
        """Send bytes, or 304 if the program has them already."""
        status, own, body = page.answer(self.headers, keep)
        return Response(body, media_type=page.kind, headers=own | (headers or {}), status_code=status)

    def send_file(self, page: Page, name: str, how: str = "attachment") -> Response[bytes]:
        """Send a file under its name; `how`: to save it, or to show it (`inline`)."""
        return self.send_page(page, "no-store", name_file(name, how))


def fill(kind: type[Document], *sources: Any, **own: Any) -> Document:
    """Return a document with these fields, and the others from the attributes of the sources."""
    names = [name for name in kind.__struct_fields__ if name not in own]
    read = {name: getattr(source, name) for source in sources for name in names if hasattr(source, name)}
    return kind(**read, **own)


def find_listed(state: State, player: str) -> ListedPlayer:
    """Return a player of an event, or answer that there is none with this id."""
    if player not in state.players:
        raise NotHere(say("No player has this id."))
    return state.players[player]


def position(cursor: str, place: str = "cursor") -> int | None:
    """Return a cursor as a number; None: from the beginning."""
    if not re.fullmatch(NUMBER, cursor):
        raise BadInput(say("expected a number from an earlier answer"), place=place)
    return int(cursor) if cursor else None


def next_of(positions: Sequence[int], limit: int) -> str | None:
    """Return the cursor after a page of items at these positions; None after the last page."""
    return str(positions[-1]) if len(positions) == limit else None


def tag(version: int, who: Identity) -> str:
    """Return the ETag of a version of an event, which differs by rights and language as the answer does."""
    language = language_in_use()
    seen = ",".join((*sorted(who.rights), *([] if language == ENGLISH else [language])))  # English as ever
    return f'"{version}-{sha256(seen.encode()).hexdigest()[:6]}"'


def cache_control_for(who: Identity) -> str:
    """Return which caches may keep an answer and check it later: for staff only their own browser."""
    return "private, no-cache" if who.key else "no-cache"


def send_stream(stream: AsyncGenerator[bytes, None]) -> Stream:
    """Send server-sent events; the stream is closed also when the connection breaks."""

    async def close() -> None:  # Litestar would not wait for `aclose` itself, which is no coroutine function
        await stream.aclose()

    headers = NO_STORE | {"x-accel-buffering": "no"}
    return Stream(stream, media_type="text/event-stream", headers=headers, background=BackgroundTask(close))


def to_document(found: Any, kind: type[T]) -> T:
    """Return what was found as a document of the API, with its texts in the language in use."""
    return msgspec.convert(to_plain(found), kind)
