"""What does a book say, line by line, and where does each value come from?

This walks the book as its file says it, so that what is shown is what was written, and not what the
program made of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from topcut.rulebook.load import Source, convert
from topcut.rulebook.model import Book


class Choice(Struct, frozen=True, kw_only=True):
    """How an unclear rule is read, and how else it could be."""

    id: str
    asks: str
    chosen: str
    says: str
    usual: str
    """What the book takes unless another is chosen, and `because` of what."""
    because: str
    others: dict[str, str]


class Parameter(Struct, frozen=True, kw_only=True):
    """One value of a book. `name` has dots where a value has parts: `shown.form`."""

    section: str
    name: str
    value: Any
    source: str
    reading: Choice | None = None


def parameters(source: Source, readings: Mapping[str, str]) -> tuple[Book, list[Parameter]]:
    """The book with these readings, and all its parameters in the order of the file."""
    book = convert(source, readings)
    here = source.tree.get("choose", {})
    choices = {}
    for reading_id in book.readings:
        usual = here.get(reading_id, source.tree["readings"][reading_id]["chosen"])
        choices[reading_id] = _choice(
            reading_id, book, usual, "chosen by this book" if reading_id in here else ""
        )
    found: list[Parameter] = []
    for name, part in source.tree.items():
        if name not in ("readings", "choose") and isinstance(part, dict | list):
            found.extend(_Walk(book, choices).sections(name, part))
    return book, found


def _choice(reading_id: str, book: Book, usual: str, because: str) -> Choice:
    reading = book.readings[reading_id]
    says = {letter: option.says for letter, option in reading.options.items()}
    return Choice(
        id=reading_id,
        asks=reading.asks,
        chosen=reading.chosen,
        says=says.pop(reading.chosen),
        usual=usual,
        because=because or reading.because,
        others=says,
    )


class _Walk:
    def __init__(self, book: Book, choices: Mapping[str, Choice]) -> None:
        self.book = book
        self.choices = choices

    def sections(self, path: str, part: Any) -> Iterator[Parameter]:
        """The parameters of a section and of the sections inside it; what has a `source` is a section."""
        if isinstance(part, list):
            for number, entry in enumerate(part, start=1):
                if isinstance(entry, dict):
                    yield from self.sections(f"{path} {number}", entry)
        elif "source" not in part:
            for name, inner in part.items():
                yield from self.sections(f"{path}.{name}", inner)
        else:
            yield from self._parameters(path, part)

    def _parameters(self, path: str, section: dict[str, Any]) -> Iterator[Parameter]:
        inside = []
        for name, value in section.items():
            if name in ("source", "sources"):
                continue
            if _holds_sections(value):
                inside.append((f"{path}.{name}", value))
                continue
            source = section.get("sources", {}).get(name, section["source"])
            for dotted, plain, reading in self._values(name, value):
                yield Parameter(section=path, name=dotted, value=plain, source=source, reading=reading)
        for inner, value in inside:
            yield from self.sections(inner, value)

    def _values(self, name: str, value: Any) -> Iterator[tuple[str, Any, Choice | None]]:
        if not isinstance(value, dict):
            yield name, value, None
        elif "reading" in value:
            reading = self.book.readings[value["reading"]]
            chosen = reading.options[reading.chosen].value
            plain = chosen[value["part"]] if "part" in value else chosen
            yield name, plain, self.choices[value["reading"]]
        else:
            for key, inner in value.items():
                yield from self._values(f"{name}.{key}", inner)


def _holds_sections(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return "source" in value or any(isinstance(v, dict) and "source" in v for v in value.values())
