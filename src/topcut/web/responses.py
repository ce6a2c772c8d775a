"""Send pages, static files, streams and errors to browsers."""

import json
import logging
import re
from collections.abc import AsyncGenerator
from datetime import datetime
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any

from litestar import Request, Response
from litestar.background_tasks import BackgroundTask
from litestar.connection import ASGIConnection
from litestar.datastructures import State as AppState
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.response import Stream
from markupsafe import Markup

from topcut.app.access.identity import Identity, NotAllowed, Visitor
from topcut.app.limits import NoRoom, TooMany, TooManyStreams
from topcut.app.live_events import LiveEvent
from topcut.app.page_cache import Page, name_file
from topcut.app.services import BadRequest, NotHere, Services
from topcut.errors import BadInput, TopcutError
from topcut.event.refusals import NeedsAnswer
from topcut.rulebook.rule_texts import NUMBER, find_rule_text, list_rule_prefixes
from topcut.store.interface import NoSuchEvent, StoreError
from topcut.text.catalogues import load_catalogue
from topcut.text.languages import list_languages
from topcut.text.locales import name_language
from topcut.text.messages import (
    ENGLISH,
    join_messages,
    language_in_use,
    moment,
    render_isolated,
    say,
    to_markup,
)
from topcut.text.messages import render as render_text
from topcut.text.templates import Templates

HERE = Path(__file__).parent
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""The media types of static files. The system's list may differ: on Windows any program can change it, and
browsers refuse scripts that are sent as plain text."""
STATUS: dict[type[TopcutError], int] = {
    NotHere: 404,
    BadRequest: 400,
    NotAllowed: 403,
    TooMany: 429,
    TooManyStreams: 429,
    NoRoom: 503,
}
"""The status of errors that do not come from the input."""
AnyRequest = Request[Any, Any, AppState]
AppServices = NamedDependency[Services]


def visitor_of(request: AnyRequest) -> Visitor:
    """Return the visitor whom the guard has let in."""
    visitor: Visitor = request.state.visitor
    return visitor


def identity_of(request: AnyRequest) -> Identity:
    return visitor_of(request).who


def only_looks(request: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Tell whether a claim (`?look=1`) asks only for its meaning. It writes nothing and counts as reading."""
    return bool(request.query_params.get("look"))


def base_of(request: AnyRequest, services: Services) -> str:
    """Return the beginning of a link that works in the hall."""
    return services.base_address(request.scope["scheme"], request.headers.get("host", "localhost"))


def page_of(request: AnyRequest) -> str:
    """Return the path and query of a page, so that a link can lead back to it."""
    query = request.scope["query_string"].decode("latin-1")
    path: str = request.scope["path"]
    return f"{path}?{query}" if query else path


async def open_event(request: AnyRequest, services: Services, event: str) -> LiveEvent:
    """Open an event for a page, at least at the version that this browser has seen, with its standings."""
    live = await services.open(event, request.headers.get("topcut-version", ""))
    await services.wait_until_ready(live)
    return live


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

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    background = BackgroundTask(close)
    return Stream(stream, media_type="text/event-stream", headers=headers, background=background)


class Static:
    """Serve static files, each under an address that changes with their contents."""

    def __init__(self) -> None:
        files = sorted(path for path in (HERE / "static").rglob("*") if path.is_file())
        self.pages = {
            path.relative_to(HERE / "static").as_posix(): Page(path.read_bytes(), KINDS[path.suffix])
            for path in files
        }
        scripts = "".join(path.read_text("utf-8") for path in files if path.suffix == ".js")
        for language in list_languages():
            texts = write_script_texts(scripts, language).encode()
            self.pages[f"texts-{language}.js"] = Page(texts, KINDS[".js"])
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
def load_templates(language: str = ENGLISH) -> Templates:
    """Return the templates in a language; those in English are compiled at once."""
    templates = Templates(HERE / "templates", language)
    templates.globals |= {
        "static": static_files().address,
        "languages": name_languages,
        "rule_prefixes": "|".join(list_rule_prefixes()),
    }
    templates.filters |= {"time": format_moment, "coded": mark_code, "rules": link_rules}
    for name in templates.list_templates() if language == ENGLISH else ():
        templates.get_template(name)
    return templates


@cache
def name_languages() -> dict[str, str]:
    """Return the languages that a reader can switch to, with their own names."""
    return {language: name_language(language) for language in list_languages()}


_SAID = re.compile(r"""\b(?:say|count)\(("(?:[^"\\]|\\.)*")""")
"""The English text of a sentence in a script."""


def write_script_texts(scripts: str, language: str) -> str:
    """Return the script that brings the texts of a language to the scripts of a page."""
    catalogue = load_catalogue(language)
    texts: dict[str, str | list[str]] = {}
    for found in _SAID.finditer(scripts):
        text = json.loads(found[1])
        if forms := catalogue.texts.get(("", text)):
            texts[text] = list(forms) if len(forms) > 1 else forms[0]
    form = f"globalThis.topcutForm = n => Number({catalogue.rule});"
    return f"globalThis.topcutTexts = {json.dumps(texts)};\n{form}\n"


def render(template: str, /, **shown: Any) -> Page:
    """Make a page from a template."""
    return Page(load_templates(language_in_use()).get_template(template).render(shown).encode())


def format_moment(at: datetime | None, style: str = "time") -> Markup:
    """Write a moment, which the browser shows in the reader's time zone."""
    if at is None:
        return Markup("")
    text = say("{time} UTC", time=moment(at, "time") if style == "time" else moment(at))
    return Markup('<time datetime="{}" data-show="{}">{}</time>').format(at.isoformat(), style, text)


def mark_code(text: str) -> Markup:
    """Set the parts of a sentence between backticks as code.

    >>> mark_code("`a` & b")
    Markup('<code>a</code> &amp; b')
    """
    parts = enumerate(render_text(text).split("`"))
    return Markup("").join(Markup("<code>{}</code>").format(one) if at % 2 else one for at, one in parts)


def error_response(request: AnyRequest, error: Exception) -> Response[Any]:
    """Answer a request that failed."""
    status, says = _explain(error)
    if request.method != "GET":
        body: dict[str, Any] = {"error": render_isolated(says), "kind": type(error).__name__}
        if isinstance(error, BadInput) and error.place:
            field = error.place.rpartition(".")[2]
            body |= {"field": field, "problem": render_isolated(error.problem)}
        if isinstance(error, NeedsAnswer):
            body |= {"round": error.round, "answers": error.answers}
        return Response(body, status_code=status)
    page = render("error.html", status=status, says=says, back=page_of(request))
    headers = {"cache-control": "no-store"}
    return Response(page.body, status_code=status, media_type=page.kind, headers=headers)


_HTTP_ERRORS = {
    400: say("Topcut can't read this request."),
    404: say("There is no page at this address."),
    405: say("This address can't be used like this."),
    413: say("This is too large."),
    429: say("Too many requests. Try again in a minute."),
}
"""What errors of the web server mean that have no sentence of their own."""


def _explain(error: Exception) -> tuple[int, str]:
    """Return the status and the sentence for an error."""
    if isinstance(error, NoSuchEvent):
        return 404, say("There is no such event here.")
    if isinstance(error, StoreError):
        logging.getLogger("topcut").error("%s", error)
        return 503, say("The database doesn't answer. Try again, and check what the server prints.")
    if isinstance(error, BadInput):
        field = error.place.rpartition(".")[2].replace("_", " ")
        return 422, join_messages(": ", [field, error.problem])
    if isinstance(error, TopcutError):
        return STATUS.get(type(error), 422), error.message
    if isinstance(error, HTTPException):
        detail, status = error.detail, error.status_code
        unsaid = detail == HTTPStatus(status).phrase or detail.startswith("Validation failed")
        return status, _HTTP_ERRORS.get(status, detail) if unsaid else detail
    if isinstance(error, RecursionError):  # brackets nested too deeply
        return 400, say("This is nested too deeply to be read.")
    logging.getLogger("topcut").error("an error that nobody foresaw", exc_info=error)
    return 500, say("Something went wrong in Topcut. Everything that was confirmed is saved.")


def link_rules(text: str) -> Markup:
    """Return a sentence for a page with each number of a rule as a link to the rule.

    >>> link_rules("no rematch (DC-5)")
    Markup('no rematch (<a class="rule" href="/rules/DC-5">DC-5</a>)')
    """
    return Markup(NUMBER.sub(_link_rule, to_markup(text)))


def _link_rule(found: re.Match[str]) -> str:
    number = found[0]
    return f'<a class="rule" href="/rules/{number}">{number}</a>' if find_rule_text(number) else number
