"""Read the catalogues of translations: one file LANGUAGE.po for each language.

Translators write them with the usual programs (Poedit, Weblate); `tools/messages` keeps them up to date.
"""

import gettext
import os
import re
from ast import literal_eval
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from string import Formatter

HERE = Path(__file__).parents[1] / "languages"
OWN = "TOPCUT_LANGUAGES"
"""The variable that names a folder with further catalogues, to try a translation without a build."""


class CatalogueError(ValueError):
    """A file of translations cannot be read."""


@dataclass(frozen=True)
class Catalogue:
    """The translations into one language."""

    rule: str = "n != 1"
    """Which form of a sentence with a number fits the number `n`: an expression as in C."""
    choose: Callable[[int], int] = lambda n: int(n != 1)
    """The rule as a function."""
    texts: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """By context and English text: the translation, or its forms by number."""


@cache
def list_catalogues() -> dict[str, Path]:
    """Return the languages that have a catalogue, with its file."""
    folders = [HERE, *([Path(own)] if (own := os.environ.get(OWN)) else [])]
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.po"))}


@cache
def load_catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language; an empty one if there is none."""
    path = list_catalogues().get(language)
    if path is None:
        return Catalogue()
    catalogue = read_catalogue(path.read_text("utf-8"), str(path))
    if path.parent == HERE:  # tests hold the fields of these
        return catalogue
    texts = {
        key: forms for key, forms in catalogue.texts.items() if all(_fits(key[1], form) for form in forms)
    }
    return replace(catalogue, texts=texts)


def _fits(text: str, translation: str) -> bool:
    """Tell whether a translation has only fields that its text has; else the text stays in English."""
    try:
        return _list_fields(translation) <= _list_fields(text) | {"n"}
    except ValueError:  # a brace without its other half
        return False


def _list_fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def find_translation(language: str, text: str, several: str = "", context: str = "", n: object = None) -> str:
    """Return a text in a language, in English where its catalogue lacks it."""
    catalogue = load_catalogue(language)
    forms = catalogue.texts.get((context, text))
    if not several:
        return forms[0] if forms else text
    number = n if isinstance(n, int) else 0
    if forms is None:
        return text if number == 1 else several
    return forms[min(catalogue.choose(number), len(forms) - 1)]


def read_catalogue(text: str, file: str = "") -> Catalogue:
    """Read a catalogue; entries that are not translated, or marked as unsure, are left out."""
    catalogue, texts = Catalogue(), {}
    for number, entry, unsure in _read_entries(text, file):
        forms = tuple(entry[key] for key in sorted(entry) if key.startswith("msgstr"))
        if not entry.get("msgid") and "msgctxt" not in entry:
            rule = re.search(r"plural=([^;]*)", "".join(forms))
            if rule:
                try:
                    catalogue = Catalogue(rule[1].strip(), gettext.c2py(rule[1].strip()))
                except ValueError:
                    raise CatalogueError(f"{file}: line {number}: cannot read the rule for plurals") from None
        elif all(forms) and not unsure:
            texts[entry.get("msgctxt", ""), entry["msgid"]] = forms
    return Catalogue(catalogue.rule, catalogue.choose, texts)


_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?)\s*)?("(?:[^"\\]|\\.)*")\s*$')
_IGNORED = ("", "#:", "# ", "#.", "#~")


def _read_entries(text: str, file: str) -> Iterator[tuple[int, dict[str, str], bool]]:
    """Yield each entry: its last line, its keywords with their texts, and whether it is marked as unsure."""
    entry: dict[str, str] = {}
    unsure = ended = False
    keyword, match = "", _LINE.match
    for number, line in enumerate(text.split("\n"), start=1):
        if line[:2] in _IGNORED:
            continue
        found = match(line)
        name = found[1] if found else None
        if ended and (name in ("msgctxt", "msgid") or line.startswith("#,")):
            yield number, entry, unsure
            entry, unsure, ended = {}, False, False
        if found is None or not (name or entry):
            if not (line.startswith("#") or line.isspace()):
                raise CatalogueError(f'{file}: line {number}: expected msgid or msgstr with "text"')
            unsure |= line.startswith("#,") and "fuzzy" in line
            continue
        quoted = found[2]
        part = literal_eval(quoted) if "\\" in quoted else quoted[1:-1]
        if name:
            keyword, entry[name] = name, part
            ended |= name.startswith("msgstr")
        else:
            entry[keyword] += part
    if entry:
        yield text.count("\n"), entry, unsure
