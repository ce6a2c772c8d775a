"""Names behind display names, membership numbers and birth years are nowhere that everybody can look."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import msgspec
from litestar.routes import HTTPRoute

from tests.web.hall_guest import Guest, ask, in_hall, rows_of
from topcut.app.access.player_links import player_address, slip_address
from topcut.app.views.log_view import find_latest_news
from topcut.event import commands as c
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.formats import log_file
from topcut.formats.state_snapshot import snapshot_event_file
from topcut.text.message_json import encode_in_english
from topcut.web.responses import static_files

RULES, CUT = "pokemon-2017", "swiss+elimination"
FAMILY = [
    "Quackenbush",
    "Featherstonehaugh",
    "Zzyzx",
    "Kowalczykowna",
    "Papadimitriou",
    "Oyelaran",
    "Wójcikowa",
]
GIVEN = ["Xanthippe", "Bartholomew", "Ignatia", "Thaddeus", "Philomena", "Ozymandias", "Clementine"]
YEARS = [1908, 1909, 2008, 2010, 2011, 2013, 2015]
SHOWN = ["Zed", "Kit", "Moss", "Rue", "Sparrow", "Tam", ""]
"""The last one gets a display name only when all have seen the other."""
ANYBODY = re.compile("|".join([*FAMILY, *GIVEN]))
"""For whoever is shown by a display name."""
_YEAR = rf"(?<![0-9a-zA-Z.-])({'|'.join(map(str, YEARS))})(?![0-9a-zA-Z-])"
BEHIND = re.compile(rf"member-\d+|{_YEAR}|\"born\": ?\d")
"""Nobody's."""


def minors() -> list[c.Register]:
    """Children with all that must not be seen, and somebody who has nothing to hide."""
    people = enumerate(zip(GIVEN, FAMILY, YEARS, SHOWN, strict=True), start=1)
    children = [
        c.Register(name=f"{given} {family}", display=shown or None, born=year, member=f"member-{n}000")
        for n, (given, family, year, shown) in people
    ]
    return [*children, c.Register(name="Bo")]


async def addresses(guest: Guest) -> list[str]:
    """Every address that can be fetched, for all players and tables."""
    state, static = guest.state, static_files()
    secret = await guest.services.access.secret("players")
    players = list(state.players)
    signed = [player_address(secret, "cup", player_id) for player_id in players]
    signed += [
        slip_address(secret, "cup", a_round, table.table)
        for a_round in state.rounds
        for table in a_round.tables
        if table.table is not None and a_round.phase != "draft"
    ]
    values = {
        "event": ["cup"],
        "player": players,
        "digest": ["x"],
        "name": list(static.pages),
        "kind": ["sign-in.pdf"],
        "number": ["1"],
        "round": ["1"],
        "table": ["1"],
    }
    paths = [
        route.path for route in guest.app.routes if isinstance(route, HTTPRoute) and "GET" in route.methods
    ]
    found = [one for path in paths if "{signed" not in path for one in _filled(path, values)]
    asked = ("?by=table", "?number=1", "?all=true", "?q=a", "?division=junior", "?show=standings", "?names=z")
    pages = [one for one in found if one.startswith("/e/") and "/player/" not in one and one[-4:] != "live"]
    return [*found, *signed, *(page + more for page in pages for more in asked)]


def _filled(path: str, values: dict[str, list[str]]) -> Iterator[str]:
    parts = re.findall(r"{(\w+):\w+}", path)
    for chosen in product(*(values.get(part, ["1"]) for part in parts)):
        filled = path
        for part, value in zip(parts, chosen, strict=True):
            filled = re.sub(rf"{{{part}:\w+}}", value, filled)
        yield filled


async def looks(guest: Guest, shown: re.Pattern[str]) -> int:
    """Fetch everything as somebody who came from the street; how much could be seen."""
    seen = 0
    for address in await addresses(guest):
        status, headers, body = await ask(guest.app, address)
        headers.pop("content-length", None)  # it may happen to look like a birth year
        text = f"{headers} {body.decode(errors='replace')}"
        assert not (found := shown.search(text) or BEHIND.search(text)), (address, found)
        if address.startswith("/e/"):
            assert status == 200 or "?" in address, address
            seen += status == 200
        elif address.startswith(("/desk", "/new")):
            assert status in (401, 403), address
    return seen


async def said(guest: Guest, address: str, what: dict[str, object]) -> str:
    """What a page of the hall is told when it sends something."""
    _, _, body = await ask(guest.app, address, msgspec.json.encode(what))
    return body.decode()


async def meddle(guest: Guest) -> None:
    """All that is told of in the hall: late, left, back, put right, changed by hand, taken back."""
    await guest.play()
    await guest.do(c.Drop(player="p2"), c.Restore(player="p2"), c.Drop(player="p3"))
    late = c.Register(name=f"{GIVEN[0]} {FAMILY[1]}", display="Late", born=2010, member="member-9000")
    await guest.do(late, c.EditPlayer(player="p5", display="Lark"))
    await guest.post()
    first, second = (table.players[0] for table in guest.round.tables[:2])
    await guest.do(c.Swap(first=first, second=second, reason="they are sisters"))
    await guest.do(c.Ask(player="p1", about="points"), c.Start(minutes=30))
    table = guest.round.tables[0]
    result = Result(games=(2, 0, 0))
    claim = c.Claim(player=table.players[0], table=1, result=result)
    await guest.do(claim, c.Correct(table=2, round=1, result=Result(games=(1, 2, 0)), then="leave"))


def test_nobody_in_the_hall_learns_who_a_child_is(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        others = re.compile("|".join([*FAMILY[:-1], *GIVEN[:-1]]))
        assert await looks(guest, others) > 50
        await meddle(guest)
        assert await looks(guest, others) > 50
        await guest.do(c.Drop(player="p7", then="leave"))
        assert f"{GIVEN[-1]} {FAMILY[-1]} drops" in str(find_latest_news(guest.live, 99))
        await guest.do(c.EditPlayer(player="p7", display="Wren"))
        assert "Wren drops" in str(find_latest_news(guest.live, 99))
        assert await looks(guest, ANYBODY) > 50
        await guest.report()
        await guest.do(c.End())
        while guest.state.rounds[-1].stage != "elimination":
            await guest.play()
        assert await looks(guest, ANYBODY) > 50
        await guest.do(c.Finish(reason="enough"), c.Forget(player="p1"))
        assert await looks(guest, re.compile(f"{ANYBODY.pattern}|Zed")) > 50

    in_hall(tmp_path, story, RULES, minors(), divisions="modified", rounds=3, cut=2, format=CUT)


def test_what_is_sent_from_the_hall_is_answered_without_names(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.do(c.EditPlayer(player="p7", display="Wren"))
        await guest.post()
        await guest.do(c.Start())
        secret = await guest.services.access.secret("players")
        answers = []
        for player_id in guest.state.players:
            mine = player_address(secret, "cup", player_id)
            answers.append(await said(guest, f"{mine}/report", {"said": "nothing that can be"}))
            answers.append(await said(guest, f"/e/cup/player/{player_id}/ask", {"about": "points"}))
            answers.append(await said(guest, f"/e/cup/player/{player_id}/ask", {"about": "points"}))
            answers.append(await said(guest, f"{mine}/drop", {}))
            answers.append(await said(guest, f"{mine}/drop", {}))
        assert any("Zed" in answer for answer in answers)
        for answer in answers:
            assert not ANYBODY.search(answer), answer
            assert not BEHIND.search(answer), answer

    in_hall(tmp_path, story, RULES, minors(), divisions="modified")


def test_the_hall_finds_nobody_by_the_name_behind_and_sorts_by_what_is_shown(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        assert "/player/p1" in await guest.page("?q=zed")
        assert "/player/p1" not in await guest.page("?q=xanth")
        await guest.post()
        known = {guest.state.name_of(player_id) for player_id in guest.state.players}
        rows = rows_of(await guest.page("/pairings"))
        names = [next((cell for cell in row if cell in known), "") for row in rows]
        assert [name for name in names if name] == sorted(known)

    in_hall(tmp_path, story, RULES, minors(), divisions="modified")


def test_the_live_stream_tells_no_names(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        heard: list[bytes] = []

        async def follow() -> None:
            async for message in guest.live.stream():
                heard.append(message)

        following = asyncio.create_task(follow())
        await meddle(guest)
        version = guest.live.version
        guest.live.wake()
        while not any(f'"version":{version}'.encode() in message for message in heard):
            await asyncio.sleep(0.01)
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following
        whole = b"".join(heard).decode()
        assert '"marks"' in whole
        assert not ANYBODY.search(whole)
        assert not BEHIND.search(whole)

    in_hall(tmp_path, story, RULES, minors(), divisions="modified")


def test_the_public_copy_of_the_log_tells_no_names(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await meddle(guest)
        log = guest.live.session.log
        public = log_file.encode_log("cup", log.lines, {})
        file = msgspec.json.encode(
            snapshot_event_file(EventLog(log.lines, {}).state), enc_hook=encode_in_english
        )
        for raw in (public, file):
            assert not ANYBODY.search(raw.decode())
            assert not re.search(r"member-|\"born\"|Zed", raw.decode())
        shown = msgspec.json.encode(snapshot_event_file(guest.state), enc_hook=encode_in_english).decode()
        assert "Zed" in shown
        assert not re.search("|".join(FAMILY[:-1]), shown)

    in_hall(tmp_path, story, RULES, minors(), divisions="modified")
