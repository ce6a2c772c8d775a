"""Running events from several shells, with mistakes and full disks: what a command says it did, it did."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shop import Shop, started
from tests.command_line import topcut

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_an_answer_has_only_what_was_asked_for(shop: Shop) -> None:
    """Four shells at once: each says what it did itself."""
    started(shop, "Ada Bo Cy Di Ed Flo Gus Hal")
    command = [sys.executable, "-m", "topcut", "report", "--database", shop.database, "--json"]
    shells = [
        subprocess.Popen([*command, str(n), "2-0"], stdout=subprocess.PIPE, cwd=ROOT) for n in (1, 2, 3, 4)
    ]
    for number, shell in enumerate(shells, start=1):
        facts = json.loads(shell.communicate()[0])["facts"]
        assert [f"table {number}:" in fact["says"] for fact in facts] == [True]


def test_what_is_done_is_done_even_if_nobody_can_be_told(shop: Shop) -> None:
    shop("new", "Cup", "--rules", "mtr")
    command = [sys.executable, "-m", "topcut", "add", "Ada", "--database", shop.database]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, text=True, cwd=ROOT)
    assert (done.returncode, "(the command itself was carried out)" in done.stderr) == (2, True)
    assert shop.json("event", "show")["players"] == 1


def test_a_round_that_was_left_after_a_correction_does_not_pass_for_drawn(shop: Shop, tmp_path: Path) -> None:
    started(shop, "Ada Bo Cy Di Ed Flo Gus Hal", "pokemon-2017")
    shop("report", "--from", "-", stdin=b"1 2-0\n2 2-0\n3 2-0\n4 2-0\n")
    for act in ("end", "pair", "publish"):
        shop("round", act)
    shop("correct", "1", "0-2", "--round", "1", "--then", "leave")
    shop("round", "start")
    shop("report", "--from", "-", stdin=b"1 2-0\n2 2-0\n3 2-0\n4 2-0\n")
    shop("round", "end")
    shop("event", "finish", "--reason", "a test")
    log, file = tmp_path / "x.log", tmp_path / "x.json"
    shop("export", "-o", str(log))
    shop("export", "--as", "event", "-o", str(file))
    checked = topcut("check", str(log))
    assert (checked.code, "the seed draws other tables" in checked.out) == (0, False)
    assert [r["replayed"] for r in json.loads(topcut("check", str(file), "--json").out)["rounds"]] == [
        True,
        None,
    ]


def test_what_one_command_did_is_taken_back_together(shop: Shop) -> None:
    started(shop, "Ada Bo Cy Di Ed Flo Gus Hal")
    shop("report", "--from", "-", stdin=b"1 2-0\n2 2-0\n3 2-0\n4 2-0\n")
    shop("undo")
    assert shop.json("round", "show")["missing"] == [1, 2, 3, 4]
    shop("redo")
    assert shop.json("round", "show")["missing"] == []


def test_a_list_of_results_says_which_line_is_wrong(shop: Shop) -> None:
    started(shop)
    for text, says in (
        (b"1 2-0\n\n\n2 maybe\n", 'standard input: line 4: Table 2: "maybe" is not a result'),
        (b"1 2-0\n2 maybe\n", 'standard input: line 2: Table 2: "maybe" is not a result'),
        (b"1 2-0\n1 0-2\n", "standard input: line 2: table 1 is listed twice"),
        (b"1 2-0\n9 0-2\n", "standard input: line 2: Round 1 has no table 9"),
        (b"one 2-0\n", "standard input: line 1: expected a table and its result"),
    ):
        assert says in shop("report", "--from", "-", stdin=text, code=2).err
    assert shop.json("round", "show")["missing"] == [1, 2]


def test_a_player_who_is_back_is_told_of_a_table_that_is_still_lost(shop: Shop) -> None:
    started(shop)
    shop("drop", "Ada")
    back = shop("player", "restore", "Ada").out
    assert "is still a win for" in back
    table = next(t["table"] for t in shop.json("round", "show")["tables"] if "p1" in t["players"])
    shop("correct", str(table), "none")
    assert table in shop.json("round", "show")["missing"]


def test_a_bye_becomes_a_loss_and_back(shop: Shop) -> None:
    started(shop, "Ada Bo Cy")
    alone = next(t["players"][0] for t in shop.json("round", "show")["tables"] if "bye" in t)
    assert "has no opponent. Enter bye or loss" in shop("correct", alone, "2-0", code=2).err
    shop("correct", alone, "loss")
    shop("correct", alone, "bye")


def test_a_cut_is_added_with_its_format(shop: Shop) -> None:
    started(shop, " ".join(f"P{n}" for n in range(8)), "pokemon-2017")
    refused = shop("event", "options", "cut=4", code=2)
    assert "A cut needs elimination rounds. Also set the format to swiss+elimination." in refused.err
    shop("event", "options", "cut=4", "format=swiss+elimination")


def test_a_round_changed_by_hand_says_so_when_it_is_checked(shop: Shop, tmp_path: Path) -> None:
    shop("new", "Cup", "--rules", "mtr")
    shop("add", *[f"P{n}" for n in range(4)])
    shop("round", "pair")
    one, other = (t["players"][0] for t in shop.json("round", "show")["tables"])
    shop("round", "swap", one, other, "--reason", "siblings")
    shop("round", "publish")
    shop("export", "-o", str(tmp_path / "x.log"))
    assert "changed by hand (siblings)" in topcut("check", str(tmp_path / "x.log")).out


def test_an_export_for_programs_is_one_document(shop: Shop) -> None:
    started(shop)
    whole = shop.json("export")
    assert (whole["event"], whole["facts"][0]["fact"]["fact"]) == ("cup", "created")
    assert shop.json("export", "--public")["private"] == {}


def test_programs_get_the_three_answers_as_data(shop: Shop) -> None:
    started(shop, " ".join(f"P{n}" for n in range(16)), "pokemon-2017")
    shop("report", "--from", "-", stdin=b"".join(b"%d 2-0\n" % n for n in range(1, 9)))
    for act in ("end", "pair", "publish"):
        shop("round", act)
    asked = shop("correct", "1", "0-2", "--round", "1", "--json", code=2)
    answers = json.loads(asked.out)["needs_answer"]["answers"]
    assert [(a["kind"], a["new"], a["changed"]) for a in answers] == [
        ("leave", 0, []),
        ("fewest", 2, None),
        ("again", None, None),
    ]
    assert answers[0]["cost"]["score_gap_squared"] == 18


def test_tables_by_hand_and_redo_with_a_preview(shop: Shop) -> None:
    shop("new", "Cup", "--rules", "mtr")
    shop("add", "Ada", "Bo", "Cy", "Di")
    shop("round", "pair")
    tables = shop.json("round", "show")["tables"]
    (a, b), (c, d) = (t["players"] for t in tables)
    shop("round", "edit", f"{a},{c}", f"{b},{d}", "--reason", "a test")
    shop("undo")
    assert len(shop.json("redo", "--preview")["changes"]) == 4
    shop("redo")
    assert {frozenset(t["players"]) for t in shop.json("round", "show")["tables"]} == {
        frozenset({a, c}),
        frozenset({b, d}),
    }
