"""Is the repository free of what belongs to one machine, and of what belongs to one game?"""

import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.required_programs import program

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "topcut"
BOOKS = SOURCE / "rulebook" / "books"
LOCKS = ["requirements.lock", "requirements-test.lock", "requirements-bench.lock"]
LONGEST_MODULE = 600

# Written in parts, or this file would hold what it forbids.
REGISTRIES = [
    ".".join(parts)
    for parts in [
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("deb", "debian", "org"),
    ]
]

GAMES = [
    "allegiance",
    "commander",
    "dci",
    "fab",
    "flesh and blood",
    "gem",
    "lorcana",
    "magic",
    "pokemon",
    "pokémon",
]
NAMED_FOR_A_PROGRAM = {"tdf/tom.py"}  # modules of formats/ that may know whose format they read


@cache
def repository_files() -> list[Path]:
    """Every file that is, or on the next commit would be, in the repository."""
    git = program("git", "apt install git")
    listing = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("this is no git checkout; git clone makes one")
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def lines(path: Path) -> Iterator[tuple[str, str]]:
    """Each line of a text file with its place; nothing for a file that is not text."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    for number, line in enumerate(text.splitlines(), 1):
        yield f"{path.relative_to(ROOT)}:{number}", line


def places_of(pattern: str, files: list[Path]) -> list[str]:
    """Where a pattern occurs, as ``file:line: text``."""
    found = re.compile(pattern, re.IGNORECASE)
    return [f"{place}: {line.strip()}" for path in files for place, line in lines(path) if found.search(line)]


def any_of(words: list[str]) -> str:
    """A pattern for any of these words, standing alone or between hyphens or underscores."""
    return rf"(?<![^\W_])(?:{'|'.join(map(re.escape, words))})(?![^\W_])"


def nothing(found: list[str]) -> None:
    """Fails with what was found, one a line."""
    if found:
        pytest.fail("\n".join(found), pytrace=False)


def configured_indexes() -> Iterator[str]:
    """The hosts and folders that this machine's pip installs from."""
    listing = [sys.executable, "-m", "pip", "--disable-pip-version-check", "config", "list"]
    done = subprocess.run(listing, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        key, _, value = line.partition("=")
        if key.rpartition(".")[2] in {"index-url", "extra-index-url", "find-links", "trusted-host"}:
            for address in ast.literal_eval(value).split():
                url = urlsplit(address)
                yield url.netloc.rpartition("@")[2] or url.path


def test_no_file_names_a_package_registry() -> None:
    here = [address for address in configured_indexes() if address not in {"localhost", "/"}]
    nothing(places_of(any_of(REGISTRIES + here), repository_files()))


def test_no_file_names_a_path_of_a_machine() -> None:
    paths = [r"/(?:root)/", r"/home/\w+/", r"/Users/\w+/"]
    if ROOT.parent not in {Path("/"), Path(tempfile.gettempdir())}:
        paths.append(re.escape(f"{ROOT.parent}/"))
    nothing(places_of(rf"(?<![\w.-])(?:{'|'.join(paths)})", repository_files()))


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_holds_versions_and_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    requirements = text.replace("\\\n", " ").splitlines()
    assert requirements
    assert "://" not in text
    nothing([line for line in requirements if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:\w{64}", line)])


def test_a_module_can_be_taken_in_at_once() -> None:
    sizes = {path: len(list(lines(path))) for path in repository_files() if path.suffix == ".py"}
    nothing(
        [f"{path.relative_to(ROOT)}: {size} lines" for path, size in sizes.items() if size > LONGEST_MODULE]
    )


def test_only_the_books_know_a_game() -> None:
    code = [
        path
        for path in SOURCE.rglob("*.py")
        if path not in {SOURCE / "formats" / name for name in NAMED_FOR_A_PROGRAM}
    ]
    rulesets = [book.stem for book in BOOKS.glob("*.toml")]
    nothing(places_of(any_of(rulesets + GAMES), code))
