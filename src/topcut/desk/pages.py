"""How does a page come to a browser? Templates, static files, compression, headers that keep others out."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
from litestar import Request, Response
from litestar.datastructures import State as AppState
from markupsafe import Markup

from topcut.desk.bidi import isolated

HERE = Path(__file__).parent
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""What our own files are. The system's list may differ: on Windows any program can change it, and browsers
refuse scripts that are said to be plain text."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
AnyRequest = Request[Any, Any, AppState]


class Page:
    """Bytes that are sent as they are, and compressed once for all who ask."""

    def __init__(self, body: bytes, kind: str = "text/html") -> None:
        self.body = body
        self.kind = kind
        self.etag = f'"{sha256(body).hexdigest()[:20]}"'

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.body, 6, mtime=0)


def respond(request: AnyRequest, page: Page, keep: str = "no-cache", status: int = 200) -> Response[bytes]:
    """A page for a browser, or only that it has the page already."""
    headers = {"cache-control": keep, "etag": page.etag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == page.etag and status == 200:
        return Response(b"", status_code=304, headers=headers)
    body = page.body
    if len(body) > 500 and "gzip" in request.headers.get("accept-encoding", ""):
        body = page.compressed
        headers["content-encoding"] = "gzip"
    return Response(body, media_type=page.kind, headers=headers, status_code=status)


@dataclass(frozen=True)
class _Kept:
    mark: Hashable
    page: Page


class Shelf:
    """Pages that many ask for, as long as they are true; so many, and so large together, at most."""

    def __init__(self, room: int = 512, most: int = 64_000_000) -> None:
        self.room = room
        self.most = most
        self.size = 0
        self._pages: OrderedDict[Hashable, _Kept] = OrderedDict()

    def find(self, name: Hashable, mark: Hashable) -> Page | None:
        kept = self._pages.get(name)
        if kept is None or kept.mark != mark:
            return None
        self._pages.move_to_end(name)
        return kept.page

    def put(self, name: Hashable, mark: Hashable, page: Page) -> Page:
        if old := self._pages.pop(name, None):
            self.size -= len(old.page.body)
        self._pages[name] = _Kept(mark, page)
        self.size += len(page.body)
        while len(self._pages) > self.room or (self.size > self.most and len(self._pages) > 1):
            _, oldest = self._pages.popitem(last=False)
            self.size -= len(oldest.page.body)
        return page

    def kept(self, name: Hashable, mark: Hashable, made: Callable[[], Page]) -> Page:
        """The page that is there and still true, else a new one."""
        return self.find(name, mark) or self.put(name, mark, made())

    def __len__(self) -> int:
        """How many pages are kept."""
        return len(self._pages)


class Static:
    """Our own files, each under an address that changes with what is in it."""

    def __init__(self) -> None:
        files = sorted(path for path in (HERE / "static").rglob("*") if path.is_file())
        self.pages = {
            path.relative_to(HERE / "static").as_posix(): Page(path.read_bytes(), KINDS[path.suffix])
            for path in files
        }
        all_of_it = b"".join(page.etag.encode() for page in self.pages.values())
        self.digest = sha256(all_of_it).hexdigest()[:12]

    def address(self, name: str) -> str:
        """Where a file is; one digest for all, since modules name each other."""
        assert name in self.pages, name
        return f"/static/{self.digest}/{name}"


class Templates:
    """The templates, with what all of them may use."""

    def __init__(self, static: Static) -> None:
        self.env = jinja2.Environment(
            loader=jinja2.FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self.env.globals["static"] = static.address
        self.env.filters["time"] = moment
        self.env.filters["counted"] = _counted
        self.env.filters["bidi"] = isolated
        self.env.filters["coded"] = coded
        for name in self.env.list_templates():  # now: the files may be replaced while the server runs
            self.env.get_template(name)

    def page(self, template: str, /, **shown: Any) -> Page:
        return Page(self.env.get_template(template).render(shown).encode())


@cache
def own_files() -> tuple[Static, Templates]:
    """The files of this program; to read and compile them takes a while, and every house has the same."""
    static = Static()
    return static, Templates(static)


def moment(at: datetime | None, style: str = "time") -> Markup:
    """A moment, which the browser shows in the reader's own time."""
    if at is None:
        return Markup("")
    text = at.strftime("%H:%M UTC") if style == "time" else at.strftime("%Y-%m-%d %H:%M UTC")
    return Markup('<time datetime="{}" data-show="{}">{}</time>').format(at.isoformat(), style, text)


def coded(text: str) -> Markup:
    """A sentence in which `this` is what a program says or hears.

    >>> coded("`a` & b")
    Markup('<code>a</code> &amp; b')
    """
    parts = enumerate(text.split("`"))
    return Markup("").join(Markup("<code>{}</code>").format(one) if at % 2 else one for at, one in parts)


def _counted(number: int, noun: str, several: str | None = None) -> str:
    return f"{number:,} {noun if number == 1 else several or noun + 's'}".replace(",", "\u2009")
