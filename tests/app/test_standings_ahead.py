"""When much happens at once: standings are there before the hall asks, and whoever follows hears the last."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from tests.timeouts import PATIENCE
from tests.web.hall_guest import Guest, in_hall
from topcut.app import live_events as live_module
from topcut.event import commands as c


def test_standings_are_computed_before_anybody_asks(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        stream = guest.live.stream()
        await anext(stream)
        await guest.play()
        async with asyncio.timeout(60):
            while "rows" not in vars(guest.services.leaderboard(guest.live)):
                await asyncio.sleep(0.01)

    in_hall(tmp_path, story, "mtr")


def test_where_nobody_looks_nothing_is_computed(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.services.compute_ahead(guest.live)
        assert not {"scores", "rows"} & vars(guest.services.leaderboard(guest.live)).keys()

    in_hall(tmp_path, story, "mtr")


def test_a_page_waits_for_standings_that_change_meanwhile(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        first = guest.services.leaderboard(guest.live)
        async with guest.live.computing:
            waiting = asyncio.create_task(guest.services.wait_until_ready(guest.live))
            await asyncio.sleep(0)
            await guest.do(c.Drop(player="p1"))
        await waiting
        second = guest.services.leaderboard(guest.live)
        assert second is not first
        assert "scores" in vars(second)

    in_hall(tmp_path, story, "mtr")


@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_whoever_follows_hears_the_last_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pause: float
) -> None:
    async def story(guest: Guest) -> None:
        stream = guest.live.stream()
        await anext(stream)
        await guest.do(c.Pair(), c.Publish(), c.Start())
        async with asyncio.timeout(PATIENCE):
            while version(await anext(stream)) < guest.live.version:
                pass

    monkeypatch.setattr(live_module, "PAUSE", pause)
    in_hall(tmp_path, story, "mtr")


def test_what_happens_in_a_pause_is_told_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(guest: Guest) -> None:
        stream = guest.live.stream()
        await anext(stream)
        await anext(stream)
        await guest.do(c.Pair(), c.Publish(), c.Start())
        hearing = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        assert not hearing.done()
        guest.live.wake()
        assert version(await hearing) == guest.live.version

    monkeypatch.setattr(live_module, "PAUSE", 1_000.0)
    in_hall(tmp_path, story, "mtr")


def version(message: bytes) -> int:
    """What a message tells."""
    return int(msgspec.json.decode(message.removeprefix(b"data: "))["version"])
