"""From a book's file to a `Book`: reading, basing one book on another, choosing readings.

    book = load(ids()[0])

A mistake in a book is one line with the file, the line and what was expected.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from topcut.errors import BadInput, in_words
from topcut.rulebook.check import mistakes
from topcut.rulebook.keys import Credit
from topcut.rulebook.model import Book
from topcut.rulebook.where import line_of, path_of

LARGEST_BOOK = 1_000_000
_BOOKS = Path(__file__).parent / "books"

Tree = dict[str, Any]


def ids() -> list[str]:
    """The ids of the rulesets that come with Topcut."""
    return sorted(book.stem for book in _BOOKS.glob("*.toml"))


def load(name: str, readings: Mapping[str, str] | None = None, folder: Path | None = None) -> Book:
    """The ruleset called `name`: an id, or (where `folder` is given) a file path seen from that folder.

    `readings` switches the reading of unclear rules: `{"PK-A3": "b"}`.
    """
    return convert(read(name, folder), readings or {})


class Source:
    """What a book's file says, with the files of the books it is based on; nothing is applied yet."""

    def __init__(self, tree: Tree, files: list[tuple[str, str]]) -> None:
        self.tree = tree
        self.files = files
        """(name, text) of this book, then of its bases; a mistake is looked for in this order."""

    def error(self, problem: str, path: str) -> BadInput:
        """The one-line error for a mistake at `path`, such as `chain[2].floor`."""
        steps = path_of(path)
        found = [(line_of(text, steps), name) for name, text in self.files]
        (line, _), name = max(found, key=lambda f: f[0][1])
        place = path.removeprefix("$").removeprefix(".")
        return BadInput(problem, place=place, file=f"{name}:{line}")


def read(name: str, folder: Path | None = None, _above: tuple[str, ...] = ()) -> Source:
    """Read a book's file and lay it over the book it is based on, if any."""
    file, text = _find(name, folder)
    here = name if name in ids() or folder is None else str((folder / name).resolve())
    if here in _above:
        raise BadInput("this book is based on itself", file=file)
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"^(.*) \(at line (\d+), column \d+\)$", str(error))
        problem, line = (at[1], f":{at[2]}") if at else (str(error), f":{text.count(chr(10)) + 1}")
        raise BadInput(f"not valid TOML: {problem}", file=f"{file}{line}") from None
    except RecursionError:
        raise BadInput("nested too deeply for a book", file=file) from None
    base = tree.pop("base", None)
    if base is None:
        return Source(tree, [(file, text)])
    if not isinstance(base, str):
        raise Source(tree, [(file, text)]).error("expected the id or the path of a book", "base")
    if "id" not in tree:
        raise Source(tree, [(file, text)]).error("a book with a base needs an id of its own", "base")
    inner = folder / Path(name).parent if folder is not None and name not in ids() else folder
    try:
        under = read(base, inner, (*_above, here))
    except BadInput as error:
        raise error if error.file else Source(tree, [(file, text)]).error(error.problem, "base") from None
    if tree["id"] == under.tree.get("id"):
        raise Source(tree, [(file, text)]).error(f"expected an id of its own, not that of {base}", "id")
    return Source(_laid_over(under.tree, tree), [(file, text), *under.files])


def convert(source: Source, readings: Mapping[str, str]) -> Book:
    """Apply the chosen readings and check the whole."""
    tree = dict(source.tree)
    choose = tree.pop("choose", {})
    if not isinstance(choose, dict):
        raise source.error('expected a table of readings, such as PK-A3 = "b"', "choose")
    chosen = {reading_id: (letter, f"choose.{reading_id}") for reading_id, letter in choose.items()}
    chosen |= {reading_id: (letter, "") for reading_id, letter in readings.items()}
    available = tree.get("readings", {})
    for reading_id, (letter, path) in chosen.items():
        options = available.get(reading_id, {}).get("options", {}) if isinstance(available, dict) else {}
        if not isinstance(letter, str) or letter not in options:
            expected = f"expected {_either(options)}" if options else f"this book has {_either(available)}"
            problem = f'no reading "{letter}" of {reading_id}: {expected}'
            raise source.error(problem, path) if path else BadInput(problem, place="--reading")
        available = {**available, reading_id: {**available[reading_id], "chosen": letter}}
    if chosen:
        tree["readings"] = available
    plain = _with_readings(tree, available, source, "")
    try:
        book = msgspec.convert(plain, Book, dec_hook=exact)
    except msgspec.ValidationError as error:
        raise _convert_error(source, plain, str(error)) from None
    for path, problem in mistakes(book):
        raise source.error(problem, path)
    return book


def _find(name: str, folder: Path | None) -> tuple[str, str]:
    if name in ids():
        return f"{name}.toml", (_BOOKS / f"{name}.toml").read_text("utf-8")
    if folder is None or not name.endswith(".toml"):
        path_too = "" if folder is None else ", or the path of a .toml file"
        raise BadInput(f'no ruleset "{name}": expected one of {", ".join(ids())}{path_too}')
    path = folder / name
    try:
        if path.exists() and not path.is_file():
            raise BadInput("expected a file, not a directory or a device", file=name)
        if path.stat().st_size > LARGEST_BOOK:
            raise BadInput(f"too large for a book: expected at most {LARGEST_BOOK:,} bytes", file=name)
        return name, path.read_text("utf-8")
    except OSError as error:
        raise BadInput(f"cannot read this book: {error.strerror}", file=name) from None
    except UnicodeDecodeError:
        raise BadInput("expected text in UTF-8", file=name) from None
    except ValueError:  # a name that no file can have
        raise BadInput(f'no ruleset "{name}": expected the path of a .toml file') from None


def _laid_over(under: Tree, over: Tree) -> Tree:
    """Tables are merged key by key; everything else in `over` replaces what was under it."""
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        merge = isinstance(value, dict) and isinstance(below, dict) and not _is_reading(below)
        merged[key] = _laid_over(below, value) if merge and isinstance(below, dict) else value
    return merged


def _is_reading(value: Any) -> bool:
    """`{ reading = "PK-A3" }` stands for the value of whichever reading is chosen."""
    return isinstance(value, dict) and "reading" in value


def _with_readings(value: Any, readings: Any, source: Source, path: str) -> Any:
    if isinstance(value, list):
        return [_with_readings(item, readings, source, f"{path}[{i}]") for i, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    if not _is_reading(value):
        return {
            k: v if k == "readings" and not path else _with_readings(v, readings, source, f"{path}.{k}")
            for k, v in value.items()
        }
    try:
        reading = readings[value["reading"]]
        result = reading["options"][reading["chosen"]]["value"]
        return result[value["part"]] if "part" in value else result
    except (KeyError, TypeError):
        wanted = f"{value['reading']}{', part ' + str(value['part']) if 'part' in value else ''}"
        raise source.error(f"expected a reading of that id under [readings]: {wanted}", path) from None


def exact(kind: type, value: object) -> Any:
    """Numbers in books are exact: whole, or text such as "1/3"."""
    if kind is Fraction:
        if isinstance(value, int) and not isinstance(value, bool):
            return Fraction(value)
        if isinstance(value, str) and re.fullmatch(r"-?\d{1,9}(/[1-9]\d{0,8})?", value):
            return Fraction(value)
        raise ValueError(f'Expected a whole number or a fraction in quotes such as "1/3", got {value!r}')
    if kind is Credit:
        parts = value if isinstance(value, list) else [value]
        if 1 <= len(parts) <= 2:
            return Credit(*(exact(Fraction, part) for part in parts))
        raise ValueError(f"Expected a number, or [earned, possible], got {value!r}")
    raise NotImplementedError(kind)


def _convert_error(source: Source, tree: Tree, message: str) -> BadInput:
    problem, _, path = message.partition(" - at `")
    path = _named(tree, path.removesuffix("`"))
    if unknown := re.search(r"unknown field `(.*)`", problem):
        return source.error("unknown key; is it misspelt?", f"{path}.{unknown[1]}")
    return source.error(in_words(problem), path)


def _named(tree: Tree, path: str) -> str:
    """The path with the name that msgspec leaves out of it: the first entry that fails alone."""
    before, gap, after = path.partition("[...]")
    if not gap:
        return path
    *outer, last = path_of(before)
    holder: Any = tree
    for step in outer:
        holder = holder[step]
    entries = holder[last]
    for name, entry in entries.items():
        holder[last] = {name: entry}
        try:
            msgspec.convert(tree, Book, dec_hook=exact)
        except msgspec.ValidationError as error:
            if f"`{path}`" in str(error):
                return f"{before}.{name}{after}"
    return before


def _either(names: object) -> str:
    """The names of a table's entries, PK-A3 before PK-A12."""
    if not isinstance(names, dict) or not names:
        return "none"
    return ", ".join(sorted(names, key=lambda name: (re.sub(r"\d+", "", name), len(name), name)))
