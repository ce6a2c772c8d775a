"""Whole pages of `--explain`, word for word; the numbers on them were worked out by hand from the rules."""

from __future__ import annotations

from fractions import Fraction
from textwrap import dedent
from typing import Any

from msgspec.structs import replace

from tests.builders import ids_in_order, played, standings
from tests.one_player_events import record
from tests.standings.test_vectors import five_players, seven_players, the_sheet
from topcut.history import build_history
from topcut.lots import draw_lot
from topcut.rulebook import Book, load
from topcut.rulebook.tiebreak_keys import Credit, NumberFormat, ValueKey
from topcut.standings import Standings, rank
from topcut.standings.explain import explain_standing


def page(found: Standings, player_id: str) -> list[str]:
    return explain_standing(found, found.history.index[player_id])


def lines(text: str) -> list[str]:
    return dedent(text).strip("\n").split("\n")


def test_a_page_of_magic() -> None:
    """A third of the points is no floor. Games of A 4-3-1, B 4-4, C 5-2-1, D 1-3-2; a judge's loss none."""
    rounds = ["A 2-1 B, C 1-1-1 D, E bye", "C 2-0 A, B 2-0 E, D loss", "A 2-0-1 D, C 2-1 B, E loss"]
    assert page(standings(played("mtr", *rounds)), "A") == lines("""
        A: rank 2 of 5 after round 3

          round 1: beat B 2-1
          round 2: lost to C 0-2
          round 3: beat D 2-0-1

        Match points (points; 3.1, Appendix C)
          3 + 0 + 3 = 6

        Opponents' match-win % (omw; 3.1, Appendix C)
          round 1 B: 3 of 9 = 1/3
          round 2 C: 7 of 9 = 7/9
          round 3 D: 1 of 9 = 1/9, counts as 1/3 (minimum)
          (1/3 + 7/9 + 1/3) / 3 = 13/27 = 48.15%

        Game-win % (gw; 3.1, Appendix C)
          game points 13 of 24 = 13/24 = 54.17%

        Opponents' game-win % (ogw; 3.1, Appendix C)
          round 1 B: game points 12 of 24 = 1/2
          round 2 C: game points 16 of 24 = 2/3
          round 3 D: game points 5 of 18 = 5/18, counts as 1/3 (minimum)
          (1/2 + 2/3 + 1/3) / 3 = 1/2 = 50.00%

        Below C by Match points: 6 against 7.
        Above B by Match points: 6 against 3.
    """)


def test_a_page_with_a_round_at_no_table() -> None:
    """A disqualified player keeps their place. Games of D 1-2-1, C 3-3, A 3-1-1."""
    rounds = ["A 2-0 B, C 2-1 D, E bye", "A 1-1 C, B 2-0 E", "B 1-0 C, A 0-0-1 D"]
    event = played("dci-1999", *rounds, disqualified={"C": 3})
    assert page(standings(event), "D") == lines("""
        D: rank 5 of 5 after round 3

          round 1: lost to C 1-2
          round 2: did not play
          round 3: drew with A 0-0-1

        Match points (points; step 3, step 8 (DC-5, DC-11))
          0 + 0 + 1 = 1

        Opponents' match-win % (omw; not in the document; the tiebreakers usually used with it (DC-A7))
          round 1 C: 4 of 9 = 4/9
          round 3 A: 5 of 9 = 5/9
          (4/9 + 5/9) / 2 = 1/2 = 50.00%

        Game-win % (gw; not in the document; the tiebreakers usually used with it (DC-A7))
          game points 4 of 12 = 1/3 = 33.33% (DC-A11)

        Opponents' game-win % (ogw; not in the document; the tiebreakers usually used with it (DC-A7))
          round 1 C: game points 9 of 18 = 1/2
          round 3 A: game points 10 of 15 = 2/3 (DC-A11)
          (1/2 + 2/3) / 2 = 7/12 = 58.33%

        Below E by Match points: 1 against 3.
    """)


def test_a_page_of_the_sheet() -> None:
    assert page(standings(the_sheet()), "Finn") == lines("""
        Finn: rank 6 of 8 after round 3

          round 1: lost to Ana 0-2
          round 2: beat Hugo 2-1
          round 3: lost to Bernie 0-2

        Match points (points; Tiebreaker 1 (DS-16))
          0 + 3 + 0 = 3

        Opponents' match points (omp; Tiebreaker 2 (DS-19, DS-20, DS-21))
          round 1 Ana: 3 + 3 + 3 = 9
          round 2 Hugo: 0 + 0 + 3 = 3
          round 3 Bernie: 0 + 3 + 3 = 6
          (9 + 3 + 6) / 3 = 6 = 6.000

        Points per game (gp; Tiebreaker 3 (DS-19, DS-20))
          6 points in 7 games = 6/7 = 0.857

        Opponents' points per game (ogp; Tiebreaker 4 (DS-19, DS-20, DS-21))
          round 1 Ana: 18 points in 7 games = 18/7
          round 2 Hugo: 12 points in 8 games = 3/2
          round 3 Bernie: 15 points in 8 games = 15/8
          (18/7 + 3/2 + 15/8) / 3 = 111/56 = 1.982

        Below Carl by Opponents' points per game: 111/56 (1.982) against 29/14 (2.071).
        Above Hugo by Opponents' match points: 6 (6.000) against 3 (3.000).
    """)


def test_a_page_with_a_late_opponent() -> None:
    """PK-T3. G missed a round, had a bye and lost: no win in two rounds."""
    assert page(standings(seven_players()), "B") == lines("""
        B: rank 5 of 7 after round 3

          round 1: lost to A
          round 2: lost to C
          round 3: beat G

        Match points (points; §3.1.4 (PK-3))
          0 + 0 + 3 = 3

        Entered late (late; §3.1.4.1, first tiebreaker)
          no = 0

        Opponents' win % (owp; §3.1.4.1, second tiebreaker (PK-24 to PK-27))
          round 1 A: 3 of 3 = 1
          round 2 C: 1 of 3 = 1/3 (PK-A3)
          round 3 G: 0 of 2 = 0 (PK-A4), counts as 1/4 (minimum)
          (1 + 1/3 + 1/4) / 3 = 19/36 = 52.78%

        Opponents' opponents' win % (oowp; §3.1.4.1, third tiebreaker)
          round 1 A: 1/3
          round 2 C: 5/9
          round 3 G: 1/3
          (1/3 + 5/9 + 1/3) / 3 = 11/27 = 40.74%

        Below E by Match points: 3 against 4.
        Above G by Entered late: 0 (no) against 1 (yes).
    """)
    late = page(standings(seven_players()), "G")
    assert "  yes = 1" in late
    assert late[-2] == "Below B by Entered late: 1 (yes) against 0 (no)."


def test_a_page_of_somebody_who_missed_the_cut() -> None:
    """Ties are half wins, a cut is a drop: D's percentages stay as they were after round 3."""
    event = played(
        "pokemon-tom",
        *("A beats B, C ties D, E bye", "A beats C, B beats D, F bye"),
        *("D beats F, E beats C, B loss", "B beats E, F ties C"),
        dropped={"A": 2}, cut={"D": 3}, entered={"F": 2}, readings={"PK-A21": "b"},
    )  # fmt: skip
    found = standings(event)
    assert ids_in_order(found) == ["B", "A", "E", "F", "D", "C"]
    assert page(found, "D") == lines("""
        D: rank 5 of 6 after round 4

          round 1: drew with C
          round 2: lost to B
          round 3: beat F
          round 4: had left

        Match points (points; §3.1.4 (PK-3))
          1 + 0 + 3 + 0 = 4

        Opponents' win % (owp; finished TOM files)
          frozen after round 3, when D missed the cut:
          round 1 C: 1/2 of 3 = 1/6 (PK-A3), counts as 1/4 (minimum)
          round 2 B: 1 of 3 = 1/3
          round 3 F: 0 of 2 = 0 (PK-A4), counts as 1/4 (minimum)
          (1/4 + 1/3 + 1/4) / 3 = 5/18 = 27.78%

        Opponents' opponents' win % (oowp; finished TOM files)
          frozen after round 3, when D missed the cut:
          round 1 C: 7/12
          round 2 B: 5/8
          round 3 F: 1/2
          (7/12 + 5/8 + 1/2) / 3 = 41/72 = 56.94%

        Below F by Opponents' win %: 5/18 (27.78%) against 3/8 (37.50%).
        Above C by Match points: 4 against 2.
    """)
    assert "  round 1 A: 2 of 2 = 1, counts as 3/4 (maximum)" in page(found, "B")
    assert "  round 2 D: 1/3 (own value: 5/18, frozen after round 3, when D missed the cut)" in page(
        found, "B"
    )


def test_a_value_that_is_the_cap_itself_is_not_capped() -> None:
    event = record("pokemon-2017", "WWWL", rounds=6, left="dropped")
    assert "  round 1 P: 3 of 4 = 3/4" in page(standings(event), "O1")


def test_a_page_of_cumulative_tiebreakers() -> None:
    """FB-T3. A perfect score: 1, 1/4 + 2, 9/16 + 3."""
    assert page(standings(five_players()), "T") == lines("""
        T: rank 2 of 5 after round 3

          round 1: bye
          round 2: drew with Q
          round 3: beat R

        Match points (points; standings logic, match-win points (FB-5))
          1 + 0 + 1 = 2

        Cumulative tiebreaker (ctb; standings logic, CTB (FB-5, FB-6))
          after round 1: 1/4 x 0 + 1 = 1
          after round 2: 1/4 x 1 + 1 = 5/4
          after round 3: 1/4 x 5/4 + 2 = 37/16
          winning every round gives 57/16: (37/16) / (57/16) = 37/57 (FB-A1)
          so 37/57 = 0.6491

        Match loss % (pml; standings logic, PML (FB-4, FB-5)), lower is better
          0 of 2 = 0 = 0.00% (FB-A3, FB-A4)

        Opponents' match loss % (oml; standings logic, OML % (FB-4, FB-5)), lower is better
          round 2 Q: 1 of 2 = 1/2 (FB-A3, FB-A4)
          round 3 R: 2 of 3 = 2/3
          (1/2 + 2/3) / 2 = 7/12 = 58.33%

        Opponents' cumulative tiebreaker (octb; standings logic, OCTB (FB-4, FB-5))
          round 2 Q: totals after each round 0, 0, 1: 16/57 (FB-A2)
          round 3 R: totals after each round 1, 1, 1: 7/19
          (16/57 + 7/19) / 2 = 37/114 = 0.3246

        Below P by Match points: 2 against 3.
        Above R by Match points: 2 against 1.
    """)


def test_the_totals_of_an_opponent_who_left_end_there() -> None:
    rounds = ["A beats B, C ties D", "A beats C, B bye", "B beats C, D bye"]
    for letter, totals in (("a", "1, 2, 2: 41/57"), ("b", "1, 2: 1")):
        found = standings(played("fab-gem", *rounds, dropped={"A": 2}, readings={"FB-A5": letter}))
        assert f"  round 1 A: totals after each round {totals} (FB-A5)" in page(found, "B")


def test_a_page_of_larger_tables() -> None:
    """c and g are eliminated and take nothing; nobody wins the second table, and all lose the third."""
    rounds = ["a:20* b:7 c:19x d:9, e:13 f:-4 g:21*", "a:11 b:12 e:5, c:15 d:8 f:6 g:15x"]
    found = standings(played("allegiance-2005", *rounds, "a both-lose b c, d beats e f g"))
    assert ids_in_order(found) == ["a", "g", "d", "b", "e", "c", "f"]
    assert page(found, "c") == lines("""
        c: rank 6 of 7 after round 3

          round 1: did not win against d, a, b, scored 0
          round 2: no winner with d, f, g, scored 15
          round 3: sat with a, b, scored 0

        Wins (points; 2nd Round Game Assignment (AL-12))
          0 + 0 + 0 = 0

        Victory influence (score; 2nd Round Game Assignment (AL-12))
          0 + 15 + 0 = 15

        Opponents' victory influence (opponents_score; last paragraph (AL-12))
          round 1 d: 9 + 8 + 0 = 17
          round 1 a: 20 + 11 + 0 = 31
          round 1 b: 7 + 12 + 0 = 19
          round 2 d: 9 + 8 + 0 = 17
          round 2 f: -4 + 6 + 0 = 2
          round 2 g: 21 + 0 + 0 = 21
          round 3 a: 20 + 11 + 0 = 31
          round 3 b: 7 + 12 + 0 = 19
          17 + 31 + 19 + 17 + 2 + 21 + 31 + 19 = 157 (AL-A5)

        Below e by Victory influence: 15 against 18.
        Above f by Victory influence: 15 against 2.
    """)
    assert "  round 1: won against e, f, scored 21" in page(found, "g")


def house_rules() -> Book:
    """Half a point for a draw; a share of the best totals that counts for 1/4 to 3/4."""
    under = load("fab-gem")
    half, shown = Fraction(1, 2), NumberFormat(form="decimal")
    points, form, *_ = under.chain
    assert isinstance(form, ValueKey)
    measures = {
        "points": replace(under.measures["points"], draw=Credit(half)),
        "cumulative": replace(under.measures["cumulative"], win=Fraction(2), draw=Fraction(1), weight=half),
    }
    form = replace(form, floor=Fraction(1, 4), cap=Fraction(3, 4), better="low", shown=shown)
    ending = replace(under.standings, ends_in="shared", disqualified="removed")
    return replace(under, measures=measures, chain=(points, form), standings=ending)


def at_home(*rounds: str, **about: Any) -> Standings:
    file = played("fab-gem", *rounds, **about).file
    rules = house_rules()
    return rank(build_history(file.players, file.rounds, rules), rules)


def test_pages_of_house_rules() -> None:
    """A: 2, 1 + 3, 2 + 5 = 7. The best there is: 2, 1 + 4, 5/2 + 6 = 17/2. A bye is half a win."""
    found = at_home("A beats B, C ties D", "A ties C, D beats B", "A beats D, C bye", disqualified={"D": 3})
    assert page(found, "A") == lines("""
        A: rank 1 of 3 after round 3

          round 1: beat B
          round 2: drew with C
          round 3: beat D

        Match points (points; standings logic, match-win points (FB-5))
          1 + 1/2 + 1 = 5/2

        Cumulative tiebreaker (ctb; standings logic, CTB (FB-5, FB-6)), lower is better
          totals after each round 2, 3, 5: 14/17, counts as 3/4 (maximum) = 0.75

        Above C by Match points: 5/2 against 2.
    """)
    assert page(found, "B")[-3] == "  totals after each round 0, 0, 0: 0, counts as 1/4 (minimum) = 0.25"
    assert page(found, "C")[10:15] == [
        "  after round 1: 1/2 x 0 + 1 = 1",
        "  after round 2: 1/2 x 1 + 2 = 5/2",
        "  after round 3: 1/2 x 5/2 + 3 = 17/4",
        "  winning every round gives 17/2: (17/4) / (17/2) = 1/2 (FB-A1)",
        "  so 1/2 = 0.50",
    ]
    assert page(found, "D")[0] == "D: disqualified; not in the standings after round 3"
    assert page(found, "D")[-1] == ""


def test_the_page_before_the_first_round() -> None:
    assert page(at_home(players="A B"), "A") == lines("""
        A: rank 1 of 2 after round 0

        Match points (points; standings logic, match-win points (FB-5))
          0 = 0

        Cumulative tiebreaker (ctb; standings logic, CTB (FB-5, FB-6)), lower is better
          no rounds: 0, counts as 1/4 (minimum) = 0.25

        Tied with B on every tiebreaker.
    """)


# What stands between neighbours: the lines after the last empty one


def ends(found: Standings, player_id: str) -> list[str]:
    whole = page(found, player_id)
    return whole[len(whole) - whole[::-1].index("") :]


def test_level_with_one_neighbour_and_above_the_other() -> None:
    found = standings(played("mtr", "A 2-0 B, C 2-1 D, E 2-1 F"))
    assert ids_in_order(found) == ["A", "C", "E", "B", "D", "F"]
    above, below = ends(found, "E")
    assert above == "Tied with C on every tiebreaker."
    assert below == "Above B by Match points: 3 against 0."


def test_head_to_head_is_told_from_both_sides() -> None:
    rounds = ["C beats D, A beats B", "B beats C, A ties D", "D beats B, A beats C"]
    found = standings(played("pokemon-2017", *rounds))
    assert ids_in_order(found) == ["A", "D", "B", "C"]
    assert (
        ends(found, "B")[1]
        == "Above C by Head to head: B did better than C in the matches between the tied players."
    )
    assert ends(found, "C") == [
        "Below B by Head to head: B did better than C in the matches between the tied players."
    ]


def test_last_opponents_are_followed_as_far_as_needed() -> None:
    """d, b and c did as well as D, B and C, in another order of rounds. a has 6 points and B has 3."""
    rounds = ["A beats C, D bye, d beats b", "D beats B, a bye, b beats c"]
    found = standings(played("pokemon-2017", *rounds, "A bye, B beats C, a beats c, d bye"))
    assert ids_in_order(found)[:2] == ["d", "D"]
    level = "d last met b, D last met B, who are tied; b last met c, B last met C, who are tied; "
    decided = "c last met a, C last met B, and a is higher in the standings (PK-A7)."
    reason = f"by Standing of last opponent: {level}{decided}"
    assert ends(found, "d") == [f"Above D {reason}"]
    assert ends(found, "D")[0] == f"Below d {reason}"


def test_an_opponent_is_more_than_none() -> None:
    """Nobody won a match, so that all percentages are the floor: three ties are as good as a bye."""
    found = standings(played("pokemon-2017", "A ties B, C bye", "A ties D", "A ties E"))
    assert ids_in_order(found)[:2] == ["A", "C"]
    assert ends(found, "A") == ["Above C by Standing of last opponent: C had no opponent."]
    assert ends(found, "C")[0] == "Below A by Standing of last opponent: C had no opponent."


def test_a_lot_is_told_from_both_sides() -> None:
    found = standings(played("fab-gem", "A beats B, C beats D"), seed="autumn")
    first, second = sorted("AC", key=lambda player_id: draw_lot("autumn", "standings/1", player_id))
    drawn = 'in the random order of the tied players (seed "autumn").'
    assert ends(found, first) == [f"Above {second} by Random draw: number 1 against number 2 {drawn}"]
    assert ends(found, second)[0] == f"Below {first} by Random draw: number 2 against number 1 {drawn}"
