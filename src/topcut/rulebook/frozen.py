"""A ruleset as one document: how an event keeps the rules it was begun with, whatever later books say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from topcut.errors import BadInput, in_words
from topcut.rulebook.check import mistakes
from topcut.rulebook.keys import Credit
from topcut.rulebook.load import exact
from topcut.rulebook.model import Book


def frozen(book: Book) -> dict[str, Any]:
    """The book in plain values: text, numbers, lists and tables.

    >>> from topcut.rulebook import ids, load
    >>> book = load(ids()[0])
    >>> thawed(frozen(book)) == book
    True
    """
    tree: dict[str, Any] = msgspec.to_builtins(book, enc_hook=_plain)
    return tree


def thawed(tree: dict[str, Any]) -> Book:
    """The book that was frozen."""
    try:
        book = msgspec.convert(tree, Book, dec_hook=exact)
    except msgspec.ValidationError as error:
        raise BadInput(f"not a ruleset: {in_words(str(error))}", place="book") from None
    for path, problem in mistakes(book):
        raise BadInput(problem, place=f"book.{path}")
    return book


def _plain(value: object) -> Any:
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Credit):
        return [_plain(value.earned), _plain(value.possible)]
    raise NotImplementedError(type(value))
