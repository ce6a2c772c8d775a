"""A real server in a process of its own, and a browser on it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Browser, BrowserContext, Page

from tests.tiers import SOAK
from tests.timeouts import PAGE_PATIENCE, PATIENCE
from tests.web.browser.forked_commands import command

ROOT = Path(__file__).parents[2]
LOOKS = [(360, "light"), (1280, "dark"), *([(360, "dark"), (1280, "light")] if SOAK else [])]
"""Widths and colour schemes that a page is looked at in."""


class Site:
    """`topcut serve` over a database in a folder; it can be stopped, killed and started again."""

    command: tuple[str, ...] = ()
    """What is started, if not `topcut serve`."""
    said: Path | None = None
    """The file that gets what it says on standard error, if that is looked at."""

    def __init__(self, folder: Path, *options: str, database: str | None = None) -> None:
        self.database = database or str(folder / "site.db")
        self.options = options
        self.program = "topcut"
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self.link = ""
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, at the same port as before."""
        serve = ("serve", "--database", self.database, "--port", str(self.port), "--json", "--by", "Mara")
        arguments = self.command or serve
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", self.program, *arguments, *self.options],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=None if self.said is None else os.open(self.said, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
            env=environment,
            text=True,
        )
        assert self.process.stdout is not None
        lines: list[str] = []
        while not lines or lines[-1].rstrip() != "}":
            line = self.process.stdout.readline()
            assert line, f"the server did not start: {lines}"
            lines.append(line)
        answer: dict[str, str] = json.loads("".join(lines))
        self.link = answer["desk"]
        self.port = int(self.link.split("/enter")[0].rpartition(":")[2])

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(timeout=PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def __call__(self, *arguments: str) -> str:
        """A command on the same database, in another process; what it prints."""
        return command(*arguments, "--database", self.database, "--by", "Ada")

    def json(self, *arguments: str) -> Any:
        return json.loads(self(*arguments, "--json"))

    def new_link(self, event: str | None = None, name: str = "Mara") -> str:
        """Another link for the desk, made in another process."""
        script = "import sys; from tests.web.staff_link import main; main(*sys.argv[1:])"
        arguments = [sys.executable, "-c", script, self.database, name, event or ""]
        done = subprocess.run(arguments, capture_output=True, check=True, timeout=PATIENCE)
        return f"{self.address}/enter#{done.stdout.decode().strip()}"

    def get(self, path: str) -> str:
        with urlopen(self.address + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())


class Demo(Site):
    """`topcut demo`, which has a database of its own."""

    command = ("demo", "--no-open", "--json", "--port", "0")


class Visitor:
    """Somebody with a browser. Whatever goes wrong in it fails the test."""

    def __init__(self, browser: Browser, site: Site, **how: Any) -> None:
        self.site = site
        self.context: BrowserContext = browser.new_context(base_url=site.address, **how)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PAGE_PATIENCE)
        self.troubles: list[str] = []
        self.elsewhere: list[str] = []
        self.context.on("page", self._watch)
        self._watch(self.page)

    def _watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda request: self._where(request.url))
        page.on(
            "console",
            lambda said: self.troubles.append(said.text) if "Content Security Policy" in said.text else None,
        )

    def _where(self, url: str) -> None:
        if not url.startswith((self.site.address, "data:", "blob:", "about:")):
            self.elsewhere.append(url)

    def leave(self) -> None:
        self.context.close()
        assert not self.troubles, self.troubles
        assert not self.elsewhere, self.elsewhere
