"""A round that is not published is nowhere in the hall: not on a page, not in what a page is made from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.hall_guest import Guest, in_hall
from topcut.app.views.visibility import last_public_round, public_state
from topcut.event import commands as c
from topcut.event.state import State
from topcut.web import responses
from topcut.web.hall import event_pages, page

DRAFTS: list[tuple[str, int, int, dict[str, Any]]] = [
    ("mtr", 9, 0, {}),
    ("mtr", 9, 1, {}),
    ("commander-4", 13, 1, {}),
    ("mtr", 8, 2, {"format": "swiss+elimination", "rounds": 2, "cut": 4}),
    ("pokemon-2017", 8, 2, {"format": "swiss+elimination", "rounds": 2, "cut": 4}),
    ("mtr", 6, 0, {"format": "elimination"}),
    ("mtr", 6, 1, {"format": "double-elimination"}),
    ("pokemon-2017", 64, 0, {"flights": 2}),
    ("draft-sheet", 8, 0, {}),
]


@pytest.mark.parametrize(("rules", "players", "rounds", "options"), DRAFTS)
def test_a_draft_changes_no_page_of_the_hall(
    tmp_path: Path, rules: str, players: int, rounds: int, options: dict[str, Any]
) -> None:
    async def story(guest: Guest) -> None:
        await guest.play(rounds)
        before = await guest.everything()
        for step in (c.Pair(), c.Pair(again=True)):
            await guest.do(step)
            assert guest.round.phase == "draft"
            assert await guest.everything() == before

    in_hall(tmp_path, story, rules, players, **options)


def test_what_is_done_to_a_draft_by_hand_is_told_only_when_it_is_published(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        before = await guest.everything()
        await guest.do(c.Pair())
        first, second = guest.round.tables[0].players[0], guest.round.tables[1].players[0]
        await guest.do(c.Swap(first=first, second=second, reason="they came together"))
        assert await guest.everything() == before
        await guest.do(c.Publish())
        assert "they came together" in await guest.page("/draws")

    in_hall(tmp_path, story, "mtr", 8)


def test_a_round_whose_publication_is_taken_back_is_gone(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        before = await guest.everything()
        await guest.post()
        seed = guest.round.seed
        assert seed in await guest.page("/draws")
        await guest.do(c.Undo())
        assert guest.round.phase == "draft"
        after = await guest.everything()
        told = {"", "/changes", "q"}  # that it was taken back is told
        assert {name for name in after if after[name] != before[name]} <= told
        assert not any(seed in page for page in after.values())

    in_hall(tmp_path, story, "mtr", 8)


def test_a_published_round_that_is_paired_again_is_taken_down(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.post()
        await guest.do(c.Pair(again=True))
        assert "No pairings yet" in await guest.page("/pairings")
        assert "Round 1 is withdrawn and will be paired again." in await guest.page("/changes")
        assert guest.round.seed not in await guest.page("/draws")

    in_hall(tmp_path, story, "mtr", 8)


def test_templates_get_a_state_without_the_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    states: list[State] = []

    async def story(guest: Guest) -> None:
        await guest.play(2)
        await guest.do(c.Pair())
        whole = responses.render

        def spy(template: str, /, **shown: Any) -> Any:
            states.extend(value for value in shown.values() if isinstance(value, State))
            assert not any(hasattr(value, "session") for value in shown.values()), template
            return whole(template, **shown)

        monkeypatch.setattr(page, "render", spy)
        monkeypatch.setattr(event_pages, "render", spy)
        await guest.everything()

    in_hall(tmp_path, story, "mtr", 8, format="swiss+elimination", rounds=2, cut=4)
    assert states
    assert not any(a_round.phase == "draft" for state in states for a_round in state.rounds)
    assert not any(listed.player.cut for state in states for listed in state.players.values())
    assert all("round 3" not in state.attempts for state in states)


def test_what_the_hall_follows_does_not_move_with_a_draft(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        hall = ("posted", "results", "progress", "draws", "pairings", "event")
        before = {aspect: guest.live.marks[aspect] for aspect in hall}
        await guest.do(c.Pair())
        assert {aspect: guest.live.marks[aspect] for aspect in hall} == before
        assert guest.state.rounds[0] is last_public_round(guest.state)

    in_hall(tmp_path, story, "mtr", 8)


def test_a_state_without_a_draft_is_public_as_it_is(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        assert public_state(guest.state) is guest.state
        await guest.post()
        assert public_state(guest.state) is guest.state

    in_hall(tmp_path, story, "mtr", 8)
