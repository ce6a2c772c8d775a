"""Labels that keep players apart (a family, a school) are for staff: nobody else sees them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.web.app_in_process import Caller
from tests.web.hall_guest import Guest, ask, in_hall
from tests.web.test_hall_privacy import addresses
from topcut.app.access.access import A_DAY
from topcut.app.access.roles import Role
from topcut.app.views.log_view import find_latest_news
from topcut.event import commands as c
from topcut.formats import registry
from topcut.formats.log_file import LogFile
from topcut.formats.state_snapshot import snapshot_content
from topcut.printing.lists import build_pairings
from topcut.printing.page import PrintOptions
from topcut.printing.printed_event import build_printed_event
from topcut.printing.slips import build_slips
from topcut.site.pages import build_site

LABEL = re.compile("Okafor|Hillside|kept apart", re.IGNORECASE)
"""Neither a label, nor that somebody shares one."""


async def _bearing(guest: Guest, role: Role) -> Caller:
    key = await guest.services.access.make_link(role, "cup", role=role, token=True, lasts=A_DAY)
    return Caller(guest.app, {"authorization": f"Bearer {key}"})


async def _public(guest: Guest) -> int:
    """Look at all that everybody can fetch; how many answers there were."""
    seen = 0
    display = await _bearing(guest, "display")
    for address in await addresses(guest):
        status, headers, body = await ask(guest.app, address)
        text = f"{headers} {body.decode(errors='replace')}"
        if address.startswith("/e/cup") or "/events/cup" in address:
            assert not LABEL.search(text), (address, LABEL.search(text))
            seen += status == 200
        if "/events/cup" in address and "stream" not in address:
            answer = await display.get(address)
            assert not LABEL.search(answer.text), address
            seen += answer.status == 200
    return seen


@pytest.mark.parametrize(
    ("rules", "options"), [("pokemon-2017", {"rounds": 3}), ("allegiance-2005", {"rounds": 2})]
)
def test_labels_are_nowhere_that_everybody_can_look(
    tmp_path: Path, rules: str, options: dict[str, Any]
) -> None:
    people = [c.Register(name=f"Player {n}", apart=("Okafor family", "Hillside School")) for n in range(8)]

    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.post()
        assert any("Okafor family" in why for table in guest.round.tables for why in table.why)
        assert await _public(guest) > 40
        staff = await (await _bearing(guest, "scorekeeper")).get("/api/v1/events/cup/rounds/2")
        assert "could not be kept apart (Hillside School" in staff.text  # whoever pairs may know
        await guest.do(c.Start())
        await guest.report()
        await guest.do(c.End(), c.Finish(reason="enough"))
        assert await _public(guest) > 40
        state, log = guest.state, guest.live.session.log
        found = registry.build_export(snapshot_content(LogFile("cup", log.lines, log.private), state))
        shown = dict(build_site(found.event, ""))
        assert shown
        for path, raw in shown.items():
            assert not LABEL.search(raw.decode()), path
        for sheet in (build_pairings, build_slips):
            assert not LABEL.search(str(sheet(build_printed_event(state), PrintOptions())))
        assert not LABEL.search(str(find_latest_news(guest.live, 99)))

    in_hall(tmp_path, story, rules, people, **options)
