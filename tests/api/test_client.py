"""The client: every method against a real server, and what it does when something is lost on the way."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import topcut
from tests.api.lossy_connection import Lossy
from tests.api.server_thread import FREE, Cup, Served, entries
from tests.timeouts import PATIENCE
from topcut.app.limits import Limits, Rate, Rates
from topcut.client import Client, Refused, RemoteEvent, Unreachable
from topcut.client import schemas as s
from topcut.event import commands as c
from topcut.event.facts import Result
from topcut.store.interface import StoreError

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "report_round.py"
WON = Result(games=(2, 1, 0))


@pytest.fixture
def desk(cup: Cup) -> Iterator[Client]:
    with Client(cup.served.address, cup.served.token(), pause=0.01) as one:
        yield one


@pytest.fixture
def event(desk: Client, cup: Cup) -> RemoteEvent:
    return desk.event(cup.event)


def test_the_service(desk: Client) -> None:
    service = desk.service()
    assert (service.topcut, service.api) == (topcut.__version__, 1)
    assert service.you.role == "organiser"
    assert "rounds" in service.you.rights
    assert "mtr" in [rules.id for rules in desk.rules()]


def test_everybody_is_a_client_without_a_token(cup: Cup) -> None:
    with Client(cup.served.address) as anybody:
        assert anybody.service().you == s.You(name="", role="public", rights=["ask", "hall"])
        assert anybody.event(cup.event).look().players == 4
        with pytest.raises(Refused) as refused:
            next(anybody.event(cup.event).log())
    assert (refused.value.status, refused.value.kind) == (401, "not-authorised")


def test_a_whole_event(desk: Client) -> None:
    """Everything that a program looks at on the way, from an event that is made to one that is finished."""
    event = desk.make("Client cup", "mtr", format="swiss+elimination", rounds=2, cut=4, rehearsal="client")
    assert event.id in [listed.id for listed in desk.events()]
    done = event.give(*(c.Register(name=f"Player {number}") for number in range(8)))
    assert [fact.fact["player"] for fact in done.facts] == [f"p{number}" for number in range(1, 9)]
    event.give(c.EditPlayer(player="p8", display="Zed"), c.CheckIn())
    assert [player.id for player in event.players()] == [f"p{number}" for number in range(1, 9)]
    assert [player.id for player in event.players(q="zed")] == ["p8"]
    assert event.player("p8").legal_name == "Player 7"
    for _ in range(4):
        event.give(c.Pair(), c.Publish(), c.Start(minutes=50))
        posted = event.round()
        assert posted.clock is not None
        assert posted.missing == [table.table for table in posted.tables]
        for table in posted.tables:
            assert isinstance(table.table, int)
            event.give(c.Report(table=table.table, round=posted.number, result=WON))
        assert event.round(posted.number).missing == []
        event.give(c.End())
    assert [(one.stage, one.tables, one.reported) for one in event.rounds()] == [
        ("swiss", 4, 4),
        ("swiss", 4, 4),
        ("elimination", 2, 2),
        ("elimination", 1, 1),
    ]
    standings = event.standings()
    assert [row.rank for row in standings.standings] == sorted(row.rank for row in standings.standings)
    assert event.standings(after=1).after == 1
    first = standings.standings[0]
    assert event.explained(first.id).name == first.name
    assert event.explained(first.id, after=1).after == 1
    assert len(event.bracket()) == 1
    event.give(c.Finish())
    (promise,) = event.draws().promises
    (secret,) = promise.secrets
    assert sha256(secret.encode()).hexdigest() == promise.commitment
    assert event.look().finished is not None
    assert [fact.position for fact in event.log()] == list(range(1, event.version + 1))
    assert [fact.position for fact in event.log(since=event.version - 1)] == [event.version]
    assert [change.says for change in event.changes()][-1].startswith("The event is finished")


def test_questions(event: RemoteEvent, cup: Cup) -> None:
    cup.play()
    cup.http().post("players/p1/questions", json={"about": "points"})
    (question,) = event.questions()
    assert (question.player, question.name, question.says) == ("p1", "Ada", "about points")
    event.give(c.AnswerQuestion(question=question.number))
    assert event.questions() == []


def test_a_refusal_is_an_error_with_its_data(event: RemoteEvent) -> None:
    event.give(c.Pair(), c.Publish(), c.Start())
    event.give(c.Report(table=1, result=WON))
    with pytest.raises(Refused, match="already reported") as refused:
        event.give(c.Report(table=1, result=Result(games=(0, 2, 0))))
    assert (refused.value.kind, refused.value.status) == ("already-reported", 409)
    assert refused.value.problem["table"] == 1


def test_a_command_for_one_version(event: RemoteEvent) -> None:
    seen = event.look().version
    event.give(c.Register(name="Zoe"), expected=seen)
    with pytest.raises(Refused) as refused:
        event.give(c.Register(name="Yan"), expected=seen)
    assert refused.value.kind == "version-mismatch"


def test_what_was_removed_stays_removed(cup: Cup) -> None:
    """The answer is lost, and the second try finds nothing: that is as good."""
    made = cup.desk().post("links", json={"name": "Overlay", "token": True}).json()["link"]
    with (
        Lossy(cup.served.port, ["answer"]) as line,
        Client(line.address, cup.served.token(), pause=0.01) as desk,
    ):
        desk.delete(f"{cup.path}/links/{made['id']}")
        assert line.lost == 1
        with pytest.raises(Refused):
            desk.delete(f"{cup.path}/links/{made['id']}")


def test_what_is_lost_on_the_way_is_done_once(cup: Cup) -> None:
    plan = ["answer", "answer", "", "request", "answer", "", "request", "request", "", "answer"] * 3
    with (
        Lossy(cup.served.port, plan) as line,
        Client(line.address, cup.served.token(), pause=0.001) as desk,
    ):
        event = desk.event(cup.event)
        before = cup.http().get("").json()["version"]
        versions = [event.give(c.Register(name=f"Zoe {number}")).version for number in range(12)]
        made = desk.make("Once", "mtr")
        assert line.lost > 10
    assert versions == list(range(before + 1, before + 13))
    assert cup.http().get("").json()["players"] == 16
    with Client(cup.served.address, cup.served.token()) as other:
        assert [one.id for one in other.events() if one.name == "Once"] == [made.id]


def test_who_asks_too_much_waits_and_goes_on(alone: Served) -> None:
    alone.make("cup", "mtr", [])
    alone.services.limits = Limits(Rates(command=Rate(20, 2)), FREE)
    with Client(alone.address, alone.token(), pause=0.01) as desk:
        event = desk.event("cup")
        for number in range(6):
            event.give(c.Register(name=f"Zoe {number}"))
        assert event.look().players == 6


@pytest.mark.large
def test_a_database_that_is_away_is_waited_for(alone: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    alone.make("cup", "mtr", [])
    append, failures = alone.services.store.append, 3

    async def away(*given: Any, **more: Any) -> int:
        nonlocal failures
        failures -= 1
        if failures >= 0:
            raise StoreError("db", "does not answer", "look at it")
        return await append(*given, **more)

    monkeypatch.setattr(alone.services.store, "append", away)
    with Client(alone.address, alone.token(), pause=0.01) as desk:
        desk.event("cup").give(c.Register(name="Zoe"))
        assert failures == -1
        failures = 100
        with (
            pytest.raises(Refused) as refused,
            Client(alone.address, alone.token(), tries=3, pause=0.01) as two,
        ):
            two.event("cup").give(c.Register(name="Yan"))
    assert (refused.value.status, refused.value.kind) == (503, "database-unavailable")


def test_nobody_there() -> None:
    """A port at which nobody listens."""
    with Client("http://127.0.0.1:9", tries=2, pause=0.01) as desk, pytest.raises(Unreachable, match=":9"):
        desk.service()


def test_what_is_no_desk_is_no_surprise() -> None:
    with (
        Lossy(9, ["request"] * 2) as line,
        Client(line.address, tries=2, pause=0.01) as desk,
        pytest.raises(Unreachable),
    ):
        desk.service()


def test_a_page_that_is_no_problem_is_one_all_the_same(shared: Served) -> None:
    with Client(f"{shared.address}/elsewhere") as desk, pytest.raises(Refused, match="status 404") as refused:
        desk.service()
    assert (refused.value.status, refused.value.kind, refused.value.problem) == (404, "about:blank", {})


def test_commands_go_on_through_a_restart(tmp_path: Path) -> None:
    with Served(tmp_path / "api.db") as served:
        served.make("cup", "mtr", [])
        given: list[int] = []

        def give() -> None:
            with Client(served.address, token, tries=20, pause=0.05) as desk:
                for number in range(30):
                    given.append(desk.event("cup").give(c.Register(name=f"Zoe {number}")).version)

        token = served.token()
        with ThreadPoolExecutor(1) as pool:
            giving = pool.submit(give)
            for enough in (5, 15):
                while len(given) < enough:
                    time.sleep(0.005)
                served.stop()
                served.start()
            giving.result(120)
        assert given == list(range(2, 32))
        assert len(served.http().get("/events/cup/players?limit=500").json()["items"]) == 30


def test_following_goes_on_through_a_restart(tmp_path: Path) -> None:
    with Served(tmp_path / "api.db") as served:
        served.make("cup", "mtr", [])
        token = served.token()

        def follow() -> list[int]:
            found: list[int] = []
            with Client(served.address, token, pause=0.02, tries=20) as desk:
                for message in desk.event("cup").follow(since=0):
                    found += [fact.position for fact in message.facts or ()]
                    if message.version >= 31:
                        return found
            raise AssertionError

        with ThreadPoolExecutor(2) as pool:
            following = pool.submit(follow)
            for part in range(3):
                served.do("cup", *entries(*(f"Zoe {part} {number}" for number in range(10))))
                if part < 2:
                    served.stop()
                    served.start()
            assert following.result(60) == list(range(1, 32))


def test_following_begins_now_and_ends_with_the_token(desk: Client, cup: Cup) -> None:
    made = cup.desk().post("links", json={"name": "Overlay", "token": True, "role": "judge"}).json()
    with Client(cup.served.address, made["key"], pause=0.01) as overlay:
        event = overlay.event(cup.event)
        assert event.look().version == 5
        messages = event.follow()
        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(next, messages)
            while not cup.served.services.streams.open:
                time.sleep(0.01)
            cup.do(c.Pair())
            message = first.result(60)
        assert [fact.fact["fact"] for fact in message.facts or ()] == ["paired"]
        assert (event.version, message.version) == (6, 6)
        desk.delete(f"{cup.path}/links/{made['link']['id']}")
        cup.do(c.Publish())
        with pytest.raises(Refused) as refused:
            list(messages)
    assert refused.value.kind == "not-authorised"


def test_following_something_that_is_not_there(desk: Client) -> None:
    with pytest.raises(Refused) as refused:
        next(desk.event("nothing").follow(since=0))
    assert refused.value.kind == "no-such-event"


def report(cup: Cup, token: str, lines: str) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, str(EXAMPLE), cup.served.address, token, cup.event]
    return subprocess.run(
        arguments, input=lines, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_the_example_reports_a_round(cup: Cup) -> None:
    """Twice the same list: what is there is passed over."""
    cup.do(c.Pair(), c.Publish(), c.Start())
    token = cup.served.token("scorekeeper", cup.event)
    first = report(cup, token, "1 2-1\n")
    assert (first.stdout, first.stderr) == ("round 1: 1 table is not reported yet\n", "")
    second = report(cup, token, "1 2-1\n\n2 0-2\n")
    assert (second.stdout, second.stderr) == ("round 1: every table is reported\n", "")
    tables = cup.http().get("rounds/1").json()["tables"]
    assert [table["result"]["games"] for table in tables] == [[2, 1, 0], [0, 2, 0]]


def test_the_example_says_what_is_wrong_in_a_line(cup: Cup) -> None:
    cup.do(c.Pair(), c.Publish(), c.Start())
    token = cup.served.token("scorekeeper", cup.event)
    for lines, said in (
        ("9 2-1\n", "line 1: Round 1 has no table 9. Enter a table from 1 to 2"),
        ("1 2-1\nx\n", "line 2: expected a table and its games, such as 14 2-1"),
        ("1 1-2\n", "line 1: Table 1 of round 1 is already reported"),
    ):
        done = report(cup, token, lines)
        assert done.returncode == 1
        assert done.stderr.startswith(said)
        assert done.stderr.count("\n") == 1
    assert "This token" in report(cup, "never-was-one", "1 2-1\n").stderr
