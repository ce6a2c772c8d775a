"""Send pages, static files and streams to browsers."""

from collections.abc import AsyncGenerator
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
from litestar import Request, Response
from litestar.background_tasks import BackgroundTask
from litestar.datastructures import State as AppState
from litestar.response import Stream
from markupsafe import Markup

from topcut.app.access.identity import Identity, Visitor
from topcut.app.live_events import LiveEvent
from topcut.app.page_cache import Page, name_file
from topcut.app.services import Services
from topcut.text.bidi import isolate

HERE = Path(__file__).parent
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""The media types of static files. The system's list may differ: on Windows any program can change it, and
browsers refuse scripts that are sent as plain text."""
STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
AnyRequest = Request[Any, Any, AppState]


def visitor_of(request: AnyRequest) -> Visitor:
    """Return the visitor whom the guard has let in."""
    visitor: Visitor = request.state.visitor
    return visitor


def identity_of(request: AnyRequest) -> Identity:
    return visitor_of(request).who


def base_of(request: AnyRequest, services: Services) -> str:
    """Return the beginning of a link that works in the hall."""
    return services.base_address(request.scope["scheme"], request.headers.get("host", "localhost"))


async def open_event(request: AnyRequest, services: Services, event: str) -> LiveEvent:
    """Open an event, at least at the version that this browser has seen."""
    return await services.open(event, request.headers.get("topcut-version", ""))


def respond(request: AnyRequest, page: Page, keep: str = "no-cache") -> Response[bytes]:
    """Send a page, or 304 if the browser has it already."""
    status, headers, body = page.answer(request.headers, keep)
    return Response(body, media_type=page.kind, headers=headers, status_code=status)


def send_file(request: AnyRequest, page: Page, name: str, how: str = "attachment") -> Response[bytes]:
    """Send a file under its name; `how`: to save it, or to show it (`inline`)."""
    sent = respond(request, page, keep="no-store")
    sent.headers |= name_file(name, how)
    return sent


def send_stream(stream: AsyncGenerator[bytes, None]) -> Stream:
    """Send server-sent events; the stream is closed also when the connection breaks."""

    async def close() -> None:  # Litestar would not wait for `aclose` itself, which is no coroutine function
        await stream.aclose()

    background = BackgroundTask(close)
    return Stream(stream, media_type="text/event-stream", headers=STREAM_HEADERS, background=background)


class Static:
    """Serve static files, each under an address that changes with their contents."""

    def __init__(self) -> None:
        files = sorted(path for path in (HERE / "static").rglob("*") if path.is_file())
        self.pages = {
            path.relative_to(HERE / "static").as_posix(): Page(path.read_bytes(), KINDS[path.suffix])
            for path in files
        }
        all_of_it = b"".join(page.etag.encode() for page in self.pages.values())
        self.digest = sha256(all_of_it).hexdigest()[:12]

    def address(self, name: str) -> str:
        """Return the address of a file; all files share one digest, since modules import each other."""
        assert name in self.pages, name
        return f"/static/{self.digest}/{name}"


@cache
def static_files() -> Static:
    """Read the static files once a process: they may be replaced while the server runs."""
    return Static()


@cache
def _templates() -> jinja2.Environment:
    """Compile all templates once a process."""
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.globals["static"] = static_files().address
    templates.filters |= {"time": moment, "plural": _count, "bidi": isolate, "coded": mark_code}
    for name in templates.list_templates():
        templates.get_template(name)
    return templates


def load_pages() -> None:
    """Read files and templates now, so that the first page need not wait."""
    _templates()


def render(template: str, /, **shown: Any) -> Page:
    """Make a page from a template."""
    return Page(_templates().get_template(template).render(shown).encode())


def moment(at: datetime | None, style: str = "time") -> Markup:
    """Write a moment, which the browser shows in the reader's time zone."""
    if at is None:
        return Markup("")
    text = at.strftime("%H:%M UTC") if style == "time" else at.strftime("%Y-%m-%d %H:%M UTC")
    return Markup('<time datetime="{}" data-show="{}">{}</time>').format(at.isoformat(), style, text)


def mark_code(text: str) -> Markup:
    """Set the parts of a sentence between backticks as code.

    >>> mark_code("`a` & b")
    Markup('<code>a</code> &amp; b')
    """
    parts = enumerate(text.split("`"))
    return Markup("").join(Markup("<code>{}</code>").format(one) if at % 2 else one for at, one in parts)


def _count(number: int, noun: str, several: str | None = None) -> str:
    return f"{number:,} {noun if number == 1 else several or noun + 's'}".replace(",", "\u2009")
