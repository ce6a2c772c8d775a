"""What changed, in sentences: all that concerns players, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from tests.web.hall_guest import Guest, in_hall
from topcut.app.execute import new_context
from topcut.app.views.log_view import find_latest_news
from topcut.event import commands as c
from topcut.event.describe.news import News
from topcut.event.facts import Result


def said(guest: Guest) -> list[str]:
    return [item.says for item in find_latest_news(guest.live, 1_000)]


def test_the_newest_comes_first(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.do(c.Announce(prizes="a cup"))
        await guest.post()
        await guest.do(c.Start(minutes=50), c.Extend(minutes=5))
        await guest.report()
        await guest.do(c.End(), c.Register(name="Zoe"), c.Drop(player="p1"))
        assert said(guest) == [
            "Ada drops after round 1.",
            "Zoe enters from round 2.",
            "Round 1 ends.",
            "All tables of round 1 get 5 more minutes.",
            "Round 1 starts (50 minutes).",
            "Round 1 is published.",
            next(line for line in said(guest) if line.startswith("Announced: ")),
        ]

    in_hall(tmp_path, story, "pokemon-2017", 8)


def test_what_concerns_only_the_desk_is_not_told(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.do(
            c.RefuseEntry(name="Mallory", reason="is banned"),
            c.CheckIn(),
            c.FixTable(player="p1", table=3),
            c.BlockTables(tables=(2,)),
        )
        await guest.play()
        await guest.do(
            c.Disqualify(player="p2", reason="marked cards"),
            c.Ask(player="p3", about="points"),
            c.AnswerQuestion(question=1),
        )
        whole = " ".join(said(guest))
        for secret in ("Mallory", "banned", "marked", "table 3", "Table 2", "Question", "Cy"):
            assert secret not in whole
        assert "Bo is disqualified after round 1" in whole

    in_hall(tmp_path, story, "mtr", 8)


def test_corrections_say_what_was_and_what_is(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.post()
        one, two = (guest.state.name_of(player_id) for player_id in guest.round.tables[0].players)
        await guest.do(c.Start(), c.Report(table=1, result=Result(games=(2, 1, 0))))
        correct = c.Correct(table=1, round=1, result=Result(games=(0, 2, 0)), reason="slip misread")
        await guest.do(correct)
        change = f"{one} beats {two} 2-1 → {two} beats {one} 2-0"
        assert said(guest)[0] == f"The result of round 1, table 1 is corrected: {change}."
        await guest.do(c.Undo())
        assert said(guest)[0].startswith("Undone: “The result of round 1, table 1 is corrected: ")
        assert not any(line.startswith("The result of") for line in said(guest))
        await guest.do(c.Redo())
        assert said(guest)[0].startswith("Redone: “The result of round 1, table 1 is corrected: ")
        await guest.do(c.Correct(table=1, round=1, result=Result(games=(2, 0, 0))))
        assert said(guest)[0].endswith(f"{two} beats {one} 2-0 → {one} beats {two} 2-0.")
        assert "misread" not in " ".join(said(guest))

    in_hall(tmp_path, story, "mtr", 8)


def test_a_repair_is_told_only_of_a_round_that_was_posted(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.do(c.Pair(), c.Drop(player="p1", then="fewest"))
        assert not any("re-paired" in line for line in said(guest))
        await guest.do(c.Publish(), c.Drop(player="p2", then="fewest"))
        assert any(line.startswith("Round 2 is re-paired. ") for line in said(guest))

    in_hall(tmp_path, story, "mtr", 9)


def test_reading_it_bit_by_bit_tells_the_same(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        steady = News(guest.live.session.log)
        for _ in range(2):
            await guest.play()
            steady.last(guest.live.session.log, 5)
            await guest.do(c.Undo(), c.Redo(), c.Undo(), c.End())
            steady.last(guest.live.session.log, 5)
        log = guest.live.session.log
        assert steady.last(log, 1_000) == News(log).last(log, 1_000)

    in_hall(tmp_path, story, "mtr", 8)


def test_names_that_were_deleted_are_not_told_any_more(tmp_path: Path) -> None:
    async def story(guest: Guest) -> None:
        await guest.play()
        await guest.do(c.Drop(player="p1"), c.Finish(reason="enough"))
        assert "Ada drops after round 1." in said(guest)
        later = replace(new_context("Mara"), at=new_context("Mara").at + timedelta(days=400))
        await guest.live.do([c.Purge()], later)
        assert "p1 drops after round 1." in said(guest)
        for name, page in (await guest.everything()).items():
            assert "Ada" not in page, name

    in_hall(tmp_path, story, "mtr", 4)
