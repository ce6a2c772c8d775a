"""Like Windows, as far as Linux can be: the `sitecustomize` of a program, put before it by PYTHONPATH.

Modules that Windows lacks cannot be imported; the loop takes no signal handlers; functions, signals and
options of Unix are missing; pipes have a code page; other programs have said that scripts are plain text.
"""

from __future__ import annotations

import asyncio
import mimetypes
import os
import shutil
import signal
import socket
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MISSING = ("uvloop", "resource", "fcntl", "termios", "pwd", "grp", "tty", "pty", "syslog", "crypt", "nis")
UNIX = (
    (os, "fork forkpty getuid geteuid getgid getegid fchmod fchown chown mkfifo killpg setsid getpgid umask"),
    (os, "O_NONBLOCK set_blocking get_blocking O_NOFOLLOW O_DIRECTORY getgroups nice getloadavg"),
    (signal, "SIGHUP SIGUSR1 SIGUSR2 SIGQUIT SIGALRM alarm pause sigwait"),
    (socket, "SO_REUSEPORT"),
)
NAMES = ("LOGNAME", "USER", "LNAME", "USERNAME")


class Missing(MetaPathFinder):
    """Finds, before others do, that a module is not there."""

    def find_spec(self, name: str, _path: Any, _target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def no_handlers(*_: object) -> None:
    raise NotImplementedError


def look_like_windows() -> None:
    for name in MISSING:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Missing())
    for module, names in UNIX:
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    vars(shutil)["_use_fd_functions"] = False  # as it is on Windows; the others need what is missing now
    loop: Any = asyncio.SelectorEventLoop
    loop.add_signal_handler = loop.remove_signal_handler = no_handlers
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="cp1252")
    mimetypes.add_type("text/plain", ".js")
    for name in NAMES:
        os.environ.pop(name, None)


if __name__ == "sitecustomize":
    look_like_windows()
