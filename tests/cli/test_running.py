"""A whole day from the shell: new, add, round, report, correct, drop, undo, log, export, import."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shop import Shop, started
from tests.command_line import topcut
from tests.proves import proves

ROOT = Path(__file__).resolve().parents[2]
DAY = """
set -euo pipefail
topcut new "Autumn Cup" --rules pokemon-2017 --option level=premier
for n in $(seq 1 32); do echo "Player $n"; done | topcut add --from -
topcut event announce --prizes "the top 8"
while topcut round pair >pairing 2>why; do
    topcut round publish
    topcut round start
    topcut round show --json | python -c '
import json, sys
for table in json.load(sys.stdin)["tables"]:
    if "table" in table:
        print(table["table"], "2-1")' | topcut report --from -
    topcut round end
done
topcut event finish
topcut export -o cup.log
topcut check cup.log
topcut export --as event -o cup.json
topcut bracket cup.json --json >places.json
"""


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


@pytest.mark.large
def test_a_32_player_event_is_run_from_the_shell(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    done = subprocess.run(
        ["bash", "-c", DAY],
        check=False,
        cwd=tmp_path,
        env={"PATH": path, "TOPCUT_BY": "Ada"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "why").read_text().startswith("topcut: Every table of the bracket is played: ")
    assert "everything is in order" in done.stdout
    assert "result slips (PK-57)" in done.stdout
    places = json.loads((tmp_path / "places.json").read_text())["places"]
    assert [place["place"] for place in places] == list(range(1, 33))


def test_a_new_event_says_what_it_is_called_and_where_its_draws_come_from(shop: Shop) -> None:
    made = shop.json("new", "Autumn Cup!", "--rules", "mtr")
    assert made["event"] == "autumn-cup"
    assert len(made["commitment"]) == 64
    assert shop.json("new", "Autumn Cup", "--rules", "mtr")["event"] == "autumn-cup-2"
    assert [e["event"] for e in shop.json("event", "list")["events"]] == ["autumn-cup-2", "autumn-cup"]


def test_with_several_events_one_has_to_be_named(shop: Shop) -> None:
    shop("new", "One", "--rules", "mtr")
    shop("new", "Two", "--rules", "mtr")
    refused = shop("add", "Ada", code=2)
    assert "there are 2 events in it: choose one with --event (two, one)" in refused.err
    shop("add", "Ada", "--event", "one")
    assert shop.json("event", "show", "--event", "one")["players"] == 1
    assert 'there is no event "three"' in shop("add", "Ada", "--event", "three", code=2).err


@pytest.mark.parametrize(
    ("rules", "options"),
    [("pokemon-2017", ("rounds=2", "cut=2", "format=swiss+elimination")), ("allegiance-2005", ("rounds=1",))],
)
def test_an_event_is_played_by_the_steps_it_names(shop: Shop, rules: str, options: tuple[str, ...]) -> None:
    """Each of them succeeds, to the end of the event."""
    shop("new", "Cup", "--rules", rules, *(word for option in options for word in ("--option", option)))
    given = []
    while steps := shop.json("event", "show")["next"]:
        step = "topcut add NAME" if shop.json("event", "show")["players"] < 6 else steps[0]
        assert step in steps
        given.append(step)
        shop(*step.split()[1:])
        if "--missing" in step:
            for table in shop.json("round", "show", "--missing")["missing"]:
                shop("report", str(table), "2-0" if rules == "pokemon-2017" else "30* 3 2")
    assert given[-1] == "topcut event finish"
    assert given.count("topcut round pair") == (3 if rules == "pokemon-2017" else 1)
    assert "next: nothing, the event is over" in shop("event", "show").out


def test_the_steps_before_everybody_is_there(shop: Shop) -> None:
    shop("new", "Cup", "--rules", "pokemon-2017")
    assert shop.json("event", "show")["next"] == ["topcut add NAME"]
    shop("add", "Ada", "Bo", "Cy")
    shop("player", "check-in", "Ada")
    assert shop.json("event", "show")["next"] == ["topcut player check-in", "topcut add NAME"]
    shop("player", "check-in")
    assert shop.json("event", "show")["next"] == ["topcut round pair", "topcut add NAME"]


def test_lots_are_listed_by_number_and_only_for_those_who_have_one(shop: Shop) -> None:
    shop("new", "Cup", "--rules", "fab-gem", "--option", "mode=draft")
    shop("add", *(f"Player {n}" for n in range(1, 17)))
    shop("player", "disqualify", "Player 7", "--reason", "late")
    drawn = shop("event", "draw", "pods").out
    assert "None" not in drawn
    assert "Player 7" not in drawn.partition("----")[2]


def test_without_a_database_nothing_is_made_by_accident(shop: Shop) -> None:
    refused = shop("add", "Ada", code=2)
    assert "there is no such database; `topcut new` creates one" in refused.err
    assert not Path(shop.database).exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["new", "Cup", "--rules", "nonsense"], 'no ruleset "nonsense"'),
        (["new", "", "--rules", "mtr"], "name: expected a name"),
        (["new", "Cup", "--rules", "mtr", "--option", "colour=red"], "expected KEY=VALUE with one of"),
        (["new", "Cup", "--rules", "mtr", "--option", "rounds=many"], "expected a whole number"),
        (["new", "Cup", "--rules", "mtr", "--id", "a b"], "--id: expected up to 80 letters"),
        (["new", "Cup", "--rules", "mtr", "--database", "mysql://x"], "there is no such kind of database"),
    ],
)
def test_a_bad_event_is_one_line(tmp_path: Path, arguments: list[str], says: str) -> None:
    refused = topcut(*arguments, *_in(tmp_path, arguments))
    assert refused.code in (2, 3)
    assert says in refused.err
    assert refused.err.count("\n") == 1


def _in(folder: Path, arguments: list[str]) -> list[str]:
    return [] if "--database" in arguments else ["--database", str(folder / "topcut.db")]


def test_names_come_from_a_file_too_all_of_them_or_none(shop: Shop) -> None:
    shop("new", "Cup", "--rules", "mtr")
    shop("add", "--from", "-", stdin=b"Ada\n\n  Bo  Bell \n")
    assert [p["name"] for p in shop.json("player", "list")["players"]] == ["Ada", "Bo Bell"]
    assert "expected a name" in shop("add", "Cy", "x" * 300, code=2).err
    assert len(shop.json("player", "list")["players"]) == 2
    assert "expected a name, or --from FILE" in shop("add", code=2).err


def test_results_are_typed_in_a_few_signs(shop: Shop) -> None:
    started(shop, "Ada Bo Cy Di Ed Flo Gus Hal")
    tables = shop.json("round", "show")["tables"]
    shop("report", "1", "2-1")
    shop("report", "2", "draw")
    shop("report", "3", "1-1-1")
    assert shop.json("report", "4", tables[3]["players"][1])["missing"] == 0
    now = shop.json("round", "show")["tables"]
    assert now[0]["games"] == [2, 1, 0]
    assert now[1]["winner"] == "draw"
    assert now[2]["games"] == [1, 1, 1]
    assert now[3]["winner"] == tables[3]["players"][1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["9", "2-1"], "Round 1 has no table 9. Enter a table from 1 to 2."),
        (["1", "3-0"], "3-0 isn't possible in best of 3"),
        (["1", "maybe"], '"maybe" is not a result. Enter 2-1, draw, double-loss or the winner\'s name.'),
        (["1", "2-1", "none"], "The word none is only for games with scores. Enter 2-1, draw"),
        (["1"], "expected a table and its result"),
        ([], "expected a table and its result"),
        (["1", "{}"], "expected a result"),
        (["1", '{"games": 3}'], "expected a list"),
    ],
)
def test_a_result_that_cannot_be_is_one_line_and_changes_nothing(
    shop: Shop, arguments: list[str], says: str
) -> None:
    started(shop)
    version = shop.json("event", "show")["version"]
    refused = shop("report", *arguments, code=2)
    assert says in refused.err
    assert refused.err.count("\n") == 1
    assert shop.json("event", "show")["version"] == version


def test_scores_at_larger_tables(shop: Shop) -> None:
    started(shop, "Ada Bo Cy Di Ed Flo", "allegiance-2005")
    shop("report", "1", "30", "12", "8")
    shop("report", "2", "5", "22*", "3x")
    first, second = shop.json("round", "show")["tables"]
    assert first["winners"] == [first["players"][0]]
    assert (second["winners"], second["eliminated"]) == ([second["players"][1]], [second["players"][2]])


def test_one_wrong_result_is_corrected_and_the_choice_is_explained(shop: Shop) -> None:
    started(shop, " ".join(f"P{n}" for n in range(16)), "pokemon-2017")
    shop("report", "--from", "-", stdin=b"".join(b"%d 2-0\n" % n for n in range(1, 9)))
    shop("round", "end")
    shop("round", "pair")
    shop("round", "publish")
    asked = shop("correct", "1", "0-2", "--round", "1", code=2)
    assert "Keep the pairings (leave): No table changes. Pair-downs: 2 (was 0). " in asked.err
    assert "Re-pair as few tables as possible (fewest): 2 tables change. " in asked.err
    assert "Re-pair the whole round (again): All tables are paired again." in asked.err
    shop("correct", "1", "0-2", "--round", "1", "--then", "fewest")
    assert len(shop.json("round", "show")["changed"]) == 2


def test_a_player_is_found_by_the_beginning_of_the_name(shop: Shop) -> None:
    started(shop, "Adam Adele Bo Cy")
    shop("drop", "bo")
    refused = shop("drop", "ad", code=2)
    assert '"ad" fits several players: Adam (p1), Adele (p2).' in refused.err
    assert 'No player is called "Zoe"' in shop("drop", "Zoe", code=2).err
    shop("drop", "p2")


def test_steps_are_taken_back_and_brought_back(shop: Shop) -> None:
    started(shop)
    shop("drop", "Ada")
    looked = shop.json("undo", "--preview")
    assert "Ada is back in the event." in looked["changes"]
    shop("undo")
    assert shop.json("event", "show")["active"] == 4
    shop("redo")
    assert shop.json("event", "show")["active"] == 3
    log = shop.json("log", "--last", "3")["facts"]
    undone, redone = (fact["says"] for fact in log[1:])
    assert " is undone: “" in undone
    assert undone.endswith("Ada drops after round 1.”")
    assert redone == undone.replace("undone", "redone")
    assert {fact["by"] for fact in log} == {"Ada"}
    assert {fact["via"] for fact in log} == {"command line"}


def test_the_log_shows_the_event_as_it_was(shop: Shop) -> None:
    started(shop)
    shop("report", "1", "2-0")
    version = shop.json("event", "show")["version"]
    assert shop.json("log", "--at", str(version - 1))["version"] == version - 1
    then = shop("log", "--at", str(version - 1)).out
    assert f"Cup after fact {version - 1}: round 1" in then
    assert "beats" not in then
    assert "expected a fact from 1 to 10, not 999" in shop("log", "--at", "999", code=2).err


def test_an_event_goes_out_and_comes_in_again_byte_for_byte(shop: Shop, tmp_path: Path) -> None:
    started(shop)
    path = tmp_path / "cup.log"
    shop("export", "-o", str(path))
    other = Shop(tmp_path / "other")
    (tmp_path / "other").mkdir()
    assert (
        json.loads(topcut("import", str(path), "--json", "--database", other.database).out)["event"] == "cup"
    )
    other("export", "-o", str(tmp_path / "again.log"))
    assert (tmp_path / "again.log").read_bytes() == path.read_bytes()
    other("report", "1", "2-0")  # and goes on there
    assert 'there is already an event "cup"' in other("import", str(path), code=2).err
    other("import", str(path), "--id", "copy")


def test_a_public_log_has_no_names_and_can_be_checked(shop: Shop, tmp_path: Path) -> None:
    started(shop)
    for table in ("1", "2"):
        shop("report", table, "2-0")
    shop("round", "end")
    shop("event", "finish", "--reason", "a test")
    path = tmp_path / "public.log"
    shop("export", "--public", "-o", str(path))
    assert b"Cy" not in path.read_bytes()
    checked = topcut("check", str(path))
    assert (checked.code, "everything is in order" in checked.out) == (0, True)
    assert json.loads(topcut("check", str(path), "--json").out)["ok"]


def test_a_log_that_was_changed_is_found_out(shop: Shop, tmp_path: Path) -> None:
    started(shop)
    shop("report", "1", "2-0")
    shop("report", "2", "2-0")
    path = tmp_path / "cup.log"
    shop("export", "-o", str(path))
    path.write_bytes(path.read_bytes().replace(b'"games":[2,0,0]', b'"games":[0,2,0]', 1))
    found = topcut("check", str(path))
    assert found.code == 1
    assert "the chain is broken: fact 11: fact 10 is not the one it was written after" in found.out
    assert not json.loads(topcut("check", str(path), "--json").out)["ok"]
    refused = shop("import", str(path), "--id", "forged", code=2)
    assert refused.err == f"topcut: {path}: fact 11: fact 10 is not the one it was written after\n"


def test_desk_acts_of_a_whole_day(shop: Shop) -> None:
    """Every command says something, for people and for programs."""
    shop("new", "Cup", "--rules", "pokemon-2017", "--first-table", "11")
    shop("add", "Ada", "--born", "1990", "--member", "7", "--apart", "home")
    shop("add", *[f"P{n}" for n in range(8)])
    for arguments in (
        ["player", "check-in"],
        ["player", "check-in", "P3", "--away"],
        ["player", "check-in", "P3"],
        ["player", "edit", "Ada", "--name", "Ada L", "--apart", ""],
        ["player", "fix", "Ada", "30"],
        ["player", "refuse", "Eve", "--reason", "the hall is full"],
        ["player", "remove", "P7"],
        ["player", "seat-all"],
        ["player", "list"],
        ["event", "block", "12"],
        ["event", "block", "12", "--free"],
        ["event", "options", "rounds=4", "third_place=true"],
        ["event", "one-less", "--reason", "the hall closes"],
        ["event", "announce", "--prizes", "all", "--detail", "Lunch after round 2."],
        ["event", "show"],
        ["event", "list"],
        ["round", "pair"],
        ["round", "pair", "--again"],
        ["round", "show"],
        ["round", "swap", "P0", "P1", "--reason", "a test"],
        ["round", "publish"],
        ["round", "begin", "11"],
        ["round", "start", "--minutes", "30"],
        ["round", "pause"],
        ["round", "resume"],
        ["round", "extend", "3", "--table", "11"],
        ["round", "show", "--missing"],
        ["report", "11", "2-0"],
        ["round", "confirm", "11"],
        ["player", "disqualify", "P2", "--reason", "marked cards"],
        ["drop", "P4"],
        ["player", "restore", "P4"],
        ["log"],
        ["event", "show"],
    ):
        if arguments[:2] == ["round", "swap"]:
            tables = shop.json("round", "show")["tables"]
            arguments[2:4] = tables[0]["players"][0], tables[1]["players"][0]
        assert shop(*arguments).out.strip(), arguments
    assert json.loads(shop("event", "show", "--json").out)["round"] == 1


def test_seats_are_drawn_before_the_draft(shop: Shop) -> None:
    shop("new", "Draft", "--rules", "draft-sheet")
    shop("add", *[f"P{n}" for n in range(8)])
    assert sorted(shop.json("event", "draw", "seats")["seats"].values()) == list(range(1, 9))


def test_names_are_purged_only_when_they_may_be(shop: Shop) -> None:
    started(shop, "Ada Bo", "mtr", "--keep", "0")
    shop("report", "1", "2-0")
    shop("round", "end")
    shop("event", "finish", "--reason", "a test")
    shop("event", "reopen")
    assert "The event is not finished" in shop("event", "purge", code=2).err
    shop("event", "finish", "--reason", "a test")
    shop("event", "purge")
    assert [p.get("name") for p in shop.json("player", "list")["players"]] == [None, None]


@proves("MTR-A2")
@pytest.mark.parametrize("drafted", [False, True])
def test_a_qualifier_who_drops_before_the_bracket_is_published_is_replaced(shop: Shop, drafted: bool) -> None:
    """PK-A22, and the same in this ruleset."""
    options = ["--option", "format=swiss+elimination", "--option", "rounds=2", "--option", "cut=2"]
    started(shop, "Ada Bo Cy Di Ed Flo", "mtr", *options)
    for number in (1, 2):
        if number > 1:
            for act in ("pair", "publish", "start"):
                shop("round", act)
        shop("report", "--from", "-", stdin=b"1 2-0\n2 2-1\n3 2-1\n")
        shop("round", "end")
    event = shop("export", "--as", "event").out
    names = {player["id"]: player["name"] for player in json.loads(event)["players"]}
    (cut,) = json.loads(topcut("cut", "-", "--json", stdin=event.encode()).out)["cuts"]
    first, second, third = (names[row["id"]] for row in cut["players"][:3])
    if drafted:
        shop("round", "pair")
    said = shop("drop", first).err
    if not drafted:
        said = shop("round", "pair").err
    assert f"{first} left; {third}, 3rd, takes the place." in said
    (table,) = shop.json("round", "show")["tables"]
    assert {names[player_id] for player_id in table["players"]} == {second, third}
    shop("round", "publish")
