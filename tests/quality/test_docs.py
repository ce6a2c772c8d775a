"""Do the documents tell the truth? Every example in them is run, and prints what the page says it prints.

A ``console`` block shows commands after ``$`` and what they print; ``...`` as the last line of an output
stands for more of it. A ``python`` block is a script that must end well. Both run in a fresh copy of
``src/topcut/examples/``. Commands other than ``topcut`` are not run.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from _pytest.mark import ParameterSet

from tests.required_programs import program
from tests.timeouts import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
EXAMPLES = ROOT / "src" / "topcut" / "examples"
FENCE = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced example, and where it stands."""

    page: Path
    place: str
    language: str
    text: str

    def as_parameter(self) -> ParameterSet:
        """Many commands take long: those of the README are quick tests, those of other pages large ones."""
        large = self.language == "console" and self.page != README
        return pytest.param(self, id=self.place, marks=[pytest.mark.large] * large)


def blocks(document: Path) -> list[Block]:
    """The runnable examples of a document."""
    page = document.read_text(encoding="utf-8") if document.exists() else ""
    return [
        Block(document, f"{document.name}:{page.count(chr(10), 0, found.start()) + 1}", found[1], found[2])
        for found in FENCE.finditer(page)
        if found[1] == "python" or "$ topcut " in found[2]
    ]


def steps(console: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block with the lines shown below it."""
    for step in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        command, _, output = re.sub(r"\\\n", "", step).partition("\n")
        yield command, output.rstrip().splitlines()


BLOCKS = [block for page in [README, *sorted((ROOT / "docs").glob("*.md"))] for block in blocks(page)]


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """A folder to run in: a copy of the examples, which commands may change."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples"))


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command as a reader at a terminal would, with this project's ``topcut`` first on the path; ends
    what it leaves behind."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    with TemporaryFile(mode="w+", encoding="utf-8") as output:  # a pipe would wait for what it has started
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PATH": path, "PYTHONUTF8": "1", "COLUMNS": "80"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(timeout=PATIENCE)
        finally:
            with suppress(ProcessLookupError):  # a failed example may leave a server behind
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        return subprocess.CompletedProcess(command, process.returncode, output.read())


def test_the_readme_shows_topcut_at_work() -> None:
    shown = [block for block in blocks(README) if block.language == "console"]
    assert shown, "README.md has no console block with a `$ topcut …` line"


@pytest.mark.parametrize("block", [block.as_parameter() for block in BLOCKS])
def test_an_example_tells_the_truth(block: Block, examples: Path) -> None:
    assert_true(block, examples)


def test_the_readme_can_be_typed_from_top_to_bottom(examples: Path) -> None:
    """In one folder, as it says: what an example leaves behind disturbs none of the later ones."""
    for block in blocks(README):
        assert_true(block, examples)


def assert_true(block: Block, examples: Path) -> None:
    """Run an example, and compare what it prints."""
    if block.language == "python":
        done = run([sys.executable, "-c", block.text], examples)
        assert done.returncode == 0, done.stdout
        return
    bash = program("bash", "apt install bash")
    for command, shown in steps(block.text):
        if command.startswith("topcut "):
            output = run([bash, "-c", command], examples).stdout
            printed = [line.rstrip() for line in output.rstrip().splitlines()]
            if shown[-1:] == ["..."] and len(printed) >= len(shown):
                printed[len(shown) - 1 :] = ["..."]
            assert printed == shown, command
