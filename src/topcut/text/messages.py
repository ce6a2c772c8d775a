"""Make sentences that people read: an English template with named fields, translated when it is shown.

    say("Round {number} is published.", number=3)
    count("{n} table is open.", "{n} tables are open.", 2)

A message is a string too, in English. `render` puts it into another language by the catalogue of that
language (`topcut/languages`). A page, an f-string and the command line show it in the language in use
(`using_language`), so code that other languages should reach never takes the string apart or adds to it:
it puts messages into the fields of others, or joins them with `join_messages`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, time
from fractions import Fraction
from functools import lru_cache
from typing import Any, Self

from markupsafe import Markup, escape

from topcut.text.bidi import isolate, isolate_part

ENGLISH = "en"
MOST_SHARED = 200
"""Letters of a text from a file that is kept once for all places that have it."""
Field = str | int | Fraction
"""What a field of a message holds; a message is a `str` too."""

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language_in_use() -> str:
    """Return the language of the page or command being made; for paper in two languages, such as `de+en`."""
    return _language.get()


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """Show messages in this language inside."""
    before = _language.set(language)
    try:
        yield
    finally:
        _language.reset(before)


def use_language(language: str) -> None:
    """Show messages in this language from now on, in this task."""
    _language.set(language)


class Message(str):
    """A text in English that can be translated; this class itself holds text that no language changes."""

    __slots__ = ()

    def render(self, language: str | None = None, isolated: bool = False) -> str:
        """Return the text in a language, by default the one in use.

        `isolated`: names that run the other way are isolated, so that they cannot turn the text around.
        """
        language = language or _language.get()
        if "+" in language:  # several languages beside each other, on paper
            return " / ".join(dict.fromkeys(self.render(one, isolated) for one in language.split("+")))
        text = self.in_english() if language == ENGLISH else self._translate(language, isolated)
        return isolate(text) if isolated and not text.isascii() else text

    def in_english(self) -> str:
        return str.__str__(self)

    def map_fields(self, change: Callable[[str], str]) -> "Message":
        """Return the message with every text in it changed that is not a template."""
        return Message(change(self.in_english()))

    def to_json(self) -> Any:
        """Return the message for JSON; `message_from_json` reads it."""
        return self.in_english()

    def _translate(self, language: str, isolated: bool) -> str:
        return self.in_english()

    def __html__(self) -> str:
        return escape(self.render(None, isolated=True))

    def __format__(self, spec: str) -> str:
        return format(self.render(), spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return message_from_json, (self.to_json(),)

    def __add__(self, other: str) -> str:
        return self.render() + (other.render() if isinstance(other, Message) else other)

    def __radd__(self, other: str) -> str:
        return other + self.render()


class Sentence(Message):
    """A template with named fields; with `several` the field `n` decides between the two."""

    __slots__ = ("context", "fields", "several", "template")
    template: str
    several: str
    context: str
    fields: Mapping[str, Field]

    def __new__(
        cls, template: str, fields: Mapping[str, Field], several: str = "", context: str = ""
    ) -> Self:
        chosen = several if several and fields["n"] != 1 else template
        self = super().__new__(
            cls, chosen.format_map(_InEnglish(fields)) if fields else unescape_braces(chosen)
        )
        self.template, self.several, self.context, self.fields = template, several, context, fields
        return self

    def map_fields(self, change: Callable[[str], str]) -> "Message":
        fields = {name: _map_field(value, change) for name, value in self.fields.items()}
        return Sentence(self.template, fields, self.several, self.context)

    def to_json(self) -> Any:
        found: dict[str, Any] = {"template": self.template}
        if self.several:
            found["several"] = self.several
        if self.context:
            found["context"] = self.context
        if self.fields:
            found["fields"] = {name: _field_to_json(value) for name, value in self.fields.items()}
        return found

    def _translate(self, language: str, isolated: bool) -> str:
        from topcut.text.catalogues import find_translation

        template = find_translation(language, self.template, self.several, self.context, self.fields.get("n"))
        shown = {name: _show(value, language, isolated) for name, value in self.fields.items()}
        return template.format_map(shown) if shown else unescape_braces(template)


class Joined(Message):
    """Messages one after the other, with a separator that no language changes."""

    __slots__ = ("parts", "separator")
    parts: tuple[str, ...]
    separator: str

    def __new__(cls, separator: str, parts: Iterable[str]) -> Self:
        kept = tuple(part for part in parts if part)
        self = super().__new__(cls, separator.join(map(_to_english, kept)))
        self.separator, self.parts = separator, kept
        return self

    def map_fields(self, change: Callable[[str], str]) -> "Message":
        return Joined(self.separator, [map_text(part, change) for part in self.parts])

    def to_json(self) -> Any:
        return {"join": self.separator, "parts": [_field_to_json(part) for part in self.parts]}

    def _translate(self, language: str, isolated: bool) -> str:
        return self.separator.join(str(_show(part, language, isolated)) for part in self.parts)


class ListInWords(Message):
    """Things listed in words: all of them (`and`) or one of them (`or`)."""

    __slots__ = ("items", "last")
    items: tuple[str, ...]
    last: str

    def __new__(cls, items: Iterable[object], last: str) -> Self:
        kept = tuple(item if isinstance(item, str) else str(item) for item in items)
        self = super().__new__(cls, _list_in_words(list(map(_to_english, kept)), last, ENGLISH))
        self.items, self.last = kept, last
        return self

    def map_fields(self, change: Callable[[str], str]) -> "Message":
        return ListInWords([map_text(item, change) for item in self.items], self.last)

    def to_json(self) -> Any:
        return {"list": self.last, "items": [_field_to_json(item) for item in self.items]}

    def _translate(self, language: str, isolated: bool) -> str:
        shown = [str(_show(item, language, isolated)) for item in self.items]
        return _list_in_words(shown, self.last, language)


_NUMBERS = ("number", "percent", "decimals")


class Formatted(Message):
    """A number, a share, a place or a moment, written as each language writes it."""

    __slots__ = ("style", "value")
    value: Any
    style: str

    def __new__(cls, value: Any, style: str) -> Self:
        self = super().__new__(cls, _format_value(value, style, ENGLISH))
        self.value, self.style = value, style
        return self

    def map_fields(self, change: Callable[[str], str]) -> "Message":
        return self

    def to_json(self) -> Any:
        value = self.value
        return {self.style: value.isoformat() if isinstance(value, date | time) else str(value)}

    def render(self, language: str | None = None, isolated: bool = False) -> str:
        language = language or _language.get()
        if self.style in _NUMBERS:  # on paper in two languages once
            language = language.partition("+")[0]
        return super().render(language, isolated)

    def _translate(self, language: str, isolated: bool) -> str:
        return _format_value(self.value, self.style, language)


def say(template: str, /, **fields: Field) -> Message:
    """Return a sentence.

    >>> say("Table {table} is open.", table=3)
    'Table 3 is open.'
    """
    return Sentence(template, fields)


def say_as(context: str, template: str, /, **fields: Field) -> Message:
    """Return a text that other languages say differently in different contexts, such as a word alone.

    >>> say_as("to play against", "Meet")
    'Meet'
    """
    return Sentence(template, fields, context=context)


def count(one: str, several: str, n: int | Fraction, /, **fields: Field) -> Message:
    """Return a sentence about a number of things, which is its field `n`; points can be halves.

    >>> count("{n} bye", "{n} byes", 1), count("{n} bye", "{n} byes", 11)
    ('1 bye', '11 byes')
    """
    return Sentence(one, {"n": n} | fields, several)


def join_messages(separator: str, parts: Iterable[str]) -> Message:
    """Return the messages that are not empty, one after the other.

    >>> join_messages("; ", [say("one bye"), "", say("a rematch")])
    'one bye; a rematch'
    """
    return Joined(separator, parts)


def list_and(items: Iterable[object]) -> Message:
    """Return things as a list in words.

    >>> list_and([36, 36, 35])
    '36, 36 and 35'
    """
    return ListInWords(items, "and")


def list_or(choices: Iterable[object]) -> Message:
    """Return choices as a list in words.

    >>> list_or([2, 4, 8])
    '2, 4 or 8'
    """
    return ListInWords(choices, "or")


def list_first(items: Sequence[str], most: int) -> Message:
    """Return the first items as a list, and how many more there are.

    >>> list_first(["Ada", "Bo", "Cy", "Di"], 2), list_first(["Ada", "Bo"], 2)
    ('Ada, Bo and 2 more', 'Ada, Bo')
    """
    listed = join_messages(", ", items[:most])
    return say("{names} and {more} more", names=listed, more=len(items) - most) if items[most:] else listed


def number(value: int | Fraction) -> Message:
    """Return a number with the separators of each language.

    >>> number(10_000), number(Fraction(9, 2)), number(Fraction(1, 3))
    ('10,000', '4.5', '1/3')
    """
    return Formatted(Fraction(value), "number")


def percent(share: Fraction) -> Message:
    """Return a share in per cent, with a decimal below one per cent.

    >>> percent(Fraction(1, 6)), percent(Fraction(8, 1000))
    ('17%', '0.8%')
    """
    return Formatted(share, "percent")


def decimals(digits: str) -> Message:
    """Return a number that is rounded already, such as "55.50%", with all its decimals.

    >>> decimals("55.50%").render("de")
    '55,50\xa0%'
    """
    return Formatted(digits, "decimals")


def ordinal(value: int) -> Message:
    """Return a place in digits.

    >>> [str(ordinal(value)) for value in (1, 2, 3, 9, 11, 22, 113)]
    ['1st', '2nd', '3rd', '9th', '11th', '22nd', '113th']
    """
    return Formatted(value, "ordinal")


def moment(value: datetime, style: str = "moment") -> Message:
    """Return a date with its time; `style`: only one of them, `date` or `time`, or a `stamp` for paper."""
    return Formatted(value, style)


def render(text: str, language: str | None = None) -> str:
    """Return a message in a language, by default the one in use; other text stays as it is."""
    return text.render(language) if isinstance(text, Message) else text


def render_isolated(text: str) -> str:
    """Return a text in the language in use, for a page, with names isolated that run the other way."""
    return text.render(None, isolated=True) if isinstance(text, Message) else isolate(text)


def message_from_json(found: Any) -> Message:
    """Return the message that `to_json` wrote; text is a message that no language changes.

    >>> message_from_json(say("{n} of {names}", n=3, names=list_and(["Ada", "Bo"])).to_json())
    '3 of Ada and Bo'
    """
    if isinstance(found, str):
        return _share_text(found) if len(found) <= MOST_SHARED else Message(found)
    try:
        if "template" in found:
            fields = tuple(found.get("fields", {}).items())
            if not any(isinstance(value, Mapping) for _, value in fields):
                return _share_sentence(
                    found["template"], found.get("several", ""), found.get("context", ""), fields
                )
        return _read_message(found)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise ValueError("expected a text, or a template with its fields") from None


def map_text(text: str, change: Callable[[str], str]) -> str:
    """Return a text, or a message with every text in its fields, changed."""
    return text.map_fields(change) if isinstance(text, Message) else change(text)


def to_message(text: str) -> Message:
    """Return a message as it is, and any other text as one that no language changes."""
    return text if isinstance(text, Message) else Message(text)


@lru_cache(maxsize=10_000)
def _share_text(text: str) -> Message:
    """Return the one message for all tables whose reason older versions wrote with these words."""
    return Message(text)


@lru_cache(maxsize=10_000)
def _share_sentence(
    template: str, several: str, context: str, fields: tuple[tuple[str, Field], ...]
) -> Message:
    """Return the one message for all tables that have the same reason."""
    return _read_sentence(template, dict(fields), several, context)


def _read_message(found: Mapping[str, Any]) -> Message:
    if "template" in found:
        fields = {name: _field_from_json(value) for name, value in found.get("fields", {}).items()}
        return _read_sentence(found["template"], fields, found.get("several", ""), found.get("context", ""))
    if "join" in found:
        return Joined(found["join"], map(_text_from_json, found["parts"]))
    if "list" in found:
        return ListInWords(map(_text_from_json, found["items"]), found["list"])
    [(style, value)] = found.items()
    return Formatted(_READERS[style](value), style)


_TEMPLATE = re.compile(r"(?:[^{}]|\{\{|\}\}|\{[a-z_][a-z0-9_]*\})*")
"""A template with nothing but names between braces: files of strangers hold templates too."""
_NUMBER = re.compile(r"-?\d{1,30}(?:/[1-9]\d{0,29})?")
_DECIMALS = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?%?", re.ASCII)


def _read_sentence(template: str, fields: Mapping[str, Field], several: str, context: str) -> Message:
    if not (_TEMPLATE.fullmatch(template) and _TEMPLATE.fullmatch(several)):
        raise ValueError(template)
    return Sentence(template, fields, several, context)


def _read_number(text: str) -> Fraction:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return Fraction(text)


def _read_decimals(text: str) -> str:
    if not _DECIMALS.fullmatch(text):
        raise ValueError(text)
    return text


_READERS: dict[str, Callable[[str], Any]] = {
    "number": _read_number,
    "percent": _read_number,
    "decimals": _read_decimals,
    "ordinal": lambda text: int(_read_number(text)),
    "moment": datetime.fromisoformat,
    "stamp": datetime.fromisoformat,
    "date": datetime.fromisoformat,
    "time": datetime.fromisoformat,
}


def _field_to_json(value: Field) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    return {"number": str(value)} if isinstance(value, Fraction) else value


def _field_from_json(value: Any) -> Field:
    if isinstance(value, str | int):
        return value
    return message_from_json(value)


def _text_from_json(value: Any) -> str:
    return value if isinstance(value, str) else message_from_json(value)


class _InEnglish(dict[str, Field]):
    """Fields of an English sentence."""

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        if isinstance(value, Message):
            return value.in_english()
        return number(value).in_english() if isinstance(value, Fraction) else value


def _show(value: Field, language: str, isolated: bool) -> str | int:
    """Return the value of a field in a language other than English."""
    if isinstance(value, Message):
        return value.render(language, isolated)
    if isinstance(value, Fraction):
        return number(value).render(language)
    return isolate_part(value) if isolated and isinstance(value, str) else value


def _to_english(text: str) -> str:
    return text.in_english() if isinstance(text, Message) else text


def _map_field(value: Field, change: Callable[[str], str]) -> Field:
    return map_text(value, change) if isinstance(value, str) else value


def unescape_braces(template: str) -> str:
    """Return a template without fields as it is shown."""
    return template.replace("{{", "{").replace("}}", "}") if "{" in template or "}" in template else template


def _list_in_words(items: list[str], last: str, language: str) -> str:
    if len(items) < 2:
        return "".join(items)
    from topcut.text.locales import write_list

    return write_list(items, last, language)


def _format_value(value: Any, style: str, language: str) -> str:
    if style == "decimals" and language == ENGLISH:
        return str(value)
    from topcut.text.locales import FORMATS

    return FORMATS[style](value, language)


def to_markup(text: str) -> Markup:
    """Return a text for a page: escaped, in the language in use, with right-to-left names isolated."""
    return Markup(escape(render_isolated(text)))
