"""Standings are headed by the last round that counts for them, wherever they are shown."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.app_in_process import Caller
from tests.web.hall_guest import Guest, in_hall, text_of
from topcut.app.access.access import A_DAY
from topcut.printing.lists import build_standings
from topcut.printing.page import PrintOptions
from topcut.printing.printed_event import build_printed_event


async def _desk(guest: Guest, address: str) -> str:
    key = await guest.services.access.make_link("Mara", "cup", role="scorekeeper", token=True, lasts=A_DAY)
    answer = await Caller(guest.app, {"authorization": f"Bearer {key}"}).get(address)
    assert answer.status == 200, address
    return text_of(answer.text)


def test_the_rounds_of_a_bracket_are_not_in_the_heading(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play(4)
        assert [a_round.stage for a_round in guest.state.rounds] == ["swiss"] * 2 + ["elimination"] * 2
        seen = [await _desk(guest, "/desk/cup/standings")]
        seen += [
            text_of(await guest.page(address)) for address in ("", "/standings", "/screen?show=standings")
        ]
        seen.append(str(build_standings(build_printed_event(guest.state), PrintOptions()).data))
        numbers = [re.findall(r"[Ss]tandings after round (\d+)", text) for text in seen]
        assert {number for found in numbers for number in found} == {"2"}
        assert numbers[0]  # at the desk, where it was another one
        assert numbers[-1]

    in_hall(tmp_path, story, "pokemon-2017", 8, format="swiss+elimination", rounds=2, cut=4)
