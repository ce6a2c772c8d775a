"""Players and those who pretend to be: their own links, slips, questions from anybody."""

from __future__ import annotations

import pytest

from tests.web.app_in_process import World, posted, started
from topcut.app.access.player_links import slip_address
from topcut.app.execute import new_context
from topcut.event import commands as c

GAMES = {"games": [2, 0, 0]}


def test_nobody_says_of_another_that_they_want_to_leave(world: World) -> None:
    async def story() -> None:
        live = await world.event("forged")
        asked = await world.public.post("/api/v1/events/forged/players/p1/questions", {"about": "drop"})
        assert asked.status == 422
        asked = await world.public.post("/e/forged/player/p1/ask", {"about": "drop"})
        assert all(question.about != "drop" for question in live.state.questions)

    world.run(story())


def test_a_player_does_not_leave_a_table_that_is_played_by_another_way(world: World) -> None:
    async def story() -> None:
        live = await world.event("deserted")
        await started(live)
        path = f"/api/v1/events{(await world.own('deserted', 'p1'))[2:]}/commands"
        refused = await world.public.post(path, {"commands": [{"do": "drop", "player": "p1"}]})
        assert refused.json["type"].endswith("not-now")
        assert live.state.players["p1"].player.dropped is None

    world.run(story())


def test_a_player_cannot_fill_a_log(world: World) -> None:
    async def story() -> None:
        live = await world.event("filled")
        await started(live)
        assert live.state.round is not None
        table = next(t for t in live.state.round.tables if "p1" in t.players)
        claim = {"do": "claim", "player": "p1", "table": table.table, "result": GAMES}
        other = claim | {"result": {"games": [1, 0, 0]}}
        path = f"/api/v1/events{(await world.own('filled', 'p1'))[2:]}/commands"
        many = await world.public.post(path, {"commands": [claim, other] * 500})
        assert many.status == 422
        before = live.version
        statuses = {(await world.public.post(path, {"commands": [claim, other]})).status for _ in range(30)}
        assert 429 in statuses
        assert live.version - before <= 2 * 10

    world.run(story())


def test_asking_what_a_claim_means_claims_nothing_and_uses_up_no_claim(world: World) -> None:
    async def story() -> None:
        live = await world.event("looked")
        await started(live)
        assert live.state.round is not None
        table = next(t for t in live.state.round.tables if "p1" in t.players)
        claim = {"round": 1, "table": table.table, "players": list(table.players), "result": GAMES}
        path = f"{await world.own('looked', 'p1')}/report"
        before = live.version
        statuses = {(await world.public.post(f"{path}?look=1", claim)).status for _ in range(30)}
        assert (statuses, live.version) == ({200}, before)
        assert (await world.public.post(path, claim)).status == 200
        assert live.version > before

    world.run(story())


@pytest.mark.parametrize(
    "command",
    [
        {"do": "claim", "player": "p2", "table": 1, "result": GAMES},
        {"do": "ask", "player": "p2", "about": "drop"},
        {"do": "drop", "player": "p2"},
        {"do": "report", "table": 1, "result": GAMES},
        {"do": "undo"},
        {"do": "redo"},
        {"do": "edit player", "player": "p1", "name": "X"},
        {"do": "check in", "players": ["p1"]},
        {"do": "restore", "player": "p1"},
        {"do": "finish", "reason": "x"},
    ],
    ids=lambda command: f"{command['do']} {command.get('player', '')}",
)
def test_a_players_link_does_what_a_player_does_for_themselves(
    world: World, command: dict[str, object]
) -> None:
    async def story() -> None:
        event = f"only-{'-'.join(str(part) for part in command.values() if isinstance(part, str))}"
        event = event.replace(" ", "-")
        live = await world.event(event)
        await started(live)
        before = live.version
        path = f"/api/v1/events{(await world.own(event, 'p1'))[2:]}/commands"
        assert (await world.public.post(path, {"commands": [command]})).status == 403
        assert live.version == before

    world.run(story())


def test_a_link_is_one_players_of_one_event_and_a_slip_one_tables(world: World) -> None:
    async def story() -> None:
        for event in ("one", "two"):
            await posted(await world.event(event))
        mine = await world.own("one", "p1")
        signed = mine.rpartition("/")[2]
        live = await world.services.events.open_event("one")
        assert live.state.round is not None
        secret = await world.access.secret("players")
        paper = slip_address(secret, "one", live.state.round, 1)
        of_table = paper.rpartition("/")[2]
        assert (await world.public.get(mine)).status == 200
        assert (await world.public.get(paper)).status == 200
        players = "%00".join(live.state.round.get_table(1).players)
        for forged in (
            mine.replace("/one/", "/two/"),
            mine.replace("/p1/", "/p2/"),
            mine[:-1] + ("0" if mine[-1] != "0" else "1"),
            mine.rpartition("/")[0] + "/x",
            mine.replace(signed, signed.upper() if signed.upper() != signed else "0" * 30),
            mine.replace(signed, of_table),
            mine.replace(signed, "%F0%9F%92%A9"),
            f"/e/one/me/slip%001%001%00{players}/{of_table}",
            paper.replace("/one/", "/two/"),
            paper.replace("/slip/1/1/", "/slip/1/2/"),
            paper.replace("/slip/1/1/", "/slip/2/1/"),
            paper.replace(of_table, signed),
            paper.replace("/slip/1/1/", f"/slip/1/{'9' * 5000}/"),
        ):
            assert (await world.public.get(forged)).status in (400, 404), forged
            body = {"round": 1, "table": 1, "players": ["p1", "p2"], "result": GAMES, "player": "p1"}
            assert (await world.public.post(f"{forged}/report", body)).status in (400, 404), forged

    world.run(story())


def test_a_slip_of_a_table_that_was_drawn_again_opens_nothing(world: World) -> None:
    async def story() -> None:
        live = await world.event("redrawn", players=8)
        await posted(live)
        assert live.state.round is not None
        old = slip_address(await world.access.secret("players"), "redrawn", live.state.round, 1)
        seated = live.state.round.get_table(1).players
        while live.state.round.get_table(1).players == seated:
            await live.do([c.Pair(again=True)], new_context("Mara"))
        assert (await world.public.get(old)).status == 404  # a draft
        await live.do([c.Publish()], new_context("Mara"))
        assert (await world.public.get(old)).status == 404

    world.run(story())


def test_keys_of_one_kind_open_nothing_of_another(world: World) -> None:
    async def story() -> None:
        await world.event("kinds")
        link = await world.access.make_link("Lena", "kinds", role="judge")
        token = await world.access.make_link("Robot", "kinds", role="judge", token=True)
        once = await world.access.make_link("Mara", "kinds", once=True)
        mine = (await world.own("kinds", "p1")).rpartition("/")[2]
        for key in (link, once, mine, "", " ", "x" * 100_000, "\N{PILE OF POO}".encode().decode("latin-1")):
            assert (await world.bearing(key).get("/desk/kinds")).status == 401
        for key in (token, mine, "", "x" * 100_000):
            assert (await world.public.post("/enter", {"key": key})).status == 401
        for key in (link, token, once):
            assert (await world.public.get(f"/e/kinds/me/p1/{key}")).status == 404
        assert (await world.public.post("/enter", {"key": once})).status == 200
        assert (await world.public.post("/enter", {"key": once})).status == 401  # once

    world.run(story())
