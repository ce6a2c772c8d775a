"""Every role at every address, and with every command, as the tables say.

An address, a command, a right or a role that they do not know fails this test, and so does one that is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from tests.web.access_matrix_people import ROLE_NAMES, ROWS, Matrix
from tests.web.access_matrix_tables import ADDRESSES, COMMANDS, DESK, EVENT, LINES, ROLE, SHEETS, SPOKEN
from tests.web.app_in_process import Caller, World, database
from topcut.app.access.roles import ROLES
from topcut.event import commands as c
from topcut.event.rights import RIGHTS
from topcut.printing.registry import SHEET_BUILDERS
from topcut.server.authorization import list_rights


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matrix]:
    with World.opened(database(tmp_path_factory.mktemp("matrix"))) as world:
        found = Matrix(world)
        world.run(found.fill())
        yield found


def test_the_tables_know_all_there_is(matrix: Matrix) -> None:
    assert {role: set(rights) for role, rights in ROLES.items()} == ROLE
    assert set(RIGHTS) == set().union(*ROLE.values())
    found = {f"{method} {path}": right for (method, path), right in list_rights(matrix.world.app).items()}
    assert found == {address: takes.split()[0] for address, takes in ADDRESSES.items()}
    assert {kind.__struct_config__.tag for kind in get_args(c.AnyCommand)} == set(COMMANDS)
    assert set(SHEET_BUILDERS) == set(SHEETS)
    assert set(matrix.people) == set(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_every_address(matrix: Matrix, row: str) -> None:
    """Allowed is whatever is not 401 or 403; refused is 401 for nobody, and 403 for somebody."""

    async def story() -> None:
        who, live = matrix.people[row], matrix.lives["cup"]
        for name, takes in ADDRESSES.items():
            method, path = name.split()
            address = matrix.address(path)
            matrix.world.rest()
            body = await matrix.body(address) if method == "POST" else None
            before = live.version
            more = {"x_csrf": ""} if address == "/leave" else {}  # they are needed once more
            answer = await who.caller.ask(method, address, body, **more)
            refused = who.refused(takes)
            assert (answer.status if answer.status in (401, 403) else 0) == refused, (name, answer.status)
            if not refused and takes == "speak":
                assert answer.status != 404, name
            if refused:
                assert "Legal" not in answer.text, name
            await matrix.as_before(live, before)

    matrix.world.run(story())


@pytest.mark.parametrize("row", ROWS)
def test_every_sheet(matrix: Matrix, row: str) -> None:
    async def story() -> None:
        who = matrix.people[row]
        for kind, takes in SHEETS.items():
            for path in (f"{DESK}/print/{{kind:str}}", f"{EVENT}/print/{{kind:str}}"):
                matrix.world.rest()
                answer = await who.caller.get(matrix.address(path, kind=kind))
                refused = who.refused(takes)
                assert (answer.status if answer.status in (401, 403) else 0) == refused, (kind, answer.status)

    matrix.world.run(story())


AT_DESKS = [row for row in ROWS if row not in ("player", "public")]


@pytest.mark.parametrize("row", [*AT_DESKS, "public"])
def test_every_command(matrix: Matrix, row: str) -> None:
    """Programs give them by the API, browsers by the desk; each alone."""

    async def story() -> None:
        who, live = matrix.people[row], matrix.lives["cup"]
        ways = who.ways("/api/v1/events/cup/commands", "/desk/cup/do")
        for tag, forms in COMMANDS.items():
            for takes, given in forms:
                sent = {"do": tag} | given
                if sent.get("step") == "taken back":
                    sent["step"] = matrix.taken_back
                for way in ways:
                    matrix.world.rest()
                    before = live.version
                    answer = await who.caller.post(way, {"commands": [sent]})
                    refused = who.refused(f"desk {takes}")
                    status = answer.status if answer.status in (401, 403) else 0
                    assert status == refused, (way, sent, answer.text)
                    if refused:
                        assert live.version == before
                    assert answer.status < 500
                    await matrix.as_before(live, before)

    matrix.world.run(story())


@pytest.mark.parametrize("row", [*AT_DESKS, "public"])
def test_every_line_of_the_entry_bar(matrix: Matrix, row: str) -> None:
    async def story() -> None:
        who = matrix.people[row]
        done = 0
        for event, lines in LINES.items():
            live = matrix.lives[event]
            caller = await _at(matrix, row, event)
            for takes, text in lines:
                for way in who.ways(f"/api/v1/events/{event}/entry", f"/desk/{event}/entry"):
                    matrix.world.rest()
                    before = live.version
                    sure = {} if way.startswith("/api/") else {"sure": True}
                    answer = await caller.post(way, {"text": text} | sure)
                    refused = who.refused(f"desk {takes}")
                    status = answer.status if answer.status in (401, 403) else 0
                    assert status == refused, (way, text, answer.text)
                    if refused:
                        assert live.version == before
                    done += answer.status == 200
                    await matrix.as_before(live, before)
        if {"desk", *["enter", "drop", "change", "time", "rounds"]} <= who.rights and who.home:
            assert done == len(who.ways("", "")) * sum(map(len, LINES.values()))  # all meant something

    matrix.world.run(story())


async def _at(matrix: Matrix, row: str, event: str) -> Caller:
    """The same somebody at another of the shop's events: a link opens one."""
    who = matrix.people[row]
    role, _, how = row.partition(", ")
    if role not in ROLE_NAMES:
        return who.caller
    make = matrix.world.token if how == "program" else matrix.world.session
    return await make(next(one for one in ROLE_NAMES if one == role), event, f"{row} at {event}")


def test_every_command_by_a_players_own_link(matrix: Matrix) -> None:
    async def story() -> None:
        live = matrix.lives["ended"]
        path = f"/api/v1/events{(await matrix.world.own('ended', 'p1'))[2:]}/commands"
        others = [
            (False, {"do": tag} | given | ({"step": 2} if "step" in given else {}))
            for tag, forms in COMMANDS.items()
            for _, given in forms
            if tag not in ("claim", "ask", "drop")
        ]
        for allowed, sent in [*SPOKEN, *others]:
            matrix.world.rest()
            before = live.version
            answer = await matrix.world.public.post(path, {"commands": [sent]})
            assert (answer.status != 403) == allowed, (sent, answer.text)
            assert answer.status != 401
            await matrix.as_before(live, before)

    matrix.world.run(story())
