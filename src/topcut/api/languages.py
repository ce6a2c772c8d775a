"""Answer a program in the language of its `Accept-Language`; cookies of pages do not count."""

from typing import Any

from litestar import Request, Response
from litestar.datastructures import State
from litestar.response import Stream

from topcut.text.languages import negotiate_language
from topcut.text.messages import language_in_use, use_language

VARY = "authorization, cookie, accept-language"
"""The headers on which an answer depends."""


def prepare_language(request: Request[Any, Any, State]) -> None:
    """Show texts in the language that the program asks for, else in English."""
    use_language(negotiate_language(request.headers.get("accept-language", "")[:200]))


async def tell_language(answer: Response[Any]) -> Response[Any]:
    """Say in the headers of an answer which language its texts are in. Files are in no language.

    A repeated answer is in the language of the first one.
    """
    has_texts = isinstance(answer, Stream) or not isinstance(answer.content, bytes | None)
    if has_texts and "idempotency-replayed" not in answer.headers:
        answer.headers |= {"content-language": language_in_use()}
        answer.headers.setdefault("vary", VARY)
    return answer
