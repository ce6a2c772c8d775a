"""What nobody may know yet: the secret of the draws, rounds that are not posted."""

from __future__ import annotations

import re

from tests.web.app_in_process import Caller, World, played
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.event import commands as c
from topcut.formats.registry import FORMATS
from topcut.server.authorization import list_rights

VALUES = {"player": "p1", "number": "2", "table": "1", "rules": "mtr", "kind": "pairings", "digest": "x"}


def the_secret(live: LiveEvent) -> str:
    return live.session.log.private[live.state.commitment].decode()


EVENT = "/api/v1/events/secret"
FORMATS_OF = tuple(FORMATS)


async def everything(world: World, who: Caller, event: str) -> dict[str, tuple[int, str]]:
    """All that can be fetched, without what tells the time and which version it is."""
    found = {}
    for method, path in list_rights(world.app):
        if method == "GET":
            values = VALUES | {"event": event, "signed": (await world.own(event, "p1")).rpartition("/")[2]}
            address = re.sub(r"{(\w+):\w+}", lambda part, v=values: v.get(part[1], "x"), path)  # type: ignore[misc]
            address = re.sub(r"export/\w+$", "export/", address)
            more_of = ("", "?since=0") if address.endswith("stream") else ("", "?by=table", "?all=true")
            for more in FORMATS_OF if address.endswith("export/") else more_of:
                world.rest()
                answer = await who.get(address + more)
                text = answer.body.decode(errors="replace")
                text = re.sub(r'data-(version|made|now|ends)="[^"]*"|"(version|own_?[fF]rom)":\d+', "", text)
                text = re.sub(r'data: "20[^"]*"|"marks":{[^}]*}|^id: \d+', "", text, flags=re.MULTILINE)
                found[address + more] = (answer.status, text)
    return found


def test_the_secret_of_the_draws_is_nowhere_before_the_end(world: World) -> None:
    async def story() -> None:
        live = await world.event("secret", players=8)
        await played(live)
        secret = the_secret(live)
        for who in (
            world.public,
            await world.token("judge", "secret"),
            await world.token("scorekeeper", "secret"),
            await world.session("head judge", "secret"),
        ):
            for address, (_, text) in (await everything(world, who, "secret")).items():
                assert secret not in text, address
        boss = await world.token("organiser", "secret")
        told = {
            path for path, (_, text) in (await everything(world, boss, "secret")).items() if secret in text
        }
        exports = {f"{EVENT}/export/log", f"{EVENT}/export", "/desk/secret/export/log"}
        assert {path.partition("?")[0] for path in told} == exports
        await live.do([c.Finish(reason="a test")], new_context("Mara"))
        assert secret in (await world.public.get("/e/secret/draws")).text

    world.run(story())


def test_a_log_that_a_scorekeeper_takes_along_goes_on_elsewhere(world: World) -> None:
    async def story() -> None:
        live = await world.event("along", players=8)
        await played(live)
        keeper, host = await world.token("scorekeeper", "along"), await world.token("organiser")
        log = (await keeper.get("/api/v1/events/along/export")).text
        made = await host.post("/api/v1/imports", {"text": log})
        assert made.status == 201
        paired = await host.do(made.json["id"], {"do": "pair"})
        assert paired.status == 200
        assert "A new one is used" in " ".join(paired.json["warnings"])

    world.run(story())


def test_a_draft_changes_nothing_that_everybody_can_fetch(world: World) -> None:
    """Of all addresses: pages, the API, streams, the file, brackets, a player's own page."""

    async def story() -> None:
        live = await world.event("draft", players=8, format="swiss+elimination", rounds=3, cut=4)
        await played(live)
        before = await everything(world, world.public, "draft")
        display = await world.token("display", "draft")
        seen = await everything(world, display, "draft")
        await live.do([c.Pair()], new_context("Mara"))
        assert live.state.upcoming is not None
        assert await everything(world, world.public, "draft") == before
        assert await everything(world, display, "draft") == seen
        judge = await world.token("judge", "draft")
        assert (await judge.get("/api/v1/events/draft/rounds/2")).status == 200

    world.run(story())


def test_the_draft_of_a_bracket_is_not_seen_either(world: World) -> None:
    async def story() -> None:
        live = await world.event("bracket", players=8, format="swiss+elimination", rounds=3, cut=4)
        for _ in range(3):
            await played(live)
        before = await everything(world, world.public, "bracket")
        await live.do([c.Pair()], new_context("Mara"))
        assert live.state.upcoming is not None
        assert live.state.upcoming.stage == "elimination"
        assert await everything(world, world.public, "bracket") == before

    world.run(story())
