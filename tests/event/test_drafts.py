"""Drafts as parts of an event: they begin, end and begin again between rounds, in pods by the standings."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import msgspec
import pytest

from tests.event.event_runner import Running
from topcut.app.views.leaderboard import EventLeaderboard
from topcut.errors import BadInput, TopcutError
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.decide.context import Context
from topcut.event.decide.create import take_over
from topcut.event.describe.drafts import describe_draft, describe_draft_round
from topcut.event.event_log import EventLog
from topcut.event.facts import DraftBegan
from topcut.event.log_chain import NOTHING, write_lines
from topcut.event.next_steps import find_next_steps
from topcut.event.refusals import CannotUndo, NotNow
from topcut.formats.event_file import EventFile, build_event, decode_event_file, encode_event_file
from topcut.formats.state_snapshot import snapshot_event_file
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.stages.audit import audit_rounds
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round

Pods = dict[str, int]


def event_of(players: int = 20, rules: str = "fab-gem", **options: Any) -> Running:
    return Running(rules, players, **options)


def pods(event: Running) -> Pods:
    return {e.player.id: e.player.pod for e in event.state.active() if e.player.pod is not None}


def ranking(event: Running) -> list[str]:
    """The published standings, from the top."""
    board = EventLeaderboard(event.state, len(event.state.rounds))
    return [row["id"] for row in board.rows]


def inside(event: Running, given: Pods) -> bool:
    """Whether every table of the round is inside one pod."""
    return all(len({given[player] for player in table.players}) == 1 for table in event.round.tables)


def file_of(event: Running) -> EventFile:
    """The exported event, as it is read again."""
    return decode_event_file(encode_event_file(snapshot_event_file(event.state)))


def verdicts(file: EventFile) -> list[tuple[bool, bool]]:
    """For each round of a file: whether it is legal and optimal."""
    event = build_event(file, book=load(file.rules))
    progress = Progress(event.history, event.book, file.options, file.rounds, [file.seed])
    return [(verdict.legal, verdict.optimal) for verdict in audit_rounds(progress)]


def imported(file: EventFile) -> Running:
    """An event that goes on from a file."""
    event = Running(file.rules)
    command = c.TakeOver(
        name=file.name,
        book=freeze_book(load(file.rules)),
        options=file.options,
        players=file.players,
        rounds=file.rounds,
        seed=file.seed,
    )
    made = take_over(command, Context(at=event.now, by="Ada", entropy="import"))
    written = write_lines(made.facts, after=0, previous=NOTHING, at=event.now, by="Ada", via="test")
    event.log = EventLog(written, made.private)
    return event


def road(drafts: int = 1) -> Running:
    """Two standard rounds, then a draft of three that has just begun."""
    event = event_of(rounds=7 + 3 * (drafts - 1), cut=8)
    event.play("", "2-1 0-2 2-1 0-2")
    event.do(c.BeginDraft(rounds=3))
    return event


# Pods


def test_pods_are_made_from_the_published_standings_lots_included() -> None:
    event = event_of()
    event.play("", "")
    before = ranking(event)
    event.do(c.BeginDraft(rounds=3))
    assert [pods(event)[player] for player in before] == [1] * 8 + [2] * 8 + [3] * 4


@pytest.mark.parametrize("played", [1, 2, 3])
def test_so_are_the_pods_of_a_draft_in_which_lots_decide_at_the_border(played: int) -> None:
    event = event_of(16)  # 8 and 8: after round 1 the lots alone divide 16 players with equal keys
    for _ in range(played):
        event.up()
        for table in event.round.missing:
            assert isinstance(table.table, int)
            event.do(c.Report(table=table.table, result=event.result("1-1-1")))
        event.do(c.End())
    before = ranking(event)
    event.do(c.BeginDraft())
    assert [pods(event)[player] for player in before] == [1] * 8 + [2] * 8


def test_a_draft_before_round_1_draws_its_pods_from_its_own_seed() -> None:
    event = event_of(16)
    event.do(c.BeginDraft(rounds=3))
    first = pods(event)
    event.do(c.EndDraft(), c.BeginDraft(rounds=3))
    assert sorted(Counter(first.values()).values()) == [8, 8]
    assert pods(event) != first
    began = [entry.fact for entry in event.log.entries if isinstance(entry.fact, DraftBegan)]
    assert [fact.attempt for fact in began] == [1, 2], "every attempt is counted and kept"


def test_seats_in_each_pod_are_numbered_from_1_and_drawn() -> None:
    event = road()
    seats: defaultdict[int | None, list[int]] = defaultdict(list)
    for listed in event.state.active():
        seats[listed.player.pod].append(listed.player.seat or 0)
    assert {pod: sorted(taken) for pod, taken in seats.items()} == {
        1: [*range(1, 9)],
        2: [*range(1, 9)],
        3: [*range(1, 5)],
    }
    other = road()
    other.do(c.EndDraft(), c.BeginDraft(rounds=3))
    assert pods(event) == pods(other)
    assert [e.player.seat for e in event.state.active()] != [e.player.seat for e in other.state.active()]


# The rounds of a draft


def test_rounds_of_a_draft_stay_in_its_pods_and_those_after_it_do_not() -> None:
    event = road()
    given = pods(event)
    for number in (1, 2, 3):
        event.up()
        assert inside(event, given)
        assert event.round.format == "draft 1"
        assert describe_draft_round(event.state, event.round.number) == f"Draft 1, round {number} of 3"
        event.report()
        event.do(c.End())
        assert pods(event) == given, "results change the standings, not the pods"
    event.up()
    assert pods(event) == {}
    assert event.round.format is None
    assert not inside(event, given)
    assert describe_draft_round(event.state, 6) == ""
    assert describe_draft_round(event.state, 4) == "Draft 1, round 2 of 3"


def test_a_draft_can_be_ended_early_and_another_begins() -> None:
    event = road()
    event.play("")
    event.do(c.EndDraft())
    assert (event.state.draft, event.state.options.mode, pods(event)) == (None, None, {})
    event.play("")
    assert event.round.format is None
    event.do(c.BeginDraft())
    event.play("")
    assert event.round.format == "draft 2"
    assert [(draft.number, draft.first, draft.last) for draft in event.state.drafts] == [
        (1, 3, 3),
        (2, 5, None),
    ]


def test_a_draft_without_a_number_of_rounds_goes_on_until_it_is_ended() -> None:
    event = event_of(rounds=6)
    event.do(c.BeginDraft())
    given = pods(event)
    for _ in range(3):
        event.up()
        assert inside(event, given)
        event.report()
        event.do(c.End())
    assert describe_draft_round(event.state, 3) == "Draft 1, round 3"
    event.do(c.EndDraft())
    event.up()
    assert not inside(event, given)


def test_two_drafts_in_a_row_have_their_own_pods_and_meetings() -> None:
    event = road(2)
    first = pods(event)
    event.play("", "", "")
    before = ranking(event)
    event.do(c.BeginDraft(rounds=3))
    assert [pods(event)[player] for player in before] == [1] * 8 + [2] * 8 + [3] * 4
    assert pods(event) != first
    event.play("", "")
    assert [r.format for r in event.state.rounds] == [None, None, *["draft 1"] * 3, *["draft 2"] * 2]


def test_one_pod_can_draft_twice_although_its_pods_look_the_same() -> None:
    """Only meetings in the same draft are forbidden rematches (FB-A12); the event file says which."""
    event = event_of(8, rounds=14, cut=None)
    event.do(c.BeginDraft(rounds=7))
    event.play(*[""] * 7)
    met = Counter(frozenset(table.players) for r in event.state.rounds for table in r.tables)
    assert len(met) == 28, "everybody has met everybody"
    event.do(c.BeginDraft(rounds=7))
    again = imported(file_of(event))
    assert again.state.draft is not None
    assert (again.state.draft.number, again.state.draft.first) == (2, 8)
    for one in (event, again):
        one.play("")
        assert describe_draft_round(one.state, 8) == "Draft 2, round 1 of 7"
        assert verdicts(file_of(one)) == [(True, True)] * 8


def test_the_bracket_follows_a_draft_that_goes_on_to_the_last_swiss_round() -> None:
    event = event_of(rounds=3, cut=4)
    event.play("")
    event.do(c.BeginDraft())
    event.play("", "")
    best = ranking(event)[:4]
    event.up()
    assert event.round.in_bracket
    assert [set(table.players) for table in event.round.tables] == [{best[0], best[3]}, {best[1], best[2]}]
    assert event.state.draft is None


# Who comes and goes


def test_a_drop_shrinks_a_pod_and_a_late_player_joins_the_smallest() -> None:
    event = road()
    event.play("")
    third = [player for player, pod in pods(event).items() if pod == 3]
    event.do(c.Drop(player=third[0]))
    event.do(c.Register(name="Late"))
    assert event.state.players["p21"].player.pod == 3
    assert event.state.players["p21"].player.seat is None, "the draft itself is over"
    given = pods(event)
    event.up()
    assert inside(event, given)
    assert event.round.table_of("p21") is not None


def test_a_player_who_comes_before_the_first_round_of_a_draft_gets_a_seat_too() -> None:
    event = road()
    event.do(c.Register(name="Late"))
    late = event.state.players["p21"].player
    assert (late.pod, late.seat) == (3, 5)


def test_a_player_who_left_before_the_draft_and_comes_back_joins_a_pod() -> None:
    event = event_of(rounds=7)
    event.play("")
    event.do(c.Drop(player="p5"), c.BeginDraft(rounds=3), c.Restore(player="p5"))
    event.up()
    assert event.state.players["p5"].player.pod == 1, "19 players made pods of 8 and 11"


# Refusals


def test_a_draft_begins_and_ends_between_rounds_only() -> None:
    event = event_of(8)
    event.do(c.Pair())
    for command in (c.BeginDraft(), c.EndDraft()):
        with pytest.raises(NotNow):
            event.do(command)
    event.do(c.Publish(), c.Start())
    with pytest.raises(NotNow, match="Round 1 is being played. End it first."):
        event.do(c.BeginDraft())


def test_a_book_without_pods_says_so() -> None:
    event = event_of(8, "mtr")
    with pytest.raises(NotNow, match="has no pods, so no draft can begin"):
        event.do(c.BeginDraft())


def test_more_rounds_than_are_planned_are_refused() -> None:
    event = event_of(20, rounds=4)
    event.play("", "")
    with pytest.raises(NotNow, match="Only 2 Swiss rounds are left, but you asked for a draft of 3"):
        event.do(c.BeginDraft(rounds=3))
    with pytest.raises(BadInput):
        event.do(c.BeginDraft(rounds=0))


def test_pods_cannot_be_drawn_again_until_they_come_out_right() -> None:
    event = road()
    with pytest.raises(NotNow, match="Pair the first round, or end the draft"):
        event.do(c.BeginDraft())


def test_lots_before_round_1_do_not_replace_the_pods_of_a_draft() -> None:
    event = event_of(8)
    event.do(c.BeginDraft())
    with pytest.raises(NotNow, match="Draft 1 has begun, with pods and seats. End it first."):
        event.do(c.DrawLots(kind="pods"))


def test_the_options_do_not_end_a_draft_by_accident() -> None:
    event = road()
    options = msgspec.structs.replace(event.state.options, mode=None, draft=None, rounds=8)
    with pytest.raises(NotNow, match="End the draft instead"):
        event.do(c.ChangeOptions(options=options))
    event.do(c.ChangeOptions(options=msgspec.structs.replace(options, mode="draft")))
    assert event.state.options.rounds == 8
    assert event.state.options.draft is not None


# Undo


def test_the_beginning_of_a_draft_can_be_undone_and_redone() -> None:
    event = road()
    given = pods(event)
    event.do(c.Undo())
    assert (pods(event), event.state.draft, event.state.options.mode) == ({}, None, None)
    event.do(c.Redo())
    assert pods(event) == given


def test_a_late_player_has_no_pod_when_the_draft_is_undone() -> None:
    event = road()
    step = event.log.entries[-1].step
    event.do(c.Register(name="Late"))
    event.do(c.Undo(step=step))
    assert event.state.players["p21"].player.pod is None


def test_it_cannot_be_undone_alone_once_its_rounds_are_paired() -> None:
    event = road()
    step = event.log.entries[-1].step
    event.play("")
    with pytest.raises(CannotUndo):
        event.do(c.Undo(step=step))
    event.do(c.EndDraft())
    with pytest.raises(CannotUndo):
        event.do(c.Undo(step=step))


def test_the_end_of_a_draft_comes_back_with_the_round_that_ended_it() -> None:
    event = road()
    event.play("", "", "")
    given = pods(event)
    event.do(c.Pair())
    assert pods(event) == {}
    event.do(c.Undo())
    assert pods(event) == given
    assert describe_draft(event.state.drafts[-1], event.state).startswith("Draft 1 is over after 3 rounds")


# Files and logs


def test_an_event_with_two_drafts_comes_back_whole_and_is_checked_whole() -> None:
    event = road(2)
    event.play("", "", "")
    event.do(c.Drop(player="p3"), c.BeginDraft(rounds=3))
    event.play("", "")
    event.do(c.Register(name="Late"))
    event.play("")
    event.play("")
    file = file_of(event)
    assert [bool(r.pods) for r in file.rounds] == [
        False,
        False,
        True,
        False,
        False,
        True,
        False,
        False,
        False,
    ]
    assert verdicts(file) == [(True, True)] * 9
    again = imported(file)
    planned = [msgspec.structs.replace(draft, rounds=None) for draft in event.state.drafts]
    assert list(again.state.drafts) == planned
    assert [(r.format, r.pods) for r in file_of(again).rounds] == [(r.format, r.pods) for r in file.rounds]
    assert file_of(again).options == file.options


@pytest.mark.parametrize("played", [0, 1, 3])
def test_a_draft_goes_on_after_an_import(played: int) -> None:
    event = road()
    event.play(*[""] * played)
    given, file = pods(event), file_of(event)
    again = imported(file)
    assert pods(again) == given
    assert again.state.draft is not None
    assert again.state.draft.first == 3
    again.up()
    assert inside(again, given) == (played < 3)
    assert again.round.format == ("draft 1" if played < 3 else None)
    assert check_log(again.log.lines, again.log.private).ok


def test_a_recorded_table_between_two_pods_is_found() -> None:
    event = road()
    event.play("")
    file = file_of(event)
    wrong = file.rounds[2].pods
    assert wrong is not None
    rows = file.rounds[2].tables
    one, other = rows[0], rows[-1]
    swapped = msgspec.structs.replace(one, players=(other.players[0], one.players[1]), winner=None)
    back = msgspec.structs.replace(other, players=(one.players[0], other.players[1]), winner=None)
    tables = (swapped, *rows[1:-1], back)
    played = (*file.rounds[:2], msgspec.structs.replace(file.rounds[2], tables=tables, seed=None))
    later = msgspec.structs.replace(file, rounds=played, options=msgspec.structs.replace(file.options))
    assert verdicts(later)[2] == (False, False)


def test_pods_of_strangers_in_a_file_are_refused() -> None:
    event = road()
    event.play("")
    file = file_of(event)
    rounds = (*file.rounds[:2], msgspec.structs.replace(file.rounds[2], pods={"nobody": 1}))
    with pytest.raises(BadInput, match=r"rounds\[2\].pods"):
        build_event(msgspec.structs.replace(file, rounds=rounds), book=load(file.rules))


def test_from_the_file_alone_the_next_round_is_in_or_out_of_the_draft() -> None:
    event = road()
    event.play("")
    file, given = file_of(event), pods(event)

    def tables(options: object) -> list[set[str]]:
        changed = msgspec.structs.replace(file, options=options)
        built = build_event(changed, book=load(file.rules))
        progress = Progress(built.history, built.book, changed.options, changed.rounds, [changed.seed])
        players = built.history.players
        return [{players[i].id for i in t.players} for t in pair_next_round(progress, "seed").tables]

    def stays(found: list[set[str]]) -> bool:
        return all(len({given[player] for player in table}) == 1 for table in found)

    assert stays(tables(file.options))
    assert not stays(tables(msgspec.structs.replace(file.options, mode=None, draft=None)))


def test_the_log_of_drafts_replays() -> None:
    event = road(2)
    event.play("", "", "")
    event.do(c.BeginDraft(rounds=3))
    event.play("")
    found = check_log(event.log.lines, event.log.private)
    assert found.ok
    assert [str(draft.what) for draft in found.draws if "pods" in draft.what] == [
        "pods of draft 1",
        "pods of draft 2",
    ]


def test_pods_that_were_drawn_by_hand_are_found_in_a_log() -> None:
    event = road()
    fact = next(entry.fact for entry in event.log.entries if isinstance(entry.fact, DraftBegan))
    moved = {player: 3 if pod == 1 else 1 if pod == 3 else pod for player, pod in fact.pods.items()}
    other = msgspec.structs.replace(fact, pods=moved)
    lines = list(event.log.lines[:-1])
    before = EventLog(lines, event.log.private)
    lines += write_lines(
        [other], after=before.version, previous=before.head, at=event.now, by="Ada", via="test"
    )
    found = check_log(lines, event.log.private)
    assert not found.ok


# The clock


def test_the_clock_of_a_draft_runs_pauses_and_is_remembered() -> None:
    event = road()
    with pytest.raises(NotNow, match="Enter the minutes"):
        event.do(c.StartDraftClock(activity="drafting"))
    event.do(c.StartDraftClock(activity="drafting", minutes=40), c.Pause())
    draft = event.state.drafting
    assert draft is not None
    assert draft.clock is not None
    assert draft.clock.seconds_left(event.now) == 39 * 60
    event.do(c.Resume(), c.StartDraftClock(activity="building", minutes=30))
    event.play("", "", "")
    event.do(c.BeginDraft())
    event.do(c.StartDraftClock(activity="drafting"))
    draft = event.state.drafting
    assert draft is not None
    assert draft.clock is not None
    assert draft.clock.minutes == 40
    event.play("")
    with pytest.raises(TopcutError):
        event.do(c.StartDraftClock(activity="building"))


def test_the_next_steps_name_the_draft_where_it_can_begin_and_end() -> None:
    event = event_of(8, rounds=7)
    assert find_next_steps(event.state) == ["pair", "add", "begin draft"]
    event.do(c.BeginDraft(rounds=2))
    assert find_next_steps(event.state) == ["pair", "add", "end draft"]
    event.play("")
    assert find_next_steps(event.state) == ["pair", "begin draft", "end draft"]
    assert "begin draft" not in find_next_steps(event_of(8, "mtr").state)


def test_a_whole_event_in_draft_mode_goes_on_as_drafts() -> None:
    """The option `mode` puts the event in pods from the start; they can end, and others begin."""
    event = event_of(16, mode="draft", rounds=6)
    event.play("", "")
    given = pods(event)
    event.do(c.EndDraft())
    event.up()
    assert not inside(event, given)
    event.report()
    event.do(c.End(), c.BeginDraft(rounds=2))
    event.play("")
    assert [r.format for r in event.state.rounds] == ["draft 1", "draft 1", None, "draft 2"]
    assert verdicts(file_of(event)) == [(True, True)] * 4
