"""Single values in a .tdf file: codes, numbers, flags and dates, or what was expected in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from xml.etree.ElementTree import Element

from topcut.errors import BadInput
from topcut.rulebook.planning.words import either

DATE = "%m/%d/%Y"


def unknown(place: str, name: str, value: str | None, expected: Sequence[str]) -> BadInput:
    """The refusal of a word that is none of those expected."""
    return BadInput(f'{name} "{value or ""}" is not known: expected {either(expected)}', place=place)


def code_of(value: str | None, known: Sequence[int], place: str, name: str) -> int:
    """A code, one of those that are known."""
    number = whole(value)
    if number is None or number not in known:
        raise unknown(place, name, value, list(dict.fromkeys(str(code) for code in known)))
    return number


def whole(value: str | None) -> int | None:
    """A whole number, if it is one."""
    text = (value or "").strip()
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def text_of(element: Element, path: str) -> str:
    """The text of an element below this one; empty where there is none."""
    return (element.findtext(path) or "").strip()


def number_of(element: Element, path: str, place: str, absent: int | None = None) -> int:
    """The number in an element below this one; `absent` where nothing is written."""
    text = text_of(element, path)
    if not text and absent is not None:
        return absent
    number = whole(text)
    if number is None:
        raise BadInput(f'{path} is "{text}": expected a whole number', place=place)
    return number


def flag_of(element: Element, path: str, place: str) -> bool:
    """Whether an element below this one says so."""
    text = text_of(element, path)
    if text not in ("", "true", "false"):
        raise BadInput(f'{path} is "{text}": expected true or false', place=place)
    return text == "true"


def date_of(text: str, place: str, name: str) -> date | None:
    """A day, without the time that may stand behind it; None where nothing is written."""
    if not text:
        return None
    try:
        return datetime.strptime(text.partition(" ")[0], DATE).date()
    except ValueError:
        raise BadInput(f'{name} is "{text}": expected MM/DD/YYYY', place=place) from None
