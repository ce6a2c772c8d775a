"""What the pages of the hall show, phase by phase."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

import pytest

from tests.web.hall_guest import NAMES, Guest, ask, in_hall, rows_of, text_of
from topcut.app.demo import make_names, read_demo
from topcut.app.views.round_view import SeatRow
from topcut.app.views.visibility import public_state
from topcut.event import commands as c
from topcut.event.facts import Result
from topcut.text.names import initial_letter, name_key
from topcut.web.hall.event_pages import group_by_letter
from topcut.web.hall.screen import choose_view, is_on_screen


def test_before_the_first_round_every_page_says_what_happens_next(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        assert "8 players are on the list" in text_of(await guest.page())
        assert "No pairings yet" in await guest.page("/pairings")
        assert "No standings yet" in await guest.page("/standings")
        assert "Nothing is paired yet" in await guest.page("/draws")
        assert "On the list" in text_of(await guest.page("?q=ada"))
        assert "The event hasn't started yet" in text_of(await guest.page("/screen"))
        assert "The rounds of this player will appear here" in await guest.page("/player/p1")
        assert "Your table will appear here" in await guest.me("p1")

    in_hall(tmp_path, story, "mtr", 8)


def test_everybody_has_one_row_of_their_own_from_a_to_z(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.post()
        _, *rows = rows_of(await guest.page("/pairings"))
        assert [row[0] for row in rows] == sorted(NAMES[:9])
        seats = {
            guest.state.name_of(player_id): table
            for table in guest.round.tables
            for player_id in table.players
        }
        for name, where, against in rows:
            table = seats[name]
            assert where == str(table.table or "bye")
            assert against == ", ".join(
                guest.state.name_of(player_id)
                for player_id in table.players
                if guest.state.name_of(player_id) != name
            )

    in_hall(tmp_path, story, "mtr", 9)


def test_at_larger_tables_all_opponents_are_named(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.post()
        _, *rows = rows_of(await guest.page("/pairings"))
        assert all(row[2].count(",") == 2 for row in rows)

    in_hall(tmp_path, story, "commander-4", 8)


def test_a_row_has_the_record_before_the_round(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.post()
        header, *rows = rows_of(await guest.page("/pairings"))
        assert header == ["Player", "Table", "Against", "Record", "Points"]
        assert {row[3] for row in rows} <= {"1-0", "0-1", "0-0-1", "0-0 +bye"}
        older = rows_of(await guest.page("/pairings?number=1"))
        assert older[0] == ["Player", "Table", "Against"]
        await guest.page("/pairings?number=3", status=404)

    in_hall(tmp_path, story, "mtr", 9)


def test_by_table_results_come_as_they_are_reported(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.post()
        await guest.do(c.Start(minutes=50), c.Report(table=1, result=Result(games=(2, 1, 0))))
        _, *rows = rows_of(await guest.page("/pairings?by=table"))
        first, second = (guest.state.name_of(player_id) for player_id in guest.round.tables[0].players)
        assert rows[0] == ["1", f"{first} – {second}", f"{first} beats {second} 2-1"]
        assert {row[2] for row in rows[1:]} == {"playing"}
        assert "1 of 4 tables reported" in text_of(await guest.page("/pairings?by=table"))

    in_hall(tmp_path, story, "mtr", 8)


def test_tables_that_changed_after_they_were_posted_are_marked(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.post()
        gone = guest.round.tables[0].players[0]
        await guest.do(c.Drop(player=gone, then="fewest"))
        rows = rows_of(await guest.page("/pairings"))
        new = {row[0] for row in rows if row[2].endswith("new")}
        changed = {
            guest.state.name_of(player_id)
            for table in guest.round.tables
            for player_id in table.players
            if (table.table or player_id) in guest.round.changed
        }
        assert new == changed != set()
        assert guest.state.name_of(gone) not in {row[0] for row in rows}
        assert "Dropped after round 1" in await guest.page(f"/player/{gone}")

    in_hall(tmp_path, story, "mtr", 8)


def test_searching_finds_by_parts_of_names_and_says_where_the_others_are(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.do(c.Drop(player="p2"))
        await guest.post()
        found = text_of(await guest.page("?q=ngoc dang"))
        assert "Đặng Thị Ngọc Hân" in found
        assert "Table" in found
        assert "Dropped after round 1" in text_of(await guest.page("?q=bo"))
        assert "No player found for “zzz”" in text_of(await guest.page("?q=zzz"))

    in_hall(tmp_path, story, "mtr", ["Đặng Thị Ngọc Hân", "Bo", "Cy", "Di", "ليلى منصور"])


@pytest.mark.parametrize(
    ("rules", "players"), [("mtr", 9), ("pokemon-2017", 9), ("fab-gem", 9), ("commander-4", 13)]
)
def test_every_cell_of_the_standings_has_a_header(tmp_path: Path, rules: str, players: int) -> None:
    async def story(guest: Guest) -> None:
        await guest.play(2)
        header, *rows = rows_of(await guest.page("/standings"))
        assert {len(row) for row in rows} == {len(header)}
        assert len(rows) == players
        assert header[:4] == ["Rank", "Player", "Points", "Record"]

    in_hall(tmp_path, story, rules, players)


def test_those_who_left_are_marked_and_nobody_is_told_why(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.do(c.Drop(player="p1"), c.Disqualify(player="p2", reason="marked cards"))
        names = [row[1] for row in rows_of(await guest.page("/standings"))]
        assert "Ada dropped" in names
        everything = await guest.everything()
        assert not any("marked cards" in page for page in everything.values())
        assert "Disqualified" in text_of(await guest.page("/player/p2"))

    in_hall(tmp_path, story, "mtr", 8)


def test_the_line_of_the_cut_is_drawn_as_it_would_be_now(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        page = await guest.page("/standings")
        assert "Would advance if the cut were now: " in page
        assert page.count('class=" cut"') == 1
        assert "as it would be after round 1 of 3" in await guest.page("/bracket")
        assert "<svg" in await guest.page("/bracket")

    in_hall(tmp_path, story, "mtr", 8, format="swiss+elimination", rounds=3, cut=4)


def test_final_places_stand_above_the_standings(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play(4)
        await guest.do(c.Finish())
        page = await guest.page("/standings")
        rows = [row for row in rows_of(page) if row and row[0] == "1"]
        assert text_of(page).index("Final places") < text_of(page).index("Standings after the Swiss rounds")
        places = [int(row[0]) for row in rows_of(page)[1:9]]
        assert places == sorted(places)
        assert places[:4] == [1, 2, 3, 4]
        assert len(rows) >= 2
        assert "Final places" in await guest.page("/screen")

    in_hall(tmp_path, story, "mtr", 8, format="swiss+elimination", rounds=2, cut=4)


def test_divisions_can_be_looked_at_by_themselves(tmp_path: Path) -> None:
    years = {"Junior": 2018, "Senior": 2012, "Masters": 1990}
    entries = [
        c.Register(name=f"{name} {division}", born=year, member=f"M-{name}-{year}")
        for name in NAMES[:8]
        for division, year in years.items()
    ]

    async def story(guest: Guest) -> None:
        await guest.play()
        divisions = {row["division"] for row in guest.services.leaderboard(guest.live).rows}
        page = await guest.page("/standings")
        assert "Division" in rows_of(page)[0]
        for division in divisions:
            _, *rows = rows_of(await guest.page(f"/standings?division={division}"))
            assert [row[0] for row in rows] == sorted((row[0] for row in rows), key=int)
            assert 0 < len(rows) < len(entries)
        everything = await guest.everything()
        for page in everything.values():
            assert "M-Ada" not in page
            assert not any(str(year) in text_of(page) for year in years.values())

    in_hall(tmp_path, story, "pokemon-2017", entries)


@pytest.mark.parametrize("phase", ["published", "started", "ended"])
def test_a_screen_shows_what_the_phase_asks_for(tmp_path: Path, phase: str) -> None:
    async def story(guest: Guest) -> None:
        await guest.post()
        if phase != "published":
            await guest.do(c.Start(minutes=50))
        if phase == "ended":
            await guest.report()
            await guest.do(c.End())
        page = await guest.page("/screen")
        assert ('class="screen-rows pairings"' in page) == (phase != "ended")
        assert ('class="screen-rows ranks"' in page) == (phase == "ended")
        assert page.count("<li data-key=") == 8
        assert "hall.test/e/cup" in page
        assert choose_view(public_state(guest.state), "clock") == "clock"
        some = await guest.page("/screen?show=pairings&names=A-C")
        assert some.count("<li data-key=") == 3

    in_hall(tmp_path, story, "mtr", 8)


def test_links_are_there_as_qr_codes_but_a_players_own_only_for_staff(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        status, headers, body = await ask(guest.app, "/e/cup/qr.svg")
        assert status == 200
        assert headers["content-type"] == "image/svg+xml"
        assert body.startswith(b"<svg")
        await guest.get("/desk/cup/players/p1/qr.svg", status=401)

    in_hall(tmp_path, story, "mtr", 2)


def test_letters_lead_to_names_whatever_their_script() -> None:
    names = ["Ørsted", "Zoë", "Ángel", "李小龙", "さくら", "김철수", "ليلى", "3PO", "de Vries", "Ðuro"]
    assert [initial_letter(name) for name in names] == ["O", "Z", "A", "漢", "あ", "한", "ل", "#", "D", "D"]
    in_a_list = sorted(names, key=name_key)
    assert in_a_list[:4] == ["3PO", "Ángel", "de Vries", "Ðuro"]
    seats = [SeatRow(name, name, 1, (), 0, "0-0", False, "") for name in in_a_list]
    letters = [letter for letter, _ in group_by_letter(seats, points=False)]
    assert len(letters) == len(set(letters))


def test_names_cannot_break_out_of_a_page(tmp_path: Path) -> None:
    wild = "<script>alert('x')</script>"

    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.post()
        for name, page in (await guest.everything()).items():
            assert wild not in page or name.endswith("now"), name

    in_hall(tmp_path, story, "mtr", [wild, '"><b>Bo', "Cy", "Di"])


def test_one_of_several_screens_shows_its_letters() -> None:
    assert [letter for letter in "#ABCXZ漢" if is_on_screen(letter, "A-C")] == ["A", "B", "C"]
    assert [letter for letter in "#ABCXZ漢" if is_on_screen(letter, "x-")] == ["X", "Z", "漢"]
    assert all(is_on_screen(letter, "") for letter in "#AZ")


def test_the_pairings_of_two_thousand_are_small(tmp_path: Path) -> None:
    people = make_names(read_demo().people, 2_000, Random(1))

    async def story(guest: Guest) -> None:
        await guest.post()
        page = await guest.page("/pairings")
        assert len(gzip.compress(page.encode(), 6)) < 100_000
        assert len(rows_of(page)) == 2_001

    in_hall(tmp_path, story, "mtr", people, format="swiss", rounds=10)


def test_unknown_players_and_events_are_not_there(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        assert "This player isn't in this event" in text_of(await guest.page("/player/p99", status=404))
        await guest.page("/player/p99/now", status=404)
        await guest.get("/e/other", status=404)

    in_hall(tmp_path, story, "mtr", 2)


def test_the_bar_of_a_phone_knows_where_its_player_sits(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.post()
        at = json.loads(await guest.page("/player/p1/now"))
        table = guest.round.table_of("p1")
        assert table is not None
        others = [guest.state.name_of(player_id) for player_id in table.players if player_id != "p1"]
        assert (at["name"], at["round"], at["table"], at["against"]) == ("Ada", 2, table.table, others)
        assert at["record"] in ("1-0", "0-1", "0-0-1")
        await guest.do(c.Drop(player="p1", then="fewest"))
        assert json.loads(await guest.page("/player/p1/now"))["where"] == "Dropped after round 1"

    in_hall(tmp_path, story, "mtr", 8)
