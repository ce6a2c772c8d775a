"""Who enters, when, at what price, and what they are told (PK-17 to PK-23, PK-47)."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.refusals import EntryClosed, NeedsReason, NotNow

PK = "pokemon-2017"


def entered(event: Running, name: str) -> int:
    return next(e.player.entered for e in event.state.players.values() if e.player.name == name)


def test_players_get_ids_in_the_order_they_come() -> None:
    event = Running(PK, ["Ada", "Bo"])
    assert {player_id: e.player.name for player_id, e in event.state.players.items()} == {
        "p1": "Ada",
        "p2": "Bo",
    }


def test_an_id_that_was_given_out_is_not_given_out_again() -> None:
    event = Running(PK, ["Ada", "Bo"])
    event.do(c.Remove(player="p2"), c.Register(name="Cy"), c.Register(name="Di", id="p7"))
    assert list(event.state.players) == ["p1", "p3", "p7"]
    event.do(*(c.Register(name=f"More {n}") for n in range(5)))
    assert len(event.state.players) == 8


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\x00b"])
def test_a_name_must_be_one(name: str) -> None:
    event = Running(PK)
    with pytest.raises(BadInput, match="expected a name"):
        event.do(c.Register(name=name))
    assert event.log.version == 1


def test_two_players_may_have_one_name_and_it_is_said() -> None:
    event = Running(PK, ["Ada"])
    assert event.do(c.Register(name="Ada")).warnings == ["Another player is also called Ada."]


def test_the_division_follows_from_the_birth_year_and_stays_when_the_year_is_forgotten() -> None:
    event = Running(PK)
    event.do(c.Register(name="Ada", born=1990), c.Register(name="Bo", born=2010))
    assert [e.player.division for e in event.state.players.values()] == ["masters", "junior"]
    event.do(c.EditPlayer(player="p2", born=2004))
    assert event.state.players["p2"].player.division == "senior"
    event.do(c.EditPlayer(player="p2", division="masters", name="Beau"))
    player = event.state.players["p2"].player
    assert (player.division, player.born, player.name) == ("masters", 2004, "Beau")
    with pytest.raises(BadInput, match='expected junior, senior or masters, not "elders"'):
        event.do(c.Register(name="Cy", division="elders"))
    with pytest.raises(BadInput, match="expected a year"):
        event.do(c.Register(name="Cy", born=2050))


def test_after_the_end_only_names_are_put_right() -> None:
    event = Running(PK)
    event.do(*(c.Register(name=f"P{n}", division="masters") for n in range(2)))
    event.play("")
    event.do(c.Finish(reason="x"), c.EditPlayer(player="p1", name="Ada", born=2012))
    player = event.state.players["p1"].player
    assert (player.name, player.born, player.division) == ("Ada", 2012, "masters")
    with pytest.raises(NotNow, match="Only names, membership numbers and birth years"):
        event.do(c.EditPlayer(player="p1", division="junior"))


def test_a_late_player_takes_a_loss_for_every_round_already_started() -> None:
    """PK-17, PK-T11: arrives while round 2 is being played: two losses."""
    event = Running(PK, 8)
    event.play("")
    event.up()
    told = event.do(c.Register(name="Late"))
    assert entered(event, "Late") == 3
    assert told.says == [
        "Tell Late: entering late means 2 losses for rounds 1 to 2. It also means a place below players with"
        " the same record who were on time (PK-20)."
    ]


def test_with_pairings_up_the_organiser_adds_now_or_waits() -> None:
    """PK-18, PK-T11: one loss if added now, two if the organiser waits."""
    event = Running(PK, 8)
    event.play("")
    event.up(started=False)
    assert [answer.kind for answer in event.answers(c.Register(name="Late"))] == ["leave", "fewest", "again"]
    event.do(c.Register(name="Late", then="leave"))
    assert entered(event, "Late") == 3
    event.do(c.Undo())
    event.do(c.Register(name="Late", then="fewest"))
    assert entered(event, "Late") == 2
    assert event.round.table_of("p10") is not None
    assert event.round.phase == "published"
    event.do(c.Undo())
    event.do(c.Register(name="Late", then="again"))
    again = event.round
    assert (again.attempt, again.phase) == (2, "draft")
    assert again.table_of("p11") is not None


def test_nobody_is_asked_about_a_draft_that_nobody_has_seen() -> None:
    event = Running(PK, 8)
    event.do(c.Pair(), c.Register(name="Ninth"))
    assert event.round.attempt == 2
    assert sum(len(t.players) for t in event.round.tables) == 9


def test_a_championship_event_takes_nobody_once_round_2_has_begun() -> None:
    """PK-21, PK-A9."""
    event = Running(PK, 8, level="championship")
    event.play("")
    event.up(started=False)
    answers = event.answers(c.Register(name="Late"))  # to wait would be too late
    assert [answer.kind for answer in answers] == ["fewest", "again"]
    event.do(c.Start())
    with pytest.raises(
        EntryClosed, match=r"^PK-21: Late can't enter. Players could enter until round 2 started"
    ):
        event.do(c.Register(name="Late"))
    assert Running(PK, 8, level="casual").state.book.late_entry is not None


def test_a_casual_event_takes_players_until_the_last_round_has_begun() -> None:
    event = Running(PK, 8)
    event.play("", "")
    event.do(c.Register(name="Late"))
    assert entered(event, "Late") == 3
    event.up()
    with pytest.raises(EntryClosed, match=r"^\w+ can't enter. The last planned round has started"):
        event.do(c.Register(name="Later"))


def test_nobody_waits_for_a_round_that_is_not_planned() -> None:
    event = Running(PK, 8)
    event.play("", "")
    event.up(started=False)
    assert [answer.kind for answer in event.answers(c.Register(name="Late", then="leave"))] == [
        "fewest",
        "again",
    ]


def test_nobody_enters_a_division_that_has_played_all_its_rounds() -> None:
    event = Running(PK, divisions="separate", by_division={"junior": {"rounds": 1}, "masters": {"rounds": 3}})
    for number in range(12):
        event.do(c.Register(name=f"Player {number}", division="junior" if number % 2 else "masters"))
    event.play("")
    with pytest.raises(EntryClosed, match=r"^\w+ can't enter. The last planned round has started"):
        event.do(c.Register(name="Late", division="junior"))
    event.do(c.Register(name="Late", division="masters"))
    event.play("")
    event.do(c.Undo())  # and any step can be taken back
    assert event.round.phase == "started"


def test_nobody_enters_a_chart_that_is_full() -> None:
    event = Running("draft-sheet", 8)
    event.play("")
    with pytest.raises(EntryClosed, match=r"The same players play from round 1 to the end\.$"):
        event.do(c.Register(name="Ninth"))


def test_who_comes_while_a_seat_is_empty_enters_before_the_seats_are_drawn() -> None:
    event = Running("draft-sheet", 7)
    event.up(started=False)
    with pytest.raises(EntryClosed, match=r"Undo the pairing, add Eighth, and pair again\.$"):
        event.do(c.Register(name="Eighth"))
    event.do(c.Undo(), c.Undo(), c.Register(name="Eighth"))
    assert len(event.up().tables) == 4
    assert all(len(table.players) == 2 for table in event.round.tables)


def test_nobody_waits_for_the_second_round_of_a_round_robin() -> None:
    event = Running(PK, 4, format="round-robin")
    event.up(started=False)
    assert "leave" not in [answer.kind for answer in event.answers(c.Register(name="Late", then="leave"))]
    event.do(c.Register(name="Late", then="again"))
    assert sum(len(table.players) for table in event.round.tables) == 5


@pytest.mark.parametrize("player_id", ["", "p1", "draw", "double_loss", "a\nb", "\ud800", "x" * 201])
def test_an_id_must_be_one_that_nothing_else_has(player_id: str) -> None:
    event = Running(PK, 1)
    with pytest.raises(BadInput) as refused:
        event.do(c.Register(name="x", id=player_id))
    assert "\n" not in str(refused.value)


def test_nobody_enters_a_bracket_that_has_begun_and_before_that_all_tables_are_drawn_again() -> None:
    """PK-22."""
    event = Running(PK, 8, format="elimination")
    event.up(started=False)
    assert [answer.kind for answer in event.answers(c.Register(name="Late"))] == ["again"]
    event.do(c.Register(name="Late", then="again"))
    assert sum(len(t.players) for t in event.round.tables) == 9
    event.do(c.Publish(), c.Start())
    with pytest.raises(EntryClosed, match=r"^PK-22: .* can't enter. The bracket has started"):
        event.do(c.Register(name="Later"))


def test_nobody_enters_after_the_cut() -> None:
    """PK-23: as in Swiss rounds, and there are none left."""
    event = Running(PK, 9)
    event.play("", "", "", "")
    event.do(c.Pair())
    assert event.round.stage == "elimination"
    with pytest.raises(EntryClosed, match=r"^\w+ can't enter after the cut"):
        event.do(c.Register(name="Late"))


def test_the_organiser_may_refuse_a_player_and_the_log_keeps_why() -> None:
    """PK-19."""
    event = Running(PK, 8)
    with pytest.raises(NeedsReason):
        event.do(c.RefuseEntry(name="Eve", reason=" "))
    event.do(c.RefuseEntry(name="Eve", reason="the hall is full"))
    assert "Eve" not in {e.player.name for e in event.state.players.values()}
    again = event.do(c.Register(name="eve", member="7"))
    assert again.warnings == ["eve was refused entry before (the hall is full)."]
    twice = event.do(c.Register(name="Di", member="7"))
    assert twice.warnings == ["eve also has the membership number 7."]


def test_late_players_join_the_flight_that_began_smaller() -> None:
    """PK-47."""
    event = Running(PK, 65, flights=2, divisions="off")
    event.do(c.DrawLots(kind="flights"))
    flights = [e.player.flight for e in event.state.players.values()]
    smaller = min((1, 2), key=flights.count)
    event.play("")
    event.do(c.Register(name="Late"), c.Pair())
    assert event.state.players["p66"].player.flight == smaller
    drawn = [e.player.flight for e in event.state.players.values()][:65]
    assert drawn == flights  # nobody else moves


def test_players_check_in_and_nobody_is_left_out_silently() -> None:
    event = Running(PK, 4)
    event.do(c.CheckIn(players=("p1", "p2", "p3")))
    with pytest.raises(NotNow, match="1 player is not checked in: Player 4"):
        event.do(c.Pair())
    event.do(c.Remove(player="p4"), c.Register(name="Di"), c.CheckIn())
    event.do(c.CheckIn(players=("p5",), here=False))
    with pytest.raises(NotNow, match="1 player is not checked in: Di"):
        event.do(c.Pair())
    event.do(c.CheckIn(players=("p5",)), c.Pair())


def test_everybody_is_seated_by_name_before_the_start() -> None:
    event = Running(PK, ["Cy", "ada", "Bo", "Ed", "Di"])
    event.do(c.BlockTables(tables=(2,)), c.FixTable(player="p1", table=1), c.SeatAll())
    seats = {e.player.name: e.seat for e in event.state.players.values()}
    assert seats == {"Cy": 1, "ada": 3, "Bo": 3, "Di": 4, "Ed": 4}


def test_a_player_can_be_removed_until_the_event_begins() -> None:
    event = Running(PK, 9)
    event.up(started=False)
    assert [answer.kind for answer in event.answers(c.Remove(player="p1"))] == ["fewest", "again"]
    event.do(c.Remove(player="p1", then="fewest"))
    assert sum(len(t.players) for t in event.round.tables) == 8
    event.do(c.Start())
    with pytest.raises(NotNow, match="can't be removed, only dropped"):
        event.do(c.Remove(player="p2"))
