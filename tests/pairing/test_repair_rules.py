"""What changes in a posted round, rule by rule (PK-59)."""

from __future__ import annotations

from random import Random

import pytest

from tests.pairing.pairing_oracle import an_event, pairing_of
from tests.pairing.random_swiss_events import (
    LIVELY,
    PLAIN,
    WILD,
    answered,
    by_hand,
    pairable,
    result,
)
from tests.pairing.repair_oracle import (
    RULES,
    afterwards,
    an_event_so_far,
    drawn_for,
    posted_cost,
    repair,
    sets,
    tables_of,
)
from topcut.errors import Impossible

# Rules by example


def test_a_result_the_wrong_way_round_changes_two_tables() -> None:
    """B beat A, and not A B: they change places, and the other fourteen stay where they are."""
    wrong = an_event("mtr", "A>B C>D E>F G>H I>J K>L M>N O>P")
    right = an_event("mtr", "B>A C>D E>F G>H I>J K>L M>N O>P")
    posted = ["AC", "EG", "IK", "MO", "BD", "FH", "JL", "NP"]
    assert repair(wrong, posted).changed == []
    found = repair(right, posted)
    assert set(sets(right, found.changed)) == pairing_of("BC AD")
    assert set(sets(right, found.gone)) == pairing_of("AC BD")
    assert found.before is not None
    assert (found.before["score_gap_squared"], found.cost["score_gap_squared"]) == (18, 0)
    assert (found.fewest, found.optimal) == (True, True)
    assert tables_of(right, found) == [frozenset(t) for t in ["BC", "EG", "IK", "MO", "AD", "FH", "JL", "NP"]]


def test_who_loses_the_opponent_to_a_drop_has_the_bye() -> None:
    file = an_event("mtr", "A>B C>D E>F G>H", dropped={"H": 1})
    found = repair(file, ["AC", "EG", "BD", "FH"])
    assert tables_of(file, found) == [frozenset(t) for t in ["AC", "EG", "BD", "F"]]
    assert sets(file, found.changed) == [frozenset("F")]
    assert found.before is None
    assert "new table: as few tables as possible were changed" in found.tables[-1].why


def test_who_had_the_bye_plays_who_lost_the_opponent() -> None:
    file = an_event("mtr", "A>B C>D E>F G>H I", dropped={"B": 1})
    found = repair(file, ["AC", "EG", "BD", "IF", "H"])
    assert set(sets(file, found.changed)) == pairing_of("HD")
    assert tables_of(file, found)[2] == frozenset("HD")


def test_a_late_player_plays_who_had_the_bye() -> None:
    file = an_event("mtr", "A>B C>D E", entered={"Z": 2})
    posted = ["AC", "EB", "D"]
    assert posted_cost(file, posted) is None
    found = repair(file, posted)
    assert set(sets(file, found.changed)) == pairing_of("DZ")
    assert set(sets(file, found.gone)) == pairing_of("D")


def test_nothing_wrong_and_nothing_changes() -> None:
    for number in range(20):
        random = Random(f"nothing/{number}")
        file = an_event_so_far(random, RULES[number % 4], random.randint(4, 60), 3, WILD)
        try:
            answer = answered(file, "posted")
        except Impossible:
            continue
        posted = [table["players"] for table in answer["tables"]]
        found = repair(file, posted, seed="another")
        assert (found.changed, found.gone) == ([], [])
        assert found.before == found.cost == answer["cost"]
        assert [list(t.players) for t in found.tables] == [
            [pairable(file).history.index[player_id] for player_id in table] for table in posted
        ]


def test_tables_that_have_begun_are_never_touched() -> None:
    """A beats B by mistake; A and C have begun, so that B meets who is left beside them."""
    file = an_event("mtr", "B>A C>D E>F G>H")
    posted = ["AC", "EG", "BD", "FH"]
    assert set(sets(file, repair(file, posted).changed)) == pairing_of("BC AD")
    found = repair(file, posted, fixed=["AC"])
    assert frozenset("AC") in tables_of(file, found)
    assert found.cost["score_gap_squared"] == 9 + 9
    assert found.changed == []
    (begun,) = (table.why for table in found.tables if sorted(table.players) == [0, 2])
    assert begun == ("this table has already started",)
    with pytest.raises(ValueError, match="no table of the round"):
        repair(file, posted, fixed=["AB"])


def test_a_table_that_has_begun_stays_though_somebody_has_left() -> None:
    file = an_event("mtr", "A>B C>D E>F G>H", dropped={"G": 1})
    found = repair(file, ["AC", "EG", "BD", "FH"], fixed=["EG"])
    assert set(tables_of(file, found)) == pairing_of("AC EG BD FH")
    assert found.changed == found.gone == []
    odd = an_event("mtr", "A>B C>D E>F G>H I", dropped={"G": 1})
    found = repair(odd, ["AC", "EG", "BD", "IF", "H"], fixed=["EG"])
    assert found.changed == found.gone == []
    found = repair(odd, ["AC", "EG", "BD", "IF", "H"], fixed=["EG", "IF"])
    assert found.changed == found.gone == []


def test_two_pools_that_become_one_keep_one_of_their_byes() -> None:
    """Each division had a bye; now they play together, and one of the two who had them plays the other."""
    ids = [f"{letter}{number}" for letter in "js" for number in range(7)]
    division = {"j": "junior", "s": "senior"}
    players = [{"id": player_id, "division": division[player_id[0]]} for player_id in ids]
    file = {**an_event("pokemon-2017"), "players": players, "options": {"rounds": 3, "divisions": "modified"}}
    posted = [[f"{letter}{at}" for at in some] for letter in "js" for some in [(0, 1), (2, 3), (4, 5), (6,)]]
    found = repair(file, posted)
    assert sets(file, found.changed) == [frozenset({"j6", "s6"})]
    more = {**file, "players": [*players, {"id": "late", "division": "junior"}]}
    found = repair(more, posted)
    assert sets(more, found.changed) == [frozenset({"j6", "late"})]
    assert sets(more, found.gone) == [frozenset({"j6"})]


def test_a_bye_that_has_begun_leaves_no_room_for_another() -> None:
    file = an_event("mtr", "A>B C>D E", dropped={"D": 1})
    with pytest.raises(Impossible, match="one of these players would need a bye too: A, C, E") as refused:
        repair(file, ["EA", "CD", "B"], fixed=["B"])
    assert refused.value.rule == pairable(file).book.match.rule("byes")


def test_a_rematch_that_may_not_be_is_refused_beside_what_has_begun() -> None:
    file = an_event("fab-gem", "A>B C>D", "A>C B>D", options={"rounds": 3})
    posted = ["AD", "BC"]
    assert repair(file, posted, fixed=["AD"]).changed == []
    gone = an_event("fab-gem", "A>B C>D", "A>C B>D", options={"rounds": 3}, dropped={"C": 2, "D": 2})
    with pytest.raises(Impossible, match="No pairing without a rematch is left for A, B") as refused:
        repair(gone, posted)
    assert "FB-9" in refused.value.rule


def test_divisions_that_play_apart_are_repaired_apart() -> None:
    division = dict.fromkeys("ABCDEF", "junior") | dict.fromkeys("GHIJKL", "senior")
    rounds = ["A>B C>D E>F G>H I>J K>L"]
    posted = ["AC", "EB", "DF", "GI", "KH", "JL"]
    options = {"divisions": "separate"}
    file = an_event("pokemon-2017", *rounds, options=options, division=division)
    assert repair(file, posted).changed == []
    crossed = ["AC", "EB", "DG", "FI", "KH", "JL"]
    found = repair(file, crossed)
    assert found.before is None
    assert {frozenset("DF"), frozenset("GI")} == set(sets(file, found.changed))
    assert [table.pool for table in found.tables] == ["junior"] * 3 + ["senior"] * 3


def test_a_late_player_joins_a_flight_and_only_that_one_changes() -> None:
    """PK-47: the smaller flight takes the late player, who plays whoever had its bye."""
    players = [{"id": f"p{n:02}", "division": "masters", "flight": 1 + n % 2} for n in range(67)]
    late = {"id": "late", "division": "masters", "entered": 2}
    file = {**an_event("pokemon-2017"), "players": players, "options": {"flights": 2}}
    first = [table["players"] for table in answered(file, "first")["tables"]]
    played = {"tables": [result(Random(str(table)), table, PLAIN) for table in first]}
    file = {**file, "rounds": [played]}
    posted = drawn_for(file)
    found = repair({**file, "players": [*players, late]}, posted)
    assert found.drawn == {"flights": {"late": 2}}
    (alone,) = (table for table in posted if len(table) == 1)
    assert found.fewest
    assert sets({"players": [*players, late]}, found.changed) == [frozenset({*alone, "late"})]


def test_in_a_pod_nobody_meets_again() -> None:
    """FB-9, FB-A12: what the rules forbid inside a pod is not legal as posted, and is repaired."""
    pods = {"pod": dict.fromkeys("ABCDEF", 1)}
    file = an_event("fab-gem", "A>B C>D E>F", options={"mode": "draft", "rounds": 3}, **pods)
    assert posted_cost(file, ["AB", "CE", "DF"]) is None
    found = repair(file, ["AB", "CE", "DF"])
    assert found.cost["rematches"] == 0
    assert len(found.changed) == 2


def test_neither_the_order_of_players_nor_of_tables_decides() -> None:
    for number in range(30):
        random = Random(f"order/{number}")
        earlier = an_event_so_far(random, RULES[number % 4], random.randint(5, 40), 3, LIVELY)
        posted, file = by_hand(random, earlier), afterwards(random, earlier)
        shuffled = {**file, "players": random.sample(file["players"], len(file["players"]))}
        try:
            one = repair(file, posted)
        except Impossible:
            continue
        other = repair(shuffled, random.sample(posted, len(posted)))
        assert set(tables_of(file, one)) == set(tables_of(shuffled, other))


@pytest.mark.parametrize("players", ["ABCDEFGH", "ABCDEFGHIJKLMNOP"])
def test_among_equally_few_changes_the_lot_decides(players: str) -> None:
    """Two tables of the first round lose a player each: who is left may not have met, and meets; or byes."""
    file = an_event("mtr", entered=dict.fromkeys(players, 1), dropped={"A": 0})
    posted = [players[at : at + 2] for at in range(0, len(players), 2)]
    found = [repair(file, posted, seed=f"{n}") for n in range(5)]
    assert {frozenset(sets(file, one.changed)) for one in found} == {pairing_of("B")}
    nobody: list[str] = []
    byes = {min(tables_of(file, repair(file, nobody, seed=f"{n}")), key=len) for n in range(40)}
    assert len(byes) > 4


# Charts


def test_a_chart_leaves_no_choice() -> None:
    rounds = "A>B C>D E>F G>H"
    first = an_event("draft-sheet", rounds)
    posted = [table["players"] for table in answered(first, "s")["tables"]]
    same = repair(first, posted, seed="another")
    assert (same.changed, same.fewest, same.optimal) == ([], True, True)
    assert same.before == same.cost
    corrected = an_event("draft-sheet", rounds.replace("A>B", "B>A"))
    found = repair(corrected, posted)
    assert len(found.changed) == 2
    assert found.before is None
    assert set(tables_of(corrected, found)) == {
        frozenset(t["players"]) for t in answered(corrected, "s")["tables"]
    }
    kept = [table for table in posted if frozenset(table) in set(tables_of(corrected, found))]
    assert repair(corrected, posted, fixed=kept).changed == found.changed
    others = [table for table in posted if table not in kept]
    with pytest.raises(Impossible, match="The chart no longer has the tables"):
        repair(corrected, posted, fixed=others[:1])


def test_a_lot_that_a_chart_left_stays_as_it_fell() -> None:
    file = an_event("draft-sheet", "A=B C>D E>F G>H")
    ways = {tuple(tuple(t["players"]) for t in answered(file, f"{n}")["tables"]) for n in range(20)}
    assert len(ways) == 2
    for posted in ways:
        assert [repair(file, posted, seed=f"{n}").changed for n in range(5)] == [[]] * 5
