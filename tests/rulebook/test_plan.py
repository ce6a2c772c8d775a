"""Does the plan of an event say what the published tables and rules say?"""

from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.rulebook.plan_shortcuts import PK, mistake, planned, refusal
from topcut.errors import TopcutError
from topcut.rulebook import Book, list_ids, load
from topcut.rulebook.planning.plan import MOST_PLAYERS, DayTwo, Wishes, find_bracket_size, plan_event

Row = tuple[int | None, int, int | None]
"""Up to so many players, so many rounds, this cut."""

VG: list[Row] = [
    *[(8, 3, 2), (16, 4, 4), (32, 5, 8), (64, 6, 8), (128, 7, 8), (226, 8, 8)],
    *[(256, 8, 16), (409, 9, 16), (512, 9, 32), (None, 10, 32)],
]
TCG: list[Row] = [(8, 3, None), (12, 4, 4), (20, 5, 4), (32, 5, 8), (64, 6, 8), (128, 7, 8), (226, 8, 8)]
CHART: list[Row] = [
    *[(8, 3, None), (16, 4, None), (32, 5, 8), (64, 6, 8)],
    *[(128, 7, 8), (226, 8, 8), (409, 9, 8), (None, 10, 8)],
]
TABLES: dict[tuple[str, str], list[Row]] = {
    (PK, "vg"): VG,
    (PK, "tcg-single-day"): [*TCG, (409, 9, 8), (None, 10, 8)],
    (PK, "vg-international"): [*TCG, (799, 9, 8), (None, 9, 8)],
    (PK, "tcg-two-day"): [*TCG, (799, 9, 8), (None, 9, 8)],
    ("dci-1999", "top-8"): CHART,
    ("fab-gem", "recommended"): CHART,
    ("mtr", "appendix-e"): [(8, 3, None), (16, 5, 4), *CHART[2:]],
    ("mtr", "limited"): [(8, 3, None), (16, 4, 8), *CHART[2:]],
}


class TestRoundTables:
    @pytest.mark.parametrize(
        ("rules", "table", "players", "rounds", "cut"),
        [
            pytest.param(rules, table, players, rounds, cut, id=f"{table}-{players}")
            for (rules, table), rows in TABLES.items()
            for first, (last, rounds, cut) in zip(
                [4, *(row[0] + 1 for row in rows[:-1] if row[0])], rows, strict=True
            )
            for players in (first, last or MOST_PLAYERS)
        ],
    )
    def test_both_edges_of_every_row(
        self, rules: str, table: str, players: int, rounds: int, cut: int | None
    ) -> None:
        answer = planned(rules, players, table=table, format="swiss+elimination")
        assert (answer.rounds, answer.cut, answer.bracket, answer.byes) == (rounds, cut, cut, 0)

    @pytest.mark.parametrize("table", ["vg-international", "tcg-two-day"])
    @pytest.mark.parametrize(("players", "second_day"), [(226, None), (227, 5), (799, 5), (800, 6)])
    def test_the_second_day(self, table: str, players: int, second_day: int | None) -> None:  # PK-T12
        answer = planned(PK, players, table=table)
        assert answer.day_two == (DayTwo(rounds=second_day, points=21, top=32) if second_day else None)
        assert (answer.rounds, answer.cut) == (9 if second_day else 8, 8)

    @pytest.mark.parametrize(
        ("table", "players", "total"),
        [
            *[
                ("vg", n, t)
                for n, t in [(8, 4), (16, 6), (32, 8), (64, 9), (128, 10), (226, 11), (256, 12), (409, 13)]
            ],
            *[("vg", n, t) for n, t in [(512, 14), (513, 15)]],
            *[("tcg-single-day", n, t) for n, t in [(8, 3), (12, 6), (20, 7), (32, 8), (64, 9), (128, 10)]],
            *[("tcg-single-day", n, t) for n, t in [(226, 11), (409, 12), (410, 13)]],
            *[
                ("tcg-two-day", n, t)
                for n, t in [(8, 3), (12, 6), (20, 7), (32, 8), (226, 11), (799, 17), (800, 18)]
            ],
        ],
    )
    def test_the_printed_totals(self, table: str, players: int, total: int) -> None:  # PK-54
        assert planned(PK, players, table=table).total_rounds == total

    def test_the_usual_table(self) -> None:
        answer = planned(PK, 20)
        assert (answer.table, answer.rounds, answer.cut) == ("tcg-single-day", 5, 4)

    @pytest.mark.parametrize("players", [4, 5, 6, 7])
    def test_a_small_field_uses_the_first_row_and_says_so(self, players: int) -> None:  # PK-A14
        answer = planned(PK, players)
        assert (answer.rounds, answer.cut) == (3, None)
        assert answer.notes == ("the published tables begin at 8 players; the row for 8 is used (PK-A14)",)

    @pytest.mark.parametrize(("players", "noted"), [(4, True), (8, True), (16, True), (17, False)])
    def test_below_the_chart_there_is_a_note(self, players: int, noted: bool) -> None:  # DC-T3
        note = "the published chart begins at 17 players (DC-A6)"
        assert planned("dci-1999", players).notes == ((note,) if noted else ())

    def test_too_small_a_field_is_refused(self) -> None:
        assert refusal(PK, 3) == "PK-A14: 3 players cannot play; at least 4 are needed"
        assert refusal("dci-1999", 3) == "DC-A6: 3 players cannot play; at least 4 are needed"
        assert refusal(PK, 1, format="swiss") == "PK-4: 1 player cannot play; a table has 2 players"

    def test_an_unknown_table_names_those_there_are(self) -> None:
        tables = "vg, vg-international, tcg-single-day, tcg-two-day"
        assert mistake(PK, 20, table="tcg") == f'table: no round table "tcg": expected one of {tables}'
        expected = 'table: no round table "tcg": draft-sheet has no round tables'
        assert mistake("draft-sheet", 8, table="tcg") == expected

    @pytest.mark.parametrize("players", [-1, 0, MOST_PLAYERS + 1])
    def test_numbers_that_nobody_has(self, players: int) -> None:
        assert mistake(PK, players) == f"players: expected 1 to 10,000,000 players, not {players}"


class TestFormats:
    def test_a_ruleset_whose_usual_format_has_no_cut_says_that_one_can_follow(self) -> None:
        answer = planned("mtr", 40)
        assert (answer.format, answer.rounds, answer.cut, answer.bracket) == ("swiss", 6, None, None)
        assert answer.notes == ("Appendix E: a top 8 can follow (format swiss+elimination)",)
        assert planned("mtr", 40, format="swiss").notes == ()

    def test_a_cut_asks_for_elimination(self) -> None:
        answer = planned("mtr", 40, cut=4)
        assert (answer.format, answer.cut, answer.elimination_rounds) == ("swiss+elimination", 4, 2)

    def test_no_cut_where_the_table_has_none(self) -> None:
        answer = planned("dci-1999", 12, format="swiss+elimination")
        assert (answer.rounds, answer.cut, answer.total_rounds) == (4, None, 4)
        assert "the table has no cut for so few players" in answer.notes

    @pytest.mark.parametrize(
        ("players", "rounds"),
        [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (17, 5), (512, 9), (513, 10)],
    )
    def test_swiss_rounds_only(self, players: int, rounds: int) -> None:  # PK-A12
        answer = planned(PK, players, format="swiss")
        assert (answer.rounds, answer.cut, answer.table) == (rounds, None, None)

    def test_a_table_that_has_no_part_in_it_is_noted(self) -> None:
        answer = planned(PK, 13, format="swiss", table="vg")
        assert answer.rounds == 4
        assert answer.notes == (
            "enough rounds for a single unbeaten player (PK-A12)",
            "the table vg is not used by an event of Swiss rounds only (PK-A12)",
        )

    @pytest.mark.parametrize(
        ("players", "bracket", "byes", "rounds"),
        [
            (53, 64, 11, 6),
            (8, 8, 0, 3),
            (9, 16, 7, 4),
            (33, 64, 31, 6),
            (64, 64, 0, 6),
            (5, 8, 3, 3),
            (2, 2, 0, 1),
        ],
    )
    def test_elimination(self, players: int, bracket: int, byes: int, rounds: int) -> None:  # PK-T4
        answer = planned(PK, players, format="elimination")
        assert (answer.bracket, answer.byes, answer.elimination_rounds) == (bracket, byes, rounds)
        assert (answer.rounds, answer.cut, answer.total_rounds, answer.notes) == (0, None, rounds, ())

    @pytest.mark.parametrize(("players", "rounds"), [(2, 2), (5, 6), (8, 6), (9, 8)])
    def test_double_elimination(self, players: int, rounds: int) -> None:
        answer = planned("mtr", players, format="double-elimination")
        assert (answer.bracket, answer.byes) == (
            find_bracket_size(players),
            find_bracket_size(players) - players,
        )
        assert (answer.elimination_rounds, answer.total_rounds) == (rounds, rounds)

    @pytest.mark.parametrize(("players", "rounds"), [(2, 1), (7, 7), (8, 7)])
    def test_round_robin(self, players: int, rounds: int) -> None:
        answer = planned("mtr", players, format="round-robin")
        assert (answer.rounds, answer.total_rounds, answer.bracket) == (rounds, rounds, None)

    @pytest.mark.parametrize("event_format", ["double-elimination", "round-robin"])
    def test_an_unusual_format_needs_approval(self, event_format: str) -> None:
        assert (
            f"{event_format} needs approval before the event (PK-2)"
            in planned(PK, 8, format=event_format).notes
        )

    def test_a_format_that_the_ruleset_has_not(self) -> None:
        expected = "AL-14: allegiance-2005 plays swiss, not elimination"
        assert refusal("allegiance-2005", 9, format="elimination") == expected
        assert refusal("draft-sheet", 8, cut=4) == "DS-1: draft-sheet plays swiss, not swiss+elimination"

    @pytest.mark.parametrize("wish", [{"flights": 2}, {"table": "vg"}, {"one_less": True}, {"max_rounds": 5}])
    def test_what_has_no_use_without_swiss_rounds(self, wish: dict[str, Any]) -> None:
        (name,) = wish
        expected = f"{name}: has no use in the format elimination, which has no Swiss rounds"
        assert mistake(PK, 64, format="elimination", **wish) == expected

    def test_a_cut_has_no_use_without_elimination(self) -> None:
        expected = "cut: has no use in the format swiss; expected swiss+elimination"
        assert mistake(PK, 64, format="swiss", cut=8) == expected


class TestCut:
    @pytest.mark.parametrize("cut", [3, 6, 12])
    def test_is_a_power_of_two(self, cut: int) -> None:
        assert refusal(PK, 64, cut=cut) == f"PK-37: a cut of {cut} is not a power of two"

    def test_is_no_more_than_all(self) -> None:
        assert planned(PK, 16, cut=16).cut == 16
        assert refusal(PK, 15, cut=16) == "PK-37: there are only 15 players for a top 16"

    @pytest.mark.parametrize("cut", [-4, 0, 1])
    def test_is_at_least_two(self, cut: int) -> None:
        assert mistake(PK, 15, cut=cut) == f"cut: expected 2 players or more, not {cut}"


class TestOneLess:
    def test_takes_a_round(self) -> None:  # PK-51
        answer = planned(PK, 20, one_less=True)
        assert (answer.rounds, answer.cut, answer.total_rounds) == (4, 4, 6)
        assert answer.notes == ("one Swiss round fewer than the rules plan: 4 instead of 5 (PK-51, PK-A13)",)

    def test_shortens_the_first_of_two_days_and_its_threshold(self) -> None:
        answer = planned(PK, 227, table="tcg-two-day", one_less=True)
        assert (answer.rounds, answer.day_two) == (8, DayTwo(rounds=5, points=18, top=32))

    def test_goes_with_flights(self) -> None:
        assert planned(PK, 143, flights=4, one_less=True).rounds == 5

    @pytest.mark.parametrize(
        ("rules", "players", "rule"),
        [
            ("dci-1999", 20, "DC-3"),
            ("mtr", 20, "Appendix E"),
            ("fab-gem", 20, "FB-9"),
            ("draft-sheet", 8, "DS-1"),
        ],
    )
    def test_is_refused_where_the_rules_do_not_offer_it(self, rules: str, players: int, rule: str) -> None:
        assert (
            refusal(rules, players, one_less=True) == f"{rule}: the rules do not offer one Swiss round fewer"
        )

    def test_leaves_a_round(self) -> None:
        assert (
            refusal(PK, 2, format="swiss", one_less=True) == "PK-51: one Swiss round fewer would leave none"
        )


class TestFixedSize:
    def test_the_sheet_is_for_eight(self) -> None:  # DS-1
        answer = planned("draft-sheet", 8)
        assert (answer.rounds, answer.cut, answer.total_rounds, answer.notes) == (3, None, 3, ())

    @pytest.mark.parametrize("players", [1, 5, 9])
    def test_or_for_six_and_seven_and_for_nobody_else(self, players: int) -> None:
        says = f"DS-1: the chart is for 6 to 8 players, not {players}; for other numbers choose a ruleset"
        assert refusal("draft-sheet", players).startswith(says)


BOOKS = [load(book_id) for book_id in list_ids()]


def seldom(*choices: object) -> st.SearchStrategy[Any]:
    """Mostly nothing, or else a plan is hardly ever possible."""
    return st.sampled_from([*[None] * 4 * len(choices), *choices])


wishes = st.builds(
    Wishes,
    format=seldom("swiss", "swiss+elimination", "elimination", "double-elimination", "round-robin"),
    table=seldom("vg", "tcg-two-day", "limited"),
    flights=seldom(0, 2, 4, 16),
    cut=seldom(2, 8, 12, 64),
    one_less=seldom(True).map(bool),
    max_rounds=seldom(5, 6, 7, 8, 12),
)


@given(st.sampled_from(BOOKS), st.integers(1, 2_000), wishes)
def test_a_plan_adds_up_or_is_refused(book: Book, players: int, wishes: Wishes) -> None:
    try:
        answer = plan_event(book, players, wishes)
    except TopcutError as error:
        event(type(error).__name__)
        return
    event(answer.format)
    elimination = answer.cut if answer.format == "swiss+elimination" else players
    if answer.bracket:
        assert elimination is not None
        assert answer.bracket & (answer.bracket - 1) == 0
        assert answer.bracket // 2 < elimination <= answer.bracket
        assert answer.byes == answer.bracket - elimination
    if answer.flights:
        assert sum(answer.flights) == players
        assert answer.cut == len(answer.flights) * (answer.per_flight or 0)
    if answer.tables:
        assert sum(int(size) * number for size, number in answer.tables.items()) == players
    if answer.rounds is not None:
        second_day = answer.day_two.rounds if answer.day_two else 0
        assert answer.total_rounds == answer.rounds + second_day + answer.elimination_rounds
        assert wishes.max_rounds is None or answer.rounds + second_day <= wishes.max_rounds
