"""A site of every kind of event: whole, true to what the commands answer, and always the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import played
from tests.command_line import topcut, write
from tests.site.example_events import ALL, example, unfinished
from tests.site.page_reader import Reader, broken, pages_of
from topcut.formats.event_file import decode_event_file
from topcut.site.pages import MARK, build_site


@pytest.mark.parametrize("name", ALL)
def test_every_link_leads_to_a_file_of_the_site(name: str) -> None:
    files = build_site(ALL[name]())
    assert list(broken(files)) == []
    index = json.loads(files["index.json"])
    assert index[MARK] == 1
    assert index["files"] == sorted(files)
    named = [index["json"][kind] for kind in ("event", "standings", "players", "bracket")]
    assert {*filter(None, named), *index["json"]["rounds"], "index.json"} == {
        f for f in files if f.endswith("json")
    }


@pytest.mark.parametrize("name", ALL)
def test_every_page_is_reached_from_the_first(name: str) -> None:
    """Only its own addresses, relative ones, and each page names its JSON."""
    event = ALL[name]()
    files = build_site(event)
    for path, page in pages_of(files).items():
        assert not [address for address in page.addresses if ":" in address or address.startswith("/")], path
        assert any(address.endswith(".json") for address in page.addresses), path
        assert len(page.ids) == len(set(page.ids)), path
        assert page.tags.count("h1") == 1, path
    assert sum(path.startswith("players/") for path in files) == len(event.file.players)


@pytest.mark.parametrize("name", ALL)
def test_the_event_file_gives_the_same_standings_and_brackets(name: str, tmp_path: Path) -> None:
    """From the site's own event file, and from the one it was made of."""
    event = ALL[name]()
    files = build_site(event)
    own = tmp_path / "event.json"
    own.write_bytes(files["event.json"])
    whole = json.loads(files["index.json"])["after"]
    for source in (own, write(event, tmp_path / "source.json")):
        answer = topcut("standings", str(source), "--after", str(whole), "--json")
        assert answer.out.encode() == files["standings.json"]
        if "bracket.json" in files and name != "unfinished":
            answer = topcut("bracket", str(source), "--json")
            assert answer.out.encode() == files["bracket.json"]


@pytest.mark.parametrize("name", ALL)
def test_the_same_event_gives_the_same_bytes(name: str) -> None:
    assert build_site(ALL[name]()) == build_site(ALL[name]())


@pytest.mark.parametrize("name", ALL)
def test_rounds_for_programs_are_those_of_the_event_file(name: str) -> None:
    files = build_site(ALL[name]())
    rounds = json.loads(files["event.json"]).get("rounds", [])
    for number, a_round in enumerate(rounds, start=1):
        found = json.loads(files[f"rounds/{number}.json"])
        assert found["round"] == number
        assert found["tables"] == a_round["tables"]
        open_tables = [t for t in a_round["tables"] if t.keys() <= {"players", "table"}]
        assert found["reported"] == (not open_tables)
    assert f"rounds/{len(rounds) + 1}.json" not in files


def test_a_round_that_is_played_says_so_and_standings_wait_for_it() -> None:
    files = build_site(unfinished())
    assert "playing" in Reader(files["rounds/2.html"]).text
    assert "Standings after round 1" in Reader(files["standings.html"]).text
    assert "Round 2 is being played" in Reader(files["index.html"]).text
    assert "playing" in Reader(files["players/b.html"]).text  # B
    assert json.loads(files["standings.json"])["after"] == 1


def test_the_first_page_names_the_winner_once_everything_is_played() -> None:
    assert "Winner Sami Korhonen" in Reader(build_site(example("city-cup-final"))["index.html"]).text
    assert "Winner Farah Aziz" in Reader(build_site(example("league-night"))["index.html"]).text
    assert "Winner" not in Reader(build_site(example("city-cup"))["index.html"]).text
    two = Reader(build_site(ALL["two-brackets"]())["index.html"]).text
    assert "Winner, senior" in two
    assert "Winner, masters" in two


@pytest.mark.parametrize(
    "options", [{"divisions": "separate"}, {"pools": [["junior"], ["senior"], ["masters"]]}]
)
def test_divisions_that_play_apart_have_a_winner_each(options: dict[str, Any]) -> None:
    """However somebody chose that: the rules would have so few of them play together."""
    event = played(
        "pokemon-2017",
        "A beats B, C beats D, E beats F",
        options={"rounds": 1, **options},
        division={"A": "masters", "B": "masters", "C": "senior", "D": "senior", "E": "junior", "F": "junior"},
        flight=dict.fromkeys("ABCDEF", 1),
    )
    files = build_site(event)
    first = Reader(files["index.html"]).text
    assert [f"Winner, {who}" in first for who in ("masters A", "senior C", "junior E")] == [True] * 3
    assert {f"standings-{name}-flight-1.html" for name in ("masters", "senior", "junior")} <= set(files)


def test_a_player_sees_every_round_and_how_each_value_comes_about() -> None:
    page = Reader(build_site(example("league-night"))["players/p2.html"]).text
    for line in topcut(
        "standings",
        str(Path(__file__).parents[2] / "src/topcut/examples/league-night.json"),
        "--explain",
        "p2",
    ).out.splitlines():
        if "=" in line:
            assert " ".join(line.split()) in page


def test_a_table_that_nobody_won_is_told_so_to_its_players() -> None:  # AL-9
    round_two = "a:24* e:10 c:2, d:24* b:10 f:2"
    files = build_site(played("allegiance-2005", "a:24 b:10 c:23, d:24* e:10 f:3", round_two))
    assert "nobody won" in files["rounds/1.html"].decode()
    assert "<strong>nobody won</strong>" in files["players/a.html"].decode()
    assert "nobody won" not in files["players/d.html"].decode()
    assert 'title="nobody won">D</abbr>' in files["rounds/all.html"].decode()
    assert "drew (or nobody won)" in files["rounds/all.html"].decode()
    assert "nobody won" not in build_site(unfinished())["rounds/all.html"].decode()


def test_what_lies_below_the_line_of_the_cut_is_seen() -> None:
    page = build_site(example("city-cup"))["standings.html"].decode()
    assert page.count('class=" cut"') == 1


def test_divisions_and_flights_have_pages_of_their_own() -> None:
    files = build_site(ALL["divided"]())
    assert {"standings-masters.html", "standings-senior.html", "standings-junior.html"} <= set(files)
    assert "C" in Reader(files["standings-senior.html"]).text
    assert "players/a.html" not in Reader(files["standings-senior.html"]).addresses
    flights = build_site(ALL["flights"]())
    assert {"standings-flight-1.html", "standings-flight-2.html"} <= set(flights)
    assert "players/d.html" in Reader(flights["standings-flight-2.html"]).addresses


def test_all_rounds_stand_on_one_page_of_a_small_event() -> None:
    assert "rounds/all.html" in build_site(example("city-cup-final"))
    tables = ", ".join(f"p{i} beats q{i}" for i in range(33))
    assert "rounds/all.html" not in build_site(played("mtr", tables, tables))


def test_a_moment_stands_on_the_pages_only_if_one_is_given() -> None:
    files = build_site(example("autumn-cup"), at="Sat <14:05>")
    assert "as of Sat &lt;14:05&gt;" in files["standings.html"].decode()
    assert json.loads(files["index.json"])["at"] == "Sat <14:05>"
    assert "as of" not in build_site(example("autumn-cup"))["standings.html"].decode()


def test_the_path_of_a_book_is_nobodys_business(tmp_path: Path) -> None:
    event = example("autumn-cup")
    (tmp_path / "rules of mine").mkdir()
    book = (Path(__file__).parents[2] / "src/topcut/examples/house.toml").read_text()
    (tmp_path / "rules of mine" / "house.toml").write_text(book)
    plain = json.loads(build_site(event)["event.json"]) | {"rules": "rules of mine/house.toml"}
    answer = topcut("site", str(write(plain, tmp_path / "cup.json")), "-o", str(tmp_path / "site"))
    assert answer.code == 0, answer
    assert decode_event_file((tmp_path / "site" / "event.json").read_bytes()).rules == "house.toml"
