"""Show an error as one clear line: on a page, or as JSON for a script."""

import logging
from typing import Any

from litestar import Response
from litestar.exceptions import HTTPException

from topcut.app.access.identity import NotAllowed
from topcut.app.limits import NoRoom, TooMany, TooManyStreams
from topcut.app.services import BadRequest, NotHere
from topcut.errors import BadInput, TopcutError
from topcut.event.refusals import NeedsAnswer
from topcut.store.interface import NoSuchEvent, StoreError
from topcut.text.bidi import isolate
from topcut.web.responses import AnyRequest, render

STATUS: dict[type[TopcutError], int] = {
    NotHere: 404,
    BadRequest: 400,
    NotAllowed: 403,
    TooMany: 429,
    TooManyStreams: 429,
    NoRoom: 503,
}
"""The status of errors that do not come from the input."""


def error_response(request: AnyRequest, error: Exception) -> Response[Any]:
    """Answer a request that failed."""
    status, says = _explain(error)
    if request.method != "GET":
        body: dict[str, Any] = {"error": isolate(says), "kind": type(error).__name__}
        if isinstance(error, NeedsAnswer):
            body |= {"round": error.round, "answers": error.answers}
        return Response(body, status_code=status)
    page = render("error.html", status=status, says=says)
    return Response(
        page.body, status_code=status, media_type=page.kind, headers={"cache-control": "no-store"}
    )


def _explain(error: Exception) -> tuple[int, str]:
    """Return the status and the sentence for an error."""
    if isinstance(error, NoSuchEvent):
        return 404, "there is no such event here"
    if isinstance(error, StoreError):
        logging.getLogger("topcut").error("%s", error)
        return 503, "the database does not answer: try again, and look at what the server prints"
    if isinstance(error, BadInput):
        field = error.place.rpartition(".")[2].replace("_", " ")
        return 422, f"{field}: {error.problem}" if field else error.problem
    if isinstance(error, TopcutError):
        return STATUS.get(type(error), 422), str(error)
    if isinstance(error, HTTPException):
        return error.status_code, error.detail
    if isinstance(error, RecursionError):  # brackets nested too deeply
        return 400, "this is nested too deeply to be read"
    logging.getLogger("topcut").error("an error that nobody foresaw", exc_info=error)
    return 500, "something went wrong here; what was acknowledged is safe"
