"""What goes wrong: problem+json, with a type for each named error that never changes."""

from __future__ import annotations

import logging
import pkgutil
from importlib import import_module
from typing import Any

import pytest

import topcut
from tests.api.server_thread import FREE, Cup, Served, entries
from topcut.api.problems import kind_of, kinds
from topcut.app.limits import Limits, Rate, Rates, StreamLimits
from topcut.errors import TopcutError
from topcut.event import commands as c
from topcut.store.interface import StoreError

TYPES = {
    "already-asked": 409,
    "already-left": 409,
    "already-reported": 409,
    "draw-not-last": 409,
    "bad-input": 422,
    "needs-rules": 422,
    "bad-request": 400,
    "bad-result": 422,
    "broken-chain": 422,
    "cannot-undo": 409,
    "database-unavailable": 503,
    "entry-closed": 409,
    "forbidden": 403,
    "idempotency-mismatch": 409,
    "impossible": 409,
    "internal": 500,
    "link-exists": 409,
    "method-not-allowed": 405,
    "misfit": 422,
    "needs-answer": 409,
    "needs-reason": 422,
    "no-room": 503,
    "no-such-event": 404,
    "no-such-link": 404,
    "no-such-webhook": 404,
    "not-allowed": 403,
    "not-at-table": 422,
    "not-authorised": 401,
    "not-found": 404,
    "not-json": 415,
    "not-now": 409,
    "record-closed": 409,
    "refused": 409,
    "too-large": 413,
    "too-many-requests": 429,
    "too-many-streams": 429,
    "too-many-webhooks": 409,
    "unknown-player": 422,
    "unknown-table": 422,
    "version-mismatch": 412,
}
"""Programs know these. One may come; none may change or go."""
NAMED = {
    "app.BadRequest": "bad-request",
    "app.NotHere": "not-found",
    "app.NoRoom": "no-room",
    "app.TooManyStreams": "too-many-streams",
    "client.Refused": "refused",
    "client.Unreachable": "refused",
    "app.Changed": "not-now",
    "app.TooMany": "too-many-requests",
    "app.NoSuchHook": "no-such-webhook",
    "app.TooManyHooks": "too-many-webhooks",
    "app.KeyReused": "idempotency-mismatch",
    "app.LinkExists": "link-exists",
    "app.NoSuchLink": "no-such-link",
    "app.NotAllowed": "not-allowed",
    "errors.BadInput": "bad-input",
    "errors.Impossible": "impossible",
    "event.UnfitFact": "misfit",
    "event.BrokenChain": "broken-chain",
    "formats.NeedsRules": "needs-rules",
    "event.AlreadyAsked": "already-asked",
    "event.AlreadyLeft": "already-left",
    "event.AlreadyReported": "already-reported",
    "event.DrawNotLast": "draw-not-last",
    "event.BadResult": "bad-result",
    "event.CannotPair": "impossible",
    "event.CannotUndo": "cannot-undo",
    "event.EntryClosed": "entry-closed",
    "event.NeedsAnswer": "needs-answer",
    "event.NeedsReason": "needs-reason",
    "event.NoSuchPlayer": "unknown-player",
    "event.NotAtTable": "not-at-table",
    "event.NotNow": "not-now",
    "event.RecordClosed": "record-closed",
    "event.CommandRefused": "refused",
    "event.TieToBreak": "bad-result",
    "event.UnknownPlayer": "unknown-player",
    "event.TooLateToRestore": "not-now",
    "event.UnknownTable": "unknown-table",
    "store.AlreadyThere": "database-unavailable",
    "store.Moved": "version-mismatch",
    "store.NoSuchEvent": "no-such-event",
    "store.StoreError": "database-unavailable",
    "store.ServerUnreachable": "database-unavailable",
}
"""Every error of the package. Those of the client are raised elsewhere; where an id is taken, another one is
tried before anybody hears of it."""


def errors_of(kind: type[Exception]) -> set[type[Exception]]:
    return {kind}.union(*(errors_of(one) for one in kind.__subclasses__()))


def test_every_named_error_has_its_type() -> None:
    for module in pkgutil.walk_packages(topcut.__path__, "topcut."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found = {}
    for kind in errors_of(TopcutError) - {TopcutError}:
        if kind.__module__.startswith("topcut."):
            name = f"{kind.__module__.split('.')[1]}.{kind.__qualname__}"
            assert name not in found
            found[name] = kind_of(kind.__new__(kind))[0]
    assert found == NAMED


def test_the_types_stay_the_same() -> None:
    assert {kind.type.rpartition("/")[2]: kind.status for kind in kinds()} == TYPES
    assert len({kind.title for kind in kinds()}) == len(TYPES), "no two say the same"


def test_a_type_is_an_address_that_says_what_it_is(cup: Cup) -> None:
    refused = cup.http().get("rounds/7")
    problem = refused.json()
    assert refused.headers["content-type"] == "application/problem+json"
    assert problem["status"] == refused.status_code == 404
    told = cup.served.http().get(problem["type"].removeprefix("/api/v1"))
    assert told.status_code == 200
    assert told.json() == {"type": problem["type"], "status": 404, "title": problem["title"]}


def test_a_refusal_carries_its_data(cup: Cup) -> None:
    desk = cup.desk()
    cup.do(c.Pair(), c.Publish(), c.Start())
    report = {"commands": [{"do": "report", "table": 1, "result": {"games": [2, 1, 0]}}]}
    desk.post("commands", json=report)
    problem = desk.post("commands", json=report).json()
    assert problem["type"] == "/api/v1/problems/already-reported"
    assert (problem["round"], problem["table"]) == (1, 1)
    assert problem["old"] in problem["detail"]


def test_a_question_names_its_answers(cup: Cup) -> None:
    """A player leaves while the next round is posted: it says what can become of it, and at which cost."""
    cup.play()
    cup.do(c.Pair(), c.Publish())
    drop: dict[str, Any] = {"do": "drop", "player": "p1"}
    desk = cup.desk()
    problem = desk.post("commands", json={"commands": [drop]}).json()
    assert problem["type"] == "/api/v1/problems/needs-answer"
    assert [answer["kind"] for answer in problem["answers"]] == ["leave", "fewest", "again"]
    assert desk.post("commands", json={"commands": [drop | {"then": "leave"}]}).status_code == 200


def test_a_round_that_cannot_be_paired_names_the_ways_out_and_they_work(shared: Served) -> None:
    """AL-1: five players; what the organiser allows takes a right, and the draws show it."""
    shared.make("five", "allegiance-2005", entries("Ada", "Bo", "Cy", "Di", "Ed"))
    cup = Cup(shared, "five")
    desk = cup.desk()
    problem = desk.post("commands", json={"commands": [{"do": "pair"}]}).json()
    assert (problem["type"], problem["rule"]) == ("/api/v1/problems/impossible", "AL-1")
    sits_out, add = problem["ways"]
    assert (sits_out["kind"], sits_out["allow"], add["kind"]) == ("allow", ["sits-out"], "add")
    assert sits_out["says"] in problem["detail"]
    pair: dict[str, Any] = {"do": "pair", "allow": sits_out["allow"], "reason": "five came"}
    chosen = sits_out["players"][2]
    refused = cup.http(shared.token("scorekeeper", "five")).post("commands", json={"commands": [pair]})
    assert refused.json()["type"] == "/api/v1/problems/not-allowed"
    done = desk.post("commands", json={"commands": [pair | {"sits_out": chosen}, {"do": "publish"}]})
    assert done.status_code == 200
    (allowed,) = desk.get("draws").json()["allowed"]
    assert (allowed["round"], allowed["what"], allowed["sits_out"]) == (1, ["sits-out"], chosen)
    assert allowed["says"] == "The organiser let a player sit out. Reason: five came."


@pytest.mark.parametrize(
    ("body", "status", "kind", "place"),
    [
        (b'{"commands": [', 400, "bad-request", None),
        (b"\xff\xfe", 400, "bad-request", None),
        (b"[" * 5_000, 400, "bad-request", None),
        (b"", 422, "bad-input", "body"),
        (b"[]", 422, "bad-input", "body"),
        (b"{}", 422, "bad-input", "body"),
        (b'{"commands": []}', 422, "bad-input", "commands"),
        (b'{"commands": 1}', 422, "bad-input", "commands"),
        (b'{"commands": [{"do": "dance"}]}', 422, "bad-input", "commands[0].do"),
        (b'{"commands": [{"do": "pair"}, {"do": "drop"}]}', 422, "bad-input", "commands[1]"),
        (b'{"commands": [{"do": "drop", "player": 5}]}', 422, "bad-input", "commands[0].player"),
        (b'{"commands": [{"do": "drop", "player": "nobody"}]}', 422, "unknown-player", None),
        (b'{"commands": [], "x": 1}', 422, "bad-input", "body"),
        (b'{"commands": []}' + b" " * 3_000_000, 413, "too-large", None),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_cannot_be_read_names_the_place(
    cup: Cup, body: bytes, status: int, kind: str, place: str | None
) -> None:
    desk = cup.desk(**{"content-type": "application/json"})
    refused = desk.post("commands", content=body)
    problem = refused.json()
    assert (refused.status_code, problem["type"]) == (status, f"/api/v1/problems/{kind}")
    assert problem.get("place") == place
    assert problem["detail"]
    assert "\n" not in problem["detail"]
    assert "`" not in problem["detail"]
    assert cup.http().get("").json()["players"] == 4


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("players?limit=0", "limit"),
        ("players?limit=501", "limit"),
        ("players?limit=x", "limit"),
        ("players?cursor=p1", "cursor"),
        ("changes?cursor=-1", "cursor"),
        ("changes?cursor=1234567890123456789", "cursor"),
        ("standings?after=-1", "after"),
        ("stream?since=x", "since"),
    ],
)
def test_a_wrong_parameter_is_named(cup: Cup, path: str, place: str) -> None:
    refused = cup.http().get(path)
    assert refused.status_code == 422
    assert refused.json()["place"] == place
    assert refused.json()["detail"].startswith(place)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/events/nothing", 404),
        ("GET", "/events/nothing/stream", 404),
        ("GET", "/events/%00", 404),
        ("GET", "/rules/nothing", 404),
        ("GET", "/problems/nothing", 404),
        ("PUT", "/events", 405),
        ("DELETE", "/events", 405),
        ("GET", "/links", 401),
        ("POST", "/events", 401),
    ],
)
def test_whatever_is_not_there_is_a_problem_too(shared: Served, method: str, path: str, status: int) -> None:
    answer = shared.http().request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"


def test_a_token_is_asked_for_as_the_standard_says(cup: Cup) -> None:
    for client in (cup.http(), cup.http("never-was-one")):
        refused = client.get("log")
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert "token" in cup.http("never-was-one").get("").json()["detail"]


def test_a_form_is_refused(cup: Cup) -> None:
    refused = cup.desk().post("commands", data={"commands": "[]"})
    assert (refused.status_code, refused.json()["type"]) == (415, "/api/v1/problems/not-json")


def test_too_much_says_when_to_come_back(alone: Served) -> None:
    alone.services.limits, alone.services.clock = Limits(Rates(read=Rate(0.1, 2)), FREE), lambda: 0.0
    desk = alone.http(alone.token())
    answers = [desk.get("/rules") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["type"] == "/api/v1/problems/too-many-requests"
    assert answers[2].headers["retry-after"] == "10"


@pytest.mark.parametrize(
    ("streams", "kind", "status"),
    [
        (StreamLimits(in_all=0), "no-room", 503),
        (StreamLimits(by_one=0), "too-many-streams", 429),
    ],
)
def test_too_many_streams_are_refused(alone: Served, streams: StreamLimits, kind: str, status: int) -> None:
    alone.make("cup", "mtr", [])
    alone.services.streams = streams
    refused = alone.http(alone.token()).get("/events/cup/stream")
    assert (refused.status_code, refused.json()["type"]) == (status, f"/api/v1/problems/{kind}")
    assert int(refused.headers["retry-after"]) > 0


def test_nobody_is_told_where_the_database_is(
    alone: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(*_: Any, **__: Any) -> Any:
        raise StoreError("postgresql://me:password@db.example/cups", "does not answer", "look at it")

    monkeypatch.setattr(alone.services.store, "list_events", away)
    with caplog.at_level(logging.ERROR):
        answer = alone.http().get("/events")
    assert (answer.status_code, answer.json()["type"]) == (503, "/api/v1/problems/database-unavailable")
    assert "db.example" not in answer.text
    assert int(answer.headers["retry-after"]) > 0
    assert [record.message for record in caplog.records if "db.example" in record.message] != []


def test_what_nobody_foresaw_is_logged_once_and_not_told(
    alone: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(alone.services.store, "list_events", broken)
    with caplog.at_level(logging.ERROR):
        answer = alone.http().get("/events")
    assert (answer.status_code, answer.json()["type"]) == (500, "/api/v1/problems/internal")
    assert "secret" not in answer.text
    assert [record.message for record in caplog.records].count("an error that nobody foresaw") == 1
