"""One player is forgotten when the event is over, for good, and what they played stays."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.event.event_runner import Running
from tests.event.test_hostile_log import chained, exported, judged, opened
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.describe.log_sentences import describe_log
from topcut.event.describe.personal_data import collect_personal_data
from topcut.event.event_log import EventLog
from topcut.event.refusals import CannotUndo, NotNow
from topcut.event.state import State, add_months

PK = "pokemon-2017"


def played(*names: str, **about: Any) -> Running:
    """A finished event of one round with somebody to forget, p1, and others."""
    event = Running(PK)
    event.do(c.Register(name="Grace Hopper", member="739879", born=2015, **about))
    for name in names or ("Bo", "Cy", "Di"):
        event.do(c.Register(name=name))
    event.play("")
    event.do(c.Finish(reason="the end"))
    return event


def kept(event: Running) -> str:
    """All that is kept outside the log."""
    return b"".join(event.log.private.values()).decode()


def results(state: State) -> list[Any]:
    return [a_round.tables for a_round in state.rounds]


def test_who_they_are_is_gone_and_their_results_stay() -> None:
    event = played(display="Zed")
    before = results(event.state)
    event.do(c.EditPlayer(player="p1", name="Grace Brewster Hopper"), c.Forget(player="p1"))
    listed = event.state.players["p1"]
    assert (listed.for_staff, listed.player.member, listed.player.born) == ("p1", None, None)
    assert listed.player.division == "junior"
    for word in ("Grace", "Hopper", "Zed", "739879", "2015"):
        assert word not in kept(event)
    assert kept(event).count('"name"') == 3
    assert results(event.state) == before
    assert EventLog(event.log.lines, event.log.private).state == event.state
    assert check_log(event.log.lines, event.log.private).ok


def test_the_log_says_so_by_the_id_alone() -> None:
    event = played()
    event.do(c.EditPlayer(player="p1", display="Zed"), c.Forget(player="p1", reason="their parents asked"))
    says = [line.says for line in describe_log(event.log)]
    deleted = "The personal data of p1 is deleted (2 records). The results stay."
    assert says[-1] == f"{deleted} Reason: their parents asked."
    assert not [line for line in says if "Grace" in line or "Zed" in line]
    assert collect_personal_data(event.log, "p1")["known"] == []


def test_results_are_kept_as_long_as_the_rules_demand_and_names_need_not_be() -> None:
    event = played()
    ended = event.now
    assert event.do(c.Forget(player="p1")).says == [
        "The details of player p1 are deleted for good.",
        "Results stay under the id alone, for 3 months, until 14 February 2027 (PK-58).",
    ]
    event.now = add_months(ended, 4)
    assert event.do(c.Forget(player="p2")).says == []


def test_while_the_event_runs_a_display_name_is_what_can_be_done() -> None:
    event = Running(PK, ["Grace", "Bo"])
    with pytest.raises(
        NotNow, match="the name of Grace is needed until then. Hide it with a display name now"
    ):
        event.do(c.Forget(player="p1"))


def test_nobody_is_forgotten_twice_nor_somebody_who_never_came() -> None:
    event = played()
    event.do(c.Forget(player="p1"))
    with pytest.raises(NotNow, match="The details of player p1 are already deleted"):
        event.do(c.Forget(player="p1"))
    with pytest.raises(BadInput, match="no player has the id 'p9'"):
        event.do(c.Forget(player="p9"))
    event.now = add_months(event.now, 4)
    event.do(c.Purge())
    with pytest.raises(NotNow, match="names of this event are already deleted"):
        event.do(c.Forget(player="p2"))


def test_all_that_was_ever_known_goes_also_what_was_taken_back() -> None:
    event = Running(PK)
    event.do(c.Register(name="Grace Hopper"), c.Register(name="Bo"))
    event.do(c.EditPlayer(player="p1", member="739879"), c.Undo())
    event.do(c.EditPlayer(player="p1", name="Gracie"), c.EditPlayer(player="p1", display="Zed"))
    event.play("")
    event.do(c.Finish(reason="the end"), c.Forget(player="p1"))
    assert kept(event).count('"name"') == 1
    assert '"name":"Bo"' in kept(event)


def test_a_refusal_of_the_same_name_goes_too_and_a_namesake_stays() -> None:
    event = Running(PK)
    event.do(c.RefuseEntry(name="GRACE HOPPER", reason="not on the list"))
    event.do(c.RefuseEntry(name="Mallory", reason="is banned"))
    event.do(c.Register(name="Grace Hopper"), c.Register(name="Grace Hopper"))
    event.play("")
    event.do(c.Finish(reason="the end"), c.Forget(player="p1"))
    assert "GRACE" not in kept(event)
    assert event.state.name_of("p2") == "Grace Hopper"
    says = [line.says for line in describe_log(event.log)]
    assert "A person is not allowed to enter. Reason: not on the list." in says
    assert "Mallory is not allowed to enter. Reason: is banned." in says


def test_who_was_taken_off_the_list_is_forgotten_too() -> None:
    event = Running(PK, ["Grace", "Bo", "Cy"])
    event.do(c.Remove(player="p1"))
    event.play("")
    event.do(c.Finish(reason="the end"), c.Forget(player="p1"))
    assert "Grace" not in kept(event)
    assert set(event.state.players) == {"p2", "p3"}


def test_it_cannot_be_taken_back_and_nothing_brings_it_back() -> None:
    event = Running(PK, ["Grace", "Bo"])
    event.do(c.EditPlayer(player="p1", name="Hopper"), c.Undo())
    event.play("")
    event.do(c.Finish(reason="the end"), c.Forget(player="p1"))
    for undo in (c.Undo(), c.Undo(count=2), c.Undo(step=event.log.version)):
        with pytest.raises(CannotUndo, match="Deleted names can't be restored"):
            event.do(undo)
    finish = event.log.steps()[-2]
    with pytest.raises(CannotUndo, match="the event is not finished"):
        event.do(c.Undo(step=finish))
    event.do(c.Redo(step=4))  # the other name would count again
    assert event.state.name_of("p1") == "p1"
    with pytest.raises(NotNow, match="The details of p1 are deleted and can't be changed"):
        event.do(c.EditPlayer(player="p1", name="Grace"))


def test_states_that_are_kept_for_going_back_let_go_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topcut.event.event_log.STATE_INTERVAL", 2)
    event = played()
    event.do(c.Forget(player="p1"))
    held = [state for _, state in event.log._saved]
    assert "Grace" not in repr((held, event.state))
    event.do(c.Reopen(), c.Undo())
    assert EventLog(event.log.lines, event.log.private).state == event.state


def test_an_event_that_goes_on_takes_a_new_name_and_can_forget_it_again() -> None:
    event = played()
    event.do(c.Forget(player="p1"), c.Reopen(reason="a slip turned up"))
    assert event.up().table_of("p1") is not None
    assert event.state.name_of("p1") == "p1"
    event.do(c.EditPlayer(player="p1", name="Nobody in particular"))
    assert event.state.name_of("p1") == "Nobody in particular"
    assert "Grace" not in kept(event)
    with pytest.raises(NotNow, match="is needed until then"):
        event.do(c.Forget(player="p1"))
    event.report()
    event.do(c.End(), c.Finish(reason="the end"), c.Forget(player="p1"))
    assert "particular" not in kept(event)
    assert check_log(event.log.lines, event.log.private).ok


def test_a_copy_that_still_has_the_names_knows_what_must_go() -> None:
    event = played()
    private = dict(event.log.private)
    event.do(c.Forget(player="p1"))
    copy = EventLog(event.log.lines, private)
    assert len(copy.deleted_keys()) == 1
    assert copy.state == event.state
    copy.delete_private(copy.deleted_keys())
    assert copy.private == event.log.private


FORGOTTEN = {"fact": "forgotten", "player": "p1", "people": 1}
FINISHED = {"fact": "finished", "secret": ""}


@pytest.mark.parametrize(
    "facts",
    [
        [FORGOTTEN],
        [FINISHED, FORGOTTEN, FORGOTTEN],
        [FINISHED, FORGOTTEN | {"player": "q1", "people": -7}],
        [FINISHED, FORGOTTEN, {"fact": "undone", "steps": [7]}],
        [FINISHED, FORGOTTEN, {"fact": "reopened"}, {"fact": "removed", "player": "p1"}],
    ],
)
def test_a_log_that_was_put_together_by_hand_is_refused_or_read(facts: list[dict[str, Any]]) -> None:
    written, private = opened(exported(Running(PK, 4)))
    for fact in facts:
        place = {"position": len(written) + 1, "step": len(written) + 1}
        written.append(deepcopy(written[-1]) | place | {"fact": fact})
    judged(chained(written, private))


def test_who_was_taken_off_the_list_is_not_told_to_take_a_display_name() -> None:
    event = Running(PK, 4)
    event.do(c.Remove(player="p1"))
    with pytest.raises(NotNow, match=r"^Player p1 was removed before the event started\. .* is finished\.$"):
        event.do(c.Forget(player="p1"))
