"""Is every text of the command line in the language that was chosen?"""

import ast
import os
import subprocess
import sys
from inspect import getsource
from pathlib import Path

import pytest
from click import core, decorators, exceptions, formatting, parser, types

from tests.command_line import assert_refused, topcut
from tools.messages import lengthen, write_pseudo_languages
from topcut.cli.click_texts import TEXTS

ROOT = Path(__file__).parents[2]


def in_invented_language(folder: Path, *arguments: str, language: str = "en-XA") -> tuple[str, str]:
    """Run a command in a language with accents in every word; return its output and its errors."""
    write_pseudo_languages(folder / "languages")
    environment = {**os.environ, "TOPCUT_LANGUAGES": str(folder / "languages"), "LC_ALL": language}
    command = [sys.executable, "-m", "topcut", *arguments]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment, cwd=ROOT, check=False
    )
    return done.stdout, done.stderr


def words(text: str) -> list[str]:
    """Return a text word by word: help is wrapped."""
    return text.split()


@pytest.mark.large
def test_help_is_in_the_language_of_the_terminal(tmp_path: Path) -> None:
    out, _ = in_invented_language(tmp_path, "standings", "--help")
    for text in ("Usage:", "Show this help and exit.", "After this round (default: the last)."):
        assert " ".join(words(lengthen(text))) in " ".join(words(out))


@pytest.mark.large
def test_an_option_chooses_another_language(tmp_path: Path) -> None:
    _, said = in_invented_language(tmp_path, "--language", "en", "plan", "--rules", "mtr")
    assert said == "topcut: Missing option '--players'. (see: topcut plan --help)\n"
    out, _ = in_invented_language(tmp_path, "--language", "en-XA", "rules", language="C")
    assert out.split("  ")[0] == lengthen("id")


def test_a_language_that_is_not_there_is_refused() -> None:
    assert_refused(topcut("--language", "tlh", "rules"), 'not "tlh"', "expected en")


def test_the_option_behind_a_command_says_where_it_goes() -> None:
    refused = topcut("event", "list", "--language", "de")
    expected = "--language goes before the command: topcut --language CODE event list"
    assert_refused(refused, expected)


def test_help_in_one_language_leaves_that_in_another_alone() -> None:
    german = topcut("--language", "de", "event", "--help")
    assert german.code == 0
    assert "Show this help and exit." in topcut("event", "--help").out
    assert "List the events in the database" in topcut("event", "--help").out


def test_click_still_says_what_is_said_otherwise_here() -> None:
    modules = (core, decorators, exceptions, formatting, parser, types)
    nodes = [node for module in modules for node in ast.walk(ast.parse(getsource(module)))]
    known = {node.value for node in nodes if isinstance(node, ast.Constant)}
    assert set(TEXTS) - known == set()
