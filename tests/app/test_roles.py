"""Rights and roles: what stands in the documents is what counts, and every command takes a right."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.event.event_runner import Running
from topcut.app.access.identity import EVERYBODY, Identity, NotAllowed, identity_of_players
from topcut.app.access.roles import GIVEN, ROLES, Role
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.facts import Result
from topcut.event.needed_rights import find_needed_rights
from topcut.event.rights import RIGHTS

PAGE = Path(__file__).parents[2] / "docs" / "roles.md"
WON = Result(games=(2, 0, 0))


@pytest.fixture
def cup() -> Running:
    """Four players in the first round; one table is reported, by Ada."""
    event = Running("mtr", players=4)
    event.do(c.Pair(), c.Publish(), c.Start(), c.Report(table=1, result=WON))
    return event


def somebody(role: Role, name: str = "Lena") -> Identity:
    return Identity(name=name, role=role, rights=ROLES[role])


def may(who: Identity, command: c.AnyCommand, event: Running) -> bool:
    try:
        who.check([command], event.log)
    except NotAllowed:
        return False
    return True


def test_the_table_of_the_documents_is_true() -> None:
    head, _, *rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("|")]
    roles = [cell.strip() for cell in head.split("|")[3:-1]]
    assert roles == list(ROLES)
    told = {}
    for row in rows:
        right, words, *marks = [cell.strip() for cell in row.split("|")[1:-1]]
        told[right.strip("`")] = (words, {role for role, mark in zip(roles, marks, strict=True) if mark})
    assert told == {
        right: (words, {role for role, rights in ROLES.items() if right in rights})
        for right, words in RIGHTS.items()
    }


def test_every_command_takes_a_right_and_every_fact_one_to_take_it_back() -> None:
    assert {kind.right for kind in c.COMMANDS} <= set(RIGHTS)
    by_nobody = {f.Created, f.Committed, f.Undone, f.Redone}
    assert {kind for kind in f.FACTS if kind.right is None} == by_nobody


def test_entering_and_changing_are_two_rights(cup: Running) -> None:
    judge, keeper = somebody("judge"), somebody("scorekeeper")
    enter, change = c.Report(table=2, result=WON), c.Correct(table=1, result=WON)
    assert [may(judge, enter, cup), may(judge, change, cup)] == [True, False]
    assert [may(keeper, enter, cup), may(keeper, change, cup)] == [True, True]


def test_a_closed_record_takes_another_right(cup: Running) -> None:
    late = c.Correct(table=1, result=WON, override=True, reason="it was wrong")
    assert not may(somebody("scorekeeper"), late, cup)
    assert may(somebody("head judge"), late, cup)


@pytest.mark.parametrize("then", ["fewest", "again"])
def test_tables_that_are_posted_change_only_for_those_who_draw_rounds(cup: Running, then: c.Then) -> None:
    desk = somebody("registration")
    assert may(desk, c.Register(name="Late", then="leave"), cup)
    assert may(desk, c.Register(name="Late"), cup)
    assert not may(desk, c.Register(name="Late", then=then), cup)
    assert may(somebody("scorekeeper"), c.Register(name="Late", then=then), cup)


def test_more_time_for_all_is_more_than_for_one_table(cup: Running) -> None:
    judge = somebody("judge")
    assert may(judge, c.Extend(minutes=3, table=2), cup)
    assert not may(judge, c.Extend(minutes=3), cup)


def test_a_judge_takes_back_only_what_they_did_themselves(cup: Running) -> None:
    last = cup.log.steps()[-1]
    assert may(somebody("judge", "Ada"), c.Undo(step=last), cup)
    assert not may(somebody("judge", "Lena"), c.Undo(step=last), cup)
    assert may(somebody("scorekeeper", "Lena"), c.Undo(step=last), cup)


def test_taking_back_takes_the_right_to_have_done_it(cup: Running) -> None:
    cup.do(c.Disqualify(player="p1", reason="cheating"))
    last = cup.log.steps()[-1]
    assert not may(somebody("scorekeeper", "Ada"), c.Undo(step=last), cup)
    assert may(somebody("head judge"), c.Undo(step=last), cup)
    cup.do(c.Undo(step=last))
    assert not may(somebody("scorekeeper", "Ada"), c.Redo(step=last), cup)


def test_several_steps_at_once_take_the_rights_of_all(cup: Running) -> None:
    judge = somebody("judge", "Ada")
    assert may(judge, c.Undo(), cup)
    assert find_needed_rights(c.Undo(count=2), cup.log, "Ada") == {"desk", "enter", "rounds"}
    assert not may(judge, c.Undo(count=2), cup)


def test_a_player_speaks_for_themselves_and_for_nobody_else(cup: Running) -> None:
    first, second = cup.round.tables[1].players
    me = identity_of_players([first], first, "phone")
    assert may(me, c.Claim(player=first, table=2, result=WON), cup)
    assert may(me, c.Drop(player=first), cup)
    assert not may(me, c.Claim(player=second, table=2, result=WON), cup)
    assert not may(me, c.Drop(player=second), cup)
    assert not may(me, c.Report(table=2, result=WON), cup)


def test_whoever_has_no_link_asks_and_does_nothing_else(cup: Running) -> None:
    for kind in c.COMMANDS:
        assert (kind.right in EVERYBODY.rights) == (kind is c.Ask)
    assert not may(EVERYBODY, c.Drop(player="p1"), cup)


def test_a_role_with_more_to_do_has_all_rights_of_the_one_below() -> None:
    ladder = ["public", "judge", "scorekeeper", "head judge", "organiser"]
    for low, high in pairwise(ladder):
        assert ROLES[low] < ROLES[high]  # type: ignore[index]
    assert set(GIVEN) == set(ROLES) - {"player", "public"}


def test_a_refusal_names_the_right_and_whom_to_ask() -> None:
    with pytest.raises(NotAllowed, match=re.escape("(judge) doesn't allow you to change results")):
        somebody("judge").require("change")
