"""The stream: everything after a version, once and in order; to everybody nothing that is not for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.server_thread import Cup, Served, entries
from topcut.api import stream as streaming
from topcut.app.access.player_links import player_address
from topcut.event import commands as c
from topcut.event.facts import Result

WON = Result(games=(2, 0, 0))


class Heard:
    """A stream that is open."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.raw = ""
        self._blocks = self._read(answer.iter_text())

    def _read(self, chunks: Iterator[str]) -> Iterator[str]:
        rest = ""
        for chunk in chunks:
            self.raw += chunk
            *blocks, rest = (rest + chunk).split("\n\n")
            yield from blocks

    def messages(self) -> Iterator[dict[str, Any]]:
        """The messages as they come; the id of each is the version it leads to."""
        for block in self._blocks:
            lines = dict(line.split(": ", 1) for line in block.splitlines())
            if lines.get("event") == "change":
                told: dict[str, Any] = json.loads(lines["data"])
                assert lines["id"] == str(told["version"])
                yield told

    def until(self, version: int) -> list[dict[str, Any]]:
        """The messages up to a version."""
        found = []
        for message in self.messages():
            found.append(message)
            if message["version"] >= version:
                break
        return found


@contextmanager
def following(client: httpx.Client, since: int | None = None, **headers: str) -> Iterator[Heard]:
    params = {} if since is None else {"since": since}
    with client.stream("GET", "stream", params=params, headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Heard(answer)


def positions(messages: list[dict[str, Any]]) -> list[int]:
    return [fact["position"] for message in messages for fact in message["facts"]]


def says(messages: list[dict[str, Any]]) -> list[str]:
    return [change["says"] for message in messages for change in message["changes"]]


@pytest.mark.parametrize("since", [0, 1, 7])
def test_staff_hear_every_fact_after_a_version(cup: Cup, since: int) -> None:
    cup.play()
    version = cup.http().get("").json()["version"]
    with following(cup.desk(), since) as heard:
        assert positions(heard.until(version)) == list(range(since + 1, version + 1))


def test_a_browser_says_how_far_it_was_in_its_own_way(cup: Cup) -> None:
    """EventSource comes back with the address it had, and with what it heard last."""
    version = cup.do(*entries("Xi", "Yan", "Zoe"))
    with following(cup.desk(), 0, **{"last-event-id": str(version - 1)}) as heard:
        assert positions(heard.until(version)) == [version]


def test_without_a_version_it_begins_now(cup: Cup) -> None:
    with following(cup.desk()) as heard:
        version = cup.do(c.Register(name="Zoe"))
        assert positions(heard.until(version)) == [version]


def test_a_long_story_comes_in_parts(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever was away for long misses nothing, be they staff or everybody."""
    monkeypatch.setattr(streaming, "AT_ONCE", 4)
    cup.play(3)
    version = cup.do(c.Finish())
    with following(cup.desk(), 0) as heard:
        told = heard.until(version)
        assert positions(told) == list(range(1, version + 1))
        assert max(len(message["facts"]) for message in told) == 4
    known = cup.http().get("changes").json()["items"]
    for client in (cup.http(), cup.desk()):
        with following(client, 0) as heard:
            told = heard.until(known[-1]["position"])
        assert [change for message in told for change in message["changes"]] == known
        assert len(told) > 1


def test_what_is_done_meanwhile_comes_once_and_in_order(cup: Cup) -> None:
    before = cup.http().get("").json()["version"]
    desk, client = cup.desk(), cup.desk()

    def add(number: int) -> int:
        body = {"commands": [{"do": "register", "name": f"Zoe {number}"}]}
        return int(desk.post("commands", json=body).json()["version"])

    with following(client, before) as heard, ThreadPoolExecutor(4) as pool:
        done = list(pool.map(add, range(40)))
        assert positions(heard.until(before + 40)) == sorted(done)


def test_a_message_says_what_to_fetch_again(cup: Cup) -> None:
    with following(cup.http()) as heard:
        messages = heard.messages()
        cup.do(c.Register(name="Zoe"))
        assert next(messages)["changed"] == ["event", "players", "rounds", "standings", "bracket"]
        cup.do(c.Pair(), c.Publish())
        assert set(next(messages)["changed"]) >= {"event", "rounds", "draws"}
        cup.do(c.Start(minutes=50))
        told = next(messages)
        while told["changes"][-1:] and "starts" not in told["changes"][-1]["says"]:
            told = next(messages)
        cup.do(c.Report(table=1, result=WON))
        assert next(messages)["changed"] == ["rounds", "bracket"]


def test_everybody_hears_nothing_of_drafts_and_claims(cup: Cup) -> None:
    """Not even that there was something: no message comes at all."""
    cup.play()
    with following(cup.http()) as heard:
        cup.do(c.Pair(), c.Pair(again=True))
        cup.do(c.Publish(), c.Start())
        told = list(until_said(heard, "starts"))
        assert says(told) == ["Round 2 is published.", "Round 2 starts (50 minutes)."]
        assert "draft" not in heard.raw
        state = cup.served.run(cup.served.services.events.open_event(cup.event)).state
        assert state.round is not None
        table = state.round.tables[0]
        quiet = len(heard.raw)
        cup.do(
            c.Claim(player=table.players[0], table=1, result=WON),
            c.Ask(player="p1", about="points"),
            c.Claim(player=table.players[1], table=1, result=WON),
        )
        last = next(heard.messages())
        assert last["changed"] == ["rounds", "bracket"], "the table is reported"
        assert "claim" not in heard.raw[quiet:]
        assert heard.raw[quiet:].count("event: change") == 1


def until_said(heard: Heard, word: str) -> Iterator[dict[str, Any]]:
    """Messages up to one whose changes hold a word."""
    for message in heard.messages():
        yield message
        if any(word in change["says"] for change in message["changes"]):
            return


def test_everybody_hears_display_names_only(cup: Cup) -> None:
    cup.do(c.Register(name="Legal Larry", display="Zed", born=2011, member="M-1234"))
    cup.play()
    version = cup.do(c.EditPlayer(player="p5", name="Secret Sally"), c.Drop(player="p5"))
    with following(cup.http(), 0) as heard:
        told = heard.until(version)
    assert "Zed drops" in says(told)[-1]
    without_times = re.sub(r'"at":"[^"]*"', "", heard.raw)  # a time may hold the digits of a year
    for word in ("Larry", "Sally", "2011", "M-1234", '"facts"'):
        assert word not in without_times


def test_a_display_hears_what_everybody_hears(cup: Cup) -> None:
    cup.do(c.Pair())
    version = cup.do(c.Publish())
    token = cup.served.token("display", cup.event)
    with following(cup.http(token), 0) as heard:
        (told,) = heard.until(version)
    assert "facts" not in told


def test_a_stream_goes_on_after_a_restart(tmp_path: Path) -> None:
    with Served(tmp_path / "api.db") as served:
        served.make("cup", "mtr", entries("Ada", "Bo", "Cy", "Di"))
        cup, found, version = Cup(served, "cup"), list[int](), 0
        desk = cup.desk()
        for name in ("Xi", "Yan", "Zoe"):
            with following(desk, version) as heard:
                later = cup.do(c.Register(name=name))
                found += positions(heard.until(later))
                version = later
                served.stop()
                assert list(heard.messages()) == [], "it ends, and nobody waits for ever"
            cup.served.start()
            version = cup.do(c.Register(name=f"{name} 2")) - 1
        with following(desk, version) as heard:
            found += positions(heard.until(version + 1))
        assert sorted(set(found)) == found
        assert found[-1] == version + 1


def test_another_process_says_nothing_twice(tmp_path: Path) -> None:
    """Whoever has heard of a fact by one process does not hear of it by another that is behind."""
    with Served(tmp_path / "api.db") as one, Served(tmp_path / "api.db") as other:
        one.make("cup", "mtr", [])
        mine, theirs = Cup(one, "cup"), Cup(other, "cup")
        token = one.token()
        assert theirs.http(token).get("").status_code == 200
        for number in range(5):
            version = mine.do(c.Register(name=f"Zoe {number}"))
            with following(theirs.http(token), version) as heard:
                later = mine.do(c.Register(name=f"Yan {number}"))
                assert positions(heard.until(later)) == [later]


def test_a_player_by_their_own_link_claims_and_everybody_hears_the_result(cup: Cup) -> None:
    cup.do(c.Pair(), c.Publish(), c.Start())
    state = cup.served.run(cup.served.services.events.open_event(cup.event)).state
    assert state.round is not None
    table = state.round.tables[0]
    secret = cup.served.run(cup.served.services.access.secret("players"))
    with following(cup.http()) as heard:
        done = httpx.Response(0)
        for player in table.players:
            path = player_address(secret, cup.event, player).removeprefix(f"/e/{cup.event}/")
            claim = {"do": "claim", "player": player, "table": table.table, "result": {"games": [2, 1, 0]}}
            done = cup.http().post(f"{path}/commands", json={"commands": [claim]})
            assert done.status_code == 200, done.text
        assert next(heard.messages())["version"] == done.json()["version"]
    assert cup.http().get("rounds/1").json()["tables"][0]["result"] == {"games": [2, 1, 0]}
