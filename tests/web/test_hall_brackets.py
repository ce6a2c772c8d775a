"""Brackets in a page: a picture that takes the page's style, and the same as a list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.hall_guest import Guest, in_hall, text_of
from topcut.app.views.leaderboard import bracket_views
from topcut.event import commands as c
from topcut.site.brackets import BracketView
from topcut.stages.brackets.graph import build_single
from topcut.stages.brackets.layout import lay_out_trees
from topcut.stages.brackets.play import BracketPlay
from topcut.stages.brackets.svg import draw_svg


def tables(view: BracketView) -> dict[str, tuple[int | None, int | None]]:
    """The bracket's own names to the round and the number of the table."""
    return {table.name: (table.round, table.table) for a_round in view.rounds for table in a_round.tables}


def test_inside_a_page_it_has_no_style_of_its_own_and_says_what_is_what() -> None:
    play = BracketPlay(build_single(4), ["a", "b", "c", "d"])
    play.report("SF1", "a")
    label = {player_id: (player_id, player_id.upper()) for player_id in "abcd"}.__getitem__
    numbers = {"SF1": 7, "SF2": 8}
    alone, inside = (
        draw_svg(lay_out_trees(play), label, "Cup"),
        draw_svg(lay_out_trees(play), label, "Cup", inside=numbers.get),
    )
    assert "<style>" in alone
    assert "data-" not in alone
    assert "<style" not in inside
    assert "style=" not in inside
    assert '<g class="slot" data-join="SF1" data-table="7" data-player="a">' in inside
    assert '<g class="slot" data-join="F" data-player="a">' in inside
    assert '<g class="join" data-join="SF2" data-table="8">' in inside
    texts = [re.findall(r"<text[^>]*>([^<]*)", drawing) for drawing in (alone, inside)]
    assert sorted(texts[0]) == sorted(["Cup", *texts[1]])


def test_tables_of_a_bracket_are_found_in_the_hall(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play(2)
        (view,) = bracket_views(guest.state)
        assert "The Swiss rounds are over" in view.note
        assert tables(view) == {"SF1": (None, None), "SF2": (None, None), "F": (None, None)}
        await guest.post()
        (view,) = bracket_views(guest.state)
        assert view.note == ""
        assert tables(view) == {"SF1": (3, 1), "SF2": (3, 2), "F": (None, None)}
        assert all(table.open for table in view.rounds[0].tables)
        await guest.do(c.Start())
        await guest.report()
        (view,) = bracket_views(guest.state)
        assert all(table.result and not table.open for table in view.rounds[0].tables)
        assert [place.place for place in view.places][:2] == [3, 4]
        said = text_of(await guest.page("/bracket"))
        assert "Semi-finals" in said
        assert "SF1 · table 1" in said

    in_hall(tmp_path, story, "mtr", 8, format="swiss+elimination", rounds=2, cut=4)


@pytest.mark.parametrize("event_format", ["elimination", "double-elimination"])
def test_a_bracket_from_the_first_round_on_gives_final_places(tmp_path: Path, event_format: str) -> None:
    async def story(guest: Guest) -> None:
        rounds = 0
        (view,) = bracket_views(guest.state)
        while not (view.places and view.places[0].place == 1):
            await guest.play()
            rounds += 1
            (view,) = bracket_views(guest.state)
            played = {table.round for a_round in view.rounds for table in a_round.tables if table.round}
            assert played == set(range(1, rounds + 1))
        assert len(view.places) == 7
        assert "Final" in [a_round.title for a_round in view.rounds]

    in_hall(tmp_path, story, "mtr", 7, format=event_format)


def test_a_round_robin_is_a_list_of_rounds(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        (view,) = bracket_views(guest.state)
        assert not view.svg
        assert [a_round.title for a_round in view.rounds] == ["Round 1", "Round 2", "Round 3"]
        assert all(table.result for table in view.rounds[0].tables)
        assert not any(table.result for table in view.rounds[1].tables)
        page = await guest.page("/bracket")
        assert "Round robin, 4 players" in page
        assert ">Schedule</a>" in page

    in_hall(tmp_path, story, "mtr", 4, format="round-robin")


def test_without_players_there_is_no_bracket(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        assert bracket_views(guest.state) == []
        assert "No bracket yet" in await guest.page("/bracket")

    in_hall(tmp_path, story, "mtr", 1, format="elimination")
