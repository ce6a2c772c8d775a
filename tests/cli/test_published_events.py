"""Published events are read as they were counted; what nobody could enter is said with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import assert_refused, topcut, write

Table = dict[str, Any]


def won(*players: str) -> Table:
    return {"players": [*players], "games": [2, 0, 0]}


def cup(*rounds: list[Table] | dict[str, Any], players: str = "ABCD", **more: Any) -> dict[str, Any]:
    made = [a_round if isinstance(a_round, dict) else {"tables": a_round} for a_round in rounds]
    listed = [{"id": player} for player in players]
    return {"topcut": 1, "name": "Cup", "rules": "mtr", "players": listed, "rounds": made} | more


def final(*tables: Table) -> dict[str, Any]:
    return {"stage": "elimination", "tables": [*tables]}


def ask(plain: dict[str, Any], tmp_path: Path, *command: str) -> tuple[Any, str]:
    answer = topcut(command[0], str(write(plain, tmp_path / "cup.json")), *command[1:], "--json")
    assert answer.code == 0, answer
    return json.loads(answer.out), answer.err


def test_a_match_of_three_wins_counts_as_published(tmp_path: Path) -> None:
    plain = cup([{"players": ["A", "B"], "games": [3, 0, 0]}, {"players": ["C", "D"], "games": [0, 0, 0]}])
    answer, said = ask(plain, tmp_path, "standings")
    assert [(row["id"], row["points"]) for row in answer["standings"]] == [
        ("A", 3),
        ("C", 1),
        ("D", 1),
        ("B", 0),
    ]
    assert said == (
        "topcut: warning: rounds[0].tables[0].games: 3-0 isn't possible in best of 3; "
        "Topcut counts it as it was published\n"
    )
    paired, _ = ask(plain, tmp_path, "pair", "--seed", "x")
    assert paired["warnings"][0].startswith("rounds[0].tables[0].games: 3-0")


def test_it_is_imported_and_goes_on(tmp_path: Path) -> None:
    plain = cup([{"players": ["A", "B"], "games": [3, 0, 0]}, won("C", "D")], options={"rounds": 2})
    path, database = str(write(plain, tmp_path / "cup.json")), str(tmp_path / "desk.db")
    answer = topcut("import", path, "--database", database)
    assert answer.code == 0, answer
    assert "3-0 isn't possible in best of 3; Topcut counts it as it was published" in answer.err
    answer = topcut("round", "pair", "--database", database)
    assert answer.code == 0, answer
    assert_refused(topcut("correct", "1", "1", "3-0", "--database", database, "--reason", "x"), "3-0")


def semi_finals() -> list[list[Table] | dict[str, Any]]:
    """A and B win both their matches; A is ahead by its opponents."""
    return [[won("A", "C"), won("B", "D")], [won("A", "D"), won("B", "C")]]


@pytest.mark.parametrize("result", [{"winner": "draw"}, {"games": [1, 1, 0]}])
def test_a_split_final_shares_the_first_place(tmp_path: Path, result: dict[str, Any]) -> None:
    rounds = [*semi_finals(), final(won("A", "D"), won("B", "C")), final({"players": ["A", "B"], **result})]
    answer, said = ask(cup(*rounds), tmp_path, "bracket")
    places = {row["id"]: (row["place"], row["why"]) for row in answer["places"]}
    assert places["A"] == places["B"] == (1, "drew the final; places 1 to 2 shared")
    assert {places["C"][0], places["D"][0]} == {3, 4}
    assert answer["rounds"][-1][0]["draw"] is True
    assert "rounds[3].tables[0]: an elimination round can't end in a draw" in said
    assert any("rounds[3].tables[0]" in line for line in answer["warnings"])
    assert topcut("check", str(tmp_path / "cup.json")).code in (0, 1)


def test_no_round_is_paired_after_a_draw_in_a_bracket(tmp_path: Path) -> None:
    rounds = [*semi_finals(), final({"players": ["A", "D"], "winner": "draw"}, won("B", "C"))]
    path = str(write(cup(*rounds), tmp_path / "cup.json"))
    assert_refused(topcut("pair", path), "rounds[2].tables[0]", "can't end in a draw")


def test_who_plays_on_won_a_drawn_semi_final(tmp_path: Path) -> None:
    drawn = {"players": ["A", "D"], "winner": "draw"}
    rounds = [*semi_finals(), final(drawn, won("B", "C")), final(won("B", "D"))]
    answer, _ = ask(cup(*rounds), tmp_path, "bracket")
    places = {row["id"]: row["place"] for row in answer["places"]}
    assert (places["B"], places["D"]) == (1, 2)


@pytest.mark.parametrize("cut", [3, 6])
def test_a_cut_of_three_or_six_gives_the_best_byes(tmp_path: Path, cut: int) -> None:
    """Three play: the best waits for the final. Six play: the best two wait for the semi-finals."""
    ids = "ABCDEFGH"
    swiss = [won(ids[at], ids[at + 1]) for at in range(0, 8, 2)]
    plain = cup(swiss, players=ids, options={"cut": cut, "rounds": 1})
    for command in ("standings", "check"):
        answer = topcut(command, str(write(plain, tmp_path / "cup.json")))
        assert answer.code == 0, answer
        assert (
            f"options.cut: expected a power of two (10.4, Appendix E), not {cut}; Topcut counts it"
            " as it was published" in answer.err
        )
    answer, _ = ask(plain, tmp_path, "bracket")
    byes = [table["players"] for table in answer["rounds"][0] if table.get("bye")]
    assert len(byes) == {3: 1, 6: 2}[cut]
    assert_refused(topcut("pair", str(tmp_path / "cup.json")), "options.cut", "power of two")


def test_a_cut_that_is_only_planned_is_refused(tmp_path: Path) -> None:
    path = str(write(cup(options={"cut": 6}), tmp_path / "cup.json"))
    assert_refused(topcut("bracket", path), "options.cut", "power of two")


def test_elimination_rounds_make_it_an_event_with_elimination(tmp_path: Path) -> None:
    """mtr is Swiss unless the file says otherwise; only a bracket is recorded here."""
    plain = cup(final(won("A", "D"), won("B", "C")), final(won("A", "B")))
    answer, _ = ask(plain, tmp_path, "bracket")
    assert [row["id"] for row in answer["places"]][:2] == ["A", "B"]
    converted = topcut("convert", str(tmp_path / "cup.json"), "-", "--as", "event")
    assert json.loads(converted.out)["options"]["format"] == "elimination"
    plain = cup(*semi_finals(), final(won("A", "B")))
    ask(plain, tmp_path, "bracket")
    converted = topcut("convert", str(tmp_path / "cup.json"), "-", "--as", "event")
    assert json.loads(converted.out)["options"]["format"] == "swiss+elimination"


def test_rank_seeds_stay_those_of_the_standings(tmp_path: Path) -> None:
    """A, B, C, D by standing; A met C and B met D: A is still the first seed and D the fourth."""
    swiss: list[list[Table] | dict[str, Any]] = [
        [{"players": ["A", "D"], "games": [2, 0, 0]}, {"players": ["B", "C"], "games": [2, 1, 0]}],
        [{"players": ["A", "B"], "games": [2, 0, 0]}, {"players": ["C", "D"], "games": [2, 0, 0]}],
    ]
    standing, _ = ask(cup(*swiss), tmp_path, "standings")
    order = [row["id"] for row in standing["standings"]]
    one, two, three, four = order
    rounds = [*swiss, final(won(one, three), won(two, four)), final(won(one, two))]
    answer, said = ask(cup(*rounds, options={"rounds": 2, "cut": 4}), tmp_path, "bracket")
    assert answer["rank_seeds"] == {player: seed for seed, player in enumerate(order, start=1)}
    assert [row["id"] for row in answer["places"]] == order
    assert said.count("The first elimination round is not the one that the rules give") == 1
    checked = json.loads(topcut("check", str(tmp_path / "cup.json"), "--json").out)
    assert [verdict["legal"] for verdict in checked["rounds"]][2:] == [False, True]


def cut_of_six(first: list[Table], *later: list[Table]) -> dict[str, Any]:
    """Seven players, a round by rank (A to G), and a bracket of the best six."""
    swiss = [won("A", "G"), won("B", "F"), won("C", "E"), {"players": ["D"], "bye": True}]
    second = [won("A", "B"), won("C", "D"), won("E", "G"), {"players": ["F"], "bye": True}]
    options = {"rounds": 2, "cut": 6, "format": "swiss+elimination"}
    plain = cup(swiss, second, final(*first), *(final(*tables) for tables in later), players="ABCDEFG")
    return plain | {"options": options}


def rank_of(tmp_path: Path) -> list[str]:
    answer, _ = ask(cut_of_six([]) | {"rounds": cut_of_six([])["rounds"][:2]}, tmp_path, "bracket")
    return sorted(answer["rank_seeds"], key=answer["rank_seeds"].get)


def test_byes_that_a_first_round_leaves_out_belong_to_who_sits_at_no_table(tmp_path: Path) -> None:
    one, two, three, four, five, six = rank_of(tmp_path)
    first = [won(three, four), won(six, five)]  # by rank seed it would be 4-5 and 3-6
    plain = cut_of_six(first, [won(one, three), won(two, six)], [won(one, two)])
    answer, said = ask(plain, tmp_path, "bracket")
    assert [row["id"] for row in answer["places"]][:4] == [one, two, three, six]
    assert answer["rank_seeds"][one] == 1
    assert "The first elimination round is not the one that the rules give" in said
    byes = [{"players": [player], "bye": True} for player in (one, two)]
    recorded, _ = ask(
        cut_of_six(first + byes, [won(one, three), won(two, six)], [won(one, two)]), tmp_path, "bracket"
    )
    assert answer == recorded
    assert topcut("cut", str(tmp_path / "cup.json")).code == 0


def test_later_rounds_tell_who_had_which_bye(tmp_path: Path) -> None:
    one, two, three, four, five, six = rank_of(tmp_path)
    plain = cut_of_six([won(three, four), won(six, five)], [won(two, three), won(one, six)], [won(one, two)])
    answer, _ = ask(plain, tmp_path, "bracket")
    assert [row["id"] for row in answer["places"]][:2] == [one, two]


def test_an_import_warns_of_what_the_bracket_warns_of(tmp_path: Path) -> None:
    one, two, three, four, five, six = rank_of(tmp_path)
    plain = cut_of_six([won(three, four), won(six, five)], [won(one, three), won(two, six)])
    _, said = ask(plain, tmp_path, "bracket")
    database = str(tmp_path / "desk.db")
    imported = topcut("import", str(tmp_path / "cup.json"), "--database", database)
    assert imported.code == 0, imported
    assert sorted(imported.err.splitlines()) == sorted(said.splitlines())
    running = topcut("bracket", "--database", database)
    assert running.code == 0, running
    assert running.out.splitlines()[2:] == topcut("bracket", str(tmp_path / "cup.json")).out.splitlines()[2:]


def test_both_players_of_a_drawn_final_won_it(tmp_path: Path) -> None:
    drawn = {"players": ["A", "B"], "games": [1, 1, 0]}
    plain = cup([won("A", "C"), won("B", "D")], final(drawn), options={"rounds": 1, "cut": 2})
    path = str(write(plain, tmp_path / "cup.json"))
    picture = tmp_path / "cup.svg"
    shown = topcut("bracket", path, "--svg", str(picture))
    assert shown.code == 0, shown
    assert "no player" not in shown.out
    drawing = shown.out.split("place")[0]
    assert [line.split()[-1] for line in drawing.splitlines() if line.endswith(("A", "B"))] == ["A", "B"]
    assert "━" in drawing
    assert "─┐" not in drawing
    svg = picture.read_text()
    assert svg.count('class="won"') == 4
    assert "no player" not in svg
