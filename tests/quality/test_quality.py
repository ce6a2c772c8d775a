"""Does the code keep to its style, its types, its rooms and its dependencies, and is all of it used?"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
CODE = [name for name in ("src", "tests", "tools", "bench") if any((ROOT / name).rglob("*.py"))]


def findings(tool: str, *arguments: str) -> str:
    """What a tool finds wrong; nothing if it is content."""
    done = subprocess.run(
        [TOOLS / tool, *arguments],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout or f"{tool} failed" if done.returncode else ""


def content(found: str) -> None:
    """Fails with what was found, and with that alone."""
    if found:
        pytest.fail(found, pytrace=False)


def test_ruff_check() -> None:
    content(findings("ruff", "check", "."))


def test_ruff_format() -> None:
    content(findings("ruff", "format", "--diff", "."))


def test_mypy() -> None:
    content(findings("mypy", *CODE))


def test_import_linter() -> None:
    content(findings("lint-imports"))


def test_deptry() -> None:
    content(findings("deptry", "--no-ansi", "src"))


def test_vulture() -> None:
    """Fields do not count: books and files fill them, and some are only ever shown."""
    fields = ("unused variable", "unused attribute")
    found = findings("vulture", *CODE).splitlines(keepends=True)
    content("".join(line for line in found if not any(field in line for field in fields)))
