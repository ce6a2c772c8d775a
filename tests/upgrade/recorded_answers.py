"""What does Topcut answer, as data? Questions that the version before was asked, and those after it are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.command_line import topcut
from tests.upgrade.running_program import API, Program

LEFT_OUT = {"says", "why", "announced", "note", "notes", "preview", "label", "what", "rules_title", "title"}
LEFT_OUT |= {"warnings", "line", "text", "problems"}
"""Keys under which people are told something, in words that may be written anew."""
LEFT_OUT |= {"topcut", "left"}
"""The version of the program, and the seconds of a clock: a machine with a wrong date counts others."""
GROWING = ("/rules.items", "/problems.items", ".rights")
"""Lists to which a later version may add: rulesets, types of problems, rights of an organiser."""
STORED = "fact"
"""Under this key stands what a log says, and that is for good, with its words."""


def plain(answer: Any) -> Any:
    """Leave the sentences out of an answer."""
    if isinstance(answer, dict):
        return {
            key: value if key == STORED else plain(value)
            for key, value in answer.items()
            if key not in LEFT_OUT
        }
    return [plain(item) for item in answer] if isinstance(answer, list) else answer


def name_item(item: Any) -> str:
    """Return by what an item of a growing list is found again: its id or type, or the item itself."""
    return str(item.get("id", item.get("type")) if isinstance(item, dict) else item)


def missing(recorded: Any, answer: Any, place: str = "") -> Iterator[str]:
    """Name each place at which an answer differs from the recorded one.

    Keys may have been added, and items of lists that grow with the program.
    """
    if isinstance(recorded, dict) and isinstance(answer, dict):
        for key, value in recorded.items():
            if key in answer:
                yield from missing(value, answer[key], f"{place}.{key}")
            else:
                yield f"{place}.{key} is missing"
    elif isinstance(recorded, list) and isinstance(answer, list) and place.endswith(GROWING):
        there = {name_item(one): one for one in answer}
        for one in recorded:
            yield from missing(one, there.get(name_item(one)), f"{place}[{name_item(one)}]")
    elif isinstance(recorded, list) and isinstance(answer, list) and len(recorded) == len(answer):
        for number, (one, other) in enumerate(zip(recorded, answer, strict=True)):
            yield from missing(one, other, f"{place}[{number}]")
    elif recorded != answer:
        yield f"{place}: {recorded!r} was recorded, and now it is {answer!r}"


def questions(program: Program, event: str) -> Iterator[str]:
    """Yield the addresses that tell everything about an event, but its log."""
    yield f"/events/{event}"
    for part in ("players?limit=500", "rounds", "bracket", "draws", "questions", "webhooks", "links"):
        yield f"/events/{event}/{part}"
    rounds = program.ask(f"/events/{event}/rounds")["items"]
    for one in rounds:
        yield f"/events/{event}/rounds/{one['number']}"
    yield f"/events/{event}/standings"
    if len(rounds) > 3:
        yield f"/events/{event}/standings?after=1"


def asked(program: Program, addresses: list[str]) -> dict[str, Any]:
    """Return what a program is told at these addresses, without sentences."""
    return {address: plain(program.ask(address)) for address in addresses}


def log(program: Program, event: str) -> list[dict[str, Any]]:
    """Return the log of an event as the API tells it."""
    found: list[dict[str, Any]] = program.ask(f"/events/{event}/log?limit=500")["items"]
    return found


def undone(facts: list[dict[str, Any]]) -> list[int]:
    """Return the positions of the facts that were taken back."""
    return [fact["position"] for fact in facts if fact["undone"]]


COMMANDS = (
    ("event", "show"),
    ("player", "list"),
    ("cut",),
    ("round", "show"),
)
"""What is asked at a prompt about each event, beside what the API says too."""


def told(*command: str) -> Any:
    """Return what is said at a prompt, without sentences; where there is nothing to say, the exit code."""
    answer = topcut(*command, "--json")
    return plain(json.loads(answer.out)) if answer.code == 0 else answer.code


def described(api: dict[str, Any]) -> set[str]:
    """Return what a description of the API promises, without its sentences, one promise a line."""
    return {*_operations(api), *_shapes(api)}


def _operations(api: dict[str, Any]) -> Iterator[str]:
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            name = f"{method.upper()} {path}"
            right, tags = operation["x-right"], ",".join(operation["tags"])
            yield f"{name} operation {operation['operationId']}"
            yield f"{name} right {right}"
            yield f"{name} tag {tags}"
            for parameter in operation["parameters"]:
                need = "required" if parameter.get("required") else "optional"
                yield f"{name} {parameter['in']} {parameter['name']} {need}"
                yield from _values(f"{name} {parameter['in']} {parameter['name']}", parameter["schema"])
            for media, body in operation.get("requestBody", {}).get("content", {}).items():
                yield f"{name} takes {media} {_kind(body['schema'])}"
            for status, answer in operation["responses"].items():
                for media, body in answer.get("content", {"nothing": {}}).items():
                    yield f"{name} answers {status} {media} {_kind(body.get('schema', {}))}"
                for header in answer.get("headers", {}):
                    yield f"{name} answers {status} header {header}"


def _shapes(api: dict[str, Any]) -> Iterator[str]:
    for shape, schema in api["components"]["schemas"].items():
        if "x-right" in schema:
            yield f"{shape} right {schema['x-right']}"
        for key, value in schema.get("properties", {}).items():
            need = "required" if key in schema.get("required", ()) else "optional"
            yield f"{shape}.{key} {need} {_kind(value)}"
            yield from _values(f"{shape}.{key}", value)


def _kind(schema: dict[str, Any]) -> str:
    """Say in a word or two what a schema takes."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return "|".join(sorted(_kind(one) for one in schema["anyOf"]))
    if schema.get("type") == "array":
        return f"[{_kind(schema.get('items') or {})}]"
    return str(schema.get("type", "any"))


def _values(name: str, schema: dict[str, Any]) -> Iterator[str]:
    for value in schema.get("enum", ()):
        yield f"{name} = {value}"


def command_tags(api: dict[str, Any]) -> set[str]:
    """Return the names that commands have in the API."""
    shapes = api["components"]["schemas"].values()
    return {tag for one in shapes for tag in one.get("properties", {}).get("do", {}).get("enum", ())}


def pages(addresses: set[str], events: tuple[str, ...], secrets: dict[str, Any]) -> list[str]:
    """Return the pages behind the addresses of the web application, of these events, in their order."""
    found = {secrets["phone"]["path"], secrets["slip"]}
    for address in addresses:
        method, path = address.split(" ", 1)
        if (
            method != "GET"
            or path.startswith((API, "/static"))
            or path.endswith("/live")
            or "{signed" in path
        ):
            continue
        for event in events:
            filled = path.replace("{event:str}", event).replace("{player:str}", "p2")
            kind = "standings" if "/print/" in path else "event"
            found.add(filled.replace("{kind:str}", kind))
    return sorted(found)
