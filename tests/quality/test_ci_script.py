"""Does ``.ci/run`` test everything on the usual Python, the quick on others, and hide no failure?"""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.required_programs import program

ROOT = Path(__file__).resolve().parents[2]
SAYS = 'echo "${TOPCUT_PYTHON##*/} $TOPCUT_REQUIRE_ALL $*"; [[ $FAILS != "${TOPCUT_PYTHON##*/}" ]]'

FOLDERS = [f"tests/{folder}" for folder in ("api", "cli", "event", "formats", "store")]


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A copy beside a stand-in for ``./run``; 3.11 is the usual Python, and only 3.13 is there too."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "checkout" / ".ci").mkdir(parents=True)
    (tmp_path / "checkout" / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "run", tmp_path / "checkout" / ".ci")
    for tool in ("bash", "dirname"):
        (tmp_path / "bin" / tool).symlink_to(program(tool, "apt install coreutils"))
    programs = {
        "checkout/run": SAYS,
        "checkout/.venv/bin/python": "echo 3.11",
        "bin/python3.13": "echo 3.13",
        "bin/fc-list": "echo NotoSansArabic; echo NotoSansCJK",
        **{f"bin/{name}": "exit 1" for name in ("uv", "pyenv", "python3.12")},
        **{f"bin/{name}": "echo 2" for name in ("nproc", "chromium", "pdftotext", "openssl")},
    }
    for path, script in programs.items():
        (tmp_path / path).write_text(f"#!/usr/bin/env bash\n{script}\n", encoding="utf-8")
        (tmp_path / path).chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(("fails", "code"), [("none", 0), ("", 1), ("python3.13", 1)])
def test_every_version_that_is_there(machine: Path, fails: str, code: int) -> None:
    done = subprocess.run(
        [machine / "checkout" / ".ci" / "run", "-x"],
        env={"PATH": str(machine / "bin"), "FAILS": fails},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.splitlines() == [
        " 1 test --version",
        "Python 3.12 is not installed; nothing is tested with it",
        " 1 test --all -x",
        "python3.13:",
        f"python3.13 1 test --quick {' '.join(FOLDERS)} -n 2 -x",
    ]
