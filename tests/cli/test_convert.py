"""From one format into another: found by content, losses said first, and all or nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.builders import played
from tests.cli.shop import Shop, started
from tests.command_line import Answer, assert_refused, topcut, write
from topcut.formats.registry import FORMATS, FormatName

CUP = played(
    "pokemon-tom",
    "900 beats 901, 902 ties 903, 904 bye",
    "900 - 902, 904 - 901, 903 bye",
    member={player_id: player_id for player_id in ("900", "901", "902", "903", "904")},
    born=dict.fromkeys(("900", "901", "902", "903", "904"), 1990),
    options={"rounds": 3, "format": "swiss"},
)
PATHS = {kind: f"out{file_format.suffix}" for kind, file_format in FORMATS.items()}


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    return write(CUP, tmp_path / "a file of whatever name.bin")


def convert(source: Path, target: Path, *options: str) -> Answer:
    answer = topcut("convert", str(source), str(target), *options)
    assert answer.code == 0, answer
    return answer


def exact(path: Path) -> dict[str, list[str]]:
    """Points and tiebreaks after the first round, without the lot: that goes by ids."""
    rows = json.loads(topcut("standings", str(path), "--after", "1", "--json").out)["standings"]
    return {row["name"]: [row["points"], *(t["value"] for t in row["tiebreaks"][:3])] for row in rows}


def test_what_a_file_is_shows_in_it_and_not_in_its_name(cup: Path, tmp_path: Path) -> None:
    for kind in FORMATS:
        there = tmp_path / "x.json"
        convert(cup, there, "--as", kind, "--round", "1")
        again = convert(there, tmp_path / "again", "--as", "event", "--rules", "pokemon-tom", "--json")
        assert json.loads(again.out)["from"] == kind
        there.unlink()


@pytest.mark.parametrize("kind", ["event", "log", "tdf"])
def test_what_comes_back_is_the_same_event(cup: Path, tmp_path: Path, kind: FormatName) -> None:
    convert(cup, tmp_path / PATHS[kind], "--as", kind)
    back = tmp_path / "back.json"
    convert(tmp_path / PATHS[kind], back)
    assert exact(cup) == exact(back)
    pair = topcut("pair", str(back))
    assert_refused(pair, "not reported yet: round 2")


def test_the_end_of_a_name_says_what_is_written(cup: Path, tmp_path: Path) -> None:
    named = {
        "a.json": "event",
        "a.LOG": "log",
        "a.tdf": "tdf",
        "the Players.csv": "players",
        "a.csv": "results",
    }
    for name, kind in named.items():
        answer = convert(cup, tmp_path / name, "--json")
        assert json.loads(answer.out)["to"] == kind
    assert_refused(
        topcut("convert", str(cup), str(tmp_path / "a.xlsx")), "choose one with --as (log, event, tdf"
    )


def test_what_would_be_lost_is_said_before_anything_is_written(cup: Path, tmp_path: Path) -> None:
    there = tmp_path / "standings.csv"
    looked = convert(cup, there, "--check", "--round", "1")
    assert "topcut: warning: lost: Rounds and results." in looked.err
    assert not there.exists()
    refused = topcut("convert", str(cup), str(there), "--strict", "--round", "1")
    assert refused.code == 2
    assert "would be lost" in refused.err
    assert not there.exists()
    answer = json.loads(convert(cup, there, "--json", "--round", "1").out)
    assert answer["written"] == str(there)
    assert f"{len(answer['losses'])} things would be lost" in refused.err
    assert json.loads(convert(cup, tmp_path / "same.json", "--json", "--strict").out)["losses"] == []


def test_an_event_becomes_pages_for_the_web(cup: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    answer = convert(cup, folder, "--as", "site")
    assert "lost: Membership numbers, birth years" in answer.err
    assert (folder / "index.html").exists()
    again = convert(folder / "event.json", tmp_path / "again.json", "--json")
    assert json.loads(again.out)["from"] == "event"
    refused = topcut("convert", str(cup), f"{tmp_path}/")
    assert refused.code == 2
    assert "was not made by `topcut site`: choose a new folder" in refused.err


def test_a_tdf_is_written_back_onto_the_file_it_came_from(cup: Path, tmp_path: Path) -> None:
    first = tmp_path / "cup.tdf"
    convert(cup, first)
    first.write_text(first.read_text("utf-8").replace("<city>", "<mood>fine</mood><city>"), "utf-8")
    convert(first, tmp_path / "cup.json")
    plain = json.loads((tmp_path / "cup.json").read_bytes())
    plain["rounds"][1]["tables"][0]["winner"] = "900"
    write(plain, tmp_path / "cup.json")
    convert(tmp_path / "cup.json", tmp_path / "new.tdf")
    assert "<mood>" not in (tmp_path / "new.tdf").read_text("utf-8")
    convert(tmp_path / "cup.json", tmp_path / "onto.tdf", "--onto", str(first))
    onto = (tmp_path / "onto.tdf").read_text("utf-8")
    assert "<mood>fine</mood>" in onto
    assert onto.count('outcome="1"') == first.read_text("utf-8").count('outcome="1"') + 1
    stranger = tmp_path / "other.tdf"
    convert(write(played("pokemon-tom", "1 beats 2"), tmp_path / "other.json"), stranger)
    for name, other, problem in (
        ("b.tdf", stranger, "none of this event's players"),
        ("b.tdf", cup, str(cup)),
        ("b.log", first, "--onto is for"),
    ):
        assert_refused(topcut("convert", str(cup), str(tmp_path / name), "--onto", str(other)), problem)


def test_public_files_have_no_numbers_and_no_years(cup: Path, tmp_path: Path) -> None:
    convert(cup, tmp_path / "cup.tdf")
    kinds: tuple[FormatName, ...] = ("event", "players", "pairings", "results")
    for kind in kinds:
        convert(tmp_path / "cup.tdf", tmp_path / PATHS[kind], "--as", kind, "--public")
        told = (tmp_path / PATHS[kind]).read_text("utf-8")
        assert "1990" not in told
        assert not re.search(r"\b90[0-4]\b", told), kind
    refused = topcut("convert", str(cup), str(tmp_path / "x.tdf"), "--public")
    assert "so it can't be public: choose another format" in refused.err


def test_a_list_needs_its_rules(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("Round;Table;Player 1;Player 2;Result\n1;1;Ada;Bo;2-1\n", "utf-8")
    assert_refused(
        topcut("convert", str(path), str(tmp_path / "x.json")), str(path), "rules: this is a list of"
    )
    assert_refused(topcut("standings", str(path)), "`topcut convert --rules` makes an event file of it")
    convert(path, tmp_path / "x.json", "--rules", "mtr", "--name", "Duel")
    assert json.loads((tmp_path / "x.json").read_bytes())["name"] == "Duel"


def test_nothing_is_written_where_something_is_wrong(cup: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.json"
    there.write_text("what was here", "utf-8")
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(cup.read_bytes().replace(b'"901"', b'"999"', 1))
    assert_refused(topcut("convert", str(wrong), str(there)), str(wrong), "rounds[0].tables[0].players[1]")
    assert there.read_text("utf-8") == "what was here"
    tables = write(played("allegiance-2005", "a:20* b:7 c:9"), tmp_path / "tables.json")
    assert_refused(topcut("convert", str(tables), str(tmp_path / "t.tdf")), "tables of three or four")
    assert not (tmp_path / "t.tdf").exists()


def test_a_file_can_be_written_over_itself_and_is_never_half(cup: Path, tmp_path: Path) -> None:
    convert(cup, cup, "--as", "event")
    assert exact(cup)
    cup.chmod(0o640)
    convert(cup, cup, "--as", "event")
    assert cup.stat().st_mode & 0o777 == 0o600  # names are in it
    link = tmp_path / "link.json"
    link.symlink_to(cup)
    convert(cup, link)
    assert link.is_symlink()
    assert_refused(topcut("convert", str(cup), str(tmp_path / "no" / "x.json")), "cannot write this file")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


# Into a database, and out again


def test_a_half_played_file_goes_on_in_a_database(cup: Path, tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    assert (
        "Imported An event: event an-event, 5 players, round 2 published, 2 tables open"
        in shop("import", str(cup)).out
    )
    shop("round", "start")
    shop("report", "1", "1-0")
    shop("report", "2", "0-1")
    shop("round", "end")
    shop("round", "pair")
    shop("round", "publish")
    file = json.loads(shop("export", "--as", "event").out)
    assert len(file["rounds"]) == 3
    assert {player["id"] for player in file["players"]} == {"p1", "p2", "p3", "p4", "p5"}
    assert {player["member"] for player in file["players"]} == {"900", "901", "902", "903", "904"}
    log = tmp_path / "cup.log"
    shop("export", "-o", str(log))
    assert topcut("check", str(log)).code == 0, topcut("check", str(log))


def test_a_file_that_came_in_goes_out_as_it_was(cup: Path, tmp_path: Path) -> None:
    convert(cup, tmp_path / "cup.tdf")
    odd = (tmp_path / "cup.tdf").read_text("utf-8").replace("<city>", "<mood>fine</mood><city>")
    (tmp_path / "cup.tdf").write_text(odd, "utf-8")
    shop = Shop(tmp_path)
    shop("import", str(tmp_path / "cup.tdf"))
    assert shop("export", "--as", "tdf").out == odd
    shop("round", "start")
    shop("report", "1", "1-0")
    now = shop("export", "--as", "tdf").out
    different = [(a, b) for a, b in zip(odd.splitlines(), now.splitlines(), strict=True) if a != b]
    assert different[0][1].strip() == '<match outcome="1">'
    assert all("outcome" in a or "timestamp" in a or "stage" in a for a, _ in different)
    assert len(different) <= 3


def test_people_have_the_names_they_sign_in_with_in_a_file_of_the_series(cup: Path, tmp_path: Path) -> None:
    convert(cup, tmp_path / "cup.tdf")
    shop = Shop(tmp_path)
    shop("import", str(tmp_path / "cup.tdf"))
    before = shop("export", "--as", "tdf").out
    shop("player", "edit", "p1", "--display", "Zed")
    assert shop("export", "--as", "tdf").out == before
    assert '"Zed"' in shop("export", "--as", "event").out


def test_what_was_purged_is_not_in_any_file(cup: Path, tmp_path: Path) -> None:
    convert(cup, tmp_path / "cup.tdf")
    shop = Shop(tmp_path)
    shop("import", str(tmp_path / "cup.tdf"))
    shop("event", "finish", "--reason", "rain", code=2)
    shop("round", "start")
    shop("report", "1", "1-0")
    shop("report", "2", "1-0")
    shop("round", "end")
    shop("event", "finish", "--reason", "rain")
    players = json.loads(shop("export", "--as", "event").out)["players"]
    gone = next(player["id"] for player in players if player["member"] == "900")
    shop("player", "forget", gone, "--yes")
    out = shop("export").out
    assert '\\"member\\":\\"900\\"' not in out
    assert '\\"member\\":\\"901\\"' in out
    assert "<tournament" not in out


def test_every_format_comes_out_of_a_database(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    started(shop)
    for kind, file_format in FORMATS.items():
        shop("export", "--as", kind, "-o", str(tmp_path / f"out-{kind}{file_format.suffix}"))
    assert "not reported yet" in shop("export", "--as", "standings", "--round", "1", code=2).err
    assert (tmp_path / "out-players.csv").read_bytes().startswith(b"\xef\xbb\xbfid,name")


def test_a_log_says_which_ids_seeds_and_numbers_it_does_not_take_over(tmp_path: Path) -> None:
    seated = [{"table": 7, "players": ["a b", "C"], "winner": "C"}, {"table": 7, "players": ["D", "E"]}]
    plain = {
        "topcut": 1,
        "name": "Cup",
        "rules": "mtr",
        "players": [{"id": player_id} for player_id in ("a b", "C", "D", "E")],
        "rounds": [{"seed": "x", "tables": seated}],
    }
    path = write(plain, tmp_path / "cup.json")
    answer = json.loads(convert(path, tmp_path / "cup.log", "--json").out)
    assert [loss.split()[0] for loss in answer["losses"]] == ["Table", "The", "Seeds"]
    fine = write(played("mtr", "A 2-0 B"), tmp_path / "fine.json")
    convert(fine, tmp_path / "fine.log", "--strict")


def test_a_file_that_went_with_somebody_is_missed_aloud(cup: Path, tmp_path: Path) -> None:
    convert(cup, tmp_path / "cup.tdf")
    shop = Shop(tmp_path)
    shop("import", str(tmp_path / "cup.tdf"))
    assert shop("export", "--as", "tdf").err == ""
    shop("round", "start")
    for table in ("1", "2"):
        shop("report", table, "1-0")
    shop("round", "end")
    shop("event", "finish", "--reason", "rain")
    assert b"<tournament" in (tmp_path / "topcut.db").read_bytes()
    told = shop("player", "forget", "p1", "--yes").out
    assert "The imported file of this event is deleted too." in told
    assert "What only the original file had" in shop("export", "--as", "tdf").err
    assert "<tournament" not in shop("export").out
    assert b"<tournament" not in (tmp_path / "topcut.db").read_bytes()


def test_whoever_has_no_name_is_not_called_by_a_number(tmp_path: Path) -> None:
    plain = {
        "topcut": 1,
        "name": "Cup",
        "rules": "pokemon-tom",
        "players": [{"id": "4711", "member": "4711"}, {"id": "4712", "member": "4712", "name": "Bo"}],
        "rounds": [],
    }
    convert(write(plain, tmp_path / "cup.json"), tmp_path / "cup.tdf")
    nameless = (tmp_path / "cup.tdf").read_text("utf-8").replace(">4711</", "></")
    (tmp_path / "cup.tdf").write_text(nameless, "utf-8")
    shop = Shop(tmp_path)
    shop("import", str(tmp_path / "cup.tdf"))
    assert "4711" not in shop("player", "list").out
    assert shop("export", "--as", "tdf").out == (tmp_path / "cup.tdf").read_text("utf-8")


def test_numbers_in_lists_are_no_ids_here(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("Round,Player 1,ID 1,Player 2,ID 2,Result\n1,Ada,90001,Bo,90002,2-1\n", "utf-8")
    shop = Shop(tmp_path)
    shop("import", str(path), "--rules", "mtr")
    assert "90001" not in shop("player", "list").out
    found = json.loads(shop("export", "--as", "event").out)["players"]
    assert sorted(p["id"] for p in found) == ["p1", "p2"]
    assert {p["name"]: p["member"] for p in found} == {"Ada": "90001", "Bo": "90002"}


def test_places_that_a_lot_decides_are_those_of_the_desk(cup: Path, tmp_path: Path) -> None:
    convert(cup, tmp_path / "cup.tdf")
    shop = Shop(tmp_path)
    shop("import", str(tmp_path / "cup.tdf"))
    shop("round", "start")
    for number in (2, 3):
        for table in ("1", "2"):
            shop("report", table, "draw")
        shop("round", "end")
        if number == 2:
            for step in ("pair", "publish", "start"):
                shop("round", step)
    shop("event", "finish")
    event = tmp_path / "now.json"
    shop("export", "--as", "event", "-o", str(event))
    members = {player["id"]: player["member"] for player in json.loads(event.read_bytes())["players"]}
    rows = json.loads(topcut("standings", str(event), "--json").out)["standings"]
    told = re.findall(r'<player id="(\d+)" place="\d+"', shop("export", "--as", "tdf").out)
    assert told == [members[row["id"]] for row in rows]


def test_somebody_without_a_number_goes_out_and_in_and_out_again(cup: Path, tmp_path: Path) -> None:
    convert(cup, tmp_path / "cup.tdf")
    shop = Shop(tmp_path)
    shop("import", str(tmp_path / "cup.tdf"))
    shop("add", "Late One", "--born", "1990", "--then", "leave")
    (tmp_path / "out.tdf").write_text(shop("export", "--as", "tdf").out, "utf-8")
    shop("import", str(tmp_path / "out.tdf"), "--id", "again")
    assert "Late" in shop("export", "--as", "tdf", "--event", "again").out


def test_spaces_in_names_change_nothing_in_a_file(cup: Path, tmp_path: Path) -> None:
    convert(cup, tmp_path / "cup.tdf")
    spaced = (tmp_path / "cup.tdf").read_text("utf-8").replace("<lastname>901<", "<lastname>de  Vries<")
    (tmp_path / "cup.tdf").write_text(spaced, "utf-8")
    shop = Shop(tmp_path)
    shop("import", str(tmp_path / "cup.tdf"))
    assert shop("export", "--as", "tdf").out == spaced


def test_a_table_for_third_place_comes_back_in_a_list(tmp_path: Path) -> None:
    final = Path(__file__).parents[2] / "src" / "topcut" / "examples" / "city-cup-final.json"
    convert(final, tmp_path / "results.csv")
    convert(tmp_path / "results.csv", tmp_path / "back.json", "--rules", "pokemon-2017")
    old, new = (json.loads(topcut("bracket", str(p), "--json").out) for p in (final, tmp_path / "back.json"))
    assert old["places"] == new["places"]


def test_a_note_on_reading_a_list_is_no_loss(tmp_path: Path) -> None:
    path = tmp_path / "players.csv"
    path.write_text("Name;Born\nAda;3.4.2001\nBo;7.8.2002\n")
    answer = convert(path, tmp_path / "event.json", "--rules", "mtr")
    assert "topcut: warning: Only the year of birth dates is used." in answer.err
    assert "lost:" not in answer.err
