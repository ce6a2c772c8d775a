"""Ties for the most at a table, and the whole example of the document, in a terminal (AL-6 to AL-11)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shop import Shop, started
from tests.command_line import topcut
from tests.factions import FINAL, FIRST_RESULTS, SECOND_GAMES, SECOND_RESULTS, example_event, read_final

FIRST = "influence tokens of factions with fewer than five members in play"
SECOND = "all influence tokens"


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


@pytest.fixture
def seats(shop: Shop) -> list[str]:
    """The names at table 1, in the order of their seats."""
    started(shop, "Ada Bo Cy Di Ed Flo", "allegiance-2005", "--option", "rounds=2")
    names = {player["id"]: player["name"] for player in shop.json("player", "list")["players"]}
    return [names[player_id] for player_id in shop.json("round", "show")["tables"][0]["players"]]


def table(shop: Shop) -> dict[str, object]:
    found: dict[str, object] = shop.json("round", "show")["tables"][0]
    return found


def standings(shop: Shop, *options: str) -> str:
    answer = topcut("standings", "--database", shop.database, *options)
    assert answer.code == 0, answer
    return answer.out


def test_the_document_from_its_first_results_to_its_final_standings(shop: Shop, tmp_path: Path) -> None:
    file = tmp_path / "factions.json"
    file.write_text(json.dumps(example_event()), "utf-8")
    shop("import", str(file))
    shop("round", "start")
    for line in FIRST_RESULTS:
        shop("report", *line.split())
    shop("round", "end")
    for step in ("pair", "publish", "start"):
        shop("round", step)
    assert [seated["players"] for seated in shop.json("round", "show")["tables"]] == SECOND_GAMES
    for line in SECOND_RESULTS:
        shop("report", *line.split())
    shop("round", "end")
    assert read_final(json.loads(standings(shop, "--json"))["standings"]) == FINAL


def test_a_tie_is_asked_about_step_by_step(shop: Shop, seats: list[str]) -> None:  # AL-10
    one, other, _ = seats
    tied = ("report", "1", "20", "20", "10")
    asked = shop(*tied, code=2).err
    assert f"{one} and {other} are tied with 20. Count this: {FIRST}." in asked
    assert f'Add --count "{one} N" --count "{other} N"' in asked
    assert 'If nobody won, add "none".' in asked
    level = ("--count", f"{one} 3", "--count", f"{other} 3")
    again = shop(*tied, *level, code=2).err
    assert f"{one} and {other} are still tied. Now count this: {SECOND}." in again
    assert shop.json("round", "show")["missing"] == [1, 2], "nothing was saved"
    done = shop(*tied, *level, "--count", f"{one} 5", "--count", f"{other} 7").out
    assert f"{one} 20, {other} 20 (won)" in done
    assert f"first count: {one} 3, {other} 3; second count: {one} 5, {other} 7" in done
    assert table(shop)["scores"] == [20, 20, 10]  # AL-11
    log = " ".join(shop("log").out.split())
    assert f"second count: {one} 5, {other} 7" in log


def test_one_option_a_count_takes_the_numbers_in_the_order_of_the_table(shop: Shop, seats: list[str]) -> None:
    one, other, _ = seats
    done = shop("report", "1", "20", "20", "10", "--count", "3,3", "--count", "5,7").out
    assert f"first count: {one} 3, {other} 3; second count: {one} 5, {other} 7" in done


def test_the_first_count_alone_can_decide(shop: Shop, seats: list[str]) -> None:
    one, other, _ = seats
    done = shop("report", "1", "20", "20", "10", "--count", f"{one} 1, {other} 4").out
    assert f"{one} 20, {other} 20 (won)" in done
    assert "second count" not in done


def test_tied_in_all_counts_each_wins_or_one_leaves_the_win_to_the_other(
    shop: Shop, seats: list[str]
) -> None:  # AL-10, AL-A10
    one, other, _ = seats
    line = ("1", "20", "20", "10", "count", "3", "3", "count", "5", "5")
    assert f"{one} and {other} are tied, and each of them wins" in shop("report", *line).out
    assert len(table(shop)["winners"]) == 2  # type: ignore[arg-type]
    assert f"the win was given to {other}" in shop("correct", *line, "--give", other).out
    shop("report", "2", "9", "8", "7")
    shop("round", "end")
    explained = standings(shop, "--explain", other)
    assert f"first count: {one} 3, {other} 3" in explained
    assert f"the win was given to {other}" in explained


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("20 20 10 --count {2}_4", "{2} is not tied for the highest score. Count only for {0} and {1}."),
        ("20 20 10 --count {0}_4", "a number for {1} is missing in this count: " + FIRST),
        ("19 19 10 --count {0}_4", "{0} and {1} are tied with 19, below the target of 20: nobody won"),
        ("21 20 10 --count {0}_4", "No players are tied for the highest score, so nothing is counted."),
        ("20 20 10 count 3 2 count 4 1", "{0} alone had the most in the count before"),
        ("20 20 10 count 3 3 count 4 4 count 5 1", "Nothing else is counted, and each of them wins."),
        ("20 20 10 count 3 2 1", "expected 2 numbers in this count, for {0} and {1}, not 3"),
        ("20 20 10 none count 3 2", 'Counts break a tie, and "none" says that nobody won.'),
        ("20 20 10 --give {2}", "{2} is not one of the players still tied. Enter {0} or {1}."),
        ("20 20 10 soon", '"soon" does not belong to the scores.'),
        (
            "20 20 10 --count Zed_4",
            '"Zed" does not fit exactly one player at this table. Enter {0}, {1} or {2}.',
        ),
        ("19* 10 5", "{0} won with 19: expected at least the target of 20"),
        ("23* 24 5", "{0} won with 23, but {1} has 24: expected the most at the table"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_with_names(
    shop: Shop, seats: list[str], words: str, says: str
) -> None:
    typed = [word.replace("_", " ") for word in words.format(*seats).split()]
    refused = shop("report", "1", *typed, code=2).err
    assert says.format(*seats) in refused
    assert len(refused.strip().splitlines()) == 1
    assert shop.json("round", "show")["missing"] == [1, 2]


def test_counts_stand_in_the_lines_of_a_file_too(shop: Shop, seats: list[str]) -> None:
    shop("report", "--from", "-", stdin=b"1 20 20 10 count 3 2\n2 x 24 out\n")
    tables = shop.json("round", "show")["tables"]
    assert tables[0]["winners"] == tables[0]["players"][:1]
    assert tables[1]["eliminated"] == [tables[1]["players"][0], tables[1]["players"][2]]
    refused = shop("correct", "--help").out
    assert "--count N,N" in refused


def test_an_event_file_is_refused_with_names(tmp_path: Path) -> None:
    event = example_event()
    event["rounds"][0]["tables"][0] |= {"scores": [13, 19, 6], "winners": ["5"]}
    file = tmp_path / "factions.json"
    file.write_text(json.dumps(event), "utf-8")
    refused = topcut("standings", str(file))
    assert refused.code == 2
    assert "Chris Kugler won with 19: expected at least the target of 20" in refused.err
