"""Do tables of three and four seat everybody as the rules have it?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rulebook.plan_shortcuts import planned, refusal
from topcut.rulebook.planning.tables import count_tables


class TestTables:
    @pytest.mark.parametrize(
        ("players", "threes", "fours"),
        [
            *[(6, 2, 0), (7, 1, 1), (8, 0, 2), (9, 3, 0), (11, 1, 2), (36, 12, 0), (37, 11, 1), (38, 10, 2)],
            *[(39, 13, 0), (100, 32, 1), (101, 31, 2), (3, 1, 0), (4, 0, 1)],
        ],
    )
    def test_of_three_and_four(self, players: int, threes: int, fours: int) -> None:  # AL-T1
        answer = planned("allegiance-2005", players)
        assert answer.tables == {"3": threes, "4": fours}

    def test_the_organiser_announces_the_rounds(self) -> None:  # AL-A8
        answer = planned("allegiance-2005", 9)
        assert (answer.rounds, answer.total_rounds) == (None, None)
        assert answer.notes == ("the organiser chooses the number of rounds and announces it (AL-A8)",)

    @pytest.mark.parametrize("players", [3, 4])
    def test_one_table_is_not_recommended(self, players: int) -> None:  # AL-A9
        note = "fewer than 6 players are not recommended (AL-1, AL-A9)"
        assert note in planned("allegiance-2005", players).notes

    def test_five_two_and_one_cannot_play(self) -> None:
        assert refusal("allegiance-2005", 5) == "AL-1: 5 players cannot be seated at tables of 3 and 4"
        assert refusal("allegiance-2005", 2) == "AL-1: 2 players cannot play; a table has 3 or 4 players"
        assert refusal("allegiance-2005", 1) == "AL-1: 1 player cannot play; a table has 3 or 4 players"

    @pytest.mark.parametrize(
        ("players", "fours", "threes"),
        [
            (3, 0, 1),
            (4, 1, 0),
            (6, 0, 2),
            (7, 1, 1),
            (8, 2, 0),
            (9, 0, 3),
            (10, 1, 2),
            (11, 2, 1),
            (101, 23, 3),
        ],
    )
    def test_of_four_and_three(self, players: int, fours: int, threes: int) -> None:
        answer = planned("commander-4", players)
        assert answer.tables == {"4": fours, "3": threes}
        assert ("fewer than 6 players are not recommended" in answer.notes) == (players < 6)

    def test_five_cannot_be_seated_at_four_and_three(self) -> None:
        assert refusal("commander-4", 5) == "5 players cannot be seated at tables of 4 and 3"

    @pytest.mark.parametrize(
        ("players", "at_most", "expected"),
        [
            (8, None, (2, 0)),
            (9, None, (0, 3)),
            (10, None, (1, 2)),
            (5, None, None),
            (9, 2, None),
            (7, 1, (1, 1)),
        ],
    )
    def test_fours_can_be_preferred(
        self, players: int, at_most: int | None, expected: tuple[int, int] | None
    ) -> None:
        assert count_tables(players, preferred=4, other=3, at_most=at_most) == expected

    @given(st.integers(0, 300), st.integers(2, 9), st.integers(2, 9))
    def test_seat_everybody_with_the_fewest_others(self, players: int, preferred: int, other: int) -> None:
        ways = [n for n in range(players // other + 1) if (players - n * other) % preferred == 0]
        expected = ((players - ways[0] * other) // preferred, ways[0]) if ways else None
        assert count_tables(players, preferred, other) == expected
