"""Questions without FILE: a running event answers as its exported log does, and as the desk shows it."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.api.server_thread import Served
from tests.cli.event_phases import (
    CASES,
    Running,
    a_draft,
    before_the_bracket,
    ended,
    half_reported,
    in_the_bracket,
    not_begun,
    published,
)
from tests.command_line import Answer, assert_refused, topcut
from tests.printing.pdf_reader import codes, text_of
from topcut.printing.registry import SHEET_BUILDERS

EXAMPLE = Path(__file__).parents[2] / "src" / "topcut" / "examples" / "city-cup.json"
QUESTIONS = {
    "standings": [],
    "cut": [],
    "bracket": [],
    "check": [],
    "print": ["pairings"],
    "site": ["-o", "site"],
    "pair": ["--seed", "x"],
    "convert": ["out.json"],
}


@pytest.fixture
def shop(tmp_path: Path) -> Running:
    return Running(tmp_path, str(tmp_path / "topcut.db"))


@pytest.fixture(params=CASES, ids=[f"{rules}-{moment.__name__}" for moment, rules in CASES])
def event(request: pytest.FixtureRequest, shop: Running) -> Running:
    moment, rules = request.param
    moment(shop, rules)
    return shop


def assert_same(shop: Running, log: str, running: Answer, file: Answer) -> None:
    """Two answers are alike but for what they call the event."""
    assert (running.code, running.out) == (file.code, file.out)
    assert running.err.replace(shop.database, "EVENT") == file.err.replace(log, "EVENT")


def test_a_running_event_answers_as_its_exported_log(event: Running) -> None:
    log, after = event.log, ["--after", str(event.whole)]
    for options in ([], ["--json"], ["--explain", "flo"]):
        answer = topcut("standings", log, *after, *options)
        assert answer.code == 0
        assert_same(event, log, event.ask("standings", *options), answer)
    for command, *more in (
        ["cut"],
        ["bracket"],
        ["bracket", "--size", "4"],
        ["check"],
        ["pair", "--seed", "x"],
    ):
        if command == "bracket" and event.open:
            continue  # a file has to be whole; see below
        for options in ([], ["--json"]):
            answer = topcut(command, log, *more, *options)
            running = event.ask(command, *more, *options)
            if command == "pair" and answer.code == 0:
                *lines, last = running.err.splitlines(keepends=True)
                assert "This is only a trial. `topcut round pair` pairs the round" in last
                running = running._replace(err="".join(lines))
            assert_same(event, log, running, answer)


def test_a_running_event_is_written_as_its_exported_log(event: Running, tmp_path: Path) -> None:
    log = event.log
    for kind in ("event", "log", "players", "standings", "results"):
        answer = topcut("convert", log, "-", "--as", kind)
        assert answer.code == 0
        assert_same(event, log, event.ask("convert", "-", "--as", kind), answer)
    here, there = tmp_path / "here", tmp_path / "there"
    answer = event.ask("site", "-o", str(here), "--json")
    assert (answer.code, answer.out) == (0, topcut("site", log, "-o", str(there), "--json").out)
    files = sorted(path.relative_to(here) for path in here.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(there) for path in there.rglob("*") if path.is_file())
    assert [path for path in files if (here / path).read_bytes() != (there / path).read_bytes()] == []
    standings = json.loads((here / "standings.json").read_bytes())
    assert standings == json.loads(event.ask("standings", "--json").out)


@pytest.mark.parametrize("moment", [a_draft, in_the_bracket])
def test_a_running_event_is_printed_as_its_exported_log(moment: Any, shop: Running, tmp_path: Path) -> None:
    moment(shop, "pokemon-2017")
    log = shop.log
    for kind in SHEET_BUILDERS:
        here, there = (str(tmp_path / name) for name in ("here.pdf", "there.pdf"))
        running, file = shop.ask("print", kind, "-o", here), topcut("print", kind, log, "-o", there)
        assert_same(shop, log, running._replace(err=running.err.replace(here, there)), file)
        assert file.code == 0 or kind in ("sheet", "seats", "pods")
        if file.code == 0:
            assert Path(here).read_bytes() == Path(there).read_bytes()


def test_the_desk_shows_the_same(event: Running) -> None:
    with Served(event.database) as served:
        http = served.http()
        shown = http.get("/events/cup/standings").json()
        brackets = http.get("/events/cup/bracket").json()["brackets"]
    answer = json.loads(event.ask("standings", "--json").out)
    assert {key: shown[key] for key in answer} == answer
    assert answer["after"] == event.whole
    bracket = event.ask("bracket", "--json")
    if bracket.code == 0 and brackets:
        assert brackets == [json.loads(bracket.out)]
    else:
        assert (bracket.code, brackets) == (3, [])


def test_places_by_lot_stay_when_the_next_round_is_posted(shop: Running) -> None:
    ended(shop, "fab-gem")
    before = shop.ask("standings", "--json").out
    assert '"decided_by": "lot"' in before
    for act in ("pair", "publish", "start"):
        shop.acts(act)
        assert shop.ask("standings", "--json").out == before
        assert topcut("standings", shop.log, "--after", "1", "--json").out == before
    shop.report(most=1)
    assert shop.ask("standings", "--json").out == before
    sheet = list(csv.DictReader(shop("export", "--as", "standings").out.removeprefix("\ufeff").splitlines()))
    assert [row["id"] for row in sheet] == [row["id"] for row in json.loads(before)["standings"]]


def test_a_bracket_before_its_time_is_that_of_the_last_whole_round(shop: Running) -> None:
    ended(shop, "pokemon-2017")
    before = shop.ask("bracket")
    assert "This is the bracket as it would be after round 1 of 2." in before.err
    for act in ("pair", "publish", "start"):
        shop.acts(act)
        assert shop.ask("bracket") == before


def test_a_cut_waits_for_the_last_table_and_stays_known(shop: Running) -> None:
    half_reported(shop, "pokemon-2017")
    assert_refused(shop.ask("cut"), f"{shop.database}: rounds: not reported yet: round 2 table 2")
    shop.report()
    cuts = json.loads(shop.ask("cut", "--json").out)["cuts"]
    shop.acts("end", "pair", "publish", "start")
    shop.report(most=1)
    assert json.loads(shop.ask("cut", "--json").out)["cuts"] == cuts


def test_rounds_that_are_not_whole_are_named(shop: Running) -> None:
    half_reported(shop, "mtr")
    assert_refused(
        shop.ask("standings", "--after", "2"), f"{shop.database}: rounds: not reported yet: round 2"
    )
    assert_refused(shop.ask("standings", "--after", "3"), "--after: there is no round 3: expected 0 to 2")


def test_a_draft_is_on_paper_and_nowhere_else(shop: Running, tmp_path: Path) -> None:
    """As `topcut export --as event` and the desk's sheets have it."""
    a_draft(shop, "mtr")
    assert_refused(shop.ask("standings", "--after", "2"), "there is no round 2: expected 0 to 1")
    assert shop.ask("site", "-o", str(tmp_path / "site")).code == 0
    assert not (tmp_path / "site" / "rounds" / "2.html").exists()
    assert shop.ask("print", "slips", "-o", str(tmp_path / "slips.pdf")).code == 0
    assert "Round 2" in text_of((tmp_path / "slips.pdf").read_bytes())


# Pairing: nothing tells what the secret will draw


def test_a_running_event_is_paired_by_round_pair_alone(shop: Running) -> None:
    ended(shop, "mtr")
    version = shop.json("event", "show")["version"]
    for more in ([], ["--json"], ["--draws", "10"]):
        refused = shop.ask("pair", *more)
        assert_refused(refused, "`topcut round pair` pairs the running event", "--seed TEXT")
    assert shop.ask("pair", "--seed", "x").code == 0
    assert json.loads(shop.ask("pair", "--seed", "x", "--draws", "10", "--json").out)["draws"] == 10
    assert shop.json("event", "show")["version"] == version


def test_what_a_given_seed_draws_depends_on_no_secret(tmp_path: Path) -> None:
    """Two events that differ in nothing but their secrets answer alike, and draw different rounds."""
    answers, drawn = set(), set()
    for name in ("one", "two", "three", "four"):
        (tmp_path / name).mkdir()
        shop = Running(tmp_path / name, str(tmp_path / name / "topcut.db"))
        not_begun(shop, "mtr")
        answers.add(shop.ask("pair", "--seed", "x", "--json").out)
        shop.acts("pair")
        answers.add(shop.ask("pair", "--seed", "x", "--json").out)
        tables = shop.json("round", "show")["tables"]
        drawn.add(str([table["players"] for table in tables]))
    assert len(answers) == 1
    assert len(drawn) > 1


# Which event


@pytest.mark.parametrize("command", QUESTIONS)
def test_the_event_is_chosen_as_everywhere(
    command: str, shop: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop.folder)
    options = QUESTIONS[command]
    assert_refused(
        topcut(command, *options), "topcut.db: there is no such database; `topcut new` creates one"
    )
    shop("new", "Cup", "--rules", "mtr")
    shop("new", "Other", "--rules", "mtr")
    assert_refused(
        topcut(command, *options), "topcut.db: there are 2 events in it: choose one with --event (other, cup)"
    )
    assert_refused(topcut(command, *options, "--event", "third"), 'there is no event "third"')
    assert_refused(topcut(command, *options, "--database", "no.db"), "no.db: there is no such database")


@pytest.mark.parametrize("command", QUESTIONS)
@pytest.mark.parametrize("option", [["--event", "cup"], ["--database", "topcut.db"]])
def test_a_file_and_a_running_event_are_two_things(
    command: str, option: list[str], shop: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop.folder)
    ended(shop, "mtr")
    first, others = QUESTIONS[command][:1], QUESTIONS[command][1:]
    words = [*first, str(EXAMPLE)] if command == "print" else [str(EXAMPLE), *first, *others]
    refused = topcut(command, *words, *option)
    assert_refused(refused, "--database and --event are for a running event: leave them out, or the file")
    monkeypatch.setenv("TOPCUT_DATABASE", "elsewhere.db")  # which is no reason to refuse a file
    assert topcut(command, *words).code == 0


def test_the_database_in_this_folder_is_meant_without_a_word(
    shop: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_the_bracket(shop, "pokemon-2017")
    monkeypatch.chdir(shop.folder)
    for command, options in QUESTIONS.items():
        assert topcut(command, *options).code == 0, command
    names = {path.name for path in shop.folder.iterdir()}
    assert {"pairings.pdf", "site", "out.json"} <= names
    monkeypatch.setenv("TOPCUT_DATABASE", "no.db")
    assert_refused(topcut("standings"), "no.db: there is no such database")


@pytest.mark.parametrize("command", [name for name in QUESTIONS if name not in ("print", "site", "convert")])
def test_a_database_in_the_place_of_a_file(command: str, shop: Running) -> None:
    ended(shop, "mtr")
    refused = topcut(command, shop.database)
    assert_refused(refused, f"{shop.database}: this is a database: use --database instead of FILE")
    with open(shop.database, "ab") as file:
        file.truncate(65 * 2**20)  # larger than any event file may be
    assert_refused(topcut(command, shop.database), "this is a database: use --database instead")


def test_an_event_comes_out_of_a_database_as_a_file(shop: Running) -> None:
    """What a database given to `topcut import` is told to do works."""
    ended(shop, "mtr")
    refused = topcut("import", shop.database, "--database", str(shop.folder / "other.db"))
    assert_refused(refused, "export the event with `topcut export --database FILE -o event.log`")
    log = str(shop.folder / "event.log")
    assert topcut("export", "--database", shop.database, "-o", log).code == 0
    assert topcut("import", log, "--database", str(shop.folder / "other.db")).code == 0


def test_on_postgresql_too(postgres: str, tmp_path: Path) -> None:
    shop = Running(tmp_path, postgres)
    half_reported(shop, "pokemon-2017")
    log = shop.log
    assert_same(shop, log, shop.ask("standings"), topcut("standings", log, "--after", "1"))
    assert_same(shop, log, shop.ask("check", "--json"), topcut("check", log, "--json"))
    refused = shop.ask("cut")
    assert_refused(refused, "not reported yet: round 2 table 2")
    assert "@" not in refused.err


# Who, what and where to


def test_players_are_found_by_the_same_words_everywhere(shop: Running, tmp_path: Path) -> None:
    shop("new", "Cup", "--rules", "mtr")
    shop("add", "Bruno Keller", "Ada Okafor", "Adam Brunner", "ADA OKAFOR")
    shop("add", "Xanthippe Quackenbush", "--display", "Zed")
    said = {
        "Bruno": "p1",
        "Bru": "p1",
        "kell": "p1",
        "Brunner": "p3",
        "ADA OKAFOR": "p4",
        "quack": "p5",
        "zed": "p5",
    }
    names = {player["id"]: player["name"] for player in shop.json("player", "list")["players"]}
    file, log = str(tmp_path / "cup.json"), shop.log
    shop("export", "--as", "event", "-o", file)
    for words, player_id in said.items():
        assert shop.json("player", "data", words)["player"] == player_id
        for answer in (
            shop.ask("standings", "--explain", words),
            topcut("standings", log, "--explain", words),
        ):
            assert answer.out.startswith(f"{names[player_id]}: rank ")
        path = tmp_path / "card.pdf"
        assert shop.ask("print", "card", "--player", words, "-o", str(path)).code == 0
        assert names[player_id] in text_of(path.read_bytes())
    assert topcut("standings", file, "--explain", "kell").out.startswith("Bruno Keller: rank ")
    refused = shop("drop", "ad", code=2).err.removeprefix("topcut: ").rstrip()
    assert "fits several players: Ada Okafor (p2), Adam Brunner (p3), ADA OKAFOR (p4)" in refused
    assert_refused(shop.ask("standings", "--explain", "ad"), f"{shop.database}: --explain: {refused}")


def test_a_log_that_was_changed_in_its_database_is_found_out(shop: Running) -> None:
    ended(shop, "mtr")
    with closing(sqlite3.connect(shop.database)) as database, database:
        ((line,),) = database.execute("SELECT fact FROM fact WHERE position = 3")
        database.execute("UPDATE fact SET fact = ? WHERE position = 3", (line.replace(b'"p2"', b'"p9"'),))
    answer = shop.ask("check")
    assert (answer.code, "the chain is broken: fact 4" in answer.out) == (1, True)
    assert json.loads(shop.ask("check", "--json").out)["ok"] is False
    assert_refused(
        shop.ask("standings"), f"{shop.database}: fact 4: ", "`topcut check` shows everything that is wrong"
    )


def test_a_log_has_its_rules_with_it(shop: Running) -> None:
    ended(shop, "pokemon-2017")
    for answer in (
        shop.ask("check", "--reading", "PK-A3=b"),
        topcut("check", shop.log, "--reading", "PK-A3=b"),
    ):
        assert_refused(answer, "--reading has no effect on a log, which contains its own rules: leave it out")


def test_slips_carry_the_codes_that_the_desk_prints(shop: Running, tmp_path: Path) -> None:
    published(shop, "mtr")
    path = tmp_path / "slips.pdf"
    assert shop.ask("print", "slips", "-o", str(path)).code == 0
    assert codes(path.read_bytes(), 0) == []
    with Served(shop.database) as served:
        address = served.address
        assert shop.ask("print", "slips", "-o", str(path), "--address", f"{address}/").code == 0
        printed = {text for text, _, _ in codes(path.read_bytes(), 0)}
        pdf = served.http(served.token("organiser", "cup")).get("/events/cup/print/slips").content
        assert printed == {text for text, _, _ in codes(pdf, 0)}
        assert len(printed) == 4
    for arguments, says in (
        (
            ["slips", str(EXAMPLE), "--address", "https://desk.example"],
            "--address is for slips of a running event",
        ),
        (
            ["slips", "--address", "desk.example"],
            'expected an address such as https://desk.example, not "desk',
        ),
        (
            ["pairings", "--address", "https://desk.example"],
            "pairings: --address has no effect here; leave it out",
        ),
    ):
        assert_refused(topcut("print", *arguments), says)


def test_one_file_that_is_there_is_not_written_over(shop: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ended(shop, "mtr")
    monkeypatch.chdir(shop.folder)
    file = shop.folder / "cup.json"
    file.write_bytes(EXAMPLE.read_bytes())
    assert_refused(
        topcut("convert", "cup.json"), "cup.json: exists already: expected IN and OUT, or --event ID"
    )
    assert file.read_bytes() == EXAMPLE.read_bytes()
    assert topcut("convert", "cup.json", "--event", "cup").code == 0
    assert json.loads(file.read_bytes())["name"] == "Cup"
    assert_refused(topcut("convert"), "expected IN and OUT, or OUT alone for the running event, not 0")
    assert_refused(topcut("convert", "a", "b", "c.json"), "not 3")
    assert_refused(topcut("convert", "new.json", "--rules", "mtr"), "--rules is for a list (CSV)")


def test_a_bracket_without_players_is_asked_for_too_early(shop: Running) -> None:
    assert topcut("new", "Cup", "--rules", "pokemon-2017", "--database", str(shop.database)).code == 0
    answer = topcut("bracket", "--database", str(shop.database))
    assert (answer.code, answer.err) == (3, "topcut: there are no players yet: add players first\n")
