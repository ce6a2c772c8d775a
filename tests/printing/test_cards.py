"""Score cards: what each player played, against whom, and their points after every round."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from tests.builders import a_round, played
from tests.printing.pdf_reader import faults, sheets, text_of
from tests.printing.printable_events import HARD, pdf_of, printed_event_of
from topcut.errors import BadInput
from topcut.formats.event_file import Event
from topcut.history.model import Player, Round, Table
from topcut.printing.page import Paper, PrintOptions
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.score_cards import build_cards, describe_game_points, describe_points
from topcut.rulebook import load
from topcut.rulebook.options import Options
from topcut.text.names import name_key

PAPERS: list[Paper] = ["a4", "us-letter"]
SAMPLE = ("Kai 2-0 Mike", "Kai 2-1 Charles, Mike bye", "Kai 0-2 Svetlana", "Kai 1-1-1 Reese, Mike - Charles")
NUMBERS = {"Kai": "739879", "Mike": "985467", "Charles": "362111", "Svetlana": "81456318", "Reese": "1127453"}


def sample(**about: Any) -> Event:
    """DC-T1: W, W, L, D."""
    late = {"Charles": 2, "Svetlana": 3, "Reese": 4}
    return played("dci-1999", *SAMPLE, member=NUMBERS, entered=late, options={"rounds": 5}, **about)


def own(event: Event, player: str, **choice: Any) -> list[str]:
    """The lines of one player's card."""
    (sheet,) = sheets(pdf_of(build_cards(printed_event_of(event), PrintOptions(player=player, **choice))))
    rows = sheet.rows
    first = next(k for k, row in enumerate(rows) if row.startswith("round"))
    assert rows[0] == next(p.shown_name for p in event.file.players if player in (p.id, p.shown_name))
    key = next(k for k, row in enumerate(rows) if re.match(r"[^:]+: (win|all scores)", row))
    return rows[first + 1 : key]


def heads(printed_event: PrintedEvent, **choice: Any) -> list[str]:
    """The names on the cards, as they lie after they are cut."""
    pages = build_cards(printed_event, PrintOptions(**choice)).data["pages"]
    slots = [page[slot] for slot in range(len(pages[0])) for page in pages]
    return [card["name"] for card in slots if card is not None]


# What stands in the lines


def test_dc_t1_the_points_run_on() -> None:
    """DC-8: each game, the match, the opponent's number and name, and the running total of every round."""
    assert own(sample(), "Kai") == [
        "1 W W – × 985467 Mike 3",
        "2 2–1 × 362111 Charles 6",
        "3 L L – × 81456318 Svetlana 6",
        "4 1–1–1 × 1127453 Reese 7",
        "5",
    ]


def test_the_head_has_the_name_and_the_membership_number() -> None:
    (sheet,) = sheets(pdf_of(build_cards(printed_event_of(sample()), PrintOptions(player="Kai"))))
    assert sheet.rows[:3] == ["Kai", "membership number 739879 player number 1", "An event"]


def test_dc_t1_the_marks_stand_under_won_drawn_and_lost() -> None:
    (sheet,) = sheets(pdf_of(build_cards(printed_event_of(sample()), PrintOptions(player="Kai"))))
    letters = [word for word in sheet.words if word.text in ("W", "D", "L")]
    top = min(word.top for word in letters)  # the headings; below them are the letters of games
    middle = {word.text: (word.left + word.right) / 2 for word in letters if word.top < top + 1}
    marks = sorted((word.top, (word.left + word.right) / 2) for word in sheet.words if word.text == "×")
    found = [min(middle, key=lambda letter: abs(middle[letter] - x)) for _, x in marks]
    assert found == ["W", "W", "L", "D"]


def test_a_bye_a_missed_round_and_an_open_table_are_said() -> None:
    mike = ["1 L L – × 739879 Kai 0", "2 bye 3", "3 at no table 3", "4 362111 Charles", "5"]
    reese = ["1 missed 0", "2 missed 0", "3 missed 0", "4 1–1–1 × 739879 Kai 1", "5"]
    assert own(sample(), "Mike") == mike
    assert own(sample(), "Reese") == reese


def test_losses_without_an_opponent_and_double_losses() -> None:
    event = played("dci-1999", "A both-lose B, C loss", "A beats C, B loss", options={"rounds": 2})
    assert own(event, "A") == ["1 × B 0", "2 × C 3"]
    assert own(event, "B") == ["1 × A 0", "2 loss, no opponent 0"]


@pytest.mark.parametrize(
    ("why", "word"),
    [("dropped", "dropped"), ("disqualified", "disqualified"), ("cut", "did not make the cut")],
)
def test_who_left_has_no_more_lines(why: str, word: str) -> None:
    left: dict[str, Any] = {why: {"B": 1}}
    event = played("mtr", "A 2-0 B, C 2-0 D", "A 2-0 C, D bye", options={"rounds": 5}, **left)
    assert own(event, "B") == ["1 L L – × A 0", f"2 {word}"]
    assert own(event, "A") == ["1 W W – × B 3", "2 W W – × C 6", "3", "4", "5"]
    assert own(event, "B", after=0) == ["1", "2", "3", "4", "5"]


def test_as_it_was_after_a_round() -> None:
    assert own(sample(), "Kai", after=1) == ["1 W W – × 985467 Mike 3", "2", "3", "4", "5"]
    with pytest.raises(BadInput, match=r"^there is no round 9: expected 0 to 4$"):
        build_cards(printed_event_of(sample()), PrintOptions(after=9))


def test_larger_tables_have_several_opponents_with_their_scores() -> None:
    """AL-8: who was eliminated has 0."""
    event = played("allegiance-2005", "a:30* b:10 c:5x, d:30* e:2 f:29 g:3", member={"b": "77"})
    assert own(event, "a")[:4] == ["77 b: 10", "1 30 × 1", "c: 0", "2"]
    assert own(event, "c")[:4] == ["a: 30", "1 0 × 0", "77 b: 10", "2"]
    assert own(event, "f")[:4] == ["d: 30", "1 29 × e: 2 0", "g: 3", "2"]


def test_elimination_rounds_are_there_without_points() -> None:
    final = a_round("A 2-1 D", stage="elimination")
    event = played("mtr", "A 2-0 B, C 1-2 D", "A 2-0 D, B 2-0 C", final, options={"cut": 2, "rounds": 2})
    assert own(event, "A") == ["1 W W – × B 3", "2 W W – × D 6", "3 2–1 × D –"]
    assert own(event, "B") == ["1 L L – × A 0", "2 W W – × C 3"]


def test_planned_rounds_are_empty_lines() -> None:
    """DC-3: nine players play four rounds, twenty play five."""
    for count, rounds in ((9, 4), (20, 5)):
        event = played("dci-1999", players=" ".join(f"p{k}" for k in range(count)))
        assert own(event, "p3") == [str(number) for number in range(1, rounds + 1)]


# Whose cards


def test_one_player_by_id_or_by_name() -> None:
    event = played("mtr", "a 2-0 b", name={"a": "Ada", "b": "ADA L."})
    assert heads(printed_event_of(event), player="a") == ["Ada"]
    assert heads(printed_event_of(event), player="ada l.") == ["ADA L."]
    assert heads(printed_event_of(event), player="ada l") == ["ADA L."]


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        (
            PrintOptions(player="ad"),
            '"ad" fits several players: Ada (a), Ada (b). Enter the id, or more of the name.',
        ),
        (PrintOptions(player="Zoë"), 'No player is called "Zoë". Enter an id or a name.'),
        (PrintOptions(division="senior"), "there is no player to print a card for"),
    ],
)
def test_nobody_is_guessed(choice: PrintOptions, problem: str) -> None:
    event = played("pokemon-2017", "a beats b", name={"a": "Ada", "b": "Ada"})
    with pytest.raises(BadInput, match=f"^{re.escape(problem)}$"):
        build_cards(printed_event_of(event), choice)


def test_a_division_alone() -> None:
    event = played("pokemon-2017", "a beats b, c beats d", division={"a": "senior", "c": "masters"})
    assert heads(printed_event_of(event), division="senior") == ["a"]


def test_an_event_without_players_has_no_cards() -> None:
    with pytest.raises(BadInput, match=r"^there is no player to print a card for$"):
        build_cards(printed_event_of(played("mtr")), PrintOptions())


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("dci-1999", "Match points: win 3, draw 1, loss 0, bye 3"),
        ("allegiance-2005", "Wins: win 1, draw 0, loss 0"),
        ("commander-4", "Points: win 5, draw 1, loss 0"),
    ],
)
def test_dc_9_the_key_says_what_results_are_worth(rules: str, expected: str) -> None:
    assert describe_points(load(rules)) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("dci-1999", "Game points: won 3, drawn or unfinished 1, lost 0, not played 0"),
        ("pokemon-2017", ""),
        ("commander-4", ""),
    ],
)
def test_dc_9_the_key_says_what_games_are_worth(rules: str, expected: str) -> None:
    assert describe_game_points(load(rules)) == expected


def test_the_card_has_the_key_and_room_for_initials() -> None:
    """DC-8."""
    text = text_of(pdf_of(build_cards(printed_event_of(sample()), PrintOptions(player="Kai"))))
    for words in ("Match points: win 3", "Game points: won 3, drawn or unfinished 1", "initials", "games"):
        assert words in text


def test_more_games_than_there_are_boxes_are_a_score() -> None:
    event = played("dci-1999", "A 1-1-3 B", options={"rounds": 1})
    assert own(event, "A") == ["1 1–1–3 × B 1"]


@pytest.mark.parametrize(
    ("games", "winner", "loser"),
    [
        ("2-0", "W W –", "L L –"),
        ("2-1", "2–1", "1–2"),
        ("1-0", "W – –", "L – –"),
        ("2-0-1", "2–0–1", "0–2–1"),
        ("1-1-1", "1–1–1", "1–1–1"),
        ("0-0-3", "D D D", "D D D"),
    ],
)
def test_an_order_of_games_is_printed_only_where_the_result_tells_it(
    games: str, winner: str, loser: str
) -> None:
    """After two wins there is no third game, and who won the first of three is not recorded."""
    event = played("dci-1999", f"A {games} B", options={"rounds": 1})
    assert own(event, "A")[0].startswith(f"1 {winner} ×")
    assert own(event, "B")[0].startswith(f"1 {loser} ×")


# Paper


def many(players: int, rounds: int, rules: str = "dci-1999", **about: Any) -> PrintedEvent:
    """Everybody sits beside another one in each round."""
    people = tuple(Player(id=f"p{k}", name=f"N{k * 7919 % players:04}", **about) for k in range(players))
    made = []
    for r in range(rounds):
        half = players // 2
        pairs = [(f"p{k}", f"p{half + (k + r) % half}") for k in range(half)]
        made.append(Round(tables=tuple(Table(players=two, games=(2, r % 2, 0)) for two in pairs)))
    return PrintedEvent("A cup", load(rules), Options(), people, tuple(made), (None,) * (rounds + 1))


@pytest.mark.large
def test_500_cards_of_nine_rounds() -> None:
    """Every name is on its card and on its opponents'; standings are computed once for each round."""
    printed_event = many(500, 9)
    pdf = pdf_of(build_cards(printed_event, PrintOptions()))
    words = Counter(text_of(pdf).split())
    assert {words[name] for name in printed_event.names.values()} == {10}
    assert len(printed_event.names) == words["opponent's"] == 500
    assert len(printed_event.boards) <= 10


def test_cards_are_cut_as_a_pile_and_lie_from_a_to_z() -> None:
    printed_event = many(39, 1)
    assert heads(printed_event) == sorted(printed_event.names.values(), key=name_key)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("rounds", "on_page"), [(3, 4), (12, 4), (30, 2)])
def test_many_rounds_have_larger_cards_of_one_height(paper: Paper, rounds: int, on_page: int) -> None:
    pdf = pdf_of(build_cards(many(8, rounds), PrintOptions(paper=paper)))
    found = sheets(pdf)
    assert len(found) == 8 // on_page
    width, height = {"a4": (210, 297), "us-letter": (216, 279)}[paper]
    assert {(round(sheet.width), round(sheet.height)) for sheet in found} == {(width, height)}
    tops = sorted({round(w.top, 1) for w in found[0].words if w.text == "opponent's"})
    assert len(tops) == on_page // 2
    assert all(abs(b - a - height / 2) < 0.5 for a, b in pairwise(tops))
    assert faults(pdf) == []


def test_more_rounds_than_a_card_holds_go_on_another_one() -> None:
    pdf = pdf_of(build_cards(many(2, 90), PrintOptions(player="p1")))
    text = text_of(pdf)
    assert sorted(re.findall(r"card \d of \d", text)) == ["card 1 of 3", "card 2 of 3", "card 3 of 3"]
    assert text.count("N0000") + text.count("N0001") == 90 + 3
    assert faults(pdf) == []


SCRIPTS = [HARD[0], HARD[1], HARD[4], HARD[5], HARD[7], HARD[8]]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("rules", ["dci-1999", "commander-4"])
def test_names_in_every_script_are_there_whole_and_nothing_is_covered(paper: Paper, rules: str) -> None:
    ids = "abcdef"
    first, second = ("a 2-0 b, c 2-1 d, e 1-1-1 f", "a 2-0 c, b 2-1 e, d 1-2 f")
    if rules == "commander-4":
        first, second = "a beats b c, d beats e f", "a beats d e, b beats c f"
    names = dict(zip(ids, SCRIPTS, strict=True))
    numbers = {"a": "1234567", "b": "A-VERY-LONG-MEMBERSHIP-NUMBER"}
    event = played(rules, first, second, name=names, member=numbers, options={"rounds": 12})
    pdf = pdf_of(build_cards(printed_event_of(event), PrintOptions(paper=paper)))
    assert faults(pdf) == []
    text = text_of(pdf)
    often = 3 if rules == "dci-1999" else 5
    for name in SCRIPTS:
        if name.isascii():
            assert text.replace(" ", "").count(name) == often
        assert name.isascii() or all(text.split().count(word) >= often for word in name.split()), name


def test_the_same_event_gives_the_same_bytes() -> None:
    one, other = (pdf_of(build_cards(printed_event_of(sample()), PrintOptions())) for _ in range(2))
    assert one == other
    assert one != pdf_of(build_cards(printed_event_of(sample(), at="later"), PrintOptions()))
