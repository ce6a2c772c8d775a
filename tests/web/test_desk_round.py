"""The round page of the desk: what it offers where no round can be paired, and before a draft by a chart."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.app_in_process import Caller, World, played, posted
from tests.web.hall_guest import Guest, in_hall, text_of
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.event import commands as c

Story = Callable[[LiveEvent, Caller], Awaitable[None]]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World.opened(str(tmp_path / "desk.db")) as opened:
        yield opened


def at_desk(world: World, story: Story, rules: str, players: int | list[c.Register]) -> None:
    """Tell a story of an event at the desk of an organiser."""

    async def told() -> None:
        live = await world.event("cup", rules=rules, players=players)
        await story(live, await world.session("organiser", "cup"))

    world.run(told())


async def do(live: LiveEvent, *commands: c.AnyCommand) -> None:
    for command in commands:
        await live.do([command], new_context("Mara"))


def section(page: str, name: str) -> str:
    """A section of a page by its id, or nothing."""
    _, found, rest = page.partition(f'id="{name}"')
    return rest.partition("</section>")[0] if found else ""


def test_with_a_player_too_many_the_way_out_is_to_remove_players(world: World) -> None:
    async def story(live: LiveEvent, organiser: Caller) -> None:
        page = (await organiser.get("/desk/cup")).text
        ways = section(page, "ways-out")
        assert "Remove players until the chart has a seat for each." in text_of(ways)
        assert 'href="/desk/cup/players"' in ways
        assert "Add players" not in text_of(ways)
        assert not section(page, "draft-seats")  # nothing to draw for nine players
        await do(live, c.Drop(player=next(iter(live.state.players))))
        page = (await organiser.get("/desk/cup")).text
        assert not section(page, "ways-out")
        assert section(page, "draft-seats")

    at_desk(world, story, "draft-sheet", 9)


def test_with_too_few_players_the_way_out_is_to_add_players(world: World) -> None:
    async def story(live: LiveEvent, organiser: Caller) -> None:
        ways = section((await organiser.get("/desk/cup")).text, "ways-out")
        assert "Add players" in text_of(ways)
        assert 'href="/desk/cup/players"' in ways

    at_desk(world, story, "draft-sheet", 4)


def test_where_no_exception_helps_the_event_can_be_finished_once(world: World) -> None:
    async def story(live: LiveEvent, organiser: Caller) -> None:
        await played(live)
        for player in list(live.state.players)[1:]:
            await do(live, c.Drop(player=player))
        page = (await organiser.get("/desk/cup")).text
        ways = section(page, "ways-out")
        assert "The standings after round 1 become the final standings." in text_of(ways)
        assert 'data-do="finish"' in ways
        assert page.count('data-do="finish"') == 1

    at_desk(world, story, "pokemon-2017", 4)


def test_draft_seats_are_drawn_on_the_round_page(world: World) -> None:
    async def story(live: LiveEvent, organiser: Caller) -> None:
        seats = section((await organiser.get("/desk/cup")).text, "draft-seats")
        assert "Draw draft seats" in text_of(seats)
        assert 'data-with-kind="seats"' in seats
        assert "/print/seats.pdf" not in seats
        await do(live, c.DrawLots(kind="seats"))
        seats = section((await organiser.get("/desk/cup")).text, "draft-seats")
        drawn = sorted((e.player.seat or 0, e.player.shown_name) for e in live.state.players.values())
        assert " ".join(f"{seat} {name}" for seat, name in drawn) in text_of(seats)
        assert "This is attempt" not in text_of(seats)
        assert "/desk/cup/print/seats.pdf" in seats
        await do(live, c.DrawLots(kind="seats"))
        seats = section((await organiser.get("/desk/cup")).text, "draft-seats")
        assert "This is attempt 2." in text_of(seats)
        assert "Draw draft seats again" in text_of(seats)
        await posted(live)
        assert not section((await organiser.get("/desk/cup")).text, "draft-seats")

    at_desk(world, story, "draft-sheet", 8)


def test_a_player_after_the_draw_has_no_seat_until_seats_are_drawn_again(world: World) -> None:
    async def story(live: LiveEvent, organiser: Caller) -> None:
        await do(live, c.DrawLots(kind="seats"), c.Register(name="Zed Late"))
        page = (await organiser.get("/desk/cup")).text
        assert "Zed Late has no draft seat. Draw the draft seats again" in text_of(
            section(page, "ways-out")
        ).replace(" (DS-3)", "")
        assert "– Zed Late" in text_of(section(page, "draft-seats"))
        assert 'data-with-kind="seats"' in section(page, "draft-seats")
        await do(live, c.DrawLots(kind="seats"))
        page = (await organiser.get("/desk/cup")).text
        assert not section(page, "ways-out")
        assert "– Zed Late" not in text_of(section(page, "draft-seats"))
        await do(live, c.Pair())

    at_desk(world, story, "draft-sheet", 7)


@pytest.mark.parametrize(("rules", "draft_seats"), [("draft-sheet", True), ("mtr", False)])
def test_player_meeting_seats_are_not_offered_for_a_draft_by_a_chart(
    world: World, rules: str, draft_seats: bool
) -> None:
    async def story(live: LiveEvent, organiser: Caller) -> None:
        page = (await organiser.get("/desk/cup/players")).text
        assert ("/desk/cup#draft-seats" in page) is draft_seats
        assert ("Assign player-meeting seats" in page) is not draft_seats
        if not draft_seats:
            assert not section((await organiser.get("/desk/cup")).text, "draft-seats")

    at_desk(world, story, rules, 8)


def test_drawn_draft_seats_are_printed_under_that_name(world: World) -> None:
    async def story(live: LiveEvent, organiser: Caller) -> None:
        await do(live, c.DrawLots(kind="seats"))
        page = text_of((await organiser.get("/desk/cup/print")).text)
        assert "Draft seats A–Z" in page
        assert "Player-meeting seats" not in page

    at_desk(world, story, "draft-sheet", 8)


def test_a_cross_division_match_is_shown_before_publishing(world: World) -> None:
    async def story(live: LiveEvent, organiser: Caller) -> None:
        await do(live, c.Pair())
        page = text_of((await organiser.get("/desk/cup")).text)
        assert "Cross-division match, table" in page
        assert "are in different divisions." in page

    players = [
        c.Register(name=f"{name} {n}", division=name) for name in ("junior", "senior") for n in range(5)
    ]
    at_desk(world, story, "pokemon-2017", players)


NEXT, OVER = (
    "The next round will appear here.",
    "All rounds are played, and the organiser will end the event.",
)


@pytest.mark.parametrize(
    ("rules", "players", "rounds", "options"),
    [
        ("draft-sheet", 8, 3, {}),
        ("mtr", 8, 2, {"format": "swiss", "rounds": 2}),
        ("mtr", 8, 4, {"format": "swiss+elimination", "rounds": 2, "cut": 4}),
        ("mtr", 4, 2, {"format": "elimination"}),
        ("mtr", 4, 3, {"format": "round-robin"}),
    ],
)
def test_the_public_page_says_after_the_last_round_that_no_round_follows(
    tmp_path: Path, rules: str, players: int, rounds: int, options: dict[str, Any]
) -> None:
    async def story(guest: Guest) -> None:
        for _ in range(1, rounds):
            await guest.play()
            page = text_of(await guest.page())
            assert NEXT in page
            assert OVER not in page
        await guest.play()
        page = await guest.page()
        assert OVER in text_of(page)
        assert NEXT not in text_of(page)
        assert 'href="/e/cup/standings"' in page

    in_hall(tmp_path, story, rules, players, **options)
