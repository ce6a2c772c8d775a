"""Keep the catalogues of translations up to date.

    .venv/bin/python -m tools.messages            adds new texts to each catalogue, drops unused ones
    .venv/bin/python -m tools.messages --new fr   begins a catalogue
    .venv/bin/python -m tools.messages --check    says what is missing, unsure, or has other fields
    .venv/bin/python -m tools.messages --pseudo FOLDER
                                                  writes two invented languages: one with long accented texts,
                                                  one mirrored (for TOPCUT_LANGUAGES=FOLDER)

Texts are the arguments of `say`, `say_as` and `count` in Python, in the scripts of pages and in the sheets of
paper, `{% trans %}` and `_()` in templates, the help of commands, and the labels of rulesets. A catalogue is
a file `src/topcut/languages/LANGUAGE.po`; programs for translators (Poedit, Weblate) read and write it.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from inspect import cleandoc
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from topcut.rulebook import load
from topcut.text.catalogues import HERE as CATALOGUES
from topcut.text.templates import to_braces

SOURCE = Path(__file__).parents[1] / "src" / "topcut"
KEYWORDS = {
    "say": None,
    "say_as": ((1, "c"), 2),
    "count": (1, 2),
}
KEYWORDS_OF_JINJA = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
"""Functions of templates, whose texts have fields as Jinja writes them."""
WIDTH = 100


class Text(NamedTuple):
    """A text to translate: in which context, its plural, and the file it is in."""

    context: str
    one: str
    several: str
    file: str


def find_texts() -> Iterator[Text]:
    """Yield every text of the program, in the order of files."""
    for path in sorted(SOURCE.rglob("*")):
        name = path.relative_to(SOURCE.parents[1]).as_posix()
        if path.name == "rule_texts.toml":
            yield from (Text("", text, "", name) for text in find_rule_texts(path.read_text("utf-8")))
        elif path.suffix == ".py":
            yield from find_in_code(path.read_text("utf-8"), name)
        elif path.suffix == ".html":
            yield from _extract("jinja2.ext:babel_extract", path, name)
        elif path.suffix == ".js":
            yield from _extract("javascript", path, name)
        elif path.suffix == ".typ":
            yield from find_on_sheet(path.read_text("utf-8"), name)
        elif path.suffix == ".toml" and path.parent.name == "books":
            yield from (Text("", label, "", name) for label in find_labels(path.stem))


def _extract(method: str, path: Path, name: str) -> Iterator[Text]:
    options = {"trimmed": "true", "silent": "false", "encoding": "utf-8"}
    for keywords in (KEYWORDS, KEYWORDS_OF_JINJA):
        found = extract(method, BytesIO(path.read_bytes()), keywords=keywords, options=options)
        for _, texts, _, context in found:
            one, several = (texts[0], texts[1]) if isinstance(texts, tuple) else (texts, "")
            if keywords is KEYWORDS_OF_JINJA:
                one, several = to_braces(one), to_braces(several)
            yield Text(context or "", one, several, name)


def find_in_code(source: str, name: str) -> Iterator[Text]:
    """Yield the sentences of a module, and the help of its commands and options."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            given = [*map(_read_text, node.args[:2]), "", ""]
            if called == "say" and given[0]:
                yield Text("", given[0], "", name)
            elif called == "say_as" and given[1]:
                yield Text(given[0], given[1], "", name)
            elif called == "count" and given[0] and given[1]:
                yield Text("", given[0], given[1], name)
            helps = [_read_text(one.value) for one in node.keywords if one.arg in ("help", "short_help")]
            yield from (Text("", text, "", name) for text in helps if text)
        elif isinstance(node, ast.FunctionDef) and any(map(_makes_command, node.decorator_list)):
            yield Text("", cleandoc(ast.get_docstring(node, clean=False) or ""), "", name)


def _read_text(node: ast.expr) -> str:
    """Return a text in the code; nothing for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _makes_command(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Attribute) and called.attr in ("command", "group")


def find_labels(ruleset: str) -> dict[str, None]:
    """Return the labels of a ruleset, also those that it has with a reading that is not the usual one."""
    book = load(ruleset)
    others = [
        load(ruleset, {reading_id: letter})
        for reading_id, reading in book.readings.items()
        for letter in reading.options
        if letter != reading.chosen
    ]
    return dict.fromkeys(label.template for one in (book, *others) for label in one.list_labels())


def find_rule_texts(source: str) -> Iterator[str]:
    """Yield the texts of the numbered rules."""
    for document in tomllib.loads(source).values():
        for found in document.values():
            yield from (found,) if isinstance(found, str) else found.values()


def find_on_sheet(source: str, name: str) -> Iterator[Text]:
    """Yield the texts of a sheet of paper."""
    for found in re.finditer(r'\bsay\(\s*"((?:[^"\\]|\\.)*)"', source):
        yield Text("", found[1].replace('\\"', '"'), "", name)


def make_template() -> Catalog:
    """Return a catalogue with every text and no translation."""
    template = Catalog(project="Topcut", charset="utf-8", header_comment="")
    for text in find_texts():
        if not text.one:
            continue
        found = template.get(text.one, text.context or None)
        files = [(file, 0) for file, _ in found.locations] if found else []
        several = text.several or (found.id[1] if found and isinstance(found.id, tuple) else "")
        if (text.file, 0) not in files:
            files.append((text.file, 0))
        if found:
            template.delete(text.one, text.context or None)
        template.add(
            (text.one, several) if several else text.one, context=text.context or None, locations=files
        )
    return template


def update(path: Path) -> tuple[int, int]:
    """Add new texts to a catalogue and drop unused ones; return how many texts it has, and lacks."""
    language = path.stem
    old = read_po(BytesIO(path.read_bytes()), locale=language) if path.exists() else Catalog(locale=language)
    old.update(make_template(), no_fuzzy_matching=True, update_header_comment=False)
    old.obsolete.clear()
    old.fuzzy = False
    path.write_bytes(write_catalogue(old))
    open_texts = sum(not _is_translated(message) for message in old if message.id)
    return sum(bool(message.id) for message in old), open_texts


def write_catalogue(catalogue: Catalog) -> bytes:
    """Return a catalogue as a file that is the same on every machine and at every hour."""
    out = BytesIO()
    for message in catalogue:
        message.flags.difference_update({"python-format", "python-brace-format"})
    write_po(out, catalogue, width=WIDTH, sort_by_file=True, include_lineno=False, omit_header=True)
    head = [
        'msgid ""',
        'msgstr ""',
        f'"Language: {catalogue.locale_identifier}\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        '"Content-Transfer-Encoding: 8bit\\n"',
        f'"Plural-Forms: {catalogue.plural_forms}\\n"',
    ]
    return "\n".join(head).encode() + b"\n\n" + out.getvalue().strip() + b"\n"


def find_problems(path: Path) -> list[str]:
    """Return what is wrong with a catalogue, a sentence each."""
    catalogue = read_po(BytesIO(path.read_bytes()), locale=path.stem)
    template = make_template()
    wanted = {(m.context or "", m.id) for m in template if m.id}
    there = {(m.context or "", m.id) for m in catalogue if m.id}
    found = [f"{_shorten(text)}: not in the catalogue" for _, text in sorted(wanted - there, key=str)]
    found += [f"{_shorten(text)}: no longer used" for _, text in sorted(there - wanted, key=str)]
    for message in catalogue:
        if not message.id:
            continue
        if not _is_translated(message):
            found.append(f"{_shorten(message.id)}: not translated")
        elif message.fuzzy:
            found.append(f"{_shorten(message.id)}: marked as unsure")
        else:
            found += [f"{_shorten(message.id)}: {problem}" for problem in _compare_fields(message)]
    return found


PLAIN = re.compile(r"<[^<>]*>|\{\{|\}\}|\{\w+\}|&\w+;")
"""Parts of a text that no translation changes: tags and fields."""
ACCENTS = str.maketrans("aceinouyAEIOUCN", "åçéîñöûýÅÉÎÖÛÇÑ")


def write_pseudo_languages(folder: Path) -> None:
    """Write the catalogues of two invented languages, to find what is too narrow or not translated."""
    folder.mkdir(parents=True, exist_ok=True)
    for language, change in (("en-XA", lengthen), ("ar-XB", mirror)):
        made = Catalog(locale="en")
        for message in make_template():
            if message.id:
                ids = message.id if isinstance(message.id, tuple | list) else (message.id,)
                forms = tuple(map(change, ids))
                made.add(message.id, forms if len(forms) > 1 else forms[0], context=message.context)
        (folder / f"{language}.po").write_bytes(write_catalogue(made))


def lengthen(text: str) -> str:
    """Return a text with accents, a third longer, between brackets that show where it begins and ends.

    >>> lengthen("Table {table} is open")
    '[Tåblé {table} îs öpéñ ~~~~~]'
    """
    longer = re.sub("(~{15})(?=~)", r"\1 ", "~" * (len(text) // 4))  # as words, which break into lines
    return f"[{_change_words(text, lambda part: part.translate(ACCENTS))} {longer}]"


def mirror(text: str) -> str:
    """Return a text whose letters run from right to left."""
    return _change_words(text, lambda part: f"\u202e{part}\u202c" if part.strip() else part)


def _change_words(text: str, change: Callable[[str], str]) -> str:
    kept = PLAIN.findall(text)
    parts = [change(part) for part in PLAIN.split(text)]
    return "".join(part + (kept[i] if i < len(kept) else "") for i, part in enumerate(parts))


def _is_translated(message: Message) -> bool:
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return bool(forms) and all(forms)


def _compare_fields(message: Message) -> Iterator[str]:
    ids = message.id if isinstance(message.id, tuple | list) else (message.id,)
    forms = message.string if isinstance(message.string, tuple | list) else (message.string or "",)
    wanted = list_fields(ids[-1])
    for form in forms:
        try:
            fields = list_fields(form)
        except ValueError:
            yield f"cannot read its fields in: {form}"
            continue
        if fields - wanted or wanted - fields - ({"n"} if len(ids) > 1 else set()):
            yield f"expected the fields {sorted(wanted)}, not {sorted(fields)}"


def list_fields(text: str) -> set[str]:
    """Return the names of the fields of a text.

    >>> sorted(list_fields("{name} at {{table}} {table}"))
    ['name', 'table']
    """
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _shorten(text: object) -> str:
    one = text if isinstance(text, str) else next(iter(text))  # type: ignore[call-overload]
    return repr(one if len(one) <= 60 else one[:59] + "…")


def main() -> int:
    """Update or check the catalogues."""
    parser = argparse.ArgumentParser(description="Keep the catalogues of translations up to date.")
    parser.add_argument("--new", metavar="LANGUAGE", help="begin a catalogue")
    parser.add_argument("--check", action="store_true", help="say what is missing or wrong")
    parser.add_argument("--pseudo", metavar="FOLDER", type=Path, help="write two invented languages")
    asked = parser.parse_args()
    if asked.pseudo:
        write_pseudo_languages(asked.pseudo)
        return 0
    paths = [CATALOGUES / f"{asked.new}.po"] if asked.new else sorted(CATALOGUES.glob("*.po"))
    wrong = 0
    for path in paths:
        if asked.check:
            problems = find_problems(path)
            wrong += len(problems)
            print(*(f"{path.name}: {problem}" for problem in problems), sep="\n")
        else:
            texts, without = update(path)
            print(f"{path.name}: {texts} texts, {without} without a translation")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
