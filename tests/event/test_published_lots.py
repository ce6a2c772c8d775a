"""What comes from the standings has the lots that everybody sees: cuts, brackets, pods, larger tables.

Logs from before this was so drew pods and larger tables by lots of the new round; what they drew stays right.
"""

from __future__ import annotations

from pathlib import Path
from unittest.mock import PropertyMock, patch

import pytest

from tests.event.event_runner import Running
from tests.stages.stage_books import house, more, stage
from topcut.app.views.leaderboard import EventLeaderboard
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.draw import find_progress
from topcut.event.facts import Result
from topcut.formats.event_file import build_event
from topcut.formats.state_snapshot import snapshot_event_file
from topcut.stages.audit import audit_rounds
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round, prepare_swiss_round

DRAFTS = more(rounds="2", pods="true"), more(rounds="2", pods="true"), stage("elimination", "top = 8")


def ranking(event: Running) -> list[str]:
    """The published standings, from the top."""
    return [row["id"] for row in EventLeaderboard(event.state, len(event.state.rounds)).rows]


def draw_all(event: Running) -> None:
    """A round in which every table draws: the lots decide everything."""
    event.up()
    for table in event.round.missing:
        assert isinstance(table.table, int)
        event.do(c.Report(table=table.table, result=Result(games=(0, 0, 1))))
    event.do(c.End())


def two_drafts(folder: Path) -> Running:
    """Sixteen players after the first of two drafts in which nobody won anything."""
    event = Running(house(folder, *DRAFTS, base="fab-gem"), 16)
    draw_all(event)
    draw_all(event)
    return event


@pytest.mark.parametrize("rules", ["pokemon-2017", "fab-gem"])
def test_a_bracket_is_seeded_by_the_published_standings(rules: str) -> None:
    event = Running(rules, 12, rounds=2, cut=4)
    draw_all(event)
    draw_all(event)
    best = ranking(event)[:4]
    event.up()
    assert [set(table.players) for table in event.round.tables] == [{best[0], best[3]}, {best[1], best[2]}]


def test_the_pods_of_a_later_stage_are_made_by_the_published_standings(tmp_path: Path) -> None:
    event = two_drafts(tmp_path)
    before = ranking(event)
    event.up()
    pods = {player_id: listed.player.pod for player_id, listed in event.state.players.items()}
    assert [pods[player] for player in before] == [1] * 8 + [2] * 8
    assert check_log(event.log.lines, event.log.private).ok


def test_from_an_event_file_they_are_those_of_its_standings_too(tmp_path: Path) -> None:
    event = two_drafts(tmp_path)
    before, file = ranking(event), snapshot_event_file(event.state)
    built = build_event(file, book=event.state.book)
    progress = Progress(built.history, built.book, file.options, file.rounds, [file.seed])
    for seed in ("a", "b"):
        pods = pair_next_round(progress, seed).drawn["pods"]
        assert [pods[player] for player in before] == [1] * 8 + [2] * 8


def test_pods_that_an_older_log_drew_by_lots_of_the_new_round_stay_right(tmp_path: Path) -> None:
    event = two_drafts(tmp_path)
    with patch.object(Progress, "standings_seed", PropertyMock(return_value=None)):  # as it was
        before = ranking(event)
        event.up()
        event.report()
        event.do(c.End())
    pods = {player_id: listed.player.pod for player_id, listed in event.state.players.items()}
    assert [pods[player] for player in before] != [1] * 8 + [2] * 8, "the lots were others"
    assert check_log(event.log.lines, event.log.private).ok
    event.play("")
    file = snapshot_event_file(event.state)
    built = build_event(file, book=event.state.book)
    progress = Progress(built.history, built.book, file.options, file.rounds, [file.seed])
    assert all(verdict.ok for verdict in audit_rounds(progress))


def multiplayer() -> Running:
    """Three tables of three, where every tie ends in a lot, after a round."""
    event = Running("allegiance-2005", 9, {"AL-A7": "b"}, rounds=3)
    event.play("")
    return event


def test_larger_tables_take_the_order_of_the_published_standings() -> None:
    event = multiplayer()
    for seed in ("a", "b"):
        progress = find_progress(event.state, 2, seed)
        draw = prepare_swiss_round(progress)
        (pool,) = draw.lay_out_pools(seed).pools
        order = draw.find_multiplayer_pool(pool, seed).field.players
        assert [progress.history.players[i].id for i in order] == ranking(event)


def test_larger_tables_of_an_older_log_stay_right() -> None:
    """The rounds of such logs replay, in the log and in the event file."""
    event = multiplayer()
    with patch.object(Progress, "standings_seed", PropertyMock(return_value=None)):
        event.play("", "")
    assert check_log(event.log.lines, event.log.private).ok
    file = snapshot_event_file(event.state)
    built = build_event(file, book=event.state.book)
    progress = Progress(built.history, built.book, file.options, file.rounds, [file.seed])
    assert all(verdict.ok for verdict in audit_rounds(progress))
