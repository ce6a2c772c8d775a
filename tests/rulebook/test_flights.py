"""Are flights allowed, sized and counted as the rules have it?"""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rulebook.plan_shortcuts import PK, mistake, planned, refusal
from topcut.rulebook.planning.plan import FlightOption
from topcut.rulebook.planning.pool import split_into_flights


class TestFlights:
    @pytest.mark.parametrize(
        ("players", "flights", "sizes", "rounds"),
        [
            (143, 2, (72, 71), 7),
            (143, 4, (36, 36, 36, 35), 6),
            (142, 4, (36, 36, 36, 34), 6),
            (141, 4, (36, 36, 35, 34), 6),
            (130, 4, (34, 32, 32, 32), 6),
            (128, 4, (32, 32, 32, 32), 5),
            (129, 2, (65, 64), 7),
            (512, 16, (32,) * 16, 5),
            (512, 8, (64,) * 8, 6),
        ],
    )
    def test_sizes_and_rounds(
        self, players: int, flights: int, sizes: tuple[int, ...], rounds: int
    ) -> None:  # PK-T7
        answer = planned(PK, players, flights=flights)
        assert (answer.flights, answer.rounds) == (sizes, rounds)

    @pytest.mark.parametrize(
        ("players", "flights", "expected"),
        [
            (
                143,
                8,
                "PK-42: 143 players in 8 flights would leave a flight of 17; a flight needs at least 32",
            ),
            (
                127,
                4,
                "PK-42: 127 players in 4 flights would leave a flight of 31; a flight needs at least 32",
            ),
            (63, 2, "PK-42: 63 players are too few for flights; a division needs at least 64"),
            (143, 3, "PK-43: there may be 2, 4, 8 or 16 flights, not 3"),
            (5000, 32, "PK-43: there may be 2, 4, 8 or 16 flights, not 32"),
        ],
    )
    def test_refusals(self, players: int, flights: int, expected: str) -> None:  # PK-T7
        assert refusal(PK, players, flights=flights) == expected

    def test_only_before_an_elimination(self) -> None:
        expected = "PK-42: flights are for swiss+elimination only, not for swiss"
        assert refusal(PK, 143, flights=2, format="swiss") == expected

    def test_only_where_the_ruleset_has_them(self) -> None:
        assert mistake("mtr", 143, flights=2) == "flights: mtr has no flights"

    @pytest.mark.parametrize("none", [0, 1])
    def test_none_and_one_are_no_flights(self, none: int) -> None:
        answer = planned(PK, 143, flights=none)
        assert (answer.flights, answer.per_flight, answer.rounds) == (None, None, 8)

    @pytest.mark.parametrize(
        ("flights", "asked", "cut", "each"),
        [
            (2, None, 8, 4),
            (4, None, 8, 2),
            (8, None, 16, 2),
            (16, None, 32, 2),
            (2, 16, 16, 8),
            (4, 16, 16, 4),
        ],
    )
    def test_the_cut_is_shared(self, flights: int, asked: int | None, cut: int, each: int) -> None:  # PK-48
        answer = planned(PK, 600, flights=flights, cut=asked)
        assert (answer.cut, answer.per_flight, answer.bracket) == (cut, each, cut)

    @pytest.mark.parametrize("cut", [2, 4, 8])
    def test_at_least_two_qualify_from_each(self, cut: int) -> None:
        expected = f"PK-48: a top {cut} cannot take the same number, at least 2, from each of 8 flights"
        assert refusal(PK, 300, flights=8, cut=cut) == expected

    def test_options_are_listed_where_nobody_asked(self) -> None:
        two = FlightOption(flights=2, sizes=(72, 71), rounds=7)
        four = FlightOption(flights=4, sizes=(36, 36, 36, 35), rounds=6)
        assert planned(PK, 143).flight_options == (two, four)
        assert planned(PK, 63).flight_options == ()
        assert planned(PK, 143, flights=2).flight_options == ()

    @pytest.mark.parametrize(
        ("players", "limit", "flights", "rounds"),
        [(143, 8, None, 8), (143, 7, (72, 71), 7), (143, 6, (36, 36, 36, 35), 6), (512, 5, (32,) * 16, 5)],
    )
    def test_the_fewest_that_fit(
        self, players: int, limit: int, flights: tuple[int, ...] | None, rounds: int
    ) -> None:  # PK-42
        answer = planned(PK, players, max_rounds=limit)
        assert (answer.flights, answer.rounds) == (flights, rounds)

    def test_the_fewest_that_fit_are_said_to_be_so(self) -> None:
        note = "4 flights are the fewest that take at most 6 Swiss rounds (PK-42)"
        assert planned(PK, 143, max_rounds=6).notes == (note,)

    @pytest.mark.parametrize(
        ("players", "limit", "expected"),
        [
            (143, 5, "PK-42: 143 players take 6 Swiss rounds even in 4 flights; the limit is 5"),
            (
                40,
                5,
                "PK-42: 40 players take 6 Swiss rounds and may not be split into flights; the limit is 5",
            ),
        ],
    )
    def test_nothing_fits(self, players: int, limit: int, expected: str) -> None:
        assert refusal(PK, players, max_rounds=limit) == expected

    def test_the_organisers_own_number_is_held_to_the_limit(self) -> None:
        assert planned(PK, 143, flights=4, max_rounds=7).flights == (36, 36, 36, 35)
        expected = "PK-42: 143 players take 7 Swiss rounds even in 2 flights; the limit is 6"
        assert refusal(PK, 143, flights=2, max_rounds=6) == expected
        assert (
            refusal(PK, 143, flights=0, max_rounds=7)
            == "PK-42: 143 players take 8 Swiss rounds; the limit is 7"
        )

    def test_a_limit_without_flights(self) -> None:
        assert planned("dci-1999", 40, max_rounds=6).rounds == 6
        assert refusal("dci-1999", 40, max_rounds=5) == "DC-3: 40 players take 6 Swiss rounds; the limit is 5"
        assert mistake(PK, 40, max_rounds=0) == "max_rounds: expected at least 1 round, not 0"
        expected = "max_rounds: the rules give no number of Swiss rounds to compare with"
        assert mistake("allegiance-2005", 9, max_rounds=5) == expected

    def test_both_days_count_towards_the_limit(self) -> None:
        assert planned(PK, 300, table="tcg-two-day", max_rounds=14).flights is None
        assert planned(PK, 300, table="tcg-two-day", max_rounds=13).flights == (150, 150)

    def test_flights_with_a_second_day_are_noted(self) -> None:
        answer = planned(PK, 1000, table="tcg-two-day", flights=2)
        assert answer.day_two is not None
        assert answer.notes[-1].startswith("the rules do not combine flights with a second day")

    @given(st.integers(1, 60), st.sampled_from([2, 3, 4]))
    def test_sizes_are_the_best_of_all(self, players: int, flights: int) -> None:  # PK-44, PK-A16
        every = (
            sizes
            for sizes in combinations_with_replacement(range(players + 1), flights)
            if sum(sizes) == players
        )
        best = min(
            every, key=lambda s: (sum(size % 2 for size in s), max(s) - min(s), sum(size**2 for size in s))
        )
        assert split_into_flights(players, flights, "fewest odd") == tuple(sorted(best, reverse=True))
