"""Do divisions play on their own or together, as the rules have it?"""

import pytest

from tests.rulebook.plan_shortcuts import PK, divided
from topcut.errors import BadInput, Impossible
from topcut.rulebook import load
from topcut.rulebook.planning.divisions import plan_divisions
from topcut.rulebook.planning.plan import Wishes


class TestDivisions:
    def test_six_in_each_are_separated(self) -> None:  # PK-12
        answer = divided(6, 20, 143)
        assert answer.mode == "separate"
        assert [(d.players, d.rounds, d.cut) for d in answer.divisions] == [
            (6, 3, None),
            (20, 5, 4),
            (143, 8, 8),
        ]
        assert [pool.divisions for pool in answer.pools] == [("junior",), ("senior",), ("masters",)]
        assert answer.notes == (
            "divisions that play apart have a bracket each (PK-A31)",
            "unequal shares in the cut: senior 4 of 20 (20%), masters 8 of 143 (6%) (PK-38)",
        )

    def test_pk_38_shares_that_are_close_enough_are_not_worth_a_note(self) -> None:
        """8 of 40 and 8 of 64 are 20 % and 12.5 %; 8 of 36 and 8 of 70 are 22 % and 11 %."""
        usual = (
            "junior has no players and does not count (PK-A8)",
            "divisions that play apart have a bracket each (PK-A31)",
        )
        assert divided(0, 40, 64).notes == usual
        assert divided(0, 36, 70).notes == (
            *usual,
            "unequal shares in the cut: senior 8 of 36 (22%), masters 8 of 70 (11%) (PK-38)",
        )

    @pytest.mark.parametrize("short", [1, 5])
    def test_five_in_one_make_one_pool(self, short: int) -> None:  # PK-13, PK-50
        answer = divided(short, 20, 40)
        assert answer.mode == "modified"
        assert [(d.players, d.rounds, d.cut) for d in answer.divisions] == [
            (short, 6, 8),
            (20, 6, 8),
            (40, 6, 8),
        ]
        (pool,) = answer.pools
        assert (pool.divisions, pool.plan.players) == (("junior", "senior", "masters"), 60 + short)
        assert answer.notes[-1] == "rounds and cut of this pool are those for masters, 40 players (PK-50)"
        assert answer.notes[0].endswith(
            ", fewer than 6: junior, senior and masters play in one pool (PK-13, PK-A26)"
        )

    def test_a_pool_is_large_enough_as_a_whole(self) -> None:
        answer = divided(3, 3, 3)
        assert [d.rounds for d in answer.divisions] == [3, 3, 3]
        with pytest.raises(Impossible, match="PK-A14: junior and senior: 2 players cannot play"):
            divided(1, 1, 0)

    def test_an_empty_division_plays_nothing(self) -> None:  # PK-A8
        answer = divided(0, 20, 40)
        assert (answer.mode, answer.divisions[0].rounds, answer.divisions[0].cut) == ("separate", 0, None)
        assert answer.divisions[0].notes == ("this division has no players",)

    def test_elimination_knows_no_divisions(self) -> None:  # PK-16
        answer = divided(3, 20, 30, format="elimination")
        assert answer.mode == "off"
        assert {(d.bracket, d.byes) for d in answer.divisions} == {(64, 11)}
        assert answer.notes == ("this format does not use divisions (PK-16)",)

    def test_each_division_has_its_own_flights_and_cut(self) -> None:  # PK-42
        wishes = [Wishes(cut=4), Wishes(flights=2), Wishes(flights=4, cut=16)]
        answer = plan_divisions(load(PK), [20, 70, 143], wishes)
        assert [d.flights for d in answer.divisions] == [None, (36, 34), (36, 36, 36, 35)]
        assert [d.cut for d in answer.divisions] == [4, 8, 16]

    def test_a_refusal_names_the_division(self) -> None:
        expected = "PK-42: junior: 20 players are too few for flights; a division needs at least 64"
        with pytest.raises(Impossible, match=expected):
            divided(20, 30, 40, flights=2)

    def test_no_flights_unless_separated(self) -> None:  # PK-42
        with pytest.raises(Impossible, match=r"^PK-42: .*: flights need separate divisions$"):
            divided(5, 70, 143, flights=2)

    def test_one_pool_has_one_cut(self) -> None:
        wishes = [Wishes(cut=4), Wishes(cut=8), Wishes(cut=8)]
        with pytest.raises(BadInput, match="cut: divisions in one pool share it: expected one number"):
            plan_divisions(load(PK), [3, 20, 40], wishes)

    def test_two_of_three_divisions_are_numbered(self) -> None:
        assert [pool.divisions for pool in divided(20, 30).pools] == [("division 1",), ("division 2",)]

    def test_numbers_that_make_no_sense(self) -> None:
        with pytest.raises(BadInput, match=r"there are 3 divisions \(junior, senior and masters\), not 4"):
            divided(6, 6, 6, 6)
        with pytest.raises(BadInput, match="expected at least one division with players"):
            divided(0, 0, 0)
        with pytest.raises(BadInput, match="players: mtr has no divisions: expected one number"):
            plan_divisions(load("mtr"), [8, 8])
