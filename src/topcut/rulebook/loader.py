"""Load a book from its file, or from the log of an event that was begun with it, and list what it says.

    book = load(list_ids()[0])

Loading reads the TOML file, merges it into the book it is based on, fills in the chosen readings and
validates the whole. A mistake in a book is one line with the file, the line and what was expected.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from topcut.errors import BadInput, explain_decode_error
from topcut.rulebook.labels import Label, make_label
from topcut.rulebook.model import Book
from topcut.rulebook.tiebreak_keys import Credit
from topcut.rulebook.validation import find_mistakes
from topcut.text.message_json import decode_text
from topcut.text.messages import Message, number, say
from topcut.text.os_errors import describe_os_error

LARGEST_BOOK = 1_000_000
"""Bytes; a larger file is refused."""
_BOOKS = Path(__file__).parent / "books"
_HEADING = re.compile(r"^\s*(\[\[?)([^\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*([\w.\"'-]+)\s*=")
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")

Tree = dict[str, Any]
Steps = tuple[str | int, ...]
"""A path such as `chain[2].floor`: `("chain", 2, "floor")`."""


def list_ids() -> list[str]:
    """List the ids of the rulesets that come with Topcut."""
    return sorted(book.stem for book in _BOOKS.glob("*.toml"))


def load(name: str, readings: Mapping[str, str] | None = None, folder: Path | None = None) -> Book:
    """Load the ruleset called `name`: an id, or (with a `folder`) a file path seen from that folder.

    `readings` switches the reading of unclear rules: `{"PK-A3": "b"}`.
    """
    return build_book(read_book(name, folder), readings or {})


class ReadingChoice(Struct, frozen=True, kw_only=True):
    """How an unclear rule is read, and how else it could be."""

    id: str
    asks: Message
    chosen: str
    says: Message
    usual: str
    """What the book takes unless another is chosen, and `because` of what."""
    because: Message
    others: Mapping[str, Message]


class Parameter(Struct, frozen=True, kw_only=True):
    """One value of a book. `name` has dots where a value has parts: `shown.form`."""

    section: str
    name: str
    value: Any
    source: Message
    reading: ReadingChoice | None = None


class BookSource(NamedTuple):
    """What a book's file says, merged into its bases; readings are not filled in yet."""

    tree: Tree
    files: list[tuple[str, str]]
    """(name, text) of this book, then of its bases; a mistake is looked for in this order."""

    def error(self, problem: str, path: str) -> BadInput:
        """Return the one-line error for a mistake at `path`, such as `chain[2].floor`."""
        found = [(*_find_line(text, _split_path(path)), name) for name, text in self.files]
        line, _, name = max(found, key=lambda f: f[1])
        return BadInput(problem, place=path.removeprefix("$").removeprefix("."), file=f"{name}:{line}")


def read_book(name: str, folder: Path | None = None, _above: tuple[str, ...] = ()) -> BookSource:
    """Read a book's file and merge it into the book it is based on, if any."""
    file, text = _read_file(name, folder)
    own = name in list_ids()
    here = name if own or folder is None else str((folder / name).resolve())
    if here in _above:
        raise BadInput(say("this book is based on itself"), file=file)
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"^(.*) \(at line (\d+), column \d+\)$", str(error))
        problem, line = (at[1], f":{at[2]}") if at else (str(error), f":{text.count(chr(10)) + 1}")
        raise BadInput(say("not valid TOML: {problem}", problem=problem), file=f"{file}{line}") from None
    except RecursionError:
        raise BadInput(say("nested too deeply for a book"), file=file) from None
    base = tree.pop("base", None)
    source = BookSource(tree, [(file, text)])
    if base is None:
        return source
    if not isinstance(base, str):
        raise source.error(say("expected the id or the path of a book"), "base")
    if "id" not in tree:
        raise source.error(say("a book with a base needs an id of its own"), "base")
    try:
        inner = folder if folder is None or own else folder / Path(name).parent
        under = read_book(base, inner, (*_above, here))
    except BadInput as error:
        raise error if error.file else source.error(error.problem, "base") from None
    if tree["id"] == under.tree.get("id"):
        raise source.error(say("expected an id of its own, not that of {base}", base=base), "id")
    return BookSource(_merge(under.tree, tree), source.files + under.files)


def build_book(source: BookSource, readings: Mapping[str, str]) -> Book:
    """Fill in the chosen readings and validate the whole book."""
    tree = dict(source.tree)
    choose = tree.pop("choose", {})
    if not isinstance(choose, dict):
        raise source.error(say('expected a table of readings, such as PK-A3 = "b"'), "choose")
    known = tree.get("readings", {})
    for reading_id, letter in {**choose, **readings}.items():
        options = known.get(reading_id, {}).get("options", {}) if isinstance(known, dict) else {}
        if not isinstance(letter, str) or letter not in options:
            problem = _explain_unknown_reading(str(letter), reading_id, options, known)
            if reading_id in readings:
                raise BadInput(problem, place="--reading")
            raise source.error(problem, f"choose.{reading_id}")
        known = {**known, reading_id: {**known[reading_id], "chosen": letter}}
    if choose or readings:
        tree["readings"] = known
    plain = _fill_in_readings(tree, known, source, "")
    try:
        book = _convert(plain)
    except msgspec.ValidationError as error:
        said, _, path = str(error).partition(" - at `")
        path = _restore_name(plain, path.removesuffix("`"))
        if unknown := re.search(r"unknown field `(.*)`", said):
            raise source.error(say("unknown key; is it misspelt?"), f"{path}.{unknown[1]}") from None
        raise source.error(_explain_error(said), path) from None
    for path, mistake in find_mistakes(book):
        raise source.error(mistake, path)
    if unused := _find_unused_translation(book, source):
        raise source.error(say("the book has no such text; is it misspelt?"), unused)
    return book


def _explain_unknown_reading(letter: str, reading_id: str, options: object, known: object) -> Message:
    asked = {"letter": letter, "reading": reading_id}
    if options:
        letters = _list_names(options)
        return say('no reading "{letter}" of {reading}: expected {letters}', letters=letters, **asked)
    if readings := _list_names(known):
        return say('no reading "{letter}" of {reading}: this book has {readings}', readings=readings, **asked)
    return say('no reading "{letter}" of {reading}: this book has none', **asked)


def _find_unused_translation(book: Book, source: BookSource) -> str:
    """Return the path of a translation of something that is no label here or in a base; empty if all are."""
    labels = set(book.list_labels()) if book.languages else set()
    below = "".join(text for _, text in source.files[1:])
    for language, texts in book.languages.items():
        for text in texts:
            if text not in labels and text not in below:
                return f"languages.{language}.{text}"
    return ""


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
            because=say("chosen by this book") if reading_id in here else reading.because,
            others=says,
        )
    found: list[Parameter] = []
    for name, part in source.tree.items():
        if name not in ("readings", "choose", "languages") and isinstance(part, dict | list):
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
            source = book.label(part.get("sources", {}).get(name, part["source"]))
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


def freeze_book(book: Book) -> Tree:
    """Return the book in plain values, as an event's log keeps the rules that it was begun with.

    >>> book = load(list_ids()[0])
    >>> thaw_book(freeze_book(book)) == book
    True
    """
    tree: Tree = msgspec.to_builtins(book, enc_hook=_to_plain)
    if not book.languages:
        del tree["languages"]
    return tree


def thaw_book(tree: Tree) -> Book:
    try:
        book = _convert(tree)
    except msgspec.ValidationError as error:
        problem = say("not a ruleset: {problem}", problem=_explain_error(str(error)))
        raise BadInput(problem, place="book") from None
    for path, mistake in find_mistakes(book):
        raise BadInput(mistake, place=f"book.{path}")
    return book


def _to_plain(value: object) -> Any:
    if isinstance(value, Message):
        return value.in_english()
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Credit):
        return [_to_plain(value.earned), _to_plain(value.possible)]
    raise NotImplementedError(type(value))


def _convert(tree: Tree) -> Book:
    """Convert plain values to a book; its labels get the translations that it has of them."""
    tables = tree.get("languages")
    languages = {
        language: {label: text for label, text in texts.items() if isinstance(text, str)}
        for language, texts in (tables.items() if isinstance(tables, dict) else ())
        if isinstance(texts, dict)
    }

    def parse(kind: type, value: object) -> Any:
        if kind is Label:
            return make_label(decode_text(kind, value), languages)
        return _parse_exact(kind, value)

    return msgspec.convert(tree, Book, dec_hook=parse)


_FRACTION = 'Expected a whole number or a fraction in quotes such as "1/3"'
_CREDIT = "Expected a number, or [earned, possible]"


def _explain_error(problem: str) -> Message:
    """Return for people what converting a book says."""
    expected, _, given = problem.partition(", got ")
    if expected == _FRACTION:
        return say('expected a whole number or a fraction in quotes such as "1/3", got {given}', given=given)
    if expected == _CREDIT:
        return say("expected a number, or [earned, possible], got {given}", given=given)
    return explain_decode_error(problem)


def _parse_exact(kind: type, value: object) -> Any:
    """Parse a number of a book, which is exact: whole, or text such as "1/3"."""
    if kind is Fraction:
        if isinstance(value, int) and not isinstance(value, bool):
            return Fraction(value)
        if isinstance(value, str) and re.fullmatch(r"-?\d{1,9}(/[1-9]\d{0,8})?", value):
            return Fraction(value)
        raise ValueError(f"{_FRACTION}, got {value!r}")
    if kind is Credit:
        parts = value if isinstance(value, list) else [value]
        if 1 <= len(parts) <= 2:
            return Credit(*(_parse_exact(Fraction, part) for part in parts))
        raise ValueError(f"{_CREDIT}, got {value!r}")
    raise NotImplementedError(kind)


def _read_file(name: str, folder: Path | None) -> tuple[str, str]:
    """Return the name of a book's file for messages, and its text."""
    if name in list_ids():
        return f"{name}.toml", (_BOOKS / f"{name}.toml").read_text("utf-8")
    if folder is None or not name.endswith(".toml"):
        raise BadInput(_explain_unknown_ruleset(name, in_folder=folder is not None))
    path = folder / name
    try:
        if path.exists() and not path.is_file():
            raise BadInput(say("expected a file, not a directory or a device"), file=name)
        if path.stat().st_size > LARGEST_BOOK:
            problem = say("too large for a book: expected at most {bytes} bytes", bytes=number(LARGEST_BOOK))
            raise BadInput(problem, file=name)
        return name, path.read_text("utf-8")
    except OSError as error:
        problem = say("cannot read this book: {reason}", reason=describe_os_error(error))
        raise BadInput(problem, file=name) from None
    except UnicodeDecodeError:
        raise BadInput(say("expected text in UTF-8"), file=name) from None
    except ValueError:  # a name that no file can have
        raise BadInput(say('no ruleset "{name}": expected the path of a .toml file', name=name)) from None


def _explain_unknown_ruleset(name: str, in_folder: bool) -> Message:
    ids = ", ".join(list_ids())
    if not in_folder:
        return say('no ruleset "{name}": expected one of {ids}', name=name, ids=ids)
    return say('no ruleset "{name}": expected one of {ids}, or the path of a .toml file', name=name, ids=ids)


def _merge(under: Tree, over: Tree) -> Tree:
    """Merge tables key by key; every other value of `over` replaces the one of `under`."""
    merged = dict(under)
    for key, value in over.items():
        match merged.get(key), value:
            case dict(below), dict() if "reading" not in below:
                merged[key] = _merge(below, value)
            case _:
                merged[key] = value
    return merged


def _fill_in_readings(value: Any, readings: Any, source: BookSource, path: str) -> Any:
    """Replace each `{ reading = "PK-A3" }` by the value of the reading that is chosen."""
    if isinstance(value, list):
        return [_fill_in_readings(item, readings, source, f"{path}[{i}]") for i, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    if "reading" not in value:
        return {
            k: v
            if k in ("readings", "languages") and not path
            else _fill_in_readings(v, readings, source, f"{path}.{k}")
            for k, v in value.items()
        }
    try:
        reading = readings[value["reading"]]
        result = reading["options"][reading["chosen"]]["value"]
        return result[value["part"]] if "part" in value else result
    except (KeyError, TypeError):
        raise source.error(_explain_missing_reading(value), path) from None


def _explain_missing_reading(value: Tree) -> Message:
    reading = str(value["reading"])
    if "part" not in value:
        return say("expected a reading of that id under [readings]: {reading}", reading=reading)
    part = str(value["part"])
    return say(
        "expected a reading of that id under [readings]: {reading}, part {part}", reading=reading, part=part
    )


def _restore_name(tree: Tree, path: str) -> str:
    """Return the path with the name that msgspec leaves out of it: the first entry that fails alone."""
    before, gap, after = path.partition("[...]")
    if not gap:
        return path
    *outer, last = _split_path(before)
    holder: Any = tree
    for step in outer:
        holder = holder[step]
    entries = holder[last]
    for name, entry in entries.items():
        holder[last] = {name: entry}
        try:
            _convert(tree)
        except msgspec.ValidationError as error:
            if f"`{path}`" in str(error):
                return f"{before}.{name}{after}"
    return before


def _list_names(names: object) -> str:
    """List the names of a table's entries, PK-A3 before PK-A12."""
    if not isinstance(names, dict):
        return ""
    return ", ".join(sorted(names, key=lambda name: (re.sub(r"\d+", "", name), len(name), name)))


def _split_path(path: str) -> Steps:
    """Return the steps of a path as messages write it.

    >>> _split_path("$.chain[2].floor")
    ('chain', 2, 'floor')
    """
    return tuple(int(number) if number else name for number, name in _STEP.findall(path.removeprefix("$")))


def _find_line(text: str, path: Steps) -> tuple[int, int]:
    """Return the line (from 1) that reaches furthest into `path`, and how many steps it reaches.

    `tomllib` keeps no positions, so this looks at the table headings and keys of the file.
    """
    best_line, best_depth = 1, 0
    inside: Steps = ()
    seen: dict[Steps, int] = {}
    for row, line in enumerate(text.splitlines(), start=1):
        if heading := _HEADING.match(line):
            inside = _split_names(heading[2])
            if heading[1] == "[[":
                seen[inside] = seen.get(inside, -1) + 1
                inside = (*inside, seen[inside])
            elif (arrays := [a for a in seen if a == inside[: len(a)]]) and (array := max(arrays, key=len)):
                inside = (*array, seen[array], *inside[len(array) :])
            here = inside
        elif key := _KEY.match(line):
            here = (*inside, *_split_names(key[1]))
        else:
            continue
        depth = len(here) if path[: len(here)] == here else 0
        if depth > best_depth:
            best_line, best_depth = row, depth
    return best_line, best_depth


def _split_names(dotted: str) -> Steps:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
