"""What a bracket looks like: in 100 columns of a terminal, and as a drawing."""

from __future__ import annotations

from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from tests.command_line import assert_refused, topcut, write
from tests.stages.played_events import Plain, finished, started
from topcut.cli.bracket import draw_lines
from topcut.cli.output import measure_width
from topcut.stages.brackets.graph import Graph, build_double, build_single
from topcut.stages.brackets.layout import lay_out_trees
from topcut.stages.brackets.play import BracketPlay
from topcut.stages.brackets.svg import draw_svg

ROOT = Path(__file__).resolve().parents[2]
SIZES = [2, 3, 4, 5, 7, 8, 11, 16, 33, 53, 64]
SVG = "{http://www.w3.org/2000/svg}"
WIDE = "日本語の長い名前を持つ選手"


def played(graph: Graph, seed: str, until: int | None = None) -> BracketPlay:
    """A bracket with so many results, or all of them."""
    play = BracketPlay(graph, [f"p{i}" for i in range(1, graph.players + 1)])
    random = Random(seed)
    count = 0
    while ready := play.ready():
        for name in ready:
            if count == until:
                return play
            play.report(name, random.choice([seat for seat in play.seats(name) if isinstance(seat, str)]))
            count += 1
    return play


def page(play: BracketPlay, name: str = "Player") -> list[str]:
    return [
        line
        for tree in lay_out_trees(play)
        for line in draw_lines(
            tree, lambda player_id: f"{player_id[1:]} {name} {player_id}", 100, measure_width
        )
    ]


@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("name", ["Player", "A name that is much longer than there is room for", WIDE])
def test_a_bracket_fits_into_100_columns(players: int, name: str) -> None:
    for graph in (build_single(players, third_place=players > 3), build_double(players)):
        lines = page(played(graph, "x"), name)
        assert max(map(measure_width, lines)) <= 100
        assert not any(line.endswith(" ") for line in lines)


@pytest.mark.parametrize("players", SIZES)
def test_everybody_stands_in_the_first_column_or_where_they_come_in(players: int) -> None:
    text = "\n".join(page(BracketPlay(build_single(players), [f"p{i}" for i in range(1, players + 1)])))
    for number in range(1, players + 1):
        assert f"{number} Player p{number} " in text + " "


def test_the_winner_of_a_table_stands_on_a_heavy_line() -> None:
    play = BracketPlay(build_single(4), ["p1", "p2", "p3", "p4"])
    play.report("SF1", "p4")
    assert page(play) == [
        "1 Player p1 ────────────────────┐",
        "                                ┣━4 Player p4 ────────────────────┐",
        "4 Player p4 ━━━━━━━━━━━━━━━━━━━━┛                                 │",
        "                                                                  ├─winner",
        "2 Player p2 ────────────────────┐                                 │",
        "                                ├─winner of SF2 ──────────────────┘",
        "3 Player p3 ────────────────────┘",
    ]


def test_a_bye_takes_no_room_of_its_own() -> None:
    play = BracketPlay(build_single(3), ["p1", "p2", "p3"])
    assert page(play) == [
        "1 Player p1 ──────────────────────────────────────────────────────┐",
        "                                                                  ├─winner",
        "2 Player p2 ────────────────────┐                                 │",
        "                                ├─winner of SF2 ──────────────────┘",
        "3 Player p3 ────────────────────┘",
    ]


@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("until", [0, 3, None])
def test_a_drawing_is_whole(players: int, until: int | None) -> None:
    """Well formed; every name is there; nothing lies outside; heavy lines are as many as decided tables."""
    for graph in (build_single(players), build_double(players)):
        play = played(graph, "y", until)
        drawing = draw_svg(
            lay_out_trees(play), lambda player_id: (player_id[1:], f"<{player_id}> & Co"), 'Cup "one" & <two>'
        )
        root = ElementTree.fromstring(drawing)
        right, bottom = (float(number) for number in root.attrib["viewBox"].split()[2:])
        texts = list(root.iter(f"{SVG}text"))
        assert all(0 <= float(t.attrib["x"]) < right and 0 < float(t.attrib["y"]) < bottom for t in texts)
        said = {text.text for text in texts}
        assert {f"<p{i}> & Co" for i in range(1, players + 1)} <= said
        decided = [
            join for tree in lay_out_trees(play) for join in tree.joins if join.upper_won or join.lower_won
        ]
        assert len([path for path in root.iter(f"{SVG}path") if path.attrib.get("class") == "on"]) == len(
            decided
        )


def test_the_way_of_the_winner_is_bold_in_the_drawing() -> None:
    play = played(build_single(64), "z")
    ended = play.ended("F")
    assert ended is not None
    root = ElementTree.fromstring(draw_svg(lay_out_trees(play), lambda player_id: ("", player_id), "Cup"))
    bold = [text.text for text in root.iter(f"{SVG}text") if text.attrib.get("class") == "won"]
    assert bold.count(str(ended.winner)) == 7


# The command


def cup(**about: object) -> Plain:
    return finished(started("pokemon-2017", 20, **about), Random("cup"))


def test_the_page_of_a_finished_event(tmp_path: Path) -> None:
    answer = topcut("bracket", str(write(cup(), tmp_path / "cup.json")))
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "An event: top cut, 4 players (Play! Pokémon Tournament Operation Procedures)"
    assert max(map(measure_width, lines)) <= 120
    assert [line.split()[0] for line in lines[lines.index("") + 10 :] if line[:5].strip().isdigit()] == [
        str(place) for place in range(1, 21)
    ]


def test_the_drawing_is_written_where_it_is_wanted(tmp_path: Path) -> None:
    file = str(write(cup(), tmp_path / "cup.json"))
    where = tmp_path / "bracket.svg"
    assert topcut("bracket", file, "--svg", str(where), "--json").code == 0
    assert ElementTree.fromstring(where.read_text("utf-8")).tag == f"{SVG}svg"
    nowhere = topcut("bracket", file, "--svg", str(tmp_path / "none" / "x.svg"))
    assert_refused(nowhere, "--svg: cannot write this file: No such file or directory")


def test_divisions_have_a_drawing_each(tmp_path: Path) -> None:
    ages = started("pokemon-2017", 24, division=lambda i: "junior" if i < 13 else "masters")
    file = str(write(finished(ages, Random("ages")), tmp_path / "ages.json"))
    assert topcut("bracket", file, "--svg", str(tmp_path / "b.svg")).code == 0
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["b-junior.svg", "b-masters.svg"]
    one = topcut("bracket", file, "--division", "junior")
    assert one.out.splitlines()[0].startswith("An event, junior: top cut, 4 players")
    assert_refused(topcut("bracket", file, "--division", "senior"), "expected junior or masters")


def test_the_drawing_in_the_documents_is_the_one_the_command_makes(tmp_path: Path) -> None:
    example = ROOT / "src" / "topcut" / "examples" / "city-cup-final.json"
    assert topcut("bracket", str(example), "--svg", str(tmp_path / "bracket.svg")).code == 0
    shown = (ROOT / "docs" / "pictures" / "bracket.svg").read_text("utf-8")
    assert (tmp_path / "bracket.svg").read_text("utf-8") == shown
