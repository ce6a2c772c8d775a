"""A player's page: their rounds, why they stand there, and the question that their points are wrong."""

from __future__ import annotations

import json
from pathlib import Path

from tests.web.hall_guest import Guest, ask, in_hall, rows_of, text_of
from topcut.event import commands as c
from topcut.event.facts import Result


async def asked(guest: Guest, player: str, question: dict[str, object]) -> int:
    status, _, _ = await ask(guest.app, f"/e/cup/player/{player}/ask", json.dumps(question).encode())
    return status


def test_the_rounds_of_a_player_with_points_so_far(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play(2)
        await guest.post()
        page = await guest.page("/player/p1")
        header, *rows = [row for row in rows_of(page) if len(row) == 5]
        assert header == ["Round", "Against", "Result", "Points", "Table"]
        assert [row[0] for row in rows] == ["3", "2", "1"]
        assert rows[0][2] == "no result yet"
        row = guest.services.leaderboard(guest.live).ranks["p1"]
        assert rows[1][3] == str(row["points"])
        tables = [a_round.table_of("p1") for a_round in guest.state.rounds]
        met = {guest.state.name_of(player_id) for table in tables if table for player_id in table.players}
        assert {row[1] for row in rows} == met - {"Ada"}

    in_hall(tmp_path, story, "mtr", 8)


def test_results_stand_there_as_the_player_had_them(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.post()
        first, second = guest.round.tables[0].players
        await guest.do(c.Start(), c.Report(table=1, result=Result(games=(2, 1, 0))))
        for player, result in ((first, "won 2-1"), (second, "lost 1-2")):
            rows = rows_of(await guest.page(f"/player/{player}"))
            assert rows[1][2].removesuffix(" Wrong?") == result

    in_hall(tmp_path, story, "mtr", 2)


def test_why_this_rank_and_this_opponent(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play(2)
        await guest.post()
        for row in guest.services.leaderboard(guest.live).rows:
            said = text_of(await guest.page(f"/player/{row['id']}"))
            assert f"Why rank {row['rank']}" in said
            assert row["rank"] == 1 or "Below " in said or "Tied with " in said
            assert "Why this " in said
            assert "⟦" not in said
            for tiebreak in row["tiebreaks"][:2]:
                assert tiebreak["label"] in said
                assert tiebreak["shown"] in said

    in_hall(tmp_path, story, "mtr", 8)


def test_asking_about_points_and_results_until_the_record_is_closed(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        page = await guest.page("/player/p1")
        assert "My points are wrong" in page
        assert "Ask the desk to check round 1" in page
        assert await asked(guest, "p1", {"about": "points"}) == 200
        page = await guest.page("/player/p1")
        assert "My points are wrong" not in page
        assert "The desk was asked to check these results" in page
        assert await asked(guest, "p1", {"about": "result", "round": 1}) == 200
        page = await guest.page("/player/p1")
        assert "Ask the desk to check round 1" not in page
        assert ">desk asked<" in page
        await guest.play()
        assert "can be corrected until" in text_of(await guest.page("/player/p2"))
        await guest.post()  # closes round 1 (PK-60)
        page = await guest.page("/player/p2")
        assert "Ask the desk to check round 1" not in page
        assert "Ask the desk to check round 2" in page
        assert await asked(guest, "p2", {"about": "result", "round": 1}) == 422

    in_hall(tmp_path, story, "pokemon-2017", 8)


def test_once_the_event_is_over_nothing_can_be_asked(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.do(c.Finish(reason="the power is out"))
        page = await guest.page("/player/p1")
        assert "wrong" not in page
        assert "Why rank" in page

    in_hall(tmp_path, story, "mtr", 8)


def test_a_late_player_sees_the_rounds_they_missed(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.do(c.Register(name="Zoe"))
        assert "Plays from round 2" in await guest.page("/player/p9")
        await guest.play()
        rows = rows_of(await guest.page("/player/p9"))
        assert next(row for row in rows if row[0] == "1")[2] == "missed, counts as a loss"

    in_hall(tmp_path, story, "mtr", 8)


def test_names_from_right_to_left_stand_by_themselves_in_sentences(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        said = await guest.page("/pairings?by=table")
        assert "\u2068ليلى منصور\u2069" in said
        assert "\u2068" in text_of(await guest.page("/player/p2"))

    in_hall(tmp_path, story, "mtr", ["ليلى منصور", "Bo"])


def test_what_was_revealed_and_changed_by_hand_is_on_record(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play(3)
        commitment = guest.state.commitment
        assert commitment in await guest.page("/draws")
        assert "shown after the event" in await guest.page("/draws")
        table = guest.state.rounds[0].tables[0]
        assert isinstance(table.table, int)
        correction = c.Correct(
            table=table.table,
            round=1,
            players=table.players,
            result=Result(games=(0, 2, 0)) if table.games != (0, 2, 0) else Result(games=(2, 0, 0)),
            override=True,
            reason="both players say so",
        )
        await guest.do(correction)
        page = text_of(await guest.page("/draws"))
        assert "Round 1, table 1: both players say so (Mara)" in page
        assert "updated after it was paired, or earlier results were corrected" in page
        await guest.do(c.Finish(reason="the hall closes"))
        assert "shown after the event" not in await guest.page("/draws")

    in_hall(tmp_path, story, "pokemon-2017", 8)
