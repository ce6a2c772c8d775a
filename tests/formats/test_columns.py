"""What do columns mean? Lists as programs and people of many languages write them."""

from __future__ import annotations

import pytest

from topcut.errors import BadInput
from topcut.formats.csv.cell_types import find_division, find_year
from topcut.formats.csv.columns import MEANINGS, guess_columns, name_meaning
from topcut.formats.csv.headings import OUTCOME, find_meaning, heading_key
from topcut.formats.csv.reader import detect_kind
from topcut.formats.csv.results import SHOWN_OUTCOMES
from topcut.formats.csv.rows import read_sheet
from topcut.text.messages import render

DIVISIONS = ("junior", "senior", "masters")

LISTS: list[tuple[str, str, str]] = [
    # players: what the list looks like, its first lines, the meanings
    ("names", "Ada Okafor\nBo Bell\n", "name"),
    ("one heading", "Player\nAda\nBo\n", "name"),
    ("plain CSV", "name,id,division\nAda,1234,masters\n", "name id division"),
    ("a shop's form", "First Name,Last Name,Email,Phone\nAda,Okafor,a@b.c,+49 30\n", "first last - -"),
    (
        "a form of Google",
        "Timestamp,Email Address,Full name,Player ID,Date of Birth (MM/DD/YYYY)\n"
        "1/2/2025 10:00:00,a@b.c,Ada Okafor,123,03/04/2008\n",
        "- - name id born",
    ),
    (
        "a form that asks in sentences",
        "Timestamp,What should we call you?,How can we reach you?\n"
        "1/1/25,Ada Okafor,a@b.c\n1/1/25,Bo Bell,b@b.c\n",
        "- name -",
    ),
    (
        "tickets",
        "Order ID,Ticket Type,Attendee,Quantity,Barcode\n991,Adult,Ada Okafor,1,55\n",
        "- - name - -",
    ),
    (
        "German",
        "Nr.;Vorname;Name;Jahrgang;Verein\n1;Ada;Okafor;1990;SC Go\n2;Bo;Bell;1991;SC Go\n",
        "- first last born apart",
    ),
    ("German, one name", "Spieler/in;Mitgliedsnr.;Altersklasse\nAda Okafor;17;MA\n", "name member division"),
    ("German, turned", "Teilnehmer;Geb.-Datum\nOkafor, Ada;3.4.1990\nBell, Bo;1.1.1991\n", "last-first born"),
    ("French", "Nom;Prénom;Date de naissance;Équipe\nOkafor;Ada;03/04/1990;Lyon\n", "last first born apart"),
    ("French, one name", "Nom;N° d'adhérent;Courriel\nAda Okafor;12;a@b.fr\n", "name member -"),
    (
        "Spanish",
        "Nombre,Apellidos,Categoría,Correo electrónico\nAda,Okafor,Master,a@b.es\n",
        "first last division -",
    ),
    ("Spanish, one name", "Jugador;Nº de socio;Año de nacimiento\nAda Okafor;5;1990\n", "name member born"),
    ("Italian", "Cognome;Nome;Data di nascita;Tessera\nOkafor;Ada;3/4/1990;A-1\n", "last first born member"),
    (
        "Portuguese",
        "Nome;Sobrenome;Divisão;Celular;Clube\nAda;Okafor;Sênior;99;Rio\n",
        "first last division - apart",
    ),
    (
        "Portuguese, one name",
        "Jogador,ID do jogador,Data de nascimento\nAda Okafor,77,1990-04-03\n",
        "name id born",
    ),
    (
        "Japanese",
        "氏名,フリガナ,生年月日,部門,会員番号\n田中 太郎,タナカ タロウ,2008/3/12,マスター,A1\n",
        "name - born division member",
    ),
    (
        "Japanese, two names",
        "姓,名,ニックネーム,メールアドレス\n田中,太郎,タロ,a@b.jp\n",
        "last first display -",
    ),
    ("Dutch", "Voornaam;Achternaam;Geboortedatum\nAda;Okafor;3-4-1990\n", "first last born"),
    ("Polish", "Imię i nazwisko;Klub\nAda Okafor;Gdańsk\n", "name apart"),
    ("online", "Username,Discord,Deck,Team\nada99,ada#1,Red,Go\n", "display - - apart"),
    ("shown by another name", "Name;Shown as;Born\nAda Okafor;Zed;2014\n", "name display born"),
    ("programme ids", "Name,XYZ ID,Country\nAda Okafor,123456,DE\n", "name member -"),
    ("an id and a number", "ID,Name,Membership number\np1,Ada,77\n", "id name member"),
    ("a running number", "#,Name,Paid\n1,Ada Okafor,yes\n2,Bo Bell,no\n", "- name -"),
    ("numbers that are not", "Nr;Name\n4711;Ada Okafor\n1200;Bo Bell\n", "member name"),
    (
        "titles above",
        "Autumn Cup;;\nas of 3 May;;\n;;\nName;Year of birth;Club / Team\nAda;1990;Go\n",
        "name born apart",
    ),
    ("no heading, a name", "Ada Okafor\t4711\t1990\nBo Bell\t4712\t1991\n", "name member born"),
    ("no heading, first and last", "Ada\tOkafor\nBo\tBell\nCy\tCole\n", "first last"),
    ("no heading, divisions", "Ada Okafor,MA\nBo Bell,JR\nCy Cole,SR\n", "name division"),
    ("no heading, numbered", "1\tAda Okafor\n2\tBo Bell\n3\tCy Cole\n", "- name"),
    ("no heading, mail", "Ada Okafor;a@b.c\nBo Bell;b@b.c\n", "name -"),
    ("last, first", "Okafor, Ada\nBell, Bo\nvan Dyck, Anton\n", "last-first"),
    ("an unknown heading", "Kto;Rocznik\nAda Okafor;1990\nBo Bell;1991\nCy Cole;2001\n", "name -"),
    # tables and standings
    ("pairings", "Table,Player 1,Player 2\n1,Ada,Bo\n", "table player 1 player 2"),
    (
        "pairings with points",
        "Table;Player 1;Points 1;Player 2;Points 2\n1;Ada;3;Bo;3\n",
        "table player 1 - player 2 -",
    ),
    (
        "results",
        "Round,Table,Player 1,Player 2,Result\n1,1,Ada,Bo,2-1\n",
        "round table player 1 player 2 result",
    ),
    (
        "results, German",
        "Runde;Tisch;Spieler 1;Spieler 2;Ergebnis\n1;1;Ada;Bo;2:1\n",
        "round table player 1 player 2 result",
    ),
    (
        "results, French",
        "Ronde;Table;Joueur 1;Joueur 2;Vainqueur\n1;1;Ada;Bo;Bo\n",
        "round table player 1 player 2 winner",
    ),
    (
        "results, Spanish",
        "Ronda,Mesa,Jugador 1,Jugador 2,Resultado\n1,1,Ada,Bo,2-0\n",
        "round table player 1 player 2 result",
    ),
    ("results by opponent", "Rd,Player,Opponent,Score\n1,Ada,Bo,2-1\n", "round player 1 player 2 result"),
    ("results of chess", "Board;White;Black;Result\n1;Ada;Bo;½-½\n", "table player 1 player 2 result"),
    (
        "results with wins",
        "Table,Player 1 Name,Player 1 ID,Player 1 Wins,Player 2 Name,Player 2 ID,Player 2 Wins,Draws\n"
        "1,Ada,7,2,Bo,8,1,0\n",
        "table player 1 id 1 score 1 player 2 id 2 score 2 drawn",
    ),
    (
        "results without headings",
        "1,Ada Okafor,Bo Bell,2-1\n2,Cy Cole,Di Dean,0-2\n",
        "table player 1 player 2 result",
    ),
    ("standings", "Rank,Name,Points,OMW%,GW%\n1,Ada,9,55.6,66.7\n", "rank name points - -"),
    ("standings, German", "Platz;Name;Punkte;Buchholz\n1;Ada;9;12\n", "rank name points -"),
    ("standings, Japanese", "順位,プレイヤー名,勝ち点\n1,田中,9\n", "rank name points"),
]
KINDS = {"pairings": "pairings", "results": "results", "standings": "standings"}


@pytest.mark.parametrize(("what", "text", "meanings"), LISTS, ids=[what for what, _, _ in LISTS])
def test_the_guess(what: str, text: str, meanings: str) -> None:
    guess = guess_columns(read_sheet(text.encode()), DIVISIONS)
    assert " ".join(column.meaning for column in guess.columns) == meanings
    kind = next((kind for word, kind in KINDS.items() if what.startswith(word)), "players")
    assert (guess.kind, detect_kind(text.encode())) == (kind, kind)


def test_a_guess_can_be_overruled() -> None:
    sheet = read_sheet(b"A;B;C\nOkafor;x;Ada\n")
    guess = guess_columns(sheet, asked="last, -, First name")
    assert [column.meaning for column in guess.columns] == ["last", "-", "first"]
    assert {column.why for column in guess.columns} == {"asked"}
    for asked, says in (
        ("nmae", 'columns: no column can mean "nmae": expected name, first, last'),
        ("name,name", "columns: two columns can't both be the name"),
    ):
        with pytest.raises(BadInput) as refused:
            guess_columns(sheet, asked=asked)
        assert str(refused.value).startswith(says)


def test_a_preview_shows_each_column_with_its_first_rows() -> None:
    sheet = read_sheet(b"Name,E-Mail\nAda,a@b.c\nBo,\nCy,c@b.c\nDi,d@b.c\n")
    shown = [(column.words, first) for column, first in guess_columns(sheet).preview(sheet.rows)]
    assert shown == [("name", ("Ada", "Bo", "Cy")), ("left out: not needed", ("a@b.c", "", "c@b.c"))]


def test_what_is_no_list_is_not_recognised() -> None:
    prose = (
        "It was a dark and stormy night, and the rain fell in torrents all over London, except at times.\n"
    )
    for raw in (b"", b"{}", b"[1]", b"<tournament/>", (prose * 5).encode(), b"\x89PNG"):
        assert detect_kind(raw) is None


def test_every_meaning_of_a_heading_can_be_asked_for() -> None:
    only_beside_others = {"nom", "number", "opponent"}
    words = [
        "Name",
        "Vorname",
        "Nick",
        "#",
        "Nom",
        "Gegner",
        "Tisch",
        "Sieger",
        "Player 3",
        "wins 2",
        "outcome 4",
    ]
    assert {find_meaning(word) for word in words} <= {*MEANINGS, *only_beside_others}


@pytest.mark.parametrize(
    ("text", "division"),
    [
        ("MA", "masters"),
        ("Master", "masters"),
        ("Masters Division", "masters"),
        ("masters", "masters"),
        ("M", "masters"),
        ("JR", "junior"),
        ("Juniors", "junior"),
        ("Junioren", "junior"),
        ("Júnior", "junior"),
        ("sr.", "senior"),
        ("シニア", "senior"),
        ("マスター部門", "masters"),
        ("Altersklasse Meister", "masters"),
        ("catégorie senior", "senior"),
        ("Maître", "masters"),
        ("adult", None),
        ("", None),
        ("Ada", None),
    ],
)
def test_usual_forms_of_divisions(text: str, division: str | None) -> None:
    assert find_division(text, DIVISIONS) == division


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("1990", 1990),
        ("3.4.1990", 1990),
        ("1990-04-03", 1990),
        ("04/03/1990", 1990),
        ("3 April 1990", 1990),
        ("Apr 3, 1990", 1990),
        ("19900403", 1990),
        ("03041990", 1990),
        ("\uff11\uff19\uff19\uff10", 1990),
        ("1990年4月3日", 1990),
        ("1990-04-03T10:00:00Z", 1990),
        ("3.4.90", None),
        ("12", None),
        ("", None),
    ],
)
def test_the_year_of_a_date(text: str, year: int | None) -> None:
    assert find_year(text) == year


@pytest.mark.parametrize(
    "meaning", ["entered", "dropped", "cut", "disqualified", "seat", "stage", "drawn", "rank"]
)
def test_what_topcut_calls_a_column_in_german_is_understood(meaning: str) -> None:
    assert find_meaning(render(name_meaning(meaning), "de")) == meaning


@pytest.mark.parametrize("word", SHOWN_OUTCOMES)
def test_what_topcut_calls_a_result_in_german_is_understood(word: str) -> None:
    assert OUTCOME[heading_key(render(SHOWN_OUTCOMES[word], "de"))] == word
