"""Put numbers and lists into words."""

from collections.abc import Iterable, Sequence
from fractions import Fraction


def plural(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "bye"), plural(11, "bye")
    ('1 bye', '11 byes')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def ordinal(number: int) -> str:
    """Return a place in digits.

    >>> [ordinal(number) for number in (1, 2, 3, 9, 11, 22, 113)]
    ['1st', '2nd', '3rd', '9th', '11th', '22nd', '113th']
    """
    last = number % 10 if number // 10 % 10 != 1 else 0
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def percent(share: Fraction) -> str:
    """Return a share in per cent, with a decimal below one per cent.

    >>> percent(Fraction(1, 6)), percent(Fraction(8, 1000))
    ('17 %', '0.8 %')
    """
    digits = 0 if share >= Fraction(1, 100) or not share else 1
    units = int(share * 100 * 10**digits + Fraction(1, 2))
    return f"{units // 10**digits}{f'.{units % 10}' if digits else ''} %"


def join_or(choices: Iterable[object]) -> str:
    """Return choices as a list in words.

    >>> join_or([2, 4, 8])
    '2, 4 or 8'
    """
    return _join(choices, "or")


def join_and(items: Iterable[object]) -> str:
    """Return items as a list in words.

    >>> join_and([36, 36, 35])
    '36, 36 and 35'
    """
    return _join(items, "and")


def join_first(items: Sequence[str], most: int) -> str:
    """Return the first items as a list, and how many more there are.

    >>> join_first(["Ada", "Bo", "Cy", "Di"], 2), join_first(["Ada", "Bo"], 2)
    ('Ada, Bo and 2 more', 'Ada, Bo')
    """
    return ", ".join(items[:most]) + (f" and {len(items) - most} more" if items[most:] else "")


def _join(items: Iterable[object], last: str) -> str:
    *most, end = map(str, items)
    return f"{', '.join(most)} {last} {end}" if most else end
