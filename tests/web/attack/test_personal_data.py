"""Staff who may not know who players are do not learn it, by whatever they ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.printing.pdf_reader import text_of
from tests.web.app_in_process import Answer, Caller, World, posted, started
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.event import commands as c
from topcut.event.rights import RIGHTS, Right
from topcut.printing.registry import SHEET_BUILDERS
from topcut.server.authorization import list_rights

HIDDEN = re.compile(rb"Legal\d|MEMBER|Nogood|(?<![0-9a-f])19(4\d)(?![0-9a-f])")
NOT_PEOPLE: tuple[Right, ...] = tuple(right for right in RIGHTS if right not in ("people", "erase"))


def children() -> list[c.Register]:
    """Eight players who are shown by other names than their own; the last one only later."""
    return [
        c.Register(
            name=f"Legal{n} Person",
            display=f"Shown{n}" if n < 8 else None,
            member=f"MEMBER-{n}",
            born=1940 + n,
        )
        for n in range(1, 9)
    ]


async def lived_through(world: World, event: str) -> LiveEvent:
    """An event in which everything was done that names people."""
    live = await world.event(event, players=children())
    mara = new_context("Mara")
    await live.do([c.EditPlayer(player="p8", display="Shown8")], mara)
    await live.do([c.RefuseEntry(name="Nogood Person", reason="banned")], mara)
    await live.do([c.SeatAll()], mara)
    await started(live)
    await live.do([c.Drop(player="p2")], mara)
    await live.do([c.Undo()], mara)
    return live


def gettable(world: World, event: str, signed: str) -> Iterator[str]:
    """Every address that can be fetched, filled with what is there."""
    values = {"player": "p1", "number": "1", "table": "1", "rules": "mtr", "id": "x", "digest": "x"}
    values |= {"event": event, "signed": signed, "name": "style.css"}
    for method, path in list_rights(world.app):
        if method == "GET":
            filled = re.sub(r"{(\w+):\w+}", lambda part: values.get(part[1], f"<{part[1]}>"), path)
            yield from (
                [filled.replace("<kind>", kind) for kind in SHEET_BUILDERS]
                if "<kind>" in filled
                else [filled]
            )


def seen(answer: Answer) -> bytes:
    """What somebody can read of an answer."""
    if answer.headers.get("content-type", "") == "application/pdf":
        return text_of(answer.body).encode()
    return answer.body


async def without_people(world: World, event: str) -> list[Caller]:
    """A judge, and somebody with every right but this one; as programs and with browsers."""
    return [
        await world.token("judge", event),
        await world.session("judge", event),
        await world.token("organiser", event, "All but one", None, *NOT_PEOPLE),
    ]


def test_nothing_that_can_be_fetched_says_who_somebody_is(world: World) -> None:
    async def story() -> None:
        await lived_through(world, "quiet")
        signed = (await world.own("quiet", "p1")).rpartition("/")[2]
        for who in await without_people(world, "quiet"):
            got = 0
            for address in gettable(world, "quiet", signed):
                for more in ("", "?q=legal", "?player=p8", "?since=0", "?by=table"):
                    if more and not address.endswith(("/players", "/standings", "/stream", "/pairings")):
                        continue
                    answer = await who.get(address + more)
                    assert answer.status != 500, address
                    assert not HIDDEN.search(seen(answer)), address + more
                    got += answer.status == 200
            assert got > 40
        keeper = await world.token("scorekeeper", "quiet")  # it can be found at all
        for path in (
            "/api/v1/events/quiet/players",
            "/api/v1/events/quiet/print/slips",
            "/desk/quiet/players",
        ):
            assert HIDDEN.search(seen(await keeper.get(path))), path

    world.run(story())


def test_no_line_list_or_refusal_says_who_somebody_is(world: World) -> None:
    async def story() -> None:
        live = await lived_through(world, "lines")
        assert live.state.round is not None
        table = live.state.round.missing[0]
        names = [f"legal{player_id[1:]}" for player_id in table.players]
        asked: list[tuple[str, Any]] = [
            *(("/entry", {"text": f"{table.table} {name}"}) for name in (*names, "legal", "shown")),
            *(("/entry", {"text": text}) for text in (f"{table.table} d1", "u", "1", "99 2-0")),
            ("/undo", {"step": None}),
            ("/undo", {"step": 10}),
            ("/undo", {"step": 11}),
            ("/swap", {"first": "legal", "second": "p2", "reason": "x"}),
            ("/swap", {"first": "shown", "second": "p2", "reason": "x"}),
            ("/swap", {"first": "legal1", "second": "p2", "reason": "x"}),
            ("/paste", {"text": "Legal1 Person\nShown2"}),
            ("/do", {"commands": [{"do": "report", "table": table.table, "result": {"winner": "p1"}}]}),
            ("/do", {"commands": [{"do": "register", "name": "Late", "member": "MEMBER-3"}]}),
            ("/do", {"commands": [{"do": "disqualify", "player": "p3", "reason": "x"}]}),
            ("/do", {"commands": [{"do": "drop", "player": "p3"}]}),
            ("/do", {"commands": [{"do": "restore", "player": "p4"}]}),
        ]
        for who in await without_people(world, "lines"):
            for path, body in asked:
                answer = await who.post(f"/desk/lines{path}", body)
                assert answer.status != 500, (path, body)
                told = re.sub(rb"Legal1 Person|MEMBER-3", b"", answer.body)  # what they typed themselves
                assert not HIDDEN.search(told), (path, body)
        most, keeper = (await without_people(world, "lines"))[-1], await world.token("scorekeeper", "lines")
        pasted = {"text": "Legal1 Person"}
        assert (await most.post("/desk/lines/paste", pasted)).json["problems"] == []
        assert (await keeper.post("/desk/lines/paste", pasted)).json["problems"] != []
        judge = await world.token("judge", "lines")
        echo = await judge.post("/desk/lines/entry", {"text": f"{table.table} {names[0]}"})
        assert echo.json["kind"] == "wrong"
        echo = await keeper.post("/desk/lines/entry", {"text": f"{table.table} {names[0]}"})
        assert echo.json["kind"] != "wrong"

    world.run(story())


def test_a_stream_tells_a_judge_facts_without_names_that_are_not_shown(world: World) -> None:
    async def story() -> None:
        live = await world.event("stream", players=children())
        await posted(live)
        judge = await world.token("judge", "stream")
        told = await judge.get("/api/v1/events/stream/stream?since=0")
        assert b"Shown1" in told.body
        assert not HIDDEN.search(told.body.replace(b"Legal8 Person", b""))  # who is shown by it

    world.run(story())
