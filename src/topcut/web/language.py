"""Choose the language of a page: as the reader switched it, else as the event or the browser asks for it."""

from functools import lru_cache

from litestar import Response, get
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery

from topcut.app.access.access import A_YEAR
from topcut.app.services import NotHere
from topcut.event.state import State
from topcut.text.languages import find_language, list_languages, negotiate_language
from topcut.text.messages import say, use_language
from topcut.web.responses import AnyRequest

COOKIE = "language"
"""Remembers the language that a reader switched to."""
_negotiate = lru_cache(maxsize=1_000)(negotiate_language)


def prepare_language(request: AnyRequest) -> None:
    """Show texts in the language that the reader switched to, that of the event that was opened for this
    request, or the one that the browser asks for."""
    wanted = _chosen(request) or request.state.get(COOKIE, "")
    use_language(wanted or _negotiate(request.headers.get("accept-language", "")[:200]))


def prefer_language_of(request: AnyRequest, state: State) -> None:
    """Show texts in the language of the event, unless the reader switched to another."""
    wanted = state.options.languages
    if wanted and not _chosen(request) and (found := find_language(wanted[0])):
        request.state[COOKIE] = found  # for errors too
        use_language(found)


def _chosen(request: AnyRequest) -> str:
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in list_languages() else ""


@get("/language/{language:str}", right="hall")
async def switch_language(language: FromPath[str], back: FromQuery[str] = "/") -> Response[None]:
    """Remember a language in this browser, and go back to the page."""
    if language not in list_languages():
        raise NotHere(say("Topcut has no texts in this language."))
    inside = back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable()
    lasts = int(A_YEAR.total_seconds())
    cookie = Cookie(key=COOKIE, value=language, max_age=lasts, path="/", samesite="lax")
    return Response(
        None,
        status_code=303,
        headers={"location": back if inside else "/"},
        cookies=[cookie],
        media_type=None,
    )
