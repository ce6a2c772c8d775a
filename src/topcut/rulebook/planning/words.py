"""How the rulebook's answers put numbers and lists into words."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from topcut.rulebook.section import Section


def cited(note: str, section: Section, parameter: str) -> str:
    """A note, followed by the number of the rule it comes from if that rule has one."""
    rule = section.rule(parameter)
    return note if rule == section.source_of(parameter) else f"{note} ({rule})"


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "bye"), counted(11, "bye")
    ('1 bye', '11 byes')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def ordinal(number: int) -> str:
    """
    >>> [ordinal(number) for number in (1, 2, 3, 9, 11, 22, 113)]
    ['1st', '2nd', '3rd', '9th', '11th', '22nd', '113th']
    """
    last = number % 10 if number // 10 % 10 != 1 else 0
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def percent(share: Fraction) -> str:
    """
    >>> percent(Fraction(1, 6)), percent(Fraction(8, 1000))
    ('17 %', '0.8 %')
    """
    digits = 0 if share >= Fraction(1, 100) or not share else 1
    units = int(share * 100 * 10**digits + Fraction(1, 2))
    return f"{units // 10**digits}{f'.{units % 10}' if digits else ''} %"


def either(choices: Iterable[object]) -> str:
    """
    >>> either([2, 4, 8])
    '2, 4 or 8'
    """
    return _listed(choices, "or")


def both(items: Iterable[object]) -> str:
    """
    >>> both([36, 36, 35])
    '36, 36 and 35'
    """
    return _listed(items, "and")


def _listed(items: Iterable[object], last: str) -> str:
    *most, end = map(str, items)
    return f"{', '.join(most)} {last} {end}" if most else end
