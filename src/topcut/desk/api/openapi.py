"""The API, as OpenAPI 3.1 describes it: read off the handlers, so that the two cannot differ.

Shapes are described by the decoder that reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from litestar import Litestar, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import BodyKwarg, PathParameter, QueryParameter
from litestar.response import Stream

import topcut
from topcut.client.shapes import Problem
from topcut.event.commands import AnyCommand
from topcut.event.rights import NEEDS, RIGHTS

PREFIX = "/api/v1"
REF = "#/components/schemas/{name}"
BINARY = {"paper": "application/pdf", "export": "application/x-ndjson", "reference": "text/html"}
"""What answers are that are not JSON, by the name of the handler."""
HEADERS = {
    "If-Match": "Only if the event is still at the version of this ETag; otherwise 412.",
    "Idempotency-Key": "The same request with the same key is done once and answered alike.",
}


class _Schemas:
    """The schemas of all types that come up."""

    def __init__(self, types: list[Any]) -> None:
        found, self.components = msgspec.json.schema_components(types, ref_template=REF)
        self._of = {repr(kind): schema for kind, schema in zip(types, found, strict=True)}

    def of(self, kind: Any) -> dict[str, Any]:
        return self._of[repr(kind)]


def described(app: Litestar) -> dict[str, Any]:
    """The description of all addresses of the API."""
    operations = list(_operations(app))
    types = [kind for _, _, handler in operations for kind in _types(handler)]
    schemas = _Schemas([*types, AnyCommand, Problem])
    paths: dict[str, dict[str, Any]] = {}
    for path, method, handler in operations:
        paths.setdefault(path, {})[method] = _operation(path, handler, schemas)
    for name, schema in schemas.components.items():
        for command, right in NEEDS.items():
            if name == command.__name__ and "do" in schema.get("properties", {}):
                schema["x-right"] = right
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Topcut",
            "version": topcut.__version__,
            "summary": "A tournament desk",
            "description": "Everything the desk can do. What everybody may see takes no token.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "x-rights": RIGHTS,
    }


def _operations(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    for route in app.routes:
        if route.path == PREFIX or route.path.startswith(f"{PREFIX}/"):
            for handler in getattr(route, "route_handlers", ()):
                for method in sorted(set(handler.http_methods) - {"OPTIONS"}):
                    yield re.sub(r":\w+}", "}", route.path), method.lower(), handler


def _hints(handler: HTTPRouteHandler) -> Iterator[tuple[str, Any, Any]]:
    """The parameters of a handler that come with a request: name, type, and what kind it is."""
    for name, hint in get_type_hints(handler.fn, include_extras=True).items():
        if get_origin(hint) is Annotated:
            kind, *marks = get_args(hint)
            for mark in marks:
                if isinstance(mark, PathParameter | QueryParameter | BodyKwarg):
                    yield name, kind, mark


def _answer(handler: HTTPRouteHandler) -> Any:
    """The type of an answer."""
    hint = get_type_hints(handler.fn)["return"]
    return get_args(hint)[0] if get_origin(hint) is Response else hint


def _types(handler: HTTPRouteHandler) -> Iterator[Any]:
    for _, kind, _ in _hints(handler):
        yield kind
    answer = _answer(handler)
    if answer not in (bytes, Stream, type(None)):
        yield answer


def _operation(path: str, handler: HTTPRouteHandler, schemas: _Schemas) -> dict[str, Any]:
    right = handler.opt["right"]
    found: dict[str, Any] = {
        "operationId": f"{handler.fn.__module__.rpartition('.')[2]}_{handler.fn.__name__}",
        "summary": " ".join((handler.fn.__doc__ or "").split()),
        "tags": [handler.fn.__module__.rpartition(".")[2]],
        "x-right": right,
        "security": [{"token": []}] if right not in ("hall", "ask", "speak") else [{}, {"token": []}],
        "parameters": list(_parameters(path, handler, schemas)),
        "responses": {
            str(handler.status_code): _success(handler, schemas),
            "default": {
                "description": "Something went wrong",
                "content": {"application/problem+json": {"schema": schemas.of(Problem)}},
            },
        },
    }
    for _, kind, mark in _hints(handler):
        if isinstance(mark, BodyKwarg):
            content = {"application/json": {"schema": schemas.of(kind)}}
            found["requestBody"] = {"required": True, "content": content}
    return found


def _parameters(path: str, handler: HTTPRouteHandler, schemas: _Schemas) -> Iterator[dict[str, Any]]:
    defaults = dict(
        zip(
            reversed(handler.fn.__code__.co_varnames[: handler.fn.__code__.co_argcount]),
            reversed(handler.fn.__defaults__ or ()),
            strict=False,
        )
    )
    for name, kind, mark in _hints(handler):
        if isinstance(mark, BodyKwarg):
            continue
        inside = isinstance(mark, PathParameter)
        schema = schemas.of(kind)
        if name in defaults and defaults[name] is not None:
            schema = schema | {"default": defaults[name]}
        yield {
            "name": name,
            "in": "path" if inside else "query",
            "required": inside or name not in defaults,
            "schema": schema,
        }
    if path.endswith("/commands"):
        for header, says in HEADERS.items():
            yield {"name": header, "in": "header", "description": says, "schema": {"type": "string"}}
    elif path in (f"{PREFIX}/events", f"{PREFIX}/events/import") and "POST" in handler.http_methods:
        says = HEADERS["Idempotency-Key"]
        schema = {"type": "string"}
        yield {"name": "Idempotency-Key", "in": "header", "description": says, "schema": schema}


def _success(handler: HTTPRouteHandler, schemas: _Schemas) -> dict[str, Any]:
    answer = _answer(handler)
    if answer is type(None):
        return {"description": "Done"}
    if answer is Stream:
        return {"description": "A stream", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    if answer is bytes:
        media = BINARY.get(handler.fn.__name__, "application/json")
        return {"description": "A file", "content": {media: {}}}
    return {"description": "The answer", "content": {"application/json": {"schema": schemas.of(answer)}}}
