"""Who is on a list: every form of names, and nothing that is left out without a word."""

from __future__ import annotations

import pytest

from topcut.formats.csv.player_list import ListEntry, PlayerList, read_list

DIVISIONS = ("junior", "senior", "masters")


def listed(text: str, here: list[ListEntry] | None = None, columns: str | None = None) -> PlayerList:
    return read_list(text.encode(), DIVISIONS, here or [], columns, latest=2026)


def names(text: str) -> list[str]:
    return [player.name for player in listed(text).players]


@pytest.mark.parametrize(
    "text",
    [
        "Ada Okafor\nBo Bell\nCy",
        "1. Ada Okafor\n2. Bo Bell\n3. Cy\n",
        "1) Ada Okafor\n2) Bo Bell\n\n3) Cy\n",
        "1 Ada Okafor\n2 Bo Bell\n3 Cy\n",
        "1\tAda Okafor\n2\tBo Bell\n3\tCy\n",
        "- Ada Okafor\n- Bo Bell\n- Cy\n",
        "• Ada Okafor\r\n• Bo Bell\r\n• Cy\r\n",
        "* Ada Okafor\n* Bo Bell\nCy\n",
        "[x] Ada Okafor\n[ ] Bo Bell\n[ ] Cy\n",
        "\ufeff  Ada   Okafor \n\n\nBo\u00a0Bell\n Cy",
        "Name\nAda Okafor\nBo Bell\nCy\n",
        "Ada Okafor\ta@b.c\nBo Bell\tb@b.c\nCy\n",
        '"Ada Okafor"\n"Bo Bell"\nCy\n',
        "First name,Surname\nAda,Okafor\nBo,Bell\nCy,\n",
        "Surname;First name\nOkafor;Ada\nBell;Bo\n;Cy\n",
    ],
)
def test_names_in_every_form(text: str) -> None:
    assert names(text) == ["Ada Okafor", "Bo Bell", "Cy"]
    assert listed(text).problems == ()


def test_the_last_name_in_front_is_turned_around() -> None:
    assert names("Okafor, Ada\nBell, Bo\nvan Dyck, Anton\n") == ["Ada Okafor", "Bo Bell", "Anton van Dyck"]
    assert names("1. Okafor, Ada\n2. Bell, Bo\n") == ["Ada Okafor", "Bo Bell"]
    assert names('"Okafor, Ada";1990\n"Bell, Bo";1991\n') == ["Ada Okafor", "Bo Bell"]
    assert names("Ada Okafor\nBo Bell\nCy Cole, Jr.\n") == ["Ada Okafor", "Bo Bell", "Cy Cole, Jr."]


def test_names_that_are_not_numbered_keep_their_numbers() -> None:
    assert names("Player 1\nPlayer 2\n") == ["Player 1", "Player 2"]
    assert names("99 Problems\n7 Seas\n") == ["99 Problems", "7 Seas"]
    assert names("7 Seas\n99 Problems\n") == ["7 Seas", "99 Problems"]
    assert names("Ada\n-Bo\n'Cy\n") == ["Ada", "-Bo", "'Cy"]


def test_all_that_is_known_of_a_player() -> None:
    found = listed(
        "Vorname;Name;Anzeigename;Mitgliedsnr;Geburtsdatum;Klasse;Verein;Team;E-Mail\n"
        "Ada;Okafor;Zed;0815;3.4.2001;MA;SC Go;Reds;a@b.de\n"
    )
    assert found.players == (ListEntry("Ada Okafor", 2, "Zed", "0815", 2001, "masters", ("SC Go", "Reds")),)
    assert found.notes == (
        "Only the year of birth dates is used.",
        "Players with the same “Verein” are not paired if possible.",
        "Players with the same “Team” are not paired if possible.",
    )


def test_cells_without_headings_are_taken_for_what_they_look_like() -> None:
    found = listed("Ada;P-77;2014\nBo\tSenior\nCy;2001;MA\nDi\nEli;P-1;2001;JR;what?\n")
    assert [(p.name, p.member, p.born, p.division) for p in found.players] == [
        ("Ada", "P-77", 2014, None),
        ("Bo", None, None, "senior"),
        ("Cy", None, 2001, "masters"),
        ("Di", None, None, None),
        ("Eli", "P-1", 2001, "junior"),
    ]
    assert found.problems == ()
    assert found.guess.columns[4].words == "left out: unknown"


def test_an_id_of_ours_is_no_membership_number() -> None:
    assert [p.member for p in listed("id,name\np1,Ada\np2,Bo\n").players] == [None, None]
    assert [p.member for p in listed("id,name\n4711,Ada\n").players] == ["4711"]


PROBLEMS = [
    ("Name;Club\n;Go\n", "line 2: the name is missing before “Go”"),
    ("Name;Born\nAda;1850\n", "line 2: “1850” isn't a birth year: Ada is added without one"),
    ("Name;Born\nAda;2027\n", "line 2: “2027” isn't a birth year: Ada is added without one"),
    ("Name;Born\nAda;3.4.08\n", "line 2: “3.4.08” has no century: Ada is added without a birth year"),
    (
        "Name;Division\nAda;adult\n",
        "line 2: there is no division “adult”: expected junior, senior or masters; Ada is added without one",
    ),
    ("Name;Club\nAd\u202ea;Go\n", 'line 2: expected a name of 1 to 200 visible letters, not "Ad�a"'),
    (f"Name;Club\n{'a' * 201};Go\n", "expected a name of 1 to 200 visible letters"),
    ('Name;Club\n"Ada\nBo";Go\n', "line 2: the name of Ada Bo was on several lines"),
    (f"Name;ID\nAda;{'9' * 101}\n", "line 2: the membership number of Ada isn't valid and is left out"),
    ("Ada\nBo\nada\n", "line 3: ada is on the list twice (line 1): both are added"),
    ("Name;Born\nAda;1990\nAda;1990\n", "line 3: Ada is on the list twice (line 2): this one is left out"),
    ("Name;ID\nAda;7\nBo;7\n", "line 3: Bo is left out: Ada (line 2) already has the number 7"),
]


@pytest.mark.parametrize(("text", "problem"), PROBLEMS, ids=[problem for _, problem in PROBLEMS])
def test_what_looks_wrong_is_said_with_its_line(text: str, problem: str) -> None:
    (said,) = listed(text).problems
    assert problem in said


def test_whoever_is_here_already_is_left_out() -> None:
    here = [ListEntry("Ada Okafor", member="7", born=1990), ListEntry("Bo Bell")]
    found = listed("Name;ID;Born\nAda Okafor;;\nBo Bell;9;\nSomebody;7;\nADA  OKAFOR;8;\nCy;;\n", here)
    assert [(player.name, player.member) for player in found.players] == [("ADA OKAFOR", "8"), ("Cy", None)]
    assert found.problems == (
        "line 2: Ada Okafor is left out: a player with this name is already in the event",
        "line 3: Bo Bell is left out: a player with this name is already in the event",
        "line 4: Somebody is left out: Ada Okafor already has the number 7",
    )


def test_two_people_of_one_name_are_told_apart() -> None:
    found = listed("Name;Born\nKim Lee;1990\nKim Lee;2012\n")
    assert [player.born for player in found.players] == [1990, 2012]
    assert found.problems == ()


def test_what_people_say_of_columns_counts() -> None:
    found = listed("Okafor;4711;Ada\n", columns="last,id,first")
    assert found.players == (ListEntry("Ada Okafor", 1, None, "4711"),)
    found = listed("Name;Nr;X\nOkafor;4711;Ada\n", columns="last,-,first")
    assert found.players == (ListEntry("Ada Okafor", 2),)


def test_everybody_on_a_long_list() -> None:
    text = "Name,ID\n" + "".join(f"Player {n} of many,{n + 1000}\n" for n in range(20_000))
    found = listed(text)
    assert len(found.players) == 20_000
    assert found.players[-1] == ListEntry("Player 19999 of many", 20_001, None, "20999")
    assert found.problems == ()
