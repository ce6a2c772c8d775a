"""Commands in processes of their own without their start-up: one process loads everything once and forks.

A browser's tests give hundreds of commands from outside; most of their time would be Python starting.
"""

from __future__ import annotations

import atexit
import json
import os
import pkgutil
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import topcut.cli
from tests.timeouts import PATIENCE
from topcut.cli.main import run

_ROOT = Path(__file__).parents[3]


class Loaded:
    """The process that has everything loaded; the first command starts it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __call__(self, *arguments: str) -> str:
        """Run `topcut` with these arguments in a fork; what it prints."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.web.browser.forked_commands"],
                cwd=_ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            atexit.register(self.end)
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        asked.write(json.dumps(arguments) + "\n")
        asked.flush()
        answer: dict[str, Any] = json.loads(answers.readline())
        assert answer["code"] == 0, answer["err"]
        return str(answer["out"])

    def end(self) -> None:
        if self._process is not None:
            self._process.communicate()


command = Loaded()


def _forked(arguments: list[str]) -> dict[str, Any]:
    """Run one command in a fork of this process."""
    out, err = (os.memfd_create(name) for name in ("out", "err"))
    child = os.fork()
    if child == 0:
        _run(arguments, out, err)
    _, status = os.waitpid(child, 0)
    answer: dict[str, Any] = {"code": os.waitstatus_to_exitcode(status)}
    for name, file in (("out", out), ("err", err)):
        os.lseek(file, 0, os.SEEK_SET)
        with open(file, "rb") as written:
            answer[name] = written.read().decode()
    return answer


def _run(arguments: list[str], out: int, err: int) -> None:
    signal.alarm(int(PATIENCE))
    code = 1
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        code = run(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _main() -> None:
    for module in pkgutil.walk_packages(topcut.cli.__path__, "topcut.cli."):
        import_module(module.name)
    for line in sys.stdin:
        print(json.dumps(_forked(json.loads(line))), flush=True)


if __name__ == "__main__":
    _main()
