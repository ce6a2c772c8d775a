"""Find sentences that no catalogue has: texts in code that are not in `say`, `say_as` or `count`.

.venv/bin/python -m tools.sentences [FOLDER…]      lists them, by file and line
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "topcut"
SAID = {"say", "say_as", "count"}
NOT_SHOWN = {
    "ValueError", "TypeError", "AssertionError", "KeyError", "RuntimeError", "NotImplementedError", "compile",
    "strftime", "getLogger", "error", "info", "exception", "debug", "warning", "execute", "fetch", "fetchval",
    "fetchrow", "executemany", "Meta", "QueryParameter", "deprecated",
}  # fmt: skip
"""Functions whose arguments only programmers and logs see."""
CODE = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|, )\b|^\s*<|[{;]fill:")
"""SQL, and pieces of HTML, SVG and style sheets."""
SENTENCE = re.compile(r"[A-Za-z’']{2,},? (?:[a-z’']{2,}|\0)|\0[,:]? [a-z’']{2,}")
"""Two words one after the other, or a word beside a field (\\0)."""


def find_sentences(source: str) -> Iterator[tuple[int, str]]:
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
        if id(node) not in skipped and SENTENCE.search(text) and not CODE.search(text):
            yield node.lineno, text.replace("\0", "{}")


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


def find_in_folders(folders: Iterable[Path]) -> Iterator[str]:
    """Yield a line for each sentence in the modules of these folders."""
    for folder in folders:
        for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
            for line, text in find_sentences(path.read_text("utf-8")):
                yield f"{path.relative_to(SOURCE.parents[1])}:{line}: {text!r}"


if __name__ == "__main__":
    found = list(find_in_folders([Path(one).resolve() for one in sys.argv[1:]] or [SOURCE]))
    print(*found, sep="\n")
    sys.exit(bool(found))
