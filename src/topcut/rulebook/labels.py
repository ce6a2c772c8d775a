"""Make the labels of a book messages: the catalogues translate them, or the book itself does.

label = make_label("Match points", {"de": {"Match points": "Punkte"}})
label.render("de") == "Punkte"
"""

from collections.abc import Iterator, Mapping
from typing import Any, Self

from msgspec import Struct

from topcut.text.messages import Sentence

Languages = Mapping[str, Mapping[str, str]]
"""By language: a book's own translations of its labels."""


class Label(Sentence):
    """A text of a book that people read, such as its title or the name of a tiebreaker."""

    __slots__ = ("own",)
    own: Mapping[str, str]
    """The book's own translations, by language; they go before the catalogues."""

    def __new__(cls, text: str, own: Mapping[str, str] | None = None) -> Self:
        self = super().__new__(cls, text.replace("{", "{{").replace("}", "}}"), {})
        self.own = own or {}
        return self

    def _translate(self, language: str, isolated: bool) -> str:
        return self.own.get(language) or super()._translate(language, isolated)

    def __reduce__(self) -> tuple[Any, ...]:
        return Label, (self.in_english(), dict(self.own))


NO_LABEL = Label("")


def make_label(text: str, languages: Languages) -> Label:
    """Return a text as a label, with the translations that these tables have of it."""
    return Label(text, {language: texts[text] for language, texts in languages.items() if text in texts})


def find_labels(part: object) -> Iterator[Label]:
    """Yield the labels in a part of a book, or in a whole one."""
    if isinstance(part, Label):
        if part:
            yield part
    elif isinstance(part, Struct):
        for name in part.__struct_fields__:
            found = find_labels(getattr(part, name))
            yield from filter(_has_words, found) if name in ("source", "sources") else found
    elif isinstance(part, tuple | dict):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from find_labels(inner)


def _has_words(source: Label) -> bool:
    """Return whether languages differ in a source; `§3.1 (PK-4)` is the same in all of them."""
    return any(letter.islower() for letter in source.in_english())
