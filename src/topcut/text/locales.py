"""Write lists, numbers, places and moments as each language writes them, by the data of Unicode's CLDR."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime, format_skeleton, format_time
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

_REGIONS = {"en": "en_GB"}
"""Which English: days before months, and no comma before the last of a list."""


@cache
def locale_of(language: str) -> Locale:
    """Return what CLDR knows of a language, or of the nearest one it knows."""
    code = _REGIONS.get(language, language).replace("-", "_")
    while code:
        with suppress(UnknownLocaleError, ValueError):
            return Locale.parse(code)
        code = code.rpartition("_")[0]
    return Locale.parse(_REGIONS["en"])


def runs_from_right(language: str) -> bool:
    """Tell whether a language is written from right to left."""
    return locale_of(language).character_order == "right-to-left"


def name_language(language: str) -> str:
    """Return the name of a language in that language.

    >>> name_language("de")
    'Deutsch'
    """
    locale = locale_of(language) if language != "en" else Locale("en")
    name = locale.get_display_name(locale) or language
    return name[:1].upper() + name[1:]


def write_list(items: list[str], last: str, language: str) -> str:
    """Return a list in words; `last`: what comes before the last item, `and` or `or`."""
    return format_list(items, "or" if last == "or" else "standard", locale=locale_of(language))


def _write_number(value: Fraction, language: str) -> str:
    if value.denominator == 1:
        return format_decimal(value.numerator, locale=locale_of(language))
    digits, rest = 0, value.denominator
    while rest % 10 == 0:
        digits, rest = digits + 1, rest // 10
    for prime in (2, 5):
        while rest % prime == 0:
            digits, rest = digits + 1, rest // prime
    if rest > 1 or digits > 6:
        return str(value)  # a fraction without an end
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return format_decimal(exact, locale=locale_of(language), decimal_quantization=False)


def _write_percent(share: Fraction, language: str) -> str:
    locale = locale_of(language)
    digits = 0 if share >= Fraction(1, 100) or not share else 1
    units = int(share * 100 * 10**digits + Fraction(1, 2))  # halves go up
    pattern = locale.percent_formats[None].pattern
    exact = Decimal(units) / Decimal(100 * 10**digits)
    return format_percent(exact, pattern.replace("0", "0.0") if digits else pattern, locale=locale)


def _write_decimals(digits: str, language: str) -> str:
    """Return a number that is rounded already, with or without a per cent sign: all its digits stay."""
    locale, bare = locale_of(language), digits.rstrip("%")
    places = len(bare.partition(".")[2])
    form = "0." + "0" * places if places else "0"
    with localcontext(prec=len(bare) + 3):
        if bare == digits:
            return format_decimal(Decimal(bare), form, locale=locale)
        pattern = re.sub("[#,]*0", form, locale.percent_formats[None].pattern, count=1)
        return format_percent(Decimal(bare) / 100, pattern, locale=locale)


def _write_ordinal(value: int, language: str) -> str:
    from topcut.text.messages import say_as

    forms = {  # one for each class of places that some language has
        "one": say_as("1st; class one", "{place}st", place=value),
        "two": say_as("2nd; class two", "{place}nd", place=value),
        "few": say_as("3rd; class few", "{place}rd", place=value),
        "many": say_as("11th; class many", "{place}th", place=value),
        "other": say_as("4th; all others", "{place}th", place=value),
    }
    return forms.get(locale_of(language).ordinal_form(value), forms["other"]).render(language)


def _write_moment(value: datetime, language: str) -> str:
    return format_datetime(value, "short", tzinfo=value.tzinfo, locale=locale_of(language))


def _write_stamp(value: datetime, language: str) -> str:
    """Return a moment with its day of the week and its time zone, as paper has it."""
    day = format_skeleton("yMMMEd", value, locale=locale_of(language))
    return f"{day}, {_write_time(value, language)} {value.tzname() or ''}".strip()


def _write_date(value: datetime, language: str) -> str:
    return format_date(value, "long", locale=locale_of(language))


def _write_time(value: datetime, language: str) -> str:
    return format_time(value, "short", tzinfo=value.tzinfo, locale=locale_of(language))


FORMATS: dict[str, Callable[[Any, str], str]] = {
    "number": _write_number,
    "percent": _write_percent,
    "decimals": _write_decimals,
    "ordinal": _write_ordinal,
    "moment": _write_moment,
    "stamp": _write_stamp,
    "date": _write_date,
    "time": _write_time,
}
