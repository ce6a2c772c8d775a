"""How does the outside speak to Topcut? At a prompt and by HTTP, as people and programs do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

API = "/api/v1"


def typed(*arguments: str, stdin: str = "") -> str:
    """Run `topcut` in a process of its own, and return what it prints."""
    command = [sys.executable, "-m", "topcut", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


@dataclass
class Served:
    """A server over a database, and the people and programs who speak to it."""

    address: str
    link: str
    """The sign-in link that the server has printed."""
    clients: list[httpx.Client] = field(default_factory=list)

    def client(self, cookies: dict[str, str] | None = None) -> httpx.Client:
        """Open a browser, with the cookies that it has kept."""
        opened = httpx.Client(base_url=self.address, cookies=cookies, trust_env=False, timeout=120)
        self.clients.append(opened)
        return opened

    def program(self, token: str) -> Program:
        """Start a program that sends a token."""
        client = self.client()
        client.headers["authorization"] = f"Bearer {token}"
        return Program(client)


@dataclass(frozen=True)
class Program:
    """A program that uses the API."""

    client: httpx.Client

    def ask(self, path: str) -> Any:
        """Return the JSON at an address of the API."""
        return good(self.client.get(API + path)).json()

    def send(self, path: str, body: Any, **headers: str) -> httpx.Response:
        """Send JSON to an address of the API."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(API + path, json=body, headers=named)

    def do(self, event: str, *commands: dict[str, Any]) -> Any:
        """Give commands as one step, and return the answer."""
        return good(self.send(f"/events/{event}/commands", {"commands": commands})).json()


def good(answer: httpx.Response) -> httpx.Response:
    """Return an answer that is no refusal."""
    assert answer.is_success, (answer.request.url, answer.status_code, answer.text)
    return answer


@contextmanager
def served(database: Path, *options: str) -> Iterator[Served]:
    """Serve a database in a process of its own. No webhook is called and no name deleted meanwhile."""
    arguments = ("serve", "--database", str(database), "--port", "0", "--json", "--no-chores", *options)
    process = subprocess.Popen(
        [sys.executable, "-m", "topcut", *arguments],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        encoding="utf-8",
    )
    assert process.stdout is not None
    try:
        said = ""
        while not said.endswith("}\n"):
            line = process.stdout.readline()
            assert line, f"the server did not start: {said}"
            said += line
        places = json.loads(said)
        server = Served(places["hall"], places["desk"])
        yield server
        for client in server.clients:
            client.close()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=120)
        process.stdout.close()
