"""`topcut serve` and `topcut demo` from the outside: what they print, and that they are there."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from tests.commands import assert_refused, topcut


@contextmanager
def running(*arguments: str, lines: int) -> Iterator[tuple[str, int]]:
    """The first lines that a server prints, while it runs."""
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "topcut", *arguments], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    try:
        yield "".join(process.stdout.readline() for _ in range(lines)), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
        process.stdout.close()


def test_serve_prints_a_link_and_listens_on_this_machine_alone(tmp_path: Path) -> None:
    with running("serve", "--database", str(tmp_path / "x.db"), "--port", "0", lines=4) as (said, pid):
        assert said.startswith("desk   http://127.0.0.1:")
        assert "/enter#" in said
        assert "only on this machine" in said
        address = said.split()[1].partition("/enter")[0]
        with urlopen(address, timeout=10) as page:
            assert "There is no event here yet" in page.read().decode()
        listening = {
            line.split()[1].partition(":")[0]
            for line in Path(f"/proc/{pid}/net/tcp").read_text("utf-8").splitlines()[1:]
            if line.split()[3] == "0A"
            and int(line.split()[1].partition(":")[2], 16) == int(address.rpartition(":")[2])
        }
        assert listening == {"0100007F"}


def test_demo_has_a_lively_event(tmp_path: Path) -> None:
    with running("demo", "--no-open", "--json", "--port", "0", lines=4) as (said, _):
        hall = json.loads(said)["hall"]
        with urlopen(f"{hall}/e/autumn-open", timeout=10) as page:
            assert "Round 4 is being played" in page.read().decode()


def test_a_port_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        answer = topcut("serve", "--database", str(tmp_path / "x.db"), "--port", port)
    assert answer.code == 2
    assert answer.err.startswith("topcut: --port: cannot listen at 127.0.0.1:")
    assert not (tmp_path / "x.db").exists()


def test_a_database_that_cannot_be_opened_is_one_clear_line(tmp_path: Path) -> None:
    answer = topcut("serve", "--database", str(tmp_path / "no" / "x.db"), "--port", "0")
    assert answer.code == 2
    assert answer.err.count("\n") == 1


def test_several_processes_on_a_file_are_refused_in_one_clear_line(tmp_path: Path) -> None:
    answer = topcut("serve", "--database", str(tmp_path / "x.db"), "--port", "0", "--workers", "2")
    assert_refused(answer, "--workers: ", "give --database postgresql://")
    assert not (tmp_path / "x.db").exists()
