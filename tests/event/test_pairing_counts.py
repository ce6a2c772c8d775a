"""The answers about a published round count rematches, pair-downs and the like, before and after."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.event.event_runner import Running
from topcut.event import commands as c
from topcut.event.describe.log_sentences import LogNarrator
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.facts import Result, RoundRepaired
from topcut.event.refusals import NeedsAnswer
from topcut.event.state import State
from topcut.history import build_history
from topcut.standings.rank import rank

PK = "pokemon-2017"
LOST = Result(games=(0, 2, 0))


def upcoming(players: int = 0, played: int = 1, divisions: dict[str, int] | None = None) -> Running:
    """An event whose next round is published after some others."""
    event = Running(PK, players, rounds=played + 2, format="swiss")
    for division, number in (divisions or {}).items():
        for n in range(number):
            event.do(c.Register(name=f"{division} {n}", division=division))
    event.play(*[""] * played)
    event.up(started=False)
    return event


def said(event: Running, command: c.AnyCommand) -> dict[str, str]:
    return {answer.kind: answer.says for answer in event.answers(command)}


def count(state: State) -> dict[str, int]:
    """What the tables of the last round are, counted from the rounds before."""
    *earlier, now = state.rounds
    met = {frozenset(table.players) for a_round in earlier for table in a_round.tables}
    history = build_history(state.file_players(), state.file_rounds(now.number), state.book)
    standings = rank(history, state.book, "")
    points = {player.id: standings.value("points", i) for i, player in enumerate(history.players)}
    pairs = [table.players for table in now.tables if len(table.players) == 2]
    division = {player_id: listed.player.division for player_id, listed in state.players.items()}
    return {
        "Rematches": sum(frozenset(pair) in met for pair in pairs),
        "Pair-downs": sum(points[a] != points[b] for a, b in pairs),
        "Cross-division matches": sum(division[a] != division[b] for a, b in pairs),
        "Byes": len(now.tables) - len(pairs),
    }


def sentences(before: dict[str, int], after: dict[str, int]) -> str:
    """The counts in words, without those that are 0 before and after."""
    found = []
    for name, number in after.items():
        if before[name] or number:
            was = f" (was {before[name]})" if before[name] != number else ""
            found.append(f"{name}: {number}{was}.")
    return " ".join(found)


@pytest.mark.parametrize(
    ("event", "command", "leave", "fewest", "again"),
    [
        pytest.param(
            upcoming(4, played=3),
            c.Drop(player="p1"),
            "No table changes. Player 2 wins at table 1. Rematches: 2. Pair-downs: 2.",
            "2 tables change. Rematches: 1 (was 2). Pair-downs: 1 (was 2). Byes: 1 (was 0).",
            "All tables are paired again. Rematches: 1 at best (was 2)."
            " Pair-downs: known only after pairing (was 2). Byes: 1 (was 0).",
            id="rematches",
        ),
        pytest.param(
            upcoming(16),
            c.Correct(round=1, table=1, result=LOST),
            "No table changes. Pair-downs: 2 (was 0).",
            "2 tables change.",
            "All tables are paired again.",
            id="pair-downs",
        ),
        pytest.param(
            upcoming(divisions={"junior": 5, "senior": 5}),
            c.Drop(player="p1"),
            "No table changes. senior 1 wins at table 1. Pair-downs: 1. Cross-division matches: 1.",
            "2 tables change. Pair-downs: 0 (was 1). Cross-division matches: 0 (was 1). Byes: 1 (was 0).",
            "All tables are paired again. Pair-downs: 0 at best (was 1)."
            " Cross-division matches: 0 at best (was 1). Byes: 1 (was 0).",
            id="cross-division matches",
        ),
        pytest.param(
            upcoming(15),
            c.Register(name="Zed Late"),
            "No table changes. Zed Late plays from round 3. Byes: 1.",
            "Player 13 and Zed Late play each other at table 8. No other table changes. Byes: 0 (was 1).",
            "All tables are paired again. Byes: 0 (was 1).",
            id="byes",
        ),
        pytest.param(
            upcoming(16),
            c.Register(name="Zed Late"),
            "No table changes. Zed Late plays from round 3.",
            "Zed Late gets the bye. No other table changes.",
            "All tables are paired again. Byes: 1 (was 0).",
            id="a bye that the sentence names",
        ),
    ],
)
def test_an_answer_counts_before_and_after(
    event: Running, command: c.AnyCommand, leave: str, fewest: str, again: str
) -> None:
    assert said(event, command) == {"leave": leave, "fewest": fewest, "again": again}


@pytest.mark.parametrize("then", ["leave", "fewest"])
@pytest.mark.parametrize("players", [8, 9, 15, 16])
def test_what_is_counted_is_what_comes(players: int, then: c.Then) -> None:
    divisions = {"junior": players // 2, "senior": players - players // 2}
    for player in ("p1", "p2", f"p{players}"):
        event = upcoming(divisions=divisions, played=2)
        before, told = count(event.state), said(event, c.Drop(player=player))[then]
        event.do(c.Drop(player=player, then=then))
        after = count(event.state)
        if "gets the bye" in told:  # then it is not counted too
            before["Byes"] = after["Byes"] = 0
        expected = sentences(before, after)
        named = told.removesuffix(expected).strip()
        assert told.endswith(expected)
        assert not any(word in named for word in before), told


def test_the_refusal_asks_and_names_the_choices() -> None:
    event = upcoming(16)
    with pytest.raises(NeedsAnswer) as asked:
        event.do(c.Register(name="Zed Late"))
    assert str(asked.value) == (
        "Round 2 is already published. How should it be updated?"
        " Keep the pairings (leave): No table changes. Zed Late plays from round 3."
        " Re-pair as few tables as possible (fewest): Zed Late gets the bye. No other table changes."
        " Re-pair the whole round (again): All tables are paired again. Byes: 1 (was 0)."
    )


def test_a_bye_that_nobody_needs_is_removed() -> None:
    event = upcoming(15)
    (alone,) = (table.players[0] for table in event.round.tables if len(table.players) == 1)
    told = said(event, c.Drop(player=alone))
    name = event.state.name_of(alone)
    assert told["leave"] == f"The bye of {name} is removed. No other table changes. Byes: 0 (was 1)."


def test_at_larger_tables_the_one_who_leaves_is_named() -> None:
    event = Running("commander-4", 12)
    event.up(started=False)
    table = event.round.table_of("p1")
    assert table is not None
    told = said(event, c.Drop(player="p1"))
    assert told["leave"].startswith(f"No table changes. Table {table.table} plays without Player 1.")


def test_before_publishing_matches_between_divisions_are_named() -> None:
    event = upcoming(divisions={"junior": 5, "senior": 5})
    event.do(c.Undo(reason="look again"))  # the round is a draft again
    state = event.state
    assert state.round is not None
    found = {seen.table: seen.says for seen in find_draft_warnings(state) if seen.kind == "cross-division"}
    expected = {}
    for table in state.round.tables:
        players = [state.players[player_id].player for player_id in table.players]
        if len({player.division for player in players}) > 1:
            both = " and ".join(f"{p.shown_name} ({state.book.label(p.division or '')})" for p in players)
            expected[table.table] = f"{both} are in different divisions."
    assert found == expected
    assert len(found) == 1


def test_divisions_that_play_for_themselves_have_no_such_warnings() -> None:
    event = Running(PK, 8)
    event.do(c.Pair())
    assert not [seen for seen in find_draft_warnings(event.state) if seen.kind == "cross-division"]


def test_a_repair_that_changes_no_table_is_told_as_pairings_that_stay() -> None:
    event = upcoming(4)
    a_round, last = event.round, event.log.entries[-1]
    told = []
    for changed, tables in (((), a_round.tables), ((2,), a_round.tables), ((), a_round.tables[:1])):
        narrator = LogNarrator(event.log.private)
        for entry in event.log.entries:
            narrator.tell(entry)
        fact = RoundRepaired(round=a_round.number, tables=tuple(tables), changed=changed)
        told.append(narrator.tell(replace(last, fact=fact)))
    assert told == [
        "The pairings of round 2 stay as they are.",
        "Round 2 is re-paired. Table 2 is new.",
        "Round 2 is re-paired. No table changes.",
    ]
