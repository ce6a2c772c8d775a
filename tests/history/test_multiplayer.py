"""Results at tables of three and four: who can have won, and how a tie is broken (AL-6 to AL-11)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.builders import played
from tests.builders import table as seats
from tests.command_line import Case, assert_refused, changed, document, topcut, write
from topcut.errors import BadInput
from topcut.history import Outcome, Player, Round, Table, build_history
from topcut.rulebook import Book, load

AL = load("allegiance-2005")
"""The target is 20; a tie is broken by two counts."""
BELOW = load("allegiance-2005", {"AL-A11": "b"})
OPEN = replace(AL, match=replace(AL.match, target=None))
ONLY_WINNER = load("commander-4")

FIRST, SECOND = AL.match.tie_counts
PLACE = "rounds[0].tables[0]"


def result(text: str | Table, book: Book = AL, **more: Any) -> list[tuple[str, int]]:
    """What a table was for each player: the outcome and the score."""
    made = replace(seats(text), **more) if isinstance(text, str) else text
    history = build_history(
        [Player(id=player_id) for player_id in made.players], [Round(tables=(made,))], book
    )
    scores = [0] * history.size if history.scores is None else history.scores[0].tolist()
    return [(Outcome(p).name, score) for p, score in zip(history.played[0], scores, strict=True)]


def refusal(text: str | Table, book: Book = AL, **more: Any) -> str:
    """The place inside the table and what is wrong there."""
    with pytest.raises(BadInput) as refused:
        result(text, book, **more)
    said = str(refused.value)
    assert said.startswith(PLACE)
    assert said.isprintable()
    return said.removeprefix(PLACE).removeprefix(".")


def outcomes(text: str, book: Book = AL, **more: Any) -> str:
    """W, L or D for each player."""
    return "".join(outcome[0] for outcome, _ in result(text, book, **more))


# Who can have won (AL-7, AL-9, AL-A10)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:20* b:19 c:0", "WLL"),
        ("a:23 b:24* c:10", "LWL"),
        ("a:13 b:21* c:6 d:20", "LWLL"),
        ("a:20* b:20* c:5", "WWL"),
        ("a:20* b:20 c:5", "WLL"),  # the tie was broken, and nobody wrote down how
        ("a:20* b:20* c:20* d:20*", "WWWW"),
        ("a:25x b:20* c:3", "LWL"),
        ("a:1000000000* b:0 c:0", "WLL"),
    ],
)
def test_the_most_and_the_target_win(text: str, expected: str) -> None:
    assert outcomes(text) == expected


@pytest.mark.parametrize(
    "text", ["a:15 b:18 c:0x", "a:19 b:3 c:19", "a:25 b:3 c:19", "a:20 b:20 c:20", "a:-4 b:0 c:-9"]
)
def test_nobody_can_win_at_any_score(text: str) -> None:
    for winners in ((), None):
        assert outcomes(text, winners=winners) == "DDD"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a:23* b:24 c:10", 'winners[0]: "a" won with 23, but "b" has 24: expected the most at the table'),
        ("a:24* b:23* c:10", 'winners[1]: "b" won with 23, but "a" has 24: expected the most at the table'),
        ("a:5 b:19* c:10", 'winners[0]: "b" won with 19: expected at least the target of 20'),
        ("a:19* b:19* c:10", 'winners[0]: "a" won with 19: expected at least the target of 20 (AL-A11)'),
        ("a:19* b:24x c:10", 'winners[0]: "a" won with 19: expected at least the target of 20'),
        ("a:-3* b:24x c:-9", 'winners[0]: "a" won with -3, but "b" has 0: expected the most at the table'),
    ],
)
def test_less_than_the_most_or_the_target_does_not(text: str, says: str) -> None:
    assert refusal(text) == says


def test_whoever_was_eliminated_has_nought_and_has_not_won() -> None:  # AL-8
    assert result("a:25x b:20* c:3x") == [("LOSS", 0), ("WIN", 20), ("LOSS", 0)]
    assert refusal("a:25 b:20 c:3x", winners=("c",)) == 'winners: "c" was eliminated and cannot have won'


@pytest.mark.parametrize(
    ("text", "expected"), [("a:3* b:2 c:1", "WLL"), ("a:-1* b:-2 c:-3", "WLL"), ("a:2* b:2* c:1", "WWL")]
)
def test_without_a_target_the_most_is_enough(text: str, expected: str) -> None:
    assert outcomes(text, OPEN) == expected
    assert refusal("a:3 b:2* c:1", OPEN).startswith('winners[0]: "b" won with 2, but "a" has 3')


@pytest.mark.parametrize(
    ("target", "accepted"), [(None, "a:20* b:1 c:1"), (15, "a:15* b:1 c:1"), (30, "a:30* b:20 c:1")]
)
def test_an_event_may_play_to_another_target(target: int | None, accepted: str) -> None:
    options = {} if target is None else {"target": target}
    event = played(AL.id, accepted, options=options)
    assert event.book.match.target == (target or 20)
    short = f"a:{(target or 20) - 1}* b:1 c:1"
    with pytest.raises(BadInput, match=rf"expected at least the target of {target or 20}$"):
        played(AL.id, short, options=options)


def test_a_tie_below_the_target_can_be_won_where_it_is_read_so() -> None:  # AL-A11
    assert outcomes("a:19* b:19* c:5", BELOW) == "WWL"
    assert outcomes("a:19* b:19 c:5", BELOW, tie_counts=({"a": 2, "b": 1},)) == "WLL"
    alone = 'winners[0]: "a" won with 19: expected at least the target of 20, or a tie at the top'
    assert refusal("a:19* b:18 c:5", BELOW) == alone
    assert refusal("a:0* b:9x c:9x", BELOW).endswith("or a tie at the top")  # who is out is level with nobody
    assert refusal("a:19 b:18* c:18*", BELOW).endswith("expected the most at the table")


# How a tie is broken (AL-10)


@pytest.mark.parametrize(
    ("text", "counts", "expected"),
    [
        ("a:20* b:20 c:5", [{"a": 3, "b": 1}], "WLL"),
        ("a:20 b:20* c:5", [{"a": 3, "b": 3}, {"a": 5, "b": 7}], "LWL"),
        ("a:20* b:20* c:5", [{"a": 3, "b": 3}, {"a": 7, "b": 7}], "WWL"),
        ("a:24 b:24* c:24 d:1", [{"a": 3, "b": 3, "c": 1}, {"b": 2, "a": 0}], "LWLL"),
        ("a:20* b:20 c:5", [], "WLL"),
        ("a:21* b:20 c:5", [], "WLL"),
        ("a:20* b:20 c:25x", [{"a": 1, "b": 0}], "WLL"),
    ],
)
def test_counts_break_a_tie(text: str, counts: list[dict[str, int]], expected: str) -> None:
    assert outcomes(text, tie_counts=tuple(counts)) == expected


def test_what_was_counted_is_no_part_of_the_score() -> None:  # AL-11
    counts = ({"a": 3, "b": 3}, {"a": 7, "b": 5})
    assert [score for _, score in result("a:20* b:20 c:5", tie_counts=counts)] == [20, 20, 5]
    assert [score for _, score in result("a:20* b:20 c:5", win_given_to="a")] == [20, 20, 5]


LEVEL = {"a": 3, "b": 3}
STILL = "expected a number for each player who is still tied: "


@pytest.mark.parametrize(
    ("text", "counts", "says"),
    [
        ("a:21* b:20 c:5", [{"a": 1, "b": 0}], "tie_counts: no players are tied at the top: expected a tie"),
        ("a:20* b:20x c:5", [{"a": 1, "b": 0}], "tie_counts: no players are tied at the top: expected a tie"),
        (
            "a:19 b:19 c:5",
            [LEVEL],
            'tie_counts: "a" and "b" are tied below the target of 20: expected no winner',
        ),
        (
            "a:20* b:20 c:5",
            [LEVEL] * 3,
            f"tie_counts: too many counts: expected at most these: {FIRST}, {SECOND}",
        ),
        ("a:20* b:20 c:5", [{"a": 1}], f'tie_counts[0]: {STILL}"a" and "b"'),
        ("a:20* b:20 c:5", [{}], f'tie_counts[0]: {STILL}"a" and "b"'),
        ("a:20* b:20 c:5", [{"a": 1, "b": 0, "c": 0}], f'tie_counts[0]: {STILL}"a" and "b"'),
        ("a:20* b:20 c:5", [{"a": 1, "z": 0}], f'tie_counts[0]: {STILL}"a" and "b"'),
        (
            "a:20* b:20 c:20",
            [{"a": 2, "b": 2, "c": 1}, {"a": 2, "b": 1, "c": 3}],
            f'tie_counts[1]: {STILL}"a" and "b"',
        ),
        (
            "a:20* b:20 c:5",
            [{"a": 2, "b": 1}, {"a": 2, "b": 1}],
            'tie_counts[1]: "a" alone had the most in the count before: expected no further count',
        ),
        ("a:20* b:20 c:5", [{"a": 2, "b": -1}], "tie_counts[0]: expected numbers from 0 to 1,000,000,000"),
        (
            "a:20* b:20 c:5",
            [{"a": 10**9 + 1, "b": 1}],
            "tie_counts[0]: expected numbers from 0 to 1,000,000,000",
        ),
        (
            "a:20* b:20 c:5",
            [LEVEL],
            f'tie_counts: "a" and "b" are still tied: expected the next count, {SECOND}',
        ),
        (
            "a:20* b:20* c:5",
            [LEVEL],
            f'tie_counts: "a" and "b" are still tied: expected the next count, {SECOND}',
        ),
        ("a:20* b:20 c:5", [{"a": 1, "b": 2}], 'winners: expected "b", who had the most in the last count'),
        ("a:20* b:20* c:5", [{"a": 1, "b": 2}], 'winners: expected "b", who had the most in the last count'),
        ("a:20 b:20 c:5", [{"a": 1, "b": 2}], 'winners: expected "b", who had the most in the last count'),
        (
            "a:20* b:20 c:5",
            [LEVEL] * 2,
            'winners: expected "a" and "b", who are tied in all counts (or one of them',
        ),
        ("a:20 b:20 c:5", [LEVEL] * 2, 'winners: expected "a" and "b", who are tied in all counts'),
        (
            "a:20 b:20 c:20*",
            [{"a": 1, "b": 1, "c": 0}, LEVEL],
            'winners: expected "a" and "b", who are tied',
        ),
    ],
)
def test_counts_that_cannot_have_been_taken(text: str, counts: list[dict[str, int]], says: str) -> None:
    assert refusal(text, tie_counts=tuple(counts)).startswith(says)


def test_counts_where_the_rules_count_nothing() -> None:
    nothing = replace(AL, match=replace(AL.match, tie_counts=()))
    says = "tie_counts: too many counts: expected none in this ruleset"
    assert refusal("a:20* b:20 c:5", nothing, tie_counts=(LEVEL,)) == says
    assert outcomes("a:20* b:20 c:5", nothing, win_given_to="a") == "WLL"


@pytest.mark.parametrize("counts", [None, (), (LEVEL, LEVEL)])
def test_those_still_level_may_give_the_win_to_one_of_them(counts: Any) -> None:
    assert outcomes("a:20* b:20 c:5", tie_counts=counts, win_given_to="a") == "WLL"


@pytest.mark.parametrize(
    ("text", "given_to", "counts", "says"),
    [
        ("a:20* b:20* c:5", "a", None, 'winners: expected "a", to whom the win was given'),
        ("a:20* b:20 c:5", "b", None, 'winners: expected "b", to whom the win was given'),
        ("a:20 b:20 c:5", "b", None, 'winners: expected "b", to whom the win was given'),
        (
            "a:20* b:20 c:5",
            "c",
            None,
            'win_given_to: "c" is not one of the players still tied: expected "a" or "b"',
        ),
        (
            "a:20* b:20 c:5",
            "",
            None,
            'win_given_to: "" is not one of the players still tied: expected "a" or "b"',
        ),
        (
            "a:20* b:20 c:20",
            "c",
            [{"a": 3, "b": 3, "c": 1}, LEVEL],
            'win_given_to: "c" is not one of the players still tied: expected "a" or "b"',
        ),
        ("a:21* b:20 c:5", "a", None, "win_given_to: no players are tied at the top: expected a tie"),
        (
            "a:19 b:19 c:5",
            "a",
            None,
            'win_given_to: "a" and "b" are tied below the target of 20: expected no winner',
        ),
        (
            "a:20* b:20 c:5",
            "a",
            [LEVEL],
            f'tie_counts: "a" and "b" are still tied: expected the next count, {SECOND}',
        ),
        (
            "a:20* b:20 c:5",
            "a",
            [{"a": 2, "b": 1}],
            'win_given_to: "a" alone had the most in the last count: expected no win to be given',
        ),
    ],
)
def test_wins_that_cannot_have_been_given(text: str, given_to: str, counts: Any, says: str) -> None:
    tie_counts = None if counts is None else tuple(counts)
    assert refusal(text, win_given_to=given_to, tie_counts=tie_counts).startswith(says)


# Only who won


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a beats b c d", "WLLL"), ("a ties b c", "DDD"), ("a both-lose b c d", "DDDD"), ("a - b c", "III")],
)
def test_a_table_reports_who_won(text: str, expected: str) -> None:
    found = result(text, ONLY_WINNER)
    assert "".join(outcome[0] for outcome, _ in found) == expected
    assert ("DOUBLE_LOSS" in found[0]) == ("both-lose" in text)


@pytest.mark.parametrize("name", ["scores", "games", "winners", "eliminated", "tie_counts", "win_given_to"])
def test_such_a_table_reports_nothing_else(name: str) -> None:
    more: dict[str, Any] = {
        "scores": (1, 2, 3),
        "games": (2, 1, 0),
        "tie_counts": (LEVEL,),
        "win_given_to": "a",
    }
    given_there = {name: more.get(name, ("a",))}
    assert refusal("a - b c", ONLY_WINNER, **given_there) == f"{name}: expected a winner in this ruleset"


def test_whoever_won_sits_there() -> None:
    says = 'winner: "z" does not sit at this table: expected "a", "b", "c", "draw" or "double_loss"'
    assert refusal("a - b c", ONLY_WINNER, winner="z") == says
    says = 'winner: "draw" is also the id of a player here: expected another id'
    assert refusal("draw beats b c", ONLY_WINNER) == says


def test_there_are_no_byes_and_a_draw_may_be_agreed_on() -> None:
    assert refusal("a bye", ONLY_WINNER).startswith("bye: there are no byes here")
    assert refusal("a beats b", ONLY_WINNER) == "players: expected 4 or 3 players at a table, not 2"
    assert outcomes("a ties b c d", ONLY_WINNER, intentional=True) == "DDDD"


def test_a_table_of_scores_may_report_only_who_won() -> None:
    assert result("a beats b c") == [("WIN", 0), ("LOSS", 0), ("LOSS", 0)]
    assert outcomes("a ties b c") == "DDD"
    assert refusal("draw beats b c").endswith("expected scores")


# In the event file

TIE = document(
    played(AL.id, Round(tables=(replace(seats("a:20* b:20 c:5"), tie_counts=({"a": 2, "b": 1},)),)))
)
ONLY_WINNERS = document(played(ONLY_WINNER.id, "a beats b c d, e ties f g"))


@pytest.mark.parametrize("plain", [TIE, ONLY_WINNERS])
def test_it_is_accepted(plain: dict[str, Any], tmp_path: Path) -> None:
    assert topcut("standings", str(write(plain, tmp_path / "cup.json"))).code == 0


CASES = [
    Case("a lower score wins", TIE, {f"{PLACE}.scores": [20, 21, 5]}, "the most", f"{PLACE}.winners[0]"),
    Case("below the target", TIE, {"options": {"target": 21}}, "target of 21", f"{PLACE}.winners[0]"),
    Case("a target of nought", TIE, {"options": {"target": 0}}, "from 1", "options.target"),
    Case("an enormous target", TIE, {"options": {"target": 10**12}}, "from 1", "options.target"),
    Case("a target without scores", ONLY_WINNERS, {"options": {"target": 20}}, "no use", "options.target"),
    Case("a count that is a list", TIE, {f"{PLACE}.tie_counts[0]": [2, 1]}, "a table of keys"),
    Case(
        "a count of text",
        TIE,
        {f"{PLACE}.tie_counts[0].a": "2"},
        "a whole number",
        f"{PLACE}.tie_counts[0][...]",
    ),
    Case(
        "half a token", TIE, {f"{PLACE}.tie_counts[0].a": 2.5}, "whole number", f"{PLACE}.tie_counts[0][...]"
    ),
    Case("half a point", TIE, {f"{PLACE}.scores[0]": 20.5}, "whole number"),
    Case("a misspelt key", TIE, {f"{PLACE}.tiecounts": []}, '"tiecounts"', PLACE),
    Case("a win given to nobody here", TIE, {f"{PLACE}.win_given_to": "z"}, "alone", f"{PLACE}.win_given_to"),
    Case(
        "scores where only a winner is reported",
        ONLY_WINNERS,
        {PLACE: {"players": ["a", "b", "c"], "scores": [1, 2, 3]}},
        "a winner",
        f"{PLACE}.scores",
    ),
    *(
        Case(
            f"{name} without scores",
            TIE,
            {PLACE: {"players": ["a", "b", "c"], "winner": "a", name: value}},
            f"expected scores beside {name}",
            f"{PLACE}.{name}",
        )
        for name, value in {"tie_counts": [], "win_given_to": "a", "winners": [], "eliminated": []}.items()
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_is_refused(case: Case, tmp_path: Path) -> None:
    case.check(tmp_path)


def test_a_mistake_in_the_second_round_is_found_there(tmp_path: Path) -> None:
    second = {"tables": [{"players": ["a", "b", "c"], "scores": [1, 2, 3], "winners": ["c"]}]}
    file = write(changed(TIE, {"rounds[1]": second}), tmp_path / "cup.json")
    assert_refused(
        topcut("standings", str(file)), f"{file}: rounds[1].tables[0].winners[0]: ", "target of 20"
    )
