"""Describe the API as OpenAPI 3.1, from its handlers, so that the two cannot differ.

Schemas come from the types that are decoded; their descriptions from docstrings, also those below fields.
"""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
import msgspec.inspect as kinds
from litestar import Litestar, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import BodyKwarg, PathParameter, QueryParameter
from litestar.response import Stream
from msgspec import Struct

import topcut
from topcut.api.requests import NUMBER, TAG
from topcut.app.access.roles import OPEN
from topcut.client.schemas import Message, Problem
from topcut.event.commands import COMMANDS, AnyCommand
from topcut.event.rights import RIGHTS
from topcut.formats.registry import FORMATS
from topcut.rulebook import list_ids

PREFIX = "/api/v1"
REF = "#/components/schemas/{name}"
TAGS = {
    "service": "Service",
    "events": "Events",
    "looking": "Read an event",
    "commands": "Commands",
    "staff": "Links and tokens",
    "hooks": "Webhooks",
    "stream": "Stream",
    "people": "Personal data",
}
"""The titles of the groups of addresses."""
GROUPS = {"read": "looking", "webhooks": "hooks", "assets": "service"} | dict.fromkeys(
    ("personal_data", "forget_player"), "people"
)
"""The group of a module or a handler where it is not the module's name: programs know these names."""
OTHER_MEDIA_TYPES: dict[str, tuple[str, ...]] = {
    "print_sheet": ("application/pdf",),
    "export_event": ("application/x-ndjson",),
    "export_as": tuple(dict.fromkeys(file_format.media for file_format in FORMATS.values())),
    "export_site": ("application/zip",),
    "api_docs": ("text/html; charset=utf-8",),
}
"""The media types of answers that are not JSON, by the name of the handler."""
HEADER_TEXTS = {
    "If-Match": "Execute the commands only if the event is still at the version of this ETag; otherwise 412.",
    "If-None-Match": "Answer only if the event is at another version than this ETag; otherwise 304.",
    "Topcut-Version": "The answer is at least as new as this version, whichever process answers.",
    "Last-Event-ID": "The last `id` that you received, as browsers send it. It overrides `since`.",
    "Idempotency-Key": "A request with the same key is executed once. For two days it gets the same answer.",
    "Idempotency-Replayed": "`true` if the request was executed earlier and this is the answer from then.",
    "ETag": "The version of the event, with your rights and your language.",
}
"""The descriptions of headers."""
HEADER_PATTERNS = {
    "Idempotency-Key": {"pattern": r"^[\x21-\x7e]{1,200}$"},
    "If-Match": {"pattern": TAG},
    "Last-Event-ID": {"pattern": NUMBER},
}
"""The patterns of headers."""
COMMAND_HANDLERS = ("give_commands", "give_own_commands", "forget_player")
KEYED_HANDLERS = (*COMMAND_HANDLERS, "make_event", "import_event")
"""The handlers that take an `Idempotency-Key`."""


@cache
def _find_field_docstrings(module: ModuleType) -> dict[str, dict[str, str]]:
    """Return the docstrings below fields, for each class of a module."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            notes = found.setdefault(node.name, {})
            for field, below in zip(node.body, node.body[1:], strict=False):
                match field, below:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(says))),
                    ):
                        notes[name] = " ".join(says.split())
    return found


def _notes_of(shape: type[Struct]) -> dict[str, str]:
    """Return the description of each field of a shape, inherited fields included."""
    found: dict[str, str] = {}
    for part in reversed(shape.__mro__):
        module = inspect.getmodule(part)
        if module is not None and issubclass(part, Struct) and part is not Struct:
            found |= _find_field_docstrings(module).get(part.__name__, {})
    return found


def _shapes_in(types: Iterable[Any]) -> set[type[Struct]]:
    """Return all shapes that occur in types, and in the fields of these shapes."""
    found: set[type[Struct]] = set()
    waiting = list(kinds.multi_type_info(types))
    while waiting:
        match waiting.pop():
            case kinds.StructType(cls=shape, fields=fields) if shape not in found:
                found.add(shape)
                waiting += (field.type for field in fields)
            case kinds.UnionType(types=inner) | kinds.TupleType(item_types=inner):
                waiting += inner
            case (
                kinds.ListType(item_type=one)
                | kinds.VarTupleType(item_type=one)
                | kinds.DictType(value_type=one)
                | kinds.Metadata(type=one)
            ):
                waiting.append(one)
    return found


class _Schemas:
    """The schemas of all types of requests and answers."""

    def __init__(self, types: list[Any]) -> None:
        found, self.components = msgspec.json.schema_components(types, ref_template=REF)
        self._of = {repr(kind): schema for kind, schema in zip(types, found, strict=True)}
        for shape in _shapes_in(types):
            schema, notes = self.components[shape.__name__], _notes_of(shape)
            for name, field in schema["properties"].items():
                if name in notes:
                    field["description"] = notes[name]
                if name == "rules" and "enum" not in field and schema["title"] == "NewEvent":
                    field["enum"] = list(list_ids())

    def of(self, kind: Any) -> dict[str, Any]:
        return self._of[repr(kind)]


def describe_api(app: Litestar) -> dict[str, Any]:
    """Return the OpenAPI document of all addresses of the API."""
    operations = list(_operations(app))
    types = [kind for _, _, handler in operations for kind in _types(handler)]
    schemas = _Schemas([*types, AnyCommand, Problem, Message])
    paths: dict[str, dict[str, Any]] = {}
    for path, method, handler in operations:
        paths.setdefault(path, {})[method] = _operation(handler, schemas)
    for command in COMMANDS:
        schema = schemas.components.get(command.__name__, {})
        if "do" in schema.get("properties", {}):
            schema["x-right"] = command.right
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Topcut",
            "version": topcut.__version__,
            "summary": "A tournament desk",
            "description": "Everything the desk can do. Public data needs no token. Send `Accept-Language`"
            " to get texts (`detail`, `title`, `says`, `why`, `warnings`) in another language.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": says} for name, says in TAGS.items()],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "x-rights": {right: words.in_english() for right, words in RIGHTS.items()},
    }


def _operations(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    for route in app.routes:
        if route.path == PREFIX or route.path.startswith(f"{PREFIX}/"):
            for handler in getattr(route, "route_handlers", ()):
                for method in sorted(set(handler.http_methods) - {"OPTIONS"}):
                    yield re.sub(r":\w+}", "}", route.path), method.lower(), handler


def _hints(handler: HTTPRouteHandler) -> Iterator[tuple[str, Any, Any]]:
    """Return the parameters that a request has for a handler: name, type, and kind of parameter."""
    for name, hint in get_type_hints(handler.fn, include_extras=True).items():
        if get_origin(hint) is Annotated:
            kind, *marks = get_args(hint)
            for mark in marks:
                if isinstance(mark, PathParameter | QueryParameter | BodyKwarg):
                    yield name, kind, mark


def _answer(handler: HTTPRouteHandler) -> Any:
    """Return the type of a handler's answer."""
    hint = get_type_hints(handler.fn)["return"]
    return get_args(hint)[0] if get_origin(hint) is Response else hint


def _types(handler: HTTPRouteHandler) -> Iterator[Any]:
    for _, kind, _ in _hints(handler):
        yield kind
    answer = _answer(handler)
    if answer not in (bytes, Stream, type(None)):
        yield answer


def _group(handler: HTTPRouteHandler) -> str:
    module = handler.fn.__module__.rpartition(".")[2]
    return GROUPS.get(handler.fn.__name__) or GROUPS.get(module, module)


def _operation(handler: HTTPRouteHandler, schemas: _Schemas) -> dict[str, Any]:
    right = handler.opt["right"]
    found: dict[str, Any] = {
        "operationId": handler.operation_id or handler.fn.__name__,
        "summary": " ".join((handler.fn.__doc__ or "").split()),
        "tags": [_group(handler)],
        "x-right": right,
        "security": [{}, {"token": []}] if right in OPEN else [{"token": []}],
        "parameters": [*_parameters(handler, schemas), *_headers(handler)],
        "responses": _responses(handler, schemas),
    }
    for _, kind, mark in _hints(handler):
        if isinstance(mark, BodyKwarg):
            content = {"application/json": {"schema": schemas.of(kind)}}
            found["requestBody"] = {"required": True, "content": content}
    return found


def _parameters(handler: HTTPRouteHandler, schemas: _Schemas) -> Iterator[dict[str, Any]]:
    for name, kind, mark in _hints(handler):
        if isinstance(mark, BodyKwarg):
            continue
        inside = isinstance(mark, PathParameter)
        schema = schemas.of(kind)
        if "anyOf" in schema:  # without null: an address leaves the parameter out instead
            (schema,) = (one for one in schema["anyOf"] if one != {"type": "null"})
        if schema.get("enum"):
            schema = schema | {"enum": [one for one in schema["enum"] if one is not None]}
        limits = {"minimum": mark.ge, "maximum": mark.le, "pattern": mark.pattern}
        schema = schema | {key: value for key, value in limits.items() if value is not None}
        if name == "rules" and not inside:
            schema["enum"] = list(list_ids())
        default = inspect.signature(handler.fn).parameters[name].default
        required = default is inspect.Parameter.empty
        if not required and default not in (None, ""):
            schema["default"] = default
        found = {"name": name, "in": "path" if inside else "query", "required": required, "schema": schema}
        yield found | ({"description": mark.description} if mark.description else {})


def _headers(handler: HTTPRouteHandler) -> Iterator[dict[str, Any]]:
    """Return the headers that a handler reads."""
    found = ["If-None-Match", "Topcut-Version"] if _group(handler) == "looking" else []
    if handler.fn.__name__ == "stream":
        found.append("Last-Event-ID")
    if handler.fn.__name__ in KEYED_HANDLERS:
        found.append("Idempotency-Key")
        if "event" in (name for name, _, _ in _hints(handler)):
            found.append("If-Match")
    for name in found:
        schema = {"type": "string"} | HEADER_PATTERNS.get(name, {})
        yield {"name": name, "in": "header", "description": HEADER_TEXTS[name], "schema": schema}


def _responses(handler: HTTPRouteHandler, schemas: _Schemas) -> dict[str, Any]:
    is_reading, once = _group(handler) == "looking", handler.fn.__name__ in KEYED_HANDLERS
    told = ["ETag"] if is_reading or handler.fn.__name__ in COMMAND_HANDLERS else []
    told += ["Idempotency-Replayed"] if once else []
    success = _success(handler, schemas)
    if told:
        text = {"type": "string"}
        success["headers"] = {name: {"description": HEADER_TEXTS[name], "schema": text} for name in told}
    problem = {"application/problem+json": {"schema": schemas.of(Problem)}}
    found: dict[str, Any] = {str(handler.status_code): success}
    if is_reading:
        found["304"] = {"description": "Nothing has changed"}
    return found | {"default": {"description": "Something went wrong", "content": problem}}


def _success(handler: HTTPRouteHandler, schemas: _Schemas) -> dict[str, Any]:
    answer = _answer(handler)
    if answer is type(None):
        return {"description": "Done"}
    if answer is Stream:
        media = {"schema": {"type": "string"}, "x-message": schemas.of(Message)}
        return {"description": "A stream", "content": {"text/event-stream": media}}
    if answer is bytes:
        kinds = OTHER_MEDIA_TYPES.get(handler.fn.__name__, ("application/json",))
        return {"description": "A file", "content": {media: {} for media in kinds}}
    return {"description": "The answer", "content": {"application/json": {"schema": schemas.of(answer)}}}
