"""Answer errors of the API as problem+json (RFC 9457), each named error with a type of its own.

The names of types are listed here and do not follow the names of classes, which may change.
"""

import logging
import re
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from litestar import Response
from litestar.exceptions import ClientException, HTTPException, NotAuthorizedException, ValidationException

from topcut.api.languages import VARY
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
from topcut.text.messages import Message, join_messages, language_in_use, say

PROBLEMS = "/api/v1/problems/"
MEDIA = "application/problem+json"
CROSS = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "ETag, Location, Idempotency-Replayed, Retry-After",
}
"""Let pages of other sites read public answers; they send no cookies here, only a token of their own."""
AGAIN_IN = "2"
"""Seconds to wait before the next try: a database may be back by then, or a stream have ended."""

KINDS: dict[type[Exception], tuple[str, int, Message]] = {
    NotAllowed: ("not-allowed", 403, say("You don't have the right for this")),
    NoSuchEvent: ("no-such-event", 404, say("Event not found")),
    r.NotNow: ("not-now", 409, say("Not possible at this point of the event")),
    r.DrawNotLast: ("draw-not-last", 409, say("Commands follow a random draw in the same request")),
    r.AlreadyReported: ("already-reported", 409, say("The table already has a result")),
    r.AlreadyAsked: ("already-asked", 409, say("The player has already asked this")),
    r.AlreadyLeft: ("already-left", 409, say("The player has already dropped")),
    r.NeedsAnswer: ("needs-answer", 409, say("A published round is affected: choose how to update it")),
    r.CannotUndo: ("cannot-undo", 409, say("This step can't be undone")),
    r.RecordClosed: ("record-closed", 409, say("The time for corrections is over")),
    r.EntryClosed: ("entry-closed", 409, say("Entry is closed")),
    Impossible: ("impossible", 409, say("The rules don't allow this")),
    Moved: ("version-mismatch", 412, say("The event has changed since you read it")),
    KeyReused: ("idempotency-mismatch", 409, say("The Idempotency-Key was used for another request")),
    LinkExists: ("link-exists", 409, say("There is already a link or token with this name")),
    NoSuchLink: ("no-such-link", 404, say("Link or token not found")),
    NoSuchHook: ("no-such-webhook", 404, say("Webhook not found")),
    TooManyHooks: ("too-many-webhooks", 409, say("The event has the maximum number of webhooks")),
    r.NoSuchPlayer: ("unknown-player", 422, say("Player not found")),
    r.UnknownPlayer: ("unknown-player", 422, say("Player not found")),
    r.UnknownTable: ("unknown-table", 422, say("Table not found")),
    r.NotAtTable: ("not-at-table", 422, say("The player is not at this table")),
    r.BadResult: ("bad-result", 422, say("This result isn't possible")),
    r.NeedsReason: ("needs-reason", 422, say("A reason is required")),
    r.CommandRefused: ("refused", 409, say("This can't be done")),
    BrokenChain: ("broken-chain", 422, say("The log is damaged or was changed")),
    UnfitFact: ("misfit", 422, say("A fact doesn't fit the event")),
    NeedsRules: ("needs-rules", 422, say("The list doesn't name its ruleset")),
    BadInput: ("bad-input", 422, say("Part of the request isn't valid")),
    NotHere: ("not-found", 404, say("Not found")),
    BadRequest: ("bad-request", 400, say("The request can't be read")),
    TooMany: ("too-many-requests", 429, say("Too many requests")),
    TooManyStreams: ("too-many-streams", 429, say("This link or token has too many open streams")),
    NoRoom: ("no-room", 503, say("The server can't open another stream")),
    StoreError: ("database-unavailable", 503, say("The database doesn't answer")),
    TopcutError: ("refused", 409, say("This can't be done")),
}
"""Each named error with the name of its type, the status and a title. The nearest class counts."""
OTHERS: dict[int, tuple[str, Message]] = {
    400: ("bad-request", say("The request can't be read")),
    401: ("not-authorised", say("A valid token or session is needed")),
    403: ("forbidden", say("Your link or token isn't for this")),
    404: ("not-found", say("Not found")),
    405: ("method-not-allowed", say("This address doesn't take this method")),
    413: ("too-large", say("The request is too large")),
    415: ("not-json", say("The request isn't JSON")),
    500: ("internal", say("Something went wrong on the server")),
}
"""The type and title of other errors, by status."""
DETAILS = {
    404: say("There is nothing at this address."),
    405: say("This address doesn't take this method."),
    413: say("The request is too large."),
}
"""What is said of errors that only have a status."""
PHRASES = {status.phrase for status in HTTPStatus}


def kinds() -> list[ProblemKind]:
    """Return all types of problems, by status."""
    known = [*KINDS.values(), *((name, status, title) for status, (name, title) in OTHERS.items())]
    found = {name: ProblemKind(type=PROBLEMS + name, status=s, title=t) for name, s, t in known}
    return sorted(found.values(), key=lambda kind: (kind.status, kind.type))


def kind_of(error: Exception) -> tuple[str, int, Message]:
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
        body |= {"detail": say("There is no event with this id."), "event": error.event}
    elif isinstance(error, TopcutError):
        body |= {"detail": error.message} | _data(error) | body
    elif isinstance(error, ValidationException) and isinstance(error.extra, list):
        body |= _misread(error.extra)
    elif isinstance(error, HTTPException):
        body["detail"] = _explain_http_error(error)
    elif isinstance(error, RecursionError):
        body["detail"] = say("The JSON is nested too deeply.")
    elif status == 500:
        logging.getLogger("topcut").error("an error that nobody foresaw", exc_info=error)
    headers = CROSS | {"cache-control": "no-store"} | dict(getattr(error, "headers", None) or {})
    if isinstance(error, NotAuthorizedException):
        headers["www-authenticate"] = "Bearer"
    if isinstance(error, TooMany):
        headers["retry-after"] = str(error.seconds)
    elif status in (429, 503):
        headers["retry-after"] = AGAIN_IN
    headers |= {"content-language": language_in_use(), "vary": VARY}
    return Response(to_plain(body), status_code=status, media_type=MEDIA, headers=headers)


def _explain_http_error(error: HTTPException) -> str:
    """Return what an error says, in our words where it has only those of the framework."""
    said = error.detail
    if isinstance(said, Message):
        return said
    if missing := re.match(r"Missing required query parameter '(\w+)'", said):
        return say("The query parameter “{name}” is required.", name=missing[1])
    if type(error) is ClientException:
        return say("The body isn't valid JSON: {problem}", problem=said.removeprefix("JSON is malformed: "))
    return DETAILS[error.status_code] if said in PHRASES and error.status_code in DETAILS else said


def _misread(found: list[Any]) -> dict[str, Any]:
    """Return each place that does not fit its schema with its problem, and the first as a sentence."""
    errors = []
    for one in found:
        place = str(one.get("key", "")).removeprefix("data").lstrip(".") or "body"
        message = str(one.get("message", ""))
        problem = say("expected JSON") if message == "'data'" else explain_decode_error(message)
        errors.append({"place": place, "problem": problem})
    first = errors[0]
    return {"detail": join_messages(": ", first.values()), "place": first["place"], "errors": errors}


def _data(error: TopcutError) -> dict[str, Any]:
    """Return the fields of an error that JSON can hold."""
    plain = {}
    for name, value in vars(error).items():
        if name in ("message", "problem", "file", "database", "remedy") or value in ("", None, ()):
            continue
        with suppress(TypeError):
            plain[name] = str(value) if name == "place" else to_plain(value)  # programs may compare a place
    return plain
