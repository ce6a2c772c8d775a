"""Find sentences that no catalogue has: texts of code, pages, scripts and sheets that are not translated.

    .venv/bin/python -m tools.sentences [FILE or FOLDER…]      lists them, by file and line

`tools/sentences.toml` lists the texts that look like sentences and need no translation, with the reason.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.extract import extract
from babel.messages.jslexer import tokenize, unquote_string

SOURCE = Path(__file__).parents[1] / "src" / "topcut"
EXCEPTIONS = Path(__file__).with_suffix(".toml")
SAID = {"say", "say_as", "count"}
NOT_SHOWN = {
    "ValueError", "TypeError", "AssertionError", "KeyError", "RuntimeError", "NotImplementedError", "compile",
    "strftime", "getLogger", "error", "info", "exception", "debug", "warning", "execute", "fetch", "fetchval",
    "fetchrow", "executemany", "Meta", "QueryParameter", "deprecated",
}  # fmt: skip
"""Functions whose arguments only programmers and logs see."""
CODE = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|, )\b|^\s*<|[{;]fill:|^`?topcut [a-z]")
"""SQL, pieces of HTML, SVG and style sheets, and commands to type."""
SENTENCE = re.compile(r"[A-Za-z’']{2,},? (?:[a-z’']{2,}|\0)|\0[,:]? [a-z’']{2,}")
"""Two words one after the other, or a word beside a field (\\0)."""
WORD = re.compile(r"\b(?!Topcut\b|OpenAPI\b|JSON\b)[A-Z][a-z]{2,}")
"""A word alone that begins with a capital, but for names of things."""

Found = Iterator[tuple[int, str]]
"""Lines, and the texts that begin there."""


def find_in_code(source: str) -> Found:
    """Yield the line and the text of each sentence in a module that is not in a catalogue."""
    tree = ast.parse(source)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given: list[ast.AST] = [one.value for one in node.keywords if one.arg in ("help", "short_help")]
            if name in SAID | NOT_SHOWN:
                given += node.args
            skipped |= {id(inner) for one in given for inner in ast.walk(one)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))  # a docstring
        else:
            codes = _find_codes(node)
            skipped |= {id(inner) for code in codes for inner in ast.walk(code)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values if isinstance(part, ast.Constant)}
            text = "".join(str(p.value) if isinstance(p, ast.Constant) else "\0" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if id(node) not in skipped and _is_sentence(text):
            yield node.lineno, text


def _is_sentence(text: str) -> bool:
    return bool(SENTENCE.search(text)) and not CODE.search(text)


def _find_codes(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a piece of code that hold codes, which are compared or declared, and no texts."""
    match node:
        case ast.Assert(msg=ast.expr() as message):
            return [message]
        case ast.Compare(left=left, comparators=others):
            return [one for one in (left, *others) if isinstance(one, ast.Constant | ast.Tuple | ast.Set)]
        case ast.Subscript(slice=index):
            return [index]
        case ast.MatchValue(value=value):
            return [value]
        case ast.ClassDef(keywords=keywords):
            return [one.value for one in keywords]
    return []


TRANSLATED = re.compile(r"\{%-?\s*trans\b.*?\{%-?\s*endtrans\s*-?%\}", re.DOTALL)
NOT_READ = re.compile(
    r"<(script|style|code|kbd)\b.*?</\1>|\{#.*?#\}"
    r"|\{% block (?:body|page|parts|width) %\}.*?\{% endblock %\}",
    re.DOTALL,
)
"""Parts of a template that people do not read: code, and blocks that hold names of styles and scripts."""
EXPRESSION = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
SAID_IN_TEMPLATE = re.compile(r"""\b(?:_|say|count|n?gettext|pgettext)\(\s*"[^"]*"(?:,\s*"[^"]*")?""")
ATTRIBUTE = re.compile(r'\b(?:aria-label|title|placeholder|alt|data-confirm)="([^"]*)"')
TAG = re.compile(r"<[^<>]*>|&\w+;")


def find_in_template(source: str) -> Found:
    """Yield each text of a template that is outside of `{% trans %}` and `_()`."""
    bare = _blank(NOT_READ, _blank(TRANSLATED, source))
    for at in EXPRESSION.finditer(bare):
        for text in re.findall(r"\"([^\"]*)\"|'([^']*)'", SAID_IN_TEMPLATE.sub("", at[0])):
            if _is_sentence("".join(text)):
                yield bare.count("\n", 0, at.start()) + 1, "".join(text)
    shown = _blank(EXPRESSION, bare, "\0")
    for at in ATTRIBUTE.finditer(shown):
        if _is_sentence(at[1]) or WORD.search(at[1]):
            yield shown.count("\n", 0, at.start()) + 1, at[1]
    for number, line in enumerate(_blank(TAG, shown).splitlines(), 1):
        if _is_sentence(line) or WORD.search(line):
            yield number, line.strip(" \0·")


def _blank(pattern: re.Pattern[str], text: str, sign: str = " ") -> str:
    """Return a text without what fits the pattern; lines stay where they are."""
    return pattern.sub(lambda found: sign + "\n" * found[0].count("\n"), text)


def find_in_script(source: str) -> Found:
    """Yield each text of a script that is no argument of `say`, `say_as` or `count`."""
    keywords: dict[str, Any] = {"say": None, "say_as": ((1, "c"), 2), "count": (1, 2)}
    said = {
        text
        for _, texts, _, _ in extract("javascript", BytesIO(source.encode()), keywords=keywords)
        for text in (texts if isinstance(texts, tuple) else (texts,))
    }
    for token in tokenize(source, jsx=False):
        if token.type in ("string", "template_string"):
            text = unquote_string(token.value) if token.type == "string" else token.value.strip("`")
            text = re.sub(r"\$\{[^}]*\}", "\0", text)
            if text not in said and (_is_sentence(text) or WORD.match(text)):
                yield token.lineno, text


def find_on_sheet(source: str) -> Found:
    """Yield each text on a sheet of paper that is no argument of `say`."""
    bare = re.sub(r'\bsay\(\s*"(?:[^"\\]|\\.)*"', "", re.sub(r"(?m)//.*$", "", source))
    for at in re.finditer(r'"((?:[^"\\]|\\.)*)"|\[([^\[\]#]*)\]', bare):
        text = at[1] or at[2] or ""
        if _is_sentence(text) or WORD.match(text):
            yield bare.count("\n", 0, at.start()) + 1, text


KINDS: dict[str, Callable[[str], Found]] = {
    ".py": find_in_code,
    ".html": find_in_template,
    ".js": find_in_script,
    ".typ": find_on_sheet,
}


def read_exceptions() -> dict[str, frozenset[str] | None]:
    """Return the texts that need no translation, by the pattern of their file; None: all of the file."""
    groups = tomllib.loads(EXCEPTIONS.read_text("utf-8"))["exception"]
    texts = [frozenset(group["texts"]) if "texts" in group else None for group in groups]
    return {file: allowed for group, allowed in zip(groups, texts, strict=True) for file in group["files"]}


def find_sentences(paths: Iterable[Path]) -> Iterator[tuple[str, int, str]]:
    """Yield the file, the line and the text of each sentence that no catalogue and no exception has."""
    exceptions = read_exceptions()
    for folder in paths:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.suffix not in KINDS:
                continue
            file = path.relative_to(SOURCE).as_posix()
            allowed = [exceptions[one] for one in exceptions if Path(file).match(one)]
            for line, text in KINDS[path.suffix](path.read_text("utf-8")):
                shown = text.replace("\0", "{}")
                if not any(texts is None or shown in texts for texts in allowed):
                    yield file, line, shown


if __name__ == "__main__":
    found = list(find_sentences([Path(one).resolve() for one in sys.argv[1:]] or [SOURCE]))
    print(*(f"{file}:{line}: {text!r}" for file, line, text in found), sep="\n")
    sys.exit(bool(found))
