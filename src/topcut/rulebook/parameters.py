"""List the values of a book as its file has them, each with its source and reading."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from topcut.rulebook.loader import BookSource, build_book
from topcut.rulebook.model import Book


class ReadingChoice(Struct, frozen=True, kw_only=True):
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
    reading: ReadingChoice | None = None


def list_parameters(source: BookSource, readings: Mapping[str, str]) -> tuple[Book, list[Parameter]]:
    """Return the book with these readings, and all its parameters in the order of the file."""
    book = build_book(source, readings)
    here = source.tree.get("choose", {})
    choices = {}
    for reading_id, reading in book.readings.items():
        says = {letter: option.says for letter, option in reading.options.items()}
        choices[reading_id] = ReadingChoice(
            id=reading_id,
            asks=reading.asks,
            chosen=reading.chosen,
            says=says.pop(reading.chosen),
            usual=here.get(reading_id, source.tree["readings"][reading_id]["chosen"]),
            because="chosen by this book" if reading_id in here else reading.because,
            others=says,
        )
    found: list[Parameter] = []
    for name, part in source.tree.items():
        if name not in ("readings", "choose") and isinstance(part, dict | list):
            found.extend(_walk(name, part, book, choices))
    return book, found


def _walk(path: str, part: Any, book: Book, choices: Mapping[str, ReadingChoice]) -> Iterator[Parameter]:
    """Yield the parameters of a section, then of the sections inside it; a section has a `source`."""
    if isinstance(part, list):
        for number, entry in enumerate(part, start=1):
            if isinstance(entry, dict):
                yield from _walk(f"{path} {number}", entry, book, choices)
        return
    inside = {} if "source" in part else part
    if "source" in part:
        values = {name: value for name, value in part.items() if name not in ("source", "sources")}
        inside = {name: value for name, value in values.items() if _holds_sections(value)}
        for name in (name for name in values if name not in inside):
            source = part.get("sources", {}).get(name, part["source"])
            for dotted, plain, reading in _split_value(name, values[name], book):
                choice = choices[reading] if reading else None
                yield Parameter(section=path, name=dotted, value=plain, source=source, reading=choice)
    for name, inner in inside.items():
        yield from _walk(f"{path}.{name}", inner, book, choices)


def _split_value(name: str, value: Any, book: Book) -> Iterator[tuple[str, Any, str]]:
    """Yield the parts of a value with their dotted names, and the reading that sets them, if any."""
    if not isinstance(value, dict):
        yield name, value, ""
    elif "reading" in value:
        reading = book.readings[value["reading"]]
        chosen = reading.options[reading.chosen].value
        yield name, chosen[value["part"]] if "part" in value else chosen, value["reading"]
    else:
        for key, inner in value.items():
            yield from _split_value(f"{name}.{key}", inner, book)


def _holds_sections(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return "source" in value or any(isinstance(v, dict) and "source" in v for v in value.values())
