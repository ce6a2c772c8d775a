"""Tables that nobody won, reported in a terminal (AL-9)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shop import Shop, started
from tests.command_line import topcut


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_a_table_that_nobody_won_at_any_score(shop: Shop, tmp_path: Path) -> None:  # AL-9
    started(shop, "Ada Bo Cy Di Ed Flo", "allegiance-2005", "--option", "rounds=2")
    assert shop("report", "1", "24", "10", "23", "none").out.startswith("Round 1, table 1: ")
    shop("report", "--from", "-", stdin=b"2 21 21 3x none\n")
    shop("correct", "2", "20", "30", "3", "none")
    tables = shop.json("round", "show")["tables"]
    assert [(table["scores"], table["winners"]) for table in tables] == [
        ([24, 10, 23], []),
        ([20, 30, 3], []),
    ]
    assert "24, " in shop("log").out
    assert " ".join(shop("log").out.split()).count("nobody won") == 4
    shop("round", "end")
    file, results, back = (str(tmp_path / name) for name in ("cup.json", "cup.csv", "back.json"))
    shop("export", "--as", "event", "-o", file)
    assert topcut("check", file).code == 0
    rows = json.loads(topcut("standings", file, "--json").out)["standings"]
    assert [row["points"] for row in rows] == [0] * 6
    assert rows[0]["tiebreaks"][0]["value"] == "30"
    assert topcut("convert", file, results, "--as", "results").code == 0
    assert topcut("convert", results, back, "--rules", "allegiance-2005", "--name", "Cup").code == 0
    seated = [json.loads(Path(path).read_text("utf-8"))["rounds"][0]["tables"] for path in (file, back)]
    said = [[(table["scores"], table["winners"]) for table in tables] for tables in seated]
    assert said[0] == said[1]


def test_none_alone_still_takes_a_result_away(shop: Shop) -> None:
    started(shop, "Ada Bo Cy Di Ed Flo", "allegiance-2005")
    shop("report", "1", "24", "10", "23", "none")
    shop("correct", "1", "none")
    assert shop.json("round", "show")["missing"] == [1, 2]


@pytest.mark.parametrize("word", ["draw", "id"])
def test_a_table_with_scores_has_no_draw(shop: Shop, word: str) -> None:
    started(shop, "Ada Bo Cy", "allegiance-2005", "--option", "rounds=2")
    refused = shop("report", "1", word, code=2).err
    assert 'If nobody won, enter the scores and "none", such as 24 10 23 none.' in refused
    assert shop.json("round", "show")["missing"] == [1]
