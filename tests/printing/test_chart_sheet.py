"""The chart on paper: what was played stands in its place, and what was not can be written in."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.builders import played
from tests.pairing.test_vectors import paired
from tests.printing.pdf_reader import faults, sheets, text_of
from tests.printing.printable_events import HARD, pdf_of, printed_event_of
from topcut.errors import BadInput, Impossible
from topcut.history.model import Player, Round, Table
from topcut.printing.chart_sheet import build_chart, fill_chart
from topcut.printing.page import Paper, PrintOptions
from topcut.printing.printed_event import PrintedEvent
from topcut.rulebook import load
from topcut.rulebook.loader import list_ids
from topcut.rulebook.options import Options

PAPERS: list[Paper] = ["a4", "us-letter"]
NAMES = ["Derek", "Ana", "Mariano", "Carl", "Bernie", "Finn", "Zed", "Hugo"]
SEATS = {name: seat for seat, name in enumerate(NAMES, start=1)}
FIRST = "Derek 2-1 Bernie, Ana 2-0 Finn, Mariano 2-0 Zed, Carl 2-1 Hugo"
SECOND = "Derek 2-1 Mariano, Ana 2-0 Carl, Bernie 2-1 Zed, Finn 2-1 Hugo"
THIRD = "Ana 2-1 Derek, Mariano 2-0 Carl, Bernie 2-0 Finn, Hugo 2-0 Zed"
A_DRAWN = FIRST.replace("Derek 2-1 Bernie", "Derek 1-1-1 Bernie")


def pod(*rounds: str, **about: Any) -> PrintedEvent:
    """Eight players in their seats."""
    return printed_event_of(played("draft-sheet", *rounds, players=" ".join(NAMES), seat=SEATS, **about))


def said(printed_event: PrintedEvent, **choice: Any) -> str:
    return text_of(pdf_of(build_chart(printed_event, PrintOptions(**choice))))


# What was played


def test_ds_t2_a_whole_event_stands_on_the_sheet() -> None:
    """DS-3, DS-4, DS-5: where everybody comes from, and the games that each side won."""
    text = said(pod(FIRST, SECOND, THIRD))
    assert "seats 1 Derek 2 Ana 3 Mariano 4 Carl 5 Bernie 6 Finn 7 Zed 8 Hugo round 1" in text
    assert (
        "round 1 A seat 1 Derek 2 seat 5 Bernie 1 B seat 2 Ana 2 seat 6 Finn 0 "
        "C seat 3 Mariano 2 seat 7 Zed 0 D seat 4 Carl 2 seat 8 Hugo 1 "
        "round 2 E winner A Derek 2 winner C Mariano 1 F winner B Ana 2 winner D Carl 0 "
        "G loser A Bernie 2 loser C Zed 1 H loser B Finn 2 loser D Hugo 1 "
        "round 3 I winner E Derek 1 winner F Ana 2 J loser E Mariano 2 loser F Carl 0 "
        "K winner G Bernie 2 winner H Finn 0 L loser G Zed 0 loser H Hugo 2 Standings after round 3"
    ) in text


def test_ds_8_the_standing_has_every_column() -> None:
    text = said(pod(FIRST, SECOND, THIRD))
    assert "rank name round 1 round 2 round 3 matches games points deck first pick" in text
    assert (
        "1 Ana 2–0 2–0 2–1 3–0 6–1 9 2 Derek 2–1 2–1 1–2 2–1 5–4 6 3 Mariano 2–0 1–2 2–0 2–1 5–2 6 "
        "4 Bernie 1–2 2–1 2–0 2–1 5–3 6 5 Carl 2–1 0–2 0–2 1–2 2–5 3 6 Finn 0–2 2–1 0–2 1–2 2–5 3 "
        "7 Hugo 1–2 1–2 2–0 1–2 4–4 3 8 Zed 0–2 1–2 0–2 0–3 1–6 0 8-player"
    ) in text


def test_ds_1_and_ds_10_the_head_says_how_long_a_round_is() -> None:
    assert "best of 3, 50 minutes, then 5 extra turns" in said(pod())


def test_every_name_stands_in_every_round_with_its_seat_and_its_rank() -> None:
    text = said(pod(FIRST, SECOND, THIRD)).split()
    assert {name: text.count(name) for name in NAMES} == dict.fromkeys(NAMES, 5)


def test_what_is_reported_is_there_and_the_rest_is_empty() -> None:
    """Names of the next round stand where they are known; the standing counts whole rounds."""
    text = said(pod(FIRST, "Derek 2-1 Mariano, Ana - Carl, Bernie 2-0 Zed, Finn - Hugo"))
    assert "E winner A Derek 2 winner C Mariano 1 F winner B Ana winner D Carl G" in text
    assert "I winner E Derek winner F J loser E Mariano loser F K winner G Bernie winner H L" in text
    assert "Standings after round 1" in text
    assert "3 Derek 2–1 1–0 2–1 3" in text


def test_as_it_was_after_a_round() -> None:
    printed_event = pod(FIRST, SECOND, THIRD)
    assert said(printed_event, after=1) == said(pod(FIRST))
    with pytest.raises(BadInput, match=r"^there is no round 4: expected 0 to 3$"):
        build_chart(printed_event, PrintOptions(after=4))


def test_a_winner_without_games_has_a_mark() -> None:
    text = said(pod("Derek beats Bernie, Ana 2-0 Finn, Mariano 2-0 Zed, Carl 2-1 Hugo"))
    assert "A seat 1 Derek ✓ seat 5 Bernie B" in text
    assert "Derek won 1–0 0–0 3" in text


def test_ds_2_seats_that_nobody_wrote_down_are_seen_in_the_first_round() -> None:
    printed_event = printed_event_of(played("draft-sheet", FIRST))
    assert "seats 1 Derek 2 Ana 3 Mariano 4 Carl 5 Bernie 6 Finn 7 Zed 8 Hugo round" in said(printed_event)


# Draws, empty places, other tables


def test_ds_t6_a_lot_and_an_exchange_are_told() -> None:
    text = said(pod(A_DRAWN, SECOND))
    assert "A seat 1 Derek 1 seat 5 Bernie 1 draw, 1 game drawn B" in text
    assert "E winner A, drawn at random Derek 2 winner C Mariano 1 F" in text
    assert "G loser A, drawn at random Bernie 2 loser C Zed 1 H" in text
    assert "I winner E, changed places Bernie winner F Ana J" in text
    assert "K winner G, changed places Derek winner H Finn L" in text


def test_ds_t7_with_other_records_nobody_changes_places() -> None:
    text = said(pod(A_DRAWN, SECOND.replace("Bernie 2-1 Zed", "Bernie 1-2 Zed")))
    assert "changed" not in text
    assert "I winner E Derek winner F Ana J" in text


def test_ds_12_until_the_lot_is_drawn_nobody_stands_there() -> None:
    text = said(pod(A_DRAWN))
    assert "E winner A, drawn at random winner C Mariano F" in text
    assert "G loser A, drawn at random loser C Zed H" in text


def test_ds_t8_after_two_draws_tables_are_by_records() -> None:
    two = "Derek 1-1 Bernie, Ana 1-1 Finn, Mariano 2-0 Zed, Carl 2-1 Hugo"
    text = said(pod(two, "Mariano 2-0 Carl, Zed 2-0 Hugo, Derek 2-1 Ana, Bernie 2-0 Finn"))
    assert "D seat 4 Carl 2 seat 8 Hugo 1 round 2" in text
    assert "round 2 by records Mariano 2 by records Carl 0 by records Zed 2 by records Hugo 0" in text
    assert "round 3 " + "by records by records " * 4 + "Standing" in text


def test_a_round_that_left_the_chart_stands_as_it_was_played() -> None:
    text = said(pod(FIRST, "Derek 2-1 Ana, Mariano 2-0 Carl, Bernie 2-1 Zed, Finn 2-1 Hugo"))
    assert "round 2 off the chart Derek 2 off the chart Ana 1 off the chart Mariano 2" in text
    assert "round 3 by records by records" in text


def test_the_table_of_a_round_off_the_chart_has_its_number() -> None:
    tables = [("Derek", "Ana"), ("Mariano", "Carl"), ("Bernie", "Zed"), ("Finn", "Hugo")]
    second = Round(tables=tuple(Table(players=two, table=11 + k) for k, two in enumerate(tables)))
    printed_event = printed_event_of(played("draft-sheet", FIRST, second, seat=SEATS))
    assert "off the chart Bernie off the chart Zed table 13" in said(printed_event)


def test_ds_18_an_empty_place_is_a_bye() -> None:
    text = said(pod(FIRST, SECOND.replace("Derek 2-1 Mariano", "Mariano bye"), dropped={"Derek": 1}))
    assert "E winner A, absent Derek winner C Mariano bye F" in text
    assert "I winner E Mariano winner F Ana J loser E, absent Derek loser F Carl K" in text
    assert "2 Mariano 2–0 bye 1–0 +bye 2–0 6" in text


def test_ds_18_whoever_is_alone_has_the_place_beside_the_empty_one() -> None:
    """The lot gave Derek the loser's place of A, and Zed left: Derek is alone at G, not at E."""
    second = "Derek bye, Bernie 2-0 Mariano, Ana 2-0 Carl, Finn 2-1 Hugo"
    text = said(pod(A_DRAWN, second, dropped={"Zed": 1}))
    assert "E winner A, drawn at random Bernie 2 winner C Mariano 0 F" in text
    assert "G loser A, drawn at random Derek loser C, absent Zed bye H" in text


def test_a_bye_off_the_chart_has_nobody_beside_it() -> None:
    text = said(pod(FIRST, "Ana 2-0 Derek, Carl bye, Mariano 2-0 Hugo, Zed 2-0 Finn", dropped={"Bernie": 1}))
    assert "off the chart Carl off the chart – bye" in text


def test_the_sheet_has_every_table_where_pairing_put_it() -> None:
    """Draws and drops by lot; the names of a round that is not paired yet are those that pairing takes."""
    random = Random("sheets")
    seen: set[str] = set()
    for number in range(60):
        rounds: list[str] = []
        gone: dict[str, int] = {}
        for turn in range(3):
            event = played("draft-sheet", *rounds, players=" ".join(NAMES), seat=SEATS, dropped=gone)
            before = _by_letter(printed_event_of(event), turn, seen)
            answer = paired(event, f"{number}/{turn}")
            on_chart = answer["certificate"]["kind"] == "chart"
            rounds.append(", ".join(_result(random, table["players"]) for table in answer["tables"]))
            event = played("draft-sheet", *rounds, players=" ".join(NAMES), seat=SEATS, dropped=gone)
            after = _by_letter(printed_event_of(event), turn, seen)
            assert set(after) == (set(["ABCD", "EFGH", "IJKL"][turn]) if on_chart else {""})
            for table in answer["tables"] if on_chart else ():
                letter = table["why"][0].removeprefix("table ")[0]
                assert after[letter] == set(table["players"])
                assert before[letter] <= after[letter]
            here = sorted(set(NAMES) - set(gone))
            gone |= dict.fromkeys(random.sample(here, random.choice([0, 0, 1, 2])), turn + 1)
    assert seen >= {"drawn at random", "changed places", "absent", "by records"}


def _by_letter(printed_event: PrintedEvent, turn: int, seen: set[str]) -> dict[str, set[str]]:
    """Who is at the tables of a round, by the chart's letters, without those who are absent."""
    assert printed_event.book.pairing is not None
    assert printed_event.book.pairing.chart is not None
    seats = {seat: name for name, seat in SEATS.items()}
    row = fill_chart(printed_event, printed_event.book.pairing.chart, seats, printed_event.rounds)[turn]
    seen.update(word for slot in row for source, place in slot.sides for word in (source, place.says))
    return {
        slot.letter: {
            place.ids[0] for _, place in slot.sides if len(place.ids) == 1 and place.says != "absent"
        }
        for slot in row
    }


def _result(random: Random, players: list[str]) -> str:
    if len(players) == 1:
        return f"{players[0]} bye"
    return f"{players[0]} {random.choice(['2-0', '2-1', '1-2', '0-2', '2-1', '1-1'])} {players[1]}"


# Before the first round


def test_an_empty_sheet_has_lines_to_write_on() -> None:
    text = said(printed_event_of(played("draft-sheet")))
    assert "seats 1 2 3 4 5 6 7 8 round 1 A seat 1 seat 5 B seat 2 seat 6 C seat 3 seat 7 D" in text
    assert "L loser G loser H Standings rank name" in text


def test_without_seats_the_names_stand_in_the_list_from_a_to_z() -> None:
    text = said(printed_event_of(played("draft-sheet", players="Hugo Zed Ana Émile")))
    assert "seats 1 2 3 4 5 6 7 8 round" in text
    assert "Ana Émile Hugo Zed 8-player" in text


def test_known_seats_are_filled_in_before_anybody_played() -> None:
    text = said(pod())
    assert "A seat 1 Derek seat 5 Bernie B" in text
    assert "E winner A winner C F" in text


def test_rules_without_a_chart_say_so() -> None:
    without = [
        book_id for book_id in list_ids() if not ((pairing := load(book_id).pairing) and pairing.chart)
    ]
    assert len(without) > 1
    for book_id in without:
        with pytest.raises(BadInput, match=r"^these rules have no chart \(.+\)$"):
            build_chart(printed_event_of(played(book_id)), PrintOptions())


def test_a_chart_has_room_for_its_players_only() -> None:
    with pytest.raises(Impossible, match=r"^DS-3: the chart is for 6 to 8 players, not 9; for other numbers"):
        build_chart(printed_event_of(played("draft-sheet", players="a b c d e f g h i")), PrintOptions())


# Other charts


def house(folder: Path, *rounds: str) -> PrintedEvent:
    """The first round of a house book's chart is played, all won by the lower seat."""
    chart = ",\n".join("{ " + ", ".join(_tables(text)) + " }" for text in rounds)
    count = 2 * len(rounds[0].split(","))
    text = f"""
        id = "ours"
        base = "draft-sheet"
        title = "Our chart"
        [plan]
        exact_players = {count}
        [[stages]]
        source = "H-1"
        name = "chart"
        formats = ["swiss"]
        kind = "swiss"
        rounds = {len(rounds)}
        [pairing.chart]
        source = "H-2"
        rounds = [{chart}]
    """
    (folder / "ours.toml").write_text(text, encoding="utf-8")
    book = load("ours.toml", None, folder)
    assert book.pairing is not None
    assert book.pairing.chart is not None
    players = tuple(Player(id=f"p{seat}", name=f"Player{seat}", seat=seat) for seat in range(1, count + 1))
    first = [(f"p{a}", f"p{b}") for a, b in book.pairing.chart.rounds[0].values()]
    tables = tuple(Table(players=two, games=(2, 1, 0)) for two in first)
    return PrintedEvent("House", book, Options(), players, (Round(tables=tables),), (None, None))


def _tables(text: str) -> list[str]:
    """
    >>> _tables("C winner A/loser B")
    ['C = ["winner A", "loser B"]']
    """
    letters = (part.strip().partition(" ") for part in text.split(","))
    return [f'{letter} = ["{rest.replace("/", chr(34) + ", " + chr(34))}"]' for letter, _, rest in letters]


def test_a_chart_of_four_seats_and_two_rounds(tmp_path: Path) -> None:
    text = said(house(tmp_path, "A 1/2, B 3/4", "C winner A/winner B, D loser A/loser B"))
    assert text.startswith("Chart for 4 players, 2 rounds")
    assert "round 1 A seat 1 Player1 2 seat 2 Player2 1 B seat 3 Player3 2 seat 4 Player4 1" in text
    assert "round 2 C winner A Player1 winner B Player3 D loser A Player2 loser B Player4 Standing" in text
    assert "rank name round 1 round 2 matches" in text


def test_a_chart_of_six_seats_and_four_rounds(tmp_path: Path) -> None:
    printed_event = house(
        tmp_path,
        "A 1/4, B 2/5, C 3/6",
        "D winner A/winner B, E winner C/loser A, F loser B/loser C",
        "G winner D/winner E, H loser D/winner F, I loser E/loser F",
        "J winner G/winner H, K loser G/winner I, L loser H/loser I",
    )
    pdf = pdf_of(build_chart(printed_event, PrintOptions()))
    assert "E winner C Player3 loser A Player4 F" in text_of(pdf)
    assert "round 4 J winner G winner H K loser G winner I L loser H loser I Standing" in text_of(pdf)
    assert len(sheets(pdf)) == 1
    assert faults(pdf) == []


def test_a_chart_that_fills_a_page_has_its_standing_on_the_next(tmp_path: Path) -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"
    rounds = [", ".join(f"{letter} {k + 1}/{k + 9}" for k, letter in enumerate(letters[:8]))]
    for r in (1, 2, 3):
        places = [f"{word} {letter}" for letter in letters[8 * r - 8 : 8 * r] for word in ("winner", "loser")]
        rounds.append(
            ", ".join(f"{letters[8 * r + k]} {places[2 * k - 2]}/{places[2 * k + 1]}" for k in range(8))
        )
    pdf = pdf_of(build_chart(house(tmp_path, *rounds), PrintOptions()))
    first, second = sheets(pdf)
    assert {"Player16", "f"} <= {word.text for word in first.words}
    assert [word.text for word in second.words].count("Player16") == 1
    assert faults(pdf) == []


# Paper

SCRIPTS = [*HARD[:6], "Łukasz Żółć", "Ana"]


@pytest.mark.parametrize("paper", PAPERS)
def test_one_page_landscape_on_which_no_word_covers_another(paper: Paper) -> None:
    pdf = pdf_of(
        build_chart(
            pod(A_DRAWN, SECOND, name=dict(zip(NAMES, SCRIPTS, strict=True))), PrintOptions(paper=paper)
        )
    )
    (sheet,) = sheets(pdf)
    assert (round(sheet.width), round(sheet.height)) == {"a4": (297, 210), "us-letter": (279, 216)}[paper]
    assert faults(pdf) == []


def test_names_in_every_script_are_there_whole() -> None:
    printed_event = pod(FIRST, SECOND, THIRD, name=dict(zip(NAMES, SCRIPTS, strict=True)))
    text = said(printed_event)
    letters = text.replace(" ", "")
    for name in SCRIPTS:
        if name.isascii() or name in text:
            assert letters.count(name.replace(" ", "")) >= 5, name
        else:
            assert all(text.split().count(word) >= 5 for word in name.split()), name


def test_the_same_event_gives_the_same_bytes() -> None:
    one, other = (pdf_of(build_chart(pod(FIRST, SECOND), PrintOptions())) for _ in range(2))
    assert one == other
    assert one != pdf_of(build_chart(pod(FIRST), PrintOptions()))


# Empty seats (DS-18)

SIX = {name: seat for seat, name in enumerate(NAMES[:6], start=1)}


def six(*rounds: str) -> PrintedEvent:
    return printed_event_of(played("draft-sheet", *rounds, players=" ".join(SIX), seat=SIX))


def test_empty_seats_are_byes_before_anything_is_played() -> None:
    text = said(six())
    assert "Chart for 6 players, 3 rounds" in text
    assert "5 Bernie 6 Finn 7 empty 8 empty round 1" in text
    assert "C seat 3 Mariano seat 7, empty – bye D seat 4 Carl seat 8, empty – bye" in text
    assert "E winner A winner C Mariano F winner B winner D Carl" in text
    assert "G loser A loser C, empty – bye H loser B loser D, empty – bye" in text
    assert "K winner G winner H L loser G, empty – loser H, empty – empty table" in text


def test_a_whole_draft_of_six_stands_on_the_sheet() -> None:
    first = "Derek 2-1 Bernie, Ana 2-0 Finn, Mariano bye, Carl bye"
    second = "Mariano 2-0 Derek, Ana 2-0 Carl, Bernie bye, Finn bye"
    third = "Ana 2-1 Mariano, Derek 2-0 Carl, Bernie 2-0 Finn"
    text = said(six(first, second, third))
    assert (
        "round 2 E winner A Derek 0 winner C Mariano 2 F winner B Ana 2 winner D Carl 0 "
        "G loser A Bernie loser C, empty – bye H loser B Finn loser D, empty – bye "
        "round 3 I winner E Mariano 1 winner F Ana 2 J loser E Derek 2 loser F Carl 0 "
        "K winner G Bernie 2 winner H Finn 0 L loser G, empty – loser H, empty – empty table Standing"
    ) in text
    assert "1 Ana 2–0 2–0 2–1 3–0 6–1 9" in text
    assert "Mariano bye 2–0 1–2 1–1 +bye 3–2 6" in text
    assert said(printed_event_of(played("draft-sheet", first, second, third))) == text, (
        "seats as round 1 has them"
    )
    assert faults(pdf_of(build_chart(six(first), PrintOptions()))) == []


def test_places_that_nobody_has_yet_are_lines_to_write_on() -> None:
    assert "empty" not in said(printed_event_of(played("draft-sheet", players=" ".join(SIX))))
    assert "empty" not in said(printed_event_of(played("draft-sheet", players="Ana Bo", seat={"Ana": 3})))
