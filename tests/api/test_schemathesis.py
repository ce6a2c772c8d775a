"""Whatever its description allows, and whatever not: the API never fails, and answers as it is described."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from tests.api.server_thread import Served, entries
from tests.tiers import SOAK

pytestmark = pytest.mark.large  # whatever the description of the API allows

Operation = APIOperation[Any, Any, Any, Any]
AnyCase = Case[Any]
EXAMPLES = 200 if SOAK else 3
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
"""For every answer."""
ENDLESS = {"stream"}
"""A stream has no end to wait for: test_stream.py."""
JUDGED = {
    "ask",
    "enter_line",
    "forget_player",
    "give_commands",
    "give_own_commands",
    "import_event",
    "make_event",
    "new_link",
    "new_webhook",
    "new_wide_link",
    "plan",
    "preview_list",
    "print_sheet",
}
"""Where the rules, the state of the event, an ETag or what stands in a text decide: a description cannot say
what these refuse, and they refuse most of what is drawn at random."""
DO = ["/api/v1/events/{event}/commands", "/api/v1/events/{event}/entry"]
EVENTS = ["cup", "cards", "kids", "empty"]
PLAYERS = [f"p{number}" for number in range(1, 9)]
NAMES = ["Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal"]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Swiss rounds with a bracket that is played, tables of four, divisions, and an event without anybody."""
    with Served(tmp_path_factory.mktemp("schemathesis") / "full.db") as served:
        served.make("cup", "mtr", entries(*NAMES), format="swiss+elimination", rounds=2, cut=4)
        served.play("cup", 3)
        served.make("cards", "commander-4", entries(*NAMES))
        served.play("cards", 2, whole=lambda number: number == 0)
        served.make("kids", "pokemon-2017", entries(*NAMES))
        served.play("kids", 2, whole=lambda number: number == 0)
        served.make("empty", "mtr", [])
        yield served


@pytest.fixture(scope="module")
def description(full: Served) -> dict[str, Any]:
    found: dict[str, Any] = full.http().get("/openapi.json").json()
    return found


def test_the_description_is_openapi(description: dict[str, Any]) -> None:
    OPENAPI_31_VALIDATOR.validate(description)
    operations = [one for path in description["paths"].values() for one in path.values()]
    ids = [one["operationId"] for one in operations]
    assert sorted(set(ids)) == sorted(ids)
    assert all(one["summary"].endswith(".") for one in operations), "each says what it answers"
    assert {one["tags"][0] for one in operations} == {tag["name"] for tag in description["tags"]}
    known = {f"#/components/schemas/{name}" for name in description["components"]["schemas"]}
    assert set(references(description)) <= known


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def narrowed(description: dict[str, Any]) -> dict[str, Any]:
    """The same description with players, tables and rounds that there are, so that something happens."""
    raw = deepcopy(description)
    known = {
        "player": {"enum": PLAYERS},
        "first": {"enum": PLAYERS},
        "second": {"enum": PLAYERS},
        "winner": {"enum": [*PLAYERS, "draw", "double_loss"]},
        "table": {"enum": [1, 2, 3, 4]},
        "round": {"enum": [1, 2, 3]},
        "step": {"enum": list(range(1, 40))},
        "text": {"enum": ["1 2-0", "2 w1", "1 -", "u", "pair", "publish", "start", "end", "1 d1", "x"]},
    }
    for name, schema in raw["components"]["schemas"].items():
        if "do" in schema.get("properties", {}) or name in ("Result", "SureLine", "Line", "Back"):
            for field in schema["properties"]:
                schema["properties"][field] = known.get(field, schema["properties"][field])
    return raw


def operations_of(raw: dict[str, Any]) -> Iterator[tuple[str, Operation]]:
    schema = schemathesis.openapi.from_dict(raw)
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        name = operation.definition.raw["operationId"]
        if name not in ENDLESS:
            yield name, operation


def cases(operation: Operation, mode: GenerationMode) -> st.SearchStrategy[AnyCase]:
    """Requests about things that are there, most of them, and about anything."""
    path = operation.path
    anything = operation.as_strategy(generation_mode=mode)
    if "{event}" not in path:
        return anything

    def of(event: str, player: str) -> st.SearchStrategy[AnyCase]:
        known = {"event": event, "player": player, "number": 1}
        there = {name: value for name, value in known.items() if f"{{{name}}}" in path}
        return operation.as_strategy(generation_mode=mode, path_parameters=there)

    return st.one_of(*(of(event, player) for event, player in zip(EVENTS, PLAYERS, strict=False)), anything)


def can_be_wrong(operation: Operation) -> bool:
    """Whether there is anything that a description forbids: any text may stand in an address."""
    raw = operation.definition.raw
    asked = [one["schema"] for one in raw["parameters"] if one["in"] == "query"]
    return "requestBody" in raw or any(one != {"type": "string"} for one in asked)


def checks_of(name: str, operation: Operation, mode: GenerationMode) -> list[Any]:
    """What must hold for the answers of an operation."""
    if mode.is_positive:
        return [*CHECKS, *([] if name in JUDGED else [positive_data_acceptance])]
    # What is in an address and nobody asked for is passed over, as everywhere.
    return [*CHECKS, *([negative_data_rejection] if "requestBody" in operation.definition.raw else [])]


def tried(
    served: Served,
    raw: dict[str, Any],
    token: str,
    wanted: Callable[[Operation], bool],
    examples: int = EXAMPLES,
    wrong: bool = True,
) -> int:
    """Send requests to all operations that are wanted, also such as the description forbids; how many."""
    asked = 0
    with requests.Session() as session:
        session.trust_env = False
        sent: dict[str, Any] = {"base_url": served.address, "session": session}
        if token:
            sent["headers"] = {"Authorization": f"Bearer {token}"}
        for name, operation in operations_of(raw):
            both = wrong and can_be_wrong(operation)
            for mode in GenerationMode if both else [GenerationMode.POSITIVE]:
                if wanted(operation):
                    checks = checks_of(name, operation, mode) + ([ignored_auth] if token else [])
                    asked += sent_to(cases(operation, mode), sent | {"checks": checks}, examples)
    return asked


def sent_to(requests: st.SearchStrategy[AnyCase], how: dict[str, Any], examples: int) -> int:
    """Send some of the requests; how many."""
    count = 0

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), database=None)
    @given(case=requests)
    def ask(case: AnyCase) -> None:
        nonlocal count
        count += 1
        case.call_and_validate(**how)

    ask()
    return count


def is_open(operation: Operation) -> bool:
    """Whether it takes no token."""
    return {} in operation.definition.raw["security"]


def test_everybody(full: Served, description: dict[str, Any]) -> None:
    assert tried(full, description, "", is_open) > 50


def test_an_organiser_looks(full: Served, description: dict[str, Any]) -> None:
    token = full.token()
    asked = tried(full, description, token, lambda one: one.method == "get" and not is_open(one))
    assert asked > 20


def test_an_organiser_does_everything(full: Served, description: dict[str, Any]) -> None:
    """What they do changes events; it never revokes the token in their hands, whose id nobody can guess."""
    token = full.token()
    assert tried(full, description, token, lambda one: one.method != "get") > 50
    assert full.http(token).get("").json()["you"]["role"] == "organiser"


def test_an_organiser_gives_commands(full: Served, description: dict[str, Any]) -> None:
    """One at a time, at any version, so that many of them count."""

    def versions() -> int:
        return sum(one.get("version", 0) for one in full.http().get("/events").json()["items"])

    raw, before = narrowed(description), versions()
    for path in [path for path in raw["paths"] if path not in DO]:
        del raw["paths"][path]
    for operations in raw["paths"].values():
        operations["post"]["parameters"] = [
            one for one in operations["post"]["parameters"] if one["in"] == "path"
        ]
    raw["components"]["schemas"]["Commands"]["properties"]["commands"]["maxItems"] = 1
    tried(full, raw, full.token(), lambda _: True, 12 * EXAMPLES, wrong=False)
    assert versions() > before
