"""Does ``./run`` set up what is missing, only that, and in silence once nothing is?

All but the first test run a copy of the script beside a stand-in for Python that records how it is called.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.programs import program

ROOT = Path(__file__).resolve().parents[2]
FIRST_START = "topcut: first start, installing (about a minute)…\n"

PYTHON = """#!/usr/bin/env bash
# Stands in for Python. In place of a venv it makes a copy of itself and a topcut that prints where it was
# started and its arguments.
case "$1 $2" in
    "-m venv")
        echo venv >>"$LOG"
        sleep 0.1
        mkdir -p "$4/bin"
        cp "$0" "$4/bin/python"
        printf '#!/usr/bin/env bash\\nprintf "%%s\\\\n" "$PWD" "$@"\\n' >"$4/bin/topcut"
        chmod +x "$4/bin/topcut"
        ;;
    "-m pip")
        echo pip >>"$LOG"
        case ${PIP-} in
            fails) exit 1 ;;
            is-killed) kill -KILL "$PPID" ;;
        esac
        ;;
    "-m pytest") echo "pytest ${TOPCUT_SOAK-} ${PYTHONDONTWRITEBYTECODE-} ${*:3}" ;;
esac
"""


@dataclass
class Checkout:
    """A copy of what ``./run`` reads, on a machine whose only Python is the stand-in."""

    root: Path
    machine: Path

    def start(self, *arguments: str, cwd: Path | None = None, **settings: str) -> subprocess.Popen[str]:
        path = f"{self.machine}{os.pathsep}{os.environ['PATH']}"
        return subprocess.Popen(
            [self.root / "run", *arguments],
            cwd=cwd,
            env={**os.environ, "PATH": path, "LOG": str(self.machine / "log"), **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def run(self, *arguments: str, cwd: Path | None = None, **settings: str) -> tuple[int, str, str]:
        """The exit code, what was printed, and what was said on the side."""
        started = self.start(*arguments, cwd=cwd, **settings)
        printed, said = started.communicate()
        return started.returncode, printed, said

    def log(self) -> list[str]:
        """What the stand-in was asked to do since the last look."""
        log = self.machine / "log"
        entries = log.read_text().split() if log.exists() else []
        log.unlink(missing_ok=True)
        return entries


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    root = tmp_path / "a check out"
    root.mkdir()
    for name in ["run", "pyproject.toml", "requirements.lock", "requirements-test.lock"]:
        shutil.copy(ROOT / name, root)
    machine = tmp_path / "bin"
    machine.mkdir()
    (machine / "python3.14").write_text(PYTHON, encoding="utf-8")
    (machine / "python3.14").chmod(0o755)
    return Checkout(root, machine)


def test_nothing_is_said_when_nothing_changed() -> None:
    if not (ROOT / ".venv" / "requirements.lock").exists():
        pytest.skip("no .venv; ./run makes one")
    done = subprocess.run([ROOT / "run", "rules"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("script", ["run", ".ci/run", "tools/lock"])
def test_a_script_is_valid_bash(script: str) -> None:
    subprocess.run([program("bash", "apt install bash"), "-n", ROOT / script], check=True)
    assert os.access(ROOT / script, os.X_OK)


def test_the_first_start_installs_and_the_second_does_not(checkout: Checkout, tmp_path: Path) -> None:
    printed = f"{tmp_path}\npair\nmy cup.json\n"
    assert checkout.run("pair", "my cup.json", cwd=tmp_path) == (0, printed, FIRST_START)
    assert checkout.log() == ["venv", "pip", "pip"]
    assert checkout.run("pair", "my cup.json", cwd=tmp_path) == (0, printed, "")
    assert checkout.log() == []


def test_run_alone_is_the_demo(checkout: Checkout, tmp_path: Path) -> None:
    assert checkout.run(cwd=tmp_path)[1] == f"{tmp_path}\ndemo\n"


def test_tests_and_soak_are_pytest(checkout: Checkout) -> None:
    checkout.run()
    said = "topcut: installing requirements-test.lock…\n"
    printed = "pytest   -n auto -k a b\n"  # neither long nor without bytecode
    assert checkout.run("test", "-k", "a b", TOPCUT_SOAK="", PYTHONDONTWRITEBYTECODE="1") == (
        0,
        printed,
        said,
    )
    assert checkout.run("soak", "-x") == (0, "pytest 1  -n auto -x\n", "")


def test_a_changed_lock_file_is_installed_into_the_same_venv(checkout: Checkout) -> None:
    checkout.run()
    checkout.log()
    with (checkout.root / "requirements.lock").open("a") as lock:
        lock.write("more==1\n")
    assert checkout.run()[2] == "topcut: installing requirements.lock…\n"
    assert checkout.log() == ["pip", "pip"]


def test_a_moved_checkout_is_set_up_anew(checkout: Checkout) -> None:
    checkout.run()
    checkout.log()
    checkout.root = checkout.root.rename(checkout.root.with_name("elsewhere"))
    assert checkout.run()[2] == FIRST_START
    assert checkout.log() == ["venv", "pip", "pip"]


def test_an_interrupted_set_up_is_made_anew(checkout: Checkout) -> None:
    assert checkout.run(PIP="is-killed")[0] != 0
    assert checkout.log() == ["venv", "pip"]
    assert checkout.run()[0] == 0
    assert checkout.log() == ["venv", "pip", "pip"]


def test_a_failed_set_up_is_tried_again(checkout: Checkout) -> None:
    assert checkout.run(PIP="fails")[0] == 1
    checkout.log()
    assert checkout.run()[0] == 0
    assert checkout.log() == ["pip", "pip"]


def test_of_two_first_starts_one_installs(checkout: Checkout) -> None:
    program("flock", "apt install util-linux")
    both = [checkout.start(), checkout.start()]
    said = sorted(started.communicate()[1] for started in both)
    assert said == ["", FIRST_START]
    assert checkout.log() == ["venv", "pip", "pip"]


def test_without_a_fit_python_one_line_says_so(checkout: Checkout) -> None:
    for name in ["python3.14", "python3.13", "python3.12", "python3.11", "python3"]:
        (checkout.machine / name).write_text("#!/bin/sh\nexit 1\n")
        (checkout.machine / name).chmod(0o755)
    said = "topcut: needs Python 3.11 or newer with its venv module (on Debian: apt install python3-venv)\n"
    assert checkout.run() == (1, "", said)


def test_a_set_up_checkout_starts_within_50_ms(checkout: Checkout) -> None:
    """On a busy machine most starts are late; one of many is enough to show what it takes."""
    checkout.run()
    assert any(seconds(checkout.run) < 0.050 for _ in range(300))


def seconds(action: Callable[[], object]) -> float:
    """How long an action takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started
