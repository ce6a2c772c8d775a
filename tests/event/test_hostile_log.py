"""Logs that somebody tampered with: each is refused in one line, or read as far as it makes sense.

Nothing but a `TopcutError` may come of any bytes. A log whose hashes were made anew after a change is a log
like any other: then the facts themselves must not fit, or `check_log` must be able to say what it thinks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.event.event_runner import Running
from topcut.errors import TopcutError
from topcut.event import commands as c
from topcut.event.audit import LogFindings, check_log
from topcut.event.describe.log_sentences import describe_log
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.event.log_chain import digest
from topcut.formats.log_file import decode_log, encode_log
from topcut.formats.state_snapshot import snapshot_event_file

Facts = list[dict[str, Any]]


@cache
def swiss() -> bytes:
    """An event in which nearly everything happens, and which goes on."""
    event = Running("pokemon-2017", 8)
    event.do(
        c.FixTable(player="p1", table=3), c.BlockTables(tables=(2,)), c.CheckIn(), c.Announce(prizes="4")
    )
    event.play("2-0 1-1 0-2")
    event.do(c.Drop(player="p2"), c.EditPlayer(player="p3", name="Cy"), c.RefuseEntry(name="Eve", reason="x"))
    event.up(started=False)
    event.do(c.Register(name="Late", then="fewest"), c.Register(name="Later", then="again"), c.Publish())
    first, second = event.round.tables[:2]
    event.do(c.Swap(first=first.players[0], second=second.players[0], reason="a car"), c.Undo(), c.Redo())
    event.do(c.Start(minutes=50), c.SetClock(minutes=40), c.Pause(), c.Resume(), c.Extend(minutes=3))
    event.report("2-1 2-0")
    event.do(c.Confirm(tables=(1,)), c.Correct(table=1, result=Result(games=(0, 2, 0))), c.End())
    event.do(c.Finish(reason="the end"), c.Reopen(), c.Pair())
    return exported(event)


@cache
def scores() -> bytes:
    """Tables of three with points, up to the end."""
    event = Running("allegiance-2005", 9)
    event.play("")
    event.do(c.Disqualify(player="p2", reason="x"))
    event.up()
    event.report()
    event.do(c.End(), c.Restore(player="p2", reason="x", override=True), c.Finish(reason="the end"))
    return exported(event)


@cache
def bracket() -> bytes:
    event = Running("pokemon-2017", 5, format="elimination")
    event.play("", "")
    event.do(c.Pair())
    return exported(event)


@cache
def phones() -> bytes:
    """Players report and ask; some agree, some do not."""
    event = Running("allegiance-2005", 7)
    event.up()
    one, other = (table.players for table in event.round.tables)
    result = Result(scores=(30, *(3,) * (len(one) - 1)), winners=one[:1])
    event.do(*(c.Claim(player=player_id, table=1, result=result) for player_id in one))
    event.do(*(c.Claim(player=player_id, table=2, result=Result(winner=player_id)) for player_id in other))
    event.do(c.Undo(), c.Ask(player=one[0], about="result", round=1), c.Ask(player=one[1], about="drop"))
    event.do(c.AnswerQuestion(question=1), c.Undo(), c.Redo())
    return exported(event)


LOGS = (swiss, scores, bracket, phones)


def exported(event: Running) -> bytes:
    return encode_log("cup", event.log.lines, event.log.private)


def judged(raw: bytes) -> LogFindings | str:
    """What becomes of such bytes: findings, or the line that refuses them."""
    try:
        file = decode_log(raw)
        event_log = EventLog(file.facts, file.private)
        findings = check_log(file.facts, file.private)
        assert all(line.says.strip() for line in describe_log(event_log))
        find_draft_warnings(event_log.state)
        snapshot_event_file(event_log.state)
    except TopcutError as error:
        return _one_line(error)
    return findings


def _one_line(error: TopcutError) -> str:
    text = str(error)
    assert text.strip()
    assert "\n" not in text
    return text


def chained(facts: Facts, private: list[bytes]) -> bytes:
    """A file of facts whose hashes fit, whatever they say."""
    head = {"topcut_log": 1, "event": "cup", "facts": len(facts), "private": len(private)}
    lines = [json.dumps(head).encode()]
    previous = ""
    for fact in facts:
        line = json.dumps(fact | {"previous": previous}, ensure_ascii=False).encode("utf-8", "surrogatepass")
        previous = digest(line)
        lines.append(line)
    return b"".join(line + b"\n" for line in (*lines, *private))


def opened(raw: bytes) -> tuple[Facts, list[bytes]]:
    head, *rest = raw.splitlines()
    count = json.loads(head)["facts"]
    return [json.loads(line) for line in rest[:count]], rest[count:]


def renumbered(facts: Facts) -> Facts:
    for position, fact in enumerate(facts, start=1):
        fact["position"] = position
        fact["step"] = min(fact["step"], position)
    return facts


@pytest.mark.parametrize("log", LOGS)
def test_an_honest_log_is_read_and_found_in_order(log: Callable[[], bytes]) -> None:
    facts, private = opened(log())
    for raw in (log(), chained(facts, private)):
        found = judged(raw)
        assert isinstance(found, LogFindings)
        assert not found.problems
        assert all(draw.replayed for draw in found.draws)


# Bytes


@given(st.data())
def test_any_bytes_that_changed_show(data: st.DataObject) -> None:
    raw = bytearray(data.draw(st.sampled_from(LOGS))())
    at = data.draw(st.integers(0, len(raw) - 1))
    how = data.draw(st.sampled_from(["change", "insert", "remove", "cut"]))
    byte = data.draw(st.one_of(st.integers(0, 255), st.sampled_from(b'0919"{}[],\n')))
    before = bytes(raw)
    if how == "change":
        raw[at] = byte
    elif how == "insert":
        raw.insert(at, byte)
    elif how == "remove":
        del raw[at]
    else:
        del raw[at:]
    found = judged(bytes(raw))
    head = before.index(b"\n")
    if bytes(raw) != before and at > head + 1 and at != len(before) - 1:
        assert isinstance(found, str) or found.problems, "a change that nobody noticed"


@given(st.data())
def test_lines_that_are_missing_doubled_or_exchanged_show(data: st.DataObject) -> None:
    first, *rest = data.draw(st.sampled_from(LOGS))().splitlines()
    count = json.loads(first)["facts"]
    one, other = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    how = data.draw(st.sampled_from(["missing", "doubled", "exchanged"]))
    if how == "missing":
        del rest[one]
    elif how == "doubled":
        rest.insert(other, rest[one])
    else:
        rest[one], rest[other] = rest[other], rest[one]
    head = json.loads(first)
    head["facts"] += {"missing": -1, "doubled": 1, "exchanged": 0}[how]
    found = judged(b"\n".join([json.dumps(head).encode(), *rest]))
    last = how == "missing" and one == count - 1  # a shorter log is a log
    if not last and not (how == "exchanged" and one == other):
        assert isinstance(found, str)


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(raw: bytes) -> None:
    assert isinstance(judged(raw), str)
    assert isinstance(judged(b'{"topcut_log":1,"event":"","facts":1,"private":0}\n' + raw), str)


# Facts that cannot be, hashed anew

VALUES: list[Any] = [
    None, True, -1, 0, 1, 2, 7, 99, 2**31, 2**63 - 1, 2**63, 2**64, 10**30, 1.5, 1e400, "", "p1", "p2", "p99",
    "draw", "double_loss", "a\nb", "x" * 5000, "2026-11-14T09:00:00", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "2026-11-14T09:00:00+14:00", [], {}, [[]], [0, 0, 0], ["p1"], ["p1", "p1"],
    ["p1", "p2", "p3"], {"p1": 1}, {"p99": -1}, {"cut": {"p1": 1}}, {"seeds": {"p1": 10**9}}, "elimination",
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a document, but not inside the ruleset."""
    yield path
    if path and path[-1] == "book":
        return
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*path, key))


def put(document: Any, path: tuple[Any, ...], value: Any) -> None:
    *way, last = path
    for key in way:
        document = document[key]
    document[last] = value


@given(st.data())
def test_any_value_may_be_another_one(data: st.DataObject) -> None:
    facts, private = opened(data.draw(st.sampled_from(LOGS))())
    for _ in range(data.draw(st.sampled_from([1, 1, 2]))):
        fact = data.draw(st.sampled_from(facts))
        path = data.draw(st.sampled_from(list(places(fact))[1:]))
        put(fact, path, deepcopy(data.draw(st.sampled_from(VALUES))))
    judged(chained(facts, private))


@given(st.data())
def test_facts_may_stand_in_any_order(data: st.DataObject) -> None:
    facts, private = opened(data.draw(st.sampled_from(LOGS))())
    for _ in range(data.draw(st.integers(1, 3))):
        one, other = (data.draw(st.integers(0, len(facts) - 1)) for _ in range(2))
        how = data.draw(st.sampled_from(["move", "remove", "double"]))
        fact = deepcopy(facts[one]) if how == "double" else facts.pop(one)
        if how != "remove":
            facts.insert(other, fact)
        if not facts:
            break
    judged(chained(renumbered(facts), private))


def table(*players: str, **more: Any) -> dict[str, Any]:
    return {"players": list(players), **more}


def paired(*tables: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"fact": "paired", "round": 1, "seed": "s", "attempt": 1, "tables": list(tables), **more}


CLAIM = {"fact": "claimed", "round": 1, "table": 1, "players": ["p1", "p2"], "player": "p1", "result": {}}
ASKED = {"fact": "asked", "question": 1, "player": "p1", "about": "points"}
IMPOSSIBLE: dict[str, list[dict[str, Any]]] = {
    "a player at two tables": [paired(table("p1", "p2", table=1), table("p1", "p3", table=2))],
    "a player twice at a table": [paired(table("p1", "p1", table=1))],
    "two tables with one number": [paired(table("p1", "p2", table=1), table("p3", "p4", table=1))],
    "a table without players": [paired(table(table=1))],
    "a bye for nobody": [paired(table(bye=True))],
    "a table with a name": [paired(table("p1", "p2", table="x"))],
    "a table below nought": [paired(table("p1", "p2", table=-3), table("p3", "p4", table=1))],
    "a strange size": [paired(table("p1", "p2", "p3", table=1)), {"fact": "published", "round": 1}],
    "a result before it is played": [paired(table("p1", "p2", table=1, games=[2, 0, 0]))],
    "a round that is not next": [paired(table("p1", "p2", table=1), round=7)],
    "a stranger": [paired(table("p1", "q1", table=1))],
    "what nobody draws": [paired(table("p1", "p2", table=1), drawn={"hats": {"p1": 1}})],
    "numbers of strangers": [paired(table("p1", "p2", table=1), drawn={"pods": {"q": 1}})],
    "a result of no round": [{"fact": "reported", "round": 1, "table": 1, "result": {"games": [2, 0, 0]}}],
    "a repair of no round": [{"fact": "round repaired", "round": 1, "tables": [], "changed": []}],
    "a fact nobody knows": [{"fact": "lunch"}],
    "a second creation": [{"fact": "created", "name": "x", "book": {}, "commitment": "", "kept_months": 1}],
    "nothing undone": [{"fact": "undone", "steps": []}],
    "the creation undone": [{"fact": "undone", "steps": [1]}],
    "the creation undone, and more": [{"fact": "undone", "steps": [1]}, {"fact": "removed", "player": "p1"}],
    "what is not there undone": [{"fact": "undone", "steps": [-5, 0, 999, 2**62]}],
    "itself undone": [{"fact": "undone", "steps": [6]}],
    "what was never undone redone": [{"fact": "redone", "steps": [3]}],
    "nothing redone": [{"fact": "redone", "steps": []}],
    "a huge round entered": [{"fact": "registered", "player": "p9", "person": "", "entered": 2**62}],
    "a round entered below one": [{"fact": "registered", "player": "p9", "person": "", "entered": -4}],
    "an empty id": [{"fact": "registered", "player": "", "person": ""}],
    "a flight of their own": [{"fact": "registered", "player": "p9", "person": "", "flight": 2**62}],
    "back without having left": [{"fact": "restored", "player": "p1"}],
    "left before the event": [{"fact": "dropped", "player": "p1", "round": -1}],
    "options of another game": [{"fact": "options changed", "options": {"mode": "draft", "target": 9}}],
    "a number of rounds below one": [{"fact": "options changed", "options": {"rounds": -2}}],
    "a cut that is no power of two": [{"fact": "options changed", "options": {"cut": 3}}],
    "a finished event without a secret": [{"fact": "finished", "secret": ""}],
    "a purge at once": [{"fact": "purged", "people": -7}],
    "tables blocked below nought": [{"fact": "tables blocked", "tables": [-1, 0, 2**62]}],
    "a clock that does not run": [{"fact": "resumed", "round": 1}],
    "a claim of no round": [CLAIM],
    "a claim of a draft": [paired(table("p1", "p2", table=1)), CLAIM],
    "a question twice": [ASKED, ASKED],
    "a question of a round that is not there": [ASKED | {"about": "result", "round": 2**62}],
    "an answer to nobody": [{"fact": "answered", "question": 1, "player": "p1"}],
    "a stage of nobody": [{"fact": "stage began", "stage": "", "players": -1, "left_out": -1}],
}  # fmt: skip


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_cannot_have_happened_is_refused_or_read(what: str) -> None:
    """Also where the log goes on, and where it was taken back at once."""
    for ending in ([], [{"fact": "undone", "steps": [6]}], [paired(table("p1", "p2", table=1))]):
        event = Running("pokemon-2017", 4)
        facts, private = opened(exported(event))
        for fact in (*IMPOSSIBLE[what], *ending):
            more = deepcopy(facts[-1]) | {"position": len(facts) + 1, "step": len(facts) + 1}
            facts.append(more | {"fact": fact})
        judged(chained(facts, private))


@pytest.mark.parametrize("result", [{"games": [2, 0, 0]}, {"scores": []}, {"scores": [1, 2, 3, 4, 5]}])
@pytest.mark.parametrize("kind", ["reported", "claimed"])
def test_a_result_for_another_number_of_players_is_told_all_the_same(kind: str, result: Any) -> None:
    facts, private = opened(phones())
    last = [fact["fact"] for fact in facts if fact["fact"]["fact"] == kind][-1]
    last["result"] = result
    file = decode_log(chained(facts, private))
    says = [line.says for line in describe_log(EventLog(file.facts, file.private))]
    assert any("an impossible result" in text for text in says)


@pytest.mark.parametrize("field", ["name", "kept_months", "first_table", "book", "options", "commitment"])
@pytest.mark.parametrize(
    "value", [-1, 10**12, "x", [], {}, None, {"rounds": -3}, {"cut": 3, "rounds": 10**8}]
)
def test_a_creation_that_cannot_be(field: str, value: Any) -> None:
    facts, private = opened(swiss())
    facts[0]["fact"][field] = value
    judged(chained(facts, private))


def test_a_time_without_a_zone_is_no_way_out() -> None:
    """Every fact in turn is written down without saying in which zone."""
    for at in range(len(opened(swiss())[0])):
        facts, private = opened(swiss())
        facts[at]["at"] = "2026-11-14T09:30:00"
        judged(chained(facts, private))


# What is kept outside


def test_without_names_there_are_ids() -> None:
    raw = swiss()
    facts, _ = opened(raw)
    event_log = EventLog(decode_log(chained(facts, [])).facts, {})
    assert {listed.player.shown_name for listed in event_log.state.players.values()} == set(
        event_log.state.players
    )
    found = judged(chained(facts, []))
    assert isinstance(found, LogFindings)
    assert not found.problems


@given(st.data())
def test_entries_that_were_exchanged_or_taken_away(data: st.DataObject) -> None:
    facts, private = opened(data.draw(st.sampled_from(LOGS))())
    entries = [json.loads(line) for line in private]
    exchanged = False
    for _ in range(data.draw(st.integers(1, 4))):
        one, other = (data.draw(st.integers(0, len(entries) - 1)) for _ in range(2))
        how = data.draw(st.sampled_from(["remove", "exchange", "forge"]))
        if how == "remove" and len(entries) > 1:
            del entries[one]
        elif how == "exchange" and one != other:
            entries[one]["value"], entries[other]["value"] = entries[other]["value"], entries[one]["value"]
        elif how == "forge":
            exchanged = True
            entries[one]["value"] = data.draw(
                st.sampled_from(["", "{}", "\x00", '{"name": "Eve"}', "é" * 99])
            )
    found = judged(chained(facts, [json.dumps(entry).encode() for entry in entries]))
    assert isinstance(found, LogFindings)
    keys = {entry["key"] for entry in entries}
    forged = [entry for entry in entries if digest(entry["value"].encode()) != entry["key"]]
    assert len(found.problems) == len(forged) <= len(keys)
    assert exchanged or not forged or found.problems


def test_a_purged_log_is_still_in_order() -> None:
    event = Running("pokemon-2017", 4)
    event.play("", "")
    event.do(c.Finish(reason="the end"))
    event.now += timedelta(days=400)
    event.do(c.Purge())
    found = judged(exported(event))
    assert isinstance(found, LogFindings)
    assert found.ok
