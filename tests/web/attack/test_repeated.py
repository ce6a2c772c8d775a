"""Requests that are sent again, by whoever sent them and by somebody else."""

from __future__ import annotations

from tests.web.app_in_process import World, started
from topcut.app.execute import new_context
from topcut.event import commands as c

REPORT = {"commands": [{"do": "report", "table": 1, "result": {"games": [2, 0, 0]}}]}


def test_a_key_is_its_senders_own(world: World) -> None:
    """Nobody gets another's answer, or keeps another's request from being done, by knowing their key."""

    async def story() -> None:
        live = await world.event("keys")
        await started(live)
        first, second = await world.token("scorekeeper", "keys", "A"), await world.token("judge", "keys", "B")
        path = "/api/v1/events/keys/commands"
        done = await first.post(path, REPORT, idempotency_key="k")
        assert done.status == 200
        assert "idempotency-replayed" not in done.headers
        again = await first.post(path, REPORT, idempotency_key="k")
        assert again.headers["idempotency-replayed"] == "true"
        assert again.json == done.json
        other = await second.post(path, REPORT, idempotency_key="k")
        assert other.json["type"].endswith("already-reported")
        mine = f"/api/v1/events{(await world.own('keys', 'p1'))[2:]}/commands"
        claim = {"commands": [{"do": "ask", "player": "p1", "about": "points"}]}
        assert (await world.public.post(mine, claim, idempotency_key="k")).status != 409

    world.run(story())


def test_a_key_that_was_used_for_another_thing_is_refused(world: World) -> None:
    """To delete one player and then another is not the same, though nothing is sent but the address."""

    async def story() -> None:
        live = await world.event("erased")
        await live.do([c.Finish(reason="a test")], new_context("Mara"))
        boss = await world.token("organiser", "erased")
        path = "/api/v1/events/erased/players/{}/data"
        assert (await boss.ask("DELETE", path.format("p1"), idempotency_key="k")).status == 200
        assert (await boss.ask("DELETE", path.format("p2"), idempotency_key="k")).status == 409
        assert live.state.players["p2"].legal
        assert (await boss.ask("DELETE", path.format("p1"), idempotency_key="k")).status == 200
        for bad in ("", "x" * 201, "a b", "\x7f", "é"):
            assert (await boss.ask("DELETE", path.format("p2"), idempotency_key=bad)).status == 400
        assert live.state.players["p2"].legal

    world.run(story())


def test_a_line_of_the_desk_counts_once_under_its_key(world: World) -> None:
    """Also one that could be done twice; and whoever has another link does not get its answer."""

    async def story() -> None:
        live = await world.event("lines")
        await started(live)
        first, second = (
            await world.token("scorekeeper", "lines", "C"),
            await world.token("judge", "lines", "D"),
        )
        path = "/desk/lines/entry"
        line = {"text": "1 2-0", "sure": True}
        echo = await first.post(path, {"text": "1 2-0"})
        done = await first.post(path, line | {"saw": echo.json["saw"]}, idempotency_key="k")
        version = live.version
        again = await first.post(path, line | {"saw": echo.json["saw"]}, idempotency_key="k")
        assert (done.status, again.status) == (200, 200)
        assert again.json == done.json
        assert live.version == version, "nothing is done again, though it would be a confirmation"
        assert (await first.post(path, {"text": "2 2-0", "sure": True}, idempotency_key="k")).status == 422
        other = await second.post(path, line | {"saw": echo.json["saw"]}, idempotency_key="k")
        assert other.json["kind"] == "Changed"
        assert live.version == version

    world.run(story())


def test_one_organisers_key_does_not_open_what_another_has_made(world: World) -> None:
    async def story() -> None:
        shop, rival = (
            await world.token("organiser", owner="shop"),
            await world.token("organiser", owner="rival"),
        )
        body = {"name": "Secret cup", "rules": "mtr"}
        made = await shop.post("/api/v1/events", body, idempotency_key="k")
        stolen = await rival.post("/api/v1/events", body, idempotency_key="k")
        assert made.status == stolen.status == 201
        assert made.json["id"] != stolen.json["id"]
        assert (await rival.get(f"/desk/{made.json['id']}")).status == 403
        assert (await world.access.owner(made.json["id"])) == "shop"

    world.run(story())
