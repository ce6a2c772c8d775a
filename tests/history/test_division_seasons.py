"""Divisions by year of birth, which move on with the season."""

from datetime import date

import pytest

from topcut.history.divisions import division_of_birth_year
from topcut.rulebook import load


@pytest.mark.parametrize(
    ("born", "on", "division"),
    [
        (2009, None, "masters"),
        (2009, date(2025, 7, 1), "masters"),
        (2009, date(2025, 6, 30), "senior"),
        (2010, date(2026, 6, 30), "senior"),
        (2010, date(2026, 7, 1), "masters"),
        (2013, date(2025, 6, 30), "junior"),
        (2014, date(2026, 7, 1), "senior"),
        (1950, date(2024, 12, 31), "masters"),
    ],
)
def test_a_year_of_birth_is_in_the_division_of_that_season(born: int, on: date | None, division: str) -> None:
    assert division_of_birth_year(born, load("pokemon-tom"), on) == division


def test_a_book_without_seasons_has_the_same_years_always() -> None:
    assert division_of_birth_year(2006, load("pokemon-2017"), date(2030, 1, 1)) == "senior"


def test_a_book_without_divisions_has_none() -> None:
    assert division_of_birth_year(2006, load("mtr"), date(2030, 1, 1)) is None
