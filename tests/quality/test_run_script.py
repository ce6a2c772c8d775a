"""Does ``./run`` set up what is missing, only that, and in silence once nothing is?

All but the first tests run a copy of the script on a machine whose Python and uv are stand-ins: they record
how they are called, and lay a file into the venv for all that they install.
"""

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.required_programs import program
from tests.timeouts import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
FIRST_START = "topcut: first start: installing what Topcut needs\n"
TEST_LOCK = "topcut: installing requirements-test.lock\n"
INTERRUPTED = "topcut: interrupted; the next ./run installs anew what is missing\n"
WITH_UV = ["venv", "uv:requirements.lock", "uv:topcut"]
WITH_PIP = ["venv", "ensurepip", "pip:requirements.lock", "pip:topcut"]
TOOLS = [
    "bash",
    "cat",
    "chmod",
    "cmp",
    "cp",
    "dirname",
    "flock",
    "grep",
    "mkdir",
    "rm",
    "sleep",
    "tail",
    "touch",
]

PYTHON = """#!/usr/bin/env bash
# Stands in for Python and, under another name, for uv.
venv=${0%/bin/*}

did() { # WHAT
    echo "$1" >>"$LOG"
    if [[ ${STOP_AT-} == "$(grep -c . "$LOG")" ]]; then
        mkdir -p "$venv"
        touch "$venv/half"
        if [[ ${STUBBORN-} ]]; then trap 'exit 1' INT; fi # as pip does
        # No other process: bash survives an interrupt that comes while one ends well, and one that has just
        # been started can miss it.
        : >"$LOG.stopped"
        read -r _ <>"$LOG.never"
    fi
}

put() { # INSTALLER ARGUMENTS…
    local what=topcut
    for argument; do
        case $argument in *.lock) what=${argument##*/} ;; esac
    done
    echo "Collecting $what (from a shelf)"
    did "$1:$what"
    if [[ ${FAILS-} == "$1" ]]; then
        echo "there is no $what"
        exit 1
    fi
    touch "$venv/has-$what"
}

case "${0##*/} $1 $2" in
    "uv pip install")
        venv=${4%/bin/*}
        put uv "${@:5}"
        ;;
    *" -m venv")
        venv=$5
        did venv
        mkdir -p "$venv/bin"
        cp "$0" "$venv/bin/python"
        printf '#!/usr/bin/env bash\\nprintf "%%s\\\\n" "$PWD" "$@"\\n' >"$venv/bin/topcut"
        chmod +x "$venv/bin/topcut"
        ;;
    *" -m ensurepip")
        did ensurepip
        touch "$venv/pip"
        ;;
    *" -m pip")
        [[ -e $venv/pip ]] || exit 1
        if [[ $3 == install ]]; then put pip "${@:4}"; fi
        ;;
    *" -m pytest")
        cd "$venv"
        echo "pytest ${TOPCUT_SOAK-} ${PYTHONDONTWRITEBYTECODE-} ${*:3}"
        echo "with" has-* half*
        ;;
esac
"""
HEARS_INTERRUPTS = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Tests that run in the background may have to ignore them, and then so would everything that they start."""
ALL = "with has-requirements-test.lock has-requirements.lock has-topcut half*\n"


@dataclass
class Checkout:
    """A copy of what ``./run`` reads, on a machine with nothing but stand-ins and a few tools."""

    root: Path
    machine: Path

    def start(self, *arguments: str, cwd: Path | None = None, **settings: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-ISc", HEARS_INTERRUPTS, self.root / "run", *arguments],
            cwd=cwd,
            env={
                "PATH": str(self.machine),
                "LOG": str(self.machine / "log"),
                "LC_ALL": "C.UTF-8",
                **settings,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def run(self, *arguments: str, cwd: Path | None = None, **settings: str) -> tuple[int, str, str]:
        """The exit code, what was printed, and what was said on the side."""
        started = self.start(*arguments, cwd=cwd, **settings)
        printed, said = started.communicate()
        return started.returncode, printed, said

    def cut_short(self, number: signal.Signals, *arguments: str, at: int, **settings: str) -> tuple[int, str]:
        """A signal to everything while the stand-ins do the given thing; the exit code and what was said."""
        stopped = self.machine / "log.stopped"
        started = self.start(*arguments, cwd=None, STOP_AT=str(at), **settings)
        while not stopped.exists():
            assert started.poll() is None, started.communicate()
            time.sleep(0.005)
        stopped.unlink()
        os.killpg(started.pid, number)
        _, said = started.communicate(timeout=PATIENCE)
        return started.returncode, said

    def log(self) -> list[str]:
        """What the stand-ins were asked to do since the last look."""
        log = self.machine / "log"
        entries = log.read_text().split() if log.exists() else []
        log.unlink(missing_ok=True)
        return entries

    def has(self, *programs: str) -> None:
        """Stand-ins of these names."""
        for name in programs:
            (self.machine / name).write_text(PYTHON, encoding="utf-8")
            (self.machine / name).chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    root = tmp_path / "a check out"
    root.mkdir()
    for name in ["run", "pyproject.toml", "requirements.lock", "requirements-test.lock"]:
        shutil.copy(ROOT / name, root)
    machine = tmp_path / "bin"
    machine.mkdir()
    for tool in TOOLS:
        (machine / tool).symlink_to(program(tool, "apt install coreutils util-linux"))
    os.mkfifo(machine / "log.never")
    one = Checkout(root, machine)
    one.has("python3.14", "uv")
    return one


@pytest.fixture(params=["uv", "pip"])
def installing(request: pytest.FixtureRequest, checkout: Checkout) -> list[str]:
    """What a first start does, on a machine with uv and on one without."""
    if request.param == "pip":
        (checkout.machine / "uv").unlink()
    return WITH_UV if request.param == "uv" else WITH_PIP


def test_nothing_is_said_when_nothing_changed() -> None:
    if Path(sys.prefix).parent != ROOT or not (Path(sys.prefix) / "whole").exists():
        pytest.skip("these tests run in another venv than that of ./run; to test it too: ./run test")
    done = subprocess.run([ROOT / "run", "rules"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("script", ["run", ".ci/run", "tools/lock"])
def test_a_script_is_valid_bash(script: str) -> None:
    subprocess.run([program("bash", "apt install bash"), "-n", ROOT / script], check=True)
    assert os.access(ROOT / script, os.X_OK)


def test_the_first_start_installs_and_the_second_does_not(
    checkout: Checkout, installing: list[str], tmp_path: Path
) -> None:
    printed = f"{tmp_path}\npair\nmy cup.json\n"
    assert checkout.run("pair", "my cup.json", cwd=tmp_path) == (0, printed, FIRST_START)
    assert checkout.log() == installing
    assert checkout.run("pair", "my cup.json", cwd=tmp_path) == (0, printed, "")
    assert checkout.log() == []


def test_run_alone_is_the_demo(checkout: Checkout, tmp_path: Path) -> None:
    assert checkout.run(cwd=tmp_path)[1] == f"{tmp_path}\ndemo\n"


def test_tests_and_soak_are_pytest(checkout: Checkout) -> None:
    checkout.run()
    printed = f"pytest   -n auto -k a b\n{ALL}"  # neither long nor without bytecode
    assert checkout.run("test", "-k", "a b", PYTHONDONTWRITEBYTECODE="1") == (0, printed, TEST_LOCK)
    assert checkout.run("soak", "-x") == (0, f"pytest 1  -n auto -x\n{ALL}", "")


def test_tests_can_be_the_first_start(checkout: Checkout) -> None:
    assert checkout.run("test") == (0, f"pytest   -n auto\n{ALL}", FIRST_START + TEST_LOCK)


def test_a_changed_lock_file_is_installed_into_the_same_venv(checkout: Checkout) -> None:
    checkout.run()
    checkout.log()
    with (checkout.root / "requirements.lock").open("a") as lock:
        lock.write("more==1\n")
    assert checkout.run()[2] == "topcut: installing requirements.lock\n"
    assert checkout.log() == WITH_UV[1:]


def test_a_moved_checkout_is_set_up_anew(checkout: Checkout) -> None:
    checkout.run()
    checkout.log()
    checkout.root = checkout.root.rename(checkout.root.with_name("elsewhere"))
    assert checkout.run()[2] == FIRST_START
    assert checkout.log() == WITH_UV


def test_another_python_has_a_venv_of_its_own(checkout: Checkout) -> None:
    checkout.run()
    checkout.log()
    checkout.has("python3.12")
    for chosen in ["python3.12", str(checkout.machine / "python3.12")]:
        assert checkout.run("test", TOPCUT_PYTHON=chosen)[1] == f"pytest   -n auto\n{ALL}"
    assert checkout.log() == [*WITH_UV, "uv:requirements-test.lock"]
    assert (checkout.root / ".venv-python3.12" / "has-topcut").exists()
    assert checkout.run()[2] == ""


class TestInterrupted:
    """Whenever it is cut short, the next start has everything, and nothing that was half done."""

    SIGNALS = pytest.mark.parametrize(
        ("number", "settings"),
        [(signal.SIGINT, {}), (signal.SIGINT, {"STUBBORN": "1"}), (signal.SIGKILL, {})],
        ids=["it dies of it", "it makes a failure of it", "it is killed"],
    )

    @SIGNALS
    def test_a_first_start(
        self, checkout: Checkout, installing: list[str], number: signal.Signals, settings: dict[str, str]
    ) -> None:
        steps = [*installing, f"{installing[-1].split(':')[0]}:requirements-test.lock"]
        for at in range(1, len(steps) + 1):
            code, said = checkout.cut_short(number, "test", at=at, **settings)
            assert checkout.log() == steps[:at]
            assert code == (130 if number == signal.SIGINT else -number)
            assert said.endswith(INTERRUPTED) is (number == signal.SIGINT)
        assert checkout.run("test") == (0, f"pytest   -n auto\n{ALL}", FIRST_START + TEST_LOCK)

    @SIGNALS
    @pytest.mark.parametrize("then", ["test", "rules"])
    def test_a_second_installation(
        self,
        checkout: Checkout,
        installing: list[str],
        number: signal.Signals,
        settings: dict[str, str],
        then: str,
    ) -> None:
        checkout.run()
        checkout.log()
        checkout.cut_short(number, "test", at=1, **settings)
        assert checkout.log() == [installing[-1].replace("topcut", "requirements-test.lock")]
        assert checkout.run(then)[0] == 0
        assert checkout.log()[: len(installing)] == installing
        assert checkout.run("test")[:2] == (0, f"pytest   -n auto\n{ALL}")

    @pytest.mark.parametrize("at", [1, 2])
    def test_an_installation_after_a_change(self, checkout: Checkout, at: int) -> None:
        checkout.run("test")
        checkout.log()
        with (checkout.root / "requirements.lock").open("a") as lock:
            lock.write("more==1\n")
        checkout.cut_short(signal.SIGINT, "rules", at=at)
        assert checkout.log() == WITH_UV[1:][:at]
        assert checkout.run("test")[:2] == (0, f"pytest   -n auto\n{ALL}")


class TestFailed:
    """An installation that cannot be done says why, spoils nothing and is tried again."""

    def test_the_first(self, checkout: Checkout) -> None:
        (checkout.machine / "uv").unlink()
        code, printed, said = checkout.run(FAILS="pip")
        assert (code, printed) == (1, "")
        assert said.startswith(FIRST_START)
        assert said.endswith("there is no requirements.lock\ntopcut: could not install requirements.lock\n")
        checkout.log()
        assert checkout.run()[0] == 0
        assert checkout.log() == ["pip:requirements.lock", "pip:topcut"]

    def test_the_second(self, checkout: Checkout, tmp_path: Path) -> None:
        (checkout.machine / "uv").unlink()
        checkout.run()
        assert checkout.run("test", FAILS="pip")[0] == 1
        assert checkout.run(cwd=tmp_path) == (0, f"{tmp_path}\ndemo\n", "")
        assert checkout.run("test") == (0, f"pytest   -n auto\n{ALL}", TEST_LOCK)

    def test_where_uv_cannot_pip_can(self, checkout: Checkout) -> None:
        said = "topcut: uv failed (there is no {}); trying pip\n"
        assert checkout.run(FAILS="uv")[2] == FIRST_START + said.format("requirements.lock") + said.format(
            "topcut"
        )
        assert checkout.log() == [
            *("venv", "uv:requirements.lock", "ensurepip", "pip:requirements.lock"),
            *("uv:topcut", "pip:topcut"),
        ]


def test_at_a_terminal_it_shows_how_far_it_is(checkout: Checkout) -> None:
    screen, terminal = pty.openpty()
    (checkout.machine / "uv").unlink()
    packages = len(re.findall("^[a-z].*==", (checkout.root / "requirements.lock").read_text(), re.MULTILINE))
    seen = b""
    try:
        done = subprocess.run(
            [checkout.root / "run"],
            env={"PATH": str(checkout.machine), "LOG": str(checkout.machine / "log")},
            stdout=subprocess.PIPE,
            stderr=terminal,
            check=True,
        )
        os.write(terminal, b"the end")
        while not seen.endswith(b"the end"):
            seen += os.read(screen, 4096)
    finally:
        os.close(screen)
        os.close(terminal)
    shown = seen.decode().splitlines()
    assert shown[0] == FIRST_START.rstrip()
    assert any(f" s, 1 of {packages}: Collecting requirements.lock\033[K" in line for line in shown)
    assert seen.endswith(b"\r\033[Kthe end")
    assert b"topcut:" not in done.stdout


def test_of_two_first_starts_one_installs(checkout: Checkout) -> None:
    both = [checkout.start(), checkout.start()]
    said = [started.communicate()[1] for started in both]
    said.remove(FIRST_START)
    assert said[0] in {"", "topcut: waiting for another ./run that is installing\n"}
    assert checkout.log() == WITH_UV


@pytest.mark.parametrize("chosen", ["", "python3.11"])
def test_without_a_fit_python_one_line_says_so(checkout: Checkout, chosen: str) -> None:
    for name in ["python3.14", "python3.11", "python3"]:
        (checkout.machine / name).write_text("#!/bin/sh\nexit 1\n")
        (checkout.machine / name).chmod(0o755)
    said = "needs Python 3.11 or newer with its venv module (on Debian: apt install python3-venv)\n"
    why = f"{chosen} will not do: " if chosen else ""
    assert checkout.run(TOPCUT_PYTHON=chosen) == (1, "", f"topcut: {why}{said}")


def test_a_set_up_checkout_starts_hardly_any_program(checkout: Checkout) -> None:
    """The second bash is the stand-in that it starts. How long it takes depends on the machine."""
    checkout.run()
    bash = program("bash", "apt install bash")
    for tool in TOOLS:
        path = checkout.machine / tool
        real = path.readlink()
        path.unlink()
        path.write_text(f'#!{bash}\necho {tool} >>"$LOG.tools"\nexec "{real}" "$@"\n')
        path.chmod(0o755)
    assert checkout.run()[2] == ""
    assert sorted((checkout.machine / "log.tools").read_text().split()) == [
        "bash",
        "bash",
        "cat",
        "cmp",
        "dirname",
    ]
