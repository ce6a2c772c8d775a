"""Texts that would be markup: wherever one is shown, it is shown as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.web.app_in_process import PASSWORD, Answer, Caller, World, posted, started
from topcut.app.clock import utc_now
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.event import commands as c
from topcut.event.facts import Result
from topcut.server.authorization import list_rights

EVIL = "\"'><blink onx=1>&lt;b&gt;{{7*7}}</script></textarea></title>"
VALUES = {
    "event": "evil",
    "player": "p1",
    "number": "1",
    "table": "1",
    "rules": "mtr",
    "kind": "x",
    "language": "de",
    "id": "x",
}


class Looks(HTMLParser):
    """Finds what nobody of us has written."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        strange = [name for name in names if name.startswith("on") or name == "style"]
        inline = tag == "script" and "src" not in names
        if tag in ("blink", "b1") or strange or inline:
            self.found.append(f"<{tag} {' '.join(names)}>")
        for name, value in attrs:
            if name in ("href", "src", "action") and re.match(r"\s*(javascript|data):", value or "", re.I):
                self.found.append(f"{name}={value}")


def strange(answer: Answer) -> list[str]:
    """What a browser would take for markup in a page; nothing for what is no page."""
    if "html" not in answer.headers.get("content-type", "") and "svg" not in answer.headers["content-type"]:
        assert answer.headers["x-content-type-options"] == "nosniff"
        return []
    looks = Looks()
    looks.feed(answer.text)
    return looks.found


async def evil(world: World) -> LiveEvent:
    """An event in which every text that somebody can choose would be markup."""
    people = [c.Register(name=f"{n} {EVIL}", display=EVIL, member=EVIL, apart=(EVIL,)) for n in range(1, 9)]
    tree = await world.event("tree", players=people, name=EVIL, format="elimination")
    await started(tree)
    live = await world.event("evil", players=people, name=EVIL)
    mara = new_context(EVIL, EVIL)
    swiss: list[c.AnyCommand] = [
        c.RefuseEntry(name=EVIL, reason=EVIL),
        c.Announce(prizes=EVIL, details=(EVIL,)),
        c.FixTable(player="p1", table=3),
    ]
    for command in swiss:
        await live.do([command], mara)
    await posted(live)
    assert live.state.round is not None
    first, second = live.state.round.tables[:2]
    await live.do([c.Swap(first=first.players[0], second=second.players[0], reason=EVIL)], mara)
    await live.do([c.Start()], mara)
    won = Result(games=(2, 0, 0))
    tables = [table.table for table in live.state.round.missing if isinstance(table.table, int)]
    await live.do([c.Report(table=table, result=won) for table in tables[1:]], mara)
    await live.do([c.Correct(table=tables[1], result=Result(games=(0, 2, 0)), reason=EVIL)], mara)
    await live.do([c.Claim(player=first.players[1], table=tables[0], result=won)], mara)
    await live.do([c.Ask(player="p1", about="points")], mara)
    await live.do([c.Extend(minutes=3, table=tables[0], reason=EVIL)], mara)
    await live.do([c.Disqualify(player="p8", reason=EVIL)], mara)
    await live.do([c.Undo(reason=EVIL)], mara)
    return live


def addresses(world: World, signed: str) -> Iterator[str]:
    for method, path in list_rights(world.app):
        if method == "GET":
            values = VALUES | {"signed": signed, "digest": "x", "name": "x"}
            filled = re.sub(r"{(\w+):\w+}", lambda part, v=values: v[part[1]], path)  # type: ignore[misc]
            yield filled
            if filled.endswith(("/bracket", "/standings", "/screen", "evil")):
                yield filled.replace("/evil", "/tree")


@pytest.fixture(scope="module")
def event(world: World) -> World:
    async def story() -> None:
        await evil(world)
        await world.access.accounts.add("evil", EVIL[:60], PASSWORD, utc_now())
        for how in (world.token, world.session):
            await how("judge", "evil", EVIL)
        await world.services.webhooks.add("evil", f"http://127.0.0.1:9/?{EVIL}", EVIL)

    world.run(story())
    return world


def test_every_page_shows_texts_as_texts(event: World) -> None:
    async def story() -> None:
        signed = (await event.own("evil", "p1")).rpartition("/")[2]
        boss = await event.session("organiser", name=EVIL)
        shown = 0
        for address in addresses(event, signed):
            for more in (
                "",
                f"?q={QUOTED}&back={QUOTED}",
                f"?player=p1&by=table&name={QUOTED}&names={QUOTED}&division={QUOTED}",
            ):
                for who in (boss, event.public):
                    event.rest()
                    answer = await who.get(address + more)
                    assert not strange(answer), address + more
                    shown += b"blink" in answer.body
        assert shown > 60

    event.run(story())


QUOTED = "%22%27%3E%3Cblink%20onx%3D1%3E"


def test_every_refusal_shows_what_was_typed_as_text(event: World) -> None:
    async def story() -> None:
        boss = await event.session("organiser", name="Boss")
        for path in (
            f"/e/{QUOTED}",
            f"/e/evil/player/{QUOTED}",
            f"/e/evil/pairings?number={QUOTED}",
            f"/e/evil/me/{QUOTED}/{QUOTED}",
            f"/desk/{QUOTED}",
            f"/desk/evil/players/{QUOTED}",
            f"/desk/evil/print/{QUOTED}",
            f"/desk/evil/print/pairings?paper={QUOTED}",
            f"/desk/evil/print/pairings?tables={QUOTED}",
            f"/desk/evil?number={QUOTED}",
            f"/new?rules={QUOTED}&players={QUOTED}&name={QUOTED}&format={QUOTED}&table={QUOTED}",
            f"/{QUOTED}",
            f"/static/x/{QUOTED}",
            f"/api/v1/rules/{QUOTED}",
            f"/api/v1/plan?rules={QUOTED}&players=8",
        ):
            for who in (boss, event.public):
                answer = await who.get(path)
                assert not strange(answer), path
        sent: list[tuple[str, Any]] = [
            ("/desk/evil/entry", {"text": f"1 {EVIL}"}),
            ("/desk/evil/swap", {"first": EVIL, "second": EVIL}),
            ("/desk/evil/do", {"commands": [{"do": EVIL}]}),
            ("/desk/evil/do", {"commands": [{"do": "drop", "player": EVIL}]}),
            ("/desk/evil/undo", {"step": 3}),
            ("/desk/evil/links", {"name": EVIL}),
            ("/new", {"name": EVIL, "rules": EVIL}),
        ]
        for path, body in sent:
            answer = await boss.post(path, body)
            assert answer.headers["content-type"].startswith("application/json"), path
            assert answer.headers["x-content-type-options"] == "nosniff"

    event.run(story())


def test_the_look_finds_what_it_looks_for() -> None:
    page = Answer(200, {"content-type": "text/html"}, f'<p title="{EVIL}">{EVIL}'.encode())
    assert strange(page)
    safe = Caller.__name__  # a page of plain words
    assert not strange(Answer(200, {"content-type": "text/html"}, safe.encode()))


def test_whoever_follows_reads_texts_as_texts(event: World) -> None:
    async def story() -> None:
        await started(await event.event("followed"))
        boss = await event.token("organiser", name="Robot")
        for path in ("/api/v1/events/evil/stream?since=0", "/desk/evil/live", "/e/evil/live"):
            answer = await boss.get(path)
            lines = answer.text.splitlines()
            assert all(re.match(r"(retry|event|id|data): |$", line) for line in lines), path

    event.run(story())
