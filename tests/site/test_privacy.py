"""A site is public: nothing that only staff may know is in it, under no name and in no file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import a_round, played
from tests.cli.shop import Shop, started
from tests.command_line import topcut, write
from topcut.formats.event_file import Event, EventFile, build_event
from topcut.history.model import Player, Round, Table
from topcut.rulebook.options import Options
from topcut.site.pages import build_site
from topcut.site.site_event import SiteEvent
from topcut.stages.leaderboard import Leaderboard
from topcut.stages.progress import choose_lot_seed
from topcut.text.messages import Message


def everything(files: dict[str, bytes]) -> str:
    """All that a site says, with the names of its files."""
    return "\n".join([*files, *(content.decode() for content in files.values())])


def numbered(rules: str, rounds: list[Round], names: dict[str, str], **about: Any) -> Event:
    """An event whose players go by their membership numbers."""
    players = tuple(
        Player(id=player_id, name=name, member=player_id, born=1987) for player_id, name in names.items()
    )
    return build_event(
        EventFile(topcut=1, name="Cup", rules=rules, players=players, rounds=tuple(rounds), **about)
    )


def test_numbers_years_and_labels_are_nowhere() -> None:
    apart = Message("could not be kept apart (the Turing family)")
    event = played(
        "pokemon-2017",
        a_round("A beats B, C ties D"),
        Round(
            tables=(
                Table(
                    players=("A", "C"),
                    winner="A",
                    why=(apart,),
                ),
                Table(players=("B", "D"), winner="D"),
            )
        ),
        member={"A": "739879", "B": "551122"},
        born={"A": 2014, "B": 1987},
        apart={"A": ["the Turing family"], "C": ["the Turing family"]},
    )
    said = everything(build_site(event))
    for secret in ("739879", "551122", "2014", "1987", "Turing", '"member"', '"born"', '"apart"'):
        assert secret not in said, secret
    assert json.loads(build_site(event)["event.json"])["players"][0]["division"] == "junior"


def test_an_id_that_is_a_membership_number_is_replaced_everywhere() -> None:
    event = numbered(
        "allegiance-2005",
        [
            Round(
                seed="one",
                tables=(
                    Table(
                        table=1,
                        players=("4711001", "4711002", "4711003"),
                        scores=(20, 20, 11),
                        winners=("4711001",),
                        eliminated=("4711003",),
                        tie_counts=({"4711001": 3, "4711002": 3}, {"4711001": 5, "4711002": 5}),
                        win_given_to="4711001",
                        why=(Message("4711001 sits with 4711002"),),
                    ),
                ),
            )
        ],
        {"4711001": "Ada", "4711002": "", "4711003": "Cleo"},
    )
    files = build_site(event)
    assert "4711" not in everything(files)
    assert [json.loads(files["standings.json"])["standings"][0][key] for key in ("rank", "name")] == [
        1,
        "Ada",
    ]


@given(
    seed=st.text(max_size=5),
    rules=st.sampled_from(["pokemon-2017", "pokemon-tom", "mtr"]),
    outcomes=st.lists(st.sampled_from(["first", "draw", "double_loss"]), min_size=6, max_size=6),
    open_round=st.booleans(),
    cut=st.sampled_from([None, 4]),
)
def test_other_ids_change_no_place(
    seed: str, rules: str, outcomes: list[str], open_round: bool, cut: int | None
) -> None:
    """Where a lot decides, it falls as it fell, and the site's own event file says the same."""
    ids = [f"88{n * 7919}" for n in range(1, 13)]
    pairs = [(ids[i], ids[i + 1]) for i in range(0, 12, 2)]
    tables = [
        Table(players=pair, winner=pair[0] if outcome == "first" else outcome)
        for pair, outcome in zip(pairs, outcomes, strict=True)
    ]
    rounds = [Round(tables=tuple(tables), seed=seed)]
    if open_round:
        rounds.append(
            Round(
                tables=tuple(Table(players=pair) for pair in zip(ids[::2], ids[1::2], strict=True)), seed="x"
            )
        )
    options = Options(cut=cut)
    event = numbered(
        rules, rounds, {player_id: f"Player {n}" for n, player_id in enumerate(ids)}, options=options
    )
    shown = SiteEvent(event)
    lots = choose_lot_seed([None], rounds[:1])
    there = Leaderboard(event.file.players, rounds[:1], event.book, event.file.options, lots)
    facts = ("rank", "name", "points", "decided_by", "tiebreaks")
    if event.book.standings.ends_in == "lot":
        assert [[row[key] for key in facts] for row in shown.board.rows] == [
            [row[key] for key in facts] for row in there.rows
        ]
    if cut and there.cut is not None:
        assert shown.board.cut is not None
        names = {player.id: player.name for player in event.file.players}
        assert {shown.names[player_id] for player_id in shown.board.cut.inside} == {
            names[player_id] for player_id in there.cut.inside
        }
    assert "88" not in json.dumps([player.id for player in shown.file.players])


def test_a_bracket_that_was_drawn_stays_as_it_was(tmp_path: Path) -> None:
    ids = [f"88{n * 7919}" for n in range(1, 5)]
    before = numbered(
        "mtr",
        [],
        {player_id: f"Player {player_id[-1]}" for player_id in ids},
        options=Options(format="elimination"),
    )
    answer = json.loads(
        topcut("pair", str(write(before, tmp_path / "a.json")), "--seed", "cup", "--json").out
    )
    tables = [
        Table(players=tuple(table["players"]), winner=table["players"][0], table=table["table"])
        for table in answer["tables"]
    ]
    event = numbered(
        "mtr",
        [Round(tables=tuple(tables), seed="cup", stage="elimination")],
        {player_id: f"Player {player_id[-1]}" for player_id in ids},
        options=Options(format="elimination"),
    )
    found = json.loads(build_site(event)["bracket.json"])
    assert found["warnings"] == []


def test_a_log_shows_display_names_and_no_draft(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    started(shop, "Bo Cy Di")
    shop("add", "Ada Okafor", "--display", "Zed", "--born", "2014", "--member", "4711999")
    shop("report", "1", "2-0")
    shop("round", "end")
    shop("round", "pair")
    shop("export", "-o", str(tmp_path / "cup.log"))
    answer = topcut("site", str(tmp_path / "cup.log"), "-o", str(tmp_path / "site"))
    assert answer.code == 0, answer
    files = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_bytes()
        for path in (tmp_path / "site").rglob("*")
        if path.is_file()
    }
    said = everything(files)
    assert "Zed" in said
    for secret in ("Okafor", "4711999", "2014"):
        assert secret not in said
    assert "rounds/2.html" not in files


@pytest.mark.parametrize("name", ["739879", " 739879 "])
def test_a_number_that_was_typed_for_a_name_is_not_shown_either(name: str) -> None:
    event = played("mtr", "A 2-0 B", member={"A": "739879"}, name={"A": name})
    assert "739879" not in everything(build_site(event))
