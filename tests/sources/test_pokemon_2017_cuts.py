"""PK: the same procedures, §3.2 to §4: elimination, cuts, flights, rounds, running a round."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.builders import a_round
from tests.command_line import topcut
from tests.proves import proves
from tests.sources.outside import (
    ask,
    event,
    in_order,
    pair,
    plan,
    play,
    printed,
    running,
    seated,
    start,
    tables,
    unplanned,
)

PK = "pokemon-2017"
EIGHT = [str(number) for number in range(1, 9)]
QUARTERS, SEMIS, FINAL = "1 beats 8, 5 beats 4, 2 beats 7, 6 beats 3", "5 beats 1, 6 beats 2", "6 beats 5"
ROUND_TABLES = {
    "vg": "8 3 2, 9 4 4, 16 4 4, 17 5 8, 32 5 8, 33 6 8, 64 6 8, 65 7 8, 128 7 8, 129 8 8, 226 8 8, 227 8 16,"
    "256 8 16, 257 9 16, 409 9 16, 410 9 32, 512 9 32, 513 10 32",
    "tcg-single-day": "8 3 -, 9 4 4, 12 4 4, 13 5 4, 20 5 4, 21 5 8, 32 5 8, 33 6 8, 64 6 8, 65 7 8, 128 7 8,"
    "129 8 8, 226 8 8, 227 9 8, 409 9 8, 410 10 8",
    "tcg-two-day": "8 3 -, 9 4 4, 12 4 4, 13 5 4, 20 5 4, 21 5 8, 32 5 8, 33 6 8, 64 6 8, 65 7 8, 128 7 8,"
    "129 8 8, 226 8 8, 227 9+5 8, 799 9+5 8, 800 9+6 8",
}
ROUND_TABLES["vg-international"] = ROUND_TABLES["tcg-two-day"]


def knockout(*rounds: str, players: int = 8, **options: Any) -> dict[str, Any]:
    """An event of elimination only; players are named by their rank seeds."""
    seeds = {str(number): number for number in range(1, players + 1)}
    made = [a_round(text, stage="elimination") for text in rounds]
    return event(
        PK, *made, players=" ".join(seeds), rank_seed=seeds, options={"format": "elimination", **options}
    )


def strength(*elimination: str, cut: int = 8, players: int = 10, **options: Any) -> dict[str, Any]:
    """Everybody meets everybody and the lower number wins: the standings are 1, 2, 3, …; then a cut."""
    field = [str(number) for number in range(1, players + 1)]
    swiss = []
    for turn in range(players - 1):
        circle = [field[0], *field[1:][turn:], *field[1:][:turn]]
        pairs = zip(circle[: players // 2], reversed(circle[players // 2 :]), strict=True)
        swiss.append(", ".join(f"{min(two, key=int)} beats {max(two, key=int)}" for two in pairs))
    chosen = {"rounds": players - 1, "cut": cut, "format": "swiss+elimination", **options}
    return event(PK, *swiss, *[a_round(text, stage="elimination") for text in elimination], options=chosen)


def places(file: dict[str, Any], **readings: str) -> list[tuple[int, str]]:
    """(place, id) from the winner."""
    return [(place["place"], place["id"]) for place in ask("bracket", file=file, **readings)["places"]]


def advance(file: dict[str, Any], stage: str, **readings: str) -> list[str]:
    """Who goes on into a stage."""
    (cut,) = [cut for cut in ask("cut", file=file, **readings)["cuts"] if cut["stage"] == stage]
    return [player["id"] for player in cut["players"] if player["in"]]


def nine_rounds(one: str = "", **groups: tuple[int, str]) -> dict[str, Any]:
    """227 players after nine rounds of a two-day event: `g=(40, "WWWWWWWLL")` are 40 players g1, g2, …

    Wins are byes, losses are assigned, and a tie is with a player of its own; the others win five.
    `one` is the record of player X.
    """
    records = {
        f"{name}{n}": letters for name, (number, letters) in groups.items() for n in range(1, number + 1)
    }
    records |= {"X": one} if one else {}
    records |= {f"o{n}": "WWWWWLLLL" for n in range(227 - len(records))}
    words = {"W": "{0} bye", "L": "{0} loss", "T": "{0} ties {0}-{1}"}
    rounds = [
        ", ".join(words[letters[turn]].format(name, turn) for name, letters in records.items())
        for turn in range(9)
    ]
    ties = {
        f"{name}-{turn}" for name, letters in records.items() for turn in range(9) if letters[turn] == "T"
    }
    return event(PK, *rounds, dropped=dict.fromkeys(ties, 9), options={"table": "tcg-two-day"})


def flights(sizes: list[int], **about: Any) -> dict[str, Any]:
    """A round of masters in flights of these sizes; player 2-5 is the fifth of flight 2."""
    ids = [[f"{flight}-{n}" for n in range(1, size + 1)] for flight, size in enumerate(sizes, start=1)]
    pairs = [one[at : at + 2] for one in ids for at in range(0, len(one), 2)]
    first = ", ".join(" beats ".join(table) if len(table) == 2 else f"{table[0]} bye" for table in pairs)
    everybody = [*(player for one in ids for player in one), *about.get("players", "").split()]
    flight = {player: number for number, one in enumerate(ids, start=1) for player in one}
    options = {"flights": len(sizes), **about.pop("options", {})}
    return event(
        PK, first, flight=flight, division=dict.fromkeys(everybody, "masters"), options=options, **about
    )


# §3.2: single elimination


@proves("PK-30")
def test_rank_seeds_are_drawn_at_random() -> None:
    file = event(PK, players="A B C D", options={"format": "elimination"})
    assert len({frozenset(seated(pair(file, str(seed)))) for seed in range(40)}) == 3
    assert seated(pair(knockout())) == tables("18 45 27 36")


@proves("PK-30", "PK-33")
def test_the_loser_of_a_match_is_out() -> None:
    answer = pair(knockout(QUARTERS))
    assert seated(answer) == tables("15 26")
    assert answer["stage"] == "elimination"


@proves("PK-31", "PK-32", "PK-T4")
@pytest.mark.parametrize(
    ("players", "bracket", "idle", "matches"),
    [(53, 64, 11, 21), (8, 8, 0, 4), (9, 16, 7, 1), (33, 64, 31, 1), (64, 64, 0, 32), (5, 8, 3, 1)],
)
def test_byes_go_to_the_best_rank_seeds_in_round_1_only(
    players: int, bracket: int, idle: int, matches: int
) -> None:
    found = plan(PK, players, "--format", "elimination")
    assert (found["bracket"], found["byes"]) == (bracket, idle)
    first = pair(knockout(players=players))["tables"]
    alone = {int(table["players"][0]) for table in first if table.get("bye")}
    assert alone == set(range(1, idle + 1))
    assert len(first) - len(alone) == matches
    texts = [
        " beats ".join(table["players"]) if len(table["players"]) == 2 else f"{table['players'][0]} bye"
        for table in first
    ]
    if bracket > 8:
        second = pair(knockout(", ".join(texts), players=players))["tables"]
        assert not any(table.get("bye") for table in second)


@proves("PK-33", "PK-A30")
def test_to_leave_a_bracket_is_to_lose_the_match(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 4, "format=elimination")
    start(shop)
    one, other = (table["players"] for table in shop.json("round", "show")["tables"])
    assert "loses table 1 of round 1" in shop("drop", one[0]).out
    shop("player", "disqualify", other[1], "--reason", "marked cards")
    winners = [table["winner"] for table in shop.json("round", "show")["tables"]]
    assert winners == [one[1], other[0]]


@proves("PK-33")
def test_a_player_who_leaves_a_bracket_loses_a_match_that_was_reported_as_won(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 4, "format=elimination")
    start(shop)
    shop("report", "1", "2-0")
    (winner, other), second = (table["players"] for table in shop.json("round", "show")["tables"])
    assert "loses table 1, although it was reported as a win (PK-33)" in shop("drop", winner).out
    assert shop.json("round", "show")["tables"][0]["winner"] == other
    shop("report", "2", second[0])
    shop("round", "end")
    shop("round", "pair")
    (final,) = shop.json("round", "show")["tables"]
    assert set(final["players"]) == {other, second[0]}, "a later round has no bye (PK-32)"


@proves("PK-34", "PK-A23", "PK-T6")
def test_elimination_alone_places_losers_by_who_beat_them() -> None:
    file = knockout(QUARTERS, SEMIS, FINAL)
    assert places(file) == list(enumerate("65213478", start=1))
    assert places(file, PK_A23="b")[-2:] in ([(7, "7"), (7, "8")], [(7, "8"), (7, "7")])


@proves("PK-35", "PK-41")
@pytest.mark.parametrize("made", [knockout, strength])
def test_there_may_be_a_match_for_third_place(made: Any) -> None:
    for third_place, expected in ((True, tables("56 12")), (False, tables("56"))):
        assert seated(pair(made(QUARTERS, SEMIS, third_place=third_place))) == expected
    whole = made(QUARTERS, SEMIS, "6 beats 5, 2 beats 1", third_place=True)
    assert places(whole)[:4] == [(1, "6"), (2, "5"), (3, "2"), (4, "1")]


@proves("PK-A24", "PK-T5")
@pytest.mark.parametrize(
    ("players", "order"),
    [
        (4, "1,4 2,3"),
        (8, "1,8 4,5 2,7 3,6"),
        (16, "1,16 8,9 4,13 5,12 2,15 7,10 3,14 6,11"),
    ],
)
def test_the_standard_bracket(players: int, order: str) -> None:
    (first, *_) = ask("bracket", file=knockout(players=players))["rounds"]
    assert " ".join(",".join(table["players"]) for table in first) == order


# §3.3: Swiss rounds, then a cut


@proves("PK-36", "PK-39", "PK-A24")
def test_rank_seeds_follow_the_swiss_standings() -> None:
    assert in_order(strength()) == [*EIGHT, "9", "10"]
    answer = pair(strength())
    assert answer["stage"] == "elimination"
    assert seated(answer) == tables("18 45 27 36")


@proves("PK-39", "PK-40", "PK-T6")
def test_losers_of_a_round_are_placed_by_standing_and_the_rest_keep_their_places() -> None:
    """5 beat 4 and 1; 1 is third although 2 lost to the winner; 9 and 10 stay where they were."""
    file = strength(QUARTERS, SEMIS, FINAL)
    assert [one for _, one in places(file)] == [*"65123478", "9", "10"]


@proves("PK-40")
def test_a_first_seed_who_loses_at_once_is_fifth() -> None:
    file = strength("8 beats 1, 4 beats 5, 2 beats 7, 3 beats 6")
    assert (5, "1") in places(file)


@proves("PK-37", "PK-32")
def test_a_cut_is_a_power_of_two(tmp_path: Path) -> None:
    assert unplanned(PK, 100, "--cut", "6") == "topcut: PK-37: a cut of 6 is not a power of two"
    shop = running(tmp_path, PK, 8)
    assert "expected a power of two (§3.3 (PK-37)), not 6" in shop("event", "options", "cut=6", code=2).err
    assert [plan(PK, 100, "--cut", str(cut))["bracket"] for cut in (2, 4, 8, 16, 32)] == [2, 4, 8, 16, 32]


@proves("PK-38")
def test_unequal_shares_of_the_divisions_are_noted() -> None:
    notes = " ".join(plan(PK, "12,24,48", "--cut", "4,4,16")["notes"])
    assert "unequal shares in the cut: junior 4 of 12 (33%), senior 4 of 24 (17%)" in notes
    assert "unequal shares" not in " ".join(plan(PK, "12,24,48", "--cut", "2,4,8")["notes"])


@proves("PK-A22")
def test_the_next_in_line_takes_the_place_of_a_qualifier_who_left() -> None:
    file = strength(cut=4)
    file["players"][0]["dropped"] = 9
    assert seated(pair(file)) == tables("25 34")
    left_open = pair(file, PK_A22="a")
    assert seated(left_open) == tables("4 23")


@proves("PK-A31", "PK-36")
def test_after_separate_divisions_each_has_its_bracket() -> None:
    young, old = "ABCDEFGHIJ", "KLMNOPQRST"
    pairs = [f"{one[at]} beats {one[at + 1]}" for one in (young, old) for at in range(0, 10, 2)]
    ages = dict.fromkeys(young, "junior") | dict.fromkeys(old, "masters")
    file = event(PK, ", ".join(pairs), division=ages, options={"rounds": 1})
    assert len(pair(file)["tables"]) == 4
    assert all(table <= set(young) or table <= set(old) for table in seated(pair(file)))
    one_bracket = ask("bracket", file=file, PK_A31="a")
    assert one_bracket["size"] == 4


# §3.3.3: flights


@proves("PK-42", "PK-43", "PK-44", "PK-48", "PK-A15", "PK-A16", "PK-T7")
@pytest.mark.parametrize(
    ("players", "number", "sizes", "rounds"),
    [
        (143, 2, [72, 71], 7),
        (143, 4, [36, 36, 36, 35], 6),
        (142, 4, [36, 36, 36, 34], 6),
        (141, 4, [36, 36, 35, 34], 6),
        (130, 4, [34, 32, 32, 32], 6),
        (128, 4, [32, 32, 32, 32], 5),
        (129, 2, [65, 64], 7),
        (300, 4, [76, 76, 74, 74], 7),
        (512, 8, [64] * 8, 6),
        (512, 16, [32] * 16, 5),
    ],
)
def test_sizes_and_rounds_of_flights(players: int, number: int, sizes: list[int], rounds: int) -> None:
    found = plan(PK, players, "--flights", str(number))
    assert (found["flights"], found["rounds"]) == (sizes, rounds)


@proves("PK-42", "PK-43", "PK-T7")
@pytest.mark.parametrize(
    ("players", "arguments", "refusal"),
    [
        (143, ["--flights", "8"], "PK-42: 143 players in 8 flights would leave a flight of 17"),
        (127, ["--flights", "4"], "PK-42: 127 players in 4 flights would leave a flight of 31"),
        (63, ["--flights", "2"], "PK-42: 63 players are too few for flights; a division needs at least 64"),
        (143, ["--flights", "3"], "PK-43: there may be 2, 4, 8 or 16 flights, not 3"),
        (143, ["--flights", "2", "--format", "swiss"], "PK-42: flights are for swiss+elimination only"),
        ("64,3", ["--flights", "2"], "flights need separate divisions"),
    ],
)
def test_where_flights_are_refused(players: int | str, arguments: list[str], refusal: str) -> None:
    assert refusal in unplanned(PK, players, *arguments)


@proves("PK-42")
def test_the_fewest_flights_that_time_allows_for_each_division() -> None:
    assert plan(PK, 143, "--max-rounds", "7")["flights"] == [72, 71]
    assert plan(PK, 143, "--max-rounds", "6")["flights"] == [36, 36, 36, 35]
    each = plan(PK, "64,64,128", "--flights", "2,0,4")["divisions"]
    assert [division["flights"] for division in each] == [[32, 32], None, [32, 32, 32, 32]]


@proves("PK-43", "PK-A15")
def test_each_doubling_of_the_flights_saves_a_round() -> None:
    assert [plan(PK, 512, "--flights", number)["rounds"] for number in ("4", "8", "16")] == [7, 6, 5]
    one_less = [plan(PK, 143, "--flights", number, PK_A15="b")["rounds"] for number in ("2", "4")]
    assert one_less == [7, 6]
    assert plan(PK, 512, "--flights", "16", PK_A15="b")["rounds"] == 6


@proves("PK-44", "PK-A16")
def test_as_equal_as_possible_or_as_few_odd_flights_as_possible() -> None:
    assert plan(PK, 142, "--flights", "4", PK_A16="a")["flights"] == [36, 36, 35, 35]


@proves("PK-44", "PK-45")
def test_flights_are_drawn_and_only_their_own_players_meet() -> None:
    ids = [f"p{n}" for n in range(64)]
    file = event(PK, players=" ".join(ids), division=dict.fromkeys(ids, "masters"), options={"flights": 2})
    first, second = (pair(file, seed) for seed in ("one", "two"))
    assert first["flights"] != second["flights"]
    assert Counter(first["flights"].values()) == {1: 32, 2: 32}
    assert all(
        len({first["flights"][player] for player in table["players"]}) == 1 for table in first["tables"]
    )


@proves("PK-46", "PK-45")
def test_flights_are_not_rebalanced_after_drops() -> None:
    answer = pair(flights([32, 32], dropped={f"1-{n}": 1 for n in range(1, 11)}))
    assert "flights" not in answer
    assert Counter(player[0] for table in answer["tables"] for player in table["players"]) == {
        "1": 22,
        "2": 32,
    }
    assert all(len({player[0] for player in table["players"]}) == 1 for table in answer["tables"])


@proves("PK-47", "PK-A17")
def test_a_late_player_joins_the_flight_that_started_smaller() -> None:
    late: dict[str, Any] = {"players": "L", "entered": {"L": 2}}

    def joins(sizes: list[int], **readings: str) -> set[int]:
        file = flights(sizes, **late)
        return {pair(file, str(seed), **readings)["flights"]["L"] for seed in range(30)}

    assert joins([33, 32]) == {2}
    assert joins([32, 32]) == {1, 2}
    assert joins([34, 32, 32, 32]) == {2, 3, 4}
    assert joins([34, 32, 32, 32], PK_A17="b") == {1, 2, 3, 4}


@proves("PK-48", "PK-49")
def test_each_flight_sends_as_many_and_all_are_seeded_together() -> None:
    file = flights([32, 32], options={"cut": 8, "rounds": 1})
    qualified = [player for table in pair(file)["tables"] for player in table["players"]]
    assert Counter(player[0] for player in qualified) == {"1": 4, "2": 4}
    order = [one for one in in_order(file, "--seed", "lots") if one in qualified]
    assert seated(pair(file)) == {
        frozenset((order[a - 1], order[b - 1])) for a, b in ((1, 8), (4, 5), (2, 7), (3, 6))
    }
    assert "PK-48: a top 4 cannot take the same number, at least 2" in unplanned(
        PK, 143, "--flights", "4", "--cut", "4"
    )
    assert (plan(PK, 143, "--flights", "4")["cut"], plan(PK, 143, "--flights", "4")["per_flight"]) == (8, 2)
    assert [plan(PK, 143, "--flights", k, "--cut", "16")["per_flight"] for k in ("2", "4")] == [8, 4]


# §3.3.5: rounds and cuts


@proves("PK-R1", "PK-R2", "PK-R3", "PK-R4", "PK-50", "PK-52", "PK-54", "PK-A29", "PK-T12")
@pytest.mark.parametrize(
    ("table", "row"),
    [(table, row.split()) for table, text in ROUND_TABLES.items() for row in text.split(",")],
)
def test_the_printed_tables(table: str, row: list[str]) -> None:
    """Players, Swiss rounds (of both days), cut; the last row has no upper limit."""
    players, rounds, cut = row
    first, _, second = rounds.partition("+")
    found = plan(PK, players, "--table", table)
    assert (found["rounds"], found["cut"]) == (int(first), None if cut == "-" else int(cut))
    assert (found["day_two"] or {}).get("rounds", 0) == int(second or 0)
    swiss = int(first) + int(second or 0)
    assert found["total_rounds"] == swiss + (0 if cut == "-" else int(cut).bit_length() - 1)
    assert plan(PK, 9999, "--table", table)["rounds"] >= 9


@proves("PK-50")
def test_in_one_pool_the_largest_division_counts() -> None:
    found = plan(PK, "5,12,40")
    assert found["mode"] == "modified"
    assert [(one["rounds"], one["cut"]) for one in found["divisions"]] == [(6, 8)] * 3
    apart = plan(PK, "6,12,40")["divisions"]
    assert [(one["rounds"], one["cut"]) for one in apart] == [(3, None), (4, 4), (6, 8)]


@proves("PK-51", "PK-A13")
def test_the_organiser_may_play_one_round_fewer(tmp_path: Path) -> None:
    assert (plan(PK, 40)["rounds"], plan(PK, 40, "--one-less")["rounds"]) == (6, 5)
    assert "PK-51: only an event with modified divisions" in unplanned(PK, 40, "--one-less", PK_A13="b")
    shop = running(tmp_path, PK, 8)
    assert "rounds=2" in shop("event", "one-less", "--reason", "the hall closes").out


@proves("PK-52", "PK-53")
def test_the_organiser_may_choose_another_cut() -> None:
    assert (plan(PK, 100)["cut"], plan(PK, 100, "--cut", "16")["cut"]) == (8, 16)


@proves("PK-A14")
def test_fewer_than_eight_use_the_row_for_eight() -> None:
    assert plan(PK, 5)["notes"] == ["the published tables begin at 8 players; the row for 8 is used (PK-A14)"]
    assert "PK-A14" in unplanned(PK, 3)
    assert "PK-A14" in unplanned(PK, 7, PK_A14="b")


@proves("PK-55", "PK-A18", "PK-A19", "PK-T8")
@pytest.mark.parametrize(("enough", "on"), [(40, 40), (25, 32), (32, 32)])
def test_day_two_is_for_two_losses_or_the_best_32(enough: int, on: int) -> None:
    found = advance(nine_rounds(g=(enough, "WWWWWWWLL")), "day two")
    assert len(found) == on
    assert sum(player.startswith("g") for player in found) == min(enough, on)


@proves("PK-55", "PK-A18", "PK-T8")
@pytest.mark.parametrize(
    ("record", "inside"),
    [("WWWWWWWLL", "abc"), ("WWWWWWWTL", "ac"), ("WWWWWWTTT", "ac"), ("WWWWWWTTL", "c"), ("WWWWWWLLL", "")],
)
def test_records_at_the_line_of_day_two(record: str, inside: str) -> None:
    """Forty others are in by any reading: 7-2-0 has 21 points, 7-1-1 22, 6-0-3 21, 6-1-2 20, 6-3-0 18."""
    file = nine_rounds(record, g=(40, "WWWWWWWWL"))
    assert "".join(letter for letter in "abc" if "X" in advance(file, "day two", PK_A18=letter)) == inside


@proves("PK-A19")
def test_the_larger_group_or_both() -> None:
    """X has two losses and no tie; 40 players with better records have ties."""
    file = nine_rounds("WWWWWWWLL", t=(40, "WWWWWWWWT"))
    assert len(advance(file, "day two", PK_A18="b")) == 32
    assert len(advance(file, "day two", PK_A18="b", PK_A19="b")) == 33


@proves("PK-A20")
def test_points_of_the_first_day_count_on_the_second() -> None:
    file = nine_rounds(g=(32, "WWWWWWWLL"))
    assert {why for table in pair(file)["tables"] for why in table["why"]} == {"same points (21)"}
    assert {why for table in pair(file, PK_A20="b")["tables"] for why in table["why"]} == {"same points (0)"}


# §4: running a round


@proves("PK-56")
def test_a_round_is_paired_published_started_and_then_stays(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8)
    shop("round", "pair")
    one, other = (table["players"][0] for table in shop.json("round", "show")["tables"][:2])
    assert topcut("round", "start", "--database", shop.database).code == 2
    shop("round", "publish")
    shop("round", "swap", one, other, "--reason", "before the start it can change")
    shop("round", "start")
    refusal = topcut("round", "swap", one, other, "--reason", "x", "--database", shop.database)
    assert refusal.code in (2, 3)
    assert topcut("round", "pair", "--again", "--database", shop.database).code in (2, 3)


@proves("PK-57")
def test_premier_events_use_slips(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8, "level=premier")
    shop("round", "pair")
    assert "This event uses result slips (PK-57)." in shop("round", "publish").out
    casual = running(tmp_path / "casual", PK, 8)
    casual("round", "pair")
    assert "PK-57" not in casual("round", "publish").out


@pytest.mark.large
@proves("PK-57", "PK-61")
def test_records_are_on_the_pairings_and_on_the_slips(tmp_path: Path) -> None:
    file = event(PK, "A beats B, C ties D", "A - C, B - D")
    assert "1 A C 3 1-0 2 B D 0 0-1 1 C A 1 0-0-1 2 D B 1 0-0-1" in printed("pairings", file, tmp_path)
    slips = printed("slips", file, tmp_path)
    for player in ("A 1-0 · points: 3", "B 0-1 · points: 0", "C 0-0-1 · points: 1"):
        assert player in slips


@proves("PK-58")
def test_results_are_kept_for_three_months(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8, "rounds=1", "format=swiss")
    play(shop, "")
    shop("event", "finish")
    assert "PK-58: Names and results are kept for 3 months" in shop("event", "purge", code=3).err
    assert "PK-58" in shop("new", "Shorter", "--rules", PK, "--keep", "2", code=3).err
    assert len(shop.json("player", "list")["players"]) == 8


@proves("PK-59")
def test_a_wrong_record_changes_as_few_tables_as_possible_or_waits(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 16)
    play(shop, "")
    shop("round", "pair")
    shop("round", "publish")
    before = {tuple(table["players"]) for table in shop.json("round", "show")["tables"]}
    asked = shop("correct", "1", "0-2", "--round", "1", code=2).err
    assert "Keep the pairings (leave): No table changes." in asked
    assert "Re-pair as few tables as possible (fewest): 2 tables change." in asked
    shop("correct", "1", "0-2", "--round", "1", "--then", "fewest")
    after = {tuple(table["players"]) for table in shop.json("round", "show")["tables"]}
    assert len(before - after) == 2
    shop("round", "start")
    shop("correct", "2", "0-2", "--round", "1")
    assert {tuple(table["players"]) for table in shop.json("round", "show")["tables"]} == after


@proves("PK-60", "PK-T9")
def test_a_result_can_be_changed_until_the_second_round_after_it(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8, "rounds=4", "format=swiss")
    play(shop, "", "")
    shop("correct", "1", "0-2", "--round", "1")
    shop("round", "pair")
    shop("round", "publish")
    refusal = "PK-60: Round 1 can no longer be corrected: round 3 was published"
    assert refusal in shop("correct", "1", "2-0", "--round", "1", code=3).err
    shop("correct", "1", "0-2", "--round", "2", "--then", "leave")


@proves("PK-60", "PK-A27")
@pytest.mark.parametrize(("letter", "closed_by"), [("a", "pair"), ("b", "publish"), ("c", "start")])
def test_when_a_round_counts_as_paired(letter: str, closed_by: str, tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8, "rounds=4", "format=swiss", f"PK-A27={letter}")
    play(shop, "", "")
    steps = ("pair", "publish", "start")
    for step in steps:
        shop("round", step)
        wanted = ("correct", "1", "0-2", "--round", "1", "--then", "leave", "--database", shop.database)
        closed = topcut(*wanted).code == 3
        assert closed == (steps.index(step) >= steps.index(closed_by))
        if closed:
            break
        shop("undo")


@proves("PK-60", "PK-A27")
def test_seeding_a_bracket_closes_all_swiss_rounds(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 9, "rounds=2", "cut=4", "format=swiss+elimination")
    play(shop, "", "")
    shop("correct", "1", "0-2", "--round", "2")
    shop("round", "pair")
    assert "Rounds 1 and 2 can no longer be corrected (PK-A27)." in shop("round", "publish").out
    assert "can no longer be corrected" in shop("correct", "1", "2-0", "--round", "2", code=3).err


@proves("PK-61")
def test_players_are_reminded_to_check_their_record(tmp_path: Path) -> None:
    shop = running(tmp_path, PK, 8, "rounds=3", "format=swiss")
    play(shop, "")
    shop("round", "pair")
    said = shop("round", "publish").out
    assert "Ask all players to check their results now (PK-61)." in said
    assert "Publishing round 3 closes round 1 (PK-60)." in said
