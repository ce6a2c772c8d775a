"""`topcut add --from`: a list is read, shown, and entered in one step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shop import Shop
from tests.command_line import assert_refused, topcut

LIST = (
    "Teilnehmer;Geburtsdatum;Klasse;Verein;E-Mail\r\n"
    "Okafor, Jürgen;3.4.2001;MA;SC Go;a@b.de\r\nBell, Bo;1.1.2010;JR;;\r\n"
)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path)
    shop("new", "Cup", "--rules", "pokemon-2017")
    return shop


def players(shop: Shop) -> list[tuple[str, str | None]]:
    return [(one["name"], one.get("division")) for one in shop.json("player", "list")["players"]]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_list_of_a_spreadsheet_is_entered(shop: Shop, tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "players.csv"
    file.write_bytes(LIST.encode(encoding))
    entered = shop("add", "--from", str(file))
    assert entered.out == "Jürgen Okafor (p1) enters in masters.\nBo Bell (p2) enters in junior.\n"
    assert "Players with the same “Verein” are not paired if possible." in entered.err
    assert players(shop) == [("Bo Bell", "junior"), ("Jürgen Okafor", "masters")]


def test_a_preview_changes_nothing(shop: Shop) -> None:
    shown = shop("add", "--from", "-", "--preview", stdin=LIST.encode("cp1252")).out
    assert "     1  Teilnehmer    name as “Last, First”  Okafor, Jürgen | Bell, Bo" in shown
    assert "2 players would enter" in shown
    assert "! The encoding seems to be Windows-1252. Check the special characters in names." in shown
    assert shop.json("event", "show")["players"] == 0
    asked = ["add", "--from", "-", "--preview", "--json", "--columns", "name,-,-,-,-"]
    told = json.loads(shop(*asked, stdin=LIST.encode()).out)
    assert [player["name"] for player in told["players"]] == ["Okafor, Jürgen", "Bell, Bo"]
    assert [(column["meaning"], column["why"]) for column in told["columns"]][:2] == [
        ("name", "asked"),
        ("-", "asked"),
    ]


def test_a_list_can_be_given_again_after_it_grew(shop: Shop) -> None:
    shop("add", "--from", "-", stdin=b"Ada\nBo\n")
    again = shop("add", "--from", "-", stdin=b"Ada\nBo\nCy\n")
    entered, warned = again.out.splitlines()
    assert entered == "Cy (p3) enters."
    assert warned == "Cy has no division (PK-11). Set a birth year or a division for this player."
    assert "line 1: Ada is left out: a player with this name is already in the event" in again.err
    nobody = shop("add", "--from", "-", stdin=b"Ada\n", code=2)
    assert nobody.err.splitlines()[-1] == "topcut: standard input: no player on this list can enter"


def test_a_thousand_players_are_one_step(shop: Shop) -> None:
    rows = "".join(f"Player {n} Okafor,{4000 + n},{1960 + n % 50}\n" for n in range(1_000))
    shop("add", "--from", "-", stdin=f"Name,Player ID,Year of birth\n{rows}".encode())
    assert shop.json("event", "show")["players"] == 1_000
    shop("undo")
    assert shop.json("event", "show")["players"] == 0


def test_what_is_given_for_all_counts_where_the_list_is_silent(shop: Shop) -> None:
    shop("add", "--from", "-", "--division", "senior", stdin=b"Name,Division\nAda,MA\nBo,\n")
    assert players(shop) == [("Ada", "masters"), ("Bo", "senior")]


@pytest.mark.parametrize(
    ("arguments", "stdin", "says"),
    [
        (
            ["--from", "-"],
            b"PK\x03\x04xl/workbook.xml",
            "standard input: this workbook can't be read: save it as CSV",
        ),
        (
            ["--from", "-", "--columns", "nmae"],
            b"Ada\n",
            'standard input: columns: no column can mean "nmae"',
        ),
        (["Ada", "--preview"], b"", "--preview and --columns are for a list"),
        (["--from", "-", "--member", "7"], b"Ada\n", "are for one player"),
        (["--from", "no such file"], b"", "no such file: cannot read this file"),
    ],
)
def test_what_is_refused(shop: Shop, arguments: list[str], stdin: bytes, says: str) -> None:
    answer = topcut("add", *arguments, "--database", shop.database, stdin=stdin)
    assert_refused(answer, says)
