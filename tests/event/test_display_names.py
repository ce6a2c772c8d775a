"""Where a display name is given, everybody sees that one; the name behind it is for staff."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from topcut.app.views.log_view import LogView
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.describe.log_sentences import describe_log
from topcut.event.event_log import EventLog
from topcut.event.log_chain import digest
from topcut.event.lookup import find_player
from topcut.event.private_data import read_person
from topcut.event.refusals import NotNow, UnknownPlayer
from topcut.formats.state_snapshot import snapshot_event_file
from topcut.printing.lists import build_seats, build_sign_in
from topcut.printing.page import PrintOptions
from topcut.printing.printed_event import build_printed_event

PK = "pokemon-2017"


def names(event: Running, player: str = "p1") -> tuple[str, str]:
    """What everybody sees, and what staff know."""
    listed = event.state.players[player]
    return listed.player.shown_name, listed.legal


def entered(*names: str, member: str | None = None) -> Running:
    """An event with the names given, after a child who is shown as Zed."""
    event = Running(PK)
    event.do(c.Register(name="Ada Okafor", display="Zed", member=member))
    for name in names:
        event.do(c.Register(name=name))
    return event


def test_the_state_shows_the_display_name_and_keeps_the_other_for_staff() -> None:
    event = entered("Bo")
    assert names(event) == ("Zed", "Ada Okafor")
    assert names(event, "p2") == ("Bo", "Bo")
    assert [e.for_staff for e in event.state.players.values()] == ["Zed (Ada Okafor)", "Bo"]
    assert b"Okafor" not in b"".join(event.log.lines)
    assert [player.name for player in snapshot_event_file(event.state).players] == ["Zed", "Bo"]


def test_it_can_be_given_later_changed_and_taken_away() -> None:
    event = Running(PK, ["Ada Okafor", "Bo"])
    event.do(c.EditPlayer(player="p1", display="Zed"))
    assert names(event) == ("Zed", "Ada Okafor")
    event.do(c.EditPlayer(player="p1", name="Ada Okonjo"))
    assert names(event) == ("Zed", "Ada Okonjo")
    event.do(c.EditPlayer(player="p1", display=""))
    assert names(event) == ("Ada Okonjo", "Ada Okonjo")
    event.do(c.Undo())
    assert names(event) == ("Zed", "Ada Okonjo")
    with pytest.raises(NotNow, match="Nothing about Zed would change"):
        event.do(c.EditPlayer(player="p1", display=" Zed "))


def test_a_display_name_that_is_the_name_is_none() -> None:
    event = Running(PK)
    event.do(c.Register(name="Ada Okafor", display="Ada  Okafor"))
    assert event.state.players["p1"].display is None
    event.do(c.EditPlayer(player="p1", display="Zed"))
    event.do(c.EditPlayer(player="p1", name="Zed"))
    assert (names(event), event.state.players["p1"].display) == (("Zed", "Zed"), None)


def test_a_display_name_is_a_name() -> None:
    event = Running(PK, 2)
    with pytest.raises(BadInput, match="expected a name of 1 to 200 visible letters") as refused:
        event.do(c.Register(name="Ada", display="x" * 201))
    assert refused.value.place == "display"
    with pytest.raises(BadInput, match="expected a name of 1 to 200 visible letters"):
        event.do(c.EditPlayer(player="p1", display="\u202e"))


def test_staff_find_a_player_by_either_name() -> None:
    event = entered("Adam Ng", "Zoe")
    for text in ("Zed", "zed", "Ada Okafor", "okafor", "Ze"):
        assert find_player(event.state, text) == "p1"
    with pytest.raises(UnknownPlayer) as unknown:
        find_player(event.state, "Ada")
    assert unknown.value.like == ("Zed (Ada Okafor) (p1)", "Adam Ng (p2)")


def test_warnings_go_by_the_name_behind() -> None:
    event = entered(member="4711")
    told = event.do(c.Register(name="Ada Okafor"))
    assert told.warnings == ["Another player is also called Ada Okafor."]
    assert event.do(c.Register(name="Zed")).warnings == []
    told = event.do(c.Register(name="Bo", member="4711", display="Zed"))
    assert told.warnings == [
        "Another player also has the display name Zed.",
        "Zed also has the membership number 4711.",
    ]
    event.do(c.RefuseEntry(name="cy", reason="is banned"))
    told = event.do(c.Register(name="Cy", display="Quill"))
    assert told.warnings == ["Cy was refused entry before (is banned)."]
    told = event.do(c.EditPlayer(player="p1", display="Quill"))
    assert told.warnings == ["Another player also has the display name Quill."]


def test_the_log_is_told_by_what_is_shown() -> None:
    event = entered("Bo")
    event.play("2-0")
    whole = " ".join(line.says for line in describe_log(event.log))
    assert "Zed (p1) enters." in whole
    assert "Okafor" not in whole


def test_the_sign_in_sheet_has_both_names_from_a_to_z_by_the_one_to_sign_with() -> None:
    event = entered("Mo", "Bo")
    page = build_sign_in(build_printed_event(event.state), PrintOptions())
    cells = [row[2] for section in page.data["sections"] for row in section["rows"]]
    assert cells == ["Ada Okafor (Zed)", "Bo", "Mo"]
    assert ("the other name of Zed", "Ada Okafor") in page.names
    event.do(c.SeatAll())
    assert "Okafor" not in str(build_seats(build_printed_event(event.state), PrintOptions()))


def test_the_order_before_the_first_round_is_that_of_what_is_shown() -> None:
    event = entered("Bo", "Cy", "Di")
    event.do(c.SeatAll())
    tables = {player_id: listed.seat for player_id, listed in event.state.players.items()}
    assert tables == {"p2": 1, "p3": 1, "p4": 2, "p1": 2}


def test_an_entry_of_before_display_names_reads_as_it_did() -> None:
    body = b'{"name":"Grace Hopper","member":"739879","born":1990,"salt":"x"}'
    person = read_person({digest(body): body}, digest(body))
    assert (person.name, person.shown, person.display) == ("Grace Hopper", "Grace Hopper", None)
    event = Running(PK, ["Grace Hopper"])
    assert b"display" not in b"".join(event.log.private.values())


def test_a_copy_without_names_shows_ids() -> None:
    event = entered("Bo")
    public = EventLog(event.log.lines, {}).state
    assert [e.for_staff for e in public.players.values()] == ["p1", "p2"]


def test_the_desks_log_tells_also_what_was_before_by_the_display_name() -> None:
    event = Running(PK, ["Ada Okafor", "Bo", "Cy"])
    event.do(c.EditPlayer(player="p1", name="Ada Okonjo"), c.EditPlayer(player="p2", name="Bob"))
    book = LogView(event.log)
    assert [line.says for line in book.last(event.log, 2)] == [
        "The details of Bo (p2) are changed. The name is now Bob.",
        "The details of Ada Okafor (p1) are changed. The name is now Ada Okonjo.",
    ]
    event.do(c.EditPlayer(player="p1", display="Zed"), c.Remove(player="p1"))
    says = [line.says for line in book.last(event.log, 99)]
    assert not [line for line in says if "Ada" in line]
    assert says[:4] == [
        "Zed is removed from the list of players.",
        "The details of Zed (p1) are changed.",
        "The details of Bo (p2) are changed. The name is now Bob.",
        "The details of Zed (p1) are changed.",
    ]
    assert says == [line.says for line in LogView(event.log).last(event.log, 99)]
