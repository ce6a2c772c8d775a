"""Answer errors of the API as problem+json (RFC 9457), each named error with a type of its own.

The names of types are listed here and do not follow the names of classes, which may change.
"""

import logging
from contextlib import suppress
from typing import Any

from litestar import Response
from litestar.exceptions import HTTPException, NotAuthorizedException, ValidationException

from topcut.app.access.identity import NotAllowed
from topcut.app.access.staff_links import LinkExists, NoSuchLink
from topcut.app.idempotency import KeyReused
from topcut.app.limits import NoRoom, TooMany, TooManyStreams
from topcut.app.services import BadRequest, NotHere
from topcut.app.webhooks.webhooks import NoSuchHook, TooManyHooks
from topcut.client.schemas import ProblemKind
from topcut.errors import BadInput, Impossible, TopcutError, explain_decode_error
from topcut.event import refusals as r
from topcut.event.apply.context import UnfitFact
from topcut.event.log_chain import BrokenChain
from topcut.formats.registry import NeedsRules
from topcut.store.interface import Moved, NoSuchEvent, StoreError
from topcut.text.message_json import to_plain

PROBLEMS = "/api/v1/problems/"
MEDIA = "application/problem+json"
CROSS = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "ETag, Location, Idempotency-Replayed, Retry-After",
}
"""Let pages of other sites read public answers; they send no cookies here, only a token of their own."""
AGAIN_IN = "2"
"""Seconds to wait before the next try: a database may be back by then, or a stream have ended."""

KINDS: dict[type[Exception], tuple[str, int, str]] = {
    NotAllowed: ("not-allowed", 403, "A right is missing"),
    NoSuchEvent: ("no-such-event", 404, "There is no such event"),
    r.NotNow: ("not-now", 409, "The event is not where this can be done"),
    r.DrawNotLast: ("draw-not-last", 409, "A list of commands may not go on after a draw"),
    r.AlreadyReported: ("already-reported", 409, "There is a result; a correction changes it"),
    r.AlreadyAsked: ("already-asked", 409, "This was asked already"),
    r.AlreadyLeft: ("already-left", 409, "The player has left already"),
    r.NeedsAnswer: ("needs-answer", 409, "A published round is affected: choose how to update it"),
    r.CannotUndo: ("cannot-undo", 409, "This cannot be taken back, or not alone"),
    r.RecordClosed: ("record-closed", 409, "The time to correct this record is over"),
    r.EntryClosed: ("entry-closed", 409, "Nobody can enter any more"),
    Impossible: ("impossible", 409, "The rules leave no way to do this"),
    Moved: ("version-mismatch", 412, "The event has moved on since you looked"),
    KeyReused: ("idempotency-mismatch", 409, "The key was used for another request"),
    LinkExists: ("link-exists", 409, "Somebody has a link or token under this name"),
    NoSuchLink: ("no-such-link", 404, "There is no such link or token"),
    NoSuchHook: ("no-such-webhook", 404, "There is no such webhook"),
    TooManyHooks: ("too-many-webhooks", 409, "The event has as many webhooks as it may have"),
    r.NoSuchPlayer: ("unknown-player", 422, "There is no such player"),
    r.UnknownPlayer: ("unknown-player", 422, "There is no such player"),
    r.UnknownTable: ("unknown-table", 422, "There is no such table"),
    r.NotAtTable: ("not-at-table", 422, "The player does not sit there"),
    r.BadResult: ("bad-result", 422, "No table can end like that"),
    r.NeedsReason: ("needs-reason", 422, "The log must say why"),
    r.CommandRefused: ("refused", 409, "This cannot be done"),
    BrokenChain: ("broken-chain", 422, "A log is not the one that was written"),
    UnfitFact: ("misfit", 422, "This does not fit the event"),
    NeedsRules: ("needs-rules", 422, "A list does not say by which rules it is played"),
    BadInput: ("bad-input", 422, "Something that was sent cannot be read"),
    NotHere: ("not-found", 404, "There is nothing here"),
    BadRequest: ("bad-request", 400, "The request cannot be read"),
    TooMany: ("too-many-requests", 429, "Too much at once"),
    TooManyStreams: ("too-many-streams", 429, "Too many streams are open by one link or token"),
    NoRoom: ("no-room", 503, "As many follow as can be served"),
    StoreError: ("database-unavailable", 503, "The database does not answer"),
    TopcutError: ("refused", 409, "This cannot be done"),
}
"""Each named error with the name of its type, the status and a title. The nearest class counts."""
OTHERS: dict[int, tuple[str, str]] = {
    400: ("bad-request", "The request cannot be read"),
    401: ("not-authorised", "A good token or session is needed"),
    403: ("forbidden", "This is not yours"),
    404: ("not-found", "There is nothing here"),
    405: ("method-not-allowed", "This address does not take that method"),
    413: ("too-large", "The request is too large"),
    415: ("not-json", "The request is not JSON"),
    500: ("internal", "Something went wrong here"),
}
"""The type and title of other errors, by status."""


def kinds() -> list[ProblemKind]:
    """Return all types of problems, by status."""
    known = [*KINDS.values(), *((name, status, title) for status, (name, title) in OTHERS.items())]
    found = {name: ProblemKind(type=PROBLEMS + name, status=s, title=t) for name, s, t in known}
    return sorted(found.values(), key=lambda kind: (kind.status, kind.type))


def kind_of(error: Exception) -> tuple[str, int, str]:
    """Return the name of the type, the status and the title for an error."""
    for kind in type(error).__mro__:
        if kind in KINDS:
            return KINDS[kind]
    if isinstance(error, ValidationException):  # raised before a handler runs
        return KINDS[BadInput]
    nested = isinstance(error, RecursionError)  # brackets nested too deeply
    status = error.status_code if isinstance(error, HTTPException) else 400 if nested else 500
    name, title = OTHERS.get(status, OTHERS[400] if status < 500 else OTHERS[500])
    return name, status, title


def problem(error: Exception) -> Response[Any]:
    """Return the answer for an error."""
    name, status, title = kind_of(error)
    body: dict[str, Any] = {"type": PROBLEMS + name, "title": title, "status": status}
    if isinstance(error, StoreError) and status == 503:  # must not show the database's address
        logging.getLogger("topcut").error("%s", error)
    elif isinstance(error, NoSuchEvent):
        body |= {"detail": "there is no such event here", "event": error.event}
    elif isinstance(error, TopcutError):
        body |= {"detail": error.message} | _data(error) | body
    elif isinstance(error, ValidationException) and isinstance(error.extra, list):
        body |= _misread(error.extra)
    elif isinstance(error, HTTPException):
        body["detail"] = error.detail
    elif isinstance(error, RecursionError):
        body["detail"] = "this is nested too deeply to be read"
    elif status == 500:
        logging.getLogger("topcut").error("an error that nobody foresaw", exc_info=error)
    headers = CROSS | {"cache-control": "no-store"} | dict(getattr(error, "headers", None) or {})
    if isinstance(error, NotAuthorizedException):
        headers["www-authenticate"] = "Bearer"
    if isinstance(error, TooMany):
        headers["retry-after"] = str(error.seconds)
    elif status in (429, 503):
        headers["retry-after"] = AGAIN_IN
    return Response(body, status_code=status, media_type=MEDIA, headers=headers)


def _misread(found: list[Any]) -> dict[str, Any]:
    """Return each place that does not fit its schema with its problem, and the first as a sentence."""
    errors = []
    for one in found:
        place = str(one.get("key", "")).removeprefix("data").lstrip(".") or "body"
        message = str(one.get("message", ""))
        problem = "expected JSON" if message == "'data'" else explain_decode_error(message)
        errors.append({"place": place, "problem": problem})
    return {"detail": "{place}: {problem}".format(**errors[0]), "place": errors[0]["place"], "errors": errors}


def _data(error: TopcutError) -> dict[str, Any]:
    """Return the fields of an error that JSON can hold."""
    plain = {}
    for name, value in vars(error).items():
        if name in ("problem", "file", "database", "remedy") or value in ("", None, ()):
            continue
        with suppress(TypeError):
            plain[name] = to_plain(value)
    return plain
